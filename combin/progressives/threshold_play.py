"""Return to a player who bets only while a meter is at or above a threshold.

All seats make the wager in every round, so the meter grows at the same rate: below the threshold another player takes
the seat. The player reads the meter before the round adds its contributions, and then plays that round. The return of
a seat is that of all seats in those rounds: their pays in the long run, divided by their wagers.

With several meters the threshold is that of a single meter. The absence of its hit for some rounds carries some
information about the others, since hits of two meters in one round are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from ..base.exact import Exact, to_decimal
from .distribution import MeterDistribution

#: The return of a seat, from the amount for which it plays at each meter.
Worth = Callable[[Mapping[str, Fraction]], Exact]


@dataclass(frozen=True)
class Player:
    """A player who bets if a meter is at least ``threshold``: the share of rounds, and the return of these rounds.

    For a promotion ``returned`` is in dollars per round. Both are None if they are not computed; a player who never
    plays has no return. A ``rounded`` return has more digits than are shown, and is not an exact fraction.
    """

    threshold: Fraction
    share: Decimal | None = None
    returned: Exact | None = None
    rounded: bool = False


def player(
    meter: MeterDistribution, threshold: Fraction, worth: Worth, others: Mapping[str, MeterDistribution],
    either: Callable[[frozenset[str]], Fraction],
) -> Player:
    """Return the player above ``threshold``; ``either`` gives the probability that a round hits one of two meters.

    Share and return are None unless this meter and ``others`` grow steadily from one reset to the hit.
    """
    if not threshold:
        return Player(threshold, Decimal(1), worth({}))
    if not meter.plain or not all(other.plain for other in others.values()):
        return Player(threshold)
    if not meter.step and threshold > meter.reset:
        return Player(threshold, Decimal(0))
    # The meter reaches the threshold after this many rounds without a hit.
    rounds = max(-((meter.reset - threshold) // meter.step), 0) if meter.step else 0
    amounts = {meter.name: meter.seat(meter.reset + meter.step * (rounds + 1 / meter.hit))}
    for name, other in others.items() if rounds else ():
        given_no_hit = (either(frozenset((meter.name, name))) - meter.hit) / (1 - meter.hit)
        amounts[name] = other.seat(other.reset + other.step * _rounds_since(other.hit, given_no_hit, rounds))
    return Player(threshold, meter.unhit(rounds), worth(amounts), rounded=bool(others and rounds))


def _rounds_since(hit: Fraction, given_no_hit: Fraction, rounds: int) -> Fraction:
    """Return the mean number of rounds since the last hit of probability ``hit``, this round included, to 50 digits.

    In the last ``rounds`` rounds before this one the probability was ``given_no_hit``.
    """
    if not given_no_hit:
        return rounds + 1 / hit
    with localcontext() as context:
        context.prec = 60 + len(str(given_no_hit.denominator))
        left = Fraction(to_decimal(1 - given_no_hit) ** rounds)
        return Fraction(to_decimal((1 - left) / given_no_hit + left / hit))
