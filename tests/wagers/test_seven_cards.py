"""Outcomes of seven cards as the documents state them, checked against closed forms."""

from __future__ import annotations

from math import comb

import pytest

from combin.deals import seven_cards as seven
from combin.deals.cards import Shoe
from combin.deals.table import Table
from combin.rulebook.book import shipped
from combin.verify.seven_counts import convolution
from combin.wagers.wager_outcomes import masks_of, seen_deal

BOOK = shipped()


@pytest.fixture(scope="module")
def table() -> Table:
    rows, weights = convolution()
    return Table({name: rows[:, i] for i, name in enumerate(seven.columns)}, weights, comb(52, 7), len(rows))


def hands_of(identifier: str, table: Table, **reading: str):
    """The hands of every outcome of a wager. The table is a copy, because several wagers share the original."""
    resolved = BOOK.resolve(identifier, {name.replace("_", "-"): choice for name, choice in reading.items()})
    return masks_of(Table(table.columns, table.weights, table.deals, table.classes), resolved, whole=True)


def longest_flush(table: Table):
    return hands_of("maryland/high-card-flush/flush-bonus/A", table)


def straight_flush(table: Table, ace: str = "both", quads: str = "best-pay"):
    return hands_of("maryland/high-card-flush/straight-flush-bonus/G", table, ace_in_straight_flush=ace,
                    four_of_a_kind=quads)


def same_suit(table: Table, ace: str = "both"):
    return hands_of("maryland/chase-the-flush/same-suit/A", table, ace_in_straight_flush=ace)


def counts(table: Table, hands) -> dict[str, int]:
    return {name: table.count(mask) for name, mask in hands.items()}


def exactly(found: dict[str, int], kind: str) -> dict[int, int]:
    """The hands by longest length n. An outcome of n cards includes the longer ones, which are subtracted."""
    words = ("two", "three", "four", "five", "six", "seven")
    met = {n: found[f"{w}-card {kind}"] for n, w in enumerate(words, 2) if f"{w}-card {kind}" in found}
    return {n: met[n] - met.get(n + 1, 0) for n in met}


def test_longest_flush(table):
    found = counts(table, longest_flush(table))
    longest = exactly(found, "flush")
    assert longest[7] == 4 * comb(13, 7)
    assert longest[6] == 4 * comb(13, 6) * 39
    assert longest[5] == 4 * comb(13, 5) * comb(39, 2)
    assert longest[4] == 4 * comb(13, 4) * comb(39, 3)
    # Only 2-2-2-1 holds no three cards of a suit.
    assert longest[2] == 4 * comb(13, 2) ** 3 * 13
    assert found["two-card flush"] == sum(longest.values()) == comb(52, 7)


@pytest.mark.parametrize(
    ("ace", "seven_cards", "six_cards"),
    [
        # Runs of seven, and of six with a seventh card that does not extend them: 45 at an end of the suit, else 44.
        ("both", 4 * 8, 4 * (2 * 45 + 7 * 44)),
        ("high", 4 * 7, 4 * (2 * 45 + 6 * 44)),
        ("from-five-cards", 4 * 8, 4 * (2 * 45 + 7 * 44)),
        # The low ace makes no run of six, so an ace with 2-7 is the run of six from two to seven.
        ("five-cards-only", 4 * 7, 4 * (2 * 45 + 6 * 44)),
    ],
)
def test_straight_flush_by_ace_rule(table, ace, seven_cards, six_cards):
    joined = counts(table, same_suit(table, ace=ace))
    longest = exactly(joined, "straight flush")
    assert (longest[7], longest[6]) == (seven_cards, six_cards)
    assert joined["six- or seven-card straight flush"] == seven_cards + six_cards
    assert joined["five-, six- or seven-card straight flush"] == sum(longest[n] for n in (5, 6, 7))
    assert exactly(joined, "flush") == exactly(counts(table, longest_flush(table)), "flush")


def test_five_card_straight_flush_is_pokers(table):
    """Seven-card poker has 4,324 royal flushes and 37,260 other straight flushes."""
    assert counts(table, straight_flush(table))["five-card straight flush"] == 41_584


def test_four_of_a_kind(table):
    found = counts(table, straight_flush(table))
    every = 13 * comb(48, 3)
    assert found["four of a kind"] == every
    # A run of four in a suit with the three other cards of one of its ranks.
    assert found["four of a kind and four-card straight flush"] == 11 * 4 * 4
    first = counts(table, straight_flush(table, quads="straight-flush-first"))
    assert first["four of a kind"] == every - found["four of a kind and three-card straight flush"]
    high = counts(table, straight_flush(table, ace="high"))
    assert high["four of a kind and four-card straight flush"] == 10 * 4 * 4


def test_suited_nine_to_ace(table):
    name = "suited nine, ten, jack, queen, king, ace"
    hands = straight_flush(table)
    assert table.count(hands[name]) == 4 * 46
    # With the eight of the suit it is a seven-card straight flush, a line above.
    assert table.count(hands[name] & hands["seven-card straight flush"]) == 4
    assert not (hands[name] & ~hands["six-card straight flush"]).any()


def test_hole_cards_of_one_suit():
    resolved = BOOK.resolve("maryland/chase-the-flush/progressive/A")
    table = seen_deal(resolved).table(Shoe(1))
    assert table.deals == comb(52, 3)
    assert counts(table, masks_of(table, resolved)) == {"three suited hole cards": 4 * comb(13, 3)}
