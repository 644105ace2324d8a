"""What is dealt from which shoe, and the table of its classes.

A deal is written as its roles in the order in which they are enumerated:

    player 7                                   seven cards of one deck
    player 2, upcard 1                         roles that the wager tells apart
    player 2, dealer 2 by blackjack            the dealer's cards seen as ace, ten-valued, other
    upcard 1, hole card 1, player 2 when dealer blackjack
                                               cards that matter only in some deals

``by`` names a lens: what the wager sees of the role's cards. A role may not see
more of a card than the roles before it do, since its cards are counted out of
what those left.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from .._kernels import load
from ..base.caches import cached
from ..base.errors import CountError, fault, nearest
from . import seven_cards as seven
from .cards import CARD_TYPES, RANK_NAMES, RANKS, Permutation, Shoe, permute, suit_group
from .table import Column, Table, deal_count

#: No rank or no suit can be seen.
HIDDEN = -1
ACE, KING, QUEEN, TEN, SEVEN = 12, 11, 10, 8, 5
#: Weights are int64; a product of the kernel stays below eight times the deals.
MOST_DEALS = 2**59


@dataclass(frozen=True)
class Lens:
    """What a wager sees of a card: a label of 52 card types, with the label's rank and suit."""

    name: str
    label: tuple[int, ...]
    rank: tuple[int, ...]
    suit: tuple[int, ...]

    @classmethod
    def of(cls, name: str, see: Callable[[int, int], tuple[int, int]]) -> Lens:
        """The lens under which a card of (rank, suit) shows ``see(rank, suit)``."""
        shown = [see(c % 13, c // 13) for c in range(CARD_TYPES)]
        labels = sorted(set(shown))
        return cls(
            name,
            tuple(labels.index(s) for s in shown),
            tuple(rank for rank, _ in labels),
            tuple(suit for _, suit in labels),
        )

    @property
    def labels(self) -> int:
        return len(self.rank)

    def refines(self, other: Lens) -> bool:
        """Whether whoever sees this also sees what ``other`` shows."""
        return len({(a, b) for a, b in zip(self.label, other.label, strict=True)}) == self.labels

    def image(self, permutation: Permutation) -> tuple[int, ...] | None:
        """The label that a suit permutation makes of each label; None where it tears one apart."""
        pairs = {(self.label[c], self.label[permute(permutation, c)]) for c in range(CARD_TYPES)}
        return tuple(b for _, b in sorted(pairs)) if len(pairs) == self.labels else None


def _value(rank: int, _: int) -> tuple[int, int]:
    return (TEN if TEN <= rank < ACE else rank), HIDDEN


LENSES = {
    lens.name: lens
    for lens in (
        Lens.of("card", lambda rank, suit: (rank, suit)),
        Lens.of("rank", lambda rank, suit: (rank, HIDDEN)),
        Lens.of("value", _value),
        Lens.of("blackjack", lambda r, s: _value(r, s) if _value(r, s)[0] in (ACE, TEN) else (HIDDEN, HIDDEN)),
        # The suit of every card, the rank of ten-valued cards and aces alone.
        Lens.of("suits", lambda rank, suit: (rank if rank >= TEN else HIDDEN, suit)),
        Lens.of("royals", lambda rank, suit: (rank, suit) if rank in (QUEEN, KING) else (HIDDEN, HIDDEN)),
        Lens.of("aces", lambda rank, suit: (rank, suit) if rank == ACE else (HIDDEN, HIDDEN)),
        Lens.of("sevens", lambda rank, suit: (rank, suit) if rank == SEVEN else (HIDDEN, HIDDEN)),
    )
}


def _dealer_blackjack(columns: dict[str, Column]) -> Column:
    ranks = np.concatenate([columns["upcard.rank"], columns["hole card.rank"]], axis=1)
    return (ranks == ACE).any(axis=1) & ((ranks >= TEN) & (ranks < ACE)).any(axis=1)


#: Conditions on what is dealt so far under which a role's cards matter.
CONDITIONS: dict[str, Callable[[dict[str, Column]], Column]] = {"dealer blackjack": _dealer_blackjack}


@dataclass(frozen=True)
class Role:
    """``cards`` cards dealt to ``name``, seen through ``lens``, looked at only ``when``."""

    name: str
    cards: int
    lens: Lens
    when: str | None = None
    only: str | None = None


_ROLE = re.compile(
    r"(?P<name>[a-z][a-z ]*?) (?P<cards>\d)(?: of (?P<only>[A2-9TJQK]))?"
    r"(?: by (?P<lens>[a-z]+))?(?: when (?P<when>[a-z ]+))?"
)


@dataclass(frozen=True)
class Deal:
    """The roles of a wager and what singles out suits; see the module for the notation."""

    text: str
    singled_out: tuple[str, ...] = ()

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        roles = []
        for part in self.text.split(","):
            match = _ROLE.fullmatch(part.strip())
            if not match:
                raise fault(
                    f'"{part.strip()}" is not a role of a deal', 'write a name and a number of cards: "player 2"'
                )
            lens = match["lens"] or "card"
            if lens not in LENSES:
                raise fault(f'"{lens}" is not a way to see cards', nearest(lens, LENSES))
            if match["when"] and match["when"] not in CONDITIONS:
                raise fault(f'"{match["when"]}" is not a condition of a deal', nearest(match["when"], CONDITIONS))
            roles.append(Role(match["name"], int(match["cards"]), LENSES[lens], match["when"], match["only"]))
        for before, after in pairwise(roles):
            if not before.lens.refines(after.lens):
                raise fault(
                    f'{after.name} sees more of a card than {before.name} before it in "{self.text}"',
                    "name the role that sees more first",
                )
        return tuple(roles)

    @property
    def is_seven_cards(self) -> bool:
        return len(self.roles) == 1 and self.roles[0].cards == 7

    @property
    def condition(self) -> str | None:
        """What the figures are conditional on: a role that can be of one rank only."""
        given = [f"{role.name} is {RANK_NAMES[role.only]}" for role in self.roles if role.only]
        return ", ".join(given) or None

    def group(self, shoe: Shoe) -> tuple[Permutation, ...]:
        """The suit permutations that neither the wager nor the shoe can tell from none."""
        return shoe.stabilizer(suit_group(self.singled_out))

    def deals(self, shoe: Shoe) -> int:
        """The number of ways to deal the roles, order within a role aside."""
        total, left = 1, shoe.size
        for role in self.roles:
            if role.only:
                total *= sum(n for c, n in enumerate(shoe.copies) if RANKS[c % 13] == role.only)
                left -= 1
            else:
                total *= deal_count(left, (role.cards,))
                left -= role.cards
        return total

    def table(self, shoe: Shoe) -> Table:
        """The table of this deal's classes; raises `InputError` where the shoe cannot deal it."""
        return _seven_cards(shoe) if self.is_seven_cards else _shoe_table(self, shoe)


@cached("the table of seven cards", most=1)
def _seven_cards(shoe: Shoe) -> Table:
    if shoe != Shoe(1):
        raise fault("seven-card wagers are counted for one full deck", "leave out --without and other numbers of decks")
    rows, weights, classes = seven.by_class()
    columns = {name: rows[:, i] for i, name in enumerate(seven.columns)}
    return Table(columns, weights, deal_count(52, (7,)), classes)


@cached("tables of first cards by deal and shoe", most=64)
def _shoe_table(deal: Deal, shoe: Shoe) -> Table:
    cards = sum(role.cards for role in deal.roles)
    deals = deal.deals(shoe)
    if deals == 0:
        raise fault(f"a shoe of {shoe.size} cards cannot deal {deal.text}", "remove fewer cards")
    if deals > MOST_DEALS:
        raise fault(f"{cards} cards of {shoe.decks} decks are more deals than are counted", "use fewer decks")
    return enumerate_classes(deal, shoe, deal.group(shoe))


def enumerate_classes(deal: Deal, shoe: Shoe, group: tuple[Permutation, ...]) -> Table:
    """Every orbit of deals under ``group``; the trivial group gives every deal of card types."""
    extend = load("shoe").extend
    columns: dict[str, Column] = {}
    weights = np.ones(1, dtype=np.int64)
    stabilizers = np.array([(1 << len(group)) - 1], dtype=np.uint32)
    #: For each role so far its lens and the labels drawn, to know what is left.
    drawn: list[tuple[Lens, Column]] = []
    for role in deal.roles:
        lens = role.lens
        images = [lens.image(p) for p in group]
        if None in images:
            raise fault(f'the lens "{lens.name}" tears suits apart that {deal.text} does not single out')
        left = _left(shoe, lens, drawn, len(weights))
        if role.only:
            wanted = np.array([RANKS[r] == role.only if r >= 0 else False for r in lens.rank])
            left = np.where(wanted, left, 0)
        active = np.ones(len(weights), dtype=np.uint8)
        if role.when:
            active = CONDITIONS[role.when](columns).astype(np.uint8)
        candidates = deal_count(lens.labels + role.cards - 1, (role.cards,))
        room = int(active.sum()) * candidates + len(weights)
        parent = np.empty(room, dtype=np.int32)
        picks = np.empty((room, role.cards), dtype=np.uint8)
        ways = np.empty(room, dtype=np.int64)
        after = np.empty(room, dtype=np.uint32)
        n = extend(
            0,
            len(weights),
            np.ascontiguousarray(left, dtype=np.int32),
            stabilizers,
            active,
            np.array(images, dtype=np.uint8),
            role.cards,
            parent,
            picks,
            ways,
            after,
        )
        parent, picks, stabilizers = parent[:n], picks[:n], after[:n].copy()
        weights = weights[parent] * ways[:n]
        columns = {key: column[parent] for key, column in columns.items()}
        drawn = [(seen, labels[parent]) for seen, labels in drawn]
        drawn.append((lens, picks))
        # A label of 255 (cards nobody looks at) picks the extra, hidden entry.
        at = np.minimum(picks, lens.labels)
        columns[f"{role.name}.rank"] = np.array([*lens.rank, HIDDEN], dtype=np.int8)[at]
        columns[f"{role.name}.suit"] = np.array([*lens.suit, HIDDEN], dtype=np.int8)[at]
    return Table(columns, weights, deal.deals(shoe), len(weights))


def _left(shoe: Shoe, lens: Lens, drawn: list[tuple[Lens, Column]], rows: int) -> Column:
    """Cards left of each label of ``lens`` in each row, shape (rows, labels)."""
    full = np.zeros(lens.labels, dtype=np.int64)
    for card_type, copies in enumerate(shoe.copies):
        full[lens.label[card_type]] += copies
    left = np.broadcast_to(full, (rows, lens.labels)).copy()
    for seen, labels in drawn:
        onto = np.zeros(seen.labels, dtype=np.intp)
        onto[list(seen.label)] = lens.label
        for i in range(labels.shape[1]):
            np.subtract.at(left, (np.arange(rows), onto[labels[:, i]]), 1)
    return left


def burnside_classes(deal: Deal, shoe: Shoe) -> int:
    """The number of classes by Burnside's lemma: the mean number of deals that a permutation fixes.

    The deals of card types are listed without any group, and those that each
    permutation maps onto themselves are counted: no class is formed.
    """
    group = deal.group(shoe)
    trivial = enumerate_classes(deal, shoe, ((0, 1, 2, 3),))
    fixed = 0
    for p in group:
        suits = np.array([*p, HIDDEN], dtype=np.int64)
        same = np.ones(len(trivial), dtype=bool)
        for role in deal.roles:
            rank = trivial[f"{role.name}.rank"].astype(np.int64)
            suit = trivial[f"{role.name}.suit"].astype(np.int64)
            here = np.sort(rank * 8 + suit, axis=1)
            there = np.sort(rank * 8 + suits[suit], axis=1)
            same &= (here == there).all(axis=1)
        fixed += int(same.sum())
    classes, rest = divmod(fixed, len(group))
    if rest:
        raise CountError("Burnside: the fixed deals are no multiple of the group's order")
    return classes


def physical_deals(deal: Deal, shoe: Shoe) -> Any:
    """Every deal of physical cards, one at a time, as a tuple of card types in the order of the roles.

    The literal second way: no classes, no group, no lens. For small shoes.
    """
    stack = [c for c, copies in enumerate(shoe.copies) for _ in range(copies)]

    def roles(index: int, used: frozenset[int]) -> Any:
        if index == len(deal.roles):
            yield ()
            return
        role = deal.roles[index]
        free = [i for i in range(len(stack)) if i not in used]
        if role.only:
            free = [i for i in free if RANKS[stack[i] % 13] == role.only]
        for hand in combinations(free, role.cards):
            for rest in roles(index + 1, used.union(hand)):
                yield (tuple(stack[i] for i in hand), *rest)

    return roles(0, frozenset())
