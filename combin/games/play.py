"""Side bets whose figure depends on how the base game is played.

Massachusetts pays its progressive only to a player who raises (§12(c)), and a raiser
may have discarded the cards outside the played flush (§10(b)); a spin of Chase the
Flush may need a dealer who qualifies (ch. 11 H). The base game is then played
optimally, or, for the Massachusetts wagers with the ante stated (``--set ante=…``,
dollars), so that base game and side bet together are worth most.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ..base.errors import fault
from ..base.exact import Exact, unknowns_in
from ..deals.table import Table
from ..rulebook.book import Resolved, Rulebook
from ..wagers import outcome_function
from . import base
from .chase_the_flush import solve as chase_the_flush
from .high_card_flush import solve as high_card_flush

#: What readings may ask for, with the choice that needs no play.
NEUTRAL = {"folded": "paid", "discards": "all-seven", "spin_needs_dealer": "no"}


def depends(resolved: Resolved) -> bool:
    """Whether the wager's figure depends on the play of the base game."""
    return any(value != NEUTRAL[key] for key, value in resolved.data.get("play_options", {}).items())


def table(book: Rulebook, resolved: Resolved, values: Mapping[str, Exact | None]) -> Table:
    """The table on which the wager is settled, with ``eligible`` 0 in rows that play forfeits."""
    prefix = resolved.wager_id.rsplit("/", 1)[0]
    game = next(
        book.resolve(f"{wager.id}/{letter}")
        for wager in book.wagers.values()
        if wager.id == f"{prefix}/base"
        for letter in wager.paytables
    )
    if game.data["game"] == "high-card-flush":
        return _high_card_flush(resolved, game, values)
    return _chase_the_flush(book, game)


def _high_card_flush(resolved: Resolved, game: Resolved, values: Mapping[str, Exact | None]) -> Table:
    ace = resolved.options.get("ace", "both")
    codes = high_card_flush.by_features(ace)
    rules = base.high_card_flush_game(game)
    ante = values.get("ante")
    if ante is None:
        solution = high_card_flush.solve(rules, codes, by="length")
    else:
        solution = together(resolved, rules, codes, values, ante)
    cells = solution.cells.sum(axis=(0, 3, 4)) // high_card_flush.DEALERS
    code, choice = np.nonzero(cells)
    labels = [codes.labels[i] for i in code]
    raised = choice > 0
    return features(resolved, labels, raised, cells[code, choice])


def features(resolved: Resolved, labels: list[Any], raised: Any, weights: Any) -> Table:
    """Player hands by what side bets see, as their readings settle them under a choice of raising or folding."""
    play = resolved.data.get("play_options", {})
    whole = np.array([f.straight_flush for f in labels])
    kept = np.array([f.kept for f in labels])
    cards_gone = raised & (play.get("discards", "all-seven") == "kept-cards-only")
    straight = np.where(cards_gone, kept, whole)
    quads = np.array([int(f.four_of_a_kind) for f in labels])
    columns = {
        "straight_flush_both": straight,
        "straight_flush_high": straight,
        "quads": np.where(cards_gone, 0, quads),
        "nine_to_ace": np.array([int(f.nine_to_ace) for f in labels]),
        "eligible": (raised | (play.get("folded", "paid") == "paid")).astype(np.int8),
    }
    return Table(columns, weights, int(weights.sum()), high_card_flush.CLASSES)


def together(
    resolved: Resolved,
    rules: high_card_flush.Game,
    codes: high_card_flush.Codes,
    values: Mapping[str, Exact | None],
    ante: Exact,
) -> high_card_flush.Solution:
    """Base game and side bet played for their sum, both in dollars at the stated ante."""
    paid = [(outcome, pay.returned(dict(values))) for outcome, pay in resolved.payments]
    stake = values.get("stake") or Fraction(1)
    open_ones = sorted(set().union(*(unknowns_in(r) for _, r in paid)))
    if open_ones:
        raise fault(
            f"the best play for both wagers depends on {', '.join(open_ones)}",
            f"set it: --set {open_ones[0]}=VALUE",
            file="--set",
        )
    if ante <= 0:
        raise fault(f"ante cannot be {ante}", "give the ante in dollars, above 0", file="--set")
    worth = np.zeros((2, len(codes)), dtype=object)
    for raised in (False, True):
        flags = np.full(len(codes), raised)
        table = features(resolved, list(codes.labels), flags, np.ones(len(codes), dtype=np.int64))
        masks = outcome_function(resolved.data["outcomes"])(table, **resolved.options)
        left = table["eligible"] == 1
        for outcome, amount in paid:
            taken = masks[outcome] & left
            left = left & ~taken
            worth[int(raised), taken] = amount * stake
    unit = lcm(ante.denominator, *(Fraction(x).denominator for x in worth.flat))
    bonus = np.array([[int(x * unit) for x in worth[int(choice > 0)]] for choice in range(rules.choices)], dtype=object)
    dollars = high_card_flush.Game(rules.utility * int(ante * unit), rules.open_choices, rules.long_flush)
    return high_card_flush.solve(dollars, codes, bonus=bonus, by="length")


def _chase_the_flush(book: Rulebook, game: Resolved) -> Table:
    """Three hole cards, and whether the dealer qualifies against a player who is all in."""
    solution = base.solve_chase_the_flush(book, game)
    masks, weights = chase_the_flush.hole_classes()
    joint = solution.class_joint
    eligible = joint[:, :3, 1].sum(axis=(1, 2, 3)).astype(object)
    every = joint.sum(axis=(1, 2, 3, 4)).astype(object)
    rank, suit = np.zeros((len(masks), 3), np.int8), np.zeros((len(masks), 3), np.int8)
    for i, held in enumerate(masks):
        cards = [(r, s) for s in range(4) for r in range(13) if held[s] >> r & 1]
        rank[i], suit[i] = zip(*cards, strict=True)
    both = np.concatenate([eligible, every - eligible]) * np.array(weights * 2, dtype=object)
    columns = {
        "player.rank": np.concatenate([rank, rank]),
        "player.suit": np.concatenate([suit, suit]),
        "eligible": np.repeat(np.array([1, 0], np.int8), len(masks)),
    }
    return Table(columns, both, chase_the_flush.DEALS, len(masks))
