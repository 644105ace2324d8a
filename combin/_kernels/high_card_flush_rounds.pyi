from typing import Any

import numpy as np

_Ints = np.ndarray[Any, Any]

def count_dealer(hands: _Ints, long_qualifies: bool, cells: _Ints) -> None: ...
def count_literally(
    start: int, stop: int, held: _Ints, flush: int, long_qualifies: bool, cells: _Ints
) -> None: ...

class Rounds:
    def __init__(self, utility: _Ints, allowed: _Ints, long_qualifies: bool) -> None: ...
    def deal(
        self, start: int, stop: int, rounds: int, seed: int, seen: _Ints, ends: _Ints, dealt: _Ints
    ) -> None: ...
