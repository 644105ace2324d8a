"""The law of a meter that shares leave without a reset, between two bounds some dollars apart.

Rounds with winners come after geometric numbers of rounds, and each leaves a part of the meter, or of a reset. With
exponential in place of geometric numbers, E ÷ λ in place of its ceiling, the meter before a round is paid is a sum of
exponentials of the rates μ ÷ z, where z is a product of parts, and P(meter > x) is a series in e^(-μ x ÷ z) whose
coefficients follow from linear recursions over these products. It lies at most `within` below the meter: a round with
winners leaves at most c of what the ceilings add, so that they add up to step ÷ (1 - c) and one step of a second meter.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import log, log1p, pi

#: Digits that are kept beyond those that the alternating series lose.
DIGITS = 60
MOST_DIGITS = 400
#: Exponentials of one law. Shares of many sizes close to each other need more.
MOST_PARTS = 16_000
SMALL = Decimal("1e-40")
#: Products that agree to so many digits are one.
SAME = Context(prec=40)
#: Below it a sum over products is a power series.
HALF = Decimal("0.5")


def _dec(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


class _Products:
    """Products of parts from the greatest down, from 1 or where ``add`` begins, each with its mass.

    A product of mass m has the value m × factor(product); each part times the value goes on to the next product. A
    value below ``drop`` goes on only from products above ``from_here``.
    """

    def __init__(
        self, parts: Mapping[Decimal, Decimal], factor: Callable[[Decimal], Decimal], drop: Decimal = Decimal(0),
        from_here: Decimal = Decimal(0),
    ) -> None:
        self.parts, self.factor, self.drop, self.from_here = parts, factor, drop, from_here
        self.mass: dict[Decimal, Decimal] = {}
        self.heap: list[tuple[Decimal, Decimal]] = []

    def add(self, z: Decimal, m: Decimal) -> None:
        key = SAME.plus(z)
        if key not in self.mass:
            heapq.heappush(self.heap, (-key, z))
            self.mass[key] = Decimal(0)
        self.mass[key] += m

    def down_to(self, least: Decimal) -> Iterator[tuple[Decimal, Decimal]]:
        """(product, value) of the products above ``least`` that have not been given yet."""
        while self.heap and self.heap[0][1] > least:
            _, z = heapq.heappop(self.heap)
            value = self.mass.pop(SAME.plus(z)) * self.factor(z)
            if abs(value) >= self.drop or z > self.from_here:
                for part, share in self.parts.items():
                    self.add(z * part, share * value)
            yield z, value


@dataclass(frozen=True)
class _Begun:
    """Products of the reset that paths come to, from the greatest down to ``least``, and sums over those before one."""

    least: Decimal
    negative: list[Decimal]
    paths: list[Decimal]
    paid: list[Decimal]
    values: list[Decimal]
    grown: list[Decimal]


@dataclass(frozen=True)
class SharedMeter:
    """A meter of ``step`` dollars a round.

    ``goes_on`` and ``resets`` are the probabilities of a round that leaves this part of the meter, or of the reset. The
    reset is ``reset``, or what a second meter of ``pot`` dollars a round has gathered since the hit before; ``empty``
    is the probability of a round that leaves nothing of it.
    """

    step: Fraction
    goes_on: Mapping[Fraction, Fraction]
    resets: Mapping[Fraction, Fraction]
    reset: Fraction
    pot: Fraction | None = None
    empty: Fraction = Fraction(0)

    @property
    def within(self) -> Fraction:
        """Dollars by which amounts of this law are too low at most."""
        return self.step / (1 - max(self.goes_on, default=Fraction(0))) + (self.pot or 0)

    @property
    def events(self) -> Fraction:
        """The probability of a round with winners."""
        return sum((*self.goes_on.values(), *self.resets.values()), self.empty)

    @cached_property
    def digits(self) -> int:
        """Digits that are kept: the coefficients are as large as Π 1 ÷ (1 - c^n), and e^(μ reset)."""
        alternating = 2 * pi**2 / 6 / -log(max(self.goes_on, default=Fraction(1, 2)))
        grown = 0.0 if self.pot is not None else -log1p(-float(self.events)) * float(self.reset / self.step)
        return DIGITS + int(min((alternating + grown) / log(10), MOST_DIGITS))

    @cached_property
    def tractable(self) -> bool:
        """Whether the series are short enough to be used."""
        if self.digits > MOST_DIGITS:
            return False
        mu, goes_on, *_, nu = self._terms
        walk = _Products(goes_on, _earlier)
        walk.add(Decimal(1), Decimal(1))
        near = islice(walk.down_to(HALF if nu is None else min(HALF, nu / mu / 2)), MOST_PARTS)
        return sum(1 for _ in near) < MOST_PARTS and len(self._later) < MOST_PARTS

    @cached_property
    def _terms(self) -> tuple[Decimal, dict[Decimal, Decimal], dict[Decimal, Decimal], Decimal, Decimal | None]:
        """μ; the parts and their chances in a round with winners; those of a reset and of nothing; ν of the pot."""
        with localcontext() as context:
            context.prec = self.digits
            hit = sum(self.resets.values(), self.empty)
            goes_on, resets = ({_dec(z): _dec(p / self.events) for z, p in given.items()}
                               for given in (self.goes_on, self.resets))
            nu = None if self.pot is None else -(1 - _dec(hit)).ln() / _dec(self.pot)
            mu = -(1 - _dec(self.events)).ln() / _dec(self.step)
            if nu == mu:  # two equal exponentials are no sum of exponentials: the second meter is a little lower
                nu *= 1 + Decimal("1e-20")
            return mu, goes_on, resets, _dec(self.empty / self.events), nu

    def _exponentials(self, begin: Mapping[Decimal, Decimal], rate: Decimal) -> list[tuple[Decimal, Decimal]]:
        """(z, coefficient) of the exponentials e^(-rate μ x ÷ z); from z = rate ÷ 2 on the coefficients fall."""
        walk = _Products(self._terms[1], lambda z: Decimal(1) if z == 1 == rate else 1 / (1 - rate / z),
                         SMALL / max(self._scale, Decimal(1)), rate / 2)
        for z, m in begin.items():
            walk.add(z, m)
        return list(islice(walk.down_to(Decimal(0)), MOST_PARTS))

    @cached_property
    def _later(self) -> list[tuple[Decimal, Decimal]]:
        with localcontext() as context:
            context.prec = self.digits
            return self._exponentials({Decimal(1): Decimal(1)}, Decimal(1))

    @cached_property
    def _second(self) -> list[tuple[Decimal, Decimal]]:
        mu, _, resets, _, nu = self._terms
        with localcontext() as context:
            context.prec = self.digits
            return [] if nu is None else self._exponentials(resets, nu / mu)

    @cached_property
    def _scale(self) -> Decimal:
        """The sum over all paths of the coefficient of e^(-μ x)."""
        mu, _, resets, none, nu = self._terms
        with localcontext() as context:
            context.prec = self.digits
            found = none * self._total(Decimal(0), None)
            for z, p in resets.items():
                found += p * self._total(mu * _dec(self.reset) * z, None if nu is None else mu * z / nu)
            return found

    def _total(self, exponent: Decimal, ratio: Decimal | None) -> Decimal:
        """The sum over all products z of value × e^(exponent z), or × 1 ÷ (1 - ratio z).

        Below the radius of convergence it is a power series in the product.
        """
        goes_on = self._terms[1]
        walk = _Products(goes_on, _earlier)
        walk.add(Decimal(1), Decimal(1))
        total = Decimal(0)
        for z, value in walk.down_to(HALF if ratio is None else min(HALF, HALF / ratio)):
            total += value * ((exponent * z).exp() if ratio is None else 1 / (1 - ratio * z))
        rest = dict(walk.mass)
        parts, term, coefficient, n = dict(goes_on), Decimal(1), Decimal(0), 0
        while any(rest.values()):
            # (1 - z) F(z) = e^(exponent z) + Σ share F(part z), for each power of z.
            coefficient = (coefficient + term) / (1 - sum(parts.values(), Decimal(0)))
            added = coefficient * sum(rest.values(), Decimal(0))
            total += added
            n += 1
            if abs(added) < abs(total).scaleb(-self.digits) and n > exponent:
                break
            term *= exponent / n if ratio is None else ratio
            rest = {z: m * z for z, m in rest.items()}
            parts = {k: p * k for k, p in parts.items()}
        return total

    @cached_property
    def _walks(self) -> tuple[_Products, _Products, list[tuple[Decimal, Decimal, Decimal]], list[_Begun]]:
        both = _Products(self._terms[1], lambda z: Decimal(1)), _Products(self._terms[1], _earlier)
        for walk in both:
            walk.add(Decimal(1), Decimal(1))
        return *both, [], []

    def _begun(self, least: Decimal) -> _Begun:
        """Paths that come to a product above ``least`` of the reset; kept, and gone through further where asked."""
        counted, walk, seen, kept = self._walks
        if kept and kept[0].least <= least:
            return kept[0]
        least /= 4
        seen += [(z, chance, value) for (z, chance), (_, value) in
                 zip(counted.down_to(least), walk.down_to(least), strict=True)]
        mu, _, resets, *_ = self._terms
        reset, zero = _dec(self.reset), Decimal(0)
        found = _Begun(least, [], [zero], [zero], [zero], [zero])
        for z, chance, value in sorted(((z * k, chance * p, value * p) for z, chance, value in seen
                                        for k, p in resets.items()), reverse=True):
            found.negative.append(-z)
            for sums, more in ((found.paths, chance), (found.paid, chance * reset * z), (found.values, value),
                               (found.grown, value * (mu * reset * z).exp())):
                sums.append(sums[-1] + more)
        kept[:] = [found]
        return found

    def _tail(self, amount: Fraction) -> tuple[Decimal, Decimal]:
        """P(the lower meter > amount), and the mean by which it exceeds the amount; for an amount above 0."""
        with localcontext() as context:
            context.prec = self.digits
            mu, *_, nu = self._terms
            x, scale = _dec(amount), self._scale
            chance = beyond = Decimal(0)
            at, begun = None, None
            if nu is None and self.reset:  # paths that come to a product above ``at`` of the reset begin above x
                at = x / _dec(self.reset)
                begun = self._begun(at)
                n = bisect_left(begun.negative, -at)
                chance, beyond = begun.paths[n], begun.paid[n] - x * begun.paths[n]
            for z, coefficient in self._later:
                below, values = scale, Decimal(0)
                if at is not None and begun is not None:
                    n = bisect_left(begun.negative, -at / z)
                    below, values = scale - begun.grown[n], begun.values[n]
                reached = coefficient * self._falls(mu * x / z, coefficient * scale) * below
                chance += reached
                beyond += (reached + coefficient * values) * z / mu
            for z, coefficient in self._second:
                assert nu is not None
                reached = coefficient * self._falls(nu * x / z, coefficient)
                chance += reached
                beyond += reached * z / nu
            return min(max(chance, Decimal(0)), Decimal(1)), max(beyond, Decimal(0))

    def _falls(self, rate: Decimal, times: Decimal) -> Decimal:
        """e^(-rate), to as many digits as ``times`` it needs for some 55 after the point; 0 beyond all digits."""
        if rate >= 3 * self.digits:
            return Decimal(0)
        with localcontext() as context:
            context.prec = min(max(times.adjusted() + 60 - int(rate / 3), 8), self.digits)
            return (-rate).exp()

    def above(self, amount: Fraction) -> Decimal:
        """P(the meter holds more than ``amount`` before a round is paid), of the lower of the two bounds."""
        return Decimal(1) if amount <= 0 else self._tail(amount)[0]

    def from_on(self, amount: Fraction, mean: Fraction) -> tuple[tuple[Decimal, Decimal], tuple[Fraction, Fraction]]:
        """P(the meter holds ``amount`` or more before a round is paid) and its mean there, each between two bounds.

        ``mean`` is that of the meter. With V the lower meter, V ≤ meter ≤ V + within. The mean by which the meter
        exceeds the amount is bounded from V, and from ``mean`` and the mean by which V falls short of the amount.
        """
        if amount <= 0:
            return (Decimal(1), Decimal(1)), (mean, mean)
        least, over = self._tail(amount)
        with localcontext() as context:
            context.prec = self.digits
            most, further = Decimal(1), self._mean + _dec(self.within - amount)
            if amount > self.within:
                most, further = self._tail(amount - self.within)
            lower = _dec(mean) - self._mean
            cut = _dec(mean) * SMALL  # what the series leave out
            low, high = max(over, further + lower - _dec(self.within)) - cut, min(further, over + lower) + cut
        if not least:
            return (least, most), (amount, amount + Fraction(high))
        return (least, most), (amount + Fraction(low) / Fraction(most), amount + Fraction(high) / Fraction(least))

    @cached_property
    def _mean(self) -> Decimal:
        """The mean of the lower meter."""
        mu, goes_on, resets, _, nu = self._terms
        begins = _dec(self.reset) if nu is None else 1 / nu
        fresh = sum((p * z for z, p in resets.items()), Decimal(0)) * begins
        return (1 / mu + fresh) / (1 - sum((p * z for z, p in goes_on.items()), Decimal(0)))

    def at(self, share: Fraction, high: Fraction) -> Fraction:
        """The least whole cent that this share does not exceed in the lower of the two bounds; ``high`` is a guess."""
        left = _dec(1 - share)

        def beyond(amount: Fraction) -> float:
            """The logarithm of the chance above the amount, from that which is left: falls through 0."""
            chance = self.above(amount)
            return float((chance / left).ln()) if chance else -1e3

        low, over = Fraction(0), float((1 / left).ln())
        under = beyond(high)
        while under > 0:
            low, over, high = high, under, high * 2
            under = beyond(high)
        near, last = Fraction(1, 400), 0
        while high - low > 2 * near:
            # Regula falsi: an end that stays twice has half its weight, and no step is shorter than ``near``.
            middle = low + Fraction(over / (over - under)).limit_denominator(10**6) * (high - low)
            middle = Fraction(min(max(middle, low + near), high - near) * 10**6 // 1, 10**6)
            value = beyond(middle)
            if value > 0:
                low, over, under = middle, value, under / 2 if last > 0 else under
            else:
                high, under, over = middle, value, over / 2 if last < 0 else over
            last = 1 if value > 0 else -1
        cents = Fraction(-(-low * 100 // 1), 100)
        return cents if cents >= high or beyond(cents) <= 0 else cents + Fraction(1, 100)

    def reaches(self, amount: Fraction) -> Decimal | None:
        """P(the meter reaches ``amount`` before a reset), of the lower bound; what it begins with counts too.

        None where more rounds with winners are to be expected on the way than are counted.
        """
        if amount <= 0:
            return Decimal(1)
        mu, goes_on, *_, nu = self._terms
        if mu * _dec(amount) > MOST_PARTS:
            return None
        with localcontext() as context:
            context.prec = self.digits
            end, hit = _dec(amount), sum(self.resets.values(), self.empty)
            # Terms of the solution g of g' = μ (g - Σ share g(part x)) at the amount: all are positive.
            terms, total, parts = [Decimal(1)], Decimal(1), dict(goes_on)
            while terms[-1] > total * SMALL or len(terms) <= mu * end:
                terms.append(terms[-1] * mu * end * (1 - sum(parts.values(), Decimal(0))) / len(terms))
                total += terms[-1]
                parts = {z: p * z for z, p in parts.items()}

            def grown(part: Decimal) -> Decimal:
                """g at this part of the amount."""
                found = Decimal(0)
                for term in reversed(terms):
                    found = found * part + term
                return found

            def drawn(rate: Decimal) -> Decimal:
                """The mean of g at the lesser of the amount and an exponential of this rate, in amounts."""
                gone, part, found = (-rate).exp(), Decimal(0), Decimal(0)
                # part is ∫ x^n rate e^(-rate x) dx from 0 to 1; begun far enough, what it begins with does not matter.
                for n in range(len(terms) + int(4 * rate) + 3 * self.digits, -1, -1):
                    part = (part + gone) * rate / (n + 1)
                    if n < len(terms):
                        found += terms[n] * part
                return found + total * gone

            found = _dec(self.empty / hit)
            for z, p in self.resets.items():
                part = _dec(self.reset * z) / end
                found += _dec(p / hit) * (grown(min(part, Decimal(1))) if nu is None else drawn(nu / _dec(z) * end))
            return min(found / total, Decimal(1))


def _earlier(z: Decimal) -> Decimal:
    """The factor of an earlier event, at the product z of the parts since; the last event has none."""
    return Decimal(1) if z == 1 else 1 / (1 - z)


__all__ = ["SharedMeter"]
