"""Simulation: the rules dealt card by card, and outcome frequencies compared with the exact probabilities.

It uses no kernel, class or outcome function. Rounds are dealt in parcels, each with a random stream spawned from the
seed: the result is the same for any number of workers. Kernels also deal base games, in blocks with streams of the same
kind, and play them as solved. Every cell of the joint table is then compared. The module of the game also plays without
a kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.exact import is_number
from ..base.parallel import sweep
from ..games.registry import game_of
from .cards_dealt import Parcel
from .chance import judged, mean_judged
from .deals import parcel_of
from .model import SIMULATION, Check

ROUNDS = 20_000  # per parcel, so that its cards fit in the cache


def simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    """Yield a check of each outcome: its count, and the distance from the expected count in standard errors."""
    for check in _simulation(a, rounds, seed):
        yield check if check.group else replace(check, group=SIMULATION)


def _simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    game = game_of(a.resolved)
    second = game.module("second_way") if game is not None else None
    if game is not None and second is None:
        yield Check("simulation", f"none: {game.name} has no independent method", "not simulated", None)
    elif second is not None and hasattr(second, "simulation"):
        yield from second.simulation(a, rounds, seed)
    elif second is not None:
        yield from _game(a, second, rounds, seed)
    elif not all(is_number(o.probability) for o in a.outcomes):
        yield Check("simulation", "none: a probability depends on unknowns", "not simulated", None)
    else:
        exact = _by_line(a)
        parcel = parcel_of(a, list(exact))
        if parcel is None:
            yield Check("simulation", "none: this wager has no independent settlement", "not simulated", None)
            return
        counts = run(parcel, len(exact), rounds, seed)
        yield from _rows("", exact, counts, seed)


def _by_line(a: Analysis) -> dict[str, Fraction]:
    """Return the probability of each line; a wheel is not spun here."""
    probabilities: dict[str, Fraction] = {}
    for o in a.outcomes:
        line = o.line or o.outcome
        probabilities[line] = probabilities.get(line, Fraction(0)) + o.probability
    return probabilities


def _game(a: Analysis, second: Any, rounds: int, seed: int) -> Iterator[Check]:
    """Yield checks of a base game: optimal play as solved, then strategies that are played and settled here."""
    exact, counts = second.optimal_play(a, rounds, seed)
    yield from _of_strategy("optimal play", exact, counts, second.net_results(a), a.game.expected_value, seed)
    for stream, e in enumerate(second.experiments(a), 1):
        counts = run(e.parcel, len(e.exact), rounds, seed, stream)
        yield from _of_strategy(f"{e.name}, no kernel", e.exact, counts, e.net, e.mean, seed)


def _of_strategy(
    name: str, exact: Mapping[str, Fraction], counts: Any, net: Sequence[Fraction], mean: Fraction, seed: int
) -> Iterator[Check]:
    """Yield the checks of one strategy, which a summary counts together."""
    yield from (replace(check, group=f"simulated {name}") for check in (
        *_rows(f"{name}: ", exact, counts, seed),
        net_judged(f"simulated {name}: net result", counts, net, exact, mean, seed)))


def _rows(what: str, exact: Mapping[str, Fraction], counts: Any, seed: int) -> Iterator[Check]:
    dealt = int(counts.sum())
    label_counts = list(zip(exact, counts.tolist(), strict=True))
    for label, count in label_counts:
        if exact[label]:
            yield judged(f"simulated {what}{label}", count, dealt, exact[label], seed)
    never = [(label, count) for label, count in label_counts if not exact[label]]
    if never:
        occurred = [label for label, count in never if count]
        yield Check(
            f"simulated {what}{len(never)} outcomes of probability 0",
            f"{dealt:,} rounds, seed {seed}",
            f"{occurred[0]} occurred" if occurred else "none occurred",
            not occurred,
        )


def run(
    parcel: Parcel, outcomes: int, rounds: int, seed: int, stream: int = 0, threads: int | None = None
) -> Any:
    """Return counts of the outcomes over ``rounds`` rounds; parcels and streams do not depend on the workers.

    ``stream`` separates several simulations with one seed.
    """
    parcels = -(-rounds // ROUNDS)
    streams = np.random.SeedSequence(seed, spawn_key=(stream,) if stream else ()).spawn(parcels)

    def call(start: int, stop: int, into: Any) -> None:
        for index in range(start, stop):
            size = min(ROUNDS, rounds - index * ROUNDS)
            into[0][:] += np.asarray(parcel(np.random.Generator(np.random.PCG64(streams[index])), size), dtype=np.int64)

    (counts,) = sweep(
        call, parcels, lambda: (np.zeros(outcomes, np.int64),), chunk=1, label="rounds dealt", threads=threads
    )
    return counts


def net_judged(
    what: str, counts: Any, net: Sequence[Fraction], exact: Mapping[str, Fraction], mean: Fraction, seed: int
) -> Check:
    """Return the check |z| < 4 of the average net result of a round, settled here, against the exact mean."""
    dealt = int(counts.sum())
    won = sum((int(n) * x for n, x in zip(counts.tolist(), net, strict=True)), Fraction(0)) / dealt
    square = sum((p * x * x for p, x in zip(exact.values(), net, strict=True)), Fraction(0))
    error = sqrt(max(square - mean**2, Fraction(0)) / dealt)
    method = f"{dealt:,} rounds, seed {seed}"
    if not error:
        return Check(what, method, f"{float(won):+.6f} per round, {float(mean):+.6f} expected", won == mean)
    return mean_judged(what, method, float(won), float(mean), error)
