"""The report as JSON, and reading a report for its recomputation."""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from hashlib import sha256
from html import unescape
from typing import Any
from zipfile import BadZipFile, ZipFile

from ..analysis.additions import Addition
from ..analysis.model import Analysis
from ..base import toml_tables
from ..base.documents import document, schema
from ..base.errors import InputError, fault
from ..base.exact import simplify
from ..base.textfiles import decode, once, read_bytes
from ..games.outcome import Outcome
from ..pages.blocks import Cell, Grid, Letters, Number, Part, Points, Words
from ..pages.markdown import cell as plain
from ..policy.model import Verdict
from ..rulebook.model import Finding
from ..rulebook.pays import Pay
from ..verify.model import Check
from ..views.json import record, value
from .attached import verdict_of
from .cells import pay_text
from .identity import JSON_KEY, ReportRequest
from .model import AtSeats, ComparedFigure, Report

#: About ten times the largest report, that of the whole catalogue.
MOST_BYTES = 200_000_000
FORMAT = "combin certification report 2"
_REMEDY = "give a report that combin wrote"
#: The location of the request in each form.
_REQUEST = {
    "html": re.compile(r'<script type="application/json" id="request">(.*?)</script>'),
    "markdown": re.compile(r"<!-- combin report: (.*?) -->"),
    "xlsx": re.compile(r"<dc:description>(.*?)</dc:description>", re.DOTALL),
}


def data(report: Report) -> dict[str, Any]:
    """Return the report as plain data: exact values as texts, each with a decimal."""
    return {"format": FORMAT, **_plain(report)}


def sealed(report: Report) -> Report:
    """Return the report with the digest of its content except the environment's versions.
    The key ``schema`` occurs only in the JSON form and is not covered.
    """
    open_one = replace(report.identity, report_sha256="", environment=())
    whole = data(replace(report, identity=open_one))
    digest = sha256(json.dumps(whole, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
    return replace(report, identity=replace(report.identity, report_sha256=digest))


def render(report: Report) -> str:
    return document("report", data(report))


def _plain(item: Any) -> Any:
    if isinstance(item, Analysis):
        return record(item)
    if isinstance(item, Pay):
        return item.text
    if isinstance(item, ComparedFigure) and item.is_root:
        sides = {"before": item.before, "after": item.after, "change": item.change}
        return {"name": item.name, **{k: {"decimal": value(v)["decimal"]} for k, v in sides.items()}}
    if isinstance(item, Part):
        return _table(item)
    if isinstance(item, Outcome):  # the house advantage is that of this line only
        extra = {"pays": pay_text(item), "house_advantage": _plain(simplify(1 - item.contribution))}
        return {**_attributes(item, "outcome", "pays", "combinations", "probability", "contribution", "true_odds",
                              "frequency"), **extra}
    if isinstance(item, Addition):
        return _attributes(item, "name", "pays", "times", "probability", "contribution")
    if isinstance(item, Finding):
        return _attributes(item, "id", "clause", "kind", "text")
    if isinstance(item, AtSeats):
        meter, cycle = item.cycle.distribution, item.cycle
        return {"meter": meter.name, "seats": item.seats, **_attributes(meter, "hit", "several", "second", "mean"),
                "median": _plain(meter.marks[Fraction(1, 2)]), "break_even": _plain(cycle.break_even),
                "passes": None if cycle.passes is None else str(cycle.passes), "returned": _plain(cycle.always),
                "remarks": list(item.remarks)}
    if isinstance(item, Verdict):
        return {"rule": item.rule, "passed": item.passed, "text": item.message, "key": item.key,
                "accepted": item.accepted}
    if isinstance(item, Check):
        detects = "" if item.detects is None else f"{100 * item.detects:.2g} %"
        return {**_attributes(item, "what", "method", "result"), "verdict": verdict_of(item), "detects": detects,
                "instead": item.instead}
    if is_dataclass(item):
        names = {f.name: f.metadata.get(JSON_KEY, f.name) for f in fields(item)}
        return {key: _plain(getattr(item, name)) for name, key in names.items() if key}
    if isinstance(item, Mapping):
        return {str(k): _plain(v) for k, v in item.items()}
    if isinstance(item, Sequence) and not isinstance(item, str):
        return [_plain(v) for v in item]
    if isinstance(item, int) and not isinstance(item, bool) and abs(item) >= 2**53:
        return str(item)
    if item is None or isinstance(item, str | bool | int):
        return item
    return value(item)


def _attributes(item: Any, *names: str) -> dict[str, Any]:
    return {name: _plain(getattr(item, name)) for name in names}


def _table(part: Part) -> dict[str, Any]:
    """Return a part with one table: its head, its rows and its sentences."""
    grids = [b for b in part.blocks if isinstance(b, Grid)]
    notes = [b.text for b in part.blocks if isinstance(b, Words)]
    notes += [words for b in part.blocks if isinstance(b, Points) for _, words in b.items]
    grid = grids[0] if grids else Grid((), ())
    return {"title": part.title, "head": list(grid.head), "rows": [[_cell(c) for c in row] for row in grid.rows],
            "right": grid.right, "notes": notes, "coloured": any(isinstance(b, Letters) for b in part.blocks)}


def _cell(cell: Cell) -> Any:
    if not isinstance(cell, Number):
        return plain(cell)
    exact = Fraction(cell.exact)
    return _plain(int(exact) if not cell.beside and "." not in cell.shown and "%" not in cell.shown else exact)


def request(report: Report) -> str:
    """Return the request that a page contains: the command's arguments and the versions used."""
    identity = report.identity
    return json.dumps({"identity": {"asked": _plain(identity.request), "environment": _plain(identity.environment)}},
                      ensure_ascii=False, separators=(",", ":"))


def form_of(raw: bytes) -> str:
    """Return the form of a report's bytes: json, pdf, xlsx, html or markdown."""
    begin = raw.lstrip()[:9].lower()
    for mark, form in ((b"%pdf", "pdf"), (b"pk", "xlsx"), (b"<!doctype", "html"), (b"#", "markdown")):
        if begin.startswith(mark):
            return form
    return "json"


def read(path: str) -> dict[str, Any]:
    """Return a report from a file: all of it from JSON and PDF, its request from HTML, Markdown and a workbook.
    Raises `InputError` for anything else. A report of an earlier version, without ``schema``, is accepted, since its
    keys are the same.
    """
    raw = read_bytes(path, MOST_BYTES)
    form = form_of(raw)
    if form in ("html", "markdown", "xlsx"):
        return _request(raw, form, path)
    if form == "pdf":
        raw = _carried(raw, path)
    text = decode(raw, path)
    try:
        content = json.loads(text, object_pairs_hook=once)
    except InputError as error:
        raise InputError(*(replace(item, file=path) for item in error.faults)) from None
    except (ValueError, RecursionError):
        raise fault("is not a PDF, a page, a workbook or JSON", _REMEDY, file=path) from None
    content = {"schema": schema("report"), **content} if isinstance(content, dict) else {}
    if (content.get("schema"), content.get("format")) != (schema("report"), FORMAT):
        raise fault("is not a certification report", _REMEDY, file=path)
    return content


def _request(raw: bytes, form: str, path: str) -> dict[str, Any]:
    """Return the request in a page."""
    if form == "xlsx":
        with suppress(BadZipFile, KeyError, OSError, NotImplementedError, zlib.error), ZipFile(io.BytesIO(raw)) as book:
            raw = book.read("docProps/core.xml")
    match = _REQUEST[form].search(raw.decode("utf-8", "replace"))
    with suppress(ValueError, RecursionError):
        content = json.loads(unescape(match[1]) if match and form == "xlsx" else match[1] if match else "")
        if isinstance(content, dict):
            return content
    raise fault("contains no report", _REMEDY, file=path)


def environment_of(report: dict[str, Any]) -> dict[str, str]:
    """Return the versions in a report, by the name of the program or package."""
    identity = report.get("identity")
    rows = identity.get("environment", []) if isinstance(identity, dict) else []
    return {str(row[0]): str(row[1]) for row in rows if isinstance(row, list) and len(row) == 2}


def _carried(raw: bytes, path: str) -> bytes:
    """Return the JSON in a PDF: its only embedded file, which typst writes as a separate object."""
    for match in re.finditer(rb"<<([^\n]*?/Type/EmbeddedFile[^\n]*?)>>\r?\nstream\r?\n", raw):
        length = re.search(rb"/Length (\d+)", match[1])
        if length is None or b"json" not in match[1]:
            continue
        body = raw[match.end() : match.end() + int(length[1])]
        if b"/FlateDecode" not in match[1]:
            return body
        with suppress(zlib.error):
            unpacker = zlib.decompressobj()
            return unpacker.decompress(body, MOST_BYTES)
    raise fault("contains no report", _REMEDY, file=path)


def request_of(report: Mapping[str, Any], path: str) -> ReportRequest:
    """Return the arguments recorded in the report; raises `InputError` unless each has its type."""
    identity = report.get("identity")
    recorded = identity.get("asked") if isinstance(identity, dict) else None
    stated = {k: v for k, v in recorded.items() if v is not None} if isinstance(recorded, dict) else {}
    request = toml_tables.read(ReportRequest, stated, lambda *_: None)
    if request is None or not request.patterns:
        raise fault("has no valid arguments of its command", "generate the report again", file=path)
    return request


def differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Yield a line for every difference, with its location."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            where = f"{place}.{key}" if place else str(key)
            if key not in old or key not in new:
                yield f"{where}: only in the {'recomputed' if key in new else 'given'} report"
            else:
                yield from differences(old[key], new[key], where)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{place}: {len(old)} items, recomputed {len(new)}"
        for index, (one, two) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, two, f"{place}[{_name(one, index)}]")
    elif old != new or type(old) is not type(new):
        yield f"{place}: {_short(old)}, recomputed {_short(new)}"


def _name(item: Any, index: int) -> str:
    if isinstance(item, dict):
        analysis = item.get("analysis")
        inner = analysis if isinstance(analysis, dict) else item
        for key in ("id", "outcome", "name"):
            if isinstance(inner.get(key), str):
                return str(inner[key])
    return str(index)


def _short(item: Any) -> str:
    word = json.dumps(item, ensure_ascii=False)
    return word if len(word) <= 120 else word[:119] + "…"
