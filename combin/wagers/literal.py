"""Independent evaluation of a condition: one deal, in plain Python, from the names of its cards.

A hand is a list of cards like ``Qh``. Nothing of `columns` is used: no arrays, classes or lenses. Straights
are looked up in an explicit list, totals try both values of every ace, poker hands are the best of all sets
of five. The two evaluations share only the parser's tree.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

from ..base.caches import cached
from ..deals.poker import FIVE_CARDS, THREE_CARDS
from .condition_tree import Arithmetic, Call, Choose, Compare, Constant, Join, Node, Not, RoleCards

Cards = Sequence[str]
Deal = Mapping[str, Sequence[str]]


class NamedDeal(dict[str, Sequence[str]]):
    """A deal that caches the values of words, which several conditions use."""

    def __init__(self, hands: Deal) -> None:
        super().__init__(hands)
        self.known: dict[int, int] = {}


ROW = "A23456789TJQKA"
ORDER = "23456789TJQKA"
SUITS = "cdhs"
#: The most hands whose values are cached, for each word.
MOST_HANDS = 30_000


def holds(condition: Node, deal: Deal) -> bool:
    """Whether a deal satisfies a condition; ``deal`` maps each role to its cards."""
    return bool(compiled(condition)(deal))


@cached("conditions as functions", most=4096)
def compiled(node: Node) -> Callable[[Deal], int]:
    """Return a node as a function of a deal; it evaluates only the parts that it needs."""
    match node:
        case Constant(number):
            return lambda deal: number
        case Call(word, hands):
            return _call(_WORDS[word], node, hands)
        case Not(operand):
            inner = compiled(operand)
            return lambda deal: not inner(deal)
        case Join(every, parts):
            functions = [compiled(part) for part in parts]
            return _all(functions) if every else _any(functions)
        case Compare(sign, left, right):
            compare, one, other = _SIGNS[sign], compiled(left), compiled(right)
            return lambda deal: compare(one(deal), other(deal))
        case Arithmetic(sign, left, right):
            count, one, other = _SIGNS[sign], compiled(left), compiled(right)
            return lambda deal: count(int(one(deal)), int(other(deal)))
        case Choose(test, yes, no):
            condition, then, otherwise = compiled(test), compiled(yes), compiled(no)
            return lambda deal: then(deal) if condition(deal) else otherwise(deal)
    raise TypeError(f"no node of a condition: {node!r}")


def _all(parts: Sequence[Callable[[Deal], int]]) -> Callable[[Deal], int]:
    def every(deal: Deal) -> int:
        for part in parts:
            if not part(deal):
                return 0
        return 1

    return every


def _any(parts: Sequence[Callable[[Deal], int]]) -> Callable[[Deal], int]:
    def some(deal: Deal) -> int:
        for part in parts:
            if part(deal):
                return 1
        return 0

    return some


_SIGNS: Mapping[str, Callable[[int, int], int]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "%": operator.mod,
}  # fmt: skip


def _call(word: Callable[..., int], node: Call, hands: Sequence[RoleCards]) -> Callable[[Deal], int]:
    roles = [hand.roles for hand in hands]
    number = id(node)
    one = roles[0][0] if len(roles) == 1 and len(roles[0]) == 1 else ""

    of_hand: dict[tuple[str, ...], int] = {}

    def of_one(deal: Deal) -> int:
        """Return the function of a word on the hand of one role, which many deals share."""
        hand = deal[one]
        if type(hand) is not tuple:
            return word(node, hand)
        value = of_hand.get(hand)
        if value is None:
            if len(of_hand) >= MOST_HANDS:
                of_hand.clear()
            value = of_hand[hand] = word(node, hand)
        return value

    def give(deal: Deal) -> int:
        return word(node, *[tuple(card for role in held for card in deal[role]) for held in roles])

    def keep(deal: Deal) -> int:
        if not isinstance(deal, NamedDeal):
            return give(deal)
        # The node exists as long as this function, so no other node gets its id.
        value = deal.known.get(number)
        if value is None:
            value = deal.known[number] = give(deal)
        return value

    return of_one if one else keep


def _ranks(hand: Cards) -> str:
    return "".join(card[0] for card in hand)


def _suits(hand: Cards) -> str:
    return "".join(card[1] for card in hand)


def _numbers(words: str) -> list[int]:
    """Return how often each letter occurs, the most frequent first."""
    return sorted(Counter(words).values(), reverse=True)


@cached("straights by length and ace", most=64)
def _rows(length: int, ace: str) -> frozenset[frozenset[str]]:
    row = {"both": ROW, "low": ROW[:-1], "high": ROW[1:]}[ace]
    return frozenset(frozenset(row[i : i + length]) for i in range(len(row) - length + 1))


def _straight(hand: Cards, ace: str) -> bool:
    ranks = frozenset(_ranks(hand))
    return len(ranks) == len(hand) and ranks in _rows(len(hand), ace)


def _longest_straight_flush(hand: Cards, ace: str) -> int:
    most = 1
    for suit in set(_suits(hand)):
        held = {card[0] for card in hand if card[1] == suit}
        for length in range(1, len(held) + 1):
            ways = set(_rows(length, "high" if ace in ("high", "from-five-cards", "five-cards-only") else ace))
            if (ace == "from-five-cards" and length >= 5) or (ace == "five-cards-only" and length == 5):
                ways.add(frozenset(ROW[:length]))
            if any(way <= held for way in ways):
                most = max(most, length)
    return most


def _points(hand: Cards) -> frozenset[int]:
    """Return every total that the aces allow."""
    return _points_of("".join(sorted(_ranks(hand))))


@cached("blackjack totals by ranks", most=4096)
def _points_of(ranks: str) -> frozenset[int]:
    of = {**{r: (i,) for i, r in enumerate("23456789", 2)}, **dict.fromkeys("TJQK", (10,)), "A": (1, 11)}
    return frozenset(sum(points) for points in product(*(of[rank] for rank in ranks)))


def _total(hand: Cards) -> int:
    points = _points(hand)
    return max((p for p in points if p <= 21), default=min(points))


def _poker(hand: Cards) -> int:
    if len(hand) == 3:
        return THREE_CARDS.index(_three(hand))
    return max(FIVE_CARDS.index(_five(five)) for five in combinations(hand, 5))


def _three(hand: Cards) -> str:
    suited, straight, of_a_rank = len(set(_suits(hand))) == 1, _straight(hand, "both"), _numbers(_ranks(hand))[0]
    if suited and straight:
        return "straight flush"
    if of_a_rank == 3:
        return "three of a kind"
    if straight or suited:
        return "straight" if straight else "flush"
    return "pair" if of_a_rank == 2 else "high card"


def _five(hand: Cards) -> str:
    return _five_of("".join(sorted(_ranks(hand))), len(set(_suits(hand))) == 1)


@cached("poker hands by ranks", most=16384)
def _five_of(ranks: str, suited: bool) -> str:
    straight, shape = _straight(ranks, "both"), _numbers(ranks)
    if suited and straight:
        return "royal flush" if set(ranks) == set("TJQKA") else "straight flush"
    if shape[0] >= 4:
        return "four of a kind"
    if shape == [3, 2]:
        return "full house"
    if suited or straight:
        return "flush" if suited else "straight"
    if shape[0] == 3:
        return "three of a kind"
    return "two pair" if shape[:2] == [2, 2] else "pair" if shape[0] == 2 else "high card"


#: Hands whose ranks are compared by group, the largest first; other hands are compared from the highest rank down.
_GROUPED = ("pair", "two pair", "three of a kind", "full house", "four of a kind")


def _poker_value(hand: Cards) -> int:
    """Return the best poker hand as a number: its index among the hands, then the ranks that decide."""
    if len(hand) == 3:
        return _ranked(hand, _three(hand), THREE_CARDS)
    return max(_ranked(five, _five(five), FIVE_CARDS) for five in combinations(hand, 5))


def _ranked(hand: Cards, name: str, order: Sequence[str]) -> int:
    held = Counter(ORDER.index(rank) for rank in _ranks(hand))
    ranks = sorted(held.elements(), key=lambda r: (held[r] if name in _GROUPED else 0, r), reverse=True)
    if name in ("straight", "straight flush") and set(ranks) >= {ORDER.index("A"), ORDER.index("2")}:
        ranks = [*ranks[1:], -1]  # the ace counts below the two
    value = order.index(name)
    for rank in ranks:
        value = 15 * value + rank + 1
    return value


def _places(hands: Sequence[Cards], ace: str) -> list[list[int]]:
    row = ROW[1:] if ace == "high" else ROW[:-1]
    return [[row.index(card[0]) for card in hand] for hand in hands]


def _between(call: Call, card: Cards, hand: Cards) -> bool:
    (place,), ends = _places((card, hand), call.option("ace"))
    low, high = sorted(ends)
    inside = range(low, high + 1) if call.option("ends") == "included" else range(low + 1, high)
    return low != high and place in inside


def _spread(call: Call, hand: Cards) -> int:
    ((first, second),) = _places((hand,), call.option("ace"))
    return len(range(min(first, second) + 1, max(first, second)))


def _colours(hand: Cards) -> set[bool]:
    return {card[1] in "dh" for card in hand}


def _count(call: Call, hand: Cards) -> int:
    wanted = {ORDER[c % 13] + SUITS[c // 13] for c in call.cards}
    return sum(card in wanted for card in hand)


_WORDS: Mapping[str, Callable[..., int | bool]] = {
    "count": _count,
    "size": lambda call, hand: len(hand),
    "ranks": lambda call, hand: len(set(_ranks(hand))),
    "suits": lambda call, hand: len(set(_suits(hand))),
    "suited": lambda call, hand: len(set(_suits(hand))) == 1,
    "same_colour": lambda call, hand: len(_colours(hand)) == 1,
    "same_rank": lambda call, hand: len(set(_ranks(hand))) == 1,
    "most_of_a_rank": lambda call, hand: _numbers(_ranks(hand))[0],
    "most_of_a_suit": lambda call, hand: _numbers(_suits(hand))[0],
    "pair": lambda call, hand: len(set(_ranks(hand))) < len(hand),
    "two_pair": lambda call, hand: [n >= 2 for n in _numbers(_ranks(hand))].count(True) >= 2,
    "three_of_a_kind": lambda call, hand: any(_ranks(hand).count(r) >= 3 for r in _ranks(hand)),
    "four_of_a_kind": lambda call, hand: any(_ranks(hand).count(r) >= 4 for r in _ranks(hand)),
    "straight": lambda call, hand: _straight(hand, call.option("ace")),
    "straight_flush": lambda call, hand: len(set(_suits(hand))) == 1 and _straight(hand, call.option("ace")),
    "longest_flush": lambda call, hand: _numbers(_suits(hand))[0],
    "longest_straight_flush": lambda call, hand: _longest_straight_flush(hand, call.option("ace")),
    "poker": lambda call, hand: _poker(hand),
    "poker_value": lambda call, hand: _poker_value(hand),
    "longest_straight": lambda call, hand: max(
        n for n in range(1, len(hand) + 1) if any(row <= set(_ranks(hand)) for row in _rows(n, call.option("ace")))),
    "same_ranks": lambda call, hand, other: sorted(_ranks(hand)) == sorted(_ranks(other)),
    "total": lambda call, hand: _total(hand),
    "hard_total": lambda call, hand: min(_points(hand)),
    "soft": lambda call, hand: _total(hand) != min(_points(hand)),
    "blackjack": lambda call, hand: len(hand) == 2 and 21 in _points(hand),
    "baccarat": lambda call, hand: int(str(min(_points(hand)))[-1]),
    "highest": lambda call, hand: max(ORDER.index(r) for r in _ranks(hand)),
    "lowest": lambda call, hand: min(ORDER.index(r) for r in _ranks(hand)),
    "matches": lambda call, hand, other: _ranks(hand).count(other[0][0]),
    "suited_matches": lambda call, hand, other: list(hand).count(other[0]),
    "suit_matches": lambda call, hand, other: _suits(hand).count(other[0][1]),
    "between": _between,
    "spread": _spread,
}
