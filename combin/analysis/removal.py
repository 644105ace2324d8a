"""The effect of removal: how the return of a shoe wager changes when one card is known to be gone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..base.errors import CountError, fault
from ..base.exact import Exact, simplify
from ..deals import dealt as drawn
from ..deals.cards import CARD_TYPES, Shoe, permute
from ..deals.first_cards import Deal
from .model import Analysis


@dataclass(frozen=True)
class Effect:
    """One card type: its copies in the shoe, the return without one of them, and the change of the return."""

    card: int
    copies: int
    returned: Exact
    change: Exact


def _shoe(analysis: Analysis) -> Shoe:
    return Shoe(analysis.decks, analysis.request.without)


def _alike(analysis: Analysis) -> dict[int, int]:
    """Each card type with the one that stands for it: cards that wager and shoe cannot tell apart have one effect."""
    terms, shoe = analysis.resolved.terms, _shoe(analysis)
    if drawn.is_drawn(terms.deal):
        # Only values are seen: ten and court cards are alike, and so are suits, as far as the shoe has equally many.
        kinds: dict[tuple[int, int], int] = {}
        return {
            c: kinds.setdefault((min(c % 13, 8) if c % 13 != 12 else 12, shoe.copies[c]), c) for c in range(CARD_TYPES)
        }
    group = Deal(terms.deal, terms.suits).group(shoe)
    return {c: min(permute(p, c) for p in group) for c in range(CARD_TYPES)}


def effects(analysis: Analysis) -> tuple[Effect, ...]:
    """The exact effect of taking one card of each type out of the analysis's shoe.

    A card drawn blind changes nothing, so the changes weighted by copies sum to
    nought (exchangeability); that is asserted, except where the figures are
    conditional on a card. Raises `InputError` for wagers that are counted for one
    full deck.
    """
    resolved = analysis.resolved
    if resolved.has_decisions or (
        not drawn.is_drawn(resolved.terms.deal) and Deal(resolved.terms.deal).is_seven_cards
    ):
        raise fault(f"{analysis.id} is counted for one full deck", "the effect of removal is for wagers of a shoe")
    if resolved.document.deck_range == (1, 1):
        raise fault(f"{analysis.id} is shuffled after every round", "the effect of removal is for wagers of a shoe")
    removed, shoe = analysis.request.without, _shoe(analysis)
    known: dict[int, Exact] = {}
    found = []
    for card_type, stands_for in _alike(analysis).items():
        if not shoe.copies[card_type]:
            continue
        if stands_for not in known:
            known[stands_for] = analysis.replace(without=(*removed, stands_for)).returned
        returned = known[stands_for]
        found.append(Effect(card_type, shoe.copies[card_type], returned, simplify(returned - analysis.returned)))
    if analysis.condition is None and simplify(sum((e.copies * e.change for e in found), Fraction(0))) != 0:
        raise CountError(f"exchangeability: the effects of removal of {analysis.id} do not sum to nought")
    return tuple(found)
