"""Verdicts as JUnit XML: a suite for each rule, a case for each of its checks on a paytable."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from ...base.shown import shown
from ..model import FAIL, SKIPPED, UNDECIDED, Report, Verdict
from . import place, sentence

#: Characters that XML 1.0 cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The report as one <testsuites> document; times are 0, so that equal reports are equal bytes."""
    root = ET.Element("testsuites", {"name": _safe(report.policy.name), **_counts(report.verdicts)})
    for rule in dict.fromkeys(v.rule for v in report.verdicts):
        verdicts = tuple(v for v in report.verdicts if v.rule == rule)
        suite = ET.SubElement(root, "testsuite", {"name": _safe(rule), **_counts(verdicts)})
        for v in verdicts:
            suite.append(_case(v))
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
        found = ET.SubElement(case, "failure", {"type": v.status, "message": _safe(v.message)})
        found.text = _safe(f"{place(v)}: {sentence(v)}")
    return case


def _safe(words: str) -> str:
    return _FORBIDDEN.sub("\ufffd", shown(words))
