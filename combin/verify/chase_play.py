"""Independent solution of Chase the Flush for one hand of hole cards by backward induction, without a kernel.

All 211,876 boards are enumerated. On each board the dealer's 14,190 hands are counted in sorted lists, from the cards
that every suit can add to its cards on the board. The river decision follows from that count, the flop decision from
the sum over its rivers, the first decision from the sum over its flops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from math import comb, lcm

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from . import flushes, rounds
from .flushes import LOSE, QUALIFYING, TIE, WIN, WORTH, Array
from .rounds import LENGTHS
from .seven_cards import FLUSHES

DEALERS = comb(45, 3)
FLOPS_OF_A_BOARD = tuple(combinations(range(4), 2))


def net_result(a: Analysis, choice: int, qualifies: bool, result: int, length: int) -> Fraction:
    """Return the net result of an ending, in antes.

    A fold loses ante and X-tra; the ante pushes if the dealer does not qualify.
    """
    raises, pays = a.resolved.options["raises"], dict(a.resolved.lines)
    if choice == len(raises):
        return Fraction(-2)
    if result == TIE:
        return Fraction(0)
    if result == LOSE:
        return Fraction(-(raises[choice] + 1 + qualifies))
    won = raises[choice] * pays["all in"].odds + (pays["ante"].odds if qualifies else 0)
    won += sum(p.odds for line, p in pays.items() if FLUSHES.get(line) == length)
    limit = most(a)
    return won if limit is None else min(won, limit)


def net_results(a: Analysis) -> tuple[Fraction, ...]:
    """Return the win of each cell in antes, from the lines of the paytable."""
    return rounds.net_results(len(a.game.choices), lambda *cell: net_result(a, *cell))


def most(a: Analysis) -> Fraction | None:
    """Return the maximum win of a hand under a payout cap, in antes. Returns None without a cap."""
    return a.cap.amount / a.cap.stake if a.cap is not None else None


@dataclass(frozen=True)
class ChasePlayed:
    """Net result over all endings of a hand, in antes, for an immediate raise and for a check; and the endings."""

    raised: Fraction
    checked: Fraction
    joint: Array  # int64 [3x, 2x, 1x, fold][dealer qualifies][lose, tie, win][flush length - 2]


@cached("all boards with three hole cards", most=8)
def boards(hole: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the player's best flush on each board from the other 49 cards, and the dealer's hands as in `dealers`."""
    others = np.array([card for card in range(52) if card not in hole])
    board = flushes.held(others[chosen(49, 4)])
    masks = flushes.held(np.array([hole]))
    mine = flushes.best(board | masks)
    return mine, dealers(masks[0], board, mine)


#: A suit's set of ranks and the value of a flush are packed into one number: values stay below 8 << 13.
ABOVE = 16


def dealers(player: Array, board: Array, mine: Array) -> Array:
    """Return the number of the 14,190 dealer hands on each board [qualifies][the player loses, ties, wins].

    The array is int32 of shape (2, 3, boards).
    """
    ways = np.empty((3, 4, 4, len(mine)), dtype=np.int32)
    values, of_mine = _distinct(mine, 8 << 13)
    for suit in range(4):
        # Many boards have the same cards of the suit and the same flush to beat: each such pair is looked up once.
        sets, of_set = _distinct(board[:, suit], 1 << 13)
        pairs, of_board = _distinct(of_set * len(values) + of_mine, len(sets) * len(values))
        above = sets[pairs // len(values)] << ABOVE
        limit = above | values[pairs % len(values)]
        for k, flush_values in enumerate(_values_of(int(player[suit]))):
            first = flush_values.searchsorted(above)
            for i, limits in enumerate((limit, limit + 1, above | QUALIFYING)):
                ways[i, suit, k] = (flush_values.searchsorted(limits) - first).astype(np.int32)[of_board]
    less, not_above, none = (_three(one) for one in ways)
    short = mine < QUALIFYING
    counts = np.empty((2, 3, len(mine)), dtype=np.int32)
    counts[0, WIN] = np.where(short, less, none)
    counts[0, TIE] = np.where(short, not_above, none) - counts[0, WIN]
    counts[0, LOSE] = none - counts[0, TIE] - counts[0, WIN]
    counts[1, WIN] = less - counts[0, WIN]
    counts[1, TIE] = not_above - less - counts[0, TIE]
    counts[1, LOSE] = DEALERS - not_above - counts[0, LOSE]
    return counts


def _distinct(numbers: Array, most: int) -> tuple[Array, Array]:
    """Return the distinct numbers below ``most``, in ascending order, and the index of each number among them."""
    seen = np.zeros(most, dtype=bool)
    seen[numbers] = True
    different = np.flatnonzero(seen).astype(np.int32)
    place = np.empty(most, dtype=np.int32)
    place[different] = np.arange(len(different), dtype=np.int32)
    return different, place[numbers]


@cached("flushes from a suit's board and cards", most=64)
def _values_of(player_ranks: int) -> tuple[Array, ...]:
    """Return sorted values of each set of a suit on the board with 0, 1, 2 or 3 further cards, packed after the set.

    ``player_ranks`` are the player's ranks of the suit, which neither the board nor the dealer has.
    """
    left = flushes.SETS[flushes.SETS & player_ranks == 0]
    sets = left[flushes.SIZE[left] <= 4][:, None]
    sorted_values = []
    for k in range(4):
        further = left[flushes.SIZE[left] == k]
        values = np.where(sets & further == 0, sets << ABOVE | WORTH[sets | further], -1)
        sorted_values.append(np.sort(values[values >= 0]))
    return tuple(sorted_values)


@cached("combinations of a number of cards", most=16)
def chosen(of: int, k: int) -> Array:
    """Return all combinations of ``k`` of ``of`` cards, int64 (combinations, k)."""
    return np.fromiter(chain.from_iterable(combinations(range(of), k)), dtype=np.int64).reshape(comb(of, k), k)


def _three(ways: Array) -> Array:
    """Return the number of hands of three cards from [suit][cards drawn from it]."""
    two = [[sum(a[i] * b[n - i] for i in range(n + 1)) for n in range(4)] for a, b in (ways[:2], ways[2:])]
    total: Array = np.sum([two[0][i] * two[1][3 - i] for i in range(4)], axis=0)
    return total


def play(a: Analysis, hole: Sequence[int]) -> ChasePlayed:
    """Return one hand of hole cards at best play under the pays of a base game."""
    places, (mine, ends) = chosen(49, 4), boards(tuple(hole))
    net = net_results(a)
    unit = lcm(*(x.denominator for x in net))
    table = np.array([int(x * unit) for x in net], dtype=np.int64).reshape(4, 6, len(LENGTHS))
    rows = [np.flatnonzero(flushes.length(mine) == n) for n in LENGTHS]
    dealt = [ends.reshape(6, -1)[:, some].astype(np.int64) for some in rows]
    worth = np.empty((4, len(mine)), dtype=np.int64)
    for n, (some, hands) in enumerate(zip(rows, dealt, strict=True)):
        worth[:, some] = table[:, :, n] @ hands
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
    times = np.stack([np.zeros_like(raised), raised, (6 - raised) * raises, (6 - raised) * ~raises])
    if at_once > checked:
        times[:] = [[6], [0], [0], [0]]
    joint = np.stack([times[:, some] @ hands.T for some, hands in zip(rows, dealt, strict=True)], axis=-1)
    return ChasePlayed(Fraction(at_once, unit), Fraction(checked, unit), joint.reshape(4, 2, 3, len(LENGTHS)))
