"""Checks beyond types: names that do not exist, texts that are not numbers or not pays.

Shipped documents and users' files pass the same checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..base.errors import InputError, fault, nearest
from ..base.exact import ratio
from ..base.toml_tables import NOTHING, OTHERS, Data, Path, PerPaytable, ReportFault, bet_and_line
from .model import Wager, matches
from .pays import Pay, parse_pay
from .terms import Terms

#: The settings that combin knows by name; meters and games add others.
SETTINGS = ("stake", "other_players", "ante", "cap", "minimum_wager", "maximum_wager")
OF_A_METER = ("reset", "contribution_rate")
#: Checks of wagers by game; `combin.games.registry` registers them, because this room imports no games.
GAME_CHECKS: dict[str, Callable[[Wager, ReportFault], None]] = {}


def check_wager(wager: Wager, report: ReportFault, *, declared: bool) -> None:
    """Report unknown names (of paytables, lines, settings, unknowns) and texts that are not pays.

    With ``declared``, every unknown in a pay needs a table.
    """
    terms = wager.terms
    for path, named in _by_paytable(terms):
        for letter in named:
            check_name(letter, wager.paytables, "paytable", report, (*path, letter))
    lines = {outcome for paytable in wager.paytables.values() for outcome, _ in paytable.lines}
    by_line: dict[Path, Iterable[str]] = {("only_at_stake",): terms.only_at_stake}
    by_line |= {("envy", letter): hands for letter, hands in terms.envy.items()}
    for path, outcomes in by_line.items():
        for outcome in outcomes:
            check_name(outcome, lines, "line", report, (*path, outcome))
    meters = ("", *(f"{name}_" for name, unknown in terms.unknown.items() if unknown.is_meter))
    known = (*SETTINGS, *(meter + setting for meter in meters for setting in OF_A_METER))
    for name in terms.setting if not terms.game else ():
        check_name(name, known, "setting", report, ("setting", name))
    _check_unknowns(wager, report, declared)
    check_game(wager, report)


def check_game(wager: Wager, report: ReportFault) -> None:
    """Report the faults that the game of a wager finds in its round and its bets."""
    terms = wager.terms
    check = GAME_CHECKS.get(terms.game)
    if check is not None:
        check(wager, report)
        return
    if terms.round is not None:
        known = ", ".join(f'"{name}"' for name in GAME_CHECKS)
        report(f'a round belongs to the game {known}', f"write game = {known}", ("round",))
    for name in terms.outcome:
        if isinstance(wager.written.get("outcome", NOTHING).get(bet_and_line(name)[0]), Mapping):
            report("a table of a bet belongs to a game with a round", "write the condition as a text", ("outcome",))


def check_numbers(terms: Terms, report: ReportFault) -> None:
    """Report texts that should be numbers and are not."""
    for path, number in _numbers(terms):
        try:
            ratio(number, what=f"{path[-1]} of {path[-2]}")
        except InputError as error:
            report(error.faults[0].what, error.faults[0].remedy, path)


def _by_paytable(terms: Terms) -> Iterator[tuple[Path, Iterable[str]]]:
    """Return every table of the terms that is keyed by paytable, with its path."""
    yield ("wheel",), terms.wheel
    yield ("extra",), terms.extra
    yield ("envy",), terms.envy
    for kind, tables in (("setting", terms.setting), ("unknown", terms.unknown)):
        for name, entry in tables.items():
            for key, value in vars(entry).items():
                if isinstance(value, PerPaytable):
                    yield (kind, name, key), (letter for letter in value.values if letter != OTHERS)


def _numbers(terms: Terms) -> Iterator[tuple[Path, str]]:
    """Return every text of the terms that is a number, with its path."""
    for name, setting in terms.setting.items():
        yield from _stated(("setting", name), setting, ("default", "least", "most"))
    for name, unknown in terms.unknown.items():
        yield from _stated(("unknown", name), unknown, ("reset", "least", "most", "contribution", "secondary"))
        yield from ((("unknown", name, "resets", way), number) for way, number in unknown.resets.items())
    for name, limit in terms.limits.items():
        yield from _stated(("limits", name), limit, ("reset", "maximum"))
    yield from ((("only_at_stake", line), number) for line, number in terms.only_at_stake.items())


def _stated(path: Path, entry: object, keys: Iterable[str]) -> Iterator[tuple[Path, str]]:
    for key in keys:
        value = getattr(entry, key)
        if isinstance(value, PerPaytable):
            yield from (((*path, key), number) for number in value.values.values())
        elif value is not None:
            yield (*path, key), value


def _check_unknowns(wager: Wager, report: ReportFault, declared: bool) -> None:
    """Report unknowns in pays without a table, and tables of unknowns that no pay uses."""
    terms = wager.terms
    pays: list[tuple[Path, str]]
    pays = [(("paytable", p.id, outcome), pay) for p in wager.paytables.values() for outcome, pay in p.lines]
    community = {name: table.pays for name, table in terms.community.items()}
    for key, tables in (("wheel", terms.wheel), ("envy", terms.envy), ("community", community)):
        pays += [((key, letter, name), pay) for letter, table in tables.items() for name, pay in table.items()]
    used = set()
    for letter, extras in terms.extra.items():
        for name, extra in extras.items():
            pays.append((("extra", letter, name, "pays"), extra.pays))
            check_name(extra.frequency, terms.unknown, "unknown", report, ("extra", letter, name, "frequency"))
            used.add(extra.frequency)
    for path, text in pays:
        pay = _pay(text, report, path)
        used |= set(pay.unknowns)
        for name in pay.unknowns if declared else ():
            check_name(name, terms.unknown, "unknown", report, path)
    for name in terms.unknown:
        check_name(name, used, "unknown of the pays", report, ("unknown", name))


def _pay(text: str, report: ReportFault, path: Path) -> Pay:
    try:
        return parse_pay(text, path[-1])
    except InputError as error:
        report(error.faults[0].what, error.faults[0].remedy, path)
        return Pay("")


def check_options(what: str, options: Data, taken: Mapping[str, Sequence[str]], needed: Iterable[str] = ()) -> None:
    """Raise `InputError` for an unknown option, for a choice that it does not have, and for a missing option.

    ``taken`` maps every option to its choices; an empty tuple allows any value.
    """
    for option, value in options.items():
        if option not in taken:
            remedy = nearest(option, taken, otherwise="leave it out")
            raise fault(f'{what} has no option "{option}"', remedy, place="options")
        if taken[option] and value not in taken[option]:
            quoted = ", ".join(f'"{choice}"' for choice in taken[option])
            remedy = nearest(str(value), taken[option], otherwise=f"known: {quoted}")
            if str(value) in taken[option]:
                remedy = f'write {option} = "{value}"'
            raise fault(f"the option {option} of {what} cannot be {value!r}", remedy, place="options")
    for option in needed:
        if option not in options:
            raise fault(f'{what} needs the option "{option}"', "add it", place="options")


def check_name(name: str, known: Iterable[str], what: str, report: ReportFault, path: Path) -> None:
    """Report a name that is not among the known ones."""
    if name not in known:
        report(f'no {what} is called "{name}"', nearest(name, known, otherwise="leave it out"), path)


def check_globs(globs: Iterable[str], ids: Iterable[str], report: ReportFault) -> None:
    """Report a glob that matches none of the ids."""
    for glob in globs:
        if not any(matches(i, glob) for i in ids):
            report(f'no id of the document matches "{glob}"', nearest(glob, ids), ("wagers",))
