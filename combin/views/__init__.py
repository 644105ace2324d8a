"""Views of an analysis: all show the same figures, and none computes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def render(analyses: Sequence[Any], form: str) -> str:
    """Return the text of analyses as json, csv, markdown, or table (plain text)."""
    from .. import pages
    from . import csv, json, model

    if form in ("json", "csv"):
        return (json if form == "json" else csv).render(analyses)
    return pages.render([model.part(a) for a in analyses], form)
