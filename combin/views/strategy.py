"""The play of a base game as text and JSON: lines, one hand, strategies, joint wagers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from importlib import import_module
from typing import Any

from .. import pages
from ..base.documents import records
from ..base.errors import fault
from ..base.exact import decimal, grouped, money, percent, text
from ..deals.cards import names
from ..pages.blocks import Cell, Grid, Part, Points, Words, count, number, share
from ..play.best_play import best_play
from ..play.strategy import FlushAnswer, StrategyCosts, Summary, game_of
from ..play.strategy import costs as costs_of
from ..play.together import OneCap, Together
from .json import value


def render(items: Sequence[Any], form: str) -> str:
    """Return the text of a form: table, markdown, json or csv."""
    if form == "json":
        return records("strategy", map(record, items))
    if form == "csv":
        return "".join(map(table, items))
    return pages.render(list(map(part, items)), form)


def _view(item: Any) -> Any:
    """Return the module that the item names, which registers its functions; this one if it names none."""
    return import_module(getattr(item, "view", __name__))


def part(item: Any) -> Part:
    """Return the page of an item."""
    _view(item)
    return page_of(item)


def record(item: Any) -> Any:
    """Return an item as plain data; exact values are strings."""
    _view(item)
    return record_of(item)


def table(item: Any) -> str:
    """Return an item as CSV, by default every hand of a game's best play. Raises `InputError` for one that has none."""
    view = _view(item)
    if hasattr(view, "in_csv"):
        text: str = view.in_csv(item)
        return text
    if type(item) is StrategyCosts or not isinstance(item, StrategyCosts):
        raise fault("only the best play of a game can be listed", "give table, json or markdown", file="--format")
    return best_play(item.analysis).csv()


def tables(item: Any) -> tuple[Part, ...]:
    """Return the parts of an item's page for a report, which already has the figures of the game."""
    view = _view(item)
    parts: tuple[Part, ...] = view.in_report(item) if hasattr(view, "in_report") else part(item).parts
    return parts


@singledispatch
def page_of(item: Any) -> Part:
    """Return the page of strategies; other pages are registered by class."""
    a = item.analysis
    return Part(f"{a.id} · {a.name}", blocks=(_strategies(item),))


@singledispatch
def record_of(item: Any) -> Any:
    """Return strategies as plain data; other records are registered by class."""
    return {"id": item.analysis.id, "strategies": strategies_record(item)}


def points(*items: str) -> Points:
    """Return a list of sentences."""
    return Points(tuple(("", item) for item in items))


@page_of.register
def _summary(s: Summary) -> Part:
    a = s.analysis
    game = a.game
    facts = points(
        f"return {percent(a.returned)} = {text(a.returned)}, per ante",
        f"expected value {decimal(game.expected_value, 8)} antes = {text(game.expected_value)}",
        f"average wager {decimal(game.average_wager, 8)} antes, element of risk {percent(game.element_of_risk)}",
        "chosen: " + ", ".join(f"{name} {percent(chosen)}" for name, chosen in game.choices.items()),
    )
    ties = Words("Positions in which two choices have equal values: "
                 + ", ".join(f"{grouped(n)} ({name})" for name, n in game.ties.items()) + ".")
    streets = any(line.street for line in s.lines)
    head = (*(("choice",) if streets else ()), "best flush in view", "given", "raised", "positions", "raised positions",
            "share raised")
    rows = tuple(
        (*((line.street,) if streets else ()), line.hands, line.given, line.verdict, count(line.positions),
         count(line.raised), percent(line.share))
        for line in s.lines
    )
    play = Part("Optimal play", blocks=(Grid(head, rows, len(head) - 3), *((ties,) if game.ties else ())))
    return Part(f"{a.id} · {a.name}", blocks=(facts,), parts=(play, costs(s)))


def costs(s: StrategyCosts) -> Part:
    """Return the part of strategies with their cost."""
    return Part("Strategies", blocks=(_strategies(s),))


def _strategies(s: StrategyCosts) -> Grid:
    """Return strategies with their cost, in the unit of the game."""
    choices = list(s.strategies[0].choices)
    head = ("strategy", "basis", "return", f"cost, {game_of(s.analysis.book, s.analysis.id).unit}s", *choices)
    return Grid(head, tuple(
        (v.name, v.basis, share(v.returned), number(v.cost),
         *(percent(v.choices.get(name, Fraction(0)), 2) for name in choices))
        for v in s.strategies
    ), 2)


def choices_grid(values: Mapping[str, Fraction], unit: str) -> Grid:
    """Return the choices of one position with their value and cost."""
    cost = costs_of(values)
    return Grid(("choice", f"value, {unit}", "cost"),
                tuple((name, number(v), number(cost[name])) for name, v in values.items()))


def choices_record(values: Mapping[str, Fraction]) -> dict[str, Any]:
    cost = costs_of(values)
    return {name: {"value": value(v), "cost": value(cost[name])} for name, v in values.items()}


@page_of.register
def _answer(a: FlushAnswer) -> Part:
    tied = " (another choice has the same value)" if a.tied else ""
    facts = [f"best flush {a.flush}", f"best: {a.best}{tied}"]
    if a.dealer:
        facts.append(f"dealer hands: {grouped(sum(a.dealer.values()))}")
        facts += [f"{name}: {grouped(n)}" for name, n in a.dealer.items() if n]
    cards = names(a.hand) + (f", board {names(a.board)}" if a.board else "")
    return Part(f"{a.analysis.id}: {cards}", blocks=(points(*facts), choices_grid(a.values, "antes")))


@page_of.register
def _together(t: Together) -> Part:
    facts = points(
        f"ante ${_short(t.ante)}, {t.bonus_id} ${_short(t.stake)}",
        "the covariance is per ante and per unit of the side bet; dollars are for one round at these stakes",
        *t.remarks,
    )
    head = ("play", "base, antes", "side bet returns", "covariance", "correlation", "dollars per round",
            "standard deviation, $", *t.plays[0].choices)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (p.name, number(p.base), share(1 + p.bonus), number(p.covariance), decimal(p.correlation, 8),
         number(p.expected(t.ante, t.stake)), decimal(p.deviation(t.ante, t.stake), 8),
         *(percent(chosen) for chosen in p.choices.values()))
        for p in t.plays
    )
    variances = tuple(
        (p.name, number(p.base_variance), number(p.bonus_variance), number(p.variance(t.ante, t.stake)))
        for p in t.plays
    )
    more = Part("Variances", blocks=(
        Grid(("play", "base game", "side bet", "round, square dollars"), variances),))
    return Part(f"{t.base_id} with {t.bonus_id}", blocks=(facts, Grid(head, rows, narrow=True)),
                parts=(more, *(() if t.cap is None else (_capped(t, t.cap),))))


def _capped(t: Together, cap: OneCap) -> Part:
    """Return the effect of one cap over several wagers."""
    facts = [f"at most {money(cap.amount)} per {cap.basis} is paid on {' and '.join(cap.covers)} ({cap.clause})"]
    if cap.base:
        facts.append("the play is optimal without a cap; if another play is better under the cap, the cap costs less")
    if cap.hands > 1:
        counted = "their total win is counted" if cap.distribution else "their total win is not computed"
        facts.append(f"{cap.hands} spots share it; {counted}")
    rows: list[tuple[Cell, ...]] = []
    for p in t.plays:
        cost = p.cost(cap)
        rows.append((p.name, decimal(max(p.won), 2), percent(p.beyond(cap), 8),
                     "not computed" if cost is None else number(cost)))
    head = ("play", "maximum win of a hand, $", "probability of a win above the cap", "cost of the cap, $ per round")
    return Part("Cap shared by the wagers of a hand", blocks=(points(*facts), Grid(head, tuple(rows))))


def _short(amount: Fraction) -> str:
    return text(amount) if amount.denominator != 1 else f"{amount.numerator:,}"


@record_of.register
def _summary_record(s: Summary) -> Any:
    return {
        **game_record(s),
        "ties": dict(s.analysis.game.ties),
        "play": [
            {"choice": x.street or None, "flush": x.hands, "given": x.given or None, "raised": x.verdict,
             "positions": str(x.positions), "positions_raised": str(x.raised)}
            for x in s.lines
        ],
        "strategies": strategies_record(s),
    }


def game_record(s: StrategyCosts, **rules: Any) -> dict[str, Any]:
    """Return the first keys of a game's record; ``rules`` are house rules."""
    a = s.analysis
    decks = {"decks": a.decks} if rules else {}
    return {"id": a.id, "name": a.name, **decks, "readings": dict(a.readings), **rules, "return": value(a.returned),
            **{name: value(v) for name, v in a.game.figures().items()}}


@record_of.register
def _answer_record(a: FlushAnswer) -> Any:
    return {
        "id": a.analysis.id, "hand": names(a.hand), "board": names(a.board), "flush": a.flush,
        "best": a.best, "tied": a.tied, "choices": choices_record(a.values),
        "dealer_hands": {n: str(count) for n, count in a.dealer.items()},
    }


def _shares(choices: Mapping[str, Fraction]) -> dict[str, Any]:
    return {name: value(share) for name, share in choices.items()}


def strategies_record(s: StrategyCosts) -> list[dict[str, Any]]:
    return [{"name": v.name, "found": v.basis or None, "return": value(v.returned), "cost": value(v.cost),
             "choices": _shares(v.choices)} for v in s.strategies]


@record_of.register
def _joint(t: Together) -> dict[str, Any]:
    return {
        "id": t.base_id, "with": t.bonus_id, "ante": text(t.ante), "stake": text(t.stake),
        "plays": [
            {
                "play": p.name, "expected_value": value(p.base), "side_bet_return": value(1 + p.bonus),
                "variance": value(p.base_variance), "side_bet_variance": value(p.bonus_variance),
                "covariance": value(p.covariance), "correlation": {"decimal": float(p.correlation)},
                "dollars_per_round": value(p.expected(t.ante, t.stake)),
                "variance_in_dollars": value(p.variance(t.ante, t.stake)),
                "standard_deviation_in_dollars": {"decimal": float(p.deviation(t.ante, t.stake))},
                "choices": _shares(p.choices),
            }
            for p in t.plays
        ],
        "remarks": list(t.remarks),
        **({} if t.cap is None else {"cap": {
            "amount": text(t.cap.amount), "basis": t.cap.basis, "clause": t.cap.clause, "covers": list(t.cap.covers),
            "hands": t.cap.hands,
            "cost": [{"play": p.name, "least": cost, "greatest": cost} for p in t.plays
                     for exact in [p.cost(t.cap)] for cost in [None if exact is None else value(exact)]],
        }}),
    }
