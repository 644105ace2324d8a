"""Results of play against the exact distribution of a paytable.

Hits of one outcome have a binomial distribution, hits of all outcomes a multinomial one. The total return has the
distribution of a sum of independent rounds; where stakes differ, or the distribution of a round is unknown, the normal
distribution with the exact mean and variance is used. Each test names its distribution and bounds its numerical error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, floor, lcm, pi, sqrt

import numpy as np

from ..analysis.model import Analysis
from ..analysis.percentiles import total_distribution
from ..base.errors import fault
from ..base.exact import decimal, is_number
from .audit_results import AuditedPlay, together

#: The most tables of hits that the multinomial test enumerates, and the most rounds of one table.
MOST_TABLES, MOST_EXACT_ROUNDS = 5_000, 300
#: The levels of the two-sided intervals; each tail has half of the remaining probability.
LEVELS = (Fraction(95, 100), Fraction(99, 100))
#: The same quantiles of the normal distribution.
Z = (1.959964, 2.575829)
#: The constants of Berry and Esseen for equal distributions (Shevtsova 2011) and for different ones (Shevtsova 2010).
BERRY_ESSEEN, OF_DIFFERENT = 0.4748, 0.5600
#: A bound for the probability outside the window of a binomial distribution, by Bernstein's inequality.
OUTSIDE = 1e-25
BINOMIAL = "binomial distribution"


@dataclass(frozen=True)
class Test:
    """The test of one figure of play; ``expected`` and ``observed`` are hits, or returns per unit staked.

    ``p`` is two-sided: twice the smaller tail including the observed value. Its error is at most ``error``.
    """

    name: str
    method: str
    expected: Fraction | None
    observed: Fraction | None
    intervals: tuple[tuple[Fraction, Fraction], ...]
    p: float
    error: float
    of_return: bool = False


@dataclass(frozen=True)
class Audit:
    """The tests of results of play. ``p`` is the least p-value times the number of tests (Bonferroni)."""

    analysis: Analysis
    played: AuditedPlay
    tests: tuple[Test, ...]
    rows: tuple[tuple[AuditedPlay, float, float], ...]  # with its p-value and the error of that
    notes: tuple[str, ...]
    #: The number of this look at the results; 0 if they are looked at only once.
    look: int = 0

    @property
    def share(self) -> float:
        """The part of the error probability that this look may use: 6 / (π² N²) for the N-th, 1 for a single one.

        The parts of all looks sum to 1, since 1 + 1/4 + 1/9 + … = π²/6 (Euler). By the union bound (Boole) all looks
        together raise a false alarm no more often than a single look.
        """
        return 6 / (pi * self.look) ** 2 if self.look else 1.0

    @property
    def p(self) -> float:
        return least(self.tests) if self.tests else 1.0

    @property
    def error(self) -> float:
        return greatest_error(self.tests) if self.tests else 0.0

    @property
    def met(self) -> bool:
        """Whether the p-value is at least 1 % (of the share of this look)."""
        return self.p + self.error >= 0.01 * self.share

    @property
    def verdict(self) -> str:
        if not self.tests:
            return "none: drop and win give only the hold; without the handle nothing is tested"
        look_text = f" at look {self.look}" if self.look else ""
        if not self.met:
            return f"outside 99 %{look_text}: the results do not agree with the exact distribution"
        if self.p + self.error < 0.05 * self.share:
            return f"between 95 % and 99 %{look_text}: the results are unusual under the exact distribution"
        return f"within 95 %{look_text}: the results agree with the exact distribution"


def least(tests: Sequence[Test]) -> float:
    """Return Bonferroni's bound, the least p-value times the number of tests; it holds for dependent tests."""
    return min(1.0, min(t.p for t in tests) * len(tests))


def greatest_error(tests: Sequence[Test]) -> float:
    """Return the greatest error of `least`."""
    return len(tests) * max(t.error for t in tests)


def audit(a: Analysis, rows: Sequence[AuditedPlay], look: int = 0) -> Audit:
    """Return the tests of all rows together against the exact distribution of the paytable, and each row's p-value.

    ``look`` is the number of this look at growing results; 0 if they are looked at only once. Raises `InputError` if
    neither the hits nor the amount have an exact distribution.
    """
    if not all(is_number(o.probability) for o in a.outcomes):
        raise fault(f"the probabilities of {a.id} depend on unknowns",
                    "give its unknowns with --set, or audit another wager",
                    file=a.id)
    played, why = together(rows), untested(a)
    if played.handle is None and not played.hits:
        return Audit(a, played, (), (), ("The hold is the win divided by the drop. A player may stake the same money "
                                         "many times, so it is not a return and has no exact distribution.",), look)
    if why and not played.hits and not (_moments(a) and played.handle is not None):
        raise fault(f"the amount that {a.id} returns has no exact distribution here: {why}", "give hits per outcome",
                    file=a.id)
    notes = []
    guess = None if is_number(a.variance) else a.estimates.get("variance")
    if guess is not None and played.handle is not None:
        notes.append(f"The variance of a round is not computed. Its estimate, {decimal(guess.value, 6)} ({guess.how}), "
                     f"is taken {ERRORS} standard errors of {decimal(guess.error, 6)} larger.")
    if why and played.hits:
        notes.append(f"The return is not tested: {why}.")
    elif played.hits and _returned(a, played) is None:
        reason = "hits do not show additional pays"
        lines = "outcomes that pay differently are not among the columns"
        notes.append(f"The return is not tested: {reason if a.additions else lines}.")
    if played.handle is not None and played.squares is None:
        notes.append("Every round is assumed to stake handle ÷ rounds; unequal stakes have a larger variance: give a "
                     "column stake.")
    if a.game is not None:
        notes.append("Best play is assumed; the handle is the sum of the first wagers of the rounds.")
    if look:
        notes.append(f"Look {look}: the limits are 5 % and 1 % times 6 / (π² {look}²). The parts of all looks sum to "
                     "1 (Euler), so by the union bound any number of looks raises no more false alarms than one.")
    if a.condition:
        notes.append(f"A round counts under the condition: {a.condition}.")
    each = []
    for row in rows if len(rows) > 1 else ():
        if row.rounds:
            tests = tests_of(a, row)
            each.append((row, least(tests), greatest_error(tests)))
    return Audit(a, played, tuple(tests_of(a, played)), tuple(each), tuple(notes), look)


def untested(a: Analysis) -> str:
    """Return why the amount returned in a round has no exact distribution; "" if it has one."""
    if not a.has_stake:
        return "a promotion has no stake"
    if a.game is not None and a.game.spread is not None:
        return "an outcome of this game has rounds with different net results"
    if any(o.spins for o in a.outcomes):
        return "a wheel decides what is paid; give its weights with --wheel"
    if a.unknowns:
        return f"{', '.join(a.unknowns)} is unknown; give it with --set"
    if a.distribution is None:
        return "the joint distribution of the outcomes and the additional pays is unknown"
    return ""


def tests_of(a: Analysis, played: AuditedPlay) -> list[Test]:
    """Return the tests that the results allow: hits of each outcome, all hits together, the return."""
    tests = hits_tested(a, played) if played.hits else []
    total = None if untested(a) else _returned(a, played)
    if played.handle and played.win is not None and (played.squares is not None or total is None):
        return [*tests, by_moments(a, played)] if _moments(a) else tests
    if total is not None and a.distribution is not None:
        tests.append(mean(a.distribution, total, played.rounds))
        assert tests[-1].expected == a.returned, f"the distribution of {a.id} does not give its return"
    return tests


def hits_tested(a: Analysis, played: AuditedPlay) -> list[Test]:
    """Return the tests of hits: each outcome separately, and all together if there are few tables of hits."""
    n, chances = played.rounds, {o.outcome: Fraction(o.probability) for o in a.outcomes}
    tests = [binomial(name, hits, n, chances[name]) for name, hits in played.hits.items()]
    cells = [(hits, chances[name]) for name, hits in played.hits.items()]
    if len(played.hits) < len(chances):
        cells.append((n - sum(played.hits.values()), 1 - sum((p for _, p in cells), Fraction(0))))
    joint = multinomial(cells, n)
    if joint is not None:
        tests.append(Test("all outcomes", "multinomial distribution, integers", None, None, (), float(joint), 1e-15))
    return tests


def _returned(a: Analysis, played: AuditedPlay) -> Fraction | None:
    """Return the total return of the rounds in stakes; None if the hits do not determine it."""
    if played.handle is not None and played.win is not None:
        return (played.handle - played.win) * played.rounds / played.handle if played.handle else Fraction(0)
    if a.additions:
        return None
    amounts = {o.outcome: {Fraction(x) for x, p in o.distribution if p} for o in a.outcomes}
    rest = {x for name, values in amounts.items() if name not in played.hits for x in values}
    left = played.rounds - sum(played.hits.values())
    paid = [(played.hits[name], amounts[name]) for name in played.hits] + [(left, rest)]
    if any(len(values) > 1 for _, values in paid):
        return None
    return sum((count * x for count, values in paid for x in values), Fraction(0))


def two_sided(below: float, above: float) -> float:
    return min(1.0, 2 * min(below, above))


def binomial(name: str, hits: int, rounds: int, chance: Fraction) -> Test:
    """Test the hits of one outcome against the binomial distribution, by ratios of neighbouring terms.

    A term is a product of at most as many ratios as the window has points, so its
    relative error stays below eight roundings a point.
    """
    mean_hits = rounds * chance
    if chance in (0, 1):
        only = (mean_hits, mean_hits)
        return Test(name, BINOMIAL, mean_hits, Fraction(hits), (only, only), float(hits == mean_hits), 0.0)
    # exp(−t²/2/(σ² + t/3)) is below 10^-25 at t = 11 σ + 41.
    reach = floor(11 * sqrt(mean_hits * (1 - chance))) + 42
    mode = min(rounds, floor((rounds + 1) * chance))
    low, high = max(0, mode - reach), min(rounds, mode + reach)
    odds = float(chance / (1 - chance))
    up, down = np.arange(mode, high, dtype=float), np.arange(mode, low, -1, dtype=float)
    terms = np.concatenate([
        np.cumprod(down / ((rounds - down + 1) * odds))[::-1], [1.0], np.cumprod((rounds - up) * odds / (up + 1)),
    ])
    terms /= terms.sum()
    index = hits - low
    p = two_sided(float(terms[: max(index + 1, 0)].sum()), float(terms[max(index, 0):].sum()))
    sums = np.cumsum(terms)
    points = [[Fraction(low + int(np.searchsorted(sums, float(x)))) for x in ((1 - q) / 2, (1 + q) / 2)]
              for q in LEVELS]
    return Test(name, BINOMIAL, mean_hits, Fraction(hits), tuple((ends[0], ends[1]) for ends in points), p,
                len(terms) * 8 * 2.0**-53 * p + OUTSIDE)


def multinomial(cells: Sequence[tuple[int, Fraction]], rounds: int) -> Fraction | None:
    """Return the probability of all tables of hits that are no more likely than this one, in integers.

    Returns None if there are too many tables or rounds (`MOST_TABLES`).
    """
    impossible = any(hits and not p for hits, p in cells)
    cells = [(hits, p) for hits, p in cells if p]
    if impossible:
        return Fraction(0)
    if rounds > MOST_EXACT_ROUNDS or comb(rounds + len(cells) - 1, len(cells) - 1) > MOST_TABLES:
        return None
    unit = lcm(*(p.denominator for _, p in cells))
    shares = [int(p * unit) for _, p in cells]

    def tables(left: int, index: int, weight: int) -> Iterator[int]:
        if index == len(shares) - 1:
            yield weight * shares[index] ** left
            return
        power = 1
        for hits in range(left + 1):
            yield from tables(left - hits, index + 1, weight * comb(left, hits) * power)
            power *= shares[index]

    mine, left = 1, rounds
    for (hits, _), share in zip(cells, shares, strict=True):
        mine *= comb(left, hits) * share**hits
        left -= hits
    return Fraction(sum(w for w in tables(rounds, 0, 1) if w <= mine), unit**rounds)


def mean(law: Sequence[tuple[Fraction, Fraction]], total: Fraction, rounds: int) -> Test:
    """Test the total return against the distribution of the sum; the normal one if the lattice is too fine."""
    average = sum((x * p for x, p in law), Fraction(0))
    distribution = total_distribution(law, rounds)
    if distribution is not None:
        p = two_sided(*distribution.tails(total))
        ends = [(distribution.percentile((1 - q) / 2) / rounds, distribution.percentile((1 + q) / 2) / rounds)
                for q in LEVELS]
        return Test("return", "distribution of the sum, by Fourier transform", average, total / rounds, tuple(ends), p,
                    2 * distribution.error, True)
    variance = sum((p * (x - average) ** 2 for x, p in law), Fraction(0))
    third = sum((p * abs(x - average) ** 3 for x, p in law), Fraction(0))
    error = 2 * BERRY_ESSEEN * float(third) / (sqrt(variance) ** 3 * sqrt(rounds))
    return _normal("normal distribution", average, total / rounds, sqrt(variance / rounds), error)


def _normal(method: str, expected: Fraction, observed: Fraction, deviation: float, error: float) -> Test:
    """Test the return by a normal distribution with this standard deviation; the error is cut at 1."""
    away = abs(float(observed - expected)) / deviation
    reaches = [Fraction(z * deviation).limit_denominator(10**12) for z in Z]
    return Test("return", f"{method}, error by Berry and Esseen", expected, observed,
                tuple((expected - r, expected + r) for r in reaches), erfc(away / sqrt(2)), min(1.0, error), True)


#: Standard errors that are added to an estimated variance, so that the true one is smaller almost surely.
ERRORS = 5


def _moments(a: Analysis) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return the mean of a round and the bounds of its variance; None if either is unknown."""
    if not a.has_stake or not is_number(a.returned) or a.additions:
        return None
    if is_number(a.variance):
        return a.returned, a.variance, a.variance
    guess = a.estimates.get("variance")
    if guess is None:
        return None
    return a.returned, guess.value - ERRORS * guess.error, guess.value + ERRORS * guess.error


def by_moments(a: Analysis, played: AuditedPlay) -> Test:
    """Test the total return by the normal distribution with the exact mean and variance, whatever the stakes.

    Of an estimated variance the upper bound is used, which makes p-values larger, and the error follows from both
    bounds. The error is bounded by Berry and Esseen; if the distribution of a round is unknown, its third moment is
    bounded by the greatest deviation times the variance.
    """
    moments, rounds, handle = _moments(a), played.rounds, played.handle
    assert moments is not None
    assert handle is not None
    assert played.win is not None
    equal = handle / rounds
    squares, cubes = played.squares or rounds * equal**2, played.cubes or rounds * equal**3
    mean_return, least_variance, variance = moments
    if a.distribution is not None:
        third = sum((p * abs(x - mean_return) ** 3 for x, p in a.distribution), Fraction(0))
    else:  # doubled and split hands lose at most what they may win
        third = variance * (a.top_pay + 1 + abs(1 - mean_return))
    constant = BERRY_ESSEEN if played.squares is None else OF_DIFFERENT
    error = 2 * constant * float(cubes * third) / sqrt(squares * least_variance) ** 3
    kind = "exact mean and variance" if least_variance == variance else "exact mean and an estimated variance"
    return _normal(f"normal distribution of the {kind}", mean_return, (handle - played.win) / handle,
                   sqrt(squares * variance) / float(handle), error)


