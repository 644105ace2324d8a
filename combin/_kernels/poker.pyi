from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def values(ranks: _Array, suits: _Array, out: _Array) -> None: ...
