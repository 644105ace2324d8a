"""Outcomes of blackjack wagers, checked against a scalar settlement, closed forms and published counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from combin.base.errors import InputError
from combin.deals.cards import Shoe, cards, suit_group
from combin.deals.first_cards import Deal, enumerate_classes
from combin.deals.lenses import Role
from combin.deals.table import Table
from combin.published.figures import mapping
from combin.rulebook.book import Resolved, shipped
from combin.rulebook.pays import LOSS
from combin.verify.settle_literal import outcomes_of, settle
from combin.wagers.columns import Columns
from combin.wagers.wager_outcomes import conditions_of, masks_of, seen_deal

BOOK = shipped()
PREFIX = "maryland/blackjack/"
SHOE_WAGERS = [
    w.id for w in BOOK.wagers.values()
    if w.id.startswith(PREFIX) and w.terms.deal and "draws out" not in w.terms.deal
]


def variants(wager_id: str) -> list[Resolved]:
    """The wager under every combination of choices, one for each distinct deal and options, the primary first."""
    found: dict[str, Resolved] = {}
    for letter in BOOK.wagers[wager_id].paytables:
        identifier = f"{wager_id}/{letter}"
        readings = BOOK.readings_of(identifier)
        for choices in product(*(r.choices for r in readings)):
            resolved = BOOK.resolve(identifier, {r.id: c.id for r, c in zip(readings, choices, strict=True)})
            terms = resolved.terms
            found.setdefault(repr((terms.deal, terms.suits, sorted(terms.options.items()))), resolved)
    return list(found.values())


def table_of(resolved: Resolved, decks: int) -> tuple[Deal, Table]:
    deal = seen_deal(resolved, whole=True)
    return deal, deal.table(Shoe(decks))


def masks(resolved: Resolved, table: Table) -> dict[str, Any]:
    """Every outcome of the wager, with and without a pay."""
    return dict(masks_of(table, resolved, whole=True))


def shown_as(role: Role, rank: int, suit: int) -> list[int]:
    """The card types with this rank and suit under the role's lens."""
    lens = role.lens
    label = [i for i in range(lens.labels) if (lens.rank[i], lens.suit[i]) == (rank, suit)]
    return [c for c in range(52) if lens.label[c] == label[0]] if label else list(range(52))


def representatives(deal: Deal, table: Table, step: int) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
    """(row, a deal of card types that looks like it). Hidden cards take turns from row to row."""
    members: dict[tuple[str, int, int], list[int]] = {}
    columns = [(r, *(table[f"{r.name}.{part}"][::step].tolist() for part in ("rank", "suit"))) for r in deal.roles]
    found = []
    for n, row in enumerate(range(0, len(table), step)):
        hands = []
        for role, ranks, suits in columns:
            hand = []
            for i, key in enumerate(zip(ranks[n], suits[n], strict=True)):
                if (role.name, *key) not in members:
                    members[role.name, *key] = shown_as(role, *key)
                like = members[role.name, *key]
                hand.append(like[(7 * row + 11 * i) % len(like)])
            hands.append(tuple(hand))
        found.append((row, tuple(hands)))
    return found


@pytest.mark.parametrize("wager_id", SHOE_WAGERS)
def test_classes_are_settled_as_in_plain_python(wager_id: str) -> None:
    """The whole set of outcomes is compared for every reading, so no order of a paytable can hide a difference.

    Four decks hold every deal of card types, also those of fewer decks.
    """
    for i, resolved in enumerate(variants(wager_id)):
        deal, table = table_of(resolved, 4)
        roles = Deal(resolved.terms.deal).roles
        # Every class is compared, with two exceptions: one class in three of long tables under other readings, and
        # one in 97 of the 95,626 classes of Super 4. The counts below are whole.
        step = 97 if len(table) > 30_000 else 3 if i and len(table) > 5_000 else 1
        found = masks(resolved, table)
        names = list(found)
        rows = np.stack([found[name] for name in names], axis=1)
        for row, hands in representatives(deal, table, step):
            by_array = {name for name, mask in zip(names, rows[row].tolist(), strict=True) if mask}
            seen = by_role(roles, deal, hands)
            assert outcomes_of(resolved.terms.settlement, seen, resolved.options) & set(names) == by_array, hands


def by_role(roles: Sequence[Role], deal: Deal, hands: tuple[tuple[int, ...], ...]) -> dict[str, tuple[int, ...]]:
    """The cards of each role; several roles may be dealt as one hand."""
    dealt = {}
    for seat, hand in zip(deal.roles, hands, strict=True):
        for role in roles:
            if role.name in seat.name.split(" + "):
                dealt[role.name], hand = hand[: role.cards], hand[role.cards :]
    return dealt


#: Wagers that single out a card, a suit or a colour. All others allow every suit permutation.
SINGLED_OUT = {
    "lucky-ladies": ("hearts",), "lucky-ladies-progressive": ("hearts",), "kings-bounty": ("spades",),
    "kk": ("diamonds",), "qq": ("diamonds",), "jj": ("diamonds",), "lucky-aces": ("diamonds",),
    "super-4-progressive": ("diamonds", "colours"), "blazing-7s-progressive": ("diamonds", "colours"),
    "upcard-luck-21": ("spades",), "21-plus-3-progressive/B": ("spades",),
}  # fmt: skip


@pytest.mark.parametrize("wager_id", SHOE_WAGERS)
def test_the_suits_that_a_wager_singles_out_are_computed(wager_id: str) -> None:
    for letter in BOOK.wagers[wager_id].paytables:
        name = wager_id.removeprefix(PREFIX)
        suits = SINGLED_OUT.get(f"{name}/{letter}", SINGLED_OUT.get(name, ()))
        deal = seen_deal(BOOK.resolve(f"{wager_id}/{letter}"))
        assert sorted(deal.group(Shoe(4))) == sorted(suit_group(suits))


def counts(identifier: str, decks: int, lines: list[str] | None = None, **reading: str) -> dict[str, int]:
    """The number of deals by the first line met, in the order of the paytable or of ``lines``."""
    resolved = BOOK.resolve(PREFIX + identifier, {k.replace("_", "-"): v for k, v in reading.items()})
    _, table = table_of(resolved, decks)
    found, left, result = masks(resolved, table), np.ones(len(table), dtype=bool), {}
    for name in lines or [name for name, _ in resolved.payments]:
        result[name] = table.count(found[name] & left)
        left &= ~found[name]
    return {**result, LOSS: table.count(left), "total": table.deals}


# Closed forms, for any number of decks


@pytest.mark.parametrize("d", range(1, 9))
def test_two_cards_of_the_player(d: int) -> None:
    pairs = 13 * comb(4 * d, 2)
    suited_pairs = 52 * comb(d, 2)
    assert counts("pair/A", d) == {
        "suited pair": suited_pairs, "non-suited pair": pairs - suited_pairs,
        LOSS: comb(52 * d, 2) - pairs, "total": comb(52 * d, 2),
    }
    royal = counts("royal-match-21/A", d, crown_treasure="not-offered")
    assert royal["royal match"] == 4 * d * d
    assert royal["suited match"] == 4 * comb(13 * d, 2) - 4 * d * d
    money = counts("house-money/single-deck", d)
    assert money["ace-king suited"] == 4 * d * d
    assert money["two-card straight flush"] == 12 * 4 * d * d
    assert money["two-card straight"] == 13 * 12 * d * d
    assert counts("house-money/single-deck", d, house_money_ace="high")["two-card straight"] == 12 * 12 * d * d
    low = counts("house-money/single-deck", d, house_money_ace="low")
    assert (low["ace-king suited"], low["two-card straight flush"]) == (4 * d * d, 12 * 4 * d * d)
    # A deck has sixteen ten-valued cards. A king with another of them is already a 20.
    kings = counts("kk/A", d)
    assert kings["king of diamonds pair"] == comb(d, 2)
    assert kings["matched 20"] == 15 * comb(d, 2)
    assert kings["any 20"] == comb(16 * d, 2) + 16 * d * d - 16 * comb(d, 2)
    assert kings["one king"] == 4 * d * (52 - 16) * d
    literal = counts("kk/A", d, any_20="as-defined")
    assert literal["matched 20"] == 14 * comb(d, 2)
    assert literal["any 20"] == comb(16 * d, 2) - 4 * comb(4 * d, 2) + 12 * d * d


@pytest.mark.parametrize("d", range(1, 9))
def test_two_cards_and_the_upcard(d: int) -> None:
    n = 52 * d
    same, other, rest = d - 1, 3 * d, n - 4 * d  # beside an upcard: copies of it, other cards of its rank, all else
    dealt = counts("match-the-dealer/6-decks", d)
    assert dealt == {
        "two suited matches": n * comb(same, 2),
        "one suited and one unsuited match": n * same * other,
        "two unsuited matches": n * comb(other, 2),
        "one suited match": n * same * rest,
        "one unsuited match": n * other * rest,
        LOSS: n * comb(rest, 2),
        "total": n * comb(n - 1, 2),
    }
    bonus = counts("match-super-bonus/A", d)
    assert list(bonus.values())[:5] == [n * comb(same, 2), n * same * other, n * same * rest, n * comb(other, 2),
                                        n * other * rest]
    # In Between, ace high: 12 − w pairs of ranks hold w ranks between them.
    between = counts("in-between/A", d)
    ways = {w: (12 - w) * 4 * d * 4 * d * w * 4 * d for w in range(1, 12)}
    assert between["triple match"] == 13 * comb(4 * d, 3) * 3
    assert [between[f"{w}-card spread"] for w in ("one", "two", "three")] == [ways[1], ways[2], ways[3]]
    assert between["all others"] == sum(ways[w] for w in range(4, 12))
    assert counts("in-between/A", d, ace_in_between="low") == between
    ends = counts("a-2/A", d, ends_in_a_2="included")
    widths = {w: (12 - w) * (4 * d) ** 2 for w in range(12)}
    assert ends["one-card spread"] == widths[1] * (4 * d + 2 * (4 * d - 1))
    assert ends["all other spreads"] == sum(widths[w] * (4 * d * w + 2 * (4 * d - 1)) for w in (0, *range(3, 12)))


@pytest.mark.parametrize("d", range(1, 9))
def test_three_cards(d: int) -> None:
    three = 13 * comb(4 * d, 3)
    straights, flushes = 12 * (4 * d) ** 3, 4 * comb(13 * d, 3)
    straight_flushes, suited_threes = 12 * 4 * d**3, 52 * comb(d, 3)
    poker = counts("three-card-poker/A", d)
    assert poker["straight flush"] == straight_flushes
    assert poker["three of a kind"] == three
    assert poker["straight"] == straights - straight_flushes
    assert poker["flush"] == flushes - straight_flushes - suited_threes
    low = counts("three-card-poker/A", d, ace_in_three_card_poker="low")
    assert low["straight flush"] == 11 * 4 * d**3
    assert counts("trilux-bonus/B", d)["mini royal"] == 4 * d**3
    top = counts("top-3/A", d)
    assert top["suited three of a kind"] == suited_threes
    assert top["three of a kind"] == three - suited_threes
    meter = counts("21-plus-3-progressive/B", d)
    assert meter["three aces of the designated suit"] == comb(d, 3)
    assert meter["three aces of another suit"] == 3 * comb(d, 3)
    assert meter["suited three of a kind"] == 48 * comb(d, 3)
    blazing = counts("blazing-7s-progressive/A", d)
    assert list(blazing.values())[:6] == [
        comb(d, 3), 3 * comb(d, 3), 2 * comb(2 * d, 3) - 4 * comb(d, 3), comb(4 * d, 3) - 2 * comb(2 * d, 3),
        comb(4 * d, 2) * 48 * d, 4 * d * comb(48 * d, 2),
    ]
    sevens = counts("7s/A", d)
    assert list(sevens.values())[:5] == [
        4 * d * (d - 1) * (d - 2), 4 * d * (4 * d - 1) * (4 * d - 2) - 4 * d * (d - 1) * (d - 2),
        4 * d * (d - 1) * 48 * d, 4 * d * 3 * d * 48 * d, 4 * d * 48 * d * (52 * d - 2),
    ]
    anywhere = counts("7s/A", d, first_seven="any-of-three")
    # Under this reading the three cards are one hand.
    assert anywhere["first 7"] == 4 * d * comb(48 * d, 2)
    # Either of the player's cards may be the first: twice as many, and without their order.
    either = counts("7s/A", d, first_seven="either-player-card")
    assert either["first 7"] == sevens["first 7"]
    assert 2 * either["total"] == sevens["total"]


@pytest.mark.parametrize("d", range(1, 9))
def test_four_cards(d: int) -> None:
    n = 4 * d
    match = counts("super-match/6-decks", d)
    assert match["four of a kind"] == 13 * comb(n, 4)
    assert match["two pair"] == comb(13, 2) * comb(n, 2) ** 2
    assert match["three of a kind"] == 13 * comb(n, 3) * 48 * d
    assert match["pair"] == 13 * comb(n, 2) * comb(12, 2) * n * n
    aces = counts("lucky-aces/A", d)
    rest = 48 * d
    assert list(aces.values())[:7] == [
        comb(n, 4), 4 * comb(d, 3) * rest, (comb(n, 3) - 4 * comb(d, 3)) * rest, 4 * comb(d, 2) * comb(rest, 2),
        (comb(n, 2) - 4 * comb(d, 2)) * comb(rest, 2), d * comb(rest, 3), 3 * d * comb(rest, 3),
    ]
    ladies = counts("lucky-ladies/A", d)
    others = comb(52 * d - 2, 2)
    top = comb(d, 2) * n * (4 * n - 2)  # two ten-valued cards are gone
    assert ladies["queen of hearts pair and dealer blackjack"] == top
    assert ladies["queen of hearts pair"] == comb(d, 2) * others - top
    assert ladies["matched 20"] == 15 * comb(d, 2) * others
    suited = 4 * (comb(4 * d, 2) + d * d)
    assert ladies["suited 20"] == (suited - 16 * comb(d, 2)) * others
    assert ladies["any 20"] == (comb(16 * d, 2) + 16 * d * d - suited) * others
    only_tens = counts("lucky-ladies/A", d, ace_nine_is_20="no")
    assert only_tens["any 20"] == (comb(16 * d, 2) - 4 * comb(4 * d, 2)) * others
    bounty = counts("kings-bounty/A", d)
    assert bounty["king of spades pair and dealer blackjack"] == top
    assert bounty["pair of kings"] == (comb(n, 2) - 4 * comb(d, 2)) * others
    four = counts("super-4-progressive/A", d)
    # The dealer's ace and ten-valued card come in either order. In a royal flush any of three is the dealer's.
    assert four["royal flush of diamonds"] == 3 * d**4 * 2
    assert four["royal flush of another suit"] == 3 * 3 * d**4 * 2
    assert four["straight"] == 3 * n**4 * 2 - 4 * 3 * d**4 * 2
    assert four["three of a kind"] == 2 * n * 4 * n * (comb(n - 1, 2) * 2)
    flush = 2 * 4 * d * 4 * d * (d - 1) ** 2  # two pair of one suit is settled by the line above
    assert four["two pair"] == 2 * n * 4 * n * (n - 1) ** 2 - flush
    assert four["dealer ace up without blackjack"] == n * (52 * d - 1 - 4 * n) * comb(52 * d - 2, 2)
    up = counts("super-4-progressive/A", d, super_4_blackjack="ace-up")
    assert up["royal flush of diamonds"] == 3 * d**4
    insured = counts("insurance/A", d)
    assert (insured["dealer blackjack"], insured["total"]) == (n * 4 * n, n * (52 * d - 1))
    spin = counts("bonus-spin-progressive/A", d)
    assert spin["blackjack"] == n * 4 * n
    assert spin["at least one ace"] == comb(52 * d, 2) - comb(48 * d, 2) - n * 4 * n


# Published counts as their sources print them; deal and paytable are the document's or a variant's

PUBLISHED = [
    ("match-the-dealer/6-decks", 2, 104, ["two suited matches", "one suited and one unsuited match",
     "one suited match", "two unsuited matches", "one unsuited match"], {}, [0, 6, 96, 15, 576, 4560, None]),
    ("match-the-dealer/6-decks", 4, 208, ["two suited matches", "one suited and one unsuited match",
     "one suited match", "two unsuited matches", "one unsuited match"], {}, [3, 36, 576, 66, 2304, 18336, 21321]),
    ("in-between/A", 1, 0.5, None, {}, [312, 1408, 2560, 3456, 29184, 95680, 132600]),
    ("in-between/A", 2, 0.5, None, {}, [4368, 11264, 20480, 27648, 233472, 795392, 1092624]),
    ("bet-the-set-21/B", 2, 1, None, {}, [52, 312, 4992, 5356]),
    ("bet-the-set-21/C", 6, 1, None, {}, [780, 2808, 44928, 48516]),
    ("royal-match-21/A", 1, 1, None, {"crown_treasure": "not-offered"}, [4, 308, 1014, 1326]),
    ("royal-match-21/C", 6, 1, None, {"crown_treasure": "not-offered"}, [144, 11868, 36504, 48516]),
    ("three-card-poker/A", 6, 1, ["straight flush", "three of a kind", "straight", "flush without a pair",
     "flush with a pair", "pair, no flush"], {}, [10368, 26312, 155520, 236736, 56160, 977184, 3551040, 5013320]),
    ("three-card-poker/A", 8, 1, ["straight flush", "three of a kind", "straight", "flush"], {},
     [24576, 64480, 368640, 700928, 10753536, 11912160]),
    ("lucky-lucky/A", 2, 1, None, {}, [0, 32, 56, 480, 936, 14904, 13792, 13344, 138560, 182104]),
    ("lucky-lucky/A", 6, 1, None, {}, [80, 864, 1944, 12960, 26568, 406296, 377568, 364320, None, None]),
    ("upcard-luck-21/A", 8, 1, None, {}, [12288, 774144, 2042912, 3817472, 29089664, 35736480]),
    ("lucky-aces/B", 8, 1, None, {}, [35960, 86016, 1818624, 8236032, 28237824, 74908672, 224726016, 891881376,
     1229930520]),
    # The source prints 26,232 offsuit and a total of 5,014,280. It counts 960 suited threes twice.
    ("21-plus-3-progressive/A", 6, 1, None, {}, [80, 960, 10368, 26232 - 960, 155520, 292896,
     4528224, 5014280 - 960]),
    ("trilux-bonus/A", 1, 1, None, {}, [48, 52, 720, 1096, 20184, 22100]),
    ("trilux-bonus/A", 2, 1, None, {}, [384, 728, 5760, 10016, 165216, 182104]),
    ("trilux-bonus/A", 4, 1, None, {}, [3072, 7280, 46080, 85120, None, None]),
    ("7s/A", 6, 1, None, {}, [480, 11664, 34560, 124416, 2142720, 27766080, 30079920]),
    ("lucky-ladies/B", 6, 0.25, None, {}, [135360, 2738340, 43105500, 193112640, 744863040, 8310740400, 9294695280]),
]

PUBLISHED += [
    # The source's text asks for an ace as upcard. Its counts allow either card of the blackjack.
    ("super-4-progressive/A", 5, 0.5, ["royal flush of diamonds", "royal flush of another suit", "three of a kind",
     "straight", "flush", "two pair", "all same colour", "pair", "dealer blackjack otherwise"], {},
     [7500, 22500, 2188800, 1890000, 3075600, 2284800, 22230000, 58960000, None, None, None]),
    ("lucky-ladies/A", 6, comb(310, 2), ["suited face cards", "suited 20", "unsuited 20"], {},
     [180, 1068, 3888, 43380, 48516]),
]


@pytest.mark.parametrize(
    ("identifier", "decks", "scale", "lines", "reading", "published"), PUBLISHED,
    ids=lambda v: str(v) if isinstance(v, str) else None,
)
def test_published_counts(identifier, decks, scale, lines, reading, published) -> None:
    """``scale`` converts the counts of a source that counts permutations or one given dealer card."""
    found = list(counts(identifier, decks, lines, **reading).values())
    wanted = [None if count is None else count * scale for count in published]
    assert len(found) == len(wanted)
    assert [f for f, w in zip(found, wanted, strict=True) if w is not None] == [w for w in wanted if w is not None]


def test_the_published_mega_match_counts() -> None:
    """Eight decks of Royal Match 21 with the royal matches of player and dealer."""
    found = counts("royal-match-21/C", 8, ["player and dealer royal match", "royal match", "suited match"])
    assert list(found.values()) == [61696, 21824000, 1809673488, 5548023936, 7379583120]


def test_the_published_counts_of_pairs_with_the_upcard() -> None:
    """The same bet with an upcard, two decks."""
    (entry,) = [e for e in mapping()["table"] if e.get("note") == "Pair on three cards"]
    changed = BOOK.wagers[PREFIX + "pair"].changed({k: entry[k] for k in ("deal", "outcome")})
    resolved = replace(BOOK.resolve(PREFIX + "pair/A"), terms=changed.terms)
    _, table = table_of(resolved, 2)
    found, left, result = masks(resolved, table), np.ones(len(table), dtype=bool), []
    for name in ("three of a kind", "player's two cards form a pair", "one player card pairs the dealer's up card"):
        result.append(table.count(found[name] & left))
        left &= ~found[name]
    assert [*result, table.count(left), table.deals] == [2184, 34944, 69888, 439296, 546312]


def test_removed_cards_change_what_is_counted() -> None:
    """Two decks without one queen of hearts hold no pair of them. The group of suits becomes smaller."""
    resolved = BOOK.resolve(PREFIX + "lucky-ladies/A")
    deal, shoe = seen_deal(resolved, whole=True), Shoe(2, cards("Qh"))
    assert masks(resolved, deal.table(shoe))["queen of hearts pair"].sum() == 0
    assert len(Deal("player 2, upcard 1").group(shoe)) == 6


def test_unknown_outcomes_have_no_second_settlement() -> None:
    with pytest.raises(InputError, match='no independent settlement of "longest-flush"'):
        settle("longest-flush", {"player": (0,)}, {}, [])


def test_physical_pairs_agree_with_weighted_classes() -> None:
    """All 5,356 pairs of physical cards of two decks are settled one by one."""
    stack = [c for c in range(52) for _ in range(2)]
    for identifier in ("kk/A", "house-money/multiple-decks", "bet-the-set-21/C", "pair/A"):
        resolved = BOOK.resolve(PREFIX + identifier)
        lines = [name for name, _ in resolved.payments]
        literal = dict.fromkeys([*lines, LOSS], 0)
        for hand in combinations(stack, 2):
            literal[settle(resolved.terms.settlement, {"player": hand}, resolved.options, lines)] += 1
        found = counts(identifier, 2)
        assert {**literal, "total": comb(104, 2)} == found


def test_lenses_hide_nothing_that_a_line_needs() -> None:
    """The counts are the same without lenses and without suit permutations."""
    for identifier in ("royal-match-21/C", "upcard-luck-21/A", "7s/A", "bonus-spin-progressive/A", "in-between/A"):
        resolved = BOOK.resolve(PREFIX + identifier)
        _, coarse = table_of(resolved, 1)
        deal = Deal(resolved.terms.deal)
        fine = enumerate_classes(deal, Shoe(1), ((0, 1, 2, 3),))
        seats = {role.name: (role.name,) for role in deal.roles}
        seen = Columns(fine.columns, len(fine), seats)
        met = masks(resolved, coarse)
        for name, condition in conditions_of(resolved.terms).items():
            assert coarse.count(met[name]) == fine.count(seen.value(condition)), (identifier, name)
