"""The play of a game from a file as pages, JSON and CSV."""

from __future__ import annotations

from typing import Any

from ..base.exact import decimal, grouped, percent, text
from ..deals.cards import names
from ..games.showdown.street_tables import StreetTable
from ..pages.blocks import Cell, Grid, Part, Words, count
from ..play.showdown import Rule, ShowdownAnswer, ShowdownSummary
from .json import value
from .strategy import choices_grid, choices_record, costs, game_record, page_of, points, record_of, strategies_record


@page_of.register
def _summary(s: ShowdownSummary) -> Part:
    a, game = s.analysis, s.analysis.game
    facts = points(
        f"return {percent(a.returned)} = {text(a.returned)}, per unit of the stakes before the deal",
        f"expected value {decimal(game.expected_value, 8)} units = {text(game.expected_value)}",
        f"average wager {decimal(game.average_wager, 8)} units, element of risk {percent(game.element_of_risk)}",
        "chosen: " + ", ".join(f"{name} {percent(chosen)}" for name, chosen in game.choices.items() if name),
    )
    return Part(f"{a.id} · {a.name}", blocks=(facts,), parts=in_report(s))


def in_report(s: ShowdownSummary) -> tuple[Part, ...]:
    """Return the parts of a report: the play by street, and the cost of simpler play."""
    parts = []
    if s.rule is not None:
        parts.append(_rule(s.rule))
    parts += [_street(n, street) for n, street in enumerate(s.streets, 1)]
    if s.analysis.game.ties and any(s.analysis.game.ties.values()):
        counts = ", ".join(f"{grouped(n)} ({name})" for name, n in s.analysis.game.ties.items())
        parts.append(Part("Equal choices", blocks=(
            Words(f"Positions in which two choices have equal values: {counts}."),)))
    return (*parts, costs(s))


def _rule(rule: Rule) -> Part:
    sentence = "This is the best play." if not rule.cost else (
        f"Play by this rule costs {decimal(rule.cost, 8)} units = {text(rule.cost)} compared with the best play, which "
        "also considers the individual cards.")
    upcard = len(rule.lines[0]) == 3
    title = "Play by the rank of the hand" + (" and the dealer's card" if upcard else "")
    head = ("choice", "with") if not upcard else ("dealer's card", "choice", "with")
    return Part(title, blocks=(Grid(head, rule.lines, right=9), Words(sentence)))


def _street(n: int, street: StreetTable) -> Part:
    parts = []
    if street.chart:
        parts.append(Part("Starting hands", blocks=(
            Grid(street.chart[0], street.chart[1:], right=99),
            Words(f"Suited hands are above the diagonal: {street.legend}."))))
    rows: list[tuple[Cell, ...]] = [
        (hands, count(positions), *(percent(share, 2) for share in shares)) for hands, positions, shares in street.rows]
    head = ("in view", "positions", *street.choices)
    return Part(f"Decision {n}: {street.name}", blocks=(Grid(head, tuple(rows), right=1),), parts=tuple(parts))


@page_of.register
def _answer(a: ShowdownAnswer) -> Part:
    shown = ", ".join(names(cards) if role == "player" else f"{role} {names(cards)}" for role, cards in a.cards)
    blocks = [points(f"hand: {a.hand}")] if a.hand else []
    parts = []
    for path, values in a.paths.items():
        best = [name for name, worth in values.items() if worth == max(values.values())]
        sentence = f"Best: {best[0]}." if len(best) == 1 else f"Best: {', '.join(best)}, with equal values."
        grid = choices_grid(values, "units")
        if path and len(a.paths) > 1:
            parts.append(Part(f"After {' / '.join(path)}", blocks=(Words(sentence), grid)))
        else:
            blocks = [*blocks, Words(sentence), grid]  # type: ignore[list-item]
    return Part(f"{a.analysis.id}: {shown}", blocks=tuple(blocks), parts=tuple(parts))


@record_of.register
def _answer_record(a: ShowdownAnswer) -> Any:
    return {
        "id": a.analysis.id, **{"hand" if role == "player" else role: names(cards) for role, cards in a.cards},
        "made": a.hand or None, "best": a.best,
        "positions": [{"after": list(path), "choices": choices_record(values)} for path, values in a.paths.items()],
    }


@record_of.register
def _summary_record(s: ShowdownSummary) -> Any:
    return {
        **game_record(s),
        "ties": dict(s.analysis.game.ties),
        "rule": None if s.rule is None else {
            "lines": [{"upcard": upcard[0] if upcard else None, "choice": choice, "from": least}
                      for *upcard, choice, least in s.rule.lines],
            "return": value(s.rule.returned), "cost": value(s.rule.cost)},
        "streets": [
            {"street": street.name,
             "hands": [{"in_view": hands, "positions": str(positions),
                        "choices": {n: text(share) for n, share in zip(street.choices, shares, strict=True)}}
                       for hands, positions, shares in street.rows]}
            for street in s.streets
        ],
        "strategies": strategies_record(s),
    }
