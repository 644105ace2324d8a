"""Every template, solved: the values that others have published."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

import combin
from combin.analysis.model import Analysis
from combin.userfiles.collected import collect
from combin.userfiles.templates import template, templates


def analysed(name: str, *changes: tuple[str, str], folder: Path) -> Analysis:
    text = template(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text)
    book, (identifier,) = collect([str(path)])
    return combin.analyze(identifier, book=book)


def percent(value: object, digits: int) -> str:
    return f"{float(100 * Fraction(str(value))):.{digits}f}"


def test_every_template_is_a_file_that_is_read() -> None:
    assert templates() == (
        "caribbean-stud", "casino-holdem", "chase-the-flush", "crazy-4-poker", "four-card-poker", "let-it-ride",
        "mississippi-stud", "texas-holdem-bonus", "three-card-poker", "ultimate-texas-holdem",
        "ultimate-three-card-poker")
    paths = [str(files("combin") / "templates" / f"{name}.toml") for name in templates()]
    _, identifiers = collect(paths)
    assert identifiers == [f"house/{name}/base/A" for name in templates()]
    for name in templates():
        assert "as commonly dealt" in template(name).splitlines()[0]


def test_three_card_poker(tmp_path: Path) -> None:
    a = analysed("three-card-poker", folder=tmp_path)
    assert a.deals == 22100 * 18424
    assert percent(a.house_edge, 4) == "3.3730"
    assert round(float(a.standard_deviation), 4) == 1.6393
    assert [w.name for w in a.game.wagers] == ["ante", "play", "ante bonus"]
    assert sum(w.net for w in a.game.wagers) == a.game.expected_value
    # straight flush 48, three of a kind 52, straight 720 of 22,100; every one of them is played
    assert a.game.wagers[2].net == Fraction(48 * 5 + 52 * 4 + 720, 22100)


@pytest.mark.parametrize("pays", [("4 to 1", "3 to 1"), ("3 to 1", "2 to 1")])
def test_other_ante_bonuses(pays: tuple[str, str], tmp_path: Path) -> None:
    a = analysed("three-card-poker", ('"straight flush" = "5 to 1"', f'"straight flush" = "{pays[0]}"'),
                 ('"three of a kind" = "4 to 1"', f'"three of a kind" = "{pays[1]}"'), folder=tmp_path)
    # 48 straight flushes and 52 threes of a kind of 22,100 lose one unit for each unit less that they pay
    less = Fraction(int(pays[0][0]) - 5, 1) * 48 + Fraction(int(pays[1][0]) - 4, 1) * 52
    full = analysed("three-card-poker", folder=tmp_path)
    assert a.game.expected_value - full.game.expected_value == less / 22100


def test_three_card_poker_with_an_exposed_card(tmp_path: Path) -> None:
    a = analysed("three-card-poker", ('dealer = "dealer"', 'dealer = "dealer, upcard"'),
                 ('[[wager.round.street]]\ndeal = "player 3, dealer 3"',
                  '[[wager.round.street]]\ndeal = "player 3, dealer 2, upcard 1"'), folder=tmp_path)
    assert percent(a.house_edge, 4) == "-3.4829"


def test_ultimate_three_card_poker(tmp_path: Path) -> None:
    assert percent(analysed("ultimate-three-card-poker", folder=tmp_path).house_edge, 4) == "3.8807"


def test_let_it_ride_and_what_equal_choices_change(tmp_path: Path) -> None:
    a = analysed("let-it-ride", folder=tmp_path)
    rides = sum(share for name, share in a.game.choices.items() if name.startswith("let it ride"))
    assert percent(a.house_edge, 2) == "3.51"
    assert f"{float(rides):.8f}" == "0.07276018"
    assert (f"{float(a.game.average_wager):.2f}", percent(a.game.element_of_risk, 2)) == ("1.22", "2.86")
    more = analysed("let-it-ride", ('equal_choices = "least stake"   ', 'equal_choices = "greatest stake"'),
                    folder=tmp_path)
    assert more.returned == a.returned
    assert more.game.average_wager > a.game.average_wager


def test_mississippi_stud(tmp_path: Path) -> None:
    a = analysed("mississippi-stud", folder=tmp_path)
    assert percent(a.house_edge, 4) == "4.9149"
    assert (f"{float(a.game.average_wager):.2f}", percent(a.game.element_of_risk, 2)) == ("3.59", "1.37")


def test_mississippi_stud_where_a_straight_pays_five(tmp_path: Path) -> None:
    a = analysed("mississippi-stud", ('"straight" = "4 to 1"', '"straight" = "5 to 1"'), folder=tmp_path)
    assert percent(a.house_edge, 4) == "3.7591"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "figures"), [
    ("caribbean-stud", {"house_edge": ("5.2243", 4), "element_of_risk": ("2.555", 3)}),
    ("crazy-4-poker", {"element_of_risk": ("1.09", 2)}),
    ("four-card-poker", {"house_edge": ("2.79", 2)}),
    ("casino-holdem", {"house_edge": ("2.16", 2)}),
    ("texas-holdem-bonus", {"house_edge": ("2.037", 3)}),
    ("ultimate-texas-holdem", {"house_edge": ("2.185", 3), "element_of_risk": ("0.53", 2)}),
])
def test_published_values_of_long_games(name: str, figures: dict[str, tuple[str, int]], tmp_path: Path) -> None:
    a = analysed(name, folder=tmp_path)
    found = {"house_edge": a.house_edge, "element_of_risk": a.game.element_of_risk}
    for figure, (published, digits) in figures.items():
        assert percent(found[figure], digits) == published, figure
    if name == "caribbean-stud":
        assert (a.deals, a.house_edge * a.deals) == (19_933_230_517_200, 1_041_372_912_372)
    if name == "casino-holdem":
        assert round(100 * a.game.choices["call"]) == 82
    if name == "texas-holdem-bonus":
        assert f"{float(a.game.average_wager):.4f}" == "3.8181"


@pytest.mark.slow
def test_chase_the_flush_is_that_of_its_own_kernel(tmp_path: Path) -> None:
    a = analysed("chase-the-flush", folder=tmp_path)
    assert a.game.expected_value == Fraction(-12033802351, 503364407000)
    own = combin.analyze("maryland/chase-the-flush/base/A")
    assert a.deals == own.deals
    assert a.variance == own.variance
