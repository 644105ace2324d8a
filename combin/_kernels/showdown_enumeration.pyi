from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def values(ranks: _Array, suits: _Array, size: int, kinds: _Array, hands: _Array, out: _Array) -> None: ...
def compare(
    boards: _Array,
    upcards: _Array,
    players: _Array,
    mine: _Array,
    dealers: _Array,
    value_at: _Array,
    with_board: bool,
    with_upcards: bool,
    cuts: _Array,
    out: _Array,
) -> None: ...
