"""The games by name: combin's own, one folder or module each, and those of other packages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..base.errors import fault, nearest
from ..deals.cards import RANKS, deck_of
from ..rulebook.book import Resolved
from ..rulebook.checks import GAME_CHECKS
from ..rulebook.terms import SIDE_BET, Terms

if TYPE_CHECKING:
    from .model import Game

#: The modules of combin's own games; each has its `Game` under the name ``GAME``.
HOMES = {
    "high-card-flush": ".high_card_flush",
    "chase-the-flush": ".chase_the_flush",
    "must-hit": ".must_hit",
    "blackjack": ".blackjack",
    "blackjack-switch": ".blackjack_switch",
    "showdown": ".showdown",
    SIDE_BET: ".showdown.side_bets",
}
ENTRY_POINTS = "combin.games"
_games: dict[str, Game] = {}
for _name in ("showdown", SIDE_BET):
    GAME_CHECKS[_name] = lambda wager, report: game_named(wager.terms.game).check(wager, report)


def register(game: Game) -> None:
    """Register a game under its name; raise `ValueError` if another game has that name."""
    if game.name in HOMES or _games.get(game.name, game) is not game:
        raise ValueError(f"two games have the name {game.name}")
    _games[game.name] = game


def game_named(name: str) -> Game:
    """Return the game with this name in rule data; raise `InputError` for an unknown name."""
    if name not in _games and name in HOMES:
        _games[name] = import_module(HOMES[name], __package__).GAME
    if name not in _games:
        from importlib.metadata import entry_points

        entries = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
        if name not in entries:
            known = [*HOMES, *_games, *entries]
            raise fault(f'no game has the name "{name}"', nearest(name, known, otherwise=f"games: {', '.join(known)}"))
        register(entries[name].load())
    return _games[name]


def check_shoe(terms: Terms) -> None:
    """Raise `InputError` for a shoe by ranks that is not valid, or that the game does not support."""
    needed = game_named(terms.game).ranks_needed if terms.game else None
    if terms.shoe and needed is None:
        raise fault("a shoe by ranks applies only to the game blackjack", "delete it", place="shoe")
    deck = dict(zip(RANKS, deck_of(terms.shoe), strict=True))
    for ranks in needed or ():
        if not any(deck[rank] for rank in ranks):
            what = f"the game {terms.game} needs a card of the rank {' or '.join(ranks)} in each deck"
            raise fault(what, "give 4, 8, 12 or 16", place="shoe")


def game_of(resolved: Resolved) -> Game | None:
    """Return the game of a paytable; None for a wager that is settled on dealt cards only."""
    return game_named(resolved.terms.game) if resolved.terms.game else None
