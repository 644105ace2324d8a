"""Blackjack Switch play as text, JSON and CSV."""

from __future__ import annotations

from typing import Any

from ..base.csv_text import csv_text
from ..base.exact import decimal, decks, percent, text
from ..games.blackjack.hands import LETTERS
from ..games.blackjack.strategies import UPCARDS
from ..games.blackjack_switch.strategies import names
from ..pages.blocks import Cell, Grid, Part, Words, number
from ..play.blackjack_switch import SuperMatchWagers, SwitchAnswer, SwitchSummary
from .blackjack import chart_part, chart_rows, house_rules
from .json import guess, value
from .strategy import costs, game_record, page_of, points, record_of, strategies_record

RULE = ("thousandths of a wager: add the numbers of both hands as dealt, and as exchanged; exchange if the "
        "second sum is greater")

def _value_rows(s: SwitchSummary) -> list[tuple[str, ...]]:
    return [(name, *(str(int(s.values[u, i])) for u in UPCARDS)) for i, name in enumerate(names())]


@page_of.register
def _summary(s: SwitchSummary) -> Part:
    a, game = s.analysis, s.analysis.game
    facts = points(
        f"{decks(a.decks)}: {' '.join(s.rules)}",
        f"return {percent(a.returned)} = {text(a.returned)}, per unit of both wagers",
        f"average wager {decimal(game.average_wager, 8)}, element of risk {percent(game.element_of_risk)}",
        f"cards are switched in {percent(game.choices['switch'])} of rounds",
        "each hand is played knowing its cards, the upcard and the other hand's first two cards (zero memory)",
    )
    return Part(f"{a.id} · {a.name}", blocks=(facts,), parts=_play(s))


def _play(s: SwitchSummary) -> tuple[Part, ...]:
    head = ("hand", *(LETTERS[u] for u in UPCARDS))
    return (
        chart_part("Play of one hand after the switch, by total", s.chart),
        Part("When to switch cards", blocks=(Grid(head, tuple(_value_rows(s)), 1), Words(f"{RULE}."))),
        costs(s),
    )


def in_report(s: SwitchSummary) -> tuple[Part, ...]:
    """Return the parts of a report: those of the page, and the rules."""
    return (house_rules(s.rules), *_play(s))


@page_of.register
def _answer(a: SwitchAnswer) -> Part:
    rows: list[tuple[Cell, ...]] = []
    for name, plays in a.ways.items():
        rows += [(name, play.hand, play.choice, decimal(play.value, 8), "") for play in plays]
        rows.append((name, "both hands", "", number(a.values[name]), decimal(a.cost[name], 8)))
    facts = points(f"best: {a.best}", "values of one hand assume no dealer blackjack, those of both hands are before "
                   "the peek; in wagers")
    return Part(f"{a.analysis.id}, {decks(a.analysis.decks)}: {a.hand} against {a.upcard}",
                blocks=(facts, Grid(("way", "hand", "first choice", "value", "cost"), tuple(rows), 3)))


@page_of.register
def _both(b: SuperMatchWagers) -> Part:
    both = b.both
    facts = points(
        f"wager ${text(b.ante)} on each hand, {b.bonus_id} ${text(b.stake)}",
        "the play does not affect the side bet, so the best play of the round is best for both",
        "the covariance is per wager on each hand and per unit of the side bet",
    )
    rows: list[tuple[Cell, ...]] = [(name, number(v)) for name, v in (
        ("round, wagers", both.base), ("side bet, net per unit", both.side),
        ("variance of the side bet", both.side_variance), ("covariance", both.covariance),
        ("dollars per round", b.expected),
    )]
    how: tuple[Words, ...] = ()
    if b.variance is not None and b.deviation is not None and b.correlation is not None:
        how = (Words(f"± is a standard error; the estimate: {b.variance.how}."),)
        for name, guess in (("variance of a round", b.variance), ("standard deviation, $", b.deviation)):
            rows.append((name, f"{decimal(guess.value, 6)} ± {decimal(guess.error, 6)}"))
        rows.append(("correlation", f"{decimal(b.correlation, 6)} (from the estimate)"))
    lines = tuple(
        (line.name, decimal(line.net, 4), percent(line.share), "" if line.round is None else number(line.round))
        for line in both.lines
    )
    behind = Part("Value of the round by result of the side bet", blocks=(
        Grid(("side bet", "net", "probability", "round, wagers"), lines),))
    return Part(f"{b.base_id} with {b.bonus_id}, {decks(b.decks)}",
                blocks=(facts, Grid(("figure", "value"), tuple(rows)), *how), parts=(behind,))


@record_of.register
def _both_record(b: SuperMatchWagers) -> Any:
    both = b.both
    guesses = {"variance": b.variance, "standard_deviation_in_dollars": b.deviation}
    return {
        "id": b.base_id, "with": b.bonus_id, "decks": b.decks, "ante": text(b.ante), "stake": text(b.stake),
        "expected_value_in_wagers": value(both.base), "side_bet_return": value(1 + both.side),
        "side_bet_variance": value(both.side_variance), "covariance": value(both.covariance),
        "dollars_per_round": value(b.expected),
        "estimates": {name: guess(e) for name, e in guesses.items() if e is not None},
        "lines": [
            {"outcome": line.name, "net": value(line.net), "probability": value(line.share),
             "round_in_wagers": value(line.round)}
            for line in both.lines
        ],
    }


@record_of.register
def _answer_record(a: SwitchAnswer) -> Any:
    return {
        "id": a.analysis.id, "decks": a.analysis.decks, "hand": a.hand, "upcard": a.upcard, "best": a.best,
        "ways": {
            name: {
                "value": value(a.values[name]), "cost": value(a.cost[name]),
                "hands": [{"hand": p.hand, "choice": p.choice, "value": value(p.value)} for p in plays],
            }
            for name, plays in a.ways.items()
        },
    }


@record_of.register
def _summary_record(s: SwitchSummary) -> Any:
    return {
        **game_record(s, rules=list(s.rules)),
        "upcards": [LETTERS[u] for u in UPCARDS],
        "chart": {row[0]: list(row[1:]) for row in chart_rows(s.chart)},
        "exchange": {row[0]: [int(n) for n in row[1:]] for row in _value_rows(s)},
        "strategies": strategies_record(s),
    }


def in_csv(item: SwitchSummary | SwitchAnswer | SuperMatchWagers) -> str:
    """Return CSV: the rule for switching, a row for each two cards and upcard; or the hands of one answer."""
    rows: list[tuple[object, ...]] = []
    if isinstance(item, SuperMatchWagers):
        rows.append(("side bet", "net", "probability", "round, wagers"))
        for line in item.both.lines:
            worth = "" if line.round is None else text(line.round)
            rows.append((line.name, text(line.net), text(line.share), worth))
    elif isinstance(item, SwitchAnswer):
        rows.append(("way", "hand", "first choice", "worth"))
        for name, plays in item.ways.items():
            rows += [(name, p.hand, p.choice, text(p.value)) for p in plays]
            rows.append((name, "both hands", "", text(item.values[name])))
    else:
        rows.append(("hand", "upcard", "thousandths of a wager"))
        for name, *values in _value_rows(item):
            rows += [(name, LETTERS[u], n) for u, n in zip(UPCARDS, values, strict=True)]
    return csv_text(rows)
