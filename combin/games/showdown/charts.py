"""Play by conditions: for each street with choices an ordered list of lines, of which the first that applies decides.

    [[street]]
    "play" = 'hand >= "queen-six-four high"'
    "fold" = 'True'

A condition depends on the cards that the player sees (``player``, ``board``, ``upcard``), and on ``hand`` once the
player's hand is complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.errors import Fault, InputError, nearest, raise_all
from ...wagers.columns import Columns
from ...wagers.condition_text import ConditionError
from ...wagers.condition_tree import Node
from ...wagers.conditions import parse
from .bets import HAND, Bets, RoundWords
from .passes import CardsInView, Chooser
from .round import Round
from .solve import Solution, evaluate
from .tree import Level, tree_of


@dataclass(frozen=True)
class ChartLine:
    """A choice, its condition as written, and the line in its file."""

    choice: str
    text: str
    place: str = ""


@dataclass(frozen=True)
class ShowdownChart:
    """A play of a game: the lines of each street with choices. ``file`` is where faults are reported."""

    name: str
    streets: tuple[tuple[ChartLine, ...], ...]
    file: str = "--play"
    game: str = "showdown"


def chooser_of(round: Round, chart: ShowdownChart) -> Chooser:
    """Return the chart as a chooser of the engine; raise `InputError` with every fault, each with its line."""
    tree = tree_of(round)
    faults: list[Fault] = []
    if len(chart.streets) != len(tree.decisions):
        faults.append(Fault(f"has {len(chart.streets)} [[street]] tables, but the game has {len(tree.decisions)} "
                            "streets with choices", "write one for each street with choices, in order", chart.file))
    compiled: list[list[tuple[int, Node]]] = []
    for number, (lines, level) in enumerate(zip(chart.streets, tree.decisions, strict=False)):
        words = RoundWords(round, (), (HAND,) if tree.is_complete(number) else ())
        names = [choice.name for choice in level.choices]
        compiled.append([])
        for line in lines:
            if line.choice not in names:
                what, remedy = f'no choice has the name "{line.choice[:60]}"', nearest(line.choice[:60], names)
                faults.append(Fault(what, remedy, chart.file, line.place))
                continue
            try:
                node = parse(line.text, level.roles, play=words)
            except ConditionError as error:
                faults += [Fault(f'"{line.choice}", {f.place}: {f.what}', f.remedy, chart.file, line.place)
                           for f in error.faults]
            else:
                compiled[-1].append((names.index(line.choice), node))
    raise_all(faults)

    def choose(street: int, seen: CardsInView) -> Any:
        return _chosen(compiled[street], tree.decisions[street], tree.needs(street), seen, chart)

    return choose


def _chosen(
    lines: list[tuple[int, Node]], level: Level, needs: tuple[int, ...], seen: CardsInView, chart: ShowdownChart
) -> Any:
    """Return the choice of each hand, int8 (n, m)."""
    n, m = seen.player.shape[:2]
    columns: dict[str, Any] = {}
    for role in level.roles:
        cards = {"player": seen.player, "board": seen.board, "upcard": seen.upcard}[role]
        whole = cards if cards.ndim == 3 else np.broadcast_to(cards[:, None], (n, m, cards.shape[1]))
        flat = whole.reshape(n * m, -1)
        columns |= {f"{role}.rank": (flat % 13).astype(np.int8), f"{role}.suit": (flat // 13).astype(np.int8)}
    rank = None if seen.rank is None else seen.rank.reshape(-1)
    values = Columns(columns, n * m, {role: (role,) for role in level.roles},
                     final_ranks={} if rank is None else {HAND: rank})
    chosen = np.full(n * m, -1, np.int8)
    for choice, node in lines:
        applies = (chosen < 0) & values.value(node)
        if rank is not None and bool((applies & (rank < needs[choice])).any()):
            what = f'"{level.choices[choice].name}" applies to hands that are not offered it'
            raise InputError(Fault(what, "add the hands that are offered it to its condition", chart.file))
        chosen[applies] = choice
    if bool((chosen < 0).any()):
        names = " and ".join(f'"{choice.name}"' for choice in level.choices)
        raise InputError(Fault(f"no line of the street with {names} applies to some hands",
                               "end the street with a line 'True'", chart.file))
    return chosen.reshape(n, m)


def value(bets: Bets, chart: ShowdownChart, without: tuple[int, ...] = ()) -> Solution:
    """Return the exact value of the round played by a chart."""
    return evaluate(bets.round, bets.settlement, chooser_of(bets.round, chart), without=without)
