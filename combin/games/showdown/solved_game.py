"""The rows and figures of the best play of a game that a file describes."""

from __future__ import annotations

from ...base.errors import Fault, InputError
from .. import joint as joints
from ..model import Situation, SolvedGame
from .rules import bets_of, joint_of, rules_of
from .solve import solve


def play(situation: Situation) -> SolvedGame:
    """Return the solved game, with the figures of its best play.

    Raise `InputError` for known cards with which the round would take too long; its size without them is checked
    when the file is read.
    """
    resolved, most, without = situation.resolved, situation.most, situation.without
    bets = bets_of(resolved)
    settlement = bets.settlement if most is None else bets.capped(most)
    try:
        solution = solve(bets.round, settlement, without=without)
    except InputError as error:
        raise InputError(*(Fault(f.what, f.remedy, f.file or ("--without" if without else resolved.paytable.file),
                                 f.place or resolved.id) for f in error.faults)) from None
    rules, joint = rules_of(bets, most), joint_of(bets, solution.joint)
    streets = [n for n, street in enumerate(bets.round.streets, 1) if street.choices]
    ties = {f"street {n}": count for n, count in zip(streets, solution.ties, strict=True)}
    return SolvedGame(joints.outcome_rows(rules, joint, solution.deals), solution.deals, solution.classes,
                  joints.figures(rules, joint, solution.deals, ties, solution))
