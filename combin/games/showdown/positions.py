"""The value of each choice in one position, by every deal of the later cards and every hand of the dealer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from ...base.errors import fault
from ...deals.cards import names
from .passes import Passes
from .round import SEEN, Round
from .settlement import Settlement
from .solve import Solution, solve
from .tree import tree_of

#: The greatest number of deals to the showdown, and of dealer's hands in all of them, for one position.
MOST_SHOWDOWNS, MOST_HANDS = 20_000, 1_000_000_000
#: The values of each choice of a street, by the path of earlier choices.
Values = dict[tuple[str, ...], dict[str, Fraction]]


def position_values(
    round: Round, settlement: Settlement, cards: Mapping[str, tuple[int, ...]], *, without: tuple[int, ...] = (),
    solution: Solution | None = None,
) -> Values:
    """Return the expected net result of each choice, in units, for a player who sees these cards by role.

    The keys are the names of the earlier choices; later choices are the best ones. If going through all later deals
    would take long, the first street is read from the ``solution``, which is computed if it is None. Raises
    `InputError` if no street with choices has these numbers of cards, if a card occurs twice, or if
    the position is too large.
    """
    passes = Passes(tree_of(round, without), settlement)
    position = Position(passes)
    level, seen = _placed(passes, cards)
    tree = passes.tree
    completions = tree.completions(level)
    here = tree.levels[level]
    hands = completions // tree.splits(level)
    showdowns = hands // comb(tree.deck - tree.final.seen, max(tree.hidden, 0))
    if showdowns > MOST_SHOWDOWNS or hands > MOST_HANDS:
        opening = () if level else (solution or solve(round, settlement, without=without)).opening
        if not opening:
            raise fault(f"the position has {showdowns:,} deals of the later cards", "give the cards of a later street")
        values = [passes.opening_at(opening, seen)]
    else:
        values = position.choices(level, seen)
    return {
        tree.names(path): {
            choice.name: Fraction(value, completions * settlement.unit)
            for i, (choice, value) in enumerate(zip(here.choices, row, strict=True))
            if position.offered(level, i, seen)}
        for path, row in zip(tree.nodes[level], values, strict=True)}


def _placed(passes: Passes, cards: Mapping[str, tuple[int, ...]]) -> tuple[int, Cards]:
    """Return the level of a position and its cards, ascending in each role."""
    tree = passes.tree
    counts = tuple(len(cards.get(role, ())) for role in ("board", "upcard", "player"))
    level = next((i for i, here in enumerate(tree.decisions) if here.counts == counts), None)
    if level is None or set(cards) - set(SEEN):
        wanted = "; ".join(", ".join(
            f"{role} {n}" for role, n in zip(("board", "upcard", "player"), here.counts, strict=True) if n)
            for here in tree.decisions)
        raise fault("no street with choices has these numbers of cards", f"give the cards of a street: {wanted}")
    dealt = [card for role in cards.values() for card in role]
    twice = sorted({card for card in dealt if dealt.count(card) > 1 or card in tree.removed})
    if twice:
        raise fault(f"{names(twice)} cannot be dealt in this position", "name each card of the deck once")
    return level, tuple(tuple(sorted(cards.get(role, ()))) for role in ("board", "upcard", "player"))


#: The cards of board, upcards and player, each ascending.
Cards = tuple[tuple[int, ...], ...]


class Position:
    """Values by going through all deals; nothing is kept between calls."""

    def __init__(self, passes: Passes) -> None:
        self.passes, self.tree, self.settlement = passes, passes.tree, passes.settlement
        cells = passes.settlement.cells
        self.cuts = np.array(cells.cuts, dtype=np.int32)
        self.rows = passes.settlement.rows
        self.out = np.zeros((3, len(cells.cuts) + 1), dtype=np.int64)

    def choices(self, level: int, seen: Cards) -> list[list[int]]:
        """Return the sums of utilities over all deals of the later cards: [node][choice]."""
        return self._sums(level, *self._after(level, seen))

    def _sums(self, level: int, leaves: list[int], nodes: list[int]) -> list[list[int]]:
        """Return the sums of each choice, [node][choice], from those of the leaves and of the next level's nodes."""
        splits = self.tree.splits(level)
        sums = []
        for node in range(len(self.tree.nodes[level])):
            steps = [self.tree.step(level, node, i) for i in range(len(self.tree.decisions[level].choices))]
            sums.append([leaves[s.leaf] * splits if s.leaf >= 0 else nodes[s.node] for s in steps])
        return sums

    def offered(self, level: int, choice: int, seen: Cards) -> bool:
        """Return whether a choice is offered to the hand."""
        need = self.tree.needs(level)[choice]
        return not need or self._rank(seen) >= need

    def _rank(self, seen: Cards) -> int:
        final = self.tree.final
        board, upcards, player = seen
        # Later cards do not belong to a complete hand: any cards may replace them.
        free = [card for card in range(52) if card not in {*board, *upcards, *player} | self.tree.removed]
        board += tuple(free[:final.board - len(board)])
        free = free[final.board:]
        upcards += tuple(free[:final.upcards - len(upcards)])
        return self._compared((tuple(sorted(board)), tuple(sorted(upcards)), player))

    def _compared(self, seen: Cards) -> int:
        board, upcards, player = seen
        return self.passes.kernel.position(np.array(board + upcards, np.uint8), np.array(player, np.uint8), self.cuts,
                                           self.out)

    def _after(self, level: int, seen: Cards) -> tuple[list[int], list[int]]:
        """Return sums over all later deals: of each leaf (showdowns counted once) and each node of the next level."""
        rows = self.rows
        if self.tree.levels[level].counts == self.tree.final.counts and level >= len(self.tree.decisions) - 1:
            player = bisect_right(self.settlement.player_cuts, self._compared(seen))
            counts = self.out[:rows.shape[1]]
            return [int((row[:, player] * counts).sum()) for row in rows], []
        following = level + 1
        ends = following == len(self.tree.decisions)
        leaves = [0] * len(rows)
        nodes = [] if ends else [0] * len(self.tree.nodes[following])
        # A showdown is reached once for each way to split its cards between the next street and those after it.
        ways = self.tree.splits(level) // self.tree.splits(following)
        for later in self._deals(level, seen):
            below, _ = self._after(following, later) if ends else self._leaves(following, later, nodes)
            leaves = [a + b for a, b in zip(leaves, below, strict=True)]
        assert all(x % ways == 0 for x in leaves)
        return [x // ways for x in leaves], nodes

    def _leaves(self, level: int, seen: Cards, nodes: list[int]) -> tuple[list[int], list[int]]:
        """Return the leaves after a level; the values of its nodes under best choices are added to ``nodes``."""
        leaves, after = self._after(level, seen)
        offered = [i for i in range(len(self.tree.decisions[level].choices)) if self.offered(level, i, seen)]
        for node, sums in enumerate(self._sums(level, leaves, after)):
            nodes[node] += max(sums[i] for i in offered)
        return leaves, after

    def _deals(self, level: int, seen: Cards) -> Iterator[Cards]:
        """Yield all deals of the cards seen on the next level."""
        here, following = self.tree.levels[level].counts, self.tree.levels[level + 1].counts
        wanted = [b - a for a, b in zip(here, following, strict=True)]
        taken = {card for role in seen for card in role} | self.tree.removed
        left = [card for card in range(52) if card not in taken]
        for board in combinations(left, wanted[0]):
            for upcards in combinations([c for c in left if c not in board], wanted[1]):
                for player in combinations([c for c in left if c not in board and c not in upcards], wanted[2]):
                    yield tuple(tuple(sorted(old + new)) for old, new in
                                zip(seen, (board, upcards, player), strict=True))
