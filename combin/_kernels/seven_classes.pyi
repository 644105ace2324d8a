from typing import Any

import numpy as np

def add_classes(
    start: int,
    stop: int,
    lanes: int,
    first: np.ndarray[Any, np.dtype[np.int64]],
    masks: np.ndarray[Any, np.dtype[np.uint16]],
    shows: np.ndarray[Any, np.dtype[np.uint8]],
    join: np.ndarray[Any, np.dtype[np.uint8]],
    weights: np.ndarray[Any, np.dtype[np.int64]],
    classes: np.ndarray[Any, np.dtype[np.int64]],
) -> None: ...
