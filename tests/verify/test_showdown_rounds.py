"""Rounds dealt at random under the stored play come near the exact values of short decks."""

from dataclasses import replace
from fractions import Fraction

import pytest

from combin.games.showdown.round import Round
from combin.games.showdown.settlement import Settlement
from combin.games.showdown.solve import Solution, solve
from combin.verify.showdown_rounds import DealtShowdown, deal_rounds

from ..games.showdown import rounds
from .test_showdown_enumeration import invented


def near(game: tuple[Round, Settlement], ranks: str, number: int) -> None:
    round, settlement = replace(game[0], ranks=ranks), game[1]
    solution = solve(round, settlement)
    dealt = deal_rounds(round, settlement, solution, number, 1)
    assert sum(dealt.leaves) == dealt.rounds == number
    assert abs(dealt.mean - solution.value) < 4 * dealt.error
    assert far_leaves(dealt, solution) == []


def far_leaves(dealt: DealtShowdown, solution: Solution) -> list[int]:
    """The leaves that were reached more than four standard errors more or less often than their deals say."""
    found = []
    for leaf, (count, deals) in enumerate(zip(dealt.leaves, solution.joint, strict=True)):
        p = Fraction(int(deals.sum()), solution.deals)
        if (count - dealt.rounds * p) ** 2 > 16 * dealt.rounds * p * (1 - p):
            found.append(leaf)
    return found


def test_three_card_poker() -> None:
    near(rounds.three_card_poker(), rounds.FULL, 600)


def test_an_invented_game_of_three_streets() -> None:
    near(invented(), "TJQK", 300)


def test_another_play_is_noticed() -> None:
    """A solution whose first street checks where it bets does not end where it says."""
    round, settlement = invented()
    solution = solve(replace(round, ranks="TJQK"), settlement)
    wrong = replace(solution, choices=(1 - solution.choices[0], *solution.choices[1:]))
    assert far_leaves(deal_rounds(replace(round, ranks="TJQK"), settlement, wrong, 300, 1), solution)


#: A short deck with every category of hands, where a solution takes a fraction of a second.
SHORT = "6789TJQKA"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [
    ("caribbean_stud", 300), ("crazy_four_poker", 100), ("let_it_ride", 20_000), ("casino_holdem", 5_000),
    ("ultimate_texas_holdem", 5_000),
])  # fmt: skip
def test_games(name: str, number: int) -> None:
    near(getattr(rounds, name)(), SHORT, number)
