"""Evaluation of conditions over the columns of a table: each word for all rows at once.

A hand is a list of columns of card types, one for each card. If a lens hides something, the column has one
card for all that look alike; `sight` ensures that no word can distinguish them. Words look up their
values in tables by four features of a hand: the set of its ranks (13 bits), the number of each rank (13
fields of four bits), the number of each suit (four such fields), the ranks of each suit (four sets).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.caches import cached
from ..base.errors import CountError, fault
from ..deals import poker
from ..deals.cards import CARD_TYPES, RED
from ..deals.table import Column
from .condition_tree import Arithmetic, Call, Choose, Compare, Constant, Join, Node, Not, RoleCards, Within, calls_of

TEN, KING, ACE = 8, 11, 12
SETS = 1 << 13
_TYPES = np.arange(CARD_TYPES)
_BIT = (1 << _TYPES % 13).astype(np.int16)
_CARD = 1 << _TYPES.astype(np.int64)
_OF_RANK = (1 << 4 * (_TYPES % 13)).astype(np.int64)
_OF_SUIT = (1 << 4 * (_TYPES // 13)).astype(np.int16)
#: Points of card types, with an ace as 1.
_POINTS = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1] * 4, dtype=np.int16)
#: Added to fields of four bits, it sets the highest bit of those that are large enough; fields are at most 7.
_EACH = 0x1111111111111
_HIGH = 8 * _EACH


class Columns:
    """The columns ``SEAT.rank`` and ``SEAT.suit`` of some rows, for the words of conditions.

    ``seats`` are in the order of the deal; a seat is one role, or several that are dealt together.
    ``known`` are columns of words and conditions that have already been counted, ``final_ranks`` the ranks of final
    hands in the game's order, by name.
    """

    def __init__(
        self,
        columns: Mapping[str, Column],
        rows: int,
        seats: Mapping[str, Sequence[str]],
        known: Mapping[Node, Column] | None = None,
        final_ranks: Mapping[str, Column] | None = None,
    ) -> None:
        self.columns, self.rows, self.seats, self.final_ranks = columns, rows, seats, final_ranks or {}
        self._cache: dict[Any, Any] = dict(known or {})

    def dealt(self, hand: RoleCards) -> bool:
        """Whether all cards of a hand are among the columns."""
        seats = (roles for seat, roles in self.seats.items() if f"{seat}.rank" in self.columns)
        return set(hand.roles) <= {role for roles in seats for role in roles}

    def _seats(self, hand: RoleCards) -> list[str]:
        inside = [seat for seat, roles in self.seats.items() if set(roles) <= set(hand.roles)]
        if {role for seat in inside for role in self.seats[seat]} != set(hand.roles):
            raise CountError(f"{hand.roles} are not whole seats of {dict(self.seats)}")
        return inside

    def types(self, hand: RoleCards) -> list[Column]:
        """Return a column of card types for each card of a hand."""

        def find() -> list[Column]:
            columns = []
            for seat in self._seats(hand):
                for shown in ("rank", "suit"):
                    if f"{seat}.{shown}" not in self.columns:
                        raise fault(f"a condition needs the {shown} of every card of {seat}, which is not counted here",
                                    "analyse the wager by itself: combin analyze")
                ranks, suits = self.columns[f"{seat}.rank"], self.columns[f"{seat}.suit"]
                columns += [13 * suits[:, i] + ranks[:, i] for i in range(ranks.shape[1])]
            # A hidden card may be any card: no word of the row depends on it.
            return [np.maximum(types, 0) for types in columns]

        return self._of(hand, "types", find)

    def looked_up(self, hand: RoleCards, table: Column, name: str) -> Column:
        """Return the sum over the cards of the value that a table has for each card type."""
        return self._of(hand, name, lambda: _sum([table[types] for types in self.types(hand)]))

    def ranks(self, hand: RoleCards) -> Column:
        """Return the set of the hand's ranks, 13 bits."""
        return self._of(hand, "ranks", lambda: _or([_BIT[types] for types in self.types(hand)]))

    def of_rank(self, hand: RoleCards) -> Column:
        """Return the number of cards of each rank, 13 fields of four bits."""
        return self.looked_up(hand, _OF_RANK, "of each rank")

    def of_suit(self, hand: RoleCards) -> Column:
        """Return the number of cards of each suit, four fields of four bits."""
        return self.looked_up(hand, _OF_SUIT, "of each suit")

    def suits(self, hand: RoleCards) -> list[Column]:
        """Return the set of ranks of each suit."""

        def find() -> list[Column]:
            cards = _or([_CARD[types] for types in self.types(hand)])
            return [(cards >> 13 * suit & SETS - 1).astype(np.int16) for suit in range(4)]

        return self._of(hand, "suits", find)

    def _of(self, hand: RoleCards, what: str, find: Callable[[], Any]) -> Any:
        key = (hand, what)
        if key not in self._cache:
            self._cache[key] = find()
        return self._cache[key]

    def value(self, node: Node) -> Column:
        """Return the values of a node as a column: bool for true or false, otherwise integers."""
        if node in self._cache:
            column: Column = self._cache[node]
            return column
        result: Column
        match node:
            case Call():
                result = self.call(node)
            case Constant(value):
                return np.full(self.rows, value, dtype=np.int64)
            case Within(hand, low, high):
                rank = self.final_ranks[hand]
                result = (rank >= (low or 0)) & (True if high is None else rank < high)
            case Not(operand):
                result = ~self.value(operand)
            case Join(every, parts):
                result = self.value(parts[0])
                for part in parts[1:]:
                    result = result & self.value(part) if every else result | self.value(part)
            case Compare(sign, left, right):
                result = _COMPARE[sign](self._side(left), self._side(right))
                if isinstance(result, np.bool_):
                    result = np.full(self.rows, result)
            case Arithmetic(sign, left, right):
                result = _ARITHMETIC[sign](self.value(left).astype(np.int64), self.value(right).astype(np.int64))
            case Choose(test, yes, no):
                result = np.where(self.value(test), self.value(yes), self.value(no))
        self._cache[node] = result
        return result

    def first_of(self, conditions: Sequence[Node]) -> Column:
        """Return the index of the first condition that is true, by row; −1 if none is."""
        first = np.full(self.rows, -1)
        for index, node in reversed(list(enumerate(conditions))):
            first[self.value(node)] = index
        return first

    def call(self, node: Call) -> Column:
        """Return the values of a word as a column."""
        return _WORDS[node.word](self, node)

    def _side(self, node: Node) -> Any:
        """Return one side of a comparison; a number stays a number."""
        return np.int64(node.value) if isinstance(node, Constant) else self.value(node)


_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
}  # fmt: skip
_ARITHMETIC: Mapping[str, Callable[[Column, Column], Column]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "%": np.mod,
}  # fmt: skip


def decided(node: Node, columns: Columns) -> tuple[Column, Column]:
    """Return the rows where a condition is already true, and those where it is already false."""
    match node:
        case Not(operand):
            true, false = decided(operand, columns)
            return false, true
        case Join(every, parts):
            decisions = [decided(part, columns) for part in parts]
            all_of, any_of = (np.logical_and, np.logical_or) if every else (np.logical_or, np.logical_and)
            return all_of.reduce([true for true, _ in decisions]), any_of.reduce([false for _, false in decisions])
    if all(columns.dealt(hand) for call in calls_of(node) for hand in call.hands):
        true = columns.value(node)
        return true, ~true
    unknown = np.zeros(columns.rows, dtype=bool)
    return unknown, unknown


def _sum(columns: list[Column]) -> Column:
    total = columns[0]
    for column in columns[1:]:
        total = total + column
    return total


def _or(columns: list[Column]) -> Column:
    together = columns[0]
    for column in columns[1:]:
        together = together | column
    return together


# ---- tables by sets of ranks and by numbers of suits


@cached("numbers of ranks by set", most=1)
def _ones() -> Column:
    return np.array([n.bit_count() for n in range(SETS)], dtype=np.int8)


def _run(sets: int) -> int:
    """Return the length of the longest run of ones."""
    length = 0
    while sets:
        sets, length = sets & sets >> 1, length + 1
    return length


@cached("longest runs by set of ranks", most=8)
def longest_runs(ace: str) -> Column:
    """Return the longest run of ranks in each set; the option says whether an ace is high, low or both."""

    def longest(ranks: int) -> int:
        around = ranks << 1 | ranks >> ACE
        if ace == "high":
            return _run(ranks)
        if ace == "both":
            return _run(around)
        if ace == "low":
            return _run(around & SETS - 1)
        # the run that begins with the low ace
        from_ace = (around ^ around + 1).bit_length() - 1
        counted = from_ace if ace == "from-five-cards" else 5
        return max(_run(ranks), counted if from_ace >= 5 else 0)

    return np.array([longest(ranks) for ranks in range(SETS)], dtype=np.int8)


@cached("highest and lowest ranks by set", most=2)
def _end(highest: bool) -> Column:
    """Return the highest or the lowest rank of each set."""
    ends = [0] + [ranks.bit_length() - 1 if highest else (ranks & -ranks).bit_length() - 1 for ranks in range(1, SETS)]
    return np.array(ends, dtype=np.int8)


@cached("numbers of suits", most=2)
def _by_suits(most: bool) -> Column:
    """Return the largest of four numbers, or how many of them are not 0."""
    fields = np.arange(1 << 15)[:, None] >> np.arange(0, 16, 4) & 15
    return (fields.max(axis=1) if most else (fields > 0).sum(axis=1)).astype(np.int8)


# ---- words


def _hand(call: Call) -> RoleCards:
    return call.hands[0]


def _holds(columns: Columns, call: Call, number: int) -> Column:
    """Return the ranks of which a hand has at least this number of cards, as the highest bit of each field."""
    result: Column = columns.of_rank(_hand(call)) + (8 - number) * _EACH & _HIGH
    return result


def _of_a_kind(number: int) -> Callable[[Columns, Call], Column]:
    return lambda columns, call: _holds(columns, call, number) != 0


def _two_pair(columns: Columns, call: Call) -> Column:
    pairs = _holds(columns, call, 2)
    return (pairs & pairs - 1) != 0


def _most_of_a_rank(columns: Columns, call: Call) -> Column:
    return _sum([(_holds(columns, call, n) != 0).astype(np.int8) for n in range(1, _hand(call).size + 1)])


def _most_of_a_suit(columns: Columns, call: Call) -> Column:
    return _by_suits(True)[columns.of_suit(_hand(call))]


def _suits(columns: Columns, call: Call) -> Column:
    return _by_suits(False)[columns.of_suit(_hand(call))]


def _different(columns: Columns, call: Call) -> Column:
    """Return the number of different ranks."""
    return _ones()[columns.ranks(_hand(call))]


def _straight(columns: Columns, call: Call) -> Column:
    """Whether all cards have different ranks in one run."""
    size, ranks = _hand(call).size, columns.ranks(_hand(call))
    return (_ones()[ranks] == size) & (longest_runs(call.option("ace"))[ranks] >= size)


def _longest_straight_flush(columns: Columns, call: Call) -> Column:
    table = longest_runs(call.option("ace"))
    lengths: Column = np.maximum.reduce([table[ranks] for ranks in columns.suits(_hand(call))])
    return np.maximum(lengths, 1)


def _poker(columns: Columns, call: Call) -> Column:
    types = np.stack(columns.types(_hand(call)))
    return poker.categories((types % 13).T, (types // 13).T)


def _poker_value(columns: Columns, call: Call) -> Column:
    """Return poker hands as numbers in the order of the hands, all their ranks included."""
    types = np.stack(columns.types(_hand(call)))
    return poker.values((types % 13).T, (types // 13).T)


def _hard(columns: Columns, call: Call) -> Column:
    return columns.looked_up(_hand(call), _POINTS, "points")


def _soft(columns: Columns, call: Call) -> Column:
    return (columns.ranks(_hand(call)) >> ACE == 1) & (_hard(columns, call) <= 11)


def _total(columns: Columns, call: Call) -> Column:
    return _hard(columns, call) + np.where(_soft(columns, call), np.int16(10), np.int16(0))


def _blackjack(columns: Columns, call: Call) -> Column:
    ranks = columns.ranks(_hand(call))
    return (ranks >> ACE == 1) & ((ranks & (1 << KING + 1) - (1 << TEN)) != 0)


def _placed(types: Column, ace: str) -> Column:
    """Return ranks with the ace above the king, or below the two."""
    ranks = types % 13
    return np.where(ranks == ACE, np.int8(-1), ranks) if ace == "low" else ranks


def _spread(columns: Columns, call: Call) -> Column:
    one, other = (_placed(types, call.option("ace")) for types in columns.types(_hand(call)))
    return np.maximum(np.abs(one - other) - 1, 0)


def _between(columns: Columns, call: Call) -> Column:
    (card,), (one, other) = ([_placed(t, call.option("ace")) for t in columns.types(hand)] for hand in call.hands)
    low, high = np.minimum(one, other), np.maximum(one, other)
    within = (low <= card) & (card <= high) if call.option("ends") == "included" else (low < card) & (card < high)
    return within & (low < high)


def _matches(shown: Callable[[Column], Column]) -> Callable[[Columns, Call], Column]:
    """Return the number of cards that match the one card of the other hand."""

    def count(columns: Columns, call: Call) -> Column:
        (other,) = columns.types(call.hands[1])
        return _sum([(shown(card) == shown(other)).astype(np.int8) for card in columns.types(_hand(call))])

    return count


def _count(columns: Columns, call: Call) -> Column:
    wanted = np.zeros(CARD_TYPES, dtype=np.int8)
    wanted[list(call.cards)] = 1
    return _sum([wanted[types] for types in columns.types(_hand(call))])


_RED = np.array([suit in RED for suit in range(4)])


def _same_colour(columns: Columns, call: Call) -> Column:
    red = _sum([_RED[types // 13].astype(np.int8) for types in columns.types(_hand(call))])
    return (red == 0) | (red == _hand(call).size)


_WORDS: Mapping[str, Callable[[Columns, Call], Column]] = {
    "count": _count,
    "size": lambda t, c: np.full(t.rows, _hand(c).size, dtype=np.int64),
    "ranks": _different,
    "suits": _suits,
    "suited": lambda t, c: _suits(t, c) == 1,
    "same_colour": _same_colour,
    "same_rank": lambda t, c: _different(t, c) == 1,
    "most_of_a_rank": _most_of_a_rank,
    "most_of_a_suit": _most_of_a_suit,
    "pair": lambda t, c: _different(t, c) < _hand(c).size,
    "two_pair": _two_pair,
    "three_of_a_kind": _of_a_kind(3),
    "four_of_a_kind": _of_a_kind(4),
    "straight": _straight,
    "longest_straight": lambda t, c: longest_runs(c.option("ace"))[t.ranks(_hand(c))],
    "same_ranks": lambda t, c: t.of_rank(c.hands[0]) == t.of_rank(c.hands[1]),
    "straight_flush": lambda t, c: _straight(t, c) & (_suits(t, c) == 1),
    "longest_flush": _most_of_a_suit,
    "longest_straight_flush": _longest_straight_flush,
    "poker": _poker,
    "poker_value": _poker_value,
    "total": _total,
    "hard_total": _hard,
    "soft": _soft,
    "blackjack": _blackjack,
    "baccarat": lambda t, c: _hard(t, c) % 10,
    "highest": lambda t, c: _end(True)[t.ranks(_hand(c))],
    "lowest": lambda t, c: _end(False)[t.ranks(_hand(c))],
    "matches": _matches(lambda types: types % 13),
    "suited_matches": _matches(lambda types: types),
    "suit_matches": _matches(lambda types: types // 13),
    "between": _between,
    "spread": _spread,
}
