"""A user's own files: paytables as TOML, CSV and XLSX, the cover of a report."""

from .paytables import add_file, collect, is_file_argument
from .written import Written

__all__ = ["Written", "add_file", "collect", "is_file_argument"]
