"""Verdicts as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from ... import __version__
from ...base.shown import shown, shown_json
from ..criteria import CHECKS
from ..model import FAIL, PASS, UNDECIDED, WAIVER, Report, Verdict
from ..pages import Page, pages
from . import sentence

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_KINDS = {FAIL: "fail", UNDECIDED: "open", PASS: "pass"}


def render(report: Report) -> str:
    """The report as a SARIF log of one run: every verdict that is about a paytable."""
    texts = pages()
    used = [i for i in CHECKS if any(v.check == i for v in report.verdicts)]
    driver = {
        "name": "combin",
        "semanticVersion": __version__,
        "rules": [_rule(texts[i]) for i in used],
    }
    results = [_result(v, used.index(v.check)) for v in report.verdicts if v.check]
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {"policy": report.policy.name, "summary": report.summary},
    }
    if report.notes:
        notes = [{"level": "note", "message": {"text": shown(note)}} for note in report.notes]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return shown_json(json.dumps(log, ensure_ascii=False, indent=1)) + "\n"


def _rule(page: Page) -> dict[str, Any]:
    return {
        "id": page.id,
        "name": page.key,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": page.what},
        "help": {"text": page.text(), "markdown": page.markdown()},
        "defaultConfiguration": {"level": "error"},
    }


def _result(v: Verdict, index: int) -> dict[str, Any]:
    kind = _KINDS.get(v.status, "notApplicable")
    found: dict[str, Any] = {
        "ruleId": v.check,
        "ruleIndex": index,
        "kind": kind,
        # SARIF: results of other kinds than "fail" have the level "none".
        "level": "error" if kind == "fail" else "none",
        "message": {"text": sentence(v)},
        "locations": [
            {"physicalLocation": _location(v), "logicalLocations": [{"fullyQualifiedName": v.id, "kind": "resource"}]}
        ],
        "partialFingerprints": {"combin/v2": v.fingerprint},
        "properties": {"rule": v.rule, "figure": v.figure, "limit": v.limit, "decks": v.decks},
    }
    if v.status == UNDECIDED and not v.accepted:
        # Services show failures alone, and undecided is not a pass.
        found["kind"], found["level"] = "fail", "warning"
    if v.accepted:
        kind = "inSource" if v.accepted == WAIVER else "external"
        found["suppressions"] = [{"kind": kind, "justification": v.accepted_reason}]
    return found


def _location(v: Verdict) -> dict[str, Any]:
    path = PurePath(v.file)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    found: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if v.line:
        found["region"] = {"startLine": v.line}
    return found
