"""Three hands of one deck, checked against every deal of a small deck and the joint law of two."""

from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from combin.deals.hands_by_length import joint
from combin.deals.three_hands import ANY, Hands, Pack, joined, listed


def test_every_deal_of_a_small_deck() -> None:
    """Three of twelve cards each: hands in a list, hands of three suits, hands whose suited cards are low alone."""
    pack, low = Pack(3, 3), (0b011,)
    hands = {sum(1 << card for card in one): tuple(sum(1 << c % 3 for c in one if c // 3 == suit) for suit in range(4))
             for one in combinations(range(12), 3)}
    kinds = sorted({tuple(sorted(held)) for held in hands.values()})[::2]
    sets = {
        "listed": ({one for one, held in hands.items() if tuple(sorted(held)) in kinds}, listed(kinds)),
        "single": ({one for one, held in hands.items() if max(map(int.bit_count, held)) == 1}, pack.by_size(2)),
        "low": ({one for one, held in hands.items() if all(m in low for m in held if m.bit_count() > 1)},
                pack.by_size(2, low, 2)),
        "any": (set(hands), ANY),
    }
    for names in (("listed", "low", "single"), ("low", "single", "low"), ("listed", "listed", "low"),
                  ("listed", "single", "any"), ("low", "any", "any")):
        first, second, third = (sets[name][0] for name in names)
        deals = sum(not (one | two) & three for one in first for two in second if not one & two for three in third)
        assert pack.count(*(sets[name][1] for name in names)) == deals


def test_two_of_three_hands_have_the_joint_law_of_two() -> None:
    law, pack = joint(("flush",)), Pack(13, 7)
    for f, g in ((2, 3), (3, 3), (4, 5), (6, 7)):
        pairs = sum(n for (one, two), n in law.items() if one <= (f,) and two <= (g,))
        assert pack.count(pack.by_size(f + 1), pack.by_size(g + 1), ANY) == pairs * comb(38, 7)


@pytest.mark.parametrize("halves", [(3, 4, 5), (40, 40, 30)])
def test_suits_are_joined_without_rounding(halves: tuple[int, int, int]) -> None:
    """Numbers of up to 45 bits, of which a float would round the products."""
    random = Random(7)
    one, other = (np.array([random.getrandbits(45) for _ in range(np.prod(halves))]).reshape(halves) for _ in range(2))
    none = np.zeros(0, int)
    three = [Hands(0, none, none, none, none, np.eye(n, dtype=np.int64)[::-1]) for n in halves]
    assert joined(one, other, three) == sum(
        int(x) * int(y) for x, y in zip(one.flat, other[::-1, ::-1, ::-1].flat, strict=True))
