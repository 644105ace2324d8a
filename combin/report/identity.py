"""What a report rests on, and the one line by which two parties compare its figures."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from .. import __version__
from ..analysis.model import Analysis


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
class Asked:
    """The arguments of the command, files by their bare names: enough to ask again."""

    patterns: tuple[str, ...]
    decks: int | None = None
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

    @property
    def command(self) -> str:
        words = ["combin", "report", *self.patterns]
        if self.decks is not None:
            words += ["--decks", str(self.decks)]
        words += ["--any-decks"] if self.any_decks else []
        for flag, pairs in (("--set", self.set), ("--reading", self.reading)):
            for name, value in pairs.items():
                words += [flag, f"{name}={value}"]
        words += ["--without", self.without] if self.without else []
        words += ["--wheel", self.wheel] if self.wheel else []
        words += ["--chart", self.chart] if self.chart else []
        words += ["--policy", self.policy] if self.policy else []
        words += ["--compare"] if self.compare else []
        words += ["--quick"] if self.quick else []
        words += ["--odds", self.odds] if self.odds else []
        words += ["--columns", self.columns] if self.columns else []
        return shlex.join(words)


@dataclass(frozen=True)
class Identity:
    """Version, sources, user files, kernels and the digest of all figures."""

    version: str
    asked: Asked
    documents: tuple[Source, ...]
    files: tuple[tuple[str, str], ...]
    kernels: tuple[tuple[str, str], ...]
    figures_sha256: str


def identify(analyses: Sequence[Analysis], asked: Asked, user_files: Mapping[str, str] | None = None) -> Identity:
    """What the analyses rest on; ``user_files`` holds the SHA-256 of each file by its name in the report."""
    documents: dict[str, Source] = {}
    for a in analyses:
        d = a.resolved.document
        documents.setdefault(d.id, Source(d.id, d.title, d.issuer, d.version, d.sha256, d.data_sha256))
    return Identity(
        __version__,
        asked,
        tuple(documents.values()),
        tuple((user_files or {}).items()),
        kernels(),
        figures_digest(analyses),
    )


def kernels() -> tuple[tuple[str, str], ...]:
    """The sources that the installed kernels were compiled from, with their digests."""
    from .._kernels import _sources

    return tuple(sorted(_sources.SHA256.items()))


def figures_digest(analyses: Sequence[Analysis]) -> str:
    """SHA-256 of every exact figure: the JSON form without decimals and names, keys in order."""
    from ..views.json import record

    exact = [_exact(record(a)) for a in analyses]
    return sha256(json.dumps(exact, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _exact(value: Any) -> Any:
    """What a digest covers: everything but the decimals, which the exact values imply, and words."""
    if isinstance(value, dict):
        return {k: _exact(v) for k, v in value.items() if k not in ("decimal", "name", "clause")}
    return [_exact(v) for v in value] if isinstance(value, list) else value
