"""Chase the Flush: time, memory and the slow second ways. Run by hand:

    python tests/benchmarks/bench_chase_the_flush.py            what follows
    python tests/benchmarks/bench_chase_the_flush.py classes    all 1,755 classes of hole cards played backwards again
    python tests/benchmarks/bench_chase_the_flush.py report     a report without a store: its parts, and the whole

Prints seconds on one thread and on all, and their ratio to dealing every dealer hand
of a few starting hands; deals 10^9 rounds (some ten minutes of processor time) and compares every cell
of the joint table; then searches the strategy language and tries the best one's neighbours.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from combin._kernels import load
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.deals.cards import cards, names, rank_masks
from combin.games.chase_the_flush import dealt_rounds
from combin.games.chase_the_flush import positions as played
from combin.games.chase_the_flush import solve as game
from combin.games.chase_the_flush import strategies as simple
from combin.verify import chase_play
from combin.verify.chase_the_flush import checks, differing_hole
from combin.verify.flush_games import settlement

A = settlement({4: 1, 5: 5, 6: 20, 7: 250})
B = settlement({5: 7, 6: 70, 7: 400})
ROUNDS, SEED = 10**9, 1_000_000_007


def timed(label: str, work: Callable[[], Any]) -> tuple[Any, float]:
    began, used = time.perf_counter(), time.process_time()
    result = work()
    wall = time.perf_counter() - began
    print(f"{label:50} {wall:8.2f} s, processor {time.process_time() - used:8.2f} s")
    return result, wall


def literal_hand(text: str, solution: game.ChaseSolution) -> None:
    """One starting hand by plain backward induction: every board and all 14,190 dealer hands are dealt."""
    own = cards(text)
    boards = np.array(list(combinations([c for c in range(52) if c not in own], 4)), dtype=np.uint8)
    counts = np.zeros((len(boards), 4), dtype=np.int64)
    load("chase_the_flush_rounds").count_literally(np.array(own, dtype=np.uint8), boards, counts)
    flush, below, upto, unqualified = counts.T
    low = flush < (3 << 13 | 1 << 7)
    cells = np.where(
        low,
        np.stack([unqualified - upto, upto - below, below, 14_190 - unqualified, 0 * below, 0 * below]),
        np.stack([0 * below, 0 * below, unqualified, 14_190 - upto, upto - below, below - unqualified]),
    )
    worth = [
        (cells * solution.utility[c].reshape(6, 6)[:, (flush >> 13) - 2]).sum(axis=0) for c in range(4)
    ]
    totals = np.zeros((2, 52, 52), dtype=np.int64)
    for i, j in combinations(range(4), 2):
        np.add.at(totals[0], (boards[:, i], boards[:, j]), worth[1])
        np.add.at(totals[1], (boards[:, i], boards[:, j]), np.maximum(worth[2], worth[3]))
    expected = [6 * int(worth[0].sum()), int(totals.max(axis=0).sum())]
    index = game.hole_classes()[0].tolist().index(list(game.canonical(rank_masks(own))))
    assert solution.values[index].tolist() == expected


def dealt(solution: game.ChaseSolution) -> None:
    """10^9 rounds are dealt card by card. Every cell of the joint table must lie within four standard errors."""
    seen, _ = timed(f"{ROUNDS:,} rounds, seed {SEED}", lambda: dealt_rounds.simulate(solution, ROUNDS, SEED))
    assert (seen[solution.joint == 0] == 0).all()
    chance = (solution.joint / game.DEALS).astype(float)
    cells = chance > 0
    z = (seen - chance * ROUNDS)[cells] / np.sqrt(chance * (1 - chance) * ROUNDS)[cells]
    print(f"    {cells.sum()} cells, |z| at most {abs(z).max():.2f}")
    assert abs(z).max() < 4


#: The games of a worker process. They are built there once, because they cannot be sent with each hand.
PLAYED: list[Analysis] = []


def classes() -> None:
    """Every board and dealer hand of every class of hole cards, in arrays: values and endings must be the same."""
    holes = [names(13 * suit + rank for suit in range(4) for rank in range(13) if held[suit] >> rank & 1)
             for held in game.hole_classes()[0].tolist()]
    PLAYED.extend(analyze(f"maryland/chase-the-flush/base/{letter}") for letter in "AB")
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
        differ = [hole for hole in pool.map(_differing, holes, chunksize=8) if hole]
    print(f"{len(holes):,} classes of hole cards played again with both paytables, {len(differ)} differ", *differ[:5])


def _differing(hole: str) -> str:
    chase_play.boards.cache_clear()
    return next(filter(None, (differing_hole(a, [hole]) for a in PLAYED)), "")


def report() -> None:
    """What a report on paytable A takes when nothing is kept: its long parts one by one, then the command."""
    game.hole_classes()
    a = analyze("maryland/chase-the-flush/base/A")
    parts = {
        "solution, one thread": lambda: game.solve([A, B], threads=1),
        "strategies and lines, one thread": lambda: played.value_strategies(
            [*simple.printed_strategies().values()], beside=a.game.solution, threads=1),
        "second method": lambda: list(checks(a)),
    }
    seconds = {label: timed(label, work)[1] for label, work in parts.items()}
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "combin", "report", a.id, "-o", f"{folder}/report.pdf"]
        _, wall = timed("the command", lambda: run(command, env={**os.environ, "COMBIN_CACHE": ""}, check=True))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = used.ru_utime + used.ru_stime
    print(f"{'its processor time':50} {total:8.2f} s, {total / wall:.2f} processors busy")
    for label, part in seconds.items():
        print(f"{label + ', of the processor time':65} {part / total:6.0%}")


def main() -> None:
    game.hole_classes()
    _, one = timed("both paytables, one thread", lambda: game.solve([A, B], threads=1))
    solved, both = timed("both paytables, all threads", lambda: game.solve([A, B]))
    print(f"{'peak memory':50} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:8d} MiB")
    print(f"{'speed-up by threads':50} {one / both:8.2f}")
    for text in ("Ks Qs Js", "9d 9s Th"):
        _, slow = timed(f"{text}, all 3.0e9 dealer hands dealt", lambda: literal_hand(text, solved[0]))  # noqa: B023
        print(f"{'dealing the whole game so, over the solution':50} {slow * 1755 / one:8.0f} times")
    dealt(solved[0])
    printed = [*simple.printed_strategies().values()]
    timed("eight strategies and the play by flush", lambda: played.value_strategies(printed, beside=solved[0]))
    for exception in simple.EXCEPTIONS:
        best, _ = timed(f"search, exception {exception}", lambda: simple.search(solved[0], exception))  # noqa: B023
        (found,) = played.value_strategies([best.strategy])
        assert found.mean(A) == best.mean
        print(f"    {float(best.mean):.6f} of an ante, {best.compared:,} compared: {best.thresholds}")
        moved = []
        for row in (best.strategy.hole, best.strategy.flop):
            for edge in np.flatnonzero(np.diff(row[: simple.first_places()[4]]) == 1):
                for at in (edge, edge + 1):  # one flush more, one flush fewer
                    other = row.copy()
                    other[at] ^= 1
                    moved.append(
                        simple.Strategy(other, best.strategy.flop, best.strategy.river)
                        if row is best.strategy.hole
                        else simple.Strategy(best.strategy.hole, other, best.strategy.river)
                    )
        assert all(one.mean(A) <= best.mean for one in played.value_strategies(moved))


if __name__ == "__main__":
    {"classes": classes, "report": report}.get("".join(sys.argv[1:]), main)()
