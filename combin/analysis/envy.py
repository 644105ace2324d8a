"""The variance added by envy bonuses: the joint distribution of two hands of seven cards from one deck.

With the player's pay X and an envy bonus Y for each of n other hands, all dealt from one deck,

    Var(X + Y1 + ... + Yn) = Var X + n Var Y + n (n − 1) Cov(Y1, Y2) + 2 n Cov(X, Y).

If the longest flushes determine all pays, the covariances follow from the joint distribution of two hands by lengths
(`deals.hands_by_length`). If a suited nine to ace is paid as well, they follow from enumerating every hand with six or
more suited cards that earns an envy bonus, up to permutations of suits, and the exact distribution of another hand from
the other 45 cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from ..base.errors import CountError
from ..base.exact import is_number
from ..deals.cards import Shoe
from ..deals.deal_kinds import SevenCards
from ..deals.hands_by_length import DECIDING, mean_product
from ..deals.seven_beside import CARDS, RANKS, beside, longest
from ..deals.seven_cards import STRAIGHT_FLUSHES
from ..deals.table import Table
from ..rulebook.pays import LOSS
from ..wagers.wager_outcomes import deal_of
from .record import AnalysisRecord
from .seat_hands import both_spin
from .settle import decided_by, settle, straight_column, table_of

#: Enumerated hands have a straight flush of at least six cards: one suit, and at most one card of another suit.
LEAST = 6
Known = tuple[int, int, int, int]


def added_variance(a: AnalysisRecord) -> Fraction | None:
    """Return the variance added by additions. Returns None unless their joint distribution is known."""
    if len(a.additions) == 1 and a.additions[0].kind == "community":
        return _community(a)
    if not a.additions or not all(x.kind == "envy" for x in a.additions):
        return None
    if not isinstance(deal_of(a.resolved), SevenCards) or a.cap is not None:
        return None
    returned_by = {o.outcome: o.returned for o in a.outcomes}
    envy = {x.hand: x.returned for x in a.additions}
    if not all(is_number(v) for v in (*returned_by.values(), *envy.values())):
        return None
    products = _by_lengths(a, returned_by, envy) or _walked(a, returned_by, envy)
    if products is None:
        return None
    x_y, y_y = products
    n = a.additions[0].times
    of = {o.outcome: o.probability for o in a.outcomes}
    mean_x = sum((p * returned_by[name] for name, p in of.items()), Fraction(0))
    mean_y = sum((of[name] * y for name, y in envy.items()), Fraction(0))
    square_y = sum((of[name] * y**2 for name, y in envy.items()), Fraction(0))
    return n * (square_y - mean_y**2) + n * (n - 1) * (y_y - mean_y**2) + 2 * n * (x_y - mean_x * mean_y)


def _by_lengths(
    a: AnalysisRecord, returned_by: Mapping[str, Fraction], envy: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction] | None:
    """Return E[X Y] and E[Y1 Y2] if the longest flushes determine both, for hands of any length."""
    pays = {name: (back, envy.get(name, Fraction(0))) for name, back in returned_by.items()}
    decided = decided_by(a, pays, DECIDING)
    if decided is None:
        return None
    columns, paid = decided
    x, y = ({lengths: pair[i] for lengths, pair in paid.items()} for i in (0, 1))
    shared = a.resolved.document.shared_cards
    return mean_product(columns, x, y, shared), mean_product(columns, y, y, shared)


def _walked(
    a: AnalysisRecord, returned_by: Mapping[str, Fraction], envy: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction] | None:
    """Return E[X Y] and E[Y1 Y2] by enumerating the hands that earn an envy bonus, and another hand with each."""
    column = _column(a, envy)
    if column is None:
        return None
    of = {o.outcome: o.probability for o in a.outcomes}
    x_y, y_y, seen = Fraction(0), Fraction(0), Counter[str]()
    for known, times in _hands(column).items():
        name = _outcome(a, known, column)
        if name not in envy:
            continue
        seen[name] += times
        chances = _chances(a, beside(known, column))
        weight = Fraction(times, comb(52, CARDS)) * envy[name]
        x_y += weight * sum((p * returned_by[other] for other, p in chances.items()), Fraction(0))
        y_y += weight * sum((p * envy[other] for other, p in chances.items() if other in envy), Fraction(0))
    if any(Fraction(seen[name], comb(52, CARDS)) != of[name] for name in envy):
        raise CountError(f"not all hands that earn an envy bonus of {a.id} were enumerated")
    return x_y, y_y


def _community(a: AnalysisRecord) -> Fraction | None:
    """Return the variance added by a fixed community pay, paid for each other seat that spins.

    With p the probability that a seat spins and P that two seats do; the spins are independent.
    """
    [addition] = a.additions
    y, p, n = addition.returned, addition.probability, addition.times
    both = both_spin(a)
    # If the wheel's symbols give the community pay, it is the mean of several pays.
    if both is None or a.wheel is None or a.cap is not None or "community_pay" not in a.request.set:
        return None
    spinning = [o for o in a.outcomes if o.probability and o.symbol]
    if not is_number(y) or not all(is_number(o.returned) for o in spinning):
        return None
    others = (o for o in a.outcomes if o not in spinning)
    if sum((o.probability for o in spinning), Fraction(0)) != p or any(o.returned for o in others):
        return None  # another seat is paid for a hand that does not spin, or a hand is paid without a spin
    mean_x = sum((o.contribution for o in spinning), Fraction(0))
    together = both - p**2
    return n * y**2 * (p - p**2) + n * (n - 1) * y**2 * together + 2 * n * y * mean_x * together / p


def _column(a: AnalysisRecord, envy: Mapping[str, Fraction]) -> str | None:
    """Return the column of straight flushes. Returns None unless every envied hand has at least six in one."""
    table = table_of(a.book, a.resolved, Shoe(1), dict(a.parameters))
    paid, _ = settle(table, a.resolved)
    column = straight_column(a.resolved)
    if column not in STRAIGHT_FLUSHES:
        return None
    for name, _, rows in paid:
        if name in envy and bool((table[column][rows] < LEAST).any()):
            return None
    return column


def _hands(column: str) -> dict[Known, int]:
    """Return hands with a straight flush of six or more in the first suit, with the sizes of their orbits."""
    orbits: dict[Known, int] = {}
    for size in (LEAST, CARDS):
        for ranks in combinations(range(RANKS), size):
            mask = sum(1 << rank for rank in ranks)
            if longest(mask, column) < LEAST:
                continue
            if size == CARDS:
                orbits[mask, 0, 0, 0] = 4
            else:
                orbits |= {(mask, 1 << rank, 0, 0): 12 for rank in range(RANKS)}
    return orbits


def _outcome(a: AnalysisRecord, known: Known, column: str) -> str:
    suited = known[0] if known[0].bit_count() >= LEAST else 0
    nine = int(bin(suited).count("1") >= LEAST and suited & 0b1111110000000 == 0b1111110000000)
    columns = {column: np.array([longest(suited, column)]), "quads": np.array([0]), "nine_to_ace": np.array([nine])}
    [name] = _chances(a, Table(columns, np.array([1], np.int64), 1, 1))
    return name


def _chances(a: AnalysisRecord, table: Table) -> dict[str, Fraction]:
    """Return the probabilities of the outcomes that occur on a table."""
    paid, lost = settle(table, a.resolved)
    counts = {name: table.count(rows) for name, _, rows in paid} | {LOSS: table.count(lost)}
    return {name: Fraction(n, table.deals) for name, n in counts.items() if n}
