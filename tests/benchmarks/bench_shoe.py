"""Times and ratios of wagers on first cards: by number of decks, and against icepool where it is installed.

Run with ``python tests/benchmarks/bench_shoe.py``. A time holds the deal's classes, the
outcome function and settling; nothing is remembered from the run before.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from combin.analysis.engine import analyze
from combin.deals import first_cards as deal

WAGERS = (
    "lucky-ladies/A",
    "kings-bounty/A",
    "three-card-poker/B",
    "match-super-bonus/A",
    "in-between/A",
    "lucky-lucky/A",
    "lucky-aces/A",
    "royal-match-21/C",
    "super-4-progressive/D",
)
DECKS = (2, 4, 6, 8)


def fresh(wager: str, decks: int) -> float:
    """The least seconds of one analysis with empty caches."""
    least = float("inf")
    for _ in range(5):
        deal._shoe_table.cache_clear()
        began = time.perf_counter()
        analyze(f"maryland/blackjack/{wager}", decks=decks)
        least = min(least, time.perf_counter() - began)
    return least


def with_icepool() -> Callable[[], Counter[str]] | None:
    """Three Card Poker of six decks by icepool; None where it is not installed."""
    try:
        import icepool
    except ImportError:
        return None

    class ThreeCards(icepool.MultisetEvaluator):
        """Sees the cards rank by rank; a state is the ranks so far and their common suit (-1: mixed)."""

        def next_state(self, state, order, card, count):
            if order < 0:
                raise icepool.UnsupportedOrder
            ranks, suit = state or ((), None)
            if not count:
                return ranks, suit
            rank, own = divmod(card, 4)
            return ranks + (rank,) * count, own if suit in (None, own) else -1

        def final_outcome(self, state, *_):
            ranks, suit = state
            if ranks[0] == ranks[2]:
                return "three of a kind"
            straight = ranks[0] + 2 == ranks[1] + 1 == ranks[2] or ranks == (0, 1, 12)
            flush = suit >= 0
            names = {(True, True): "straight flush", (True, False): "straight", (False, True): "flush"}
            return names.get((straight, flush), "loss")

    def count() -> Counter[str]:
        shoe = icepool.Deck(dict.fromkeys(range(52), 6))
        return Counter(dict(ThreeCards().evaluate(shoe.deal(3)).items()))

    return count


def row(name: str, cells: list[Any]) -> None:
    print(name.ljust(26), *(str(c).rjust(10) for c in cells))


def main() -> None:
    analyze("maryland/blackjack/pair/A", decks=6)  # imports are done before the clock starts
    row("milliseconds, by decks", [*DECKS, "8 to 2"])
    for wager in WAGERS:
        times = [fresh(wager, decks) for decks in DECKS]
        row(wager, [*(f"{t * 1000:.1f}" for t in times), f"{times[-1] / times[0]:.2f}"])
    count = with_icepool()
    if count is None:
        print('icepool is not installed: pip install -e ".[bench]"')
        return
    began = time.perf_counter()
    theirs = count()
    spent = time.perf_counter() - began
    own = fresh("three-card-poker/B", 6)
    ours = analyze("maryland/blackjack/three-card-poker/B", decks=6).combinations
    assert dict(ours) == dict(theirs), (ours, theirs)
    ratio = f"icepool {spent * 1000:.1f} ms, combin {own * 1000:.1f} ms, ratio {spent / own:.1f}"
    print(f"three-card-poker, six decks: {ratio}")


if __name__ == "__main__":
    main()
