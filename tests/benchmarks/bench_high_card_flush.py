"""High Card Flush: times as ratios in one run, and the checks that are too long for the tests.

    python tests/benchmarks/bench_high_card_flush.py            ratios
    python tests/benchmarks/bench_high_card_flush.py literal    dealer counts of two hands of every pattern, dealt out
    python tests/benchmarks/bench_high_card_flush.py classes    the dealer counts of all classes a second time
    python tests/benchmarks/bench_high_card_flush.py simulate   10^9 rounds against every cell of the joint table
    python tests/benchmarks/bench_high_card_flush.py boxes      24 million rounds against the product of two hands
"""

import random
import sys
import time

import numpy as np

from combin._kernels import load
from combin.base import parallel
from combin.deals import cards
from combin.games.high_card_flush import dealt_rounds, two_hands
from combin.games.high_card_flush import solve as game
from combin.verify.flush_games import ante_and_raise

BASE = ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3})
SEED = 20_261_127
ROUNDS = 1_000_000_000


def best_of(times, work):
    least = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - began)
    return least


def deal_out(masks, long_qualifies):
    best = max(masks, key=lambda mask: (mask.bit_count(), mask))
    held = np.array(masks, np.int32)

    def call(start, stop, arrays):
        load("high_card_flush_rounds").count_literally(start, stop, held, best, long_qualifies, arrays[0])

    (cells,) = parallel.sweep(call, 45, lambda: [np.zeros(6, np.int64)], chunk=1)
    return tuple(map(tuple, cells.reshape(2, 3).tolist()))


def ratios():
    threads = parallel.default_threads()
    game.solve(BASE)
    unit = best_of(3, lambda: deal_out([0b1110000000, 0b11, 0b100, 0b1000], "qualifies"))
    print(f"the unit: {game.DEALERS:,} dealer hands against one player hand, dealt out: {unit:.3f} s")
    for name, work in (
        ("all classes, one thread", lambda: game.solve(BASE, by="length", threads=1)),
        (f"all classes, {threads} thread(s)", lambda: game.solve(BASE, by="length")),
        ("the same by best flush", lambda: game.solve(BASE)),
        ("the same with the features of the side bets", lambda: game.solve(BASE, game.by_features(), by="length")),
    ):
        seconds = best_of(7, work)
        each = seconds / game.CLASSES * 1e9
        print(f"{name}: {seconds:.3f} s, {seconds / unit:.2f} of the unit, {each:.1f} ns a class")


def literal():
    rng = random.Random(SEED)
    differ = 0
    for pattern in game.PATTERNS:
        for long_qualifies in (True, False):
            # Most cards are low, so that flushes below the nine occur.
            masks = [sum(1 << rank for rank in rng.sample(range(rng.choice((7, 9, 13))), n)) for n in pattern]
            rng.shuffle(masks)
            hand = [13 * suit + rank for suit in range(4) for rank in range(13) if masks[suit] >> rank & 1]
            position = game.position(hand, long_qualifies=long_qualifies)
            listed = game.classes(position.flush, long_qualifies=long_qualifies)
            ordered = sorted(masks, key=lambda mask: (mask.bit_count(), mask), reverse=True)
            (row,) = np.flatnonzero((listed.masks == ordered).all(1))
            kernel = tuple(map(tuple, listed.dealers[row].tolist()))
            agrees = position.dealers == kernel == deal_out(masks, long_qualifies)
            differ += not agrees
            print(f"{cards.names(hand)}  {long_qualifies!s:5}  {position.dealers}  {'agrees' if agrees else 'DIFFERS'}")
    return differ


def classes():
    differ = 0
    for long_qualifies in (True, False):
        counted = 0
        for flush in map(int, game.flushes()):
            listed = game.classes(flush, long_qualifies=long_qualifies)
            cells = np.zeros((len(listed.hands), 6), np.int64)
            hands = np.ascontiguousarray(listed.masks)
            load("high_card_flush_rounds").count_dealer(hands, long_qualifies, cells)
            differ += int((cells != listed.dealers.reshape(-1, 6)).any(1).sum())
            counted += len(cells)
        print(f"{counted:,} classes, a long flush eight high qualifies, {long_qualifies}: {differ} differ")
    return differ


def simulate():
    seen = dealt_rounds.simulate(BASE, ROUNDS, SEED)
    joint = game.solve(BASE, by="length").joint.sum(-1)
    worst = 0.0
    for place in np.argwhere(joint):
        cell = tuple(place)
        p = int(joint[cell]) / game.DEALS
        z = (int(seen[cell]) - ROUNDS * p) / (ROUNDS * p * (1 - p)) ** 0.5
        worst = max(worst, abs(z))
        choice, qualifies, result, length = place
        print(f"choice {choice} qualifies {qualifies} result {result} length {length + 2}: {seen[cell]:,} z {z:+.2f}")
    impossible = int(seen[joint == 0].sum())
    print(f"{ROUNDS:,} rounds, seed {SEED}: greatest |z| {worst:.2f}; {impossible} in cells that cannot be")
    return impossible or worst >= 4


def boxes():
    solution = game.solve(BASE)
    began = time.perf_counter()
    exact = float(two_hands.of_solution(solution))
    print(f"the mean product of two hands is {exact:.9f}, counted in {time.perf_counter() - began:.1f} s")
    net, products, squares, rounds = BASE.utility.reshape(-1).astype(float), 0.0, 0.0, 0
    for seed in range(SEED, SEED + 12):
        won = net[dealt_rounds.ends(BASE, 6, 2_000_000, seed)]
        pairs = (won.sum(1) ** 2 - (won**2).sum(1)) / 30
        products, squares, rounds = products + pairs.sum(), squares + (pairs**2).sum(), rounds + len(pairs)
        mean = products / rounds
        error = ((squares / rounds - mean**2) / rounds) ** 0.5
        print(f"{rounds:,} rounds: {mean:.6f} ± {error:.6f}, z {(mean - exact) / error:+.2f}", flush=True)
    return int(abs(mean - exact) > 4 * error)


if __name__ == "__main__":
    modes = {"": ratios, "literal": literal, "classes": classes, "simulate": simulate, "boxes": boxes}
    sys.exit(modes["".join(sys.argv[1:2])]())
