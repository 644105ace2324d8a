"""The classes of the deals of a shoe: their number, all of them as a table, or a range of them.

A deal gives cards to roles. A lens defines what a wager distinguishes of a role's cards, and a group of suit
permutations what it does not distinguish. `Classes` lists one deal of each orbit with its weight. The kernel lists the
classes of any range of indices (ext/shoe.pyx), so that only the range in use is in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, prod
from threading import Lock
from typing import Any

import numpy as np

from .._kernels import load
from ..base.caches import cached
from ..base.errors import CountError, fault
from ..base.parallel import sweep
from .cards import CARD_TYPES, RANKS, Permutation, Shoe, permute
from .table import Column, Table

#: The label of a hidden rank or suit.
HIDDEN = -1
#: Maximum sizes of the kernel's arrays.
MOST_ROLES, MOST_CARDS = 8, 8
#: Weights are int64; a partial deal has no more ways than the whole deal.
MOST_DEALS = 2**62
#: This number of classes takes about ten seconds.
MOST_CLASSES = 3 * 10**8
#: A table of all classes takes two bytes per card, and eight for the weight.
MOST_BYTES = 128 * 2**20
#: Classes handled at once: their columns fit in a processor's cache.
AT_A_TIME = 2**14
#: Classes in one chunk of a thread.
A_TURN = 2**17


@dataclass(frozen=True)
class Lens:
    """What a wager distinguishes of a card: a label of 52 card types, with the label's rank and suit."""

    name: str
    label: tuple[int, ...]
    rank: tuple[int, ...]
    suit: tuple[int, ...]

    @classmethod
    def of(cls, name: str, see: Callable[[int, int], tuple[int, int]]) -> Lens:
        """Return the lens under which a card of (rank, suit) shows ``see(rank, suit)``."""
        shown = [see(c % 13, c // 13) for c in range(CARD_TYPES)]
        labels = sorted(set(shown))
        return cls(
            name,
            tuple(labels.index(s) for s in shown),
            tuple(rank for rank, _ in labels),
            tuple(suit for _, suit in labels),
        )

    @classmethod
    def by_label(cls, name: str, labels: Sequence[Any]) -> Lens:
        """Return the lens with these labels of the 52 card types; the lowest card of a label represents it.

        Anything that depends only on labels may be evaluated for that card. Cards are compared by rank, then by suit.
        """
        least: dict[Any, tuple[int, int]] = {}
        for card_type, label in enumerate(labels):
            shown = (card_type % 13, card_type // 13)
            least[label] = min(least.get(label, shown), shown)
        return cls.of(name, lambda rank, suit: least[labels[13 * suit + rank]])

    @property
    def labels(self) -> int:
        return len(self.rank)

    def refines(self, other: Lens) -> bool:
        """Return whether this lens shows everything that ``other`` shows."""
        return len({(a, b) for a, b in zip(self.label, other.label, strict=True)}) == self.labels

    def joined(self, other: Lens) -> Lens:
        """Return the coarsest lens that refines both."""
        return Lens.by_label(f"{self.name} and {other.name}", list(zip(self.label, other.label, strict=True)))

    def onto(self, other: Lens) -> tuple[int, ...]:
        """Return the label of a coarser lens for each label of this one."""
        return tuple(b for _, b in sorted(set(zip(self.label, other.label, strict=True))))

    def image(self, permutation: Permutation) -> tuple[int, ...] | None:
        """Return the image of each label under a suit permutation. Returns None if it splits a label."""
        pairs = {(self.label[c], self.label[permute(permutation, c)]) for c in range(CARD_TYPES)}
        return tuple(b for _, b in sorted(pairs)) if len(pairs) == self.labels else None


@dataclass(frozen=True)
class Draw:
    """``cards`` cards that a role draws, seen through ``lens``; with ``only``, cards of that rank (``"A"``)."""

    name: str
    cards: int
    lens: Lens
    only: str | None = None
    #: The card types to which a part of the deals is restricted; the group must preserve the set.
    allowed: frozenset[int] | None = None

    def may_be(self, card_type: int) -> bool:
        return (self.only is None or RANKS[card_type % 13] == self.only) and (
            self.allowed is None or card_type in self.allowed
        )


@dataclass(frozen=True)
class Classes:
    """The orbits under ``group`` of the deals of ``draws`` from ``shoe``.

    ``group`` must preserve the shoe and every lens. Roles are drawn from the finest lens to the coarsest; a lens that
    is only partly coarser is refined by the next one. ``in_order`` keeps the order of the roles.
    """

    shoe: Shoe
    draws: tuple[Draw, ...]
    group: tuple[Permutation, ...]
    in_order: bool = False

    def __post_init__(self) -> None:
        if not self.draws or len(self.draws) > MOST_ROLES or not all(1 <= d.cards <= MOST_CARDS for d in self.draws):
            raise fault(f'"{self.text}" is not a deal',
                        f"deal 1 to {MOST_CARDS} cards to each of 1 to {MOST_ROLES} roles")

    @property
    def text(self) -> str:
        return ", ".join(f"{draw.name} {draw.cards}" for draw in self.draws)

    @cached_property
    def deals(self) -> int:
        """The number of ways to deal the roles, without regard to order within a role."""
        total, used = 1, 0
        of_rank = dict.fromkeys(RANKS, 0)
        for draw in sorted(self.draws, key=lambda d: d.only is None):
            if draw.only:
                left = sum(n for c, n in enumerate(self.shoe.copies) if draw.may_be(c)) - of_rank[draw.only]
                of_rank[draw.only] += draw.cards
            else:
                left = self.shoe.size - used
            total *= comb(max(left, 0), draw.cards)
            used += draw.cards
        return total

    @cached_property
    def places(self) -> int:
        """An upper bound of the number of classes; for one role, the number itself."""
        return int(self._tables.bound[0, 0, self._tables.draws[0].cards, 0])

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
        return 2 * sum(draw.cards for draw in self.draws) + 8

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
        cards = sum(draw.cards for draw in self.draws)
        return np.empty((cards, rows), np.int8), np.empty((cards, rows), np.int8), np.empty(rows, np.int64)

    def _listed(self, start: int, stop: int, room: tuple[Column, Column, Column]) -> tuple[dict[str, Column], Column]:
        ranks, suits, weights = room
        rows = self._tables.kernel.list(start, stop, 0, ranks, suits, weights)
        columns, first = {}, 0
        for draw in self._tables.draws:
            columns[f"{draw.name}.rank"] = ranks[first : first + draw.cards, :rows].T
            columns[f"{draw.name}.suit"] = suits[first : first + draw.cards, :rows].T
            first += draw.cards
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
        shape: list[tuple[str, np.dtype[Any]]] = []
        lock = Lock()

        rooms: list[Any] = []

        def add(start: int, stop: int, into: Sequence[Column]) -> None:
            room = rooms.pop() if rooms else self._room(AT_A_TIME)
            here: dict[tuple[int, ...], int] = {}
            for first in range(start, stop, AT_A_TIME):
                columns, weights = self._listed(first, min(first + AT_A_TIME, stop), room)
                if len(weights):
                    seen = see(columns)
                    for code, weight in zip(*_add_up(seen, weights), strict=True):
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
        return Table(_parted(np.array(codes, dtype=np.int64), shape), weights, self.deals, int(classes[0]))

    @cached_property
    def _tables(self) -> _Tables:
        return _Tables.of(self)


# ---- sums over the classes


Shape = Sequence[tuple[str, np.dtype[Any]]]


def _bits(dtype: np.dtype[Any]) -> int:
    if dtype == np.bool_:
        return 1
    if dtype.kind in "iu":
        return 8 * dtype.itemsize
    raise TypeError(f"a column to count by must be of booleans or integers, not of {dtype}")


def _words(shape: Shape) -> list[list[tuple[str, np.dtype[Any]]]]:
    """Return the columns packed into words of at most 63 bits; a column of 64 bits is a separate word."""
    words: list[list[tuple[str, np.dtype[Any]]]] = [[]]
    for name, dtype in shape:
        if words[-1] and sum(_bits(d) for _, d in words[-1]) + _bits(dtype) > 63:
            words.append([])
        words[-1].append((name, dtype))
    return words


def _add_up(seen: Mapping[str, Column], weights: Column) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the combinations of the columns, a few integers each, and their exact sums of weights."""
    shape = [(name, column.dtype) for name, column in seen.items()]
    words = []
    for run in _words(shape):
        # A negative value is counted as its two's complement, which `_parted` undoes.
        plain = [seen[name].view(f"u{dtype.itemsize}") for name, dtype in run]
        word = plain[0].astype(np.int64)
        for column, (_, dtype) in zip(plain[1:], run[1:], strict=True):
            word <<= _bits(dtype)
            word |= column.astype(np.int64)
        words.append(word)
    codes, first, span = words[0], 0, 1 << min(62, sum(_bits(dtype) for _, dtype in shape))
    if span > AT_A_TIME:
        first = int(codes.min())
        span = int(codes.max()) - first + 1
    one_by_one = len(words) == 1 and span <= AT_A_TIME
    if not one_by_one:
        unique_words, codes = np.unique(np.stack(words, axis=1), axis=0, return_inverse=True)
        codes, first, span = codes.ravel(), 0, len(unique_words)
    sums = np.zeros(span, dtype=np.int64)
    load("shoe").add_up(codes, first, weights, sums)
    at = np.flatnonzero(sums)
    rows = (at + first)[:, None] if one_by_one else unique_words[at]
    labels: list[tuple[int, ...]] = [tuple(row) for row in rows.tolist()]
    return labels, sums[at].tolist()


def _parted(codes: Column, shape: Shape) -> dict[str, Column]:
    columns = {}
    for word, run in zip(codes.T, _words(shape), strict=True):
        for name, dtype in reversed(run):
            bits = _bits(dtype)
            if bits < 64:
                part = word & (1 << bits) - 1
                columns[name] = part.astype(f"u{dtype.itemsize}").view(dtype) if bits > 1 else part.astype(bool)
                word = word >> bits
            else:
                columns[name] = np.ascontiguousarray(word).view(dtype)
    return {name: columns[name] for name, _ in shape}


# ---- the kernel's tables


@dataclass(frozen=True)
class _Tables:
    """The kernel with its tables, the number of its indices, and the roles in drawing order."""

    kernel: Any
    bound: Column
    draws: tuple[Draw, ...]

    @classmethod
    def of(cls, classes: Classes) -> _Tables:
        draws = chain(classes.draws, classes.in_order)
        shoe, group = classes.shoe, classes.group
        most = max(draw.cards for draw in draws)
        lenses = [_blocks(draw.lens, group) for draw in draws]
        kinds = sorted({kind for blocks in lenses for _, kind in blocks})
        cells = _cells(tuple(kinds), len(group), most)
        roles, width = len(draws), max(map(len, lenses))
        kind, first, copies = (np.zeros((roles, width), dtype=np.int32) for _ in range(3))
        full = np.zeros((roles, CARD_TYPES), dtype=np.int32)
        onto = np.zeros((roles, roles, CARD_TYPES), dtype=np.int32)
        show = np.full((2, roles, CARD_TYPES), HIDDEN, dtype=np.int8)
        blocks = np.zeros(roles, dtype=np.int32)
        places: list[Column] = []
        for r, (draw, label_groups) in enumerate(zip(draws, lenses, strict=True)):
            # Labels are renumbered so that those of a block are adjacent.
            order = [label for labels, _ in label_groups for label in labels]
            place = np.argsort(order)
            places.append(place)
            stocks = np.zeros(CARD_TYPES, dtype=np.int32)
            for c, n in enumerate(shoe.copies):
                stocks[place[draw.lens.label[c]]] += n if draw.may_be(c) else 0
            full[r] = stocks
            for q in range(r):
                onto[r, q, : draws[q].lens.labels] = place[
                    np.array(draws[q].lens.onto(draw.lens))[np.argsort(places[q])]
                ]
            show[0, r, : len(order)] = np.array(draw.lens.rank)[order]
            show[1, r, : len(order)] = np.array(draw.lens.suit)[order]
            at = 0
            for labels, name in label_groups:
                stock = {int(n) for n in stocks[at : at + len(labels)]}
                if len(stock) != 1:
                    raise CountError("the group of a deal does not preserve its shoe")
                if stock != {0}:
                    b = blocks[r]
                    kind[r, b], first[r, b], copies[r, b] = kinds.index(name), at, min(stock.pop(), 255)
                    blocks[r] += 1
                at += len(labels)
        bound = _bound(draws, blocks, kind, copies, cells, most)
        cards = np.array([draw.cards for draw in draws], dtype=np.int32)
        # `check` refuses more indices than an int64 holds, so they are never listed.
        kernel = bound.dtype == np.int64 and load("shoe").Classes(
            cells.first, cells.cell, blocks, kind, first, copies, bound, full, onto, show[0], show[1], cards,
            _choose(int(full.max()), most),
        )  # fmt: skip
        return cls(kernel, bound, draws)


def chain(draws: Sequence[Draw], in_order: bool = False) -> tuple[Draw, ...]:
    """Return the roles in an order in which each lens refines the next ones, with lenses refined as needed.

    A role of one rank distinguishes at least whether a card has that rank, since it can draw no other.
    """
    if not in_order:
        draws = sorted(draws, key=lambda d: (-d.lens.labels, d.cards))
    refined: list[Draw] = []
    for draw in reversed(draws):
        lens = draw.lens
        needed = [later.lens for later in refined[:1]]
        if draw.only or draw.allowed is not None:
            needed.append(Lens.by_label(f"{draw.name} or not", [draw.may_be(c) for c in range(CARD_TYPES)]))
        for other in needed:
            lens = lens if lens.refines(other) else lens.joined(other)
        refined.insert(0, replace(draw, lens=lens))
    return tuple(refined)


#: The images of a block's labels under each permutation of a group, as indices within the block.
Kind = tuple[tuple[int, ...], ...]


@cached("blocks of labels, by lens and group", most=64)
def _blocks(lens: Lens, group: tuple[Permutation, ...]) -> list[tuple[tuple[int, ...], Kind]]:
    """Return the orbits of a lens's labels under a group, and the group's action on each."""
    images = [lens.image(p) for p in group]
    if None in images:
        raise fault(f'the lens "{lens.name}" distinguishes suits that its deal does not single out')
    blocks = []
    for orbit in sorted({tuple(sorted({image[label] for image in images if image})) for label in range(lens.labels)}):
        blocks.append((orbit, tuple(tuple(orbit.index(image[label]) for label in orbit) for image in images if image)))
    return blocks


_CELL = np.dtype([("picks", np.uint8, (MOST_CARDS,)), ("most", np.uint8), ("next", np.uint8), ("orbit", np.uint8)])


@dataclass(frozen=True)
class _Cells:
    """Cells in one list; those of m cards of a kind under a subgroup start at ``first[kind, subgroup, m]``."""

    first: Column
    cell: Column
    subgroups: int

    def into(self, kind: int, copies: int, m: int) -> Column:
        """Return the number of cells of m cards, at most ``copies`` of a label, from subgroup to subgroup."""
        matrix = np.zeros((self.subgroups, self.subgroups), dtype=np.int64)
        for h in range(self.subgroups):
            cells = self.cell[self.first[kind, h, m] : self.first[kind, h, m + 1]]
            matrix[h] = np.bincount(cells["next"][cells["most"] <= copies], minlength=self.subgroups)
        return matrix


@cached("cells of blocks, by kind of block", most=16)
def _cells(kinds: tuple[Kind, ...], order: int, most: int) -> _Cells:
    """Return the cells of up to ``most`` cards of each kind of block under each subgroup that occurs."""
    contents, fixes, lowers = [], [], []
    bit = np.left_shift(1, np.arange(order), dtype=np.int64)[:, None]
    for kind in kinds:
        size = len(kind[0])
        picks = [p for m in range(1, most + 1) for p in combinations_with_replacement(range(size), m)]
        counts = np.array([[p.count(label) for label in range(size)] for p in picks], dtype=np.int64)
        # A block has at most four labels: those of one card are at most its four suits.
        scale = 16 ** np.arange(size)
        codes = counts @ scale
        images = np.stack([counts @ scale[list(image)] for image in kind])
        cells = np.zeros(len(picks), dtype=_CELL)
        cells["picks"] = [p + (0,) * (MOST_CARDS - len(p)) for p in picks]
        cells["most"] = counts.max(axis=1)
        contents.append((cells, counts.sum(axis=1)))
        fixes.append(((images == codes) * bit).sum(axis=0))
        lowers.append(((images > codes) * bit).sum(axis=0))
    subgroups = [(1 << order) - 1]
    for h in subgroups:
        subgroups += sorted({s for fixed in fixes for s in (fixed & h).tolist()} - set(subgroups))
    number = {h: i for i, h in enumerate(subgroups)}
    first = np.zeros((len(kinds), len(subgroups), most + 2), dtype=np.int32)
    parts: list[Column] = []
    length = 0
    for k, ((cells, sizes), fixed, lower) in enumerate(zip(contents, fixes, lowers, strict=True)):
        for i, h in enumerate(subgroups):
            kept = np.flatnonzero(lower & h == 0)
            part = cells[kept]
            after = (fixed[kept] & h).tolist()
            part["next"] = [number[a] for a in after]
            part["orbit"] = [h.bit_count() // a.bit_count() for a in after]
            first[k, i] = length + np.searchsorted(sizes[kept], np.arange(most + 2))
            length += len(part)
            parts.append(part)
    return _Cells(first, np.concatenate(parts), len(subgroups))


def _bound(
    draws: Sequence[Draw], blocks: Column, kind: Column, copies: Column, cells: _Cells, most: int
) -> Column:
    """Return the number of indices after each block, by the cards still to draw and by subgroup.

    They are int64 if even all multisets of labels would fit. Otherwise they are Python integers, and the deal is
    refused before it reaches a kernel.
    """
    multisets = prod(comb(draw.lens.labels + draw.cards - 1, draw.cards) for draw in draws)
    exact: Any = np.int64 if multisets < MOST_DEALS else object
    bound = np.zeros((len(draws), kind.shape[1] + 1, most + 1, cells.subgroups), dtype=exact)
    matrices: dict[tuple[int, int, int], Column] = {}
    indices = np.ones(cells.subgroups, dtype=exact)
    for r in reversed(range(len(draws))):
        bound[r, :, 0] = indices
        for b in reversed(range(blocks[r])):
            for todo in range(1, draws[r].cards + 1):
                total = bound[r, b + 1, todo].copy()
                for m in range(1, todo + 1):
                    key = (int(kind[r, b]), min(int(copies[r, b]), m), m)
                    if key not in matrices:
                        matrices[key] = cells.into(*key).astype(exact)
                    total += matrices[key] @ bound[r, b + 1, todo - m]
                bound[r, b, todo] = total
        indices = bound[r, 0, draws[r].cards].copy()
    if exact is object and max(bound.ravel()) < MOST_DEALS:
        return bound.astype(np.int64)
    return bound


@cached("binomial coefficients, by cards of a shoe", most=4)
def _choose(most: int, cards: int) -> Column:
    """Return binomial coefficients (n, k) for n up to ``most``; those beyond int64 belong to refused deals."""
    table = np.zeros((most + 1, cards + 1), dtype=np.int64)
    table[:, 0] = 1
    for k in range(1, cards + 1):
        table[1:, k] = np.cumsum(table[:-1, k - 1])
    return table
