"""A user's strategy: from a small TOML file to a strategy with exact figures, with every fault reported.

    game = "high-card-flush"
    name = "Ten-nine, or less with two high cards"
    raise_from = "T-9-7"          # the lowest best flush that is raised; or "any", "never"
    multiple = 1                  # antes raised, up to the limit; default "most"
    [[when]]                      # the first of these that fits the hand applies
    other_cards = "J"             # of the cards outside the best flush, jack or higher
    at_least = 2                  # number of such cards
    raise_from = "T-7-2"
    [[when]]
    suits = ["3-3-1-0"]           # cards by suit, the longest first
    raise_from = "J-T-6"

    game = "chase-the-flush"
    [hole]                        # 3x; a length that is not listed is never raised
    "two-card flush" = "K-2"      # the lowest flush that raises, from the top: "K" is K-2
    "three-card flush" = "any"
    compare = "value"             # or "each-card": both cards must be at least as high
    [flop]                        # 2x
    "three-card flush" = "7-4-2"
    [river]                       # 1x
    "three-card flush" = "any"
    [river.two-higher]            # two suited board cards, both above the top of the player's flush
    "three-card flush" = "T-8-5"  # lengths that are not listed here are as in [river]

`one-higher` applies to two suited board cards of which the higher one is above the flush. Without `two-higher` it also
covers two higher ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..base.errors import InputError, nearest
from ..base.textfiles import Faults, KeyLines, line_number, parse_toml, read_text
from ..games.model import Game
from ..games.registry import HOMES, game_named
from .strategy import OwnStrategy

ANY, NEVER = "any", "never"


def read_strategy(path: str | Path) -> OwnStrategy:
    """Return the strategy of a file. Raises one `InputError` with every fault."""
    text = read_text(path)
    file = StrategyFile(str(path), parse_toml(text, str(path)), KeyLines(text))
    strategy: OwnStrategy = file.game().module("strategy").read(file)
    if file.faults:
        raise InputError(*sorted(file.faults, key=lambda f: line_number(f.place) or 0))
    return strategy


class StrategyFile:
    """The data of a strategy's file, with lines and faults; a game reads the strategy from it."""

    def __init__(self, path: str, data: Mapping[str, Any], places: KeyLines) -> None:
        self.path, self.data, self.places = path, data, places
        self.faults = Faults()

    def fault(self, what: str, remedy: str, place: str = "") -> None:
        self.faults.add(what, remedy, self.path, place)

    def game(self) -> Game:
        """Return the game that the file names. Raises `InputError` unless it is a game with strategies."""
        known = {name: game for name in HOMES if (game := game_named(name)).strategy}
        name = self.data.get("game")
        if isinstance(name, str) and name not in known:
            with suppress(InputError):
                known[name] = game_named(name)
        if not isinstance(name, str) or name not in known:
            what = "the file names no game" if name is None else f'"{str(name)[:80]}" is not a game with strategies'
            remedy = f"write game = {' or '.join(repr(g) for g in known)}".replace("'", '"')
            self.fault(what, remedy, self.places.find(("", "game")))
            raise InputError(*self.faults)
        return known[name]

    def known(self, table: Mapping[str, Any], known: tuple[str, ...], header: str = "", within: str = "") -> None:
        for key in table:
            if key not in known:
                place = self.places.find((header, key), (f"{header}.{key}" if header else key,))
                self.fault(f'unknown key "{key[:80]}"{within}', nearest(key[:80], known), place)

    def name(self) -> str:
        name = self.data.get("name", Path(self.path).name)
        if type(name) is not str or not name.strip():
            self.fault("name is not a text", "put it in quotes", self.places.find(("", "name")))
            return ""
        return " ".join(name.split())
