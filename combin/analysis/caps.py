"""Payout caps: what a maximum that an operator sets on a payout does to a wager.

Four regimes stand in the documents. Massachusetts (§11(g)) sets no floor. Maryland's
High Card Flush (Ch. 12 §D) lets a limit be no more than the greater of $50,000 and
the most that is won at the minimum wager; its Chase the Flush (Ch. 12 §E) makes the
same amount the least that a maximum may be; its blackjack (Ch. 13 §J-M) caps two
hands, at the greater of $25,000 and the most that is won at the maximum wager.

A cap limits what is won on the hand: a stake that comes back does not count. It is
applied to one wager of one player; what several wagers or players share is outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..base.errors import fault
from ..base.exact import Exact, decimal, is_number, ratio
from ..rulebook.book import Resolved
from ..rulebook.parameters import FLAG
from ..rulebook.pays import Pay
from ..rulebook.terms import PayoutCap

Values: TypeAlias = "Mapping[str, Exact | None]"


@dataclass(frozen=True)
class Cap:
    """A cap in force: ``amount`` and ``stake`` in dollars.

    ``outcomes`` are the hands that the document caps, empty for all. ``untouched`` is
    the greatest stake at which the cap takes nothing: above it the player loses.
    """

    amount: Fraction
    stake: Fraction
    untouched: Fraction | None
    clause: str
    basis: str
    outcomes: tuple[str, ...]
    shared: bool

    def limited(self, outcome: str, pay: Pay, amount: Exact) -> Exact:
        """The amount returned per unit staked under the cap."""
        if self.outcomes and outcome not in self.outcomes:
            return amount
        if not is_number(amount):
            raise fault(f'the pay of "{outcome}" is open, and with it what a cap does',
                        f"set it: --set {pay.unknowns[0]}=VALUE", file=FLAG)
        return min(won(pay, amount), self.amount / self.stake) + int(pay.stake_back)


def money(amount: Fraction) -> str:
    """An amount in dollars for people, cents where it has some."""
    whole, _, cents = decimal(amount, 2).partition(".")
    return f"${int(whole):,}" + (f".{cents}" if amount.denominator != 1 else "")


def won(pay: Pay, amount: Fraction) -> Fraction:
    """What is paid per unit staked beside a stake that comes back."""
    return amount - int(pay.stake_back)


def in_force(resolved: Resolved, values: Values, paid: Iterable[tuple[str, Pay, Exact]]) -> Cap | None:
    """The cap that the parameters set, None without one.

    ``paid`` is (outcome, pay, amount returned per unit staked without a cap). Raises
    `InputError` for a cap without a stake, and for one that the document does not allow.
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
        raise fault("what a cap does depends on the stake", "set it: --set stake=VALUE", file=FLAG, place=place)
    capped = [(pay, back) for name, pay, back in paid if not rule.outcomes or name in rule.outcomes]
    tops = [won(pay, back) for pay, back in capped if is_number(back)]
    top = max(tops, default=Fraction(0))
    _check_allowed(rule, amount, top, values, place)
    return Cap(amount, stake, amount / top if top > 0 else None, rule.clause, rule.basis, rule.outcomes, rule.shared)


def _check_allowed(rule: PayoutCap, amount: Fraction, top: Fraction, values: Values, place: str) -> None:
    """Refuse a cap below the document's floor, or above its ceiling."""
    at_limit = values.get(rule.limit)
    won_at_limit = Fraction(0) if at_limit is None else top * at_limit
    word = rule.limit.replace("_", " ")
    for stated, refused, side in ((rule.at_least, "below", "least"), (rule.at_most, "above", "most")):
        if not stated:
            continue
        bound = max(ratio(stated), won_at_limit)
        if amount < bound if side == "least" else amount > bound:
            why = f", what is won at the {word}" if bound > ratio(stated) else ""
            more = f"; set {rule.limit} where more is won at the {word}" if side == "most" and at_limit is None else ""
            raise fault(f"a cap of {money(amount)} is {refused} {money(bound)}{why} ({rule.clause})",
                        f"give at {side} {bound}{more}", file=FLAG, place=place)


__all__ = ["Cap", "in_force", "money", "won"]
