"""Best play of hands against one upcard: in double precision outside the margin, exactly inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.caches import cached
from ...base.errors import CountError
from ...deals.draw import Composition
from .hands import ACE, CLASSES, Ints, dealer_tree, player_hands
from .rules import HouseRules
from .split_counts import most_gone
from .values import DOUBLE, HIT, MARGIN, MAY_DOUBLE, MAY_HIT, STAND, Evaluator, Family, Values, moduli_for


@cached("what values the hands of a shoe", most=16)
def evaluator_of(played: HouseRules, counts: Composition) -> tuple[Evaluator, int]:
    """Return the evaluator of a shoe's hands, and the greatest number of cards of a round after the first three."""
    hands = player_hands()
    fits = (hands.cards <= np.array(counts)).all(1)
    longest = max(dealer_tree(u, played.hits_soft_17).longest for u in range(CLASSES))
    length = most_gone(played.max_hands) + int(hands.size[fits].max()) + longest + 1
    evaluator = Evaluator(played, sum(counts), moduli_for(sum(counts) - 3, length, played.unit * played.most_odds))
    evaluator.tree(ACE).check(counts)
    return evaluator, length


@dataclass(frozen=True)
class Best:
    """Best play of a family of hands: the values, the number of choices made exactly, and the hands with a tie."""

    values: Values
    exact_choices: int
    ties: tuple[int, ...]


def best_play(
    evaluator: Evaluator, length: int, upcard: int, base: Sequence[int], family: Family, may: Ints | None = None
) -> Best:
    """Return the best play of the family; each choice within the margin is made exactly."""
    offered = evaluator.may_of(family) if may is None else may
    values = evaluator.run(upcard, base, family, may=may)
    exact = 0
    for _ in range(100):
        wrong, settled, ties = _settle(evaluator, length, base, values, offered)
        exact += settled
        if not wrong:
            return Best(values, exact, ties)
        # A wrong choice moves the values of earlier hands by less than the error, but it moves exact values.
        values = evaluator.run(upcard, base, family, choice=values.choice, may=may)
    raise CountError("the choices within the margin do not settle")


def _settle(
    evaluator: Evaluator, length: int, base: Sequence[int], values: Values, may: Ints
) -> tuple[bool, int, tuple[int, ...]]:
    """Make each close choice by exact values; return whether one was wrong, the number of close ones, the ties."""
    net = np.where(may[:, None] & np.array([MAY_HIT, MAY_HIT, MAY_DOUBLE]), values.value[:, :3, 0], -np.inf)
    net[:, STAND] = values.value[:, STAND, 0]
    ordered = np.sort(net, axis=1)
    left = np.array(base) - values.family.cards
    close = (left >= 0).all(1) & (ordered[:, 2] - ordered[:, 1] < MARGIN) & (may > 0)
    wrong, ties = False, []
    for h in np.flatnonzero(close):
        exact = evaluator.scale(int(left[h].sum()), length)
        offers = [s for s in (STAND, HIT, DOUBLE) if net[h, s] > ordered[h, 2] - MARGIN]
        worth = {s: exact.integer(values.residue[h, s, 0]) for s in offers}
        best = max(worth.values())
        wrong |= worth[int(values.choice[h])] != best
        values.choice[h] = next(s for s in offers if worth[s] == best)
        if sum(w == best for w in worth.values()) > 1:
            ties.append(int(values.family.members[h]))
    return bool(wrong), int(close.sum()), tuple(ties)
