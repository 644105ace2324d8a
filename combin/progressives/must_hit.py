"""Must Hit above a threshold: the exact share of rounds and the dollars per round, for uniform hidden points."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from ..base.errors import fault
from ..base.exact import simplify, to_decimal
from .distribution import to_shown_digits
from .threshold_play import Player


def must_hit_from_on(threshold: Fraction, reset: Fraction, most: Fraction, step: Fraction, seats: int) -> Player:
    """Return the player of a Must Hit meter with uniform hidden points; a round of all seats adds ``step``.

    The meter x before a round has the density 2 (M - x) ÷ L², where L is the distance from the reset to the maximum M.
    The round moves it to x + step and is paid each hidden point that it passes: for x at or above the threshold, and
    with M (e^(r ÷ L) - 1) - r dollars for the r by which it continues after a reset. A seat receives its part of a
    round.
    """
    start = max(threshold, reset)
    if start >= most:
        raise fault(f"the meter never reaches {threshold}", f"it is hit below {most}", file="--threshold")
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
            """Return e^(r ÷ L) - 1."""
            return Fraction(to_decimal(r / way).exp() - 1)

        def once(r: Fraction) -> Fraction:
            return most * way * grown(r) - most * r - r**2 / 2

        def twice(r: Fraction) -> Fraction:
            return most * way**2 * grown(r) - most * way * r - most * r**2 / 2 - r**3 / 6

        paid = first + left * once(step) - twice(step) + twice(step - last)
        returned = 2 * paid / (left**2 * seats)
        rounded = Fraction(to_decimal(returned))
    return Player(threshold, to_shown_digits(share), rounded, rounded=True)
