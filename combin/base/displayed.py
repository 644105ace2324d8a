"""Objects that are displayed as text when printed, and as tables in a notebook."""

from __future__ import annotations

from .later import later


class Displayed:
    """An object with one page: text when printed, HTML in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = later("views.display").text(self)
        return text

    def _repr_html_(self) -> str:
        html: str = later("views.display").html(self)
        return html
