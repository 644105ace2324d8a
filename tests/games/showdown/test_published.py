"""Published values of games with decisions (../shared/reference/carnival.md), as exact fractions of our own rounds."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from combin.games.showdown.round import Round
from combin.games.showdown.settlement import Settlement
from combin.games.showdown.solve import Solution, solve

from . import rounds


def average_wager(round: Round, solution: Solution) -> Fraction:
    return sum((Fraction(int(counts.sum()), solution.deals) * leaf.staked
                for counts, leaf in zip(solution.joint, round.leaves, strict=True)), Fraction(0))


def played(make: Callable[[], tuple[Round, Settlement]]) -> tuple[Round, Settlement, Solution]:
    round, settlement = make()
    return round, settlement, solve(round, settlement)


def near(value: Fraction, published: str) -> None:
    """The published digits, rounded or cut off."""
    assert abs(value - Fraction(published)) < Fraction(1, 10 ** len(published.partition(".")[2]))


def hands_below_queen_six_four() -> int:
    """Unpaired hands of three cards, no flush and no straight, whose ranks are below Q-6-4, counted one by one."""
    found = 0
    for hand in combinations(range(52), 3):
        high, middle, low = sorted((card % 13 for card in hand), reverse=True)
        straight = high - low == 2 or (high, middle, low) == (12, 1, 0)
        same = len({high, middle, low}) < 3 or len({card // 13 for card in hand}) == 1
        found += not straight and not same and (high, middle, low) < (10, 4, 2)
    return found


def test_three_card_poker() -> None:
    _, settlement, solution = played(rounds.three_card_poker)
    assert solution.deals == comb(52, 3) * comb(49, 3) == solution.joint.sum()
    assert solution.classes == 1755
    near(-solution.value * 100, "3.3730")
    squares = Fraction(int((solution.joint * settlement.utility**2).sum()), solution.deals)
    near((squares - solution.value**2) - Fraction("1.6393") ** 2, "0.000")
    assert solution.joint[0].sum() == comb(49, 3) * hands_below_queen_six_four()  # these are folded


def test_three_card_poker_with_one_dealer_card_exposed() -> None:
    _, _, solution = played(lambda: rounds.three_card_poker(exposed=1))
    near(solution.value * 100, "3.4829")


def test_ultimate_three_card_poker() -> None:
    near(-played(rounds.ultimate_three_card_poker)[2].value * 100, "3.8807")


@pytest.mark.slow
def test_caribbean_stud() -> None:
    round, _, solution = played(rounds.caribbean_stud)
    assert solution.deals == 19_933_230_517_200
    assert solution.value * solution.deals == -1_041_372_912_372
    near(-solution.value / average_wager(round, solution) * 100, "2.555")


def test_crazy_four_poker() -> None:
    round, _, solution = played(rounds.crazy_four_poker)
    near(-solution.value / average_wager(round, solution) * 100, "1.09")


def test_let_it_ride() -> None:
    round, _, solution = played(rounds.let_it_ride)
    near(-solution.value * 100, "3.51")
    near(-solution.value / average_wager(round, solution) * 100, "2.86")
    near(average_wager(round, solution), "1.22")
    rides = sum(int(counts.sum()) for counts, leaf in zip(solution.joint, round.leaves, strict=True)
                if leaf.names[0] == "ride")
    near(Fraction(rides, solution.deals), "0.07276018")
    _, _, greatest = played(lambda: rounds.let_it_ride("greatest stake"))
    assert greatest.value == solution.value
    assert average_wager(round, greatest) > average_wager(round, solution)


@pytest.mark.slow
def test_mississippi_stud() -> None:
    round, _, solution = played(rounds.mississippi_stud)
    near(-solution.value * 100, "4.9149")
    near(average_wager(round, solution), "3.59")
    near(-solution.value / average_wager(round, solution) * 100, "1.37")
    near(-played(lambda: rounds.mississippi_stud(straight=5))[2].value * 100, "3.7591")


@pytest.mark.slow
def test_casino_holdem() -> None:
    _, _, solution = played(rounds.casino_holdem)
    near(-solution.value * 100, "2.16")
    near(Fraction(int(solution.joint[1].sum()), solution.deals), "0.82")


@pytest.mark.slow
def test_texas_holdem_bonus() -> None:
    round, _, solution = played(rounds.texas_holdem_bonus)
    near(-solution.value * 100, "2.037")
    near(average_wager(round, solution), "3.8181")
