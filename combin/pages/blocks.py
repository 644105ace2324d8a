"""The blocks of a page, with exact cells; each writer renders every kind once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from ..base.exact import clear, grouped, percent


@dataclass(frozen=True)
class Number:
    """A figure as shown, with its exact value if it differs.

    ``in_appendix`` means that ``exact`` refers to a row of the appendix.
    """

    shown: str
    exact: str = ""
    in_appendix: bool = False

    @property
    def beside(self) -> str:
        """The exact value; empty if the figure shows it already."""
        written = self.shown.replace(",", "").replace(" × ", "*")  # an expression as it is shown
        return "" if self.exact in (self.shown, written) else self.exact


def number(value: Fraction, places: int = 8) -> Number:
    """Return the cell of an exact value, shown with ``places`` decimals."""
    return Number(clear(value, places), str(value))


def share(value: Fraction, places: int = 4) -> Number:
    """Return the cell of an exact share, shown in percent."""
    return Number(percent(value, places), str(value))


def count(value: int) -> Number:
    """Return the cell of a number of deals, shown with grouped digits."""
    return Number(grouped(value), str(value))


@dataclass(frozen=True)
class Mark:
    """Whether a check passed. None if it decides nothing."""

    passed: bool | None

    @property
    def shown(self) -> str:
        return {True: "ok", False: "FAILED", None: "–"}[self.passed]


@dataclass(frozen=True)
class Places:
    """Links to parts by anchor, on paper as page numbers; ``more`` if others follow."""

    anchors: tuple[str, ...]
    more: bool = False


Cell: TypeAlias = "str | Number | Mark | Places"


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Code:
    """Lines of a file, as they are written there."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list of sentences, each with an optional heading word; ``numbered`` steps are counted from 1."""

    items: tuple[tuple[str, str], ...]
    numbered: bool = False


@dataclass(frozen=True)
class Facts:
    """Names and values."""

    rows: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True)
class Grid:
    """A table; columns from index ``right`` on hold figures. ``last`` marks a closing row.

    ``narrow`` marks a table whose many columns have room only for decimals: every fraction goes to the appendix.
    ``drops`` are the columns that a narrow terminal leaves out, in this order.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    right: int = 1
    last: bool = False
    links: tuple[str, ...] = ()
    narrow: bool = False
    drops: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A named figure: its exact value as text, a decimal, and a remark; ``key`` is its field, empty if it has none."""

    name: str
    exact: str
    shown: str
    remark: str = ""
    key: str = ""

    @property
    def words(self) -> str:
        return f"{self.shown}{'' if self.remark.startswith(',') else ' '}{self.remark}".strip()

    @property
    def beside(self) -> str:
        """The exact value; empty if the decimal shows it already."""
        return self.exact if self.exact != self.shown else ""


@dataclass(frozen=True)
class Figures:
    """Figures one below the other, each followed by its exact value."""

    rows: tuple[Figure, ...]

    @property
    def grid(self) -> Grid:
        """The table of the other output forms."""
        return Grid(("figure", "value", "exact"), tuple(
            (f.name, f.words, f.exact if f.exact != f.words else "") for f in self.rows))


@dataclass(frozen=True)
class Bars:
    """Amounts by name, with an optional line at ``mark``."""

    title: str
    rows: tuple[tuple[str, Fraction], ...]
    mark: Fraction | None = None
    mark_name: str = ""


@dataclass(frozen=True)
class Band:
    """A range by number of rounds, around ``centre``."""

    title: str
    rows: tuple[tuple[int, Fraction, Fraction], ...]
    centre: Fraction


@dataclass(frozen=True)
class StraightLine:
    """A straight line from (0, at_zero) to ``most``, with a mark where it reaches 1."""

    title: str
    name: str
    at_zero: Fraction
    slope: Fraction
    most: Fraction
    even: Fraction | None


@dataclass(frozen=True)
class Letters:
    """A chart of play: a letter for each hand and upcard, in the customary colours."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Tool:
    """The what-if: editable pays, as JSON data for the script of the page; used only in HTML."""

    anchor: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Blanks:
    """Blanks to be filled in by hand."""

    names: tuple[str, ...]


Block: TypeAlias = ("Words | Code | Points | Facts | Grid | Figures | Bars | Band | StraightLine | Letters | Tool"
                    " | Blanks")


@dataclass(frozen=True)
class Part:
    """A heading with its blocks and parts; ``starts`` is "page" or "rule" if a new page or rule precedes it."""

    title: str
    anchor: str = ""
    blocks: tuple[Block, ...] = ()
    parts: tuple[Part, ...] = field(default=())
    starts: str = ""

    @property
    def is_tool(self) -> bool:
        """Whether it is the what-if, which requires a script."""
        return any(isinstance(b, Tool) for b in self.blocks)


@dataclass(frozen=True)
class Page:
    """A titled page; ``kind`` is a line above the title, ``program`` and ``digest`` identify it in a footer.

    ``running`` is the header of every printed page, ``day`` the date of the file (2026-11-28, or empty). The table of
    contents follows the first ``front`` parts. ``request`` is JSON embedded in the file.
    """

    title: str
    parts: tuple[Part, ...]
    kind: str = ""
    program: str = ""
    digest: str = ""
    running: tuple[str, ...] = ()
    day: str = ""
    front: int = 0
    request: str = ""

    @property
    def full_title(self) -> str:
        return f"{self.kind}: {self.title}" if self.kind else self.title


def walk(parts: Sequence[Part], level: int = 2) -> Sequence[tuple[int, Part]]:
    """Return every part with the level of its heading, in reading order."""
    sections: list[tuple[int, Part]] = []
    for part in parts:
        sections.append((level, part))
        sections += walk(part.parts, level + 1)
    return sections
