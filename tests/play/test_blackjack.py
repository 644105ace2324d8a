"""`combin strategy` on blackjack: one hand, a chart from a file, the summary."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.pages.blocks import Words
from combin.pages.terminal import render
from combin.play.blackjack import BlackjackAnswer, classes_of
from combin.play.files import read_strategy
from combin.play.strategy import answer, compare, summarize
from combin.verify.blackjack import plain
from combin.views.strategy import part, record, table

ID = "maryland/blackjack/blackjack/3-to-2"
CHART = """
game = "blackjack"
name = "stand on everything"
[hard]
"4 to 21" = "S S S S S S S S S S"
[soft]
"12 to 21" = "S S S S S S S S S S"
"""


def test_one_hand_is_worth_what_a_plain_recursion_says() -> None:
    a = analyze(ID, decks=1)
    found = answer(a, "T 6", upcard="T")
    assert isinstance(found, BlackjackAnswer)
    again = plain(a.game.solution.rules, a.game.solution.counts, 9, 5, 9)
    for name in ("stand", "hit", "double"):
        assert found.values[name] == again[name] / found.no_blackjack
    assert found.values["surrender"] == Fraction(-1, 2)
    assert found.no_blackjack == Fraction(45, 49)


def test_a_hand_of_three_cards_and_insurance() -> None:
    a = analyze(ID, decks=6)
    found = answer(a, "5c 5d 6h", upcard="A")
    assert set(found.values) == {"stand", "hit"}
    # 312 − 4 cards unseen, 96 of them ten-valued.
    assert found.insurance == 3 * Fraction(96, 308) - 1


@pytest.mark.parametrize(
    ("hand", "upcard", "said"),
    [
        ("T 6", "T", "the values assume that the dealer has no blackjack"),
        ("T 6", "A", "the values assume that the dealer has no blackjack"),
        ("T 6", "9", None),
        ("A T", "T", "the values include a dealer's blackjack"),  # which the player's blackjack ties
    ],
)
def test_the_page_of_a_hand_says_what_its_values_assume(hand: str, upcard: str, said: str | None) -> None:
    page = render([part(answer(analyze(ID, decks=1), hand, upcard=upcard))])
    assert ("a dealer's blackjack" in page or "assume" in page) is (said is not None)
    assert said is None or said in page


@pytest.mark.parametrize(
    ("hand", "upcard", "said"),
    [("T", "T", "two cards"), ("T 9 8", "T", "busted"), ("T x", "T", "not a card"), ("T 6", "", "no upcard")],
)
def test_bad_hands_are_refused(hand: str, upcard: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        answer(analyze(ID, decks=1), hand, upcard=upcard)


def test_cards_by_rank_with_or_without_suit() -> None:
    assert classes_of("Kc 10 a 2", "--hand") == [9, 9, 0, 1]


def test_a_chart_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "chart.toml"
    file.write_text(CHART)
    found = compare(analyze(ID, decks=1), [read_strategy(file)])
    assert found.strategies[1].name == "stand on everything"
    assert found.strategies[1].choices["hit"] == 0
    assert found.strategies[1].cost > Fraction(1, 10)


def test_faults_of_a_chart_are_all_told(tmp_path: Path) -> None:
    file = tmp_path / "chart.toml"
    wrong = CHART.replace("\"12 to 21\" = \"S S", "\"12 to 20\" = \"X S")
    file.write_text(wrong + "[pairs]\n\"8-9\" = \"P P P P P P P P P P\"\n")
    with pytest.raises(InputError) as caught:
        read_strategy(file)
    text = str(caught.value)
    assert '"X" against 2' in text
    assert "no row for soft 21" in text
    assert '"8-9" is not a pair' in text


@pytest.mark.slow
def test_the_summary_in_every_form() -> None:
    s = summarize(analyze(ID, decks=1, set={"surrender": 0}))
    names = [v.name for v in s.strategies]
    assert names[:2] == ["optimal play", "best chart by total"]
    assert all(v.cost >= 0 for v in s.strategies)
    assert part(s).parts[0].title == "Best play by total"
    assert part(replace(s, exceptions=())).parts[1].blocks[0] == Words("None.")
    kept = record(s)
    assert kept["chart"]["8-8"] == ["P"] * 10
    rows = table(s).splitlines()
    assert rows[0].startswith("upcard,hand,best,stand,hit,double,split,surrender")
    assert len(rows) == len(kept["hands"]) + 1 > 550
    insured = next(v for v in s.strategies if v.name == "best play, always insured")
    # The upcard is an ace in 1/13 of the rounds; insurance stakes half a wager and wins 3 × 16/51 − 1 a unit.
    assert insured.cost == Fraction(1, 13) * (1 - 3 * Fraction(16, 51)) / 2
    # The estimate rests on share (1 - share) / error² rounds; as many have a split as the exact frequency says.
    estimates = kept["split_estimates"]
    assert set(estimates) == {"wins", "pushes"}
    for found in estimates.values():
        dealt = found["share"] * (1 - found["share"]) / found["standard_error"] ** 2
        share = float(s.analysis.game.choices["split"])
        assert abs(dealt - found["rounds"] * share) < 4.5 * sqrt(found["rounds"] * share * (1 - share))
    assert any("estimate" in fact and "standard error" in fact for _, fact in part(s).blocks[0].items)
