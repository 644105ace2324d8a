"""Reader of policy files: one `InputError` has every fault of a file with its line.

`extends` names files (relative to the extending one) or shipped policies
("combin:lenient"). Their requirements and waivers come first; a requirement replaces an extended
one of the same name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import normpath
from pathlib import Path
from typing import Annotated, Any, Literal

from ..base import budgets
from ..base.errors import InputError, fault, nearest
from ..base.exact import ratio
from ..base.textfiles import Block, Faults, KeyLines, line_number, parse_toml, read_text
from ..base.toml_tables import SEVERAL, TomlFile, keys_of, placed, read
from ..base.toml_tables import Path as Keys
from .criteria import CHECKS, CRITERIA
from .model import Bound, Policy, Requirement, Waiver
from .values import exact

SHIPPED = "combin:"
#: The folder of the shipped policies.
POLICIES = Path(__file__).parents[1] / "policies"


@dataclass(frozen=True)
class PolicyTerms:
    """The keys of a policy above its tables."""

    name: str = ""
    description: str = ""
    extends: Annotated[tuple[str, ...], SEVERAL] = ()
    undecided: Literal["fail", "pass"] = "fail"
    file_waivers: tuple[str, ...] | None = None


TABLES = ("rule", "waiver")
TOP_KEYS = (*keys_of(PolicyTerms), *TABLES)


def shipped_policies() -> list[str]:
    """Return the names of the policies that ship with combin."""
    return sorted(p.stem for p in POLICIES.glob("*.toml"))


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
            policy: Policy | InputError = _anew(source, above, known)
        except InputError as error:
            policy = error
        known[source] = policy
    else:
        policy = known[source]
    if isinstance(policy, InputError):
        raise policy
    return policy


def _anew(source: str, above: tuple[str, ...], known: dict[str, Policy | InputError]) -> Policy:
    if source in above:
        raise fault("extends itself", f"break the circle {' > '.join((*above, source))}", file=above[-1])
    if len(above) >= budgets.POLICY_LEVELS or len(known) + len(above) >= budgets.POLICY_FILES:
        what = f"extends more than {budgets.POLICY_LEVELS} policies in a row, or {budgets.POLICY_FILES} in all"
        raise fault(what, "put their requirements into fewer files", file=above[-1])
    return _PolicyReader(TomlFile(source, policy_text(source)), above, known).policy()


class _PolicyReader:
    """Reader of one policy file; it collects the faults."""

    def __init__(self, file: TomlFile, above: tuple[str, ...], known: dict[str, Policy | InputError]) -> None:
        self.file, self.above, self.known = file, above, known
        self.source, self.data, self.places, self.faults = file.path, file.data, file.places, file.faults
        self.globs = 0

    def policy(self) -> Policy:
        if not any(key in TOP_KEYS or nearest(key, TOP_KEYS, otherwise="-") != "-" for key in self.data):
            # The content is not quoted: the file may be of another kind.
            raise fault("has no [[rule]] table", "begin with [[rule]], name and applies_to", file=self.source)
        terms = self.file.read(PolicyTerms, aside=TABLES) or PolicyTerms()
        bases = self._extended(terms.extends)
        requirements: dict[str, Requirement] = {}
        twice: dict[str, tuple[str, str]] = {}
        for base in bases:
            for r in base.requirements:
                if requirements.setdefault(r.name, r) != r:
                    twice.setdefault(r.name, (requirements[r.name].file, r.file))
        places: dict[str, str] = {}
        for index, entry in enumerate(self._tables("rule")):
            requirement = self._requirement(entry, index, terms.undecided)
            name, place = entry.get("name"), self.places.block("rule", index).start
            if isinstance(name, str) and name in places:
                first = f" (the first on {places[name]})" if places[name] else ""
                self._fault(f'two requirements are called "{name}"{first}', "give each another name", place)
            elif isinstance(name, str):
                places[name] = place
            if requirement is not None:
                requirements[requirement.name] = requirement
        for name, (one, other) in twice.items():
            if name not in places:
                what = f'the requirement "{name}" is stated by two extended policies, {one} and {other}'
                remedy = "extend one of them, or state the requirement here"
                self._fault(what, remedy, self.places.find(("", "extends")))
        waivers = [w for base in bases for w in base.waivers]
        stated = self._tables("waiver")
        waivers += read_waivers(stated, self.source, self.places, "waiver", self.faults, {*requirements, *places})
        file_waivers = self._file_waivers(terms.file_waivers, bases, {*requirements, *places})
        if not requirements and not self.faults:
            self._fault("has no [[rule]] table", "begin with [[rule]], name and applies_to", "")
        if self.faults:
            file_faults = sorted((f for f in self.faults if f.file == self.source),
                                 key=lambda f: line_number(f.place) or 0)
            raise InputError(*(f for f in self.faults if f.file != self.source), *file_faults)
        return Policy(terms.name or self.source, tuple(requirements.values()), tuple(dict.fromkeys(waivers)),
                      self.source, file_waivers)

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

    def _extended(self, wanted: Sequence[str]) -> list[Policy]:
        bases = []
        for name in wanted:
            target = name
            if not name.startswith(SHIPPED) and not self.source.startswith(SHIPPED):
                target = normpath(Path(self.source).parent / name)
            try:
                bases.append(_read(target, (*self.above, self.source), self.known))
            except InputError as error:
                self.faults.extend(f for f in error.faults if f not in self.faults)
        return bases

    def _file_waivers(
        self, stated: tuple[str, ...] | None, bases: Sequence[Policy], requirements: Collection[str]
    ) -> tuple[str, ...]:
        """Return what files of paytables may waive for themselves, as this policy or an extended one says."""
        if stated is None:
            return tuple(dict.fromkeys(name for base in bases for name in base.file_waivers))
        for name in stated:
            if remedy := _remedy_of_name(name, requirements):
                self._fault(f"file_waivers names neither a requirement nor a check: {_short(name)}", remedy,
                            self.places.find(("", "file_waivers")))
        return stated

    def _requirement(
        self, entry: Mapping[str, Any], index: int, undecided: Literal["fail", "pass"]
    ) -> Requirement | None:
        before = len(self.faults)
        block = self.places.block("rule", index)

        def at(*path: str) -> str:
            return block.of("rule", path)

        def report(what: str, remedy: str, path: Keys) -> None:
            self._fault(what, remedy, placed(at(*path), path or (f"requirement {_short(name)}",)))

        name = entry.get("name") if isinstance(entry.get("name"), str) else index + 1
        given = {"bounds": (), "file": self.source, "line": line_number(block.start)}
        terms = read(Requirement, entry, report, aside=tuple(CRITERIA), given=given)
        listed = terms.applies_to if terms else ()
        if terms and (not listed or any(len(p) > budgets.PATTERN for p in listed)):
            what = f"has a glob of more than {budgets.PATTERN} characters" if listed else "names no id and no glob"
            self._fault(f"applies_to {what}", 'write applies_to = ["*/*/flush-bonus/*"]', at("applies_to"))
        self.globs += len(listed)
        if self.globs > budgets.PATTERNS >= self.globs - len(listed):
            what = f"the requirements list more than {budgets.PATTERNS} ids and globs"
            self._fault(what, "write wider globs", at("applies_to"))
        bounds = tuple(Bound(key, _literal(entry[key]), self._value(criterion.read, key, entry[key], at(key)),
                             line_number(at(key))) for key, criterion in CRITERIA.items() if key in entry)
        if not bounds:
            self._fault(f"the requirement {_short(name)} checks nothing",
                        "give it a bound, such as return_min; combin rules lists them", block.start)
        if entry.get("decks") == []:
            self._fault("decks names no number", "write decks = [6, 8], or leave it out", at("decks"))
        if terms and terms.at_stake:
            self._value(exact, "at_stake", terms.at_stake, at("at_stake"))
        for unknown, value in terms.set.items() if terms else ():
            self._value(lambda v, n=unknown: ratio(v, what=f"the value of {n}"), "set", value, at("set", unknown))
        if terms is None or len(self.faults) > before:
            return None
        return replace(terms, bounds=bounds, undecided=terms.undecided or undecided)

    def _value(self, call: Any, key: str, value: Any, place: str) -> Any:
        try:
            return call(value)
        except InputError as error:
            for f in error.faults:
                self._fault(f"{key}: {f.what}", f.remedy, place)
            return None


def read_waivers(
    entries: Any, file: str, places: KeyLines, table: str, faults: Faults, requirements: Collection[str] | None = None
) -> list[Waiver]:
    """Return the waivers of the tables ``table`` of a file; faults are added to ``faults``.

    ``requirements`` are the names that a waiver may give besides the ids of checks; None allows any name.
    """
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        faults.add(f'"{table}" is not a list of tables', f"write [[{table}]]", file, places.find((table,), ("", table)))
        return []
    waivers = []
    for index, entry in enumerate(entries):
        block = places.block(table, index)

        def report(what: str, remedy: str, path: Keys, block: Block = block) -> None:
            faults.add(what, remedy, file, placed(block.of(table, path), ("waiver", *path)))

        waiver = read(Waiver, entry, report, given={"file": file, "line": line_number(block.start)})
        if waiver is not None:
            waivers.append(waiver)
            remedy = _remedy_of_name(waiver.rule, requirements) if waiver.rule and requirements is not None else ""
            if remedy:
                report(f"{_short(waiver.rule)} is neither a requirement nor a check", remedy, ("rule",))
    return waivers


def _remedy_of_name(name: str, requirements: Collection[str]) -> str:
    """Return the remedy for a name that is neither a requirement nor a check; empty for a good one."""
    if name in requirements or name in CHECKS:
        return ""
    return f"write {CRITERIA[name].id}" if name in CRITERIA else nearest(name, [*requirements, *CHECKS])


def _short(value: Any) -> str:
    shown = f'"{value}"' if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
