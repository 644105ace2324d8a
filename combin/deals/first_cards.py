"""First cards: roles with fixed numbers of cards, and the table of their classes.

A deal is written as its roles and their numbers of cards:

    player 7                                   seven cards
    player 2, upcard 1                         roles that the wager may distinguish
    upcard 1 of A, hole card 1                 a card of one rank; figures are conditional on it

What a wager distinguishes follows from its conditions. A wager with an outcome function may name a lens with ``by``, as
in "player 2 by rank"; without one it distinguishes whole cards. No role may distinguish more than the roles before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from ..base.caches import cached
from ..base.errors import fault, nearest
from ..rulebook.terms import ROLE
from .cards import RANK_NAMES, Permutation, Shoe, suit_group
from .class_tables import MOST_DEALS
from .classes import Classes
from .lenses import HIDDEN, Lens, Role
from .table import Column, Table, deal_count

if TYPE_CHECKING:
    from .first_then_rest import Matters, Parted

ACE, TEN = 12, 8
#: Above this number, classes are summed by the requested columns instead of held in a table.
MANY = 300_000


def _value(rank: int, _: int) -> tuple[int, int]:
    return (TEN if TEN <= rank < ACE else rank), HIDDEN


LENSES = {
    lens.name: lens
    for lens in (
        Lens.of("card", lambda rank, suit: (rank, suit)),
        Lens.of("rank", lambda rank, suit: (rank, HIDDEN)),
        Lens.of("value", _value),
        Lens.of("blackjack", lambda r, s: _value(r, s) if _value(r, s)[0] in (ACE, TEN) else (HIDDEN, HIDDEN)),
    )
}


@dataclass(frozen=True)
class Deal:
    """The roles of a wager, and what singles out suits; see the module for the notation."""

    text: str
    singled_out: tuple[str, ...] = ()
    #: Computed from conditions: the roles with their lenses, and the suit permutations that change nothing.
    seen: tuple[Role, ...] = ()
    kept: tuple[Permutation, ...] = ()
    #: Also computed: the rows for which further roles matter, and the columns by which rows are summed.
    matters: Matters | None = None
    summary: Callable[[Mapping[str, Column]], Mapping[str, Column]] | None = None
    #: Whether the joint table of seven cards of one deck has all requested columns.
    joint: bool = True

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        if self.seen:
            return self.seen
        roles = []
        for part in self.text.split(","):
            match = ROLE.fullmatch(part.strip())
            if not match:
                raise fault(
                    f'"{part.strip()}" is not a role of a deal', 'write a name and a number of cards: "player 2"'
                )
            lens = match["lens"] or "card"
            if lens not in LENSES:
                raise fault(f'"{lens}" is not a lens', nearest(lens, LENSES))
            roles.append(Role(match["name"], int(match["cards"]), LENSES[lens], match["only"]))
        for index, role in enumerate(roles):
            if role.name in (other.name for other in roles[:index]):
                raise fault(f'the role {role.name} occurs twice in "{self.text}"', "give each role a different name")
        for before, after in pairwise(roles):
            if not before.lens.refines(after.lens):
                raise fault(
                    f'{after.name} distinguishes more of a card than {before.name} before it in "{self.text}"',
                    "put the role that distinguishes more first",
                )
        return tuple(roles)

    @property
    def is_seven_cards(self) -> bool:
        return len(self.roles) == 1 and self.roles[0].cards == 7 and self.joint

    @property
    def condition(self) -> str | None:
        """The condition of the figures: roles restricted to one rank. None if there is no such role."""
        given = [f"{role.name} is {RANK_NAMES[role.only]}" for role in self.roles if role.only]
        return ", ".join(given) or None

    def group(self, shoe: Shoe) -> tuple[Permutation, ...]:
        """Return the suit permutations that change nothing for wager and shoe."""
        return shoe.stabilizer(self.kept or suit_group(self.singled_out))

    def classes(self, shoe: Shoe) -> Classes:
        """Return the deal's classes, none of them listed yet."""
        return _classes(self, shoe, self.group(shoe))

    def deals(self, shoe: Shoe) -> int:
        """Return the number of ways to deal the roles, without regard to order within a role."""
        return self.classes(shoe).deals

    def table(self, shoe: Shoe) -> Table:
        """Return the table of this deal's classes. Raises `InputError` if the shoe cannot deal it."""
        return _seven_cards(shoe) if self.is_seven_cards else _shoe_table(self, shoe)


@cached("the table of seven cards", most=4)
def _seven_cards(shoe: Shoe) -> Table:
    if shoe != Shoe(1):
        raise fault("seven-card wagers are counted for one full deck", "omit --without and other numbers of decks")
    from . import seven_cards as seven

    rows, weights, classes = seven.by_class()
    columns = {name: rows[:, i] for i, name in enumerate(seven.columns)}
    return Table(columns, weights, deal_count(52, (7,)), classes)


def _classes(deal: Deal, shoe: Shoe, group: tuple[Permutation, ...]) -> Classes:
    return Classes(shoe, deal.roles, group)


@cached("tables of first cards, by deal and shoe", most=64)
def _shoe_table(deal: Deal, shoe: Shoe) -> Table:
    classes, group = deal.classes(shoe), deal.group(shoe)
    if deal.summary and classes.places > MANY and not _parted(deal, shoe, group):
        return _by_rank(deal, classes, shoe) or classes.tally(deal.summary)
    return enumerate_classes(deal, shoe, group)


def _by_rank(deal: Deal, classes: Classes, shoe: Shoe) -> Table | None:
    """Return the table of one role's hands, counted rank by rank. Returns None if that does not give all columns."""
    tally = getattr(deal.summary, "tally", None)
    if tally is None or len(deal.roles) != 1 or deal.roles[0].only or not 0 < classes.deals <= MOST_DEALS:
        return None
    counted = tally(deal.roles[0].cards, shoe)
    if counted is None:
        return None
    from . import burnside

    columns, weights = counted
    return Table(columns, weights, classes.deals, burnside.burnside_classes(classes))


@cached("deals in parts, by deal, shoe and group", most=64)
def _parted(deal: Deal, shoe: Shoe, group: tuple[Permutation, ...]) -> Parted | None:
    """Return the table in parts, with further cards only where they matter. Returns None if that saves little."""
    classes = _classes(deal, shoe, group)
    if not deal.matters or classes.places <= MANY:
        return None
    from . import first_then_rest

    parted = first_then_rest.part(classes, deal.matters)
    return parted if parted and parted.places <= MANY else None


def enumerate_classes(deal: Deal, shoe: Shoe, group: tuple[Permutation, ...]) -> Table:
    """Return every orbit of deals under ``group``; the trivial group gives every deal of card types."""
    parted = _parted(deal, shoe, group)
    return parted.table() if parted else _classes(deal, shoe, group).table()


def burnside_classes(deal: Deal, shoe: Shoe) -> int:
    """Return the number of classes by Burnside's lemma, the mean number of deals that a permutation fixes."""
    from . import burnside

    parted = _parted(deal, shoe, deal.group(shoe))
    return parted.burnside_classes() if parted else burnside.burnside_classes(deal.classes(shoe))
