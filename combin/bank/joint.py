"""The joint distribution of all wagers of a seat: numbers of deals by their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..analysis.settle import outcome_of_rows, table_of
from ..base.errors import CountError, InputError, fault
from ..deals.cards import Shoe
from ..deals.deal_kinds import SevenCards
from ..deals.table import Table
from ..games.registry import game_of
from ..games.side_bets import base_game
from ..wagers.wager_outcomes import deal_of
from .plan import FROM_CARDS
from .seat import End, Seat

Counts = Counter[tuple[End, ...]]


def joint(seat: Seat) -> Counts:
    """Return numbers of deals by the results of all wagers; raises `InputError` if the tables do not join them."""
    counts = _counted(seat)
    total = sum(counts.values())
    for i, a in enumerate(seat.wagers):
        margin: Counter[End] = Counter()
        for ends, n in counts.items():
            margin[ends[i]] += n
        if {end: Fraction(n, total) for end, n in margin.items() if n} != seat.ends(i):
            raise CountError(f"the joint distribution of the plan does not give the probabilities of {a.id}")
    return counts


def _counted(seat: Seat) -> Counts:
    if len(seat.wagers) == 1:
        ends = seat.ends(0)
        whole = lcm(*(p.denominator for p in ends.values()))
        return Counter({(end,): int(p * whole) for end, p in ends.items()})
    game, bets = seat.game, seat.bets
    if game is None and any(a.resolved.terms.depends_on_play for a in bets):
        game = analyze(base_game(bets[0].book, bets[0].resolved).id, book=bets[0].book)
    if game is not None:
        return _with_game(seat, game)
    other = next((a for a in bets if not isinstance(deal_of(a.resolved), SevenCards)), None)
    if other is not None:
        raise fault(f"{other.id} is not settled on seven cards of one deck, the deal that the tables share",
                    FROM_CARDS)
    table = table_of(bets[0].book, bets[0].resolved, Shoe(1), dict(bets[0].parameters))
    rows = zip(*(outcome_of_rows(table, a.resolved) for a in bets), strict=True)
    counts: Counts = Counter()
    for ends_of_row, weight in zip(rows, table.weights.tolist(), strict=True):
        counts[ends_of_row] += weight
    return counts


def same_table(game: Analysis, bets: Iterable[Analysis]) -> None:
    """Raise `InputError` for a side bet of another document or another shoe than the game."""
    for bet in bets:
        if not game.book.may_share_a_table(bet.resolved, game.resolved):
            raise fault(f"{bet.id} and {game.id} are wagers of different documents",
                        "simulate each in a plan of its own")
        if bet.decks != game.decks:
            raise fault(f"{bet.id} has {bet.decks} decks and {game.id} {game.decks}", "give both the same decks")


def _with_game(seat: Seat, game: Analysis) -> Counts:
    played: Any = game_of(game.resolved)
    module, bets = played.module("strategy"), seat.bets
    same_table(game, bets)
    if not hasattr(module, "joined") or game.cap is not None:
        raise fault(f"{game.id} has no table of its results together with other wagers", FROM_CARDS)
    rows: Table
    try:
        rows, deals = module.joined(game, [a.resolved for a in bets])
    except InputError as error:
        raise fault(error.faults[0].what, FROM_CARDS) from None
    net = module.rules.rules_of(game.resolved).net
    labels = [outcome_of_rows(rows, a.resolved) for a in bets]
    flush = (rows["flush"] - 2).tolist()
    counts: Counts = Counter()
    for row, ends in enumerate(zip(*labels, strict=True)):
        for at in zip(*deals[row].nonzero(), strict=True):
            game_net, left = Fraction(net[at][flush[row]]), iter(ends)
            counts[tuple(game_net if a is game else next(left) for a in seat.wagers)] += int(deals[row][at])
    return counts
