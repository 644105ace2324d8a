"""The first seat of a double shoe: its first card is more often of the side's colour (Maryland blackjack, Ch. 7 §C).

A determinant card is drawn from one side; its suit says from which side the round is dealt. A card of its own side's
colour becomes the first player's first card, another one is set aside. With a share p of draws from the red side that
first card is the determinant itself with probability 1/2: red p of the time, black 1 - p. Otherwise it comes fresh from
the other side, which is whole. So it is red with probability 1/4 + p/2, all red cards alike and all black ones, and
the other cards of the round are as from any shoe. Both sides are taken as whole.

A role's cards are alike to the conditions, so that of n cards r red ones, the first card is red in r/n of the orders. A
deal and two draws are counted together: its weight grows by r (2a + b) + (n - r) (3b - 2a) for p = a/b, 2nb on average.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from ..base.errors import fault
from ..deals.cards import Shoe
from ..deals.first_cards import Deal
from ..deals.table import Table
from ..rulebook.book import Resolved
from ..rulebook.parameters import FIRST_SEAT, FLAG, RED_SIDE
from ..rulebook.pays import Pay
from ..wagers.conditions import role_name
from ..wagers.wager_outcomes import deal_of, masks_of


def table_of_first_seat(resolved: Resolved, shoe: Shoe, share: Fraction) -> Table:
    """The table of deals to the first seat, with ``share`` of the determinant cards drawn from the red side.

    Raises `InputError` with known cards, since the sides would differ.
    """
    if shoe.removed:
        raise fault("known cards would tell the sides of a double shoe apart", "leave one of them out",
                    file=FLAG, place=f"{RED_SIDE}={share}")
    [role] = [r for r in Deal(resolved.terms.deal).roles if r.name in FIRST_SEAT]
    n, a, b = role.cards, share.numerator, share.denominator
    counted = {f"{r} red": f'count({role_name(role.name)}, "red") == {r}' for r in range(n + 1)}
    terms = replace(resolved.terms, outcome=MappingProxyType({**resolved.terms.outcome, **counted}))
    seen = replace(resolved, terms=terms, lines=(*resolved.lines, *((name, Pay("push")) for name in counted)))
    deal = deal_of(seen)
    assert deal is not None
    table = deal.table(shoe)
    masks = masks_of(table, seen)
    factors = np.zeros(len(table), dtype=object)  # Python integers: a share may have any denominator
    for r, name in enumerate(counted):
        factors[masks[name]] = r * (2 * a + b) + (n - r) * (3 * b - 2 * a)
    return Table(table.columns, table.weights.astype(object) * factors, table.deals * 2 * n * b, table.classes)


__all__ = ["table_of_first_seat"]
