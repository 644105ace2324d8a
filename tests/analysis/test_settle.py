"""Columns that determine what a deal is worth."""

from __future__ import annotations

import numpy as np
import pytest

from combin.analysis.settle import deciding
from combin.deals.table import Table

#: Six deals in three rows.
ROWS = Table({"rank": np.array([0, 0, 1]), "suit": np.array([0, 1, 0])}, np.array([1, 2, 3]), 6, 3)


@pytest.mark.parametrize(
    ("values", "choices", "columns", "by_entry"),
    [
        ("xxy", [("flush",), ("suit",), ("rank",)], ("rank",), {(0,): "x", (1,): "y"}),
        ("xyz", [("rank",), ("rank", "suit")], ("rank", "suit"), {(0, 0): "x", (0, 1): "y", (1, 0): "z"}),
    ],
)
def test_the_first_columns_that_determine_the_values(
    values: str, choices: list[tuple[str, ...]], columns: tuple[str, ...], by_entry: dict[tuple[int, ...], str]
) -> None:
    assert deciding(ROWS, values, choices) == (columns, by_entry)


def test_no_columns_determine_the_values() -> None:
    assert deciding(ROWS, "xyz", [("rank",), ("suit",), ("rank", "suit", "flush")]) is None
