"""The effect of removal: how the return of a shoe wager changes when one card is known to be gone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..base.errors import CountError, fault
from ..base.exact import Exact, simplify
from ..deals.cards import Shoe
from ..wagers.stated import deal_of
from .model import Analysis


@dataclass(frozen=True)
class Effect:
    """One card type: its copies in the shoe, the return without one of them, and the change of the return."""

    card: int
    copies: int
    returned: Exact
    change: Exact


def effects(analysis: Analysis) -> tuple[Effect, ...]:
    """The exact effect of taking one card of each type out of the analysis's shoe.

    A card drawn blind changes nothing, so the changes weighted by copies sum to
    nought (exchangeability); that is asserted, except where the figures are
    conditional on a card. Raises `InputError` for wagers that are counted for one
    full deck.
    """
    resolved = analysis.resolved
    deal = deal_of(resolved)
    if resolved.has_decisions or (deal is not None and deal.one_deck):
        raise fault(f"{analysis.id} is counted for one full deck", "the effect of removal is for wagers of a shoe")
    if deal is None:
        raise fault(f"{analysis.id} depends on no card", "the effect of removal is for wagers of a shoe")
    if resolved.document.deck_range == (1, 1):
        raise fault(f"{analysis.id} is shuffled after every round", "the effect of removal is for wagers of a shoe")
    removed = analysis.request.without
    shoe = Shoe(analysis.decks, removed)
    known: dict[int, Exact] = {}
    found = []
    # Cards that wager and shoe cannot tell apart have one effect.
    for card_type, stands_for in deal.alike(shoe).items():
        if not shoe.copies[card_type]:
            continue
        if stands_for not in known:
            known[stands_for] = analysis.replace(without=(*removed, stands_for)).returned
        returned = known[stands_for]
        found.append(Effect(card_type, shoe.copies[card_type], returned, simplify(returned - analysis.returned)))
    if analysis.condition is None and simplify(sum((e.copies * e.change for e in found), Fraction(0))) != 0:
        raise CountError(f"exchangeability: the effects of removal of {analysis.id} do not sum to nought")
    return tuple(found)
