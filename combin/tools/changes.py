"""A change of a return, and its causes: pays, readings, values, the rule document, the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..base.exact import Exact, is_number, percent, simplify, text, to_sympy
from ..base.exact import decks as in_words
from ..base.safe_text import shown

CHANGED, NEW, GONE = "changed", "new", "gone"
#: Kinds of causes, as the JSON form names them.
PAY, READING, VALUE, DOCUMENT, PROGRAM, RULES = "pay", "reading", "value", "document", "program", "rules"
NOTHING = "not there"


@dataclass(frozen=True)
class VersionFigures:
    """Return and house edge of a paytable at a number of decks, with the inputs that they follow from.

    Return and edge are numbers, or expressions as text; None for a promotion, which has no stake. ``document`` and
    ``program`` identify the rules and the version of combin; empty if that is not recorded.
    """

    returned: Fraction | str | None
    edge: Fraction | str | None
    pays: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    document: str = ""
    program: str = ""

    @classmethod
    def of(cls, returned: Exact | None, pays: Mapping[str, str] | None = None, **inputs: object) -> VersionFigures:
        if returned is None or is_number(returned):
            edge = None if returned is None else 1 - returned
            return cls(returned, edge, pays or {}, **inputs)  # type: ignore[arg-type]
        edge_text = text(simplify(1 - to_sympy(returned)))
        return cls(text(returned), edge_text, pays or {}, **inputs)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ChangeCause:
    """An input that differs: its kind, its name, its text before and after; empty if a side does not have it."""

    kind: str
    name: str
    before: str
    after: str

    def __str__(self) -> str:
        moved = f"{self.before or NOTHING} → {self.after or NOTHING}"
        if self.kind == PAY:
            return f"{self.name}: {moved}"
        if self.kind == RULES:
            return "the wager's rules or combin's code (pays, readings, values and document are the same)"
        name = {READING: f"reading {self.name}", VALUE: f"value {self.name}", DOCUMENT: "rule document",
                PROGRAM: "combin"}[self.kind]  # fmt: skip
        return f"{name}: {moved}"


def _differing(kind: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[ChangeCause]:
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield ChangeCause(kind, name, old.get(name, ""), new.get(name, ""))


@dataclass(frozen=True)
class Change:
    """A paytable at a number of decks before and after; None for a side that does not have it.

    ``became`` are the requirements of a policy that it fails now, ``ceased`` those that it no longer fails.
    """

    id: str
    decks: int | None
    before: VersionFigures | None
    after: VersionFigures | None
    became: tuple[str, ...] = ()
    ceased: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        return NEW if self.before is None else GONE if self.after is None else CHANGED

    @property
    def change(self) -> Fraction | None:
        """Return after − before; None unless both are numbers."""
        values = [f.returned for f in (self.before, self.after) if f is not None]
        numbers = [v for v in values if isinstance(v, Fraction)]
        return numbers[1] - numbers[0] if len(numbers) == 2 else None

    @property
    def pays(self) -> list[tuple[str, str, str]]:
        """Lines whose pay differs: outcome, before, after; empty if a side does not have the line."""
        return [(c.name, c.before, c.after) for c in self.causes if c.kind == PAY]

    @property
    def causes(self) -> tuple[ChangeCause, ...]:
        """The inputs that differ; only `RULES` if the return moved and no recorded input did."""
        old, new = self.before, self.after
        if old is None or new is None:
            return ()
        changed_inputs = [*_differing(PAY, old.pays, new.pays), *_differing(READING, old.readings, new.readings),
                          *_differing(VALUE, old.values, new.values)]  # fmt: skip
        if old.document and new.document and old.document != new.document:
            changed_inputs.append(ChangeCause(DOCUMENT, "", old.document, new.document))
        if old.program and new.program and old.program != new.program:
            changed_inputs.append(ChangeCause(PROGRAM, "", old.program, new.program))
        if not changed_inputs and old.returned != new.returned:
            changed_inputs.append(ChangeCause(RULES, "", "", ""))
        return tuple(changed_inputs)

    @property
    def differs(self) -> bool:
        """Whether anything differs."""
        return self.state != CHANGED or bool(self.became or self.ceased or self.causes)

    @property
    def remarks(self) -> list[str]:
        """The state unless it is `CHANGED`, the causes, and the requirements that it now fails or no longer fails."""
        return [*([] if self.state == CHANGED else [self.state]), *map(str, self.causes),
                *(f"now fails {what}" for what in self.became), *(f"no longer fails {what}" for what in self.ceased)]

    @property
    def has_return(self) -> bool:
        return any(f is not None and f.returned is not None for f in (self.before, self.after))

    def line(self) -> str:
        where = self.id if self.decks is None else f"{self.id}, {in_words(self.decks)}"
        parts = self.remarks
        if self.has_return:
            change = f" ({signed(self.change)})" if self.change else ""
            figures = f"return {self.moved('returned')}{change}, house edge {self.moved('edge')}"
            parts.insert(0 if self.state == CHANGED else 1, figures)
        return shown(f"{where}: {'; '.join(parts)}")

    def moved(self, name: str) -> str:
        """Return a figure of both sides as text: before → after."""
        values = [getattr(f, name) for f in (self.before, self.after) if f is not None]
        texts = ["none" if v is None else percent(v) if isinstance(v, Fraction) else v for v in values]
        if len(texts) == 2 and texts[0] == texts[1] and values[0] != values[1]:
            texts = [str(v) for v in values]  # they differ after the last decimal shown
        return " → ".join(dict.fromkeys(texts))


def signed(change: Fraction | None) -> str:
    """Return a change of a return in percentage points; empty if there is none."""
    return f"{'+' if change > 0 else '−'}{percent(abs(change)).removesuffix(' %')} points" if change else ""


def ordered(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the largest change of the return first; then returns without a number, new and gone paytables."""
    rank = {CHANGED: 0, NEW: 1, GONE: 2}
    return tuple(
        sorted(changes, key=lambda c: (rank[c.state], -abs(c.change or 0), not c.became, c.id, c.decks or 0))
    )
