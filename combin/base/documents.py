"""JSON that combin writes: every document, or every record of a list, has its kind and version in ``schema``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .safe_text import shown_json

#: The version of each kind; it rises if a key changes its meaning or is removed, not if a key is added.
VERSIONS = {
    "analyses": 1,
    "analysis": 1,
    "audit": 1,
    "baseline": 1,
    "best-play": 1,
    "check": 1,
    "checks": 1,
    "coverage": 1,
    "design": 1,
    "diff": 1,
    "findings": 1,
    "list": 1,
    "meter": 1,
    "published": 1,
    "readings": 1,
    "removal": 1,
    "report": 1,
    "self-check": 1,
    "simulate": 1,
    "solve": 1,
    "strategy": 1,
    "verify": 1,
}


def schema(kind: str) -> str:
    """Return the value of the key ``schema`` of a kind: ``combin/check/1``."""
    return f"combin/{kind}/{VERSIONS[kind]}"


def document(kind: str, content: Mapping[str, Any]) -> str:
    """Return one object as JSON text."""
    return _text({"schema": schema(kind), **content})


def records(kind: str, found: Iterable[Mapping[str, Any]]) -> str:
    """Return a list of objects as JSON text, each with its ``schema``."""
    return _text([{"schema": schema(kind), **one} for one in found])


def _text(content: Any) -> str:
    return shown_json(json.dumps(content, ensure_ascii=False, indent=1)) + "\n"
