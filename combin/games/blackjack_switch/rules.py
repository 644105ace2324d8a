"""The rules of Blackjack Switch as one record: those of the hands, and those of blackjacks (chapter 12 A(5))."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ...base.errors import fault
from ..blackjack.rules import HouseRules

#: Options of rule data with their choices.
TAKES = {
    "blackjack_pays": ("1 to 1", "6 to 5", "3 to 2"),
    "blackjack_against_22": ("wins", "pushes"),
    "switched_blackjack": ("twenty-one", "blackjack"),
    "exchange": ("before-the-look", "after-the-look"),
}


@dataclass(frozen=True)
class SwitchRules:
    """One set of rules.

    hands                 the play of each hand: a dealer's 22 pushes; each hand may be surrendered by itself
    blackjack_pays        odds of a dealt blackjack; against a dealer's 21 they are 1 to 1
    blackjack_against_22  whether a dealt blackjack wins against a dealer's 22 or pushes
    switched_blackjack    an ace and a ten-valued card after a switch: a hand of 21, or a blackjack
    exchange              cards are switched before the dealer's peek, or after it
    """

    hands: HouseRules = field(default_factory=lambda: HouseRules(push_22=True, blackjack_pays=Fraction(1)))
    blackjack_pays: Fraction = Fraction(1)
    blackjack_against_22: str = "wins"
    switched_blackjack: str = "twenty-one"
    exchange: str = "before-the-look"

    def __post_init__(self) -> None:
        if self.exchange == "before-the-look":
            return
        early = any(self.hands.surrender_against(u) == "early" for u in range(10))
        if early or self.hands.hole_card != "peek":
            what = "an early surrender follows the exchange" if early else "a dealer without a hole card does not look"
            raise fault(f"cards are exchanged after the dealer has looked, but {what}",
                        'write exchange = "before-the-look"', file="house rules", place="exchange")
