"""The law of a meter that shares leave without a reset, between two bounds some dollars apart.

Rounds with winners come after geometric numbers of rounds, and each multiplies the meter by a power of c, the part that
one share leaves, or resets it. With exponential in place of geometric numbers, E ÷ λ in place of its ceiling, the meter
before a round is paid is a sum of exponentials of the rates μ c^-n, and P(meter > x) is a series in e^(-μ x c^-n) whose
coefficients follow from linear recursions. It lies at most `within` below the meter: a share leaves c of what the
ceilings add, so that they add up to step ÷ (1 - c) and one step of a second meter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import log, pi
from typing import Any

#: Digits that are kept beyond those that the alternating series lose.
DIGITS = 60
MOST_DIGITS = 400
SMALL = Decimal("1e-40")


def _dec(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


@dataclass(frozen=True)
class SharedMeter:
    """A meter of ``step`` dollars a round; ``left`` is c.

    ``goes_on`` and ``resets`` are the probabilities of a round that multiplies the meter, or the reset, by c to the
    power of the key. The reset is ``reset``, or what a second meter of ``pot`` dollars a round has gathered since the
    hit before; ``empty`` is the probability of a round that leaves nothing of it.
    """

    step: Fraction
    left: Fraction
    goes_on: Mapping[int, Fraction]
    resets: Mapping[int, Fraction]
    reset: Fraction
    pot: Fraction | None = None
    empty: Fraction = Fraction(0)

    @property
    def within(self) -> Fraction:
        """Dollars by which amounts of this law are too low at most."""
        return self.step / (1 - self.left) + (self.pot or 0)

    @property
    def digits(self) -> int:
        return DIGITS + int(2 * pi**2 / 6 / -log(self.left) / log(10))

    @cached_property
    def _series(self) -> tuple[Any, ...]:
        """c, μ, the coefficients of the exponentials, suffix sums by exponent, P(fewer), those of the second meter."""
        with localcontext() as context:
            context.prec = self.digits
            c = _dec(self.left)
            hit = sum(self.resets.values(), self.empty)
            events = hit + sum(self.goes_on.values(), Fraction(0))
            mu = -(1 - _dec(events)).ln() / _dec(self.step)
            share = {j: _dec(p / events) for j, p in self.goes_on.items()}
            start = {m: _dec(p / events) for m, p in self.resets.items()}
            nu = None if self.pot is None else -(1 - _dec(hit)).ln() / _dec(self.pot)
            paths = [Decimal(1)]  # P(compositions of shares), and with it the weights of the earlier events
            earlier = [Decimal(1)]
            fewer, total = [Decimal(0)], Decimal(0)
            sums: list[Decimal] = []
            power = Decimal(1)
            none = _dec(self.empty / events)
            length = 0
            while True:
                if length:
                    paths.append(sum((s * paths[length - j] for j, s in share.items() if j <= length), Decimal(0)))
                    earlier.append(sum((s * earlier[length - j] for j, s in share.items() if j <= length), Decimal(0))
                                   / (1 - power))
                begun = sum((p * earlier[length - m] for m, p in start.items() if m <= length), Decimal(0))
                grown = (mu * power * _dec(self.reset)).exp() if nu is None else nu / (nu - mu * power)
                sums.append(begun * grown + none * earlier[length])
                total += sum((p * paths[length - m] for m, p in start.items() if m <= length), none * paths[length])
                fewer.append(total)
                if 1 - total < SMALL:
                    break
                power *= c
                length += 1
            suffix = [Decimal(0)] * (len(sums) + 1)
            for k in range(len(sums) - 1, -1, -1):
                suffix[k] = suffix[k + 1] + sums[k]
            later = [Decimal(1)]
            power = Decimal(1)
            while abs(later[-1]) * suffix[0] > SMALL or len(later) < 10:
                power /= c
                n = len(later)
                later.append(sum((s * later[n - j] for j, s in share.items() if j <= n), Decimal(0)) / (1 - power))
            second: list[Decimal] = []
            if nu is not None:
                power = nu / mu
                while len(second) < 10 or abs(second[-1]) > SMALL:
                    k = len(second)
                    before = sum((s * second[k - j] for j, s in share.items() if j <= k), start.get(k, Decimal(0)))
                    second.append(before / (1 - power))
                    power /= c
            return c, mu, later, suffix, fewer, second, nu

    def above(self, amount: Fraction) -> Decimal:
        """P(the meter holds more than ``amount`` before a round is paid), of the lower of the two bounds."""
        if amount <= 0:
            return Decimal(1)
        c, mu, later, suffix, fewer, second, nu = self._series
        with localcontext() as context:
            context.prec = self.digits
            x, piece = _dec(amount), 0
            if nu is None:  # paths with fewer shares than this begin above the amount
                held = _dec(self.reset)
                while held > x and piece < len(suffix) - 1:
                    held, piece = held * c, piece + 1
            found: Decimal = fewer[piece]
            rate = mu * x
            for n, coefficient in enumerate(later):
                found += coefficient * suffix[max(piece - n, 0)] * (-rate).exp()
                rate /= c
            rate = (nu or 0) * x
            for coefficient in second:
                found += coefficient * (-rate).exp()
                rate /= c
            return min(max(found, Decimal(0)), Decimal(1))

    def at(self, share: Fraction, high: Fraction) -> Fraction:
        """The amount, to the cent, that this share does not exceed in the lower of the two bounds."""
        low, left = Fraction(0), _dec(1 - share)
        while self.above(high) > left:
            high *= 2
        while high - low > Fraction(1, 200):
            middle = Fraction((low + high) / 2).limit_denominator(10**6)
            low, high = (middle, high) if self.above(middle) > left else (low, middle)
        return Fraction(round(high * 100), 100)

    def reaches(self, amount: Fraction) -> Decimal | None:
        """P(the meter reaches ``amount`` before a reset), of the lower bound; None with a second meter."""
        if self.pot is not None:
            return None
        c, mu, *_ = self._series
        events = sum((*self.goes_on.values(), *self.resets.values()), Fraction(0))
        share = {j: _dec(p / events) for j, p in self.goes_on.items()}
        with localcontext() as context:
            context.prec = self.digits

            def grown(x: Decimal) -> Decimal:
                """The solution of u' = μ (u - Σ share u(c x)), a power series of positive terms."""
                total = term = Decimal(1)
                n = 0
                while term > total * SMALL or n < mu * x:
                    n += 1
                    term *= mu * x * (1 - sum((s * c ** (j * (n - 1)) for j, s in share.items()), Decimal(0))) / n
                    total += term
                return total

            end, hit = _dec(amount), sum(self.resets.values(), Fraction(0))
            found = Decimal(0)
            for m, p in self.resets.items():
                start = min(_dec(self.reset) * c**m, end)
                found += _dec(p / hit) * grown(start) / grown(end)
            return min(found, Decimal(1))


__all__ = ["SharedMeter"]
