"""Must Hit (blackjack Ch. 13 §T, §U): a meter that is won at a random point before it reaches its maximum.

The document does not state the distribution of the hidden hit point. **Assumption**: it is uniform
between reset and maximum, and drawn anew after each hit. The meter rises by its share of
every qualifying wager. It is won when it passes the point, and pays its amount at that moment.
In the long run the mean contribution between hits is (M − R) / 2, and the mean prize
is (R + M) / 2; both are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..base.errors import fault
from ..base.exact import Exact, is_number, ratio, simplify, value_of
from ..rulebook import parameters
from ..rulebook.book import Resolved
from ..rulebook.pays import LOSS
from .model import Game, Situation, SolvedGame
from .outcome import Outcome

ASSUMPTION = (
    "the hidden hit point is uniform between reset and maximum, and the excess goes to the next meter: "
    "an assumption, the document states no distribution"
)
WINNER = "random winner"
METER = "must_hit_meter"


def is_one(resolved: Resolved) -> bool:
    """Return whether the wager is such a promotion."""
    return resolved.terms.game == MustHit.name


def worth(values: Mapping[str, Exact | None], *, next_round: bool) -> Exact:
    """Return the dollars of a round in the long run, or of the next round if it leaves the meter below the maximum."""
    reset, maximum = value_of(values, "reset"), value_of(values, "maximum")
    if next_round:
        return dollars_below(value_of(values, METER), maximum, into_meter(values))
    return simplify(hits_per_round(reset, maximum, into_meter(values)) * mean_prize(reset, maximum))


def hits_per_round(reset: Exact, maximum: Exact, into_meter: Exact) -> Exact:
    """Return the long-run frequency of a hit per round, if each wager raises the meter by ``into_meter`` dollars."""
    return simplify(2 * into_meter / (maximum - reset))


def mean_prize(reset: Exact, maximum: Exact) -> Exact:
    """Return the mean prize of a hit, in dollars."""
    return simplify((reset + maximum) / 2)


def dollars_at(meter: Fraction, maximum: Fraction, into_meter: Fraction) -> Fraction:
    """Return the dollars of the next wager with the meter at ``meter``: the meter is won if it passes the hit point."""
    return Fraction(dollars_below(meter, maximum, min(into_meter, maximum - meter)))


def dollars_below(meter: Exact, maximum: Exact, rise: Exact) -> Exact:
    """Return the dollars of the next wager if its ``rise`` does not take the meter beyond the maximum."""
    return simplify(rise / (maximum - meter) * (meter + rise / 2))


def into_meter(values: Mapping[str, Exact | None]) -> Exact:
    """Return the dollars of one wager that go to the meter."""

    return value_of(values, "contribution_rate") * value_of(values, "stake")


def check(resolved: Resolved, values: Mapping[str, Exact | None]) -> tuple[Fraction, Fraction]:
    """Return reset and maximum; raise `InputError` if they are below every pair of least amounts or not ascending."""
    reset, maximum = values["reset"], values["maximum"]
    assert isinstance(reset, Fraction)
    assert isinstance(maximum, Fraction)
    place = f"reset={reset} maximum={maximum}"
    if maximum <= reset:
        raise fault(f"the maximum {maximum} is not above the reset {reset}", "give a larger maximum",
                    file=parameters.FLAG, place=place)
    pairs = [(ratio(least.reset), ratio(least.maximum)) for least in resolved.terms.limits.values()]
    if not any(reset >= least and maximum >= most for least, most in pairs):
        allowed = ", ".join(f"{least} and {most}" for least, most in pairs)
        clause = resolved.unknowns["must_hit_meter"].clause
        raise fault(f"reset and maximum are below every pair of least amounts ({clause})",
                    f"give at least one of {allowed}", file=parameters.FLAG, place=place)
    meter = values.get("must_hit_meter")
    if meter is not None and not reset <= meter < maximum:
        raise fault(f"must_hit_meter cannot be {meter}", f"it is between {reset} and {maximum}", file=parameters.FLAG)
    return reset, maximum


class MustHit(Game):
    """A promotion: a meter that is won at a random point, in dollars of one player's round."""

    name = "must-hit"
    decisions = False
    unit = "dollar"
    remark = ("assumption", ASSUMPTION)
    second_way = "combin.verify.meter"

    def lines(self, resolved: Resolved) -> tuple[str, ...]:
        return (WINNER,)

    def play(self, situation: Situation) -> SolvedGame:
        """Return the rows of a hit and of no hit."""
        resolved, values = situation.resolved, situation.values
        reset, maximum = check(resolved, values)
        chance = hits_per_round(reset, maximum, into_meter(values))
        if is_number(chance) and chance > 1:
            raise fault("the meter would be hit more than once per round", "give a smaller stake or contribution_rate",
                        file=parameters.FLAG)
        ((line, pay),) = resolved.lines
        return SolvedGame((
            Outcome(line, pay.text, None, chance, mean_prize(reset, maximum), pay),
            Outcome(LOSS, LOSS, None, simplify(1 - chance), Fraction(0)),
        ))


GAME = MustHit()
