"""Kept distributions, stakes and bounds of split hands, checked against each shoe counted anew."""

from __future__ import annotations

from fractions import Fraction
from math import perm

import numpy as np
import pytest

from combin.games.blackjack.best_choices import evaluator_of
from combin.games.blackjack.hands import player_hands
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import deck_counts
from combin.games.blackjack.split_counts import terms
from combin.games.blackjack.values import DOUBLE, HIT, NEED_STAND, STAND, hands_with
from combin.games.blackjack_switch.hands import _Split, _stakes
from combin.games.blackjack_switch.solve import dot


@pytest.mark.parametrize("most", [40, 100_000])
@pytest.mark.parametrize(("upcard", "pair"), [(4, 7), (0, 0), (9, 9), (8, 1)])
def test_sums_that_are_kept_are_those_of_each_shoe(upcard: int, pair: int, most: int) -> None:
    """A table of forty shoes is emptied again and again. A large table keeps every shoe."""
    evaluator, _ = evaluator_of(HouseRules(push_22=True, hits_soft_17=True).played, deck_counts(1))
    keeping, family = evaluator.keeping(upcard, most), hands_with(pair)
    shoe = [n - (c == upcard) for c, n in enumerate(deck_counts(1))]
    for gone in range(3):
        base = list(shoe)
        base[pair] -= gone
        every = np.full(len(family.members), NEED_STAND, np.uint8)
        keeping.learn(upcard, keeping.standing(base, family, every, 2 - gone))
        kept = keeping.run(upcard, base, family)
        anew = evaluator.run(upcard, base, family)
        assert (kept.choice == anew.choice).all()
        assert (kept.residue == anew.residue).all()
        assert abs(kept.value - anew.value).max() < 1e-12


@pytest.mark.parametrize(("upcard", "pair"), [(5, 7), (0, 3), (9, 9), (1, 0)])
@pytest.mark.parametrize("decks", [1, 6])
def test_a_split_valued_behind_fewer_pair_cards_is_within_its_bound(decks: int, upcard: int, pair: int) -> None:
    """The bound is checked against the value behind every number of pair cards. It is not far above the error."""
    rules, family = HouseRules(push_22=True, resplit_aces=True), hands_with(pair)
    evaluator, _ = evaluator_of(rules.played, deck_counts(decks))
    policy = family.own(evaluator.row)
    policy = np.where(policy >= 17, STAND, HIT).astype(np.int8)
    policy[-1] = HIT
    need = evaluator.mark(family, policy, [len(family.members) - 1])
    behind = [n - (c == upcard) - 2 * (c == pair) for c, n in enumerate(deck_counts(decks))]
    split = _Split(rules, upcard, pair, 0, behind, policy, need)
    runs = split.runs(evaluator, 9, moduli=0)
    worth, error = split.worth(runs)
    assert error == 0
    for levels in range(1, len(runs)):
        other, bound = split.worth(runs[:levels])
        assert abs(other - worth) < bound < 3


def test_sums_of_residues_are_those_of_integers() -> None:
    """The products exceed 64 bits, and the sums are negative, positive and zero."""
    numbers = np.array([[2**50, -(2**51)], [0, 7]])
    residues = np.array([[[2**61, 5, 2], [1, 2**61 + 9, 1]], [[2**61] * 3, [3, 2**60, 0]]], np.uint64)
    wanted = [2**111 - 2**51 + 21, 5 * 2**50 - 2**51 * (2**61 + 9) + 7 * 2**60, 0]
    assert dot(numbers, residues) == wanted


@pytest.mark.parametrize(("upcard", "pair"), [(5, 7), (0, 3), (9, 9)])
def test_stakes_of_a_split_hand_by_hand(upcard: int, pair: int) -> None:
    """Every order of second cards is dealt one by one. A two-card hand of 9 to 11 doubles."""
    rules = HouseRules(push_22=True, max_hands=3)
    family, hands = hands_with(pair), player_hands()
    policy = family.own(evaluator_of(rules.played, deck_counts(1))[0].row)
    policy[:] = STAND
    policy[-1] = HIT
    doubles = [c for c in range(10) if 9 <= pair + c + 2 <= 11 and 0 not in (pair, c)]
    for c in doubles:
        policy[family.place[hands.two(pair, c)]] = DOUBLE
    behind = [n - (c == upcard) - 2 * (c == pair) for c, n in enumerate(deck_counts(1))]
    hole = {0: 9, 9: 0}.get(upcard)

    def go(left: list[int], waiting: int, hands_now: int, staked: int) -> Fraction:
        """The wagers staked; the hole card is dealt last and makes no blackjack."""
        size = sum(left)
        if not waiting:
            return staked * Fraction(size - (left[hole] if hole is not None else 0), size)
        found = Fraction(0)
        for c, n in enumerate(left):
            if n:
                after = [m - (i == c) for i, m in enumerate(left)]
                again = c == pair and hands_now < 3
                own = 0 if again else 2 if c in doubles else 1
                found += Fraction(n, size) * go(after, waiting + (1 if again else -1), hands_now + again, staked + own)
        return found

    found, denominator = _stakes(rules, upcard, pair, behind, policy)
    assert Fraction(int(found.sum()), denominator) == go(behind, 2, 2, 0)
    assert denominator == perm(sum(behind), max(t.gone for t in terms(3)) + 2)
