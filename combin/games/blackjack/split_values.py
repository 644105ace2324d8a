"""The results of hands of a split: the distribution of one hand, and the value of a split pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any, NamedTuple


class HandLaw(NamedTuple):
    """One hand of a split, or the sum of several: how often it exists, is doubled, wins and loses.

    Probabilities, or integers over a scale; the rest up to ``one`` pushes. Hands of ``win`` that a bonus pays are in
    ``bonuses`` too: (line, odds, frequency).
    """

    one: Any
    doubled: Any
    win: Any
    loss: Any
    double_win: Any
    double_loss: Any
    bonuses: tuple[tuple[str, Fraction, Any], ...] = ()

    @classmethod
    def of(cls, counts: Iterable[Any], bonuses: tuple[tuple[str, Fraction, Any], ...] = ()) -> HandLaw:
        """Return a hand from the numbers in the order of the fields, and the bonuses."""
        one, doubled, win, loss, double_win, double_loss = counts
        return cls(one, doubled, win, loss, double_win, double_loss, bonuses)

    @property
    def net(self) -> Any:
        """Return the expected result, in wagers."""
        more = sum((odds - 1) * n for _, odds, n in self.bonuses)
        return self.win - self.loss + 2 * (self.double_win - self.double_loss) + more

    @property
    def square(self) -> Any:
        more = sum((odds * odds - 1) * n for _, odds, n in self.bonuses)
        return self.win + self.loss + 4 * (self.double_win + self.double_loss) + more

    @property
    def counted(self) -> tuple[Any, ...]:
        """Return every field except the bonuses."""
        return self[:COUNTED]

    def plus(self, other: HandLaw, times: int = 1) -> HandLaw:
        listed = self.bonuses or tuple((line, odds, 0) for line, odds, _ in other.bonuses)
        bonuses = tuple((line, odds, n + times * m) for (line, odds, n), (*_, m)
                        in zip(listed, other.bonuses or [(0,)] * len(listed), strict=True))
        return HandLaw.of([a + times * b for a, b in zip(self.counted, other.counted, strict=True)], bonuses)

    def over(self, whole: int) -> HandLaw:
        """Return integers over ``whole`` as fractions."""
        bonuses = tuple((line, odds, Fraction(n, whole)) for line, odds, n in self.bonuses)
        return HandLaw.of([Fraction(n, whole) for n in self.counted], bonuses)


#: The fields of a hand that are single numbers.
COUNTED = 6
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
        """Return the sum of all hands."""
        return reduce(HandLaw.plus, self.each)
