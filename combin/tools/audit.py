"""Results of play against the exact distribution of a paytable.

A file gives rounds and hits per outcome, or amounts: the handle (total staked), the drop (money into the box) and
the house's win. Hits of one outcome have a binomial distribution, hits of all outcomes a multinomial one. The total
return has the distribution of a sum of independent rounds; where stakes differ, or the distribution of a round is
unknown, the normal distribution with the exact mean and variance is used. Each test names its distribution and bounds
its numerical error. Drop and win without a handle give the hold, which is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, erfc, floor, lcm, pi, sqrt
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..analysis.volatility import total_law
from ..base.documents import document
from ..base.errors import InputError, fault, nearest
from ..base.exact import decimal, grouped, is_number, money, percent, ratio, text
from ..base.exact import decks as decks_in_words
from ..base.textfiles import Faults, read_bytes
from ..pages import markdown, terminal
from ..pages.blocks import Block, Grid, Part, Words
from ..userfiles.sheets import SheetRow, sheets_of

FORMS = ("text", "markdown", "json")
#: The greatest number of rounds; the window of a binomial distribution then has about 1.2 million points.
MOST_ROUNDS = 10**10
#: The most tables of hits that the multinomial test enumerates, and the most rounds of one table.
MOST_TABLES, MOST_EXACT_ROUNDS = 5_000, 300
#: The levels of the two-sided intervals; each tail has half of the remaining probability.
LEVELS = (Fraction(95, 100), Fraction(99, 100))
#: The constants of Berry and Esseen for equal distributions (Shevtsova 2011) and for different ones (Shevtsova 2010).
BERRY_ESSEEN, OF_DIFFERENT = 0.4748, 0.5600
#: A bound for the probability outside the window of a binomial distribution, by Bernstein's inequality.
OUTSIDE = 1e-25
BINOMIAL = "binomial distribution"
_LABELS = ("label", "date", "day", "table", "shift")
_AMOUNTS = ("handle", "drop", "win", "stake")
#: The old name of a column, accepted for one release.
_OLD = {"won": "win"}


@dataclass(frozen=True)
class AuditedPlay:
    """Results of one row or of all rows: ``hits`` by outcome, or amounts in dollars.

    ``handle`` is the total staked, ``drop`` the money into the box, ``win`` what the house won. ``squares`` and
    ``cubes`` are the sums of the stakes' powers where the file has a column of stakes.
    """

    label: str
    rounds: int
    hits: Mapping[str, int] = field(default_factory=dict)
    handle: Fraction | None = None
    drop: Fraction | None = None
    win: Fraction | None = None
    squares: Fraction | None = None
    cubes: Fraction | None = None

    @property
    def hold(self) -> Fraction | None:
        """Win divided by drop."""
        return None if not self.drop or self.win is None else self.win / self.drop


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


def read_results(path: str, a: Analysis) -> tuple[AuditedPlay, ...]:
    """Return the rows of a CSV file or XLSX sheet of results; `InputError` names file and line of each fault.

    The first row names the columns: rounds, then outcomes of the paytable, or amounts; a label may precede. Amounts are
    handle and win, or stake (of each round of a row) and win; drop may be there too. Drop and win need no rounds.
    """
    sheets = [s for s in sheets_of(path, read_bytes(path))[0] if not s.is_hidden or path.endswith(f"#{s.name}")]
    if not sheets:
        raise fault("is empty", "write a row of columns and a row of results", file=path)
    if len(sheets) > 1:
        raise fault("has several sheets", "name one: FILE.xlsx#Sheet", file=path)
    first, *rows = sheets[0].rows
    heads = [cell.strip() for cell in first.cells]
    while heads and not heads[-1]:
        heads.pop()
    outcomes = {o.outcome.casefold(): o.outcome for o in a.outcomes}
    columns = [outcomes.get(h.casefold(), _OLD.get(h.casefold(), h.casefold())) for h in heads]
    faults = Faults()
    for index, name in enumerate(columns):
        if columns.count(name) > 1 and columns.index(name) == index:
            faults.add(f'has the column "{heads[index]}" twice', "keep one", path, first.place)
        elif name not in outcomes.values() and name not in ("rounds", *_AMOUNTS, *_LABELS):
            known = ["rounds", *_AMOUNTS, *_LABELS, *outcomes.values()]
            remedy = nearest(heads[index], known, otherwise=f"the columns are {', '.join(known)}")
            faults.add(f'has the column "{heads[index][:60]}", which is not an outcome of {a.id}', remedy, path,
                       first.place)
    hits, amounts = [c for c in columns if c in outcomes.values()], [c for c in columns if c in _AMOUNTS]
    only_hold = "drop" in amounts and "win" in amounts and not {"handle", "stake"} & set(amounts)
    if "rounds" not in columns and not only_hold:
        faults.add('has no column "rounds"', "name the columns in the first row", path, first.place)
    if bool(hits) == bool(amounts) or (amounts and ("win" not in amounts or len(amounts) == 1)):
        faults.add("needs hits per outcome, or win with handle, stake or drop",
                   "name outcomes, or handle and win, in the first row", path, first.place)
    if not rows:
        faults.add("has no results", "write a row below the names of the columns", path, first.place)
    if faults:
        raise InputError(*faults)
    plays = [played for row in rows if (played := _row(row, columns, hits, a, path, faults))]
    total = sum(p.rounds for p in plays)
    if not faults and "rounds" in columns and not 0 < total <= MOST_ROUNDS:
        faults.add(f"has {grouped(total)} rounds in all", f"give 1 to {grouped(MOST_ROUNDS)}", path, "rounds")
    if faults:
        raise InputError(*faults)
    return tuple(plays)


def _row(
    row: SheetRow, columns: list[str], hits: list[str], a: Analysis, path: str, faults: Faults
) -> AuditedPlay | None:
    """Return the results of a row; None after a fault."""
    cells = [cell.strip() for cell in row.cells]
    if len(cells) < len(columns) or any(cells[len(columns):]):
        faults.add(f"has {len(cells)} cells for {len(columns)} columns", "write one for each", path, row.place)
        return None
    values, before = dict(zip(columns, cells, strict=False)), len(faults)
    numbers: dict[str, Fraction] = {}
    for name in (c for c in ("rounds", *hits, *_AMOUNTS) if c in columns):
        try:
            word = values[name]
            minus = name == "win" and word.startswith("-")
            value = ratio(word.removeprefix("-") if minus else word, what=name, file=path, place=row.place,
                          dollars=name in _AMOUNTS)
            numbers[name] = -value if minus else value
        except InputError as error:
            for item in error.faults:
                faults.add(item.what, item.remedy, path, row.place)
            continue
        if name not in _AMOUNTS and (numbers[name].denominator != 1 or numbers[name] < 0):
            faults.add(f'{name} "{values[name]}" is not a count', "write a whole number, 0 or more", path, row.place)
        elif name in ("handle", "drop", "stake") and numbers[name] < 0:
            faults.add(f"has a {name} of {numbers[name]}", "write dollars, 0 or more", path, row.place)
    if len(faults) > before:
        return None
    rounds, counted = int(numbers.get("rounds", 0)), {h: int(numbers[h]) for h in hits}
    hit = sum(counted.values())
    if hit > rounds or (len(hits) == len(a.outcomes) and hit != rounds):
        faults.add(f"has {grouped(hit)} hits in {grouped(rounds)} rounds",
                   "a round has one outcome; the losing one may be left out", path, row.place)
        return None
    stake, win = numbers.get("stake"), numbers.get("win")
    handle = numbers.get("handle", None if stake is None else stake * rounds)
    if stake is not None and handle != stake * rounds:
        faults.add(f"has a handle of {handle} and {grouped(rounds)} rounds at a stake of {stake}",
                   "the handle is rounds times stake", path, row.place)
        return None
    if handle is not None and ((handle == 0) != (rounds == 0) or (rounds == 0 and win)):
        faults.add(f"has a handle of {handle} in {grouped(rounds)} rounds", "the handle is the sum of all stakes", path,
                   row.place)
        return None
    if handle is not None and win is not None and win > handle * _most_kept(a):
        faults.add(f"has a win of {win} of a handle of {handle}",
                   "the handle is the sum of all stakes, the win what the house kept", path, row.place)
        return None
    label = next((values[c] for c in columns if c in _LABELS), "") or row.place
    powers = (None, None) if stake is None else (rounds * stake**2, rounds * stake**3)
    return AuditedPlay(label, rounds, counted, handle, numbers.get("drop"), win, *powers)


def _most_kept(a: Analysis) -> Fraction:
    """Return the most that the house keeps per unit first staked: more than 1 if further bets may be lost."""
    return 1 - min((Fraction(x) for o in a.outcomes for x, p in o.law if p and is_number(x)), default=Fraction(0))


def together(rows: Sequence[AuditedPlay]) -> AuditedPlay:
    """Return the sum of all rows."""
    hits = {name: sum(r.hits[name] for r in rows) for name in rows[0].hits}
    amounts = (None if getattr(rows[0], name) is None else sum((getattr(r, name) for r in rows), Fraction(0))
               for name in ("handle", "drop", "win", "squares", "cubes"))
    return AuditedPlay("all", sum(r.rounds for r in rows), hits, *amounts)


def audit(a: Analysis, rows: Sequence[AuditedPlay], look: int = 0) -> Audit:
    """Return the tests of all rows together against the exact distribution of the paytable, and each row's p-value.

    ``look`` is the number of this look at growing results; 0 if they are looked at only once. Raises `InputError` if
    neither the hits nor the amount have an exact distribution.
    """
    if not all(is_number(o.probability) for o in a.outcomes):
        raise fault(f"the probabilities of {a.id} depend on unknowns",
                    "give its unknowns with --set, or audit another wager",
                    file=a.id)
    played, why = together(rows), without_law(a)
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
            tests = held(a, row)
            each.append((row, least(tests), greatest_error(tests)))
    return Audit(a, played, tuple(held(a, played)), tuple(each), tuple(notes), look)


def without_law(a: Analysis) -> str:
    """Return why the amount returned in a round has no exact distribution; "" if it has one."""
    if not a.has_stake:
        return "a promotion has no stake"
    if a.game is not None and a.game.spread is not None:
        return "an outcome of this game has rounds with different net results"
    if any(o.spins for o in a.outcomes):
        return "a wheel decides what is paid; give its weights with --wheel"
    if a.unknowns:
        return f"{', '.join(a.unknowns)} is unknown; give it with --set"
    if a.law is None:
        return "the joint distribution of the outcomes and the additional pays is unknown"
    return ""


def held(a: Analysis, played: AuditedPlay) -> list[Test]:
    """Return the tests that the results allow: hits of each outcome, all hits together, the return."""
    tests = held_hits(a, played) if played.hits else []
    total = None if without_law(a) else _returned(a, played)
    if played.handle and played.win is not None and (played.squares is not None or total is None):
        return [*tests, by_moments(a, played)] if _moments(a) else tests
    if total is not None and a.law is not None:
        tests.append(mean(a.law, total, played.rounds))
        assert tests[-1].expected == a.returned, f"the distribution of {a.id} does not give its return"
    return tests


def held_hits(a: Analysis, played: AuditedPlay) -> list[Test]:
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
    amounts = {o.outcome: {Fraction(x) for x, p in o.law if p} for o in a.outcomes}
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
    distribution = total_law(law, rounds)
    if distribution is not None:
        p = two_sided(*distribution.tails(total))
        ends = [(distribution.percentile((1 - q) / 2) / rounds, distribution.percentile((1 + q) / 2) / rounds)
                for q in LEVELS]
        return Test("return", "distribution of the sum, by Fourier transform", average, total / rounds, tuple(ends), p,
                    2 * distribution.error)
    variance = sum((p * (x - average) ** 2 for x, p in law), Fraction(0))
    third = float(sum((p * abs(x - average) ** 3 for x, p in law), Fraction(0)))
    deviation = sqrt(variance)
    error = min(1.0, 2 * BERRY_ESSEEN * third / (deviation**3 * sqrt(rounds)))
    away = abs(float(total - rounds * average)) / (deviation * sqrt(rounds))
    reaches = [Fraction(z * deviation / sqrt(rounds)).limit_denominator(10**12) for z in (1.959964, 2.575829)]
    return Test("return", "normal distribution, error by Berry and Esseen", average, total / rounds,
                tuple((average - r, average + r) for r in reaches), erfc(away / sqrt(2)), error)


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
    assert played.handle is not None
    assert played.win is not None
    rounds, handle = played.rounds, played.handle
    equal = handle / rounds
    squares, cubes = played.squares or rounds * equal**2, played.cubes or rounds * equal**3
    moments = _moments(a)
    assert moments is not None
    mean_return, least_variance, variance = moments
    if a.law is not None:
        third = sum((p * abs(x - mean_return) ** 3 for x, p in a.law), Fraction(0))
    else:  # doubled and split hands lose at most what they may win
        third = variance * (a.top_pay + 1 + abs(1 - mean_return))
    deviation = sqrt(squares * variance)
    constant = BERRY_ESSEEN if played.squares is None else OF_DIFFERENT
    error = min(1.0, 2 * constant * float(cubes * third) / sqrt(squares * least_variance) ** 3)
    observed = (handle - played.win) / handle
    away = abs(float((observed - mean_return) * handle)) / deviation
    reaches = [Fraction(z * deviation / float(handle)).limit_denominator(10**12) for z in (1.959964, 2.575829)]
    kind = "exact mean and variance" if least_variance == variance else "exact mean and an estimated variance"
    method = f"normal distribution of the {kind}, error by Berry and Esseen"
    return Test("return", method, mean_return, observed,
                tuple((mean_return - r, mean_return + r) for r in reaches), erfc(away / sqrt(2)), error)


def shown_p(p: float, error: float) -> str:
    """Return a p-value with the digits that its error allows."""
    return f"< {error:.1g}" if p < error else f"{p:.4f}" if p >= 0.001 else f"{p:.2e}"


def _cell(value: Fraction | None, of_return: bool) -> str:
    if value is None:
        return ""
    return percent(value) if of_return else grouped(int(value)) if value.denominator == 1 else decimal(value, 2)


def table(found: Audit) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the names of the columns, and a row for each test."""
    heads = ("figure", "by", "expected", "observed", "95 % interval", "99 % interval", "p-value", "error up to")
    rows = []
    for t in found.tests:
        of_return = t.name == "return"
        ends = [" to ".join(_cell(x, of_return) for x in pair) for pair in t.intervals] or ["", ""]
        rows.append((t.name, t.method, _cell(t.expected, of_return), _cell(t.observed, of_return), *ends,
                     shown_p(t.p, t.error), f"{t.error:.1g}"))
    return heads, rows


def render(found: Audit, form: str, width: int = terminal.WIDE) -> str:
    """Return an audit as text, Markdown or JSON."""
    if form == "json":
        return _json(found)
    rows = tuple((r.label, grouped(r.rounds), shown_p(p, error)) for r, p, error in found.rows)
    page = part(*head(found), *table(found), rows, found.notes)
    return terminal.render([page], width) if form == "text" else markdown.of_parts([page], 3)


def part(
    title: str, verdict: str, together: str, heads: tuple[str, ...], tests: Sequence[tuple[str, ...]],
    rows: Sequence[tuple[str, ...]], notes: Sequence[str],
) -> Part:
    """Return the page of an audit from its texts; ``rows`` are (label, rounds, p-value)."""
    blocks: list[Block] = [Words(verdict), Words(together), *([Grid(heads, tuple(tests), 2)] if tests else [])]
    blocks += [Grid(("row", "rounds", "p-value"), tuple(rows))] if rows else []
    return Part(title, blocks=(*blocks, *map(Words, notes)))


def head(found: Audit) -> tuple[str, str, str]:
    """Return what was played, the verdict, and the p-value of all tests together."""
    a, played = found.analysis, found.played
    amounts = [f"{name} {money(value)}" for name, value in
               (("handle", played.handle), ("drop", played.drop), ("win", played.win)) if value is not None]
    amounts += [] if played.hold is None else [f"hold {percent(played.hold, 2)}"]
    rounds = [f"{grouped(played.rounds)} rounds"] if played.rounds else []
    together = f"p-value of {len(found.tests)} test(s) together (Bonferroni): {shown_p(found.p, found.error)}"
    return (f"{a.id}, {decks_in_words(a.decks)}: {', '.join([*rounds, *amounts])}", f"Verdict: {found.verdict}.",
            together if found.tests else "Nothing was tested.")


def _json(play_audit: Audit) -> str:
    def exact(value: Fraction | None) -> str | None:
        return None if value is None else text(value)

    tests: list[dict[str, Any]] = [
        {"name": t.name, "method": t.method, "expected": exact(t.expected), "observed": exact(t.observed),
         "intervals": {str(int(q * 100)): [text(x) for x in pair]
                       for q, pair in zip(LEVELS, t.intervals, strict=False)},
         "p": t.p, "error": t.error}
        for t in play_audit.tests
    ]
    return document("audit", {
        "id": play_audit.analysis.id, "decks": play_audit.analysis.decks, "rounds": play_audit.played.rounds,
        "met": play_audit.met, "verdict": play_audit.verdict, "p": play_audit.p, "error": play_audit.error,
        "tests": tests, "look": play_audit.look or None, "handle": exact(play_audit.played.handle),
        "drop": exact(play_audit.played.drop), "win": exact(play_audit.played.win),
        "hold": exact(play_audit.played.hold),
        "rows": [{"label": r.label, "rounds": r.rounds, "p": p, "error": error}
                 for r, p, error in play_audit.rows], "notes": list(play_audit.notes),
    })
