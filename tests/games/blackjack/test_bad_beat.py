"""The best play for both wagers, checked against a recursion over a small shoe and against the game alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from combin.base.errors import InputError
from combin.deals.player_chart import default_chart
from combin.games.blackjack import bad_beat
from combin.games.blackjack.results import solved
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import Solver, deck_counts
from combin.games.blackjack.strategies import UPCARDS, best_chart

Cards = tuple[int, ...]
PAYS = {
    bad_beat.line(7): Fraction(99), bad_beat.line(6): Fraction(49), bad_beat.line(5): Fraction(30),
    bad_beat.line(4): Fraction(20), bad_beat.line(3): Fraction(19, 2), bad_beat.line(2): Fraction(9),
    bad_beat.line(None): Fraction(1),
}  # fmt: skip
ANTE, STAKE = Fraction(3), Fraction(2)


def less(cards: Cards, card: int) -> Cards:
    return (*cards[:card], cards[card] - 1, *cards[card + 1 :])


def more(cards: Cards, card: int) -> Cards:
    return (*cards[:card], cards[card] + 1, *cards[card + 1 :])


def total(cards: Cards) -> int:
    hard = sum((i + 1) * n for i, n in enumerate(cards))
    return hard + 10 if cards[0] and hard <= 11 else hard


def side(player: int, dealer: int, cards: int) -> Fraction:
    if player != 20:
        return Fraction(-1)
    return PAYS[bad_beat.line(min(cards, 7) if dealer == 21 else None)]


def plain(counts: Cards) -> Fraction:
    """The expected result of a round of both wagers at best play. No splits; the dealer stands on every 17."""

    @cache
    def dealer(left: Cards, cards: Cards) -> tuple[tuple[int, int, Fraction], ...]:
        if total(cards) >= 17:
            return ((total(cards), sum(cards), Fraction(1)),)
        found: dict[tuple[int, int], Fraction] = {}
        for c, n in enumerate(left):
            if n:
                for t, size, p in dealer(less(left, c), more(cards, c)):
                    found[t, size] = found.get((t, size), Fraction(0)) + Fraction(n, sum(left)) * p
        return tuple((t, size, p) for (t, size), p in found.items())

    def stand(cards: Cards, left: Cards, up: int, doubled: int) -> Fraction:
        mine, worth = total(cards), Fraction(0)
        for c, n in enumerate(left):
            if n and {up, c} != {0, 9}:
                for theirs, size, p in dealer(less(left, c), more(more((0,) * 10, up), c)):
                    net = -1 if mine > 21 else 1 if theirs > 21 else (mine > theirs) - (mine < theirs)
                    worth += Fraction(n, sum(left)) * p * (ANTE * doubled * net + STAKE * side(mine, theirs, size))
        return worth

    @cache
    def best(cards: Cards, left: Cards, up: int) -> Fraction:
        value = stand(cards, left, up, 1)
        if total(cards) > 21:
            return value
        value = max(value, after(left, lambda c: best(more(cards, c), less(left, c), up)))
        if sum(cards) == 2:
            value = max(value, after(left, lambda c: stand(more(cards, c), less(left, c), up, 2)))
        return value

    def after(left: Cards, then) -> Fraction:  # type: ignore[no-untyped-def]
        return sum((Fraction(n, sum(left)) * then(c) for c, n in enumerate(left) if n), Fraction(0))

    def round_of(up: int, first: int, second: int, left: Cards) -> Fraction:
        hand = more(more((0,) * 10, first), second)
        blackjack = Fraction(left[{0: 9, 9: 0}[up]], sum(left)) if up in (0, 9) else Fraction(0)
        if {first, second} == {0, 9}:
            return (1 - blackjack) * Fraction(3, 2) * ANTE - STAKE
        lost = -ANTE + STAKE * side(total(hand), 21, 2)
        return best(hand, left, up) + blackjack * lost

    def dealt(left: Cards, drawn: Cards) -> Fraction:
        if len(drawn) == 3:
            return round_of(*drawn, left)
        return after(left, lambda c: dealt(less(left, c), (*drawn, c)))

    return dealt(counts, ())


def test_every_card_of_a_small_shoe() -> None:
    counts = (4, 0, 0, 0, 5, 0, 0, 0, 4, 8)  # aces, fives, nines, tens
    found = bad_beat.play(Solver(HouseRules(max_hands=1), counts), PAYS, ANTE, STAKE)
    assert ANTE * found.base + STAKE * found.side == plain(counts)


#: Aces, fives, nines and tens, enough for any round.
SMALL = (8, 0, 0, 0, 8, 0, 0, 0, 8, 16)
several_shoes = pytest.mark.parametrize(
    "counts", [SMALL, pytest.param(deck_counts(2), marks=pytest.mark.slow)], ids=["small shoe", "two decks"]
)


@several_shoes
def test_without_a_stake_it_is_the_game_alone(counts: tuple[int, ...]) -> None:
    solver = Solver(HouseRules(surrender="late"), counts)
    alone = bad_beat.play(solver, PAYS, Fraction(1), Fraction(0))
    assert alone.base == solver.solve().expected_value
    together = bad_beat.play(solver, PAYS, Fraction(1), Fraction(1))
    assert together.base < alone.base
    assert together.base + together.side > alone.base + alone.side


@pytest.mark.slow
def test_a_great_wager_is_played_as_the_game_alone_or_refused() -> None:
    """Eight decks and a dealer who hits soft 17 have the most orders of draws, some 2^104."""
    solver = Solver(HouseRules(hits_soft_17=True), deck_counts(8))
    alone = solver.solve().expected_value
    great = bad_beat.play(solver, PAYS, Fraction(10**5), Fraction(1))
    assert 0 <= alone - great.base < Fraction(1, 10**5)
    for ante in (10**8, 10**30):
        with pytest.raises(InputError, match="differ too much to be added"):
            bad_beat.play(solver, PAYS, Fraction(ante), Fraction(1))


@several_shoes
def test_a_great_wager_without_doubles_after_a_split_is_played_as_the_game_alone(counts: tuple[int, ...]) -> None:
    """Hands of a split that would double are decided anew by exact values, of any size."""
    solver = Solver(HouseRules(double_after_split=False), counts)
    great = bad_beat.play(solver, PAYS, Fraction(10**5), Fraction(1))
    assert 0 <= solver.solve().expected_value - great.base < Fraction(1, 10**5)


def test_the_charts_that_come_with_combin_are_the_best_by_total_without_splits() -> None:
    """Where the dealer hits soft 17, printed basic strategy changes three plays, surrenders aside.

    A soft 12 is a pair of aces. Printed charts split it; the charts here hit it.
    """
    stands, hits = default_chart(), default_chart(hits_soft_17=True)
    changed = {
        (kind, total, upcard): (before[column], after[column])
        for kind, least, rows, others in (("hard", 4, stands.hard, hits.hard), ("soft", 12, stands.soft, hits.soft))
        for total, (before, after) in enumerate(zip(rows, others, strict=True), least)
        for column, upcard in enumerate("23456789TA")
        if before[column] != after[column]
    }
    assert changed == {("hard", 11, "A"): ("H", "D"), ("soft", 18, "2"): ("S", "Ds"), ("soft", 19, "6"): ("S", "Ds")}
    rules, counts = HouseRules(hits_soft_17=True, max_hands=1), deck_counts(6)
    best = best_chart(Solver(rules, counts), solved(rules, counts))
    assert [tuple(row[u] for u in UPCARDS) for row in best.hard] == list(hits.hard)
    assert [tuple(row[u] for u in UPCARDS) for row in best.soft[1:]] == list(hits.soft[1:])
