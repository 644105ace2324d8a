"""Distribution of a meter at a hit: mean and variance, and quantiles if it grows steadily from reset to hit.

A round of ``seats`` wagers raises the meter by ``step`` dollars before its cards are dealt, and hits it with
probability q, that of at least one winner (`winners`). The number of rounds to a hit is geometric, and the meter at the
hit is reset + step × rounds. If a second meter pays the reset, the reset is a geometric number of that meter's steps
(up to the previous hit). If shares are paid without a reset, mean and variance follow from linear equations: with U
the meter before a round is paid and W after it, U = W + step, and W is a share of U or of the reset. Quantiles are
then not computed; `combin simulate` estimates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cached_property

from ..analysis import long_run
from ..base.exact import to_decimal

#: Quantiles of the meter at a hit that are shown.
SHARES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))


@dataclass(frozen=True)
class Move:
    """The effect of a round with winners: the meter becomes ``kept`` times itself, or ``kept`` times a reset."""

    probability: Fraction
    kept: Fraction
    reset: bool


@dataclass(frozen=True)
class MeterDistribution:
    """Amount of one meter when it is hit, in dollars, before the round is paid.

    ``hit`` is the probability of a hit in a round of all seats, ``step`` the amount that a round adds, ``pot`` what it
    adds to the next reset. ``moves`` are the rounds with winners; without any, a hit resets the meter and nothing else
    is paid from it. ``played`` is the mean amount for which a wager plays, and at the meter x a wager plays for
    ``turn[0]`` x + ``turn[1]``; the defaults are those of one seat. ``several`` is the probability of two or more
    winners in one round, ``second`` the mean amount paid to the second. ``most`` is the maximum of a Must Hit meter.
    """

    name: str
    seats: int
    reset: Fraction
    hit: Fraction
    step: Fraction
    pot: Fraction = Fraction(0)
    funded: bool = False
    moves: tuple[Move, ...] = ()
    played: Fraction | None = None
    turn: tuple[Fraction, Fraction] = (Fraction(1), Fraction(0))
    several: Fraction = Fraction(0)
    second: Fraction | None = None
    most: Fraction | None = None

    def _moves(self) -> tuple[Move, ...]:
        return self.moves or (Move(self.hit, Fraction(1), True),)

    def moment(self, n: int, before: Fraction = Fraction(0)) -> Fraction:
        """Return the n-th moment, 1 or 2, of the meter before a round is paid; ``before`` is the moment below."""
        start = self.reset**n
        if self.funded:  # the second meter has grown for a geometric number of rounds
            start = (self.pot / self.hit) ** n * (1 if n == 1 else 2 - self.hit)
        goes_on = 1 - sum((m.probability for m in self._moves()), Fraction(0))
        again = goes_on + sum((m.probability * m.kept**n for m in self._moves() if not m.reset), Fraction(0))
        fresh = start * sum((m.probability * m.kept**n for m in self._moves() if m.reset), Fraction(0))
        rest = self.step if n == 1 else 2 * self.step * before - self.step**2
        return (rest + fresh) / (1 - again)

    @property
    def mean(self) -> Fraction:
        """The mean meter at a hit."""
        return (self.reset + self.most) / 2 if self.most is not None else self.moment(1)

    @property
    def variance(self) -> Fraction:
        """The variance of the meter before a round is paid, the same at a hit as at any other round."""
        if self.most is not None:
            return (self.most - self.reset) ** 2 / 12
        first = self.moment(1)
        return self.moment(2, first) - first**2

    @property
    def plays_for(self) -> Fraction:
        """The mean amount for which a wager plays; for one seat, the mean meter."""
        return self.mean if self.played is None else self.played

    def seat(self, amount: Fraction) -> Fraction:
        """Return the mean amount for which a seat plays in a round whose meter is ``amount``."""
        return self.turn[0] * amount + self.turn[1]

    @property
    def whole(self) -> bool:
        """Whether every round leaves the whole meter, or a whole reset."""
        return all(m.kept == 1 for m in self._moves())

    @property
    def plain(self) -> bool:
        """Whether the meter grows steadily from one reset to the hit, so that its distribution is geometric."""
        return self.whole and not self.funded and self.most is None

    def above(self, amount: Fraction) -> Decimal | None:
        """Return P(the meter exceeds ``amount`` at a hit). Returns None unless it grows steadily to its hit."""
        if self.most is not None:
            share = (self.most - amount) / (self.most - self.reset)
            return to_shown_digits(min(max(share, Fraction(0)), Fraction(1)))
        if not self.plain:
            return None
        if not self.step:
            return Decimal(int(amount < self.reset))
        return Decimal(1) if amount < self.reset else self.unhit((amount - self.reset) // self.step)

    def reaches(self, amount: Fraction) -> Decimal | None:
        """Return P(the meter reaches ``amount`` before or at a hit). Returns None unless it grows steadily to a hit."""
        if self.most is not None:
            return self.above(amount)
        if not self.plain:
            return None
        if not self.step:
            return Decimal(int(amount <= self.reset))
        return self.unhit(max(-((self.reset - amount) // self.step) - 1, 0))

    def at(self, share: Fraction) -> Fraction | None:
        """Return the least amount not exceeded at a share of hits. Returns None unless the meter grows steadily."""
        if self.most is not None:
            return self.reset + share * (self.most - self.reset)
        if not self.plain:
            return None
        with localcontext() as context:
            context.prec = 60
            miss, left = to_decimal(1 - self.hit), to_decimal(1 - share)
            if not miss:
                return self.reset + self.step
            rounds = int((left.ln() / miss.ln()).to_integral_value(ROUND_CEILING))
            # The logarithms may be off in their last digit, so the neighbours are tried as well.
            while rounds > 1 and miss ** (rounds - 1) <= left:
                rounds -= 1
            while miss**rounds > left:
                rounds += 1
        return self.reset + self.step * max(rounds, 1)

    @cached_property
    def marks(self) -> dict[Fraction, Fraction | None]:
        """`at` for each of `SHARES`."""
        return {share: self.at(share) for share in SHARES}

    def unhit(self, rounds: int) -> Decimal:
        """Return the probability of no hit in this number of rounds."""
        with localcontext() as context:
            context.prec = 60 + len(str(self.hit.denominator))
            left: Decimal = to_decimal(1 - self.hit) ** int(rounds)
            context.prec = long_run.DIGITS
            return (+left).normalize() if left else Decimal(0)


def to_shown_digits(probability: Fraction) -> Decimal:
    """Return a probability to the digits that are shown."""
    with localcontext() as context:
        context.prec = long_run.DIGITS
        return to_decimal(probability)
