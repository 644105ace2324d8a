"""The splits of a pair, counted by exchangeability.

A hand of a split is played by its cards, the upcard and at most the number of hands
so far. So the cards of other hands count as cards left in the shoe, except for one fact:
each second card is the pair's card again (a split) or is not. Let m further pair cards be
gone, j of them because "is not" was written as 1 − "is". Then

    E[result of a split] = Σ over ends  Σ_j (-1)^j C(others, j) q(m + j) V(m + j),

where q(m) is the probability that the next m cards are pair cards. V(m) is the value of
one hand that begins with the pair card in the shoe without them: A(m) if its second card
may be any, N(m) if it is not the pair card. Hands are completed one after the other
(ch. 11 B), each before the next one gets its second card.
"""

from __future__ import annotations

from collections import defaultdict
from math import comb
from typing import NamedTuple

from ...base.caches import cached


class SplitTerm(NamedTuple):
    """``weight`` × q(gone) × V(gone), with A if ``free`` and N otherwise, played while there are ``hands`` hands."""

    hands: int
    gone: int
    free: bool
    weight: int


@cached("how a pair comes apart, by the hand in the order of play", most=8)
def terms_by_hand(most: int) -> tuple[tuple[SplitTerm, ...], ...]:
    """Return for each hand of a pair that may become up to ``most`` hands the terms of its value, in the order of play.

    A hand's value is zero if there are fewer hands. The first hand keeps the original wager.
    Later events do not depend on a hand's cards, so its weight holds only the hands closed
    before it and the pair cards drawn before it.
    """
    if most < 2:
        return ()
    # Every path to the moment at which a hand is played counts once.
    moments: dict[tuple[int, int, int, bool], int] = defaultdict(int)

    def go(hands: int, unfilled: int, closed: int) -> None:
        if hands == most:
            for place in range(closed, most):
                moments[place, hands, closed, True] += 1
            return
        if not unfilled:
            return
        go(hands + 1, unfilled + 1, closed)
        moments[closed, hands, closed, False] += 1
        go(hands, unfilled - 1, closed + 1)

    go(2, 2, 0)
    weights: list[dict[tuple[int, int, bool], int]] = [defaultdict(int) for _ in range(most)]
    for (place, hands, closed, free), ways in moments.items():
        for j in range(closed + 1):
            weights[place][hands, hands - 2 + j, free] += ways * (-1) ** j * comb(closed, j)
    return tuple(tuple(SplitTerm(*key, n) for key, n in sorted(counts.items()) if n) for counts in weights)


@cached("how a pair comes apart, by its hands", most=8)
def terms(most: int) -> tuple[SplitTerm, ...]:
    """Return the sum of the terms of all hands of a pair."""
    weights: dict[tuple[int, int, bool], int] = defaultdict(int)
    for hand in terms_by_hand(most):
        for term in hand:
            weights[term[:3]] += term.weight
    return tuple(SplitTerm(*key, weight) for key, weight in sorted(weights.items()) if weight)


def most_gone(most: int) -> int:
    """Return the greatest number of further pair cards in any term."""
    return max((term.gone for term in terms(most)), default=0)


@cached("final numbers of hands of a pair", most=8)
def ends_of_pairs(most: int) -> tuple[tuple[int, int, int], ...]:
    """Return (final hands, closed hands, number of orders of second cards) for every way in which a pair is split."""
    orders: dict[tuple[int, int], int] = defaultdict(int)

    def go(hands: int, unfilled: int, closed: int) -> None:
        if hands == most or not unfilled:
            orders[hands, closed] += 1
            return
        go(hands + 1, unfilled + 1, closed)
        go(hands, unfilled - 1, closed + 1)

    if most >= 2:
        go(2, 2, 0)
    return tuple((*key, ways) for key, ways in sorted(orders.items()))
