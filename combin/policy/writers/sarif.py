"""Verdicts as SARIF 2.1.0, which code scanning services read.

Services show every result as an alert, so that the results are what is not met and not accepted; the
properties of the run count the rest. A place is one of the user's repository.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from ...base.errors import Fault
from ...base.safe_text import shown, shown_json
from ...base.textfiles import line_number
from ...base.version import VERSION
from ...pages import render as rendered
from ..criteria import CHECKS
from ..model import FAIL, GateReport, Verdict
from ..pages import CheckPage, pages
from . import in_repository, inside, sentence

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"


def render(report: GateReport) -> str:
    """Return the report as a SARIF log of one run: what is not met and not accepted."""
    texts, wrong = pages(), report.unmet
    used = [i for i in CHECKS if any(v.check == i for v in wrong)]
    run = _run([_rule(texts[i]) for i in used], [_result(v, used.index(v.check)) for v in wrong])
    run["properties"] = {"policy": report.policy.name, "summary": report.summary}
    if report.notes:
        notes = [{"level": "note", "message": {"text": shown(note)}} for note in report.notes]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    return _written(run)


def faults(listed: Sequence[Fault]) -> str:
    """Return the faults of the input as notifications of a run without results."""
    notifications = []
    for f in listed:
        one: dict[str, Any] = {"level": "error", "message": {"text": shown(str(f))}}
        if f.file:
            one["locations"] = [{"physicalLocation": _location(inside(f.file), line_number(f.place))}]
        notifications.append(one)
    run = _run([], [])
    run["invocations"] = [{"executionSuccessful": False, "toolConfigurationNotifications": notifications}]
    return _written(run)


def _run(rules: list[dict[str, Any]], results: list[dict[str, Any]]) -> dict[str, Any]:
    driver = {"name": "combin", "semanticVersion": VERSION, "rules": rules}
    return {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}


def _written(run: dict[str, Any]) -> str:
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return shown_json(json.dumps(log, ensure_ascii=False, indent=1)) + "\n"


def _rule(page: CheckPage) -> dict[str, Any]:
    from ...pages.terminal import WIDE

    return {
        "id": page.id,
        "name": page.key,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": page.what},
        "help": {form: rendered([page.part], form, WIDE, 1) for form in ("text", "markdown")},
        "defaultConfiguration": {"level": "error"},
    }


def _result(v: Verdict, index: int) -> dict[str, Any]:
    path, line = in_repository(v)
    where: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": v.id, "kind": "resource"}]}
    if path:
        where["physicalLocation"] = _location(path, line)
    return {
        "ruleId": v.check,
        "ruleIndex": index,
        "kind": "fail",
        # Services show only failures, and undecided is not a pass.
        "level": "error" if v.status == FAIL else "warning",
        "message": {"text": sentence(v)},
        "locations": [where],
        "partialFingerprints": {"combin/v2": v.fingerprint},
        "properties": {"rule": v.rule, "figure": v.figure, "limit": v.limit, "decks": v.decks},
    }


def _location(file: str, line: int | None) -> dict[str, Any]:
    path = PurePath(file)
    artifact = {"uri": path.as_uri()} if path.is_absolute() else {"uri": quote(path.as_posix()), "uriBaseId": ROOT}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if line:
        physical["region"] = {"startLine": line}
    return physical
