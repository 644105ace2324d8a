"""Blackjack Switch for players: charts from files, Super Match in dollars, refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from combin.base.errors import InputError
from combin.games.blackjack_switch.super_match import SuperMatchLine, SuperMatchPlay
from combin.games.model import Estimate
from combin.pages.blocks import Number
from combin.play.blackjack import BlackjackStrategy
from combin.play.blackjack_switch import SuperMatchWagers
from combin.play.files import read_strategy
from combin.play.together import together
from combin.rulebook.book import shipped
from combin.views.strategy import part, record, table

SWITCH = "maryland/blackjack/switch/A"
CHART = """
game = "blackjack-switch"
name = "Stand"
[hard]
"4 to 21" = "S S S S S S S S S S"
[soft]
"12 to 21" = "S S S S S S S S S S"
"""


def analysis() -> Any:
    return SimpleNamespace(book=shipped(), id=SWITCH, resolved=shipped().resolve(SWITCH), cap=None, decks=6)


def test_a_chart_is_written_as_in_blackjack(tmp_path: Path) -> None:
    path = tmp_path / "chart.toml"
    path.write_text(CHART)
    own = read_strategy(path)
    assert (own.game, own.name) == ("blackjack-switch", "Stand")
    assert isinstance(own, BlackjackStrategy)
    assert {letter for row in own.chart.hard for letter in row} == {"S"}
    path.write_text(CHART.replace('"S S', '"S X', 1))
    with pytest.raises(InputError, match='"X" against 3 is not a play'):
        read_strategy(path)


@pytest.mark.parametrize("bonus", ["lucky-ladies/A", "insurance/A"])
def test_side_bets_on_other_cards_are_refused(bonus: str) -> None:
    with pytest.raises(InputError, match=r"is not settled on the four cards of the two hands.*name super-match"):
        together(analysis(), f"maryland/blackjack/{bonus}")


def joined(variance: Estimate | None) -> SuperMatchWagers:
    """A round wins or loses a wager with probability 1/2 each. A bet beside it pays 3 to 1 with probability 1/4."""
    lines = (SuperMatchLine("pair", Fraction(3), Fraction(1, 4), Fraction(1, 2)),
             SuperMatchLine("loss", Fraction(-1), Fraction(3, 4), Fraction(-1, 6)))
    both = SuperMatchPlay(Fraction(0), Fraction(0), Fraction(3), Fraction(1, 2), lines)
    return SuperMatchWagers(SWITCH, "maryland/blackjack/super-match/6-decks", 6, Fraction(5), Fraction(2), both,
                            variance)


def test_dollars_of_a_round_with_super_match() -> None:
    b = joined(Estimate(Fraction(1), Fraction(1, 100), "some rounds"))
    assert b.expected == 0
    assert b.deviation is not None
    square = 25 * 1 + 4 * 3 + 2 * 5 * 2 * Fraction(1, 2)
    # The root is cut after twelve decimals.
    assert b.deviation.value**2 <= square < (b.deviation.value + Fraction(1, 10**12)) ** 2
    # The error of the square is twice the deviation times its error.
    assert 2 * b.deviation.value * b.deviation.error == Fraction(25, 100)
    assert b.correlation is not None
    assert abs(b.correlation**2 - Fraction(1, 4) / 3) < Fraction(1, 10**20)


def test_what_is_shown_of_super_match() -> None:
    known, open_ = (part(joined(v)).blocks for v in (Estimate(Fraction(1), Fraction(1, 100), "some rounds"), None))
    assert ("covariance", Number("0.50000000", "1/2")) in known[1].rows
    assert known[2].text == "± is a standard error; the estimate: some rounds."
    assert any("±" in figure for _, figure in known[1].rows if isinstance(figure, str))
    assert len(open_) == 2
    assert all(isinstance(figure, Number) for _, figure in open_[1].rows)
    assert record(joined(None))["estimates"] == {}
    assert record(joined(None))["covariance"]["exact"] == "1/2"
    assert table(joined(None)).splitlines()[1] == "pair,3,1/4,1/2"
