"""The parameters of a paytable, their names, and those that are shown."""

from fractions import Fraction
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.request import Request
from combin.base.errors import InputError
from combin.games.outcome import Outcome
from combin.rulebook import parameters
from combin.rulebook.book import shipped

from ..shared import added

PROGRESSIVE = "maryland/high-card-flush/progressive/A"


def test_a_meter_brings_a_rate_and_a_reset_with_its_name() -> None:
    found = parameters.settings(shipped().resolve(PROGRESSIVE))
    assert found["contribution_rate"].text == "share of each wager that goes to progressive meter, dollars"
    assert found["reset"].text == "what progressive meter, dollars is reset to"


def test_unknowns_are_shown_open_and_a_cap_where_it_is_set() -> None:
    """Ch. 12 §E: a $1 wager and a reset of $30,000. The operator sets the contribution rate and the meter."""
    assert dict(analyze(PROGRESSIVE).parameters) == {
        "stake": 1, "other_players": 0, "contribution_rate": None, "reset": 30_000, "meter": None,
    }  # fmt: skip
    assert analyze(PROGRESSIVE, set={"meter": 7}).parameters["meter"] == 7
    bonus = "maryland/high-card-flush/flush-bonus/A"
    assert dict(analyze(bonus).parameters) == {}
    values = {"stake": 100, "cap": 50_000}
    assert dict(analyze(bonus, set=values).parameters) == values


def test_a_prize_in_dollars_makes_the_stake_a_parameter(tmp_path: Path) -> None:
    wager = "maryland/blackjack/lucky-lucky"
    line = next(iter(shipped().resolve(f"{wager}/A").paytable.lines))[0]
    book, identifier = added(tmp_path, f'[[wager]]\nbased_on = "{wager}"\n[wager.paytable.x]\n"{line}" = "$30"\n')
    assert parameters.names(book.resolve(identifier)) == ("red_side_share", "stake")
    one, five = (analyze(identifier, decks=6, set={"stake": n}, book=book).returned for n in (1, 5))
    assert one == 5 * five
    assert parameters.names(shipped().resolve(f"{wager}/A")) == ("match_play", "red_side_share")


def test_a_value_for_a_wager_that_takes_a_coupon_alone() -> None:
    with pytest.raises(InputError, match='is called "meter"; known: match_play'):
        analyze("maryland/blackjack/insurance/A", decks=6, set={"meter": 1})
    with pytest.raises(InputError, match='is called "metre"; did you mean "meter"'):
        analyze(PROGRESSIVE, set={"metre": 1})


@pytest.mark.parametrize(("returned", "hit"), [("0", False), ("1/2", False), ("1", False), ("3/2", True), ("3", True)])
def test_more_than_the_stake_is_a_hit(returned: str, hit: bool) -> None:
    outcome = Outcome("x", "", 1, Fraction(1), Fraction(returned))
    assert outcome.is_hit is hit


def test_a_request_keeps_to_the_decks_of_the_document() -> None:
    assert not Request(PROGRESSIVE, 1).any_decks
