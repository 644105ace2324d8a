"""A user's own files: paytables as TOML, CSV and XLSX, the cover of a report."""
