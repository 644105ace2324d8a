"""Reader of TOML tables: a table becomes a frozen dataclass, typed by its annotations, with every fault reported.

`read` builds any such class: an unknown key, a value of another type and a missing field are faults. Marks in
annotations (`FILLED`, `WholeNumber`, …) say what a type cannot. Rule documents and all files of users are read by it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .caches import cached
from .errors import nearest, raise_all, short
from .textfiles import Faults, KeyLines, TomlNumber, day, parse_toml

T = TypeVar("T")
Data = Mapping[str, Any]
#: The keys from a table to a value in it.
Path = tuple[str, ...]
#: A function that takes a fault, its remedy and its place.
ReportFault = Callable[[str, str, Path], None]

NOTHING: Mapping[str, Any] = MappingProxyType({})


def empty() -> Any:
    """Return a field whose default is an empty table."""
    return field(default_factory=lambda: NOTHING)


#: The key for every paytable that is not named.
OTHERS = "*"


@dataclass(frozen=True)
class PerPaytable(Generic[T]):
    """A value that may differ between the paytables of a wager; ``*`` is for those that are not named."""

    values: Mapping[str, T] = empty()

    def of(self, paytable: str) -> T | None:
        return self.values.get(paytable, self.values.get(OTHERS))


#: The value of no paytable.
UNSTATED: PerPaytable[Any] = PerPaytable()

#: Marks a table of texts that may contain tables of texts: "tie" in "ante" becomes the key "ante: tie".
BY_BET = "by bet"
#: Marks a number that is written as a text or bare, and kept as a text.
AMOUNT = "amount"
#: Marks a text that is not empty.
FILLED = "filled"
#: Marks a list for which one of its items may stand.
SEVERAL = "several"
#: Marks a date, of TOML or as a text.
DAY = "day"


@dataclass(frozen=True)
class WholeNumber:
    """Marks a whole number, with the least and the greatest that it may be."""

    least: int
    most: int


_OF_BET = ": "


#: The metadata key of a field's name in TOML, if that is different.
KEY = "key"


def called(key: str) -> Any:
    """Return a field whose name in TOML is ``key``."""
    return field(metadata={KEY: key})


@cached("the keys of each class of rule data", most=64)
def _schema(kind: Hashable) -> Mapping[str, tuple[str, Any, bool]]:
    """Return for every key of a class: its field's name, its annotation, and whether it is required."""
    assert isinstance(kind, type)
    hints = get_type_hints(kind, include_extras=True)
    return {
        f.metadata.get(KEY, f.name): (f.name, hints[f.name], f.default is MISSING and f.default_factory is MISSING)
        for f in fields(kind)
    }


def schema_of(kind: Hashable) -> Mapping[str, tuple[str, Any, bool]]:
    """Return for every key of a class in TOML: its field's name, its annotation, and whether it is required."""
    keys: Mapping[str, tuple[str, Any, bool]] = _schema(kind)
    return keys


def keys_of(kind: type, *, but: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the keys of a class in TOML, in the order of its fields."""
    return tuple(key for key in _schema(kind) if key not in but)


def read(
    kind: type[T], data: Data, report: ReportFault, *, given: Data = NOTHING, aside: Sequence[str] = (), path: Path = ()
) -> T | None:
    """Return a TOML table as a frozen ``kind``; None if it has faults, all of which are reported.

    ``given`` are fields that the table does not state; ``aside`` are keys of it that
    are read elsewhere.
    """
    before = _Counting(report)
    values = dict(_values(kind, data, before, path, given, aside))
    for key, (name, _, needed) in _schema(cast(Hashable, kind)).items():
        if needed and name not in values and name not in given and key not in data:
            before(f'"{key}" is missing', "add it", path)
    return None if before.faults else kind(**values, **given)


class TomlFile:
    """A user's TOML file: its data, the lines of its keys, and the faults that are found in it."""

    def __init__(self, text: str, path: str) -> None:
        self.path, self.data = path, parse_toml(text, path)
        self.places, self.faults = KeyLines(text), Faults()

    def report(self, what: str, remedy: str, where: Path) -> None:
        """Add a fault with its line and its keys, for `read`."""
        self.faults.add(what, remedy, self.path, placed(self.places.line(where), where))

    def checked(self, found: T | None) -> T:
        """Return what was read; raises `InputError` with every fault."""
        raise_all(self.faults)
        assert found is not None
        return found


def placed(line: str, path: Path) -> str:
    """The place of a fault in a user's file: its line, if that was found, and the keys that lead there."""
    return ", ".join(word for word in (line, *path) if word)


def check_part(kind: type, data: Data, report: ReportFault, *, aside: Sequence[str] = (), path: Path = ()) -> None:
    """Report the faults of a patch: a table that states only some fields of a class."""
    for _ in _values(kind, data, report, path, NOTHING, aside, part=True):
        pass


class _Counting:
    """A report function that counts its calls."""

    def __init__(self, report: ReportFault) -> None:
        self.report, self.faults = report, 0

    def __call__(self, what: str, remedy: str, path: Path) -> None:
        self.faults += 1
        self.report(what, remedy, path)


def _values(
    kind: type, data: Any, report: ReportFault, path: Path, given: Data, aside: Sequence[str], part: bool = False
) -> Iterator[tuple[str, Any]]:
    if not isinstance(data, Mapping):
        report(f"{_shown(data)} is not a table", "write a table", path)
        return
    schema = _schema(kind)
    known = [*(key for key, (name, *_) in schema.items() if name not in given), *aside]
    for key, value in data.items():
        if key not in known:
            report(f'unknown key "{short(key, 80)}"', nearest(key[:80], known), (*path, key))
        elif key not in aside:
            name, wanted, _ = schema[key]
            parsed = _value(wanted, value, report, (*path, key), part)
            if parsed is not MISSING:
                yield name, parsed


def _value(wanted: Any, value: Any, report: ReportFault, path: Path, part: bool) -> Any:
    """Return a value of the annotated type; MISSING if it is of another type, which is reported."""
    origin = get_origin(wanted)
    if wanted is Any:
        return frozen(value)
    if origin in (Union, UnionType):
        kinds = [a for a in get_args(wanted) if a is not NoneType]
        fits = [a for a in kinds if type(value) is a or (is_dataclass(a) and isinstance(value, Mapping))]
        return _value(next(iter((*fits, *kinds))), value, report, path, part)
    if origin is Annotated:
        inner, mark = get_args(wanted)
        if mark is AMOUNT and type(value) in (str, int, TomlNumber):
            return str(value)
        if mark is SEVERAL and type(value) is str:
            value = [value]
        if mark is DAY:
            if (stated := day(value)) is None:
                report(f"{_shown(value)} is not a date", "write a date: 2027-01-31", path)
            return MISSING if stated is None else stated
        if mark is FILLED and type(value) is str and not value.strip():
            report(f'"{path[-1]}" is empty', "write it", path)
            return MISSING
        if isinstance(mark, WholeNumber):
            if type(value) is int and mark.least <= value <= mark.most:
                return value
            what = f"{_shown(value)} is not a whole number from {mark.least:,} to {mark.most:,}"
            report(what, "write one without quotes", path)
            return MISSING
        plain = by_bet(value) if mark is BY_BET and isinstance(value, Mapping) else value
        return _value(inner, plain, report, path, part)
    if origin is Literal:
        if type(value) is str and value in get_args(wanted):
            return value
        word = value if type(value) is str else ""
        report(f"{_shown(value)} is none of the choices", nearest(word[:80], get_args(wanted)), path)
        return MISSING
    if origin is PerPaytable:
        return _per_paytable(get_args(wanted)[0], value, report, path, part)
    if origin is tuple:
        return _tuple(get_args(wanted), value, report, path, part)
    if wanted is Mapping or (origin is not None and issubclass(origin, Mapping)):
        return _mapping(get_args(wanted)[1], value, report, path, part)
    if is_dataclass(wanted):
        assert isinstance(wanted, type)
        if part:
            check_part(wanted, value, report, path=path)
            return MISSING
        parsed = read(wanted, value, report, path=path) if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping):
            report(f"{_shown(value)} is not a table", f"write a table of {', '.join(keys_of(wanted))}", path)
        return MISSING if parsed is None else parsed
    if type(value) is wanted:
        return value
    what, remedy = _KINDS[wanted]
    report(f"{_shown(value)} is not {what}", remedy, path)
    return MISSING


_KINDS: Mapping[type, tuple[str, str]] = {
    str: ("a text", "put it in quotes"),
    bool: ("true or false", "write true or false without quotes"),
    int: ("a whole number", "write a whole number without quotes"),
}


def _per_paytable(inner: Any, value: Any, report: ReportFault, path: Path, part: bool) -> Any:
    if not isinstance(value, Mapping):
        parsed = _value(inner, value, report, path, part)
        return MISSING if parsed is MISSING else PerPaytable(MappingProxyType({OTHERS: parsed}))
    values = _mapping(inner, value, report, path, part)
    return MISSING if values is MISSING else PerPaytable(values)


def _tuple(wanted: tuple[Any, ...], value: Any, report: ReportFault, path: Path, part: bool) -> Any:
    many = wanted[-1] is Ellipsis
    plain = get_args(wanted[0])[0] if get_origin(wanted[0]) is Annotated else wanted[0]
    if not isinstance(value, list | tuple) or not (many or len(value) == len(wanted)):
        kind = _KINDS[plain][0].removeprefix("a ") if plain in _KINDS else "table"
        remedy = f"write [[{path[-1]}]]" if is_dataclass(plain) and path else "write them in brackets, with commas"
        report(f"{_shown(value)} is not a list of {kind}s" if many else f"{_shown(value)} is not {len(wanted)} {kind}s",
               remedy, path)
        return MISSING
    tables = is_dataclass(wanted[0])
    places = [(*path[:-1], f"{path[-1]} #{n}") if tables else path for n in range(1, len(value) + 1)]
    items = [_value(wanted[0], item, report, place, part) for item, place in zip(value, places, strict=True)]
    return MISSING if MISSING in items else tuple(items)


def _mapping(inner: Any, value: Any, report: ReportFault, path: Path, part: bool) -> Any:
    if not isinstance(value, Mapping):
        report(f"{_shown(value)} is not a table", "write a table", path)
        return MISSING
    entries = {key: _value(inner, item, report, (*path, key), part) for key, item in value.items()}
    return MISSING if any(item is MISSING for item in entries.values()) else MappingProxyType(entries)


def by_bet(table: Data) -> dict[str, Any]:
    """Return a table of texts in which the lines of a bet's table are called "BET: LINE"."""
    lines: dict[str, Any] = {}
    for key, value in table.items():
        lines |= {key + _OF_BET + line: text for line, text in value.items()} if isinstance(value, Mapping) else {
            key: value}
    return lines


def bet_and_line(name: str) -> tuple[str, str | None]:
    """Return the bet and the line of a name from `by_bet`; the line is None if the name belongs to no table."""
    bet, mark, line = name.partition(_OF_BET)
    return bet, line if mark else None


def frozen(value: Any) -> Any:
    """Return lists as tuples and tables as read-only mappings, recursively."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    return tuple(frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _shown(value: Any) -> str:
    if isinstance(value, TomlNumber):
        return short(value, 80)
    return short(f'"{value}"' if isinstance(value, str) else repr(value), 80)


def merged(data: Data, patch: Data) -> dict[str, Any]:
    """Return ``data`` with the entries of ``patch``; nested tables (a wheel, a setting) are merged."""
    result = dict(data)
    for key, value in patch.items():
        result[key] = merged(result.get(key, {}), value) if isinstance(value, Mapping) else value
    return result
