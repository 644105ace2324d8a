"""Files of a user: paytables as TOML, CSV and XLSX, and the cover of a report."""
