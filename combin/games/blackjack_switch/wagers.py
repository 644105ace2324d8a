"""The separate wagers of a round: on each hand the original wager, its double, the hands of its splits.

The play of each hand depends on its cards and the other hand's first two, so the distribution of each wager is
exact, although that of the two hands' sum is not determined. The two original wagers have the same
distribution, since the hands' names may be exchanged. Both are counted, each from its deals.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm
from typing import Any

import numpy as np

from ..blackjack.hands import Ints
from ..blackjack.rules import USUAL_HANDS
from ..blackjack.solve import SPLIT, SURRENDER
from ..blackjack.split_values import COUNTED, HandLaw
from ..blackjack.values import DOUBLE, scale
from ..blackjack.wager_parts import Ends, add_up, double, of_hand, single, together
from ..model import StakedWager
from .hands import NATURAL
from .solve import FIRST, SECOND, SwitchSolution, dealt, dot, mean_of, uses_of

HANDS = ("First hand", "Second hand")
HALF = Fraction(1, 2)


def apart(solution: SwitchSolution) -> tuple[StakedWager, ...]:
    """Return the wagers of a round, in units of both original wagers together.

    Raise `CountError` if an original wager is not settled in every round, or if the net results do not
    add up to that of the round.
    """
    wagers = (*of_one(solution, 0), *of_one(solution, 1))
    add_up(wagers, solution.expected_value / 2)
    return wagers


def of_one(solution: SwitchSolution, side: int) -> tuple[StakedWager, ...]:
    """Return the wagers on one of the two hands."""
    unsplit, each = played(solution, side)
    original = together(single(unsplit), _blackjacks(solution, side))
    return of_hand(original, double(unsplit), each, HANDS[side], HALF)


def played(solution: SwitchSolution, side: int) -> tuple[HandLaw, list[HandLaw]]:
    """Return the dealt hand if it is not split, and each hand of its splits."""
    hands, size, primes = solution.hands, solution.size, solution.moduli
    counted = {DOUBLE: 0, 0: 0}
    net, lost = (dict.fromkeys(counted, np.zeros(primes, object)) for _ in range(2))
    each = np.zeros((USUAL_HANDS, COUNTED, primes), object)
    for u, way, taken, holes in _ways(solution):
        uses, alive = uses_of(taken, way, (side,)), uses_of(taken * (size - 5 - holes), way, (side,))
        if solution.is_dealt(way):
            uses[:, NATURAL] = 0
        for kind in counted:
            here = (hands.best[u] < SPLIT) & ((hands.best[u] == DOUBLE) == (kind == DOUBLE))
            counted[kind] += int(alive[here & (uses > 0)].sum())
            net[kind] = net[kind] + dot(uses * here, hands.residue[u])
            lost[kind] = lost[kind] + dot(uses * here, hands.lost_residue[u])
        for other, hand in np.argwhere((uses > 0) & (hands.best[u] == SPLIT)):
            law = hands.each[u, int(other), int(hand)]
            each[: len(law)] += int(uses[other, hand]) * law.astype(object)

    def mean(total: Any) -> Fraction:
        return mean_of(solution, [int(n) for n in total])

    doubled, one = (Fraction(n, perm(size, 6)) for n in (counted[DOUBLE], sum(counted.values())))
    loss, double_loss = mean(lost[0]), mean(lost[DOUBLE])
    unsplit = HandLaw(one, doubled, mean(net[0]) + loss, loss, mean(net[DOUBLE]) / 2 + double_loss, double_loss)
    return unsplit, [HandLaw.of(map(mean, law)) for law in each]


def _blackjacks(solution: SwitchSolution, side: int) -> Ends:
    """Return the ends of the original wager if the hand or the dealer has a blackjack."""
    rules, hands = solution.rules, solution.hands
    probabilities = dict.fromkeys((("blackjack", rules.blackjack_pays), ("blackjack against 21", Fraction(1)),
                                   ("blackjack against 22", Fraction(0)), ("both blackjacks", Fraction(0)),
                                   ("dealer blackjack", Fraction(-1)), ("surrender", -HALF)), Fraction(0))
    pays, against_21, against_22, both, dealer, surrendered = probabilities
    house = rules.hands
    whole = scale(solution.size - 5, solution.length, solution.moduli).denominator * perm(solution.size, 5)
    early = rules.exchange == "before-the-look"
    for u, way, taken, holes in _ways(solution):
        # A hand is as it is when the dealer's blackjack is revealed.
        look = way and early
        naturals = solution.is_dealt(look) & (dealt(look)[side] == NATURAL)
        blackjacks, six = solution.blackjacks(u), perm(solution.size, 6)
        surrenders, before = _surrenders(solution, u, way, side), house.surrender_against(u) == "early"
        lost = taken * holes * ~(naturals | surrenders & before)
        if not (house.looks or before):
            lost += taken * blackjacks * surrenders
        probabilities[both] += Fraction(int((taken * blackjacks)[naturals].sum()), six)
        probabilities[dealer] += Fraction(int(lost.sum()), six)
        given_up = taken * (solution.size - 5 - (0 if before else blackjacks))
        probabilities[surrendered] += Fraction(int(given_up[surrenders].sum()), six)
        if not solution.is_dealt(way):
            continue
        uses = uses_of(taken, way, (side,))
        for other in np.flatnonzero(uses[:, NATURAL]):
            alive, twenty_one, twenty_two = hands.dealer[u, int(other)]
            pushed = twenty_two if rules.blackjack_against_22 == "pushes" else 0
            for end, n in ((pays, alive - twenty_one - pushed), (against_21, twenty_one), (against_22, pushed)):
                probabilities[end] += Fraction(int(uses[other, NATURAL]) * n, whole)
    if rules.blackjack_pays == 1:
        probabilities[pays] += probabilities.pop(against_21)
    return probabilities


def _surrenders(solution: SwitchSolution, upcard: int, way: bool, side: int) -> Ints:
    """Whether one of the two hands is surrendered, by four cards."""
    two = dealt(way)
    mask: Ints = solution.hands.best[upcard][two[1 - side], two[side]] == SURRENDER
    return mask


def _ways(solution: SwitchSolution) -> Any:
    """Yield (upcard, cards are switched, ordered deals, cards that give the dealer a blackjack), by four cards."""
    for u in range(len(solution.counts)):
        ways, holes = solution.ways(u), solution.holes(u)
        for way in (FIRST, SECOND):
            yield u, bool(way), ways * (solution.switch[u] == bool(way)), holes
