"""The play of a base game for people and as JSON: lines, one hand, strategies, wagers together."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from ..analysis.caps import money
from ..analysis.model import Analysis
from ..base.documents import records
from ..base.errors import fault
from ..base.exact import decimal, grouped, percent, text
from ..deals.cards import names
from ..pages import markdown, terminal
from ..play.best_play import best_play
from ..play.strategy import Answer, Compared, Summary, Valued, game_of
from ..play.together import OneCap, Together
from .json import value

Row = tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A heading, sentences and a table, before any markup; columns from ``right`` on are numbers."""

    title: str
    facts: Sequence[str] = ()
    head: Row = ()
    rows: Sequence[Row] = field(default_factory=list)
    right: int = 1


def render(items: Sequence[Any], form: str, width: int = terminal.WIDE) -> str:
    """The text of a form: table (within ``width`` characters), markdown or json."""
    if form == "json":
        return records("strategy", map(record, items))
    if form == "csv":
        return "".join(best_play(item.analysis).csv() if isinstance(item, Summary) else _own_view(item, "table")(item)
                       for item in items)
    parts = [section for item in items for section in sections(item)]
    if form == "markdown":
        return "\n".join(_markdown(parts)).rstrip("\n") + "\n"
    return "\n".join(_plain(parts, width)).rstrip("\n") + "\n"


def _own_view(item: Any, name: str) -> Any:
    """The function of an item's own view, which the item names."""
    view = import_module(item.view) if hasattr(item, "view") else None
    if not hasattr(view, name):
        raise fault("a table of every hand is for games of few hands", "give table, json or markdown", file="--format")
    return getattr(view, name)


def sections(item: Any) -> list[Section]:
    if hasattr(item, "view"):
        found: list[Section] = _own_view(item, "sections")(item)
        return found
    if isinstance(item, Summary):
        return _summary(item)
    if isinstance(item, Answer):
        return [_answer(item)]
    if isinstance(item, Together):
        return _together(item)
    assert isinstance(item, Compared)
    return [strategies_section(f"{item.analysis.id} · {item.analysis.name}", item.analysis, item.strategies)]


def _money(amount: Fraction) -> str:
    return decimal(amount, 8)


def _summary(s: Summary) -> list[Section]:
    a = s.analysis
    game = a.game
    facts = [
        f"return {percent(a.returned)} = {text(a.returned)}, per ante",
        f"expected value {_money(game.expected_value)} antes = {text(game.expected_value)}",
        f"average wager {_money(game.average_wager)} antes, element of risk {percent(game.element_of_risk)}",
        "chosen: " + ", ".join(f"{name} {percent(share)}" for name, share in game.choices.items()),
        "positions in which two choices are worth exactly the same: "
        + ", ".join(f"{name} {grouped(n)}" for name, n in s.ties.items()),
    ]
    streets = any(line.street for line in s.lines)
    head = (*(("choice",) if streets else ()), "best flush in view", "given", "raised", "positions", "share raised")
    rows = [
        (
            *((line.street,) if streets else ()), line.hands, line.given, line.verdict, grouped(line.positions),
            percent(Fraction(line.raised, line.positions)),
        )
        for line in s.lines
    ]
    play = Section("Optimal play", (), head, rows, len(head) - 2)
    return [Section(f"{a.id} · {a.name}", facts), play, strategies_section("Strategies", a, s.strategies)]


def strategies_section(title: str, a: Analysis, found: Sequence[Valued]) -> Section:
    """Strategies with their cost, in the unit of the game."""
    choices = list(found[0].choices) if found else []
    head = ("strategy", "how found", "return", f"cost, {game_of(a.book, a.id).unit}s", "exact cost", *choices)
    rows = [
        (v.name, v.found, percent(v.returned), _money(v.cost), text(v.cost),
         *(percent(v.choices.get(name, Fraction(0)), 2) for name in choices))
        for v in found
    ]
    return Section(title, (), head, rows, 2)


def _answer(a: Answer) -> Section:
    tied = " (another choice is worth exactly as much)" if a.tied else ""
    facts = [f"best flush {a.flush}", f"best: {a.best}{tied}"]
    if a.dealer:
        facts.append(f"dealer hands: {grouped(sum(a.dealer.values()))}")
        facts += [f"  {name}: {grouped(n)}" for name, n in a.dealer.items() if n]
    cards = names(a.hand) + (f", board {names(a.board)}" if a.board else "")
    rows = [(name, _money(v), text(v), _money(a.cost[name])) for name, v in a.values.items()]
    return Section(f"{a.analysis.id}: {cards}", facts, ("choice", "worth, antes", "exact", "gives up"), rows)


def _together(t: Together) -> list[Section]:
    facts = [
        f"ante ${_short(t.ante)}, {t.bonus_id} ${_short(t.stake)}",
        "the covariance is per ante and per unit of the side bet; dollars are for one round at these stakes",
        *t.remarks,
    ]
    head = ("play", "base, antes", "side bet returns", "covariance", "correlation", "dollars a round",
            "standard deviation, $", *t.plays[0].choices)
    rows = [
        (
            p.name, _money(p.base), percent(1 + p.bonus), text(p.covariance), decimal(p.correlation, 8),
            _money(p.expected(t.ante, t.stake)), decimal(p.deviation(t.ante, t.stake), 8),
            *(percent(s) for s in p.choices.values()),
        )
        for p in t.plays
    ]
    exact = [
        (f"{p.name}: {name}", text(v))
        for p in t.plays
        for name, v in (
            ("base game, antes", p.base), ("side bet, net per unit", p.bonus),
            ("variance of the base game", p.base_variance), ("variance of the side bet", p.bonus_variance),
            ("dollars a round", p.expected(t.ante, t.stake)),
            ("variance, square dollars", p.variance(t.ante, t.stake)),
        )
    ]
    return [
        Section(f"{t.base_id} with {t.bonus_id}", facts, head, rows),
        Section("Exact values", (), ("value", "exact"), exact),
        *([] if t.cap is None else [_capped(t, t.cap)]),
    ]


def _capped(t: Together, cap: OneCap) -> Section:
    """What one cap over several wagers takes."""
    facts = [f"{money(cap.amount)} a {cap.basis} is the most that is won on {' and '.join(cap.covers)} ({cap.clause})"]
    if cap.base:
        facts.append("the play is the best without a cap; where another is better under it, the cap costs less")
    if cap.hands > 1:
        counted = "what they win together is counted" if cap.law else "what they win together is not computed"
        facts.append(f"{cap.hands} boxes share it; {counted}")
    head = ("play", "most won on a hand, $", "a hand wins above the cap", "cost of the cap, $ a round", "exact")
    rows = []
    for p in t.plays:
        beyond = sum((q for x, q in p.won.items() if x > cap.amount), Fraction(0))
        cost = p.cost(cap)
        rows.append((p.name, decimal(max(p.won), 2), percent(beyond, 8),
                     *(("not computed", "") if cost is None else (_money(cost), text(cost)))))
    return Section("One cap over the wagers of a hand", facts, head, rows)


def _short(amount: Fraction) -> str:
    return text(amount) if amount.denominator != 1 else f"{amount.numerator:,}"


#: Columns of words, and the columns that a narrow terminal drops, in this order.
WORDS = ("strategy", "how found", "best flush in view", "given", "value")
SPARED = ("exact cost", "exact", "how found")


def _plain(parts: Sequence[Section], width: int) -> list[str]:
    lines: list[str] = []
    for section in parts:
        lines.append(section.title)
        for fact in section.facts:
            lines += textwrap.wrap(f"  {fact}", width, subsequent_indent="      ", break_long_words=False)
        if section.head:
            stream = io.StringIO()
            spared = SPARED if "exact cost" in section.head or "gives up" in section.head else ()
            terminal.listing(section.rows, section.head, stream, width=width - 2, folds=WORDS, drop=spared, least=14)
            lines += [f"  {line.rstrip()}" for line in stream.getvalue().splitlines()]
        lines.append("")
    return lines


def _markdown(parts: Sequence[Section]) -> list[str]:
    lines: list[str] = []
    for number, section in enumerate(parts):
        lines += [f"{'##' if number == 0 else '###'} {markdown.safe(section.title)}", ""]
        lines += [f"- {markdown.safe(fact.strip())}" for fact in section.facts]
        if section.facts:
            lines.append("")
        if section.head:
            lines += [*markdown.table(section.head, section.rows, section.right), ""]
    return lines


def record(item: Any) -> Any:
    """An item as plain data; exact values are strings."""
    if hasattr(item, "view"):
        return _own_view(item, "record")(item)
    if isinstance(item, Summary):
        a = item.analysis
        return {
            "id": a.id, "name": a.name, "readings": dict(a.readings), "return": value(a.returned),
            **{name: value(v) for name, v in a.game.figures().items()},
            "ties": dict(item.ties),
            "play": [
                {"choice": x.street or None, "flush": x.hands, "given": x.given or None, "raised": x.verdict,
                 "positions": str(x.positions), "positions_raised": str(x.raised)}
                for x in item.lines
            ],
            "strategies": [valued_record(v) for v in item.strategies],
        }
    if isinstance(item, Answer):
        return {
            "id": item.analysis.id, "hand": names(item.hand), "board": names(item.board), "flush": item.flush,
            "best": item.best, "tied": item.tied,
            "choices": {n: {"value": value(v), "cost": value(item.cost[n])} for n, v in item.values.items()},
            "dealer_hands": {n: str(count) for n, count in item.dealer.items()},
        }
    if isinstance(item, Together):
        return _joint(item)
    return {"id": item.analysis.id, "strategies": [valued_record(v) for v in item.strategies]}


def _shares(choices: Mapping[str, Fraction]) -> dict[str, Any]:
    return {name: value(share) for name, share in choices.items()}


def valued_record(v: Valued) -> dict[str, Any]:
    return {"name": v.name, "found": v.found or None, "return": value(v.returned), "cost": value(v.cost),
            "choices": _shares(v.choices)}


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
