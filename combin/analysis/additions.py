"""Additions: what a wager is paid beside its lines, for other players' hands or by extra draws.

An envy bonus or community pay is paid for another player's hand, never for one's own.
All hands are dealt alike from one deck, so another player holds a hand as often as
oneself. Expectations add even for dependent hands: n other players who made the wager
are worth n × P(hand) × pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ..base.exact import Exact, simplify, value_of
from ..rulebook.book import Resolved
from ..rulebook.parameters import extras, spins
from ..rulebook.pays import parse_pay

#: The part of a variance that additions add: its value needs the joint law of several hands, or of a hand and a draw.
VARIANCE = "variance_of_additions"


AdditionKind: TypeAlias = Literal["envy", "community", "extra"]


@dataclass(frozen=True)
class Addition:
    """A pay beside the lines: ``times`` chances of ``probability`` each, ``returned`` per unit staked.

    Additions are not outcomes: outcomes partition the deals. The contributions of outcomes
    and additions sum to the return.
    """

    name: str
    pays: str
    probability: Exact
    times: int
    returned: Exact
    #: Whether it is paid for hands of other players, ``times`` of them.
    others: bool
    kind: AdditionKind
    #: The line that earns an envy bonus.
    hand: str = ""

    @property
    def contribution(self) -> Exact:
        return simplify(self.probability * self.times * self.returned)


def additions(
    resolved: Resolved, values: Mapping[str, Exact | None], probabilities: Mapping[str, Fraction]
) -> tuple[Addition, ...]:
    """The envy bonus and community pay from other players' hands, and the extra draws of the wager."""

    others = int(values.get("other_players") or 0)
    found = []
    if others:
        for hand, each in resolved.envy.items():
            if hand not in probabilities:  # a line that is not paid at this stake earns none
                continue
            # Stated for a $1 wager and in proportion to it: dollars are units staked.
            dollars = parse_pay(each).dollars
            found.append(
                Addition(f"envy bonus, {hand}", f"{each} for $1", probabilities[hand], others, dollars, others=True,
                         kind="envy", hand=hand))
        if resolved.terms.community:
            chance = sum((probabilities[o] for o, pay in resolved.payments if spins(pay)), Fraction(0))
            whose = "holds the hand" if resolved.terms.community_options.paid_for == "hand" else "spins"
            found.append(Addition(f"community pay, another player {whose}", "community pay", chance, others,
                                  simplify(value_of(values, "community_pay") / value_of(values, "stake")), others=True,
                                  kind="community"))
    for name, pay, frequency in extras(resolved):
        found.append(Addition(name, pay.text, value_of(values, frequency), 1, pay.returned(dict(values)), others=False,
                              kind="extra"))
    return tuple(found)


__all__ = ["VARIANCE", "Addition", "additions"]
