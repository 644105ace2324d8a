"""Reader of TOML tables: a table becomes a frozen dataclass, typed by its annotations, with every fault reported.

`read` builds any such class: an unknown key, a value of another type and a missing field are faults. Marks in
annotations (`FILLED`, `WholeNumber`, …) say what a type cannot. Rule documents and all files of users are read by it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from datetime import date, time
from os import PathLike
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, Self, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .caches import cached
from .errors import InputError, fault, nearest, raise_all, short
from .textfiles import Faults, KeyLines, TomlNumber, day, line_number, parse_toml, read_text

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
#: Marks a list for which one of its items may stand.
SEVERAL = "several"
_OF_BET = ": "

#: Kinds of values in words, with what to write instead of another one.
_KINDS: Mapping[type, tuple[str, str]] = {
    str: ("a text", "put it in quotes"),
    bool: ("true or false", "write true or false without quotes"),
    int: ("a whole number", "write a whole number without quotes"),
}


@dataclass(frozen=True)
class WholeNumber:
    """Marks a whole number, with the least and the greatest that it may be."""

    least: int
    most: int

    def __call__(self, value: Any) -> int:
        if type(value) is int and self.least <= value <= self.most:
            return value
        raise fault(f"{_shown(value)} is not a whole number from {self.least:,} to {self.most:,}",
                    "write one in this range" if type(value) is int else "write one without quotes")


@dataclass(frozen=True)
class Text:
    """Marks a text that ``parse`` turns into a value; its `InputError` is a fault of the key."""

    parse: Callable[[str], Any]
    remedy: str = _KINDS[str][1]

    def __call__(self, value: Any) -> Any:
        if type(value) is not str:
            raise fault(f"{_shown(value)} is not a text", self.remedy)
        return self.parse(value)


def _filled(text: str) -> str:
    if not text.strip():
        raise fault("is empty", "write it")
    return text


def _amount(value: Any) -> str:
    if type(value) in (str, int, TomlNumber):
        return str(value)
    raise fault(f"{_shown(value)} is not a text", _KINDS[str][1])


def _day(value: Any) -> date:
    stated = day(value)
    if stated is None:
        raise fault(f"{_shown(value)} is not a date", "write a date: 2027-01-31")
    return stated


#: Marks a text that is not empty.
FILLED = Text(_filled)
#: Marks a number that is written as a text or bare, and kept as a text.
AMOUNT = _amount
#: Marks a date, of TOML or as a text.
DAY = _day

#: The metadata key of a field's name in TOML, if that is different.
KEY = "key"
#: The name of a field with all keys of a table that no other field has.
REST = "*"
#: The most keys of a table that a message lists.
MOST_LISTED = 12
#: The metadata of a field that its table does not state: the reader gives it.
BY_READER: Mapping[str, None] = MappingProxyType({KEY: None})


def called(key: str) -> Any:
    """Return a field whose name in TOML is ``key``."""
    return field(metadata={KEY: key})


@cached("the keys of each class of rule data", most=64)
def _schema(kind: Hashable) -> Mapping[str, tuple[str, Any, bool]]:
    """Return for every key of a class: its field's name, its annotation, and whether it is required."""
    assert isinstance(kind, type)
    hints = get_type_hints(kind, include_extras=True)
    return {
        key: (f.name, hints[f.name], f.default is MISSING and f.default_factory is MISSING)
        for f in fields(kind) if (key := f.metadata.get(KEY, f.name)) is not None
    }


def schema_of(kind: Hashable) -> Mapping[str, tuple[str, Any, bool]]:
    """Return for every key of a class in TOML: its field's name, its annotation, and whether it is required."""
    keys: Mapping[str, tuple[str, Any, bool]] = _schema(kind)
    return keys


def keys_of(kind: type, *, but: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the keys of a class in TOML, in the order of its fields."""
    return tuple(key for key in _schema(kind) if key not in (*but, REST))


def read(
    kind: type[T], data: Data, report: ReportFault, *, given: Data = NOTHING, aside: Sequence[str] = (),
    path: Path = (), partly: bool = False, header: str = "",
) -> T | None:
    """Return a TOML table as a frozen ``kind``; None if it has faults, all of which are reported.

    ``given`` are fields that the table does not state; ``aside`` are keys of it that are read elsewhere; ``header`` is
    its header in the file, for remedies that name a table in it. With
    ``partly``, a table whose required keys are sound is returned without what is faulty. A class may refuse values
    that do not fit together: an `InputError` of its ``__post_init__`` is a fault of the table, or of the key that its
    place names.
    """
    table = _Reader(report, partly=partly, header=header).table(kind, data, path, aside, given)
    return None if table is MISSING else cast(T, table)


def check_part(kind: type, data: Data, report: ReportFault, *, aside: Sequence[str] = (), path: Path = ()) -> None:
    """Report the faults of a patch: a table that states only some fields of a class."""
    _Reader(report, patch=True).table(kind, data, path, aside)


class TomlFile:
    """A user's TOML file: its data, the lines of its keys, and the faults that are found in it.

    ``data`` may have another source: an argument of a function, which ``path`` names, or a sheet with its ``places``.
    """

    def __init__(
        self, path: str, text: str = "", *, data: Data | None = None, places: KeyLines | None = None,
        faults: Faults | None = None,
    ) -> None:
        self.path, self.data = path, parse_toml(text, path) if data is None else data
        self.places, self.faults = places or KeyLines(text), Faults() if faults is None else faults

    @classmethod
    def of(cls, path: str | PathLike[str]) -> Self:
        """Return the file at a path; raises `InputError` if it is not TOML."""
        return cls(str(path), read_text(path))

    def read(self, kind: type[T], **options: Any) -> T | None:
        """Return the file as a frozen ``kind``, with the options of `read`; None if it has faults."""
        return read(kind, self.data, self.report, **options)

    def report(self, what: str, remedy: str, where: Path) -> None:
        """Add a fault with its line and its keys, for `read`."""
        self.faults.add(what, remedy, self.path, placed(self.places.of("", where), where))

    def checked(self, value: T | None) -> T:
        """Return what was read; raises `InputError` with every fault, in the order of their lines."""
        raise_all(sorted(self.faults, key=lambda f: line_number(f.place) or 0))
        assert value is not None
        return value


def placed(line: str, path: Path) -> str:
    """The place of a fault in a user's file: its line, if that was found, and the keys that lead there."""
    return ", ".join(word for word in (line, *path) if word)


class _Reader:
    """Reader of one table and of those in it; a value that has faults is MISSING."""

    def __init__(
        self, report: ReportFault, *, partly: bool = False, patch: bool = False, header: str = ""
    ) -> None:
        self._report, self._partly, self._patch, self._header, self._faults = report, partly, patch, header, 0

    def _header_of(self, path: Path) -> str:
        """Return the header of a table: "wager.round.street" of ("round", "street #1")."""
        return ".".join(filter(None, (self._header, *(part.partition(" #")[0] for part in path))))

    def fault(self, what: str, remedy: str, path: Path) -> Any:
        self._faults += 1
        self._report(what, remedy, path)
        return MISSING

    def table(self, kind: type, data: Any, path: Path, aside: Sequence[str] = (), given: Data = NOTHING) -> Any:
        """Return a table as a class; a patch is only checked."""
        schema = _schema(cast(Hashable, kind))
        if not isinstance(data, Mapping):
            keys = "" if REST in schema else f" of {', '.join(keys_of(kind)[:MOST_LISTED])}"
            return self.fault(f"{_shown(data)} is not a table", f"write a table{keys}", path)
        before = self._faults
        values = dict(self._values(schema, data, path, aside))
        required = {key: name for key, (name, _, needed) in schema.items() if needed and not self._patch}
        for key in required:
            if key not in data:
                self.fault(f'"{key}" is missing', _add(key, schema[key][1], self._header_of((*path, key))), path)
        is_sound = self._faults == before or (self._partly and values.keys() >= set(required.values()))
        if self._patch or not is_sound:
            return MISSING
        try:
            return kind(**values, **given)
        except InputError as error:
            for f in error.faults:
                self.fault(f.what, f.remedy, (*path, f.place) if f.place else path)
            return MISSING

    def _values(
        self, schema: Mapping[str, tuple[str, Any, bool]], data: Data, path: Path, aside: Sequence[str]
    ) -> Iterator[tuple[str, Any]]:
        others = {key: value for key, value in data.items() if (key not in schema or key == REST) and key not in aside}
        if REST in schema:
            name, wanted, _ = schema[REST]
            yield name, self.value(wanted, others, path)
        known = dict.fromkeys((*schema, *aside))
        for key in others if REST not in schema else ():
            self.fault(f'unknown key "{short(key, 80)}"', nearest(key[:80], known), (*path, key))
        for key, value in data.items():
            if key not in others and key not in aside:
                name, wanted, _ = schema[key]
                parsed = self.value(wanted, value, (*path, key))
                if parsed is not MISSING:
                    yield name, parsed

    def value(self, wanted: Any, value: Any, path: Path) -> Any:
        """Return a value of the annotated type; MISSING if it is of another type, which is reported."""
        origin = get_origin(wanted)
        if wanted is Any:
            return frozen(value)
        if origin in (Union, UnionType):
            kinds = [a for a in get_args(wanted) if a is not NoneType]
            return self.value(next((a for a in kinds if _fits(a, value)), kinds[0]), value, path)
        if origin is Annotated:
            kind, mark = get_args(wanted)
            return self._marked(kind, mark, value, path)
        if origin is Literal:
            if type(value) is str and value in get_args(wanted):
                return value
            word = value if type(value) is str else ""
            return self.fault(f"{_shown(value)} is none of the choices", nearest(word[:80], get_args(wanted)), path)
        if origin is PerPaytable:
            [kind] = get_args(wanted)
            if isinstance(value, Mapping):
                return PerPaytable(self._mapping(kind, value, path))
            parsed = self.value(kind, value, path)
            return MISSING if parsed is MISSING else PerPaytable(MappingProxyType({OTHERS: parsed}))
        if origin is tuple:
            return self._tuple(get_args(wanted), value, path)
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(get_args(wanted)[1], value, path)
        if is_dataclass(wanted):
            return self.table(cast(type, wanted), value, path)
        if type(value) is wanted:
            return value
        what, remedy = _KINDS[wanted]
        return self.fault(f"{_shown(value)} is not {what}", remedy, path)

    def _marked(self, kind: Any, mark: Any, value: Any, path: Path) -> Any:
        if callable(mark):
            try:
                return mark(value)
            except InputError as error:
                for f in error.faults:
                    self.fault(f.what, f.remedy, path)
                return MISSING
        if mark is SEVERAL and type(value) is str:
            value = [value]
        return self._mapping(get_args(kind)[1], value, path, by_bet=True) if mark is BY_BET else self.value(
            kind, value, path)

    def _tuple(self, wanted: tuple[Any, ...], value: Any, path: Path) -> Any:
        many = wanted[-1] is Ellipsis
        plain, mark = get_args(wanted[0]) if get_origin(wanted[0]) is Annotated else (wanted[0], None)
        plain = str if isinstance(mark, Text) else plain
        tables = _is_table(plain)
        if not isinstance(value, list | tuple) or not (many or len(value) == len(wanted)):
            kind = _KINDS[plain][0].removeprefix("a ") if plain in _KINDS else "table"
            what = f"{_shown(value)} is not a list of {kind}s" if many else (
                f"{_shown(value)} is not {len(wanted)} {kind}s")
            remedy = f"write [[{self._header_of(path)}]]" if tables and path else "write them in brackets, with commas"
            return self.fault(what, remedy, path)
        places = [(*path[:-1], f"{path[-1]} #{n}") if tables else path for n in range(1, len(value) + 1)]
        items = [self.value(wanted[0], item, place) for item, place in zip(value, places, strict=True)]
        return MISSING if MISSING in items else tuple(items)

    def _mapping(self, kind: Any, value: Any, path: Path, by_bet: bool = False) -> Any:
        """Return a mapping without its faulty entries; ``by_bet``, the entries of a table in it too."""
        if not isinstance(value, Mapping):
            return self.fault(f"{_shown(value)} is not a table", "write a table", path)
        entries: dict[str, Any] = {}
        for key, item in value.items():
            if by_bet and isinstance(item, Mapping):
                entries |= {key + _OF_BET + line: self.value(kind, text, (*path, key, line))
                            for line, text in item.items()}
            else:
                entries[key] = self.value(kind, item, (*path, key))
        return MappingProxyType({key: item for key, item in entries.items() if item is not MISSING})


def _add(key: str, kind: Any, header: str) -> str:
    """Return how a missing key is added: as a table with a header, as such tables, or as a value."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is tuple and _is_table(parts[0]):
        return f"add [[{header}]]"
    return f"add [{header}]" if _is_table(kind) else f"add {key} = …"


def _is_table(kind: Any) -> bool:
    """Return whether the values of an annotation are written as tables."""
    return is_dataclass(kind) or get_origin(kind) is Mapping


def _fits(kind: Any, value: Any) -> bool:
    """Return whether a value is of the outermost type of one of several annotations."""
    origin = get_origin(kind)
    if origin is Annotated:
        inner, mark = get_args(kind)
        return type(value) is str if isinstance(mark, Text) else _fits(inner, value)
    if origin is Literal:
        return type(value) is str
    return isinstance(value, Mapping) if is_dataclass(kind) else type(value) is kind


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
    """Return a value as TOML writes it, shortened."""
    if isinstance(value, bool | date | time):
        return str(value).lower()
    if isinstance(value, TomlNumber):
        return short(value, 80)
    return short(f'"{value}"' if isinstance(value, str) else repr(value), 80)


def merged(data: Data, patch: Data) -> dict[str, Any]:
    """Return ``data`` with the entries of ``patch``; nested tables (a wheel, a setting) are merged."""
    result = dict(data)
    for key, value in patch.items():
        result[key] = merged(result.get(key, {}), value) if isinstance(value, Mapping) else value
    return result
