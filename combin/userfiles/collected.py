"""The rulebook with every file of paytables among the words of a command."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import Fault, InputError, fault, raise_all
from ..rulebook.book import Rulebook, shipped
from .words import is_file_argument
from .written import PLAIN, Written


def collect(
    words: Iterable[str], written: Written = PLAIN, *, counted: bool = True
) -> tuple[Rulebook, list[str]]:
    """One rulebook with every file among the words, and the ids and globs of the words, in order.

    Every command and every front end of a policy uses it. Raises `InputError` for an empty word and for
    an id that two files give: the faults of all words together. Unless ``counted``, no deal is counted.
    """
    book, faults = shipped(), list[Fault]()
    wanted: list[str] = []
    for word in words:
        try:
            book, found = add_word(book, word, written, counted=counted)
        except InputError as error:
            faults += error.faults
        else:
            wanted += found
    raise_all(faults)
    return book, wanted


def add_word(
    book: Rulebook, word: str, written: Written = PLAIN, *, counted: bool = True
) -> tuple[Rulebook, list[str]]:
    """The rulebook, with a file's paytables if the word names one, and the ids or the glob of the word."""
    if not word.strip():
        raise fault("an id, a glob or a file is empty", "combin list shows the ids", file="PATTERN")
    if not is_file_argument(word):
        return book, [word]
    from .paytables import add_file

    return add_file(book, word, written, counted=counted)


__all__ = ["add_word", "collect"]
