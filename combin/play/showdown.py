"""The play of games that a file describes: rules of play, one position, a user's chart, with exact costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import fault
from ..games.showdown import charts, hand_names, orders, rules, streets
from ..games.showdown.bets import Bets
from ..games.showdown.charts import Chart, Line
from ..games.showdown.solve import Cells, Solution, evaluate
from .display import Shown
from .files import StrategyFile
from .strategy import Valued, optimal

FLAG = "--play"


@dataclass(frozen=True)
class Rule:
    """Play by the player's final hand alone: the best choice of hands from each one upwards, the lowest first.

    ``cost`` is what it loses against best play, which also looks at the cards themselves.
    """

    lines: tuple[tuple[str, str], ...]
    chart: Chart | None
    returned: Fraction
    cost: Fraction


@dataclass(frozen=True)
class ShowdownSummary(Shown):
    """Best play: a rule by final hands where the cards are all the player's own, tables of positions for streets."""

    analysis: Analysis
    rule: Rule | None
    streets: tuple[streets.StreetTable, ...]
    strategies: tuple[Valued, ...]
    ties: dict[str, int] = field(default_factory=dict)
    view = "combin.views.showdown"


@dataclass(frozen=True)
class ShowdownAnswer(Shown):
    """The exact value of each choice of one position, in units; ``cards`` are those in view, by role."""

    analysis: Analysis
    cards: tuple[tuple[str, tuple[int, ...]], ...]
    hand: str
    values: dict[str, Fraction]
    best: str
    view = "combin.views.showdown"

    @property
    def tied(self) -> bool:
        """Whether another choice has exactly the value of the best."""
        return sum(value == max(self.values.values()) for value in self.values.values()) > 1

    @property
    def cost(self) -> dict[str, Fraction]:
        """The cost of each choice."""
        most = max(self.values.values())
        return {name: most - value for name, value in self.values.items()}


def _valued(a: Analysis, found: Bets, name: str, solution: Solution, how: str = "") -> Valued:
    returned = 1 + solution.value
    shares = {n: Fraction(count, solution.deals) for n, count in charts.choices_of(found, solution).items()}
    return Valued(name, returned, a.returned - returned, shares, how)


def summarize(a: Analysis, *, search: bool = False) -> ShowdownSummary:
    """Best play of a game that a file describes."""
    found, solution = rules.bets_of(a.resolved), a.game.solution
    rule = by_final_hand(a, found)
    strategies = [optimal(a)]
    if rule is not None and rule.chart is not None:
        played = charts.value(found, rule.chart, a.request.without)
        strategies.append(_valued(a, found, "by the final hand alone", played, "best choice for each hand"))
    tables = streets.tables(found.round, solution, a.request.without)
    return ShowdownSummary(a, rule, tables, tuple(strategies), dict(a.game.ties))


def value(a: Analysis, played: Sequence[Chart]) -> tuple[Valued, ...]:
    """The user's charts valued exactly, under the same pays."""
    if a.cap is not None:
        raise fault("a chart is not valued under a payout cap", "leave out the cap", file=FLAG)
    found = rules.bets_of(a.resolved)
    return tuple(_valued(a, found, chart.name, charts.value(found, chart, a.request.without)) for chart in played)


def by_final_hand(a: Analysis, found: Bets) -> Rule | None:
    """The best play that looks at the player's final hand alone; None unless one street decides with it complete."""
    (*others,) = charts.decisions(found.round)
    if len(others) != 1 or not others[0].complete or "board" in found.round.cards or a.cap is not None:
        return None
    (street,) = others
    cells = Cells(tuple(range(2, found.top)), found.dealer_cuts, found.qualify, found.round.dealer is not None)
    first = next(i for i, need in enumerate(street.needs) if not need)

    def always(_: int, seen: Any) -> Any:
        return np.full(seen.player.shape[:2], first, np.int8)

    counted = evaluate(found.round, found.settlement, always, without=a.request.without, cells=cells)
    joint = counted.joint[first]  # [qualifies][result][rank][dealer]
    of_rank = np.searchsorted(found.player_cuts, np.arange(1, found.top), side="right")
    each = [(joint * found.settlement.utility[leaf][:, :, of_rank]).sum(axis=(0, 1, 3))
            for leaf in range(len(street.choices))]
    weights = joint.sum(axis=(0, 1, 3))
    chosen: list[int] = []
    total = 0
    for place, weight in enumerate(weights.tolist()):
        offered = [i for i, need in enumerate(street.needs) if place + 1 >= need]
        best = max(offered, key=lambda i: (each[i][place], i == (chosen[-1] if chosen else -1)))
        best = best if weight or not chosen else chosen[-1]
        chosen.append(best)
        total += each[best][place]
    returned = 1 + Fraction(int(total), counted.deals * found.settlement.unit)
    starts = [0, *(i for i, (low, high) in enumerate(pairwise(chosen), 1) if low != high)]
    order = orders.order_named(found.round.order)
    lines = tuple((street.choices[chosen[start]], _from(order, start + 1)) for start in starts)
    return Rule(lines, _chart(order, starts, chosen, street.choices, weights), returned, a.returned - returned)


def _from(order: orders.Order, rank: int) -> str:
    return "any hand" if rank == 1 else f"{hand_names.spoken(order, rank)} or better"


def _chart(
    order: orders.Order, starts: Sequence[int], chosen: Sequence[int], names: Sequence[str], weights: Any
) -> Chart | None:
    """The rule as a chart, from the highest hands; None where a threshold has no name in the format."""
    lines = []
    for start in reversed(starts):
        if not start:
            lines.append(Line(names[chosen[0]], "True"))
            continue
        # A threshold between two hands that are dealt may be named by any rank in between.
        text = next((name for rank in range(start + 1, 1, -1) if (name := hand_names.name_at(order, rank)) is not None
                     and not weights[rank - 1 : start].any()), None)
        if text is None:
            return None
        lines.append(Line(names[chosen[start]], f'hand >= "{text}"'))
    return Chart("by the final hand alone", (tuple(lines),))


def answer(a: Analysis, hand: tuple[int, ...], shown: tuple[tuple[int, ...], tuple[int, ...]]) -> ShowdownAnswer:
    """The exact value of every choice with these cards, best play after it."""
    from ..games.showdown.positions import position

    board, upcard = shown
    found = rules.bets_of(a.resolved)
    at = position(found.round, found.settlement, {"player": hand, "board": board, "upcard": upcard},
                  without=a.request.without)
    cards = tuple((role, tuple(c)) for role, c in (("player", hand), ("board", board), ("upcard", upcard)) if c)
    return ShowdownAnswer(a, cards, at.hand, at.values, at.best)


def read(file: StrategyFile) -> Chart:
    """The chart of a file; its conditions are checked against the game that it is played in."""
    file.known(file.data, ("game", "name", "street"))
    tables = file.data.get("street", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        file.fault("the chart has no [[street]]", "write one [[street]] table for each street with choices",
                   file.places.find(("", "street"), ("street",)))
        return Chart("", (), file.path)
    found = []
    for n, table in enumerate(tables):
        block = file.places.block("street", n)
        lines = []
        for choice, text in table.items():
            place = block.find(("street", choice)) or block.start
            if type(text) is not str:
                file.fault(f'the condition of "{choice[:60]}" is not a text', "put it in quotes", place)
            else:
                lines.append(Line(choice, text, place))
        found.append(tuple(lines))
    return Chart(file.name(), tuple(found), file.path)


__all__ = ["Rule", "ShowdownAnswer", "ShowdownSummary", "answer", "read", "summarize", "value"]
