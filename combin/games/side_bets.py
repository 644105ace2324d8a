"""Side bets whose figures depend on the play of the base game.

Massachusetts pays its progressive only to a player who raises (§12(c)). A raiser may have
discarded the cards outside the played flush (§10(b)). A spin of Chase the Flush may require a
dealer who qualifies (ch. 11 H). The base game is then played optimally. If the ante of the
Massachusetts wagers is stated (``--set ante=…``, dollars), play maximizes the sum of base
game and side bet.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..base.errors import fault
from ..base.exact import Exact
from ..deals.table import Table
from ..rulebook.book import Resolved, Rulebook
from .registry import game_named, game_of


def base_game(book: Rulebook, resolved: Resolved) -> Resolved:
    """Return the base game of a side bet: its document's game on the same hand, else the document's first game.

    It is that game's first paytable, under its primary readings.
    """
    document = resolved.document
    games = [w for w in book.wagers.values()
             if (w.document.id, w.document.sha256) == (document.id, document.sha256) and w.terms.game]
    if not games:
        raise fault(f"the document of {resolved.id} has no base game", "name the game with which it is offered")
    wager = next((w for w in games if game_named(w.terms.game).hand == resolved.terms.deal), games[0])
    return book.resolve(f"{wager.id}/{next(iter(wager.paytables))}")


def table(book: Rulebook, resolved: Resolved, values: Mapping[str, Exact | None]) -> Table:
    """Return the table on which the wager is settled, with ``eligible`` 0 in rows that play forfeits."""
    played = base_game(book, resolved)
    game = game_of(played)
    assert game is not None
    return game.side_bet_table(book, played, resolved, values)
