"""The schema of rule data, and the reader that turns TOML tables into frozen terms.

`Terms` has every field of a wager, in a shipped document or a user's file; the classes of
`combin.rulebook.model` are the other tables. `read` builds any of them from its annotations: an
unknown key, a value of another type and a missing field are faults. No other room looks up a key of
rule data.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ..base.caches import cached
from ..base.errors import nearest, raise_all, short
from ..base.textfiles import Faults, KeyLines, TomlNumber, day, parse_toml

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


#: The ways of drawing that determine the value of an unknown.
Way = Literal["by-card", "by-rank", "by-position"]
#: The key for every paytable that is not named.
OTHERS = "*"


@dataclass(frozen=True)
class PerPaytable(Generic[T]):
    """A value that may differ between the paytables of a wager; ``*`` is for those that are not named."""

    values: Mapping[str, T] = empty()

    def of(self, paytable: str) -> T | None:
        return self.values.get(paytable, self.values.get(OTHERS))


@dataclass(frozen=True)
class SettingTerms:
    """A quantity that is always a number; without ``default`` if the document states none."""

    text: str = ""
    default: PerPaytable[str] = PerPaytable()
    least: str | None = None
    most: str | None = None
    fixed: bool = False
    clause: str = ""


@dataclass(frozen=True)
class Unknown:
    """A quantity that is a symbol in pays; it is a meter if ``resets_on`` names outcomes.

    ``resets`` are the ways to reset the meter that the document allows, by name.
    ``contribution`` and ``secondary`` are the shares of a wager that it fixes.
    ``seed`` is who funds a reset. ``ways`` are ways of drawing that may be given instead of a value.
    """

    text: str = ""
    clause: str = ""
    reset: PerPaytable[str] = PerPaytable()
    resets: Mapping[str, str] = empty()
    least: str | None = None
    most: str | None = None
    contribution: PerPaytable[str] = PerPaytable()
    secondary: PerPaytable[str] = PerPaytable()
    resets_on: PerPaytable[tuple[str, ...]] = PerPaytable()
    seed: Literal["operator", "contributions"] = "operator"
    ways: tuple[Way, ...] = ()

    @property
    def is_meter(self) -> bool:
        return bool(self.resets_on.values)


@dataclass(frozen=True)
class ExtraPay:
    """An addition to the lines; ``frequency`` is the unknown probability that it is paid."""

    pays: str
    frequency: str
    clause: str = ""


@dataclass(frozen=True)
class MeterLimit:
    """The least reset and the least maximum of a Must Hit meter, in dollars."""

    reset: str
    maximum: str
    clause: str = ""


@dataclass(frozen=True)
class Companion:
    """The wager and paytable that a promotion goes with, and how it is paid.

    Without ``suffix``, an outcome of the promotion has the name of that wager's outcome.
    """

    wager: str
    table: str
    paid: Literal["added", "instead"] = "added"
    suffix: str = ""


@dataclass(frozen=True)
class DealOptions:
    """How hands are drawn out: the dealer's rule at soft 17, and which hands count as a player's 20."""

    soft_17: Literal["stands", "hits"] = "stands"
    twenty: Literal["final-total", "first-two-cards"] = "final-total"


@dataclass(frozen=True)
class PlayOptions:
    """How play of the base game affects a side bet; by default it does not."""

    spin_needs_dealer: Literal["no", "yes"] = "no"
    discards: Literal["all-seven", "kept-cards-only"] = "all-seven"
    folded: Literal["paid", "forfeited"] = "paid"


@dataclass(frozen=True)
class CommunityTable:
    """What other players are paid if a spin shows two symbols, at one stake in dollars, for some paytables."""

    stake: str
    paytables: tuple[str, ...]
    pays: Mapping[str, str] = empty()


@dataclass(frozen=True)
class CommunityOptions:
    """What community pay depends on: the symbol of another player's spin, or another player's hand."""

    paid_for: Literal["symbol", "hand"] = "symbol"


@dataclass(frozen=True)
class MeterOptions:
    """Whether a share that is paid leaves the meter, and how several winners of one round are paid.

    ``in-turn``: each from the meter at his turn, so the second from what it was reset to; ``split``: winners of the
    whole meter share it equally. ``winners_clause`` is the clause that says so, if one does.
    """

    share_deducted: Literal["yes", "no"] = "yes"
    winners: Literal["in-turn", "split"] = "in-turn"
    winners_clause: str = ""


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


#: The game of a wager with ``beside``: it is settled on the results of rounds of its base game.
SIDE_BET = "showdown-side-bet"


@dataclass(frozen=True)
class OfferTerms:
    """A choice that is offered to hands from ``needs`` upwards; ``stake`` is a whole choice."""

    stake: str
    needs: str


@dataclass(frozen=True)
class StreetTerms:
    """What is dealt on a street, and what may then be chosen, by name."""

    deal: str
    choices: Mapping[str, str | OfferTerms] = empty()


@dataclass(frozen=True)
class RoundTerms:
    """A round of a game as a file describes it: hands, stakes, streets (see `combin.games.showdown`)."""

    order: str
    player: str
    stakes: Mapping[str, int | str]
    street: tuple[StreetTerms, ...]
    dealer: str = ""
    qualifies: str = ""
    bonuses: Mapping[str, str] = empty()
    equal_choices: Literal["least stake", "greatest stake"] = "least stake"
    ranks: str = "23456789TJQKA"


#: Roles whose cards all seats share; a wager names others in ``shared``.
SHARED = ("dealer", "upcard", "hole card", "board")


@dataclass(frozen=True)
class Terms:
    """A wager's terms under chosen readings; pays are not terms but belong to its paytables.

    A wager is one of three kinds:

    - settled on a ``deal`` by ``outcome``: conditions on the cards, by name. Conditions may use
    ``options`` and the parts named in ``where``; an empty condition removes an outcome;
    - settled on a ``deal`` by ``outcomes``, the name of an outcome function. It takes ``options``;
    ``suits`` are the suits that it singles out;
    - a ``game``, which takes ``options`` too. A game that a file describes has its ``round``, and conditions on
    the results of each bet in ``outcome``.

    ``dealer_cards`` is the dealer's share of a hand's cards; all players share those cards. ``shared`` names further
    roles whose cards all players share, in addition to `SHARED`. ``seats`` are the seats of a table, 0 if its document
    states them. ``shoe`` has the numbers of cards of some ranks in a deck that is not one of 52 cards.
    ``added`` are pays that are sums of others. ``second_way`` names the independent settlement of
    `combin.verify` that checks the conditions.
    ``extra`` (additions to the lines), ``wheel`` (symbols and their pays) and ``envy`` (hands and
    what they pay other players) differ by paytable. ``community`` is what other players are paid
    for two symbols. Lines in ``only_at_stake`` are paid only at one stake. A ``promotion`` has no
    stake of its own. A wager that is not ``dealt`` does not depend on the number of decks.
    """

    deal: str = ""
    game: str = ""
    where: Mapping[str, str] = empty()
    outcome: Annotated[Mapping[str, str], BY_BET] = empty()
    round: RoundTerms | None = None
    second_way: str = ""
    outcomes: str = ""
    suits: tuple[str, ...] = ()
    dealer_cards: int = 0
    shared: tuple[str, ...] = ()
    seats: int = 0
    options: Mapping[str, Any] = empty()
    added: Mapping[str, tuple[str, ...]] = empty()
    deal_options: DealOptions = DealOptions()
    shoe: Mapping[str, int] = empty()
    setting: Mapping[str, SettingTerms] = empty()
    unknown: Mapping[str, Unknown] = empty()
    extra: Mapping[str, Mapping[str, ExtraPay]] = empty()
    promotion: bool = False
    dealt: bool = True
    limits: Mapping[str, MeterLimit] = empty()
    #: The wager that a promotion goes with, or the id of a game with a ``round`` on which this is a side bet.
    beside: Companion | str | None = None
    only_at_stake: Mapping[str, str] = empty()
    wheel: Mapping[str, Mapping[str, str]] = empty()
    community: Mapping[str, CommunityTable] = empty()
    community_options: CommunityOptions = CommunityOptions()
    play_options: PlayOptions = PlayOptions()
    meter_options: MeterOptions = MeterOptions()
    envy: Mapping[str, Mapping[str, str]] = empty()
    stake_returned_with_prize: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.beside, str) and not self.game:
            object.__setattr__(self, "game", SIDE_BET)

    @property
    def shared_roles(self) -> tuple[str, ...]:
        """The roles whose cards all seats share."""
        return (*SHARED, *self.shared)

    @property
    def again(self) -> str:
        """The name of the independent settlement of the outcomes."""
        return self.second_way or self.outcomes

    @property
    def has_decisions(self) -> bool:
        """Whether the wager is a game with decisions; a promotion has none."""
        return bool(self.game) and not self.promotion and self.game != SIDE_BET

    @property
    def depends_on_play(self) -> bool:
        """Whether a side bet's figure depends on how the base game is played."""
        return self.play_options != PlayOptions()


@dataclass(frozen=True)
class PayoutCap:
    """A payout cap: the maximum that a document lets the operator set on a payout.

    ``wagers`` and ``exempt`` are globs over the document's wagers. ``outcomes`` are the capped
    hands (empty: all). The cap is in force only under the choices of ``reading``.
    ``limit`` names the wager limit to whose win the floor ``at_least`` or the ceiling
    ``at_most`` is raised; it is "" if the document states no amount. ``shared_pair`` is for a
    hand whose maximum is shared between players: each holds a pair of that card, and
    ``most_others`` is the number of other players.
    """

    wagers: tuple[str, ...]
    clause: str
    basis: Literal["round", "hand"]
    text: str
    at_least: str = ""
    at_most: str = ""
    limit: str = ""
    outcomes: tuple[str, ...] = ()
    reading: Mapping[str, str] = empty()
    shared: bool = False
    shared_pair: Mapping[str, str] = empty()
    most_others: str = ""
    exempt: tuple[str, ...] = ()


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
