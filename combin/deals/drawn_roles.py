"""The roles of deals with drawn-out hands: reading their text, and which roles are parts of others.

    dealer draws out                    dealer, with its first cards upcard and hole card
    player 2, dealer draws out          the same with first cards of other roles
    baccarat                            player and banker, with the first two cards of each
"""

from __future__ import annotations

from ..base.errors import fault
from .first_cards import Deal

DRAWS_OUT, BACCARAT, BY_CHART = "dealer draws out", "baccarat", "player plays the chart"
#: The number of cards of a drawn-out role.
VARIES = 0


def first_cards_of(hand: str) -> tuple[str, ...]:
    """Return the roles with the first two cards of a drawn-out hand."""
    return ("upcard", "hole card") if hand == "dealer" else (f"first_two({hand})",)


def third_card_of(hand: str) -> str:
    """Return the role with the third card of a hand of baccarat."""
    return f"third({hand})"


def hands_of(text: str) -> dict[str, int] | None:
    """Return the roles of a drawn-out deal with their numbers of cards. Returns None for other deals.

    A drawn-out hand has `VARIES` cards; the roles of its first two cards follow it. Raises `InputError` for invalid
    roles.
    """
    if text == BACCARAT:
        return {"player": VARIES, "banker": VARIES, **{first_cards_of(hand)[0]: 2 for hand in ("player", "banker")}}
    head, comma, tail = text.rpartition(", ")
    if tail != DRAWS_OUT or (comma and head == BY_CHART):
        return None
    roles = {role.name: role.cards for role in Deal(head).roles} if head else {}
    if empty := [name for name, cards in roles.items() if not cards]:
        raise fault(f'"{empty[0]}" has no cards', "omit it")
    drawn = {"dealer": VARIES, "upcard": 1, "hole card": 1}
    if taken := [name for name in roles if name in drawn]:
        raise fault(f'"{taken[0]}" is a part of the drawn-out hand', "omit it")
    return {**roles, **drawn}
