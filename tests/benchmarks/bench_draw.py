"""Hands that are drawn out: times, ratios to the literal walk, and long simulations.

Run by hand: ``python tests/benchmarks/bench_draw.py [rounds]``. Cold times include
the draw orders of the rule; warm ones find them cached.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

from combin.deals.cards import Shoe
from combin.deals.dealer_draws import Dealer, dealer_hands, value_counts
from combin.deals.draw import finished_hands
from combin.deals.player_chart import default_chart
from combin.deals.twenties import bad_beat
from combin.verify import bad_beat as second_way
from combin.verify.bad_beat import letters


def timed(call: Callable[[], Any], *, cold: bool = True, repeat: int = 5) -> tuple[Any, float]:
    best = float("inf")
    for _ in range(repeat):
        if cold:
            finished_hands.cache_clear()
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return result, best


def total(hand: list[int]) -> tuple[int, bool]:
    high = sum(hand) + 10
    return (high, True) if 1 in hand and high <= 21 else (sum(hand), False)


def simulate(rounds: int, decks: int, hits_soft_17: bool) -> None:
    """The dealer of a shoe of ``decks``, and the largest deviation in standard errors."""
    rng = random.Random(8)
    deck = [min(rank, 10) for rank in range(1, 14) for _ in range(4 * decks)]
    seen: Counter[tuple[int, bool]] = Counter()
    for _ in range(rounds):
        drawn = iter(rng.sample(deck, 16))
        hand = [next(drawn), next(drawn)]
        while (points := total(hand))[0] < 17 or (points == (17, True) and hits_soft_17):
            hand.append(next(drawn))
        seen[len(hand), total(hand)[0] > 21] += 1
    hands = dealer_hands(Shoe(decks), hits_soft_17=hits_soft_17)
    worst = 0.0
    for n in range(2, 14):
        for bust in (0, 1):
            p = float(hands.probability(cards=n, bust=bust))
            if rounds * p > 10:
                z = (seen[n, bool(bust)] - rounds * p) / sqrt(rounds * p * (1 - p))
                worst = max(worst, abs(z))
    print(f"simulation, {decks} decks, {rounds} rounds: largest |z| {worst:.2f}")
    if worst >= 4:
        raise SystemExit("the simulation disagrees")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    eight = Shoe(8)
    _, cold = timed(lambda: dealer_hands(eight, hits_soft_17=True))
    _, warm = timed(lambda: dealer_hands(eight, hits_soft_17=True), cold=False)
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.deals.walk import walk

    literal, slow = timed(lambda: walk(Dealer(True), value_counts(eight)), repeat=1)
    if literal != dealer_hands(eight, hits_soft_17=True):
        raise SystemExit("the walk through ordered draws disagrees")
    print(f"dealer, 8 decks: cold {1000 * cold:.1f} ms, warm {1000 * warm:.1f} ms")
    print(f"the walk through ordered draws: {slow / cold:.0f} times the cold time")
    chart = default_chart()
    hands, cold = timed(lambda: bad_beat(eight, chart, hits_soft_17=True), repeat=3)
    _, warm = timed(lambda: bad_beat(eight, chart, hits_soft_17=True), cold=False, repeat=3)
    print(f"bad beat, 8 decks: cold {1000 * cold:.0f} ms, warm {1000 * warm:.0f} ms")
    again, slow = timed(
        lambda: second_way.probabilities(value_counts(eight), True, "final-total", letters(chart.text)), repeat=1
    )
    rows = zip(hands.rows, hands.weights, strict=True)
    if again != {row[2]: Fraction(weight, hands.denominator) for row, weight in rows if row[0]}:
        raise SystemExit("the second way to the bad beat disagrees")
    print(f"the second way to the bad beat: {slow / cold:.0f} times the cold time")
    for hits_soft_17 in (False, True):
        simulate(rounds, 8, hits_soft_17)


if __name__ == "__main__":
    main()
