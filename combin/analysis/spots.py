"""Several spots of one player: the covariance of two hands from one deck, and the standard deviation of all spots.

A player may wager on adjacent spots, called boxes in the documents (Massachusetts §6(e); Maryland Ch. 7 §G). The return
of several spots is the sum of their returns, but their hands come from one deck: n spots have the variance
n V + n (n - 1) C, with C the covariance of two. A payout cap per round limits the total win of all spots, whose
distribution follows from the flush lengths of two or three hands.

The covariance of two bonuses follows from the joint distribution of two hands (`deals.hands_by_length`). Two hands of a
base game depend on decisions and on one dealer: for High Card Flush their covariance is counted
(`games.high_card_flush.two_hands`), for other games it is estimated from dealt rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from ..base.errors import CountError
from ..base.exact import is_number, root
from ..deals.hands_by_length import DECIDING, mean_product, won_by
from ..games.model import Estimate
from ..rulebook.parameters import BOXES
from .model import Analysis
from .settle import decided_by


@dataclass(frozen=True)
class Spots:
    """Figures of ``number`` spots of one player, with one unit staked on each.

    ``covariance`` is that of two spots, ``variance`` that of all. Under a cap on the total of all spots, the covariance
    is that before the cap, and ``returned`` is the mean return per spot; it is None otherwise.
    """

    number: int
    covariance: Fraction | Estimate
    variance: Fraction | Estimate
    returned: Fraction | None = None

    @property
    def deviation(self) -> Fraction | Estimate:
        return self.variance.deviation if isinstance(self.variance, Estimate) else root(self.variance)


def _exact(a: Analysis) -> Fraction | None:
    """Return the covariance of two bonuses. Returns None unless flush lengths determine the pays."""
    decided = decided_by(a, {o.outcome: o.returned for o in a.outcomes}, DECIDING)
    if decided is None:
        return None
    columns, returned = decided
    shared = a.resolved.document.shared_cards
    if mean_product(columns, returned, dict.fromkeys(returned, Fraction(1)), shared) != a.returned:
        raise CountError(f"the joint distribution of two hands of {a.id} has another mean than one hand")
    return mean_product(columns, returned, returned, shared) - a.returned**2


def _under_one_cap(a: Analysis, n: int) -> Spots | None:
    """Return spots with a cap on their total. Returns None unless the distribution of their total is counted."""
    assert a.cap is not None
    free = a.unset("cap")
    covariance = _exact(free) if a.game is None else None
    if covariance is None or a.cap.winners:
        return None
    under = {o.outcome for o in free.outcomes if o.pay is not None and o.outcome in (a.cap.outcomes or (o.outcome,))}
    back = {o.outcome: int(o.pay.stake_back) if o.outcome in under and o.pay is not None else 0 for o in free.outcomes}
    # (won under the cap, other returns), in 1 / unit: both are packed into one integer, so that one distribution of
    # the sum over the spots gives both.
    won = {o.outcome: o.returned - back[o.outcome] if o.outcome in under else Fraction(0) for o in free.outcomes}
    beside = {o.outcome: o.returned - won[o.outcome] for o in free.outcomes}
    unit = lcm(*(x.denominator for x in (*won.values(), *beside.values())))
    span = n * max(int(x * unit) for x in beside.values()) + 1
    decided = decided_by(a, {name: won[name] * unit * span + beside[name] * unit for name in won}, DECIDING)
    total = None if decided is None else won_by(n, *decided, a.resolved.document.shared_cards)
    if total is None:
        return None
    most, first, second = a.cap.amount / a.cap.stake, Fraction(0), Fraction(0)
    for coded, p in total.items():
        wins, rest = divmod(int(coded), span)
        returned = min(Fraction(wins, unit), most) + Fraction(rest, unit)
        first, second = first + p * returned, second + p * returned**2
    return Spots(n, covariance, second - first**2, first / n)


def spots(a: Analysis) -> Spots | None:
    """Return the figures of the spots that are set.

    Returns None without spots, for a wager that flush lengths do not determine, and if a pay is unknown.
    """
    n = a.parameters.get(BOXES)
    if n is None or not is_number(a.variance) or a.request.without or a.resolved.terms.depends_on_play:
        return None
    if a.cap is not None and a.cap.basis == "round" and n > 1:
        return _under_one_cap(a, int(n))
    pairs = n * (n - 1)
    of_two = _exact(a) if a.game is None else a.game.covariance() if a.game.covariance else None
    if of_two is None:
        return None
    if not isinstance(of_two, Estimate):
        return Spots(int(n), of_two, n * a.variance + pairs * of_two)
    variance = n * a.variance + pairs * of_two.value
    return Spots(int(n), of_two, Estimate(variance, pairs * of_two.error, of_two.how) if pairs else variance)
