"""The match play coupon of a wager: its pays, and its value.

Among the documents, Massachusetts High Card Flush names one (§6(b)) without its terms. The usual terms are assumed: the
coupon counts as additional money on the wager (``match_play`` for each unit staked), wins what that money would win, is
not itself redeemable, and is collected whether the wager wins, loses or pushes. It does not multiply prizes in dollars
or shares of meters. In a game the coupon is on the ante, and the play is optimal with the coupon.

Maryland's blackjack document names no coupon, and none is computed for the Blackjack Wager and Switch: it would belong
to one hand of a split, and the solver values all hands of a split alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from ..base.exact import Exact, simplify
from ..rulebook.book import Resolved
from ..rulebook.parameters import COUPON, takes_coupon
from ..rulebook.pays import Pay
from .record import AnalysisRecord


def matched(pay: Pay, share: Fraction) -> Pay:
    """Return the pay with a coupon of ``share`` of the stake, which multiplies the win and not the returned stake."""
    won = pay.odds if pay.stake_back else max(pay.odds - 1, Fraction(0))
    named = tuple((name, times * (1 + share)) for name, times in pay.named_odds) if pay.stake_back else pay.named_odds
    return replace(pay, odds=pay.odds + share * won, named_odds=named)


def with_coupon(resolved: Resolved, values: Mapping[str, Exact | None]) -> Resolved:
    """Return the paytable with the coupon that is set."""
    share = values[COUPON]
    assert share is not None
    lines = tuple((name, matched(pay, share) if takes_coupon(resolved, name) else pay) for name, pay in resolved.lines)
    return replace(resolved, lines=lines)


def worth(a: AnalysisRecord) -> Exact | None:
    """Return the value of the coupon per unit of its face value. Returns None without one."""
    share = a.parameters.get(COUPON)
    if not share:
        return None
    return simplify((a.returned - a.unset(COUPON).returned) / share)
