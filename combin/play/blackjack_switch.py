"""The play of Blackjack Switch: four cards, the chart after the exchange, the exchange as a rule with its cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ..analysis.model import Analysis
from ..base.errors import fault
from ..games.blackjack import strategies as hands_strategies
from ..games.blackjack.hands import LETTERS, Ints
from ..games.blackjack.solve import CHOICES, Solver
from ..games.blackjack.strategies import PlayChart
from ..games.blackjack_switch import strategies
from ..games.blackjack_switch.house import in_words
from ..games.blackjack_switch.solve import INDEX, NATURAL, Round, Solution, never
from .blackjack import classes_of
from .shown import Shown
from .strategy import Rule, Valued, optimal

VIEW = "combin.views.blackjack_switch"


@dataclass(frozen=True)
class SwitchSummary(Shown):
    """The play of one set of rules; ``values`` is the printed rule of exchanging, thousandths of a wager."""

    analysis: Analysis
    rules: tuple[str, ...]
    chart: PlayChart
    values: Ints
    strategies: tuple[Valued, ...]
    view: ClassVar[str] = VIEW

    @property
    def solution(self) -> Solution:
        found: Solution = self.analysis.game.solution
        return found


@dataclass(frozen=True)
class HandPlay:
    """One of the two hands: its cards, its first choice, and its value where the dealer has no blackjack."""

    hand: str
    choice: str
    value: Fraction


@dataclass(frozen=True)
class SwitchAnswer(Shown):
    """Four cards against an upcard: both ways with their two hands; ``values`` of the round before the dealer looks."""

    analysis: Analysis
    hand: str
    upcard: str
    ways: Mapping[str, tuple[HandPlay, HandPlay]]
    values: Mapping[str, Fraction]
    best: str
    view: ClassVar[str] = VIEW

    @property
    def cost(self) -> Mapping[str, Fraction]:
        """The cost of each way."""
        return {name: self.values[self.best] - value for name, value in self.values.items()}


def _solution(a: Analysis) -> Solution:
    found: Solution = a.game.solution
    return found


def summarize(a: Analysis, *, search: bool = False) -> SwitchSummary:
    """The chart of one hand after the exchange, the rule of exchanging, and the cost of simple rules."""
    solution = _solution(a)
    solver = Solver(solution.rules.hands, solution.counts)
    chart = hands_strategies.best_chart(solver, solver.solve())
    values, by_table = strategies.rule(solution)

    def valued(name: str, found: Round, how: str) -> Valued:
        returned = 1 + found.expected_value / 2
        return Valued(name, returned, a.returned - returned, {"switch": found.share[1], "keep": found.share[0]}, how)

    return SwitchSummary(
        a, in_words(solution.rules), chart, values,
        (optimal(a),
         valued("switch by the table", by_table, "add the values of the two hands; each hand then at its best"),
         valued("never switch", never(solution), "each hand at its best")),
    )


def value(a: Analysis, played: Sequence[Rule]) -> tuple[Valued, ...]:
    raise fault("a chart of one's own is not valued for Blackjack Switch", "leave out --play", file="--play")


def answer(a: Analysis, hand: str, upcard: str) -> SwitchAnswer:
    """Both ways of playing four cards, written ``T 6 / 5 A``: each hand in the order in which its cards were dealt."""
    solution = _solution(a)
    parts, up = [classes_of(part, "--hand") for part in hand.split("/")], classes_of(upcard, "--upcard")
    if [len(part) for part in parts] != [2, 2] or len(up) != 1:
        raise fault("two hands of two cards and one upcard are asked for", 'write --hand "T 6 / 5 A" --upcard 9',
                    file="--hand" if len(up) == 1 else "--upcard")
    (a1, a2), (b1, b2) = parts
    [u] = up
    place = (a1, a2, b1, b2)
    if not solution.ways(u)[place]:
        raise fault("the shoe does not hold these cards", "take fewer of them out", file="--hand")
    missing = Fraction(int(solution.holes(u)[place]), solution.size - 5)
    ways, values = {}, {}
    for name, switched, own in (("keep", False, ((a1, a2), (b1, b2))), ("switch", True, ((a1, b2), (b1, a2)))):
        plays = []
        for first, second in (own, own[::-1]):
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
    return SwitchAnswer(a, shown, LETTERS[u], ways, values, best)


__all__ = ["HandPlay", "SwitchAnswer", "SwitchSummary", "answer", "summarize", "value"]
