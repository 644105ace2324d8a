from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def canonical(board: int, upcards: int, removed: int, cards: _Array, orbits: _Array) -> int: ...
def locate(
    board: int, upcards: int, removed: int, cards: _Array, classes: _Array, permutations: _Array
) -> None: ...
