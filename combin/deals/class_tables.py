"""The tables by which the kernel (ext/shoe.pyx) lists classes of deals: blocks of labels, and cells of cards.

A block is an orbit of a lens's labels under the group. A cell is a choice of cards of one block; it leaves a subgroup
of the permutations, which acts on the next blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np

from .._kernels import load
from ..base.caches import cached
from ..base.errors import CountError, fault
from .cards import CARD_TYPES, Permutation, Shoe
from .lenses import HIDDEN, Lens, Role
from .table import Column

#: The maximum number of cards of a role, by the sizes of the kernel's arrays.
MOST_CARDS = 8
#: Weights are int64; a partial deal has no more ways than the whole deal.
MOST_DEALS = 2**62


@dataclass(frozen=True)
class ClassTables:
    """The kernel with its tables, the number of its indices, and the roles in drawing order."""

    kernel: Any
    bound: Column
    roles: tuple[Role, ...]

    @classmethod
    def of(cls, shoe: Shoe, roles: tuple[Role, ...], group: tuple[Permutation, ...]) -> ClassTables:
        """Return the tables of the deals of these roles, in drawing order, from a shoe under a group."""
        most = max(role.cards for role in roles)
        lenses = [_blocks(role.lens, group) for role in roles]
        kinds = sorted({kind for blocks in lenses for _, kind in blocks})
        cells = _cells(tuple(kinds), len(group), most)
        number, width = len(roles), max(map(len, lenses))
        kind, first, copies = (np.zeros((number, width), dtype=np.int32) for _ in range(3))
        full = np.zeros((number, CARD_TYPES), dtype=np.int32)
        onto = np.zeros((number, number, CARD_TYPES), dtype=np.int32)
        show = np.full((2, number, CARD_TYPES), HIDDEN, dtype=np.int8)
        blocks = np.zeros(number, dtype=np.int32)
        places: list[Column] = []
        for r, (role, label_groups) in enumerate(zip(roles, lenses, strict=True)):
            # Labels are renumbered so that those of a block are adjacent.
            order = [label for labels, _ in label_groups for label in labels]
            place = np.argsort(order)
            places.append(place)
            stocks = np.zeros(CARD_TYPES, dtype=np.int32)
            for c, n in enumerate(shoe.copies):
                stocks[place[role.lens.label[c]]] += n if role.may_be(c) else 0
            full[r] = stocks
            for q in range(r):
                onto[r, q, : roles[q].lens.labels] = place[
                    np.array(roles[q].lens.onto(role.lens))[np.argsort(places[q])]
                ]
            show[0, r, : len(order)] = np.array(role.lens.rank)[order]
            show[1, r, : len(order)] = np.array(role.lens.suit)[order]
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
        bound = _bound(roles, blocks, kind, copies, cells, most)
        cards = np.array([role.cards for role in roles], dtype=np.int32)
        # `check` refuses more indices than an int64 holds, so they are never listed.
        kernel = bound.dtype == np.int64 and load("shoe").Classes(
            cells.first, cells.cell, blocks, kind, first, copies, bound, full, onto, show[0], show[1], cards,
            _choose(int(full.max()), most),
        )  # fmt: skip
        return cls(kernel, bound, roles)


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
    roles: Sequence[Role], blocks: Column, kind: Column, copies: Column, cells: _Cells, most: int
) -> Column:
    """Return the number of indices after each block, by the cards still to draw and by subgroup.

    They are int64 if even all multisets of labels would fit. Otherwise they are Python integers, and the deal is
    refused before it reaches a kernel.
    """
    multisets = prod(comb(role.lens.labels + role.cards - 1, role.cards) for role in roles)
    exact: Any = np.int64 if multisets < MOST_DEALS else object
    bound = np.zeros((len(roles), kind.shape[1] + 1, most + 1, cells.subgroups), dtype=exact)
    matrices: dict[tuple[int, int, int], Column] = {}
    indices = np.ones(cells.subgroups, dtype=exact)
    for r in reversed(range(len(roles))):
        bound[r, :, 0] = indices
        for b in reversed(range(blocks[r])):
            for todo in range(1, roles[r].cards + 1):
                total = bound[r, b + 1, todo].copy()
                for m in range(1, todo + 1):
                    key = (int(kind[r, b]), min(int(copies[r, b]), m), m)
                    if key not in matrices:
                        matrices[key] = cells.into(*key).astype(exact)
                    total += matrices[key] @ bound[r, b + 1, todo - m]
                bound[r, b, todo] = total
        indices = bound[r, 0, roles[r].cards].copy()
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
