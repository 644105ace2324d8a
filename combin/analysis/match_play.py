"""A match play coupon that lies with a wager: what it pays, and what it is worth.

Of the documents Massachusetts High Card Flush names one (§6(b)), without its terms. The usual ones are taken: the
coupon counts as so much more money on the wager (``match_play`` for each unit staked), wins what that money would win,
is no money itself, and is taken whether the wager wins, loses or pushes. Prizes in dollars and shares of meters do not
grow. In a game the coupon lies with the ante, and the play that is best with it is taken.

Maryland's blackjack document names no coupon, and none is computed for the Blackjack Wager and Switch: it would lie
with one hand of a split, and the solver plays and values all hands of a split alike.
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
    """The pay with a coupon of ``share`` of the stake: what odds win grows by it, what comes back does not."""
    won = pay.odds if pay.stake_back else max(pay.odds - 1, Fraction(0))
    named = tuple((name, times * (1 + share)) for name, times in pay.named_odds) if pay.stake_back else pay.named_odds
    return replace(pay, odds=pay.odds + share * won, named_odds=named)


def with_coupon(resolved: Resolved, values: Mapping[str, Exact | None]) -> Resolved:
    """The paytable with the coupon that is set, itself without one."""
    share = values.get(COUPON)
    if not share:
        return resolved
    lines = tuple((name, matched(pay, share) if takes_coupon(resolved, name) else pay) for name, pay in resolved.lines)
    return replace(resolved, lines=lines)


def worth(a: AnalysisRecord) -> Exact | None:
    """What the coupon of an analysis is worth, per unit of its face value; None without one."""
    share = a.parameters.get(COUPON)
    if not share:
        return None
    asked = {name: text for name, text in a.request.set.items() if name != COUPON}
    without = a.ask(a.book, replace(a.request, set=asked))
    return simplify((a.returned - without.returned) / share)


__all__ = ["matched", "with_coupon", "worth"]
