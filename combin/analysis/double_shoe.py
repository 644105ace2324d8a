"""The first seat of a double shoe, whose first card is more often of one colour (Maryland blackjack, Ch. 7 §C).

A determinant card is drawn from one side, and its suit determines the side from which the round is dealt. A card of the
colour of its side becomes the first player's first card; any other is set aside. Let p be the share of draws from the
red side. The first card is the determinant itself with probability 1/2: red with p, black with 1 - p. Otherwise it
comes from the other side, which is complete. So it is red with probability 1/4 + p/2, uniform over the cards of its
colour, and the other cards of the round are as from any shoe. Both sides are assumed complete.

Conditions do not distinguish the cards of a role: if r of n cards are red, the first card is red in r/n of the orders.
A deal is counted together with two draws: with p = a/b its weight is multiplied by r (2a + b) + (n - r) (3b - 2a), 2nb
on average.
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
from ..rulebook.parameters import FLAG, RED_SIDE
from ..rulebook.pays import Pay
from ..wagers.condition_words import role_name
from ..wagers.wager_outcomes import deal_of, masks_of


def table_of_first_seat(resolved: Resolved, shoe: Shoe, share: Fraction) -> Table:
    """Return the table of deals to the first seat; ``share`` of the determinant cards is from the red side.

    Raises `InputError` for removed cards, since the sides would then differ.
    """
    if shoe.removed:
        raise fault("with removed cards the sides of a double shoe differ", "give either --without or red_side_share",
                    file=FLAG, place=f"{RED_SIDE}={share}")
    [role] = [r for r in Deal(resolved.terms.deal).roles if r.name == resolved.terms.first_seat]
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
