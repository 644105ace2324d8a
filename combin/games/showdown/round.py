"""A round of a game as data: streets, choices, hands. `round_file` builds these records from a file.

    Round("three-card poker", Hand(None, ("player",)), Hand(None, ("dealer",)), "queen high",
          (("ante", Fraction(1)),), (("ante bonus", "ante"),), "least stake", "23456789TJQKA",
          (Street((("player", 3), ("dealer", 3)), (Choice("fold", (), "fold"),
                                                   Choice("play", (("play", Fraction(1)),), "showdown"))),))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

#: Bets with their stakes, in units, in the order of the file.
Stakes = tuple[tuple[str, Fraction], ...]
#: Roles in the order in which hands are written: the player's cards, the dealer's hidden and seen, the board.
ROLES = ("player", "dealer", "upcard", "board")
#: Roles whose cards the player sees when they are dealt.
SEEN = ("player", "upcard", "board")
RESULTS = ("lose", "tie", "win")


@dataclass(frozen=True)
class Hand:
    """The best ``best`` cards of some roles; None means all of their cards."""

    best: int | None
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A choice: its stakes, and where the hand goes; ``needs`` names the lowest hand that is offered it."""

    name: str
    stakes: Stakes
    then: Literal["fold", "next", "showdown"]
    needs: str | None = None

    @property
    def stake(self) -> Fraction:
        """Return the units that the choice stakes."""
        return sum((amount for _, amount in self.stakes), Fraction(0))


@dataclass(frozen=True)
class Street:
    """The deal of a street, (role, cards) pairs, and its choices; a street may have no choices."""

    deal: tuple[tuple[str, int], ...]
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Leaf:
    """One path through the tree: the index of the choice on each street with choices, and the stakes."""

    path: tuple[int, ...]
    names: tuple[str, ...]
    stakes: Stakes
    folded: bool

    @property
    def staked(self) -> Fraction:
        """Return all units staked, the compulsory stakes included."""
        return sum((amount for _, amount in self.stakes), Fraction(0))


@dataclass(frozen=True)
class Round:
    """A game's round. ``qualifies`` is None if the dealer always qualifies, ``dealer`` if there is no dealer.

    ``bonuses`` are (bonus, bet on whose stake it is paid). ``ranks`` are the ranks of the deck, ascending.
    """

    order: str
    player: Hand
    dealer: Hand | None
    qualifies: str | None
    stakes: Stakes
    bonuses: tuple[tuple[str, str], ...]
    equal_choices: Literal["least stake", "greatest stake"]
    ranks: str
    streets: tuple[Street, ...]

    @property
    def cards(self) -> dict[str, int]:
        """Return the number of cards of each role that is dealt, over all streets."""
        counts = dict.fromkeys(ROLES, 0)
        for street in self.streets:
            for role, cards in street.deal:
                counts[role] += cards
        return {role: cards for role, cards in counts.items() if cards}

    @property
    def bets(self) -> tuple[str, ...]:
        """Return all bets with a stake: the compulsory ones, then those of choices, in the order of the file."""
        further = (bet for street in self.streets for choice in street.choices for bet, _ in choice.stakes)
        return tuple(dict.fromkeys((*(bet for bet, _ in self.stakes), *further)))

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Return every path through the tree, depth first, choices in the order of the file.

        A round without choices has one leaf, with an empty path.
        """
        deciding = [street.choices for street in self.streets if street.choices]
        return tuple(self._leaves(deciding, (), (), dict(self.stakes)))

    def _leaves(
        self, streets: list[tuple[Choice, ...]], path: tuple[int, ...], names: tuple[str, ...],
        stakes: dict[str, Fraction],
    ) -> Iterator[Leaf]:
        if not streets:
            yield Leaf(path, names, tuple(stakes.items()), False)
            return
        for index, choice in enumerate(streets[0]):
            after = dict(stakes)
            for bet, amount in choice.stakes:
                after[bet] = after.get(bet, Fraction(0)) + amount
            here, called = (*path, index), (*names, choice.name)
            if choice.then == "next":
                yield from self._leaves(streets[1:], here, called, after)
            else:
                yield Leaf(here, called, tuple(after.items()), choice.then == "fold")
