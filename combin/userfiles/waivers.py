"""Waivers that stand beside the paytable that they are for: accepted findings, each with its reason.

    [[wager.waiver]]
    paytable = "house-1"          # every paytable of the wager in this file without it
    rule = "RTP001"               # a check or a requirement; every one without it
    reason = "approved until the contract ends"
    expires = 2027-12-31
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..base.errors import nearest
from ..base.textfiles import Block, day, line_number
from ..rulebook.model import StatedWaiver

KEYS = ("paytable", "rule", "reason", "expires")


def read_waivers(
    entries: Any, names: Collection[str], block: Block, report: Callable[[str, str, str], None]
) -> dict[str, list[StatedWaiver]]:
    """The waivers of a wager's table by paytable; ``report`` takes a fault, its remedy and its place."""
    found: dict[str, list[StatedWaiver]] = {name: [] for name in names}
    heads = [place for place, key in block.entries if key == ("wager.waiver",)]
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        report("waiver is not a list of tables", "write [[wager.waiver]] and reason", block.place(("wager.waiver",)))
        return found
    for index, entry in enumerate(entries):
        place = heads[index] if index < len(heads) else block.start
        waiver = _waiver(entry, names, place, report)
        if waiver is not None:
            for name in [entry["paytable"]] if "paytable" in entry else names:
                found[name].append(waiver)
    return found


def _waiver(
    entry: Mapping[str, Any], names: Collection[str], place: str, report: Callable[[str, str, str], None]
) -> StatedWaiver | None:
    wrong = [(f'unknown key "{key[:80]}" in a waiver', nearest(key[:80], KEYS)) for key in entry if key not in KEYS]
    reason = entry.get("reason")
    if type(reason) is not str or not reason.strip():
        wrong.append(('the waiver has no "reason"', "say why it may stay"))
    if type(entry.get("rule", "")) is not str:
        wrong.append(("rule is not a text", "name a check such as RTP001, or a requirement"))
    paytable = entry.get("paytable")
    if paytable is not None and (type(paytable) is not str or paytable not in names):
        known = nearest(paytable[:80] if type(paytable) is str else "", names)
        wrong.append(("the waiver names no paytable of this wager in this file", known))
    expires = day(entry.get("expires"))
    if "expires" in entry and expires is None:
        wrong.append(("expires is not a date", "write a date: 2027-01-31"))
    for what, remedy in wrong:
        report(what, remedy, place)
    return None if wrong else StatedWaiver(str(reason), entry.get("rule", ""), expires, line_number(place))
