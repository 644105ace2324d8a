"""Every round of a small shoe: hole card, hands and splits are dealt card by card and played by plain recursion."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from combin.base.errors import InputError
from combin.deals.cards import Shoe
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.strategies import PlayChart
from combin.games.blackjack_switch.dealt_rounds import moments, simulate
from combin.games.blackjack_switch.rules import SwitchRules
from combin.games.blackjack_switch.solve import SwitchSolution, solved, valued
from combin.games.blackjack_switch.super_match import both
from combin.games.blackjack_switch.wagers import apart
from combin.play.blackjack_switch import answer, question

Cards = tuple[int, ...]
HOLE = {0: 9, 9: 0}
#: The total of a blackjack in the list of finished hands, which no other hand has.
BLACKJACK = 99
#: The dealer's blackjack where hands are played against it.
DEALERS = 100
HALF = Fraction(1, 2)


def shoe(**counts: int) -> Cards:
    names = ("A", "two", "three", "four", "five", "six", "seven", "eight", "nine", "T")
    return tuple(counts.get(name, 0) for name in names)


def less(left: Cards, *cards: int) -> Cards:
    found = list(left)
    for card in cards:
        found[card] -= 1
    return tuple(found)


def total(cards: Cards) -> tuple[int, bool]:
    hard = sum(c + 1 for c in cards)
    soft = 0 in cards and hard <= 11
    return hard + 10 * soft, soft


class Literal:
    """Rounds of one shoe. A hand is a tuple of classes in the order of the deal."""

    def __init__(self, rules: SwitchRules, counts: Cards) -> None:
        self.rules, self.house, self.counts = rules, rules.hands, counts
        self.dealer = cache(self._dealer)
        self.stand = cache(self._stand)
        self.best = cache(self._best)
        self.choice = cache(self._choice)
        self.go = cache(self._go)

    # the play of one hand: ``left`` are the cards without the upcard, this hand and the other hand's first two

    def _dealer(self, left: Cards, cards: Cards) -> tuple[tuple[int, Fraction], ...]:
        points, soft = total(cards)
        if len(cards) == 2 and points == 21:
            return ((DEALERS, Fraction(1)),)
        if points > 17 or (points == 17 and not (soft and self.house.hits_soft_17)):
            return ((points, Fraction(1)),)
        ends: dict[int, Fraction] = {}
        for c, n in enumerate(left):
            if n:
                for end, p in self.dealer(less(left, c), (*cards, c)):
                    ends[end] = ends.get(end, Fraction(0)) + Fraction(n, sum(left)) * p
        return tuple(ends.items())

    def settle(self, mine: int, dealer: int) -> Fraction | int:
        if dealer == DEALERS:
            return 0 if mine == BLACKJACK else -1
        if mine == BLACKJACK:
            if dealer == 21:
                return 1  # ch. 12 A(5)(a)
            pushes = dealer == 22 and self.rules.blackjack_against_22 == "pushes"
            return 0 if pushes else self.rules.blackjack_pays
        if mine > 21:
            return -1
        if dealer > 21:
            return 0 if dealer == 22 else 1
        return (mine > dealer) - (mine < dealer)

    def worth(self, mine: int, dealer: int) -> Fraction | int:
        """What a finished hand counts with one wager."""
        return self.settle(mine, dealer)

    def looks(self, upcard: int, hole: int) -> bool:
        """Whether the dealer's blackjack ends the round before the play."""
        return hole == HOLE.get(upcard) and self.house.hole_card != "all-lost"

    def surrenders(self, upcard: int, own: Cards, other: Cards) -> bool:
        """Whether half the wager is worth more than the hand."""
        kind = self.house.surrender_against(upcard)
        if not kind:
            return False
        left = less(self.counts, upcard, *own, *other)
        hole = HOLE.get(upcard)
        blackjack = Fraction(0 if hole is None else left[hole], sum(left))
        played = max(self.alone(upcard, own, other, split) for split in {False, self.splits(upcard, own, other)})
        whole = played - (blackjack if self.house.hole_card != "all-lost" else 0)
        return whole < (-HALF if kind == "early" else -HALF * (1 - blackjack) - blackjack)

    def _stand(self, upcard: int, cards: Cards, left: Cards) -> Fraction:
        """Summed over the hole cards against which hands are played."""
        return sum(
            (Fraction(n, sum(left)) * p * self.settle(total(cards)[0], end)
             for c, n in enumerate(left) if n and not self.looks(upcard, c)
             for end, p in self.dealer(less(left, c), (upcard, c))),
            Fraction(0),
        )

    def after(self, upcard: int, cards: Cards, left: Cards, then: str) -> Fraction:
        return sum(
            (Fraction(n, sum(left)) * getattr(self, then)(upcard, tuple(sorted((*cards, c))), less(left, c))
             for c, n in enumerate(left) if n),
            Fraction(0),
        )

    def _best(self, upcard: int, cards: Cards, left: Cards) -> Fraction:
        stand = self.stand(upcard, cards, left)
        return stand if total(cards)[0] > 21 else max(stand, self.after(upcard, cards, left, "best"))

    def _choice(self, upcard: int, cards: Cards, dead: Cards) -> str:
        """Stand, hit or double. The shoe lacks the ``dead`` cards and the hand's own."""
        left = less(self.counts, upcard, *dead, *cards)
        cards = tuple(sorted(cards))
        worth = {"stand": self.stand(upcard, cards, left)}
        if total(cards)[0] <= 21:
            worth["hit"] = self.after(upcard, cards, left, "best")
            if len(cards) == 2:
                worth["double"] = 2 * self.after(upcard, cards, left, "stand")
        return max(worth, key=lambda name: worth[name])

    # the round: the hands are played one after the other, then the dealer's hand

    def _go(
        self, upcard: int, hole: int, left: Cards, now: Cards, pair: bool, waiting: tuple[tuple[int, Cards], ...],
        splits: int, done: tuple[tuple[int, int], ...], dead: tuple[Cards, ...], split: tuple[bool, ...],
    ) -> Fraction:
        """``waiting``: cards of hands to come, each with its place (0, 1) among the dealt hands."""
        if not now:
            if not waiting:
                return sum(
                    (p * sum(stake * self.worth(points, end) for points, stake in done)
                     for end, p in self.dealer(left, (upcard, hole))), Fraction(0),
                )
            (place, cards), rest = waiting[0], waiting[1:]
            if len(cards) == 2 and split[place]:
                first, second = (place, cards[:1]), (place, cards[1:])
                return self.go(upcard, hole, left, (), False, (first, second, *rest), 2, done, dead,
                               (*split[:place], False, *split[place + 1 :]))
            if len(cards) == 2:
                return self.play(upcard, hole, left, cards, False, place, rest, splits, done, dead, split)
            return sum(
                (Fraction(n, sum(left))
                 * self.play(upcard, hole, less(left, c), (cards[0], c), True, place, rest, splits, done, dead, split)
                 for c, n in enumerate(left) if n), Fraction(0),
            )
        raise AssertionError

    def play(
        self, upcard: int, hole: int, left: Cards, cards: Cards, of_pair: bool, place: int,
        rest: tuple[tuple[int, Cards], ...], splits: int, done: tuple[tuple[int, int], ...], dead: tuple[Cards, ...],
        split: tuple[bool, ...],
    ) -> Fraction:
        def end(left: Cards, cards: Cards, stake: int) -> Fraction:
            result = tuple(sorted((*done, (total(cards)[0], stake))))
            return self.go(upcard, hole, left, (), False, rest, splits, result, dead, split)

        one_card = of_pair and cards[0] == 0 and len(cards) == 2 and self.house.split_aces == "one-card"
        how = "stand" if one_card or total(cards)[0] > 21 else self.choice(upcard, tuple(sorted(cards)), dead[place])
        if how == "stand":
            return end(left, cards, 1)
        worth = Fraction(0)
        for c, n in enumerate(left):
            if n:
                p, more, behind = Fraction(n, sum(left)), (*cards, c), less(left, c)
                if how == "double":
                    worth += p * end(behind, more, 2)
                elif total(more)[0] > 21:
                    worth += p * end(behind, more, 1)
                else:
                    worth += p * self.play(upcard, hole, behind, more, of_pair, place, rest, splits, done, dead, split)
        return worth

    def hands(self, upcard: int, first: Cards, second: Cards, switched: bool) -> Fraction:
        """The result of two hands. The dealer's hole card is dealt before the play, face down."""
        return sum(self.parts(upcard, first, second, switched), Fraction(0))

    def parts(self, upcard: int, first: Cards, second: Cards, switched: bool) -> tuple[Fraction, Fraction]:
        """The result by what the dealer's first two cards are: no blackjack, a blackjack."""
        left = less(self.counts, upcard, *first, *second)
        counts_as = not switched or self.rules.switched_blackjack == "blackjack"
        natural = [counts_as and sorted(cards) == [0, 9] for cards in (first, second)]
        split = tuple(not n and self.splits(upcard, own, other)
                      for n, own, other in zip(natural, (first, second), (second, first), strict=True))
        given = [not n and self.surrenders(upcard, own, other)
                 for n, own, other in zip(natural, (first, second), (second, first), strict=True)]
        early = self.house.surrender_against(upcard) == "early"
        waiting = tuple((i, cards) for i, cards in enumerate((first, second)) if not natural[i] and not given[i])
        done = ((BLACKJACK, 1),) * sum(natural)
        played = lost = Fraction(0)
        for hole, n in enumerate(left):
            p = Fraction(n, sum(left))
            whole = 1 if hole == HOLE.get(upcard) and not early else HALF
            if n and self.looks(upcard, hole):
                lost = p * (sum(natural) + sum(given) - 2 - whole * sum(given))
            elif n:
                played += p * (self.go(upcard, hole, less(left, hole), (), False, waiting, 0, done, (second, first),
                                       split) - whole * sum(given))
        return played, lost

    def alone(self, upcard: int, own: Cards, other: Cards, split: bool) -> Fraction:
        """One hand beside two dead cards, split or not, summed over the rounds without a dealer's blackjack."""
        left = less(self.counts, upcard, *own, *other)
        return sum(
            (Fraction(n, sum(left)) * self.go(upcard, hole, less(left, hole), (), False, ((0, own),), 0, (),
                                              (other,), (split,))
             for hole, n in enumerate(left) if n and not self.looks(upcard, hole)), Fraction(0),
        )

    def splits(self, upcard: int, own: Cards, other: Cards) -> bool:
        if own[0] != own[1] or self.house.max_hands < 2:
            return False
        return self.alone(upcard, own, other, True) > self.alone(upcard, own, other, False)


def dealt(
    rules: SwitchRules, counts: Cards, literal: Literal | None = None
) -> tuple[Fraction, Fraction, Fraction]:
    """(expected result, frequency of exchanges, expected result without exchanges), from every deal in turn."""
    literal = literal or Literal(rules, counts)
    expected, often, kept_always = Fraction(0), Fraction(0), Fraction(0)
    classes = [c for c, n in enumerate(counts) if n]
    for upcard, a1, a2, b1, b2 in product(classes, repeat=5):
        chance, left = Fraction(1), counts
        for card in (upcard, a1, a2, b1, b2):
            chance *= Fraction(max(left[card], 0), sum(left))
            left = less(left, card)
        if not chance:
            continue
        kept, lost = literal.parts(upcard, (a1, a2), (b1, b2), False)
        exchanged, lost_exchanged = literal.parts(upcard, (a1, b2), (b1, a2), True)
        kept_always += chance * (kept + lost)
        if rules.exchange == "after-the-look":
            # Behind a dealer's blackjack no cards are exchanged; `share` is the probability that there is none.
            hole = HOLE.get(upcard)
            share = 1 - Fraction(left[hole] if hole is not None else 0, sum(left))
            lost_exchanged = lost
        else:
            share = Fraction(1)
        other = a1 != b1 and a2 != b2  # otherwise an exchange gives the same two hands
        better = other and exchanged + lost_exchanged > kept + lost
        expected += chance * (exchanged + lost_exchanged if better else kept + lost)
        often += chance * share * better
    return expected, often, kept_always


@pytest.mark.parametrize(
    ("counts", "house"),
    [
        (shoe(A=3, six=5, T=6), {"max_hands": 1}),
        (shoe(A=3, five=6, T=6), {"max_hands": 1, "hits_soft_17": True}),
        (shoe(A=4, eight=8, T=9), {"max_hands": 2}),
    ],
)
def test_every_round_dealt_literally(counts: Cards, house: dict[str, object]) -> None:
    rules = SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), **house))  # type: ignore[arg-type]
    solution = solved(rules, counts)
    expected, often, kept = dealt(rules, counts)
    assert solution.expected_value == expected
    assert solution.round.share[1] == often
    assert solution.never.expected_value == kept


@pytest.mark.parametrize(
    "reading",
    [
        {"blackjack_against_22": "pushes"},
        {"blackjack_pays": Fraction(3, 2)},
        {"blackjack_pays": Fraction(6, 5), "blackjack_against_22": "pushes", "switched_blackjack": "blackjack"},
        {"switched_blackjack": "blackjack"},
        {"exchange": "after-the-look"},
        {"exchange": "after-the-look", "switched_blackjack": "blackjack"},
    ],
)
def test_every_round_under_each_reading(reading: dict[str, Any]) -> None:
    """Every reading is dealt literally. In this shoe the dealer draws to 21 and to 22."""
    house = HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1)
    rules, counts = SwitchRules(hands=house, **reading), shoe(A=3, six=5, T=6)
    solution = solved(rules, counts)
    expected, often, kept = dealt(rules, counts)
    assert solution.expected_value == expected
    assert solution.round.share[1] == often
    assert solution.never.expected_value == kept
    assert expected != solved(SwitchRules(hands=house), counts).expected_value


@pytest.mark.parametrize(("house", "reading"), [
    ({"surrender": "early"}, {}),
    ({"surrender": "late"}, {"exchange": "after-the-look", "switched_blackjack": "blackjack"}),
    ({"surrender": "early-10-late"}, {"blackjack_pays": Fraction(3, 2)}),
    ({"hole_card": "all-lost"}, {}),
    ({"hole_card": "all-lost", "surrender": "late"}, {"blackjack_against_22": "pushes"}),
    ({"hole_card": "all-lost", "surrender": "early-ace"}, {"switched_blackjack": "blackjack"}),
], ids=str)
def test_every_round_with_surrenders_and_without_a_hole_card(house: dict[str, Any], reading: dict[str, Any]) -> None:
    rules = SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1, **house), **reading)
    counts = shoe(A=3, six=5, T=6)
    solution = solved(rules, counts)
    expected, often, kept = dealt(rules, counts)
    assert solution.expected_value == expected
    assert solution.round.share[1] == often
    assert solution.never.expected_value == kept
    wagers = apart(solution)
    assert 2 * sum(w.net for w in wagers) == expected
    assert all(sum(row.probability for row in w.rows) == 1 for w in wagers)
    assert (solution.round.surrendered > 0) == (rules.hands.surrender != "none")


def test_splits_without_a_hole_card_are_dealt_literally() -> None:
    house = HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=2, hole_card="all-lost", surrender="early")
    rules, counts = SwitchRules(hands=house), shoe(A=4, eight=8, T=9)
    solution = solved(rules, counts)
    assert solution.expected_value == dealt(rules, counts)[0]
    assert solution.round.split > 0


def test_without_a_hole_card_the_first_wagers_alone_are_lost_as_with_a_look() -> None:
    house, counts = HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1), shoe(A=3, six=5, T=6)
    looks, other = (solved(SwitchRules(hands=replace(house, hole_card=word)), counts)
                    for word in ("peek", "original-lost"))
    assert looks.expected_value == other.expected_value


def test_a_dealer_who_does_not_look_before_the_exchange_is_refused() -> None:
    for change in ({"hole_card": "all-lost"}, {"surrender": "early-ace"}):
        with pytest.raises(InputError, match="cards are exchanged after the dealer has looked, but"):
            SwitchRules(hands=HouseRules(push_22=True, **change), exchange="after-the-look")  # type: ignore[arg-type]


@pytest.mark.parametrize("house", [
    {"surrender": "early-10-late"}, {"hole_card": "all-lost", "surrender": "late"},
], ids=str)
def test_rounds_with_surrenders_are_dealt_card_by_card(house: dict[str, Any]) -> None:
    rules = SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=2, **house))
    solution = solved(rules, shoe(A=4, five=6, eight=8, T=14))
    seen = simulate(solution, 500_000, 3)
    found = moments(seen)
    assert abs(found.mean.value - solution.expected_value / 2) < 4 * found.mean.error


def test_blackjacks_under_each_reading() -> None:
    """A shoe of aces, tens and nines: inequalities derived by hand tell the readings apart."""
    counts = shoe(A=6, nine=8, T=10)
    house = HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1)
    base = solved(SwitchRules(hands=house), counts)
    pushes = solved(SwitchRules(hands=house, blackjack_against_22="pushes"), counts)
    odds = solved(SwitchRules(hands=house, blackjack_pays=Fraction(3, 2)), counts)
    whole = solved(SwitchRules(hands=house, switched_blackjack="blackjack"), counts)
    late = solved(SwitchRules(hands=house, exchange="after-the-look"), counts)
    assert pushes.expected_value < base.expected_value < min(odds.expected_value, whole.expected_value)
    assert late.expected_value >= base.expected_value
    # Without exchanges 3 to 2 adds half a wager for each blackjack, unless the dealer has 21.
    more = odds.never.expected_value - base.never.expected_value
    assert 0 < more < Fraction(1, 2) * 2 * 2 * Fraction(6 * 10, 24 * 23)


def test_best_exchange_is_no_worse_than_any_other() -> None:
    solution: SwitchSolution = solved(
        SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1)), shoe(A=3, six=5, T=6)
    )
    draws = np.random.default_rng(5)
    for _ in range(5):
        other = solution.switch ^ (draws.random(solution.switch.shape) < 0.3)
        assert valued(solution, other).expected_value <= solution.expected_value


def test_four_cards_are_worth_what_the_literal_deal_says() -> None:
    rules = SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1))
    counts = shoe(A=3, six=5, T=6)
    solution, literal = solved(rules, counts), Literal(rules, counts)
    a: Any = SimpleNamespace(game=SimpleNamespace(solution=solution), request=SimpleNamespace(without=()))
    for hand, upcard, cards in (("T 6 / 6 A", "T", (9, 5, 5, 0)), ("A T / T 6", "A", (0, 9, 9, 5))):
        found = answer(a, *question(hand, upcard))
        a1, a2, b1, b2 = cards
        up = {"T": 9, "A": 0}[upcard]
        assert found.values["keep"] == literal.hands(up, (a1, a2), (b1, b2), False)
        assert found.values["switch"] == literal.hands(up, (a1, b2), (b1, a2), True)
        assert found.best == max(found.values, key=lambda way: found.values[way])
    with pytest.raises(InputError, match="two hands of two cards"):
        question("T 6", "9")
    with pytest.raises(InputError, match="the shoe does not have"):
        question("A A / A A", "A", [Shoe(1)])


def test_a_chart_is_dealt_as_it_is_valued() -> None:
    """Every hand stands, and each exchange is the better one for such play. The deals are counted one by one."""
    rules = SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=2))
    counts = shoe(A=4, eight=8, T=9)
    stands = PlayChart("stand", (("S",) * 10,) * 18, (("S",) * 10,) * 10, (("N",) * 10,) * 10)
    solution, literal = solved(rules, counts, stands), Standing(rules, counts)
    expected, often, kept = dealt(rules, counts, literal)
    assert solution.expected_value == expected
    assert solution.round.share[1] == often
    assert solution.never.expected_value == kept
    assert solution.expected_value < solved(rules, counts).expected_value


class Standing(Literal):
    """No hand draws a card or is split."""

    def _choice(self, upcard: int, cards: Cards, dead: Cards) -> str:
        return "stand"

    def splits(self, upcard: int, own: Cards, other: Cards) -> bool:
        return False


#: A number for each result; no sum of others is one of them.
MARKS = {1: 1_000_000, 0: 1_000, -1: 1}


def sign(net: Fraction | int) -> int:
    return (net > 0) - (net < 0)


class Marked(Literal):
    """A wager counts the mark of its result; the play is that for its net result."""

    def __init__(self, rules: SwitchRules, counts: Cards) -> None:
        super().__init__(rules, counts)
        self.splits = Literal(rules, counts).splits  # type: ignore[method-assign]

    def worth(self, mine: int, dealer: int) -> int:
        return MARKS[sign(self.settle(mine, dealer))]


@pytest.mark.parametrize(
    ("counts", "most", "reading"),
    [
        (shoe(A=3, six=5, T=6), 1, {"blackjack_pays": Fraction(3, 2), "blackjack_against_22": "pushes"}),
        (shoe(A=3, six=5, T=6), 1, {"exchange": "after-the-look", "switched_blackjack": "blackjack"}),
        (shoe(A=3, eight=8, T=9), 2, {}),
    ],
)
def test_the_wagers_of_every_round(counts: Cards, most: int, reading: dict[str, Any]) -> None:
    """How often any wager of a round wins, pushes and loses, and is lost to a dealer's blackjack, deal by deal."""
    house = HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=most)
    rules = SwitchRules(hands=house, **reading)
    solution, literal = solved(rules, counts), Marked(rules, counts)
    wagers = apart(solution)
    half = len(wagers) // 2
    assert [w.rows for w in wagers[:half]] == [w.rows for w in wagers[half:]]
    early = solution.rules.exchange == "before-the-look"
    played = lost = Fraction(0)
    for upcard, a1, a2, b1, b2 in product([c for c, n in enumerate(counts) if n], repeat=5):
        chance, left = Fraction(1), counts
        for card in (upcard, a1, a2, b1, b2):
            chance *= Fraction(max(left[card], 0), sum(left))
            left = less(left, card)
        if chance:
            switched = bool(solution.switch[upcard, a1, a2, b1, b2])
            ways = (((a1, a2), (b1, b2)), ((a1, b2), (b1, a2)))
            marks, lost_now = literal.parts(upcard, *ways[switched], switched)
            if not early:
                _, lost_now = literal.parts(upcard, *ways[False], False)
            played, lost = played + chance * marks, lost + chance * lost_now
    with_dealer = ("dealer blackjack", "both blackjacks")
    rows = [row for w in wagers for row in w.rows if row.staked]
    assert played == sum(row.probability * MARKS[sign(row.net)] for row in rows if row.outcome not in with_dealer)
    assert lost == -sum(row.probability for row in rows if row.outcome == "dealer blackjack")
    assert 2 * sum(w.net for w in wagers) == solution.expected_value
    assert all(sum(row.probability for row in w.rows) == 1 for w in wagers)


def test_super_match_beside_a_round() -> None:
    """Expected products and shares: ranks are dealt one by one, and each round is played literally."""
    rules = SwitchRules(hands=HouseRules(push_22=True, blackjack_pays=Fraction(1), max_hands=1))
    ranks = {"A": 3, "6": 4, "T": 3, "K": 4}  # classes: an ace, a six, two ranks of ten
    classes = {"A": 0, "6": 5, "T": 9, "K": 9}
    copies = [0] * 52
    for rank, n in ranks.items():
        copies["23456789TJQKA".index(rank)] = n
    counts = shoe(A=3, six=4, T=7)
    solution, literal = solved(rules, counts), Literal(rules, counts)
    pays = {"four of a kind": 40, "three of a kind": 5, "two pair": 8, "pair": 1, "loss": -1}
    found = both(solution, SimpleNamespace(copies=copies), {k: Fraction(v) for k, v in pays.items()})  # type: ignore
    side = square = product_ = base = Fraction(0)
    for dealt_ranks in product(ranks, repeat=5):
        chance, left = Fraction(1), dict(ranks)
        for rank in dealt_ranks:
            chance *= Fraction(max(left[rank], 0), max(sum(left.values()), 1))
            left[rank] -= 1
        if not chance:
            continue
        a1, a2, b1, b2 = (classes[r] for r in dealt_ranks[1:])
        u = classes[dealt_ranks[0]]
        own = ((a1, b2), (b1, a2)) if solution.switch[u, a1, a2, b1, b2] else ((a1, a2), (b1, b2))
        worth = literal.hands(u, *own, bool(solution.switch[u, a1, a2, b1, b2]))
        groups = sorted((dealt_ranks[1:].count(r) for r in set(dealt_ranks[1:])), reverse=True)
        name = {(4,): "four of a kind", (3, 1): "three of a kind", (2, 2): "two pair", (2, 1, 1): "pair"}.get(
            tuple(groups), "loss")
        base += chance * worth
        side += chance * pays[name]
        square += chance * pays[name] ** 2
        product_ += chance * pays[name] * worth
    assert (found.base, found.side) == (base, side)
    assert found.side_variance == square - side**2
    assert found.covariance == product_ - base * side
    assert found.covariance != 0
