"""The play of games from files: rules of play, one position, a user's chart, with exact costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import fault
from ..base.toml_tables import TomlFile
from ..deals.cards import RANKS
from ..games.showdown import charts, hand_names, hand_orders, rules, side_bets, street_tables
from ..games.showdown.bets import Bets, leaf_name
from ..games.showdown.charts import ChartLine, ShowdownChart
from ..games.showdown.positions import position_values
from ..games.showdown.rank_tables import rank_table
from ..games.showdown.settlement import Cells
from ..games.showdown.solve import Solution, evaluate, public_classes
from ..games.showdown.tree import tree_of
from ..rulebook.terms import SIDE_BET
from . import together as both
from .files import StrategyTerms
from .strategy import Answer, StrategyCosts, ValuedStrategy, at, optimal, valued

FLAG = "--play"


@dataclass(frozen=True)
class Rule:
    """Play by the player's final hand and the rank of the dealer's card: the best choice from each hand upwards.

    ``lines`` are (dealer's card if visible, choice, lowest hand), in ascending order of hands. ``cost`` is the loss of
    the rule against best play, which also depends on the individual cards.
    """

    lines: tuple[tuple[str, ...], ...]
    chart: ShowdownChart | None
    returned: Fraction
    cost: Fraction


@dataclass(frozen=True)
class ShowdownSummary(StrategyCosts):
    """Best play: a rule by final hands if all cards are the player's, and tables of positions by street."""

    rule: Rule | None
    streets: tuple[street_tables.StreetTable, ...]
    view = "combin.views.showdown"


@dataclass(frozen=True)
class ShowdownAnswer(Answer):
    """The exact value of each choice of one position, in units; ``cards`` are those in view, by role.

    ``paths`` has the values by the choices that led there, of which ``values`` is the first; ``hand`` is the player's
    final hand if it is complete.
    """

    cards: tuple[tuple[str, tuple[int, ...]], ...]
    hand: str
    paths: Mapping[tuple[str, ...], Mapping[str, Fraction]]
    view = "combin.views.showdown"


def _valued(a: Analysis, bets: Bets, name: str, solution: Solution, basis: str = "") -> ValuedStrategy:
    shares = {leaf_name(leaf): Fraction(int(deals.sum()), solution.deals)
              for leaf, deals in zip(bets.leaves, solution.joint, strict=True)}
    return valued(a, name, 1 + solution.value, shares, basis)


def summarize(a: Analysis, *, search: bool = False) -> ShowdownSummary:
    """Return the best play of a game from a file."""
    bets, solution = rules.bets_of(a.resolved), a.game.solution
    rule = by_final_hand(a, bets)
    strategies = [optimal(a)]
    if rule is not None and rule.chart is not None:
        played = charts.value(bets, rule.chart, a.request.without)
        strategies.append(_valued(a, bets, rule.chart.name, played, "best choice for each hand"))
    tables = street_tables.tables(bets.round, solution, a.request.without)
    if tables and a.cap is None:
        played = street_tables.by_tables(bets, solution, a.request.without)
        strategies.append(_valued(a, bets, "by what is in view", played,
                                  "the most frequent choice of each line of the tables"))
    return ShowdownSummary(a, tuple(strategies), rule, tables)


def value(a: Analysis, played: Sequence[ShowdownChart]) -> tuple[ValuedStrategy, ...]:
    """Return the exact figures of the user's charts, under the same pays."""
    if a.cap is not None:
        raise fault("a chart is not valued under a payout cap", "omit the cap", file=FLAG)
    bets = rules.bets_of(a.resolved)
    return tuple(_valued(a, bets, chart.name, charts.value(bets, chart, a.request.without)) for chart in played)


def by_final_hand(a: Analysis, bets: Bets) -> Rule | None:
    """Return the best play that depends only on the player's final hand, and on the rank of a visible dealer's card.

    Returns None unless there is one street with choices, the hand is complete there, and there is no board.
    """
    tree = tree_of(bets.round)
    if len(tree.decisions) != 1 or not tree.is_complete(0) or "board" in bets.round.cards or a.cap is not None:
        return None
    (street,), needs = tree.decisions, tree.needs(0)
    if street.upcards > 1 or 0 not in needs:
        return None
    names = [choice.name for choice in street.choices]
    ranks = [RANKS.index(r) for r in bets.round.ranks] if street.upcards else [None]
    order = hand_orders.order_named(bets.round.order)
    lines: list[tuple[str, ...]] = []
    whole: list[ChartLine] | None = []
    total, deals = 0, 0
    for rank, joint in zip(ranks, _joints(a, bets, needs.index(0), ranks), strict=True):
        chosen, starts, worth = _thresholds(bets, needs, joint)
        total, deals = total + worth, deals + int(joint.sum())
        given = () if rank is None else (RANKS[rank],)
        lines += [(*given, names[chosen[start]], _from(order, start + 1)) for start in starts]
        more = _chart_lines(order, starts, chosen, names, joint.sum(axis=(0, 1, 3)), given)
        whole = None if more is None or whole is None else whole + more
    returned = 1 + Fraction(total, deals * bets.settlement.unit)
    chart = None if whole is None else ShowdownChart("by the final hand", (tuple(whole),))
    return Rule(tuple(lines), chart, returned, a.returned - returned)


def _joints(a: Analysis, bets: Bets, first: int, ranks: Sequence[int | None]) -> Iterator[Any]:
    """Yield deals [qualifies][result][rank of the player's hand][class of the dealer's] by rank of the dealer's card.

    A choice does not change the deal: all hands make the ``first`` choice, which is always offered.
    """
    cells = Cells(tuple(range(2, bets.top)), bets.dealer_cuts, bets.qualify, bets.round.dealer is not None)
    cards, _ = public_classes(bets.round, a.request.without)

    def always(_: int, seen: Any) -> Any:
        return np.full(seen.player.shape[:2], first, np.int8)

    for rank in ranks:
        classes = [n for n, held in enumerate(cards) if rank is None or int(held[-1]) % 13 == rank]
        parts = [evaluate(bets.round, bets.settlement, always, without=a.request.without, cells=cells,
                          within=range(n, n + 1)).joint[first] for n in classes]
        yield sum(parts[1:], parts[0])


def _thresholds(bets: Bets, needs: Sequence[int], joint: Any) -> tuple[list[int], list[int], int]:
    """Return the best choice of every rank, the ranks (from 0) at which it changes, and its total value."""
    of_rank = np.searchsorted(bets.player_cuts, np.arange(1, bets.top), side="right")
    each = [(joint * bets.settlement.utility[leaf][:, :, of_rank]).sum(axis=(0, 1, 3))
            for leaf in range(len(needs))]
    weights = joint.sum(axis=(0, 1, 3)).tolist()
    chosen: list[int] = []
    total = 0
    for place, weight in enumerate(weights):
        before = chosen[-1] if chosen else -1
        offered = [i for i, need in enumerate(needs) if place + 1 >= need]
        best = max(offered, key=lambda i: (each[i][place], i == before))
        chosen.append(best if weight or before < 0 else before)
        total += int(each[best][place])
    return chosen, [0, *(i for i, (low, high) in enumerate(pairwise(chosen), 1) if low != high)], total


def _from(order: hand_orders.Order, rank: int) -> str:
    return "any hand" if rank == 1 else f"{hand_names.spoken(order, rank)} or better"


def _chart_lines(
    order: hand_orders.Order, starts: Sequence[int], chosen: Sequence[int], names: Sequence[str], weights: Any,
    given: tuple[str, ...],
) -> list[ChartLine] | None:
    """Return a rule as lines of a chart, from the highest hands. Returns None if a threshold has no name."""
    upcard = "".join(f'highest(upcard) == "{rank}"' for rank in given)
    lines = []
    for start in reversed(starts):
        if not start:
            lines.append(ChartLine(names[chosen[0]], upcard or "True"))
            continue
        # A threshold between two dealt hands may be named by any rank in between.
        text = next((name for rank in range(start + 1, 1, -1) if (name := hand_names.name_at(order, rank)) is not None
                     and not weights[rank - 1 : start].any()), None)
        if text is None:
            return None
        lines.append(ChartLine(names[chosen[start]], " and ".join(filter(None, (upcard, f'hand >= "{text}"')))))
    return lines


def answer(
    a: Analysis, hand: tuple[int, ...], shown: Mapping[str, tuple[int, ...]]
) -> ShowdownAnswer:
    """Return the exact value of every choice with these cards and best play later; ``shown`` are cards by role."""
    bets = rules.bets_of(a.resolved)
    if a.cap is not None:
        raise fault("a position is not valued under a payout cap", "omit the cap", file="--hand")
    seen = {"player": hand, **{role: cards for role, cards in shown.items() if cards}}
    paths = at("--hand", lambda: position_values(
        bets.round, bets.settlement, seen, without=a.request.without, solution=a.game.solution))
    hand_name = ""
    if all(len(seen.get(role, ())) == bets.round.cards[role] for role in bets.round.player.roles):
        cards = [card for role in bets.round.player.roles for card in seen[role]]
        table = rank_table(bets.round.order, len(cards))
        rank = int(table.ranks(np.array([cards], dtype=np.uint8))[0])
        hand_name = hand_names.spoken(hand_orders.order_named(bets.round.order), rank)
    values = next(iter(paths.values()))
    return ShowdownAnswer(a, values, max(values, key=values.__getitem__), tuple(seen.items()), hand_name, paths)


#: Maximum number of rows of a table of best play.
MOST_ROWS = 250_000


def best_play(a: Analysis) -> tuple[tuple[str, ...], Iterator[tuple[str, ...]], tuple[str, ...]]:
    """Return a row for each class of positions whose choices are stored, or the rule by the final hand."""
    bets, solution = rules.bets_of(a.resolved), a.game.solution
    rule = by_final_hand(a, bets)
    if rule is not None:
        exact = "This is the best play." if not rule.cost else (
            f"The best play also depends on the individual cards; this rule costs {rule.cost} units.")
        remarks: tuple[str, ...] = (f"Each row is a choice for all hands from the given one upwards. {exact}",)
        head: tuple[str, ...] = ("dealer's card", "choice", "from") if len(rule.lines[0]) == 3 else ("choice", "from")
        return head, iter(rule.lines), remarks
    rows = list(islice(street_tables.positions(bets.round, solution, a.request.without), MOST_ROWS + 1))
    kept = rows[:MOST_ROWS]
    remarks = ("Each class of suits is given by one hand; hands is the size of the class.",
               "The last street is decided separately for each position: use combin strategy --hand --board.")
    if len(rows) > MOST_ROWS:
        remarks = (*remarks, f"Only the first {MOST_ROWS:,} classes are listed.")
    return ("street", "player", "board", "upcard", "hands", "after", "choice"), iter(kept), remarks


def seat(
    a: Analysis, bets: Sequence[str], set: Mapping[str, str] | None = None, reading: Mapping[str, str] | None = None
) -> both.Together:
    """Return the game with one side bet on the end of its rounds, both under the game's best play."""
    if len(bets) > 1:
        raise fault("this game takes one side bet", "name one", file=both.FLAG)
    bet = a.book.resolve(bets[0], reading)
    if bet.terms.game != SIDE_BET or side_bets.base_of(a.book, bet).wager_id != a.resolved.wager_id:
        raise fault(f"{bet.id} is not a side bet on {a.resolved.wager_id}",
                    f'name a wager with beside = "{a.resolved.wager_id}"', file=both.FLAG)
    base = rules.bets_of(a.resolved)
    nodes = side_bets.conditions(bet, base.round)
    paid = [(outcome, pay) for outcome, pay in bet.payments if outcome in nodes]
    if any(side_bets.on_cards(nodes[outcome]) for outcome, _ in paid):
        raise fault(f"{bet.id} depends only on cards, which the joint distribution of the game does not record",
                    "state it by hand, dealer_hand and the result", file=both.FLAG)
    if a.cap is not None:
        raise fault("the cap applies only to the base game", "omit the cap", file="--set")
    names = sorted({name for _, pay in paid for name in pay.unknowns})
    ante, (stake,) = both.staked(dict(set or {}), [bet], names)
    values = dict(both.bet_of(bet, stake, dict(set or {})).values)
    round_bets, solution = side_bets.bets_under(a.resolved, nodes, a.request.without)
    first = round_bets.first_of([nodes[outcome] for outcome, _ in paid])
    by_line = np.array([*(pay.returned(dict(values)) - 1 for _, pay in paid), Fraction(-1)], dtype=object)
    ends = solution.joint.nonzero()
    deals, x, y = solution.joint[ends], round_bets.net_of_round[ends], by_line[first[ends]]
    x, xx, y, yy, xy = ((deals * moment).sum() / solution.deals for moment in (x, x * x, y, y * y, x * y))
    play = both.Play("optimal", x, y, xx - x * x, yy - y * y, xy - x * y, a.game.choices)
    return both.Together(a.id, bet.id, ante, stake, (play,), ("the play is optimal for the base game",))


@dataclass(frozen=True, kw_only=True)
class ShowdownTerms(StrategyTerms):
    """A chart's file: for each street with choices the conditions of its lines by choice, in order."""

    street: tuple[Mapping[str, str], ...]


def read(file: TomlFile) -> ShowdownChart | None:
    """Return the chart of a file, whose conditions are checked against the game in which it is played."""
    terms = file.read(ShowdownTerms)
    if terms is None:
        return None
    streets = tuple(
        tuple(ChartLine(choice, text, file.places.of("", (f"street #{n}", choice))) for choice, text in lines.items())
        for n, lines in enumerate(terms.street, 1)
    )
    return ShowdownChart(terms.called(file.path), streets, file.path)
