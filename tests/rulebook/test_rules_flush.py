"""The rule data of the four flush documents against a second copy of their tables, made by hand.

The grids below were copied from the documents a second time, without the TOML files.
A slip in either copy shows as a difference.
"""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any

import pytest

from combin.rulebook.pays import parse_pay

MASSACHUSETTS = "massachusetts-high-card-flush"
MARYLAND = "maryland-high-card-flush"
CHASE = "maryland-chase-the-flush"
RECOMMENDED = "chase-the-flush-recommended-rules"

#: Every wager of the documents and the letters of its paytables.
MANIFEST = {
    MASSACHUSETTS: {
        "base": "A",
        "flush-bonus": "ABCDEFGHIJKLMN",
        "straight-flush-bonus": "ABCDEFG",
        "progressive": "ABCD",
    },
    MARYLAND: {
        "base": "A",
        "flush-bonus": "ABCDEFGHIJKLMNO",
        "straight-flush-bonus": "ABCDEFG",
        "progressive": "ABCDE",
    },
    CHASE: {"base": "AB", "same-suit": "ABCD", "progressive": "ABCD"},
    RECOMMENDED: {"base": "AB", "same-suit-bonus": "ABCD"},
}

READINGS = {
    MASSACHUSETTS: {
        "folded-progressive": "forfeited paid",
        "four-card-flush-row": "as-printed as-maryland",
        "discards-and-bonus": "all-seven kept-cards-only",
        "progressive-stake": "gone returned",
        "eight-high-long-flush": "qualifies does-not",
    },
    MARYLAND: {
        "ace-in-straight-flush": "both high",
        "four-of-a-kind": "best-pay straight-flush-first both-paid",
        "progressive-stake": "gone returned",
        "meter-share-deducted": "yes no",
    },
    CHASE: {
        "ace-in-straight-flush": "both from-five-cards five-cards-only high",
        "river-tie": "fold raise",
        "short-flush-ranking": "by-length-then-ranks",
        "five-dollar-symbol": "five-dollars five-to-one",
        "spin-needs-dealer": "no yes",
        "community-pay": "every-spinner every-hand",
        "progressive-stake": "gone returned",
    },
    RECOMMENDED: {"ace-in-straight-flush": "both from-five-cards five-cards-only high", "river-tie": "fold raise"},
}

# Rows as printed; a column is a paytable. "-" where the document prints N/A or has no line.
FLUSH = "seven-card flush", "six-card flush", "five-card flush", "four-card flush"
STRAIGHT = tuple(f"{n}-card straight flush" for n in ("seven", "six", "five", "four", "three"))

MASSACHUSETTS_FLUSH = """
    300 100 200 300 200 500 400 1000 150 150 400 300 500 500
    100  20  20  75  60  50  60   50  20  25 100  80  80 100
     10  10  10   5  12  12  12   10  10  10  10  11  11  10
      1   1   2   2   2   1   1    1   1   2   2   1   1   1
"""
MARYLAND_FLUSH = """
    300 100 200 300 200 500 400 1,000 150 150 400 300 500 500 250
    100  20  20  75  60  50  60    50  20  25 100  80  80 100 100
     10  10  10   5  12  12  12    10  10  10  10  11  11  10  10
      1   2   2   2   1   1   1     1   2   2   1   1   1   1   1
"""
MASSACHUSETTS_STRAIGHT = """
    8000 500 500 1000 500 1000 Bonus
    1000 200 200  500 200  500 Bonus
     100 100 100  100 100  100 Bonus
      60  50  75   75  60   60 Bonus
       7   9   7    7   8    8 Bonus
"""
MARYLAND_STRAIGHT = """
    8,000 500 500 1,000 500 1,000 500
    1,000 200 200   500 200   500 200
      100 100 100   100 100   100 100
       60  50  75    75  60    60  50
        -   -   -     -   -     -  25
        7   9   7     7   8     8   8
"""
MASSACHUSETTS_PROGRESSIVE = """
    100% 100% 100% 100%
     10%  10%  10%  10%
    $250 $750 $300 $800
     $50  $60  $50  $50
      $3    -   $3    -
"""
MARYLAND_PROGRESSIVE = """
    100% 100% 100% 100% 100%
       -    -    - 100% 100%
     10%  10% 100%  10%  10%
    $250 $900 $200 $250 $800
     $40  $50  $40  $40  $50
      $3    -   $3   $3    -
"""
SAME_SUIT = """
    2000   -  500  500
       - 500    -    -
     300 400  400  400
     100   -  200  100
      50  50   50   50
      20  20   20   20
      10   5    5    5
       1   1    1    1
"""
SAME_SUIT_LINES = (
    "six- or seven-card straight flush",
    "five-, six- or seven-card straight flush",
    "seven-card flush",
    "five-card straight flush",
    "six-card flush",
    "four-card straight flush",
    "five-card flush",
    "four-card flush",
)
QUADS = "four of a kind"
SUITED = "suited nine, ten, jack, queen, king, ace"

GRIDS = {
    (MASSACHUSETTS, "flush-bonus"): (FLUSH, MASSACHUSETTS_FLUSH, "{} to 1"),
    (MARYLAND, "flush-bonus"): (FLUSH, MARYLAND_FLUSH, "{} to 1"),
    (MASSACHUSETTS, "straight-flush-bonus"): (STRAIGHT, MASSACHUSETTS_STRAIGHT, "{} to 1"),
    (MARYLAND, "straight-flush-bonus"): ((*STRAIGHT[:4], QUADS, STRAIGHT[4]), MARYLAND_STRAIGHT, "{} to 1"),
    (MASSACHUSETTS, "progressive"): (STRAIGHT, MASSACHUSETTS_PROGRESSIVE, "{} of main meter"),
    (MARYLAND, "progressive"): (
        (STRAIGHT[0], SUITED, *STRAIGHT[1:]),
        MARYLAND_PROGRESSIVE,
        "{} of the meter",
    ),
    (CHASE, "same-suit"): (SAME_SUIT_LINES, SAME_SUIT, "{} to 1"),
    (RECOMMENDED, "same-suit-bonus"): (SAME_SUIT_LINES, SAME_SUIT, "{} to 1"),
}

#: Symbols of the wheels in the document's order. A symbol that names an amount pays it.
WHEELS = {
    "A": ("the fixed prize or merchandise", "1,000 500 200 125 75 60 25 23 15 10 5"),
    "B": ("the progressive", "1,000 500 125 90 60 50 40 28 15 10 5"),
    "C": ("the fixed prize or merchandise", "10,000 5,000 1,000 350 500 150 100 55 65 60 50"),
    "D": ("the progressive", "5,000 2,500 1,000 350 500 150 100 55 60 50 40"),
}
COMMUNITY = {
    "$1 wager, Paytable A": "100+25 50+10 20+3",
    "$1 wager, Paytable B": "100+25 75+15 25+3",
    "$5 wager, Paytable A": "250+100 100+50 40+15",
    "$5 wager, Paytable B": "250+100 100+50 40+15",
}


def load(document: str) -> dict[str, Any]:
    return tomllib.loads((files("combin") / "rules" / f"{document}.toml").read_text("utf-8"))


BOOK = {document: load(document) for document in MANIFEST}


def wager(document: str, name: str) -> dict[str, Any]:
    (found,) = [w for w in BOOK[document]["wager"] if w["id"] == name]
    return found


def lines(document: str, name: str, letter: str) -> list[tuple[str, str]]:
    """The lines of a paytable in their order, without the reserved keys."""
    return [line for line in wager(document, name)["paytable"][letter].items() if line[0] != "clause"]


def cell(text: str, odds: str) -> str:
    if text == "Bonus" or text.startswith("$"):
        return text
    return odds.format(text)


@pytest.mark.parametrize("document", MANIFEST)
def test_every_wager_and_paytable_is_there(document):
    found = {w["id"]: "".join(w["paytable"]) for w in BOOK[document]["wager"]}
    assert found == MANIFEST[document]


@pytest.mark.parametrize(("document", "name"), GRIDS)
def test_pays_equal_the_second_copy(document, name):
    outcomes, grid, odds = GRIDS[document, name]
    rows = [row.split() for row in grid.strip().splitlines()]
    assert len(rows) == len(outcomes)
    for i, letter in enumerate(MANIFEST[document][name]):
        expected = [(o, cell(row[i], odds)) for o, row in zip(outcomes, rows, strict=True) if row[i] != "-"]
        assert lines(document, name, letter) == expected, letter


@pytest.mark.parametrize(
    ("document", "letter", "bonus"),
    [
        (
            CHASE,
            "A",
            [
                *zip(FLUSH, ("250 to 1", "20 to 1", "5 to 1", "1 to 1"), strict=True),
                ("less than a four-card flush", "push"),
            ],
        ),
        (
            CHASE,
            "B",
            [*zip(FLUSH[:3], ("400 to 1", "70 to 1", "7 to 1"), strict=True), ("less than a five-card flush", "push")],
        ),
        (
            RECOMMENDED,
            "A",
            [
                *zip(FLUSH, ("250 to 1", "20 to 1", "5 to 1", "1 to 1"), strict=True),
                ("less than a four-card flush", "push"),
            ],
        ),
        (
            RECOMMENDED,
            "B",
            [
                *zip(FLUSH, ("400 to 1", "70 to 1", "7 to 1", "0 to 1"), strict=True),
                ("less than a four-card flush", "push"),
            ],
        ),
    ],
)
def test_extra_bonus(document, letter, bonus):
    assert lines(document, "base", letter) == [("ante", "1 to 1"), ("all in", "1 to 1"), *bonus]


@pytest.mark.parametrize("document", [MASSACHUSETTS, MARYLAND])
def test_high_card_flush_stakes(document):
    base = wager(document, "base")
    assert lines(document, "base", "A") == [("ante", "1 to 1"), ("raise", "1 to 1")]
    # Two, three and four cards: the ante; five: double; six and seven: triple.
    assert base["options"]["raise_limit"] == [1, 1, 1, 2, 3, 3]


def test_wheels():
    wheels = wager(CHASE, "progressive")["wheel"]
    for letter, (jackpot, amounts) in WHEELS.items():
        expected = [("jackpot", f"100% of {jackpot}"), *((f"${a} symbol", f"${a}") for a in amounts.split())]
        assert list(wheels[letter].items()) == expected, letter
        assert lines(CHASE, "progressive", letter) == [("three suited hole cards", "spin of the wheel")]


def test_community_pays():
    pairs = {label: [pair.split("+") for pair in row.split()] for label, row in COMMUNITY.items()}
    expected = {label: {f"${a} and ${b} symbol": f"${b}" for a, b in row} for label, row in pairs.items()}
    tables = wager(CHASE, "progressive")["community"].values()
    assert {f"${t['stake']} wager, Paytable {t['paytables'][0]}": t["pays"] for t in tables} == expected
    assert {tuple(t["paytables"]) for t in tables} == {("A", "C"), ("B", "D")}


def test_community_symbols_are_on_no_wheel():
    """The finding: the wheel of the same letter has none of the first amounts, except the $40 of B."""
    for label, row in COMMUNITY.items():
        symbols = WHEELS[label[-1]][1].split()
        there = [pair for pair in row.split() if pair.split("+")[0] in symbols]
        assert there == (["40+15"] if label == "$5 wager, Paytable B" else [])
    everywhere = " ".join(amounts for _, amounts in WHEELS.values()).split()
    assert not {"250", "20", "3"} & set(everywhere)


def test_meters():
    massachusetts = wager(MASSACHUSETTS, "progressive")["unknown"]["main_meter"]
    assert massachusetts["reset"] == "10000"
    assert massachusetts["contribution"] == dict(zip("ABCD", ("24%", "23%", "21%", "25%"), strict=True))
    assert massachusetts["secondary"] == dict(zip("ABCD", ("2%", "2%", "5%", "5%"), strict=True))
    maryland = wager(MARYLAND, "progressive")["unknown"]["meter"]
    assert maryland["reset"] == {"A": "30000", "B": "30000", "C": "5000", "D": "30000", "E": "25000"}
    for letter in "ABCDE":
        whole = [o for o, pay in lines(MARYLAND, "progressive", letter) if pay.startswith("100%")]
        assert maryland["resets_on"][letter] == whole
    unknown = wager(CHASE, "progressive")["unknown"]
    assert unknown["fixed_prize_or_merchandise"]["reset"] == {"A": "5000", "C": "10000"}
    assert unknown["progressive"]["reset"] == {"B": "5000", "D": "10000"}


def test_envy():
    assert wager(MARYLAND, "progressive")["envy"] == {
        "C": {"seven-card straight flush": "$200", "six-card straight flush": "$200"},
        "D": {"seven-card straight flush": "$250"},
        "E": {"seven-card straight flush": "$250"},
    }


def test_stakes():
    assert wager(MASSACHUSETTS, "progressive")["setting"]["stake"] | {"text": "", "clause": ""} == {
        "default": "1",
        "fixed": True,
        "clause": "",
        "text": "",
    }
    assert wager(MARYLAND, "progressive")["setting"]["stake"]["default"] == "1"
    assert "default" not in wager(CHASE, "progressive")["setting"]["stake"]


def test_the_shifted_row_is_marylands():
    """The four-card flush row of Massachusetts is that of Maryland, shifted right by one column."""
    massachusetts = MASSACHUSETTS_FLUSH.split("\n")[4].split()
    maryland = MARYLAND_FLUSH.split("\n")[4].split()
    assert massachusetts[1:] == maryland[:13]
    columns_of = zip("ABCDEFGHIJKLMN", massachusetts, maryland[:14], strict=True)
    different = [letter for letter, a, b in columns_of if a != b]
    assert different == ["B", "E", "I", "K"]
    (reading,) = [r for r in BOOK[MASSACHUSETTS]["reading"] if r["id"] == "four-card-flush-row"]
    assert reading["wagers"] == [f"flush-bonus/{letter}" for letter in different]
    pays = dict(zip("ABCDEFGHIJKLMNO", maryland, strict=True))
    patched = {letter: {"four-card flush": f"{pays[letter]} to 1"} for letter in different}
    assert reading["choice"][1]["patch"]["pays"] == patched


@pytest.mark.parametrize("document", MANIFEST)
def test_pays_parse_and_fall(document):
    """Every pay can be read, pays never rise from line to line, and named unknowns are documented."""
    for w in BOOK[document]["wager"]:
        named = set()
        for letter in w["paytable"]:
            pays = [parse_pay(text, outcome) for outcome, text in lines(document, w["id"], letter)]
            odds = [pay.odds for pay in pays[2 if w["id"] == "base" else 0 :] if not pay.unknowns]
            assert odds == sorted(odds, reverse=True)
            prizes = [pay.dollars for pay in pays if pay.dollars]
            assert prizes == sorted(prizes, reverse=True)
            named |= {name for pay in pays for name in pay.unknowns}
        for wheel in w.get("wheel", {}).values():
            named |= {name for text in wheel.values() for name in parse_pay(text).unknowns}
        assert named == set(w.get("unknown", {}))


@pytest.mark.parametrize("document", MANIFEST)
def test_readings(document):
    found = {r["id"]: " ".join(c["id"] for c in r["choice"]) for r in BOOK[document]["reading"]}
    assert found == READINGS[document]
    for reading in BOOK[document]["reading"]:
        primary, *others = reading["choice"]
        assert primary["patch"] == {}
        assert primary["basis"] in ("text", "sister-clause", "trade-usage")
        assert all(choice["patch"] for choice in others)
        assert all(choice["why"] for choice in reading["choice"])
        assert reading["question"].endswith("?")


@pytest.mark.parametrize("document", MANIFEST)
def test_findings_and_globs(document):
    head = BOOK[document]["document"]
    ids = [f"{w['id']}/{p}" for w in BOOK[document]["wager"] for p in w["paytable"]]
    findings = BOOK[document]["finding"]
    assert head["id"] == document
    assert re.fullmatch(r"[0-9a-f]{64}", head["sha256"])
    names = [f["id"] for f in findings]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    assert {f["kind"] for f in findings} <= {"misprint", "gap", "contradiction", "scan", "figure", "order"}
    assert all(f["clause"] and f["text"].endswith(".") for f in findings)
    for entry in (*findings, *BOOK[document]["reading"], *BOOK[document].get("cap", ())):
        for pattern in entry["wagers"]:
            assert any(fnmatchcase(i, pattern) for i in ids), pattern


@pytest.mark.parametrize("document", MANIFEST)
def test_outcomes_are_stated(document):
    """Under all choices of all readings, every listed or added line is an outcome of the wager."""
    checked = 0
    for w in BOOK[document]["wager"]:
        if "game" in w:
            continue
        patches = [{}] + [
            choice["patch"]
            for reading in BOOK[document]["reading"]
            if any(fnmatchcase(f"{w['id']}/{p}", g) for p in w["paytable"] for g in reading["wagers"])
            for choice in reading["choice"]
        ]
        for patch in patches:
            known = w["outcome"] | patch.get("outcome", {})
            listed = {outcome for p in w["paytable"] for outcome, _ in lines(document, w["id"], p)}
            assert listed | set(patch.get("added", {})) <= set(known)
            assert {part for parts in patch.get("added", {}).values() for part in parts} <= listed
            checked += 1
    assert checked >= 2
