"""Verdicts as text, JSON and GitHub annotations; the other forms have modules of their own.

Bad input has a document too in the forms that services read: they show what is in a file, and not standard error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ...base.documents import document
from ...base.errors import Fault
from ...base.exact import to_float
from ...base.safe_text import shown, shown_path
from ...base.textfiles import line_number
from ..evaluation import is_shipped
from ..model import FAIL, PASS, SKIPPED, UNDECIDED, GateReport, Verdict
from ..reader import SHIPPED

FORMS = ("text", "json", "junit", "sarif", "github", "gitlab", "markdown")


#: For the id of a paytable a text that says how it would pass.
Ways = Mapping[str, object]
NO_WAYS: Ways = MappingProxyType({})


def render(report: GateReport, form: str, *, verbose: bool = False, colour: bool = False, ways: Ways = NO_WAYS) -> str:
    """Return the report in one of `FORMS`.

    In text, ``verbose`` also lists what has passed, ``colour`` is for a terminal, ``ways`` are ways out.
    """
    if form == "text":
        return text(report, verbose=verbose, colour=colour, ways=ways)
    writers: dict[str, Callable[[GateReport], str]] = {"json": as_json, "github": github}
    return (writers.get(form) or import_module(f".{form}", __name__).render)(report)


def render_faults(faults: Sequence[Fault], form: str) -> str:
    """Return the faults of bad input in a form that a service reads; empty for text and JSON.

    In these two, standard error states them.
    A fault without a line is shown at the first line of its file.
    """
    if form == "github":
        return "".join(_annotation("error", f.file, line_number(f.place), "bad input", str(f)) + "\n" for f in faults)
    if form in ("text", "json"):
        return ""
    return str(import_module(f".{form}", __name__).faults(faults))


def in_repository(v: Verdict) -> tuple[str, int | None]:
    """Return the file and line at which a verdict is shown in the user's repository.

    They are those of the paytable, or of the requirement if the paytable is shipped; empty if both are shipped.
    """
    if not is_shipped(v.file):
        return inside(v.file), v.line
    return ("", None) if v.policy_file.startswith(SHIPPED) else (inside(v.policy_file), v.policy_line)


def inside(path: str) -> str:
    """Return a path relative to the current folder if it is in it."""
    relative = os.path.relpath(path) if os.path.isabs(path) else os.path.normpath(path)
    return path if relative.startswith("..") else relative


def place(v: Verdict) -> str:
    file = shown_path(v.file)
    return f"{file}:{v.line}" if v.line else file


def sentence(v: Verdict) -> str:
    """Return the whole verdict on one line: place, sentence, requirement, and what accepts it."""
    if not v.id:
        return shown(v.message)
    accepted = f" [accepted by {v.accepted}: {v.accepted_reason}]" if v.accepted else ""
    return shown(f'{v.where}: {v.message}; requirement "{v.rule}", {v.check} {v.key}{accepted}')


#: Colour of the first word of a line on a terminal: red, yellow, green, grey, cyan.
_COLOURS = {FAIL: "1;31", UNDECIDED: "1;33", PASS: "32", "accepted": "2", SKIPPED: "2", "way out": "1;36"}


def text(report: GateReport, *, verbose: bool = False, colour: bool = False, ways: Ways = NO_WAYS) -> str:
    """Return a line for each verdict worth one, by paytable, those that fail first; notes; one summary line.

    Accepted findings are a number unless ``verbose``. ``ways`` says for paytables how they would pass, see
    `combin.tools.wayout`.
    """

    def painted(words: str, shade: str) -> str:
        return f"\x1b[{shade}m{words}\x1b[0m" if colour else words

    def line(where: str, word: str, statement: str) -> str:
        return f"{where}: {painted(word, _COLOURS[word])}: {statement}"

    groups: dict[str, list[str]] = {}
    for v in report.verdicts:
        group = groups.setdefault(v.id, [])
        if verbose or not (v.accepted or v.status == PASS):
            where = place(v) or shown_path(v.policy_file)
            group.append(line(where, "accepted" if v.accepted else v.status, sentence(v)))
    for identifier, way in ways.items():
        where = next(place(v) for v in report.verdicts if v.id == identifier)
        groups[identifier].append(line(where, "way out", shown(str(way))))
    failing = {v.id for v in report.verdicts if not v.met}
    lines = [one for identifier in sorted(groups, key=lambda i: i not in failing) for one in groups[identifier]]
    accepted = accepted_in_words(report)
    if accepted and not verbose:
        lines.append(f"{painted('accepted', _COLOURS['accepted'])}: {accepted}; -v lists them")
    lines += [f"note: {shown(note)}" for note in report.notes]
    return "\n".join([*lines, painted(report.summary, _COLOURS[PASS if report.met else FAIL])]) + "\n"


def accepted_in_words(report: GateReport) -> str:
    """Return the number of accepted findings and of their paytables; empty without any."""
    accepted = [v for v in report.verdicts if v.accepted]
    if not accepted:
        return ""
    tables = len({v.id for v in accepted})
    findings = f"{len(accepted)} finding{'s' if len(accepted) > 1 else ''}"
    return f"{findings} of {tables} paytable{'s' if tables > 1 else ''}"


#: Fields of a verdict that its record omits.
NOT_WRITTEN = ("value", "evidence", "margin", "least", "wager")


def record(v: Verdict) -> dict[str, Any]:
    """Return one verdict as plain data: its fields in their order, and its fingerprint."""
    fields = {name: value for name, value in vars(v).items() if name not in NOT_WRITTEN}
    return {**fields, "readings": dict(v.readings),
            "figure": {"exact": v.figure or None, "decimal": None if v.value is None else to_float(v.value)},
            "accepted": v.accepted or None, "accepted_reason": v.accepted_reason or None,
            "fingerprint": v.fingerprint}


def as_json(report: GateReport) -> str:
    return document("check", {"policy": report.policy.name, "met": report.met, "summary": report.counts,
                              "verdicts": [record(v) for v in report.verdicts], "notes": list(report.notes)})


def github(report: GateReport) -> str:
    """Return workflow commands that GitHub shows at the line of a paytable, one for each: a runner shows ten in all."""
    failing: dict[str, list[Verdict]] = {}
    for v in report.unmet:
        failing.setdefault(v.id, []).append(v)
    lines = []
    for verdicts in failing.values():
        first, words = verdicts[0], [shown(sentence(v)) for v in verdicts]
        # A document that ships with combin is no file of the user's repository.
        file = "" if is_shipped(first.file) else inside(first.file)
        more = f" and {len(words) - 1} more" if len(words) > 1 else ""
        lines.append(_annotation("error", file, first.line, f"{first.check} {first.rule}{more}", *words))
    if accepted := accepted_in_words(report):
        lines.append(f"::notice::{_data(f'accepted: {accepted}')}")
    lines += [f"::notice::{_data(shown(note))}" for note in report.notes]
    return "\n".join([*lines, report.summary]) + "\n"


def _annotation(level: str, file: str, line: int | None, title: str, *words: str) -> str:
    where = [f"file={_property(shown(file))}", *([f"line={line}"] if line else [])] if file else []
    properties = ",".join([*where, f"title={_property(shown(title))}"])
    return f"::{level} {properties}::{_data(chr(10).join(map(shown, words)))}"


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")
