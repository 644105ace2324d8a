"""The rows and figures of the best play of a game that a file describes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...base.errors import Fault, InputError
from ...rulebook.book import Resolved
from .. import joint as joints
from ..joint import Rules
from ..model import GameFigures, Played, Situation
from .bets import Bets
from .rules import bets_of, joint_of, rules_of
from .settlement import Settlement
from .solve import Solution, solve


def solved(resolved: Resolved, most: Fraction | None = None, without: tuple[int, ...] = ()) -> Solution:
    """Return the best play of a paytable and its joint distribution.

    Raise `InputError` for known cards with which the round would take too long; its size without them is checked
    when the file is read.
    """
    bets = bets_of(resolved)
    try:
        return solve(bets.round, settlement_of(bets, most), without=without)
    except InputError as error:
        raise InputError(*(Fault(f.what, f.remedy, f.file or ("--without" if without else resolved.paytable.file),
                                 f.place or resolved.id) for f in error.faults)) from None


def settlement_of(found: Bets, most: Fraction | None = None) -> Settlement:
    """Return the settlement of the bets; ``most`` is the most that a hand can win under a payout cap, in units."""
    return found.settlement if most is None else found.capped(most)


def play(situation: Situation) -> Played:
    """Return the solved game, with the figures of its best play."""
    resolved = situation.resolved
    bets = bets_of(resolved)
    solution = solved(resolved, situation.most, situation.without)
    return played(bets, solution, situation.most)


def played(found: Bets, solution: Solution, most: Fraction | None = None) -> Played:
    """Return the rows and the figures of a solution."""
    rules, table = rules_of(found, most), joint_of(found, solution.joint)
    figures = figures_of(found, rules, table, solution)
    return Played(joints.outcome_rows(rules, table, solution.deals), solution.deals, solution.classes, figures)


def figures_of(found: Bets, own: Rules, table: Any, solution: Solution) -> GameFigures:
    streets = [n for n, street in enumerate(found.round.streets, 1) if street.choices]
    ties = {f"street {n}": count for n, count in zip(streets, solution.ties, strict=True)}
    return joints.figures(own, table, solution.deals, ties, solution)
