"""Wagers of one's own: a condition for every pay, from the file to the figures, and published figures."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from combin.analysis.engine import analyze, analyze_all
from combin.analysis.removal import effects
from combin.base.errors import InputError
from combin.deals.cards import Shoe, card, name
from combin.deals.first_cards import MANY, Deal, burnside_classes
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file
from combin.verify import verify
from combin.wagers.conditions import parse
from combin.wagers.literal import holds
from combin.wagers.wager_outcomes import seen_deal

from ..shared import added, analysed, physical_deals, wager_file

HOT_THREE = wager_file("player 2, upcard 1", {
    "suited 7-7-7": ('suited(cards) and count(cards, "7") == 3', "200 to 1"),
    "suited 21": ("suited(cards) and total(cards) == 21", "20 to 1"),
    "any 21": ("total(cards) == 21", "5 to 1"),
    "red pair": ('pair(player) and count(player, "red") == 2', "2 to 1"),
}, decks=(6, 8), id="house/blackjack/hot-three")


def faults(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        add_file(shipped(), str(path))
    return [str(f).replace(f"{path}: ", "") for f in refused.value.faults]


def test_every_deal_of_a_small_shoe_is_settled_as_by_hand(tmp_path: Path) -> None:
    """A shoe of thirty cards: the plain evaluator settles every physical deal, arrays settle the classes."""
    kept = [
        "7h", "7h", "7d", "7c", "8h", "8h", "8d", "6h", "6d", "6c", "Ah", "Ad", "Ac", "As", "Th", "Td",
        "Tc", "Jh", "5h", "5d", "4h", "4c", "3s", "2s", "9h", "9d", "Kc", "Ks", "Qh", "Qd",
    ]
    gone = [c for c in range(52) for _ in range(2)]
    for word in kept:
        gone.remove(card(word))
    book, identifier = added(tmp_path, HOT_THREE.replace("[6, 8]", "[2]").replace('"suited 7-7-7" = "200 to 1"\n', ""))
    a = analyze(identifier, decks=2, without=tuple(gone), book=book)
    roles = {"player": 2, "upcard": 1}
    terms = book.resolve(identifier).terms
    lines = [(line, parse(terms.outcome[line], roles)) for line in ("suited 21", "any 21", "red pair")]
    counted = dict.fromkeys([line for line, _ in lines], 0)
    deals = 0
    for player, upcard in physical_deals(Deal("player 2, upcard 1"), Shoe(2, tuple(gone))):
        deals += 1
        hands = {"player": [name(c) for c in player], "upcard": [name(c) for c in upcard]}
        line = next((line for line, condition in lines if holds(condition, hands)), None)
        if line:
            counted[line] += 1
    assert deals == a.deals == 30 * 29 // 2 * 28
    assert {line: a.combinations[line] for line in counted} == counted


def test_a_wager_of_ones_own_goes_all_the_way(tmp_path: Path) -> None:
    book, identifier = added(tmp_path, HOT_THREE)
    six, eight = analyze_all([identifier], book=book)
    assert (six.decks, eight.decks) == (6, 8)
    # Six decks have six sevens of a suit: 4 × C(6, 3) hands, and any of three cards is the upcard.
    assert six.combinations["suited 7-7-7"] == 4 * 20 * 3
    found = verify(six)
    assert found.passed
    assert {"probabilities", "classes", "deals"} <= {c.what for c in found.checks if c.passed}
    assert sum(e.copies * e.change for e in effects(six)) == 0
    without = analyze(identifier, decks=6, without="7h 7h", book=book)
    assert without.combinations["suited 7-7-7"] == (3 * 20 + 4) * 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("suited(cards) and count", "suitd(cards) and count"),
         'line 7, column 19: "suited 7-7-7": "suitd" is not a word of conditions; did you mean "suited"?'),
        (("pair(player) and", "pair(plyer) and"), 'line 10, column 20: "red pair": no role is called "plyer"'),
        (('"7") == 3', '"sevens") == 3'), 'column 50: "suited 7-7-7": "sevens" is not a card, rank, suit or colour'),
        (("player 2, upcard 1", "player 5, upcard 3"), "deals 8 cards; deal at most 7 cards to at most 4 roles"),
        (("player 2, upcard 1", "player 2, player 1"), 'the role player occurs twice'),
        (("player 2, upcard 1", "player 2, not 1"), '"not" is a word of conditions'),
        (("[wager.outcome]", 'suits = ["hearts"]\n[wager.outcome]'), '"suits" is not needed with conditions'),
        (('"any 21" =', '"decks" ='), '"decks" is a reserved word of paytables'),
        (("decks = [6, 8]", "decks = [1, 6]"), 'no deal of one deck satisfies "suited 7-7-7"; leave the line out'),
        (('count(cards, "7") == 3', 'count(cards, "7") == 4'), 'no deal of 6, 8 decks satisfies "suited 7-7-7"'),
        (("total(cards) == 21'\n\"red", "total(cards) >= 1'\n\"red"), 'every deal of 6, 8 decks satisfies "any 21"'),
        (('"red pair" = "2 to 1"', '"red pair" = "9 to 1"'), '"red pair" pays more than "any 21" above it'),
        (('"red pair" = "2 to 1"', '"blue pair" = "2 to 1"'), 'has no outcome "blue pair"'),
        (("\"any 21\" = 'total(cards) == 21'", '"any 21" = 21'), "line 9, outcome, any 21: 21 is not a text"),
    ],
)  # fmt: skip
def test_a_fault_is_said_in_one_line_with_its_place(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    old, new = change
    assert old in HOT_THREE
    found = faults(tmp_path, HOT_THREE.replace(old, new))
    assert any(said in line for line in found), found


def test_a_line_below_a_smaller_pay_counts_what_the_lines_above_have_left(tmp_path: Path) -> None:
    """A flush may pay more than a straight above it if a straight flush is listed above both."""
    lines = {"straight flush": ("straight_flush(cards)", "40 to 1"), "straight": ("straight(cards)", "5 to 1"),
             "flush": ("suited(cards)", "6 to 1")}
    three = analysed(tmp_path, wager_file("cards 3", lines))
    assert three.combinations["flush"] == 4 * 286 - 48
    assert three.combinations["straight"] == 12 * 64 - 48
    del lines["straight flush"]
    assert any("which applies first if both do" in line for line in faults(tmp_path, wager_file("cards 3", lines)))


@pytest.mark.parametrize("decks", [1, 8])
def test_seven_cards_of_any_shoe(tmp_path: Path, decks: int) -> None:
    """4 × C(13 d, 7) hands are seven suited cards, on every table of seven cards."""
    a = analysed(tmp_path, wager_file("player 2, board 5", {"flush": ("suited(cards)", "1 to 1")}, decks=(decks,)))
    assert a.deals == comb(52 * decks, 7)
    assert a.combinations["flush"] == 4 * comb(13 * decks, 7)


def test_cards_that_matter_behind_some_first_cards_alone(tmp_path: Path) -> None:
    """The player's two cards matter only beside a dealer's blackjack. The table has far fewer rows than classes."""
    text = wager_file("upcard 1, hole card 1, player 2", {
        "royal": ('blackjack(upcard + hole_card) and straight_flush(cards, ace="high")', "100 to 1"),
        "two pair": ("blackjack(upcard + hole_card) and two_pair(cards)", "25 to 1"),
        "diamonds": ('blackjack(upcard + hole_card) and count(cards, "diamonds") == 4', "20 to 1"),
        "pair": ("blackjack(upcard + hole_card) and pair(cards)", "10 to 1"),
        "ace up": ('count(upcard, "A") == 1 and not blackjack(upcard + hole_card)', "2 to 1"),
    }, decks=(6,))
    a = analysed(tmp_path, text)
    assert a.classes < 60_000
    deal = seen_deal(a.resolved)
    assert burnside_classes(deal, Shoe(6)) == a.classes
    # A suited blackjack with a ten-valued card of three ranks, 6 × 6 in two orders; six of each other card.
    assert a.combinations["royal"] == 4 * (2 * 3 * 36) * 36
    assert deal.classes(Shoe(6)).places > MANY


# ---- published figures, each with its source


def hands(pays: dict[str, str], word: str = "poker(cards)") -> dict[str, tuple[str, str]]:
    """Exactly these poker hands."""
    return {line: (f'{word} == "{line}"', pay) for line, pay in pays.items()}


def pair_plus(straight: int, flush: int) -> dict[str, tuple[str, str]]:
    return hands({"straight flush": "40 to 1", "three of a kind": "30 to 1", "straight": f"{straight} to 1",
                  "flush": f"{flush} to 1", "pair": "1 to 1"})


def trips(*pays: int) -> dict[str, tuple[str, str]]:
    names = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind")
    return hands({name: f"{pay} to 1" for name, pay in zip(names, pays, strict=True)})


def mini_royal(pay: int) -> dict[str, tuple[str, str]]:
    royal = 'suited(cards) and count(cards, "A") == 1 and count(cards, "K") == 1 and count(cards, "Q") == 1'
    return {"mini royal": (royal, f"{pay} to 1")}


SEVEN_CARDS = {
    "royal flush": 4324, "straight flush": 37260, "four of a kind": 224848, "full house": 3473184, "flush": 4047644,
    "straight": 6180020, "three of a kind": 6461620,
}  # fmt: skip
PERFECT_PAIRS = {
    "perfect": ("pair(player) and suited(player)", "25 to 1"),
    "coloured": ("pair(player) and same_colour(player)", "12 to 1"), "mixed": ("pair(player)", "6 to 1"),
}  # fmt: skip
NINE_TO_ONE = {"straight flush": ("straight_flush(cards)", "9 to 1"), "trips": ("three_of_a_kind(cards)", "9 to 1"),
               "straight": ("straight(cards)", "9 to 1"), "flush": ("suited(cards)", "9 to 1")}
#: Name, deal, decks, lines, published counts, published house edge, source.
PUBLIC = [
    ("Pair Plus 6-4", "cards 3", 1, pair_plus(6, 4), {"straight": 720, "flush": 1096}, "2.32 %",
     "online.casinocity.com, A rare Pair Plus payout at Three Card Poker"),
    ("Pair Plus 6-3", "cards 3", 1, pair_plus(6, 3), {}, "7.28 %", "the same"),
    ("Pair Plus 5-4", "cards 3", 1, pair_plus(5, 4), {}, "5.57 %", "the same"),
    ("Pair Plus 5-4, mini royal 50", "cards 3", 1, {**mini_royal(50), **pair_plus(5, 4)}, {}, "5.39 %", "the same"),
    ("Pair Plus 5-4, mini royal 100", "cards 3", 1, {**mini_royal(100), **pair_plus(5, 4)}, {}, "4.49 %", "the same"),
    ("Six Card Bonus", "player 3, dealer 3", 1, trips(1000, 200, 50, 25, 20, 10, 5), {}, "10.2 %",
     "table-games-online.com, 3 Card Poker rules, which prints 10.23 % where 10.2248 % is exact"),
    ("Let It Ride three-card bonus", "player 3", 1,
     {name: (c.replace("cards)", "player)").replace("cards,", "player,"), pay)
      for name, (c, pay) in {**mini_royal(50), **pair_plus(6, 4)}.items()}, {"mini royal": 4}, "2.14 %",
     "wizardofodds.com, Let It Ride, three-card bonus"),
    ("Ultimate Texas Hold'em Trips 9-7-4", "player 2, board 5", 1, trips(50, 40, 30, 9, 7, 4, 3), SEVEN_CARDS,
     "0.90 %", "wizardofodds.com, Ultimate Texas Hold'em; hands of seven cards: Wikipedia, Poker probability"),
    ("Ultimate Texas Hold'em Trips 8-6-5", "player 2, board 5", 1, trips(50, 40, 30, 8, 6, 5, 3), {}, "1.90 %",
     "the same"),
    ("hands of five cards", "player 5", 1, hands(dict.fromkeys((*SEVEN_CARDS, "two pair", "pair"), "1 to 1")),
     {"royal flush": 4, "straight flush": 36, "four of a kind": 624, "full house": 3744, "flush": 5108,
      "straight": 10200, "three of a kind": 54912, "two pair": 123552, "pair": 1098240}, None,
     "Wikipedia, Poker probability"),
    ("baccarat Player Pair", "player 2, banker 2", 8, {"pair": ("pair(player)", "11 to 1")}, {}, "10.36 %",
     "wordstreetjournal.com, Top-10 Baccarat Side Games"),
    ("baccarat Either Pair", "player 2, banker 2", 8, {"either": ("pair(player) or pair(banker)", "5 to 1")}, {},
     "13.71 %", "the same"),
    ("Perfect Pairs, six decks", "player 2", 6, PERFECT_PAIRS, {}, "6.11 %",
     "onlinecasinositeinfo.com, Mathematical analysis of blackjack side bets"),
    ("Perfect Pairs, two decks", "player 2", 2, PERFECT_PAIRS, {}, "22.33 %", "the same"),
    ("Perfect Pairs, eight decks", "player 2", 8, PERFECT_PAIRS, {}, "4.10 %", "the same"),
    ("21 + 3 at 9 to 1", "player 2, upcard 1", 6, NINE_TO_ONE, {}, "3.24 %",
     "thefannews.com, The best side bet of blackjack"),
    ("Over 13", "player 2", 6, {"over": ("hard_total(player) > 13", "1 to 1")}, {}, "6.6 %",
     "gamblingteachers.com, Blackjack side bets"),
    ("Under 13", "player 2", 6, {"under": ("hard_total(player) < 13", "1 to 1")}, {}, "10 %", "the same"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("deal", "decks", "lines", "counts", "edge"), [entry[1:6] for entry in PUBLIC], ids=[entry[0] for entry in PUBLIC]
)
def test_figures_that_stand_in_public(tmp_path: Path, deal, decks, lines, counts, edge) -> None:
    a = analysed(tmp_path, wager_file(deal, lines, decks=(decks,)))
    assert {line: a.combinations[line] for line in counts} == counts
    assert isinstance(a.returned, Fraction)
    if edge is not None:
        number = edge.removesuffix(" %")
        # The difference is at most half a unit of the last printed digit.
        assert abs(100 * a.house_edge - Fraction(number)) <= Fraction(1, 2 * 10 ** len(number.partition(".")[2]))
