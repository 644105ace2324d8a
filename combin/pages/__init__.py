"""A page is defined once, as blocks with exact cells; each output form has one writer."""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import Part


def render(parts: Sequence[Part], form: str, width: int | None = None, level: int = 2) -> str:
    """Return parts as markdown, the first heading at ``level``, or as text or table for a terminal.

    The terminal has ``width`` characters; None for that of standard output.
    """
    if form == "markdown":
        from .markdown import of_parts

        return of_parts(parts, level)
    from . import terminal

    return terminal.render(parts, terminal.width_of() if width is None else width)
