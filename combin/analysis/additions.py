"""Additions: a wager's pays besides its lines, for other players' hands or by extra draws.

An envy bonus or community pay is paid for another player's hand, never for the player's hand. All hands are dealt from
one deck, so another player has a hand with the same probability. Expectations add even for dependent hands: n other
players who make the wager are worth n × P(hand) × pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ..base.exact import Exact, simplify, value_of
from ..rulebook.book import Resolved
from ..rulebook.parameters import extras
from ..rulebook.pays import parse_pay

#: The part of a variance due to additions; it depends on the joint distribution of several hands, or a hand and a draw.
VARIANCE = "variance_of_additions"


AdditionKind: TypeAlias = Literal["envy", "community", "extra"]


@dataclass(frozen=True)
class Addition:
    """A pay besides the lines: ``times`` chances of ``probability`` each, ``returned`` per unit staked.

    Additions are not outcomes: outcomes partition the deals. The contributions of outcomes and additions sum to the
    return.
    """

    name: str
    pays: str
    probability: Exact
    times: int
    returned: Exact
    #: Whether it is paid for hands of other players; ``times`` is then their number.
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
    """Return envy bonuses and community pay for other players' hands, and the extra draws of the wager."""

    others = int(values.get("other_players") or 0)
    rows = []
    if others:
        for hand, each in resolved.envy.items():
            if hand not in probabilities:  # a line that is not paid at this stake earns no envy bonus
                continue
            # The amount is for a $1 wager and proportional to the wager: dollars are units staked.
            dollars = parse_pay(each).dollars
            rows.append(
                Addition(f"envy bonus, {hand}", f"{each} for $1", probabilities[hand], others, dollars, others=True,
                         kind="envy", hand=hand))
        if resolved.terms.community:
            chance = sum((probabilities[o] for o, pay in resolved.payments if pay.spin), Fraction(0))
            whose = "has the hand" if resolved.terms.community_options.paid_for == "hand" else "spins"
            rows.append(Addition(f"community pay, another player {whose}", "community pay", chance, others,
                                 simplify(value_of(values, "community_pay") / value_of(values, "stake")), others=True,
                                 kind="community"))
    for name, pay, frequency in extras(resolved):
        rows.append(Addition(name, pay.text, value_of(values, frequency), 1, pay.returned(dict(values)), others=False,
                             kind="extra"))
    return tuple(rows)
