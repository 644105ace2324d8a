"""Views of an analysis: each sets the same figures, none computes one."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

TEXTUAL = {"json": "json", "csv": "csv", "markdown": "markdown", "table": "terminal"}


def render(analyses: Sequence[Any], form: str) -> str:
    """The text of a form: json, csv, markdown, or table as plain text."""
    module = import_module(f".{TEXTUAL[form]}", __name__)
    text = module.plain(analyses) + "\n" if form == "table" else module.render(analyses)
    assert isinstance(text, str)
    return text
