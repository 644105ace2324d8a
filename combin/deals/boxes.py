"""Deals whose further cards matter only behind some of the first ones.

Four cards are looked at where the first two are a blackjack, and not behind any other two. The first
cards are listed by themselves; where what is asked is decided by them, one row stands for all that may
follow. The others are listed whole, in boxes: sets of cards for each of the first roles, closed under
the group, whose products hold all first cards behind which the rest matters, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import comb

import numpy as np

from .cards import CARD_TYPES, Permutation, permute
from .classes import Classes, Draw, Lens
from .table import Column, Table

#: Which rows the cards of the roles that are not among the columns still matter to.
Matters = Callable[[Mapping[str, Column], int], Column]
Signature = tuple[int, ...]


def table(classes: Classes, matters: Matters, group: tuple[Permutation, ...] | None = None) -> Table | None:
    """The table of a deal whose first roles have one card each; None where there are no such roles.

    ``group`` may be a smaller one than that of the classes, under which the same rows are listed
    more finely (for Burnside's lemma).
    """
    draws = in_one_order(classes.draws)
    first = next((i for i, draw in enumerate(draws) if draw.cards > 1), len(draws) - 1)
    if not 0 < first < len(draws):
        return None
    listed = group or classes.group
    head = Classes(classes.shoe, draws[:first], listed, in_order=True)
    columns, weights = head.part(0, head.places)
    opened = matters(columns, len(weights))
    orbit = _orbits(draws[0].lens, classes.group)
    at = np.stack([orbit[_types(columns, draw)] for draw in draws[:first]], axis=1)
    signatures = {tuple(row) for row in at[opened].tolist()}
    closed = np.array([tuple(row) not in signatures for row in at.tolist()], dtype=bool)
    parts = [_closed({n: c[closed] for n, c in columns.items()}, weights[closed], classes, draws[first:])]
    for box in _boxes(signatures):
        allowed = [frozenset(c for c in range(CARD_TYPES) if int(orbit[c]) in some) for some in box]
        within = [replace(d, allowed=_both(d.allowed, cards)) for d, cards in zip(draws, allowed, strict=False)]
        behind = Classes(classes.shoe, (*within, *draws[first:]), listed, in_order=True)
        parts.append(behind.part(0, behind.places))
    names = list(parts[0][0])
    return Table(
        {name: np.concatenate([part[name] for part, _ in parts]) for name in names},
        np.concatenate([w for _, w in parts]),
        classes.deals,
        sum(len(w) for _, w in parts),
    )


def in_one_order(draws: tuple[Draw, ...]) -> tuple[Draw, ...]:
    """The roles as they stand, each seen so closely that its lens refines those behind it."""
    chain: list[Draw] = []
    for draw in reversed(draws):
        lens = draw.lens if not chain or draw.lens.refines(chain[0].lens) else draw.lens.joined(chain[0].lens)
        chain.insert(0, replace(draw, lens=lens))
    return tuple(chain)


def _both(one: frozenset[int] | None, other: frozenset[int]) -> frozenset[int]:
    return other if one is None else one & other


def _types(columns: Mapping[str, Column], draw: Draw) -> Column:
    types: Column = 13 * columns[f"{draw.name}.suit"][:, 0] + columns[f"{draw.name}.rank"][:, 0]
    return types


def _orbits(lens: Lens, group: tuple[Permutation, ...]) -> Column:
    """For each card type the least label that a permutation makes of its own."""
    return np.array([min(lens.label[permute(p, c)] for p in group) for c in range(CARD_TYPES)])


def _closed(
    columns: dict[str, Column], weights: Column, classes: Classes, rest: tuple[Draw, ...]
) -> tuple[dict[str, Column], Column]:
    """Rows whose further cards are any: a two of clubs stands for each."""
    left = classes.shoe.size - sum(draw.cards for draw in classes.draws) + sum(draw.cards for draw in rest)
    for draw in rest:
        weights = weights * comb(left, draw.cards)
        left -= draw.cards
        for shown in ("rank", "suit"):
            columns[f"{draw.name}.{shown}"] = np.zeros((len(weights), draw.cards), dtype=np.int8)
    return columns, weights


def _boxes(signatures: set[Signature]) -> list[tuple[frozenset[int], ...]]:
    """Sets whose products hold each of the signatures once."""
    if not signatures:
        return []
    behind: dict[int, set[Signature]] = {}
    for first, *rest in signatures:
        behind.setdefault(first, set()).add(tuple(rest))
    alike: dict[frozenset[Signature], set[int]] = {}
    for first, some in behind.items():
        alike.setdefault(frozenset(some), set()).add(first)
    return [
        (frozenset(firsts), *box)
        for some, firsts in sorted(alike.items(), key=lambda item: min(item[1]))
        for box in (_boxes(set(some)) if some != {()} else [()])
    ]
