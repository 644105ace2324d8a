"""Many runs of a bank of tables, each with its own seed: the same result for any number of workers.

The outcomes of a day are one multinomial draw; only wagers that a meter pays get an index within the
day. If the plan says so, rounds are dealt instead. A run's seed is child ``run`` of numpy's
SeedSequence of the plan's seed. Dollars are doubles: the error of a simulation is far larger than
their rounding.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..base import budgets
from ..base.distribution import missing
from ..base.errors import fault
from ..base.parallel import Progress, default_threads
from ..base.work import on_processes
from .cards import SettledTable
from .plan import Plan
from .seat import Pays
from .seat_distribution import SeatDistribution

#: The number of pieces of runs for each worker: with several, no worker waits long for the last one.
PIECES = 8
#: The number of rounds that are dealt at once.
BLOCK = 10_000
#: How often a piece is repeated on a cluster after a worker was lost.
RETRIES = 5
#: Timeout for the answer of a scheduler, seconds.
PATIENCE = "5s"


@dataclass
class Drawn:
    """A run's rounds, from the distribution or from cards: the fixed dollars paid, without meters.

    Dealt rounds also have sums of squares: of a seat's fixed dollars, of a round's, and of a round's cost, which
    includes the resets that the operator funds.
    """

    fixed: float = 0.0
    of_seats: float = 0.0
    of_rounds: float = 0.0
    cost: float = 0.0
    of_costs: float = 0.0

    def from_distribution(
        self, distribution: SeatDistribution, plan: Plan, random: np.random.Generator
    ) -> Iterator[tuple[int, Pays]]:
        """Return the wagers that a meter pays, in order, with their indices; a day is one multinomial draw."""
        # at most 10^8 wagers a day (`check`) over 36,525 days, which fits into an int64
        wagers = plan.rounds_per_day * plan.seats
        chances = np.array([float(e.probability) for e in distribution.events])
        counts = random.multinomial(wagers, chances / chances.sum(), size=plan.days)
        self.fixed = float(counts.sum(axis=0) @ np.array([float(e.fixed) for e in distribution.events]))
        paying = [i for i, e in enumerate(distribution.events) if e.pays]
        for day in range(plan.days):
            today = [i for i in paying for _ in range(counts[day, i])]
            if today:
                places = random.choice(wagers, len(today), replace=False)
                for place, i in sorted(zip(places.tolist(), today, strict=True)):
                    yield day * wagers + place, distribution.events[i].pays

    def from_cards(self, table: SettledTable, plan: Plan, random: np.random.Generator) -> Iterator[tuple[int, Pays]]:
        """Return the same from dealt rounds; the spots of a round are dealt together, block by block."""
        rounds = plan.rounds_per_day * plan.days
        for start in range(0, rounds, BLOCK):
            events = table.deal(random, min(BLOCK, rounds - start), int(random.integers(2**63)))
            taken = table.taken(events)
            dollars = np.array(table.fixed)[events].reshape(len(events), plan.seats, -1).sum(axis=2) - taken
            cost = np.array(table.cost)[events].sum(axis=1) - taken.sum(axis=1)
            self.fixed += float(dollars.sum())
            self.of_seats += float((dollars**2).sum())
            self.of_rounds += float((dollars.sum(axis=1) ** 2).sum())
            self.cost += float(cost.sum())
            self.of_costs += float((cost**2).sum())
            paying = np.array([bool(pays) for pays in table.pays])[events].reshape(-1)
            for place in np.flatnonzero(paying).tolist():
                yield start * events.shape[1] + place, table.pays[events.flat[place]]


@dataclass(frozen=True)
class Run:
    """A run: the operator's win, and by meter the greatest amount and the days between hits."""

    win: float
    greatest: tuple[float, ...]
    #: By meter, days from the start or the last hit to each hit.
    waits: tuple[tuple[float, ...], ...]
    #: By meter, its amount at each hit.
    hits: tuple[tuple[float, ...], ...]
    #: By meter, pairs of hits in one round.
    pairs: tuple[int, ...]
    #: Of rounds dealt; None if they are drawn from the distribution.
    dealt: Drawn | None = None


def run_one(distribution: SeatDistribution, plan: Plan, run: int, table: SettledTable | None = None) -> Run:
    """Return run ``run`` of the plan; ``table`` deals its cards and may be used for other runs too."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(plan.seed, spawn_key=(run,))))
    rounds, seats = plan.rounds_per_day, plan.seats * distribution.boxes
    drawn = Drawn()
    if distribution.dealing is None:
        paying_events = drawn.from_distribution(distribution, plan, random)
    else:
        paying_events = drawn.from_cards(table or SettledTable(distribution.dealing), plan, random)
    step = [float(m.step) * seats for m in distribution.meters]
    into_pot = [float(m.pot) * seats for m in distribution.meters]
    reset = [float(m.reset) for m in distribution.meters]
    value = [float(m.start) for m in distribution.meters]
    pot = [0.0] * len(value)
    since, last = [0] * len(value), [0] * len(value)
    greatest, beside = list(value), 0.0
    waits: list[list[float]] = [[] for _ in value]
    hits: list[list[float]] = [[] for _ in value]
    pairs, this_round = [0] * len(value), [0] * len(value)

    def bring(m: int, now: int) -> None:
        value[m] += (now - since[m]) * step[m]
        pot[m] += (now - since[m]) * into_pot[m]
        since[m] = now
        greatest[m] = max(greatest[m], value[m])

    for place, pays in paying_events:
        now = place // seats + 1  # the contributions of the round are included
        for m, share, is_hit in pays:
            bring(m, now)
            paid = float(share) * value[m]
            if is_hit:
                hits[m].append(value[m])
                waits[m].append((now - last[m]) / rounds)
                this_round[m] = this_round[m] + 1 if now == last[m] else 0
                pairs[m] += this_round[m]
                last[m] = now
                if distribution.meters[m].funded:
                    value[m], pot[m] = pot[m], 0.0
                else:
                    value[m] = reset[m]
                    beside += reset[m]
            elif distribution.meters[m].deducted:
                value[m] -= paid
            else:
                beside += paid
    for m in range(len(value)):
        bring(m, plan.days * rounds)
    kept = float(distribution.stake) - sum(float(m.step + m.pot) for m in distribution.meters)
    win = kept * rounds * seats * plan.days - drawn.fixed - beside
    return Run(win, tuple(greatest), tuple(map(tuple, waits)), tuple(map(tuple, hits)), tuple(pairs),
               None if distribution.dealing is None else drawn)


def some(distribution: SeatDistribution, plan: Plan, start: int, stop: int) -> list[Run]:
    """Return the runs from ``start`` to ``stop``, a piece of work that any worker can do."""
    table = None if distribution.dealing is None else SettledTable(distribution.dealing)
    return [run_one(distribution, plan, run, table) for run in range(start, stop)]


def check(plan: Plan, distribution: SeatDistribution | None = None, *, cluster: bool = False) -> None:
    """Raise `InputError` for a bank with more wagers a day, days, or meter pays than are simulated.

    With ``distribution``, also for too many wagers or pays by its probabilities. A cluster has a hundred times the
    budget.
    """
    if plan.rounds_per_day * plan.seats > 10**8:
        raise fault(f"the bank takes {plan.rounds_per_day * plan.seats:,} wagers a day, more than 100,000,000",
                    "give fewer tables, seats or rounds", file=plan.file, place="bank")
    most, days = (100 if cluster else 1), plan.days * plan.runs
    if days > most * budgets.DAYS:
        raise fault(f"{plan.runs:,} runs of {plan.days:,} days are {days:,} days, more than {most * budgets.DAYS:,}",
                    "give fewer runs or days, or run it on a cluster: --scheduler", file=plan.file, place="bank")
    if distribution is None:
        return
    wagers = plan.rounds_per_day * plan.seats * days
    if distribution.dealing is not None and wagers > most * budgets.WAGERS_DEALT:
        raise fault(f"{wagers:,} wagers would be dealt, more than {most * budgets.WAGERS_DEALT:,}",
                    "give fewer runs, days or rounds, or leave out cards", file=plan.file, place="bank")
    pays = int(wagers * sum((Fraction(e.probability) for e in distribution.events if e.pays), Fraction(0)))
    if pays > most * budgets.METER_PAYS:
        raise fault(f"meters would pay about {pays:,} times, more than {most * budgets.METER_PAYS:,}",
                    "give fewer runs, days or rounds", file=plan.file, place="bank")


def all_runs(
    distribution: SeatDistribution, plan: Plan, *, workers: int | None = None, scheduler: str = ""
) -> list[Run]:
    """Return all runs of the plan in order: in this process, on processes of this machine, or on a Dask cluster."""
    check(plan, distribution, cluster=bool(scheduler))
    workers = min(workers or default_threads(), plan.runs)
    size = max(1, -(-plan.runs // (PIECES * (workers if not scheduler else 8))))
    pieces = [(start, min(start + size, plan.runs)) for start in range(0, plan.runs, size)]
    runs_by_start: dict[int, list[Run]] = {}
    with Progress("runs", len(pieces)) as progress:
        if scheduler:
            done = _on_cluster(distribution, plan, pieces, scheduler)
        elif workers == 1:
            done = ((start, some(distribution, plan, start, stop)) for start, stop in pieces)
        else:
            starts = [start for start, _ in pieces]
            done = zip(starts, on_processes(_piece, (distribution, plan), pieces, workers), strict=True)
        for start, runs in done:
            runs_by_start[start] = runs
            progress.advance()
    return [run for start, _ in pieces for run in runs_by_start[start]]


def _piece(bank: tuple[SeatDistribution, Plan], piece: tuple[int, int]) -> list[Run]:
    return some(*bank, *piece)


def _on_cluster(
    distribution: SeatDistribution, plan: Plan, pieces: list[tuple[int, int]], scheduler: str
) -> Iterator[tuple[int, list[Run]]]:
    try:
        from dask.distributed import Client
        from dask.distributed import as_completed as as_they_come
    except ImportError:
        raise missing("a cluster needs Dask", "cluster", file="--scheduler") from None
    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError):
        raise fault(f"no scheduler answers at {scheduler}", "give its address: tcp://HOST:8786",
                    file="--scheduler") from None
    with client:
        # A solved game has megabytes: it is sent once as a task, which the cluster repeats if its result is lost.
        hand_on: Callable[..., Any] = tuple
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # warning of a large task
            bank = client.submit(hand_on, (distribution, plan), pure=False, retries=RETRIES)
        work: Callable[..., Any] = _piece
        futures = client.map(work, [bank] * len(pieces), pieces, pure=False, retries=RETRIES)
        of = {future.key: start for future, (start, _) in zip(futures, pieces, strict=True)}
        try:
            for future in as_they_come(futures):
                yield of[future.key], future.result()
        finally:
            with suppress(Exception):  # the scheduler may have ended already; the results are here
                client.cancel(futures)
