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
    values: dict[First, Fraction] = {}
    for (upcard, hand), cell in solution.cells.items():
        worth = cell.values[cell.best] + solution.lost_to_blackjack(cell)
        values[(*_cards(hand), upcard)] = Fraction(worth, cell.scale)
    for upcard, _, alive in solution.naturals:
        values[ACE, TEN, upcard] = solution.natural_value(upcard, alive)
    return values


def by_hole(solution: BlackjackSolution) -> dict[First, Fraction]:
    """Return (card, card, upcard, hole card) → expected net result of the round."""
    solver = Solver(solution.rules, solution.counts)
    values: dict[First, Fraction] = {}
    pairs = [(u, h) for u in range(CLASSES) for h in range(CLASSES)]

    def behind(start: int, stop: int, _: Any) -> None:
        for upcard, hole in pairs[start:stop]:
            left = list(solution.counts)
            left[upcard] -= 1
            left[hole] -= 1
            if min(left) < 0:
                continue
            values.update(_behind(solution, solver, upcard, hole))

    sweep(behind, len(pairs), tuple, chunk=5, label="hole cards")
    return values


def _behind(solution: BlackjackSolution, solver: Solver, upcard: int, hole: int) -> dict[First, Fraction]:
    rules = solution.rules
    blackjack = {upcard, hole} == {ACE, TEN}
    cells = {hand: cell for (u, hand), cell in solution.cells.items() if u == upcard}
    values: dict[First, Fraction] = {}
    for u, _, alive in solution.naturals:
        if u == upcard:
            values[ACE, TEN, upcard, hole] = sum(
                (share * (1 if solution.takes_even_money(upcard, alive, odds)
                          else rules.natural(odds, Fraction(not blackjack)))
                 for _, odds, share in rules.naturals), Fraction(0))
    early = rules.surrender_against(upcard) == "early"
    if blackjack and rules.looks:
        for hand, cell in cells.items():
            half = cell.best == SURRENDER and early
            values[(*_cards(hand), upcard, hole)] = Fraction(-1, 2 if half else 1)
        return values
    dealt = copy(solver)
    dealt.evaluator = solver.evaluator.seeing(upcard, hole)
    dealt.counts = tuple(n - (c == hole) for c, n in enumerate(solver.counts))
    dealt.size -= 1
    dealt.scale = dealt.scale_of(dealt.size)
    split_hands = dealt
    if solver.after_split is not solver:
        split_hands = copy(dealt)
        split_hands.evaluator = solver.after_split.evaluator.seeing(upcard, hole)
    family, choice = all_hands(), solution.choice[upcard]
    played = [hand for hand, cell in cells.items() if cell.best < SPLIT]
    need = dealt.evaluator.mark(family, choice, played)
    run = dealt.evaluator.run(upcard, dealt.left_behind(upcard), family, choice=choice, need=need)
    assert all(need[hand] & NEED_VALUE for hand in played)
    for hand, cell in cells.items():
        a, b = _cards(hand)
        if cell.best == SURRENDER:
            worth = Fraction(-1, 1 if blackjack and not early else 2)
        elif cell.best == SPLIT:
            split = split_hands.split(upcard, a, solution.post_split[upcard, a])
            if split is None:
                continue
            worth = Fraction(split.net, dealt.scale.denominator)
        else:
            exact = dealt.scale.integer(run.residue[hand, int(choice[hand]), 0])
            worth = Fraction(exact, dealt.scale.denominator)
        values[a, b, upcard, hole] = worth
    return values


def _cards(hand: int) -> tuple[int, int]:
    cards = player_hands().cards[hand]
    first, second = [c for c in range(CLASSES) for _ in range(int(cards[c]))]
    return first, second
