from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def count_dealer(holes: _Array, boards: _Array, out: _Array) -> None: ...
def count_literally(hole: _Array, boards: _Array, out: _Array) -> None: ...

class Rounds:
    def __init__(
        self,
        *,
        classes: _Array,
        suits: _Array,
        holes: _Array,
        at_once: _Array,
        flops: _Array,
        utility: _Array,
        raise_ties: bool,
    ) -> None: ...
    def deal(
        self, start: int, stop: int, rounds: int, seed: int, seen: _Array, ends: _Array, dealt: _Array
    ) -> None: ...
