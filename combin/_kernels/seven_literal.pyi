from typing import Any

import numpy as np

def add_hands(start: int, stop: int, hands: np.ndarray[Any, np.dtype[np.int64]]) -> None: ...
