"""The results of a solution of Blackjack Switch: rows and figures, per unit of both wagers together.

The expected result is exact. Both hands face one dealer, so the distribution of their sum, its
variance and the shares of rounds won and pushed are not determined here, each is a symbol; an
estimate from rounds of `dealt_rounds` is given with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from ...base.errors import InputError
from ...base.exact import symbol
from ...base.work import stored
from ...deals.draw import Composition
from ..model import Estimate, GameFigures
from ..outcome import Outcome
from .dealt_rounds import moments, simulate
from .rules import SwitchRules
from .solve import FIRST, SECOND, SwitchSolution, solved
from .wagers import apart

NET = "net_result"
WINS, PUSHES, VARIANCE = "rounds_won", "rounds_pushed", "variance_of_a_round"
#: The number of rounds dealt for estimates, about 3 s on one core, and their seed.
ROUNDS, SEED = 10_000_000, 1


def rows(solution: SwitchSolution) -> tuple[Outcome, ...]:
    """Return the rounds with cards kept and those with cards switched, each with its mean."""
    outcomes = []
    for way, name in ((SECOND, "cards exchanged"), (FIRST, "cards kept")):
        share, net = solution.round.share[way], solution.round.net[way]
        if share:
            mean = net / share / 2
            words = f"{'wins' if mean > 0 else 'loses'} {float(abs(mean)):.8f} on average"
            outcomes.append(Outcome(name, words, None, share, 1 + mean))
    return tuple(outcomes)


def figures(solution: SwitchSolution) -> GameFigures:
    """Return the figures of best play; two wagers are one unit."""
    switch_round = solution.round
    wins, pushes = symbol(WINS), symbol(PUSHES)
    house = solution.rules.hands
    doubles = house.double != "none" and house.double_after_split
    most = house.max_hands * (2 if doubles else 1)
    return GameFigures(
        expected_value=switch_round.expected_value / 2,
        average_wager=1 + switch_round.extra / 2,
        initial_units=1,
        win_frequency=wins,
        push_frequency=pushes,
        loss_frequency=1 - wins - pushes,
        frequencies={
            "loss_per_round_in_single_wagers": -switch_round.expected_value,
            "loss_per_round_without_switching": -solution.never.expected_value,
            "doubled_hands_per_round": switch_round.doubled,
            "split_hands_per_round": switch_round.split,
            **({"surrendered_hands_per_round": switch_round.surrendered} if house.surrender != "none" else {}),
        },
        choices={"switch": switch_round.share[SECOND], "keep": switch_round.share[FIRST]},
        ties={"exchanges": solution.ties},
        solution=solution,
        spread=partial(symbol, VARIANCE),
        top_net=Fraction(max(most, 2 if house.double != "none" else 1)),
        estimate=partial(estimates, solution),
        wagers_of=partial(apart, solution),
    )


@stored("estimates of rounds of Blackjack Switch", most=16)
def _estimates(rules: SwitchRules, counts: Composition) -> Mapping[str, Estimate]:
    try:
        seen = simulate(solved(rules, counts), ROUNDS, SEED)
    except InputError:  # the simulation does not cover these rules
        return {}
    sample = moments(seen, f"{int(seen.sum()):,} rounds dealt, seed {SEED}")
    return {NET: sample.mean, "variance": sample.variance, "hit_frequency": sample.won, "win_frequency": sample.won,
            "push_frequency": sample.pushed, "loss_frequency": sample.lost}


def estimates(solution: SwitchSolution) -> Mapping[str, Estimate]:
    """Return estimates of what is not determined: the variance, and the frequencies of a round won, pushed and lost."""
    all_estimates = _estimates(solution.rules, solution.counts)
    return {name: value for name, value in all_estimates.items() if name != NET}


def dealt_mean(solution: SwitchSolution) -> Estimate | None:
    """The mean net result of the rounds that are dealt for estimates; None for rules that are not dealt."""
    return _estimates(solution.rules, solution.counts).get(NET)
