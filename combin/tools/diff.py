"""Differences of paytables: return and house edge before and after, and failures of a policy that came or went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Any

from .. import pages
from ..analysis.engine import analyze, numbers
from ..analysis.store_key import inputs_of
from ..base.documents import document
from ..base.errors import Fault, InputError, fault, raise_all
from ..base.exact import text, to_float
from ..base.work import each
from ..pages.blocks import Grid, Part
from ..policy.evaluation import check, stated_decks
from ..policy.model import FAIL, UNDECIDED, Policy
from ..rulebook import parameters
from ..rulebook.book import Rulebook, shipped
from ..userfiles.collected import add_word
from ..userfiles.expansion import expanded
from ..userfiles.written import PLAIN, Written
from .changes import CHANGED, GONE, NEW, Change, VersionFigures, ordered, signed
from .revisions import checked_out, name_of, revision_and_path

FORMS = ("text", "markdown", "json")

Key = tuple[str, int | None]


@dataclass(frozen=True)
class Difference:
    """All changes, the largest change of the return first, and the number of unchanged paytables."""

    old: str
    new: str
    changes: tuple[Change, ...]
    same: int = 0
    #: Ids of paytables that the options leave out, each with the reason.
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def summary(self) -> str:
        """Counts of paytables; one that changed at several numbers of decks counts once."""
        counts = {state: len({c.id for c in self.changes if c.state == state}) for state in (CHANGED, NEW, GONE)}
        failing = len({c.id for c in self.changes if c.became})
        text = f"paytables: {counts[CHANGED]} changed, {counts[NEW]} new, {counts[GONE]} gone, {self.same} the same"
        return f"{text}; {failing} fail now" if failing else text


@dataclass(frozen=True)
class Options:
    """The numbers of decks, values of parameters and choices of readings with which both sides are analysed."""

    decks: tuple[int, ...] = ()
    set: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Side:
    book: Rulebook
    identifiers: Sequence[str]


def difference(
    old: str | Sequence[str], new: str | Sequence[str], policy: Policy | None = None, *, today: date | None = None,
    options: Options | None = None, layout: Written = PLAIN,
) -> Difference:
    """Return the differences of two files, folders, ids, globs or paths REVISION:PATH, one or several on each side.

    Paytables are paired by their ids; if each side has one paytable, these are paired whatever their ids. Paytables
    that the ``options`` do not fit are left out and named. ``layout`` is that of clients' sheets. Raises `InputError`
    with the faults of both sides.
    """
    words = [(side,) if isinstance(side, str) else tuple(side) for side in (old, new)]
    left_out: dict[tuple[str, str], None] = {}
    sides: list[_Side] = []
    faults: list[Fault] = []
    with ExitStack() as stack:
        for names in words:
            try:
                sides.append(_read([(stack.enter_context(checked_out(word)), word) for word in names], layout))
            except InputError as error:
                faults += error.faults
        raise_all(faults)
    if options is not None:
        for index, side in enumerate(sides):
            fits, why = fitting(side.book, side.identifiers, options.decks, options.reading)
            sides[index] = _Side(side.book, fits)
            left_out.update(dict.fromkeys(why))
        if not any(s.identifiers for s in sides):
            raise fault("no paytable fits --decks, --set and --reading", ": ".join(next(iter(left_out))), file="diff")
    before, after = sides
    renamed = {}
    if len(before.identifiers) == len(after.identifiers) == 1:
        renamed = {before.identifiers[0]: after.identifiers[0]}
    figures = _figures(sides, options or Options())
    failures: list[dict[Key, Any]] = [{} if policy is None else _failures(s, policy, today) for s in sides]
    for part in (figures, failures):
        part[0] = {(renamed.get(i, i), n): value for (i, n), value in part[0].items()}
    keys = list(dict.fromkeys([*figures[1], *figures[0], *failures[1], *failures[0]]))
    changes = []
    for key in keys:
        was, now = (f.get(key, []) for f in failures)
        became, ceased = (tuple(w for w in one if w not in other) for one, other in ((now, was), (was, now)))
        changes.append(Change(*key, figures[0].get(key), figures[1].get(key), became, ceased))
    bands = [c for c in changes if c.before is None and c.after is None]
    listed = [c for c in changes if c not in bands and c.differs] + [c for c in bands if c.became or c.ceased]
    same = len({c.id for c in changes if c not in bands} - {c.id for c in listed})
    return Difference(" ".join(words[0]), " ".join(words[1]), ordered(listed), same, tuple(left_out))


def _read(sides: Sequence[tuple[str, str]], layout: Written) -> _Side:
    """Return the paytables of a side, from the words and the copies of revisions; a folder may have none.

    Files of a revision keep their names there: a copy has another path in each run, which the store would not know.
    """
    book, ids = shipped(), list[str]()
    words: list[tuple[str, str]] = []
    for copy, given in sides:
        is_copy = bool(revision_and_path(given)[0])
        if given.startswith("!") or not is_copy:
            words.append((copy, ""))
        else:
            words += [(file, given) for file in expanded([copy], required=False)]
    plain = iter(expanded([word for word, given in words if not given]))
    for word in plain:
        book, wanted = add_word(book, word, layout)
        ids += wanted
    copies = {given: copy for copy, given in sides}
    for word, given in words:
        if not given:
            continue
        # A glob over files does not match the path of a copy.
        anywhere = replace(layout, names=tuple(("*", name, outcome) for _, name, outcome in layout.names))
        book, wanted = add_word(book, word, anywhere)
        ids += wanted
        for identifier in wanted:
            wager, paytable = book.find(identifier)
            named = replace(paytable, file=name_of(paytable.file, copies[given], given), notes=())
            book.with_paytables(replace(wager, paytables={**wager.paytables, paytable.id: named}))
    return _Side(book, book.select(ids))


def fitting(
    book: Rulebook, identifiers: Sequence[str], decks: Sequence[int], reading: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the ids that numbers of decks and choices of readings fit, and each other one with the reason.

    Raises `InputError` for a reading or a choice that none of them has.
    """
    fits, why = [], []
    for identifier in identifiers:
        resolved = book.resolve(identifier)
        bearing = {r.id for r in book.readings_of(identifier)}
        other = [name for name in reading if name not in bearing]
        if decks and not set(decks) & set(resolved.decks):
            why.append((identifier, f"is not dealt from {numbers(decks)} deck{'' if list(decks) == [1] else 's'}"))
        elif other:
            why.append((identifier, f"the reading {other[0]} does not bear on it"))
        else:
            fits.append(identifier)
    if identifiers and not fits and reading:
        book.check_readings(identifiers, reading)
    if fits:
        book.check_readings(fits, reading)
    return fits, why


def _figures(sides: Sequence[_Side], options: Options) -> list[dict[Key, Any]]:
    """Return the figures of each side; a paytable that is the same on both sides is analysed once."""
    keys: list[tuple[int, Key]] = []
    for side_index, side in enumerate(sides):
        for identifier in side.identifiers:
            resolved = side.book.resolve(identifier)
            dealt = [n for n in options.decks if n in resolved.decks] or (
                stated_decks(resolved) or side.book.default_decks(resolved))  # fmt: skip
            keys += [(side_index, (identifier, decks)) for decks in dealt]
    keys.sort(key=lambda one: one[1])
    books = [side.book for side in sides]

    def inputs(one: tuple[int, Key]) -> Any:
        return inputs_of(books[one[0]], *one[1], dict(options.set), dict(options.reading), placed=False)

    figures = each(_figure, (books, options), keys, inputs=inputs, label="comparing")
    return [{key: f for (index, key), f in zip(keys, figures, strict=True) if index == n} for n in range(len(sides))]


def _figure(shared: tuple[Sequence[Rulebook], Options], one: tuple[int, Key]) -> VersionFigures:
    (books, options), (side_index, (identifier, decks)) = shared, one
    resolved = books[side_index].resolve(identifier)
    chosen = {name: value for name, value in options.set.items() if name in parameters.names(resolved)}
    a = analyze(identifier, decks=decks, set=chosen, reading=options.reading, book=books[side_index])
    values = {name: text(value) for name, value in a.parameters.items() if value is not None}
    return VersionFigures.of(a.returned if a.has_stake else None, {o: p.text for o, p in a.resolved.lines},
                     readings=dict(a.readings), values=values)  # fmt: skip


def _failures(side: _Side, policy: Policy, today: date | None) -> dict[Key, Any]:
    """Return the requirements that paytables of a side fail, by id and number of decks."""
    failures: dict[Key, Any] = {}
    if not side.identifiers:
        return failures
    for v in check(side.book, side.identifiers, policy, today=today, partial=True).verdicts:
        if v.status in (FAIL, UNDECIDED) and not v.accepted:
            decks = v.decks
            if decks is None and not v.wager:  # a finding on a paytable that names no number of decks
                resolved = side.book.resolve(v.id)
                decks = (stated_decks(resolved) or side.book.default_decks(resolved))[0]
            failures.setdefault((v.id, decks), []).append(f'{v.check} {v.key} (requirement "{v.rule}")')
    return failures


def render(comparison: Difference, form: str, width: int | None = None) -> str:
    """Return the difference in one of `FORMS`; see `combin.pages.render`."""
    return _json(comparison) if form == "json" else pages.render([_part(comparison)], form, width, 3)


def _part(comparison: Difference) -> Part:
    rows: list[tuple[str, ...]] = []
    for c in comparison.changes:
        returned, edge = (c.moved(name) if c.has_return else "" for name in ("returned", "edge"))
        rows.append((c.id, "; ".join(c.remarks), str(c.decks or ""), returned, signed(c.change), edge))
    head = ("paytable", "what changed", "decks", "return", "change", "house edge")
    grid = Grid(head, tuple(rows), 2, drops=("house edge",))
    return Part(f"combin: {comparison.summary}", blocks=(grid,) if rows else ())


def _json(comparison: Difference) -> str:
    def figure(f: VersionFigures | None) -> Any:
        if f is None:
            return None
        return {name: v if v is None else {"exact": str(v), "decimal": to_float(v) if isinstance(v, Fraction) else None}
                for name, v in (("return", f.returned), ("house_edge", f.edge))}  # fmt: skip

    data = {
        "old": comparison.old,
        "new": comparison.new,
        "paytables": [
            {
                "id": c.id,
                "decks": c.decks,
                "state": c.state,
                "before": figure(c.before),
                "after": figure(c.after),
                "change": None if c.change is None else {"exact": text(c.change), "decimal": to_float(c.change)},
                "pays": [{"outcome": o, "before": old or None, "after": new or None} for o, old, new in c.pays],
                "causes": [{"kind": cause.kind, "name": cause.name or None, "before": cause.before or None,
                            "after": cause.after or None} for cause in c.causes],
                "became_failures": list(c.became),
                "ceased_failures": list(c.ceased),
            }
            for c in comparison.changes
        ],
        "unchanged": comparison.same,
        "left_out": [": ".join(pair) for pair in comparison.left_out],
    }
    return document("diff", data)

