"""Acceptance of failed verdicts: waivers of the policy, and a baseline of earlier failures."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from types import NoneType
from typing import Any

from ..base.documents import schema
from ..base.errors import InputError, fault
from ..base.textfiles import once, read_text
from .model import BASELINE, FAIL, UNDECIDED, WAIVER, Verdict, Waiver

#: The form of a margin in a file.
_FRACTION = re.compile(r"-?\d{1,400}(/[1-9]\d{0,400})?")
#: The fields of a verdict in a baseline; only the fingerprint decides, the other fields are for reviewers.
KEPT = ("rule", "check", "id", "decks", "status", "figure", "limit")


def waived(
    verdicts: Sequence[Verdict], waivers: Iterable[Waiver], today: date | None, checked: Sequence[str]
) -> tuple[list[Verdict], list[str]]:
    """Return the verdicts with waived ones accepted, and a note for each waiver that is unused or has ended.

    A waiver ends after its date, which is compared with ``today`` if given; no clock is read.
    A waiver for paytables that are not checked does not count as unused.
    """
    notes, results = [], list(verdicts)
    for waiver in waivers:
        if waiver.expires is not None and today is not None and today > waiver.expires:
            notes.append(f"waiver is over: {waiver}")
            continue
        used = False
        for index, v in enumerate(results):
            if v.status in (FAIL, UNDECIDED) and waiver.covers(v.id, v.check, v.rule):
                used = True
                if not v.accepted:
                    results[index] = replace(v, accepted=WAIVER, accepted_reason=waiver.reason)
        if not used and waiver.reaches(checked):
            notes.append(f"waiver is not used: {waiver}")
    return results, notes


def admitted(stated: Iterable[Waiver], allowed: Collection[str]) -> tuple[list[Waiver], list[str]]:
    """Return the waivers of paytable files that the policy admits, and a note for each other one.

    ``allowed`` is the policy's ``file_waivers``. An admitted waiver names one of these checks or requirements, and
    has an end.
    """
    admitted_waivers, notes = [], []
    for waiver in stated:
        if waiver.rule not in allowed:
            named = f"do not list {waiver.rule}" if waiver.rule else "admit only waivers that name a rule"
            notes.append(f"waiver in a file of paytables is not admitted: the policy's file_waivers {named}: {waiver}")
        elif waiver.expires is None:
            notes.append(f"waiver in a file of paytables is not admitted: it has no expires: {waiver}")
        else:
            admitted_waivers.append(waiver)
    return admitted_waivers, notes


def endless(waivers: Iterable[Waiver], today: date | None) -> list[str]:
    """Return a note for each waiver with an end if no date is given: it stays in force."""
    if today is not None:
        return []
    return [f"waiver has an end, and no --today is given, so that it does not end: {w}" for w in waivers if w.expires]


def read_baseline(path: str) -> dict[str, dict[str, Any]]:
    """Return the accepted failures of a baseline file by fingerprint; raises `InputError` for another kind of file."""
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
    for e in entries:
        if "margin" in e and (type(e["margin"]) is not str or not _FRACTION.fullmatch(e["margin"])):
            raise fault("a margin is not a fraction", remedy, file=path)
        if any(type(e[k]) not in (str, int, NoneType) for k in KEPT if k in e):
            raise fault("an entry is not a finding", remedy, file=path)
    return {e["fingerprint"]: e for e in entries}


def _text(path: str, remedy: str) -> str:
    if not os.path.exists(path):
        raise fault("there is no such baseline", remedy, file=path)
    return read_text(path)


def _margin(v: Verdict) -> dict[str, str]:
    """Return the distance of a figure from its limit, for reviewers; empty if lines are at fault."""
    return {} if v.margin is None or v.evidence else {"margin": str(v.margin)}


def _alike(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(entry.get(k) for k in ("rule", "check", "id", "decks", "limit"))


def _states(entry: Mapping[str, Any], v: Verdict) -> bool:
    """Whether every field of an entry equals that of the verdict: reviewers read the fields."""
    return all(entry[k] == getattr(v, k) for k in KEPT if k in entry)


def _is_whole(entry: Mapping[str, Any]) -> bool:
    """Whether the fields of an entry without faulty lines are those of its fingerprint."""
    fields: dict[str, Any] = {k: entry.get(k) for k in KEPT}
    return all(type(v) is str for k, v in fields.items() if k != "decks") and (
        Verdict(**fields).fingerprint == entry["fingerprint"]
    )


#: The exact number in a figure: the figure itself, or its square.
_FIGURE = re.compile(r"(?:sqrt\()?(-?\d+(?:/[1-9]\d*)?)\)?")


def _is_better(v: Verdict, entry: Mapping[str, Any]) -> bool:
    """Whether the figure of a verdict is strictly nearer to its limit than that of an entry.

    The figures themselves are compared in the direction of the check; the margin of an entry is not used.
    """
    now, was = (_FIGURE.fullmatch(f) for f in (v.figure, str(entry.get("figure"))))
    if now is None or was is None or v.least is None:
        return False
    difference = Fraction(now[1]) - Fraction(was[1])
    return difference > 0 if v.least else difference < 0


def baselined(verdicts: Sequence[Verdict], baseline: dict[str, dict[str, Any]]) -> tuple[list[Verdict], list[str]]:
    """Return the verdicts with those of the baseline accepted, and a note for each entry that no longer occurs.

    A figure that fails by less than the one of the baseline is accepted as well; one that fails by more is not, and its
    message says what was accepted.
    """
    before = {_alike(e): e for e in baseline.values() if "margin" in e and _is_whole(e)}
    results, seen = [], {v.fingerprint for v in verdicts}
    for v in verdicts:
        entry = before.get(_alike(vars(v)), {})
        moves = entry.get("status") == v.status == FAIL and v.margin is not None and not v.evidence
        was = f"it was {entry.get('figure', '')}"
        if v.accepted or v.status not in (FAIL, UNDECIDED):
            results.append(v)
        elif v.fingerprint in baseline and _states(baseline[v.fingerprint], v):
            results.append(replace(v, accepted=BASELINE, accepted_reason="known before"))
        elif moves and _is_better(v, entry):
            seen.add(entry["fingerprint"])
            results.append(replace(v, accepted=BASELINE, accepted_reason=f"known before, better now; {was}"))
        else:
            results.append(replace(v, message=f"{v.message}; accepted before, when {was}") if moves else v)
    notes = [
        f"baseline entry no longer occurs: {entry.get('id', '')}, {entry.get('check', '')} {entry.get('rule', '')}"
        for fingerprint, entry in baseline.items()
        if fingerprint not in seen
    ]
    return results, notes


def baseline_text(verdicts: Iterable[Verdict]) -> str:
    """Return a baseline that accepts every failed verdict, one line each so that it can be reviewed."""
    lines = [
        json.dumps({**{k: getattr(v, k) for k in KEPT}, **_margin(v), "fingerprint": v.fingerprint}, ensure_ascii=False)
        for v in verdicts
        if v.status in (FAIL, UNDECIDED) and v.accepted in ("", BASELINE)
    ]
    body = ",\n  ".join(lines)
    head = f'{{"schema": "{schema("baseline")}", "accepted": ['
    return f"{head}\n  {body}\n]}}\n" if lines else f"{head}]}}\n"
