"""The exact variance of a round: two hands of a split meet the same dealer.

The squared result of a split is the sum of the hands' squares and of the products of any
two of them. The expectation of a product is that of two hands from one shoe. The sum over
all ways to split is therefore that of `splits`, with two hands in place of one. A finished
hand counts its result plus 1: a busted hand then counts 0 and needs no term. The identity
E[XY] = E[(X+1)(Y+1)] − E[X+1] − E[Y+1] + 1 restores the product.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, perm
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...base.errors import CountError, fault
from ...base.parallel import sweep
from ...deals.draw import Composition
from .best_choices import evaluator_of
from .hands import BLACKJACK, CLASSES, OUTCOMES, Ints, player_hands, tree_apart
from .rules import HouseRules
from .solve import SPLIT, BlackjackSolution, Solver
from .split_counts import ends_of_pairs
from .split_values import HandLaw
from .values import HIT, STAND, Evaluator, Family, hands_with, moduli_for, reciprocals, rewards, scale

ANY, ONE, BOTH = range(3)  # hands without the pair's card as second card


def products(most: int) -> list[tuple[int, int, int]]:
    """(kind, further pair cards gone, weight): the products of two hands over all ways to split."""
    found: dict[tuple[int, int], int] = defaultdict(int)
    for hands, closed, ways in ends_of_pairs(most):
        free = hands - closed
        for kind, pairs, others in (
            (BOTH, closed * (closed - 1), closed - 2),
            (ONE, 2 * closed * free, closed - 1),
            (ANY, free * (free - 1), closed),
        ):
            if pairs:
                for j in range(others + 1):
                    found[kind, hands - 2 + j] += ways * pairs * (-1) ** j * comb(others, j)
    return [(*key, weight) for key, weight in sorted(found.items()) if weight]


def finished(evaluator: Evaluator, pair: int, policy: Ints) -> tuple[Ints, Ints, Ints]:
    """Finished hands of a split, not busted: cards behind the first, orders (all, other second card), result + 1.

    A busted double, which costs two wagers, is among them with −1.
    """
    family = hands_with(pair)
    hands = player_hands()
    table, bust = rewards(evaluator.rules, ("net",))
    ways = np.zeros((len(family.members), 2), dtype=object)
    ends: dict[tuple[tuple[int, ...], int, int], list[int]] = {}
    for c in range(CLASSES):
        ways[family.place[hands.two(pair, c)]] += (1, int(c != pair))

    def end(cards: Sequence[int], row: int, doubled: int, orders: Any) -> None:
        known = ends.setdefault((tuple(cards), row, doubled), [0, 0])
        known[0] += orders[0]
        known[1] += orders[1]

    for at in range(len(family.members) - 2, -1, -1):
        if not ways[at, 0]:
            continue
        if policy[at] == STAND:
            end(family.cards[at], int(evaluator.row[family.members[at]]), 0, ways[at])
            continue
        for c in range(CLASSES):
            child = family.child[at, c]
            if policy[at] == HIT:
                if child >= 0:
                    ways[child] += ways[at]
                continue
            cards = family.cards[at].astype(int)
            cards[c] += 1
            row = int(evaluator.row[family.members[child]]) if child >= 0 else -1
            end(cards, row, 1, ways[at])
    states = np.array([cards for cards, _, _ in ends], np.int32)
    states[:, pair] -= 1
    counts = np.array(list(ends.values()), np.int64)
    results = np.zeros((len(ends), OUTCOMES), np.int32)
    for i, (_, row, doubled) in enumerate(ends):
        results[i] = table[0, doubled, row] + 1 if row >= 0 else bust[0, doubled] + 1
    if evaluator.rules.looks:
        results[:, BLACKJACK] = 0
    return states, counts, results


def squares(solution: BlackjackSolution) -> dict[tuple[int, int], Fraction]:
    """The expected squared result of every split that the play takes, joint with "no dealer blackjack"."""
    taken = [key for key, cell in solution.cells.items() if cell.best == SPLIT]
    found: dict[tuple[int, int], Fraction] = {}

    def one(start: int, stop: int, _: Any) -> None:
        for upcard, hand in taken[start:stop]:
            pair = int(player_hands().cards[hand].argmax())
            split = solution.cells[upcard, hand].split
            assert split is not None
            play = solution.post_split[upcard, pair]
            if set(play) != {0}:
                raise fault("hands that are played by the number of hands have no variance here",
                            "ask for zero-memory or first-split play")
            key = _Policy(play[0].tobytes())
            rules = solution.rules
            crossed = _crossed(rules.of_splits, solution.counts, upcard, pair, rules.hands_of(pair), key)
            found[upcard, hand] = Fraction(split.all.square, solution.scale) + crossed

    sweep(one, len(taken), tuple, chunk=1, label="pairs of split hands")
    return found


@dataclass(frozen=True)
class _Policy:
    """The play of a family as a key of a cache."""

    choice: bytes


@cached("products of two hands of a split", most=1024)
def _crossed(
    played: HouseRules, counts: Composition, upcard: int, pair: int, most: int, play: _Policy
) -> Fraction:
    """The expected sum of the products of different hands of a split."""
    solver = Solver(replace(played, max_hands=most), counts, solved_by=evaluator_of(played, counts))
    evaluator, family = solver.evaluator, hands_with(pair)
    policy = np.frombuffer(play.choice, np.int8).copy()
    states, ways, results = finished(evaluator, pair, policy)
    left = solver.left_behind(upcard)
    left[pair] -= 2
    size, cards = sum(left), left[pair]
    wanted = [p for p in products(most) if p[1] <= cards]
    gone = max(g for _, g, _ in wanted)
    weight = np.zeros((gone + 1, 3), np.int64)
    for kind, g, number in wanted:
        weight[g, kind] = number
    if int(ways.sum(0).max()) ** 2 * 16 * int(np.abs(weight).sum(1).max()) >= 1 << 63:
        raise CountError("the orders of two hands outgrow 64 bits")
    longest = evaluator.field.longest
    length = gone + 2 * int(states.sum(1).max()) + longest + 1
    moduli = moduli_for(size, length)
    field = reciprocals(solver.size, longest, moduli)
    tree = tree_apart(upcard, played.hits_soft_17, pair)
    residue = np.zeros((gone + 1, moduli), np.uint64)
    load("blackjack_splits").pair_moments(
        np.array(left, np.int32), pair, weight, states, ways, results, *tree.law, tree.cell_outcome,
        tree.cell_length, tree.cell_pairs, *tree.factors, field.primes, field.inverse, residue,
    )  # fmt: skip
    singles = _singles(solver, upcard, pair, family, left, gone, policy)
    whole = perm(size, min(size, length))
    total = Fraction(0)
    for g in range(gone + 1):
        # Four hands at the most, doubled and one added: a product is at most 9.
        bound = 16 * int(np.abs(weight[g]).sum())
        number = scale(size - g, length - g, moduli).integer([int(r) for r in residue[g]], bound)
        total += Fraction(number * perm(cards, g), whole)
    for kind, g, factor in wanted:
        any_, other, alive = ([values[i] for values in singles] for i in range(3))
        if kind == ANY:
            rest = -2 * any_[g] + alive[g]
        elif kind == ONE:
            rest = -other[g] - (any_[g] - any_[g + 1]) + alive[g] - alive[g + 1]
        else:
            rest = -2 * (other[g] - other[g + 1]) + alive[g] - 2 * alive[g + 1] + alive[g + 2]
        total += factor * rest
    return total


def _singles(
    solver: Solver, upcard: int, pair: int, family: Family, left: Sequence[int], gone: int, policy: Ints
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """For 0 .. gone + 2 further pair cards g, each times the probability that the next g cards are pair cards:

    result + 1 of one hand, of one hand with another second card, and no dealer blackjack.
    """
    found = []
    for g in range(gone + 3):
        ordered = perm(left[pair], g)
        if not ordered:
            found.append((Fraction(0),) * 3)
            continue
        every, again = (HandLaw(*part) for part in solver.one_hand(upcard, pair, family, left, g, policy))
        counted = every.net + every.one
        parts = (counted, counted - again.net - again.one, every.one)
        found.append(tuple(Fraction(ordered * n, solver.scale.denominator) for n in parts))  # type: ignore[arg-type]
    return found
