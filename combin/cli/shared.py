"""What the commands share: patterns, options, and the analyses that they select."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ..base.errors import InputError, fault
from ..base.safe_text import shown
from .group import OUTPUT

if TYPE_CHECKING:
    from ..rulebook.book import Rulebook
    from ..userfiles.written import Written

F = TypeVar("F", bound=Callable[..., Any])


def _expanded(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with folders and globs of files expanded."""
    if not words:
        return words
    from ..userfiles.expansion import expanded

    return expanded(words)


def complete_ids(_: click.Context, __: click.Parameter, begun: str) -> list[Any]:
    """Return what a shell offers for a PATTERN: ids up to the next slash, or files and folders."""
    from click.shell_completion import CompletionItem

    from ..rulebook.book import shipped

    ids = [i for i in shipped().ids() if i.startswith(begun)]
    if begun and not ids:
        return [CompletionItem(begun, type="file")]
    ends = (i.find("/", len(begun)) for i in ids)
    return list(dict.fromkeys(i if end < 0 else i[: end + 1] for i, end in zip(ids, ends, strict=True)))


def complete_readings(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Return ID=CHOICE for every choice of a reading that is computed."""
    from ..rulebook.book import shipped

    choices = (f"{reading.id}={choice.id}" for reading in shipped().readings for choice in reading.computed)
    return [word for word in dict.fromkeys(choices) if word.startswith(begun)]


def complete_checks(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    from ..policy.criteria import CHECKS

    return [i for i in CHECKS if i.startswith(begun.upper())]


def complete_policies(_: click.Context, __: click.Parameter, begun: str) -> list[Any]:
    """Return the shipped policies, and files."""
    from click.shell_completion import CompletionItem

    from ..policy.reader import SHIPPED, shipped_policies

    names = [name for n in shipped_policies() if (name := SHIPPED + n).startswith(begun)]
    return names if begun and names else [*names, CompletionItem(begun, type="file")]


patterns = click.argument(
    "patterns", nargs=-1, required=True, metavar="PATTERN...", callback=_expanded, shell_complete=complete_ids
)
optional_patterns = click.argument(
    "patterns", nargs=-1, metavar="[PATTERN...]", callback=_expanded, shell_complete=complete_ids
)
#: Patterns that the command expands itself.
unread_patterns = click.argument("patterns", nargs=-1, metavar="[PATTERN...]", shell_complete=complete_ids)
one_id = click.argument("identifier", metavar="ID", shell_complete=complete_ids)


def _with(function: F, *options: Callable[[F], F]) -> F:
    """Return the function with the options; the help lists them in this order."""
    for option in reversed(options):
        function = option(function)
    return function


def numbers_of_decks(_: click.Context, __: click.Parameter, texts: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of decks of ``6``, ``6,8`` or ``4-8``, given once or several times, in ascending order."""
    numbers: set[int] = set()
    for part in (part.strip() for text in texts for part in text.split(",")):
        first, dash, last = (word.strip() for word in part.partition("-"))
        words = (first, last) if dash else (first,)
        sound = all(word.isascii() and word.isdigit() and len(word) < 4 for word in words)
        if not sound or (dash and int(last) < int(first)):
            raise fault(f'"{part[:40]}" is not a number of decks', "write 6, or 6,8, or 4-8", file="--decks")
        numbers.update(range(int(first), int(last if dash else first) + 1))
    return tuple(sorted(numbers))


def tell_left_out(left_out: Iterable[tuple[str, int]]) -> None:
    """Report on standard error the paytables that are not dealt from a number of decks."""
    by_decks: dict[int, list[str]] = {}
    for identifier, decks in left_out:
        by_decks.setdefault(decks, []).append(identifier)
    for decks, identifiers in by_decks.items():
        many = "" if decks == 1 else "s"
        ids = ", ".join(dict.fromkeys(identifiers))
        click.echo(f"combin: left out, since they are not dealt from {decks} deck{many}: {ids}", err=True)


def tell_misfits(left_out: Iterable[tuple[str, str]]) -> None:
    """Report on standard error the paytables that options or a catalogue do not fit, a line for each reason."""
    by_reason: dict[str, list[str]] = {}
    for identifier, reason in dict.fromkeys(left_out):
        by_reason.setdefault(reason, []).append(identifier)
    for reason, identifiers in by_reason.items():
        click.echo(f"combin: left out ({shown(reason)}): {shown(', '.join(identifiers))}", err=True)


decks_option = click.option(
    "--decks", multiple=True, metavar="N", callback=numbers_of_decks,
    help="Numbers of decks: 6, or 6,8, or 4-8. Default: those of 1, 2, 4, 6, 8 that the paytable allows.",
)
set_option = click.option(
    "--set", "parameters", multiple=True, metavar="NAME=VALUE", help="Value of an unknown or a setting."
)
reading_option = click.option(
    "--reading", "readings", multiple=True, metavar="ID=CHOICE", shell_complete=complete_readings,
    help="Reading of an unclear clause; combin readings lists them.",
)
without_option = click.option("--without", metavar="CARDS", default="", help='Cards removed from the shoe: "Qh Qh 7s".')
output_option = click.option(
    "-o", "--output", metavar="FILE", callback=lambda context, option, value: None if value == "-" else value,
    help=OUTPUT,
)


def _with_means(context: click.Context, _: click.Parameter, no_cache: bool) -> None:
    """Let the command use all processors, and the store unless --no-cache is given."""
    from ..base.work import means

    context.with_resource(means(cache=not no_cache))


many_option = click.option(
    "--no-cache", is_flag=True, expose_value=False, callback=_with_means,
    help="Compute everything again, and keep nothing.",
)


class _Form(click.Choice[str]):
    """A choice of formats in which "text" and "table" are the same."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        other = {"text": "table", "table": "text"}.get(value)
        return super().convert(other if other in self.choices else value, param, ctx)


def format_option(*forms: str) -> Callable[[F], F]:
    """Return the option --format with these choices; the first is the default."""
    return click.option("--format", "form", type=_Form(forms), default=forms[0])


def selecting(function: F) -> F:
    """Add the options that select what is analysed: decks, parameters, readings, removed cards."""
    any_decks = click.option("--any-decks", is_flag=True, help="Accept a number of decks that the rules do not allow.")
    return _with(function, decks_option, any_decks, set_option, reading_option, without_option)


def with_files(function: F) -> F:
    """Add the options for files that an analysis may use: a wheel, a playing chart."""
    return _with(
        function,
        click.option("--wheel", metavar="FILE",
                     help='TOML file with the weights of a wheel: [weights], lines "SYMBOL" = NUMBER.'),
        click.option("--chart", metavar="FILE", default="", help="TOML file with the playing chart of Bad Beat: tables "
                     "[hard] and [soft], ten plays for each total."),
    )


def _keep(context: click.Context, option: click.Parameter, value: object) -> None:
    """Keep an option's value for `written`."""
    context.meta[f"combin.{option.name}"] = value


def sheets(function: F) -> F:
    """Add the options for the layout of a CSV file or an XLSX sheet of paytables; `written` reads them."""
    return _with(
        function,
        click.option("--odds", metavar="to|for", default="", expose_value=False, callback=_keep,
                     help='Meaning of "250-1", "75:1" and "3" in a sheet.'),
        click.option("--columns", metavar="outcome=B,pays=D", default="", expose_value=False, callback=_keep,
                     help="Columns of a sheet, by letter."),
        click.option("--map", "names", multiple=True, metavar="NAME=OUTCOME", expose_value=False, callback=_keep,
                     help='Outcome that a sheet calls NAME: "7 Card Flush=seven-card flush".'),
    )


def written() -> Written:
    """Return the layout of sheets: the options of `sheets`, otherwise what combin.toml states."""
    from ..userfiles.written import Written, mapping

    context = click.get_current_context(silent=True)
    given: dict[str, Any] = {} if context is None else context.meta
    stated = _stated_layout()
    names = (*stated.names, *map(mapping, given.get("combin.names", ())))
    return Written.of(given.get("combin.odds") or stated.odds, given.get("combin.columns", ""), names)


def _stated_layout() -> Written:
    """Return the layout of sheets that combin.toml states; policies are imported only if it states one."""
    from ..userfiles.written import PLAIN

    current = Path.cwd()
    for name, words in (("combin.toml", (b"map", b"odds")), ("pyproject.toml", (b"tool.combin",))):
        for path in (folder / name for folder in (current, *current.parents)):
            if path.is_file() and any(word in path.read_bytes() for word in words):
                from ..policy.settings import settings

                return settings().sheets
    return PLAIN


def say_notes(book: Rulebook, wanted: Iterable[str]) -> None:
    """Write the notes on files of paytables to standard error, each once in a command."""
    from ..rulebook.book import is_glob

    context = click.get_current_context(silent=True)
    printed_notes: set[str] = set() if context is None else context.meta.setdefault("combin.notes", set())

    ids = [word for word in wanted if not is_glob(word) and not word.startswith("!")]
    notes = [note for i in ids for note in book.find(i)[1].notes]
    for note in dict.fromkeys(notes):
        if note not in printed_notes:
            click.echo(f"combin: note: {shown(note)}", err=True)
    printed_notes.update(notes)


def others_given(*names: str) -> list[str]:
    """Return the flags of the running command that the user has given, but for those of these parameters."""
    context = click.get_current_context()
    return [min(option.opts, key=len) for option in context.command.params
            if isinstance(option, click.Option) and option.name not in names
            and context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE]


def one_of(word: str, identifier: str) -> str:
    """Return the word that selects one paytable: FILE#ID for a paytable of a file, its id otherwise."""
    from ..userfiles.words import file_and_selection, is_file_argument

    return f"{file_and_selection(word)[0]}#{identifier}" if is_file_argument(word) else identifier


def pairs(texts: Iterable[str], flag: str) -> dict[str, str]:
    """Return NAME=VALUE words as a mapping; `InputError` for a word without "=" and a name given twice."""
    mapping: dict[str, str] = {}
    for word in texts:
        name, equals, value = word.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise fault(f'"{word}" is not NAME=VALUE', f"write {flag} name=value", file=flag)
        if name.strip() in mapping:
            raise fault(f"{name.strip()} is given twice", "give it once", file=flag, place=word)
        mapping[name.strip()] = value.strip()
    return mapping


def searched(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words; a word that is not an id, a glob or a file becomes the ids that contain it."""
    from ..rulebook.book import is_glob, shipped
    from ..userfiles.words import is_file_argument

    book = shipped()
    names = {i: f"{i} {book.resolve(i).name}".casefold() for i in book.ids()}
    selected: list[str] = []
    for word in words:
        looks = bool(word.strip()) and word not in names and not is_glob(word) and not is_file_argument(word)
        selected += [i for i, name in names.items() if looks and word.casefold() in name] or [word]
    return tuple(selected)


def book_of(words: Iterable[str], *, counted: bool = True) -> tuple[Rulebook, list[str]]:
    """Return the rulebook and the ids of `combin.userfiles.collect`; notes on files go to standard error."""
    from ..userfiles.collected import collect

    book, wanted = collect(words, written(), counted=counted)
    say_notes(book, wanted)
    return book, wanted


def removed_cards(without: str) -> tuple[int, ...]:
    """Return the cards of ``--without``."""
    from ..deals.cards import cards

    try:
        return cards(without)
    except InputError as error:
        raise InputError(*(replace(item, file="--without") for item in error.faults)) from None


def analyses_of(
    words: Iterable[str], *, decks: tuple[int, ...], parameters: Iterable[str], readings: Iterable[str], without: str,
    **options: Any,
) -> tuple[Any, ...]:
    """Return the analyses that the words and the options of `selecting` and `with_files` select."""
    from ..analysis.engine import analyze_all

    removed = removed_cards(without)
    book, wanted = book_of(words)
    left_out: list[tuple[str, int]] = []
    analyses = analyze_all(
        wanted, decks=decks or None, set=pairs(parameters, "--set"), reading=pairs(readings, "--reading"),
        without=removed, book=book, left_out=left_out, **options,
    )
    tell_left_out(left_out)
    return analyses
