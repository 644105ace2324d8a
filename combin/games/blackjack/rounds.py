"""Rounds of blackjack dealt card by card, to estimate the law of a split's result."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.errors import fault
from ...base.parallel import Arrays, sweep
from .hands import ACE, CLASSES, TEN, Ints, player_hands
from .rules import MOST_HANDS
from .solve import SPLIT, Solution
from .values import hands_with

BLOCK = 10_000
WAYS = ("stand", "hit", "double", "split", "surrender", "blackjack", "both blackjacks", "dealer blackjack")
MIDDLE = 16


@dataclass(frozen=True)
class Estimate:
    """A share of rounds with its standard error."""

    share: float
    error: float


def simulate(
    solution: Solution, rounds: int, seed: int, threads: int | None = None, each: Ints | None = None
) -> Ints:
    """Rounds by their course (`WAYS`) and twice the net result + 16: int64 ``[8][33]``; whole blocks of 10,000.

    To ``each`` are added the hands of splits: int64 ``[place in the order of play][stake - 1][lost, pushed, won]``.
    """
    hands, rules = player_hands(), solution.rules
    two = np.array([[hands.two(a, b) for b in range(CLASSES)] for a in range(CLASSES)], np.int32)
    first = np.zeros((CLASSES, CLASSES, CLASSES), np.int8)
    split = np.zeros((CLASSES, CLASSES, len(hands)), np.int8)
    for a in range(CLASSES):
        for b in range(CLASSES):
            for u in range(CLASSES):
                cell = solution.cells.get((u, int(two[a, b])))
                first[u, a, b] = 0 if cell is None else cell.best
    for (u, c), play in solution.post_split.items():
        if set(play) != {0}:
            raise fault("hands that are played by the number of hands are not simulated", "ask for zero-memory play")
        members = hands_with(c).members[:-1]
        split[u, c, members] = play[0][:-1]
    kind = rules.surrender
    early = np.array([kind == "early" or (kind == "early-10" and u == TEN) for u in range(CLASSES)])
    most = np.array([rules.hands_of(c) for c in range(CLASSES)], np.int32)
    kernel = load("blackjack_rounds")

    def call(start: int, stop: int, arrays: Arrays) -> None:
        kernel.simulate(
            start, stop, BLOCK, seed % 2**64, np.array(solution.counts, np.int32), first, solution.choice, split, two,
            hands.child, most, early.astype(np.uint8), rules.hits_soft_17, rules.looks, rules.charlie, rules.push_22,
            arrays[0], arrays[1],
        )  # fmt: skip

    blocks = -(-rounds // BLOCK)
    shapes = (len(WAYS), 2 * MIDDLE + 1), (MOST_HANDS, 2, 3)
    seen, hands_seen = sweep(
        call, blocks, lambda: tuple(np.zeros(s, np.int64) for s in shapes), chunk=10, label="rounds dealt",
        threads=threads,
    )  # fmt: skip
    if each is not None:
        each += hands_seen
    return seen


def split_law(seen: Any) -> dict[str, Estimate]:
    """How often a round with a split wins and pushes, estimated."""
    counts = seen[SPLIT]
    rounds = int(counts.sum())
    found = {}
    for name, part in (("wins", counts[MIDDLE + 1 :]), ("pushes", counts[MIDDLE : MIDDLE + 1])):
        share = int(part.sum()) / rounds if rounds else 0.0
        found[name] = Estimate(share, sqrt(share * (1 - share) / rounds) if rounds else 0.0)
    return found


__all__ = ["ACE", "BLOCK", "MIDDLE", "WAYS", "Estimate", "simulate", "split_law"]
