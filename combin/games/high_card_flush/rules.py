"""The ante and the raise of High Card Flush: their pays as a game that can be solved, and its solution."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...base.caches import cached
from ...rulebook.book import Resolved
from ..joint import LENGTHS, Rules, even_pay, only
from . import solve

LINES = ("ante", "raise")


def rules_of(resolved: Resolved) -> Rules:
    """Ante and raise of High Card Flush: if the dealer does not qualify, the ante wins and the raise pushes."""
    only(resolved, LINES)
    ante, more = even_pay(resolved, "ante"), even_pay(resolved, "raise")
    limits = resolved.options["raise_limit"]
    most = max(limits)
    net = np.zeros((most + 1, 2, 3, len(LENGTHS)), dtype=object)
    net[...] = Fraction(0)
    net[0] = Fraction(-1)
    for multiple in range(1, most + 1):
        net[multiple, 0] = ante
        net[multiple, 1, 0] = Fraction(-1 - multiple)
        net[multiple, 1, 2] = ante + more * multiple
    names = ("fold", *(f"raise {m}x" for m in range(1, most + 1)))
    return Rules(names, net, tuple(1 + m for m in range(most + 1)), 1)


def game_of(resolved: Resolved) -> solve.Game:
    rules = rules_of(resolved)
    limits = resolved.options["raise_limit"]
    qualifies = {"yes": "qualifies", "no": "does-not"}[resolved.options.get("long_flush_qualifies", "yes")]
    return solve.Game(rules.utility, tuple(1 + n for n in limits), qualifies)


@cached("solutions of High Card Flush by utility", most=8)
def _solved(key: tuple[Any, ...]) -> solve.Solution:
    utility, shape, open_choices, long_flush = key
    game = solve.Game(np.array(utility, dtype=object).reshape(shape), open_choices, long_flush)
    return solve.solve(game)


def solved(resolved: Resolved) -> solve.Solution:
    """The optimal play of a resolved base game, kept for the process."""
    game = game_of(resolved)
    utility = np.array(game.utility, dtype=object)
    return _solved((tuple(utility.flat), utility.shape, game.open_choices, game.long_flush))
