"""Weights of a wheel for a wanted return: the return is exact, and an unreachable one is refused."""

from fractions import Fraction

import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.analysis.solving import wheel_weights
from combin.analysis.wheels import weights_for
from combin.base.errors import InputError
from combin.cli.commands import cli

CHASE = "maryland/chase-the-flush/progressive/B"
SET = {"progressive": "10000", "stake": "1"}


def test_three_prizes_by_hand() -> None:
    """$10, $20 and $60 have the mean 30. More stops at $10 make it 25; more stops at $60 make it 40."""
    prizes = {"a": Fraction(10), "b": Fraction(20), "c": Fraction(60)}
    assert weights_for(prizes, Fraction(30)) == {"a": 1, "b": 1, "c": 1}
    assert weights_for(prizes, Fraction(25)) == {"a": 2, "b": 1, "c": 1}
    assert weights_for(prizes, Fraction(40)) == {"a": 2, "b": 2, "c": 5}
    with pytest.raises(InputError, match=r"requires an expected prize .* not between the least prize"):
        weights_for(prizes, Fraction(60))


@pytest.mark.parametrize("wanted", [Fraction(85, 100), Fraction(9, 10), Fraction(200)])
def test_the_wheel_with_the_weights_returns_what_was_wanted(wanted: Fraction) -> None:
    weights = wheel_weights(analyze(CHASE, set=SET), wanted)
    assert min(weights.values()) >= 1
    found = analyze(CHASE, set=SET, wheel=weights)
    assert found.returned == wanted
    assert found.standard_deviation is not None


def test_an_open_prize_and_a_wager_without_a_wheel_are_named() -> None:
    with pytest.raises(InputError, match=r"jackpot.* is not set"):
        wheel_weights(analyze(CHASE, set={"stake": "1"}), Fraction(9, 10))
    with pytest.raises(InputError, match="has no wheel"):
        wheel_weights(analyze("maryland/high-card-flush/flush-bonus/A"), Fraction(9, 10))


def test_nothing_is_printed_where_there_are_no_weights() -> None:
    done = CliRunner().invoke(cli, ["solve", CHASE, "weights", "--return", "1000000", "--set", "progressive=10000"])
    assert isinstance(done.exception, InputError)
    assert done.output == ""
