"""Independent counts in the form of an analysis, and the check for a missing independent method."""

from __future__ import annotations

from collections.abc import Mapping

from ..analysis.model import Analysis
from .model import Check, unheld


def shown(a: Analysis) -> dict[str, int]:
    """Return the deals of each outcome of an analysis."""
    return {o.outcome: o.combinations or 0 for o in a.outcomes}


def with_stops(a: Analysis, counts: Mapping[str, int]) -> dict[str, int]:
    """Return deals by line; with the wheel's weights, pairs of a deal and a stop of the wheel."""
    if not a.request.wheel:
        return dict(counts)
    turning = {outcome for outcome, pay in a.resolved.payments if pay.spin}
    pairs: dict[str, int] = {}
    for line, number in counts.items():
        for symbol, stops in a.request.wheel:
            key = f"{line}, {symbol}" if line in turning else line
            pairs[key] = pairs.get(key, 0) + number * stops
    return pairs


def stops(a: Analysis) -> int:
    """Return the number of the wheel's stops if an analysis has its weights, otherwise 1."""
    return sum(weight for _, weight in a.request.wheel) or 1


def unsettled(a: Analysis) -> Check:
    """Return the check of a wager whose outcomes have no independent settlement."""
    return unheld("counts", f'the outcomes "{a.resolved.terms.again}" have no independent settlement')
