"""Play by conditions: for each street with choices an ordered list of lines, of which the first that applies decides.

    [[street]]
    "play" = 'hand >= "queen-six-four high"'
    "fold" = 'True'

A condition depends on the cards that the player sees (``player``, ``board``, ``upcard``), and on ``hand`` once the
player's hand is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.errors import Fault, InputError, nearest, raise_all
from ...wagers.columns import Columns
from ...wagers.conditions import ConditionError, Node, Within, parse, parts_of
from . import orders
from .bets import HAND, Bets
from .passes import Chooser, Seen
from .reading import named
from .round import SEEN, Round
from .solve import Solution, evaluate


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


@dataclass(frozen=True)
class _Words:
    """The words of a chart's conditions on a street: the player's hand if it is complete."""

    order: str
    ranks: str
    complete: bool
    compares: bool = False

    @property
    def states(self) -> tuple[str, ...]:
        return ()

    @property
    def hands(self) -> tuple[str, ...]:
        return (HAND,) if self.complete else ()

    def bounds(self, text: str) -> tuple[int, int]:
        interval = orders.named(self.order, text, self.ranks)
        return interval.low, interval.high


@dataclass(frozen=True)
class Decision:
    """A street with choices for a chart: the cards by role that the player sees, the choices, and their needs."""

    roles: Mapping[str, int]
    choices: tuple[str, ...]
    needs: tuple[int, ...]
    complete: bool


def decisions(round: Round) -> tuple[Decision, ...]:
    """Return the streets with choices."""
    seen = dict.fromkeys(SEEN, 0)
    streets = []
    for street in round.streets:
        for role, cards in street.deal:
            if role in seen:
                seen[role] += cards
        if street.choices:
            complete = all(seen[role] == round.cards[role] for role in round.player.roles)
            needs = tuple(0 if c.needs is None else named(round, c.needs).low for c in street.choices)
            streets.append(Decision({role: n for role, n in seen.items() if n},
                                   tuple(c.name for c in street.choices), needs, complete))
    return tuple(streets)


def chooser_of(round: Round, chart: ShowdownChart) -> Chooser:
    """Return the chart as a chooser of the engine; raise `InputError` with every fault, each with its line."""
    streets = decisions(round)
    faults: list[Fault] = []
    if len(chart.streets) != len(streets):
        what = f"has {len(chart.streets)} [[street]] tables, but the game has {len(streets)} streets with choices"
        faults.append(Fault(what, "write one for each street with choices, in order", chart.file))
    compiled: list[list[tuple[int, Node]]] = []
    for lines, street in zip(chart.streets, streets, strict=False):
        words = _Words(round.order, round.ranks, street.complete)
        compiled.append([])
        for line in lines:
            if line.choice not in street.choices:
                what, remedy = f'no choice has the name "{line.choice[:60]}"', nearest(line.choice[:60], street.choices)
                faults.append(Fault(what, remedy, chart.file, line.place))
                continue
            try:
                node = parse(line.text, street.roles, play=words)
            except ConditionError as error:
                faults += [Fault(f'"{line.choice}", {f.place}: {f.what}', f.remedy, chart.file, line.place)
                           for f in error.faults]
            else:
                compiled[-1].append((street.choices.index(line.choice), node))
    raise_all(faults)

    def choose(street: int, seen: Seen) -> Any:
        return _chosen(compiled[street], streets[street], seen, chart)

    return choose


def _chosen(lines: list[tuple[int, Node]], street: Decision, seen: Seen, chart: ShowdownChart) -> Any:
    """Return the choice of each hand, int8 (n, m)."""
    n, m = seen.player.shape[:2]
    columns: dict[str, Any] = {}
    for role, cards in (("player", seen.player), ("board", seen.board), ("upcard", seen.upcard)):
        if role in street.roles:
            whole = cards if cards.ndim == 3 else np.broadcast_to(cards[:, None], (n, m, cards.shape[1]))
            flat = whole.reshape(n * m, -1)
            columns |= {f"{role}.rank": (flat % 13).astype(np.int8), f"{role}.suit": (flat // 13).astype(np.int8)}
    known: dict[Node, Any] = {}
    if seen.rank is not None:
        rank = seen.rank.reshape(-1)
        for _, node in lines:
            for within in _withins(node):
                known[within] = (rank >= (within.low or 0)) & (rank < (within.high or 1 << 30))
    values = Columns(columns, n * m, {role: (role,) for role in street.roles}, known)
    chosen = np.full(n * m, -1, np.int8)
    for choice, node in lines:
        applies = (chosen < 0) & values.value(node)
        if street.needs[choice] and seen.rank is not None and bool((applies & (rank < street.needs[choice])).any()):
            what = f'"{street.choices[choice]}" applies to hands that are not offered it'
            raise InputError(Fault(what, "add the hands that are offered it to its condition", chart.file))
        chosen[applies] = choice
    if bool((chosen < 0).any()):
        what = f"no line of the street with {' and '.join(map(repr, street.choices))} applies to some hands"
        raise InputError(Fault(what.replace("'", '"'), "end the street with a line 'True'", chart.file))
    return chosen.reshape(n, m)


def _withins(node: Node) -> list[Within]:
    if isinstance(node, Within):
        return [node]
    return [within for part in parts_of(node) for within in _withins(part)]


def value(bets: Bets, chart: ShowdownChart, without: tuple[int, ...] = ()) -> Solution:
    """Return the exact value of the round played by a chart."""
    return evaluate(bets.round, bets.settlement, chooser_of(bets.round, chart), without=without)


def choices_of(bets: Bets, solution: Solution) -> dict[str, Any]:
    """Return deals by path of choices."""
    names = (" / ".join(leaf.names) for leaf in bets.leaves)
    return {name: int(table.sum()) for name, table in zip(names, solution.joint, strict=True)}
