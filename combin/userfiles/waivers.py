"""Waivers in a file of paytables: accepted findings of its paytables, each with its reason.

    [[wager.waiver]]
    paytable = "house-1"          # every paytable of the wager in this file without it
    rule = "RTP001"               # a check or a requirement; every one without it
    reason = "approved until the contract ends"
    expires = 2027-12-31
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ..base.errors import nearest
from ..base.textfiles import Block, line_number
from ..base.toml_tables import placed, read
from ..rulebook.model import StatedWaiver

KEYS = ("paytable", "rule", "reason", "expires")


def read_waivers(
    entries: Any, names: Collection[str], block: Block, report: Callable[[str, str, str], None]
) -> dict[str, list[StatedWaiver]]:
    """Return the waivers of a wager's table by paytable; ``report`` takes a fault, its remedy and its place."""
    by_paytable: dict[str, list[StatedWaiver]] = {name: [] for name in names}
    heads = [place for place, key in block.entries if key == ("wager.waiver",)]
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        report("waiver is not a list of tables", "write [[wager.waiver]] and reason", block.place(("wager.waiver",)))
        return by_paytable
    for index, entry in enumerate(entries):
        place = heads[index] if index < len(heads) else block.start
        waiver = _waiver(entry, names, place, report)
        if waiver is not None:
            for name in [entry["paytable"]] if "paytable" in entry else names:
                by_paytable[name].append(waiver)
    return by_paytable


def _waiver(
    entry: Mapping[str, Any], names: Collection[str], place: str, report: Callable[[str, str, str], None]
) -> StatedWaiver | None:
    def report_fault(what: str, remedy: str, path: Sequence[str]) -> None:
        report(what, remedy, placed(place, ("waiver", *path)))

    paytable = entry.get("paytable")
    waiver = read(StatedWaiver, entry, report_fault, given={"line": line_number(place)}, aside=("paytable",))
    if paytable is not None and (type(paytable) is not str or paytable not in names):
        known = nearest(paytable[:80] if type(paytable) is str else "", names)
        report("the waiver names no paytable of this wager in this file", known, place)
        return None
    return waiver
