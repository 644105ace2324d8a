"""Classes of deals, checked against physical deals one by one, Burnside's lemma and published numbers."""

from collections import Counter
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin.base.errors import CountError, InputError
from combin.deals import classes as module
from combin.deals import seven_cards
from combin.deals.burnside import burnside_classes
from combin.deals.cards import CARD_TYPES, RANKS, RED, Shoe, cards, permute, suit_group
from combin.deals.classes import Classes
from combin.deals.lenses import Lens, Role

CARD = Lens.by_label("card", range(CARD_TYPES))
RANK = Lens.by_label("rank", [c % 13 for c in range(CARD_TYPES)])
SUIT = Lens.by_label("suit", [c // 13 for c in range(CARD_TYPES)])
COLOUR = Lens.by_label("colour", [c // 13 in RED for c in range(CARD_TYPES)])
RED_ACE = Lens.by_label("red ace", [c in cards("Ad Ah") for c in range(CARD_TYPES)])
QUEEN_OF_HEARTS = Lens.by_label("queen", [(c % 13 == 10) + (c == cards("Qh")[0]) for c in range(CARD_TYPES)])
NOTHING = Lens.by_label("nothing", [0] * CARD_TYPES)

ALL = suit_group()
HEARTS = suit_group(["hearts"])
COLOURS = suit_group(["colours"])
#: The two colours may be exchanged as wholes: a group of order eight.
PAIRS = tuple(p for p in ALL if {p[s] for s in RED} in (RED, {0, 3}))
NONE = ((0, 1, 2, 3),)
#: Cycles of three suits and of four suits: these groups are no products of exchanges.
TURNS = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
AROUND = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
GROUPS = {
    "all": ALL, "hearts": HEARTS, "colours": COLOURS, "pairs": PAIRS, "none": NONE, "turns": TURNS, "around": AROUND
}  # fmt: skip


def of(shoe: Shoe, group: tuple, *draws: tuple, in_order: bool = False) -> Classes:
    return Classes(shoe, tuple(Role(*draw) for draw in draws), shoe.stabilizer(group), in_order)


def stock(text: str) -> Shoe:
    """One deck of these ranks alone."""
    return Shoe(1, tuple(c for c in range(CARD_TYPES) if RANKS[c % 13] not in text))


# ---- published numbers


@pytest.mark.parametrize(
    ("size", "classes"), [(1, 13), (2, 169), (3, 1755), (4, 16432), (5, 134459), (6, 962988), (7, 6009159)]
)
def test_hands_of_one_deck_up_to_suits(size: int, classes: int) -> None:
    """Published numbers of hands up to suits (for two and three: starting hands and flops of hold'em)."""
    found = of(Shoe(1), ALL, ("player", size, CARD))
    assert found.places == burnside_classes(found) == classes
    table = found.table()
    assert table.classes == len(table) == classes
    assert table.deals == comb(52, size)


@pytest.mark.parametrize(("board", "classes"), [(3, 1286792), (4, 13960050), (5, 123156254)])
def test_starting_hands_and_boards(board: int, classes: int) -> None:
    """Published numbers of flops, turns and rivers of hold'em up to suits; the board is one set of cards."""
    assert burnside_classes(of(Shoe(1), ALL, ("player", 2, CARD), ("board", board, CARD))) == classes


def test_two_hands_that_order_tells_apart() -> None:
    """The player's two and the dealer's two cards, from so many decks that no card runs out."""
    table = of(Shoe(8), ALL, ("player", 2, CARD), ("dealer", 2, CARD)).table()
    assert table.classes == 115089 == len({tuple(row) for row in _rows(table, "player", "dealer")})


def _rows(table, *roles: str) -> list:
    columns = [table[f"{role}.{what}"] for role in roles for what in ("rank", "suit")]
    return np.concatenate(columns, axis=1).tolist()


# ---- every physical deal


def literal(classes: Classes) -> Counter:
    """Physical deals counted by orbit of labels. Each is dealt by itself, without chained lenses and cells."""
    pack = [c for c, copies in enumerate(classes.shoe.copies) for _ in range(copies)]
    by_types: Counter = Counter()

    def deal(index: int, free: frozenset, so_far: tuple) -> None:
        if index == len(classes.roles):
            by_types[so_far] += 1
            return
        draw = classes.roles[index]
        fit = sorted(i for i in free if draw.only is None or RANKS[pack[i] % 13] == draw.only)
        for hand in combinations(fit, draw.cards):
            deal(index + 1, free.difference(hand), (*so_far, tuple(pack[i] for i in hand)))

    deal(0, frozenset(range(len(pack))), ())
    found: Counter = Counter()
    for hands, ways in by_types.items():
        found[key(classes, hands)] += ways
    return found


def key(classes: Classes, hands: tuple) -> tuple:
    """The least image of a deal under the group, as labels role by role."""
    return min(
        tuple(
            tuple(sorted(draw.lens.label[permute(p, c)] for c in hand))
            for hand, draw in zip(hands, classes.roles, strict=True)
        )
        for p in classes.group
    )


def by_key(classes: Classes, table) -> Counter:
    """The weights of a table by orbit of its rows."""
    found: Counter = Counter()
    shown = [
        (13 * table[f"{draw.name}.suit"].astype(int) + table[f"{draw.name}.rank"]).tolist() for draw in classes.roles
    ]
    for *hands, weight in zip(*shown, table.weights.tolist(), strict=True):
        found[key(classes, tuple(map(tuple, hands)))] += weight
    return found


SMALL = [
    (stock("QKA"), [("player", 3, CARD), ("upcard", 1, CARD)]),
    (stock("KA"), [("player", 5, CARD), ("dealer", 1, CARD)]),
    (stock("KA"), [("first", 1, CARD), ("second", 1, CARD), ("third", 1, CARD), ("upcard", 1, CARD)]),
    (stock("QKA"), [("upcard", 1, RANK), ("player", 3, CARD)]),
    (stock("QKA"), [("player", 2, RANK), ("dealer", 2, SUIT)]),
    (stock("QKA"), [("player", 2, COLOUR), ("upcard", 1, RANK), ("dealer", 1, NOTHING)]),
    (stock("QKA"), [("player", 2, CARD), ("upcard", 1, CARD, "A"), ("dealer", 1, RANK)]),
    (stock("QKA"), [("player", 2, COLOUR), ("upcard", 1, NOTHING, "A")]),
    (Shoe(2, tuple(c for c in range(52) if c % 13 < 11 for _ in "12")), [("player", 3, CARD), ("dealer", 2, CARD)]),
    (Shoe(2, (*(c for c in range(52) if c % 13 < 11 for _ in "12"), *cards("Ah Kh"))), [("player", 4, CARD)]),
    (Shoe(3, tuple(c for c in range(52) if c % 13 < 12 for _ in "123")), [("player", 7, CARD), ("dealer", 1, CARD)]),
    (Shoe(1, tuple(c for c in range(52) if c % 13 < 9 or c in cards("As Kc"))), [("player", 2, CARD), ("b", 2, CARD)]),
]


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("case", range(len(SMALL)))
def test_weights_count_physical_deals(case: int, group: str) -> None:
    shoe, draws = SMALL[case]
    if group not in ("colours", "pairs", "none") and any(draw[2] is COLOUR for draw in draws):
        group = "pairs"  # the other groups separate suits of one colour
    classes = of(shoe, GROUPS[group], *draws)
    table = classes.table()
    expected = literal(classes)
    assert by_key(classes, table) == expected
    assert classes.deals == expected.total()
    assert table.classes == burnside_classes(classes) <= classes.places


@pytest.mark.parametrize(
    ("lens", "group"), [(QUEEN_OF_HEARTS, HEARTS), (RED_ACE, COLOURS), (RED_ACE, PAIRS[:1]), (SUIT, ALL)]
)
def test_what_is_singled_out(lens: Lens, group: tuple) -> None:
    classes = of(stock("QA"), group, ("player", 3, lens))
    assert by_key(classes, classes.table()) == literal(classes)
    # The table has exactly one row a class where no lenses have to be joined.
    assert len(classes.table()) == len(literal(classes))


# ---- Burnside's lemma


SHOES = [Shoe(1), Shoe(2), Shoe(8), Shoe(64), Shoe(2, cards("Qh Qh 7s")), Shoe(1, cards("As Ad Kc Kd Kh"))]
DEALS = [
    [("player", 2, CARD), ("upcard", 1, CARD)],
    [("player", 2, RANK), ("upcard", 1, CARD), ("dealer", 1, SUIT)],
    [("player", 3, CARD), ("upcard", 2, COLOUR)],
    [("first", 1, CARD), ("upcard", 1, CARD, "A"), ("dealer", 2, RANK)],
    [("player", 3, RANK), ("dealer", 2, RANK)],
]


@pytest.mark.parametrize("group", ["all", "hearts", "pairs", "around"])
@pytest.mark.parametrize("draws", DEALS, ids=range(len(DEALS)))
@pytest.mark.parametrize("shoe", SHOES, ids=lambda s: f"{s.decks}-{len(s.removed)}")
def test_as_many_as_burnside_counts(shoe: Shoe, draws: list, group: str) -> None:
    if any(draw[2] is COLOUR for draw in draws):
        group = "pairs"
    classes = of(shoe, GROUPS[group], *draws)
    table = classes.table()
    assert table.classes == burnside_classes(classes) <= classes.places
    if shoe.decks >= 8 and not any(draw.only for draw in classes.roles):
        assert table.classes == classes.places  # no card runs out


def test_no_group_is_noticed() -> None:
    with pytest.raises(CountError, match="Burnside"):
        burnside_classes(of(Shoe(1), ((0, 1, 2, 3), (1, 2, 0, 3)), ("player", 1, SUIT), ("dealer", 1, SUIT)))


def test_a_group_that_the_shoe_does_not_allow_is_noticed() -> None:
    with pytest.raises(CountError, match="does not preserve its shoe"):
        Classes(Shoe(1, cards("Ah")), (Role("player", 2, CARD),), ALL).table()


def test_a_lens_that_the_group_tears_is_refused() -> None:
    with pytest.raises(InputError, match='lens "colour" distinguishes suits'):
        of(Shoe(1), ALL, ("player", 2, COLOUR)).table()


# ---- a few at a time


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_any_parts_are_the_whole(data: st.DataObject) -> None:
    """The table may be cut at any place: the parts hold the same classes in the same order."""
    shoe, draws = data.draw(st.sampled_from([*SMALL, (Shoe(1), DEALS[0]), (Shoe(6), DEALS[4])]))
    classes = of(shoe, PAIRS, *draws)
    table = classes.table()
    cuts = data.draw(st.lists(st.integers(0, classes.places), max_size=6))
    parts = [classes.part(start, stop) for start, stop in pairwise([0, *sorted(cuts), classes.places])]
    assert np.concatenate([weights for _, weights in parts]).tolist() == table.weights.tolist()
    for name, column in table.columns.items():
        assert np.concatenate([columns[name] for columns, _ in parts]).tolist() == column.tolist()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_tally_is_the_table_added_up(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_A_TIME", 1000)
    monkeypatch.setattr(module, "A_TURN", 4000)
    classes = of(Shoe(2), ALL, ("player", 2, CARD), ("board", 2, CARD))
    table = classes.table()

    def see(columns):
        ranks = np.concatenate([columns["player.rank"], columns["board.rank"]], axis=1)
        return {
            "pair": columns["player.rank"][:, 0] == columns["player.rank"][:, 1],
            "below": ranks.max(axis=1) - np.int8(12),
            "sum": ranks.sum(axis=1, dtype=np.uint16),
            "large": ranks.astype(np.int32).sum(axis=1, dtype=np.int32) * -40_000_000,
            "larger": ranks.sum(axis=1, dtype=np.int64) * -(2**57),
        }

    tally = classes.tally(see, threads=threads)
    names = ("pair", "below", "sum", "large", "larger")
    expected: Counter = Counter()
    for *row, weight in zip(*see(table.columns).values(), table.weights.tolist(), strict=True):
        expected[tuple(int(value) for value in row)] += weight
    rows = zip(*(tally[name].tolist() for name in names), tally.weights.tolist(), strict=True)
    assert {tuple(map(int, row)): weight for *row, weight in rows} == dict(expected)
    assert [tally[name].dtype for name in names] == [bool, np.int8, np.uint16, np.int32, np.int64]
    assert (tally.classes, tally.deals) == (table.classes, table.deals)


def test_a_tally_refuses_what_is_no_code() -> None:
    classes = of(Shoe(1), ALL, ("player", 2, CARD))
    with pytest.raises(TypeError, match="booleans or integers"):
        classes.tally(lambda columns: {"share": columns["player.rank"][:, 0] / 13})


def test_a_tally_by_a_hundred_questions() -> None:
    """There are more outcomes than bits in a machine word."""
    classes = of(Shoe(1), ALL, ("player", 2, CARD))
    tally = classes.tally(lambda c: {f"{i}": c["player.rank"].sum(axis=1) == i % 25 for i in range(100)})
    assert len(tally) == 25
    for i in range(100):
        ways = sum(6 if a == b else 16 for a in range(13) for b in range(a, 13) if a + b == i % 25)
        assert tally.count(tally[f"{i}"]) == ways


def test_seven_cards_by_suit_agree_with_the_joint_table() -> None:
    """The longest flush and fours of a kind of all 133,784,560 hands, against the kernel of seven cards."""

    def see(columns):
        ranks, suits = columns["player.rank"], columns["player.suit"]
        flush = sum((suits == s).sum(axis=1, dtype=np.int8) == 4 for s in range(4)).astype(bool)
        fours = (ranks[:, 3:] == ranks[:, :-3]).any(axis=1)  # a class's ranks ascend
        return {"four-card flush": flush, "four of a kind": fours}

    tally = of(Shoe(1), ALL, ("player", 7, CARD)).tally(see)
    rows, weights, classes = seven_cards.by_class()
    expected: Counter = Counter()
    flush, quads = seven_cards.columns.index("flush"), seven_cards.columns.index("quads")
    for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
        expected[int(row[flush] == 4), row[quads]] += weight
    assert tally.group_by("four-card flush", "four of a kind") == dict(expected)
    assert tally.classes == classes


# ---- what is too large


@pytest.mark.parametrize(
    ("shoe", "draws", "number"),
    [
        # Burnside's lemma gives this number, because no card of eight decks runs out.
        (Shoe(8), [("player", 4, CARD), ("dealer", 3, CARD)], "378,454,544 classes"),
        (Shoe(1), [(i, 7, CARD) for i in "abcd"], f"{comb(52, 7) * comb(45, 7) * comb(38, 7) * comb(31, 7):,} deals"),
        (Shoe(64), [("player", 7, CARD)], f"{comb(3328, 7):,} deals"),
        (Shoe(1), [("player", 7, RANK), ("dealer", 7, RANK)], "2,421,132,025 classes"),
    ],
)  # fmt: skip
def test_too_large_a_deal_is_refused_with_its_number(shoe: Shoe, draws: list, number: str) -> None:
    classes = of(shoe, ALL, *draws)
    for count in (classes.table, lambda: classes.tally(dict)):
        with pytest.raises(InputError, match=number) as error:
            count()
        assert len(str(error.value).splitlines()) == 1


def test_a_table_that_does_not_fit_is_refused_and_tallied() -> None:
    classes = of(Shoe(8), ALL, ("player", 7, CARD))
    assert not classes.fits_a_table
    with pytest.raises(InputError, match=r"13,935,259 classes of deals, a table of 292 MiB"):
        classes.table()


@pytest.mark.parametrize("draws", [[], [("player", 0, CARD)], [("player", 9, CARD)], [("a", 1, CARD)] * 9])
def test_what_is_no_deal_is_refused(draws: list) -> None:
    with pytest.raises(InputError, match="deal 1 to 8 cards to each of 1 to 8 roles"):
        of(Shoe(1), ALL, *draws)


def test_a_shoe_too_small_is_refused() -> None:
    with pytest.raises(InputError, match="a shoe of 4 cards cannot deal player 5"):
        of(stock("A"), ALL, ("player", 5, CARD)).table()


def test_all_subgroups_of_four_suits_have_room() -> None:
    """The symmetric group of four suits has 30 subgroups. Labels of cards give 15 of them, one a partition."""
    classes = of(Shoe(1), ALL, ("player", 7, CARD), ("dealer", 7, CARD))
    assert len(classes._tables.bound[0, 0, 0]) == 15
