"""Several hands of one deal, checked against hands dealt one by one from small decks and the distribution of two."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from combin.deals.disjoint import seven_card_deals, seven_card_sets, small_sets
from combin.deals.hands_by_length import joint

RUNS = [frozenset((s, r % 13) for r in range(first, first + 7)) for s in range(4) for first in range(-1, 7)]


def straight(mask: int, least: int) -> bool:
    """Whether the ranks hold a run of ``least``, an ace high or low."""
    low = mask << 1 | mask >> 12
    return any(low >> k & (1 << least) - 1 == (1 << least) - 1 for k in range(15 - least))


SIX = {m: 0 for m in range(1 << 13) if m.bit_count() in (6, 7) and straight(m, 6)}
SEVEN = {m: 0 for m in SIX if m.bit_count() == 7 and straight(m, 7)}


def test_two_and_three_straight_flushes_of_seven_are_counted_run_by_run() -> None:
    assert seven_card_sets(SEVEN, 1, 0) == len(RUNS)
    assert seven_card_sets(SEVEN, 2, 0) == sum(not a & b for a in RUNS for b in RUNS)
    assert seven_card_sets(SEVEN, 3, 0) == sum(
        not (a & b or a & c or b & c) for a in RUNS for b in RUNS for c in RUNS)
    assert seven_card_sets(SEVEN, 5, 0) == 0  # a suit holds one run of seven


@pytest.mark.parametrize(("first", "second"), [(2, 0), (1, 1)])
def test_two_hands_of_six_or_more_have_the_joint_law_of_two_hands(first: int, second: int) -> None:
    """The law of two hands lists every way to give ranks of a suit to two hands."""
    law = joint(("straight_flush_both",))
    kind = SIX if not second else {m: 0 if m in SEVEN else 1 for m in SIX}
    expected = sum(n for ((a,), (b,)), n in law.items() if (a >= 6 and b >= 6 if not second else (a, b) == (7, 6)))
    assert seven_card_sets(kind, first, second) == expected
    assert seven_card_deals(2) == comb(52, 7) * comb(45, 7) == sum(law.values())


def test_hands_of_a_small_shoe_are_dealt_one_by_one() -> None:
    """Four types of cards: a pair of type 0, the types 1 and 2 or 3 together, or the types 0 and 2 are a kind each."""
    copies = (3, 2, 2, 1)
    kind = np.full((4, 4), -1)
    kind[0, 0] = 0
    kind[1, 2] = kind[2, 1] = kind[1, 3] = kind[3, 1] = 1
    kind[0, 2] = kind[2, 0] = 2
    cards = [t for t, n in enumerate(copies) for _ in range(n)]
    hands = list(combinations(range(len(cards)), 2))

    def deals(wanted: list[int], used: frozenset[int] = frozenset()) -> int:
        if not wanted:
            return 1
        return sum(deals(wanted[1:], used | set(h)) for h in hands
                   if not used & set(h) and kind[cards[h[0]], cards[h[1]]] == wanted[0])

    for wanted in ((1, 0, 0), (0, 1, 0), (0, 2, 0), (1, 1, 0), (1, 2, 0), (2, 0, 0), (0, 3, 0), (1, 1, 1), (0, 1, 1)):
        counted = small_sets(kind, copies, 3, sum(wanted))[wanted]
        assert counted == deals([k for k, n in enumerate(wanted) for _ in range(n)])
