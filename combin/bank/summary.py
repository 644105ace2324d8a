"""Summary of all runs of a bank: operator's win, meters, days between hits, z of the exact distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import Any

from ..base.documents import document
from ..base.toml_tables import keys_of
from ..pages.blocks import Cell, Facts, Grid, Part, Words
from .plan import BankTerms, Plan
from .seat import Event
from .seat_distribution import SeatDistribution
from .years import Run

#: The quantiles of a distribution that are shown.
SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
ASSUMED = (
    "all seats are taken, each makes every wager in every round and is played best for the base game; {hands}; all "
    "tables feed the same meters; the operator's win counts contributions as spent when they are made, and a reset "
    "that it funds when the meter is reset"
)
HANDS = {
    "law": "the seats' hands are drawn independently of one another, though seats of one round share a shoe",
    "cards": "all seats of a table and its dealer are dealt from one freshly shuffled shoe in every round, and no seat "
             "uses the cards of another",
}


@dataclass(frozen=True)
class Quantiles:
    """A distribution: mean, standard deviation, and amounts at `SHARES`; of ``count`` values."""

    count: int
    mean: float
    deviation: float
    least: float
    greatest: float
    at: tuple[float, ...]


@dataclass(frozen=True)
class OfMeter:
    """A meter over all runs, with ``expected`` hits and their ``z`` by the exact probability."""

    name: str
    hits: int
    expected: Fraction
    z: float | None
    days_between: Fraction | None
    greatest: Quantiles
    at_hit: Quantiles | None
    waits: Quantiles | None


@dataclass(frozen=True)
class OfSeats:
    """Variance of the fixed dollars paid to a seat in a dealt round, and covariance of two seats.

    ``error`` is the standard error of the covariance by the runs.
    """

    variance: float
    covariance: float
    error: float


@dataclass(frozen=True)
class BankSummary:
    """All runs: ``exact_win`` is the exact mean win of a run, None if it is not computed.

    ``z`` is None also if ``rare`` is set: results expected less than `FEW` times in all runs dominate the variance.
    ``seats`` is None if seats are drawn independently, or a table has only one.
    """

    plan: Plan
    win: Quantiles
    losing: int
    exact_win: Fraction | None
    z: float | None
    meters: tuple[OfMeter, ...]
    seats: OfSeats | None = None
    rare: bool = False


#: A sum is taken as normal if results that are expected less often than this have less than `SHARE` of its variance.
FEW, SHARE = 25, Fraction(1, 20)


def spread(values: Sequence[float]) -> Quantiles | None:
    """Return the distribution of the values, with order statistics that are values. None if there are none."""
    if not values:
        return None
    ordered, n = sorted(values), len(values)
    mean = sum(ordered) / n
    deviation = sqrt(sum((x - mean) ** 2 for x in ordered) / (n - 1)) if n > 1 else 0.0
    at = tuple(ordered[min(n - 1, int(share * n))] for share in SHARES)
    return Quantiles(n, mean, deviation, ordered[0], ordered[-1], at)


def summary(distribution: SeatDistribution, plan: Plan, runs: Sequence[Run]) -> BankSummary:
    """Return the summary of the runs."""
    boxes = plan.rounds_per_day * plan.days * plan.seats * distribution.boxes
    win = spread([r.win for r in runs])
    assert win is not None  # a plan has two runs at least
    mean, deducted = distribution.win, all(m.deducted for m in distribution.meters)
    exact = boxes * mean if mean is not None and deducted else None
    z, rare = None, exact is not None and _is_rare(distribution, plan, boxes * len(runs))
    if exact is not None and not rare and (deviation := _deviation(distribution, plan, runs)):
        z = (win.mean - float(exact)) / (deviation / sqrt(len(runs)))
    meters = tuple(_meter(distribution, plan, runs, m) for m in range(len(distribution.meters)))
    return BankSummary(plan, win, sum(r.win < 0 for r in runs), exact, z, meters, _seats(plan, runs), rare)


def _costs(distribution: SeatDistribution) -> list[list[tuple[Fraction, Fraction]]]:
    """Return (probability, dollars paid to a spot and added to meters by the operator) for each result.

    There is one list for all wagers of a spot together, or a list for each wager if rounds are dealt.
    """
    if distribution.dealing is None:
        return [[(e.probability, e.cost(distribution.meters)) for e in distribution.events]]
    seat = distribution.dealing.seat
    return [[(p * chance, Event(p, fixed, pays).cost(distribution.meters))
             for end, p in seat.ends(i).items() for chance, fixed, pays in seat.paid(i, end)]
            for i in range(len(seat.wagers))]


def _is_rare(distribution: SeatDistribution, plan: Plan, trials: int) -> bool:
    """Whether results that are expected less than `FEW` times in all runs dominate the variance of a wager."""
    for costs in _costs(distribution):
        mean = sum((p * x for p, x in costs), Fraction(0))
        parts = [(p, p * (x - mean) ** 2) for p, x in costs]
        seldom = sum((square for p, square in parts if p * trials < FEW), Fraction(0))
        if seldom > SHARE * sum((square for _, square in parts), Fraction(0)):
            return True
    return False


def _deviation(distribution: SeatDistribution, plan: Plan, runs: Sequence[Run]) -> float:
    """Return the standard deviation of a run's win: the exact one, or that of all rounds dealt."""
    rounds = plan.rounds_per_day * plan.days
    dealt = [run.dealt for run in runs if run.dealt is not None]
    if dealt:
        every = rounds * len(dealt)
        mean = sum(d.cost for d in dealt) / every
        return sqrt(rounds * max(sum(d.of_costs for d in dealt) / every - mean**2, 0.0))
    costs = [(e.probability, e.cost(distribution.meters)) for e in distribution.events]
    mean_cost = sum((p * x for p, x in costs), Fraction(0))
    return sqrt(rounds * plan.seats * sum((p * (x - mean_cost) ** 2 for p, x in costs), Fraction(0)))


def _seats(plan: Plan, runs: Sequence[Run]) -> OfSeats | None:
    dealt = [run.dealt for run in runs if run.dealt is not None]
    if not dealt or plan.seats == 1:
        return None
    seats = plan.rounds_per_day * plan.days * plan.seats
    mean = sum(d.fixed for d in dealt) / (seats * len(dealt))
    square = sum(d.of_seats for d in dealt) / (seats * len(dealt))
    pairs = spread([(d.of_rounds - d.of_seats) / (seats * (plan.seats - 1)) - mean**2 for d in dealt])
    assert pairs is not None  # a plan has two runs at least
    return OfSeats(square - mean**2, pairs.mean, pairs.deviation / sqrt(pairs.count))


def _meter(distribution: SeatDistribution, plan: Plan, runs: Sequence[Run], m: int) -> OfMeter:
    meter, boxes = distribution.meters[m], plan.seats * distribution.boxes
    a_day = plan.rounds_per_day * boxes * meter.hit
    expected = a_day * plan.days * len(runs)
    hits = sum(len(r.hits[m]) for r in runs)
    variance = float(expected * (1 - meter.hit))
    if plan.deals == "cards":  # spots of one round may hit together
        every = plan.rounds_per_day * plan.days * len(runs) * comb(boxes, 2)
        both = distribution.both[m]
        pairs = sum(r.pairs[m] for r in runs) if both is None else every * both
        variance += 2 * float(pairs - every * meter.hit**2)
    greatest = spread([r.greatest[m] for r in runs])
    assert greatest is not None
    return OfMeter(
        meter.name, hits, expected, (hits - float(expected)) / sqrt(variance) if variance > 0 else None,
        1 / a_day if a_day else None, greatest, spread([x for r in runs for x in r.hits[m]]),
        spread([x for r in runs for x in r.waits[m]]),
    )


# ---- as a page and as JSON


def part(results: BankSummary) -> Part:
    """Return the page of a summary, dollars."""
    p = results.plan
    facts: list[tuple[str, Cell]] = [("stake on " + w.id, f"${float(w.stake):,.2f}") for w in p.wagers]
    facts.append(("runs that lose", f"{results.losing:,} of {p.runs:,}"))
    if results.exact_win is not None:
        why = f", no z: prizes that are expected less than {FEW} times in all runs dominate the variance"
        facts.append(("exact mean win of a run",
                      f"{float(results.exact_win):,.2f}{why if results.rare else _z(results.z)}"))
    if results.seats is not None:
        pair = results.seats
        facts += [("variance of what a seat is paid in a round, meters aside", f"{pair.variance:,.4f}"),
                  ("covariance of two seats", f"{pair.covariance:,.4f} ± {pair.error:,.4f}")]
    spreads: list[tuple[str, Quantiles | None, int]] = [("operator's win", results.win, 2)]
    for m in results.meters:
        facts.append((f"{m.name}: hits", f"{m.hits:,}, {float(m.expected):,.2f} expected{_z(m.z)}"))
        if m.days_between is not None:
            facts.append((f"{m.name}: exact mean days between hits", f"{float(m.days_between):,.4f}"))
        spreads += [(f"{m.name}: days to a hit, of those within a run", m.waits, 4),
                    (f"{m.name}: when it is hit", m.at_hit, 2), (f"{m.name}: greatest of a run", m.greatest, 2)]
    head = ("distribution", "mean", "standard deviation", "least", *(f"{share:.0%}" for share in SHARES), "greatest",
            "values")
    return Part(
        f"{p.tables:,} table(s), {p.seats} seat(s), {p.rounds_per_hour:,} rounds an hour, {p.hours_per_day} hours a "
        f"day, {p.days:,} days; {p.runs:,} runs, seed {p.seed}",
        blocks=(Facts(tuple(facts)), Grid(head, tuple(_row(*one) for one in spreads)),
                Words(f"Assumed: {_assumed(p)}.")),
    )


def _z(z: float | None) -> str:
    return "" if z is None else f", z = {z:+.2f}"


def _row(name: str, s: Quantiles | None, places: int) -> tuple[str, ...]:
    if s is None:
        return (name, "none occurred")
    return (name, *(f"{x:,.{places}f}" for x in (s.mean, s.deviation, s.least, *s.at, s.greatest)), f"{s.count:,}")


def _assumed(plan: Plan) -> str:
    return ASSUMED.format(hands=HANDS[plan.deals])


def _record(s: Quantiles | None) -> dict[str, Any] | None:
    if s is None:
        return None
    return {"count": s.count, "mean": s.mean, "standard_deviation": s.deviation, "least": s.least,
            "greatest": s.greatest, "at": {f"{share:.0%}": x for share, x in zip(SHARES, s.at, strict=True)}}


def render_json(results: BankSummary) -> str:
    """Return the summary as JSON; exact values are texts."""
    p = results.plan
    record = {
        "plan": {
            **{name: getattr(p, name) for name in keys_of(BankTerms)},
            "wagers": [{"id": w.id, "stake": str(w.stake), "decks": w.decks, "set": dict(w.set),
                        "reading": dict(w.reading), "wheel": dict(w.wheel)} for w in p.wagers],
        },
        "operator_win": _record(results.win),
        "runs_that_lose": results.losing,
        "exact_mean_win": None if results.exact_win is None else str(results.exact_win),
        "z": results.z,
        "meters": [
            {"meter": m.name, "hits": m.hits, "expected_hits": str(m.expected), "z": m.z,
             "exact_days_between_hits": None if m.days_between is None else str(m.days_between),
             "days_to_a_hit": _record(m.waits), "meter_at_hit": _record(m.at_hit),
             "greatest_meter": _record(m.greatest)}
            for m in results.meters
        ],
        "seats": None if results.seats is None else {
            "variance": results.seats.variance, "covariance_of_two": results.seats.covariance,
            "standard_error": results.seats.error},
        "assumed": _assumed(p),
    }
    return document("simulate", record)
