"""Rule documents and their terms: documents as data, pays, parameters."""

from .book import Rulebook, shipped

__all__ = ["Rulebook", "shipped"]
