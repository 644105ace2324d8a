"""The seven-card table: three ways agree with one another and with closed forms; planted faults are found."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from combin._kernels import load
from combin.base.errors import CountError
from combin.deals import seven_cards as seven
from combin.deals.cards import Shoe
from combin.deals.first_cards import Deal, burnside_classes
from combin.verify import seven_counts

WAYS = ("by class", "literal", "convolution")


@pytest.fixture(scope="module")
def tables():
    return {"by class": seven.by_class(), "literal": seven_counts.literal(), "convolution": seven_counts.convolution()}


@pytest.fixture(params=WAYS)
def table(request, tables):
    rows, weights = tables[request.param][:2]
    return {name: rows[:, k] for k, name in enumerate(seven.columns)}, weights


def hands(table, condition) -> int:
    columns, weights = table
    return int(weights[condition(columns)].sum())


def test_three_ways_agree(tables):
    assert seven_counts.compare(tables) == []
    rows, weights, _ = tables["by class"]
    for other in ("literal", "convolution"):
        assert np.array_equal(rows, tables[other][0])
        assert np.array_equal(weights, tables[other][1])


def test_rows_are_sorted_and_distinct(table):
    columns, weights = table
    rows = list(zip(*(column.tolist() for column in columns.values()), strict=True))
    assert rows == sorted(set(rows))
    assert (weights > 0).all()
    assert weights.dtype == np.int64


def test_closure(table):
    assert hands(table, lambda c: c["flush"] > 0) == 133_784_560


@pytest.mark.parametrize(
    ("length", "count"),
    [
        (7, 6_864),  # 4 C(13,7)
        (6, 267_696),  # 4 C(13,6) 39
        (5, 3_814_668),  # 4 C(13,5) C(39,2)
        (4, 26_137_540),  # 4 C(13,4) C(39,3)
        # Suits of 3-3-1-0, 3-2-2-0 and 3-2-1-1 cards, and of 2-2-2-1.
        (3, 12 * (286**2 * 13 + 286 * 78**2 + 286 * 78 * 13**2)),
        (2, 4 * 78**3 * 13),
    ],
)
def test_longest_flush(table, length, count):
    assert hands(table, lambda c: c["flush"] == length) == count


def runs(length: int, places: int) -> int:
    """Hands with a suited run of at least ``length`` >= 4 cards, counted by the top of the run in ``places`` places.

    Below the highest place the card above the run is missing.
    """
    rest = 7 - length
    return 4 * (comb(52 - length, rest) + (places - 1) * comb(51 - length, rest))


def high(length: int) -> int:
    return runs(length, 14 - length)


def both(length: int) -> int:
    return runs(length, 15 - length)


@pytest.mark.parametrize(
    ("column", "at_least"),
    [
        # J-Q-K-A-2-3-4 holds two runs of four in one suit, so it is counted twice above.
        ("straight_flush_both", {4: both(4) - 4, 5: both(5), 6: both(6), 7: both(7)}),
        ("straight_flush_high", {4: high(4), 5: high(5), 6: high(6), 7: high(7)}),
        ("straight_flush_from_five", {4: high(4), 5: both(5), 6: both(6), 7: both(7)}),
        ("straight_flush_five_only", {4: high(4), 5: both(5), 6: high(6), 7: high(7)}),
    ],
)
def test_longest_straight_flush(table, column, at_least):
    assert {n: hands(table, lambda c, n=n: c[column] >= n) for n in at_least} == at_least


def test_published_counts(table):
    # Seven-card poker: 37,260 straight flushes and 4,324 royal flushes.
    assert hands(table, lambda c: c["straight_flush_both"] >= 5) == 37_260 + 4_324
    # Seven suited in sequence: eight places in each of four suits, seven where the ace is high.
    assert hands(table, lambda c: c["straight_flush_both"] == 7) == 32
    assert hands(table, lambda c: c["straight_flush_high"] == 7) == 28
    # Six in sequence: 45 seventh cards at either end, 44 between.
    assert hands(table, lambda c: c["straight_flush_both"] == 6) == 4 * (2 * 45 + 7 * 44)
    assert hands(table, lambda c: c["straight_flush_high"] == 6) == 4 * (2 * 45 + 6 * 44)


def test_four_of_a_kind(table):
    assert hands(table, lambda c: c["quads"] == 1) == 13 * comb(48, 3) == 224_848
    # SideBets four of a kind the longest flush has the other three cards in one suit.
    assert hands(table, lambda c: (c["quads"] == 1) & (c["flush"] == 4)) == 13 * 4 * comb(12, 3)
    assert hands(table, lambda c: (c["quads"] == 1) & (c["flush"] > 4)) == 0


def test_nine_to_ace(table):
    assert hands(table, lambda c: c["nine_to_ace"] == 1) == 4 * 46
    assert hands(table, lambda c: (c["nine_to_ace"] == 1) & (c["straight_flush_high"] == 7)) == 4
    assert hands(table, lambda c: (c["nine_to_ace"] == 1) & (c["straight_flush_high"] < 6)) == 0


def test_ace_rules_are_ordered(table):
    columns, _ = table
    order = ("high", "five_only", "from_five", "both")
    for less, more in pairwise(order):
        assert (columns[f"straight_flush_{less}"] <= columns[f"straight_flush_{more}"]).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_threads(tables, threads):
    by_class = seven.by_class(threads)
    assert seven_counts.compare({"one": tables["by class"], "other": by_class}) == []
    assert by_class[2] == tables["by class"][2]


@pytest.mark.parametrize(
    ("size", "classes"),
    # Starting hands, flops, turns and longer hands of hold'em without regard to suits.
    [(1, 13), (2, 169), (3, 1_755), (4, 16_432), (5, 134_459), (6, 962_988), (7, 6_009_159)],
)
def test_burnside(size, classes):
    assert burnside_classes(Deal(f"player {size}"), Shoe(1)) == classes


def test_classes_agree_with_burnside(tables):
    assert tables["by class"][2] == 6_009_159


# ---- planted faults: the comparison must name the way and the row


def faulty(tables, way, table):
    """The message of the comparison if ``way`` gives ``table``: exactly its two pairs differ."""
    said = seven_counts.compare({**tables, way: table})
    assert len(said) == 2
    assert all(way in sentence for sentence in said)
    return said


def test_fault_in_the_codes_of_masks(tables, monkeypatch):
    features = seven.mask_features

    def ace_low_forgotten(masks):
        wrong = features(masks)
        wrong[masks == 0b1000000111111, 0] = 6  # A-2-3-4-5-6-7 suited taken for a run of six
        return wrong

    monkeypatch.setattr(seven, "mask_features", ace_low_forgotten)
    said = faulty(tables, "by class", seven.by_class())
    assert said[0] == (
        "by class counts 4 hands with flush 7, straight_flush_both 6, straight_flush_high 6, "
        "straight_flush_from_five 7, straight_flush_five_only 6, quads 0, nine_to_ace 0; literal counts 0"
    )


def test_fault_in_the_literal_count(tables, monkeypatch):
    sweep = seven_counts.sweep

    def one_hand_misread(*args, **kwargs):
        (dealt,) = sweep(*args, **kwargs)
        dealt[7, 7, 1, 1, 0] -= 1  # one of the four suited 8-9-T-J-Q-K-A, with the ace counted low alone
        dealt[7, 7, 1, 0, 0] += 1
        return [dealt]

    monkeypatch.setattr(seven_counts, "sweep", one_hand_misread)
    said = faulty(tables, "literal", seven_counts.literal())
    assert said[1] == (
        "literal counts 25 hands with flush 7, straight_flush_both 7, straight_flush_high 7, "
        "straight_flush_from_five 7, straight_flush_five_only 7, quads 0, nine_to_ace 0; "
        "convolution counts 24"
    )


def test_fault_in_the_convolution(tables, monkeypatch):
    shows = seven_counts._suit_shows
    # A suited A-K-Q-J is taken for A-K-Q-2, which has as many cards but no run of four.
    monkeypatch.setattr(
        seven_counts, "_suit_shows", lambda ranks: shows("1110000000001" if ranks == "1111000000000" else ranks)
    )
    said = faulty(tables, "convolution", seven_counts.convolution())
    assert all("convolution counts" in sentence for sentence in said)


def test_lost_hand_is_not_closed(monkeypatch):
    sweep = seven.sweep

    def one_hand_lost(*args, **kwargs):
        weights, classes = sweep(*args, **kwargs)
        weights[7][tuple(index[0] for index in np.nonzero(weights[7]))] -= 1
        return [weights, classes]

    monkeypatch.setattr(seven, "sweep", one_hand_lost)
    with pytest.raises(CountError, match="seven cards, the count by class: 133,784,559 counted, not 133,784,560"):
        seven.by_class()


def test_comparison_names_the_first_differing_row():
    row = [2, 1, 1, 1, 1, 0, 0]
    one = (np.array([row, [3, *row[1:]]]), np.array([5, 6]))
    other = (np.array([[3, *row[1:]]]), np.array([7]))
    (sentence,) = seven_counts.compare({"one": one, "other": other})
    assert sentence.startswith("one counts 5 hands with flush 2, straight_flush_both 1")
    assert sentence.endswith("other counts 0")
    assert seven_counts.compare({"one": one}) == []


def test_kernel_refuses_tables_that_do_not_fit():
    add_classes = load("seven_classes").add_classes
    first = np.cumsum([0] + [comb(13, n) for n in range(8)])
    masks, shows = np.zeros(first[-1], np.uint16), np.zeros(first[-1], np.uint8)
    join, weights, classes = np.zeros((1, 1), np.uint8), np.zeros((8, 1, 2), np.int64), np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="do not describe the same sets"):
        add_classes(0, 1, 16, first, masks[1:], shows, join, weights, classes)
    with pytest.raises(ValueError, match="not made for the same codes"):
        add_classes(0, 1, 16, first, masks, shows, join, weights[:, :0], classes)
    with pytest.raises(ValueError, match="a code that join does not have"):
        add_classes(0, 1, 16, first, masks, shows + np.uint8(1), join, weights, classes)
