"""Verdicts as JUnit XML: a suite for each requirement, a case for each of its checks on a paytable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ...base.errors import Fault
from ...base.safe_text import shown
from ...base.textfiles import line_number
from ..model import SKIPPED, GateReport, Verdict
from . import place, sentence

#: Characters that XML 1.0 cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: GateReport) -> str:
    """Return the report as one <testsuites> document; times are 0, so that equal reports are equal bytes."""
    root = ET.Element("testsuites", {"name": _safe(report.policy.name), **_counts(report.verdicts)})
    for requirement in dict.fromkeys(v.rule for v in report.verdicts):
        verdicts = [v for v in report.verdicts if v.rule == requirement]
        suite = _element(root, "testsuite", name=requirement, **_counts(verdicts))
        for v in verdicts:
            name = " ".join(filter(None, (v.check, v.key, f"({v.decks} decks)" if (v.decks or 1) > 1 else "")))
            case = _case(suite, v.id or v.rule, name or v.rule, v.file, v.line)
            if v.status == SKIPPED or v.accepted:
                _element(case, "skipped", message=sentence(v))
            elif not v.met:
                _element(case, "failure", f"{place(v)}: {sentence(v)}", type=v.status, message=v.message)
    return _written(root)


def faults(listed: Sequence[Fault]) -> str:
    """Return the faults of the input as a suite of errors, since nothing was judged."""
    counts = {**_counts(()), "tests": str(len(listed)), "errors": str(len(listed))}
    root = ET.Element("testsuites", {"name": "combin", **counts})
    suite = _element(root, "testsuite", name="bad input", **counts)
    for f in listed:
        case = _case(suite, f.file, f.place or "input", f.file, line_number(f.place))
        _element(case, "error", str(f), type="bad input", message=str(f))
    return _written(root)


def _written(root: ET.Element) -> str:
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _counts(verdicts: Sequence[Verdict]) -> dict[str, str]:
    skipped = sum(v.status == SKIPPED or bool(v.accepted) for v in verdicts)
    return {"tests": str(len(verdicts)), "failures": str(sum(not v.met for v in verdicts)), "errors": "0",
            "skipped": str(skipped), "time": "0"}


def _case(suite: ET.Element, classname: str, name: str, file: str, line: int | None) -> ET.Element:
    where = {"file": file, **({"line": str(line)} if line else {})} if file else {}
    return _element(suite, "testcase", classname=classname, name=name, time="0", **where)


def _element(parent: ET.Element, tag: str, text: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, tag, {key: _safe(value) for key, value in attributes.items()})
    element.text = _safe(text)
    return element


def _safe(words: str) -> str:
    return _FORBIDDEN.sub("\ufffd", shown(words))
