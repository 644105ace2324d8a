"""The worth of a given play, and the value of each choice in a position."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from combin.base.errors import InputError
from combin.deals import poker
from combin.deals.cards import cards
from combin.games.showdown.hand_orders import named
from combin.games.showdown.passes import CardsInView
from combin.games.showdown.positions import position_values
from combin.games.showdown.settlement import Cells
from combin.games.showdown.solve import evaluate, public_classes, recount, solve

from ...verify.test_showdown_enumeration import invented
from . import rounds


def plays_from(order: str, hand: str) -> Any:
    """Plays (the second choice) with this hand or better."""
    least = named(order, hand).low
    return lambda street, seen: (seen.rank >= least).astype(np.int8)


def test_queen_six_four_is_best_play_of_three_card_poker() -> None:
    round, settlement = rounds.three_card_poker()
    best = solve(round, settlement)
    chart = evaluate(round, settlement, plays_from(round.order, "queen-six-four high"))
    assert chart.value == best.value
    assert (chart.joint == best.joint).all()
    assert evaluate(round, settlement, plays_from(round.order, "queen-six-five high")).value < best.value
    always = evaluate(round, settlement, lambda street, seen: np.ones(seen.rank.shape, np.int8))
    # Both hands are alike. With 22,100 hands, 15,020 of which qualify, the ante also wins on the others.
    assert always.joint[0].sum() == 0
    assert always.joint[1, :, 0].sum() == always.joint[1, :, 2].sum()


@pytest.mark.slow
def test_raising_with_any_pair_or_better_in_caribbean_stud() -> None:
    """Published: a loss of 1,090,272,101,460 over all deals."""
    round, settlement = rounds.caribbean_stud()
    chart = evaluate(round, settlement, plays_from(round.order, "pair"))
    assert chart.value * chart.deals == -1_090_272_101_460


def value_of(hand: tuple[int, ...]) -> int:
    """The best three of some cards, by the kernel for dealt hands."""
    three = np.array(list(combinations(hand, 3)))
    return int(poker.values(three % 13, three // 13).max())


def test_a_given_play_of_three_streets_is_worth_what_its_deals_are() -> None:
    """Every deal of eight cards, one by one: kings and queens, played by a rule that no best play is."""
    round, settlement = invented()
    round = replace(round, ranks="QK")
    deck = [13 * suit + rank for suit in range(4) for rank in (10, 11)]
    pair = named(round.order, "pair of kings").low

    def rule(street: int, seen: CardsInView) -> Any:
        kings = (seen.player % 13 == 11).sum(axis=2)
        if street == 0:
            return kings
        if street == 1:  # leaves two queens before an upcard that is a king, otherwise checks
            return np.where((kings == 0) & (seen.upcard[:, None, 0] % 13 == 11), 0, 1)
        return np.where(seen.rank >= pair, 2, 1)

    flush, straight = value_of(cards("2h 4h 5h")), value_of(cards("2h 3c 4d"))
    king_high = value_of(cards("Kh 3c 2d"))
    total, deals = Fraction(0), 0
    leaves = {leaf.path: leaf for leaf in round.leaves}
    for first, second, up, dealer in permutations(deck, 4):
        rest = [card for card in deck if card not in (first, second, up, dealer)]
        for board in combinations(rest, 2):
            deals += 1
            path: tuple[int, ...] = (int(first % 13 == 11),)
            kings = (first % 13 == 11) + (second % 13 == 11)
            mine, theirs = value_of((first, second, *board)), value_of((dealer, up, *board))
            if kings == 0 and up % 13 == 11:
                path += (0,)
            else:
                path += (1, 2 if mine >= value_of(cards("Kh Kd 2c")) else 1)
            leaf = leaves[path]
            line = "straight" if mine >= straight else "flush" if mine >= flush else ""
            result = (mine > theirs) - (mine < theirs)
            if leaf.folded:
                total -= leaf.staked
            elif theirs < king_high:
                total += 1
            else:
                total += leaf.staked + (3 if line == "flush" else 0) if result > 0 else result * leaf.staked
    chart = evaluate(round, settlement, rule)
    assert chart.deals == deals == 8 * 7 * 6 * 5 * comb(4, 2)
    assert chart.value == total / deals


def test_a_part_of_the_classes_and_finer_cells() -> None:
    round, settlement = rounds.ultimate_three_card_poker()
    solution = solve(round, settlement)
    classes, sizes = public_classes(round)
    assert classes.shape == (13, 1)
    assert sizes.sum() == 52
    finer = Cells((*sorted({*settlement.player_cuts, named(round.order, "pair").low}),), (), settlement.qualify)
    whole = recount(round, settlement, solution, finer)
    assert whole.sum() == solution.deals
    parts = [evaluate(round, settlement, lambda _, seen: np.zeros(seen.player.shape[:2], np.int8),
                      within=range(i, i + 1)) for i in range(13)]
    assert [part.deals for part in parts] == [solution.deals // 13] * 13
    # Pairs are a class of their own now; together with what was below they are the first class of before.
    at = finer.player_cuts.index(named(round.order, "pair").low)
    merged = np.delete(whole, at + 1, axis=3)
    merged[:, :, :, at] += whole[:, :, :, at + 1]
    assert (merged == solution.joint).all()


def test_positions_of_three_card_poker_by_the_kernel_for_dealt_hands() -> None:
    round, settlement = rounds.three_card_poker()
    for text in ("Qh 6d 4c", "Qh 6d 3c", "2h 2d 3s", "9c 8c 7c"):
        mine = cards(text)
        rest = [card for card in range(52) if card not in mine]
        dealers = np.array(list(combinations(rest, 3)))
        theirs = poker.values(dealers % 13, dealers // 13)
        own = value_of(mine)
        qualifies = theirs >= value_of(cards("Qh 3c 2d"))
        bonus = {5: 5, 4: 4, 3: 1}.get(own >> 20, 0)  # straight flush, three of a kind, straight
        net = np.where(qualifies, 2 * (np.sign(own - theirs)), 1) + bonus
        (values,) = position_values(round, settlement, {"player": mine}).values()
        assert values == {"fold": -1, "play": Fraction(int(net.sum()), comb(49, 3))}


def test_positions_of_ultimate_texas_holdem_by_the_kernel_for_dealt_hands() -> None:
    round, settlement = rounds.ultimate_texas_holdem()
    mine, board = cards("Ah 7d"), cards("Kc 7s 2h 3d 3c")
    rest = [card for card in range(52) if card not in mine + board]
    dealers = np.array([(*pair, *board) for pair in combinations(rest, 2)])
    theirs = poker.values(dealers % 13, dealers // 13)
    own = int(poker.values(np.array([mine + board]) % 13, np.array([mine + board]) // 13)[0])
    sign = np.sign(own - theirs)
    # The board has a pair, so that the dealer always qualifies; two pair wins nothing on the blind.
    net = 2 * sign + np.minimum(sign, 0)
    (values,) = position_values(round, settlement, {"player": mine, "board": board}).values()
    assert values == {"fold": -2, "one": Fraction(int(net.sum()), comb(45, 2))}


def test_a_position_of_no_street_and_one_with_a_card_twice() -> None:
    round, settlement = rounds.ultimate_texas_holdem()
    with pytest.raises(InputError, match="no street with choices has these numbers of cards"):
        position_values(round, settlement, {"player": cards("Ah 7d"), "board": cards("2c")})
    with pytest.raises(InputError, match="Ah cannot be dealt in this position"):
        position_values(round, settlement, {"player": cards("Ah 7d"), "board": cards("Ah 2c 3d")})
