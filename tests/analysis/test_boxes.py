"""Two hands from one deck, held against every pair of hands from small decks."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from combin import analyze
from combin.analysis.boxes import boxes, joint
from combin.base.errors import InputError
from combin.views import json as json_view
from combin.views import terminal

FLUSH, STRAIGHT = "massachusetts/high-card-flush/flush-bonus/A", "maryland/high-card-flush/straight-flush-bonus/A"


def longest(hand: tuple[tuple[int, str], ...], column: str, ranks: int) -> int:
    best = 0
    for suit in "cdhs":
        held = {rank for rank, s in hand if s == suit}
        if column == "flush":
            best = max(best, len(held))
            continue
        if column == "straight_flush_both" and ranks - 1 in held:
            held |= {-1}  # the ace below the lowest rank
        for start in held:
            run = next(n for n in range(1, ranks + 2) if start + n not in held)
            best = max(best, min(run, len(held - {-1})))
    return best


@pytest.mark.parametrize(("column", "ranks", "cards"), [
    ("flush", 3, 3), ("flush", 2, 4), ("straight_flush_both", 3, 3), ("straight_flush_high", 4, 2),
    ("straight_flush_both", 4, 2),
])  # fmt: skip
def test_every_pair_of_hands_of_a_small_deck(column: str, ranks: int, cards: int) -> None:
    deck = [(rank, suit) for suit in "cdhs" for rank in range(ranks)]
    found: Counter[tuple[int, int]] = Counter()
    for one in combinations(deck, cards):
        mine = longest(one, column, ranks)
        for two in combinations([card for card in deck if card not in one], cards):
            found[mine, longest(two, column, ranks)] += 1
    assert joint(column, ranks, cards) == found


def test_each_of_two_hands_is_dealt_as_one() -> None:
    """Both hands have one law, and a binomial gives it: the longest flush holds k cards of one suit."""
    law = joint("flush")
    assert all(law[f, g] == law[g, f] for f, g in law)
    for k in (4, 5, 6, 7):
        alone = sum(n for (f, _), n in law.items() if f == k)
        assert alone == 4 * comb(13, k) * comb(39, 7 - k) * comb(45, 7)


@pytest.mark.parametrize("identifier", [FLUSH, STRAIGHT])
def test_boxes_have_the_variance_of_their_sum(identifier: str) -> None:
    alone = analyze(identifier)
    assert boxes(alone) is None
    for n in (1, 2, 3):
        a = analyze(identifier, set={"boxes": n})
        found = boxes(a)
        assert found is not None
        assert a.returned == alone.returned
        assert found.variance == n * a.variance + n * (n - 1) * found.covariance
        assert abs(found.covariance) < a.variance
    record = json_view.record(a)["boxes"]
    assert record["covariance"]["exact"] == str(found.covariance)
    assert "standard deviation of 3 boxes" in terminal.plain([a])


def test_seven_cards_of_one_suit_leave_six_for_the_other_hand() -> None:
    """Two seven-card flushes have different suits, so there are 4 x 3 C(13, 7)^2 pairs."""
    assert joint("flush")[7, 7] == 12 * comb(13, 7) ** 2
    assert Fraction(joint("flush")[7, 7], comb(52, 7) * comb(45, 7)) > 0


def test_the_document_says_how_many_boxes_there_are() -> None:
    for identifier, wrong in ((FLUSH, 4), (STRAIGHT, 7), (FLUSH, 0), (FLUSH, "3/2")):
        with pytest.raises(InputError, match="boxes cannot be"):
            analyze(identifier, set={"boxes": wrong})
    with pytest.raises(InputError, match='no parameter of these wagers is called "boxes"'):
        analyze("maryland/chase-the-flush/same-suit/A", set={"boxes": 2})
