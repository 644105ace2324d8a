"""Conditions over the columns of a table: each word for all rows at once.

A hand is two arrays, ranks and suits, shape (rows, cards). Where a lens hides something of a card its
columns hold one card for all that look alike; `sight` sees to it that no word can tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import fault
from ..deals import poker
from ..deals.cards import CARD_TYPES, RED
from ..deals.table import Column
from .conditions import Arithmetic, Call, Choose, Compare, Hand, Join, Node, Not, Number, calls_of

TEN, QUEEN, KING, ACE = 8, 10, 11, 12
#: Points of ranks 0 to 12, an ace at 1.
POINTS = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1], dtype=np.int64)


class Columns:
    """The columns ``SEAT.rank`` and ``SEAT.suit`` of some rows, as words ask for them.

    ``seats`` are the roles in the order of the deal, each seat one role or several that are dealt
    together; ``known`` holds columns of words and conditions that are counted already.
    """

    def __init__(
        self,
        columns: Mapping[str, Column],
        rows: int,
        seats: Mapping[str, Sequence[str]],
        known: Mapping[Node, Column] | None = None,
    ) -> None:
        self.columns, self.rows, self.seats = columns, rows, seats
        self._found: dict[Any, Column] = dict(known or {})

    def dealt(self, hand: Hand) -> bool:
        """Whether all cards of a hand are among the columns."""
        return set(hand.roles) <= {r for seat, roles in self.seats.items() if f"{seat}.rank" in self.columns for r in roles}

    def _cards(self, hand: Hand, shown: str) -> Column:
        parts, covered = [], set()
        for seat, roles in self.seats.items():
            if set(roles) <= set(hand.roles):
                if f"{seat}.{shown}" not in self.columns:
                    raise fault(f"the table has no column {seat}.{shown}", "deal it and let it be seen")
                parts.append(self.columns[f"{seat}.{shown}"])
                covered |= set(roles)
        if covered != set(hand.roles):
            raise AssertionError(f"{hand.roles} are not whole seats of {dict(self.seats)}")
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def ranks(self, hand: Hand) -> Column:
        return self._of(hand, "ranks", lambda: self._cards(hand, "rank"))

    def suits(self, hand: Hand) -> Column:
        return self._of(hand, "suits", lambda: self._cards(hand, "suit"))

    def types(self, hand: Hand) -> Column:
        """Card types."""
        return self._of(hand, "types", lambda: 13 * self.suits(hand) + self.ranks(hand))

    def of_each_rank(self, hand: Hand) -> Column:
        """Cards of each rank, shape (rows, 13)."""
        return self._of(hand, "of each rank", lambda: _tally(self.ranks(hand), 13))

    def of_each_suit(self, hand: Hand) -> Column:
        return self._of(hand, "of each suit", lambda: _tally(self.suits(hand), 4))

    def masks(self, hand: Hand) -> Column:
        """The ranks of each suit as 13 bits, shape (rows, 4)."""

        def find() -> Column:
            bits = np.left_shift(1, self.ranks(hand).astype(np.int64))
            suits = self.suits(hand)
            return np.stack([np.bitwise_or.reduce(np.where(suits == s, bits, 0), axis=1) for s in range(4)], axis=1)

        return self._of(hand, "masks", find)

    def _of(self, hand: Hand, what: str, find: Callable[[], Column]) -> Column:
        key = (hand, what)
        if key not in self._found:
            self._found[key] = find()
        return self._found[key]

    def value(self, node: Node) -> Column:
        """A column of the values of a node: bool for true or false, int64 for everything else."""
        if node in self._found:
            return self._found[node]
        if isinstance(node, Call):
            self._found[node] = _WORDS[node.word](self, node)
            return self._found[node]
        result: Column
        match node:
            case Number(value):
                return np.full(self.rows, value, dtype=np.int64)
            case Not(operand):
                return ~self.value(operand)
            case Join(every, parts):
                result = self.value(parts[0])
                for part in parts[1:]:
                    result = result & self.value(part) if every else result | self.value(part)
                return result
            case Compare(sign, left, right):
                result = _COMPARE[sign](self.value(left), self.value(right))
                return result
            case Arithmetic(sign, left, right):
                result = _ARITHMETIC[sign](self.value(left), self.value(right))
                return result
            case Choose(test, yes, no):
                return np.where(self.value(test), self.value(yes), self.value(no))
        raise TypeError(f"no node of a condition: {node!r}")


_COMPARE: Mapping[str, Callable[[Column, Column], Column]] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
}  # fmt: skip
_ARITHMETIC: Mapping[str, Callable[[Column, Column], Column]] = {"+": np.add, "-": np.subtract, "*": np.multiply}


def decided(node: Node, columns: Columns) -> tuple[Column, Column]:
    """Where a condition is true, and where false, whatever the roles hold that are not dealt yet."""
    match node:
        case Not(operand):
            true, false = decided(operand, columns)
            return false, true
        case Join(every, parts):
            found = [decided(part, columns) for part in parts]
            true = np.logical_and.reduce([t for t, _ in found]) if every else np.logical_or.reduce([t for t, _ in found])
            false = (np.logical_or if every else np.logical_and).reduce([f for _, f in found])
            return true, false
    if all(columns.dealt(hand) for call in calls_of(node) for hand in call.hands):
        true = columns.value(node)
        return true, ~true
    unknown = np.zeros(columns.rows, dtype=bool)
    return unknown, unknown


def _tally(values: Column, kinds: int) -> Column:
    return np.stack([(values == kind).sum(axis=1) for kind in range(kinds)], axis=1)


def _run(ranks: Column) -> Column:
    """Whether the ranks are different and consecutive."""
    steps = np.diff(np.sort(ranks, axis=1), axis=1)
    result: Column = (steps == 1).all(axis=1)
    return result


def _placed(ranks: Column, ace: str) -> Column:
    """Ranks with the ace above the king, or below the two."""
    return np.where(ranks == ACE, -1, ranks) if ace == "low" else ranks


def _is_straight(ranks: Column, ace: str) -> Column:
    ranks = ranks.astype(np.int64)
    if ace == "both":
        return _run(ranks) | _run(_placed(ranks, "low"))
    return _run(_placed(ranks, ace))


def _all_equal(column: Column) -> Column:
    result: Column = (column == column[:, :1]).all(axis=1)
    return result


def _longest(sets: Column) -> Column:
    """The longest run of ones in sets of bits, shape kept."""
    length = np.zeros_like(sets)
    while sets.any():
        length += sets != 0
        sets = sets & sets >> 1
    return length


def _longest_straight_flush(columns: Columns, call: Call) -> Column:
    masks, ace = columns.masks(call.hands[0]), call.option("ace")
    above, around = _longest(masks), masks << 1 | masks >> 12
    if ace == "high":
        length = above
    elif ace == "both":
        length = _longest(around)
    elif ace == "low":
        length = _longest((masks & ~(1 << ACE)) << 1 | masks >> 12)
    else:
        # The run that begins with the low ace: the ones below the first nought.
        run = (around ^ around + 1) >> 1
        from_ace = _longest(run)
        counted = from_ace if ace == "from-five-cards" else np.full_like(from_ace, 5)
        length = np.where(from_ace >= 5, np.maximum(above, counted), above)
    result: Column = length.max(axis=1)
    return result


def _poker(columns: Columns, call: Call) -> Column:
    hand = call.hands[0]
    return poker.categories(columns.ranks(hand), columns.suits(hand)).astype(np.int64)


def _hard(columns: Columns, call: Call) -> Column:
    result: Column = POINTS[columns.ranks(call.hands[0])].sum(axis=1)
    return result


def _soft(columns: Columns, call: Call) -> Column:
    result: Column = (columns.ranks(call.hands[0]) == ACE).any(axis=1) & (_hard(columns, call) <= 11)
    return result


def _blackjack(columns: Columns, call: Call) -> Column:
    ranks = columns.ranks(call.hands[0])
    result: Column = (ranks == ACE).any(axis=1) & ((ranks >= TEN) & (ranks <= KING)).any(axis=1)
    return result


def _spread(columns: Columns, call: Call) -> Column:
    ends = _placed(columns.ranks(call.hands[0]).astype(np.int64), call.option("ace"))
    return np.maximum(ends.max(axis=1) - ends.min(axis=1) - 1, 0)


def _between(columns: Columns, call: Call) -> Column:
    one, two = (_placed(columns.ranks(hand).astype(np.int64), call.option("ace")) for hand in call.hands)
    card, low, high = one[:, 0], two.min(axis=1), two.max(axis=1)
    within = (low <= card) & (card <= high) if call.option("ends") == "included" else (low < card) & (card < high)
    result: Column = within & (low < high)
    return result


def _count(columns: Columns, call: Call) -> Column:
    wanted = np.zeros(CARD_TYPES, dtype=bool)
    wanted[list(call.cards)] = True
    return _total(wanted[columns.types(call.hands[0])])


def _total(column: Column) -> Column:
    result: Column = column.sum(axis=1, dtype=np.int64)
    return result


def _most(column: Column) -> Column:
    result: Column = column.max(axis=1)
    return result


_RED = np.array([suit in RED for suit in range(4)])


def _first(c: Call) -> Hand:
    return c.hands[0]


_WORDS: Mapping[str, Callable[[Columns, Call], Column]] = {
    "count": _count,
    "size": lambda t, c: np.full(t.rows, _first(c).size, dtype=np.int64),
    "ranks": lambda t, c: _total(t.of_each_rank(_first(c)) > 0),
    "suits": lambda t, c: _total(t.of_each_suit(_first(c)) > 0),
    "suited": lambda t, c: _all_equal(t.suits(_first(c))),
    "same_colour": lambda t, c: _all_equal(_RED[t.suits(_first(c))]),
    "same_rank": lambda t, c: _all_equal(t.ranks(_first(c))),
    "most_of_a_rank": lambda t, c: _most(t.of_each_rank(_first(c))),
    "most_of_a_suit": lambda t, c: _most(t.of_each_suit(_first(c))),
    "pair": lambda t, c: _most(t.of_each_rank(_first(c))) >= 2,
    "two_pair": lambda t, c: _total(t.of_each_rank(_first(c)) >= 2) >= 2,
    "three_of_a_kind": lambda t, c: _most(t.of_each_rank(_first(c))) >= 3,
    "four_of_a_kind": lambda t, c: _most(t.of_each_rank(_first(c))) >= 4,
    "straight": lambda t, c: _is_straight(t.ranks(_first(c)), c.option("ace")),
    "straight_flush": lambda t, c: _is_straight(t.ranks(_first(c)), c.option("ace")) & _all_equal(t.suits(_first(c))),
    "longest_flush": lambda t, c: _most(t.of_each_suit(_first(c))),
    "longest_straight_flush": _longest_straight_flush,
    "poker": _poker,
    "total": lambda t, c: _hard(t, c) + 10 * _soft(t, c),
    "hard_total": _hard,
    "soft": _soft,
    "blackjack": _blackjack,
    "baccarat": lambda t, c: _hard(t, c) % 10,
    "highest": lambda t, c: _most(t.ranks(_first(c)).astype(np.int64)),
    "lowest": lambda t, c: t.ranks(_first(c)).astype(np.int64).min(axis=1),
    "matches": lambda t, c: _total(t.ranks(c.hands[0]) == t.ranks(c.hands[1])),
    "suited_matches": lambda t, c: _total(t.types(c.hands[0]) == t.types(c.hands[1])),
    "between": _between,
    "spread": _spread,
}

__all__ = ["Columns", "decided"]
