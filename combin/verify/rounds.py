"""Experiments with the flush games: rounds dealt and played card by card, and tallied."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..games.joint import Rules
from . import flushes
from .cards_dealt import Parcel
from .flushes import LOSE, TIE, WIN, Array

#: The net result in antes by choice, dealer qualifies, result and flush length.
Net = Callable[[int, bool, int, int], Fraction]
LENGTHS = tuple(range(2, 8))
RANK = {rank: place for place, rank in enumerate("23456789TJQKA")}
QUALIFIES = ("not qualified", "qualified")
RESULTS = ("lose", "tie", "win")


@dataclass(frozen=True)
class Experiment:
    """A strategy that is dealt and played, with combin's figures of it.

    ``net`` is the net result of each outcome in antes, settled here; ``mean`` is combin's mean of a round.
    """

    name: str
    exact: Mapping[str, Fraction]
    mean: Fraction
    net: tuple[Fraction, ...]
    parcel: Parcel


def flush(ranks: str) -> int:
    """Return the value of a flush from its ranks: ``T97``."""
    return len(ranks) << 13 | sum(1 << RANK[rank] for rank in ranks)


def cells(choices: Sequence[str]) -> tuple[str, ...]:
    """Return the outcomes by name: choice, dealer qualifies, result, flush length."""
    return tuple(
        f"{choice}, {qualifies}, {result}, {n} cards"
        for choice in choices for qualifies in QUALIFIES for result in RESULTS for n in LENGTHS
    )  # fmt: skip


def net_results(choices: int, net: Net) -> tuple[Fraction, ...]:
    """Return the net result of each cell in antes."""
    return tuple(
        net(choice, qualifies, result, n)
        for choice in range(choices) for qualifies in (False, True) for result in (LOSE, TIE, WIN) for n in LENGTHS
    )  # fmt: skip


def experiment(a: Analysis, name: str, joint: Any, rules: Rules, net: Sequence[Fraction], parcel: Parcel) -> Experiment:
    """Return a strategy with combin's joint table; ``net`` is the win of each cell, settled here."""
    mean = Fraction((np.asarray(joint).astype(object) * rules.net).sum()) / int(np.asarray(joint).sum(dtype=object))
    return Experiment(name, shares(a, joint), mean, tuple(net), parcel)


def shares(a: Analysis, joint: Any) -> dict[str, Fraction]:
    """Return the probability of every cell of a joint table, by name."""
    counts = [int(n) for n in np.asarray(joint).reshape(-1)]
    deals = sum(counts)
    return dict(zip(cells(list(a.game.choices)), (Fraction(n, deals) for n in counts), strict=True))


def whole(rounds: int, block: int) -> int:
    """Return the number of rounds rounded up to whole blocks."""
    return -(-rounds // block) * block


def tally(chosen: Array, mine: Array, theirs: Array, long_flush: bool, choices: int) -> Sequence[int]:
    """Return numbers of rounds by choice, dealer qualifies, result and flush length."""
    result = np.where(mine > theirs, WIN, np.where(mine == theirs, TIE, LOSE))
    qualified = flushes.qualifies(theirs, long_flush).astype(np.int64)
    code = ((chosen * 2 + qualified) * 3 + result) * len(LENGTHS) + flushes.length(mine) - 2
    counts: Sequence[int] = np.bincount(code, minlength=choices * 36).tolist()
    return counts
