"""What hands of a split come to: the distribution of one hand, and the value of a split pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any, NamedTuple


class HandLaw(NamedTuple):
    """One hand of a split, or several added up: how often it is there, is doubled, wins and loses.

    Probabilities, or integers over a scale; what is left of ``one`` pushes.
    """

    one: Any
    doubled: Any
    win: Any
    loss: Any
    double_win: Any
    double_loss: Any

    @property
    def net(self) -> Any:
        """The expected result, in wagers."""
        return self.win - self.loss + 2 * (self.double_win - self.double_loss)

    @property
    def square(self) -> Any:
        return self.win + self.loss + 4 * (self.double_win + self.double_loss)

    def plus(self, other: HandLaw, times: int = 1) -> HandLaw:
        return HandLaw(*(a + times * b for a, b in zip(self, other, strict=True)))


NO_HAND = HandLaw(0, 0, 0, 0, 0, 0)
#: The expectations of several kinds of result, over a scale.
Results = tuple[int, ...]


@dataclass(frozen=True)
class SplitValue:
    """A split pair, everything over the scale of its solution and joint with "no dealer blackjack".

    ``net`` is the expected result in wagers; ``each`` hand in the order of play, the first with
    the original wager; ``by_hands`` is the probability of each number of hands at the end. Both
    are empty if the split is worth no more than another choice.
    """

    net: int
    each: tuple[HandLaw, ...] = ()
    by_hands: Mapping[int, Fraction] = field(default_factory=dict)

    @cached_property
    def all(self) -> HandLaw:
        """All hands added up."""
        return reduce(HandLaw.plus, self.each)
