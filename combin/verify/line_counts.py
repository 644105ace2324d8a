"""Counts of a second way in the form of an analysis, and the check for a missing second way."""

from __future__ import annotations

from collections.abc import Mapping

from ..analysis.model import Analysis
from .model import Check, unheld


def shown(a: Analysis) -> dict[str, int]:
    """The deals of each outcome of an analysis."""
    return {o.outcome: o.combinations or 0 for o in a.outcomes}


def with_stops(a: Analysis, counts: Mapping[str, int]) -> dict[str, int]:
    """Deals by line; with the wheel's weights, pairs of a deal and a stop of the wheel."""
    if not a.request.wheel:
        return dict(counts)
    turning = {outcome for outcome, pay in a.resolved.payments if pay.spin}
    found: dict[str, int] = {}
    for line, number in counts.items():
        for symbol, stops in a.request.wheel:
            key = f"{line}, {symbol}" if line in turning else line
            found[key] = found.get(key, 0) + number * stops
    return found


def stops(a: Analysis) -> int:
    """The number of the wheel's stops if an analysis has its weights, otherwise 1."""
    return sum(weight for _, weight in a.request.wheel) or 1


def unsettled(a: Analysis) -> Check:
    """A check that says: no second settlement knows the wager's outcomes."""
    return unheld("counts", f'the outcomes "{a.resolved.terms.again}" have no second settlement')
