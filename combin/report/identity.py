"""The inputs of a report, and the digest by which two parties compare figures."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .._kernels import _sources
from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.version import VERSION
from ..games.registry import game_named
from ..wagers import outcome_function
from ..wagers.condition_tree import calls_of
from ..wagers.wager_outcomes import conditions_of, deal_of, is_stated

#: The metadata of a field of a report whose key in JSON is another than its name; empty for a field without a key.
JSON_KEY = "json"
#: Suffixes of sources; compiled modules differ between machines.
SOURCES = (".py", ".toml", ".css", ".js", ".typ")
#: The included files of each kernel; empty for a build that does not record them.
INCLUDED: Mapping[str, Sequence[str]] = getattr(
    _sources, "INCLUDED", {name.removesuffix(".pyx"): () for name in _sources.SHA256 if name.endswith(".pyx")}
)


@dataclass(frozen=True)
class Source:
    """A rule document with the digests of its text and of its transcription."""

    id: str
    title: str
    issuer: str
    version: str
    text_sha256: str
    data_sha256: str


@dataclass(frozen=True)
class ReportRequest:
    """The arguments of the command, sufficient to repeat it; files by their names without folders."""

    patterns: tuple[str, ...]
    decks: tuple[int, ...] = ()
    any_decks: bool = False
    set: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    without: str = ""
    wheel: str | None = None
    chart: str = ""
    policy: str | None = None
    compare: bool = False
    quick: bool = False
    odds: str = ""
    columns: str = ""
    cover: str | None = None
    results: str | None = None
    compare_with: str | None = None
    bonus: tuple[str, ...] = ()
    best_play: bool = False
    #: The maximum number of seats for which the meter cycle is shown; 0 for one seat only.
    seats: int = 0
    #: The date that ends waivers of the policy.
    today: str | None = None
    #: A client's names of outcomes: a glob for files, the name in the sheet, the outcome.
    map: tuple[tuple[str, str, str], ...] = ()
    #: A client's layout or rack card that is compared with the pays.
    layout: str | None = None

    @property
    def command(self) -> str:
        options: list[tuple[str, object]] = [
            ("--decks", ",".join(map(str, self.decks))), ("--any-decks", self.any_decks),
            *((flag, f"{name}={value}") for flag, pairs in (("--set", self.set), ("--reading", self.reading))
              for name, value in pairs.items()),
            ("--without", self.without), ("--wheel", self.wheel), ("--chart", self.chart), ("--seats", self.seats),
            ("--policy", self.policy), ("--today", self.today), ("--compare", self.compare), ("--quick", self.quick),
            ("--odds", self.odds), ("--columns", self.columns),
            *(("--map", f"{name}={outcome}") for _, name, outcome in self.map),
            ("--cover", self.cover), ("--results", self.results), ("--layout", self.layout),
            *(("--with", identifier) for identifier in self.bonus),
            ("--best-play", "DIR" if self.best_play else ""), ("--compare-with", self.compare_with),
        ]
        words = ["combin", "report", *self.patterns]
        for flag, value in options:
            if value:
                words += [flag] if value is True else [flag, str(value)]
        return shlex.join(words)


@dataclass(frozen=True)
class Identity:
    """The inputs of a report: the program, the documents, the user's files, the kernels, and digests.

    ``package_sha256`` covers every source of the installed package, ``plug_ins`` those that the
    analyses use. ``environment`` lists the versions of the program's environment; only it is
    not covered by ``report_sha256``.
    """

    version: str
    package_sha256: str
    request: ReportRequest = field(metadata={JSON_KEY: "asked"})
    documents: tuple[Source, ...]
    files: tuple[tuple[str, str], ...]
    plug_ins: tuple[tuple[str, str], ...]
    kernels: tuple[tuple[str, str], ...]
    environment: tuple[tuple[str, str], ...]
    figures_sha256: str
    report_sha256: str = ""


def identify(
    analyses: Sequence[Analysis], request: ReportRequest, user_files: Mapping[str, str] | None = None
) -> Identity:
    """Return the inputs of the analyses; ``user_files`` has the SHA-256 of each file by its name in the report."""
    documents: dict[str, Source] = {}
    for a in analyses:
        d = a.resolved.document
        documents.setdefault(d.id, Source(d.id, d.title, d.issuer, d.version, d.sha256, d.data_sha256))
    return Identity(
        VERSION,
        package_digest(),
        request,
        tuple(documents.values()),
        tuple((user_files or {}).items()),
        plug_ins(analyses),
        kernels(analyses, second=not request.quick),
        environment(),
        figures_digest(analyses),
    )


@cached("the digest of the installed package", most=1)
def package_digest() -> str:
    """Return the SHA-256 of all sources of the installed package with their paths, without compiled files."""
    home = Path(__file__).parents[1]
    hasher = sha256()
    for path in sorted(p for p in home.rglob("*") if p.is_file() and p.suffix in SOURCES):
        name = path.relative_to(home).as_posix()
        if name != "_kernels/_sources.py":  # it contains the name of the compiler
            hasher.update(f"{name}\n{sha256(path.read_bytes()).hexdigest()}\n".encode())
    for name, digest in sorted(_sources.SHA256.items()):
        hasher.update(f"ext/{name}\n{digest}\n".encode())
    return hasher.hexdigest()


def plug_ins(analyses: Sequence[Analysis]) -> tuple[tuple[str, str], ...]:
    """Return the outcome functions and games of other packages in use, with the digests of their sources."""
    used: dict[str, Any] = {}
    for a in analyses:
        if a.resolved.terms.outcomes:
            used[f"outcomes {a.resolved.terms.outcomes}"] = outcome_function(a.resolved.terms.outcomes)
        if a.resolved.terms.game:
            used[f"game {a.resolved.terms.game}"] = game_named(a.resolved.terms.game)
    return tuple((name, source) for name, plug_in in used.items() for source in _foreign(plug_in))


def _foreign(plug_in: Any) -> Iterator[str]:
    module = getattr(plug_in, "__module__", "")
    package = module.partition(".")[0]
    if package == "combin" or module not in sys.modules:
        return
    path = getattr(sys.modules[module], "__file__", None)
    yield sha256(Path(path).read_bytes()).hexdigest() if path else "no source"


def kernels(analyses: Sequence[Analysis], *, second: bool = True) -> tuple[tuple[str, str], ...]:
    """Return the kernels that the analyses use, with the digest of each source.

    ``second`` includes the kernels of the independent methods.
    """
    used: set[str] = set()
    for a in analyses:
        terms, deal = a.resolved.terms, deal_of(a.resolved)
        games = {terms.game}
        if terms.depends_on_play:
            games |= {w.terms.game for w in a.book.wagers.values() if w.document.id == a.resolved.document.id}
        for home in (*map(game_named, games - {""}), *((deal,) if deal else ())):
            used |= {*home.kernels, *(home.second_kernels if second else ())}
        if is_stated(terms) and any(call.word == "poker" for node in conditions_of(terms).values()
                                    for call in calls_of(node)):
            used.add("poker")
    names = sorted({name for kernel in used for name in (f"{kernel}.pyx", *INCLUDED.get(kernel, ()))})
    return tuple((name, _sources.SHA256[name]) for name in names if name in _sources.SHA256)


def environment() -> tuple[tuple[str, str], ...]:
    """Return the versions of Python, packages and compilers."""
    return (
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("numpy", version("numpy")),
        ("sympy", version("sympy")),
        ("Cython", getattr(_sources, "CYTHON", "")),
        ("typst", _version("typst")),
        ("xlsxwriter", _version("xlsxwriter")),
        ("compiler of the kernels", getattr(_sources, "COMPILER", "")),
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def figures_digest(analyses: Sequence[Analysis]) -> str:
    """Return the SHA-256 of every exact figure: the JSON form without decimals and names, keys in order."""
    from ..views.json import record

    exact = [_exact(record(a)) for a in analyses]
    return sha256(json.dumps(exact, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _exact(value: Any) -> Any:
    """Return the content of a digest: all values except words, and decimals, which follow from exact values."""
    if isinstance(value, dict):
        return {k: _exact(v) for k, v in value.items() if k not in ("decimal", "name", "clause")}
    return [_exact(v) for v in value] if isinstance(value, list) else value
