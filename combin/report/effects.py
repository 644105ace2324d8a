"""What a change does to the return: a pay, a payout cap, a card taken out of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..analysis.caps import won
from ..analysis.model import Analysis
from ..analysis.sensitivity import slopes
from ..base.exact import Exact, is_number, ratio
from ..deals.cards import name as card_name

#: A cap at these shares of the top pay shows what one would do.
CAP_SHARES = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 10))


@dataclass(frozen=True)
class Step:
    """The exact change of the return for one more ``unit`` on a line."""

    outcome: str
    pays: str
    unit: str
    change: Exact


@dataclass(frozen=True)
class Capped:
    """The return where no more than ``most`` units may be won by one unit staked."""

    most: Fraction
    stake: Fraction | None
    returned: Fraction
    change: Fraction


@dataclass(frozen=True)
class Cap:
    """A payout cap of the document; ``free_stake`` is the greatest stake in dollars that it does not touch."""

    clause: str
    text: str
    basis: str
    floor: Fraction | None
    free_stake: Fraction | None
    rows: tuple[Capped, ...]


@dataclass(frozen=True)
class Removed:
    """One card of a type taken out of the shoe; ``cards`` are the types that act alike."""

    cards: tuple[str, ...]
    change: Exact


def steps(a: Analysis) -> tuple[Step, ...]:
    """The change of the return for one unit more on each pay."""
    pays = dict(a.resolved.lines)
    return tuple(Step(outcome, pays[outcome].text, unit, change) for outcome, unit, change in slopes(a))


def caps(a: Analysis) -> tuple[Cap, ...]:
    """The document's caps that cover this paytable, each with what it would do to an uncapped wager."""
    found = []
    for rule in a.resolved.caps:
        amount = rule.at_least or rule.at_most
        floor = ratio(amount) if amount else None
        capped = rule.outcomes
        rows: list[Capped] = []
        wins = [won(o.pay, o.returned) for o in a.outcomes
                if o.pay is not None and is_number(o.returned) and (not capped or o.outcome in capped)]
        top = max(wins, default=Fraction(0))
        if is_number(a.returned) and a.game is None and a.has_stake and a.cap is None and top > 0:
            for part in CAP_SHARES:
                most = top * part
                cut = sum((o.probability * max(won(o.pay, o.returned) - most, Fraction(0)) for o in a.outcomes
                           if o.pay is not None and (not capped or o.outcome in capped)), Fraction(0))
                rows.append(Capped(most, None if floor is None else floor / most, a.returned - cut, -cut))
        free = floor / top if floor is not None and top > 0 else None
        found.append(Cap(rule.clause, rule.text, rule.basis, floor, free, tuple(rows)))
    return tuple(found)


def removal(a: Analysis) -> tuple[Removed, ...]:
    """The change of the return when one card leaves the shoe; cards of one effect stand together."""
    from ..analysis.removal import effects

    if a.game is not None or a.resolved.document.deck_range == (1, 1) or not a.has_stake or a.request.without:
        return ()
    rows: dict[str, list[str]] = {}
    changes: dict[str, Exact] = {}
    for effect in sorted(effects(a), key=lambda e: (-(e.card % 13), e.card)):
        key = str(effect.change)
        rows.setdefault(key, []).append(card_name(effect.card))
        changes[key] = effect.change
    return tuple(Removed(tuple(names), changes[key]) for key, names in rows.items())
