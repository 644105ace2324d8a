"""The certification report: one record, one page of it, and the workbook."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import fault

if TYPE_CHECKING:
    from .model import Report

#: Output forms by suffix; those of `combin.pages` render the page of `layout`, the others the record.
FORMS = {".html": "html", ".pdf": "pdf", ".xlsx": "xlsx", ".md": "markdown", ".json": "json"}


def form_of(path: str) -> str:
    """The renderer of a file name; `InputError` for a suffix that none writes."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise fault(f'no report is written as "{suffix or path}"', f"end the name in {', '.join(FORMS)}",
                    file="-o", place=path)
    return FORMS[suffix]


def render(report: Report, form: str) -> bytes:
    """The bytes of a report in one form."""
    content: str | bytes
    if form in ("json", "xlsx"):
        content = import_module(f".{form}", __name__).render(report)
    else:
        from . import json, layout

        writer = import_module(f"..pages.{form}", __name__)
        page = layout.page(report)
        content = writer.render(page, json.render(report)) if form == "pdf" else writer.render(page)
    return content.encode() if isinstance(content, str) else content
