"""What a change does to the return: a pay, a payout cap, a card taken out of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..analysis import Analysis
from ..cards import CARD_TYPES, Permutation, Shoe, permute
from ..cards import name as card_name
from ..deal import Deal
from ..exact import Exact, is_number, ratio, simplify, symbol
from ..pays import ONE

#: Effects of removal take up to 52 analyses each; longer reports leave them out and say so.
MOST_SECTIONS_WITH_REMOVAL = 4
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
    """The change of the return for one unit more on each pay; none for a game, whose play would follow."""
    if a.game is not None:
        return ()
    chances = {o.outcome: o.probability for o in a.outcomes}
    added = dict(a.resolved.added)
    stake = a.parameters.get("stake")
    found = []
    for outcome, pay in a.resolved.lines:
        own = chances.get(outcome, Fraction(0)) if outcome not in added else Fraction(0)
        times = own + sum(
            (chances.get(total, Fraction(0)) * parts.count(outcome) for total, parts in added.items()), Fraction(0))
        if pay.shares and not pay.odds:
            name, _ = pay.shares[0]
            value = a.parameters.get(name)
            meter = symbol(name) if value is None else value
            per = symbol("stake") if stake is None else stake
            found.append(Step(outcome, pay.text, "1 percentage point", simplify(times * meter / (100 * per))))
        elif pay.dollars and not pay.odds:
            per = symbol("stake") if stake is None else stake
            found.append(Step(outcome, pay.text, "$1", simplify(times / per)))
        else:
            found.append(Step(outcome, pay.text, "1 to 1", times))
    return tuple(found)


def caps(a: Analysis) -> tuple[Cap, ...]:
    """The document's caps that cover this paytable, each with what it would do."""
    found = []
    for document, entry in a.book.caps:
        if document.id != a.resolved.document.id or not _covers(document.prefix, entry, a.id):
            continue
        floor = ratio(entry["at_least"]) if entry.get("at_least") else None
        rows: list[Capped] = []
        top = a.top_pay
        if is_number(top) and a.game is None and a.has_stake and top > 0:
            for part in CAP_SHARES:
                most = top * part
                capped = sum((o.probability * min(o.returned, most + ONE) for o in a.outcomes), Fraction(0))
                rows.append(Capped(most, None if floor is None else floor / most, capped, capped - a.returned))
        free = floor / top if floor is not None and is_number(top) and top > 0 else None
        found.append(Cap(entry["clause"], entry["text"], entry.get("basis", ""), floor, free, tuple(rows)))
    return tuple(found)


def _covers(prefix: str, entry: object, identifier: str) -> bool:
    from ..rulebook import matches

    assert isinstance(entry, dict)
    wagers, exempt = ([f"{prefix}/{p}" for p in entry.get(key, ())] for key in ("wagers", "exempt"))
    return any(matches(identifier, p) for p in wagers) and not any(matches(identifier, p) for p in exempt)


def removal(a: Analysis) -> tuple[Removed, ...]:
    """The change of the return when one card leaves the shoe, for each kind of card that the wager tells apart."""
    if a.game is not None or a.resolved.document.deck_range == (1, 1) or a.request.without:
        return ()
    found = []
    for kind in _kinds(a):
        b = a.replace(without=[kind[0]])
        found.append(Removed(tuple(map(card_name, kind)), simplify(b.returned - a.returned)))
    return tuple(found)


def _kinds(a: Analysis) -> list[tuple[int, ...]]:
    """Card types in orbits of the wager's suit group; by value where a hand is drawn out."""
    text = a.resolved.data["deal"]
    if "draws out" in text:
        from ..games.blackjack import value

        return [tuple(c for c in range(CARD_TYPES) if value(c) == v) for v in range(1, 11)]
    group: tuple[Permutation, ...] = Deal(text, tuple(a.resolved.data.get("suits", ()))).group(Shoe(a.decks))
    kinds: dict[tuple[int, ...], None] = {}
    for c in sorted(range(CARD_TYPES), key=lambda c: (-(c % 13), c // 13)):
        kinds[tuple(sorted({permute(p, c) for p in group}))] = None
    return list(kinds)
