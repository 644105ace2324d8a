"""The contribution rate, the reset and the stake that give a progressive a wanted long-run return."""

from fractions import Fraction
from math import comb

import pytest

from combin.analysis.engine import analyze
from combin.base.errors import InputError

ID = "maryland/high-card-flush/progressive/C"
MUST_HIT = "maryland/blackjack/must-hit-progressive/A"
#: A six- or seven-card straight flush resets the meter of table C. A suit has 8 runs of seven and 9 of six.
HIT = Fraction(4 * 8 + 4 * (9 * 46 - 16), comb(52, 7))


def test_the_rate_makes_up_what_fixed_pays_and_seed_leave() -> None:
    a = analyze(ID)
    rate = a.solve("contribution_rate", Fraction(85, 100), long_run=True)
    assert rate == Fraction(85, 100) - a.progressive.fixed - 5000 * HIT
    assert analyze(ID, set={"contribution_rate": rate}).progressive.long_run == Fraction(85, 100)


def test_the_seed_likewise() -> None:
    a = analyze(ID, set={"contribution_rate": "20%"})
    reset = a.solve("reset", Fraction(85, 100), long_run=True)
    assert reset == (Fraction(85, 100) - Fraction(20, 100) - a.progressive.fixed) / HIT


def test_a_share_that_is_not_deducted_counts_at_the_mean_meter() -> None:
    name, reading = "maryland/blackjack/super-4-progressive/A", {"meter-share-deducted": "no"}
    a = analyze(name, decks=6, reading=reading, set={"contribution_rate": "20%"})
    reset = a.solve("reset", Fraction(9, 10), long_run=True)
    assert a.replace(set={"reset": reset}).progressive.long_run == Fraction(9, 10)


@pytest.mark.parametrize(
    ("name", "parameter", "wanted", "told"),
    [
        (ID, "contribution_rate", "10", "at most 1 is allowed"),
        (ID, "contribution_rate", "1/10", "would have to be -.*, below zero"),
        (ID, "reset", "9/10", "the long-run return also depends on contribution_rate; set it"),
        ("massachusetts/high-card-flush/progressive/A", "contribution_rate", "9/10",
         r"contribution_rate is fixed \(§11\(f\)\)"),
        ("maryland/high-card-flush/flush-bonus/A", "stake", "9/10", "has no meter, hence no long-run return"),
        ("maryland/chase-the-flush/progressive/B", "reset", "9/10", "depends on the weights of the wheel; give them"),
        ("maryland/blackjack/blazing-7s-progressive/A", "mega_progressive_reset", "9/10",
         "major_progressive_contribution_rate, mega_progressive_contribution_rate, .*; set them: "),
        (MUST_HIT, "maximum", "9/10", "are already those of the long run; omit"),
    ],
)
def test_what_cannot_be_solved_is_said(name: str, parameter: str, wanted: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        analyze(name, decks=6 if "/blackjack/" in name else 1).solve(parameter, Fraction(wanted), long_run=True)


def test_the_return_at_a_meter_names_the_long_run_instead() -> None:
    with pytest.raises(InputError, match="its long-run return does; add long_run"):
        analyze(ID).solve("contribution_rate", Fraction(85, 100))


@pytest.mark.parametrize(
    ("parameter", "wanted", "value"),
    [
        # rate x stake x (reset + maximum) / (maximum - reset) dollars a round, one cent to the meter
        ("maximum", "1/50", 750),
        ("reset", "1/50", Fraction(1000, 3)),
        ("stake", "1/50", Fraction(6, 5)),
        ("contribution_rate", "1/50", Fraction(12, 1000)),
        # the next round from x: 0.01 / (1000 - x) x (x + 0.005)
        ("must_hit_meter", "1/50", Fraction(1333330, 2000)),
    ],
)
def test_must_hit_is_solved_in_dollars(parameter: str, wanted: str, value: int | Fraction) -> None:
    a = analyze(MUST_HIT, decks=6, set={"stake": 1, "contribution_rate": "1%"})
    assert a.solve(parameter, Fraction(wanted)) == value


@pytest.mark.parametrize(
    ("parameter", "wanted", "told"),
    [
        ("must_hit_meter", "1000", "the next round would take a meter of .* to its maximum"),
        ("reset", "1/90", "below every pair of least amounts"),
    ],
)
def test_must_hit_refuses_what_its_document_does(parameter: str, wanted: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        analyze(MUST_HIT, decks=6, set={"stake": 1, "contribution_rate": "1%"}).solve(parameter, Fraction(wanted))


@pytest.mark.parametrize(
    ("parameter", "dollars", "told"),
    [
        ("maximum", "1/100", "no maximum of 0 or more gives 1/100 dollars per round; choose more dollars"),
        ("contribution_rate", "2", "be 6/5 ≈ 1.2.* for 2 dollars per round; at most 1 is allowed; at 1 they are 5/3"),
        ("reset", "100000", "would be hit more than once per round; choose fewer dollars"),
    ],
)
def test_must_hit_gives_dollars_that_it_may_give(parameter: str, dollars: str, told: str) -> None:
    """A round pays rate × (maximum + reset) ÷ (maximum - reset) dollars: 5/3 of the rate with 250 and 1,000."""
    a = analyze(MUST_HIT, decks=6, set={"stake": 1, "contribution_rate": "5%"})
    with pytest.raises(InputError, match=told):
        a.solve(parameter, Fraction(dollars))


def test_must_hit_is_solved_for() -> None:
    a = analyze(MUST_HIT, decks=6, set={"stake": 1, "contribution_rate": "5%"})
    assert a.solve("maximum", Fraction(1, 10)) == 750
    assert a.solve("reset", Fraction(1, 10)) == Fraction(1000, 3)
    assert a.solve("contribution_rate", Fraction(1, 10)) == Fraction(6, 100)
