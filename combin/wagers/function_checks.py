"""Tests of outcome functions written in Python.

A row of a table stands for many deals, so a function must not distinguish them. It is called again with
other deals of the same rows: other cards behind every label, cards exchanged within a role, suits
exchanged by the group. If a result differs, the function is refused, and the message has the remedy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

import numpy as np

from ..base.errors import CountError, InputError, fault
from ..deals.cards import CARD_TYPES, SUIT_NAMES, Permutation, suit_group
from ..deals.deal_kinds import DRAWN
from ..deals.first_cards import Deal
from ..deals.lenses import HIDDEN
from ..deals.table import Column, Table
from ..rulebook.book import Resolved

Masks = Mapping[str, Column]
#: A function is called again for every row of a table of up to ``MOST_ROWS`` rows. For a larger table, and for random
#: labels and orders, it is called again for every row that satisfies an outcome and for ``DEALS`` others.
DEALS, MOST_ROWS = 20_000, 2**20


def seen(table: Table, deal: Deal) -> Table:
    """Return the table without the columns that a role's lens hides."""
    hidden = {
        f"{role.name}.{what}"
        for role in deal.roles
        for what, shown in (("rank", role.lens.rank), ("suit", role.lens.suit))
        if set(shown) == {HIDDEN}
    }
    columns = {name: column for name, column in table.columns.items() if name not in hidden}
    return Table(columns, table.weights, table.deals, table.classes, table.counts_deals)


def masks_of(function: Callable[[Table], Masks], table: Table, resolved: Resolved) -> Masks:
    """Return the masks of a function for the table.

    Raises `InputError` for any exception of the function, and for a result that is not a mask for each outcome.
    """
    try:
        masks = function(table)
    except (InputError, CountError, MemoryError):
        raise
    except KeyError as error:
        raise _hidden(table, resolved, error) from error
    except (Exception, SystemExit) as error:  # whatever a user's function raises
        raise _unfit(table, resolved, f"{type(error).__name__}: {error}") from error
    if not isinstance(masks, Mapping):
        raise _unfit(table, resolved, f"it returns a {type(masks).__name__}, not a mask for each outcome")
    for outcome, mask in masks.items():
        if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (len(table),):
            shape = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise _unfit(table, resolved, f'"{outcome}" is {shape}, not bool of shape ({len(table)},)')
    return masks


def _hidden(table: Table, resolved: Resolved, error: KeyError) -> InputError:
    """Return the fault of a function that uses a hidden or unknown column."""
    column = error.args[0] if error.args else ""
    roles = Deal(resolved.terms.deal).roles if resolved.terms.deal not in DRAWN else ()
    role = next((r for r in roles if column in (f"{r.name}.rank", f"{r.name}.suit")), None)
    if role is None:
        return _unfit(table, resolved, f"KeyError: {error}")
    what = f'the outcomes "{resolved.terms.outcomes}" use {column}, which "by {role.lens.name}" hides'
    return _fault(resolved, f'{what} in "{resolved.terms.deal}"', f'leave out "by {role.lens.name}"')


def _unfit(table: Table, resolved: Resolved, why: str) -> InputError:
    """Return the fault of an outcome function that does not fit its wager's deal."""
    name, deal = resolved.terms.outcomes, resolved.terms.deal
    columns = ", ".join(table.columns)
    what = f'the outcomes "{name}" of {resolved.wager_id} do not fit the deal "{deal}" (columns {columns}): {why}'
    return _fault(resolved, what, "give a deal and options that they know")


def _fault(resolved: Resolved, what: str, remedy: str) -> InputError:
    return fault(what, remedy, file=resolved.paytable.file, place=resolved.paytable.places.get("", ""))


def check(function: Callable[[Table], Masks], masks: Masks, table: Table, deal: Deal, resolved: Resolved) -> None:
    """Raise `InputError` if the function distinguishes deals of one row; ``masks`` are its results."""
    random = np.random.Generator(np.random.PCG64(1))
    met = np.flatnonzero(np.logical_or.reduce([*masks.values(), np.zeros(len(table), dtype=bool)]))
    few = np.union1d(met, random.choice(len(table), min(DEALS, len(table)), replace=False))
    all_rows = np.arange(len(table)) if len(table) <= MOST_ROWS else few
    # A small table is dealt many times, with random labels and orders.
    few, all_rows = (np.tile(rows, max(DEALS // len(rows), 1)) for rows in (few, all_rows))

    def differs(group: tuple[Permutation, ...], rows: Column, members: bool, exchanged: bool) -> bool:
        wanted = {outcome: mask[rows] for outcome, mask in masks.items()}
        for columns in _alike(table, deal, rows, random, group, members, exchanged):
            again = Table(columns, np.ones(len(rows), dtype=np.int64), len(rows), len(rows))
            results = masks_of(function, again, resolved)
            if any((results[outcome] != mask).any() for outcome, mask in wanted.items()):
                return True
        return False

    name = resolved.terms.outcomes
    one, group = suit_group(SUIT_NAMES), suit_group(deal.singled_out)
    if differs(one, all_rows, False, True):
        role = next(r for r in deal.roles if r.cards > 1)
        raise _fault(resolved, f'the outcomes "{name}" depend on the order of the cards of {role.name}',
                     f'deal them one by one: "first card 1, second card 1" for "{role.name} {role.cards}"')
    if differs(one, all_rows, True, False):
        role = next(r for r in deal.roles if r.lens.labels < CARD_TYPES)
        raise _fault(resolved, f'the outcomes "{name}" see more of a card than "by {role.lens.name}" shows',
                     f'leave out "by {role.lens.name}" in "{deal.text}"')
    if differs(group, all_rows, False, False) or differs(group, few, True, True):
        fits = (s for s in _singled_out() if not differs(suit_group(s), all_rows, False, False))
        suits = next(fits, tuple(SUIT_NAMES))
        listed = ", ".join(f'"{suit}"' for suit in dict.fromkeys((*deal.singled_out, *suits)))
        what = f'the outcomes "{name}" distinguish suits that the deal does not distinguish'
        raise _fault(resolved, what, f"add suits = [{listed}]")


def _singled_out() -> Iterator[tuple[str, ...]]:
    """Return what a function may single out, the least first."""
    features = (*SUIT_NAMES, "colours")
    for number in range(1, 4):
        yield from combinations(features, number)


def _alike(
    table: Table, deal: Deal, rows: Column, random: np.random.Generator, group: tuple[Permutation, ...],
    members: bool, exchanged: bool,
) -> Iterator[dict[str, Column]]:
    """Return columns of other deals of the same rows."""
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
    """Return a random card of the same label for each card."""
    lens = next(role.lens for role in deal.roles if role.name == name)
    new_rank, new_suit = rank.copy(), suit.copy()
    for label, shown in enumerate(zip(lens.rank, lens.suit, strict=True)):
        cards = np.flatnonzero(np.array(lens.label) == label)
        mask = (rank == shown[0]) & (suit == shown[1])
        drawn = random.choice(cards, int(mask.sum()))
        new_rank[mask], new_suit[mask] = drawn % 13, drawn // 13
    return new_rank, new_suit
