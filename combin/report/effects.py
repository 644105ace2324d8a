"""Effects of changes on the return: of a pay, of a payout cap, of a card removed from the shoe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..analysis.caps import shares, won
from ..analysis.model import Analysis
from ..analysis.sensitivity import slopes
from ..base.exact import Exact, is_number, ratio
from ..deals.cards import name as card_name
from ..rulebook.parameters import RED_SIDE
from ..rulebook.terms import PayoutCap

#: Caps are shown at these fractions of the top pay.
CAP_SHARES = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 10))


@dataclass(frozen=True)
class PayStep:
    """Exact change of the return for one more ``unit`` on a line."""

    outcome: str
    pays: str
    unit: str
    change: Exact


@dataclass(frozen=True)
class Capped:
    """Return under a cap of ``most`` units won for one unit staked."""

    most: Fraction
    stake: Fraction | None
    returned: Fraction
    change: Fraction


@dataclass(frozen=True)
class Shared:
    """Return if ``others`` other players make the same wager, each at the maximum wager."""

    others: int
    returned: Fraction
    change: Fraction


@dataclass(frozen=True)
class CapEffect:
    """A payout cap of the document; up to ``free_stake`` dollars it reduces no win.

    ``alone``: no lawful cap reduces the win of a single player. ``least``: the floor is the least lawful cap, and it
    is higher if more is won at the minimum wager.
    """

    clause: str
    text: str
    basis: str
    floor: Fraction | None
    free_stake: Fraction | None
    rows: tuple[Capped, ...]
    alone: bool = False
    least: bool = False
    shared: tuple[Shared, ...] = ()


@dataclass(frozen=True)
class Removed:
    """Effect of one card of a type removed from the shoe; ``cards`` are the types with the same effect."""

    cards: tuple[str, ...]
    change: Exact


def steps(a: Analysis) -> tuple[PayStep, ...]:
    """Return the change of the return for one unit more on each pay."""
    pays = dict(a.resolved.lines)
    return tuple(PayStep(outcome, pays[outcome].text, unit, change) for outcome, unit, change in slopes(a))


def caps(a: Analysis) -> tuple[CapEffect, ...]:
    """Return the document's caps that cover this paytable, each with its effect on the uncapped wager."""
    effects = []
    for rule in a.resolved.caps:
        amount = rule.at_least or rule.at_most
        floor = ratio(amount) if amount else None
        wins = _wins(a, rule.outcomes)
        top = max((w for _, w, _ in wins), default=Fraction(0))
        alone = rule.limit == "maximum_wager"
        known = is_number(a.returned) and a.game is None and a.has_stake and a.cap is None and top > 0
        rows: list[Capped] = []
        for most in (top * part for part in CAP_SHARES) if known and not alone else ():
            cut = sum((p * max(won - most, Fraction(0)) for _, won, p in wins), Fraction(0))
            rows.append(Capped(most, None if floor is None else floor / most, a.returned - cut, -cut))
        free = floor / top if floor is not None and top > 0 and not alone else None
        effects.append(CapEffect(rule.clause, rule.text, rule.basis, floor, free, tuple(rows), alone,
                                 bool(rule.at_least), _shared(a, rule, wins, top) if known else ()))
    return tuple(effects)


def _wins(a: Analysis, capped: Sequence[str]) -> list[tuple[str, Fraction, Fraction]]:
    """Return (outcome, win per unit staked without a cap, probability) of every hand that a cap covers."""
    stake_too = a.resolved.terms.stake_returned_with_prize
    wins = []
    for o in a.outcomes:
        if o.pay is None or not o.probability or (capped and o.outcome not in capped):
            continue
        back = o.returned if a.game is not None else o.pay.returned(dict(a.parameters), prize_returns_stake=stake_too)
        if is_number(back):
            wins.append((o.outcome, won(o.pay, back), o.probability))
    return wins


def _shared(
    a: Analysis, rule: PayoutCap, wins: Sequence[tuple[str, Fraction, Fraction]], top: Fraction
) -> tuple[Shared, ...]:
    """Return the effect of sharing the least lawful maximum at the maximum wager, in n + 1 equal parts at most."""
    effects = []
    for others in range(1, int(rule.most_others or 0) + 1):
        laws = shares(rule, a.shoe, others)
        cut = sum((chance * p * max(w - top / (1 + n), Fraction(0)) for hand, w, chance in wins
                   for n, p in enumerate(laws.get(hand, ()))), Fraction(0))
        effects.append(Shared(others, a.returned - cut, -cut))
    return tuple(effects) if any(hand in rule.shared_pair for hand, _, _ in wins) else ()


def removal(a: Analysis) -> tuple[Removed, ...]:
    """Return the change of the return when one card is removed; cards of equal effect are grouped."""
    from ..analysis.removal import effects

    if a.game is not None or a.resolved.document.deck_range == (1, 1) or not a.has_stake or a.request.without:
        return ()
    if a.parameters.get(RED_SIDE):  # a removed card would distinguish the sides of a double shoe
        return ()
    rows: dict[str, list[str]] = {}
    changes: dict[str, Exact] = {}
    for effect in sorted(effects(a), key=lambda e: (-(e.card % 13), e.card)):
        key = str(effect.change)
        rows.setdefault(key, []).append(card_name(effect.card))
        changes[key] = effect.change
    return tuple(Removed(tuple(names), changes[key]) for key, names in rows.items())
