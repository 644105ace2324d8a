"""The wagers of a round of blackjack by themselves: insurance, and rules under which a wager is not there."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from combin.games.blackjack import results
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import deck_counts, solve
from combin.games.blackjack.wager_parts import insurance
from combin.games.model import StakedWager
from combin.rulebook.book import shipped
from combin.verify.chance import judged

GAME = "maryland/blackjack/blackjack/3-to-2"


def insured(counts: tuple[int, ...]) -> StakedWager:
    (found,) = insurance(shipped(), shipped().resolve(GAME), counts)
    return found


def test_insurance_of_six_decks_by_hand() -> None:
    """24 aces, then 96 of 311 hole cards are worth ten; beside two cards of other values 96 of 309 are."""
    wager = insured(deck_counts(6))
    assert [(r.outcome, r.combinations, r.probability, r.net) for r in wager.rows] == [
        ("dealer blackjack", 24 * 96, Fraction(96, 311), Fraction(1)),
        ("lose", 24 * 215, Fraction(215, 311), Fraction(-1, 2)),
    ]
    assert (wager.staked, wager.house_advantage) == (Fraction(1, 2), Fraction(23, 311))
    assert wager.given == "the upcard is an ace"
    assert "Best play does not take it" in wager.remark
    assert "(32/103)" in wager.remark


@pytest.mark.parametrize("counts", [(2, 0, 3, 0, 0, 0, 0, 0, 0, 3), (2, 4, 3, 0, 0, 0, 0, 0, 0, 4)])
def test_insurance_beside_known_cards(counts: tuple[int, ...]) -> None:
    """The player's two cards and the hole card are dealt one by one behind an ace."""
    cards = [c for c, n in enumerate(counts) for _ in range(n - (c == 0))]
    worth: dict[tuple[int, int], list[Fraction]] = {}
    for a, b, hole in permutations(cards, 3):
        worth.setdefault((a, b), []).append(Fraction(1) if hole == 9 else Fraction(-1, 2))
    every = sum(map(len, worth.values()))
    taken = sum((max(sum(nets, Fraction(0)), Fraction(0)) for nets in worth.values()), Fraction(0)) / every
    best = max(Fraction(sum(net > 0 for net in nets), len(nets)) for nets in worth.values())
    remark = insured(counts).remark
    assert taken > 0
    assert f"That wins {taken} of the original wager" in remark
    assert f"({best})" in remark


def test_no_insurance_without_aces_or_in_a_document_without_it() -> None:
    assert insurance(shipped(), shipped().resolve(GAME), (0, *deck_counts(1)[1:])) == ()
    assert insurance(shipped(), shipped().resolve("maryland/high-card-flush/base/A"), deck_counts(1)) == ()


def test_a_wager_that_the_rules_do_not_know_has_no_table() -> None:
    def names(rules: HouseRules) -> list[str]:
        solution = solve(rules, (6, 0, 0, 4, 0, 0, 0, 8, 0, 8))
        return [w.name for w in results.figures(solution, results.law(solution)).wagers]

    assert names(HouseRules(max_hands=1, double="none")) == ["Original wager"]
    assert names(HouseRules(max_hands=2, double_after_split=False, hole_card="all-lost", surrender="late")) == [
        "Original wager", "Double of the original wager", "Second hand of a split"]


def test_a_hand_that_never_comes_is_judged() -> None:
    assert judged("doubles", 0, 1000, Fraction(0), 1).passed
    assert not judged("doubles", 1, 1000, Fraction(0), 1).passed
