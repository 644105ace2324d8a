"""What a change of paytables does: return and edge before and after, and what became or ceased to be a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Any

from ..analysis.engine import analyze
from ..analysis.store_key import inputs_of
from ..base.documents import document
from ..base.errors import Fault, InputError, raise_all
from ..base.exact import Exact, is_number, percent, simplify, text, to_float, to_sympy
from ..base.exact import decks as in_words
from ..base.safe_text import shown
from ..base.work import each
from ..pages import markdown
from ..pages.blocks import Grid, Part
from ..policy.evaluation import check, stated_decks
from ..policy.model import FAIL, UNDECIDED, Policy
from ..rulebook.book import Rulebook, shipped
from ..userfiles.collected import collect
from ..userfiles.expansion import expanded
from .revisions import checked_out, name_of, revision_and_path

FORMS = ("text", "markdown", "json")
CHANGED, NEW, GONE = "changed", "new", "gone"

Key = tuple[str, int | None]


@dataclass(frozen=True)
class Figure:
    """What a paytable returns at a number of decks, and its house edge: a number, or an expression as text.

    Both are None for a promotion, which has no stake.
    """

    returned: Fraction | str | None
    edge: Fraction | str | None
    pays: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, returned: Exact | None, pays: Mapping[str, str] | None = None) -> Figure:
        if returned is None:
            return cls(None, None, pays or {})
        if is_number(returned):
            return cls(returned, 1 - returned, pays or {})
        return cls(text(returned), text(simplify(1 - to_sympy(returned))), pays or {})


@dataclass(frozen=True)
class Change:
    """A paytable at a number of decks before and after; a side that has it not is None.

    ``became`` and ``ceased`` are what a policy fails it for now, and no longer.
    """

    id: str
    decks: int | None
    before: Figure | None
    after: Figure | None
    became: tuple[str, ...] = ()
    ceased: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        return NEW if self.before is None else GONE if self.after is None else CHANGED

    @property
    def change(self) -> Fraction | None:
        """By how much the return moved; None where one of them is no number."""
        values = [f.returned for f in (self.before, self.after) if f is not None]
        numbers = [v for v in values if isinstance(v, Fraction)]
        return numbers[1] - numbers[0] if len(numbers) == 2 else None

    @property
    def pays(self) -> list[tuple[str, str, str]]:
        """Lines whose pay is another: outcome, before, after; empty where a side has not the line."""
        if self.before is None or self.after is None:
            return []
        old, new = self.before.pays, self.after.pays
        return [(o, old.get(o, ""), new.get(o, "")) for o in dict.fromkeys([*old, *new]) if old.get(o) != new.get(o)]

    @property
    def is_one(self) -> bool:
        """Whether anything is another than before."""
        if self.state != CHANGED or self.became or self.ceased or self.pays:
            return True
        assert self.before is not None
        assert self.after is not None
        return self.before.returned != self.after.returned

    def line(self) -> str:
        where = self.id if self.decks is None else f"{self.id}, {in_words(self.decks)}"
        figure = self.after or self.before
        parts = [] if self.state == CHANGED else [self.state]
        if figure is not None and figure.returned is not None:
            parts.append(f"return {self._moved('returned')}{_signed(self.change)}, house edge {self._moved('edge')}")
        parts += [f"{o}: {old or 'not there'} → {new or 'not there'}" for o, old, new in self.pays]
        parts += [f"now fails {what}" for what in self.became] + [f"no longer fails {what}" for what in self.ceased]
        return shown(f"{where}: {'; '.join(parts)}")

    def _moved(self, name: str) -> str:
        values = [getattr(f, name) for f in (self.before, self.after) if f is not None]
        told = ["none" if v is None else percent(v) if isinstance(v, Fraction) else v for v in values]
        if len(told) == 2 and told[0] == told[1] and values[0] != values[1]:
            told = [str(v) for v in values]  # they differ behind the last decimal that is shown
        return " → ".join(dict.fromkeys(told))


def _signed(change: Fraction | None) -> str:
    return "" if not change else f" ({'+' if change > 0 else '−'}{percent(abs(change))})"


@dataclass(frozen=True)
class Difference:
    """All that changed, the largest change of the return first, and how many stayed as they were."""

    old: str
    new: str
    changes: tuple[Change, ...]
    same: int = 0

    @property
    def summary(self) -> str:
        counts = {state: sum(c.state == state for c in self.changes) for state in (CHANGED, NEW, GONE)}
        failing = sum(bool(c.became) for c in self.changes)
        told = f"{counts[CHANGED]} changed, {counts[NEW]} new, {counts[GONE]} gone, {self.same} the same"
        return f"{told}; {failing} fail anew" if failing else told


def ordered(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The largest change of the return first; then what has no number, what is new, what is gone."""
    place = {CHANGED: 0, NEW: 1, GONE: 2}
    return tuple(
        sorted(changes, key=lambda c: (place[c.state], -abs(c.change or 0), not c.became, c.id, c.decks or 0))
    )


@dataclass(frozen=True)
class _Side:
    book: Rulebook
    identifiers: Sequence[str]


def difference(old: str, new: str, policy: Policy | None = None, *, today: date | None = None) -> Difference:
    """What differs between two files, folders, ids, globs or revisions REVISION:PATH.

    Paytables are paired by their ids; two sides of one paytable each are paired whatever these are. `InputError`
    has the faults of both sides.
    """
    sides: list[_Side] = []
    faults: list[Fault] = []
    with ExitStack() as stack:
        for word in (old, new):
            try:
                sides.append(_read(stack.enter_context(checked_out(word)), word))
            except InputError as error:
                faults += error.faults
        raise_all(faults)
    before, after = sides
    renamed = {}
    if len(before.identifiers) == len(after.identifiers) == 1:
        renamed = {before.identifiers[0]: after.identifiers[0]}
    figures = _figures(sides)
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
    told = [c for c in changes if c not in bands and c.is_one] + [c for c in bands if c.became or c.ceased]
    return Difference(old, new, ordered(told), len(changes) - len(bands) - sum(c not in bands for c in told))


def _read(word: str, given: str) -> _Side:
    """The paytables of a side; a folder of a revision without any is an empty side.

    A revision's files are named as there: their copies have another path in each run, which the store does not know.
    """
    is_copy = bool(revision_and_path(given)[0])
    try:
        words = expanded([word])
    except InputError:
        if not is_copy:
            raise
        return _Side(shipped(), [])
    book, wanted = collect(words)
    for identifier in wanted if is_copy else ():
        wager, paytable = book.find(identifier)
        named = replace(paytable, file=name_of(paytable.file, word, given), notes=())
        book.with_paytables(replace(wager, paytables={**wager.paytables, paytable.id: named}))
    return _Side(book, book.select(wanted))


def _figures(sides: Sequence[_Side]) -> list[dict[Key, Any]]:
    """The figures of each side; a paytable that is the same on both is analysed once."""
    keys: list[tuple[int, Key]] = []
    for place, side in enumerate(sides):
        for identifier in side.identifiers:
            resolved = side.book.resolve(identifier)
            dealt = stated_decks(side.book, resolved) or side.book.default_decks(resolved)
            keys += [(place, (identifier, decks)) for decks in dealt]
    keys.sort(key=lambda one: one[1])
    books = [side.book for side in sides]

    def inputs(one: tuple[int, Key]) -> Any:
        return inputs_of(books[one[0]], *one[1], placed=False)

    found = each(_figure, books, keys, inputs=inputs, label="comparing")
    return [{key: f for (own, key), f in zip(keys, found, strict=True) if own == n} for n in range(len(sides))]


def _figure(books: Sequence[Rulebook], one: tuple[int, Key]) -> Figure:
    place, (identifier, decks) = one
    a = analyze(identifier, decks=decks, book=books[place])
    return Figure.of(a.returned if a.has_stake else None, {o: p.text for o, p in a.resolved.lines})


def _failures(side: _Side, policy: Policy, today: date | None) -> dict[Key, Any]:
    """What a policy fails each paytable of a side for, by its id and number of decks."""
    found: dict[Key, Any] = {}
    if not side.identifiers:
        return found
    for v in check(side.book, side.identifiers, policy, today=today, partial=True).verdicts:
        if v.status in (FAIL, UNDECIDED) and not v.accepted:
            decks = v.decks
            if decks is None and not v.id.endswith("/*"):  # a finding on a paytable at whatever number of decks
                resolved = side.book.resolve(v.id)
                decks = (stated_decks(side.book, resolved) or side.book.default_decks(resolved))[0]
            found.setdefault((v.id, decks), []).append(f'{v.check} {v.key} (requirement "{v.rule}")')
    return found


def render(found: Difference, form: str) -> str:
    """The difference in one of `FORMS`."""
    if form == "json":
        return _json(found)
    if form == "markdown":
        return markdown.of_parts([_part(found)], 3)
    return "\n".join([*(c.line() for c in found.changes), found.summary]) + "\n"


def _part(found: Difference) -> Part:
    rows: list[tuple[str, ...]] = []
    for c in found.changes:
        said = [c.state] if c.state != CHANGED else []
        said += [f"{o}: {old or 'not there'} → {new or 'not there'}" for o, old, new in c.pays]
        said += [f"now fails {words}" for words in c.became] + [f"no longer fails {words}" for words in c.ceased]
        has = any(f is not None and f.returned is not None for f in (c.before, c.after))
        returned, edge = (c._moved(name) if has else "" for name in ("returned", "edge"))
        change = _signed(c.change).strip(" ()")
        rows.append((c.id, "; ".join(said), str(c.decks or ""), returned, change, edge))
    head = ("paytable", "what changed", "decks", "return", "change", "house edge")
    return Part(f"combin: {found.summary}", blocks=(Grid(head, tuple(rows), 2),) if rows else ())


def _json(found: Difference) -> str:
    def figure(f: Figure | None) -> Any:
        if f is None:
            return None
        return {name: v if v is None else {"exact": str(v), "decimal": to_float(v) if isinstance(v, Fraction) else None}
                for name, v in (("return", f.returned), ("house_edge", f.edge))}  # fmt: skip

    data = {
        "old": found.old,
        "new": found.new,
        "paytables": [
            {
                "id": c.id,
                "decks": c.decks,
                "state": c.state,
                "before": figure(c.before),
                "after": figure(c.after),
                "change": None if c.change is None else {"exact": text(c.change), "decimal": to_float(c.change)},
                "pays": [{"outcome": o, "before": old or None, "after": new or None} for o, old, new in c.pays],
                "became_failures": list(c.became),
                "ceased_failures": list(c.ceased),
            }
            for c in found.changes
        ],
        "unchanged": found.same,
    }
    return document("diff", data)


__all__ = ["FORMS", "Change", "Difference", "Figure", "difference", "ordered", "render"]
