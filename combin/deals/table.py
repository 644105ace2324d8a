"""The form of all deals for the wagers: small-integer columns, and an exact weight per row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb, prod
from typing import Any

import numpy as np

from ..base.errors import closed

Column = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """Classes of deals that a wager does not distinguish.

    ``columns`` maps a feature to an array of shape (rows,) or (rows, cards). ``weights`` has the exact number of deals
    of each row, int64 or Python integers. ``deals`` is their sum (closure, asserted here). ``classes`` is the number of
    enumerated classes: the number of rows, unless rows are a histogram of classes. For a drawing dealer, rows are
    probabilities: the weights then sum to a common denominator, and ``deals`` is not a number of deals.
    """

    columns: Mapping[str, Column]
    weights: Column
    deals: int
    classes: int
    counts_deals: bool = True
    _masks: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        closed("weights of the deals", exact_sum(self.weights), self.deals)

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, column: str) -> Column:
        return self.columns[column]

    def count(self, mask: Column) -> int:
        """Return the exact number of deals in the rows of a boolean mask."""
        return exact_sum(self.weights[mask])

    def group_by(self, *names: str) -> dict[tuple[int, ...], int]:
        """Return deals by the joint values of one-dimensional columns, ordered by those values."""
        keys = np.stack([self.columns[name] for name in names], axis=1).astype(np.int64)
        least = keys.min(axis=0, initial=0)
        sizes = (keys.max(axis=0, initial=0) - least + 1).tolist()
        if prod(sizes) < 1 << 62:  # sorting one number per row is many times faster than sorting rows
            steps = np.array([prod(sizes[i + 1 :]) for i in range(len(sizes))], np.int64)
            _, first, index = np.unique((keys - least) @ steps, return_index=True, return_inverse=True)
            rows = keys[first]
        else:
            rows, index = np.unique(keys, axis=0, return_inverse=True)
        index = index.ravel()
        order = np.argsort(index, kind="stable")
        bounds = np.searchsorted(index[order], np.arange(len(rows) + 1))
        return {
            tuple(int(v) for v in rows[i]): exact_sum(self.weights[order[bounds[i] : bounds[i + 1]]])
            for i in range(len(rows))
        }


def exact_sum(weights: Column) -> int:
    """Return the sum as a Python integer; the total of an int64 array is below 2**62, see `deal_count`."""
    if weights.dtype == object:
        return sum(weights.tolist())
    return int(weights.sum(dtype=np.int64))


def deal_count(shoe_size: int, cards: tuple[int, ...]) -> int:
    """Return the number of ways to deal hands of these sizes, without regard to order within a hand."""
    total, left = 1, shoe_size
    for count in cards:
        total *= comb(left, count)
        left -= count
    return total
