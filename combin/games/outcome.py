"""An outcome of a paytable or of a game, with its exact figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ..base.exact import Exact, is_number, simplify
from ..rulebook.pays import Pay


@dataclass(frozen=True)
class Outcome:
    """One outcome of a paytable.

    ``combinations`` is the exact number of deals (None if the number of cards varies), ``probability`` its share of all
    deals, ``returned`` the amount returned per unit staked, including a returned stake.
    """

    outcome: str
    pays: str
    combinations: int | None
    #: A Fraction; an expression if it depends on an unknown rate.
    probability: Exact
    returned: Exact
    pay: Pay | None = field(default=None, repr=False)
    #: False for a promotion, which has no stake: every payment is a hit.
    staked: bool = True
    #: If other players' cards determine the amount: (amount, share of the deals); ``returned`` is the mean.
    parts: tuple[tuple[Exact, Fraction], ...] = field(default=(), repr=False)
    #: The line of the paytable, and the symbol of the wheel; "" if there is none.
    line: str = field(default="", repr=False)
    symbol: str = field(default="", repr=False)
    #: For a game with a joint table: choice, whether the dealer qualifies, result and category.
    cell: tuple[str, ...] = field(default=(), repr=False)

    @property
    def distribution(self) -> tuple[tuple[Exact, Exact], ...]:
        """The distribution of the outcome: (amount returned, probability)."""
        return tuple((x, self.probability * p) for x, p in self.parts or ((self.returned, Fraction(1)),))

    @property
    def contribution(self) -> Exact:
        """Probability × amount returned; the contributions sum to the return."""
        return simplify(self.probability * self.returned)

    @property
    def true_odds(self) -> Exact | None:
        """(1 − p)/p, to 1. None if the outcome is impossible."""
        return (1 - self.probability) / self.probability if self.probability else None

    @property
    def frequency(self) -> Exact | None:
        """1/p, the mean number of rounds per occurrence. None if the outcome is impossible."""
        return 1 / self.probability if self.probability else None

    @property
    def spins(self) -> bool:
        """Whether a wheel without weights determines the amount."""
        return self.pay is not None and bool(self.pay.spin)

    @property
    def is_hit(self) -> bool:
        """Whether more than the stake is returned.

        If the stake is not set, a prize in dollars is compared with a stake of one dollar. A share of an unknown counts
        as more.
        """
        back = self.returned
        if not is_number(back) and self.pay is not None:
            back = self.pay.returned({"stake": Fraction(1)})
        return not is_number(back) or bool(back > int(self.staked))
