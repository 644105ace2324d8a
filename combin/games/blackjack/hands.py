"""Hands by composition: the player's hands up to 21, the dealer's finished hands as a tree.

Cards are classes: 0 an ace, 1 to 8 the cards two to nine, 9 everything worth ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import perm, prod
from typing import Any

import numpy as np

from ...base.caches import cached
from ...base.errors import CountError, fault
from ...deals.dealer_draws import Dealer
from ...deals.draw import Composition, finished_hands

CLASSES = 10
LETTERS = "A23456789T"
ACE, TEN = 0, 9
#: Outcomes of a dealer's hand: 17 to 21, 22, 23 and more, blackjack, and four into which 21 may be divided.
OUTCOMES = 12
TWENTY_ONE = 4
PUSH_22, BUST, BLACKJACK = 5, 6, 7
#: Rows of rewards: totals, a hand that wins by its number of cards, and one for each bonus.
ROWS = 30
CHARLIE_ROW, BONUS_ROW = 22, 23

Ints = np.ndarray[Any, Any]


@dataclass(frozen=True)
class PlayerHands:
    """Every composition of two or more cards whose hard total is at most 21, in descending order of that total."""

    cards: Ints  # (hands, 10) int8
    size: Ints
    hard: Ints
    total: Ints  # an ace counts 11 if the total does not exceed 21
    soft: Ints
    child: Ints  # (hands, 10) int32, -1 where the next card busts
    place: dict[Composition, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.size)

    def two(self, first: int, second: int) -> int:
        """The hand of two cards of these classes."""
        cards = [0] * CLASSES
        cards[first] += 1
        cards[second] += 1
        return self.place[tuple(cards)]

    def name(self, hand: int) -> str:
        """``A 6``, ``2 2 T``: ascending, the ace first."""
        return " ".join(LETTERS[c] for c in range(CLASSES) for _ in range(int(self.cards[hand, c])))


@cached("the hands of two cards and more", most=1)
def player_hands() -> PlayerHands:
    """The table of player's hands, the same for every shoe."""
    found: list[Composition] = []

    def grow(card_class: int, cards: list[int], hard: int) -> None:
        if card_class < 0:
            if sum(cards) >= 2:
                found.append(tuple(cards))
            return
        number = 0
        while hard + number * (card_class + 1) <= 21:
            cards[card_class] = number
            grow(card_class - 1, cards, hard + number * (card_class + 1))
            number += 1
        cards[card_class] = 0

    grow(CLASSES - 1, [0] * CLASSES, 0)
    values = range(1, CLASSES + 1)

    def hard_total(cards: Composition) -> int:
        return sum(v * n for v, n in zip(values, cards, strict=True))

    found.sort(key=lambda cards: (-hard_total(cards), sum(cards), cards))
    place = {cards: i for i, cards in enumerate(found)}
    child = np.full((len(found), CLASSES), -1, np.int32)
    for i, cards in enumerate(found):
        for c in range(CLASSES):
            child[i, c] = place.get((*cards[:c], cards[c] + 1, *cards[c + 1 :]), -1)
    table = np.array(found, np.int8)
    hard = table.astype(int) @ np.arange(1, CLASSES + 1)
    soft = (table[:, ACE] > 0) & (hard <= 11)
    return PlayerHands(table, table.sum(1), hard, hard + 10 * soft, soft, child, place)


@dataclass(frozen=True)
class DealerTree:
    """A dealer's finished hands behind one upcard, as the kernel reads them; compositions leave the upcard out.

    A node of the tree is a composition cut off behind one of its classes: its parent
    with one more factor. Leaves are in the order of their cells (outcome, number of cards).
    """

    node_parent: Ints
    node_factor: Ints
    leaf_node: Ints
    leaf_orders: Ints
    cell_start: Ints
    cell_outcome: Ints
    cell_length: Ints
    cell_pairs: Ints
    factor_class: Ints
    factor_number: Ints
    longest: int
    leaves: Ints = field(repr=False)  # (leaves, 10) their cards

    @property
    def law(self) -> tuple[Ints, ...]:
        """The kernel's arguments for a law."""
        return (self.node_parent, self.node_factor, self.leaf_node, self.leaf_orders, self.cell_start)

    @property
    def factors(self) -> tuple[Ints, Ints]:
        return (self.factor_class, self.factor_number)

    def check(self, counts: Sequence[int]) -> None:
        """Raise `InputError` for a shoe whose products could pass 64 bits."""
        greatest = max(prod(map(perm, counts, cards)) for cards in self.leaves.tolist())
        if greatest >= 1 << 63:
            raise fault(f"a shoe of {sum(counts)} cards is too large for exact blackjack", "use at most eight decks")


def _outcome(total: int, blackjack: bool) -> int:
    if blackjack:
        return BLACKJACK
    return total - 17 if total <= 22 else BUST


def _ends(shown: tuple[int, ...], hits_soft_17: bool) -> dict[Composition, tuple[int, int]]:
    """The outcome and the number of draw orders of every finished composition. A composition has one outcome."""
    ends: dict[Composition, tuple[int, int]] = {}
    for hand in finished_hands(Dealer(hits_soft_17), CLASSES, shown):
        outcome = _outcome(hand.state.total, hand.state.blackjack)
        known, orders = ends.get(hand.composition, (outcome, 0))
        if known != outcome:
            raise CountError("two outcomes of one composition")
        ends[hand.composition] = outcome, orders + hand.orders
    return ends


@cached("dealers' trees", most=240)
def dealer_tree(upcard: int, hits_soft_17: bool, hole: int | None = None) -> DealerTree:
    """The dealer's finished hands behind an upcard of this class, or behind both of the dealer's first cards."""
    ends = _ends((upcard,) if hole is None else (upcard, hole), hits_soft_17)
    nodes: dict[Composition, int] = {(0,) * CLASSES: 0}
    parent, factor = [0], [0]
    most = [max(cards[c] for cards in ends) for c in range(CLASSES)]
    factors = [(c, n) for c in range(CLASSES) for n in range(1, most[c] + 1)]
    place = {pair: i for i, pair in enumerate(factors)}
    for cards in sorted(ends):
        above = 0
        for c in range(CLASSES):
            if cards[c]:
                node = (*cards[: c + 1], *[0] * (CLASSES - 1 - c))
                if node not in nodes:
                    nodes[node] = len(parent)
                    parent.append(above)
                    factor.append(place[c, cards[c]])
                above = nodes[node]
    outcomes = np.array([outcome for outcome, _ in ends.values()], np.int32)
    orders = np.array([number for _, number in ends.values()], np.int32)
    own = np.array([nodes[cards] for cards in ends], np.int32)
    nodes_too = (np.array(parent, np.int32), np.array(factor, np.int32))
    ranked = (np.array([c for c, _ in factors], np.int32), np.array([n for _, n in factors], np.int32))
    return _in_cells(nodes_too, ranked, outcomes, np.array(list(ends), np.int32), own, orders, -1)


@cached("dealers' trees parted by a pair's cards", most=200)
def tree_apart(upcard: int, hits_soft_17: bool, pair: int) -> DealerTree:
    """The same tree with cells that are parted by the number of the pair's cards too."""
    tree = dealer_tree(upcard, hits_soft_17)
    outcomes = np.repeat(tree.cell_outcome, np.diff(tree.cell_start)).astype(np.int32)
    nodes = (tree.node_parent, tree.node_factor)
    return _in_cells(nodes, tree.factors, outcomes, tree.leaves, tree.leaf_node, tree.leaf_orders, pair)


def _in_cells(
    nodes: tuple[Ints, Ints], factors: tuple[Ints, Ints], outcomes: Ints, leaves: Ints, own: Ints, orders: Ints,
    apart: int,
) -> DealerTree:
    """The leaves in the order of their cells."""
    lengths = leaves.sum(1).astype(np.int32)
    parts = leaves[:, apart] if apart >= 0 else np.zeros(len(leaves), np.int32)
    order = np.lexsort((own, parts, lengths, outcomes))
    keys = np.stack([outcomes, lengths, parts], axis=1)[order]
    cells, starts = np.unique(keys, axis=0, return_index=True)
    columns = [np.ascontiguousarray(cells[:, i], np.int32) for i in range(3)]
    return DealerTree(
        *nodes,
        np.ascontiguousarray(own[order]),
        np.ascontiguousarray(orders[order]),
        np.append(starts, len(leaves)).astype(np.int32),
        columns[0],
        columns[1],
        columns[2],
        *factors,
        int(lengths.max()),
        leaves[order],
    )
