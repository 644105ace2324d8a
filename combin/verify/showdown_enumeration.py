"""A round dealt from a short deck, every deal one by one: value, play and joint distribution without the engine.

Hands are valued by a separate kernel, states are sets of indices in the deck, and positions are not classes: no suit
represents another one. Only the settlement, the description of the round and the names of hands are shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np

from .._kernels import load
from ..base.errors import fault
from ..deals.cards import RANKS
from ..games.showdown.hand_orders import order_named, parsed
from ..games.showdown.round import Round

Array = np.ndarray[Any, Any]
#: Maximum number of cards of an enumerated deck, and of comparisons of two hands.
MOST_CARDS, MOST_COMPARISONS = 24, 1_500_000_000
KINDS = ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
         "straight flush", "royal flush")
SHIFT = 20
_ROLES = ("board", "upcard", "player")


@dataclass(frozen=True, eq=False)
class Enumerated:
    """Best play of a short deck: its value in units, deals [leaf][result][player's class][dealer's interval]."""

    value: Fraction
    joint: Any
    deals: int


@dataclass(frozen=True)
class EnumeratedCell:
    """Classes of hands by their lowest hands, ascending: named hands as (category, first ranks)."""

    player: tuple[tuple[int, tuple[int, ...]], ...]
    dealer: tuple[tuple[int, tuple[int, ...]], ...]


def enumerate_deals(
    round: Round, utility: Any, unit: int, cells: EnumeratedCell, without: tuple[int, ...] = ()
) -> Enumerated:
    """Solve a round by all deals of its short deck, less the card types of ``without``.

    ``utility`` [leaf][result][player's class][dealer's interval] are integers, net results times ``unit``. Raises
    `InputError` for a deck of more than 24 cards, and if there are too many deals.
    """
    return _Enumeration(round, np.asarray(utility, dtype=object), unit, cells, without).solved()


class _Enumeration:
    def __init__(self, round: Round, utility: Any, unit: int, cells: EnumeratedCell, without: tuple[int, ...]) -> None:
        self.round, self.utility, self.unit, self.cells = round, utility, unit, cells
        deck = ((RANKS.index(rank), suit) for suit in range(4) for rank in round.ranks)
        self.deck = [(rank, suit) for rank, suit in deck if 13 * suit + rank not in without]
        if len(self.deck) > MOST_CARDS:
            raise fault(f"a deck of {len(self.deck)} cards is too large for all its deals", "name at most six ranks")
        # Cards of board, upcards and player at each street with choices, and at the showdown.
        self.counts: list[tuple[int, ...]] = []
        self.choices = [street.choices for street in round.streets if street.choices]
        dealt = dict.fromkeys((*_ROLES, "dealer"), 0)
        for street in round.streets:
            for role, cards in street.deal:
                dealt[role] += cards
            if street.choices:
                self.counts.append(tuple(dealt[role] for role in _ROLES))
        self.counts.append(tuple(dealt[role] for role in _ROLES))
        self.hidden = dealt["dealer"]
        self.place = _places(len(self.deck))

    def solved(self) -> Enumerated:
        states = self._states(self.counts[-1])
        cells, player = self._compared(states)
        rows = self.utility  # [leaf][result][class][interval]
        worth = np.zeros((len(rows), len(player)), dtype=np.int64)
        for leaf in range(len(rows)):
            table = np.moveaxis(rows[leaf], 1, 0).astype(np.int64)
            worth[leaf] = (cells * table[player]).sum(axis=(1, 2))
        chosen = self._backwards(states, worth)
        joint = self._forwards(states, cells, player, chosen)
        deals = int(joint.sum())
        return Enumerated(Fraction(int((joint * rows).sum()), deals * self.unit), joint, deals)

    def _states(self, counts: tuple[int, ...]) -> Array:
        """Return every board, upcards and player's hand as sets of indices: (states, 3)."""
        states = []
        for board in _sets(len(self.deck), counts[0], 0):
            for upcards in _sets(len(self.deck), counts[1], board):
                for player in _sets(len(self.deck), counts[2], board | upcards):
                    states.append((board, upcards, player))
        return np.array(states, dtype=np.uint32).reshape(-1, 3)

    def _values(self, hands: Array) -> Array:
        order = order_named(self.round.order)
        kinds = np.array([order.categories.index(kind) if kind in order.categories else -1 for kind in KINDS], np.int8)
        ranks, suits = (np.array(column, np.int8) for column in zip(*self.deck, strict=True))
        out = np.zeros(len(hands), np.int32)
        load("showdown_enumeration").values(ranks, suits, order.size or 0, kinds, np.ascontiguousarray(hands), out)
        return out

    def _threshold(self, named: tuple[int, tuple[int, ...]]) -> int:
        category, ranks = named
        if order_named(self.round.order).size is None:  # number of cards, then their ranks as a mask
            return (category + 1) << SHIFT | sum(1 << rank for rank in ranks)
        return category << SHIFT | sum(rank << 16 - 4 * i for i, rank in enumerate(ranks))

    def _compared(self, states: Array) -> tuple[Array, Array]:
        """Return comparisons of states with dealer hands, [state][result][interval], and the player's class."""
        boards, upcards, players = (np.ascontiguousarray(states[:, i]) for i in range(3))
        mine = self._values(players | (boards if "board" in self.round.player.roles else np.uint32(0)))
        limits = [self._threshold(named) for named in self.cells.player]
        player = np.searchsorted(limits, mine, side="right") if limits else np.zeros(len(mine), np.int64)
        if self.round.dealer is None:
            return np.ones((len(states), 1, 1), np.int32), player
        roles = self.round.dealer.roles
        dealers = np.array(list(_sets(len(self.deck), self.hidden, 0)), np.uint32)
        if len(dealers) * len(states) > MOST_COMPARISONS:
            raise fault(f"{len(dealers) * len(states):,} pairs of hands are too many to compare", "name fewer ranks")
        size = self.hidden + ("board" in roles) * self.counts[-1][0] + ("upcard" in roles) * self.counts[-1][1]
        value_at = np.zeros(1 << len(self.deck), np.int32)
        hands = np.array(list(_sets(len(self.deck), size, 0)), np.uint32)
        value_at[hands] = self._values(hands)
        cuts = np.array([self._threshold(named) for named in self.cells.dealer], np.int32)
        out = np.zeros((len(states), 3, len(cuts) + 1), np.int32)
        load("showdown_enumeration").compare(
            boards, upcards, players, mine, dealers, value_at, "board" in roles, "upcard" in roles, cuts, out)
        return out, player

    # Positions are numbered by their sets: board, upcards, player.

    def _numbers(self, counts: tuple[int, ...], parts: Sequence[Array]) -> Array:
        n = len(self.deck)
        numbers = self.place[parts[0]].astype(np.int64)
        for cards, part in zip(counts[1:], parts[1:], strict=True):
            numbers = numbers * comb(n, cards) + self.place[part]
        return numbers

    def _positions(self, counts: tuple[int, ...]) -> int:
        return prod(comb(len(self.deck), cards) for cards in counts)

    def _earlier(self, states: Array, later: tuple[int, ...], earlier: tuple[int, ...]) -> Iterator[list[Array]]:
        """Yield the sets of an earlier street from which each state may come, one choice of indices at a time."""
        bits = [_bits(states[:, i], later[i]) for i in range(3)]
        ways = [list(combinations(range(later[i]), earlier[i])) for i in range(3)]
        for way in product(*ways):
            yield [np.bitwise_or.reduce(bits[i][:, list(way[i])], axis=1, dtype=np.uint32, initial=np.uint32(0))
                   for i in range(3)]

    def _leaf(self, path: tuple[int, ...]) -> int:
        return [leaf.path for leaf in self.round.leaves].index(path)

    def _paths(self, level: int) -> list[tuple[int, ...]]:
        """Return the choices that lead to a street."""
        paths: list[tuple[int, ...]] = [()]
        for choices in self.choices[:level]:
            paths = [(*path, i) for path in paths for i, choice in enumerate(choices) if choice.then == "next"]
        return paths

    def _backwards(self, final: Array, worth: Array) -> list[dict[tuple[int, ...], Array]]:
        """Return the best choice of every path and position of each street, from the last street to the first."""
        choices: list[dict[tuple[int, ...], Array]] = []
        below: dict[tuple[int, ...], Array] = {}
        last = len(self.choices) - 1
        for level in range(last, -1, -1):
            counts = self.counts[level]
            # The value of a leaf at a position: over all showdowns that may follow, in all orders of the streets.
            totals = np.zeros((len(worth), self._positions(counts)), np.int64)
            orders = self._orders(level)
            for parts in self._earlier(final, self.counts[-1], counts):
                at = self._numbers(counts, parts)
                for leaf in range(len(worth)):
                    totals[leaf] += _added(at, worth[leaf] * orders, totals.shape[1])
            states = self._states(counts)
            numbers = self._numbers(counts, [states[:, i] for i in range(3)])
            after = {path: values[numbers] for path, values in below.items()}
            best_of: dict[tuple[int, ...], Array] = {}
            values_of: dict[tuple[int, ...], Array] = {}
            offered = self._offered(level, states)
            for path in self._paths(level):
                best = np.full(len(states), np.iinfo(np.int64).min)
                pick = np.zeros(len(states), np.int8)
                # Of equal choices, the first one by stake, then by order in the file.
                for i in self._ranked(level):
                    step = (*path, i)
                    goes_on = self.choices[level][i].then == "next"
                    value = after[step] if goes_on else totals[self._leaf(step)][numbers]
                    better = offered[i] & (value > best)
                    best, pick = np.where(better, value, best), np.where(better, np.int8(i), pick)
                best_of[path], values_of[path] = np.zeros(totals.shape[1], np.int8), best
                best_of[path][numbers] = pick
            below = {path: self._spread(level, states, values) for path, values in values_of.items()} if level else {}
            choices.insert(0, best_of)
        return choices

    def _ranked(self, level: int) -> list[int]:
        stakes = [sum(amount for _, amount in choice.stakes) for choice in self.choices[level]]
        least = self.round.equal_choices == "least stake"
        return sorted(range(len(stakes)), key=lambda i: (stakes[i] if least else -stakes[i], i))

    def _orders(self, level: int) -> int:
        """Return the number of ways to deal one showdown's later cards over the streets that follow."""
        steps = zip(self.counts[level:], self.counts[level + 1:], strict=False)
        return prod(comb(self.counts[-1][i] - here[i], following[i] - here[i])
                    for here, following in steps for i in range(3))

    def _offered(self, level: int, states: Array) -> list[Array]:
        masks = []
        for choice in self.choices[level]:
            if choice.needs is None:
                masks.append(np.ones(len(states), bool))
                continue
            hands = states[:, 2] | (states[:, 0] if "board" in self.round.player.roles else np.uint32(0))
            least = self._threshold(parsed(order_named(self.round.order), choice.needs))
            masks.append(self._values(hands) >= least)
        return masks

    def _spread(self, level: int, states: Array, values: Array) -> Array:
        """Return the values of a street's positions summed for the positions of the street before."""
        counts = self.counts[level - 1]
        total = np.zeros(self._positions(counts), np.int64)
        for parts in self._earlier(states, self.counts[level], counts):
            total += _added(self._numbers(counts, parts), values, len(total))
        return total

    def _forwards(self, states: Array, cells: Array, player: Array, chosen: list[dict[tuple[int, ...], Array]]) -> Any:
        """Return deals by leaf and cell: every state, in every order of its streets."""
        leaves = self.round.leaves
        classes = len(self.cells.player) + 1
        joint = np.zeros((len(leaves), cells.shape[1], classes, cells.shape[2]), dtype=object)
        for parts in self._chains(states):
            ends = np.full(len(states), -1)
            for path, at in self._followed(parts, chosen, len(states)):
                ends[at] = self._leaf(path)
            for leaf in range(len(leaves)):
                for number in range(classes):
                    mine = cells[(ends == leaf) & (player == number)]
                    joint[leaf, :, number] += mine.sum(axis=0, dtype=np.int64).astype(object)
        return joint

    def _chains(self, states: Array) -> Iterator[list[Array]]:
        """Yield the numbers of each state's positions by street, for every order of the streets."""
        def down(level: int, at: Array) -> Iterator[list[Array]]:
            if level < 0:
                yield []
                return
            for parts in self._earlier(at, self.counts[level + 1], self.counts[level]):
                here = np.stack(parts, axis=1)
                for before in down(level - 1, here):
                    yield [*before, self._numbers(self.counts[level], parts)]

        yield from down(len(self.choices) - 1, states)

    def _followed(
        self, parts: list[Array], chosen: list[dict[tuple[int, ...], Array]], size: int
    ) -> Iterator[tuple[tuple[int, ...], Array]]:
        """Yield the paths that are played, each with the states that follow it."""
        open_paths: list[tuple[tuple[int, ...], Array]] = [((), np.arange(size))]
        if not self.choices:
            yield open_paths[0]
        for level, choices in enumerate(self.choices):
            following = []
            for path, at in open_paths:
                picks = chosen[level][path][parts[level][at]]
                for i, choice in enumerate(choices):
                    step = ((*path, i), at[picks == i])
                    if choice.then == "next":
                        following.append(step)
                    else:
                        yield step
            open_paths = following


def _sets(deck: int, size: int, taken: int) -> Iterator[int]:
    """Return the sets of ``size`` indices that are not taken."""
    free = [1 << i for i in range(deck) if not taken >> i & 1]
    return (sum(held) for held in combinations(free, size))


def _places(deck: int) -> Array:
    """Return the number of every set of indices among the sets of its size."""
    sizes = np.zeros(1 << deck, np.int8)
    for i in range(deck):
        sizes[1 << i:1 << i + 1] = sizes[:1 << i] + 1
    numbers = np.zeros(1 << deck, np.int32)
    for size in range(deck + 1):
        of = np.flatnonzero(sizes == size)
        numbers[of] = np.arange(len(of))
    return numbers


def _bits(sets: Array, size: int) -> Array:
    """Return the elements of each set as sets of one index: (sets, size)."""
    bits = np.zeros((len(sets), size), np.uint32)
    left = sets.copy()
    for i in range(size):
        low = left & (~left + np.uint32(1))
        bits[:, i] = low
        left ^= low
    return bits


def _added(at: Array, values: Array, size: int) -> Array:
    """Return sums of int64 values by index, exactly: floats represent integers below 2^53."""
    if int(np.abs(values).max(initial=0)) * len(values) < 2**53:
        return np.bincount(at, values, size).astype(np.int64)
    total = np.zeros(size, np.int64)
    np.add.at(total, at, values)
    return total
