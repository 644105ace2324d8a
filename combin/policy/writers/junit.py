"""Verdicts as JUnit XML: a suite for each requirement, a case for each of its checks on a paytable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ...base.errors import Fault
from ...base.safe_text import shown
from ...base.textfiles import line_number
from ..model import FAIL, SKIPPED, UNDECIDED, GateReport, Verdict
from . import place, sentence

#: Characters that XML 1.0 cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: GateReport) -> str:
    """The report as one <testsuites> document; times are 0, so that equal reports are equal bytes."""
    root = ET.Element("testsuites", {"name": _safe(report.policy.name), **_counts(report.verdicts)})
    for requirement in dict.fromkeys(v.rule for v in report.verdicts):
        verdicts = tuple(v for v in report.verdicts if v.rule == requirement)
        suite = ET.SubElement(root, "testsuite", {"name": _safe(requirement), **_counts(verdicts)})
        for v in verdicts:
            suite.append(_case(v))
    return _written(root)


def faults(listed: Sequence[Fault]) -> str:
    """Faults of the input: a suite of errors, since nothing was judged."""
    counts = {"tests": str(len(listed)), "failures": "0", "errors": str(len(listed)), "skipped": "0", "time": "0"}
    root = ET.Element("testsuites", {"name": "combin", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": "bad input", **counts})
    for f in listed:
        line = line_number(f.place)
        where = {"file": _safe(f.file), **({"line": str(line)} if line else {})} if f.file else {}
        case = ET.SubElement(
            suite, "testcase", {"classname": _safe(f.file), "name": _safe(f.place or "input"), "time": "0", **where}
        )
        ET.SubElement(case, "error", {"type": "bad input", "message": _safe(str(f))}).text = _safe(str(f))
    return _written(root)


def _written(root: ET.Element) -> str:
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _counts(verdicts: tuple[Verdict, ...]) -> dict[str, str]:
    failures = sum(v.status in (FAIL, UNDECIDED) and not v.accepted for v in verdicts)
    skipped = sum(v.status == SKIPPED or bool(v.accepted) for v in verdicts)
    return {"tests": str(len(verdicts)), "failures": str(failures), "errors": "0", "skipped": str(skipped), "time": "0"}


def _case(v: Verdict) -> ET.Element:
    name = " ".join(w for w in (v.check, v.key, f"({v.decks} decks)" if (v.decks or 1) > 1 else "") if w)
    where = {"file": _safe(v.file)} if v.file else {}
    if v.line:
        where["line"] = str(v.line)
    case = ET.Element(
        "testcase", {"classname": _safe(v.id or v.rule), "name": _safe(name or v.rule), "time": "0", **where}
    )
    if v.status == SKIPPED or v.accepted:
        ET.SubElement(case, "skipped", {"message": _safe(sentence(v))})
    elif v.status in (FAIL, UNDECIDED):
        failure = ET.SubElement(case, "failure", {"type": v.status, "message": _safe(v.message)})
        failure.text = _safe(f"{place(v)}: {sentence(v)}")
    return case


def _safe(words: str) -> str:
    return _FORBIDDEN.sub("\ufffd", shown(words))
