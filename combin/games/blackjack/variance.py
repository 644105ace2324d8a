"""The exact variance of a round: two hands of a split face the same dealer.

The squared result of a split is the sum of the hands' squares and of the products of any
two of them. The expectation of a product is that of two hands from one shoe. The sum over
all ways to split is therefore that of `split_counts`, with two hands in place of one. A final
hand counts its result plus 1: a busted hand then counts 0 and needs no term. The identity
E[XY] = E[(X+1)(Y+1)] − E[X+1] − E[Y+1] + 1 gives the product.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, perm
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...base.errors import CountError, fault
from ...base.parallel import sweep
from ...deals.draw import Composition
from .best_choices import evaluator_of
from .bonuses import Bonus, pays_of, unit_of
from .hands import BLACKJACK, BONUS_ROW, CLASSES, OUTCOMES, Ints, dealer_tree, player_hands, steps
from .rules import HouseRules
from .solve import SPLIT, BlackjackSolution, Solver
from .split_counts import ends_of_pairs
from .values import HIT, STAND, Evaluator, Family, hands_with, moduli_for, reciprocals, rewards, scale

ANY, ONE, BOTH = range(3)  # hands without the pair's card as second card


def products(most: int) -> list[tuple[int, int, int]]:
    """Return (kind, further pair cards gone, weight): the products of two hands over all ways to split."""
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for hands, closed, ways in ends_of_pairs(most):
        free = hands - closed
        for kind, pairs, others in (
            (BOTH, closed * (closed - 1), closed - 2),
            (ONE, 2 * closed * free, closed - 1),
            (ANY, free * (free - 1), closed),
        ):
            if pairs:
                for j in range(others + 1):
                    weights[kind, hands - 2 + j] += ways * pairs * (-1) ** j * comb(others, j)
    return [(*key, weight) for key, weight in sorted(weights.items()) if weight]


def finished(evaluator: Evaluator, pair: int, policy: Ints) -> tuple[Ints, Ints, Ints, dict[int, int]]:
    """Return the final hands of a split, not busted: cards behind the first, orders (all, new second card), result + 1.

    Results are in units. A busted double, which loses two wagers, is among them with −1. Last, the bonuses of hands.
    """
    unit = evaluator.unit
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
        results[i] = (table[0, doubled, row] if row >= 0 else bust[0, doubled]) + unit
    if evaluator.rules.looks:
        results[:, BLACKJACK] = 0
    bonuses = {i: row - BONUS_ROW for i, (_, row, doubled) in enumerate(ends) if row >= BONUS_ROW and not doubled}
    return states, counts, results, bonuses


def squares(solution: BlackjackSolution) -> dict[tuple[int, int], Fraction]:
    """Return the expected squared result of every split that the play takes, joint with "no dealer blackjack"."""
    taken = [key for key, cell in solution.cells.items() if cell.best == SPLIT]
    expected: dict[tuple[int, int], Fraction] = {}

    def one(start: int, stop: int, _: Any) -> None:
        for upcard, hand in taken[start:stop]:
            pair = int(player_hands().cards[hand].argmax())
            split = solution.cells[upcard, hand].split
            assert split is not None
            play = solution.post_split[upcard, pair]
            if set(play) != {0}:
                raise fault("the variance of play that depends on the number of hands is not computed",
                            "ask for zero-memory or first-split play")
            rules = solution.rules
            crossed = _crossed(
                rules.of_splits, solution.counts, upcard, pair, rules.hands_of(pair), play[0].tobytes())
            expected[upcard, hand] = Fraction(split.all.square, solution.scale) + crossed

    sweep(one, len(taken), tuple, chunk=1, label="pairs of split hands")
    return expected


def _distinct(values: Ints) -> Ints:
    """Return the distinct values, ascending; `numpy.unique` takes several times as long for this number."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])]


@cached("products of two hands of a split", most=1024)
def _crossed(
    played: HouseRules, counts: Composition, upcard: int, pair: int, most: int, play: bytes
) -> Fraction:
    """Return the expected sum of the products of different hands of a split; ``play`` has a byte for each hand."""
    solver = Solver(replace(played, max_hands=most), counts, solved_by=evaluator_of(played, counts))
    evaluator, family = solver.evaluator, hands_with(pair)
    policy = np.frombuffer(play, np.int8)
    states, ways, results, bonuses = finished(evaluator, pair, policy)
    # The suits of two hands depend on each other: hands whose pay depends on suits are added one by one.
    apart = {i: played.bonuses[n] for i, n in bonuses.items() if played.bonuses[n].by_suits}
    unit = unit_of(tuple(b for b in played.bonuses if not b.by_suits))
    results //= evaluator.unit // unit
    results[list(apart)] = 0
    left = solver.left_behind(upcard)
    left[pair] -= 2
    size, cards = sum(left), left[pair]
    wanted = [p for p in products(most) if p[1] <= cards]
    gone = max(g for _, g, _ in wanted)
    weight = np.zeros((gone + 1, 3), np.int64)
    for kind, g, number in wanted:
        weight[g, kind] = number
    size_of_weights = int(np.abs(weight).sum())
    # At most four hands, doubled and one added: a product is at most 9.
    most_product = max(16, (played.most_odds + 1) ** 2)
    if int(ways.sum(0).max()) ** 2 * most_product * unit**2 * size_of_weights >= 1 << 63:
        if played.bonuses:
            raise fault("the pays of the bonuses are too high, or their fractions too fine, for an exact variance",
                        "give lower or rounder pays")
        raise CountError("the numbers of orders of two hands exceed 64 bits")
    longest = evaluator.field.longest
    length = gone + 2 * int(states.sum(1).max()) + longest + 1
    moduli = moduli_for(size, length, unit**2 * most_product // 16)
    field = reciprocals(solver.size, longest, moduli)
    tree = dealer_tree(upcard, played.hits_soft_17, None, pair)
    kernel = load("blackjack_splits").pair_moments
    scaled = scale(size, length, moduli, unit**2)
    # Six bits per class hold the cards of two hands and those further gone; those of the pair are the lowest.
    places = np.arange(54, -1, -6, dtype=np.uint64)
    code = (states.astype(np.uint64)[:, steps(pair)] << places).sum(1, dtype=np.uint64)

    @cache
    def square(packed: bytes) -> Fraction:
        """Return the expected sum of the products of two hands with these results, in units."""
        table = np.frombuffer(packed, np.int32).reshape(results.shape)
        some = table.any(1)
        if not some.any():
            return Fraction(0)
        sums = _distinct((code[some, None] + code[some])[np.tri(some.sum(), dtype=bool)])
        sums = _distinct((sums[:, None] + np.arange(gone + 1, dtype=np.uint64)).reshape(-1))
        residue = np.zeros(moduli, np.uint64)
        kernel(
            np.array(left, np.int32), weight, code[some], ways[some], table[some], sums, tree, field.primes,
            field.inverse, residue,
        )
        number = scaled.integer(residue, most_product * size_of_weights)
        return Fraction(number, scaled.denominator)

    def both(one: Ints, other: Ints) -> Fraction:
        """Return the expected sum of the products of one hand with these results and another hand with those."""
        added = square((one + other).tobytes()) - square(one.tobytes()) - square(other.tobytes())
        return added / 2

    total = square(results.tobytes())
    plain = {i: [_only(i, results, unit * result) for result in _paid_and_not(evaluator.rules)] for i in apart}
    for i, bonus in apart.items():
        for (place,), share in pays_of(bonus).items():
            total += 2 * share * _times(bonus, place) * both(results, plain[i][place < 0])
        for j, other in apart.items():
            for (place, second), share in pays_of(bonus, other).items():
                product = both(plain[i][place < 0], plain[j][second < 0])
                total += share * _times(bonus, place) * _times(other, second) * product
    singles = _singles(solver, upcard, pair, family, left, gone, policy)
    for kind, g, factor in wanted:
        any_, others, alive = ([values[i] for values in singles] for i in range(3))
        if kind == ANY:
            rest = -2 * any_[g] + alive[g]
        elif kind == ONE:
            rest = -others[g] - (any_[g] - any_[g + 1]) + alive[g] - alive[g + 1]
        else:
            rest = -2 * (others[g] - others[g + 1]) + alive[g] - 2 * alive[g + 1] + alive[g + 2]
        total += factor * rest
    return total


def _only(state: int, results: Ints, result: Ints) -> Ints:
    """Return the results with zeros for all final hands except one."""
    single = np.zeros_like(results)
    single[state] = result
    return single


def _paid_and_not(rules: HouseRules) -> tuple[Ints, Ints]:
    """Return whether a bonus is paid against each outcome, and the result + 1 of a plain 21 in wagers."""
    plain = rewards(replace(rules, bonuses=()), ("net",))[0][0, 0, 21] + 1
    plain[BLACKJACK] = 0  # it loses the wager, or the round ends before play
    return np.arange(OUTCOMES) != BLACKJACK, plain


def _times(bonus: Bonus, place: int) -> Fraction:
    """Return the result + 1 of a hand that a bonus pays; 1 for a plain 21."""
    return bonus.pays[place][1] + 1 if place >= 0 else Fraction(1)


def _singles(
    solver: Solver, upcard: int, pair: int, family: Family, left: Sequence[int], gone: int, policy: Ints
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return for 0 .. gone + 2 further pair cards g, each times the probability that the next g cards are pair cards:

    result + 1 of one hand, of one hand with another second card, and no dealer blackjack.
    """
    singles = []
    for g in range(gone + 3):
        ordered = perm(left[pair], g)
        if not ordered:
            singles.append((Fraction(0),) * 3)
            continue
        (one, net), again = solver.one_hand(upcard, pair, family, left, g, policy, ("one", "net"))
        parts = (net + one, net + one - sum(again), one)
        singles.append(tuple(Fraction(ordered * n, solver.scale.denominator) for n in parts))  # type: ignore[arg-type]
    return singles
