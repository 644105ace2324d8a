"""Independent counts in the form of an analysis, and the check for a missing independent method."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..analysis.model import Analysis
from .model import COUNTS, Check, compared, not_checked


def counts(a: Analysis, method: str, again: Mapping[str, int]) -> Check:
    """Return the check of the deals of all outcomes."""
    return compared("counts", method, {o.outcome: o.combinations or 0 for o in a.outcomes}, again, COUNTS)


def probabilities(a: Analysis, method: str, again: Mapping[str, Fraction]) -> Check:
    """Return the check of the probabilities of all outcomes."""
    return compared("probabilities", method, {o.outcome: o.probability for o in a.outcomes}, again, COUNTS)


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
    return not_checked("counts", f'the outcomes "{a.resolved.terms.settlement}" have no independent settlement')
