"""The effect of removal: the change of a shoe wager's return when one card is removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..base.errors import CountError, fault
from ..base.exact import Exact, simplify
from ..deals.cards import Shoe
from ..games.model import Game
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
    unless the figures are conditional on a card. Raises `InputError` for wagers that are counted for one full deck.
    """
    resolved = analysis.resolved
    game = game_of(resolved)
    shoe = analysis.shoe
    alike = game.alike(resolved, shoe) if game is not None else None
    if game is not None and alike is not None:
        return _of_a_game(analysis, game, shoe, alike)
    deal = deal_of(resolved)
    if resolved.has_decisions or (deal is not None and deal.one_deck):
        raise fault(f"{analysis.id} is counted for one full deck", "use a wager dealt from a shoe")
    if deal is None:
        raise fault(f"{analysis.id} does not depend on cards", "use a wager dealt from a shoe")
    if resolved.document.deck_range == (1, 1):
        raise fault(f"{analysis.id} is shuffled after every round", "use a wager dealt from a shoe")
    removed = analysis.request.without
    known: dict[int, Exact] = {}
    changes = []
    # Cards that neither wager nor shoe distinguishes have the same effect.
    for card_type, representative in deal.alike(shoe).items():
        if not shoe.copies[card_type]:
            continue
        if representative not in known:
            known[representative] = analysis.replace(without=(*removed, representative)).returned
        returned = known[representative]
        changes.append(Effect(card_type, shoe.copies[card_type], returned, simplify(returned - analysis.returned)))
    if analysis.condition is None and simplify(sum((e.copies * e.change for e in changes), Fraction(0))) != 0:
        raise CountError(f"exchangeability: the effects of removal of {analysis.id} do not sum to 0")
    return tuple(changes)


def _of_a_game(analysis: Analysis, game: Game, shoe: Shoe, alike: Mapping[int, int]) -> tuple[Effect, ...]:
    """Return the effects under best play of the remaining shoe, and under the full shoe's play, which sum to 0."""
    removed = analysis.request.without
    known: dict[int, tuple[Exact, Fraction]] = {}
    changes = []
    for card, representative in alike.items():
        if representative not in known:
            left = (*removed, representative)
            fixed = game.replayed(analysis.game, replace(shoe, removed=left)) - analysis.returned
            known[representative] = analysis.replace(without=left).returned, fixed
        returned, fixed = known[representative]
        changes.append(Effect(card, shoe.copies[card], returned, simplify(returned - analysis.returned), fixed))
    if sum((e.copies * (e.fixed or 0) for e in changes), Fraction(0)) != 0:
        raise CountError(f"exchangeability: the effects of removal of {analysis.id} do not sum to 0")
    return tuple(changes)
