"""Payout caps: the effect of a maximum that the operator sets on a payout.

The documents have four rules:

- Massachusetts (§11(g)) sets no floor.
- Maryland, High Card Flush (Ch. 12 §D): a limit is at most the greater of $50,000 and the
top win at the minimum wager.
- Maryland, Chase the Flush (Ch. 12 §E): a maximum is at least that amount.
- Maryland, blackjack (Ch. 13 §J-M): two hands are capped, at the greater of $25,000 and the
top win at the maximum wager.

The stake is a lawful wager, so the maximum wager is at least the stake. Hence a cap in blackjack never reduces the win
of a single player.

A cap limits the win on a hand, without the returned stake. It applies to one wager of one player. Players may share a
cap (Ch. 13 §K): other players are assumed to wager the same stake, and the distribution of the number of them with the
same hand is counted from the shoe. `combin.play.together` computes one cap over several wagers of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, perm
from typing import TypeAlias

from ..base.errors import fault
from ..base.exact import Exact, is_number, money, ratio
from ..deals.cards import Shoe, card
from ..rulebook.book import Resolved
from ..rulebook.parameters import FLAG
from ..rulebook.pays import Pay
from ..rulebook.terms import PayoutCap

Values: TypeAlias = "Mapping[str, Exact | None]"
#: The probabilities that 0, 1, 2, … other players also win.
Chances: TypeAlias = "tuple[Fraction, ...]"


@dataclass(frozen=True)
class Cap:
    """A cap in force: ``amount`` and ``stake`` in dollars.

    ``outcomes`` are the hands that the document caps, empty for all. ``untouched`` is the greatest stake at which the
    cap reduces no win. ``winners`` maps a shared hand to the distribution of the number of other winners, given this
    one.
    """

    amount: Fraction
    stake: Fraction
    untouched: Fraction | None
    clause: str
    basis: str
    outcomes: tuple[str, ...]
    shared: bool
    others: int = 0
    winners: Mapping[str, Chances] = field(default_factory=dict)

    def limited(self, outcome: str, pay: Pay, amount: Exact) -> tuple[tuple[Exact, Fraction], ...]:
        """Return the amounts returned per unit staked under the cap, each with its share of the outcome's deals."""
        if self.outcomes and outcome not in self.outcomes:
            return ((amount, Fraction(1)),)
        if not is_number(amount):
            raise fault(f'the effect of a cap depends on the pay of "{outcome}", which is not set',
                        f"set it: --set {pay.unknowns[0]}=VALUE", file=FLAG)
        most, back = self.amount / self.stake, int(pay.stake_back)
        chances = self.winners.get(outcome) or (Fraction(1),)
        return tuple((min(won(pay, amount), most / (1 + n)) + back, p) for n, p in enumerate(chances) if p)


def won(pay: Pay, amount: Fraction) -> Fraction:
    """Return the amount won per unit staked, without a returned stake."""
    return amount - int(pay.stake_back)


def pairs_of_others(shoe: Shoe, card: int, others: int) -> Chances:
    """Return the distribution of the number of ``others`` players with a pair of the card.

    It is conditional on one player's pair and on the dealer's blackjack, whose ten-valued card may be such a card too.
    Let R cards be left, m of them such cards. A given set of i players all have pairs with probability (m)_2i / (R)_2i
    in falling factorials; inclusion-exclusion gives the distribution.
    """
    copies = shoe.copies[card] - 2
    tens = sum(n for c, n in enumerate(shoe.copies) if 8 <= c % 13 < 12) - 2
    left = shoe.size - 4
    if copies < 0 or tens <= 0:
        return (Fraction(1),)
    chances = [Fraction(0)] * (others + 1)
    for weight, held in ((tens - copies, copies), (copies, copies - 1)):
        sums = [comb(others, i) * Fraction(perm(max(held, 0), 2 * i), perm(left, 2 * i)) for i in range(others + 1)]
        for j in range(others + 1):
            exactly = sum((-1) ** (i - j) * comb(i, j) * sums[i] for i in range(j, others + 1))
            chances[j] += Fraction(weight, tens) * exactly
    return tuple(chances)


def in_force(
    resolved: Resolved, values: Values, paid: Iterable[tuple[str, Pay, Exact]], shoe: Shoe | None = None
) -> Cap | None:
    """Return the cap that the parameters set. Returns None without one.

    ``paid`` is (outcome, pay, amount returned per unit staked without a cap); shared hands are dealt from ``shoe``.
    Raises `InputError` for a cap without a stake, and for a cap that the document does not allow.
    """
    amount = values.get("cap")
    if amount is None or not resolved.caps:
        return None
    [rule] = resolved.caps
    place = f"cap={amount}"
    if amount <= 0:
        raise fault(f"cap cannot be {amount}", "a cap is above 0", file=FLAG, place=place)
    stake = values.get("stake")
    if stake is None:
        raise fault("the effect of a cap depends on the stake", "set it: --set stake=VALUE", file=FLAG, place=place)
    capped = [(pay, back) for name, pay, back in paid if not rule.outcomes or name in rule.outcomes]
    tops = [won(pay, back) for pay, back in capped if is_number(back)]
    top = max(tops, default=Fraction(0))
    check_allowed(rule, amount, stake, top, values, place)
    others = int(values.get("other_players") or 0)
    winners = {} if shoe is None else shares(rule, shoe, others)
    most = max((len([p for p in chances if p]) for chances in winners.values()), default=1)
    alone = rule.limit == "maximum_wager" and most == 1  # no lawful cap reduces a pay then
    untouched = None if alone or top <= 0 else amount / (top * most)
    return Cap(amount, stake, untouched, rule.clause, rule.basis, rule.outcomes, rule.shared, others, winners)


def shares(rule: PayoutCap, shoe: Shoe, others: int) -> Mapping[str, Chances]:
    """Return the distribution of the number of other players with the hand, for each hand with a shared maximum."""
    if not others:
        return {}
    return {hand: pairs_of_others(shoe, card(word), others) for hand, word in rule.shared_pair.items()}


def check_allowed(
    rule: PayoutCap, amount: Fraction, stake: Fraction, top: Fraction, values: Values, place: str
) -> None:
    """Raise `InputError` for a cap below the document's minimum, or above its maximum."""
    at_limit, word = values.get(rule.limit), rule.limit.replace("_", " ")
    if rule.limit == "maximum_wager" and at_limit is None:
        at_limit = stake  # the stake is a lawful wager
        word = f"maximum wager, which is at least {money(at_limit)}"
    won_at_limit = Fraction(0) if at_limit is None else top * at_limit
    for stated, refused, side in ((rule.at_least, "below", "least"), (rule.at_most, "above", "most")):
        if not stated:
            continue
        bound = max(ratio(stated), won_at_limit)
        if amount < bound if side == "least" else amount > bound:
            why = f", the win at the {word}" if bound > ratio(stated) else ""
            more = f"; set {rule.limit} if more is won at the {word}" if side == "most" and at_limit is None else ""
            raise fault(f"a cap of {money(amount)} is {refused} {money(bound)}{why} ({rule.clause})",
                        f"give at {side} {bound}{more}", file=FLAG, place=place)
