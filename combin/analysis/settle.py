"""From a table of deals to the outcomes of a paytable: the line that settles each row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..base.errors import Fault, fault, nearest, raise_all
from ..base.exact import Exact
from ..deals.cards import Shoe
from ..deals.table import Column, Table
from ..games import side_bets
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.pays import LOSS, Pay
from ..wagers.wager_outcomes import deal_of, is_stated, masks_of, outcomes_of

if TYPE_CHECKING:
    from ..deals.hands_by_length import Columns
    from ..deals.player_chart import Chart
    from .record import AnalysisRecord

T = TypeVar("T")


def settle(table: Table, resolved: Resolved) -> tuple[list[tuple[str, Pay, Column]], Column]:
    """Return (outcome, pay, its rows) for each paid outcome in order, and the remaining rows, which lose.

    A row belongs to the first listed outcome that applies. Raises `InputError` for an outcome that the wager does not
    have. The order of a user's lines is checked when the file is read.
    """
    raise_all(unknown_outcomes(resolved, outcomes_of(table, resolved)))
    return _settled(table, resolved)


def places_of_rows(table: Table, resolved: Resolved) -> tuple[tuple[str, ...], Column]:
    """Return the paid outcomes and the loss, and for each row the index of its outcome among them."""
    settled, _ = settle(table, resolved)
    places = np.full(len(table), len(settled), np.int64)
    for place, (_, _, rows) in enumerate(settled):
        places[rows] = place
    return (*(name for name, _, _ in settled), LOSS), places


def outcome_of_rows(table: Table, resolved: Resolved) -> list[str]:
    """Return the outcome of each row; a row without a line is a loss."""
    names, places = places_of_rows(table, resolved)
    return [names[i] for i in places.tolist()]


def deciding(
    table: Table, values: Sequence[T], choices: Iterable[Columns]
) -> tuple[Columns, dict[tuple[int, ...], T]] | None:
    """Return the first columns that determine the rows' values, and their values by entry; None if there are none."""
    for columns in choices:
        if not table.columns.keys() >= set(columns):
            continue
        value_of: dict[tuple[int, ...], T] = {}
        entries = zip(*(table[name].tolist() for name in columns), strict=True)
        if all(value_of.setdefault(entry, value) == value for entry, value in zip(entries, values, strict=True)):
            return columns, value_of
    return None


def decided_by(
    a: AnalysisRecord, value_of: Mapping[str, T], choices: Iterable[Columns]
) -> tuple[Columns, dict[tuple[int, ...], T]] | None:
    """Return `deciding` for the values of the outcomes over the deals of one deck."""
    table = table_of(a.book, a.resolved, Shoe(1), dict(a.parameters))
    return deciding(table, [value_of[name] for name in outcome_of_rows(table, a.resolved)], choices)


def _settled(table: Table, resolved: Resolved) -> tuple[list[tuple[str, Pay, Column]], Column]:
    known = masks_of(table, resolved)
    eligible = table["eligible"] == 1 if "eligible" in table.columns else np.ones(len(table), dtype=bool)
    left, settled = eligible, []
    for outcome, pay in resolved.payments:
        if outcome in known:
            settled.append((outcome, pay, known[outcome] & left))
            left = left & ~known[outcome]
    return settled, left | ~eligible


def line_faults(table: Table, resolved: Resolved) -> list[Fault]:
    """Return the faults of the lines of a user's paytable: unknown outcomes, then wrong order."""
    return unknown_outcomes(resolved, outcomes_of(table, resolved)) + misordered(table, resolved)


def added_faults(table: Table, resolved: Resolved) -> list[Fault]:
    """Return the faults of a user's added pays, whose deals must satisfy all the outcomes that they add up."""
    if resolved.document.issuer:
        return []
    known, masks = list(outcomes_of(table, resolved)), masks_of(table, resolved)
    listed = {outcome for outcome, _ in resolved.lines}
    faults = []
    for name, parts in ((n, p) for n, p in resolved.terms.added.items() if p):
        missing = [part for part in (name, *parts) if part not in known]
        remedy = "name outcomes of the wager"
        if missing:
            what = f'has no outcome "{missing[0]}"; {nearest(missing[0], known)}'
        elif name in parts or name in listed:
            what, remedy = "is itself a line or a part of itself", "use another outcome than its lines and parts"
        elif beyond := [p for p in parts if p in masks and name in masks and (masks[name] & ~masks[p]).any()]:
            part = beyond[0]
            what, remedy = f'contains deals that are not "{part}"', "add only outcomes that apply to all its deals"
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
            outcome,
        )
        for outcome, _ in resolved.lines
        if outcome not in known
    ]


def misordered(table: Table, resolved: Resolved) -> list[Fault]:
    """Return faults for lines whose deals go to a smaller pay above; deals of still higher lines do not count."""
    values: dict[str, Exact] = {"stake": Fraction(1)}
    names = {outcome for outcome, _ in resolved.lines}
    masks = masks_of(table, resolved)
    taken = [
        (outcome, pay.returned(values), rows)
        for outcome, pay, rows in _settled(table, resolved)[0]
        if outcome in names and not pay.unknowns
    ]
    faults = []
    for i, (outcome, amount, _) in enumerate(taken):
        for above, smaller, rows in taken[:i]:
            if smaller < amount and bool((rows & masks[outcome]).any()):
                faults.append(
                    Fault(
                        f'"{outcome}" pays more than "{above}" above it, which applies first if both do',
                        f'list "{outcome}" before "{above}"',
                        resolved.paytable.file,
                        _place(resolved, outcome),
                    )
                )
                break
    return faults


def unmet(table: Table, resolved: Resolved) -> list[str]:
    """Return the lines to which no deal of the table belongs."""
    masks = masks_of(table, resolved)
    return [outcome for outcome, _ in resolved.lines if outcome in masks and not masks[outcome].any()]


def always_met(table: Table, resolved: Resolved) -> list[str]:
    """Return the lines of a user-defined wager whose condition every deal of the table satisfies."""
    user_defined = is_stated(resolved.terms) and not resolved.document.issuer
    masks = masks_of(table, resolved) if user_defined else {}
    return [outcome for outcome, _ in resolved.lines if outcome in masks and masks[outcome].all()]


def _place(resolved: Resolved, outcome: str) -> str:
    return resolved.paytable.places.get(outcome) or resolved.paytable.id


def straight_column(resolved: Resolved) -> str | None:
    """Return the column of straight flushes under the wager's ace rule. Returns None for another ace rule."""
    columns = {"both": "straight_flush_both", "high": "straight_flush_high",
               "from-five-cards": "straight_flush_from_five", "five-cards-only": "straight_flush_five_only"}
    return columns.get(str(resolved.options.get("ace", "both")))


def table_of(
    book: Rulebook, resolved: Resolved, shoe: Shoe, values: Mapping[str, Exact | None], chart: Chart | None = None
) -> Table:
    """Return the table of deals of a wager without decisions; ``chart`` as in `deal_of`."""
    if resolved.terms.depends_on_play:
        return side_bets.table(book, resolved, values)
    deal = deal_of(resolved, chart)
    if deal is None:
        raise fault(f"{resolved.id} is a game, which is not settled on dealt cards only", "name another wager")
    return deal.table(shoe)
