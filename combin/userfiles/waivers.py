"""Waivers in a file of paytables: accepted findings of its paytables, each with its reason.

    [[wager.waiver]]
    paytable = "house-1"          # every paytable of the wager in this file without it
    rule = "RTP001"               # a check or a requirement; every one without it
    reason = "approved until the contract ends"
    expires = 2027-12-31
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from ..base.errors import nearest
from ..base.textfiles import Block, day, line_number
from ..rulebook.model import StatedWaiver

KEYS = ("paytable", "rule", "reason", "expires")


def read_waivers(
    entries: Any, names: Collection[str], block: Block, report: Callable[[str, str, str], None]
) -> dict[str, list[StatedWaiver]]:
    """Return the waivers of a wager's table by paytable; ``report`` takes a fault, its remedy and its place."""
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
    wrong = [*faults_of_waiver(entry, KEYS)]
    paytable = entry.get("paytable")
    if paytable is not None and (type(paytable) is not str or paytable not in names):
        known = nearest(paytable[:80] if type(paytable) is str else "", names)
        wrong.append(("paytable", "the waiver names no paytable of this wager in this file", known))
    for _, what, remedy in wrong:
        report(what, remedy, place)
    if wrong:
        return None
    return StatedWaiver(entry["reason"], entry.get("rule", ""), day(entry.get("expires")), line_number(place))


def faults_of_waiver(entry: Mapping[str, Any], keys: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (key, what is wrong, remedy) for what every waiver states, in whatever file."""
    for key in entry:
        if key not in keys:
            yield key, f'unknown key "{key[:80]}" in a waiver', nearest(key[:80], keys)
    if type(entry.get("reason")) is not str or not entry["reason"].strip():
        yield "reason", 'the waiver has no "reason"', "say why it may stay"
    if type(entry.get("rule", "")) is not str:
        yield "rule", "rule is not a text", "name a check such as RTP001, or a requirement"
    if "expires" in entry and day(entry["expires"]) is None:
        yield "expires", "expires is not a date", "write a date: 2027-01-31"
