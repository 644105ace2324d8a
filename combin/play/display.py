"""Results of play are displayed as text when printed, and as tables in a notebook."""

from __future__ import annotations

from ..base.later import later


class Shown:
    """A result that is displayed as `combin strategy` prints it."""

    def __str__(self) -> str:
        strategy = later("views.strategy")
        return strategy.render([self], "table").rstrip("\n")

    def _repr_html_(self) -> str:
        notebook = later("views.notebook")
        return notebook.play(self)
