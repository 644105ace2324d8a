"""Several boxes of one player: the covariance of two hands of one deck, and the deviation of all boxes together.

A player may wager on adjacent boxes (Massachusetts §6(e); Maryland Ch. 7 §G). The return of several boxes is the sum of
theirs, but their hands come from one deck. n boxes have the variance n V + n (n - 1) C, with C the covariance of two.

The covariance of two bonuses follows from the joint distribution of two hands (`deals.hands_by_length`). Two hands of a
base game are played by decisions against one dealer: in High Card Flush their covariance is counted
(`games.high_card_flush.two_hands`), elsewhere it is an estimate from rounds dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..base.errors import CountError
from ..base.exact import is_number, root
from ..deals.cards import Shoe
from ..deals.hands_by_length import DECIDING, joint
from ..games.model import Estimate
from ..rulebook.parameters import BOXES
from .model import Analysis
from .settle import deciding, outcome_of_rows, table_of


@dataclass(frozen=True)
class Boxes:
    """``boxes`` hands of one player: the covariance of two, the variance of all, a unit staked on each."""

    boxes: int
    covariance: Fraction | Estimate
    variance: Fraction | Estimate

    @property
    def deviation(self) -> Fraction | Estimate:
        return self.variance.deviation if isinstance(self.variance, Estimate) else root(self.variance)


def _exact(a: Analysis) -> Fraction | None:
    """The covariance of two bonuses; None where no lengths decide them."""
    table = table_of(a.book, a.resolved, Shoe(1), dict(a.parameters))
    amounts = {o.outcome: o.returned for o in a.outcomes}
    decided = deciding(table, [amounts[name] for name in outcome_of_rows(table, a.resolved)], DECIDING)
    if decided is None:
        return None
    columns, returned = decided
    law = joint(columns, shared=a.resolved.document.shared_cards)
    total = sum(law.values())
    if sum(m * returned[f] for (f, _), m in law.items()) != total * a.returned:
        raise CountError(f"one hand of two of {a.id} does not return what a hand returns")
    both = sum((m * returned[f] * returned[g] for (f, g), m in law.items()), Fraction(0)) / total
    return both - a.returned**2


def boxes(a: Analysis) -> Boxes | None:
    """The boxes that are set; None without, for a wager that no length decides, and while a pay is open."""
    n = a.parameters.get(BOXES)
    if n is None or not is_number(a.variance) or a.request.without or a.resolved.terms.depends_on_play:
        return None
    pairs = n * (n - 1)
    of_two = _exact(a) if a.game is None else a.game.covariance() if a.game.covariance else None
    if of_two is None:
        return None
    if not isinstance(of_two, Estimate):
        return Boxes(int(n), of_two, n * a.variance + pairs * of_two)
    variance = n * a.variance + pairs * of_two.value
    return Boxes(int(n), of_two, Estimate(variance, pairs * of_two.error, of_two.how) if pairs else variance)


__all__ = ["Boxes", "boxes"]
