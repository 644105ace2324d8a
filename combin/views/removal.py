"""Effects of removal as a table, JSON or CSV, with one row for all cards of equal effect."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.model import Analysis
from ..analysis.removal import Effect
from ..base.csv_text import csv_text
from ..base.documents import records
from ..base.exact import Exact, decimal, is_number, text, to_float
from ..base.exact import decks as decks_in_words
from ..deals.cards import name, names
from ..pages.blocks import Cell, Grid, Number, Part, Words

ByAnalysis = Sequence[tuple[Analysis, Sequence[Effect]]]


def _alike(effects: Sequence[Effect]) -> list[list[Effect]]:
    """Return cards grouped by equal effects, highest first; in card order if an effect is not a number."""
    groups: dict[str, list[Effect]] = {}
    for effect in effects:
        groups.setdefault(text(effect.change), []).append(effect)
    rows = list(groups.values())
    if all(is_number(row[0].change) for row in rows):
        rows.sort(key=lambda row: row[0].change, reverse=True)
    return rows


def part(a: Analysis, effects: Sequence[Effect]) -> Part:
    """Return the page of the effects on one analysis."""
    head: tuple[str, ...] = ("one of these removed", "change of the return")
    if effects and effects[0].fixed is not None:
        head = (head[0], "at best play", "at the play for the full shoe")
    rows = tuple(
        (names(e.card for e in row), _moved(row[0].change), *(() if row[0].fixed is None else (_moved(row[0].fixed),)))
        for row in _alike(effects)
    )
    return Part(f"{a.id}, {decks_in_words(a.decks)}", blocks=(
        Words(f"return with the full shoe: {text(a.returned)}"), Grid(head, rows)))


def _moved(change: Exact) -> Cell:
    return Number(f"{decimal(change * 100, 6)} %", text(change)) if is_number(change) else text(change)


def render(by_analysis: ByAnalysis, form: str) -> str:
    if form == "json":
        effects_of = [
            {
                "id": a.id,
                "decks": a.decks,
                "return": text(a.returned),
                "effects": [
                    {
                        "card": name(e.card),
                        "copies": e.copies,
                        "return": text(e.returned),
                        "change": text(e.change),
                        "decimal": to_float(e.change),
                        **({} if e.fixed is None else {"change_at_fixed_play": text(e.fixed)}),
                    }
                    for e in effects
                ],
            }
            for a, effects in by_analysis
        ]
        return records("removal", effects_of)
    rows = ((a.id, a.decks, name(e.card), e.copies, text(e.returned), text(e.change), to_float(e.change))
            for a, effects in by_analysis for e in effects)
    return csv_text([("id", "decks", "card", "copies", "return", "change", "change_decimal"), *rows])
