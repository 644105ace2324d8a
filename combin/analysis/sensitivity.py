"""Sensitivity: the exact change of the return for one unit more on each line of a paytable."""

from __future__ import annotations

from fractions import Fraction

from ..base.exact import Exact, simplify, value_of
from ..rulebook.parameters import COUPON, takes_coupon
from .model import Analysis

#: The unit, by the form of the pay.
ODDS, DOLLAR, POINT = "1 to 1", "$1", "1 percentage point"


def slopes(a: Analysis) -> tuple[tuple[str, str, Exact], ...]:
    """Return (line, unit, change of the return) for each line.

    Empty for a game, whose best play depends on its pays, and under a payout cap, since the return is then not linear
    in them.
    """
    if a.game is not None or a.cap is not None:
        return ()
    chances = {o.outcome: o.probability for o in a.outcomes}
    added = dict(a.resolved.added)
    in_dollars = a.has_stake and any(pay.needs_stake for _, pay in a.resolved.lines)
    per = value_of(a.parameters, "stake") if in_dollars else Fraction(1)
    changes = []
    for outcome, pay in a.resolved.lines:
        times: Exact = chances.get(outcome, Fraction(0)) if outcome not in added else Fraction(0)
        for total, parts in added.items():
            times = times + chances.get(total, Fraction(0)) * parts.count(outcome)
        if pay.shares and not pay.odds:
            meter = value_of(a.parameters, pay.shares[0][0])
            changes.append((outcome, POINT, simplify(times * meter / (100 * per))))
        elif pay.dollars and not pay.odds:
            changes.append((outcome, DOLLAR, simplify(times / per)))
        else:
            coupon = (a.parameters.get(COUPON) or 0) if takes_coupon(a.resolved, outcome) else 0
            changes.append((outcome, ODDS, simplify(times * (1 + coupon))))
    return tuple(changes)
