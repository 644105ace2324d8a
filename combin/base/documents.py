"""JSON that combin writes: every document, or every record of a list, has its kind and version in ``schema``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .safe_text import shown_json

#: The version of each kind; it rises if a key changes its meaning or is removed, not if a key is added.
VERSIONS = dict.fromkeys((
    "analyses", "analysis", "audit", "baseline", "best-play", "check", "checks", "coverage", "design", "diff",
    "findings", "list", "meter", "published", "readings", "removal", "report", "self-check", "simulate", "solve",
    "strategy", "verify",
), 1)  # fmt: skip


def schema(kind: str) -> str:
    """Return the value of the key ``schema`` of a kind: ``combin/check/1``."""
    return f"combin/{kind}/{VERSIONS[kind]}"


def document(kind: str, content: Mapping[str, Any]) -> str:
    """Return one object as JSON text."""
    return _text({"schema": schema(kind), **content})


def records(kind: str, contents: Iterable[Mapping[str, Any]]) -> str:
    """Return a list of objects as JSON text, each with its ``schema``."""
    return _text([{"schema": schema(kind), **content} for content in contents])


def _text(content: Any) -> str:
    return shown_json(json.dumps(content, ensure_ascii=False, indent=1)) + "\n"
