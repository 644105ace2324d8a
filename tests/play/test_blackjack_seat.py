"""A whole seat of blackjack: literal deals of a small shoe, each wager by itself, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import pytest

import combin
from combin.base.errors import InputError
from combin.base.exact import Truncated
from combin.deals.cards import CARD_TYPES
from combin.games.blackjack.hands import player_hands
from combin.games.blackjack.round_values import by_hole, by_upcard
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import CHOICES, solve
from combin.play.together import together
from combin.views import strategy as view

GAME = "maryland/blackjack/blackjack/3-to-2"
#: Suits c, d, h, s in the order of card types; ranks two to ace.
KEPT = ("Tc", "Ts", "Qh", "Kh", "9h", "9c", "5s", "5h", "Ac", "As", "6d")
PIPS = {**dict(zip("23456789T", range(2, 11), strict=True)), "J": 10, "Q": 10, "K": 10, "A": 1}
Cards = tuple[int, ...]


def named(card_type: int) -> str:
    return "23456789TJQKA"[card_type % 13] + "cdhs"[card_type // 13]


def total(pips: Cards) -> tuple[int, bool]:
    soft = 1 in pips and sum(pips) <= 11
    return sum(pips) + 10 * soft, soft


@pytest.fixture(scope="module")
def game() -> Any:
    gone = [c for c in range(CARD_TYPES) if named(c) not in KEPT]
    return combin.analyze(GAME, decks=1, set={"max_hands": "1"}, without=" ".join(map(named, gone)))


def literal(game: Any) -> Iterator[tuple[tuple[str, str, str, str], Fraction]]:
    """Every order of the first four cards, with the value of the round. A recursion draws the later cards."""
    hands, solution = player_hands(), game.game.solution

    @cache
    def dealer(own: Cards, left: Cards) -> dict[int, Fraction]:
        if total(own)[0] >= 17:
            return {total(own)[0]: Fraction(1)}
        found: dict[int, Fraction] = {}
        for i, card in enumerate(left):
            for t, p in dealer((*own, card), (*left[:i], *left[i + 1 :])).items():
                found[t] = found.get(t, Fraction(0)) + p / len(left)
        return found

    def settled(own: Cards, theirs: Cards, left: Cards) -> Fraction:
        mine = total(own)[0]
        if mine > 21:
            return Fraction(-1)
        return sum((p * (1 if t > 21 else (mine > t) - (mine < t)) for t, p in dealer(theirs, left).items()),
                   Fraction(0))

    def drawn(own: Cards, theirs: Cards, left: Cards, then: Any) -> Fraction:
        return sum((then((*own, card), theirs, (*left[:i], *left[i + 1 :])) for i, card in enumerate(left)),
                   Fraction(0)) / len(left)

    @cache
    def played(own: Cards, theirs: Cards, left: Cards) -> Fraction:
        if total(own)[0] > 21:
            return Fraction(-1)
        counts = tuple(sum(p == c + 1 for p in own) for c in range(10))
        choice = CHOICES[int(solution.choice[theirs[0] - 1, hands.place[counts]])]
        if choice == "stand":
            return settled(own, theirs, left)
        assert choice == "hit" or len(own) == 2
        return drawn(own, theirs, left, played) if choice == "hit" else 2 * drawn(own, theirs, left, settled)

    @cache
    def round_of(first: int, second: int, upcard: int, hole: int) -> Fraction:
        pips = sorted(PIPS[card[0]] for card in KEPT)
        for card in (first, second, upcard, hole):
            pips.remove(card)
        own, theirs = (first, second), (upcard, hole)
        natural, blackjack = sorted(own) == [1, 10], sorted(theirs) == [1, 10]
        if natural:
            return Fraction(0) if blackjack else Fraction(3, 2)
        if blackjack:
            return Fraction(-1)
        cell = solution.cells[upcard - 1, hands.two(first - 1, second - 1)]
        if CHOICES[cell.best] == "surrender":
            return Fraction(-1, 2)
        return played(tuple(sorted(own)), theirs, tuple(pips))

    for first, second, upcard, hole in permutations(KEPT, 4):
        yield (first, second, upcard, hole), round_of(*(PIPS[card[0]] for card in (first, second, upcard, hole)))


def lucky_ladies(first: str, second: str, upcard: str, hole: str) -> Fraction:
    """Paytable A on a shoe where no card type occurs twice."""
    points = total((PIPS[first[0]], PIPS[second[0]]))[0]
    return Fraction(-1 if points != 20 else 10 if first[1] == second[1] else 4)


def in_between(first: str, second: str, upcard: str, hole: str) -> Fraction:
    low, high = sorted("23456789TJQKA".index(c[0]) for c in (first, second))
    third = "23456789TJQKA".index(upcard[0])
    if not low < third < high:
        return Fraction(30 if low == third == high else -1)
    return Fraction({1: 10, 2: 6, 3: 4}.get(high - low - 1, 1))


def test_a_seat_is_what_literal_deals_of_a_small_shoe_come_to(game: Any) -> None:
    bets = ("maryland/blackjack/lucky-ladies/A", "maryland/blackjack/in-between/A")
    found = together(game, bets, {"ante": "5", "stake": "2", "stake.in-between": "3"})
    x, y, z, n = [], [], [], 0
    for cards, worth in literal(game):
        x.append(worth)
        y.append(lucky_ladies(*cards))
        z.append(in_between(*cards))
        n += 1
    assert n == 11 * 10 * 9 * 8

    def mean(*series: list[Fraction]) -> Fraction:
        return sum((a * b for a, b in zip(series[0], series[-1], strict=True)), Fraction(0)) / n

    means = [sum(s, Fraction(0)) / n for s in (x, y, z)]
    assert [w.net for w in found.wagers] == means
    assert found.covariance[0][1] == found.covariance[1][0] == mean(x, y) - means[0] * means[1]
    assert found.covariance[0][2] == mean(x, z) - means[0] * means[2]
    assert found.covariance[1][2] == mean(y, z) - means[1] * means[2]
    assert found.covariance[1][1] == mean(y, y) - means[1] ** 2
    assert found.covariance[0][0] == game.variance
    stakes = (5, 2, 3)
    assert found.expected == sum(s * m for s, m in zip(stakes, means, strict=True))
    assert found.variance == sum(
        stakes[i] * stakes[j] * found.covariance[i][j] for i in range(3) for j in range(3)
    )
    assert isinstance(found.correlation(0, 1), Truncated)
    assert found.deviation**2 <= found.variance < (found.deviation + Fraction(1, 10**11)) ** 2


def test_a_side_bet_that_sees_no_hole_card_has_one_covariance_by_either_way(game: Any) -> None:
    """A bet on the dealer's cards needs the game's value by hole card; other bets need it by upcard alone."""
    alone = together(game, ["maryland/blackjack/in-between/A"])
    beside = together(game, ["maryland/blackjack/in-between/A", "maryland/blackjack/lucky-ladies/A"])
    assert alone.covariance[0][1] == beside.covariance[0][1]
    assert alone.wagers[1] == beside.wagers[1]


@pytest.mark.parametrize(
    "rules",
    [
        HouseRules(surrender="early", hole_card="all-lost", hits_soft_17=True),
        HouseRules(surrender="early-10", even_money=True, blackjack_pays=Fraction(6, 5), resplit_aces=True),
        HouseRules(hole_card="all-lost", charlie=5, charlie_splits=False, charlie_blackjack=False, ties_lost=18),
    ],
)
@pytest.mark.parametrize("counts", [
    (8, 0, 0, 9, 0, 10, 0, 0, 0, 14), pytest.param((4, 4, 4, 4, 4, 4, 4, 4, 4, 16), marks=pytest.mark.slow),
], ids=["small shoe", "one deck"])  # fmt: skip
def test_results_average_over_the_hole_card(rules: HouseRules, counts: tuple[int, ...]) -> None:
    """The mean of the values by hole card is the value by upcard, with splits, doubles and a dealer's blackjack."""
    solution = solve(rules, counts)
    behind = by_hole(solution)
    for (a, b, u), worth in by_upcard(solution).items():
        left = [n - (c == a) - (c == b) - (c == u) for c, n in enumerate(counts)]
        assert worth == sum((Fraction(n, sum(left)) * behind[a, b, u, h] for h, n in enumerate(left) if n), Fraction(0))


def test_insurance_is_staked_against_an_ace_alone() -> None:
    """Insurance pays 2 to 1. Its figures follow from the probability of an ace and of a ten-valued hole card."""
    game = combin.analyze(GAME, decks=1, set={"max_hands": "1"})
    found = together(game, ["maryland/blackjack/insurance/A"])
    ace, ten = Fraction(4, 52), Fraction(16, 51)
    assert found.wagers[1].net == ace * (3 * ten - 1)
    assert found.wagers[1].variance == ace * (4 * ten + (1 - ten)) - found.wagers[1].net ** 2
    assert found.covariance[0][1] < 0
    assert found.remarks
    record = json.loads(json.dumps(view.record(found)))
    assert record["wagers"][1]["expected_value"]["exact"] == str(ace * (3 * ten - 1))


def test_a_meter_is_to_be_set() -> None:
    with pytest.raises(InputError, match="depends on meter"):
        together(combin.analyze(GAME, decks=1, set={"max_hands": "1"}), ["maryland/blackjack/super-4-progressive/A"])


@pytest.mark.parametrize(
    ("bonus", "chosen", "said"),
    [
        (["buster-blackjack/A"], {}, "not settled only on first cards"),
        (["lucky-ladies/A", "bad-beat-progressive/A"], {}, "not settled only on first cards"),
        (["lucky-ladies/A", "lucky-ladies/A"], {}, "named twice"),
        (["lucky-ladies/A"], {"stake.in-between": "2"}, "no value"),
        (["lucky-ladies/A"], {"stake": "0"}, "cannot be 0"),
    ],
)
def test_what_cannot_be_joined_is_refused(game: Any, bonus: list[str], chosen: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        together(game, [f"maryland/blackjack/{b}" for b in bonus], chosen)
