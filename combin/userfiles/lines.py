"""Checks of a paytable's lines on a table of deals: outcomes, their order, lines always or never paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..analysis.settle import added_faults, always_met, misordered, table_of, unknown_outcomes, unmet
from ..analysis.settle import line_faults as table_faults
from ..base.errors import Fault, short
from ..deals.cards import Shoe
from ..deals.deal_kinds import FirstCards, SevenCards
from ..deals.first_cards import Deal
from ..deals.table import Table
from ..games.registry import game_of
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.parameters import values
from ..wagers.wager_outcomes import conditions_of, deal_of, is_stated, words_of

#: The numbers of decks of a user-defined wager without ``decks``.
DECKS = (1, 2, 4, 6, 8)


def line_faults(book: Rulebook, identifier: str) -> Iterable[Fault]:
    """Return the unknown outcomes and misordered lines of a paytable, on the table of one of its numbers of decks.

    The table and the masks are cached for the analysis that follows. A wager under a base
    game's play is checked in that analysis: its table needs a solution.
    """
    resolved = book.resolve(identifier)
    game = game_of(resolved)
    if game is not None:
        return [*unknown_outcomes(resolved, game.lines(resolved)), *game.check_lines(book, resolved)]
    if resolved.terms.depends_on_play:
        return ()
    table = table_of(book, resolved, Shoe(book.default_decks(resolved)[-1]), values(resolved, {}))
    return [*table_faults(table, resolved), *added_faults(table, resolved), *_undecided(book, resolved, table)]


def named_faults(book: Rulebook, identifier: str) -> list[Fault]:
    """Return the unknown outcomes of a paytable whose wager states conditions; nothing is counted."""
    resolved = book.resolve(identifier)
    return unknown_outcomes(resolved, conditions_of(resolved.terms)) if is_stated(resolved.terms) else []


def work(book: Rulebook, identifier: str) -> dict[tuple[Deal, int], int]:
    """Return the work of counting a paytable's table by deal and number of decks: classes × words of its conditions.

    It is empty for games, drawn hands, and the joint table of seven cards.
    """
    resolved = book.resolve(identifier)
    dealt = deal_of(resolved) if game_of(resolved) is None and is_stated(resolved.terms) else None
    if not isinstance(dealt, FirstCards) or isinstance(dealt, SevenCards):
        return {}
    words = words_of(resolved)
    decks = sorted(resolved.paytable.decks) or (
        book.default_decks(resolved) if resolved.document.issuer else resolved.decks)
    return {(dealt.deal, n): dealt.deal.classes(Shoe(n)).places * words for n in decks}


def _undecided(book: Rulebook, resolved: Resolved, table: Table) -> list[Fault]:
    """Return the lines that no deal or every deal satisfies, at the numbers of decks that the file states.

    If it states none, a line is a fault only if that holds at every number of decks that is allowed.
    """
    dealt = deal_of(resolved)
    if dealt is None or not (dealt.roles or is_stated(resolved.terms)):
        return []
    decks = sorted(resolved.paytable.decks or (resolved.document.decks if not resolved.document.issuer else ()))
    if tuple(decks) == DECKS:  # the file states no number
        decks = []
    allowed = decks or sorted(resolved.decks)
    kinds = (
        (unmet, 'no deal of {} satisfies "{}"', "leave the line out"),
        (always_met, 'every deal of {} satisfies "{}"', "correct its condition, or leave the line out"),
    )
    if not decks and not any(lines(table, resolved) for lines, *_ in kinds):
        return []
    tables = {n: table_of(book, resolved, Shoe(n), values(resolved, {})) for n in allowed}
    faults = []
    for lines, what, advice in kinds:
        undecided = {n: frozenset(lines(of_shoe, resolved)) for n, of_shoe in tables.items()}
        for outcome, _ in resolved.lines:
            where = [n for n in allowed if outcome in undecided[n]]
            if where and (decks or where == allowed):
                shown = "one deck" if where == [1] else f"{', '.join(map(str, where))} decks"
                remedy = advice if where == allowed else f"{advice}, or {shown}"
                place = resolved.paytable.places.get(outcome) or resolved.paytable.id
                faults.append(Fault(what.format(shown, short(outcome, 80)), remedy, resolved.paytable.file, place))
    return faults


def other_readings(book: Rulebook, identifier: str) -> Iterator[tuple[str, str, list[Fault]]]:
    """Return (reading, choice, misordered lines) for each choice other than the primary one that misorders lines."""
    primary = book.resolve(identifier)
    if game_of(primary) is not None or primary.terms.depends_on_play:
        return
    for reading in book.readings_of(identifier):
        for choice in reading.computed[1:]:
            resolved = book.resolve(identifier, {reading.id: choice.id})
            if resolved.terms == primary.terms and resolved.lines == primary.lines:
                continue
            if resolved.terms.depends_on_play:
                continue
            table = table_of(book, resolved, Shoe(book.default_decks(resolved)[-1]), values(resolved, {}))
            faults = misordered(table, resolved)
            if faults:
                yield reading.id, choice.id, faults
