from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

class Kept:
    def __init__(self, most: int) -> None: ...
    @property
    def held(self) -> int: ...
    def learn(self, keys: _Array, tree: Any, longest: int) -> None: ...

def evaluate(
    base: _Array,
    cards: _Array,
    row: _Array,
    child: _Array,
    walk_order: _Array,
    tree: Any,
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
) -> None: ...
def mark(child: _Array, choice: _Array, need: _Array) -> None: ...
def dot(numbers: _Array, residues: _Array) -> list[int]: ...
