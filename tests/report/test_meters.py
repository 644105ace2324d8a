"""The meters of a report by the number of seats."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest

from combin.base.errors import InputError
from combin.report import render

from .reports import FLUSH, METER, report_on


def test_a_meter_by_seats() -> None:
    """Straight flushes of seven and of six cards win the whole meter; the second winner has the reset."""
    made = report_on("maryland/high-card-flush/progressive/C", set={"contribution_rate": "20%"}, seats=2)
    cycles = [row.cycle for row in made.sections[0].by_seats]
    one, two = (cycle.distribution for cycle in cycles)
    hit = Fraction(4 * 8 + 4 * (9 * 46 - 16), comb(52, 7))
    assert (one.seats, one.hit, one.several, one.second) == (1, hit, 0, None)
    assert one.mean == 5000 + Fraction(1, 5) / hit
    assert two.hit == 2 * hit - two.several
    assert two.second == 5000
    # The other seat's straight flush earns $200 too.
    assert cycles[0].always == cycles[1].always - 200 * hit == made.sections[0].analysis.progressive.long_run
    assert b"### The meter by seats" in render(made, "markdown")
    assert report_on("maryland/high-card-flush/progressive/C").sections[0].by_seats == ()


def test_seats_are_for_meters() -> None:
    with pytest.raises(InputError, match="seats: none of these paytables is a progressive with a stake"):
        report_on(FLUSH, seats=2)
    with pytest.raises(InputError, match="the meter cycle depends on contribution_rate; set it"):
        report_on(METER, seats=2)


def test_the_meter_by_seats_counts_envy_bonuses() -> None:
    """Each further seat's hand earns $200 for a straight flush of six or seven cards: the same part each."""
    (s,) = report_on("maryland/high-card-flush/progressive/C", set={"contribution_rate": "20%"}, seats=6).sections
    returns = [row.cycle.always for row in s.by_seats]
    straight_flushes = {line.outcome: line.probability for line in s.lines}
    each = 200 * (straight_flushes["seven-card straight flush"] + straight_flushes["six-card straight flush"])
    assert [after - before for before, after in pairwise(returns)] == [each] * 5
    assert f"{float(returns[5]):.6f}" == "0.728556"
    assert "Envy bonus for another player's hand" in render(report_on("maryland/high-card-flush/progressive/C"),
                                                            "markdown").decode()
