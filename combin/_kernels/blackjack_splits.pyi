from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def pair_moments(
    base: _Array,
    weight: _Array,
    code: _Array,
    ways: _Array,
    result: _Array,
    gone: _Array,
    tree: Any,
    primes: _Array,
    inverse: _Array,
    residue: _Array,
) -> None: ...
