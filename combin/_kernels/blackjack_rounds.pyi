from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

class ShoeTable: ...

class Rounds(ShoeTable):
    def __init__(self, play: Any) -> None: ...
    def deal(
        self,
        start: int,
        stop: int,
        rounds: int,
        seed: int,
        seen: _Array,
        each: _Array,
        paid: _Array,
        splits: _Array,
        ends: _Array,
        dealt: _Array,
        drawn: _Array,
    ) -> None: ...

class SwitchRounds(ShoeTable):
    def __init__(self, play: Any) -> None: ...
    def deal(
        self,
        start: int,
        stop: int,
        rounds: int,
        seed: int,
        seen: _Array,
        each: _Array,
        ends: _Array,
        dealt: _Array,
    ) -> None: ...
