"""Deals sampled in strata: their shares, what is counted whole, and the errors that a check shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from combin.verify import NOT_CHECKED, verify
from combin.verify.strata import DIVISIONS, Stratum, divided, judged, partitions

from ..shared import analysed, wager_file

SEVEN = wager_file("player 7", {
    "one suit": ("suited(player)", "800 to 1"), "four sixes": ('count(player, "6") == 4', "90 to 1"),
    "pair": ("pair(player)", "push"),
})
HANDS = comb(52, 7)


def lines(deals: list[list[int]], weights: Sequence[int]) -> Counter[str]:
    """Deals of one suit, and of four cards of the first rank, from the numbers of card types."""
    found: Counter[str] = Counter()
    suits, ranks = DIVISIONS["suits"], DIVISIONS["ranks"]
    for deal, weight in zip(deals, weights, strict=True):
        one_suit = any(all(card in suit for card in deal) for suit in suits)
        fours = sum(card in ranks[0] for card in deal) == 4
        found["one suit" if one_suit else "fours" if fours else "loss"] += weight
    return found


def of(name: str, cards: int = 7, decks: int = 1) -> list[Stratum]:
    return divided(DIVISIONS[name], [cards], decks, lines, np.random.Generator(np.random.PCG64(1)))


def test_the_shares_of_strata_are_products_of_binomials() -> None:
    assert list(partitions(4, 3, 4)) == [(4, 0, 0), (3, 1, 0), (2, 2, 0), (2, 1, 1)]
    suits = of("suits")
    # By hand: four times the hands of one suit; every suit twice but one, which has one card.
    assert (suits[0].share, suits[0].whole, suits[0].drawn) == (Fraction(4 * comb(13, 7), HANDS), True, 4 * comb(13, 7))
    assert suits[-1].share == Fraction(4 * comb(13, 2) ** 3 * 13, HANDS)
    two = of("suits", 3, decks=2)
    assert (two[0].share, two[0].drawn) == (Fraction(4 * comb(26, 3), comb(104, 3)), 4 * comb(26, 3))


def test_a_count_that_is_five_times_too_high_never_agrees() -> None:
    ways = {name: of(name) for name in DIVISIONS}
    one_suit, fours = Fraction(4 * comb(13, 7), HANDS), Fraction(comb(48, 3), HANDS)
    assert judged("one suit", one_suit, ways, 1).passed is True
    assert judged("fours", fours, ways, 1).passed is True
    for line, p in (("one suit", one_suit), ("fours", fours), ("loss", (1 - one_suit - fours) / 5)):
        assert judged(line, 5 * p if line != "loss" else p, ways, 1).passed is not True
    # What no deal shows is checked neither way: a law that is too rare to be seen.
    assert judged("none", Fraction(1, HANDS), ways, 1).unchecked


def test_a_user_defined_wager_on_seven_cards_is_counted_and_sampled(tmp_path: Path) -> None:
    a = analysed(tmp_path, SEVEN)
    found = verify(a)
    assert found.state != NOT_CHECKED
    words = {c.what.partition(" ")[2]: c for c in found.checks if c.what.startswith(("counted", "sampled"))}
    assert words["one suit"].what.startswith("counted")
    assert words["one suit"].detects is None
    assert all(words[line].passed and 0 < words[line].detects < 1 for line in ("four sixes", "pair", "loss"))
    assert found.detects == max(words[line].detects for line in ("four sixes", "pair", "loss"))


ROYAL = wager_file("player 2, board 3", {
    "royal of hearts": ('count(cards, "Th Jh Qh Kh Ah") == 5', "1,000,000 to 1"),
    "board of a rank": ("same_rank(board)", "50 to 1"),
})
ACE = wager_file("player 5, upcard 1 of A", {
    "suit of the ace": ("suited(player + upcard)", "1000 to 1"),
    "four of a rank": ("four_of_a_kind(player)", "200 to 1"),
})


@pytest.mark.parametrize(
    ("toml", "line", "probability"),
    [
        # Of the ten ways to part five cards between two roles each is a royal flush of hearts.
        (ROYAL, "royal of hearts", Fraction(1, comb(52, 5))),
        # Five of the twelve other cards of the ace's suit.
        pytest.param(ACE, "suit of the ace", Fraction(comb(12, 5), comb(51, 5)), marks=pytest.mark.slow),
    ],
)
def test_rare_lines_of_several_roles_are_counted_whole(
    toml: str, line: str, probability: Fraction, tmp_path: Path
) -> None:
    a = analysed(tmp_path, toml)
    assert {o.outcome: o.probability for o in a.outcomes}[line] == probability
    found = verify(a)
    assert [c.passed for c in found.checks if c.what == f"counted {line}"] == [True]
    assert found.state == "partly checked"  # the other lines are sampled
    assert all(c.passed for c in found.checks)


def test_cards_that_no_condition_names_are_not_dealt(tmp_path: Path) -> None:
    """The board alone has 22,100 hands, so its lines are counted, not sampled."""
    a = analysed(tmp_path, wager_file("player 2, board 3", {"suited": ("suited(board)", "15 to 1")}))
    assert {o.outcome: o.probability for o in a.outcomes}["suited"] == Fraction(4 * comb(13, 3), comb(52, 3))
    found = verify(a)
    assert (found.state, [c.what for c in found.checks if c.what.startswith("sampled")]) == ("verified", [])


@pytest.mark.parametrize("factor", [Fraction(6, 5), Fraction(4, 5)])
def test_a_common_count_that_is_wrong_fails(factor: Fraction) -> None:
    ways = {name: of(name) for name in DIVISIONS}
    check = judged("fours", Fraction(comb(48, 3), HANDS) * factor * 5, ways, 1)
    assert check.passed is not True
    loss = judged("loss", Fraction(9, 10), ways, 1)
    assert (loss.passed, "z = " in loss.result) == (False, True)
