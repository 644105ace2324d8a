"""Times and ratios of the seven-card table: three ways, and icepool where it is installed (the bench extra).

Run with ``python tests/benchmarks/bench_seven.py``. icepool is given the part of
the table that suits its evaluators: longest flush and longest straight flush with
the ace high, without four of a kind and the other ace rules.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from combin.deals import seven_cards as seven
from combin.verify import seven_counts


def best(work: Callable[[], Any], times: int) -> tuple[float, Any]:
    """The least wall-clock seconds of ``work``, and its last result."""
    least, result = float("inf"), None
    for _ in range(times):
        began = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - began)
    return least, result


def with_icepool() -> Callable[[], Counter[tuple[int, int]]] | None:
    """Counts of (longest flush, longest straight flush) by icepool; None where it is not installed."""
    try:
        import icepool
    except ImportError:
        return None

    class Suited(icepool.MultisetEvaluator):
        """Sees the cards 0..51 in order; a state is (flush, straight flush, cards of the suit, run)."""

        def next_state(self, state, order, card, count):
            flush, straight, suited, run = state or (0, 0, 0, 0)
            if order < 0:
                raise icepool.UnsupportedOrder
            if card % 13 == 0:
                suited = run = 0
            if not count:
                return flush, straight, suited, 0
            suited, run = suited + 1, run + 1
            return max(flush, suited), max(straight, run), suited, run

        def final_outcome(self, state, *_):
            return state[:2]

    def count() -> Counter[tuple[int, int]]:
        # A new evaluator and deck each time, so that nothing is remembered from the last time.
        return Counter(dict(Suited().evaluate(icepool.Deck(range(52)).deal(7)).items()))

    return count


def main() -> None:
    by_class, table = best(seven.by_class, 20)
    ways = {"by class": table}
    times = {"by class": by_class}
    times["by class, one thread"], _ = best(lambda: seven.by_class(threads=1), 20)
    times["literal"], ways["literal"] = best(seven_counts.literal, 3)
    times["literal, one thread"], _ = best(lambda: seven_counts.literal(threads=1), 3)
    times["convolution"], ways["convolution"] = best(seven_counts.convolution, 10)
    for difference in seven_counts.compare(ways):
        raise SystemExit(difference)
    icepool_count = with_icepool()
    if icepool_count is not None:
        times["icepool, two columns"], counted = best(icepool_count, 3)
        rows, weights, _ = table
        high = seven.columns.index("straight_flush_high")
        expected: Counter[tuple[int, int]] = Counter()
        for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
            expected[row[0], row[high]] += weight
        if expected != counted:
            raise SystemExit("icepool counts other hands than the table")
    print(f"{seven.HANDS:,} hands, {table[2]:,} classes, {len(table[1])} rows")
    for name, seconds in times.items():
        print(f"{name:<22} {1000 * seconds:10.1f} ms   {seconds / by_class:8.1f} x by class")
    if icepool_count is None:
        print("icepool is not installed: no ratio against it")


if __name__ == "__main__":
    main()
