"""The two passes: values backwards through the levels of a round, then its deals forwards under the choices.

Values are sums of integer utilities over all deals of the later cards. The first pass sweeps every class of final
public cards and adds the values of hands to the arrays of earlier levels, [class of public cards][hand of the player].
It chooses on each level, from the last to the first. The second pass sweeps again and adds up moments of each leaf.

Bounds. A value of a level is at most its number of deals times the greatest utility; before it is divided by the size
of the group it is 24 times that. `check_size` refuses a round for which that, or all deals times the greatest utility,
may exceed 62 bits. Fields of events have 16 bits: a round with more ways to deal the seen cards over the streets is
also refused.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.errors import CountError, closed
from ...base.parallel import Arrays, sweep
from . import public_cards
from .public_cards import Array, set_of
from .rank_tables import HIGH_KEYS, LOW_KEYS, rank_table
from .settlement import Cells, Combination, Segments, Settlement, basis_of, fewer_cuts
from .size_limits import FIELD_BITS, check_size
from .tree import Tree

#: The largest number of values, by class and hand, that are processed together.
BLOCK = 4_000_000
TIED = 64  # added to a choice that is not the only best one
FIELDS = 4  # per word of events


@dataclass(frozen=True, eq=False)
class CardsInView:
    """The cards that a player sees at a street, for n classes of public cards and m hands of the player each.

    ``player`` has the shape (n, m, cards), ``board`` and ``upcard`` (n, cards), ``rank`` (n, m) if the hand is
    complete, otherwise None. Hands that hold public cards may be among them; choices for them have no effect.
    """

    player: Array
    board: Array
    upcard: Array
    rank: Array | None


#: Choices, int8 (n, m), of a street by its index among the streets with choices.
Chooser = Callable[[int, CardsInView], Array]


class Passes:
    """The passes over one round: a tree and its settlement."""

    def __init__(self, tree: Tree, settlement: Settlement, label: str = "best play") -> None:
        check_size(tree, settlement)
        self.tree, self.settlement, self.label = tree, settlement, label
        self.removed = set_of(tree.removed)
        self.final = public_cards.of_level(tree.final, self.removed)
        self.levels = tree.levels[:tree.stored]
        self.publics = [public_cards.of_level(level, self.removed) for level in self.levels]

    @cached_property
    def alike(self) -> bool:
        """Return whether the sweep lists player's and dealer's hands once: on boards, if both are ranked alike."""
        round, final = self.tree.round, self.tree.final
        if round.dealer is None or final.player != self.tree.hidden or "upcard" in round.dealer.roles:
            return False
        same = ("board" in round.player.roles) == ("board" in round.dealer.roles)
        return same and final.board > 0 and final.player < 4

    @cached_property
    def room(self) -> int:
        """Return the greatest number of hands of the player that any public cards leave."""
        final = self.tree.final
        return comb(self.tree.deck - final.board - final.upcards, final.player)

    @cached_property
    def kernel(self) -> Any:
        round, final = self.tree.round, self.tree.final
        player, hidden = final.player, self.tree.hidden
        mine = round.player.roles
        theirs = round.dealer.roles if round.dealer else ()
        my_table = rank_table(round.order, player + ("board" in mine) * final.board)
        their_table = my_table if round.dealer is None else rank_table(
            round.order, hidden + ("board" in theirs) * final.board + ("upcard" in theirs) * final.upcards)
        keys = [int(low) + (int(high) << 32) for low, high in zip(LOW_KEYS, HIGH_KEYS, strict=True)]
        levels = []
        for level, seen in zip(self.levels, self.publics, strict=True):
            hands = public_cards.hand_cards(level.player)
            levels.append((*level.counts, seen.cards, seen.orbits, hands, np.arange(len(hands), dtype=np.int32),
                           *public_cards.located(level.board, level.upcards, self.removed)))
        return load("showdown_sweep").Sweep(
            player=player, hidden=hidden, board=final.board, upcards=final.upcards, mine_board="board" in mine,
            theirs_board="board" in theirs, theirs_up="upcard" in theirs, alike=self.alike, reduced=not self.alike,
            removed=self.removed,
            mine=(my_table.by_ranks, my_table.first, my_table.place, my_table.by_suit, my_table.least_suited, keys),
            theirs=(their_table.by_ranks, their_table.first, their_table.place, their_table.by_suit,
                    their_table.least_suited, keys),
            levels=levels, seen=self.final.cards, orbits=self.final.orbits, permutation=public_cards.permutations(),
            moved=public_cards.moved(player) if self.levels else np.zeros((0, 1), np.int32), room=self.room)

    # The choices of the last street.

    @cached_property
    def inner(self) -> tuple[list[list[int]], tuple[int, ...], tuple[int, ...]]:
        """Return the leaves of each node of a last street that sees all cards, by preference; that order; the needs."""
        tree = self.tree
        if not tree.last_is_final:
            return [], (), ()
        if not tree.decisions:
            return [[0]], (0,), (0,)
        level = len(tree.decisions) - 1
        order, needs = tree.preference(level), tree.needs(level)
        nodes = [[tree.step(level, node, choice).leaf for choice in order] for node in range(len(tree.nodes[level]))]
        return nodes, order, tuple(needs[choice] for choice in order)

    @cached_property
    def inner_leaves(self) -> list[int]:
        """Return the leaves of the last street that are rows of the sweep."""
        return [leaf for node in self.inner[0] for leaf in node]

    def _valuation(self, rows: Sequence[Any], cuts: tuple[int, ...], segments: Segments) -> Any:
        """Return the kernel's rows of utilities, which begin with those of `inner_leaves`."""
        nodes, _, needs = self.inner
        coefficients = np.array([segments.coefficients(row) for row in rows], np.int64).reshape(
            len(rows), len(segments.places), len(cuts) + 3)
        choices = np.arange(len(self.inner_leaves), dtype=np.int32).reshape(len(nodes), len(needs))
        return load("showdown_sweep").Valuation(
            np.array(cuts, np.int32), np.array(segments.starts, np.int32), coefficients, choices,
            np.array(needs, np.int32))

    def _chunk(self, per_hand: float) -> int:
        """Return the number of final public cards that take about 50 ms; ``per_hand`` is in nanoseconds."""
        hands = self.room + (0 if self.alike else comb(self.tree.deck, max(self.tree.hidden, 0)))
        return max(1, int(5e7 / (hands * per_hand)))

    # The first pass.

    def values(self) -> tuple[list[Array], list[Array], int | None]:
        """Return the choices and the values of stored levels, and the total value of the round.

        Choices are int8 [node][class][hand], indices in the file, with `TIED` added if two are best. Values are
        those of the choices of the first level, int64 [choice][class][hand]. The total is None if no level is
        stored.
        """
        tree = self.tree
        if not self.levels:
            return [], [], None
        rows = self.settlement.rows
        wanted = [rows[leaf] for leaf in self.inner_leaves]
        bases: list[tuple[dict[int, Combination], int, int]] = []  # of each level: leaves, first row, number of rows
        for level in range(len(self.levels)):
            ends = [step.leaf for node in range(len(tree.nodes[level]))
                    for choice in range(len(self.levels[level].choices))
                    if (step := tree.step(level, node, choice)).leaf >= 0]
            basis, combinations = basis_of([rows[leaf] for leaf in ends])
            bases.append((dict(zip(ends, combinations, strict=True)), len(wanted), len(basis)))
            wanted += basis
        sums = [(level, first + i) for level, (_, first, count) in enumerate(bases) for i in range(count)]
        sums += [(len(self.levels) - 1, len(wanted) + node) for node in range(len(self.inner[0]))]
        # The rows of the last stored level are contiguous, so that the kernel adds them together.
        totals = self._swept_values(wanted, sums)
        of_level: list[list[Array]] = [[] for _ in self.levels]
        for level, _ in reversed(sums):
            of_level[level].insert(0, totals.pop())
        choices: list[Array] = []
        below: list[Array] = []
        for level in range(len(self.levels) - 1, -1, -1):
            ends_of, _, count = bases[level]
            below += of_level[level][count:]
            chosen = self._chosen(level, ends_of, of_level[level][:count], below)
            of_level[level].clear()
            choices.insert(0, chosen.choices)
            below = chosen.before
        return choices, chosen.opening, chosen.total

    def _swept_values(self, rows: list[Any], sums: list[tuple[int, int]]) -> list[Array]:
        stacked = np.stack(rows) if rows else np.zeros((0, *self.settlement.rows.shape[1:]), dtype=object)
        cuts, fewer = fewer_cuts(stacked, self.settlement.cells.cuts)
        valuation = self._valuation(fewer, cuts, Segments(self.settlement.player_cuts, cuts, self.tree.hidden >= 0))
        table = np.array(sums, np.int32).reshape(-1, 2)
        shapes = [(len(self.publics[level].orbits), comb(52, self.levels[level].player)) for level, _ in sums]
        kernel = self.kernel

        def call(start: int, stop: int, out: Arrays) -> None:
            kernel.values(start, stop, valuation, table, out)

        totals = sweep(call, len(self.final.orbits), lambda: [np.zeros(shape, np.int64) for shape in shapes],
                       chunk=self._chunk(60), label=f"{self.label}: values")
        for (level, _), array in zip(sums, totals, strict=True):
            self._symmetrise(level, array)
        return totals

    def _symmetrise(self, level: int, array: Array) -> None:
        try:
            self.kernel.symmetrise(level, public_cards.group(self.removed), array)
        except ArithmeticError as error:
            raise CountError(str(error)) from None

    def _chosen(self, level: int, ends: dict[int, Combination], basis: list[Array], below: list[Array]) -> _Chosen:
        """Return the choices of a level, made block by block; add the values of its nodes to the level before."""
        tree, here = self.tree, self.levels[level]
        nodes = len(tree.nodes[level])
        order, needs = tree.preference(level), tree.needs(level)
        completions, splits = tree.completions(level), tree.splits(level)
        seen = self.publics[level]
        shape = len(seen.orbits), comb(52, here.player)
        chosen = _Chosen(np.zeros((nodes, *shape), np.int8))
        if level:
            earlier = len(self.publics[level - 1].orbits), comb(52, self.levels[level - 1].player)
            chosen.before = [np.zeros(earlier, np.int64) for _ in range(nodes)]
        else:
            chosen.opening = [np.zeros(shape, np.int64) for _ in here.choices]
        step = max(1, BLOCK // shape[1])
        for start in range(0, shape[0], step):
            part = slice(start, start + step)
            possible = self._possible(level, part)
            ranks = self._ranks(level, part) if any(needs) else None
            for node in range(nodes):
                best = np.zeros(possible.shape, np.int64)
                pick = np.full(possible.shape, -1, np.int8)
                tied = np.zeros(possible.shape, bool)
                for choice in order:
                    after = tree.step(level, node, choice)
                    if after.node >= 0:
                        value = below[after.node][part]
                    else:
                        how = ends[after.leaf]
                        value = np.full(possible.shape, how.constant * completions, np.int64)
                        for i, by in how.multiples:
                            value += by * splits * basis[i][part]
                    value = np.where(possible, value, 0)
                    if not level:
                        chosen.opening[choice][part] = value
                    offered = possible if ranks is None else possible & (ranks >= needs[choice])
                    better = offered & ((pick < 0) | (value > best))
                    tied = np.where(better, False, tied | (offered & (value == best)))
                    best = np.where(better, value, best)
                    pick[better] = choice
                chosen.choices[node, part] = np.where(tied, pick + TIED, pick)
                if level:
                    self.kernel.lift(level, level - 1, start, min(part.stop, shape[0]), best, chosen.before[node])
                else:
                    chosen.total += _summed(best, seen.orbits[part])
        for array in chosen.before:
            self._symmetrise(level - 1, array)
        return chosen

    def _ranks(self, level: int, part: slice) -> Array | None:
        """Return the ranks of the player's hands (classes, hands) of a level; None if hands are not complete there."""
        here, roles = self.levels[level], self.tree.round.player.roles
        if not self.tree.is_complete(level):
            return None
        table = rank_table(self.tree.round.order, here.player + ("board" in roles) * here.board)
        hands = public_cards.hand_cards(here.player)
        seen = self.publics[level].cards[part, :here.board if "board" in roles else 0]
        return table.ranks(np.concatenate([
            np.broadcast_to(hands[None], (len(seen), *hands.shape)),
            np.broadcast_to(seen[:, None], (len(seen), len(hands), seen.shape[1]))], axis=2))

    # The second pass.

    def joint(
        self, choices: list[Array], cells: Cells, chooser: Chooser | None = None, *, within: range | None = None
    ) -> tuple[Any, tuple[int, ...], int]:
        """Return deals [leaf][result][player][cut] under the choices, ties of each street, and the best value.

        The value covers only the choices of the last street if it sees all cards. ``within`` is the range of classes of
        final public cards that are counted, None for all.
        """
        tree = self.tree
        events = self._events(choices)
        nodes = len(self.inner[0])
        leaf_of = [leaf for leaf, _ in events.fields]
        table = [(field, -1) for _, field in events.fields]
        for node, row in enumerate(self.inner[0]):
            for place, leaf in enumerate(row):
                leaf_of.append(leaf)
                table.append((node, place))
        segments = Segments(cells.player_cuts, cells.cuts, tree.hidden >= 0)
        utilities = self.utilities(cells)
        valuation = self._valuation([utilities[leaf] for leaf in self.inner_leaves], cells.cuts, segments)
        shape = len(table), len(segments.places), len(cells.cuts) + 3
        kernel, reached = self.kernel, np.array(events.reached, np.int32)
        targets, levels = np.array(table, np.int32).reshape(-1, 2), np.array(events.levels, np.int32)
        classes = within if within is not None else range(len(self.final.orbits))
        offset = classes.start

        def call(start: int, stop: int, out: Arrays) -> None:
            start, stop = start + offset, stop + offset
            given = np.zeros((0, 0), np.int8)
            if chooser is not None and nodes:
                given = np.ascontiguousarray(self._given(chooser, start, stop), dtype=np.int8)
            kernel.moments(start, stop, valuation, reached, targets, events.words, levels, *out, given)

        def arrays() -> Arrays:
            return [np.zeros(shape, np.int64), np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)]

        moments, ties, best = sweep(call, len(classes), arrays, chunk=self._chunk(80),
                                    label=f"{self.label}: deals")
        counted = segments.joint(moments)
        counts = np.zeros((len(tree.round.leaves), *counted.shape[1:]), dtype=object)
        for i, leaf in enumerate(leaf_of):
            counts[leaf] += counted[i] * events.factors.get(leaf, 1)
        if within is None:
            closed("deals of the round", int(counts.sum()), tree.deals)
        streets = [self._ties(level, choices) for level in range(len(choices))]
        streets += [int(ties.sum())] * bool(nodes)
        return counts, tuple(streets)[:len(tree.decisions)], int(sum(map(int, best)))

    def utilities(self, cells: Cells) -> Any:
        """Return the utilities [leaf][result][player][cut] over cells that may be finer than the settlement's."""
        coarse = self.settlement.cells
        players = [bisect_right(coarse.player_cuts, low) for low in (0, *cells.player_cuts)]
        cuts = [bisect_right(coarse.cuts, low) for low in (0, *cells.cuts)]
        return self.settlement.rows[:, :, players][..., cuts]

    def opening_at(self, opening: tuple[Array, ...], seen: tuple[tuple[int, ...], ...]) -> list[int]:
        """Return the values of the first street's choices for one position: board, upcards, player."""
        at = self._place(0, seen)
        return [int(values[at]) for values in opening]

    def choice_at(self, choices: Array, level: int, seen: tuple[tuple[int, ...], ...]) -> int:
        """Return the stored choice [class][hand] of a level for one position, as an index in the file."""
        return int(choices[self._place(level, seen)]) & (TIED - 1)

    def _place(self, level: int, seen: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
        """Return the class and the hand of a position: board, upcards, player."""
        board, upcards, player = seen
        here = self.levels[level]
        classes, permutation = public_cards.located(here.board, here.upcards, self.removed)
        at = public_cards.index_of(board) * comb(52, here.upcards) + public_cards.index_of(upcards)
        to = public_cards.permutations()[permutation[at]]
        return int(classes[at]), public_cards.index_of(int(to[card]) for card in player)

    def _events(self, choices: list[Array]) -> _Events:
        """Return the events of stored levels: how often hands end in a leaf or reach a node of the last street."""
        tree = self.tree
        inner = len(self.inner[0])
        events = _Events(reached=[-1] * inner)
        reach: list[Array] | None = None
        for level, chosen in enumerate(choices):
            following = level + 1 < len(self.levels)
            size = len(tree.nodes[level + 1]) if following else inner
            children = [np.zeros(chosen.shape[1:], np.uint16) for _ in range(size)]
            picks = chosen & (TIED - 1)
            ends: list[tuple[int, Array]] = []
            for node in range(len(tree.nodes[level])):
                count = np.uint16(1) if reach is None else reach[node]
                for choice in range(len(self.levels[level].choices)):
                    event = np.where(picks[node] == choice, count, np.uint16(0)).astype(np.uint16)
                    after = tree.step(level, node, choice)
                    if after.leaf >= 0:
                        ends.append((after.leaf, event))
                    else:
                        children[after.node] += event
            out = [event for _, event in ends] + ([] if following else children)
            at = FIELDS * len(events.words)
            for i, (leaf, _) in enumerate(ends):
                events.fields.append((leaf, at + i))
                events.factors[leaf] = tree.splits(level)
            if not following:
                events.reached = [at + len(ends) + i for i in range(inner)]
            packed = [_packed(out[i:i + FIELDS]) for i in range(0, len(out), FIELDS)]
            events.words += packed
            events.levels += [level] * len(packed)
            if following:
                reach = [part for i in range(0, size, FIELDS) for part in self._carried(level, children[i:i + FIELDS])]
        return events

    def _carried(self, level: int, events: list[Array]) -> list[Array]:
        """Return the events of a level as those of the next one."""
        packed = _packed(events)
        out = np.zeros((len(self.publics[level + 1].orbits), comb(52, self.levels[level + 1].player)), np.uint64)

        def call(start: int, stop: int, _: Arrays) -> None:
            self.kernel.carry(level, level + 1, start, stop, packed, out)

        sweep(call, len(out), list, chunk=500, label=f"{self.label}: deals")
        return [(out >> np.uint64(FIELD_BITS * i)).astype(np.uint16) for i in range(len(events))]

    def _ties(self, level: int, choices: list[Array]) -> int:
        """Return the number of positions of a stored level, over all nodes, in which two choices are best."""
        tied = (choices[level] >= TIED).sum(axis=(0, 2))
        return int(tied @ self.publics[level].orbits)

    def _given(self, chooser: Chooser, start: int, stop: int) -> Array:
        """Return the choices of a chooser on the last street, as indices in the order of preference."""
        tree, (_, order, _) = self.tree, self.inner
        place = np.zeros(len(order), np.int8)
        place[list(order)] = np.arange(len(order))
        cards, ranks = self.hands(start, stop)
        seen, board = self.final.cards[start:stop], tree.final.board
        return place[chooser(len(tree.decisions) - 1, CardsInView(cards, seen[:, :board], seen[:, board:], ranks))]

    def hands(self, start: int, stop: int) -> tuple[Array, Array]:
        """Return the player's hands of classes of final public cards as they are listed, and their ranks.

        Cards have the shape (classes, hands, cards). If a class has fewer hands, its last one is repeated.
        """
        shape = stop - start, max(self.room, 1)
        cards, ranks = np.zeros((*shape, self.tree.final.player), np.uint8), np.zeros(shape, np.uint16)
        counts = np.zeros(stop - start, np.int32)
        self.kernel.hands(start, stop, cards, ranks, counts)
        most = int(counts.max(initial=1))
        at = np.minimum(np.arange(most), counts[:, None] - 1)
        if (counts == most).all():
            return cards[:, :most], ranks[:, :most]
        return np.take_along_axis(cards, at[:, :, None], axis=1), np.take_along_axis(ranks, at, axis=1)

    def follow(self, chooser: Chooser) -> list[Array]:
        """Return the choices of a chooser on stored levels, [node][class][hand]."""
        choices = []
        for level, here in enumerate(self.levels):
            seen, hands = self.publics[level], public_cards.hand_cards(here.player)
            parts, step = [], max(1, BLOCK // len(hands))
            for start in range(0, len(seen.orbits), step):
                part = slice(start, start + step)
                cards = seen.cards[part]
                player = np.broadcast_to(hands[None, :, :here.player], (len(cards), len(hands), here.player))
                parts.append(chooser(level, CardsInView(
                    player, cards[:, :here.board], cards[:, here.board:], self._ranks(level, part))))
            choice = np.concatenate(parts).astype(np.int8)
            choice = np.where(self._possible(level, slice(None)), choice, -1)
            choices.append(np.broadcast_to(choice, (len(self.tree.nodes[level]), *choice.shape)))
        return choices

    def _possible(self, level: int, part: slice) -> Array:
        """Return which hands (classes, hands) hold neither public nor removed cards."""
        taken = self.publics[level].masks[part, None] | np.uint64(self.removed)
        return (public_cards.hand_masks(self.levels[level].player) & taken) == 0


@dataclass(eq=False)
class _Chosen:
    """The choices of a level, [node][class][hand]; their values for the level before, or those of the first level."""

    choices: Array
    before: list[Array] = field(default_factory=list)
    opening: list[Array] = field(default_factory=list)
    total: int = 0


@dataclass(eq=False)
class _Events:
    """Packed events of stored levels: ``words`` [class][hand] of their ``levels``.

    ``fields`` maps (leaf, field) to the field's number, 4 * word + index; ``reached`` are the fields of the nodes of
    the last street, -1 if all hands reach it. A leaf's deals are multiplied by its factor: the number of ways to deal
    the cards after its street.
    """

    reached: list[int]
    words: list[Array] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    fields: list[tuple[int, int]] = field(default_factory=list)
    factors: dict[int, int] = field(default_factory=dict)


def _summed(values: Array, orbits: Array) -> int:
    """Return the sum of values [class][hand] times orbits. It may exceed 64 bits: halves of 32 bits are added."""
    high, low = (values >> 32).sum(axis=1), (values & 0xFFFFFFFF).sum(axis=1)
    return sum(int(n) * ((int(h) << 32) + int(x)) for n, h, x in zip(orbits, high, low, strict=True))


def _packed(events: list[Array]) -> Array:
    """Return up to four events of 16 bits packed into one word."""
    word = np.zeros(events[0].shape, np.uint64)
    for i, event in enumerate(events):
        word |= event.astype(np.uint64) << np.uint64(FIELD_BITS * i)
    return word
