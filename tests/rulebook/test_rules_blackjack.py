"""The rule data of Maryland's blackjack against a second copy of its pays, and the effect of its readings."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from importlib.resources import files

import numpy as np
import pytest

from combin.deals.cards import Shoe
from combin.deals.table import Table
from combin.rulebook.book import Resolved, matches, shipped
from combin.rulebook.pays import parse_pay
from combin.wagers.wager_outcomes import deal_of, masks_of

DATA = tomllib.loads((files("combin") / "rules" / "maryland-blackjack.toml").read_text(encoding="utf-8"))
WAGERS = {wager["id"]: wager for wager in DATA["wager"]}
PREFIX = "maryland/blackjack/"
BOOK = shipped()
IDS = [i for i in BOOK.ids() if i.startswith(PREFIX)]

#: Every pay of chapter 13 from §A(4) on, copied a second time from the document, in its order.
PAYS = {
    "lucky-ladies/A": "1,000 to 1 | 200 to 1 | 25 to 1 | 10 to 1 | 4 to 1",
    "lucky-ladies/B": "1,000 to 1 | 125 to 1 | 19 to 1 | 9 to 1 | 4 to 1",
    "match-the-dealer/6-decks": "11 to 1 | 4 to 1",
    "match-the-dealer/8-decks": "14 to 1 | 3 to 1",
    "in-between/A": "30 to 1 | 10 to 1 | 6 to 1 | 4 to 1 | 1 to 1",
    "royal-match-21/A": "10 to 1 | 3 to 1 | 1,000 for 1",
    "royal-match-21/B": "5 to 1 | 3 to 1 | 1,000 for 1",
    "royal-match-21/C": "30 to 1 | 2.5 to 1 | 1,000 for 1",
    "royal-match-21/D": "25 to 1 | 2.5 to 1 | 1,000 for 1",
    "royal-match-21/E": "50 to 1 | 2 to 1 | 1,000 for 1",
    "bet-the-set-21/A": "15 to 1",
    "bet-the-set-21/B": "25 to 1 | 10 to 1",
    "bet-the-set-21/C": "15 to 1 | 10 to 1",
    "bet-the-set-21/D": "12 to 1 | 10 to 1",
    "kings-bounty/A": "1,000 to 1 | 200 to 1 | 50 to 1 | 25 to 1 | 9 to 1 | 6 to 1 | 4 to 1",
    "super-match/6-decks": "40 to 1 | 8 to 1 | 5 to 1 | 1 to 1",
    "super-match/8-decks": "50 to 1 | 7 to 1 | 5 to 1 | 1 to 1",
    "house-money/single-deck": "9 to 1 | 5 to 1 | 3 to 1 | 1 to 1",
    "house-money/multiple-decks": "9 to 1 | 4 to 1 | 3 to 1 | 1 to 1",
    "lucky-aces/A": "500 to 1 | 250 to 1 | 20 to 1 | 8 to 1 | 5 to 1 | 2 to 1 | 1 to 1",
    "lucky-aces/B": "500 to 1 | 250 to 1 | 30 to 1 | 12 to 1 | 5 to 1 | 2 to 1 | 1 to 1",
    "trilux-bonus/A": "30 to 1 | 20 to 1 | 10 to 1 | 5 to 1",
    "trilux-bonus/B": "100 to 1 | 30 to 1 | 20 to 1 | 10 to 1 | 5 to 1",
    "trilux-super-3/A": "270 to 1 | 180 to 1 | 90 to 1",
    "poker-3/A": "30 to 1 | 20 to 1 | 10 to 1 | 5 to 1",
    "19-plus/A": "200 to 1 | 100 to 1 | 50 to 1 | 30 to 1 | 10 to 1 | 3 to 1 | 2 to 1 | 1 to 1",
    "kk/A": "200 to 1 | 20 to 1 | 4 to 1 | 1 to 1",
    "qq/A": "200 to 1 | 20 to 1 | 4 to 1 | 1 to 1",
    "jj/A": "200 to 1 | 20 to 1 | 4 to 1 | 1 to 1",
    "pair/A": "25 to 1 | 7 to 1",
    "match/A": "50 to 1 | 25 to 1 | 11 to 1 | 6 to 1 | 3 to 1",
    "a-2/A": "50 to 1 | 5 to 1 | 4 to 1 | 1 to 1",
    "7s/A": "200 to 1 | 125 to 1 | 100 to 1 | 50 to 1 | 6 to 1",
    "bad-beat-progressive/A": (
        "100 percent of the meter | 1,000 for 1 | 100 for 1 | 50 for 1 | 25 for 1 | 10 for 1 | 1 to 1"
    ),
    "bad-beat-progressive/extra": "20 for 1 | 5 for 1",
    "three-card-poker/A": "9 to 1 | 9 to 1 | 9 to 1 | 9 to 1",
    "three-card-poker/B": "30 to 1 | 20 to 1 | 10 to 1 | 5 to 1",
    "lucky-lucky/A": "200 to 1 | 100 to 1 | 50 to 1 | 30 to 1 | 10 to 1 | 3 to 1 | 2 to 1 | 2 to 1",
    "lucky-lucky/B": "200 to 1 | 100 to 1 | 50 to 1 | 30 to 1 | 15 to 1 | 3 to 1 | 2 to 1 | 1 to 1",
    "lucky-lucky/C": "200 to 1 | 100 to 1 | 50 to 1 | 30 to 1 | 10 to 1 | 3 to 1 | 2 to 1 | 1 to 1",
    "hit-and-run-progressive/A": "100 percent of the meter | 100 for 1 | 25 for 1 | 7 for 1 | 4 for 1",
    "super-4-progressive/A": (
        "100 percent of the meter | 10 percent of the meter | 100 for 1 | 75 for 1 | 50 for 1 | 25 for 1 | 15 "
        "for 1 | 15 for 1 | 10 for 1 | 4 for 1 | 2 for 1"
    ),
    "super-4-progressive/B": (
        "100 percent of the meter | 10 percent of the meter | 150 for 1 | 70 for 1 | 50 for 1 | 30 for 1 | 15 "
        "for 1 | 15 for 1 | 10 for 1 | 5 for 1 | 3 for 1"
    ),
    "super-4-progressive/C": (
        "100 percent of the meter | 10 percent of the meter | 150 for 1 | 80 for 1 | 60 for 1 | 40 for 1 | 20 "
        "for 1 | 20 for 1 | 10 for 1 | 5 for 1 | 2 for 1"
    ),
    "super-4-progressive/D": (
        "100 percent of the Star Progressive meter | 100 percent of the Spade Progressive meter | 100 percent "
        "of the Heart Progressive meter | 100 percent of the Diamond Progressive meter | $300 | $200 | $100 | "
        "$100 | $50 | $25 | $10"
    ),
    "upcard-luck-21/A": "80 to 1 | 8 to 1 | 4 to 1 | 3 to 1",
    "buster-blackjack/A": "250 to 1 | 50 to 1 | 15 to 1 | 4 to 1 | 2 to 1 | 2 to 1",
    "buster-blackjack/B": "200 to 1 | 50 to 1 | 15 to 1 | 4 to 1 | 2 to 1 | 2 to 1",
    "buster-blackjack/C": "250 to 1 | 50 to 1 | 12 to 1 | 4 to 1 | 2 to 1 | 2 to 1",
    "buster-blackjack/D": "200 to 1 | 50 to 1 | 12 to 1 | 4 to 1 | 2 to 1 | 2 to 1",
    "buster-blackjack/E": "250 to 1 | 50 to 1 | 12 to 1 | 3 to 1 | 2 to 1 | 2 to 1",
    "buster-blackjack/F": "250 to 1 | 50 to 1 | 20 to 1 | 8 to 1 | 2 to 1 | 1 to 1",
    "buster-blackjack-free-bonus/A": "$8,000 | $1,000",
    "buster-blackjack-free-bonus/B": "$5,000 | $1,000",
    "bonus-spin-progressive/A": (
        "100% of the fixed prize or merchandise | $1,000 | $350 | $120 | $50 | $23 | $15 | $10"
    ),
    "bonus-spin-progressive/B": "100% of the progressive | $1,000 | $350 | $120 | $50 | $23 | $15 | $10",
    "bonus-spin-progressive/C": (
        "100% of the fixed prize or merchandise | $5,000 | $600 | $750 | $250 | $55 | $75 | $70 | $60 | $55 | "
        "$50"
    ),
    "bonus-spin-progressive/D": (
        "100% of the fixed prize or merchandise | $5,000 | $600 | $750 | $250 | $55 | $75 | $70 | $60 | $50 | "
        "$40"
    ),
    "bonus-spin-progressive/$1 wager, paytable A": "$100 | $20 | $3",
    "bonus-spin-progressive/$1 wager, paytable B": "$100 | $20 | $3",
    "bonus-spin-progressive/$5 wager, paytable A": "$100 | $50 | $15",
    "bonus-spin-progressive/$5 wager, paytable B": "$100 | $50 | $15",
    "blazing-7s-progressive/A": (
        "100 percent of the Mega Progressive | 100 percent of the Major Progressive | 100 percent of the "
        "Minor Progressive | 200 for 1 | 25 for 1 | 2 for 1"
    ),
    "must-hit-progressive/A": "100 percent of the Must Hit meter",
    "21-plus-3-progressive/A": "100 percent of the Progressive | 125 for 1 | 25 for 1 | 20 for 1 | 7 for 1 | 3 for 1",
    "21-plus-3-progressive/B": (
        "100 percent of the Progressive | 2,000 for 1 | 150 for 1 | 40 for 1 | 20 for 1 | 5 for 1 | 3 for 1"
    ),
    "top-3/A": "270 to 1 | 180 to 1 | 90 to 1",
    "top-3/B": "1,000 to 1 | 100 to 1 | 70 to 1",
    "lucky-ladies-progressive/A": "100% of the progressive | 200 for 1 | 25 for 1 | 10 for 1 | 2 for 1",
    "match-super-bonus/A": "24 to 1 | 15 to 1 | 12 to 1 | 6 to 1 | 3 to 1",
}

#: The choices of every reading, the primary one first. Users' scripts hold these names, so none may change.
READINGS = {
    "dealer-soft-17": "stands hits",
    "split-aces": "one-card may-draw",
    "blackjack-tie": "push",
    "switch-blackjack-against-22": "wins pushes",
    "switch-blackjack-pays": "1-to-1 3-to-2 6-to-5",
    "switched-blackjack": "twenty-one blackjack",
    "switch-before-the-look": "before-the-look after-the-look",
    "busted-dealer-hand": "counts does-not-count",
    "dealer-completes-hand": "always only-if-needed",
    "ace-in-between": "high low either",
    "ace-in-a-2": "high low either",
    "ends-in-a-2": "excluded included",
    "first-seven": "players-first-card either-player-card any-of-three",
    "ace-in-three-card-poker": "both low",
    "ace-in-three-cards": "both low high",
    "any-20": "total-20 as-defined ten-values-only",
    "ace-nine-is-20": "yes no",
    "crown-treasure": "additional additional-less-stake replaces not-offered",
    "match-means": "rank suit-or-rank",
    "two-matches": "added best",
    "sevens-counted": "three-cards player-cards",
    "upcard-luck-upcard": "upcard-for-all upcard-except-blackjack either-dealer-card",
    "soft-total": "eleven either",
    "super-4-blackjack": "either-card-up ace-up",
    "house-money-ace": "both high low",
    "bad-beat-twenty": "final-total first-two-cards",
    "bad-beat-even": "to for",
    "magic-card-match": "card rank",
    "free-bonus": "added instead",
    "bonus-spin-trigger": "blackjack-any-stake-ace-at-five-dollars blackjack-only",
    "decks-used": "in-play at-table",
    "cap-scope": "lucky-ladies-and-kings-bounty royal-match-and-kings-bounty",
    "buster-table": "A B C D E F",
    "meter-share-deducted": "yes no",
    "several-winners": "in-turn split",
    "designated-suit": "spades hearts diamonds clubs",
    "chosen-suit": "diamonds spades hearts clubs",
}

#: Keys of a paytable that are no outcomes.
RESERVED = ("name", "clause", "decks")


def printed(wager: str, table: str) -> list[str]:
    """The pays of a paytable, a wheel, a community table or the extras, in the order of the TOML file."""
    data = WAGERS[wager]
    if table == "extra":
        return [entry["pays"] for entry in data["extra"]["A"].values()]
    if table in data.get("wheel", {}):
        return list(data["wheel"][table].values())
    for community in data.get("community", {}).values():
        if table == f"${community['stake']} wager, paytable {community['paytables'][0]}":
            return list(community["pays"].values())
    lines = [pay for outcome, pay in data["paytable"][table].items() if outcome not in RESERVED]
    # The free bonus also has the lines of a Buster paytable.
    return [pay for pay in lines if pay.startswith("$")] if wager.endswith("free-bonus") else lines


@pytest.mark.parametrize("table", PAYS)
def test_pays_stand_as_in_the_document(table: str) -> None:
    assert printed(*table.split("/")) == PAYS[table].split(" | ")


def test_every_pay_of_the_document_is_there() -> None:
    assert sum(len(pays.split(" | ")) for pays in PAYS.values()) == 350
    given = {i.removeprefix(PREFIX) for i in IDS}
    in_words = {"insurance/A", "switch/A", "blackjack/3-to-2", "blackjack/6-to-5"}  # §A(1) to (3)
    assert given - set(PAYS) == in_words
    for letter, odds in (("3-to-2", "3 to 2"), ("6-to-5", "6 to 5")):
        lines = WAGERS["blackjack"]["paytable"][letter]
        assert (lines["blackjack"], lines["win"]) == (odds, "1 to 1")
    assert WAGERS["insurance"]["paytable"]["A"]["dealer blackjack"] == "2 to 1"
    assert WAGERS["switch"]["paytable"]["A"]["win"] == "1 to 1"
    assert len(WAGERS) == 38


def test_readings_and_their_primaries() -> None:
    found: dict[str, str] = {}
    for reading in DATA["reading"]:
        choices = " ".join(choice["id"] for choice in reading["choice"])
        assert found.setdefault(reading["id"], choices) == choices
        assert reading["choice"][0]["basis"] in ("text", "sister-clause", "trade-usage")
        assert reading["choice"][0]["patch"] == {}
        assert all(choice["why"].endswith(".") for choice in reading["choice"])
        for pattern in reading["wagers"]:
            assert any(matches(i, PREFIX + pattern) for i in IDS), pattern
    assert found == READINGS


def test_findings_are_whole() -> None:
    findings = DATA["finding"]
    assert len({f["id"] for f in findings}) == len(findings) >= 80
    for finding in findings:
        assert finding["kind"] in ("misprint", "gap", "contradiction", "scan", "figure", "order")
        assert finding["text"][-1] in ".\"", finding["id"]
        for pattern in finding["wagers"]:
            assert any(matches(i, PREFIX + pattern) for i in IDS), (finding["id"], pattern)


def test_paytables_are_tied_to_decks_as_the_document_ties_them() -> None:
    many = (2, 3, 4, 5, 6, 7, 8)
    tied = {i.removeprefix(PREFIX): BOOK.resolve(i).decks for i in IDS if BOOK.resolve(i).decks_tied}
    assert tied == {
        "match-the-dealer/6-decks": (6,), "match-the-dealer/8-decks": (8,),
        "royal-match-21/A": (1,), "royal-match-21/B": (1,),
        "royal-match-21/C": many, "royal-match-21/D": many, "royal-match-21/E": many,
        "bet-the-set-21/A": (1,), "bet-the-set-21/B": (2,),
        "bet-the-set-21/C": many[2:], "bet-the-set-21/D": many[2:],
        "super-match/6-decks": (6,), "super-match/8-decks": (8,),
        "house-money/single-deck": (1,), "house-money/multiple-decks": many,
    }
    at_table = {"decks-used": "at-table"}
    assert BOOK.resolve(PREFIX + "bet-the-set-21/B", at_table).decks == (1, 2)
    assert BOOK.resolve(PREFIX + "royal-match-21/B", at_table).decks == (1,)
    assert BOOK.resolve(PREFIX + "super-match/8-decks", at_table).decks == (4, 8)


def resolved(identifier: str, **reading: str) -> Resolved:
    return BOOK.resolve(PREFIX + identifier, {key.replace("_", "-"): value for key, value in reading.items()})


def returned(item: Resolved, **values: int) -> dict[str, Fraction]:
    """The return of each line, added lines first."""
    known = {name: Fraction(value) for name, value in values.items()}
    return {outcome: pay.returned(known) for outcome, pay in item.payments if set(pay.unknowns) <= set(known)}


@pytest.mark.parametrize(
    ("choice", "amount"),
    [("additional", 1011), ("additional-less-stake", 1010), ("replaces", 1000), ("not-offered", None)],
)
def test_the_crown_treasure(choice: str, amount: int | None) -> None:
    """Royal Match at 10 to 1, bonus at 1,000 for 1: the stake comes back once, or the 1,000 include it."""
    item = resolved("royal-match-21/A", crown_treasure=choice)
    found = returned(item)
    assert found.get("royal match and crown treasure") == amount
    assert found["royal match"] == 11
    assert item.terms.deal.count(",") == (0 if choice == "not-offered" else 1)


def test_matches_are_added_or_the_best_is_paid() -> None:
    assert returned(resolved("match-the-dealer/6-decks")) == {
        "two suited matches": 23, "one suited and one unsuited match": 16, "two unsuited matches": 9,
        "one suited match": 12, "one unsuited match": 5,
    }
    assert list(returned(resolved("match-the-dealer/6-decks", two_matches="best"))) == [
        "one suited match", "one unsuited match",
    ]


@pytest.mark.parametrize("letter", "ABCDEF")
def test_the_free_bonus_lies_on_a_buster_paytable(letter: str) -> None:
    item = resolved("buster-blackjack-free-bonus/A", buster_table=letter)
    below = returned(resolved(f"buster-blackjack/{letter}"))
    found = returned(item, stake=1)
    assert found == {"8 or more cards and player blackjack": 8000, "7 cards and player blackjack": 1000}
    replaced = {name: item.terms.beside.lines[name] for name in found}
    assert list(replaced.values()) == ["8 or more cards", "7 cards"]
    assert {*replaced.values()} <= set(below)
    assert (item.terms.beside.wager, item.terms.beside.table) == ("buster-blackjack", letter)
    assert resolved("buster-blackjack-free-bonus/B", free_bonus="instead").terms.beside.paid == "instead"


def test_even_money_of_a_bare_20() -> None:
    assert returned(resolved("bad-beat-progressive/A"))["player 20"] == 2
    assert returned(resolved("bad-beat-progressive/A", bad_beat_even="for"))["player 20"] == 1


def small_table(item: Resolved) -> Table | None:
    text = item.terms.deal
    deal = deal_of(item) if text else None
    return None if deal is None or deal.by_chart else deal.table(Shoe(3))


#: Columns of Bad Beat, a round of each kind.
BAD_BEAT = {"player_twenty": np.array([0, 1, 1, 1]), "dealer_21_cards": np.array([0, 2, 3, 7])}


@pytest.mark.parametrize("identifier", [i for i in IDS if not BOOK.resolve(i).terms.game])
def test_every_line_is_an_outcome_and_none_stands_below_a_smaller_pay(identifier: str) -> None:
    """All choices of all readings. One exception, a finding: the Crown Treasure stands below a part of itself."""
    for reading in [None, *BOOK.readings_of(identifier)]:
        for choice in reading.computed if reading else [None]:
            item = BOOK.resolve(identifier, {reading.id: choice.id} if reading and choice else {})
            if item.terms.game:
                continue
            table = small_table(item) or Table(BAD_BEAT, np.ones(4, dtype=np.int64), 4, 4)
            masks = masks_of(table, item)
            assert {name for name, _ in item.payments} <= set(masks)
            left = ~np.any([masks[name] for name, _ in item.added] or [np.zeros(len(table), bool)], axis=0)
            known = [(n, p.returned({"stake": Fraction(5)})) for n, p in item.lines if not p.unknowns]
            for i, (name, amount) in enumerate(known):
                for above, smaller in known[:i]:
                    assert smaller >= amount or not (masks[above] & masks[name] & left).any(), (above, name)


def test_every_unknown_is_documented() -> None:
    for identifier in IDS:
        item = BOOK.resolve(identifier)
        named = {name for _, pay in item.lines for name in pay.unknowns}
        for table in item.terms.wheel.values():
            named |= {name for pay in table.values() for name in parse_pay(pay).unknowns}
        named |= {extra.frequency for extra in item.terms.extra.get("A", {}).values()}
        assert named <= set(item.unknowns), identifier


def test_least_resets_of_the_meters() -> None:
    """Ch. 13 §§C, G, I, Q(5), S, U, W; the Lucky Ladies Progressive has none (a finding)."""
    resets = {
        (wager, name): unknown["reset"]
        for wager, data in WAGERS.items() for name, unknown in data.get("unknown", {}).items() if "reset" in unknown
    }
    assert resets == {
        ("bad-beat-progressive", "meter"): "5000",
        ("hit-and-run-progressive", "meter"): "1000",
        ("super-4-progressive", "meter"): {"A": "10000", "B": "50000", "C": "50000"},
        ("super-4-progressive", "star_progressive_meter"): {"D": "50000"},
        ("super-4-progressive", "spade_progressive_meter"): {"D": "5000"},
        ("super-4-progressive", "heart_progressive_meter"): {"D": "500"},
        ("super-4-progressive", "diamond_progressive_meter"): {"D": "300"},
        ("must-hit-progressive", "must_hit_meter"): "250",
        ("bonus-spin-progressive", "fixed_prize_or_merchandise"): {"A": "5000", "C": "10000", "D": "10000"},
        ("bonus-spin-progressive", "progressive"): {"B": "5000"},
        ("blazing-7s-progressive", "mega_progressive"): "10000",
        ("blazing-7s-progressive", "major_progressive"): "5000",
        ("blazing-7s-progressive", "minor_progressive"): "2500",
        ("21-plus-3-progressive", "progressive"): "2000",
    }
    assert WAGERS["blazing-7s-progressive"]["unknown"]["mega_progressive"]["resets"]["no seeds"] == "0"
