"""Views of an analysis: all show the same figures, and none computes one."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

TEXTUAL = {"json": "json", "csv": "csv", "markdown": "markdown", "table": "terminal"}


def render(analyses: Sequence[Any], form: str) -> str:
    """Return the text of analyses as json, csv, markdown, or table (plain text)."""
    module = import_module(f".{TEXTUAL[form]}", __name__)
    text = module.plain(analyses) + "\n" if form == "table" else module.render(analyses)
    assert isinstance(text, str)
    return text
