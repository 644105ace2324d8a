"""Rounds of High Card Flush dealt card by card and played at the best choice, by a kernel without a solution."""

from __future__ import annotations

import numpy as np

from ..._kernels import load
from ...base.parallel import Arrays
from ..round_dealer import RoundDealer
from .solve import Array, FlushGame, kernel_utility


def simulate(game: FlushGame, rounds: int, seed: int, *, threads: int | None = None) -> Array:
    """Deal rounds played at the best choice: int64 ``[choice][qualifies][result][length - 2]``.

    Rounds are dealt in blocks of 10,000, each with its own random stream: the same
    seed gives the same rounds for any number of threads.
    """
    return _dealer(game).deal(rounds, seed, threads=threads)[0].reshape(game.choices, 2, 3, 6)


def ends(game: FlushGame, spots: int, rounds: int, seed: int, *, threads: int | None = None) -> Array:
    """Deal rounds of one to six spots: int32 ``[round][spot]``, the index in `FlushGame.utility` of a spot's end."""
    return _dealer(game).deal(rounds, seed, rows=rounds, spots=spots, threads=threads)[1]


def deal_block(game: FlushGame, spots: int, rounds: int, seed: int) -> tuple[Array, Array]:
    """Deal one block of any number of rounds in this thread: `ends`, and uint8 ``[round][card]``, the cards as dealt.

    Each spot has seven cards in turn, then the dealer.
    """
    _, places, cards = _dealer(game).deal_block(spots, rounds, seed)
    return places, cards


def _dealer(game: FlushGame) -> RoundDealer:
    def arrays(rows: int, spots: int) -> Arrays:
        cards = np.zeros((rows, 7 * spots + 7), np.uint8)
        return np.zeros((game.choices, 6, 6), np.int64), np.zeros((rows, spots), np.int32), cards

    allowed = np.array(game.open_choices, np.int32)
    kernel = load("high_card_flush_rounds").Rounds(kernel_utility(game), allowed, game.long_qualifies)
    return RoundDealer(kernel, arrays)
