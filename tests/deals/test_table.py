"""Tables: closure, exact sums, grouping."""

import numpy as np
import pytest

from combin.base.errors import CountError
from combin.deals.table import Table, deal_count


def make(weights: list[int], deals: int, kind: type = np.int64) -> Table:
    return Table({"a": np.array([0, 0, 1]), "b": np.array([5, 6, 5])}, np.array(weights, dtype=kind), deals, 3)


def test_closure_is_asserted() -> None:
    make([1, 2, 3], 6)
    with pytest.raises(CountError, match="deals: 6 counted, not 7"):
        make([1, 2, 3], 7)


def test_sums_are_exact_beyond_64_bits() -> None:
    table = make([2**70, 1, 2], 2**70 + 3, object)
    assert table.count(np.array([True, False, True])) == 2**70 + 2


def test_rows_are_grouped_by_columns() -> None:
    table = make([1, 2, 3], 6)
    assert table.group_by("a") == {(0,): 3, (1,): 3}
    assert table.group_by("a", "b") == {(0, 5): 1, (0, 6): 2, (1, 5): 3}


def test_the_number_of_deals() -> None:
    assert deal_count(52, (7,)) == 133_784_560
    assert deal_count(312, (2, 2)) == 48_516 * 47_895
