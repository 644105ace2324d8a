"""A user's own strategy: a small TOML file in, a rule that can be valued out, every fault of it at once.

    game = "high-card-flush"
    name = "Ten-nine, or less beside two high cards"
    raise_from = "T-9-7"          # the least best flush that is raised; "any", "never"
    multiple = 1                  # antes raised, as far as they are allowed; "most" otherwise
    [[when]]                      # the first of these that fits the hand decides
    other_cards = "J"             # of the cards outside the best flush, jack or higher
    at_least = 2                  # so many
    raise_from = "T-7-2"
    [[when]]
    suits = ["3-3-1-0"]           # cards by suit, the longest first
    raise_from = "J-T-6"

    game = "chase-the-flush"
    [hole]                        # 3x; a length that is not named is never raised
    "two-card flush" = "K-2"      # the least flush that raises, from the top: "K" is K-2
    "three-card flush" = "any"
    compare = "value"             # or "each-card": a two-card flush needs both cards at least so high
    [flop]                        # 2x
    "three-card flush" = "7-4-2"
    [river]                       # 1x
    "three-card flush" = "any"
    [river.two-higher]            # two suited board cards, both above the top of the player's flush
    "three-card flush" = "T-8-5"  # lengths that are not named here stay as in [river]

`one-higher` stands for two suited board cards of which the higher is above the flush;
it holds for two higher ones too where `two-higher` is not given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import InputError, nearest
from ..base.textfiles import Faults, Places, line_number, parse_toml, read_text
from ..deals.cards import RANKS
from ..games.base import WORDS
from ..games.chase_the_flush import strategies as chase
from ..games.high_card_flush import solve as high
from ..games.high_card_flush.strategies import Histogram

ANY, NEVER = "any", "never"
_ALL = {1: "one", **WORDS}
#: Flush lengths that a street can show.
STREETS: dict[str, tuple[int, ...]] = {"hole": (1, 2, 3), "flop": (2, 3, 4, 5), "river": (2, 3, 4, 5, 6, 7)}
THREATS = {"one-higher": 1, "two-higher": 2}


@dataclass(frozen=True)
class When:
    """A condition on the cards outside the best flush, and the least place of a flush that it raises."""

    suits: tuple[tuple[int, ...], ...]
    at_least: int
    raise_from: int


@dataclass(frozen=True)
class HighCardRule:
    """A strategy for High Card Flush; ``raise_from`` counts in the order of `high_card_flush.flushes`."""

    name: str
    raise_from: int
    when: tuple[When, ...] = ()
    rank: int | None = None  # what ``at_least`` counts: cards of this rank (0 a two) or higher
    multiple: int | None = None  # None: the most allowed

    @property
    def codes(self) -> high.Codes:
        """What the rule needs to see beside the best flush."""
        if not self.when:
            return high.all_alike()
        return high.by_high_cards(self.rank if self.rank is not None else 12)

    def choices(self, seen: Histogram, game: high.Game) -> Any:
        """``[flush][code]``: 0 folds, m raises m antes."""
        most = np.array(game.open_choices)[high.lengths() - 2] - 1
        stake = most if self.multiple is None else np.minimum(most, self.multiple)
        place = np.arange(len(stake))
        columns = []
        for label in seen.codes.labels:
            start = self.raise_from
            if self.when:
                pattern, cards = label
                fits = (w for w in self.when if cards >= w.at_least and (not w.suits or pattern in w.suits))
                start = next((w.raise_from for w in fits), self.raise_from)
            columns.append(np.where(place >= start, stake, 0))
        return np.stack(columns, axis=1)


@dataclass(frozen=True)
class ChaseRule:
    """A strategy for Chase the Flush."""

    name: str
    strategy: chase.Strategy


Rule = HighCardRule | ChaseRule


def read_strategy(path: str | Path) -> Rule:
    """The strategy of a file; every fault of it in one `InputError`."""
    text = read_text(path)
    return _Reader(str(path), parse_toml(text, str(path)), Places(text)).read()


class _Reader:
    def __init__(self, path: str, data: Mapping[str, Any], places: Places) -> None:
        self.path, self.data, self.places = path, data, places
        self.faults = Faults()

    def fault(self, what: str, remedy: str, place: str = "") -> None:
        self.faults.add(what, remedy, self.path, place)

    def read(self) -> Rule:
        readers: dict[str, Callable[[], Rule]] = {
            "high-card-flush": self._high_card_flush, "chase-the-flush": self._chase_the_flush,
        }
        game = self.data.get("game")
        if not isinstance(game, str) or game not in readers:
            what = "the file names no game" if game is None else f'no game "{str(game)[:80]}"'
            remedy = f"write game = {' or '.join(repr(g) for g in readers)}".replace("'", '"')
            self.fault(what, remedy, self.places.find(("", "game")))
            raise InputError(*self.faults)
        rule = readers[game]()
        if self.faults:
            raise InputError(*sorted(self.faults, key=lambda f: line_number(f.place) or 0))
        return rule

    def _known(self, table: Mapping[str, Any], known: tuple[str, ...], header: str = "", within: str = "") -> None:
        for key in table:
            if key not in known:
                place = self.places.find((header, key), (f"{header}.{key}" if header else key,))
                self.fault(f'unknown key "{key[:80]}"{within}', nearest(key[:80], known), place)

    def _name(self) -> str:
        name = self.data.get("name", Path(self.path).name)
        if type(name) is not str or not name.strip():
            self.fault("name is not a text", "put it in quotes", self.places.find(("", "name")))
            return ""
        return " ".join(name.split())

    # ---- High Card Flush

    def _high_card_flush(self) -> Rule:
        self._known(self.data, ("game", "name", "raise_from", "multiple", "when"))
        if "raise_from" not in self.data:
            self.fault("the strategy has no raise_from", 'write the least flush that is raised: raise_from = "T-8-6"')
        start = self._start(self.data.get("raise_from", ANY), self.places.find(("", "raise_from")))
        multiple = self.data.get("multiple", "most")
        if multiple != "most" and not (type(multiple) is int and 1 <= multiple <= 7):
            self.fault('multiple is neither "most" nor a number from 1 to 7', "write multiple = 1",
                       self.places.find(("", "multiple")))
            multiple = "most"
        entries = self.data.get("when", [])
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            place = self.places.find(("", "when"), ("when",))
            self.fault("when is not a list of tables", "begin each with [[when]]", place)
            entries = []
        ranks: list[int] = []
        when = [self._when(entry, index, ranks) for index, entry in enumerate(entries)]
        return HighCardRule(
            self._name(), start, tuple(when), ranks[0] if ranks else None, None if multiple == "most" else multiple
        )

    def _start(self, value: Any, place: str) -> int:
        """The place of the least flush that is raised."""
        if value == ANY:
            return 0
        if value == NEVER:
            return len(high.flushes())
        if type(value) is not str:
            self.fault("raise_from is not a text", 'write a flush in quotes: "T-8-6", or "any", "never"', place)
            return 0
        try:
            return high.flush_number(high.flush_of(value))
        except InputError as error:
            for f in error.faults:
                self.fault(f.what, f.remedy, place)
            return 0

    def _when(self, entry: Mapping[str, Any], index: int, ranks: list[int]) -> When:
        block = self.places.block("when", index)
        known = ("suits", "other_cards", "at_least", "raise_from")
        for key in entry:
            if key not in known:
                place = block.place(("when", key))
                self.fault(f'unknown key "{key[:80]}" in a [[when]]', nearest(key[:80], known), place)
        if "raise_from" not in entry:
            self.fault("a [[when]] has no raise_from", 'write raise_from = "T-7-2"', block.place())
        if not {"suits", "other_cards"} & set(entry):
            self.fault("a [[when]] has no condition", "give suits, or other_cards and at_least", block.place())
        start = self._start(entry.get("raise_from", ANY), block.place(("when", "raise_from")))
        patterns = {"-".join(map(str, p)): p for p in high.PATTERNS}
        suits = entry.get("suits", [])
        place = block.place(("when", "suits"))
        if not isinstance(suits, list) or not all(type(s) is str for s in suits):
            self.fault("suits is not a list of texts", 'write suits = ["3-3-1-0"]', place)
            suits = []
        for word in suits:
            if word not in patterns:
                self.fault(f'no seven cards fall into suits as "{word[:80]}"', nearest(word[:80], patterns), place)
        least = entry.get("at_least", 1 if "other_cards" in entry else 0)
        if ("at_least" in entry) and "other_cards" not in entry:
            self.fault("at_least counts nothing", 'add other_cards = "J"', block.place(("when", "at_least")))
        if type(least) is not int or not 0 <= least <= 5:
            self.fault("at_least is not a number from 1 to 5", "write at_least = 2", block.place(("when", "at_least")))
            least = 0
        if "other_cards" in entry:
            word, place = entry["other_cards"], block.place(("when", "other_cards"))
            if type(word) is not str or len(word) != 1 or word.upper() not in RANKS:
                self.fault(f"other_cards is not a rank: {str(word)[:80]}", 'write a rank: other_cards = "J"', place)
            else:
                ranks.append(RANKS.index(word.upper()))
                if ranks[-1] != ranks[0]:
                    self.fault(f"other_cards is {RANKS[ranks[0]]} in the [[when]] above",
                               "count cards from one rank on throughout a strategy", place)
        return When(tuple(patterns[s] for s in suits if s in patterns), least, start)

    # ---- Chase the Flush

    def _chase_the_flush(self) -> Rule:
        self._known(self.data, ("game", "name", *STREETS))
        tables: dict[str, dict[int, str]] = {}
        for street, lengths in STREETS.items():
            entry = self.data.get(street)
            if entry is None:
                self.fault(f"the strategy has no [{street}]", f"add [{street}]; an empty one never raises there")
                continue
            if not isinstance(entry, dict):
                self.fault(f"{street} is not a table", f"write [{street}]", self.places.find(("", street), (street,)))
                continue
            further = {"hole": ("compare",), "flop": (), "river": tuple(THREATS)}[street]
            tables[street] = self._thresholds(entry, street, lengths, further)
        against: dict[int, dict[int, str]] = {}
        river = self.data.get("river")
        for name, threat in THREATS.items():
            entry = river.get(name) if isinstance(river, dict) else None
            if entry is None:
                continue
            header = f"river.{name}"
            if not isinstance(entry, dict):
                self.fault(f"{name} is not a table", f"write [{header}]", self.places.find(("river", name)))
                continue
            found = {**tables["river"], **self._thresholds(entry, header, STREETS["river"], ())}
            against[threat] = found
            if threat == 1:
                against[2] = found
        compare = self.data["hole"].get("compare", "value") if isinstance(self.data.get("hole"), dict) else "value"
        if compare not in ("value", "each-card"):
            self.fault(f'compare is "{str(compare)[:80]}"', 'write "value" or "each-card"',
                       self.places.find(("hole", "compare")))
        if self.faults:
            return ChaseRule("", _nothing())
        raised = {s: {n: t for n, t in table.items() if t != NEVER} for s, table in tables.items()}
        strategy = chase.strategy(
            raised["hole"], raised["flop"], raised["river"],
            {k: {n: t for n, t in v.items() if t != NEVER} for k, v in against.items()},
        )
        if compare == "each-card" and tables["hole"].get(2, NEVER) != NEVER:
            strategy = each_card(strategy, chase.least(2, tables["hole"][2]))
        return ChaseRule(self._name(), strategy)

    def _thresholds(
        self, entry: Mapping[str, Any], header: str, lengths: tuple[int, ...], further: tuple[str, ...]
    ) -> dict[int, str]:
        names = {f"{_ALL[n]}-card flush": n for n in lengths}
        self._known(entry, (*names, *further), header, f" in [{header}]")
        found = {}
        for name, length in names.items():
            if name not in entry:
                continue
            value, place = entry[name], self.places.find((header, name))
            if type(value) is not str:
                self.fault(f"{name} is not a text", 'write a flush in quotes: "Q-9", or "any", "never"', place)
                continue
            word = re.sub("10", "T", value.strip())
            if word == NEVER:
                found[length] = NEVER
                continue
            ranks = "" if word == ANY else word
            try:
                chase.least(length, ranks)
            except InputError as error:
                for f in error.faults:
                    self.fault(f.what, 'write its ranks from the top, like "Q-9", or "any", "never"', place)
                continue
            found[length] = ranks
        return found


def _nothing() -> chase.Strategy:
    return chase.strategy({}, {}, {})


def each_card(strategy: chase.Strategy, least: int) -> chase.Strategy:
    """The strategy without its 3x on two-card flushes whose lower card is below that of ``least``."""
    hole = strategy.hole.copy()
    low = least & -least
    for mask in chase.flushes()[2]:
        if mask & -mask < low:
            hole[chase.place(mask)] = 0
    return chase.Strategy(hole, strategy.flop, strategy.river)
