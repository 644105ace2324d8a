"""Seven cards beside a known hand: a whole deck against another count, small remnants hand by hand."""

from collections import Counter
from itertools import combinations

import pytest

from combin.deals import seven_cards
from combin.deals.seven_beside import beside, longest
from combin.deals.seven_cards import STRAIGHT_FLUSHES
from combin.verify.seven_counts import convolution

ALL = (1 << 13) - 1


@pytest.mark.parametrize("column", STRAIGHT_FLUSHES)
def test_with_nothing_known_it_is_the_table_of_all_hands(column: str) -> None:
    rows, weights = convolution()
    at = [seven_cards.columns.index(name) for name in (column, "quads", "nine_to_ace")]
    expected = Counter[tuple[int, ...]]()
    for row, n in zip(rows.tolist(), weights.tolist(), strict=True):
        expected[tuple(row[i] for i in at)] += n
    found = beside((0, 0, 0, 0), column)
    assert found.group_by(column, "quads", "nine_to_ace") == dict(expected)


@pytest.mark.parametrize(
    "left",
    [
        (0b1111111000000, 0b0000000000111, 0b1000000000001, 0b1000000000001),
        (0b1000000001111, 0b1000000000001, 0b1000000000001, 0b1000000000011),
    ],
)
def test_a_remnant_of_the_deck_is_dealt_hand_by_hand(left: tuple[int, int, int, int]) -> None:
    cards = [(suit, rank) for suit, mask in enumerate(left) for rank in range(13) if mask >> rank & 1]
    expected = Counter[tuple[int, ...]]()
    for hand in combinations(cards, 7):
        held = [{rank for s, rank in hand if s == suit} for suit in range(4)]
        run = max(
            n for ranks in held for start in range(-1, 13) for n in range(8)
            if all((r % 13) in ranks and r < 13 for r in range(start, start + n))
        )
        quads = any(all(r in ranks for ranks in held) for r in range(13))
        nine = any(set(range(7, 13)) <= ranks for ranks in held)
        expected[run, int(quads), int(nine)] += 1
    known = tuple(ALL & ~mask for mask in left)
    found = beside(known, "straight_flush_both")  # type: ignore[arg-type]
    assert found.group_by("straight_flush_both", "quads", "nine_to_ace") == dict(expected)


def test_the_ace_is_low_or_high() -> None:
    assert longest(0b1000000111111, "straight_flush_both") == 7
    assert longest(0b1000000111111, "straight_flush_high") == 6
