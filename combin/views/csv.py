"""CSV with one row per outcome, for a spreadsheet or a data frame."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.model import Analysis
from ..base.csv_text import csv_text
from ..base.exact import text, to_float

HEAD = (
    "id",
    "decks",
    "outcome",
    "pays",
    "combinations",
    "deals",
    "probability",
    "probability_decimal",
    "contribution",
    "contribution_decimal",
    "return",
    "return_decimal",
)


def safe(cell: object) -> str:
    """Return a cell that no spreadsheet interprets as a formula."""
    word = "" if cell is None else str(cell)
    return "'" + word if word[:1] in ("=", "+", "-", "@", "\t", "\r") and not _is_number(word) else word


def _is_number(word: str) -> bool:
    return word.lstrip("-").replace(".", "", 1).replace("/", "", 1).replace("e-", "", 1).isdigit()


def render(analyses: Sequence[Analysis]) -> str:
    return csv_text([HEAD, *(
        [safe(c) for c in (
            a.id, a.decks, o.outcome, o.pays, o.combinations, a.deals, text(o.probability), to_float(o.probability),
            text(o.contribution), to_float(o.contribution), text(a.returned), to_float(a.returned))]
        for a in analyses for o in a.outcomes)])
