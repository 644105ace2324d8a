"""Side bets of High Card Flush that depend on its play: raised and folded hands by the features that a bet uses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ...base.errors import CountError, fault
from ...base.exact import Exact, unknowns_in
from ...deals.table import Table
from ...rulebook.book import Resolved
from ...wagers.wager_outcomes import masks_of
from . import rules, solve


def table(game: Resolved, resolved: Resolved, values: Mapping[str, Exact | None]) -> Table:
    ace = resolved.options.get("ace", "both")
    codes = solve.by_features(ace)
    flush_game = rules.game_of(game)
    ante = values.get("ante")
    alone = ante is None
    solution = (solve.solve(flush_game, codes, by="length") if alone
                else together(resolved, flush_game, codes, values, ante))
    cells = solution.cells.sum(axis=(0, 3, 4)) // solve.DEALERS
    code, choice = np.nonzero(cells)
    labels = [codes.labels[i] for i in code]
    raised = choice > 0
    hands, _ = features(resolved, labels, raised, cells[code, choice])
    return hands


def features(resolved: Resolved, labels: list[Any], raised: Any, weights: Any) -> tuple[Table, Any]:
    """Return player hands by the features of side bets, as their readings settle them for raised and folded hands.

    Also returns the index of each row's label: a straight flush of seven cards has a row for each suit, since a
    licensee may elect one (Massachusetts 5(c)(2)). Play does not distinguish suits, so each has a quarter.
    """
    sevens = np.array([f.straight_flush == 7 for f in labels])
    if (weights[sevens] % 4).any():
        raise CountError("the numbers of straight flushes of seven cards differ between suits")
    place = np.repeat(np.arange(len(labels)), np.where(sevens, 4, 1))
    first = np.searchsorted(place, place)
    suit = np.where(sevens[place], np.arange(len(place)) - first + 1, 0).astype(np.int8)
    labels, raised = [labels[i] for i in place], raised[place]
    weights = np.where(sevens[place], weights[place] // 4, weights[place])
    play = resolved.terms.play_options
    whole = np.array([f.straight_flush for f in labels])
    kept = np.array([f.kept for f in labels])
    cards_gone = raised & (play.discards == "kept-cards-only")
    straight = np.where(cards_gone, kept, whole)
    quads = np.array([int(f.four_of_a_kind) for f in labels])
    columns = {
        "straight_flush_both": straight,
        "straight_flush_high": straight,
        "quads": np.where(cards_gone, 0, quads),
        "nine_to_ace": np.array([int(f.nine_to_ace) for f in labels]),
        "suit_of_seven": suit,
        "eligible": (raised | (play.folded == "paid")).astype(np.int8),
    }
    return Table(columns, weights, int(weights.sum()), solve.CLASSES), place


def together(
    resolved: Resolved,
    game: solve.FlushGame,
    codes: solve.Codes,
    values: Mapping[str, Exact | None],
    ante: Exact,
) -> solve.HighCardSolution:
    """Return base game and side bet at the play that is best for their sum, in dollars at the stated ante."""
    paid = [(outcome, pay.returned(dict(values))) for outcome, pay in resolved.payments]
    stake = values.get("stake") or Fraction(1)
    unknowns = sorted(set().union(*(unknowns_in(r) for _, r in paid)))
    if unknowns:
        raise fault(
            f"the best play for both wagers depends on {', '.join(unknowns)}",
            f"set it: --set {unknowns[0]}=VALUE",
            file="--set",
        )
    if ante <= 0:
        raise fault(f"ante cannot be {ante}", "give the ante in dollars, above 0", file="--set")
    worth = np.zeros((2, len(codes)), dtype=object)
    for raised in (False, True):
        flags = np.full(len(codes), raised)
        # A label has the weight 4, and 1 for each suit of seven cards. Their play is the same in every suit:
        # all are raised, so that the bonus is equal under every raise, and a fold wins less on both wagers.
        table, place = features(resolved, list(codes.labels), flags, np.full(len(codes), 4, dtype=np.int64))
        masks = masks_of(table, resolved)
        left = table["eligible"] == 1
        for outcome, amount in paid:
            taken = masks[outcome] & left
            left = left & ~taken
            for row in np.flatnonzero(taken):
                worth[int(raised), place[row]] += amount * stake * Fraction(int(table.weights[row]), 4)
    unit = lcm(ante.denominator, *(Fraction(x).denominator for x in worth.flat))
    bonus = np.array([[int(x * unit) for x in worth[int(choice > 0)]] for choice in range(game.choices)], dtype=object)
    dollars = solve.FlushGame(game.utility * int(ante * unit), game.open_choices, game.long_qualifies)
    return solve.solve(dollars, codes, bonus=bonus, by="length")
