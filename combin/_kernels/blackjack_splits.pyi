from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def pair_moments(
    base: _Array,
    pair: int,
    weight: _Array,
    states: _Array,
    ways: _Array,
    result: _Array,
    node_parent: _Array,
    node_factor: _Array,
    leaf_node: _Array,
    leaf_orders: _Array,
    cell_start: _Array,
    cell_outcome: _Array,
    cell_length: _Array,
    cell_pairs: _Array,
    factor_class: _Array,
    factor_number: _Array,
    primes: _Array,
    inverse: _Array,
    residue: _Array,
) -> int: ...
