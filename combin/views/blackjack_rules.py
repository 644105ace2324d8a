"""Effects of blackjack's house rules and the dealer's final hands, as a page, JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ..base.csv_text import csv_text
from ..base.exact import decimal, decks, percent, text
from ..games.blackjack.hands import LETTERS
from ..pages.blocks import Grid, Part, Words
from ..play.blackjack_rules import TOTALS, DealerRow, RuleEffect, RuleTable
from .json import value
from .strategy import page_of, points, record_of

ENDS = (*map(str, TOTALS), "blackjack", "bust")


def effects_part(effects: Iterable[RuleEffect]) -> Part:
    """Return the table of changed rules."""
    rows = tuple((e.abbreviation, e.rule, percent(e.returned), signed(e.change)) for e in effects)
    return Part("Effect of each house rule", blocks=(
        Grid(("rule", "in words", "return", "change, points"), rows, 2),
        Words("Each row changes one rule, and the player plays optimally under it; effects "
              "of several changes do not add exactly.")))


@page_of.register
def _part(table: RuleTable) -> Part:
    a = table.analysis
    facts = points(f"{decks(a.decks)}: {' '.join(table.rules)}", f"return {percent(a.returned)} = {text(a.returned)}")
    rows = [(upcard(r), *map(percent, r.before)) for r in table.dealer]
    rows += [(f"{upcard(r)}, no blackjack", *map(percent, r.peeked)) for r in table.dealer if r.before != r.peeked]
    dealer = Part("The dealer's final hand", blocks=(
        Grid(("upcard", *ENDS), tuple(rows)),
        Words("With the dealer's blackjacks, and given that the dealer has none; only the upcard is removed from the "
              "shoe.")))
    return Part(f"{a.id} · {a.name}", blocks=(facts,), parts=(effects_part(table.effects), dealer))


@record_of.register
def _record(table: RuleTable) -> dict[str, Any]:
    a = table.analysis
    return {
        "id": a.id, "name": a.name, "decks": a.decks, "rules": list(table.rules), "return": value(a.returned),
        "effects": [{"rule": e.abbreviation or None, "text": e.rule, "return": value(e.returned),
                     "change": value(e.change)} for e in table.effects],
        "dealer": [{"upcard": upcard(r), **{
            name: dict(zip(ENDS, map(value, row), strict=True)) for name, row in (
                ("before_peek", r.before), ("no_blackjack", r.peeked))}} for r in table.dealer],
    }


def in_csv(item: RuleTable) -> str:
    """Return the effects as CSV: abbreviation, rule, exact return, exact change."""
    rows = [("rule", "text", "return", "change")]
    rows += [(e.abbreviation, e.rule, text(e.returned), text(e.change)) for e in item.effects]
    return csv_text(rows)


def upcard(row: DealerRow) -> str:
    return LETTERS[row.upcard - 1] if row.upcard else "any"


def signed(change: Fraction) -> str:
    """Return a change of a return in percentage points, with its sign."""
    shown = decimal(100 * change, 4)
    return f"+{shown}" if change > 0 else shown
