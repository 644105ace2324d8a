"""The expected result of a round of blackjack given its first cards, under a fixed play.

`by_upcard` is the expected net result for the player's two cards and the upcard,
`by_hole` also for the dealer's hole card, which the player does not see: the play is
the same behind every hole card. They join side bets on first cards with the
game. Amounts are in wagers, cards are classes.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from typing import Any

from ...base.parallel import sweep
from .hands import ACE, CLASSES, TEN, player_hands
from .solve import SPLIT, SURRENDER, BlackjackSolution, Solver
from .values import NEED_VALUE, all_hands

#: The player's two cards in ascending order, the upcard, and the hole card if it is known.
First = tuple[int, ...]


def by_upcard(solution: BlackjackSolution) -> dict[First, Fraction]:
    """Return (card, card, upcard) → expected net result of the round."""
    found: dict[First, Fraction] = {}
    for (upcard, hand), cell in solution.cells.items():
        worth = cell.values[cell.best] + solution.lost_to_blackjack(cell)
        found[(*_cards(hand), upcard)] = Fraction(worth, cell.scale)
    for upcard, _, alive in solution.naturals:
        found[ACE, TEN, upcard] = solution.natural_value(upcard, alive)
    return found


def by_hole(solution: BlackjackSolution) -> dict[First, Fraction]:
    """Return (card, card, upcard, hole card) → expected net result of the round."""
    solver = Solver(solution.rules, solution.counts)
    found: dict[First, Fraction] = {}
    pairs = [(u, h) for u in range(CLASSES) for h in range(CLASSES)]

    def behind(start: int, stop: int, _: Any) -> None:
        for upcard, hole in pairs[start:stop]:
            left = list(solution.counts)
            left[upcard] -= 1
            left[hole] -= 1
            if min(left) < 0:
                continue
            found.update(_behind(solution, solver, upcard, hole))

    sweep(behind, len(pairs), tuple, chunk=5, label="hole cards")
    return found


def _behind(solution: BlackjackSolution, solver: Solver, upcard: int, hole: int) -> dict[First, Fraction]:
    rules = solution.rules
    blackjack = {upcard, hole} == {ACE, TEN}
    cells = {hand: cell for (u, hand), cell in solution.cells.items() if u == upcard}
    found: dict[First, Fraction] = {}
    for u, _, alive in solution.naturals:
        if u == upcard:
            found[ACE, TEN, upcard, hole] = sum(
                (share * (1 if solution.takes_even_money(upcard, alive, odds)
                          else rules.natural(odds, Fraction(not blackjack)))
                 for _, odds, share in rules.naturals), Fraction(0))
    early = rules.surrender_against(upcard) == "early"
    if blackjack and rules.looks:
        for hand, cell in cells.items():
            half = cell.best == SURRENDER and early
            found[(*_cards(hand), upcard, hole)] = Fraction(-1, 2 if half else 1)
        return found
    own = copy(solver)
    own.evaluator = solver.evaluator.seeing(upcard, hole)
    own.counts = tuple(n - (c == hole) for c, n in enumerate(solver.counts))
    own.size -= 1
    own.scale = own.scale_of(own.size)
    split_hands = own
    if solver.after_split is not solver:
        split_hands = copy(own)
        split_hands.evaluator = solver.after_split.evaluator.seeing(upcard, hole)
    family, choice = all_hands(), solution.choice[upcard]
    played = [hand for hand, cell in cells.items() if cell.best < SPLIT]
    need = own.evaluator.mark(family, choice, played)
    run = own.evaluator.run(upcard, own.left_behind(upcard), family, choice=choice, need=need)
    assert all(need[hand] & NEED_VALUE for hand in played)
    for hand, cell in cells.items():
        a, b = _cards(hand)
        if cell.best == SURRENDER:
            worth = Fraction(-1, 1 if blackjack and not early else 2)
        elif cell.best == SPLIT:
            split = split_hands.split(upcard, a, solution.post_split[upcard, a])
            if split is None:
                continue
            worth = Fraction(split.net, own.scale.denominator)
        else:
            exact = own.scale.integer(run.residue[hand, int(choice[hand]), 0])
            worth = Fraction(exact, own.scale.denominator)
        found[a, b, upcard, hole] = worth
    return found


def _cards(hand: int) -> tuple[int, int]:
    cards = player_hands().cards[hand]
    first, second = [c for c in range(CLASSES) for _ in range(int(cards[c]))]
    return first, second
