"""A player's chart for blackjack: a letter for every total against every upcard, read from a TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

from ..base.caches import cached
from ..base.errors import Fault, fault, raise_all
from ..base.textfiles import read_text
from ..base.toml_tables import FILLED, Text, TomlFile
from .dealer_draws import CardTotals

LETTERS = {"S": "stand", "H": "hit", "D": "double, otherwise hit", "Ds": "double, otherwise stand"}
TOTALS = {"hard": range(4, 22), "soft": range(12, 22)}
UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
_ROW = re.compile(r"(\d+)(?: (?:and (more|less)|(?:and|to) (\d+)))?")


@dataclass(frozen=True)
class Chart:
    """A playing chart: a letter of `LETTERS` for every total against every upcard.

    ``hard[total - 4]`` and ``soft[total - 12]`` are rows of ten letters, for upcards 2 to 10 and ace. Pairs are not
    split. ``text`` is the TOML text of the chart, which the independent method reads itself.
    """

    name: str
    hard: tuple[tuple[str, ...], ...]
    soft: tuple[tuple[str, ...], ...]
    text: str = field(default="", repr=False, compare=False)

    def player(self, upcard: int) -> PlayerRule:
        """Return the player's rule against an upcard (1 to 10)."""
        column = (upcard - 2) % 10
        return PlayerRule(tuple(row[column] for row in self.hard), tuple(row[column] for row in self.soft))


class PlayerHand(NamedTuple):
    hand: CardTotals = CardTotals()
    finished: bool = False


@dataclass(frozen=True)
class PlayerRule:
    """The player's rule against one upcard: one column of a chart. A blackjack and a hard 21 always stand."""

    hard: tuple[str, ...]
    soft: tuple[str, ...]
    start: ClassVar[PlayerHand] = PlayerHand()
    columns: ClassVar[tuple[str, ...]] = ("cards", "total", "soft")

    def letter(self, hand: CardTotals) -> str:
        return self.soft[hand.total - 12] if hand.soft else self.hard[hand.total - 4]

    def add(self, state: PlayerHand, card_class: int) -> PlayerHand:
        """Return the hand after one more card; a double takes one card, on the first two only (ch. 10 A)."""
        before, hand = state.hand, state.hand.add(card_class)
        if hand.cards < 2:
            return PlayerHand(hand)
        over = hand.hard >= 21 or hand.blackjack
        if over or (before.cards == 2 and self.letter(before) in ("D", "Ds")):
            return PlayerHand(hand, finished=True)
        letter = self.letter(hand)
        return PlayerHand(hand, finished=letter == "S" or (letter == "Ds" and hand.cards > 2))

    def done(self, state: PlayerHand) -> bool:
        return state.finished

    def features(self, state: PlayerHand) -> tuple[int, ...]:
        return (state.hand.cards, state.hand.total, int(state.hand.soft))


#: A fault and its remedy: every card busts a hard 21.
HARD_21 = ("the row draws to a hard 21, which every card busts", 'write "21" = "S S S S S S S S S S"')


def row_totals(label: str, every: range) -> range | None:
    """Return the totals of a label ("12", "15 and 16", "13 to 16", "8 and less"). Returns None if it is invalid."""
    match = _ROW.fullmatch(" ".join(label.split()))
    if not match:
        return None
    first, open_end, last = int(match[1]), match[2], match[3]
    low = every.start if open_end == "less" else first
    high = every[-1] if open_end == "more" else int(last) if last else first
    inside = low <= high and all(total in every for total in (first, low, high))
    return range(low, high + 1) if inside else None


def row_of(meaning: Mapping[str, str]) -> Text:
    """Return the mark of a row of letters for the upcards 2 to 10 and ace; ``meaning`` has the letters."""

    def parse(text: str) -> tuple[str, ...]:
        letters = tuple(text.split())
        if len(letters) != len(UPCARDS):
            raise fault(f"the row has {len(letters)} letter(s)",
                        f"give {len(UPCARDS)}, for upcards {' '.join(UPCARDS)}")
        known = ", ".join(f"{letter} ({what})" for letter, what in meaning.items())
        raise_all([Fault(f'"{letter[:20]}" against {upcard} is not a play', f"use {known}")
                   for upcard, letter in zip(UPCARDS, letters, strict=True) if letter not in meaning])
        return letters

    return Text(parse)


@dataclass(frozen=True)
class ChartTerms:
    """A chart's file: rows of letters by the labels of their totals."""

    name: Annotated[str, FILLED]
    hard: Mapping[str, Annotated[tuple[str, ...], row_of(LETTERS)]]
    soft: Mapping[str, Annotated[tuple[str, ...], row_of(LETTERS)]]


def rows_by_total(kind: str, rows: Mapping[str, tuple[str, ...]], file: TomlFile) -> tuple[tuple[str, ...], ...]:
    """Return the row of each total of a chart's table; labels that are wrong, doubled or missing are reported."""
    every = TOTALS[kind]
    by_total: dict[int, tuple[str, ...]] = {}
    for label in file.data[kind]:  # a faulty row is not one of the rows, and not missing
        totals, letters, path = row_totals(label, every), rows.get(label, ()), (kind, label)
        if totals is None:
            file.report(f"this is not a {kind} total",
                        f'write "13", "15 and 16", "17 and more", within {every.start} to {every[-1]}', path)
            continue
        if kind == "hard" and 21 in totals and not {"H", "D", "Rh"}.isdisjoint(letters):
            file.report(*HARD_21, path)
        for total in totals:
            if total in by_total:
                file.report(f"{kind} {total} is in two rows", "keep it in one", path)
            by_total[total] = letters
    missing = [str(total) for total in every if total not in by_total]
    if missing:
        file.report(f"no row for {kind} {', '.join(missing)}", "add one", (kind,))
    return tuple(by_total.get(total, ()) for total in every)


def parse_chart(text: str, file: str) -> Chart:
    """Return a chart from the text of its TOML file. Raises `InputError` with every fault."""
    source = TomlFile(file, text)
    terms = source.read(ChartTerms, partly=True)
    tables = {"hard": terms.hard, "soft": terms.soft} if terms is not None else {}
    rows = {kind: rows_by_total(kind, table, source) for kind, table in tables.items()}
    return Chart(source.checked(terms).name.strip(), **rows, text=text)


def read_chart(path: str | Path) -> Chart:
    """Return a user's chart from its file. Raises `InputError` if it cannot be read or is incomplete."""
    return parse_chart(read_text(path), str(path))


@cached("the default playing charts", most=2)
def default_chart(hits_soft_17: bool = False) -> Chart:
    """Return the chart of combin for each dealer: total-dependent, pairs never split."""
    name = "player-chart-h17.toml" if hits_soft_17 else "player-chart.toml"
    return parse_chart((files("combin") / "rules" / name).read_text(encoding="utf-8"), name)
