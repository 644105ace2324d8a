"""Blackjack: times as ratios to a plain recursion in one run, and the greatest memory of the process.

    python tests/benchmarks/bench_blackjack.py

The unit is the time of a plain recursion in fractions for one hand: stand, hit and double of the sample hands of
`combin.verify.blackjack`, one deck, no split. Each shoe is solved with all caches empty. Seconds are the
processor's, of all threads together.
"""

import resource
import time

from combin.base import caches
from combin.games.blackjack import results, round_values
from combin.games.blackjack.dealt_rounds import simulate
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import Solver, deck_counts
from combin.games.blackjack.strategies import best_chart
from combin.verify.blackjack import SAMPLE, plain

RULES = HouseRules(surrender="late")
ROUNDS = 5_000_000


def timed(work):
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


def unit():
    """Seconds a hand."""
    seconds, _ = timed(lambda: [plain(RULES, deck_counts(1), a, b, u) for a, b, u in SAMPLE])
    return seconds / len(SAMPLE)


def anew(decks):
    caches.empty()
    return results.solved(RULES, deck_counts(decks))


def main():
    each = unit()
    print(f"the unit: one hand by plain recursion, one deck: {each:.3f} s")
    for decks in (1, 2, 6, 8):
        seconds, solution = timed(lambda decks=decks: anew(decks))
        hands = len(solution.cells)
        print(f"{decks} deck(s), best play with splits to four hands, {hands} hands: {seconds:.2f} s, "
              f"{seconds / each:.2f} units, {seconds / hands / each:.5f} units a hand")
    law = results.law(solution)
    for name, work in (
        ("exact variance", lambda: results.variance(solution, law)),
        ("results behind every hole card", lambda: round_values.by_hole(solution)),
        ("best chart by total, valued",
         lambda: best_chart(Solver(RULES, solution.counts), solution).valued(Solver(RULES, solution.counts))),
        (f"{ROUNDS:,} rounds dealt", lambda: simulate(solution, ROUNDS, 1)),
    ):
        seconds, _ = timed(work)
        print(f"8 decks, {name}: {seconds:.2f} s, {seconds / each:.2f} units")
    print(f"greatest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
