"""Acceptance of failed verdicts: waivers of the policy, and a baseline of earlier failures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from ..base.documents import schema
from ..base.errors import InputError, fault
from ..base.textfiles import once, read_text
from .model import BASELINE, FAIL, UNDECIDED, WAIVER, Verdict, Waiver

#: The fields of a verdict in a baseline; the fingerprint decides, the others are for the reader.
KEPT = ("rule", "check", "id", "decks", "status", "figure", "limit")


def waived(
    verdicts: Sequence[Verdict], waivers: Iterable[Waiver], today: date | None, checked: Sequence[str]
) -> tuple[list[Verdict], list[str]]:
    """The verdicts with waived ones accepted, and a note for each waiver that is unused or has ended.

    A waiver ends after its date, which is compared with ``today`` if given; no clock is read.
    A waiver for paytables that are not checked does not count as unused.
    """
    notes, found = [], list(verdicts)
    for waiver in waivers:
        if waiver.expires is not None and today is not None and today > waiver.expires:
            notes.append(f"waiver is over: {waiver}")
            continue
        used = False
        for index, v in enumerate(found):
            if v.status in (FAIL, UNDECIDED) and waiver.covers(v.id, v.check, v.rule):
                used = True
                if not v.accepted:
                    found[index] = replace(v, accepted=WAIVER, accepted_reason=waiver.reason)
        if not used and waiver.reaches(checked):
            notes.append(f"waiver is not used: {waiver}")
    return found, notes


def endless(waivers: Iterable[Waiver], today: date | None) -> list[str]:
    """If no date is given: a note for each waiver with an end, which stays in force."""
    if today is not None:
        return []
    return [f"waiver has an end, and no --today is given, so that it does not end: {w}" for w in waivers if w.expires]


def read_baseline(path: str) -> dict[str, dict[str, Any]]:
    """The accepted failures of a baseline file by fingerprint; `InputError` for another kind of file."""
    remedy = "write one with --write-baseline"
    try:
        data = json.loads(_text(path, remedy), object_pairs_hook=once)
    except InputError as error:
        raise InputError(*(replace(item, file=path) for item in error.faults)) from None
    except (ValueError, RecursionError) as error:  # ValueError: a number of thousands of digits
        place = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise fault("is not JSON", remedy, file=path, place=place) from None
    entries = data.get("accepted") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not all(
        isinstance(e, dict) and isinstance(e.get("fingerprint"), str) for e in entries
    ):
        raise fault('is not a baseline: it has no list "accepted" of findings', remedy, file=path)
    return {e["fingerprint"]: e for e in entries}


def _text(path: str, remedy: str) -> str:
    try:
        exists = Path(path).exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise fault("there is no such baseline", remedy, file=path)
    return read_text(path)


def baselined(verdicts: Sequence[Verdict], baseline: dict[str, dict[str, Any]]) -> tuple[list[Verdict], list[str]]:
    """The verdicts with the baseline's failures accepted, and a note for each entry that no longer occurs."""
    found = [
        replace(v, accepted=BASELINE, accepted_reason="stood before")
        if not v.accepted and v.status in (FAIL, UNDECIDED) and v.fingerprint in baseline
        else v
        for v in verdicts
    ]
    seen = {v.fingerprint for v in verdicts}
    notes = [
        f"baseline entry no longer occurs: {entry.get('id', '')}, {entry.get('check', '')} {entry.get('rule', '')}"
        for fingerprint, entry in baseline.items()
        if fingerprint not in seen
    ]
    return found, notes


def baseline_text(verdicts: Iterable[Verdict]) -> str:
    """A baseline that accepts every failed verdict, one line each so that it can be reviewed."""
    lines = [
        json.dumps({**{k: getattr(v, k) for k in KEPT}, "fingerprint": v.fingerprint}, ensure_ascii=False)
        for v in verdicts
        if v.status in (FAIL, UNDECIDED) and v.accepted in ("", BASELINE)
    ]
    body = ",\n  ".join(lines)
    head = f'{{"schema": "{schema("baseline")}", "accepted": ['
    return f"{head}\n  {body}\n]}}\n" if lines else f"{head}]}}\n"
