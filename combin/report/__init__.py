"""The certification report: one model of the document, one renderer for each form."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.errors import fault

if TYPE_CHECKING:
    from .model import Report

#: Renderers by suffix; each has ``render(report)`` that returns text or bytes.
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
    content: str | bytes = import_module(f".{form}", __name__).render(report)
    return content.encode() if isinstance(content, str) else content
