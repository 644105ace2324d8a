from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def play_classes(
    holes: _Array,
    start: int,
    stop: int,
    weight: _Array,
    flop: _Array,
    pattern: _Array,
    table: _Array,
    raised: _Array,
    utility: _Array,
    raise_ties: bool,
    sums: _Array,
    flops: _Array,
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
