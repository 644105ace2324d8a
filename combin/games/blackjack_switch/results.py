"""The results of a solution of Blackjack Switch: rows and figures, per unit of both wagers together.

The expected result is exact. Both hands meet one dealer, so the law of their sum, its
variance and the shares of rounds won and pushed stay open here, each as a symbol;
`rounds` estimates them.
"""

from __future__ import annotations

from fractions import Fraction

from ...base.exact import symbol
from ..model import GameFigures, Row
from .solve import FIRST, SECOND, Solution, never

WINS, PUSHES, VARIANCE = "rounds_won", "rounds_pushed", "variance_of_a_round"
WHY_ALONE = "half a minute of work; ask for it with --reading"


def rows(solution: Solution) -> tuple[Row, ...]:
    """The rounds with cards kept and those with cards exchanged, each with its mean."""
    found = []
    for way, name in ((SECOND, "cards exchanged"), (FIRST, "cards kept")):
        share, net = solution.round.share[way], solution.round.net[way]
        if share:
            mean = net / share / 2
            words = f"{'wins' if mean > 0 else 'loses'} {float(abs(mean)):.8f} on average"
            found.append(Row(name, words, None, share, 1 + mean))
    return tuple(found)


def figures(solution: Solution) -> GameFigures:
    """The figures of best play; two wagers are one unit."""
    found = solution.round
    wins, pushes = symbol(WINS), symbol(PUSHES)
    house = solution.rules.hands
    doubles = house.double != "none" and house.double_after_split
    most = house.max_hands * (2 if doubles else 1)
    return GameFigures(
        expected_value=found.expected_value / 2,
        average_wager=1 + found.extra / 2,
        initial_units=1,
        win_frequency=wins,
        push_frequency=pushes,
        loss_frequency=1 - wins - pushes,
        frequencies={
            "loss_per_round_in_single_wagers": -found.expected_value,
            "loss_per_round_without_switching": -never(solution).expected_value,
            "doubled_hands_per_round": found.doubled,
            "split_hands_per_round": found.split,
        },
        choices={"switch": found.share[SECOND], "keep": found.share[FIRST]},
        ties={"exchanges": solution.ties},
        solution=solution,
        spread=lambda: symbol(VARIANCE),
        top_net=Fraction(max(most, 2 if house.double != "none" else 1)),
        alone=WHY_ALONE,
    )
