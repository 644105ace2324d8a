"""Evaluation of conditions on hands that are drawn out: words over the number of cards of each rank.

A final hand has the columns ``HAND.counts``, int8 (rows, 13), ``HAND.suited`` and ``HAND.same_colour``.
Its number of cards differs from row to row, while that of other hands is known beforehand (`columns`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ..base.caches import cached
from ..deals.drawn_out import DrawnSeen
from ..deals.drawn_roles import VARIES, first_cards_of, hands_of, third_card_of
from ..deals.lenses import Lens, Role
from ..deals.table import Column
from .columns import Columns, longest_runs
from .condition_tree import Call, Node, RoleCards, calls_of
from .sight import See, group_of, labels_of, looks, points_of, suit_of, value_of
from .vocabulary import WORDS

ACE = 12
#: Points of each rank, with an ace as 1.
_POINTS = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1], dtype=np.int16)
_BITS = 1 << np.arange(13)
#: Words that see whether a hand is of one suit or colour.
_ALONE = frozenset(name for name, word in WORDS.items() if word.drawn == "alone")


class DrawnColumns(Columns):
    """Columns of first cards and of final hands, for the words of conditions."""

    def call(self, node: Call) -> Column:
        """Return the values of a word; a word of `_WORDS` has at least one hand that is drawn out."""
        return _WORDS[node.word](self, node) if node.hands[0].size == VARIES else super().call(node)

    def counts(self, hand: RoleCards) -> Column:
        """Return the number of cards of each rank, int16 (rows, 13)."""

        def find() -> Column:
            total = np.zeros((self.rows, 13), dtype=np.int16)
            every = np.arange(self.rows)
            for role in hand.roles:
                if f"{role}.counts" in self.columns:
                    total += self.columns[f"{role}.counts"]
                else:
                    for types in self.types(RoleCards((role,), 1)):
                        np.add.at(total, (every, types % 13), 1)
            return total

        column: Column = self._of(hand, "counts", find)
        return column

    def flag(self, hand: RoleCards, what: str) -> Column:
        (role,) = hand.roles
        return self.columns[f"{role}.{what}"]


Word = Callable[[DrawnColumns, Call], Column]


def _each(see: Callable[[Column, Call], Column]) -> Word:
    """Return a word that depends on the number of cards of each rank."""
    return lambda columns, call: see(columns.counts(call.hands[0]), call)


def _size(counts: Column) -> Column:
    return counts.sum(axis=1, dtype=np.int64)


def _ranks(counts: Column) -> Column:
    column: Column = (counts > 0).sum(axis=1)
    return column


def _hard(counts: Column) -> Column:
    column: Column = counts @ _POINTS
    return column


def _soft(counts: Column) -> Column:
    return (counts[:, ACE] > 0) & (_hard(counts) <= 11)


def _total(counts: Column) -> Column:
    return _hard(counts) + 10 * _soft(counts)


def _straight(counts: Column, call: Call) -> Column:
    size = _size(counts)
    runs = longest_runs(call.option("ace"))[(counts > 0) @ _BITS]
    return (_ranks(counts) == size) & (runs >= size)


def _count(counts: Column, call: Call) -> Column:
    return counts[:, sorted({c % 13 for c in call.cards})].sum(axis=1, dtype=np.int64)


def _matches(columns: DrawnColumns, call: Call) -> Column:
    (other,) = columns.types(call.hands[1])
    return columns.counts(call.hands[0])[np.arange(columns.rows), other % 13]


def _highest(counts: Column, _: Call) -> Column:
    column: Column = 12 - (counts[:, ::-1] > 0).argmax(axis=1)
    return column


def _lowest(counts: Column, _: Call) -> Column:
    column: Column = (counts > 0).argmax(axis=1)
    return column


_WORDS: Mapping[str, Word] = {
    "count": _each(_count),
    "size": _each(lambda n, _: _size(n)),
    "ranks": _each(lambda n, _: _ranks(n)),
    "suited": lambda t, c: t.flag(c.hands[0], "suited"),
    "same_colour": lambda t, c: t.flag(c.hands[0], "same_colour"),
    "same_rank": _each(lambda n, _: _ranks(n) == 1),
    "most_of_a_rank": _each(lambda n, _: n.max(axis=1)),
    "pair": _each(lambda n, _: n.max(axis=1) >= 2),
    "two_pair": _each(lambda n, _: (n >= 2).sum(axis=1) >= 2),
    "three_of_a_kind": _each(lambda n, _: n.max(axis=1) >= 3),
    "four_of_a_kind": _each(lambda n, _: n.max(axis=1) >= 4),
    "straight": _each(_straight),
    "straight_flush": lambda t, c: _straight(t.counts(c.hands[0]), c) & t.flag(c.hands[0], "suited"),
    "total": _each(lambda n, _: _total(n)),
    "hard_total": _each(lambda n, _: _hard(n)),
    "soft": _each(lambda n, _: _soft(n)),
    "blackjack": _each(lambda n, _: (_size(n) == 2) & (_total(n) == 21)),
    "baccarat": _each(lambda n, _: _hard(n) % 10),
    "highest": _each(_highest),
    "lowest": _each(_lowest),
    "matches": _matches,
}


# ---- what conditions see of such a deal


@dataclass(frozen=True)
class DrawnConditions:
    """The conditions of a paytable, applied to first cards and final hands."""

    conditions: tuple[Node, ...]
    names: tuple[str, ...]

    def __call__(self, columns: Mapping[str, Column]) -> Mapping[str, Column]:
        """Return the rows that satisfy each condition."""
        rows = len(next(iter(columns.values())))
        roles = {name.rpartition(".")[0] for name in columns}
        seen = DrawnColumns(columns, rows, {role: (role,) for role in roles})
        return {name: seen.value(node) for name, node in zip(self.names, self.conditions, strict=True)}


@cached("what conditions see of hands that are drawn out", most=512)
def seen_of(conditions: tuple[Node, ...], text: str, names: tuple[str, ...]) -> DrawnSeen:
    """Return what these conditions see of a deal that is drawn out; their columns get these names."""
    roles = hands_of(text)
    assert roles is not None
    summary, group = DrawnConditions(conditions, names), group_of(conditions)
    drawn = [role for role, size in roles.items() if size == VARIES]
    calls = [call for node in conditions for call in calls_of(node)]
    looked_at = {role for call in calls for hand in call.hands for role in hand.roles}
    if not looked_at & set(drawn):
        return DrawnSeen(_roles(conditions, roles, looked_at, ()), None, False, group, summary)
    if "dealer" in drawn:
        suits = any(call.word in _ALONE and call.hands[0].size == VARIES for call in calls)
        hand = {*looks(conditions, "dealer", suits=False), value_of}
        first, lens = hand | ({suit_of} if suits else set()), _lens(hand)
        others = [role for role in roles if role in looked_at and role not in ("dealer", *first_cards_of("dealer"))]
        coarse = _lens({see for role in others for see in looks(conditions, role)})
        other_roles = tuple(Role(role, roles[role], coarse) for role in others) if lens.refines(coarse) else ()
        rest = looked_at - {"dealer", *(role.name for role in other_roles)}
        return DrawnSeen(_roles(conditions, roles, rest, first), lens, suits, group, summary, other_roles)
    seen_roles: list[Role] = []
    for name in drawn:
        hand = {*looks(conditions, name), points_of}
        (two,) = first_cards_of(name)
        seen_roles += [Role(two, 2, _lens({*looks(conditions, two), *hand})), Role(third_card_of(name), 1, _lens(hand))]
    return DrawnSeen(tuple(seen_roles), _lens({points_of}), False, group, summary)


def _roles(
    conditions: tuple[Node, ...], roles: Mapping[str, int], looked_at: set[str], first: Iterable[See]
) -> tuple[Role, ...]:
    """Return the first cards that conditions see, each with the coarsest label for them and the drawing rule."""
    return tuple(
        Role(role, size, _lens({*looks(conditions, role), *first})) for role, size in roles.items() if role in looked_at
    )


def _lens(see: set[See]) -> Lens:
    return Lens.by_label("what is seen", labels_of(see))
