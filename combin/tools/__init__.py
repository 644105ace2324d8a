"""Tools for paytables: design, differences, committed analyses, audit of results, JSON Schema."""
