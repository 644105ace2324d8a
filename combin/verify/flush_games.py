"""The base games of High Card Flush and Chase the Flush as tables of utilities, for checks of their kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..base.errors import fault
from ..games.chase_the_flush.solve import SHAPE, Utility
from ..games.high_card_flush.solve import LENGTHS, FlushGame


def ante_and_raise(most: Mapping[int, int], *, long_qualifies: bool = True, unit: int = 1) -> FlushGame:
    """Return the base game: choice 0 folds, choice m raises m antes; ``most``: the greatest m by flush length.

    Utility is the net result, ``unit`` to the ante. If the dealer does not qualify, the ante
    wins and the raise pushes; otherwise ante and raise are won, pushed or lost together.
    """
    if set(most) != set(LENGTHS) or not all(1 <= m <= 7 for m in most.values()):
        raise fault(f"the raise limits are {dict(most)}", "give a limit of 1 to 7 antes for each length from 2 to 7")
    utility = np.zeros((1 + max(most.values()), 2, 3, 6), dtype=object)
    utility[0] = -unit
    for multiple in range(1, len(utility)):
        utility[multiple, 0] = unit
        utility[multiple, 1, 0] = -(1 + multiple) * unit
        utility[multiple, 1, 2] = (1 + multiple) * unit
    return FlushGame(utility, tuple(1 + most[length] for length in LENGTHS), long_qualifies)


def settlement(
    bonus: Mapping[int, int],
    raises: Sequence[int] = (3, 2, 1),
    *,
    unit: int = 1,
    ante: int = 1,
    xtra: int = 1,
) -> Utility:
    """Return the net result of a round in ``unit``-ths of a stake, under the rules of the game.

    ``bonus`` is the X-tra Bonus's win by flush length (0 for a push), already in those units.
    ``raises`` are the All In wagers, ``ante`` and ``xtra`` the others, in stakes.
    """
    table = np.zeros(SHAPE, dtype=np.int64)
    for choice, stake in enumerate(raises):
        for qualifies in range(2):
            even = (stake + qualifies * ante) * unit
            table[choice, qualifies, 0] = -even - xtra * unit
            table[choice, qualifies, 2] = even
            for length, pay in bonus.items():
                table[choice, qualifies, 2, length - 2] += pay
    table[3] = -(ante + xtra) * unit
    return table
