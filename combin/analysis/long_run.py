"""Progressives over many rounds: reset, contributions, break-even, hits, long-run return.

The return at a given meter and the long-run return are two figures. The first uses the current meter. The second
follows the money: contributions are paid out in the long run, and a reset funded by the operator is a further prize:

    fixed pays ÷ stake + contribution rates + seed × P(reset) ÷ stake

Contribution rates include secondary meters. A reset out of contributions is not counted again. A share that is paid
without a reset and without a deduction from the meter adds its value at the mean meter, reset + contributions between
two hits.

If two players hit in one round, the second is paid from the rest. The figures of a single player do not consider this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from ..base.errors import fault
from ..base.exact import Exact, is_number, ratio, simplify, to_decimal, value_of
from ..games import must_hit
from ..games.outcome import Outcome
from ..rulebook.parameters import Meter, meters
from ..rulebook.pays import LOSS
from ..rulebook.terms import Companion
from .record import AnalysisRecord
from .request import Request

ROUNDS = tuple(10**k for k in range(3, 8))
#: Significant digits of a probability that is too long to write as a fraction.
DIGITS = 15


@dataclass(frozen=True)
class MeterFigures:
    """Figures of one meter: ``hit`` is the probability of a reset in a round, amounts are in dollars.

    ``break_even`` is the meter at which the return is 1, with the other meters at their reset; None if it depends on
    another unknown. ``rate`` and ``secondary`` are shares of each wager, expressions if the operator's rate is not set.
    """

    meter: Meter
    value: Exact | None
    reset: Exact
    hit: Fraction
    break_even: Fraction | None
    rate: Exact
    secondary: Fraction

    @property
    def rounds_between(self) -> Fraction | None:
        """The expected number of rounds of one player between two hits. None if it is never hit."""
        return 1 / self.hit if self.hit else None

    def within(self, rounds: int) -> Decimal:
        """Return the probability of at least one hit within ``rounds`` rounds of one player."""
        return hit_within(self.hit, rounds)


@dataclass(frozen=True)
class Progressive:
    """A progressive over many rounds, per unit staked.

    ``at_reset`` is the return with every meter at its reset, ``at_meter`` that at the meters as set (None if one is not
    set). ``long_run`` is the sum of ``fixed``, ``contributions``, ``seeds`` and ``not_deducted``.
    """

    meters: tuple[MeterFigures, ...]
    at_reset: Exact
    at_meter: Exact | None
    fixed: Exact
    contributions: Exact
    seeds: Exact
    not_deducted: Exact

    @property
    def long_run(self) -> Exact:
        return simplify(self.fixed + self.contributions + self.seeds + self.not_deducted)


def hit_within(p: Fraction, rounds: int) -> Decimal:
    """Return 1 − (1 − p)^rounds to `DIGITS` significant digits. Raises `InputError` for a negative number of rounds."""
    if rounds < 0:
        raise fault(f"the number of rounds cannot be {rounds}", "give 0 or more")
    with localcontext() as context:
        # The power loses about ten digits; the difference loses the number of leading zeros of p.
        context.prec = 60 + len(str(p.denominator))
        chance = 1 - to_decimal(1 - p) ** rounds
        context.prec = DIGITS
        return (+chance).normalize() if chance else Decimal(0)


def progressive(a: AnalysisRecord) -> Progressive | None:
    """Return the long-run figures of an analysis. Returns None unless an outcome pays from a meter."""
    named = {n for o in a.outcomes if o.pay is not None for n in o.pay.unknowns}
    paying = [m for m in meters(a.resolved) if m.name in named]
    if not paying or not a.has_stake:
        return None
    stake = _value(a, "stake")
    resets = {m.name: _value(a, m.reset_name) for m in paying}
    at_reset = _under(a, resets)
    fixed = a.return_with({**a.parameters, **dict.fromkeys(resets, Fraction(0))})
    figures = tuple(_meter(a, m, resets) for m in paying)
    # Contributions, including those of the secondary meter, pay for a seed that the operator does not fund.
    seeds = sum((f.reset * f.hit / stake for f in figures if f.meter.seed == "operator"), Fraction(0))
    return Progressive(
        meters=figures,
        at_reset=at_reset,
        at_meter=a.returned if all(f.value is not None for f in figures) else None,
        fixed=fixed,
        contributions=simplify(sum((f.rate + f.secondary for f in figures), Fraction(0))),
        seeds=simplify(seeds),
        not_deducted=_not_deducted(a, figures, stake),
    )


def _value(a: AnalysisRecord, name: str) -> Exact:
    return value_of(a.parameters, name)


def _follows_meter(a: AnalysisRecord) -> bool:
    """Return whether the play, and so every probability, depends on the meter: if bet and base game are joint."""
    return a.resolved.terms.depends_on_play and a.parameters.get("ante") is not None


def _under(a: AnalysisRecord, amounts: Mapping[str, Exact]) -> Exact:
    if _follows_meter(a) and all(map(is_number, amounts.values())):
        return a.replace(set=dict(amounts)).returned
    return a.return_with({**a.parameters, **amounts})


def _meter(a: AnalysisRecord, meter: Meter, resets: Mapping[str, Exact]) -> MeterFigures:
    hit = sum((o.probability for o in a.outcomes if is_reset_by(o, meter)), Fraction(0))
    return MeterFigures(
        meter=meter,
        value=a.parameters.get(meter.name),
        reset=resets[meter.name],
        hit=hit,
        break_even=_break_even(a, meter.name, resets),
        rate=_value(a, meter.rate_name),
        secondary=ratio(meter.secondary) if meter.secondary is not None else Fraction(0),
    )


def is_reset_by(outcome: Outcome, meter: Meter) -> bool:
    """Return whether an outcome resets the meter, by its line or by the wheel's symbol."""
    return bool({outcome.line, outcome.symbol} & set(meter.resets_on))


def _break_even(a: AnalysisRecord, name: str, resets: Mapping[str, Exact]) -> Fraction | None:
    if _follows_meter(a):
        return None
    base, more = (a.return_with({**a.parameters, **resets, name: Fraction(x)}) for x in (0, 1))
    if not (is_number(base) and is_number(more)) or more == base:
        return None
    even: Fraction = (1 - base) / (more - base)
    return even if even >= 0 else None


def _not_deducted(a: AnalysisRecord, figures: tuple[MeterFigures, ...], stake: Exact) -> Exact:
    """Return the part of the return from shares that are not deducted from the meter, each at the mean meter."""
    if a.resolved.terms.meter_options.share_deducted == "yes":
        return Fraction(0)
    total: Exact = Fraction(0)
    for f in filter(lambda f: f.hit, figures):
        mean = f.reset + f.rate * stake / f.hit
        for o in a.outcomes:
            share = sum((s for n, s in o.pay.shares if n == f.meter.name), Fraction(0)) if o.pay else Fraction(0)
            if share and not is_reset_by(o, f.meter):
                total = total + o.probability * share * mean / stake
    return simplify(total)


@dataclass(frozen=True)
class FreeBonus:
    """The effect of a promotion on its wager; returns are per unit staked."""

    wager: str
    alone: Exact
    together: Exact

    @property
    def added(self) -> Exact:
        return simplify(self.together - self.alone)


def free_bonus(a: AnalysisRecord) -> FreeBonus | None:
    """Return a promotion together with its wager.

    Under the reading ``instead`` the bonus replaces the pay of that wager. Returns None unless the promotion belongs
    to a wager, which then has a line for each of its outcomes.
    """
    beside = a.resolved.terms.beside
    if not isinstance(beside, Companion):
        return None
    table = f"{a.resolved.document.prefix}/{beside.wager}/{beside.table}"
    shared = {r.id: a.readings[r.id] for r in a.book.readings_of(table) if r.id in a.readings}
    request = a.request
    base = a.ask(a.book, Request(table, a.decks, {}, shared, request.without, request.any_decks))
    stake = _value(a, "stake")
    together = base.returned + a.returned / stake
    if beside.paid == "instead":
        lines = {o.outcome: o.returned for o in base.outcomes}
        replaced = {LOSS: LOSS, **beside.lines}
        if any(replaced.get(o.outcome) not in lines for o in a.outcomes):
            return None
        for o in a.outcomes:
            together = together - o.probability * lines[replaced[o.outcome]]
    return FreeBonus(table, base.returned, simplify(together))


def must_hit_now(a: AnalysisRecord) -> Exact | None:
    """Return the value in dollars of the next round of a Must Hit meter.

    Returns None unless meter, stake and rate are set.
    """
    meter, step = a.parameters.get("must_hit_meter"), must_hit.into_meter(a.parameters)
    if meter is None or not is_number(step):
        return None
    return must_hit.dollars_at(meter, _value(a, "maximum"), step)
