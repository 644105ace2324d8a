"""Hands in words: the names of classes of hands, and of a single rank of an order."""

from __future__ import annotations

from itertools import pairwise

from ...base.caches import cached
from ...base.errors import CountError, InputError
from ...deals.cards import RANK_WORDS
from .hand_orders import PLURALS, Order, named, order_named


@cached("names of classes of hands", most=256)
def of_cuts(order: str, cuts: tuple[int, ...], top: int) -> tuple[str, ...]:
    """Return the name of each class of hands between ``cuts``, up to the rank ``top``; "" if there is one class.

    A class that is a named hand has its name. Others are "less than straight", "queen high to flush", and "pair of
    sixes or better" within one category.
    """
    if not cuts:
        return ("",)
    kind = order_named(order)
    names = [f"less than {name_of(kind, cuts[0])[0]}"]
    for low, high in pairwise((*cuts, top)):
        name, end = name_of(kind, low)
        last = kind.category(high - 1)
        if end != high and name != last:
            name += " or better" if high == top or last == kind.category(low) else f" to {last}"
        names.append(name)
    return tuple(names)


def name_of(order: Order, rank: int) -> tuple[str, int]:
    """Return the name of the hands from a rank upwards, and the rank at which they end.

    A named hand begins or ends at the rank: the first of a category, or of those with some first ranks.
    """
    category, ranks = order.keys[rank - 1]
    name = order.categories[category]
    for n in range(len(ranks) + 1):
        named = order.interval(category, ranks[:n])
        if named.low == rank:
            words = [RANK_WORDS[r] for r in ranks[:n]]
            if n and name == "high card":
                name = f"{'-'.join(words)} high"
            elif n and name == "pair":
                name = f"pair of {PLURALS[ranks[0]]}"
            elif n and name in ("three of a kind", "four of a kind"):
                name = f"{name.split()[0]} {PLURALS[ranks[0]]}"
            elif n and name != "royal flush":
                name = f"{name} {'-'.join(words)} high"
            return name, named.high
    raise CountError(f"no named hand of the order {order.name} begins at the rank {rank}")


def name_at(order: Order, rank: int) -> str | None:
    """Return the name of the hands from a rank upwards; None if no named hand begins there."""
    try:
        name, _ = name_of(order, rank)
        return name if named(order.name, name).low == rank else None
    except (CountError, InputError):
        return None


def spoken(order: Order, rank: int) -> str:
    """Return a hand in words, with all ranks that decide: ``pair of fours with king-nine-two``."""
    category, ranks = order.keys[rank - 1]
    name, words = order.categories[category], [RANK_WORDS[r] for r in ranks]
    many = [PLURALS[r] for r in ranks]
    if name in ("royal flush",):
        return name
    if name == "high card":
        return f"{'-'.join(words)} high"
    matched = {"pair": 1, "two pair": 2, "three of a kind": 1, "four of a kind": 1, "full house": 2}.get(name)
    if matched is None:  # straights by their top rank, flushes by all ranks
        return f"{name} {'-'.join(words)} high"
    held = f"{name.removesuffix(' of a kind')} {'of ' * (name == 'pair')}" if matched == 1 else f"{name} of "
    kickers = f" with {'-'.join(words[matched:])}" if words[matched:] else ""
    return held + " and ".join(many[:matched]) + kickers
