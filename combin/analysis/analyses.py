"""Several analyses: a tuple that is displayed as a table and converts to a data frame."""

from __future__ import annotations

from typing import Any, SupportsIndex, overload

from ..base.displayed import Displayed
from ..base.later import later
from ..base.typed import typed
from .model import Analysis


class Analyses(Displayed, tuple[Analysis, ...]):
    """Analyses in order, displayed with one row each; `combin.analyze_all` returns them. It is a tuple.

    >>> import combin
    >>> in_between = combin.analyze_all("maryland/blackjack/in-between/A", decks=[6, 8])
    >>> print(in_between)  # doctest: +ELLIPSIS
    id                               decks     return ...
    maryland/blackjack/in-between/A      6  94.5818 % ...
    maryland/blackjack/in-between/A      8  94.9030 % ...
    >>> max(in_between, key=lambda a: a.returned).decks
    8
    """

    __slots__ = ()

    @overload
    def __getitem__(self, index: SupportsIndex) -> Analysis: ...
    @overload
    def __getitem__(self, index: slice) -> Analyses: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Analysis | Analyses:
        items = super().__getitem__(index)
        return Analyses(items) if isinstance(index, slice) else items  # type: ignore[arg-type, return-value]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return every analysis as in the JSON form."""
        return [a.to_dict() for a in self]

    @typed
    def to_frame(self, rows: str = "analyses", library: str = "") -> Any:
        """Return a data frame with a row per analysis, or per outcome with ``rows="outcomes"``.

        ``library`` is ``pandas`` or ``polars``; by default the first one that is installed. Decimals are floats; the
        column with the suffix ``_exact`` has the exact text of each.
        """
        return later("views.frame").of(self, rows, library)

    def __repr__(self) -> str:
        return str(self) if self else "Analyses()"
