"""Wagers dealt to several seats against their exact law, by hand: `python tests/bank/dealt_by_hand.py ROUNDS [ID ...]`.

For each wager the z-score of its mean and of the frequency of each outcome. Seats of a round share a dealer, so the
deviation is that of a round's count, from the rounds themselves. Some 3 in 1,000 scores are beyond 3.
"""

import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from combin.bank.plan import Plan, PlannedWager
from combin.bank.seat_distribution import distribution_of

BLACKJACK, HCF = "maryland/blackjack", "maryland/high-card-flush"
CHASE = "maryland/chase-the-flush"
RATE = {"contribution_rate": "10%"}
BAD_BEAT = RATE | {"magic_card_frequency": "by-card", "lucky_player_frequency": "by-position"}
BLOCK = 10_000
#: Wager, decks, seats, settings, readings.
PLANS: list[tuple[str, int | None, int, Mapping[str, str], Mapping[str, str]]] = [
    (f"{BLACKJACK}/buster-blackjack/A", 6, 5, {}, {}),
    (f"{BLACKJACK}/buster-blackjack/A", 6, 5, {}, {"dealer-soft-17": "hits"}),
    (f"{BLACKJACK}/buster-blackjack/A", 1, 2, {}, {}),
    (f"{BLACKJACK}/hit-and-run-progressive/A", 6, 5, RATE, {}),
    (f"{BLACKJACK}/hit-and-run-progressive/A", 1, 2, RATE, {}),
    (f"{BLACKJACK}/bad-beat-progressive/A", 6, 5, BAD_BEAT, {}),
    (f"{BLACKJACK}/bad-beat-progressive/A", 6, 5, BAD_BEAT, {"dealer-soft-17": "hits"}),
    (f"{BLACKJACK}/bad-beat-progressive/A", 1, 2, BAD_BEAT, {}),
    (f"{BLACKJACK}/bad-beat-progressive/A", 6, 5, BAD_BEAT, {"bad-beat-twenty": "first-two-cards"}),
    (f"{BLACKJACK}/insurance/A", 6, 5, {}, {}),
    (f"{BLACKJACK}/insurance/A", 1, 2, {}, {}),
    (f"{BLACKJACK}/super-match/6-decks", 6, 4, {}, {}),
    (f"{HCF}/flush-bonus/A", None, 2, {"boxes": "3"}, {}),
    (f"{CHASE}/base/A", None, 2, {"boxes": "3"}, {}),
    (f"{CHASE}/base/A", None, 6, {"stake": "500", "minimum_wager": "50", "cap": "50000"}, {}),
    (f"{HCF}/flush-bonus/A", None, 6, {"stake": "500", "minimum_wager": "100", "cap": "10000"}, {}),
]


def scores(plan: Plan, rounds: int) -> Iterator[tuple[str, int, float, float]]:
    """Of each way in which the plan's only wager ends: its name, how often it came, is expected, and the z-score."""
    dealing = distribution_of(plan).dealing
    assert dealing is not None
    [a] = dealing.seat.wagers
    ends, boxes = dealing.seat.ends(0), plan.seats * dealing.seat.boxes
    amount = {end: float(sum((e.probability * e.fixed for e in dealing.seat.events([end])), Fraction(0)))
              for end in ends}
    sums = {end: np.zeros(2) for end in [*ends, "mean"]}
    for block in range(max(1, rounds // BLOCK)):
        dealt = dealing.deal(BLOCK, 1_000 * plan.seed + block)
        names, place = (dealt.nets, dealt.place) if a.game is not None else dealt.ends(a.resolved)
        paid = np.array([amount.get(name, 0.0) for name in names])[place]
        for end in ends:
            at = [i for i, name in enumerate(names) if name == end]
            _add(sums[end], np.isin(place, at).astype(float), boxes)
        _add(sums["mean"], paid, boxes)
    count = max(1, rounds // BLOCK) * BLOCK
    for end, (total, squares) in sums.items():
        p = sum(float(ends[e]) * amount[e] for e in ends) if end == "mean" else float(ends[end])
        deviation = sqrt(max(squares - total**2 / count, 1e-9))
        yield str(end), int(total), count * boxes * p, (total - count * boxes * p) / deviation


def _add(sums: Any, each: Any, boxes: int) -> None:
    of_rounds = each.reshape(-1, boxes).sum(axis=1)
    sums += of_rounds.sum(), (of_rounds**2).sum()


def main(rounds: int, wanted: list[str]) -> None:
    for identifier, decks, seats, chosen, reading in PLANS:
        if wanted and identifier not in wanted:
            continue
        wager = PlannedWager(identifier, Fraction(chosen.get("stake", "1")), decks, chosen, reading)
        print(identifier, f"{decks or 1} deck(s)", f"{seats} seats", *chosen.items(), *reading.items())
        for name, seen, expected, z in scores(Plan(1, seats, 1, 1, 1, 2, 1, "cards", (wager,), "plan"), rounds):
            if expected >= 5 or seen:
                print(f"  {name:50} {seen:>14,} {expected:>18,.1f}  z = {z:+.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1].replace("_", "")), sys.argv[2:])
