"""Verdicts as a GitLab code quality report: a list of findings, each with its place in the repository."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ...base.errors import Fault
from ...base.safe_text import shown, shown_json
from ...base.textfiles import line_number
from ..model import FAIL, GateReport
from . import in_repository, sentence


def render(report: GateReport) -> str:
    """Return every verdict that is not met; an undecided figure is less severe than one that fails."""
    listed = []
    for v in report.unmet:
        path, line = in_repository(v)
        severity = "major" if v.status == FAIL else "minor"
        listed.append(_entry(v.check, sentence(v), v.fingerprint, severity, path or "combin", line))
    return _written(listed)


def faults(listed: Sequence[Fault]) -> str:
    """Return the faults of the input, which keep the gate from judging anything."""
    return _written([
        _entry("bad-input", str(f), sha256(str(f).encode()).hexdigest()[:32], "blocker", f.file, line_number(f.place))
        for f in listed
    ])


def _entry(check: str, words: str, fingerprint: str, severity: str, path: str, line: int | None) -> dict[str, Any]:
    return {
        "description": shown(words),
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": shown(path).removeprefix("./"), "lines": {"begin": line or 1}},
    }


def _written(listed: list[dict[str, Any]]) -> str:
    return shown_json(json.dumps(listed, ensure_ascii=False, indent=1)) + "\n"
