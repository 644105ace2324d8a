"""Example deals and near misses, judged by counts of suits and ranks that are written here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import combin
from combin.verify.examples import Example, examples

from ..shared import RARE, analysed


def cards(hands: tuple[tuple[str, str], ...]) -> list[str]:
    return [card for _, hand in hands for card in hand.split()]


def longest(hands: tuple[tuple[str, str], ...]) -> int:
    return max(Counter(card[1] for card in cards(hands)).values())


def one_card_apart(e: Example) -> bool:
    return sum((Counter(cards(e.wins)) - Counter(cards(e.misses))).values()) == 1


def test_a_flush_bonus_is_won_by_the_longest_suit_and_missed_by_one_card_of_another() -> None:
    found = examples(combin.analyze("maryland/high-card-flush/flush-bonus/A"))
    numbers = {"seven-card flush": 7, "six-card flush": 6, "five-card flush": 5, "four-card flush": 4}
    assert {e.outcome: longest(e.wins) for e in found} == numbers
    assert {e.outcome: longest(e.misses) for e in found} == {line: n - 1 for line, n in numbers.items()}
    assert all(one_card_apart(e) and len(set(cards(e.misses))) == 7 for e in found)
    assert [e.settled_as for e in found] == ["six-card flush", "five-card flush", "four-card flush", ""]


def test_the_rarest_deal_of_a_user_defined_wager_is_found(tmp_path: Path) -> None:
    rare, flush = examples(analysed(tmp_path, RARE))
    assert set(cards(rare.wins)) == {"8h", "9h", "Th", "Jh", "Qh", "Kh", "Ah"}
    assert one_card_apart(rare)
    assert longest(rare.misses) == longest(flush.misses) == 6


@pytest.mark.parametrize("identifier", ["maryland/high-card-flush/base/A", "maryland/blackjack/must-hit-progressive/A"])
def test_other_wagers_have_no_examples(identifier: str) -> None:
    assert examples(combin.analyze_all(identifier)[0]) == ()
