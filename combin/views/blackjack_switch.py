"""The play of Blackjack Switch as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from ..base.exact import decimal, percent, text
from ..games.blackjack.hands import LETTERS
from ..games.blackjack.strategies import MEANING, UPCARDS
from ..games.blackjack_switch.strategies import names
from ..play.blackjack_switch import SwitchAnswer, SwitchSummary
from .blackjack import chart_rows
from .json import value
from .strategy import Section, strategies_section, valued_record

RULE = ("thousandths of a wager: add the two hands' numbers as dealt and as exchanged; exchange where the "
        "second sum is greater")
Item = SwitchSummary | SwitchAnswer


def sections(item: Item) -> list[Section]:
    return _summary(item) if isinstance(item, SwitchSummary) else [_answer(item)]


def _value_rows(s: SwitchSummary) -> list[tuple[str, ...]]:
    return [(name, *(str(int(s.values[u, i])) for u in UPCARDS)) for i, name in enumerate(names())]


def _summary(s: SwitchSummary) -> list[Section]:
    a, game = s.analysis, s.analysis.game
    facts = [
        f"{a.decks} deck{'s' if a.decks > 1 else ''}: {' '.join(s.rules)}",
        f"return {percent(a.returned)} = {text(a.returned)}, per unit of both wagers",
        f"average wager {decimal(game.average_wager, 8)}, element of risk {percent(game.element_of_risk)}",
        f"cards are exchanged in {percent(game.choices['switch'])} of rounds",
        "each hand is played by its own cards, the upcard and the other hand's first two cards (zero memory)",
    ]
    rows = chart_rows(s.chart)
    used = {letter for row in rows for letter in row[1:]}
    key = "; ".join(f"{letter} {meaning}" for letter, meaning in MEANING.items() if letter in used)
    head = ("hand", *(LETTERS[u] for u in UPCARDS))
    return [
        Section(f"{a.id} · {a.name}", facts),
        Section("One hand behind the exchange, by total",
                [key], head, rows, 11),
        Section("When to exchange", [RULE], head, _value_rows(s), 1),
        strategies_section("Strategies", s.strategies),
    ]


def _answer(a: SwitchAnswer) -> Section:
    rows = []
    for name, plays in a.ways.items():
        for play in plays:
            rows.append((name, play.hand, play.choice, decimal(play.value, 8), "", ""))
        worth = a.values[name]
        rows.append((name, "both hands", "", decimal(worth, 8), text(worth), decimal(a.cost[name], 8)))
    facts = [f"best: {a.best}",
             "hands where the dealer has no blackjack, both hands before the dealer looks; in wagers"]
    return Section(f"{a.analysis.id}, {a.analysis.decks} deck(s): {a.hand} against {a.upcard}", facts,
                   ("way", "hand", "first choice", "worth", "exact", "gives up"), rows)


def record(item: Item) -> Any:
    a = item.analysis
    if isinstance(item, SwitchAnswer):
        return {
            "id": a.id, "decks": a.decks, "hand": item.hand, "upcard": item.upcard, "best": item.best,
            "ways": {
                name: {
                    "value": value(item.values[name]), "cost": value(item.cost[name]),
                    "hands": [{"hand": p.hand, "choice": p.choice, "value": value(p.value)} for p in plays],
                }
                for name, plays in item.ways.items()
            },
        }
    return {
        "id": a.id, "name": a.name, "decks": a.decks, "readings": dict(a.readings), "rules": list(item.rules),
        "return": value(a.returned), **{name: value(v) for name, v in a.game.figures().items()},
        "upcards": [LETTERS[u] for u in UPCARDS],
        "chart": {row[0]: list(row[1:]) for row in chart_rows(item.chart)},
        "exchange": {row[0]: [int(n) for n in row[1:]] for row in _value_rows(item)},
        "strategies": [valued_record(v) for v in item.strategies],
    }


def table(item: Item) -> str:
    """CSV: the rule of exchanging, a row for each two cards and upcard; or the hands of one answer."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if isinstance(item, SwitchAnswer):
        writer.writerow(("way", "hand", "first choice", "worth"))
        for name, plays in item.ways.items():
            writer.writerows((name, p.hand, p.choice, text(p.value)) for p in plays)
            writer.writerow((name, "both hands", "", text(item.values[name])))
        return out.getvalue()
    writer.writerow(("hand", "upcard", "thousandths of a wager"))
    for name, *values in _value_rows(item):
        writer.writerows((name, LETTERS[u], n) for u, n in zip(UPCARDS, values, strict=True))
    return out.getvalue()


def tables(s: SwitchSummary) -> Iterator[tuple[str, tuple[str, ...], tuple[Any, ...], int, tuple[str, ...], bool]]:
    """The tables of a report: title, head, rows, the first column of figures, notes, whether letters are coloured."""
    rows = chart_rows(s.chart)
    used = {letter for row in rows for letter in row[1:]}
    key = "; ".join(f"{letter}: {meaning}" for letter, meaning in MEANING.items() if letter in used)
    head = ("hand", *(LETTERS[u] for u in UPCARDS))
    yield "House rules", ("rule",), tuple((rule,) for rule in s.rules), 1, (), False
    yield (
        "One hand behind the exchange, by total", head, tuple(rows), 11,
        (f"{key}. The dealer's upcard stands above each column.",), True,
    )
    yield "When to exchange cards", head, tuple(_value_rows(s)), 11, (f"{RULE}.",), False
    yield (
        "Simpler strategies", ("strategy", "found", "return", "cost against optimal play"),
        tuple((v.name, v.found, v.returned, v.cost) for v in s.strategies), 2, (), False,
    )
