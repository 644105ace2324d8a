"""The house rules of blackjack as one record.

It holds everything that differs between casinos; a solver reads nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ...base.errors import fault

DOUBLES = {"any": range(4, 22), "9-11": range(9, 12), "10-11": range(10, 12), "11": range(11, 12), "none": range(0)}
SURRENDERS = ("none", "late", "early", "early-10")
HOLE_CARDS = ("peek", "original-lost", "all-lost")
SPLIT_ACES = ("one-card", "may-draw")
MOST_HANDS = 4


@dataclass(frozen=True)
class HouseRules:
    """One set of house rules.

    hits_soft_17        the dealer draws to a soft 17
    blackjack_pays      odds of the player's blackjack
    double              first two cards that may double: any, or these hard totals alone
    double_after_split  doubles after a split too
    max_hands           the greatest number of hands that splits may make; 1: no splits
    resplit_aces        aces may be split again
    split_aces          one-card: each split ace takes one card and stands; may-draw
    surrender           none; late: the whole wager is lost to a dealer's blackjack;
                        early: half the wager whatever the dealer has; early-10: early
                        against a ten-valued card, late against an ace
    hole_card           peek: the dealer looks under an ace or ten before play;
                        original-lost, all-lost: no peek, and a dealer's blackjack
                        takes the first wager alone, or doubles and splits as well
    charlie             a hand of so many cards wins at once; 0: none
    push_22             a dealer's 22 pushes every hand except a blackjack
    even_money          a blackjack may be paid 1 to 1 against an ace before the peek
    """

    hits_soft_17: bool = False
    blackjack_pays: Fraction = Fraction(3, 2)
    double: str = "any"
    double_after_split: bool = True
    max_hands: int = 4
    resplit_aces: bool = False
    split_aces: str = "one-card"
    surrender: str = "none"
    hole_card: str = "peek"
    charlie: int = 0
    push_22: bool = False
    even_money: bool = False

    def __post_init__(self) -> None:
        for name, known in (
            ("double", tuple(DOUBLES)),
            ("surrender", SURRENDERS),
            ("hole_card", HOLE_CARDS),
            ("split_aces", SPLIT_ACES),
        ):
            if getattr(self, name) not in known:
                what = f'{name} is "{getattr(self, name)}"'
                raise fault(what, f"use {', '.join(known)}", file="house rules", place=name)
        if not 1 <= self.max_hands <= MOST_HANDS:
            raise fault(
                f"max_hands is {self.max_hands}", f"give 1 to {MOST_HANDS}", file="house rules", place="max_hands"
            )
        if self.charlie and not 4 <= self.charlie <= 12:
            raise fault(f"charlie is {self.charlie}", "give 4 to 12 cards, or 0", file="house rules", place="charlie")
        if self.blackjack_pays < 0:
            raise fault(f"a blackjack pays {self.blackjack_pays}", "give odds of 0 or more", file="house rules")

    @property
    def looks(self) -> bool:
        """Whether a dealer's blackjack takes the first wager alone; play may then assume that there is none.

        Without a peek, if the first wager alone is lost, the loss to a blackjack does not depend
        on the play: the best play and every value are those with a peek.
        """
        return self.hole_card != "all-lost"

    @property
    def played(self) -> HouseRules:
        """These rules without the fields that affect only splits, surrenders and blackjacks."""
        return HouseRules(
            hits_soft_17=self.hits_soft_17,
            double=self.double,
            hole_card="peek" if self.looks else self.hole_card,
            charlie=self.charlie,
            push_22=self.push_22,
        )

    def against(self, upcard: int) -> HouseRules:
        """The rules `played` that bear on play against this class: an ace or ten alone begins a dealer's blackjack."""
        return self.played if upcard in (0, 9) else replace(self.played, hole_card="peek")

    def hands_of(self, card_class: int) -> int:
        """The greatest number of hands that a pair of the class may become."""
        return min(self.max_hands, 2) if card_class == 0 and not self.resplit_aces else self.max_hands
