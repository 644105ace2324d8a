"""The requests of `combin strategy`: a summary of play, one hand, a user's strategies, or joint wagers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..base.errors import fault
from ..deals.cards import Shoe, deck_of
from ..rulebook.book import Rulebook, is_glob
from ..rulebook.parameters import names
from ..rulebook.terms import SIDE_BET
from .files import read_strategy
from .strategy import answer, base_games, compare, game_of, question, rule_table, summarize
from .together import ANTE, STAKE, together

FLAG = "strategy"


@dataclass(frozen=True)
class WagerSettings:
    """Values and readings, divided between the base games and their side bets."""

    set: dict[str, str]
    reading: dict[str, str]
    bonus_set: dict[str, str]
    bonus_reading: dict[str, str]


def share_out(book: Rulebook, games: Sequence[str], bonus: Sequence[str], chosen: Mapping[str, str],
              under: Mapping[str, str]) -> WagerSettings:
    """Return each value and reading with its wager; without side bets all belong to the games."""
    if not bonus:
        return WagerSettings(dict(chosen), dict(under), {}, {})
    bearing = {r.id for identifier in bonus for r in book.readings_of(identifier)}
    of_readings = {r.id for identifier in games for r in book.readings_of(identifier)}
    of_games = {n for identifier in games for n in names(book.resolve(identifier))}
    of_bonus = {ANTE, STAKE, *(n for identifier in bonus for n in names(book.resolve(identifier)))}
    settings = {k: v for k, v in chosen.items() if k in of_games and k not in of_bonus}
    return WagerSettings(
        settings,
        {k: v for k, v in under.items() if k not in bearing or k in of_readings},
        {k: v for k, v in chosen.items() if k not in settings},
        {k: v for k, v in under.items() if k in bearing},
    )


def results_of(
    book: Rulebook,
    words: Sequence[str],
    *,
    hand: str | None = None,
    board: str | None = None,
    upcard: str | None = None,
    decks: int | None = None,
    without: Sequence[int] = (),
    files: Sequence[str] = (),
    bonus: Sequence[str] = (),
    search: bool = False,
    rules: bool = False,
    set: Mapping[str, str] | None = None,
    reading: Mapping[str, str] | None = None,
) -> list[Any]:
    """Return one item of `combin.views.strategy` for each base game that the ids or globs name.

    Raises `InputError` for a wager without decisions, and for options that cannot be combined.
    """
    parts = {"--hand": hand is not None, "--play": bool(files), "--with": bool(bonus), "--search": search,
             "--rules": rules}
    flags = [flag for flag, there in parts.items() if there]
    if upcard is not None and hand is None:
        raise fault("the upcard has no hand", "also give the player's cards: --hand", file="--upcard")
    if board is not None and hand is None:
        raise fault("the board has no hand", "also give the player's cards: --hand", file="--board")
    if len(flags) > 1:
        raise fault(f"{flags[1]} cannot be combined with {flags[0]}", "run one after the other", file=flags[1])
    played = [read_strategy(path) for path in files]
    games = _games(book, words)
    given = share_out(book, games, bonus, set or {}, reading or {})
    if hand is not None:  # checked before any game is solved
        for identifier in games:
            resolved = book.resolve(identifier, given.reading)
            numbers = book.default_decks(resolved) if decks is None else [decks]
            deck = deck_of(resolved.terms.shoe)
            shoes = [Shoe(n, tuple(without), deck) for n in numbers if n in resolved.decks]
            question(game_of(book, identifier), hand, board or "", upcard or "", shoes)
    items: list[Any] = []
    for a in _analyses(book, games, decks, given, without):
        if hand is not None:
            items.append(answer(a, hand, board or "", upcard or ""))
        elif bonus:
            items.append(together(a, bonus, given.bonus_set, given.bonus_reading))
        elif played:
            items.append(compare(a, played))
        elif rules:
            items.append(rule_table(a))
        else:
            items.append(summarize(a, search=search))
    return items


def _analyses(
    book: Rulebook, games: Sequence[str], decks: int | None, given: WagerSettings, without: Sequence[int]
) -> Iterator[Analysis]:
    """Yield the analyses of the base games, at each default number of decks."""
    for identifier in games:
        for n in book.default_decks(book.resolve(identifier, given.reading)) if decks is None else [decks]:
            yield analyze(identifier, decks=n, set=given.set, reading=given.reading, without=without, book=book)


def _games(book: Rulebook, words: Sequence[str]) -> list[str]:
    """Return the base games among the ids. Raises `InputError` for a named id without decisions."""
    named = {word for word in words if not is_glob(word)}
    identifiers = book.select(words)
    played = set(base_games(book, identifiers))
    # A file may name the side bets of its game.
    game_ids = [i for i in identifiers if i in played or (i in named and book.find(i)[0].terms.game != SIDE_BET)]
    if not game_ids:
        raise fault("none of these wagers has decisions", "name a base game", file=FLAG)
    for identifier in game_ids:
        game_of(book, identifier)
    return game_ids
