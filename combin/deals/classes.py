"""The classes of the deals of a shoe: their number, all of them as a table, or a range of them.

A deal gives cards to roles. A lens defines what a wager distinguishes of a role's cards, and a group of suit
permutations what it does not distinguish. `Classes` lists one deal of each orbit with its weight. The kernel lists the
classes of any range of indices (`class_tables`), so that only the range in use is in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from threading import Lock
from typing import Any

import numpy as np

from ..base.errors import fault
from ..base.parallel import sweep
from .cards import RANKS, Permutation, Shoe
from .class_tables import MOST_CARDS, MOST_DEALS, ClassTables
from .lenses import Role, chain
from .table import Column, Table
from .tally import AT_A_TIME, add_up, parted

MOST_ROLES = 8
#: This number of classes takes about ten seconds.
MOST_CLASSES = 3 * 10**8
#: A table of all classes takes two bytes per card, and eight for the weight.
MOST_BYTES = 128 * 2**20
#: Classes in one chunk of a thread.
A_TURN = 2**17


@dataclass(frozen=True)
class Classes:
    """The orbits under ``group`` of the deals of ``roles`` from ``shoe``.

    ``group`` must preserve the shoe and every lens. Roles are drawn from the finest lens to the coarsest; a lens that
    is only partly coarser is refined by the next one. ``in_order`` keeps the order of the roles.
    """

    shoe: Shoe
    roles: tuple[Role, ...]
    group: tuple[Permutation, ...]
    in_order: bool = False

    def __post_init__(self) -> None:
        if not self.roles or len(self.roles) > MOST_ROLES or not all(1 <= d.cards <= MOST_CARDS for d in self.roles):
            raise fault(f'"{self.text}" is not a deal',
                        f"deal 1 to {MOST_CARDS} cards to each of 1 to {MOST_ROLES} roles")

    @property
    def text(self) -> str:
        return ", ".join(f"{role.name} {role.cards}" for role in self.roles)

    @cached_property
    def deals(self) -> int:
        """The number of ways to deal the roles, without regard to order within a role."""
        total, used = 1, 0
        of_rank = dict.fromkeys(RANKS, 0)
        for role in sorted(self.roles, key=lambda d: d.only is None):
            if role.only:
                left = sum(n for c, n in enumerate(self.shoe.copies) if role.may_be(c)) - of_rank[role.only]
                of_rank[role.only] += role.cards
            else:
                left = self.shoe.size - used
            total *= comb(max(left, 0), role.cards)
            used += role.cards
        return total

    @cached_property
    def places(self) -> int:
        """An upper bound of the number of classes; for one role, the number itself."""
        return int(self._tables.bound[0, 0, self._tables.roles[0].cards, 0])

    def check(self) -> None:
        """Raise `InputError` if the shoe cannot deal this, or if there are too many classes; nothing is listed."""
        decks = f"{self.shoe.decks} decks" if self.shoe.decks > 1 else "one deck"
        if self.deals == 0:
            raise fault(f"a shoe of {self.shoe.size} cards cannot deal {self.text}", "remove fewer cards")
        if self.deals > MOST_DEALS:
            raise fault(
                f"{self.text} from {decks} has {self.deals:,} deals; at most {MOST_DEALS:,} are counted",
                "use fewer cards or fewer decks",
            )
        if self.places > MOST_CLASSES:
            raise fault(
                f"{self.text} from {decks} has up to {self.places:,} classes of deals;"
                f" at most {MOST_CLASSES:,} are counted",
                "count ranks or suits instead of single cards, name fewer suits, or deal fewer cards",
            )

    @property
    def fits_a_table(self) -> bool:
        return self.places * self._row_bytes <= MOST_BYTES

    @property
    def _row_bytes(self) -> int:
        return 2 * sum(role.cards for role in self.roles) + 8

    def table(self) -> Table:
        """Return all classes as a table. Raises `InputError` if they are too many for the memory."""
        self.check()
        if not self.fits_a_table:
            raise fault(
                f"{self.text} has up to {self.places:,} classes of deals, a table of"
                f" {self.places * self._row_bytes >> 20:,} MiB; at most {MOST_BYTES >> 20} MiB are allowed",
                "deal fewer cards, or ask less of them (named cards and suits cost most)",
            )
        columns, weights = self.part(0, self.places)
        return Table(columns, weights, self.deals, len(weights))

    def part(self, start: int, stop: int) -> tuple[dict[str, Column], Column]:
        """Return columns and weights of the classes with indices in [start, stop); some indices have no class.

        ``role.rank`` and ``role.suit`` are int8 of the shape (rows, cards); each card's column is contiguous. Several
        threads may call this at once.
        """
        return self._listed(start, stop, self._room(stop - start))

    def _room(self, rows: int) -> tuple[Column, Column, Column]:
        cards = sum(role.cards for role in self.roles)
        return np.empty((cards, rows), np.int8), np.empty((cards, rows), np.int8), np.empty(rows, np.int64)

    def _listed(self, start: int, stop: int, room: tuple[Column, Column, Column]) -> tuple[dict[str, Column], Column]:
        ranks, suits, weights = room
        rows = self._tables.kernel.list(start, stop, 0, ranks, suits, weights)
        columns, first = {}, 0
        for role in self._tables.roles:
            columns[f"{role.name}.rank"] = ranks[first : first + role.cards, :rows].T
            columns[f"{role.name}.suit"] = suits[first : first + role.cards, :rows].T
            first += role.cards
        return columns, weights[:rows]

    def tally(
        self, see: Callable[[Mapping[str, Column]], Mapping[str, Column]], *, threads: int | None = None
    ) -> Table:
        """Return the weights of the classes, summed by the columns that ``see`` derives from theirs.

        ``see`` takes columns (see `part`) and returns columns of booleans or integers, shape (rows,); a few bits in all
        are fastest. Several threads call it at once. It must treat each row independently, and must not keep its
        argument, which the next classes overwrite. The table has a row for every combination that occurs, in ascending
        order of the bits.
        """
        self.check()
        weight_of: dict[tuple[int, ...], int] = {}
        shape: list[tuple[str, Any]] = []
        lock = Lock()

        rooms: list[Any] = []

        def add(start: int, stop: int, into: Sequence[Column]) -> None:
            room = rooms.pop() if rooms else self._room(AT_A_TIME)
            here: dict[tuple[int, ...], int] = {}
            for first in range(start, stop, AT_A_TIME):
                columns, weights = self._listed(first, min(first + AT_A_TIME, stop), room)
                if len(weights):
                    seen = see(columns)
                    for code, weight in zip(*add_up(seen, weights), strict=True):
                        here[code] = here.get(code, 0) + weight
                    into[0][0] += len(weights)
                    shape[:] = [(name, column.dtype) for name, column in seen.items()]
            rooms.append(room)
            with lock:
                for code, weight in here.items():
                    weight_of[code] = weight_of.get(code, 0) + weight

        (classes,) = sweep(
            add,
            self.places,
            lambda: (np.zeros(1, dtype=np.int64),),
            chunk=A_TURN,
            label="classes of deals",
            threads=threads,
        )
        codes = sorted(weight_of)
        weights = np.array([weight_of[code] for code in codes], dtype=np.int64)
        return Table(parted(np.array(codes, dtype=np.int64), shape), weights, self.deals, int(classes[0]))

    @cached_property
    def _tables(self) -> ClassTables:
        return ClassTables.of(self.shoe, chain(self.roles, self.in_order), self.group)
