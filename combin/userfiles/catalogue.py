"""The interface for scripts: analyses by id, glob or file, and lists of paytables.

    combin.paytables("house.toml")
    combin.analyze("house.toml", decks=6)
    combin.analyze_all(["house.toml", "maryland/blackjack/*"])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, overload

from ..analysis import engine
from ..analysis.analyses import Analyses
from ..analysis.model import Analysis
from ..base.displayed import Displayed
from ..base.errors import fault, nearest
from ..base.typed import typed
from ..deals.player_chart import Chart
from ..rulebook.book import Resolved, Rulebook, shipped
from .collected import add_word
from .expansion import expanded
from .words import is_file_argument

Word = str | PathLike[str]


@dataclass(frozen=True)
class Listed:
    """A paytable of a list: its id, name, clause and pays as written."""

    id: str
    name: str
    clause: str
    decks: tuple[int, ...]
    pays: Mapping[str, str]
    file: str
    book: Rulebook = field(repr=False, compare=False)

    def analyze(self, **arguments: Any) -> Analysis:
        """Return its exact analysis; the arguments are those of `combin.analyze`."""
        return analyze(self.id, book=self.book, **arguments)


class Paytables(Displayed, Sequence[Listed]):
    """Paytables in order, displayed with one row each; `combin.paytables` returns them.

    ``pairs[0]`` is the paytable at an index, ``pairs["maryland/blackjack/pair/A"]`` that with an id, ``pairs[:5]`` the
    first five. A paytable has ``id``, ``name``, ``clause``, ``decks``, ``pays`` as text by outcome, and ``analyze()``.
    ``book`` is the rulebook that holds them.

    >>> import combin
    >>> pairs = combin.paytables("maryland/blackjack/pair/*")
    >>> pairs["maryland/blackjack/pair/A"].analyze(decks=6).returned
    Fraction(274, 311)
    """

    def __init__(self, listed: Iterable[Listed], book: Rulebook) -> None:
        self._listed, self.book = tuple(listed), book

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(item.id for item in self._listed)

    def analyze(self, **arguments: Any) -> Analyses:
        """Return their analyses; the arguments are those of `combin.analyze_all`."""
        return analyze_all(self.ids, book=self.book, **arguments)

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[Listed]:
        return iter(self._listed)

    @overload
    def __getitem__(self, index: int | str) -> Listed: ...
    @overload
    def __getitem__(self, index: slice) -> Paytables: ...
    def __getitem__(self, index: int | str | slice) -> Listed | Paytables:
        if isinstance(index, slice):
            return Paytables(self._listed[index], self.book)
        if isinstance(index, str):
            by_id = {item.id: item for item in self._listed}
            if index not in by_id:
                raise KeyError(f"{index}; {nearest(index, by_id, otherwise='see .ids')}")
            return by_id[index]
        return self._listed[index]

    def __repr__(self) -> str:
        return str(self) if self._listed else "Paytables()"


@typed
def paytables(*words: Word, book: Rulebook | None = None) -> Paytables:
    """Return the paytables of files, folders, ids and globs; without arguments, all that combin knows.

    Nothing is counted. Raises `InputError` with every fault of a file, and for a glob that matches nothing.

    >>> ladies = paytables("maryland/blackjack/lucky-ladies/*")
    >>> ladies.ids
    ('maryland/blackjack/lucky-ladies/A', 'maryland/blackjack/lucky-ladies/B')
    >>> ladies[0].pays["any 20"]
    '4 to 1'
    """
    book, wanted = collected(words or ("*",), book)
    return Paytables((listed(book.resolve(i), book) for i in book.select(wanted)), book)


def listed(resolved: Resolved, book: Rulebook) -> Listed:
    """Return a paytable of a rulebook as an item of a list."""
    pays = {outcome: pay.text for outcome, pay in resolved.lines}
    return Listed(resolved.id, resolved.name, resolved.clause, resolved.decks, pays, resolved.paytable.file, book)


def _text(word: object) -> str:
    """Return an id, a glob or a path as text; raises `InputError` for anything else."""
    text = fspath(word) if isinstance(word, str | PathLike) else None
    if not isinstance(text, str):
        raise fault(f"{word!r:.60} is neither an id nor a file",
                    'write "maryland/blackjack/lucky-ladies/A" or "house.toml"', file="paytable")
    return text


def words_of(given: object) -> list[str | Listed]:
    """Return one id, path or paytable, or several of them, as a list; raises `InputError` for anything else."""
    several = isinstance(given, Iterable) and not isinstance(given, str | PathLike)
    items: list[Any] = list(given) if several else [given]  # type: ignore[call-overload]
    return [item if isinstance(item, Listed) else _text(item) for item in items]


def collected(words: Iterable[Word], book: Rulebook | None) -> tuple[Rulebook, list[str]]:
    """Return the rulebook with the files among the words, and the ids and globs that the words stand for."""
    book, wanted = book or shipped(), []
    for word in expanded([_text(word) for word in words]):
        book, names = add_word(book, word)
        wanted += names
    return book, wanted


@typed
def analyze(
    paytable: Word,
    *,
    decks: int | None = None,
    pays: Mapping[str, str] | None = None,
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
    without: Sequence[int] | str = (),
    any_decks: bool = False,
    wheel: str | Mapping[str, int] | None = None,
    chart: str | Chart = "",
    book: Rulebook | None = None,
) -> Analysis:
    """Return the exact analysis of one paytable, an id or a file with one paytable.

    - ``decks``: the number of decks; it may be omitted if the paytable allows only one.
    - ``pays``: other pays for some of the lines, ``{"any 20": "6 to 1"}``.
    - ``set``: values of unknowns and settings, as text or exact numbers; money in dollars.
    - ``reading``: choices of readings, ``{"ace-nine-is-20": "no"}``.
    - ``without``: cards removed from the shoe, ``"Qh Qh 7s"`` or numbers.
    - ``any_decks``: accept a number of decks that the rules do not allow.
    - ``wheel``: weights of a wheel's symbols, or their file.
    - ``chart``: a playing chart of Bad Beat, or its file.
    - ``book``: the rulebook with the wagers; None for the shipped documents.

    Files are read once. Raises `InputError` if an argument is wrong, with what to write instead.

    >>> a = analyze("maryland/blackjack/lucky-ladies/A", decks=6, pays={"any 20": "5 to 1"})
    >>> a.returned, a.combinations["any 20"]
    (Fraction(46667011, 51637196), 186215760)
    """
    word = _text(paytable)
    if is_file_argument(word):
        book, names = collected([word], book)
        if len(names) != 1:
            remedy = f"analyze_all takes them all; paytables({word!r}) lists them"
            raise fault(f"holds {len(names)} paytables", remedy, file=word)
        [word] = names
    return engine.analyze(word, decks=decks, pays=pays, set=set, reading=reading, without=without,
                          any_decks=any_decks, wheel=wheel, chart=chart, book=book)


@typed
def analyze_all(
    pattern: Word | Iterable[Word],
    *,
    decks: int | Iterable[int] | None = None,
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
    without: Sequence[int] | str = (),
    any_decks: bool = False,
    wheel: str | Mapping[str, int] | None = None,
    chart: str | Chart = "",
    book: Rulebook | None = None,
    left_out: list[tuple[str, int]] | None = None,
) -> Analyses:
    """Return the analyses of all paytables of ids, files, folders and globs.

    ``decks`` is one number or several; by default each paytable is analysed at its default numbers of decks. If an id
    does not allow a number, a named id raises `InputError`, and an id that a glob matched is skipped; the list
    ``left_out`` then receives the id and the number. The other arguments are those of `analyze`.

    >>> [(a.id[-1], a.decks) for a in analyze_all("maryland/blackjack/lucky-ladies/*", decks=[2, 6])]
    [('A', 2), ('A', 6), ('B', 2), ('B', 6)]
    """
    given: Any = pattern
    several = isinstance(given, Iterable) and not isinstance(given, str | PathLike)
    book, wanted = collected(given if several else [given], book)
    return engine.analyze_all(wanted, decks=decks, set=set, reading=reading, without=without, any_decks=any_decks,
                              wheel=wheel, chart=chart, book=book, left_out=left_out)
