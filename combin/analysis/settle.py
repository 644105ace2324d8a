"""From a table of deals to the outcomes of a paytable: which row is settled by which line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import numpy as np

from ..base.errors import CountError, Fault, InputError, fault, nearest, raise_all
from ..base.exact import Exact
from ..deals.cards import Shoe
from ..deals.dealer_draws import Chart
from ..deals.dealt import deal_of
from ..deals.table import Column, Table
from ..games import side_bets
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.pays import Pay
from ..wagers import check_options, outcome_function


def settle(table: Table, resolved: Resolved) -> tuple[list[tuple[str, Pay, Column]], Column]:
    """(outcome, pay, rows that it takes) for each paid outcome in order, and the rows that are left: the loss.

    A row goes to the first outcome listed that it meets. Raises `InputError` for an
    outcome that the wager does not know, and in a user's file for a line below a
    smaller pay which it overlaps.
    """
    known = masks_of(table, resolved)
    raise_all(unknown_outcomes(resolved, known))
    left = table["eligible"] == 1 if "eligible" in table.columns else np.ones(len(table), dtype=bool)
    settled = []
    for outcome, pay in resolved.payments:
        taken = known[outcome] & left
        left = left & ~taken
        settled.append((outcome, pay, taken))
    if resolved.paytable.file:
        raise_all(misordered(resolved, known))
    if "eligible" in table.columns:
        left = left | (table["eligible"] == 0)
    return settled, left


def masks_of(table: Table, resolved: Resolved) -> Mapping[str, Column]:
    """The rows of every outcome that the wager knows; kept with the table, which serves all its paytables."""
    key = (resolved.terms.outcomes, repr(sorted(resolved.options.items())))
    if key not in table._masks:
        table._masks[key] = _met(table, resolved)
    found: Mapping[str, Column] = table._masks[key]
    return found


def _met(table: Table, resolved: Resolved) -> Mapping[str, Column]:
    """What the wager's outcome function says of the table.

    Whatever it raises, and an answer that is no mask for each outcome, is one `InputError`.
    """
    check_options(resolved.terms.outcomes, resolved.options)
    function = outcome_function(resolved.terms.outcomes)
    try:
        found = function(table, **resolved.options)
    except (InputError, CountError, MemoryError):
        raise
    except Exception as error:
        raise _unfit(table, resolved, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, Mapping):
        raise _unfit(table, resolved, f"a {type(found).__name__} comes back, not a mask for each outcome")
    for outcome, mask in found.items():
        if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (len(table),):
            shape = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise _unfit(table, resolved, f'"{outcome}" is {shape}, not bool of shape ({len(table)},)')
    return found


def _unfit(table: Table, resolved: Resolved, why: str) -> InputError:
    """The fault of an outcome function that does not fit its wager's deal."""
    name, deal = resolved.terms.outcomes, resolved.terms.deal
    columns = ", ".join(table.columns)
    what = f'the outcomes "{name}" of {resolved.wager_id} do not fit the deal "{deal}" (columns {columns}): {why}'
    paytable = resolved.paytable
    remedy = "give a deal and options that they know"
    return fault(what, remedy, file=paytable.file, place=paytable.places.get("", ""))


def line_faults(table: Table, resolved: Resolved) -> list[Fault]:
    """Everything that is wrong with the lines of a user's paytable: outcomes, then order."""
    known = masks_of(table, resolved)
    return unknown_outcomes(resolved, known) + misordered(resolved, known)


def added_faults(table: Table, resolved: Resolved) -> list[Fault]:
    """What is wrong with the added pays of a user's wager: each takes deals that meet every outcome it adds up."""
    if resolved.document.issuer:
        return []
    known = masks_of(table, resolved)
    listed = {outcome for outcome, _ in resolved.lines}
    faults = []
    for name, parts in resolved.added:
        missing = [part for part in (name, *parts) if part not in known]
        remedy = "name outcomes that the wager knows"
        if missing:
            what = f'has no outcome "{missing[0]}"; {nearest(missing[0], known)}'
        elif name in parts or name in listed:
            what, remedy = "is a line or a part of its own", "give it another outcome than those that it adds up"
        elif any(bool((known[name] & ~known[part]).any()) for part in parts):
            [part, *_] = [p for p in parts if bool((known[name] & ~known[p]).any())]
            what, remedy = f'takes deals that are not "{part}"', "add outcomes up that all its deals meet"
        else:
            continue
        faults.append(Fault(f'the added pay "{name}" {what}', remedy, resolved.paytable.file, _place(resolved, "")))
    return faults


def unknown_outcomes(resolved: Resolved, known: Iterable[str]) -> list[Fault]:
    known = list(known)
    return [
        Fault(
            f'{resolved.wager_id} has no outcome "{outcome}"',
            nearest(outcome, known),
            resolved.paytable.file,
            _place(resolved, outcome),
        )
        for outcome, _ in resolved.lines
        if outcome not in known
    ]


def misordered(resolved: Resolved, masks: Mapping[str, Column]) -> list[Fault]:
    """Lines that stand below a smaller pay which they overlap: part of their deals is paid less."""
    values: dict[str, Exact] = {"stake": Fraction(1)}
    faults = []
    lines = [
        (outcome, pay.returned(values)) for outcome, pay in resolved.lines if not pay.unknowns and outcome in masks
    ]
    names = {outcome for outcome, _ in resolved.lines}
    # Deals that an added pay settles before any line.
    before = [masks[name] for name, _ in resolved.payments if name not in names and name in masks]
    left = ~np.any(before, axis=0) if before else True
    for i, (outcome, amount) in enumerate(lines):
        for above, smaller in lines[:i]:
            if smaller < amount and bool((masks[above] & masks[outcome] & left).any()):
                faults.append(
                    Fault(
                        f'"{outcome}" pays more than "{above}" above it, which takes deals that are both',
                        f'list "{outcome}" before "{above}"',
                        resolved.paytable.file,
                        _place(resolved, outcome),
                    )
                )
                break
    return faults


def _place(resolved: Resolved, outcome: str) -> str:
    return resolved.paytable.places.get(outcome) or resolved.paytable.id


def table_of(
    book: Rulebook, resolved: Resolved, shoe: Shoe, values: Mapping[str, Exact | None], chart: Chart | None = None
) -> Table:
    """The table of deals on which a wager without decisions is settled; ``chart`` as in `deal_of`."""
    if resolved.terms.depends_on_play:
        return side_bets.table(book, resolved, values)
    deal = deal_of(resolved, chart)
    if deal is None:
        raise fault(f"{resolved.id} is a game and has no deal of its own", "name another wager")
    return deal.table(shoe)
