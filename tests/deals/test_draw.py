from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import comb, perm, prod
from typing import ClassVar

import pytest

from combin.base.errors import CountError, InputError
from combin.deals.dealer_draws import Dealer
from combin.deals.draw import FinishedHands, draw, finished_hands, joint_by_second, tabulate

from .walk import walk


@dataclass(frozen=True)
class UntilFirst:
    """Deal until a card of class 0 or the last of ``most`` cards comes; the state is (cards, whether one came)."""

    most: int
    start: ClassVar[tuple[int, bool]] = (0, False)
    columns: ClassVar[tuple[str, ...]] = ("cards",)

    def add(self, state: tuple[int, bool], card_class: int) -> tuple[int, bool]:
        return state[0] + 1, card_class == 0

    def done(self, state: tuple[int, bool]) -> bool:
        return state[1] or state[0] == self.most

    def features(self, state: tuple[int, bool]) -> tuple[int, ...]:
        return (state[0],)


@dataclass(frozen=True)
class CardsOfClass0:
    """Deal ``cards`` cards and count those of class 0."""

    cards: int
    start: ClassVar[tuple[int, int]] = (0, 0)
    columns: ClassVar[tuple[str, ...]] = ("seen",)

    def add(self, state: tuple[int, int], card_class: int) -> tuple[int, int]:
        return state[0] + 1, state[1] + (card_class == 0)

    def done(self, state: tuple[int, int]) -> bool:
        return state[0] == self.cards

    def features(self, state: tuple[int, int]) -> tuple[int, ...]:
        return (state[1],)


@dataclass(frozen=True)
class Never:
    start: ClassVar[int] = 0
    columns: ClassVar[tuple[str, ...]] = ()

    def add(self, state: int, card_class: int) -> int:
        return state + card_class

    def done(self, state: int) -> bool:
        return False

    def features(self, state: int) -> tuple[int, ...]:
        return ()


@pytest.mark.parametrize("decks", [1, 8])
def test_deal_until_the_first_ace_is_the_negative_hypergeometric_law(decks: int) -> None:
    aces, size = 4 * decks, 52 * decks
    hands = draw(UntilFirst(size - aces + 1), (aces, size - aces))
    for cards in range(1, size - aces + 2):
        expected = Fraction(comb(size - cards, aces - 1), comb(size, aces))
        assert hands.probability(cards=cards) == expected
    assert hands.probability(cards=range(1, size + 1)) == 1


@pytest.mark.parametrize(("counts", "cards"), [((4, 9, 7), 3), ((2, 5), 6), ((3, 3, 3, 3), 5), ((5, 0, 4), 4)])
def test_a_fixed_number_of_cards_is_the_hypergeometric_law(counts: tuple[int, ...], cards: int) -> None:
    hands = draw(CardsOfClass0(cards), counts)
    others = sum(counts[1:])
    for seen in range(cards + 1):
        ways = comb(counts[0], seen) * comb(others, cards - seen)
        assert hands.probability(seen=seen) == Fraction(ways, comb(counts[0] + others, cards))


def test_cards_that_lie_on_the_table_count_for_the_rule_and_not_for_the_shoe() -> None:
    hands = draw(CardsOfClass0(3), (1, 4), first=(0,))
    assert hands.denominator == perm(5, 2)
    assert hands.weight(seen=2) == 2 * 1 * 4
    assert hands.weight(seen=1) == 4 * 3


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_order_counts_give_one_for_cards_that_are_replaced(hits_soft_17: bool) -> None:
    chances = [Fraction(1, 13)] * 9 + [Fraction(4, 13)]
    hands = finished_hands(Dealer(hits_soft_17), 10)
    assert sum(hand.orders * prod(map(pow, chances, hand.composition)) for hand in hands) == 1


@pytest.mark.parametrize("counts", [(4,) * 9 + (16,), (1, 0, 2, 3, 1, 0, 2, 2, 1, 9), (6, 6, 6, 0, 0, 0, 0, 0, 0, 2)])
def test_compositions_agree_with_the_walk_through_ordered_draws(counts: tuple[int, ...]) -> None:
    for hits_soft_17 in (False, True):
        assert draw(Dealer(hits_soft_17), counts) == walk(Dealer(hits_soft_17), counts)


def test_two_hands_of_one_shoe_agree_with_all_orders_of_its_cards() -> None:
    counts = (2, 1, 3, 1)
    shoe = [k for k, count in enumerate(counts) for _ in range(count)]
    first = {(1, 1, 0, 0): 2, (0, 0, 2, 0): 1, (1, 0, 1, 1): 6, (0, 2, 0, 0): 1}
    second = {(0, 0, 1, 0): 1, (1, 0, 0, 1): 2, (0, 1, 1, 1): 6, (2, 1, 0, 0): 3}
    expected = dict.fromkeys(second, 0)
    for order in permutations(shoe):
        for p, p_orders in first.items():
            for d, d_orders in second.items():
                # 7! times the probability of one order is an integer for all compositions here
                share = perm(7) // (arrangements(p) * arrangements(d))
                dealt, rest = order[: sum(p)], order[sum(p) : sum(p) + sum(d)]
                if tuple(map(dealt.count, range(4))) == p and tuple(map(rest.count, range(4))) == d:
                    expected[d] += p_orders * d_orders * share
    found = dict(joint_by_second(first, second, counts, 7))
    assert {d: found.get(d, 0) * perm(7) for d in second} == expected


def arrangements(composition: tuple[int, ...]) -> int:
    return perm(sum(composition)) // prod(map(perm, composition))


def test_a_shoe_that_can_run_out_is_refused() -> None:
    for counts in [(0, 3), (0, 0)]:
        with pytest.raises(InputError, match="can run out before the hand is complete; leave more cards"):
            draw(UntilFirst(4), counts)
    with pytest.raises(InputError, match="a shoe of 4 card"):
        draw(Dealer(False), (4, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    with pytest.raises(InputError, match="can run out"):
        walk(Dealer(False), (4, 0, 0, 0, 0, 0, 0, 0, 0, 0))


def test_cards_that_end_a_hand_leave_it_as_it_is() -> None:
    """The card of class 0 came with the second of the first cards: nothing is drawn."""
    assert finished_hands(UntilFirst(4), 3, (2, 0)) == (((0, 0, 0), (2, True), 1),)


def test_a_rule_that_never_stops_is_refused() -> None:
    with pytest.raises(InputError, match="does not stop"):
        finished_hands(Never(), 40)
    with pytest.raises(InputError, match="does not stop"):
        finished_hands(Never(), 1)


def test_a_table_that_does_not_close_cannot_be_made() -> None:
    assert tabulate(("x",), {(2,): 1, (1,): 3, (0,): 0}, 4).rows == ((1,), (2,))
    with pytest.raises(CountError, match="final hands: 4 counted, not 5"):
        FinishedHands(("x",), ((1,), (2,)), (3, 1), 5)
    with pytest.raises(CountError, match="negative weight: -1"):
        FinishedHands(("x",), ((1,), (2,)), (3, -1), 2)
