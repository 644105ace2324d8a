"""Analyses as Markdown, to read in a repository and to diff by line."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis.model import Analysis
from ..pages.markdown import of_parts
from . import model


def section(a: Analysis, level: int = 2) -> list[str]:
    """Return the lines of an analysis, with a heading at ``level``."""
    return [*of_parts([model.part(a)], level).splitlines(), ""]


def render(analyses: Sequence[Analysis]) -> str:
    return of_parts([model.part(a) for a in analyses])
