"""Every ordered draw of a hand, card by card: the independent method for `combin.deals.draw`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import perm

from combin.base.errors import fault
from combin.deals.draw import FinishedHands, StoppingRule, tabulate


def walk(rule: StoppingRule, counts: Sequence[int], first: tuple[int, ...] = ()) -> FinishedHands:
    """Return the exact distribution of final hands: every ordered draw, card by card.

    It uses neither compositions nor order counts nor caches. Raises `InputError` if the shoe can run out before the
    longest hand is complete.
    """
    left = list(counts)
    ends: dict[tuple[tuple[int, ...], int], int] = defaultdict(int)

    def go(state: Hashable, ways: int, length: int) -> None:
        if not any(left):
            raise fault("the shoe can run out before the hand is complete", "leave more cards in the shoe")
        for card_class, count in enumerate(left):
            if not count:
                continue
            after = rule.add(state, card_class)
            if rule.done(after):
                ends[rule.features(after), length + 1] += ways * count
            else:
                left[card_class] -= 1
                go(after, ways * count, length + 1)
                left[card_class] += 1

    state = rule.start
    for card_class in first:
        state = rule.add(state, card_class)
    go(state, 1, 0)
    longest = max(length for _, length in ends)
    weights: dict[tuple[int, ...], int] = defaultdict(int)
    for (row, length), ways in ends.items():
        weights[row] += ways * perm(sum(left) - length, longest - length)
    return tabulate(rule.columns, weights, perm(sum(left), longest))
