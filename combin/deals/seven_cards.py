"""Features of seven cards of one deck: the joint table, counted by class of hands.

Sets of ranks are looked up in codes made with bit arithmetic. A row and its number of hands are given for every
combination of columns that occurs, in ascending order. `verify.seven_counts` counts the same table by other methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np

from .._kernels import load
from ..base.errors import closed
from ..base.parallel import sweep

CARDS = 7
HANDS = comb(52, CARDS)  # 133,784,560

#: The columns of the longest straight flush (1-7) under each ace rule: ace high or low; ace high only; ace low only in
#: A-2-3-4-5 or longer; ace low only in exactly A-2-3-4-5.
STRAIGHT_FLUSHES = ("straight_flush_both", "straight_flush_high", "straight_flush_from_five",
                    "straight_flush_five_only")  # fmt: skip
#: The longest flush (2-7); those; four of a kind (0, 1); suited 9-T-J-Q-K-A (0, 1).
columns: tuple[str, ...] = ("flush", *STRAIGHT_FLUSHES, "quads", "nine_to_ace")

LANES = 16  # equal shares of the classes for the threads

IntArray = np.ndarray[Any, np.dtype[np.int64]]


def closed_rows(way: str, hands: Mapping[tuple[int, ...], int]) -> tuple[IntArray, IntArray]:
    """Return sorted rows (n, len(columns)) and weights (n,). Raises `CountError` unless every hand is counted."""
    rows = sorted((row, count) for row, count in hands.items() if count)
    closed(f"hands of seven cards, {way}", sum(count for _, count in rows), HANDS)
    return np.array([row for row, _ in rows], np.int64), np.array([count for _, count in rows], np.int64)


def mask_features(masks: IntArray) -> IntArray:
    """Return the straight-flush and nine-to-ace columns of sets of ranks (13-bit masks), shape (n, 5)."""

    def longest(sets: IntArray) -> IntArray:
        length = np.zeros_like(sets)
        while sets.any():
            length += sets != 0
            sets = sets & sets >> 1
        return length

    def has(bits: int, sets: IntArray) -> IntArray:
        return (sets & bits == bits).astype(np.int64)

    low = masks << 1 | masks >> 12  # bit 0 is the low ace, bit 13 the high ace
    high = longest(masks)
    from_low_ace = sum((has((1 << n) - 1, low) for n in range(1, CARDS + 1)), start=np.zeros_like(masks))
    five = has(0b11111, low)
    return np.stack(
        [
            longest(low),
            high,
            np.maximum(high, from_low_ace * five),
            np.maximum(high, 5 * five),
            has(0b1111110000000, masks),
        ],
        axis=1,
    )


def _joined(features: IntArray) -> tuple[IntArray, IntArray]:
    """Return all feature rows of one or more sets (k, 5), and the row of the union of two rows (k, k).

    The union has the greater of each feature. Rows are sorted: bisection finds the row of a set.
    """
    scale = 8 ** np.arange(features.shape[1])[::-1]
    keys = np.unique(features @ scale)
    while True:
        rows = keys[:, None] // scale % 8
        both = np.maximum(rows[:, None], rows[None]) @ scale
        closed = np.unique(both)
        if len(closed) == len(keys):
            return rows, np.searchsorted(keys, both)
        keys = closed


def by_class(threads: int | None = None) -> tuple[IntArray, IntArray, int]:
    """Return rows, weights and the number of classes under the 24 suit permutations: 6,009,159."""
    add_classes = load("seven_classes").add_classes
    masks = np.arange(1 << 13)
    size = sum(masks >> rank & 1 for rank in range(13))
    masks = masks[np.argsort(size, kind="stable")]
    first = np.cumsum([0] + [comb(13, n) for n in range(CARDS + 1)])
    masks = masks[: first[-1]]
    features = mask_features(masks)
    rows, join = _joined(features)
    scale = 8 ** np.arange(features.shape[1])[::-1]
    shows = np.searchsorted(rows @ scale, features @ scale).astype(np.uint8)
    masks16, join8 = masks.astype(np.uint16), join.astype(np.uint8)

    weights, classes = sweep(
        lambda start, stop, into: add_classes(start, stop, LANES, first, masks16, shows, join8, *into),
        LANES,
        lambda: (np.zeros((8, len(rows), 2), np.int64), np.zeros(1, np.int64)),
        chunk=LANES // 4,
        label="classes of seven cards",
        threads=threads,
    )
    hands: Counter[tuple[int, ...]] = Counter()
    for flush, code, quads in np.argwhere(weights).tolist():
        *straights, nine_to_ace = rows[code].tolist()
        hands[flush, *straights, quads, nine_to_ace] += int(weights[flush, code, quads])
    return *closed_rows("the count by class", hands), int(classes[0])
