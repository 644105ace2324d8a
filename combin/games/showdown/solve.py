"""Best play of a round and its joint distribution, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...base.errors import CountError
from ...base.work import stored
from .passes import Chooser, Passes
from .public_cards import of_level, position_classes, set_of
from .round import Round
from .settlement import Cells, Settlement
from .tree import tree_of

#: The largest number of values of the first street that are kept.
MOST_OPENINGS = 1_000_000


@dataclass(frozen=True, eq=False)
class Solution:
    """A round under a given play.

    ``value`` is the expected net result in units of the stakes. ``joint`` counts deals,
    [leaf][qualifies][result][class of the player's hand][class of the dealer's], also the comparison of folded hands.
    ``classes`` is the number of classes of positions of the first street with choices, up to suits. ``ties`` counts for
    each street with choices the positions with two best choices: all positions of an earlier street, those reached on
    the last one.
    ``choices`` are those of each stored street, int8 [node][class of public cards][hand], -1 where cards coincide;
    see `passes`. ``opening`` are the sums of utilities of each choice of a stored first street, int64
    [choice][class][hand]; empty if there are very many, or if the play was given.
    """

    value: Fraction
    joint: Any
    deals: int
    classes: int
    ties: tuple[int, ...]
    choices: tuple[Any, ...]
    opening: tuple[Any, ...] = ()


def solve(round: Round, settlement: Settlement, *, without: tuple[int, ...] = ()) -> Solution:
    """Return the solution of a round under best play, in a deck without some cards.

    Solutions are kept in the command's store by all of these arguments.
    """
    table = np.asarray(settlement.utility, dtype=object)
    return _solved(round, tuple(int(x) for x in table.flat), table.shape, settlement.unit, settlement.player_cuts,
                   settlement.dealer_cuts, settlement.qualify, tuple(sorted(without)))


@stored("solutions of rounds that a file describes", most=16)
def _solved(
    round: Round, utility: tuple[int, ...], shape: tuple[int, ...], unit: int, player_cuts: tuple[int, ...],
    dealer_cuts: tuple[int, ...], qualify: int | None, without: tuple[int, ...],
) -> Solution:
    table = np.array(utility, dtype=object).reshape(shape)
    settlement = Settlement(table, unit, player_cuts, dealer_cuts, qualify)
    passes = Passes(tree_of(round, without), settlement)
    choices, opening, total = passes.values()
    joint, ties, best = passes.joint(choices, settlement.cells)
    solution = _solution(passes, settlement.cells, joint, ties, choices, opening)
    # The maxima of the first pass, or only of the last street, must equal the value of the counted deals.
    if Fraction(best if total is None else total, solution.deals * unit) != solution.value:
        raise CountError("the value of the joint distribution differs from that of best play")
    return solution


def evaluate(
    round: Round, settlement: Settlement, chooser: Chooser, *, without: tuple[int, ...] = (),
    cells: Cells | None = None, within: range | None = None,
) -> Solution:
    """Return the round under the choices of a chooser, which must not distinguish suits by name.

    ``within`` are classes of `public_classes`: only their deals are counted, and the value is that of these deals.
    """
    passes = Passes(tree_of(round, without), settlement)
    choices = passes.follow(chooser)
    counted = cells or settlement.cells
    joint, _, _ = passes.joint(choices, counted, chooser, within=within)
    return _solution(passes, counted, joint, (), choices, [])


def recount(
    round: Round, settlement: Settlement, solution: Solution, cells: Cells, *, without: tuple[int, ...] = ()
) -> Any:
    """Return the joint distribution of a solution over other cells, [leaf][qualifies][result][player][dealer].

    The last street chooses again by the settlement if it sees all cards.
    """
    passes = Passes(tree_of(round, without), settlement)
    return cells.parted(passes.joint(list(solution.choices), cells)[0])


def public_classes(round: Round, without: tuple[int, ...] = ()) -> tuple[Any, Any]:
    """Return the public cards of each class at the showdown, boards before upcards, and the sizes of the classes."""
    tree = tree_of(round, without)
    publics = of_level(tree.final, set_of(tree.removed))
    return publics.cards, publics.orbits


def _solution(
    passes: Passes, cells: Cells, joint: Any, ties: tuple[int, ...], choices: list[Any], opening: list[Any]
) -> Solution:
    worth = sum(int((joint[leaf] * row).sum()) for leaf, row in enumerate(passes.utilities(cells)))
    deals = int(joint.sum())
    few = tuple(opening) if sum(array.size for array in opening) <= MOST_OPENINGS else ()
    return Solution(Fraction(worth, deals * passes.settlement.unit), cells.parted(joint), deals,
                    position_classes(passes.tree.levels[0], passes.removed), ties, tuple(choices), few)
