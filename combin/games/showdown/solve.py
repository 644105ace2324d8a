"""Best play of a round and its joint distribution, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...base.errors import CountError
from .passes import Chooser, Passes, worth
from .round import Round
from .settlement import Cells, Settlement
from .tree import tree_of


@dataclass(frozen=True, eq=False)
class Solution:
    """A round under a given play.

    ``value`` is the expected net result in units of the stakes. ``joint`` counts deals,
    [leaf][qualifies][result][class of the player's hand][class of the dealer's], also the comparison of folded hands.
    ``choices`` are those of each stored street, int8 [node][class of public cards][hand], -1 where cards coincide.
    """

    value: Fraction
    joint: Any
    deals: int
    classes: int
    ties: tuple[int, ...]
    choices: tuple[Any, ...]


def solve(
    round: Round, settlement: Settlement, *, without: tuple[int, ...] = (), cells: Cells | None = None
) -> Solution:
    """Solve a round for its best play. ``cells`` counts finer classes than those of the settlement."""
    passes = Passes(tree_of(round, without), settlement)
    choices, _, total = passes.values()
    counted = cells or settlement.cells
    joint, ties, best, _ = passes.joint(choices, counted)
    solution = _solution(passes, settlement, counted, joint, ties, choices)
    # The total of the maxima must be the counts times the pays.
    wanted = best if total is None else total
    if Fraction(wanted, solution.deals * settlement.unit) != solution.value:
        raise CountError("the deals of the joint distribution are not worth what best play is worth")
    return solution


def evaluate(
    round: Round, settlement: Settlement, chooser: Chooser, *, without: tuple[int, ...] = (), cells: Cells | None = None
) -> Solution:
    """The round under the choices of a chooser."""
    passes = Passes(tree_of(round, without), settlement)
    choices = passes.follow(chooser)
    counted = cells or settlement.cells
    joint, _, _, _ = passes.joint(choices, counted, chooser)
    return _solution(passes, settlement, counted, joint, (), choices)


def _solution(
    passes: Passes, settlement: Settlement, cells: Cells, joint: Any, ties: tuple[int, ...], choices: list[Any]
) -> Solution:
    rows = passes._over(cells, list(range(len(joint))))
    value = Fraction(int(sum((joint[i] * row).sum() for i, row in enumerate(rows))), int(joint.sum()) * settlement.unit)
    return Solution(value, cells.parted(joint), passes.tree.deals, len(passes.final.orbits), ties, tuple(choices))


__all__ = ["Cells", "Settlement", "Solution", "evaluate", "solve", "worth"]
