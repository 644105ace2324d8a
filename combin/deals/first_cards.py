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

from ..base.caches import cached
from ..base.errors import CountError, fault, nearest
from . import burnside
from . import seven_cards as seven
from .cards import RANK_NAMES, RANKS, Permutation, Shoe, suit_group
from .classes import HIDDEN, Classes, Draw, Lens
from .table import Column, Table, deal_count

ACE, KING, QUEEN, TEN, SEVEN = 12, 11, 10, 8, 5


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

    def classes(self, shoe: Shoe) -> Classes:
        """The deal's classes, none of them listed yet."""
        return _classes(self, shoe, self.group(shoe))

    def deals(self, shoe: Shoe) -> int:
        """The number of ways to deal the roles, order within a role aside."""
        return self.classes(shoe).deals

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


def _classes(deal: Deal, shoe: Shoe, group: tuple[Permutation, ...]) -> Classes:
    draws = tuple(Draw(role.name, role.cards, role.lens, role.only) for role in deal.roles)
    return Classes(shoe, draws, group, in_order=any(role.when for role in deal.roles))


@cached("tables of first cards by deal and shoe", most=64)
def _shoe_table(deal: Deal, shoe: Shoe) -> Table:
    return enumerate_classes(deal, shoe, deal.group(shoe))


def enumerate_classes(deal: Deal, shoe: Shoe, group: tuple[Permutation, ...]) -> Table:
    """Every orbit of deals under ``group``; the trivial group gives every deal of card types."""
    table = _classes(deal, shoe, group).table()
    for index, role in enumerate(deal.roles):
        if role.when:
            table = _unless(table, CONDITIONS[role.when](dict(table.columns)), deal.roles[:index], role)
    return table


def _unless(table: Table, matters: Column, before: tuple[Role, ...], role: Role) -> Table:
    """The table with a role's cards hidden where they do not matter, and rows that only they told apart as one."""
    seen = np.concatenate([table[f"{r.name}.{what}"] for r in before for what in ("rank", "suit")], axis=1)
    # Rows with the same cards before stand together.
    new = matters | np.append(True, (seen[1:] != seen[:-1]).any(axis=1))
    rows = np.flatnonzero(new)
    columns = {name: column[rows] for name, column in table.columns.items()}
    for what in ("rank", "suit"):
        columns[f"{role.name}.{what}"][~matters[rows]] = HIDDEN
    return Table(columns, np.add.reduceat(table.weights, rows), table.deals, len(rows))


def burnside_classes(deal: Deal, shoe: Shoe) -> int:
    """The number of classes by Burnside's lemma: the mean number of deals that a permutation fixes.

    Where cards matter in some deals only, the deals of card types are listed without any
    group, and those that each permutation maps onto themselves are counted.
    """
    group = deal.group(shoe)
    if not any(role.when for role in deal.roles):
        return burnside.burnside_classes(deal.classes(shoe))
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
