"""How many seats of one round hit a meter: the joint law of the hands of a table.

Where the hands of the seats are known together, the chance that the first i seats reset the meter and the next j take a
share of each size is counted exactly; the distribution of the numbers follows by inclusion and exclusion. Seats share
the dealer's cards, so that a meter on the dealer's hand is hit by all seats or by none. Elsewhere the number of winners
is not computed: `combin simulate` deals the rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import Any

from ..analysis.outcome import Outcome
from ..analysis.record import AnalysisRecord
from ..analysis.seat_hands import Counts, together
from ..base.errors import fault
from ..deals.deal_kinds import PlayedByChart
from ..rulebook.parameters import Meter
from ..wagers.wager_outcomes import deal_of
from . import long_run

#: Seats of Bad Beat whose hands are counted together when they are played out: three seats have
#: 200,000 hands and take seconds, four have a million and are not computed.
EXACT_TWENTIES = 3


@dataclass(frozen=True)
class Winners:
    """The law of a round of ``seats``: (seats that reset the meter, seats that take a share, by size) to probability.

    ``sizes`` are those of the shares that leave the meter without a reset; one size stands where there is none.
    """

    seats: int
    law: Mapping[Counts, Fraction]
    sizes: tuple[Fraction, ...]

    @property
    def hit(self) -> Fraction:
        """The probability of at least one hit in a round."""
        return sum((p for counts, p in self.law.items() if counts[0]), Fraction(0))

    @property
    def several(self) -> Fraction:
        """The probability that two seats or more hit in one round."""
        return sum((p for counts, p in self.law.items() if counts[0] > 1), Fraction(0))


def most_seats(a: AnalysisRecord) -> int | None:
    """The seats of a table; None where no document states them."""
    return a.resolved.stated_seats


def winners(a: AnalysisRecord, meter: Meter, seats: int) -> Winners | None:
    """Distribution of the seats that hit the meter, and that take a share without a reset, in one round.

    Returns None where the hands of that number of seats are not counted together.
    """
    sizes = tuple(sorted({s for o in a.outcomes if o.probability and (s := share_of(a, meter, o))})) or (Fraction(0),)
    one = [sum((Fraction(o.probability) for o in a.outcomes if _kind(a, meter, o, sizes) == k), Fraction(0))
           for k in range(len(sizes) + 1)]
    alone = [tuple(int(k == n) for n in range(len(one))) for k in range(len(one))]
    deal = deal_of(a.resolved)
    if seats == 1 or (deal is not None and deal.one_for_all):
        law = {tuple(seats * n for n in unit): p for unit, p in zip(alone, one, strict=True)}
        return Winners(seats, _some({**law, (0,) * len(one): 1 - sum(one, Fraction(0))}), sizes)
    if seats > EXACT_TWENTIES and _is_played_out(deal):
        return None
    counted = together(a, lambda outcome: _kind(a, meter, outcome, sizes), len(one))
    if counted is None or any(counted(*unit) != p for unit, p in zip(alone, one, strict=True)):
        return None
    chosen = {
        counts: Fraction(factorial(seats), prod(map(factorial, (*counts, seats - sum(counts))))) * counted(*counts)
        for counts in product(*(range(seats + 1 if p else 1) for p in one)) if sum(counts) <= seats
    }
    law = {
        counts: sum((prod((-1) ** (k - i) * comb(k, i) for k, i in zip(more, counts, strict=True)) * p
                     for more, p in chosen.items() if all(k >= i for k, i in zip(more, counts, strict=True))),
                    Fraction(0))
        for counts in chosen
    }
    return Winners(seats, _some(law), sizes)


def _is_played_out(deal: Any) -> bool:
    """Whether the seats' hands are played out, so that only a few of them are counted together."""
    return isinstance(deal, PlayedByChart) and deal.options.twenty == "final-total"


def counted_seats(a: AnalysisRecord, meter: Meter, seats: int) -> int:
    """The greatest number of seats, up to ``seats``, of which `winners` counts the winners of a round."""
    return next(n for n in range(seats, 0, -1) if winners(a, meter, n) is not None)


def check_seats(a: AnalysisRecord, seats: int) -> None:
    """Raise `InputError` for more seats than a table has by its document."""
    allowed = most_seats(a)
    if allowed is not None and seats > allowed:
        raise fault(f"a table of {a.id} has at most {allowed} seats, not {seats}",
                    "each table's round moves the meter by itself: give the seats of one table", file="--seats")


def fewer_seats(a: AnalysisRecord) -> str:
    """What to ask for instead where `winners` is None."""
    few = f"1 to {EXACT_TWENTIES} seats" if _is_played_out(deal_of(a.resolved)) else "1 seat"
    return f"give {few}, or deal the table: combin simulate"


def _some(law: Mapping[Counts, Fraction]) -> Mapping[Counts, Fraction]:
    """A law without what does not occur."""
    return {counts: p for counts, p in law.items() if p}


def share_of(a: AnalysisRecord, meter: Meter, outcome: Outcome) -> Fraction:
    """The share of the meter that an outcome is paid without a reset; 0 for others."""
    if outcome.pay is None or long_run.is_reset_by(outcome, meter):
        return Fraction(0)
    return sum((s for name, s in outcome.pay.shares if name == meter.name), Fraction(0))


def _kind(a: AnalysisRecord, meter: Meter, outcome: Outcome, sizes: tuple[Fraction, ...]) -> int:
    """0 for an outcome that resets the meter, from 1 on for the size of the share that it takes, -1 for others."""
    if long_run.is_reset_by(outcome, meter):
        return 0
    share = share_of(a, meter, outcome)
    return 1 + sizes.index(share) if share in sizes and share else -1


__all__ = ["Winners", "check_seats", "counted_seats", "fewer_seats", "most_seats", "share_of", "winners"]
