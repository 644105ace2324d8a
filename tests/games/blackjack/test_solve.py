"""The solver, checked against two ways: a plain recursion, and splits dealt card by card in every order."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from combin.games.blackjack.hands import player_hands
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import SPLIT, BlackjackSolution, Solver, deck_counts, solve
from combin.games.blackjack.split_counts import ends_of_pairs, terms
from combin.games.blackjack.values import PRIMES
from combin.games.blackjack.variance import squares

Cards = tuple[int, ...]
HOLE = {0: 9, 9: 0}


def shoe(**counts: int) -> Cards:
    """Cards by class: shoe(A=8, six=10, T=12)."""
    names = ("A", "two", "three", "four", "five", "six", "seven", "eight", "nine", "T")
    return tuple(counts.get(name, 0) for name in names)


def less(cards: Cards, card: int) -> Cards:
    return (*cards[:card], cards[card] - 1, *cards[card + 1 :])


def more(cards: Cards, card: int) -> Cards:
    return (*cards[:card], cards[card] + 1, *cards[card + 1 :])


def total(cards: Cards) -> tuple[int, bool]:
    hard = sum((i + 1) * n for i, n in enumerate(cards))
    soft = cards[0] > 0 and hard <= 11
    return hard + 10 * soft, soft


def hand(*cards: int) -> Cards:
    return tuple(cards.count(c) for c in range(10))


def dealer_of(hits_soft_17: bool) -> Callable[[Cards, Cards], dict[int, Fraction]]:
    @cache
    def dealer(left: Cards, cards: Cards) -> dict[int, Fraction]:
        points, soft = total(cards)
        if sum(cards) > 1 and (points > 17 or (points == 17 and not (soft and hits_soft_17))):
            return {points: Fraction(1)}
        found: dict[int, Fraction] = {}
        for c, n in enumerate(left):
            if n:
                for end, p in dealer(less(left, c), more(cards, c)).items():
                    found[end] = found.get(end, Fraction(0)) + Fraction(n, sum(left)) * p
        return found

    return dealer


def settle(player: int, dealer: int, rules: HouseRules) -> int:
    if player > 21:
        return -1
    if dealer > 21:
        return 0 if rules.push_22 and dealer == 22 else 1
    if player == dealer and player <= rules.ties_lost:
        return -1
    return (player > dealer) - (player < dealer)


def plain_values(left: Cards, upcard: int, start: Cards, rules: HouseRules) -> dict[str, Fraction]:
    """The values of stand, hit and double after a peek: a recursion over every next card, in fractions."""
    dealer = dealer_of(rules.hits_soft_17)

    @cache
    def stand(cards: Cards, left: Cards) -> Fraction:
        """Summed over the hole cards that make no blackjack."""
        worth = Fraction(0)
        for c, n in enumerate(left):
            if n and c != HOLE.get(upcard):
                for end, p in dealer(less(left, c), more(hand(upcard), c)).items():
                    worth += Fraction(n, sum(left)) * p * settle(total(cards)[0], end, rules)
        return worth

    @cache
    def best(cards: Cards, left: Cards) -> Fraction:
        found = stand(cards, left)
        if total(cards)[0] <= 21:
            found = max(found, hit(cards, left))
            if rules.double_cards == "any" and (rules.soft_doubles or not total(cards)[1]):
                found = max(found, double(cards, left))
        return found

    def hit(cards: Cards, left: Cards) -> Fraction:
        return sum(
            (Fraction(n, sum(left)) * best(more(cards, c), less(left, c)) for c, n in enumerate(left) if n),
            Fraction(0),
        )

    def double(cards: Cards, left: Cards) -> Fraction:
        return sum(
            (Fraction(n, sum(left)) * 2 * stand(more(cards, c), less(left, c)) for c, n in enumerate(left) if n),
            Fraction(0),
        )

    return {"stand": stand(start, left), "hit": hit(start, left), "double": double(start, left)}


@pytest.mark.parametrize("rules", [
    HouseRules(hits_soft_17=True, push_22=True), HouseRules(ties_lost=18, double_cards="any"),
    pytest.param(HouseRules(), marks=pytest.mark.slow),
    pytest.param(HouseRules(ties_lost=21, double_cards="any", soft_doubles=False), marks=pytest.mark.slow),
])
@pytest.mark.parametrize("counts", [
    shoe(A=4, three=4, seven=6, T=10), pytest.param(shoe(A=8, four=9, six=10, T=14), marks=pytest.mark.slow),
], ids=["24 cards", "41 cards"])  # fmt: skip
def test_plain_recursion_gives_the_same_fractions(rules: HouseRules, counts: Cards) -> None:
    solution = solve(rules, counts)
    checked = 0
    for (upcard, h), cell in solution.cells.items():
        cards = tuple(int(n) for n in player_hands().cards[h])
        left = tuple(n - m - (c == upcard) for c, (n, m) in enumerate(zip(counts, cards, strict=True)))
        plain = plain_values(left, upcard, cards, rules)
        for s, name in enumerate(("stand", "hit", "double")):
            if s in cell.values:
                assert Fraction(cell.values[s], cell.scale) == plain[name], (upcard, cards, name)
                checked += 1
    assert checked > 90


def play_after_split(solution: BlackjackSolution, upcard: int, pair: int, cards: Cards) -> int:
    """Zero memory: the hand is played as the same cards unsplit, as far as the rules allow it after a split."""
    rules = solution.rules
    two = sum(cards) == 2
    h = player_hands().place[cards]
    if pair == 0 and two and rules.split_aces == "one-card":
        if not rules.double_split_aces:
            return 0
        left = tuple(n - m - (c == upcard) for c, (n, m) in enumerate(zip(solution.counts, cards, strict=True)))
        values = plain_values(left, upcard, cards, rules)
        return 2 if values["double"] > values["stand"] else 0
    chosen = int(solution.choice[upcard, h])
    if chosen == 2 and not (rules.double_split_aces if pair == 0 and rules.double_split_aces is not None
                            else rules.double_after_split):
        cell = solution.cells.get((upcard, h))
        return 0 if cell is None else max((0, 1), key=lambda s: cell.values[s])
    return chosen


Results = tuple[tuple[int, int], ...]


def dealt_split(
    solution: BlackjackSolution, upcard: int, pair: int, worth_of: Callable[[Results], int] = lambda results: sum(
        stake * sign for sign, stake in results), in_order: bool = False,
) -> Fraction:
    """The mean of a split without a dealer's blackjack: hole card, hands and cards are dealt literally.

    ``worth_of`` the hands' results (1, 0 or -1, stake) is averaged, the net result if nothing else is said. The
    results are in the order of play if ``in_order``.
    """
    rules, counts = solution.rules, solution.counts
    most = 2 if pair == 0 and not rules.resplit_aces else rules.max_hands
    dealer = dealer_of(rules.hits_soft_17)

    @cache
    def go(left: Cards, hole: int, now: Cards, waiting: int, hands: int, done: tuple[tuple[int, int], ...]) -> Fraction:
        """``now``: the hand in play, () before the next one begins. ``waiting``: the number of hands of one card."""
        if not now:
            if not waiting:
                ends = dealer(left, hand(upcard, hole))
                return sum(
                    (p * worth_of(tuple((settle(t, end, rules), s) for t, s in done))
                     for end, p in ends.items()), Fraction(0),
                )
            return go(left, hole, hand(pair), waiting - 1, hands, done)
        size = sum(left)

        def finished(cards: Cards, left: Cards, stake: int) -> Fraction:
            more = (*done, (total(cards)[0], stake))
            return go(left, hole, (), waiting, hands, more if in_order else tuple(sorted(more)))

        if sum(now) > 1:
            if total(now)[0] > 21:
                return finished(now, left, 1)
            chosen = play_after_split(solution, upcard, pair, now)
            if chosen == 0:
                return finished(now, left, 1)
            if chosen == 2:
                return sum(
                    (Fraction(n, size) * finished(more(now, c), less(left, c), 2) for c, n in enumerate(left) if n),
                    Fraction(0),
                )
        worth = Fraction(0)
        for c, n in enumerate(left):
            if n:
                if sum(now) == 1 and c == pair and hands < most:
                    # The split makes two hands of one card: one is played on, one waits.
                    worth += Fraction(n, size) * go(less(left, c), hole, hand(pair), waiting + 1, hands + 1, done)
                else:
                    worth += Fraction(n, size) * go(less(left, c), hole, more(now, c), waiting, hands, done)
        return worth

    left = less(less(less(counts, upcard), pair), pair)
    return sum(
        (
            Fraction(n, sum(left)) * go(less(left, c), c, (), 2, 2, ())
            for c, n in enumerate(left)
            if n and c != HOLE.get(upcard)
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(
    ("counts", "rules"),
    [
        (shoe(three=7, eight=9, T=10), HouseRules()),
        (shoe(three=7, eight=9, T=10), HouseRules(max_hands=3, double_after_split=False)),
        (shoe(A=7, six=8, T=12), HouseRules(hits_soft_17=True, resplit_aces=True)),
        (shoe(A=7, six=8, T=12), HouseRules(split_aces="may-draw", max_hands=2)),
        (shoe(eight=9, T=14), HouseRules(push_22=True)),
        (shoe(eight=8, T=16), HouseRules(max_hands=5)),
        pytest.param(shoe(A=7, six=8, T=12), HouseRules(double_split_aces=True, ties_lost=18), marks=pytest.mark.slow),
        (shoe(A=7, six=8, T=12), HouseRules(split_aces="may-draw", double_split_aces=False, max_hands=2)),
    ],
)
def test_splits_dealt_card_by_card(counts: Cards, rules: HouseRules) -> None:
    solution = solve(rules, counts)
    pairs = [(u, c) for u in range(10) for c in range(10) if (u, player_hands().two(c, c)) in solution.cells]
    checked = 0
    for upcard, pair in pairs:
        cell = solution.cells[upcard, player_hands().two(pair, pair)]
        assert Fraction(cell.values[SPLIT], cell.scale) == dealt_split(solution, upcard, pair), (upcard, pair)
        checked += 1
    assert checked >= 4
    taken = squares(solution)
    assert taken
    for (upcard, h), square in taken.items():
        pair = int(player_hands().cards[h].argmax())
        again = dealt_split(solution, upcard, pair, lambda results: sum(s * sign for sign, s in results) ** 2)
        assert square == again, (upcard, pair)


@pytest.mark.parametrize(
    ("counts", "rules", "upcard", "pair"),
    [
        (shoe(three=6, eight=7, T=9), HouseRules(), 7, 2),
        (shoe(three=6, eight=7, T=9), HouseRules(), 2, 7),
        (shoe(A=7, six=8, T=12), HouseRules(hits_soft_17=True, resplit_aces=True), 5, 0),
        (shoe(A=7, six=8, T=12), HouseRules(split_aces="may-draw", max_hands=3, resplit_aces=True), 9, 0),
        (shoe(eight=9, T=14), HouseRules(push_22=True, max_hands=3), 9, 7),
    ],
)
def test_each_hand_of_a_split_dealt_card_by_card(counts: Cards, rules: HouseRules, upcard: int, pair: int) -> None:
    """Each hand's law by its place in the order of play: every event has a weight of its own."""
    solution = solve(rules, counts)
    cell = solution.cells[upcard, player_hands().two(pair, pair)]
    split = Solver(rules, counts).split(upcard, pair, solution.post_split[upcard, pair])
    assert split is not None
    # Weights that no sum of others replaces: powers of a number, by hand, stake and result.
    weight = {(i, s, r): 10 ** (6 * i + 3 * (s - 1) + r + 1) for i in range(4) for s in (1, 2) for r in (-1, 0, 1)}
    found = 0
    for i, hand in enumerate(split.each):
        singles = hand.one - hand.doubled
        for s, part, win, loss in ((1, singles, hand.win, hand.loss),
                                   (2, hand.doubled, hand.double_win, hand.double_loss)):
            for r, count in ((1, win), (0, part - win - loss), (-1, loss)):
                found += weight[i, s, r] * count
    literal = dealt_split(
        solution, upcard, pair, lambda results: sum(weight[i, s, r] for i, (r, s) in enumerate(results)), True)
    assert Fraction(found, cell.scale) == literal
    assert [hand.one > 0 for hand in split.each] == [True] * len(split.each)


def test_pairs_come_apart_into_the_known_numbers_of_hands() -> None:
    # Second cards of the pair's rank (+) or not (-): --; +---, -+--; ++, +-+, -++, +--+, -+-+.
    assert ends_of_pairs(4) == ((2, 2, 1), (3, 3, 2), (4, 0, 1), (4, 1, 2), (4, 2, 2))
    assert ends_of_pairs(2) == ((2, 0, 1),)
    assert terms(1) == ()


def test_number_of_hands_agrees_with_its_distribution() -> None:
    solution = solve(HouseRules(), deck_counts(1))
    for cell in solution.cells.values():
        if cell.split is not None:
            assert sum(cell.split.by_hands.values()) == 1
            mean = sum(hands * p for hands, p in cell.split.by_hands.items())
            assert Fraction(cell.split.all.one, cell.alive) == mean


def test_values_average_over_the_next_card() -> None:
    """A dealer's law is a martingale: the value of standing is its mean over one unseen card."""
    counts = shoe(A=8, four=9, six=10, T=14)
    solution = solve(HouseRules(), counts)
    size = sum(counts)
    h = player_hands().two(3, 9)
    for upcard in (0, 3, 5, 9):
        whole = solution.cells[upcard, h]
        mean = Fraction(0)
        left = tuple(n - (c == upcard) - (c in (3, 9)) for c, n in enumerate(counts))
        for c, n in enumerate(left):
            if n:
                cell = solve(HouseRules(), less(counts, c)).cells[upcard, h]
                mean += Fraction(n, size - 3) * Fraction(cell.values[0], cell.scale)
        assert mean == Fraction(whole.values[0], whole.scale)


def test_the_moduli_are_the_greatest_primes() -> None:
    sympy = pytest.importorskip("sympy")
    found, p = [], 1 << 62
    while len(found) < len(PRIMES):
        p = sympy.prevprime(p)
        found.append(p)
    assert tuple(found) == PRIMES


def test_every_hand_is_there_once() -> None:
    hands = player_hands()
    # Partitions of 2 to 21 into two or more parts of 1 to 10: the coefficients of 1 / Π (1 - x^k).
    ways: Any = np.zeros(22, dtype=object)
    ways[0] = 1
    for part in range(1, 11):
        for n in range(part, 22):
            ways[n] += ways[n - part]
    assert len(hands) == sum(ways) - 1 - 10


def test_a_charlie_is_drawn_to_from_a_soft_21() -> None:
    """A-2-3-5 against a ten: the fifth card cannot bust a hard 11, so the hand is worth the whole wager."""
    solution = solve(HouseRules(charlie=5), deck_counts(1))
    hands = player_hands()
    assert solution.choice[9, hands.place[shoe(A=1, two=1, three=1, five=1)]] == 1
    assert not solution.choice[:, hands.size >= 5].any()  # it wins at once; rounds are dealt without another check


def test_an_ace_and_a_ten_after_a_split_are_doubled_where_that_is_best() -> None:
    """Two aces among tens: the dealer has 20, each split ace a ten, and a double a further ten: 21 for two wagers."""
    rules = HouseRules(max_hands=2, split_aces="may-draw")
    solution = solve(rules, shoe(A=2, T=20))
    cell = solution.cells[9, player_hands().two(0, 0)]
    assert cell.worth(SPLIT) == 4
    restricted = solve(HouseRules(max_hands=2, split_aces="may-draw", double="10-11"), shoe(A=2, T=20))
    assert restricted.cells[9, player_hands().two(0, 0)].worth(SPLIT) == 2  # a soft 21 is no hard 10 or 11


@pytest.mark.parametrize(("surrender", "percent"), [("early-10", "0.749238"), ("early-10-late", "0.740834")])
def test_early_surrender_against_a_ten_with_and_without_late_surrender_elsewhere(surrender: str, percent: str) -> None:
    """Published house edges of eight decks, S17, no splits."""
    solution = solve(HouseRules(max_hands=1, surrender=surrender), deck_counts(8))
    assert round(-100 * solution.expected_value, 6) == Fraction(percent)
    sixteen = player_hands().two(5, 9)
    assert (4 in solution.cells[0, sixteen].values) == (surrender == "early-10-late")
