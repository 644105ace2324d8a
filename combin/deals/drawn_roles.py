"""The roles of deals with hands that are drawn out: how their text is read, and which roles are parts of others.

    dealer draws out                    dealer, with its first cards upcard and hole card
    player 2, dealer draws out          the same beside first cards of other roles
    baccarat                            player and banker, with the first two cards of each
"""

from __future__ import annotations

from ..base.errors import fault
from .first_cards import Deal

DRAWS_OUT, BACCARAT, BY_CHART = "dealer draws out", "baccarat", "player plays the chart"
#: The number of cards of a role that is drawn out.
VARIES = 0


def first_cards_of(hand: str) -> tuple[str, ...]:
    """The roles that hold the first two cards of a hand that is drawn out."""
    return ("upcard", "hole card") if hand == "dealer" else (f"first_two({hand})",)


def third_card_of(hand: str) -> str:
    """The role that holds the third card of a hand of baccarat."""
    return f"third({hand})"


def hands_of(text: str) -> dict[str, int] | None:
    """The roles of a deal that is drawn out, with their numbers of cards; None for other deals.

    A hand that is drawn out has `VARIES` cards; the roles of its first two cards follow it.
    Raises `InputError` for roles that are not sound.
    """
    if text == BACCARAT:
        return {"player": VARIES, "banker": VARIES, **{first_cards_of(hand)[0]: 2 for hand in ("player", "banker")}}
    head, comma, tail = text.rpartition(", ")
    if tail != DRAWS_OUT or (comma and head == BY_CHART):
        return None
    roles = {role.name: role.cards for role in Deal(head).roles} if head else {}
    if empty := [name for name, cards in roles.items() if not cards]:
        raise fault(f'"{empty[0]}" gets no card', "leave it out")
    drawn = {"dealer": VARIES, "upcard": 1, "hole card": 1}
    if taken := [name for name in roles if name in drawn]:
        raise fault(f'"{taken[0]}" is a part of the hand that is drawn out', "leave it out")
    return {**roles, **drawn}
