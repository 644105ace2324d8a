"""The inputs of a paytable's figures besides the program, as JSON data: the key of a stored result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..base.frozen import freeze
from ..base.record_json import to_plain
from ..games.registry import game_of
from ..games.side_bets import base_game
from ..rulebook.book import Resolved, Rulebook
from ..wagers import outcome_function


def inputs_of(book: Rulebook, identifier: str, *parts: Any, placed: bool = True) -> Any:
    """Return the wager and the paytable as read, the base game under which it is played, and the request's ``parts``.

    The location of the paytable in its file is omitted unless ``placed``, since figures do not depend on it. Shipped
    rule data are part of the program. Returns None if code of another package, or a file given with --plugin,
    determines an outcome: its inputs are unknown.
    """
    resolved = book.resolve(identifier)
    related = [resolved] if not resolved.terms.depends_on_play else [resolved, base_game(book, resolved)]
    if any(map(_is_foreign, related)):
        return None
    return [[_read(book, r.id, placed) for r in related], _plain(parts)]


def _is_foreign(resolved: Resolved) -> bool:
    function = outcome_function(resolved.terms.outcomes) if resolved.terms.outcomes else None
    game = game_of(resolved)
    homes = [thing.__module__ for thing in (function, game and type(game)) if thing is not None]
    return any(home.partition(".")[0] != "combin" for home in homes)


def _read(book: Rulebook, identifier: str, placed: bool) -> Any:
    """Return a wager without its other paytables; a document by its digest, which covers its paytables."""
    wager, paytable = book.find(identifier)
    if not placed:
        paytable = replace(paytable, file=bool(paytable.file) * "file", places={}, notes=())
    document = wager.document
    digest = document.data_sha256 if document.issuer else ""
    return _plain((
        identifier, wager.name, wager.clause, wager.about, wager.terms, wager.written, paytable,
        document.id, document.title, document.decks, document.deck_range, digest,
    ))  # fmt: skip


def _plain(parts: tuple[Any, ...]) -> Any:
    """Return data that is the same before and after an analysis, which freezes its fields."""
    freeze(parts)
    return to_plain(parts)
