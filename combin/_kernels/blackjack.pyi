from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

class Kept:
    def __init__(self, line: _Array, reward: _Array, most: int) -> None: ...

def laws(
    shoes: _Array,
    node_parent: _Array,
    node_factor: _Array,
    leaf_node: _Array,
    leaf_orders: _Array,
    cell_start: _Array,
    factor_class: _Array,
    factor_number: _Array,
    cells: _Array,
) -> None: ...
def evaluate(
    base: _Array,
    cards: _Array,
    row: _Array,
    child: _Array,
    node_parent: _Array,
    node_factor: _Array,
    leaf_node: _Array,
    leaf_orders: _Array,
    cell_start: _Array,
    cell_outcome: _Array,
    cell_length: _Array,
    factor_class: _Array,
    factor_number: _Array,
    peek: int,
    reward: _Array,
    bust: _Array,
    may: _Array,
    need: _Array,
    follow: bool,
    choice: _Array,
    weight: _Array,
    primes: _Array,
    inverse: _Array,
    value: _Array,
    residue: _Array,
    kept: Kept | None = None,
    apart: int = -1,
    ahead: int = 0,
    mixed: _Array | None = None,
) -> None: ...
def mark(child: _Array, choice: _Array, need: _Array) -> None: ...
