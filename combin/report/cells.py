"""Cells of a report: figures with their exact values, changes with their sign."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..base.exact import Exact, clear, decimal, grouped_decimal, is_number, text
from ..games.outcome import Outcome
from ..pages.blocks import Cell, Number
from ..rulebook.pays import LOSS
from ..views import model as shown
from .model import ComparedFigure


def pay_text(o: Outcome | None) -> str:
    """Return what an outcome pays; empty for the loss of a wager, and without an outcome."""
    return "" if o is None or (o.pay is None and o.outcome == LOSS) else o.pays


def cell(value: Exact | None, form: Callable[[Any], str]) -> Cell:
    """Return a figure in a form, with its exact text; empty for None."""
    return "" if value is None else Number(form(value), text(value))


def share(value: Exact) -> Number:
    return Number(shown.share(value), text(value))


def change(value: Exact, places: int = 4) -> Number:
    """Return a change of a return in percentage points."""
    return Number(signed(value, places), text(value))


def exact(value: Exact) -> Cell:
    """Return a decimal with its fraction, an expression with its exact form, a whole number as it is."""
    if is_number(value) and value.denominator == 1:
        return Number(text(value), text(value))
    return Number(clear(value, 8) if is_number(value) else shown.amount(value), text(value))


def chance(p: Exact) -> Cell:
    return Number(shown.probability(p) if is_number(p) else text(p), text(p))


def grouped_or_text(value: Exact, places: int) -> str:
    if not is_number(value):
        return text(value)
    return grouped_decimal(value, places) if value >= 1 else clear(value, places)


def plain(value: Exact) -> str:
    """Return an amount of units without trailing zeros."""
    if not is_number(value):
        return text(value)
    return grouped_decimal(value, 0 if value.denominator == 1 else 4)


def value_text(value: Exact) -> str:
    return clear(value, 8) if is_number(value) else text(value)


def behind(figure: ComparedFigure, value: Exact) -> str:
    """Return the exact text of a decimal; empty for a root, which is stored as a truncated fraction."""
    return "" if figure.is_root else text(value)


def difference(value: Exact) -> str:
    return ("+" if is_number(value) and value > 0 else "") + value_text(value)


def points(value: Exact) -> str:
    """Return a part of a return in percentage points."""
    return f"{decimal(value * 100, 4)} percentage points" if is_number(value) else shown.share(value)


def signed(value: Exact, places: int = 4) -> str:
    """Return a change of a return in percentage points, with its sign."""
    if not is_number(value):
        return shown.share(value)
    return ("+" if value > 0 else "") + f"{clear(value * 100, places)} points"


def of_text(words: str) -> Cell:
    """Return a fraction as a decimal with its exact text; other texts unchanged."""
    above, _, below = words.partition("/")
    if not below.isdigit() or not above.removeprefix("-").isdigit():
        return words
    return Number(value_text(Fraction(words)), words)
