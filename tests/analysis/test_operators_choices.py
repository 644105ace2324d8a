"""Choices that a document leaves to the operator: the suit of a jackpot, the hands that it names."""

from math import comb
from pathlib import Path

import pytest

from combin import analyze
from combin.rulebook import shipped
from combin.userfiles.collected import collect

SUITS = ("spades", "hearts", "diamonds", "clubs")
ELECTED = """[[wager]]
based_on = "massachusetts/high-card-flush/straight-flush-bonus"
[wager.paytable.X]
"seven-card straight flush of hearts" = "20000 to 1"
"seven-card straight flush" = "8000 to 1"
"""


@pytest.mark.parametrize("suit", SUITS)
def test_the_designated_suit_of_three_aces_is_the_operators(suit: str) -> None:
    """Six decks have six aces of a suit. Four are left after two are removed."""
    for gone, copies in (("", 6), (f"A{suit[0]} A{suit[0]}", 4)):
        a = analyze("maryland/blackjack/21-plus-3-progressive/B", decks=6, reading={"designated-suit": suit},
                    without=gone)
        assert a.combinations["three aces of the designated suit"] == comb(copies, 3)
        assert a.combinations["three aces of another suit"] == 3 * comb(6, 3)


def test_the_chosen_suit_of_a_royal_flush_is_the_operators() -> None:
    """The dealer's blackjack and the player's two cards make a royal run of four in one suit."""
    whole = 0
    for suit in SUITS:
        a = analyze("maryland/blackjack/super-4-progressive/D", decks=1, reading={"chosen-suit": suit},
                    without="Ac")
        royal = a.combinations["royal flush in the chosen suit"]
        # Four in a row with the ace are A K Q J: the dealer has the ace and one of the three others.
        assert royal == (0 if suit == "clubs" else 3 * 2)
        whole += royal
    assert whole == 18


@pytest.mark.slow
def test_an_elected_straight_flush_is_a_hand_of_a_pay_table_of_ones_own(tmp_path: Path) -> None:
    """Eight runs of seven in a suit: from the ace low to the ace high."""
    path = tmp_path / "elected.toml"
    path.write_text(ELECTED, encoding="utf-8")
    book, wanted = collect([str(path)])
    a = analyze(wanted[0], book=book)
    assert a.combinations["seven-card straight flush of hearts"] == 8
    assert a.combinations["seven-card straight flush"] == 24


def test_the_makers_ace_may_be_read_in_the_four_ways_of_maryland() -> None:
    for choice in ("both", "from-five-cards", "five-cards-only", "high"):
        ours, theirs = (
            analyze(i, reading={"ace-in-straight-flush": choice})
            for i in ("recommended/chase-the-flush/same-suit-bonus/A", "maryland/chase-the-flush/same-suit/A")
        )
        assert ours.combinations == theirs.combinations


def test_no_wager_on_the_dealers_second_card_is_without_the_finding_on_the_version_without_one() -> None:
    book = shipped()
    for identifier in (i for i in book.ids() if i.startswith("maryland/blackjack/")):
        terms = book.resolve(identifier).terms
        where = " ".join((*terms.where.values(), *(terms.outcome[o] for o, _ in book.find(identifier)[1].lines
                                                   if o in terms.outcome)))
        asks = terms.game in ("blackjack", "blackjack-switch") or "draws out" in terms.deal or "hole_card" in where or (
            "dealer 2" in terms.deal and "dealer" in where)
        named = "no-hole-card-version" in {f.id for f in book.findings_of(identifier)}
        assert named >= asks, identifier
