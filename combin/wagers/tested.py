"""Python functions of outcomes, tested before they are believed.

A function is asked about a table in which a row stands for many deals. So it may not tell those apart:
it is asked again about deals of the same rows, with other cards behind every label, cards exchanged
within a role, and suits exchanged by the group. One that answers otherwise is refused with the sentence
that mends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from ..base.errors import InputError, fault
from ..deals.cards import CARD_TYPES, SUIT_NAMES, Permutation, suit_group
from ..deals.classes import HIDDEN
from ..deals.first_cards import Deal
from ..deals.table import Column, Table

Masks = Mapping[str, Column]
#: Deals that a function is asked about again, for each suit permutation: every row of a small table many times,
#: of a larger one a random share.
DEALS = 20_000


def seen(table: Table, deal: Deal) -> Table:
    """The table without the columns that a role's lens hides."""
    hidden = {
        f"{role.name}.{what}"
        for role in deal.roles
        for what, shown in (("rank", role.lens.rank), ("suit", role.lens.suit))
        if set(shown) == {HIDDEN}
    }
    columns = {name: column for name, column in table.columns.items() if name not in hidden}
    return Table(columns, table.weights, table.deals, table.classes, table.counts_deals)


def asked(function: Callable[[Table], Masks], table: Table, deal: Deal, name: str) -> Masks:
    """What the function says of the table; raises `InputError` where it asks for what is not there."""
    try:
        masks = function(table)
        return {str(outcome): _mask(mask, table, name, str(outcome)) for outcome, mask in masks.items()}
    except InputError:
        raise
    except KeyError as error:
        column = str(error.args[0]) if error.args else ""
        role = next((r for r in deal.roles if column.startswith(f"{r.name}.")), None)
        if role is not None and column.rpartition(".")[2] in ("rank", "suit"):
            raise fault(
                f'the outcomes "{name}" ask for {column}, which "by {role.lens.name}" hides in "{deal.text}"',
                f'leave out "by {role.lens.name}"',
            ) from None
        raise fault(
            f'the outcomes "{name}" ask for "{column}", which the deal "{deal.text}" does not have',
            f"it has {', '.join(table.columns)}",
        ) from None
    except Exception as error:  # the function is a stranger's: whatever it raises is a fault of the input
        what = f'the outcomes "{name}" do not fit the deal "{deal.text}": {error!r}'
        raise fault(what, "mend the function") from None


def _mask(mask: Any, table: Table, name: str, outcome: str) -> Column:
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (len(table),):
        raise fault(f'the outcomes "{name}": "{outcome}" is no column of true and false, one a row',
                    "return a boolean array")
    return mask


def check(function: Callable[[Table], Masks], masks: Masks, table: Table, deal: Deal, name: str) -> None:
    """Raise `InputError` where the function tells apart what the deal does not; ``masks`` are its answers."""
    random = np.random.Generator(np.random.PCG64(1))
    if len(table) > DEALS:
        rows = np.sort(random.choice(len(table), DEALS, replace=False))
    else:
        rows = np.tile(np.arange(len(table)), DEALS // len(table))
    wanted = {outcome: mask[rows] for outcome, mask in masks.items()}

    def differs(group: tuple[Permutation, ...], members: bool, exchanged: bool) -> bool:
        for columns in _alike(table, deal, rows, random, group, members, exchanged):
            again = Table(columns, np.ones(len(rows), dtype=np.int64), len(rows), len(rows))
            found = asked(function, again, deal, name)
            if any((found[outcome] != mask).any() for outcome, mask in wanted.items()):
                return True
        return False

    one, group = suit_group(SUIT_NAMES), suit_group(deal.singled_out)
    if differs(one, False, True):
        role = next(r for r in deal.roles if r.cards > 1)
        raise fault(f'the outcomes "{name}" tell apart the order of the cards of {role.name}',
                    f'deal them one by one: "first card 1, second card 1" for "{role.name} {role.cards}"')
    if differs(one, True, False):
        role = next(r for r in deal.roles if r.lens.labels < CARD_TYPES)
        raise fault(f'the outcomes "{name}" see more of a card than "by {role.lens.name}" shows',
                    f'leave out "by {role.lens.name}" in "{deal.text}"')
    if differs(group, True, True):
        suits = next((s for s in _singled_out() if not differs(suit_group(s), False, False)), tuple(SUIT_NAMES))
        listed = ", ".join(f'"{suit}"' for suit in dict.fromkeys((*deal.singled_out, *suits)))
        raise fault(f'the outcomes "{name}" tell suits apart that the deal does not', f"add suits = [{listed}]")


def _singled_out() -> Iterator[tuple[str, ...]]:
    """What a function may single out, the least first."""
    features = (*SUIT_NAMES, "colours")
    for number in range(1, 4):
        yield from combinations(features, number)


def _alike(
    table: Table, deal: Deal, rows: Column, random: np.random.Generator, group: tuple[Permutation, ...],
    members: bool, exchanged: bool,
) -> Iterator[dict[str, Column]]:
    """Columns of other deals of the same rows."""
    for permutation in group:
        suits = np.array([*permutation, HIDDEN], dtype=np.int8)
        columns = {}
        for role in deal.roles:
            rank, suit = table[f"{role.name}.rank"][rows], table[f"{role.name}.suit"][rows]
            if members:
                rank, suit = _others(deal, role.name, rank, suit, random)
            if exchanged:
                order = np.argsort(random.random(rank.shape), axis=1)
                rank, suit = np.take_along_axis(rank, order, 1), np.take_along_axis(suit, order, 1)
            columns[f"{role.name}.rank"], columns[f"{role.name}.suit"] = rank, suits[suit]
        yield columns


def _others(deal: Deal, name: str, rank: Column, suit: Column, random: np.random.Generator) -> tuple[Column, Column]:
    """A random card of the same label in place of each card."""
    lens = next(role.lens for role in deal.roles if role.name == name)
    found_rank, found_suit = rank.copy(), suit.copy()
    for label, shown in enumerate(zip(lens.rank, lens.suit, strict=True)):
        cards = np.flatnonzero(np.array(lens.label) == label)
        here = (rank == shown[0]) & (suit == shown[1])
        drawn = random.choice(cards, int(here.sum()))
        found_rank[here], found_suit[here] = drawn % 13, drawn // 13
    return found_rank, found_suit


__all__ = ["asked", "check", "seen"]
