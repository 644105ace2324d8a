from typing import Any

import numpy as np

_Ints = np.ndarray[Any, Any]

def flushes() -> list[int]: ...
def patterns() -> list[tuple[int, int, int, int]]: ...
def solve(
    start: int,
    stop: int,
    order: _Ints,
    long_qualifies: bool,
    utility: _Ints,
    allowed: _Ints,
    bonus: _Ints,
    marks: _Ints,
    tables: _Ints,
    codes: _Ints,
    rows: _Ints,
    histogram: _Ints,
    ties: _Ints,
) -> None: ...
def classes(
    flush: int, long_qualifies: bool, listed: _Ints | None = None, cells: _Ints | None = None
) -> int: ...
