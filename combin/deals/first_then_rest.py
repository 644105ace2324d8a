"""Deals whose further cards matter only after some first cards.

For example, four cards matter after a blackjack, and two cards after any other hand. The first cards are listed
separately. If they determine all requested columns, one row represents all further cards. Otherwise the whole deal is
listed, in boxes. A box is a set of cards for each of the first roles, closed under the group. The products of the boxes
cover such first cards, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from . import burnside
from .cards import CARD_TYPES, Permutation, permute
from .classes import Classes
from .lenses import HIDDEN, Lens, Role, chain
from .table import Column, Table

#: The rows for which the roles that are not among the columns matter.
Matters = Callable[[Mapping[str, Column], int], Column]
Signature = tuple[int, ...]


@dataclass(frozen=True)
class Parted:
    """The deals in parts: the first roles, then each box's first roles and its whole deals."""

    classes: Classes
    head: Classes
    boxes: tuple[tuple[Classes, Classes], ...]
    closed: Callable[[Mapping[str, Column]], Column]

    @property
    def places(self) -> int:
        return self.head.places + sum(whole.places for _, whole in self.boxes)

    def table(self) -> Table:
        columns, weights = self.head.part(0, self.head.places)
        closed = self.closed(columns)
        rest = self.classes.roles[len(self.head.roles) :]
        parts = [_any_cards({n: c[closed] for n, c in columns.items()}, weights[closed], self.classes, rest)]
        parts += [whole.part(0, whole.places) for _, whole in self.boxes]
        return Table(
            {name: np.concatenate([part[name] for part, _ in parts]) for name in parts[0][0]},
            np.concatenate([w for _, w in parts]),
            self.classes.deals,
            sum(len(w) for _, w in parts),
        )

    def burnside_classes(self) -> int:
        """Return the number of rows by Burnside's lemma: the first roles, with each box replaced by its whole deals."""
        count = burnside.burnside_classes
        return count(self.head) + sum(count(whole) - count(first) for first, whole in self.boxes)


def part(classes: Classes, matters: Matters) -> Parted | None:
    """Return the parts of a deal whose first roles have one card each. Returns None without such roles."""
    roles = chain(classes.roles, in_order=True)
    first = next((i for i, role in enumerate(roles) if role.cards > 1), len(roles) - 1)
    if not 0 < first < len(roles):
        return None
    classes = replace(classes, roles=roles, in_order=True)
    head = replace(classes, roles=roles[:first])
    # By the lens of the role: a coarser one shows one card for all that it does not distinguish.
    orbits = [_orbits(role.lens, classes.group) for role in roles[:first]]

    def at(columns: Mapping[str, Column]) -> list[Signature]:
        seen = (orbit[_types(columns, role)].tolist() for orbit, role in zip(orbits, roles, strict=False))
        return list(zip(*seen, strict=True))

    columns, weights = head.part(0, head.places)
    opened = matters(columns, len(weights)).tolist()
    signatures = {signature for signature, is_open in zip(at(columns), opened, strict=True) if is_open}
    parts = []
    for box in _boxes(signatures):
        cards = [
            frozenset(c for c in range(CARD_TYPES) if int(orbit[c]) in some)
            for orbit, some in zip(orbits, box, strict=True)
        ]
        within = tuple(replace(r, allowed=_both(r.allowed, some)) for r, some in zip(roles, cards, strict=False))
        parts.append((replace(classes, roles=within), replace(classes, roles=(*within, *roles[first:]))))

    def closed(columns: Mapping[str, Column]) -> Column:
        return np.array([signature not in signatures for signature in at(columns)], dtype=bool)

    return Parted(classes, head, tuple(parts), closed)


def _both(one: frozenset[int] | None, other: frozenset[int]) -> frozenset[int]:
    return other if one is None else one & other


def _types(columns: Mapping[str, Column], role: Role) -> Column:
    types: Column = 13 * columns[f"{role.name}.suit"][:, 0] + columns[f"{role.name}.rank"][:, 0]
    return types


def _orbits(lens: Lens, group: tuple[Permutation, ...]) -> Column:
    """Return for each card type the least label in the orbit of its label."""
    return np.array([min(lens.label[permute(p, c)] for p in group) for c in range(CARD_TYPES)])


def _any_cards(
    columns: dict[str, Column], weights: Column, classes: Classes, rest: tuple[Role, ...]
) -> tuple[dict[str, Column], Column]:
    """Return the rows with hidden columns for the further cards, which may be any."""
    left = classes.shoe.size - sum(role.cards for role in classes.roles) + sum(role.cards for role in rest)
    for role in rest:
        weights = weights * comb(left, role.cards)
        left -= role.cards
        for shown in ("rank", "suit"):
            columns[f"{role.name}.{shown}"] = np.full((len(weights), role.cards), HIDDEN, dtype=np.int8)
    return columns, weights


def _boxes(signatures: set[Signature]) -> list[tuple[frozenset[int], ...]]:
    """Return sets whose products cover each signature once."""
    if not signatures:
        return []
    rests: dict[int, set[Signature]] = {}
    for first, *rest in signatures:
        rests.setdefault(first, set()).add(tuple(rest))
    alike: dict[frozenset[Signature], set[int]] = {}
    for first, some in rests.items():
        alike.setdefault(frozenset(some), set()).add(first)
    return [
        (frozenset(firsts), *box)
        for some, firsts in sorted(alike.items(), key=lambda item: min(item[1]))
        for box in (_boxes(set(some)) if some != {()} else [()])
    ]
