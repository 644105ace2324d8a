"""Rounds of High Card Flush dealt card by card and played at the best choice, by a kernel without a solution."""

from __future__ import annotations

import numpy as np

from ..._kernels import load
from ...base import parallel
from ...base.errors import fault
from .solve import Array, FlushGame, kernel_utility

BLOCK = 10_000  # rounds with one stream of random numbers


def simulate(game: FlushGame, rounds: int, seed: int, *, threads: int | None = None) -> Array:
    """Deal rounds played at the best choice: int64 ``[choice][qualifies][result][length - 2]``.

    Rounds are dealt in blocks of 10,000, each with its own random stream: the same
    seed gives the same rounds for any number of threads.
    """
    return _dealt(game, rounds, seed, (1, 1), threads)[0].reshape(game.choices, 2, 3, 6)


def ends(game: FlushGame, boxes: int, rounds: int, seed: int, *, threads: int | None = None) -> Array:
    """Deal rounds of one to six spots: int32 ``[round][spot]``, the index in `FlushGame.utility` of a spot's end."""
    return _dealt(game, rounds, seed, (rounds, boxes), threads)[1]


def deal_block(game: FlushGame, boxes: int, rounds: int, seed: int) -> tuple[Array, Array]:
    """Deal one block of any number of rounds in this thread: `ends`, and uint8 ``[round][card]``, the cards as dealt.

    Each spot has seven cards in turn, then the dealer.
    """
    arrays = _made(game, (rounds, boxes))
    _call(game, 0, 1, rounds, seed, arrays)
    return arrays[1], arrays[2]


def _made(game: FlushGame, shape: tuple[int, int]) -> parallel.Arrays:
    cards = shape[0], 7 * shape[1] + 7
    return np.zeros((game.choices, 6, 6), np.int64), np.zeros(shape, np.int32), np.zeros(cards, np.uint8)


def _call(game: FlushGame, start: int, stop: int, rounds: int, seed: int, arrays: parallel.Arrays) -> None:
    load("high_card_flush_rounds").simulate(
        start, stop, rounds, seed, game.long_qualifies, kernel_utility(game), np.array(game.open_choices, np.int32),
        *arrays,
    )


def _dealt(game: FlushGame, rounds: int, seed: int, shape: tuple[int, int], threads: int | None) -> list[Array]:
    """Return the counts by index and, with a row for every round in ``shape``, the indices."""
    if rounds % BLOCK or rounds <= 0:
        raise fault(f"rounds cannot be {rounds}", f"give a multiple of {BLOCK:,}")

    def call(start: int, stop: int, arrays: parallel.Arrays) -> None:
        _call(game, start, stop, BLOCK, seed, arrays)

    def make_arrays() -> parallel.Arrays:
        return _made(game, shape)

    return parallel.sweep(call, rounds // BLOCK, make_arrays, chunk=10, label="dealing", threads=threads)
