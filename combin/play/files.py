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

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ..base.errors import InputError
from ..base.toml_tables import FILLED, TomlFile
from ..games.model import Game
from ..games.registry import HOMES, game_named
from .strategy import UserStrategy

ANY, NEVER = "any", "never"


@dataclass(frozen=True, kw_only=True)
class StrategyTerms:
    """The keys that every strategy's file has."""

    game: str
    name: Annotated[str, FILLED] | None = None

    def called(self, path: str) -> str:
        """Return the name of the strategy: that of its file by default."""
        return " ".join(self.name.split()) if self.name else Path(path).name


def read_strategy(path: str | Path) -> UserStrategy:
    """Return the strategy of a file. Raises one `InputError` with every fault."""
    file = TomlFile.of(path)
    strategy: UserStrategy | None = _game(file).module("strategy").read(file)
    return file.checked(strategy)


def _game(file: TomlFile) -> Game:
    """Return the game that a file names. Raises `InputError` unless it is a game with strategies."""
    known = {name: game for name in HOMES if (game := game_named(name)).strategy}
    name = file.data.get("game")
    if isinstance(name, str) and name not in known:
        with suppress(InputError):
            known[name] = game_named(name)
    if not isinstance(name, str) or name not in known:
        what = "the file names no game" if name is None else f'"{str(name)[:80]}" is not a game with strategies'
        file.report(what, f"write game = {' or '.join(repr(g) for g in known)}".replace("'", '"'), ("game",))
        raise InputError(*file.faults)
    return known[name]
