"""Blackjack play as text, JSON and CSV: chart, exceptions, strategies, one hand, every hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.exact import decimal, decks, percent, text
from ..deals.cards import names
from ..games.blackjack.hands import CLASSES, LETTERS, player_hands
from ..games.blackjack.solve import CHOICES
from ..games.blackjack.strategies import HARD, MEANING, SOFT, UPCARDS, PlayChart
from ..pages.blocks import Cell, Grid, Letters, Part, Words, number, share
from ..play.blackjack import SPLIT_ROUNDS, BadBeatWagers, BlackjackAnswer, BlackjackSummary, every_hand
from ..play.blackjack_rules import effects
from .blackjack_rules import effects_part
from .json import value
from .strategy import choices_grid, choices_record, costs, game_record, page_of, points, record_of, strategies_record


def chart_rows(chart: PlayChart) -> list[tuple[str, ...]]:
    """Return (hand, letters by upcard): hard totals in descending order, soft totals, pairs."""
    rows = [(f"hard {t}", *(row[u] for u in UPCARDS)) for t, row in reversed(list(zip(HARD, chart.hard, strict=True)))]
    rows += [(f"soft {t}", *(row[u] for u in UPCARDS)) for t, row in reversed(list(zip(SOFT, chart.soft, strict=True)))]
    order = (0, *range(CLASSES - 1, 0, -1))
    pairs = [(f"{LETTERS[c]}-{LETTERS[c]}", *(chart.pairs[c][u] for u in UPCARDS)) for c in order]
    return rows + [row for row in pairs if set(row[1:]) != {"N"}]


def house_rules(rules: Sequence[str]) -> Part:
    """Return the rules of a table, with a row for each."""
    return Part("House rules", blocks=(Grid(("rule",), tuple((rule,) for rule in rules)),))


def chart_part(title: str, chart: PlayChart) -> Part:
    """Return a chart of play in colours, as a table, and with the meaning of its letters."""
    rows, head = chart_rows(chart), ("hand", *(LETTERS[u] for u in UPCARDS))
    used = {letter for row in rows for letter in row[1:]}
    legend = "; ".join(f"{letter}: {meaning}" for letter, meaning in MEANING.items() if letter in used)
    return Part(title, blocks=(Letters(title, head, tuple(rows)), Grid(head, tuple(rows), 11),
                               Words(f"{legend}. Columns are the dealer's upcards.")))


@page_of.register
def _summary(s: BlackjackSummary) -> Part:
    a, game, solution = s.analysis, s.analysis.game, s.analysis.game.solution
    facts = points(
        f"{decks(a.decks)}: {' '.join(s.rules)}",
        f"return {percent(a.returned)} = {text(a.returned)}, per wager",
        f"average wager {decimal(game.average_wager, 8)}, element of risk {percent(game.element_of_risk)}",
        "first choices: " + ", ".join(f"{name} {percent(chosen)}" for name, chosen in game.choices.items()),
        "hands after a split are played like the same cards without a split; pairs are resplit whenever allowed",
        *(f"a round with a split {name} with an estimated probability of {estimate.share:.5f} (from {SPLIT_ROUNDS:,} "
          f"dealt rounds; standard error {estimate.error:.5f})" for name, estimate in s.split_estimates.items()),
        f"choices decided by exact arithmetic: {solution.exact_choices}; hands with two choices of equal value: "
        f"{len(solution.ties)}",
    )
    return Part(f"{a.id} · {a.name}", blocks=(facts,), parts=_play(s))


def _play(s: BlackjackSummary) -> tuple[Part, ...]:
    """Return the chart, the exceptions to it, strategies with their cost, and insurance."""
    hands = player_hands()
    later = Words(f"{len(s.later)} hands of three or more cards also differ from the chart; combin strategy --format "
                  "csv lists every hand.")
    rows = tuple((hands.name(h), LETTERS[u], chart_play, best, number(gain))
                 for u, h, chart_play, best, gain in s.exceptions)
    exceptions = Grid(("hand", "against", "chart", "best", "gain, wagers"), rows, 4) if rows else Words("None.")
    parts = [
        chart_part("Best play by total", s.chart),
        Part("Two-card hands that differ from the chart", blocks=(exceptions, later)),
        costs(s),
    ]
    if s.insurance:
        worth = tuple((hand, number(worth)) for hand, worth in s.insurance.items())
        parts.append(Part("Insurance, dealer shows an ace", blocks=(
            Grid(("player holds", "value per unit insured, before the peek"), worth),)))
    return tuple(parts)


def in_report(s: BlackjackSummary) -> tuple[Part, ...]:
    """Return the parts of a report: those of the page, the rules, and the effect of each rule."""
    return (house_rules(s.rules), *_play(s), effects_part(effects(s.analysis, all_rules=False)))


@page_of.register
def _answer(a: BlackjackAnswer) -> Part:
    tied = " (another choice has the same value)" if a.tied else ""
    facts = [f"best: {a.best}{tied}"]
    if a.no_blackjack != 1:
        facts.append(
            f"the dealer has no blackjack with probability {decimal(a.no_blackjack, 8)} = {text(a.no_blackjack)}"
        )
        facts.append("the values assume that the dealer has no blackjack" if a.assumes_no_blackjack
                     else "the values include a dealer's blackjack")
    if a.insurance is not None:
        facts.append(f"the value of insurance is {decimal(a.insurance, 8)} = {text(a.insurance)} per unit insured")
    gone = a.analysis.request.without
    if gone:
        facts.append(f"removed from the shoe: {names(gone)}")
    return Part(f"{a.analysis.id}, {decks(a.analysis.decks)}: {a.hand} against {a.upcard}",
                blocks=(points(*facts), choices_grid(a.values, "wagers")))


@record_of.register
def _answer_record(a: BlackjackAnswer) -> Any:
    return {
        "id": a.analysis.id, "decks": a.analysis.decks, "hand": a.hand, "upcard": a.upcard, "best": a.best,
        "tied": a.tied, "no_blackjack": value(a.no_blackjack), "assumes_no_blackjack": a.assumes_no_blackjack,
        "insurance": None if a.insurance is None else value(a.insurance),
        "choices": choices_record(a.values),
    }


@record_of.register
def _summary_record(s: BlackjackSummary) -> Any:
    a, hands = s.analysis, player_hands()
    return {
        **game_record(s, rules=list(s.rules)),
        "upcards": [LETTERS[u] for u in UPCARDS],
        "chart": {row[0]: list(row[1:]) for row in chart_rows(s.chart)},
        "exceptions": [
            {"hand": hands.name(h), "upcard": LETTERS[u], "chart": chart_play, "best": best}
            for u, h, chart_play, best, _ in s.exceptions
        ],
        "strategies": strategies_record(s),
        "insurance": [{"hand": hand, "worth": value(worth)} for hand, worth in s.insurance.items()],
        "split_estimates": {
            name: {"share": estimate.share, "standard_error": estimate.error, "rounds": SPLIT_ROUNDS}
            for name, estimate in s.split_estimates.items()
        },
        "hands": [
            {"upcard": u, "hand": h, "best": best, "values": dict(zip(names, worth, strict=True))}
            for u, h, best, names, worth in every_hand(a.game.solution)
        ],
    }


@page_of.register
def _both(b: BadBeatWagers) -> Part:
    facts = points(
        f"wager ${text(b.ante)}, {b.bonus_id} ${text(b.stake)}",
        "the document does not say which hand of a split counts for the side bet: the first one is used",
    )
    head = ("play", "base, wagers", "side bet returns", "dollars per round", *CHOICES)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, number(p.base), share(1 + p.side), number(p.expected(b.ante, b.stake)),
         *(percent(chosen, 2) for chosen in p.choices.values()))
        for name, p in b.plays
    )
    return Part(f"{b.base_id} with {b.bonus_id}, {decks(b.decks)}", blocks=(facts, Grid(head, rows)))


@record_of.register
def _both_record(b: BadBeatWagers) -> Any:
    return {
        "id": b.base_id, "with": b.bonus_id, "decks": b.decks, "ante": text(b.ante), "stake": text(b.stake),
        "plays": [
            {
                "play": name, "expected_value": value(p.base), "side_bet_return": value(1 + p.side),
                "dollars_per_round": value(p.expected(b.ante, b.stake)),
                "choices": {choice: value(share) for choice, share in p.choices.items()},
            }
            for name, p in b.plays
        ],
    }
