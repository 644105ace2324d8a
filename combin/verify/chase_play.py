"""Chase the Flush for one hand of hole cards, solved backwards a second time, without a kernel.

All 211,876 boards are laid out. On each board the dealer's 14,190 hands are counted in sorted
lists, from what every suit can add to its cards on the board. The river's decision follows from
that count, the flop's from the sum over its rivers, the first one from the sum over its flops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from . import flushes, rounds
from .flushes import LOSE, QUALIFYING, TIE, WORTH, Array
from .rounds import LENGTHS

DEALERS = comb(45, 3)
FLOPS_OF_A_BOARD = tuple(combinations(range(4), 2))


IN_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


def net_result(a: Analysis, choice: int, qualifies: bool, result: int, length: int) -> Fraction:
    """A fold loses ante and X-tra; the ante alone is a push if the dealer does not qualify."""
    raises, pays = a.resolved.options["raises"], dict(a.resolved.lines)
    if choice == len(raises):
        return Fraction(-2)
    if result == TIE:
        return Fraction(0)
    if result == LOSE:
        return Fraction(-(raises[choice] + 1 + qualifies))
    won = raises[choice] * pays["all in"].odds + (pays["ante"].odds if qualifies else 0)
    won += sum(p.odds for line, p in pays.items() if IN_WORDS.get(line.removesuffix("-card flush")) == length)
    limit = most(a)
    return won if limit is None else min(won, limit)


def net_results(a: Analysis) -> tuple[Fraction, ...]:
    """What each cell wins in antes, from the lines of the paytable."""
    return rounds.net_results(len(a.game.choices), lambda *cell: net_result(a, *cell))


def most(a: Analysis) -> Fraction | None:
    """The most that a hand wins under a payout cap, in antes."""
    return a.cap.amount / a.cap.stake if a.cap is not None else None


@dataclass(frozen=True)
class Played:
    """The net result over all endings of a hand, in antes, for a raise at once and for a check; and the endings."""

    raised: Fraction
    checked: Fraction
    joint: Array  # int64 [3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2]


@cached("all boards behind three hole cards", most=8)
def boards(hole: tuple[int, ...]) -> tuple[Array, Array]:
    """The player's best flush on each board of four of the 49 other cards, and the dealer's hands as in `dealers`."""
    others = np.array([card for card in range(52) if card not in hole])
    board = flushes.held(others[_chosen(49, 4)])
    own = flushes.held(np.array([hole]))
    mine = flushes.best(board | own)
    return mine, dealers(own[0], board, mine)


def dealers(own: Array, board: Array, mine: Array) -> Array:
    """Of the 14,190 dealer hands on each board [qualifies][the player loses, ties, wins], int32 (boards, 2, 3)."""
    ways = np.zeros((3, 4, 4, len(mine)), dtype=np.int32)
    for suit in range(4):
        order = np.argsort(board[:, suit], kind="stable")
        masks, first = np.unique(board[order, suit], return_index=True)
        limits, found = mine[order], np.zeros((3, 4, len(mine)), dtype=np.int32)
        for mask, start, stop in zip(masks.tolist(), first, (*first[1:], len(mine)), strict=True):
            limit = limits[start:stop]
            for k, made in enumerate(_made(mask, 8191 & ~mask & ~int(own[suit]))):
                found[0, k, start:stop] = made.searchsorted(limit, "left")
                found[1, k, start:stop] = made.searchsorted(limit, "right")
                found[2, k, start:stop] = made.searchsorted(QUALIFYING, "left")
        ways[:, suit, :, order] = np.moveaxis(found, -1, 0)
    less, not_above, none = (_three(one) for one in ways)
    short = mine < QUALIFYING
    low_less, low_upto = np.where(short, less, none), np.where(short, not_above, none)
    unqualified = np.stack([none - low_upto, low_upto - low_less, low_less], axis=1)
    every = np.stack([DEALERS - not_above, not_above - less, less], axis=1)
    return np.stack([unqualified, every - unqualified], axis=1)


@cached("flushes that a suit's board and cards make", most=65536)
def _made(mask: int, left: int) -> tuple[Array, ...]:
    """The values of a board's suit with 0, 1, 2 or 3 further cards of it, in ascending order."""
    bits = np.array([1 << rank for rank in range(13) if left >> rank & 1], dtype=np.int32)
    return tuple(np.sort(WORTH[mask + bits[_chosen(len(bits), k)].sum(axis=1)]) for k in range(4))


@cached("choices of a number of cards", most=16)
def _chosen(of: int, k: int) -> Array:
    return np.array(list(combinations(range(of), k)), dtype=np.int64).reshape(comb(of, k), k)


def _three(ways: Array) -> Array:
    """Hands of three cards from [suit][cards drawn from it]."""
    two = [[sum(a[i] * b[n - i] for i in range(n + 1)) for n in range(4)] for a, b in (ways[:2], ways[2:])]
    total: Array = np.sum([two[0][i] * two[1][3 - i] for i in range(4)], axis=0)
    return total


def play(a: Analysis, hole: Sequence[int]) -> Played:
    """One hand of hole cards at best play under the pays of a base game."""
    places, (mine, ends) = _chosen(49, 4), boards(tuple(hole))
    net = net_results(a)
    unit = lcm(*(x.denominator for x in net))
    table = np.array([int(x * unit) for x in net], dtype=np.int64).reshape(4, 2, 3, len(LENGTHS))
    length = flushes.length(mine) - 2
    worth = np.stack([(ends * np.moveaxis(choice, -1, 0)[length]).sum(axis=(1, 2)) for choice in table])
    raises = worth[2] >= worth[3] if a.resolved.options.get("river_tie", "fold") == "raise" else worth[2] > worth[3]
    river = np.where(raises, worth[2], worth[3])
    now, later = np.zeros((2, 49 * 49), dtype=np.int64)
    flops = [places[:, i] * 49 + places[:, j] for i, j in FLOPS_OF_A_BOARD]
    for flop in flops:
        np.add.at(now, flop, worth[1])
        np.add.at(later, flop, river)
    early = now > later
    raised = sum(early[flop].astype(np.int64) for flop in flops)
    at_once, checked = 6 * int(worth[0].sum()), int(np.maximum(now, later).sum())
    joint = np.zeros((4, 2, 3, len(LENGTHS)), dtype=np.int64)
    for n in range(len(LENGTHS)):
        rows = length == n
        if at_once > checked:
            joint[0, ..., n] = 6 * ends[rows].sum(axis=0, dtype=np.int64)
            continue
        for choice, times in ((1, raised), (2, (6 - raised) * raises), (3, (6 - raised) * ~raises)):
            joint[choice, ..., n] = (ends[rows] * times[rows, None, None]).sum(axis=0)
    return Played(Fraction(at_once, unit), Fraction(checked, unit), joint)
