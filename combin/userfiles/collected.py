"""The rulebook with the files of paytables among the words of a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.errors import Fault, InputError, fault, nearest, raise_all
from ..rulebook.book import Rulebook, matches, shipped
from .words import file_and_selection, file_and_sheet, is_file_argument, wager_and_path
from .written import PLAIN, Written


def collect(
    words: Iterable[str], written: Written = PLAIN, *, counted: bool = True
) -> tuple[Rulebook, list[str]]:
    """Return one rulebook with every file among the words, and the ids and globs of the words, in order.

    Raises `InputError` with the faults of all words, such as an empty word, or an id that two files define. Unless
    ``counted``, no deal is counted.
    """
    book, faults = shipped(), list[Fault]()
    wanted: list[str] = []
    for word in words:
        try:
            book, names = add_word(book, word, written, counted=counted)
        except InputError as error:
            faults += error.faults
        else:
            wanted += names
    raise_all(faults)
    return book, wanted


def add_side_bets(book: Rulebook, words: Iterable[str], written: Written = PLAIN) -> tuple[Rulebook, tuple[str, ...]]:
    """The rulebook with the files of the side bets that ``--with`` names, and the id of each word.

    Raises `InputError` for a word that stands for several paytables.
    """
    identifiers: list[str] = []
    for word in words:
        if word in book.files:
            ids = list(book.files[word])
        else:
            book, ids = add_word(book, word, written)
        chosen = ids if is_file_argument(word) else book.select(ids)
        if len(chosen) != 1:
            file = file_and_selection(word)[0] if is_file_argument(word) else ""
            raise fault(f'"{word}" stands for {len(chosen)} paytables',
                        f"name one: {file}#{chosen[0]}" if file else f"name one: {chosen[0]}", file="--with")
        identifiers += chosen
    return book, tuple(identifiers)


def add_word(
    book: Rulebook, word: str, written: Written = PLAIN, *, counted: bool = True
) -> tuple[Rulebook, list[str]]:
    """Return the rulebook, with the paytables of a file if the word names one, and the ids or the glob of the word.

    FILE#ID is one paytable of the file, by its id or the last segment of it; FILE#glob may be several.
    """
    if not word.strip():
        raise fault("an id, a glob or a file is empty", "combin list shows the ids", file="PATTERN")
    if not is_file_argument(word):
        return book, [word]
    from .paytables import add_file

    wager, path = wager_and_path(word)
    file, selection = _parted(path)
    if not selection:
        book, ids = add_file(book, word, written, counted=counted)
        book.files[word] = tuple(ids)
        return book, ids
    whole = f"{wager}={file}" if wager else file
    if whole not in book.files:  # several paytables of one file may be selected one by one
        book, ids = add_file(book, whole, written, counted=counted)
        book.files[whole] = tuple(ids)
    return book, _selected(book.files[whole], selection, file)


def _parted(path: str) -> tuple[str, str]:
    """Return file and selection; the word after a workbook's first "#" is a sheet if it has one of that name."""
    file, selection = file_and_selection(path)
    workbook, sheet = file_and_sheet(file)
    if selection or not sheet:
        return file, selection
    from .sheets import sheet_names

    return (file, "") if sheet in sheet_names(workbook) else (workbook, sheet)


def _selected(ids: Sequence[str], selection: str, file: str) -> list[str]:
    """Return the ids that a selection names."""
    ends = [i for i in ids if i.rpartition("/")[2] == selection]
    matching_ids = [selection] if selection in ids else ends or [i for i in ids if matches(i, selection)]
    if len(ends) > 1 and selection not in ids:
        what = f'{len(ends)} paytables of the file are called "{selection[:80]}"'
        raise fault(what, f"write the id: {file}#{ends[0]}", file=file)
    if not matching_ids:
        tails = [i.rpartition("/")[2] for i in ids]
        names = [i if tails.count(tail) > 1 else tail for i, tail in zip(ids, tails, strict=True)]
        remedy = nearest(selection[:80], [*names, *ids], otherwise=f"known: {', '.join(names)}")
        raise fault(f'has no paytable "{selection[:80]}"', remedy, file=file)
    return matching_ids
