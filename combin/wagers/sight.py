"""What the conditions of a wager can distinguish, computed from their words and never declared.

- Roles that occur together in every hand of every condition form one seat: if all words take three
cards as one hand, the cards are dealt as one hand.
- A seat's lens is the coarsest label of a card that suffices for every word about the seat. A total
needs values, a flush needs suits, a number of sevens needs only whether a card is a seven.
- The group contains the suit permutations that leave every condition unchanged, up to the order of the
operands of ``and``, ``or``, ``==``, ``+`` and ``*``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..deals.cards import ALL_PERMUTATIONS, CARD_TYPES, RED, Permutation, permute
from .condition_tree import Arithmetic, Call, Choose, Compare, Constant, Join, Node, Not, calls_of, parts_of

TEN, ACE = 8, 12
See = Callable[[int, int], Hashable]


def value_of(rank: int, _: int) -> Hashable:
    return min(rank, TEN) if rank < ACE else rank


def points_of(rank: int, _: int) -> Hashable:
    """Baccarat points."""
    return (rank + 2) % 10 if rank < TEN else 1 if rank == ACE else 0


def _nothing(_: int, __: int) -> Hashable:
    return 0


def rank_of(rank: int, _: int) -> Hashable:
    return rank


def suit_of(_: int, suit: int) -> Hashable:
    return suit


def _card(rank: int, suit: int) -> Hashable:
    return rank, suit


#: What a word must see of each card of its hands.
_SEES: Mapping[str, See] = {
    **dict.fromkeys(("size",), _nothing),
    **dict.fromkeys(("suits", "suited", "most_of_a_suit", "longest_flush", "suit_matches"), suit_of),
    **dict.fromkeys(("straight_flush", "longest_straight_flush", "poker", "poker_value", "suited_matches"), _card),
    **dict.fromkeys(("total", "hard_total", "soft"), value_of),
    "same_colour": lambda _, suit: suit in RED,
    "blackjack": lambda rank, suit: value_of(rank, suit) if rank >= TEN else None,
    "baccarat": points_of,
    **dict.fromkeys(
        ("ranks", "same_rank", "most_of_a_rank", "pair", "two_pair", "three_of_a_kind", "four_of_a_kind", "straight",
         "longest_straight", "same_ranks", "highest", "lowest", "matches", "between", "spread"),
        rank_of,
    ),
}  # fmt: skip
#: What a word must see of a hand for which another column says whether it is of one suit or colour.
_APART_FROM_SUIT: Mapping[str, See] = {"suited": _nothing, "same_colour": _nothing, "straight_flush": rank_of}


def _side_of(value: int) -> See:
    return lambda rank, _: (rank > value) - (rank < value)


def _seen(node: Node) -> Iterable[tuple[Call, See]]:
    """Return every word of a condition with what it must see; a rank compared with a constant only its side."""
    if isinstance(node, Compare):
        for call, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(call, Call) and call.word in ("highest", "lowest") and isinstance(other, Constant):
                yield call, _side_of(other.value)
                return
    if isinstance(node, Call):
        if node.word == "count":
            yield node, lambda rank, suit: 13 * suit + rank in node.cards
        else:
            yield node, _SEES[node.word]
    for part in parts_of(node):
        yield from _seen(part)


@dataclass(frozen=True)
class SeenSeat:
    """Cards that are dealt together: the roles that no condition distinguishes, and the label of each card type."""

    roles: tuple[str, ...]
    cards: int
    labels: tuple[int, ...]

    @property
    def name(self) -> str:
        return " + ".join(self.roles)


@dataclass(frozen=True)
class Sight:
    seats: tuple[SeenSeat, ...]
    group: tuple[Permutation, ...]


def seats_of(conditions: Iterable[Node], roles: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return the roles grouped into seats: two roles share a seat if every hand has both or neither.

    A role in no condition is a separate seat.
    """
    hands = sorted({hand.roles for node in conditions for call in calls_of(node) for hand in call.hands})
    parts: dict[Any, list[str]] = {}
    for role in roles:
        inside = tuple(role in hand for hand in hands)
        parts.setdefault(inside if any(inside) else role, []).append(role)
    return tuple(map(tuple, parts.values()))


def sight_of(conditions: Iterable[Node], seats: Iterable[tuple[str, ...]], roles: Mapping[str, int]) -> Sight:
    """Return what these conditions see of a deal to these seats."""
    conditions = list(conditions)
    seen = [pair for node in conditions for pair in _seen(node)]
    seen_seats = []
    for members in seats:
        see = {s for call, s in seen if any(set(members) & set(hand.roles) for hand in call.hands)}
        seen_seats.append(SeenSeat(members, sum(roles[r] for r in members), labels_of(see)))
    return Sight(tuple(seen_seats), group_of(conditions))


def labels_of(see: Collection[See]) -> tuple[int, ...]:
    """Return the coarsest label of each card type that shows all of this."""
    shown = [tuple(s(c % 13, c // 13) for s in see) for c in range(CARD_TYPES)]
    labels: dict[Any, int] = {}
    return tuple(labels.setdefault(s, len(labels)) for s in shown)


def looks(conditions: Iterable[Node], role: str, *, suits: bool = True) -> set[See]:
    """Return what conditions must see of each card of a role; unless ``suits``, another column has the suits."""
    return {
        see if suits else _APART_FROM_SUIT.get(call.word, see)
        for node in conditions for call, see in _seen(node) if any(role in hand.roles for hand in call.hands)
    }  # fmt: skip


def group_of(conditions: Iterable[Node]) -> tuple[Permutation, ...]:
    """Return the suit permutations that leave every condition unchanged."""
    conditions = list(conditions)
    plain = [_form(node, ALL_PERMUTATIONS[0]) for node in conditions]
    return tuple(p for p in ALL_PERMUTATIONS if [_form(node, p) for node in conditions] == plain)


def _form(node: Node, p: Permutation) -> Any:
    """Return a condition after a suit permutation, with exchangeable operands sorted."""
    match node:
        case Call(word, hands, cards, options):
            # The two colours may be exchanged as a whole.
            colours = [tuple(sorted(p[s] for s in range(4) if (s in RED) == red)) for red in (True, False)]
            pairs = tuple(sorted(colours)) if word == "same_colour" else ()
            return word, tuple(h.roles for h in hands), tuple(sorted(permute(p, c) for c in cards)), options, pairs
        case Join(every, parts):
            return "and" if every else "or", _sorted(form for part in parts for form in _flat(part, every, p))
        case Compare(sign, left, right):
            both = (_form(left, p), _form(right, p))
            return sign, _sorted(both) if sign in ("==", "!=") else both
        case Arithmetic(sign, left, right):
            both = (_form(left, p), _form(right, p))
            return sign, both if sign in ("-", "%") else _sorted(both)
        case Not(operand):
            return "not", _form(operand, p)
        case Choose(test, yes, no):
            return "if", _form(test, p), _form(yes, p), _form(no, p)
        case Constant(value):
            return "number", value
    return "state", repr(node)  # no permutation of suits changes the result of a round


def _flat(node: Node, every: bool, p: Permutation) -> Iterable[Any]:
    """Return the operands of nested joins of one kind."""
    if isinstance(node, Join) and node.every == every:
        for part in node.parts:
            yield from _flat(part, every, p)
    else:
        yield _form(node, p)


def _sorted(forms: Iterable[Any]) -> tuple[Any, ...]:
    """Return the operands sorted."""
    return tuple(sorted(forms, key=repr))
