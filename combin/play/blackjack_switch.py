"""Blackjack Switch play: four cards, the chart after the switch, the rule for switching with its cost.

A user's chart for the hands after the switch is written as in blackjack (`combin.play.blackjack`), with
``game = "blackjack-switch"``; a surrender is played as the letter after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ..analysis.model import Analysis
from ..base.displayed import Displayed
from ..base.errors import fault
from ..base.exact import Truncated
from ..base.toml_tables import TomlFile
from ..deals.cards import Shoe
from ..games.blackjack import strategies as hands_strategies
from ..games.blackjack.dealt_rounds import most_spots
from ..games.blackjack.hands import LETTERS, Ints
from ..games.blackjack.solve import CHOICES, Solver
from ..games.blackjack.strategies import PlayChart
from ..games.blackjack_switch import strategies
from ..games.blackjack_switch.dealt_rounds import MIDDLE, deal_block, net_of
from ..games.blackjack_switch.hands import INDEX, NATURAL
from ..games.blackjack_switch.house import in_words
from ..games.blackjack_switch.solve import SwitchRound, SwitchSolution, solved
from ..games.blackjack_switch.solve import valued as valued_round
from ..games.blackjack_switch.super_match import LINES, SuperMatchPlay, both
from ..games.model import Estimate
from ..rulebook.book import Resolved
from . import dealt_rounds
from .blackjack import BlackjackStrategy, check_shoes, classes_of
from .blackjack import read as read_chart
from .strategy import Answer, StrategyCosts, UserStrategy, ValuedStrategy, optimal, valued
from .together import FLAG, SideBets, correlation

VIEW = "combin.views.blackjack_switch"
#: The deal of Super Match.
FOUR = "cards 4"


@dataclass(frozen=True)
class SwitchSummary(StrategyCosts):
    """The play of one set of rules; ``values`` is the printed rule for switching, thousandths of a wager."""

    rules: tuple[str, ...]
    chart: PlayChart
    values: Ints
    view: ClassVar[str] = VIEW


@dataclass(frozen=True)
class HandPlay:
    """One of the two hands: its cards, its first choice, and its value given no dealer blackjack."""

    hand: str
    choice: str
    value: Fraction


@dataclass(frozen=True)
class SwitchAnswer(Answer):
    """Four cards against an upcard: both ways with their two hands; ``values`` of the round before the peek."""

    hand: str
    upcard: str
    ways: Mapping[str, tuple[HandPlay, HandPlay]]
    view: ClassVar[str] = VIEW


def _solution(a: Analysis) -> SwitchSolution:
    solution: SwitchSolution = a.game.solution
    return solution


def summarize(a: Analysis, *, search: bool = False) -> SwitchSummary:
    """Return the chart of one hand after the switch, the rule for switching, and the cost of simple rules."""
    solution = _solution(a)
    solver = Solver(solution.rules.hands, solution.counts)
    chart = hands_strategies.best_chart(solver, solver.solve())
    values, by_table = strategies.rule(solution)

    return SwitchSummary(
        a,
        (optimal(a),
         _valued(a, "chart by total", solved(solution.rules, solution.counts, chart).round,
                 "the chart above for every hand, with the best switches for it"),
         _valued(a, "switch by the table", by_table, "add the values of the two hands; then each hand optimal"),
         _valued(a, "never switch", solution.never, "each hand optimal")),
        in_words(solution.rules), chart, values,
    )


def read(file: TomlFile) -> BlackjackStrategy | None:
    """Return the chart of a strategy's file; None if it has faults, which are reported."""
    chart = read_chart(file)
    return None if chart is None else replace(chart, game="blackjack-switch")


def value(a: Analysis, played: Sequence[UserStrategy]) -> tuple[ValuedStrategy, ...]:
    """Return a user's charts, each with the best switches for it, with the printed rule's, and without any."""
    best = _solution(a)
    table = strategies.table(best)
    figures = []
    for strategy in played:
        assert isinstance(strategy, BlackjackStrategy)
        solution_of_chart = solved(best.rules, best.counts, strategy.chart)
        by_table = valued_round(solution_of_chart, strategies.by_table(solution_of_chart, table))
        figures += [
            _valued(a, strategy.name, solution_of_chart.round, "the best switches for this chart"),
            _valued(a, f"{strategy.name}, switch by the table", by_table, "the printed rule for switching"),
            _valued(a, f"{strategy.name}, never switch", solution_of_chart.never, ""),
        ]
    return tuple(figures)


def _valued(a: Analysis, name: str, switch_round: SwitchRound, basis: str) -> ValuedStrategy:
    shares = {"switch": switch_round.share[1], "keep": switch_round.share[0]}
    return valued(a, name, 1 + switch_round.expected_value / 2, shares, basis)


@dataclass(frozen=True)
class SuperMatchWagers(Displayed):
    """Blackjack Switch with Super Match, $``ante`` on each hand and $``stake`` on the side bet.

    ``variance`` is an estimate for the net result of the round in wagers; None if there is no estimate.
    """

    base_id: str
    bonus_id: str
    decks: int
    ante: Fraction
    stake: Fraction
    both: SuperMatchPlay
    variance: Estimate | None
    view: ClassVar[str] = VIEW

    @property
    def expected(self) -> Fraction:
        """Expected dollars per round."""
        return self.ante * self.both.base + self.stake * self.both.side

    @property
    def deviation(self) -> Estimate | None:
        """The standard deviation of a round in dollars, an estimate."""
        if self.variance is None:
            return None
        square = (self.ante**2 * self.variance.value + self.stake**2 * self.both.side_variance
                  + 2 * self.ante * self.stake * self.both.covariance)
        return Estimate(square, self.ante**2 * self.variance.error, self.variance.how).deviation

    @property
    def correlation(self) -> Truncated | None:
        """Covariance divided by both standard deviations; that of the round is an estimate."""
        if self.variance is None:
            return None
        return correlation(self.both.covariance, self.variance.value, self.both.side_variance)


def beside(a: Analysis, with_: SideBets) -> SuperMatchWagers:
    """Return a round with Super Match on its four cards; the best play of the round is best for both."""
    [bet] = with_.bets
    bonus, ante, stake = bet.resolved, with_.ante, bet.stake
    net = dict.fromkeys(LINES, Fraction(-1)) | bet.nets
    if len(net) > len(LINES):
        raise fault(f"{bonus.id} does not have the lines of Super Match", "name super-match", file="--with")
    if a.decks not in bonus.decks and not a.request.any_decks:
        what = f"{bonus.id} is not for {a.decks} decks"
        raise fault(what, "name the paytable for this number of decks", file="--with")
    super_match = both(_solution(a), a.shoe, net)
    guess = a.estimates.get("variance")
    variance = None if guess is None else Estimate(4 * guess.value, 4 * guess.error, guess.how)
    return SuperMatchWagers(a.id, bonus.id, a.decks, ante, stake, super_match, variance)


def question(hand: str, upcard: str, shoes: Iterable[Shoe] = ()) -> tuple[list[list[int]], int]:
    """Return the classes of two hands, written ``T 6 / 5 A``, and of the upcard.

    Raises `InputError` for other input, and for cards that one of the shoes does not have.
    """
    parts, up = [classes_of(part, "--hand") for part in hand.split("/")], classes_of(upcard, "--upcard")
    if [len(part) for part in parts] != [2, 2] or len(up) != 1:
        raise fault("two hands of two cards and one upcard are required", 'write --hand "T 6 / 5 A" --upcard 9',
                    file="--hand" if len(up) == 1 else "--upcard")
    check_shoes(shoes, [*parts[0], *parts[1], *up])
    return parts, up[0]


def answer(a: Analysis, parts: Sequence[Sequence[int]], u: int) -> SwitchAnswer:
    """Return both ways of playing four cards, given by their classes, each hand in the order of its deal."""
    solution = _solution(a)
    (a1, a2), (b1, b2) = parts
    place = (a1, a2, b1, b2)
    missing = Fraction(int(solution.holes(u)[place]), solution.size - 5)
    ways, values = {}, {}
    for name, switched, hands in (("keep", False, ((a1, a2), (b1, b2))), ("switch", True, ((a1, b2), (b1, a2)))):
        plays = []
        for first, second in (hands, hands[::-1]):
            hand_place, other = int(INDEX[first]), int(INDEX[second])
            worth = solution.hand_value(u, other, hand_place, switched) / (1 - missing)
            natural = hand_place == NATURAL
            how = "stand" if natural and switched else "blackjack" if natural else CHOICES[
                int(solution.hands.best[u, other, hand_place])]
            plays.append(HandPlay(f"{LETTERS[first[0]]} {LETTERS[first[1]]}", how, worth))
        ways[name] = (plays[0], plays[1])
        values[name] = solution.exact_worth(u, place, switched) - missing * int(solution.lost(switched)[place])
    if solution.rules.exchange == "after-the-look":
        values["switch"] -= missing * (int(solution.lost(False)[place]) - int(solution.lost(True)[place]))
    best = "switch" if bool(solution.switch[(u, *place)]) else "keep"
    shown = " / ".join(" ".join(LETTERS[c] for c in part) for part in parts)
    return SwitchAnswer(a, values, best, shown, LETTERS[u], ways)


# ---- dealt rounds


def deal(a: Analysis, seats: int, rounds: int, seed: int) -> dealt_rounds.DealtRounds:
    """Return dealt rounds of seats with two hands each, under best play; Super Match uses a seat's four cards."""
    solution: SwitchSolution = a.game.solution
    dealt_rounds.fits(seats, most_spots(solution.counts, hands=2), sum(solution.counts))
    ends, cards = deal_block(solution, seats, rounds, seed)
    four = np.concatenate([cards[:, : 2 * seats].reshape(-1, 2), cards[:, 2 * seats + 1 : -1].reshape(-1, 2)], axis=1)

    def ended(bet: Resolved) -> tuple[Sequence[str], Any]:
        if bet.terms.deal != FOUR:
            raise fault(f"{bet.id} is not settled on the four cards of the two hands",
                        'simulate it in a separate plan with deals = "law"', file=FLAG)
        return dealt_rounds.settled(bet, dealt_rounds.shown(four, "cards"))

    nets = tuple(net_of(column) for _ in range(2) for column in range(2 * MIDDLE + 1))
    return dealt_rounds.DealtRounds(nets, ends.reshape(-1), ended)
