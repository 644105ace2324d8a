"""What one has who plays only while a meter shows a threshold or more.

All seats make the wager in every round, so that the meter rises as ever: below the threshold others have the player's
seat. The player looks at the meter before the round adds its contributions, and then plays that round. A seat's return
is that of all seats that play then: what they are paid in the long run, divided by what they wager.

With several meters the threshold is one of a single meter. That it has not been hit for some rounds says a little of
the others too: hits of two meters in one round are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

from ..base.errors import fault
from ..base.exact import Exact, simplify
from . import long_run, overshoots

if TYPE_CHECKING:
    from .meter_cycle import Law

#: The return of a seat, from what it plays for at each meter.
Worth = Callable[[Mapping[str, Fraction]], Exact]


@dataclass(frozen=True)
class Player:
    """One who plays when a meter shows at least ``threshold``: the share of rounds, and the return of those.

    For a promotion ``returned`` is dollars a round. Both are None where they are open; a player who never plays has no
    return. ``at_most`` is the upper of two bounds; where the share may be 0 both returns are None. ``rounded`` returns
    have more digits than are shown, and no end.
    """

    threshold: Fraction
    share: Decimal | None = None
    returned: Exact | None = None
    at_most: tuple[Decimal, Exact | None] | None = None
    rounded: bool = False


def player(
    law: Law, threshold: Fraction, worth: Worth, others: Mapping[str, Law], either: Callable[[frozenset[str]], Fraction]
) -> Player:
    """One who plays from ``threshold`` on; ``either`` is the chance that a round hits one of two meters."""
    if law.plain and all(o.plain and o.at_once is None for o in others.values()) and not (others and law.at_once):
        found = _plain(law, threshold, worth, others, either)
        if law.at_once is None or found.returned is None:
            return found
        # The more often a round is hit, the less often the threshold is shown, and the more a seat is paid there.
        least = _plain(law.at_once, threshold, worth, others, either)
        assert found.share is not None
        assert least.share is not None
        return Player(threshold, found.share, least.returned, (least.share, found.returned))
    if law.plain or others or law.shared is None or law.at_once is not None:
        return Player(threshold)
    # The meter shows the threshold before the round adds its step.
    at = threshold + law.step if threshold else threshold
    if at and not law.shared.tractable:
        shown, bounds = overshoots.from_on(law.shared, at, law.mean)
    else:
        shown, bounds = law.shared.from_on(at, law.mean)
    if bounds is None:
        return Player(threshold, short(shown[0]), None, (short(shown[1]), None))
    low, high = bounds
    (least_share, most_share), (part, second) = map(Fraction, shown), law.turn
    spare = _while_played(law.hit, least_share) if law.funded and second else (Fraction(1), Fraction(1))
    returned, at_most = (worth({law.name: part * x + second * s}) for x, s in zip((low, high), spare, strict=True))
    exact = least_share == most_share and returned == at_most
    return Player(threshold, short(shown[0]), returned, None if exact else (short(shown[1]), at_most))


def _plain(
    law: Law, threshold: Fraction, worth: Worth, others: Mapping[str, Law], either: Callable[[frozenset[str]], Fraction]
) -> Player:
    """A meter that rises evenly to its hit: it shows the threshold after so many rounds without a hit."""
    if not law.step and threshold > law.reset:
        return Player(threshold, Decimal(0))
    rounds = max(-((law.reset - threshold) // law.step), 0) if law.step else 0
    amounts = {law.name: law.seat(law.reset + law.step * (rounds + 1 / law.hit))}
    for name, other in others.items() if rounds else ():
        beside = (either(frozenset((law.name, name))) - law.hit) / (1 - law.hit)
        amounts[name] = other.seat(other.reset + other.step * _rounds_since(other.hit, beside, rounds))
    return Player(threshold, law.unhit(rounds), worth(amounts), rounded=bool(others and rounds))


def _rounds_since(hit: Fraction, beside: Fraction, rounds: int) -> Fraction:
    """The mean number of rounds to now since a hit of chance ``hit``, this one included, to some 50 digits.

    In the last ``rounds`` before this one the chance was ``beside``.
    """
    if not beside:
        return rounds + 1 / hit
    with localcontext() as context:
        context.prec = 60 + len(str(beside.denominator))
        left = Fraction((Decimal(beside.denominator - beside.numerator) / Decimal(beside.denominator)) ** rounds)
        found = (1 - left) / beside + left / hit
        return Fraction(Decimal(found.numerator) / Decimal(found.denominator))


def _while_played(hit: Fraction, share: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of a second meter where the first shows the threshold, as parts of its mean.

    ``share`` is the least chance of that. The second meter is a geometric number N of steps. Of all events of chance p
    that it is long since the hit has the greatest mean of N: at most (1 + hit + ln 1 ÷ p) ÷ hit.
    """
    def most(p: Fraction) -> Fraction:
        return 1 + hit - Fraction((Decimal(p.numerator) / Decimal(p.denominator)).ln())

    if not share:
        return Fraction(0), 1 / hit
    beyond = 1 - share
    low = (1 - beyond * most(beyond)) / share if beyond else Fraction(1)
    return max(low, Fraction(0)), max(most(share), Fraction(1))


def must_hit_from_on(threshold: Fraction, reset: Fraction, most: Fraction, step: Fraction, seats: int) -> Player:
    """A Must Hit meter whose hidden points are uniform; ``step`` is what a round of all seats adds.

    The meter x shown before a round has the density 2 (M - x) ÷ L², with L the way from the reset to the maximum M.
    The round goes on to x + step, and is paid each hidden point that it passes: with x from the threshold on, and with
    M (e^(r ÷ L) - 1) - r dollars in the r that it goes on after a reset. A seat has its part of a round.
    """
    start = max(threshold, reset)
    if start >= most:
        raise fault(f"the meter never shows {threshold}", f"it is hit below {most}", file="--threshold")
    way, left = most - reset, most - start
    share = (left / way) ** 2
    if start == reset:
        return Player(threshold, Decimal(1), simplify(step / seats * (reset + most) / way))
    last = min(step, left)
    # ∫ p min(step, p - start) dp, from start to the maximum
    first = start * last**2 / 2 + last**3 / 3 + step * (most**2 - (start + last) ** 2) / 2
    with localcontext() as context:
        context.prec = 100  # steps of a 10^-12th of the way lose 40 digits

        def grown(r: Fraction) -> Fraction:
            """e^(r ÷ L) - 1."""
            x = r / way
            return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).exp() - 1)

        def once(r: Fraction) -> Fraction:
            return most * way * grown(r) - most * r - r**2 / 2

        def twice(r: Fraction) -> Fraction:
            return most * way**2 * grown(r) - most * way * r - most * r**2 / 2 - r**3 / 6

        paid = first + left * once(step) - twice(step) + twice(step - last)
        returned = 2 * paid / (left**2 * seats)
        rounded = Fraction(Decimal(returned.numerator) / Decimal(returned.denominator))
    return Player(threshold, short(Decimal(share.numerator) / Decimal(share.denominator)), rounded, rounded=True)


def short(value: Decimal) -> Decimal:
    """As many digits as are shown of a chance."""
    with localcontext() as context:
        context.prec = long_run.DIGITS
        return +value


__all__ = ["Player", "must_hit_from_on", "player", "short"]
