"""Verdicts as text, JSON and GitHub annotations; JUnit and SARIF have modules of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ...base.exact import to_float
from ...base.shown import shown, shown_json, shown_path
from ..evaluation import is_shipped
from ..model import FAIL, SKIPPED, UNDECIDED, Report, Verdict

FORMS = ("text", "json", "junit", "sarif", "github")


def render(report: Report, form: str, *, verbose: bool = False) -> str:
    """The report in one of `FORMS`; with ``verbose``, text also lists what has passed."""
    if form == "text":
        return text(report, verbose=verbose)
    writer: Callable[[Report], str] = (
        {"json": as_json, "github": github}[form]
        if form in ("json", "github")
        else import_module(f".{form}", __name__).render
    )
    return writer(report)


def place(v: Verdict) -> str:
    file = shown_path(v.file)
    return f"{file}:{v.line}" if v.line else file


def sentence(v: Verdict) -> str:
    """The whole verdict on one line: place, sentence, rule, and what accepts it."""
    if not v.id:
        return shown(v.message)
    accepted = f" [accepted by {v.accepted}: {v.accepted_reason}]" if v.accepted else ""
    return shown(f'{v.where}: {v.message}; requirement "{v.rule}", {v.check} {v.key}{accepted}')


def text(report: Report, *, verbose: bool = False) -> str:
    """A line for each verdict that has not passed, notes, and one summary line."""
    lines = []
    for v in report.verdicts:
        if v.status in (FAIL, UNDECIDED):
            lines.append(f"{place(v)}: {'accepted' if v.accepted else v.status}: {sentence(v)}")
        elif v.status == SKIPPED:
            lines.append(f"{place(v) or shown_path(v.policy_file)}: skipped: {sentence(v)}")
        elif verbose:
            lines.append(f"{place(v)}: pass: {sentence(v)}")
    lines += [f"note: {shown(note)}" for note in report.notes]
    return "\n".join([*lines, report.summary]) + "\n"


def record(v: Verdict) -> dict[str, Any]:
    """One verdict as plain data."""
    return {
        "status": v.status,
        "rule": v.rule,
        "check": v.check,
        "key": v.key,
        "id": v.id,
        "decks": v.decks,
        "readings": dict(v.readings),
        "measure": v.measure,
        "figure": {"exact": v.figure or None, "decimal": None if v.value is None else to_float(v.value)},
        "limit": v.limit,
        "message": v.message,
        "file": v.file,
        "line": v.line,
        "policy_file": v.policy_file,
        "policy_line": v.policy_line,
        "accepted": v.accepted or None,
        "accepted_reason": v.accepted_reason or None,
        "fingerprint": v.fingerprint,
    }


def as_json(report: Report) -> str:
    found = {
        "policy": report.policy.name,
        "met": report.met,
        "summary": report.counts,
        "verdicts": [record(v) for v in report.verdicts],
        "notes": list(report.notes),
    }
    return shown_json(json.dumps(found, ensure_ascii=False, indent=1)) + "\n"


def github(report: Report) -> str:
    """Workflow commands that GitHub shows at the line of the paytable."""
    lines = []
    for v in report.verdicts:
        if v.status in (FAIL, UNDECIDED):
            level = "notice" if v.accepted else "error"
            # A shipped document is no file of the user's repository.
            line = f",line={v.line}" if v.line else ""
            where = "" if is_shipped(v.file) else f"file={_property(shown(v.file))}{line}"
            title = f"title={_property(shown(f'{v.check} {v.rule}'))}"
            lines.append(f"::{level} {','.join(w for w in (where, title) if w)}::{_data(sentence(v))}")
    lines += [f"::notice::{_data(shown(note))}" for note in report.notes]
    return "\n".join([*lines, report.summary]) + "\n"


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")
