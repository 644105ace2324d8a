"""The base games dealt card by card and played as solved, with the exact joint table beside what came.

Kernels of their own deal from a shuffled deck, look up the choices that the solution made (or,
for a river and for High Card Flush, make them from the count of this one hand), and look in
the cards who has won.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..games.chase_the_flush import solve as ctf
from ..games.high_card_flush import solve as hcf

QUALIFIES = ("not qualified", "qualified")


def optimal_play(
    a: Analysis, rounds: int, seed: int, threads: int | None = None
) -> tuple[Mapping[str, Fraction], np.ndarray[Any, Any]]:
    """Every cell of the joint table by name, choice × dealer qualifies × result × flush length, and how often it came.

    Rounds are dealt in blocks of 10,000, the last one too.
    """
    solution, seed = a.game.solution, seed % 2**64
    if isinstance(solution, hcf.Solution):
        joint, deals = solution.joint.sum(-1), hcf.DEALS
        seen = hcf.simulate(solution.game, _whole(rounds, hcf.BLOCK), seed, threads=threads)
    else:
        joint, deals = solution.joint, ctf.DEALS
        seen = ctf.simulate(solution, _whole(rounds, ctf.BLOCK), seed, threads=threads)
    choices = list(a.game.choices)
    exact = {
        f"{choices[c]}, {QUALIFIES[q]}, {ctf.RESULTS[r]}, {ctf.LENGTHS[n]} cards": Fraction(int(number), deals)
        for (c, q, r, n), number in np.ndenumerate(joint)
    }
    return exact, seen.reshape(-1)


def _whole(rounds: int, block: int) -> int:
    return -(-rounds // block) * block
