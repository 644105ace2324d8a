"""Verification of a report from elsewhere: figures are computed again, and pages are rendered again."""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from ..base.errors import InputError, fault
from ..base.textfiles import read_bytes
from . import json as json_form
from . import render
from .identity import environment
from .make import Files, make, named

#: Maximum number of page differences that are listed.
MOST_NAMED = 8
#: An object of a PDF as typst writes it, never inside a stream of objects.
_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_SHOWN = re.compile(rb"/(f\d+) [\d.]+ Tf|\((?:[^()\\]|\\.)*\)|<([0-9A-Fa-f]*)>|T[jJ]|ET", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def verify(path: str, patterns: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """Return the differences between a report and its recomputation, a line each, and notes on the environment.

    The figures are computed again. The pages are rendered again with the versions that the report names, and must be
    the same bytes. If another version of typst set a PDF, the texts of its pages are compared.
    """
    recorded = json_form.read(path)
    request = json_form.request_of(recorded, path)
    if patterns and tuple(map(named, patterns)) != request.patterns:
        for word in filter(_is_report, patterns):
            raise fault("--verify takes one report", "verify each report by itself", file=word)
        raise fault("is not a report on these paytables", f"its command is: {request.command}", file=path)
    report, _ = make(request, Files(patterns, (Path(path).parent,)))
    old_versions = json_form.environment_of(recorded)
    versions = dict(environment())
    notes = [f"{name}: {old_versions.get(name, 'not stated')} there, {versions.get(name, 'none')} here"
             for name in dict.fromkeys([*old_versions, *versions]) if old_versions.get(name) != versions.get(name)]
    again = replace(report, identity=replace(report.identity, environment=tuple(old_versions.items())))
    lines = []
    if "sections" in recorded:
        lines = list(json_form.differences(recorded, json.loads(json_form.render(again))))
    raw = read_bytes(path, json_form.MOST_BYTES)
    form = json_form.form_of(raw)
    if form != "json" and not lines and raw != (new := render(again, form)):
        lines = list(_pages(raw, new, form))
        if not lines and form == "pdf" and raw.startswith(new):
            lines = [f"the report's bytes are unaltered; {len(raw) - len(new):,} bytes follow that combin did not "
                     "write, such as a digital signature: check them with the program that wrote them"]
        elif not lines and not (form == "pdf" and old_versions.get("typst") != versions.get("typst")):
            lines = ["the pages have the same texts, but the file differs from the one that the figures give"]
    return lines, notes


def _is_report(word: str) -> bool:
    """Return whether a word is the path of a report."""
    try:
        return Path(word).is_file() and bool(json_form.request_of(json_form.read(word), word))
    except InputError:
        return False


def _pages(raw: bytes, new: bytes, form: str) -> Iterator[str]:
    """Yield the differences of two files of one form, with their locations."""
    parts: Callable[[bytes], list[tuple[str, str]]] = {"pdf": _of_pdf, "xlsx": _of_workbook}.get(form, _of_text)
    number = 0
    for old, other in zip_longest(parts(raw), parts(new), fillvalue=("", "")):
        if old != other and number < MOST_NAMED:
            number += 1
            yield f"{old[0] or other[0]}: {_difference(old[1], other[1])}"


def _difference(old: str, new: str) -> str:
    """Return the first difference of two texts with its context."""
    index = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    begin = max(index - 20, 0)
    return f"“{old[begin:index + 40]}”, recomputed “{new[begin:index + 40]}”"


def _of_text(raw: bytes) -> list[tuple[str, str]]:
    return [(f"line {n}", line) for n, line in enumerate(raw.decode("utf-8", "replace").splitlines(), 1)]


def _of_workbook(raw: bytes) -> list[tuple[str, str]]:
    try:
        with ZipFile(io.BytesIO(raw)) as book:
            return [(name, book.read(name).decode("utf-8", "replace")) for name in sorted(book.namelist())]
    except BadZipFile:
        return []


def _of_pdf(raw: bytes) -> list[tuple[str, str]]:
    """Return the text of each page, in order."""
    objects = {int(m[1]): m[2] for m in _OBJECT.finditer(raw)}
    pages = [body for _, body in sorted(objects.items()) if re.search(rb"/Type\s*/Page\b(?!s)", body)]
    return [(f"page {n}", _text(objects, page)) for n, page in enumerate(pages, 1)]


def _reference(body: bytes, key: bytes) -> int:
    match = re.search(rb"/" + key + rb"\s*\[?\s*(\d+) 0 R", body)
    return int(match[1]) if match else 0


def _stream(objects: dict[int, bytes], number: int) -> bytes:
    body = objects.get(number, b"")
    content = body.partition(b"stream\n")[2].rpartition(b"\nendstream")[0]
    with suppress(zlib.error):
        return zlib.decompressobj().decompress(content, json_form.MOST_BYTES) if b"FlateDecode" in body else content
    return b""


def _text(objects: dict[int, bytes], page: bytes) -> str:
    """Return the text of a page, with glyphs translated through the table of their font."""
    resources = objects.get(_reference(page, b"Resources"), page)
    fonts = {m[1]: _glyphs(objects, int(m[2])) for m in re.finditer(rb"/(f\d+) (\d+) 0 R", resources)}
    glyphs: dict[bytes, str] = {}
    pieces: list[str] = []
    for match in _SHOWN.finditer(_stream(objects, _reference(page, b"Contents"))):
        token = match[0]
        if match[1]:
            glyphs = fonts.get(match[1], {})
        elif token == b"ET":
            pieces.append(" ")
        elif token[:1] in (b"(", b"<"):
            codes = _unescaped(token[1:-1]) if token[:1] == b"(" else bytes.fromhex(match[2].decode())
            pieces += [glyphs.get(codes[i : i + 2], "?") for i in range(0, len(codes), 2)]
    return " ".join("".join(pieces).split())


def _unescaped(text: bytes) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        word = match[1]
        return bytes([int(word, 8)]) if word[:1].isdigit() else _ESCAPES.get(word, word)

    return re.sub(rb"\\([0-7]{1,3}|.)", one, text, flags=re.DOTALL)


def _glyphs(objects: dict[int, bytes], font: int) -> dict[bytes, str]:
    """Return the text of each glyph of a font."""
    table: Any = _stream(objects, _reference(objects.get(font, b""), b"ToUnicode"))
    pairs = re.findall(rb"<([0-9A-Fa-f]{4})> <([0-9A-Fa-f]+)>\n", table)
    return {bytes.fromhex(code.decode()): bytes.fromhex(text.decode()).decode("utf-16-be", "replace")
            for code, text in pairs}
