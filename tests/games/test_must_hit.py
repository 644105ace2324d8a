"""Must Hit at its limits: values just allowed, the last step to the maximum, the messages of refusal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from combin import analyze
from combin.base.errors import InputError
from combin.games import must_hit

MUST_HIT = "maryland/blackjack/must-hit-progressive/A"


@pytest.mark.parametrize(
    "values",
    [
        {"reset": 100, "maximum": 200, "must_hit_meter": 100},
        {"reset": 100, "maximum": 200, "must_hit_meter": "199.99"},
        {"reset": 250, "maximum": 1000, "must_hit_meter": 250},
    ],
)
def test_a_meter_may_show_the_reset_and_anything_below_the_maximum(values: dict[str, object]) -> None:
    a = analyze(MUST_HIT, decks=1, set=values | {"stake": 1, "contribution_rate": "1%"})
    span = Fraction(int(str(values["maximum"])) - int(str(values["reset"])))
    assert a.outcomes[0].probability == Fraction(1, 50) / span


def test_a_meter_may_be_hit_once_a_round_and_no_more() -> None:
    """A wager raises the meter by half the way from the reset to the maximum."""
    a = analyze(MUST_HIT, decks=1, set={"reset": 100, "maximum": 200, "stake": 50, "contribution_rate": 1})
    assert [o.probability for o in a.outcomes] == [1, 0]
    assert [o.returned for o in a.outcomes] == [150, 0]
    assert a.returned == 150


def test_the_last_step_goes_no_further_than_the_maximum() -> None:
    """The hit is certain, and its point is uniform on the rest of the way."""
    assert must_hit.dollars_at(Fraction(999), Fraction(1000), Fraction(5)) == Fraction(1999, 2)
    assert must_hit.dollars_at(Fraction(999), Fraction(1000), Fraction(1)) == Fraction(1999, 2)
    assert must_hit.dollars_at(Fraction(990), Fraction(1000), Fraction(5)) == Fraction(1, 2) * Fraction(1985, 2)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"reset": 99, "maximum": 5000},
            "set: reset=99 maximum=5000: reset and maximum are below every pair of least amounts "
            "(Ch. 13 §U(2)); give at least one of 250 and 1000, 100 and 500, 100 and 200",
        ),
        (
            {"reset": 200, "maximum": 200},
            "set: reset=200 maximum=200: the maximum 200 is not above the reset 200; give a larger maximum",
        ),
        ({"must_hit_meter": 249}, "set: must_hit_meter cannot be 249; it is between 250 and 1000"),
        (
            {"reset": 100, "maximum": 200, "stake": "50.01", "contribution_rate": 1},
            "set: the meter would be hit more than once per round; give a smaller stake or contribution_rate",
        ),
    ],
)
def test_must_hit_refuses_in_a_sentence(values: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as refused:
        analyze(MUST_HIT, decks=1, set=values)
    assert str(refused.value) == said
