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
    flops: _Array,
    tied: _Array,
) -> None: ...
