"""The ante and the raise of High Card Flush: their pays as a game that can be solved, and its solution."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ...base.work import stored
from ...rulebook.book import Resolved
from ..joint import LENGTHS, RESULTS, Rules, SeparateBets, compared, even_pay, only
from . import solve, two_hands

LINES = ("ante", "raise")


def rules_of(resolved: Resolved) -> Rules:
    """Return ante and raise of High Card Flush: if the dealer does not qualify, the ante wins and the raise pushes."""
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
    return Rules(names, net, tuple(1 + m for m in range(most + 1)), 1, (
        SeparateBets("Ante", partial(_ante, pay=ante)), SeparateBets("Raise", partial(_raise, pay=more))))


def _ante(
    multiple: int, qualifies: int, result: int, category: int, *, pay: Fraction
) -> tuple[int, Fraction, str, str]:
    """Settle the ante: it wins if the dealer does not qualify, and is compared otherwise."""
    if not multiple:
        return 1, Fraction(-1), "folded", ""
    if not qualifies:
        return 1, pay, "dealer does not qualify", f"{pay} to 1"
    return compared(1, result, pay, ("lost to the dealer", "tie", "win"))


def _raise(
    multiple: int, qualifies: int, result: int, category: int, *, pay: Fraction
) -> tuple[int, Fraction, str, str]:
    """Settle the raise: it is returned if the dealer does not qualify, and compared otherwise."""
    if not multiple:
        return 0, Fraction(0), "not made (folded)", ""
    if not qualifies:
        return multiple, Fraction(0), f"{multiple}x, dealer does not qualify", "push"
    return compared(multiple, result, pay, [f"{multiple}x, {word}" for word in RESULTS])


def game_of(resolved: Resolved) -> solve.FlushGame:
    rules = rules_of(resolved)
    limits = resolved.options["raise_limit"]
    long_qualifies = resolved.options.get("long_flush_qualifies", "yes") == "yes"
    return solve.FlushGame(rules.utility, tuple(1 + n for n in limits), long_qualifies)


@stored("solutions of High Card Flush by utility", most=8)
def _solved(key: tuple[Any, ...]) -> solve.HighCardSolution:
    utility, shape, open_choices, long_qualifies = key
    game = solve.FlushGame(np.array(utility, dtype=object).reshape(shape), open_choices, long_qualifies)
    return solve.solve(game)


@stored("mean products of two hands of High Card Flush by utility", most=8)
def _product(key: tuple[Any, ...]) -> Fraction | None:
    return two_hands.of_solution(_solved(key))


def _key(game: solve.FlushGame) -> tuple[Any, ...]:
    utility = np.array(game.utility, dtype=object)
    return tuple(utility.flat), utility.shape, game.open_choices, game.long_qualifies


def solved(resolved: Resolved) -> solve.HighCardSolution:
    """Return the optimal play of a resolved base game, kept."""
    return _solved(_key(game_of(resolved)))


def product_of_two(resolved: Resolved) -> Fraction | None:
    """Return the mean product of the net results of two hands of one round, in square antes; see `two_hands`."""
    product = _product(_key(game_of(resolved)))
    return None if product is None else product / rules_of(resolved).unit ** 2
