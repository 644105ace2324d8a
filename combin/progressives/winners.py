"""Number of seats that hit a meter in one round, from the joint distribution of the hands of a table.

If the hands of the seats are counted jointly, the probability that the first i seats reset the meter and the next j win
a share of each size is exact; the distribution of the numbers follows by inclusion and exclusion. Seats share the
dealer's cards, so that a meter on the dealer's hand is hit by all seats or by none. Otherwise the number of winners is
not computed; `combin simulate` estimates it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import Any

from ..analysis import long_run
from ..analysis.record import AnalysisRecord
from ..analysis.seat_hands import Counts, together
from ..base.errors import fault
from ..deals.deal_kinds import PlayedByChart
from ..games.outcome import Outcome
from ..rulebook.parameters import Meter
from ..wagers.wager_outcomes import deal_of

#: Maximum number of seats of Bad Beat whose drawn-out hands are counted jointly: three seats have 200,000 hands and
#: take seconds, four have a million and are not computed.
EXACT_TWENTIES = 3


@dataclass(frozen=True)
class Winners:
    """The distribution for ``seats``: (seats that reset the meter, seats that win a share, by size) to probability.

    ``sizes`` are those of the shares that are paid without a reset; a single 0 if there are none.
    """

    seats: int
    distribution: Mapping[Counts, Fraction]
    sizes: tuple[Fraction, ...]

    @property
    def hit(self) -> Fraction:
        """The probability of at least one hit in a round."""
        return sum((p for counts, p in self.distribution.items() if counts[0]), Fraction(0))

    @property
    def several(self) -> Fraction:
        """The probability that two or more seats hit in one round."""
        return sum((p for counts, p in self.distribution.items() if counts[0] > 1), Fraction(0))


def winners(a: AnalysisRecord, meter: Meter, seats: int) -> Winners | None:
    """Return the distribution of the seats that hit the meter, and that win a share without a reset, in one round.

    Returns None unless the hands of that number of seats are counted jointly.
    """
    sizes = tuple(sorted({s for o in a.outcomes if o.probability and (s := share_of(a, meter, o))})) or (Fraction(0),)
    one = [sum((Fraction(o.probability) for o in a.outcomes if _kind(a, meter, o, sizes) == k), Fraction(0))
           for k in range(len(sizes) + 1)]
    alone = [tuple(int(k == n) for n in range(len(one))) for k in range(len(one))]
    deal = deal_of(a.resolved)
    if seats == 1 or (deal is not None and deal.one_for_all):
        distribution = {tuple(seats * n for n in unit): p for unit, p in zip(alone, one, strict=True)}
        return Winners(seats, _some({**distribution, (0,) * len(one): 1 - sum(one, Fraction(0))}), sizes)
    if seats > EXACT_TWENTIES and _is_played_out(deal):
        return None
    counted = together(a, lambda outcome: _kind(a, meter, outcome, sizes), len(one))
    if counted is None or any(counted(*unit) != p for unit, p in zip(alone, one, strict=True)):
        return None
    chosen = {
        counts: Fraction(factorial(seats), prod(map(factorial, (*counts, seats - sum(counts))))) * counted(*counts)
        for counts in product(*(range(seats + 1 if p else 1) for p in one)) if sum(counts) <= seats
    }
    distribution = {
        counts: sum((prod((-1) ** (k - i) * comb(k, i) for k, i in zip(more, counts, strict=True)) * p
                     for more, p in chosen.items() if all(k >= i for k, i in zip(more, counts, strict=True))),
                    Fraction(0))
        for counts in chosen
    }
    return Winners(seats, _some(distribution), sizes)


def _is_played_out(deal: Any) -> bool:
    """Return whether the seats' hands are drawn out, so that only a few of them are counted jointly."""
    return isinstance(deal, PlayedByChart) and deal.options.twenty == "final-total"


def counted_seats(a: AnalysisRecord, meter: Meter, seats: int) -> int:
    """Return the greatest number of seats, up to ``seats``, for which `winners` counts the winners of a round."""
    return next(n for n in range(seats, 0, -1) if winners(a, meter, n) is not None)


def check_seats(a: AnalysisRecord, seats: int) -> None:
    """Raise `InputError` for more seats than the document allows at a table."""
    allowed = a.resolved.stated_seats
    if allowed is not None and seats > allowed:
        raise fault(f"a table of {a.id} has at most {allowed} seats, not {seats}",
                    "each table's round changes the meter separately: give the seats of one table", file="--seats")


def fewer_seats(a: AnalysisRecord) -> str:
    """Return the remedy if `winners` is None."""
    few = f"1 to {EXACT_TWENTIES} seats" if _is_played_out(deal_of(a.resolved)) else "1 seat"
    return f"give {few}, or estimate it with combin simulate"


def _some(distribution: Mapping[Counts, Fraction]) -> Mapping[Counts, Fraction]:
    """Return a distribution without impossible cases."""
    return {counts: p for counts, p in distribution.items() if p}


def share_of(a: AnalysisRecord, meter: Meter, outcome: Outcome) -> Fraction:
    """Return the share of the meter that an outcome wins without a reset; 0 for others."""
    if outcome.pay is None or long_run.is_reset_by(outcome, meter):
        return Fraction(0)
    return sum((s for name, s in outcome.pay.shares if name == meter.name), Fraction(0))


def _kind(a: AnalysisRecord, meter: Meter, outcome: Outcome, sizes: tuple[Fraction, ...]) -> int:
    """Return 0 for an outcome that resets the meter, the index + 1 of the size of its share, or -1 for others."""
    if long_run.is_reset_by(outcome, meter):
        return 0
    share = share_of(a, meter, outcome)
    return 1 + sizes.index(share) if share in sizes and share else -1
