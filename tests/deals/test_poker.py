"""Poker values: every hand of three and of five cards, published counts of seven, and an evaluator in plain Python."""

import random
from collections import Counter
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combin.deals.cards import CARD_TYPES, Shoe, cards, suit_group
from combin.deals.classes import Classes
from combin.deals.lenses import Lens, Role
from combin.deals.poker import CATEGORY_SHIFT, FIVE_CARDS, THREE_CARDS, categories, values

CARD = Lens.by_label("card", range(CARD_TYPES))

#: Published counts: of all 2,598,960 hands of five cards, of the best five of all 133,784,560 hands of seven,
#: and of all 22,100 hands of three cards.
OF_FIVE = {
    "royal flush": 4,
    "straight flush": 36,
    "four of a kind": 624,
    "full house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three of a kind": 54912,
    "two pair": 123552,
    "pair": 1098240,
    "high card": 1302540,
}
OF_SEVEN = {
    "royal flush": 4324,
    "straight flush": 37260,
    "four of a kind": 224848,
    "full house": 3473184,
    "flush": 4047644,
    "straight": 6180020,
    "three of a kind": 6461620,
    "two pair": 31433400,
    "pair": 58627800,
    "high card": 23294460,
}
OF_THREE = {
    "straight flush": 48,
    "three of a kind": 52,
    "straight": 720,
    "flush": 1096,
    "pair": 3744,
    "high card": 16440,
}


def value(hand) -> int:
    types = np.array([hand])
    return int(values(types % 13, types // 13)[0])


def category(text: str) -> str:
    names = THREE_CARDS if len(cards(text)) == 3 else FIVE_CARDS
    return names[value(cards(text)) >> CATEGORY_SHIFT]


# ---- a second evaluator; it counts ranks and suits and shares no code with the kernel


def plain_five(hand) -> tuple:
    """Five cards as a tuple; tuples compare as poker hands do."""
    ranks = sorted((c % 13 for c in hand), reverse=True)
    held = Counter(ranks)
    most = sorted(held.values(), reverse=True)
    by_number = sorted(ranks, key=lambda r: (held[r], r), reverse=True)
    flush = len({c // 13 for c in hand}) == 1
    straight = len(held) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    top = 3 if ranks == [12, 3, 2, 1, 0] else ranks[0]
    if straight and flush:
        return ("royal flush" if top == 12 else "straight flush"), [top]
    if most[0] >= 4:
        return "four of a kind", by_number
    if most == [3, 2]:
        return "full house", by_number
    if flush:
        return "flush", ranks
    if straight:
        return "straight", [top]
    if most[0] == 3:
        return "three of a kind", by_number
    if most[:2] == [2, 2]:
        return "two pair", by_number
    return ("pair" if most[0] == 2 else "high card"), by_number


def plain_three(hand) -> tuple:
    ranks = sorted((c % 13 for c in hand), reverse=True)
    flush = len({c // 13 for c in hand}) == 1
    straight = ranks in [[r + 2, r + 1, r] for r in range(11)] or ranks == [12, 1, 0]
    top = 1 if ranks == [12, 1, 0] else ranks[0]
    by_number = sorted(ranks, key=lambda r: (ranks.count(r), r), reverse=True)
    if straight:
        return ("straight flush" if flush else "straight"), [top]
    if len(set(ranks)) == 1:
        return "three of a kind", by_number
    if flush:
        return "flush", ranks
    return ("pair" if len(set(ranks)) == 2 else "high card"), by_number


def plain(hand) -> tuple:
    if len(hand) == 3:
        name, ranks = plain_three(hand)
        return THREE_CARDS.index(name), ranks
    return max((FIVE_CARDS.index(name), ranks) for name, ranks in map(plain_five, combinations(hand, 5)))


def in_the_same_order(hands) -> None:
    """The values order the hands as the plain tuples do, with the same ties."""
    both = sorted((value(hand), plain(hand)) for hand in hands)
    for (low, worse), (high, better) in pairwise(both):
        assert (low == high) == (worse == better), (worse, better)
        assert worse <= better
        assert low >> CATEGORY_SHIFT == worse[0]


# ---- one deck


def named(counted, names) -> dict:
    return {names[code]: int(number) for code, number in enumerate(counted) if number}


@pytest.fixture(scope="module")
def all_of_five() -> np.ndarray:
    """All 2,598,960 hands, listed one by one."""
    return np.fromiter((c for hand in combinations(range(52), 5) for c in hand), np.int8).reshape(-1, 5)


def test_every_hand_of_five_cards(all_of_five: np.ndarray) -> None:
    assert len(all_of_five) == comb(52, 5)
    assert named(np.bincount(categories(all_of_five % 13, all_of_five // 13)), FIVE_CARDS) == OF_FIVE


def test_the_order_of_all_values(all_of_five: np.ndarray) -> None:
    """There are 7,462 values, the published number. One hand of each has the rank of the plain evaluator."""
    _, first = np.unique(values(all_of_five % 13, all_of_five // 13), return_index=True)
    assert len(first) == 7462
    ordered = [plain(hand) for hand in all_of_five[first].tolist()]
    assert all(worse < better for worse, better in pairwise(ordered))


def test_every_hand_of_seven_cards() -> None:
    classes = Classes(Shoe(1), (Role("player", 7, CARD),), suit_group())
    table = classes.tally(lambda c: {"hand": categories(c["player.rank"], c["player.suit"])})
    assert {FIVE_CARDS[code]: number for (code,), number in table.group_by("hand").items()} == OF_SEVEN


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (5, OF_FIVE),
        # Six cards: published counts of 20,358,520 hands.
        (6, {"royal flush": 188, "straight flush": 1656, "four of a kind": 14664, "full house": 165984,
             "flush": 205792, "straight": 361620, "three of a kind": 732160, "two pair": 2532816,
             "pair": 9730740, "high card": 6612900}),
    ],
)  # fmt: skip
def test_hands_by_class(size: int, counts: dict) -> None:
    table = Classes(Shoe(1), (Role("player", size, CARD),), suit_group()).table()
    found = categories(table["player.rank"], table["player.suit"])
    assert {name: table.count(found == code) for code, name in enumerate(FIVE_CARDS)} == counts


def test_every_hand_of_three_cards() -> None:
    hands = list(combinations(range(52), 3))
    types = np.array(hands)
    assert named(np.bincount(categories(types % 13, types // 13)), THREE_CARDS) == OF_THREE
    _, first = np.unique(values(types % 13, types // 13), return_index=True)
    # 12 straight flushes, 13 threes, 12 straights, C(13, 3) − 12 flushes and as many high cards, 13 × 12 pairs.
    assert len(first) == 12 + 13 + 12 + 2 * (comb(13, 3) - 12) + 13 * 12
    ordered = [plain(hand) for hand in types[first].tolist()]
    assert all(worse < better for worse, better in pairwise(ordered))


# ---- cards of several decks


def of_decks(d: int) -> dict:
    """Five-card hands of d decks by category, in closed form. A suited hand below a flush counts as a flush."""
    four = 4 * d
    less_suited = (
        13 * comb(d, 3) * comb(12, 2) * d**2
        + comb(13, 2) * comb(d, 2) ** 2 * 11 * d
        + 13 * comb(d, 2) * comb(12, 3) * d**3
        + (comb(13, 5) - 10) * d**5
    )
    return {
        "royal flush": 4 * d**5,
        "straight flush": 36 * d**5,
        "four of a kind": 13 * (comb(four, 5) + comb(four, 4) * 12 * four),
        "full house": 13 * 12 * comb(four, 3) * comb(four, 2),
        "flush": 4 * less_suited,
        "straight": 10 * (four**5 - 4 * d**5),
        "three of a kind": 13 * comb(12, 2) * (comb(four, 3) * four**2 - 4 * comb(d, 3) * d**2),
        "two pair": comb(13, 2) * (comb(four, 2) ** 2 * 11 * four - 4 * comb(d, 2) ** 2 * 11 * d),
        "pair": 13 * comb(12, 3) * (comb(four, 2) * four**3 - 4 * comb(d, 2) * d**3),
        "high card": (comb(13, 5) - 10) * (four**5 - 4 * d**5),
    }


@pytest.mark.parametrize("decks", [1, 2, 6, 8, 64])
def test_five_cards_of_many_decks_in_closed_form(decks: int) -> None:
    classes = Classes(Shoe(decks), (Role("player", 5, CARD),), suit_group())
    table = classes.tally(lambda c: {"hand": categories(c["player.rank"], c["player.suit"])})
    assert {FIVE_CARDS[code]: number for (code,), number in table.group_by("hand").items()} == of_decks(decks)
    assert sum(of_decks(decks).values()) == comb(52 * decks, 5)


@pytest.mark.parametrize("size", [3, 5, 6, 7])
@pytest.mark.parametrize("decks", [1, 2, 8])
def test_random_hands(size: int, decks: int) -> None:
    dealt = random.Random(size * 10 + decks)
    pack = [c for c in range(52) for _ in range(decks)]
    in_the_same_order([dealt.sample(pack, size) for _ in range(400)])
    # Few ranks and suits: fives, full houses, flushes with pairs.
    narrow = [c for c in pack if c % 13 in (12, 11, 3, 2, 1, 0) and c // 13 < 2]
    if len(narrow) >= size:
        in_the_same_order([dealt.sample(narrow, size) for _ in range(400)])


@given(st.lists(st.sampled_from([0, 1, 12, 13, 14, 25]), min_size=7, max_size=7))
def test_hands_of_few_cards(hand: list[int]) -> None:
    code, ranks = plain(hand)
    found = value(hand)
    assert found >> CATEGORY_SHIFT == code
    assert found >> 16 & 15 == ranks[0]


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Ah Kh Qh Jh Th", "royal flush"),
        ("5h 4h 3h 2h Ah", "straight flush"),
        ("Kh Kh Kh Kh Kh", "four of a kind"),  # five of a kind is no category of its own
        ("Kh Kh Kh 2h 2h", "full house"),  # above a flush
        ("Kh Kh 9h 9h 2h", "flush"),  # above two pair
        ("Ah Kh Qh Jh Th Th Th", "royal flush"),
        ("Kc Kd 9h 9s 2h", "two pair"),
        ("2c 3d 4h 5s 6h Ah Ad", "straight"),
        ("Qh Kh Ah", "straight flush"),
        ("Kh Ah 2h", "flush"),  # no straight runs through the ace, as K-A-2 does
        ("Ah 2d 3c", "straight"),
        ("Kh Kh Kh", "three of a kind"),
        ("Kh Kh 2h", "flush"),
    ],
)
def test_what_a_hand_is_called(hand: str, name: str) -> None:
    assert category(hand) == name


def test_five_of_a_kind_lies_among_fours_by_its_fifth_card() -> None:
    fours = [value(cards(f"Kh Kd Kc Ks {fifth}")) for fifth in ("2h", "Qh", "Kh", "Ah")]
    assert fours == sorted(set(fours))
    # The best fifth card of seven counts, whether it has the rank of the four or not.
    assert value(cards("Kh Kd Kc Ks Kh Ah 2d")) == fours[3]
    assert value(cards("Kh Kd Kc Ks Kh Qh 2d")) == fours[2]


# ---- what is no hand


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_other_numbers_of_cards_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="three, five, six or seven cards"):
        value(range(size))


@pytest.mark.parametrize(("rank", "suit"), [(-1, 0), (13, 0), (0, -1), (0, 4)])
@pytest.mark.parametrize("size", [3, 5, 6, 7])
def test_what_is_no_card_is_refused(rank: int, suit: int, size: int) -> None:
    ranks, suits = np.zeros((40, size), np.int8), np.zeros((40, size), np.int8)
    ranks[20, size - 1], suits[20, size - 1] = rank, suit
    with pytest.raises(ValueError, match="invalid card"):
        values(ranks, suits)


def test_no_hands() -> None:
    assert values(np.zeros((0, 5), np.int8), np.zeros((0, 5), np.int8)).shape == (0,)
