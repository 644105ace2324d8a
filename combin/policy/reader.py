"""Reader of policy files: one `InputError` has every fault of a file with its line.

`extends` names files (relative to the extending one) or shipped policies
("combin:lenient"). Their requirements and waivers come first; a requirement replaces an extended
one of the same name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os.path import normpath
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base import budgets
from ..base.errors import InputError, fault, nearest
from ..base.exact import ratio
from ..base.textfiles import Block, Faults, KeyLines, day, line_number, parse_toml, read_text
from ..userfiles.waivers import faults_of_waiver
from .criteria import BASES, CHECKS, CRITERIA
from .model import Bound, Policy, Requirement, Waiver
from .values import deck_list, exact

SHIPPED = "combin:"
#: The folder of the shipped policies.
POLICIES = Path(__file__).parents[1] / "policies"
TOP_KEYS = ("name", "description", "extends", "undecided", "file_waivers", "rule", "waiver")
OWN_KEYS = (
    "name",
    "applies_to",
    "decks",
    "readings",
    "basis",
    "undecided",
    "at_stake",
    "meter",
    "set",
    "reading",
)
REQUIREMENT_KEYS = (*OWN_KEYS, *CRITERIA)
WAIVER_KEYS = ("id", "rule", "reason", "expires")


def shipped_policies() -> list[str]:
    """Return the names of the policies that ship with combin."""
    folder = POLICIES
    return sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml"))


def policy_text(source: str) -> str:
    """Return the text of a policy: a path, or "combin:NAME" for a shipped one."""
    if not source.startswith(SHIPPED):
        return read_text(source)
    name = source.removeprefix(SHIPPED)
    if name not in shipped_policies():
        raise fault(f'no policy called "{name}" ships with combin', nearest(name, shipped_policies()), file=source)
    return (POLICIES / f"{name}.toml").read_text(encoding="utf-8")


def describe(name: str) -> str:
    """Return the description of a shipped policy."""
    return str(parse_toml(policy_text(SHIPPED + name), name).get("description", ""))


def read_policy(source: str | Path) -> Policy:
    """Return the policy of a file or a shipped name, with those that it extends; `InputError` has every fault."""
    return _read(str(source), (), {})


def _read(source: str, above: tuple[str, ...], known: dict[str, Policy | InputError]) -> Policy:
    """Return the policy of a source; each source is read once."""
    if source not in known:
        try:
            found: Policy | InputError = _anew(source, above, known)
        except InputError as error:
            found = error
        known[source] = found
    else:
        found = known[source]
    if isinstance(found, InputError):
        raise found
    return found


def _anew(source: str, above: tuple[str, ...], known: dict[str, Policy | InputError]) -> Policy:
    if source in above:
        raise fault("extends itself", f"break the circle {' > '.join((*above, source))}", file=above[-1])
    if len(above) >= budgets.POLICY_LEVELS or len(known) + len(above) >= budgets.POLICY_FILES:
        what = f"extends more than {budgets.POLICY_LEVELS} policies in a row, or {budgets.POLICY_FILES} in all"
        raise fault(what, "put their requirements into fewer files", file=above[-1])
    text = policy_text(source)
    data = parse_toml(text, source)
    return _PolicyReader(source, data, KeyLines(text), above, known).policy()


class _PolicyReader:
    """Reader of one policy file; it collects the faults."""

    def __init__(
        self, source: str, data: Mapping[str, Any], places: KeyLines, above: tuple[str, ...],
        known: dict[str, Policy | InputError],
    ) -> None:
        self.source, self.data, self.places, self.above, self.known = source, data, places, above, known
        self.faults = Faults()
        self.globs = 0

    def policy(self) -> Policy:
        if not any(key in TOP_KEYS or nearest(key, TOP_KEYS, otherwise="-") != "-" for key in self.data):
            # The content is not quoted: the file may be of another kind.
            raise fault("has no [[rule]] table", "begin with [[rule]], name and applies_to", file=self.source)
        for key in self.data:
            if key not in TOP_KEYS:
                self._fault(f'unknown key "{key}"', nearest(key, TOP_KEYS), self.places.find((key,), ("", key)))
        bases = self._extended()
        undecided = self._undecided(self.data, "fail", self.places.find(("", "undecided")))
        requirements: dict[str, Requirement] = {}
        twice: dict[str, tuple[str, str]] = {}
        for base in bases:
            for r in base.requirements:
                if requirements.setdefault(r.name, r) != r:
                    twice.setdefault(r.name, (requirements[r.name].file, r.file))
        own: dict[str, str] = {}
        for index, entry in enumerate(self._tables("rule")):
            requirement = self._requirement(entry, index, undecided)
            name, place = entry.get("name"), self.places.block("rule", index).start
            if isinstance(name, str) and name in own:
                first = f" (the first on {own[name]})" if own[name] else ""
                self._fault(f'two requirements are called "{name}"{first}', "give each another name", place)
            elif isinstance(name, str):
                own[name] = place
            if requirement is not None:
                requirements[requirement.name] = requirement
        for name, (one, other) in twice.items():
            if name not in own:
                what = f'the requirement "{name}" is stated by two extended policies, {one} and {other}'
                remedy = "extend one of them, or state the requirement here"
                self._fault(what, remedy, self.places.find(("", "extends")))
        waivers = [w for base in bases for w in base.waivers]
        stated = self._tables("waiver")
        waivers += read_waivers(stated, self.source, self.places, "waiver", self.faults, {*requirements, *own})
        file_waivers = self._file_waivers(bases, {*requirements, *own})
        if not requirements and not self.faults:
            self._fault("has no [[rule]] table", "begin with [[rule]], name and applies_to", "")
        if self.faults:
            here = sorted((f for f in self.faults if f.file == self.source), key=lambda f: line_number(f.place) or 0)
            raise InputError(*(f for f in self.faults if f.file != self.source), *here)
        name = self.data.get("name", self.source)
        return Policy(str(name), tuple(requirements.values()), tuple(dict.fromkeys(waivers)), self.source, file_waivers)

    def _fault(self, what: str, remedy: str, place: str) -> None:
        self.faults.add(what, remedy, self.source, place)

    def _tables(self, key: str) -> list[Mapping[str, Any]]:
        entries = self.data.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            self._fault(f'"{key}" is not a list of tables', f"write [[{key}]]", self.places.find((key,), ("", key)))
            return []
        if len(entries) > budgets.REQUIREMENTS:
            self._fault(f"has more than {budgets.REQUIREMENTS} tables [[{key}]]", "spread them over several policies",
                        "")
            return []
        return entries

    def _extended(self) -> list[Policy]:
        wanted = self.data.get("extends", [])
        wanted = [wanted] if type(wanted) is str else wanted
        place = self.places.find(("", "extends"))
        if not isinstance(wanted, list) or not all(type(w) is str for w in wanted):
            self._fault("extends is neither a text nor a list of texts", 'write extends = "base.toml"', place)
            return []
        found = []
        for name in wanted:
            target = name
            if not name.startswith(SHIPPED) and not self.source.startswith(SHIPPED):
                target = normpath(Path(self.source).parent / name)
            try:
                found.append(_read(target, (*self.above, self.source), self.known))
            except InputError as error:
                self.faults.extend(f for f in error.faults if f not in self.faults)
        return found

    def _file_waivers(self, bases: Sequence[Policy], requirements: Collection[str]) -> tuple[str, ...]:
        """Return what files of paytables may waive for themselves, as this policy or an extended one says."""
        if "file_waivers" not in self.data:
            return tuple(dict.fromkeys(name for base in bases for name in base.file_waivers))
        stated, place = self.data["file_waivers"], self.places.find(("", "file_waivers"))
        if not isinstance(stated, list) or not all(type(name) is str for name in stated):
            what = "file_waivers is not a list of checks and requirements"
            self._fault(what, 'write file_waivers = ["RTP001"]', place)
            return ()
        for name in stated:
            if name not in requirements and name not in CHECKS:
                remedy = f"write {CRITERIA[name].id}" if name in CRITERIA else nearest(name, [*requirements, *CHECKS])
                self._fault(f"file_waivers names neither a requirement nor a check: {_short(name)}", remedy, place)
        return tuple(stated)

    def _undecided(self, entry: Mapping[str, Any], default: str, place: str) -> bool:
        value = entry.get("undecided", default)
        if value not in ("fail", "pass"):
            self._fault(f"undecided is {_short(value)}", 'write "fail" or "pass"', place)
        return value == "pass"

    def _requirement(self, entry: Mapping[str, Any], index: int, undecided: bool) -> Requirement | None:
        before = len(self.faults)
        block = self.places.block("rule", index)
        head = block.start

        def at(key: str) -> str:
            return block.place(("rule", key), (f"rule.{key}",))

        for key in entry:
            if key not in REQUIREMENT_KEYS:
                self._fault(
                    f'unknown key "{key}" in a requirement',
                    nearest(key, REQUIREMENT_KEYS, otherwise="combin rules lists them"),
                    at(key),
                )
        name = entry.get("name")
        if type(name) is not str or not name.strip():
            remedy = 'give it one: name = "Side bets return three quarters"'
            self._fault("the requirement has no name", remedy, at("name"))
            name = f"requirement {index + 1}"
        applies_to = entry.get("applies_to")
        if type(applies_to) is str:
            applies_to = [applies_to]
        if applies_to is None:
            self._fault(f'the requirement "{name}" has no applies_to', 'write applies_to = ["*/*/flush-bonus/*"]', head)
            applies_to = []
        elif not isinstance(applies_to, list) or not applies_to or not all(type(p) is str for p in applies_to):
            self._fault(
                "applies_to is not a list of ids and globs",
                'write applies_to = ["*/*/flush-bonus/*"]', at("applies_to")
            )
            applies_to = []
        elif any(len(p) > budgets.PATTERN for p in applies_to):
            what = f"applies_to has a glob of more than {budgets.PATTERN} characters"
            self._fault(what, "write a shorter one", at("applies_to"))
            applies_to = []
        self.globs += len(applies_to)
        if self.globs > budgets.PATTERNS >= self.globs - len(applies_to):
            what = f"the requirements list more than {budgets.PATTERNS} ids and globs"
            self._fault(what, "write wider globs", at("applies_to"))
        if entry.get("readings", "primary") not in ("primary", "all"):
            self._fault(f"readings is {_short(entry['readings'])}", 'write "primary" or "all"', at("readings"))
        basis = entry.get("basis")
        if basis is not None and basis not in BASES:
            self._fault(f"basis is {_short(basis)}", f"write one of {', '.join(BASES)}", at("basis"))
        meter = entry.get("meter")
        if meter is not None and type(meter) is not str:
            self._fault(f"meter is {_short(meter)}", "name an unknown", at("meter"))
        bounds = tuple(
            Bound(key, _literal(entry[key]), value, line_number(at(key)))
            for key in CRITERIA
            if key in entry
            for value in [self._value(CRITERIA[key].read, key, entry[key], at(key))]
        )
        if not bounds:
            self._fault(
                f'the requirement "{name}" checks nothing',
                "give it a bound, such as return_min; combin rules lists them",
                head,
            )
        requirement = Requirement(
            name=str(name),
            applies_to=tuple(applies_to),
            bounds=bounds,
            decks=self._optional(deck_list, entry, "decks", at) or (),
            all_readings=entry.get("readings") == "all",
            basis=basis if isinstance(basis, str) else None,
            undecided_passes=self._undecided(entry, "pass" if undecided else "fail", at("undecided")),
            at_stake=self._optional(exact, entry, "at_stake", at),
            meter=meter if isinstance(meter, str) else None,
            set=self._texts(entry, "set", block, exact_numbers=True),
            reading=self._texts(entry, "reading", block, exact_numbers=False),
            file=self.source,
            line=line_number(head),
        )
        return requirement if len(self.faults) == before else None

    def _value(self, read: Any, key: str, value: Any, place: str) -> Any:
        try:
            return read(value)
        except InputError as error:
            for f in error.faults:
                self._fault(f"{key}: {f.what}", f.remedy, place)
            return None

    def _optional(self, read: Any, entry: Mapping[str, Any], key: str, at: Any) -> Any:
        return self._value(read, key, entry[key], at(key)) if key in entry else None

    def _texts(self, entry: Mapping[str, Any], key: str, block: Any, *, exact_numbers: bool) -> Mapping[str, str]:
        table = entry.get(key, {})
        if not isinstance(table, dict):
            self._fault(f"{key} is not a table", f"write [rule.{key}]", block.place(("rule", key)))
            return {}
        found = {}
        for name, value in table.items():
            place = block.place((f"rule.{key}", name), ("rule", key))
            if exact_numbers:
                if self._value(lambda v, n=name: ratio(v, what=f"the value of {n}"), key, value, place) is not None:
                    found[name] = str(value)
            elif type(value) is not str:
                self._fault(f"{key}: {name} is {_short(value)}", "write the choice of the reading as text", place)
            else:
                found[name] = value
        return MappingProxyType(found)


def read_waivers(
    entries: Any, file: str, places: KeyLines, table: str, faults: Faults, requirements: Collection[str] | None = None
) -> list[Waiver]:
    """Return the waivers of the tables ``table`` of a file; faults are added to ``faults``.

    ``requirements`` are the names that a waiver may give besides the ids of checks; None allows any name.
    """
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        faults.add(f'"{table}" is not a list of tables', f"write [[{table}]]", file, places.find((table,), ("", table)))
        return []
    found = []
    for index, entry in enumerate(entries):
        waiver = _waiver(entry, file, places.block(table, index), table, faults, requirements)
        if waiver is not None:
            found.append(waiver)
    return found


def _waiver(
    entry: Mapping[str, Any], file: str, block: Block, table: str, faults: Faults, requirements: Collection[str] | None
) -> Waiver | None:
    before = len(faults)

    def report(what: str, remedy: str, key: str) -> None:
        faults.add(what, remedy, file, block.place((table, key)))

    for key, what, remedy in faults_of_waiver(entry, WAIVER_KEYS):
        report(what, remedy, key)
    if type(entry.get("id")) is not str or not entry["id"].strip():
        report('the waiver has no "id"', "name the paytable, or a glob", "id")
    rule = entry.get("rule", "")
    if type(rule) is str and rule and requirements is not None and rule not in requirements and rule not in CHECKS:
        remedy = f"write {CRITERIA[rule].id}" if rule in CRITERIA else nearest(rule, [*requirements, *CHECKS])
        report(f"the waiver names neither a requirement nor a check: {_short(rule)}", remedy, "rule")
    if len(faults) > before:
        return None
    return Waiver(entry["id"], entry["reason"], rule, day(entry.get("expires")), file, line_number(block.start))


def _short(value: Any) -> str:
    shown = f'"{value}"' if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
