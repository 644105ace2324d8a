"""Rounds of Chase the Flush dealt card by card and played as solved.

Decisions before the river come from the solution's tables, those on the river from an independent
count; the winner is determined from the cards.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...base.parallel import Arrays
from ...deals.cards import rank_masks
from ..round_dealer import RoundDealer
from .solve import HOLES, SHAPE, ChaseSolution, hole_classes, raises_ties

Array = np.ndarray[Any, Any]


@cached("the class of every three hole cards", most=1)
def _hole_numbers() -> tuple[Array, Array]:
    """Return the class of three hole cards a < b < c at index C(c, 3) + C(b, 2) + a, and each suit's index in it."""
    classes = {tuple(held): number for number, held in enumerate(hole_classes()[0].tolist())}
    of_hole, places = np.zeros(HOLES, np.int32), np.zeros((HOLES, 4), np.uint8)
    for a, b, c in combinations(range(52), 3):
        held = rank_masks((a, b, c))
        order = sorted(range(4), key=lambda suit: (-held[suit].bit_count(), -held[suit]))
        number = comb(c, 3) + comb(b, 2) + a
        of_hole[number] = classes[tuple(held[suit] for suit in order)]
        places[number, order] = range(4)
    return of_hole, places


def simulate(solution: ChaseSolution, rounds: int, seed: int, *, threads: int | None = None) -> Array:
    """Deal rounds card by card, played as solved: int64 under the four indices of a joint table.

    Rounds are dealt in blocks of 10,000, each with its own random stream: the same
    seed gives the same rounds for any number of threads.
    """
    return _dealer(solution).deal(rounds, seed, threads=threads)[0]


def ends(solution: ChaseSolution, spots: int, rounds: int, seed: int, *, threads: int | None = None) -> Array:
    """Deal rounds of one to nine spots: int32 ``[round][spot]``, the index in the utility table of a spot's end."""
    return _dealer(solution).deal(rounds, seed, rows=rounds, spots=spots, threads=threads)[1]


def deal_block(solution: ChaseSolution, spots: int, rounds: int, seed: int) -> tuple[Array, Array]:
    """Deal one block of any number of rounds in this thread: `ends`, and uint8 ``[round][card]``, the cards as dealt.

    Each spot has three cards in turn, then come the board and the dealer's three.
    """
    _, places, cards = _dealer(solution).deal_block(spots, rounds, seed)
    return places, cards


def _dealer(solution: ChaseSolution) -> RoundDealer:
    def arrays(rows: int, spots: int) -> Arrays:
        cards = np.zeros((rows, 3 * spots + 7), np.uint8)
        return np.zeros(SHAPE, np.int64), np.zeros((rows, spots), np.int32), cards

    classes, suits = _hole_numbers()
    kernel = load("chase_the_flush_rounds").Rounds(
        classes=classes, suits=suits, holes=hole_classes()[0], at_once=solution.raises_at_once.astype(np.uint8),
        flops=solution.flops, utility=solution.utility, raise_ties=raises_ties(solution.tie),
    )
    return RoundDealer(kernel, arrays)
