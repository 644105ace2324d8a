"""The effect of removal: the change of a shoe wager's return when one card is removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..base.errors import CountError, fault
from ..base.exact import Exact, simplify
from ..games.registry import game_of
from ..wagers.wager_outcomes import deal_of
from .model import Analysis


@dataclass(frozen=True)
class Effect:
    """One card type: its copies in the shoe, the return without one of them, and the change of the return."""

    card: int
    copies: int
    returned: Exact
    change: Exact
    #: For a game with decisions, the change under the play for the full shoe; ``change`` is that under best play.
    fixed: Fraction | None = None


def effects(analysis: Analysis) -> tuple[Effect, ...]:
    """Return the exact effect of removing one card of each type from the analysis's shoe.

    Removing an unseen card changes nothing: the changes weighted by copies sum to 0 (exchangeability). This is asserted
    unless the figures are conditional on a card, for a game under the play for the full shoe. Raises `InputError` for
    wagers that are counted for one full deck.
    """
    resolved, shoe, removed = analysis.resolved, analysis.shoe, analysis.request.without
    game = game_of(resolved)
    alike = game.alike(resolved, shoe) if game is not None else None
    if alike is None:
        alike = _alike(analysis)
    known: dict[int, tuple[Exact, Fraction | None]] = {}
    changes = []
    # Cards that neither wager nor shoe distinguishes have the same effect.
    for card, representative in alike.items():
        if not shoe.copies[card]:
            continue
        if representative not in known:
            left = (*removed, representative)
            fixed = None if game is None else (
                game.replayed(analysis.game, replace(shoe, removed=left)) - analysis.returned)
            known[representative] = analysis.replace(without=left).returned, fixed
        returned, fixed = known[representative]
        changes.append(Effect(card, shoe.copies[card], returned, simplify(returned - analysis.returned), fixed))
    # Under best play the changes of a game do not sum to 0, but those under one play do.
    total = sum((e.copies * (e.change if e.fixed is None else e.fixed) for e in changes), Fraction(0))
    if analysis.condition is None and simplify(total) != 0:
        raise CountError(f"exchangeability: the effects of removal of {analysis.id} do not sum to 0")
    return tuple(changes)


def _alike(analysis: Analysis) -> Mapping[int, int]:
    """Return each card type with a representative of equal effect, for a wager on cards dealt from a shoe."""
    resolved = analysis.resolved
    deal = deal_of(resolved)
    if resolved.has_decisions or (deal is not None and deal.one_deck):
        raise fault(f"{analysis.id} is counted for one full deck", "use a wager dealt from a shoe")
    if deal is None:
        raise fault(f"{analysis.id} does not depend on cards", "use a wager dealt from a shoe")
    if resolved.document.deck_range == (1, 1):
        raise fault(f"{analysis.id} is shuffled after every round", "use a wager dealt from a shoe")
    return deal.alike(analysis.shoe)
