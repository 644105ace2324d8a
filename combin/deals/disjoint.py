"""Several hands of one deal: the number of deals in which the first seats all have winning hands.

Hands of a round share no card. If every winning hand is a given set of cards, sets of such hands are counted without
enumerating the deals: straight flushes of six or more by suit, hands of two or three cards by labels of equal effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import comb, factorial, perm, prod
from operator import sub

import numpy as np

from ..base.caches import cached

RANKS, SUITS, CARDS, LEAST = 13, 4, 7, 6
#: Number of hands of each kind.
Kinds = tuple[int, ...]


def _sum(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(one, two, strict=True))


def seven_card_sets(kind: Mapping[int, int], *wanted: int) -> int:
    """Return ordered deals of disjoint hands of seven cards from one deck, ``wanted`` of each kind.

    ``kind`` maps the ranks of a hand's longest suit (a 13-bit mask of six or seven) to its kind. A hand of six has its
    seventh card in another suit. At most two such hands share a suit.
    """
    none = (0,) * len(wanted)
    # Of one suit: hands of each kind, (hands that lack a card, cards used); with their number.
    suit: Counter[tuple[Kinds, Kinds]] = Counter({(none, (0, 0)): 1})

    def hand(mask: int) -> tuple[Kinds, Kinds]:
        return (tuple(int(kind[mask] == k) for k in range(len(wanted))),
                (int(mask.bit_count() == LEAST), mask.bit_count()))

    for mask in kind:
        suit[hand(mask)] += 1
    for one, two in combinations(kind, 2):
        if not one & two:
            (a, b), (c, d) = hand(one), hand(two)
            suit[_sum(a, c), _sum(b, d)] += 1
    state: Counter[tuple[Kinds, tuple[tuple[int, int], ...]]] = Counter({(none, ()): 1})
    for _ in range(SUITS):
        after: Counter[tuple[Kinds, tuple[tuple[int, int], ...]]] = Counter()
        for (held, seen), n in state.items():
            for (more, (lack, used)), m in suit.items():
                both = _sum(held, more)
                if all(x <= y for x, y in zip(both, wanted, strict=True)):
                    after[both, tuple(sorted((*seen, (lack, RANKS - used))))] += n * m
        state = after
    sets = sum(n * _completed(seen) for (held, seen), n in state.items() if held == wanted)
    return sets * prod(map(factorial, wanted))


@cached("ways to complete hands that lack a card, by suit", most=4096)
def _completed(suits: tuple[tuple[int, int], ...]) -> int:
    """Return ways to give a card of another suit to each hand that lacks one; (lacking, cards left) by suit."""
    # Inclusion and exclusion over the hands that would take a card of their suit.
    taken = Counter({0: 1})
    for lack, left in suits:
        after: Counter[int] = Counter()
        for k, n in taken.items():
            for same_suit in range(lack + 1):
                after[k + same_suit] += n * (-1) ** same_suit * comb(lack, same_suit) * perm(left, same_suit)
        taken = after
    lacking, cards = sum(lack for lack, _ in suits), sum(left for _, left in suits)
    return sum(n * perm(cards - k, lacking - k) for k, n in taken.items())


def seven_card_deals(hands: int) -> int:
    """Return ordered deals of ``hands`` hands of seven cards from one deck."""
    return prod(comb(52 - CARDS * k, CARDS) for k in range(hands))


def small_sets(kind: np.ndarray, copies: tuple[int, ...], kinds: int, hands: int) -> Counter[Kinds]:
    """Return ordered deals of ``hands`` disjoint hands from a shoe of ``copies``, by the number of hands of each kind.

    Hands of a kind are dealt one after the other, those of the first kind first. ``kind`` has an axis of card types for
    each card of a hand; its entries are the kind of the hand, below ``kinds``, or -1. Card types with the same entries
    have equal effect and become one label.
    """
    cards = kind.ndim
    _, at, label = np.unique(kind.reshape(len(copies), -1), axis=0, return_index=True, return_inverse=True)
    label = label.ravel()
    held = tuple(int(n) for n in np.bincount(label, weights=np.array(copies)).astype(np.int64))
    uses = [
        (int(kind[tuple(at[place])]), Counter(place))
        for place in np.argwhere(kind[np.ix_(*[at] * cards)] >= 0).tolist() if place == sorted(place)
    ]
    # Labels are processed one by one; a state records the cards left of labels that later hands share.
    shared: tuple[int, ...] = ()
    state: Counter[tuple[Kinds, tuple[int, ...]]] = Counter({((0,) * kinds, ()): 1})
    while uses:
        beside = {x: {y for _, use in uses if x in use for y in use} for _, hand in uses for x in hand}
        label_now = min(beside, key=lambda x: (len(beside[x] - {*shared}), x))
        for index, use in [hand for hand in uses if label_now in hand[1]]:
            new = tuple(x for x in use if x not in shared)
            shared += new
            taken = tuple(use[x] for x in shared)
            after: Counter[tuple[Kinds, tuple[int, ...]]] = Counter()
            for (dealt, left), n in state.items():
                left += tuple(held[x] for x in new)
                after[dealt, left] += n
                for more in range(1, hands - sum(dealt) + 1):
                    n *= prod(map(comb, left, taken))
                    left = tuple(map(sub, left, taken))
                    if not n:
                        break
                    both = dealt[index] + more
                    after[(*dealt[:index], both, *dealt[index + 1 :]), left] += n * comb(both, more)
            state = after
        uses = [hand for hand in uses if label_now not in hand[1]]
        kept = [k for k, x in enumerate(shared) if any(x in use for _, use in uses)]
        shared = tuple(shared[k] for k in kept)
        after = Counter()
        for (dealt, left), n in state.items():
            after[dealt, tuple(left[k] for k in kept)] += n
        state = after
    return Counter({dealt: n for (dealt, _), n in state.items() if sum(dealt) == hands})
