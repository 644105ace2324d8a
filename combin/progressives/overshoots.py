"""By how much a meter exceeds an amount in the mean, on a lattice with a proven error: for shares of many sizes.

V is the meter before a round is paid and W after a round with winners, C(t) the mean of max(V - t, 0). A round has
winners with probability p, and V is step + W or step + V:

    C(t + step) = p C_W(t) + (1 - p) C(t),   C_W(t) = Σ q c C(t ÷ c) + what the resets leave above t

with the chances q, among rounds with winners, that c of the meter is left. This maps convex functions to convex ones,
and brings two of them nearer by the factor k = Σ q c. A function f that the map moves by r at most is so within
r ÷ (1 - k) of C. f is linear between the points of the lattice; a convex function lies below its chord by no more than
its slopes beside it allow. So the error is stated for whatever f is found, and binary floats need no more than an
allowance for their rounding.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, log1p
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .shares import SharedMeter

#: Cells of the lattices, one after the other; each begins with what the one before found.
CELLS = (1 << 11, 1 << 13, 1 << 15)
#: A map of f rounds some hundred times, each by 2^-53 of the greatest value or point at most.
ROUNDING = 2.0**-45
#: f is mapped so often, until a map moves it by less than a tenth of what the chords err, or the most often.
MAPS, SETTLED, MOST_MAPS = 50, 0.1, 10_000


class _Lattice:
    """The map of f on points from 0 or a little less up; a cell is some steps, or a step is some cells."""

    def __init__(self, meter: SharedMeter, mean: float, amount: float, top: float, cells: int) -> None:
        self.meter, self.mean, step = meter, mean, float(meter.step)
        steps, self.stride = max(int(top / step / cells), 1), max(int(cells * step / top), 1)
        self.cell = step * steps / self.stride
        first = ceil(amount / self.cell)  # the amount is a point
        self.x = amount + self.cell * (np.arange(ceil(top / self.cell) + 2) - first)
        p = float(meter.events)
        self.decay = -log1p(-p) * steps if p < 1 else 1e3
        gone = -float(np.expm1(-self.decay))
        # The steps of a cell begin at W between two points.
        self.there = max(float(1 - Fraction(gone) / (meter.events * steps)), 0.0) if steps > 1 else 0.0
        self.here = gone - self.there
        self.kept = sorted(((float(c), float(q / meter.events)) for c, q in meter.goes_on.items()),
                           key=lambda move: -move[0] * move[1])
        self.factor = sum(c * q for c, q in self.kept)

    @cached_property
    def _chords(self) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """For each share q c, and the chord on which the meter that leaves a point is: its first point, and where."""
        found = []
        for c, q in self.kept:
            at = np.clip((self.x / c - self.x[0]) / self.cell, 0, len(self.x) - 1)
            first = np.minimum(at.astype(np.int64), len(self.x) - 2)
            found.append((q * c, first, at - first))
        return found

    @cached_property
    def _fresh(self) -> np.ndarray:
        return self.fresh(self.x)

    def fresh(self, t: np.ndarray) -> np.ndarray:
        """The part of C_W at these amounts that resets leave."""
        meter, events = self.meter, self.meter.events
        hit = float(sum(meter.resets.values(), meter.empty))
        found = float(meter.empty / events) * np.maximum(-t, 0)
        for part, p in meter.resets.items():
            if meter.pot is None:
                over = np.maximum(float(part * meter.reset) - t, 0)
            else:  # a geometric number of steps of the second meter
                size = float(part * meter.pot)
                gone = np.floor(np.maximum(t, 0) / size)
                left = np.exp(gone * log1p(-hit)) if hit < 1 else gone == 0
                over = np.maximum(left * (size * (gone + 1 / hit) - t), 0)
            found += float(p / events) * over
        return found

    def paid(self, f: np.ndarray, t: float) -> float:
        """C_W at one amount of 0 or more."""
        ends = [(c * q, t / c) for c, q in self.kept]
        return float(self.fresh(np.array([t]))[0]) + sum(q * float(np.interp(at, self.x, f)) for q, at in ends)

    def left(self, f: np.ndarray, begin: int, end: int | None = None) -> np.ndarray:
        """The part of C_W at the points that these shares leave."""
        found = np.zeros(len(f))
        for q, first, part in self._chords[begin:end]:
            low = f[first]
            found += q * (low + part * (f[first + 1] - low))
        return found

    def rises(self, w: np.ndarray) -> np.ndarray:
        """C at the points, from C_W at the points."""
        v = np.empty(len(w))
        w[0] = self.mean - float(self.meter.step / self.meter.events) - self.x[0]
        v[: self.stride] = self.mean - self.x[: self.stride]
        v[self.stride :] = self.here * w[: -self.stride] + self.there * w[1 : len(w) + 1 - self.stride]
        return self.summed(v)

    def summed(self, v: np.ndarray) -> np.ndarray:
        """Each value with what is left of all before it."""
        shift, rounds = self.stride, 1
        while shift < len(v) and rounds * self.decay < 700:
            v[shift:] += exp(-rounds * self.decay) * v[:-shift]
            shift, rounds = 2 * shift, 2 * rounds
        return v

    def below_chords(self, f: np.ndarray) -> np.ndarray:
        """By how much a convex function with these values lies below the chord from each point on, at most."""
        bends = np.maximum(np.diff(np.concatenate([[-self.cell], np.diff(f), [0.0]])), 0)
        both = bends[:-1] + bends[1:]
        return np.append(np.divide(bends[:-1] * bends[1:], both, out=np.zeros_like(both), where=both > 0), 0.0)

    def settle(self, f: np.ndarray) -> tuple[np.ndarray, float]:
        """An f that hardly moves, begun at this convex one, and by how much it differs from C at most."""
        often = len(self.kept)  # shares that come so seldom that they may wait for fifty maps
        while often > 1 and sum(c * q for c, q in self.kept[often - 1 :]) < (1 - self.factor) / 20:
            often -= 1
        for _again in range(MOST_MAPS // MAPS):
            seldom = self._fresh + self.left(f, often)
            for _ in range(MAPS):
                f = self.rises(seldom + self.left(f, 0, often))
            w = self._fresh + self.left(f, 0)
            image = self.rises(w)
            below = self.below_chords(image)
            if self.there:
                of_w = np.zeros(len(f))
                of_w[1:] = (self.here + self.there) * self.below_chords(w)[:-1]
                below += self.summed(of_w).max()
            moved, err = float(np.abs(image - f).max()), float(below.max())
            if moved < SETTLED * err:
                break
        return f, (moved + err + float(f[-1]) + ROUNDING * float(f[0] + self.x[-1])) / (1 - self.factor)


def from_on(
    meter: SharedMeter, amount: Fraction, mean: Fraction
) -> tuple[tuple[Decimal, Decimal], tuple[Fraction, Fraction] | None]:
    """P(the meter holds ``amount`` or more before a round is paid) and its mean there, each between two bounds.

    ``mean`` is that of the meter, ``amount`` at least a step. The mean is None where the chance is too small for it.
    """
    p, step = float(meter.events), float(meter.step)
    begins = max((float(z) for z in meter.resets), default=0.0) * (
        float(meter.reset) if meter.pot is None else 40 * float(meter.pot / sum(meter.resets.values(), meter.empty)))
    top = max(begins, float(mean)) + 20 * step / p
    while True:
        at = min(float(amount), top)
        lattice = _Lattice(meter, float(mean), at, top, CELLS[0])
        f, error = lattice.settle(np.maximum(float(mean) - lattice.x, 0.0))
        if f[-1] < 1e-9 * float(mean) * (1 - lattice.factor):
            break
        top *= 1.5
    for cells in CELLS[1:]:
        x, lattice = lattice.x, _Lattice(meter, float(mean), at, top, cells)
        f = np.interp(lattice.x, x, f)
        f, error = lattice.settle(f)
    over, margin = float(np.interp(at, lattice.x, f)), (1 + lattice.factor) * error
    low, high = max(over - error, 0.0), over + error
    # From one step to the next C falls by a chance times the step, and by p (C - C_W). Beyond the top the chance is at
    # most that at the top.
    least = p / step * (over - lattice.paid(f, at) - margin)
    most = p / step * (over - lattice.paid(f, at - step) + margin) / (1 - p) if p < 1 else 1.0
    least, most = max(least, 0.0) if at == float(amount) else 0.0, min(max(most, 0.0), 1.0)
    shown = Decimal(least), Decimal(most)
    if not least:
        return shown, None
    return shown, (amount + Fraction(low) / Fraction(most), amount + Fraction(high) / Fraction(least))


__all__ = ["from_on"]
