"""Results of play show themselves: as text when printed, as tables in a notebook."""

from __future__ import annotations

from ..base.later import later


class Shown:
    """What `combin strategy` prints of a result."""

    def __str__(self) -> str:
        strategy = later("views.strategy")
        return strategy.render([self], "table").rstrip("\n")

    def _repr_html_(self) -> str:
        notebook = later("views.notebook")
        return notebook.play(self)
