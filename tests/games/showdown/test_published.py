"""Published values of games with decisions (../shared/reference/carnival.md), as exact fractions of our own rounds."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

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
    near(-solution.value * 100, "3.3730")
    squares = Fraction(int((solution.joint * settlement.utility**2).sum()), solution.deals)
    near((squares - solution.value**2) - Fraction("1.6393") ** 2, "0.000")
    assert solution.joint[0].sum() == comb(49, 3) * hands_below_queen_six_four()  # these are folded


def test_three_card_poker_with_one_dealer_card_exposed() -> None:
    _, _, solution = played(lambda: rounds.three_card_poker(exposed=1))
    near(solution.value * 100, "3.4829")


def test_ultimate_three_card_poker() -> None:
    near(-played(rounds.ultimate_three_card_poker)[2].value * 100, "3.8807")
