"""Rule documents as data: terms, pays, parameters, readings."""

from .book import Rulebook, shipped

__all__ = ["Rulebook", "shipped"]
