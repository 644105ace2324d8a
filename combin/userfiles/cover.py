"""The cover of a report: who tested what for whom, against which standard, and who signs; the user states all of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Annotated

from ..base.toml_tables import FILLED, TomlFile, read

#: The form of a date.
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Signatory:
    """A person who signs the report."""

    name: Annotated[str, FILLED]
    role: str = ""


@dataclass(frozen=True)
class Cover:
    """The first page; dates are written 2026-11-28. No date is read from a clock.

    ``standard`` are standards that the client names and nothing checks; ``profiles`` are ids of shipped profiles, or
    TOML files in its folder, whose provisions are checked. Without them ``jurisdiction`` selects profiles.
    """

    laboratory: Annotated[str, FILLED]
    client: Annotated[str, FILLED]
    report: Annotated[str, FILLED]
    jurisdiction: str = ""
    submission: str = ""
    revision: str = ""
    supersedes: str = ""
    received: str = ""
    issued: str = ""
    standard: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    signatory: tuple[Signatory, ...] = ()

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Return what is stated, each with its name."""
        rows = (
            ("laboratory", self.laboratory), ("client", self.client), ("jurisdiction", self.jurisdiction),
            ("submission", self.submission), ("report", self.report), ("revision", self.revision),
            ("supersedes", self.supersedes), ("received", self.received), ("issued", self.issued),
            ("named by the client, not tested here", "; ".join(self.standard)),
        )
        return tuple(row for row in rows if row[1])


def read_cover(path: str) -> Cover:
    """Return the cover of a TOML file; raises `InputError` with every fault and its line."""
    file = TomlFile.of(path)
    plain = dict(file.data)
    for key in ("received", "issued"):
        day = plain.get(key)
        if isinstance(day, date | time):  # TOML has dates of its own
            plain[key] = str(day) if isinstance(day, datetime | time) else day.isoformat()
        if isinstance(plain.get(key), str) and not _is_day(str(plain[key])):
            file.report(f'"{str(plain[key])[:40]}" is not a date', "write the date as 2026-11-28", (key,))
    cover = read(Cover, plain, file.report)
    if cover is not None and _is_day(cover.received) and _is_day(cover.issued) and cover.issued < cover.received:
        what = f"issued {cover.issued} before it was received {cover.received}"
        file.report(what, "correct one of the dates", ("issued",))
    return file.checked(cover)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return DAY.fullmatch(text) is not None
