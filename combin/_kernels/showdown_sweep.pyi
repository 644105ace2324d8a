from collections.abc import Sequence
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

class Valuation:
    def __init__(
        self, cuts: _Array, segments: _Array, coefficients: _Array, nodes: _Array, needs: _Array
    ) -> None: ...

class Sweep:
    def __init__(
        self,
        *,
        player: int,
        hidden: int,
        board: int,
        upcards: int,
        mine_board: bool,
        theirs_board: bool,
        theirs_up: bool,
        alike: bool,
        reduced: bool,
        removed: int,
        mine: tuple[Any, ...],
        theirs: tuple[Any, ...],
        levels: Sequence[tuple[Any, ...]],
        seen: _Array,
        orbits: _Array,
        permutation: _Array,
        moved: _Array,
        room: int,
    ) -> None: ...
    def values(
        self, start: int, stop: int, valuation: Valuation, sums: _Array, out: Sequence[_Array]
    ) -> None: ...
    def moments(
        self,
        start: int,
        stop: int,
        valuation: Valuation,
        reached: _Array,
        leaves: _Array,
        words: Sequence[_Array],
        word_levels: _Array,
        out: _Array,
        ties: _Array,
        best: _Array,
        given: _Array,
    ) -> None: ...
    def lift(self, of: int, to: int, start: int, stop: int, values: _Array, out: _Array) -> None: ...
    def carry(self, of: int, to: int, start: int, stop: int, events: _Array, out: _Array) -> None: ...
    def symmetrise(self, of: int, group: _Array, values: _Array) -> None: ...
    def position(self, seen: _Array, hand: _Array, cuts: _Array, out: _Array) -> int: ...
    def hands(self, start: int, stop: int, cards: _Array, ranks: _Array, counts: _Array) -> None: ...
