"""Names mean nothing: a wager whose outcomes, roles and id have other names has the same figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from combin.analysis.engine import analyze
from combin.analysis.liability import exposure
from combin.analysis.long_run import free_bonus
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.progressives.winners import winners
from combin.rulebook.book import Rulebook, shipped, source
from combin.rulebook.parameters import meters

from ..shared import analysed, wager_file

UPCARD = wager_file("player 2, upcard 1", {
    "<sevens>": ('suited(player + upcard) and count(player + upcard, "7") == 3', "100% of the meter"),
    "<21>": ("suited(player + upcard) and total(player + upcard) == 21", "10% of the meter"),
    "<any 21>": ("total(player + upcard) == 21", "3 to 1"),
}, decks=(6,), more="""#shared#
meter_options = { winners = "in-turn", share_deducted = "yes" }
[wager.setting.stake]
default = "1"
[wager.unknown.meter]
reset = "1000"
resets_on = ["<sevens>"]
contribution = { A = "20%" }
""")
BOARD = wager_file("player 2, board 1, upcard 1", {
    "<three>": ("same_rank(player + board)", "30 to 1"),
    "<pair>": ('pair(player) and count(upcard, "A") == 0', "4 to 1"),
    "<suits>": ('highest(player) == "A"', "1 to 1"),
}, decks=(2,), more="#shared#\n")
ENVY = wager_file("player 3", {
    "<straight flush>": ("straight_flush(player)", "40 to 1"), "<flush>": ("suited(player)", "4 to 1"),
}, more="""[wager.setting.stake]
default = "1"
[wager.setting.other_players]
default = "3"
[wager.envy.A]
"<straight flush>" = "$5"
""")
#: Names that once meant something: the end of another line, an addition, a word of combin.
NAMES = {"sevens": "21, any 21", "21": "any 21", "any 21": "loss, any 21", "three": "x, suits", "pair": "envy bonus, x",
         "suits": "suits", "straight flush": "community pay, flush", "flush": "not a straight flush"}  # fmt: skip
ROLES = {"player": "upper deck", "upcard": "window", "board": "dealt to all"}


def renamed(text: str) -> str:
    roles = [role for role in ("upcard", "board") if role in text.split("decks")[0]]
    text = text.replace("#shared#", f"shared = {[ROLES[role] for role in roles]}".replace("'", '"'))
    head, _, rest = text.partition("decks")
    for role, new in ROLES.items():
        head = head.replace(f"{role} ", f"{new} ")
        rest = re.sub(rf"\b{role}\b", new.replace(" ", "_"), rest)
    text = re.sub("<(.*?)>", lambda match: NAMES[match[1]], f"{head}decks{rest}")
    return re.sub('id = ".*"', 'id = "elsewhere/chase-the-flush/x"', text)


def figures(a: Analysis) -> Mapping[str, Any]:
    cost = exposure(a)
    assert cost is not None
    return {
        "rows": [(o.pays, o.probability, o.returned) for o in a.outcomes],
        "return": a.returned,
        "variance": a.variance if a.progressive is None else None,
        "additions": [(x.kind, x.times, x.probability, x.contribution) for x in a.additions],
        "long run": a.progressive and a.progressive.long_run,
        "winners": [winners(a, m, 2) for m in meters(a.resolved)],
        "liability": (cost.seats, cost.most, cost.exact, [n for _, n in cost.hands]),
    }


@pytest.mark.parametrize("text", [UPCARD, BOARD, ENVY], ids=["upcard", "board", "envy"])
def test_other_names_give_the_same_figures(text: str, tmp_path: Path) -> None:
    plain = analysed(tmp_path, re.sub("<(.*?)>", r"\1", text))
    other = analysed(tmp_path, renamed(text))
    assert {o.outcome for o in plain.outcomes} != {o.outcome for o in other.outcomes}
    assert figures(other) == figures(plain)


def test_seats_share_the_upcard(tmp_path: Path) -> None:
    """Six decks have six sevens of a suit: under one of them two seats have a pair of the others, five a suited 21."""
    text = re.sub("<(.*?)>", r"\1", UPCARD)
    text = text.replace("100% of the meter", "200 to 1").replace("10% of the meter", "20 to 1")
    text = re.sub(r"meter_options.*\n|\[wager.unknown.meter\]\n(.*\n){3}", "", text)
    cost = exposure(analysed(tmp_path, text))
    assert cost is not None
    assert (cost.most, cost.exact) == (2 * 200 + 5 * 20, True)


def test_two_seats_share_the_board(tmp_path: Path) -> None:
    """A meter for three of a kind with the board's card: two seats win with four of the other seven of its rank."""
    text = re.sub("<(.*?)>", r"\1", BOARD).replace('"30 to 1"', '"100% of the meter"').replace(
        "[wager.paytable.A]", '[wager.unknown.meter]\nreset = "50"\nresets_on = ["three"]\n'
        'contribution = { A = "5%" }\n[wager.setting.stake]\ndefault = "1"\n[wager.paytable.A]')
    a = analysed(tmp_path, text)
    (meter,) = meters(a.resolved)
    law = winners(a, meter, 2)
    assert law is not None
    both = sum((p for counts, p in law.distribution.items() if counts[0] == 2), Fraction(0))
    assert both == Fraction(comb(7, 2) * comb(5, 2), comb(103, 2) * comb(101, 2))


def test_a_comma_in_a_name_resets_no_meter(tmp_path: Path) -> None:
    """60 pairs of suited aces of C(312, 2) reset the meter; the other 216 · 11 are paid odds."""
    a = analysed(tmp_path, wager_file("player 2", {
        "aces": ('suited(player) and count(player, "A") == 2', "100% of the meter"),
        "unsuited, aces": ('count(player, "A") == 2', "10 to 1"),
    }, decks=(6,), more="""meter_options = { winners = "in-turn", share_deducted = "yes" }
[wager.setting.stake]
default = "1"
[wager.unknown.meter]
reset = "100"
resets_on = ["aces"]
contribution = { A = "20%" }
"""))
    assert a.progressive is not None
    assert a.progressive.meters[0].hit == Fraction(60, comb(312, 2))
    long_run = Fraction(11 * 216, comb(312, 2)) + Fraction(1, 5) + 100 * Fraction(60, comb(312, 2))
    assert a.progressive.long_run == long_run == Fraction(7533, 20215)


def document(*names: tuple[str, str]) -> Rulebook:
    """Maryland's blackjack with other names."""
    text = source("maryland-blackjack").decode()
    for old, new in names:
        assert old in text
        text = text.replace(old, new)
    book = Rulebook()
    book.add_document(text.encode(), "maryland-blackjack.toml")
    return book


def test_the_first_seat_is_the_first_hand_that_is_not_shared() -> None:
    """The KK wager on a role "upper deck": the first card of a double shoe is as often red as before."""
    after = source("maryland-blackjack").decode().partition('id = "kk"')[2]
    wager, mark, _ = after.partition("[[wager]]")
    other = re.sub(r"\bplayer\b", "upper_deck", wager).replace('deal = "upper_deck', 'deal = "upper deck')
    book = document((wager + mark, other + mark))
    red = {"red_side_share": "1/3"}
    a, b = (analyze("maryland/blackjack/kk/A", decks=6, set=red, book=x) for x in (shipped(), book))
    assert [o.probability for o in a.outcomes] == [o.probability for o in b.outcomes]
    assert a.returned != analyze("maryland/blackjack/kk/A", decks=6).returned


def test_a_promotion_replaces_the_line_that_its_document_names() -> None:
    identifier, other = "maryland/blackjack/buster-blackjack-free-bonus/A", {"free-bonus": "instead"}
    names = ("8 or more cards and player blackjack", "any 21, loss"), ("7 cards and player blackjack", "7 cards x")
    book = document(*names)
    a, b = (free_bonus(analyze(identifier, decks=6, reading=other, book=x)) for x in (shipped(), book))
    assert a is not None
    assert b is not None
    assert a.together == b.together


@pytest.mark.parametrize("name", ["loss", "not staked"])
def test_names_of_what_is_not_paid_are_reserved(name: str, tmp_path: Path) -> None:
    text = re.sub("<(.*?)>", r"\1", ENVY).replace('"flush"', f'"{name}"')
    with pytest.raises(InputError, match=f'"{name}" is a reserved word'):
        analysed(tmp_path, text)
