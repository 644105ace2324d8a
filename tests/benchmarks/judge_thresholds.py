"""Real meters dealt from event to event, against what `combin meter --threshold` says. Run by hand; some minutes.

    python tests/benchmarks/judge_thresholds.py [EVENTS]

Only rounds with winners are dealt; those between them come as a geometric number. A return is told with the standard
errors by which it lies outside of its bounds, from a hundred blocks; a share likewise.
"""

import sys
from fractions import Fraction

import numpy as np

from combin.analysis.engine import analyze
from combin.progressives.meter_cycle import lives
from combin.progressives.winners import winners

RATE = {"contribution_rate": "20%"}
CASES = (
    ("massachusetts/high-card-flush/progressive/A", 1, {}, (1, 6), (100_000, 200_000)),
    ("massachusetts/high-card-flush/progressive/C", 1, {}, (6,), (150_000,)),
    ("maryland/high-card-flush/progressive/A", 1, RATE, (1, 6), (60_000, 145_000)),
    ("maryland/high-card-flush/progressive/C", 1, RATE, (6,), (20_000,)),
    ("maryland/high-card-flush/progressive/E", 1, RATE, (6,), (90_000,)),
    ("maryland/blackjack/super-4-progressive/A", 6, RATE, (1, 6), (30_000, 70_000)),
    ("maryland/blackjack/hit-and-run-progressive/A", 6, RATE, (3,), (10_000,)),
    ("maryland/blackjack/21-plus-3-progressive/A", 6, RATE, (6,), (3_000,)),
)
BLOCKS = 100


def main(events: int) -> None:
    for name, decks, values, all_seats, thresholds in CASES:
        a = analyze(name, decks=decks, set=values)
        figures = a.progressive.meters[0]
        for seats in all_seats:
            law = winners(a, figures.meter, seats)
            for threshold in thresholds:
                [life] = lives(a, seats=seats, threshold=Fraction(threshold))
                player = life.player
                most, high = player.at_most or (player.share, player.returned)
                dealt = blocks(law, seats, figures, threshold, events)
                for what, low, top, values_dealt in (
                    ("share", player.share, most, dealt[0] / dealt[1]),
                    ("return", player.returned, high, float(a.progressive.fixed) + dealt[2] / dealt[0] / seats),
                ):
                    mean, error = values_dealt.mean(), values_dealt.std(ddof=1) / BLOCKS**0.5
                    z = max(float(low) - mean, mean - float(top), 0.0) / error if error else 0.0
                    print(f"{name}, {seats} seats, from {threshold:,}: {what} {float(low):.6f} to {float(top):.6f}, "
                          f"dealt {mean:.6f}, outside by {z:.2f} standard errors", flush=True)


def blocks(law, seats, figures, threshold, events):
    """Rounds in which the meter shows the threshold, rounds, and what those are paid: by block."""
    random = np.random.default_rng(7)
    counts = [c for c in law.law if any(c)]
    p = np.array([float(law.law[c]) for c in counts])
    step, pot = float(figures.rate) * seats, float(figures.secondary) * seats
    reserve_pays, reset = figures.meter.seed == "contributions", float(figures.reset)
    waits = random.geometric(p.sum(), events).tolist()
    which = random.choice(len(counts), events, p=p / p.sum()).tolist()
    found = np.zeros((3, BLOCKS))
    meter, reserve = (figures.secondary and 80_000.0) or reset, 0.0
    for n, (wait, k) in enumerate(zip(waits, which, strict=True)):
        # A meter that begins at its first reset forgets it in the first twentieth.
        block = None if n < events // 20 else (n - events // 20) * BLOCKS // (events - events // 20)
        before = max(0, int(np.ceil((threshold - meter) / step)))  # rounds that show less
        shown = max(0, wait - before)
        meter, reserve = meter + wait * step, reserve + wait * pot
        hands = [1.0] * counts[k][0] + [float(s) for s, m in zip(law.sizes, counts[k][1:], strict=True)
                                        for _ in range(m)]
        paid = 0.0
        for hand in random.permutation(hands).tolist() if len(hands) > 1 else hands:
            paid += hand * meter
            meter -= hand * meter
            if hand == 1:
                meter, reserve = (reserve, 0.0) if reserve_pays else (reset, reserve)
        if block is not None:
            found[:, block] += (shown, wait, paid * (shown > 0))
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000)
