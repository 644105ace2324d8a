"""The committed analyses: catalogue.toml of a folder says what is analysed; the results are written to the folder.

    [[analysis]]
    patterns = ["maryland/blackjack/pair/*"]   # ids and globs over ids; "!GLOB" excludes ids
    files = ["paytables/*.toml", "../old/"]    # files, folders and globs of files, from the folder
    decks = [6, 8]                             # instead of the default numbers
    set = { stake = "5" }                      # values of parameters
    reading = { dealer-soft-17 = "hits" }      # choices of readings

Every file begins with the command that generated it and a digest of its inputs. Files are replaced one by one, each as
a whole. Files that are no longer generated are removed.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeVar

from ..analysis.engine import not_dealt, requests_of, run
from ..analysis.model import Analysis
from ..analysis.request import Request
from ..analysis.store_key import inputs_of
from ..base import budgets
from ..base.documents import document
from ..base.errors import Fault, InputError, fault
from ..base.exact import symbol
from ..base.output import clear_parts
from ..base.textfiles import Block, KeyLines
from ..base.toml_tables import FILLED, TomlFile, empty
from ..base.version import VERSION
from ..base.work import each
from ..pages.markdown import of_parts, safe, table
from ..rulebook.book import Rulebook, shipped
from ..userfiles.expansion import from_folder
from ..userfiles.paytables import add_file
from ..userfiles.words import wager_and_path
from ..userfiles.written import PLAIN, Written
from ..views import json as json_view
from ..views import model
from .changes import Change, VersionFigures, ordered
from .diff import fitting
from .folder import edited, keep_others, put, with_digests

T = TypeVar("T")

CATALOGUE = "catalogue.toml"
COMMAND = "combin regenerate"
#: The folder of the pages of users' paytables.
OWN = "files"


@dataclass(frozen=True)
class Entry:
    """One entry of a catalogue."""

    patterns: tuple[Annotated[str, FILLED], ...] = ()
    files: tuple[Annotated[str, FILLED], ...] = ()
    decks: tuple[int, ...] = ()
    set: Mapping[str, str] = empty()
    reading: Mapping[str, str] = empty()


@dataclass(frozen=True)
class Catalogue:
    """The content of catalogue.toml: entries, and whether published claims are written (``ledger = true``)."""

    analysis: tuple[Entry, ...]
    ledger: bool = False


def _catalogue(folder: Path) -> tuple[Catalogue, KeyLines]:
    """Return the folder's catalogue and the lines of its keys. Raises `InputError` with every fault of the file."""
    path = folder / CATALOGUE
    if not path.is_file():
        raise fault("has no catalogue.toml", "name a folder of committed analyses", file=str(folder))
    file = TomlFile.of(path)
    entries = file.data.get("analysis", [])
    if not isinstance(entries, list) or not entries:
        raise fault("names no analysis", 'add [[analysis]] with patterns = ["..."] or files = ["..."]', file=str(path))
    if len(entries) > budgets.ENTRIES:
        raise fault(f"has more than {budgets.ENTRIES} tables [[analysis]]", "write wider globs", file=str(path))
    catalogue = file.read(Catalogue)
    for number, entry in enumerate(entries, 1):
        named = {key for key in ("patterns", "files") if isinstance(entry, dict) and key in entry}
        if not named:
            file.report("names neither patterns nor files", 'write patterns = ["maryland/*"]', (f"analysis #{number}",))
        for key in ("patterns", "files", "decks"):
            if isinstance(entry, dict) and entry.get(key) == []:
                file.report(f"{key} is empty", "leave it out, or write what it names", (f"analysis #{number}", key))
    return file.checked(catalogue), file.places


def _group(book: Rulebook, identifier: str) -> str:
    """Return the name of a page: folder of the document / wager, or files / file-wager for a user's paytable."""
    wager, paytable = book.find(identifier)
    if paytable.file:
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(paytable.file.partition("#")[0]).with_suffix("").as_posix())
        return f"{OWN}/{stem.strip('-')}-{wager.local_id}"
    return f"{wager.document.id}/{wager.local_id}"


def requested(
    folder: Path, left_out: list[tuple[str, str]] | None = None, layout: Written = PLAIN
) -> tuple[dict[str, list[Request]], Rulebook, bool]:
    """Return the requests of the folder's catalogue by page, the rulebook, and whether published claims are wanted.

    ``left_out`` receives the paytables of files and globs that an entry does not fit, each with the reason.
    """
    catalogue, places = _catalogue(folder)
    book, ids = _with_files(folder, catalogue.analysis, layout)
    groups: dict[str, list[Request]] = {}
    for index, entry in enumerate(catalogue.analysis):
        file_ids = [i for path in from_folder(folder, entry.files) for i in ids[path]]
        try:
            chosen = book.select(entry.patterns)
            named = [i for i in chosen if i in entry.patterns]
            globs = [i for i in chosen if i not in named]
            fits, others = fitting(book, [*dict.fromkeys([*globs, *file_ids])], entry.decks, entry.reading)
            if others and not [*named, *fits]:
                raise not_dealt([book.resolve(i) for i in (*globs, *file_ids)], entry.decks)
            if left_out is not None:
                left_out += others
            requests = requests_of([*named, *fits], decks=entry.decks or None, set=entry.set,
                                   reading=entry.reading, book=book, found_by_glob=fits)
        except InputError as error:
            path, block = str(folder / CATALOGUE), places.block("analysis", index)
            raise InputError(*(_of_the_catalogue(item, path, block) for item in error.faults)) from None
        for request in requests:
            groups.setdefault(_group(book, request.id), []).append(request)
    return groups, book, catalogue.ledger


def _of_the_catalogue(item: Fault, path: str, block: Block) -> Fault:
    """Return a fault of a request as one of the catalogue: with its file, the line, and the key instead of a flag."""
    if item.file and not item.file.startswith("--"):
        return item
    key = item.file.removeprefix("--") or "patterns"
    line = block.of("analysis", (key,))
    place = ": ".join(part for part in (line, key, item.place) if part)
    return replace(item, file=path, place=place)


def made_of_each(
    make: Callable[[Rulebook, Request], T], groups: Mapping[str, Sequence[Request]], book: Rulebook
) -> dict[str, list[T]]:
    """Return the results of ``make`` for all requests, plain records, by page."""
    every = [request for group in groups.values() for request in group]
    results = iter(each(make, book, every, inputs=lambda r: inputs_of(book, r.id, r), label="analyses"))
    return {name: [next(results) for _ in group] for name, group in groups.items()}


def _with_files(folder: Path, wanted: Iterable[Entry], layout: Written) -> tuple[Rulebook, dict[str, list[str]]]:
    """Return the shipped rulebook with the files of the catalogue, and the ids of each; paths are from the folder."""
    book, ids = shipped(), dict[str, list[str]]()
    for path in dict.fromkeys(path for entry in wanted for path in from_folder(folder, entry.files)):
        book, ids[path] = add_file(book, path, layout)
        name = Path(os.path.relpath(wager_and_path(path)[1], folder)).as_posix()
        for wager, paytable in map(book.find, ids[path]):
            named = {**wager.paytables, paytable.id: replace(paytable, file=name)}
            book.with_paytables(replace(wager, paytables=named))
    return book, ids


@dataclass(frozen=True)
class Piece:
    """The parts of a page for one analysis: its JSON form, its row of the summary, its section."""

    record: Mapping[str, Any]
    summary: tuple[str, ...]
    section: tuple[str, ...]


def _piece(book: Rulebook, request: Request) -> Piece:
    a = run(book, request)
    return Piece(json_view.record(a), _summary(a), (*of_parts([model.part(a)]).splitlines(), ""))


def pages(folder: Path, left_out: list[tuple[str, str]] | None = None, layout: Written = PLAIN) -> dict[str, str]:
    """Return the content of every generated file by its path within the folder."""
    groups, book, has_ledger = requested(folder, left_out, layout)
    by_path: dict[str, str] = {}
    for name, pieces in made_of_each(_piece, groups, book).items():
        ids = [request.id for request in groups[name]]
        digest = _digest(ids, book)
        source = book.find(ids[0])[0].document
        by_path[f"{name}.json"] = document("analyses", {
            "generated": f"by {COMMAND} (combin {VERSION}); do not edit",
            "document": {"id": source.id, "title": source.title, "version": source.version, "sha256": source.sha256},
            "inputs_sha256": digest,
            "analyses": [piece.record for piece in pieces],
        })
        by_path[f"{name}.md"] = _markdown(ids, pieces, digest, book)
    by_path["README.md"] = _index(groups, book, has_ledger)
    if has_ledger:
        from ..published import pages as ledger_pages

        by_path |= ledger_pages()
    return with_digests(by_path, COMMAND)


def _digest(ids: Sequence[str], book: Rulebook) -> str:
    """Return the digest of a page's inputs: combin's version, the document, and the transcription of this wager.

    An edited pay thus leaves the pages of other wagers unchanged.
    """
    wager = book.find(ids[0])[0]
    readings = list({(r.id, r.wagers): r for i in ids for r in book.readings_of(i)}.values())
    findings = list(dict.fromkeys(f for i in ids for f in book.findings_of(i)))
    letters = {paytable.id for _, paytable in map(book.find, ids) if paytable.file}
    paytables = {k: p for k, p in wager.paytables.items() if (k in letters if letters else not p.file)}
    inputs = [VERSION, wager.document.sha256, wager.written, paytables, readings, findings]
    return sha256(json.dumps(inputs, default=_plain, sort_keys=True).encode()).hexdigest()


#: Fields that are not in the digest: the digest of the whole file, and those that only a user's file has.
STATED_ELSEWHERE = ("data_sha256", "unknowns", "stated", "notes", "waivers")


def _plain(value: Any) -> Any:
    """Return rule data as JSON: mappings unchanged, frozen objects by their fields."""
    if isinstance(value, Mapping):
        return dict(value)
    return {f.name: getattr(value, f.name) for f in fields(value) if f.name not in STATED_ELSEWHERE}


def _markdown(ids: Sequence[str], pieces: Sequence[Piece], digest: str, book: Rulebook) -> str:
    wager = book.find(ids[0])[0]
    document = wager.document
    lines = [
        f"<!-- Generated by `{COMMAND}` (combin {VERSION}); do not edit. Inputs: sha256 {digest} -->",
        f"# {safe(wager.name)}",
        "",
        f"{safe(document.issuer)}: {safe(document.title)} {safe(document.version)}".rstrip(),
        f"({safe(wager.clause)}). Document sha256 {document.sha256}.",
        "",
        *table(
            ("paytable", "decks", "return", "house edge", "hit frequency", "standard deviation"),
            [piece.summary for piece in pieces],
        ),
        "",
    ]
    for piece in pieces:
        lines += piece.section
    bearing = {r.id: r for i in ids for r in book.readings_of(i)}
    if bearing:
        lines += ["## Readings", ""]
        for reading in bearing.values():
            lines.append(f"- **{reading.id}** ({safe(reading.clause)}): {safe(reading.question)}")
            for choice in reading.choices:
                mark = f" (primary, {choice.basis})" if choice is reading.primary else ""
                lines.append(f"  - {choice.id}{mark}: {safe(choice.why)}")
        lines.append("")
    findings = list(dict.fromkeys(f for i in ids for f in book.findings_of(i)))
    if findings:
        lines += ["## Findings", ""]
        lines += [f"- **{f.id}** ({safe(f.clause)}; {f.kind}): {safe(f.text)}" for f in findings]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _summary(a: Analysis) -> tuple[str, ...]:
    from ..base.exact import decimal

    deviation = a.standard_deviation
    # A page may have a paytable under several readings.
    primary = {r.id: r.primary.id for r in a.book.readings_of(a.id)}
    name = ", ".join([a.id, *(f"{k}={v}" for k, v in a.request.reading.items() if primary.get(k) != v)])
    if not a.has_stake:
        return (name, str(a.decks), "", "", model.share(a.hit_frequency), "")
    return (
        name,
        str(a.decks),
        model.share(a.returned),
        model.share(a.house_edge),
        model.share(a.hit_frequency),
        "" if deviation is None else decimal(deviation, 4),
    )


def _index(groups: Mapping[str, Sequence[Request]], book: Rulebook, has_ledger: bool) -> str:
    lines = [
        f"<!-- Generated by `{COMMAND}` (combin {VERSION}); do not edit. -->",
        "# Exact analyses",
        "",
        "One page and one JSON file for each wager; exact counts and fractions, regenerated byte for byte.",
        "",
    ]
    if has_ledger:
        lines += ["[What has been published, and what is so](published.md): every published claim against these.", ""]
    folder = ""
    for name, group in groups.items():
        if (page_folder := name.split("/")[0]) != folder:
            folder = page_folder
            lines += ["", f"## {safe(book.find(group[0].id)[0].document.title)}", ""]
        tables = len({request.id for request in group})
        lines.append(f"- [{name.split('/')[1]}]({name}.md): {tables} paytable(s), [JSON]({name}.json)")
    return "\n".join(line for i, line in enumerate(lines) if line or lines[i - 1]) + "\n"


#: The beginnings of the pages and JSON files that this command writes.
_FIRST = re.compile(
    rb"<!-- Generated by `combin regenerate` \(combin [^)\n]*\); do not edit\.(?: Inputs: sha256 [0-9a-f]{64})? -->\n"
    rb'|\{\n(?: "schema": "combin/[a-z]+/\d+",\n)?'
    rb' "generated": "by combin regenerate \(combin [^)\n]*\); do not edit",\n'
)


def _folders(root: Path, paths: Iterable[str]) -> list[Path]:
    """Return the folders that the command writes to: the given one, and one for each document."""
    names = dict.fromkeys([*(name.partition("/")[0] for name in paths if "/" in name), *shipped().documents, OWN])
    return [root, *(root / name for name in names if (root / name).is_dir() and not (root / name).is_symlink())]


def _is_generated(path: Path) -> bool:
    """Return whether the first line of a file says that this command wrote it."""
    try:
        with open(path, "rb") as stream:
            return _FIRST.match(stream.read(400)) is not None
    except FileNotFoundError:  # another run has removed it since
        return False


def _generated(root: Path, paths: Iterable[str]) -> Iterator[str]:
    """Return the files that this command wrote."""
    for folder in _folders(root, paths):
        for path in sorted(folder.iterdir()):
            named = path.suffix in (".json", ".md") and not path.name.startswith(".")
            if named and path.is_file() and not path.is_symlink() and _is_generated(path):
                yield path.relative_to(root).as_posix()


def _changed(root: Path, by_path: dict[str, str]) -> list[str]:
    """Return a line for each return that differs from the folder's, with its causes; the largest change first.

    Analyses are matched by id and number of decks, and by readings if a page has several.
    """
    changes = []
    for name, content in by_path.items():
        if not name.endswith(".json") or not (root / name).is_file():
            continue
        try:
            before = _figures(json.loads((root / name).read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue  # not written by this command: the patch shows the difference
        after = _figures(json.loads(content))
        for key in dict.fromkeys(before):
            old, new = list(before[key]), list(after.get(key, []))
            pairs = [(was, now) for was in old for now in new if was.readings == now.readings]
            for was, now in pairs:
                old.remove(was)
                new.remove(now)
            pairs += zip(old, new, strict=False)
            changes += [Change(*key, was, now) for was, now in pairs if was.returned != now.returned]
    return [change.line() for change in ordered(changes)]


_PROGRAM = re.compile(r"\(combin ([^)]*)\)")


def _figures(page: dict[str, Any]) -> dict[tuple[str, int | None], list[VersionFigures]]:
    """Return the figures of a page's analyses by id and number of decks, with their inputs."""
    source = page.get("document") or {}
    document = f"{source.get('version', '')} {str(source.get('sha256', ''))[:12]}".strip()
    match = _PROGRAM.search(str(page.get("generated", "")))
    figures: dict[tuple[str, int | None], list[VersionFigures]] = {}
    for a in page.get("analyses", ()):
        pays = {o["outcome"]: o["pays"] for o in a.get("outcomes", ()) if o.get("pays")}
        values = {name: str(value) for name, value in a.get("parameters", {}).items() if value is not None}
        figure = _figure(a["return"], pays, readings=dict(a["readings"]), values=values, document=document,
                         program=match[1] if match else "")
        figures.setdefault((a["id"], a["decks"]), []).append(figure)
    return figures


def _figure(returned: dict[str, Any], pays: Mapping[str, str], **inputs: object) -> VersionFigures:
    """Return the figures of a page; a return that is not a number is shown as text and never evaluated."""
    try:
        return VersionFigures.of(Fraction(returned["exact"]), pays, **inputs)
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        return VersionFigures.of(symbol(f"({returned.get('exact', '')})"), pays, **inputs)


def rewrite(folder: str, left_out: list[tuple[str, str]] | None = None, layout: Written = PLAIN) -> list[str]:
    """Bring the folder up to date; return a line for each return and each file that changed."""
    root = Path(folder)
    by_path = pages(root, left_out, layout)
    existing = list(_generated(root, by_path))
    keep_others(root, by_path, existing, _is_generated, COMMAND)
    for target in _folders(root, by_path):
        clear_parts(target)
    lines = _changed(root, by_path)
    lines += put(root, by_path, existing)
    return lines or [f"{folder} is current"]


def check(
    folder: str, *, patch: bool = False, left_out: list[tuple[str, str]] | None = None, layout: Written = PLAIN
) -> str:
    """Return what is stale: returns that changed, in the form of `combin diff`, and files; empty if nothing is.

    ``patch`` shows the lines of the files.
    """
    root = Path(folder)
    by_path = pages(root, left_out, layout)
    lines = [f"# {line}\n" if patch else f"{line}\n" for line in _changed(root, by_path)]
    existing = list(_generated(root, by_path))
    by_hand = set(edited(root, existing))
    for name in dict.fromkeys([*by_path, *existing]):
        target = root / name
        old = target.read_bytes().decode("utf-8", "replace") if target.is_file() else ""
        new = by_path.get(name, "")
        if old != new:
            before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
            different = list(difflib.unified_diff(before, after, f"a/{target}", f"b/{target}", n=1 if patch else 0))
            added, removed = (sum(line.startswith(sign) for line in different[2:]) for sign in "+-")
            gone = "gone, and edited by hand" if name in by_hand else "gone"
            state = gone if name not in by_path else "stale" if target.is_file() else "missing"
            lines += different if patch else [f"{target}: {state} (+{added} −{removed} lines)\n"]
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
