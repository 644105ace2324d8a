"""Independent checks of side bets that depend on the play of a base game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from ..games.chase_the_flush import rules, solve
from ..games.side_bets import base_game
from ..rulebook.pays import LOSS
from . import flushes, high_card_play, line_counts
from .model import Check, not_checked


def beside_high_card_flush(a: Analysis) -> Iterator[Check]:
    """Yield checks of side bets on seven cards that depend on the play of High Card Flush."""
    method = "every class of hands, raised or folded by an independent count of all dealer hands, then settled"
    yield line_counts.counts(a, method, line_counts.with_stops(a, high_card_play.side_bet_counts(a)))


def beside_chase_the_flush(a: Analysis) -> Iterator[Check]:
    """Yield checks for hole cards of one suit, which Chase the Flush never folds, and a dealer who qualifies."""
    solution = rules.solved(a.book, base_game(a.book, a.resolved))
    suited = (solve.hole_classes()[0] > 0).sum(axis=1) == 1
    if solution.class_joint[suited, 3].any():
        yield not_checked("counts", "suited hole cards are folded under these pays")
        return
    method = "suited hole cards, which never fold, times qualifying dealers, by convolution over the suits"
    ((line, _),) = a.resolved.payments
    spins = suited_and_qualified()
    again = {line: spins, LOSS: solve.DEALS - spins}
    yield line_counts.counts(a, method, line_counts.with_stops(a, again))


@cached("suited hole cards against dealers who qualify", most=1)
def suited_and_qualified() -> int:
    """Return the number of deals of Chase the Flush with three suited hole cards and a qualifying dealer."""
    holes = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), 3)]
    hands = np.array([[mask, 0, 0, 0] for mask in holes])
    qualified = sum(comb(49, 7) - int(n) for n in flushes.unqualified(hands))
    return 4 * qualified * comb(7, 3) * comb(4, 2)  # four suits; of seven cards three are the dealer's, two the flop
