"""A user's own files: paytables as TOML, CSV and XLSX."""

from .paytables import add_file, collect, is_file_argument

__all__ = ["add_file", "collect", "is_file_argument"]
