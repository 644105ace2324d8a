"""Many runs of a bank of tables, each from a seed of its own: the same result for any number of workers.

A day's outcomes are one multinomial draw; only what a meter pays has a place among the
wagers of the day. A run's seed is child ``run`` of numpy's SeedSequence of the plan's seed.
Dollars are doubles here: this is a simulation, and its error is far above theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.distribution import missing
from ..base.errors import fault
from ..base.parallel import Progress, default_threads
from ..base.work import on_processes
from .law import Law
from .plan import Plan

#: Runs are handed out in pieces; about so many for each worker, so that none waits long for the last one.
PIECES = 8
#: How often a piece is begun again on a cluster after a worker was lost.
RETRIES = 5
#: Seconds that a scheduler has to answer.
PATIENCE = "5s"


@dataclass(frozen=True)
class Run:
    """One run: the operator's win, by meter the greatest amount, and the days between its hits."""

    win: float
    greatest: tuple[float, ...]
    #: By meter, days from the start or the last hit to each hit.
    waits: tuple[tuple[float, ...], ...]
    #: By meter, what it held when it was hit.
    hits: tuple[tuple[float, ...], ...]


def run_one(law: Law, plan: Plan, run: int) -> Run:
    """Run number ``run`` of the plan."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(plan.seed, spawn_key=(run,))))
    # At most 10^8 wagers a day (`check`) over 36,525 days: inside an int64.
    rounds, seats = plan.rounds_per_day, plan.seats
    wagers = rounds * seats
    chances = np.array([float(e.probability) for e in law.events])
    fixed = np.array([float(e.fixed) for e in law.events])
    counts = random.multinomial(wagers, chances / chances.sum(), size=plan.days)
    paying = [i for i, e in enumerate(law.events) if e.pays]
    acts = [[(m, float(share), reset) for m, share, reset in law.events[i].pays] for i in paying]
    kept = float(law.stake) - sum(float(m.step + m.pot) for m in law.meters)
    win = kept * wagers * plan.days - float(counts.sum(axis=0) @ fixed)
    step = [float(m.step) * seats for m in law.meters]
    into_pot = [float(m.pot) * seats for m in law.meters]
    reset = [float(m.reset) for m in law.meters]
    value = [float(m.start) for m in law.meters]
    pot = [0.0] * len(value)
    since, last = [0] * len(value), [0] * len(value)
    greatest = list(value)
    waits: list[list[float]] = [[] for _ in value]
    hits: list[list[float]] = [[] for _ in value]

    def bring(m: int, now: int) -> None:
        value[m] += (now - since[m]) * step[m]
        pot[m] += (now - since[m]) * into_pot[m]
        since[m] = now
        greatest[m] = max(greatest[m], value[m])

    for day in range(plan.days):
        today = [k for k, i in enumerate(paying) for _ in range(counts[day, i])]
        if not today:
            continue
        places = random.choice(wagers, len(today), replace=False)
        for place, k in sorted(zip(places.tolist(), today, strict=True)):
            now = day * rounds + place // seats + 1  # the round's own contributions are in
            for m, share, is_hit in acts[k]:
                bring(m, now)
                paid = share * value[m]
                if is_hit:
                    hits[m].append(value[m])
                    waits[m].append((now - last[m]) / rounds)
                    last[m] = now
                    if law.meters[m].funded:
                        value[m], pot[m] = pot[m], 0.0
                    else:
                        value[m] = reset[m]
                        win -= reset[m]
                elif law.meters[m].deducted:
                    value[m] -= paid
                else:
                    win -= paid
    for m in range(len(value)):
        bring(m, plan.days * rounds)
    return Run(win, tuple(greatest), tuple(map(tuple, waits)), tuple(map(tuple, hits)))


def some(law: Law, plan: Plan, start: int, stop: int) -> list[Run]:
    """The runs from ``start`` to ``stop``: a piece of work that any worker does alike."""
    return [run_one(law, plan, run) for run in range(start, stop)]


def check(plan: Plan) -> None:
    """`InputError` for a bank with more wagers a day than are counted."""
    if plan.rounds_per_day * plan.seats > 10**8:
        raise fault(f"the bank takes {plan.rounds_per_day * plan.seats:,} wagers a day, more than 100,000,000",
                    "give fewer tables, seats or rounds", file="bank")


def all_runs(law: Law, plan: Plan, *, workers: int | None = None, scheduler: str = "") -> list[Run]:
    """All runs of the plan in order: in this process, on processes of this machine, or on a Dask cluster."""
    check(plan)
    workers = min(workers or default_threads(), plan.runs)
    size = max(1, -(-plan.runs // (PIECES * (workers if not scheduler else 8))))
    pieces = [(start, min(start + size, plan.runs)) for start in range(0, plan.runs, size)]
    found: dict[int, list[Run]] = {}
    with Progress("runs", len(pieces)) as progress:
        if scheduler:
            done = _on_cluster(law, plan, pieces, scheduler)
        elif workers == 1:
            done = ((start, some(law, plan, start, stop)) for start, stop in pieces)
        else:
            starts = [start for start, _ in pieces]
            done = zip(starts, on_processes(_piece, (law, plan), pieces, workers), strict=True)
        for start, runs in done:
            found[start] = runs
            progress.advance()
    return [run for start, _ in pieces for run in found[start]]


def _piece(bank: tuple[Law, Plan], piece: tuple[int, int]) -> list[Run]:
    return some(*bank, *piece)


def _on_cluster(
    law: Law, plan: Plan, pieces: list[tuple[int, int]], scheduler: str
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
        starts = [start for start, _ in pieces]
        work: Callable[..., Any] = some
        futures = client.map(
            work, [law] * len(pieces), [plan] * len(pieces), starts, [stop for _, stop in pieces],
            pure=False, retries=RETRIES,
        )
        of = {future.key: start for future, start in zip(futures, starts, strict=True)}
        try:
            for future in as_they_come(futures):
                yield of[future.key], future.result()
        finally:
            with suppress(Exception):  # the scheduler may be gone at the end: what counts was told before
                client.cancel(futures)


__all__ = ["Run", "all_runs", "check", "run_one", "some"]
