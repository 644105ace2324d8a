from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

def simulate(
    start: int,
    stop: int,
    rounds: int,
    seed: int,
    cards: _Array,
    first: _Array,
    choice: _Array,
    split_choice: _Array,
    two: _Array,
    child: _Array,
    most_hands: _Array,
    early: _Array,
    hits_soft_17: bool,
    looks: bool,
    charlie: int,
    push_22: bool,
    seen: _Array,
    each: _Array,
    ends: _Array,
    dealt: _Array,
    drawn: _Array,
) -> None: ...
def simulate_switch(
    start: int,
    stop: int,
    rounds: int,
    seed: int,
    cards: _Array,
    switch: _Array,
    splits: _Array,
    choice: _Array,
    pairs: _Array,
    two: _Array,
    child: _Array,
    most_hands: _Array,
    hits_soft_17: bool,
    aces_take_one: bool,
    blackjack_pays: int,
    blackjack_beats_22: bool,
    switched_counts: bool,
    early: bool,
    seen: _Array,
    each: _Array,
    ends: _Array,
    dealt: _Array,
) -> None: ...
