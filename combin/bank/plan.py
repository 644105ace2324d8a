"""The plan of a bank of tables: a user's TOML file, checked before anything is dealt.

    [bank]
    tables = 4
    seats = 5
    rounds_per_hour = 60
    hours_per_day = 16
    days = 365
    runs = 400
    seed = 1
    deals = "law"

    [[wager]]
    id = "maryland/high-card-flush/progressive/C"
    stake = "1"
    set = { contribution_rate = "20%" }

Above [bank] stand the files of paytables of one's own, from the plan's folder: files = ["house.toml"].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..analysis.wheels import check_weights
from ..base.errors import Fault, InputError, fault, nearest
from ..base.exact import ratio
from ..base.textfiles import parse_toml, read_text, with_lines
from ..userfiles.expansion import from_folder

#: The whole numbers of [bank]: (least, most, value where the plan is silent; None where it must speak).
NUMBERS: Mapping[str, tuple[int, int, int | None]] = {
    "tables": (1, 10_000, None), "seats": (1, 9, None), "rounds_per_hour": (1, 1_000, None),
    "hours_per_day": (1, 24, None), "days": (1, 36_525, 365), "runs": (2, 1_000_000, 200), "seed": (0, 2**63, 1),
}
#: Each seat's round from the exact law, independent of the others; or all seats of a table from one deck.
DEALS = ("law", "cards")
FROM_CARDS = 'write deals = "cards" in [bank]'
KEYS = ("files", "bank", "wager")
WAGER = ("id", "stake", "decks", "set", "reading", "wheel")


@dataclass(frozen=True)
class PlannedWager:
    """One wager that every seat makes in every round; ``stake`` in dollars, ``wheel`` the stops of each symbol."""

    id: str
    stake: Fraction
    decks: int | None
    set: Mapping[str, str]
    reading: Mapping[str, str]
    wheel: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """A bank of tables; all seats are taken, and each makes every wager in every round."""

    tables: int
    seats: int
    rounds_per_hour: int
    hours_per_day: int
    days: int
    runs: int
    seed: int
    wagers: tuple[PlannedWager, ...]
    #: The plan's file, which faults of a wager name.
    file: str = ""
    deals: str = "law"
    #: Files of paytables of one's own, as they are reached from here.
    files: tuple[str, ...] = ()

    @property
    def rounds_per_day(self) -> int:
        """Rounds of all tables in a day: at most 10,000 × 1,000 × 24, far inside an int64."""
        return self.tables * self.rounds_per_hour * self.hours_per_day


def read_plan(path: str | Path) -> Plan:
    """The plan of a file; `InputError` with every fault, its place and what would be right."""
    shown, text = str(path), read_text(path)
    data = parse_toml(text, shown)
    faults = [
        Fault(f'unknown key "{key}"', nearest(key, KEYS), shown, key)
        for key in data if key not in KEYS
    ]
    numbers = _bank(data.get("bank"), shown, faults)
    listed = data.get("wager")
    if not isinstance(listed, list) or not listed or not all(isinstance(item, dict) for item in listed):
        faults.append(Fault("the plan has no wagers", 'write [[wager]] with id and stake', shown, "wager"))
        listed = []
    wagers = [_wager(item, n, shown, faults) for n, item in enumerate(listed, 1)]
    files = data.get("files", [])
    if not isinstance(files, list) or not all(isinstance(word, str) and word for word in files):
        faults.append(Fault("files is no list of files", 'write files = ["house.toml"] above [bank]', shown, "files"))
    if faults:
        raise InputError(*with_lines(faults, text))
    return Plan(**numbers, wagers=tuple(w for w in wagers if w is not None), file=shown,
                deals=data["bank"].get("deals", "law"), files=from_folder(Path(path).parent, files))


def _bank(table: Any, file: str, faults: list[Fault]) -> dict[str, int]:
    if not isinstance(table, dict):
        faults.append(Fault("the plan has no bank", "write [bank] with " + ", ".join(NUMBERS), file, "bank"))
        return {}
    faults += [
        Fault(f'unknown key "{key}"', nearest(key, [*NUMBERS, "deals"]), file, f"bank {key}")
        for key in table if key not in NUMBERS and key != "deals"
    ]
    if (deals := table.get("deals", DEALS[0])) not in DEALS:
        remedy = 'write deals = "law" or deals = "cards"'
        faults.append(Fault(f"deals is {_told(deals)}", remedy, file, "bank deals"))
    found = {}
    for name, (least, most, silent) in NUMBERS.items():
        value = table.get(name, silent)
        if value is None:
            faults.append(Fault(f"{name} is missing", f"write {name} = {least}, or more", file, "bank"))
        elif type(value) is not int or not least <= value <= most:
            faults.append(Fault(f"{name} is {_told(value)}", f"give a whole number from {least} to {most:,}", file,
                                f"bank {name}"))
        else:
            found[name] = value
    return found


def _told(value: Any) -> str:
    """A value of the file as it is written there, without what is beyond 40 letters."""
    return f'"{value[:40]}"' if isinstance(value, str) else str(value)[:40]


def _wager(table: Mapping[str, Any], number: int, file: str, faults: list[Fault]) -> PlannedWager | None:
    place, before = f"wager {number}", len(faults)
    faults += [
        Fault(f'unknown key "{key}"', nearest(key, list(WAGER)), file, f"{place} {key}")
        for key in table if key not in WAGER
    ]
    stake = Fraction(0)
    if not isinstance(table.get("id"), str):
        faults.append(Fault("id is missing", 'write id = "maryland/high-card-flush/progressive/C"', file, place))
    given = table.get("stake")
    try:
        if given is None:
            raise fault("the stake is missing")
        stake = ratio(given if type(given) is int else str(given), what="the stake", dollars=True)
    except InputError as error:
        faults.append(Fault(error.faults[0].what, 'write dollars: stake = "5"', file, f"{place} stake"))
    else:
        if stake <= 0:
            faults.append(Fault(f"the stake is {stake}", "a stake is above 0", file, f"{place} stake"))
    decks = table.get("decks")
    if decks is not None and type(decks) is not int:
        faults.append(Fault(f"decks is {_told(decks)}", "write a whole number: decks = 6", file, f"{place} decks"))
    tables: dict[str, dict[str, str]] = {}
    for name in ("set", "reading"):
        inner = table.get(name, {})
        if not isinstance(inner, dict) or not all(isinstance(v, str | int) for v in inner.values()):
            faults.append(Fault(f"{name} is no table of texts", f'write {name} = {{ name = "value" }}', file,
                                f"{place} {name}"))
        else:
            tables[name] = {k: str(v) for k, v in inner.items()}
    weights = table.get("wheel", {})
    if not isinstance(weights, dict):
        remedy = 'write wheel = { "$50 symbol" = 3 }'
        faults.append(Fault("wheel is no table of weights", remedy, file, f"{place} wheel"))
    elif "wheel" in table:
        try:
            check_weights(weights, file)
        except InputError as error:
            faults += [replace(wrong, place=f"{place} wheel") for wrong in error.faults]
    if len(faults) > before:
        return None
    return PlannedWager(table["id"], stake, decks, tables["set"], tables["reading"], weights)
