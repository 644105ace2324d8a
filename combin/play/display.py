"""Results of play show themselves: as text when printed, as tables in a notebook."""

from __future__ import annotations


class Shown:
    """What `combin strategy` prints of a result."""

    def __str__(self) -> str:
        from ..views import strategy

        return strategy.render([self], "table").rstrip("\n")

    def _repr_html_(self) -> str:
        from ..views import notebook

        return notebook.play(self)
