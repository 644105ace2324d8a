"""The house rules of blackjack as one record.

It holds everything that differs between casinos; solvers read only this record.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property

from ...base.errors import fault
from .bonuses import Bonus, most_odds, unit_of

DOUBLES = {"any": range(4, 22), "9-11": range(9, 12), "10-11": range(10, 12), "11": range(11, 12), "none": range(0)}
#: Kinds of surrender: against a ten, against an ace, and against the other upcards.
SURRENDERS = {
    "none": ("", "", ""),
    "late": ("late", "late", "late"),
    "late-10": ("late", "", ""),
    "late-ace": ("", "late", ""),
    "late-not-ace": ("late", "", "late"),
    "early": ("early", "early", "early"),
    "early-10": ("early", "", ""),
    "early-10-late": ("early", "late", "late"),
    "early-ace": ("", "early", ""),
    "early-not-ace": ("early", "", "early"),
    "early-ace-late": ("late", "early", "late"),
}
HOLE_CARDS = ("peek", "original-lost", "all-lost")
SPLIT_ACES = ("one-card", "may-draw")
DOUBLE_CARDS = ("two", "any")
#: The greatest total at which the dealer wins ties, by the words of the option; 16 for none.
TIES_LOST = {"none": 16, "17": 17, "17-18": 18, "all": 21}
#: The least total at which the player wins ties, 22 for a blackjack; 23 for none.
TIES_WON = {"none": 23, "blackjack": 22, "21": 21}
MOST_HANDS = 8
#: Most tables allow four hands: their exact values have a smaller denominator.
USUAL_HANDS = 4
#: The paytable's lines of the player's blackjack.
BLACKJACK, SUITED = "blackjack", "suited blackjack"


@dataclass(frozen=True)
class HouseRules:
    """One set of house rules.

    hits_soft_17        the dealer draws to a soft 17
    blackjack_pays      odds of the player's blackjack
    suited_pays         odds of a blackjack of one suit; None for those of any blackjack
    suited              share of the player's blackjacks that are of one suit, in the shoe that is dealt
    double              hands that may double: any, or only these hard totals
    double_cards        two: doubles on the first two cards; any: on any number of cards
    soft_doubles        soft hands may double too
    double_after_split  doubles after a split too
    double_split_aces   doubles after split aces; None: as after other splits if split
                        aces may be drawn to, otherwise not
    max_hands           the greatest number of hands that splits may make; 1: no splits
    resplit_aces        aces may be split again
    split_aces          one-card: each split ace takes one card and stands; may-draw
    surrender           late: the whole wager is lost to a dealer's blackjack; early: half
                        the wager whatever the dealer has; with -10, -ace, -not-ace:
                        against these upcards, none against others; early-10-late,
                        early-ace-late: late against others
    hole_card           peek: the dealer peeks under an ace or ten before play;
                        original-lost, all-lost: no peek, and a dealer's blackjack
                        takes only the first wager, or doubles and splits as well
    charlie             number of cards with which a hand wins at once; 0: none
    charlie_splits      whether hands of a split win this way too
    charlie_blackjack   whether such a hand wins against a dealer's blackjack
    ties_lost           greatest total at which the dealer wins ties; 16: all ties push.
    ties_won            least total at which the player wins ties: 22 a blackjack, 21 also other 21s; 23: none.
                        A plain 21 never wins against a blackjack.
    bonuses             bonuses: 21s of certain cards that win at once
    push_22             a dealer's 22 pushes every hand except a blackjack
    even_money          a blackjack may be paid 1 to 1 against an ace before the peek
    """

    hits_soft_17: bool = False
    blackjack_pays: Fraction = Fraction(3, 2)
    suited_pays: Fraction | None = None
    suited: Fraction = Fraction(1, 4)
    double: str = "any"
    double_cards: str = "two"
    soft_doubles: bool = True
    double_after_split: bool = True
    double_split_aces: bool | None = None
    max_hands: int = 4
    resplit_aces: bool = False
    split_aces: str = "one-card"
    surrender: str = "none"
    hole_card: str = "peek"
    charlie: int = 0
    charlie_splits: bool = True
    charlie_blackjack: bool = True
    ties_lost: int = TIES_LOST["none"]
    ties_won: int = TIES_WON["none"]
    bonuses: tuple[Bonus, ...] = ()
    push_22: bool = False
    even_money: bool = False

    def __post_init__(self) -> None:
        for name, known in (
            ("double", tuple(DOUBLES)),
            ("double_cards", DOUBLE_CARDS),
            ("surrender", tuple(SURRENDERS)),
            ("hole_card", HOLE_CARDS),
            ("split_aces", SPLIT_ACES),
        ):
            if getattr(self, name) not in known:
                what = f'{name} cannot be "{getattr(self, name)}"'
                raise fault(what, f"use {', '.join(known)}", file="house rules", place=name)
        if not 1 <= self.max_hands <= MOST_HANDS:
            raise fault(
                f"max_hands cannot be {self.max_hands}", f"give 1 to {MOST_HANDS}",
                file="house rules", place="max_hands",
            )
        if self.charlie and not 4 <= self.charlie <= 12:
            raise fault(
                f"charlie cannot be {self.charlie}", "give 4 to 12 cards, or 0", file="house rules", place="charlie"
            )
        if self.ties_lost not in TIES_LOST.values():
            raise fault(f"ties_lost cannot be {self.ties_lost}", "give 16, 17, 18 or 21", file="house rules",
                        place="ties_lost")
        if self.ties_won not in TIES_WON.values():
            raise fault(f"ties_won cannot be {self.ties_won}", "give 21, 22 or 23",
                        file="house rules", place="ties_won")
        if self.ties_won <= self.ties_lost:
            raise fault("both sides win ties of 21", "change ties_win or ties_lose", file="house rules",
                        place="ties_won")
        if self.charlie and self.bonuses and self.double_cards == "any":
            raise fault("a charlie, bonuses and doubles on any number of cards are not computed together",
                        "omit one of them", file="house rules", place="charlie")
        for odds in (self.blackjack_pays, self.suited_pays or Fraction(0)):
            if odds < 0:
                raise fault(f"a blackjack cannot pay {odds}", "give odds of 0 or more", file="house rules")

    @property
    def naturals(self) -> tuple[tuple[str, Fraction, Fraction], ...]:
        """Return the player's blackjacks by their pay: (name, odds, share of all).

        The dealer's probabilities do not depend on the suits of the player's cards.
        """
        if self.suited_pays is None:
            return ((BLACKJACK, self.blackjack_pays, Fraction(1)),)
        return ((SUITED, self.suited_pays, self.suited), (BLACKJACK, self.blackjack_pays, 1 - self.suited))

    @property
    def blackjack_wins(self) -> bool:
        """Return whether the player's blackjack wins against the dealer's."""
        return self.ties_won <= TIES_WON["blackjack"]

    def natural(self, odds: Fraction, alive: Fraction) -> Fraction:
        """Return the expected result of a blackjack of these odds; the dealer has none with probability ``alive``."""
        return odds if self.blackjack_wins else odds * alive

    @property
    def unit(self) -> int:
        """Return the denominator of a hand's rewards: they are integers in wagers divided by it."""
        return unit_of(self.bonuses)

    @property
    def most_odds(self) -> int:
        """Return the greatest odds of a hand other than a blackjack, rounded up."""
        return most_odds(self.bonuses)

    @property
    def looks(self) -> bool:
        """Return whether a dealer's blackjack takes only the first wager; play may then assume that there is none.

        Without a peek, if only the first wager is lost, the loss to a blackjack does not depend
        on the play: the best play and every value are those with a peek.
        """
        return self.hole_card != "all-lost"

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, f.name) for f in fields(self)))

    def __hash__(self) -> int:
        # Rules are looked up in caches again and again, and fractions are slow to hash.
        return self._hash

    @cached_property
    def played(self) -> HouseRules:
        """Return these rules without the fields that affect only splits, surrenders and blackjacks.

        ``max_hands`` becomes the bound for which the scale of exact values is made.
        """
        return HouseRules(
            hits_soft_17=self.hits_soft_17,
            double=self.double,
            double_cards=self.double_cards,
            soft_doubles=self.soft_doubles,
            hole_card="peek" if self.looks else self.hole_card,
            charlie=self.charlie,
            charlie_blackjack=self.charlie_blackjack or self.looks or not self.charlie,
            push_22=self.push_22,
            ties_lost=self.ties_lost,
            ties_won=21 if self.ties_won == 21 else TIES_WON["none"],
            bonuses=self.bonuses,
            max_hands=USUAL_HANDS if self.max_hands <= USUAL_HANDS else MOST_HANDS,
        )

    @cached_property
    def of_splits(self) -> HouseRules:
        """Return the rules `played` by hands of a split."""
        return self.played if self.charlie_splits else replace(self, charlie=0).played

    def against(self, upcard: int) -> HouseRules:
        """Return the rules `played` that affect play against this class."""
        return _against(self.played, upcard)

    def of_splits_against(self, upcard: int) -> HouseRules:
        """Return the rules `of_splits` that affect play against this class."""
        return _against(self.of_splits, upcard)

    def surrender_against(self, upcard: int) -> str:
        """Return the kind of surrender that is offered against this class: late, early, or "" for none."""
        return SURRENDERS[self.surrender][{9: 0, 0: 1}.get(upcard, 2)]

    def doubles_after(self, pair: int) -> bool:
        """Return whether hands of a split of this class may double."""
        if pair or (self.double_split_aces is None and self.split_aces == "may-draw"):
            return self.double_after_split
        return bool(self.double_split_aces)

    def hands_of(self, card_class: int) -> int:
        """Return the greatest number of hands into which a pair of the class may be split."""
        return min(self.max_hands, 2) if card_class == 0 and not self.resplit_aces else self.max_hands


def _against(played: HouseRules, upcard: int) -> HouseRules:
    """Return the rules that affect play against this class: only an ace or a ten begins a dealer's blackjack."""
    return played if upcard in (0, 9) else replace(played, hole_card="peek", charlie_blackjack=True)
