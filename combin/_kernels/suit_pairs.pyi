from typing import Any

import numpy as np

_Ints = np.ndarray[Any, Any]

def combine(one: _Ints, other: _Ints, first: _Ints, second: _Ints, third: _Ints, found: _Ints) -> None: ...
