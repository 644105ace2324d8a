from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def solve_classes(
    holes: _Array,
    start: int,
    stop: int,
    utility: _Array,
    raise_ties: bool,
    values: _Array,
    joint: _Array,
    ties: _Array,
) -> None: ...
def count_dealer(holes: _Array, boards: _Array, out: _Array) -> None: ...
def count_literally(hole: _Array, boards: _Array, out: _Array) -> None: ...
def play_classes(
    holes: _Array,
    start: int,
    stop: int,
    at_once: _Array,
    flop: _Array,
    river: _Array,
    joint: _Array,
) -> None: ...
def value_early(
    holes: _Array,
    start: int,
    stop: int,
    utility: _Array,
    weight: _Array,
    row: _Array,
    out: _Array,
) -> None: ...
def value_rivers(
    holes: _Array,
    start: int,
    stop: int,
    utility: _Array,
    weight: _Array,
    column: _Array,
    kind: _Array,
    out: _Array,
) -> None: ...
def follow_classes(
    holes: _Array,
    start: int,
    stop: int,
    utility: _Array,
    raise_ties: bool,
    at_once: _Array,
    weight: _Array,
    flops: _Array,
    ends: _Array,
) -> None: ...
