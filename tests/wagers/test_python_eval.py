"""What the text of a condition means: Python's own `eval` of the text, with the words as functions of named cards.

The words are written here from the table of design §10. Both evaluators of combin share one parser, so that only a
test which never sees the parsed tree notices when the tree differs from the text.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import total_ordering
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin.deals.cards import name
from combin.wagers.conditions import parse
from combin.wagers.literal import holds

from .. import generated
from .test_conditions import ROLES, by_columns

ORDER = "A23456789TJQKA"
NAMES = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
THREE = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
FIVE = ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
        "straight flush", "royal flush")  # fmt: skip

Hand = list[str]


@total_ordering
class Ranked:
    """A value that is compared with texts by its index in an order, and with another one by ``all`` that decides."""

    def __init__(self, index: int, order: tuple[str, ...], deciding: tuple[int, ...] = ()) -> None:
        self.index, self.order, self.all = index, order, (index, *deciding)

    def __eq__(self, other: object) -> bool:
        return self.all == other.all if isinstance(other, Ranked) else self.index == self.order.index(str(other))

    def __lt__(self, other: str | Ranked) -> bool:
        return self.all < other.all if isinstance(other, Ranked) else self.index < self.order.index(other)


def rank(card: str) -> int:
    """2 to 14."""
    return {"T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}.get(card[0]) or int(card[0])


def most(values: list[object]) -> int:
    return max(Counter(values).values())


def wanted(card: str, words: str) -> bool:
    def one(word: str) -> bool:
        if word in ("red", "black"):
            return (card[1] in "dh") == (word == "red")
        if word in ("face", "ten-valued"):
            return card[0] in ("JQK" if word == "face" else "TJQK")
        word = NAMES.get(word, word).replace("10", "T")
        return card in word if len(word) == 2 else word in card

    return any(map(one, words.split()))


def consecutive(ranks: set[int], ace: str) -> bool:
    """Whether different ranks follow each other, aces being 14, 1 or either."""
    low = {1 if r == 14 else r for r in ranks}
    ways = {"both": (ranks, low), "high": (ranks,), "low": (low,)}[ace]
    return any(max(way) - min(way) == len(way) - 1 for way in ways)


def straight(hand: Hand, ace: str = "both") -> bool:
    ranks = {rank(c) for c in hand}
    return len(ranks) == len(hand) and consecutive(ranks, ace)


def longest_straight_flush(hand: Hand, ace: str = "both") -> int:
    longest = 1
    for length in range(2, len(set(hand)) + 1):
        for some in combinations(set(hand), length):
            ranks = {rank(c) for c in some}
            if len({c[1] for c in some}) > 1 or len(ranks) < length:
                continue
            wheel = 14 in ranks and consecutive(ranks, "low")
            counts = {"from-five-cards": wheel and length >= 5, "five-cards-only": wheel and length == 5}
            if counts[ace] or consecutive(ranks, "high") if ace in counts else consecutive(ranks, ace):
                longest = length
    return longest


def category(hand: Hand) -> str:
    """The name of a poker hand of three or five cards."""
    shape, flush = sorted(Counter(c[0] for c in hand).values(), reverse=True), len({c[1] for c in hand}) == 1
    run = straight(hand)
    if flush and run:
        return "royal flush" if len(hand) == 5 and {rank(c) for c in hand} == {10, 11, 12, 13, 14} else "straight flush"
    if shape[0] >= 4:
        return "four of a kind"
    if shape == [3, 2]:
        return "full house"
    if flush or run:
        if len(hand) == 3 and shape[0] == 3:
            return "three of a kind"
        return "flush" if flush else "straight"
    if shape[0] == 3:
        return "three of a kind"
    return "two pair" if shape[:2] == [2, 2] else "pair" if shape[0] == 2 else "high card"


def deciding(hand: Hand) -> tuple[int, ...]:
    """The ranks that decide between two hands of one category: by number, then by rank; a straight by its top."""
    ranks = [rank(c) for c in hand]
    if straight(hand):
        return (max(ranks),) if 14 not in ranks or 2 not in ranks else (len(hand),)
    grouped = "flush" not in category(hand)
    return tuple(sorted(ranks, key=lambda r: (ranks.count(r) if grouped else 1, r), reverse=True))


def poker(hand: Hand) -> Ranked:
    order = THREE if len(hand) == 3 else FIVE
    hands = [list(some) for some in combinations(hand, min(5, len(hand)))]
    index, ranks = max((order.index(category(some)), deciding(some)) for some in hands)
    return Ranked(index, order, ranks)


def longest_straight(hand: Hand, ace: str = "both") -> int:
    ranks = {rank(c) for c in hand}
    return max(n for n in range(1, len(ranks) + 1) for some in combinations(ranks, n)
               if n == 1 or consecutive(set(some), ace))  # fmt: skip


def hard_total(hand: Hand) -> int:
    return sum({"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(c[0]) or int(c[0]) for c in hand)


def soft(hand: Hand) -> bool:
    return any(c[0] == "A" for c in hand) and hard_total(hand) + 10 <= 21


def groups(hand: Hand, number: int) -> int:
    """How many ranks occur at least so often."""
    return sum(n >= number for n in Counter(c[0] for c in hand).values())


def places(hand: Hand, ace: str) -> list[int]:
    return [1 if ace == "low" and c[0] == "A" else rank(c) for c in hand]


def between(card: Hand, hand: Hand, ace: str = "high", ends: str = "excluded") -> bool:
    [middle], (low, high) = places(card, ace), sorted(places(hand, ace))
    return low < high and (low < middle < high or (ends == "included" and middle in (low, high)))


RANKS = tuple("23456789TJQKA")
WORDS = {
    "count": lambda hand, words: sum(wanted(c, words) for c in hand),
    "size": len,
    "ranks": lambda hand: len({c[0] for c in hand}),
    "suits": lambda hand: len({c[1] for c in hand}),
    "suited": lambda hand: most([c[1] for c in hand]) == len(hand),
    "same_colour": lambda hand: most([c[1] in "dh" for c in hand]) == len(hand),
    "same_rank": lambda hand: most([c[0] for c in hand]) == len(hand),
    "most_of_a_rank": lambda hand: most([c[0] for c in hand]),
    "most_of_a_suit": lambda hand: most([c[1] for c in hand]),
    "pair": lambda hand: groups(hand, 2) >= 1,
    "two_pair": lambda hand: groups(hand, 2) >= 2,
    "three_of_a_kind": lambda hand: groups(hand, 3) >= 1,
    "four_of_a_kind": lambda hand: groups(hand, 4) >= 1,
    "straight": straight,
    "straight_flush": lambda hand, ace="both": straight(hand, ace) and most([c[1] for c in hand]) == len(hand),
    "longest_straight": longest_straight,
    "same_ranks": lambda hand, other: Counter(c[0] for c in hand) == Counter(c[0] for c in other),
    "longest_flush": lambda hand: most([c[1] for c in hand]),
    "longest_straight_flush": longest_straight_flush,
    "poker": poker,
    "total": lambda hand: hard_total(hand) + 10 * soft(hand),
    "hard_total": hard_total,
    "soft": soft,
    "blackjack": lambda hand: len(hand) == 2 and hard_total(hand) == 11 and soft(hand),
    "baccarat": lambda hand: hard_total(hand) % 10,
    "highest": lambda hand: Ranked(max(map(rank, hand)) - 2, RANKS),
    "lowest": lambda hand: Ranked(min(map(rank, hand)) - 2, RANKS),
    "matches": lambda hand, other: sum(c[0] == other[0][0] for c in hand),
    "suited_matches": lambda hand, other: sum(c == other[0] for c in hand),
    "suit_matches": lambda hand, other: sum(c[1] == other[0][1] for c in hand),
    "between": between,
    "spread": lambda hand, ace="high": max(abs(places(hand, ace)[0] - places(hand, ace)[1]) - 1, 0),
}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_condition_means_what_python_makes_of_its_text(data: st.DataObject) -> None:
    roles = data.draw(ROLES)
    text = data.draw(generated.truths(roles, 4))
    node = parse(text, roles)
    code = compile(text, "", "eval")
    for _ in range(4):
        deal = data.draw(generated.deals(roles))
        hands = {role: [name(c) for c in cards] for role, cards in deal.items()}
        spoken = {role.replace(" ", "_"): cards for role, cards in hands.items()}
        everything = [c for cards in hands.values() for c in cards]
        meant = bool(eval(code, {"__builtins__": {}, **WORDS, "cards": everything, **spoken}))
        assert holds(node, hands) is meant
        assert by_columns(node, deal) is meant


#: Conditions that the generator does not write, with the roles of their deals.
MORE = {
    "poker(player) > poker(dealer)": {"player": 3, "dealer": 3},
    "poker(player) == poker(dealer) or poker(player) <= poker(dealer) != poker(player)": {"player": 3, "dealer": 3},
    "poker(player + board) >= poker(dealer + board)": {"player": 2, "dealer": 2, "board": 3},
    "poker(player + board) > poker(board)": {"player": 1, "board": 5},
    "total(player) in (7, 14, 20)": {"player": 2},
    "highest(player) not in ['A', 'K', '9'] and poker(player) in ('pair', 'flush')": {"player": 3},
    "(total(player) - 25) % 7 == total(dealer) % 3 + 1": {"player": 2, "dealer": 2},
    "same_ranks(player, dealer) or longest_straight(player + dealer, ace='low') >= 3": {"player": 2, "dealer": 2},
}


@pytest.mark.parametrize("text", MORE)
@pytest.mark.parametrize("decks", [1, 6])
def test_more_conditions_mean_what_python_makes_of_them(text: str, decks: int) -> None:
    """Random deals; a small set of ranks, so that hands are alike and straights occur."""
    roles, chance = MORE[text], random.Random(f"{text} {decks}")
    node, code = parse(text, roles), compile(text, "", "eval")
    seen = set()
    for cards in ("", "A2345", "TJQKA"):
        shoe = [c for c in range(52) if not cards or name(c)[0] in cards] * decks
        for _ in range(60):
            dealt = iter(chance.sample(shoe, sum(roles.values())))
            deal = {role: tuple(next(dealt) for _ in range(n)) for role, n in roles.items()}
            hands = {role: [name(c) for c in held] for role, held in deal.items()}
            meant = bool(eval(code, {"__builtins__": {}, **WORDS, **hands}))
            assert holds(node, hands) is meant, hands
            assert by_columns(node, deal) is meant, hands
            seen.add(meant)
    assert seen == {True, False}


def test_a_comment_ends_with_its_line() -> None:
    roles = {"player": 2, "upcard": 1}
    written = (
        "pair(player)  # of \"any\" rank\r\n and count(upcard, '7') == 1  # '7'\n or\tsuited(cards) # last"
    )
    plain = "pair(player) and count(upcard, '7') == 1 or suited(cards)"
    assert parse(written, roles) == parse(plain, roles)
