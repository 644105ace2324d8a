"""The certification report as data: a tree of frozen records of texts and exact numbers.

`build` makes the records from analyses, `layout` turns them into words and tables, and the renderers into
bytes; only `build` computes figures. The field of a record is its key in JSON; the metadata `JSON_KEY` names another
key, or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ..analysis.additions import Addition
from ..analysis.liability import Exposure
from ..analysis.model import Analysis
from ..base.exact import Exact
from ..base.exact import decks as decks_in_words
from ..games.outcome import Outcome
from ..pages.blocks import Part
from ..policy.model import Verdict
from ..progressives.meter_cycle import MeterCycle
from ..rulebook.model import Finding
from ..rulebook.pays import Pay
from ..tools.changes import Change
from ..userfiles.cover import Cover
from ..verify.examples import Example
from ..verify.model import Check
from . import effects
from .clauses import Annex
from .identity import JSON_KEY, Identity


@dataclass(frozen=True)
class Rounds:
    """Central 95 % of the return after ``rounds`` rounds.

    ``method`` is "normal", "estimated" (normal, with an estimated variance), "percentiles" (of the exact distribution),
    or "none" if a normal range is unreliable and the exact distribution is too expensive to compute. ``top_prizes`` is
    None if outcomes are not single results.
    """

    rounds: int
    least: Fraction | None
    greatest: Fraction | None
    method: str
    top_prizes: Fraction | None


@dataclass(frozen=True)
class ChoiceEffect:
    """A choice of a reading with its return, all else as in the section.

    ``decks`` is the number in play under this choice; ``not_computed`` says why it has no figure.
    """

    id: str
    why: str
    basis: str
    used: bool
    returned: Exact | None
    change: Exact | None
    decks: int
    long_run: Exact | None = None
    not_computed: str = ""


@dataclass(frozen=True)
class Question:
    """A reading: the open question, its choices, and the question for the regulator."""

    id: str
    clause: str
    question: str
    frequencies_only: bool
    choices: tuple[ChoiceEffect, ...]


@dataclass(frozen=True)
class MeterLine:
    """The return as a linear function of the only unknown."""

    name: str
    text: str
    fixed: Fraction
    slope: Fraction
    break_even: Fraction | None


@dataclass(frozen=True)
class PolicyVerdicts:
    """The verdicts of a policy on paytables, by id and number of decks; without ``name`` there is no policy."""

    name: str | None = None
    verdicts: Mapping[tuple[str, int], Sequence[Verdict]] = field(default_factory=dict)
    #: The minimum return that the policy requires, by id.
    bounds: Mapping[str, Fraction] = field(default_factory=dict)
    #: Checks that were applied only to other paytables.
    unapplied: Mapping[tuple[str, int], Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class EditedLine:
    """A line of the what-if: the document's pay with its exact parts."""

    outcome: str
    text: str
    pay: Pay


@dataclass(frozen=True)
class WhatIf:
    """The data of the what-if: integer weights by outcome, and the lines whose pays each outcome adds up."""

    total: int
    lines: tuple[EditedLine, ...]
    outcomes: tuple[tuple[str, int, tuple[int, ...]], ...]
    values: Mapping[str, Fraction | None]
    prize_returns_stake: bool
    head: str
    name: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class AtSeats:
    """A meter that ``seats`` seats share, over time."""

    seats: int
    cycle: MeterCycle
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """Comparison of a client's layout with the pays: rows of (line, pay, pay on the layout, verdict)."""

    file: str
    sha256: str
    rows: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True)
class Section:
    """One paytable at one number of decks; the sections of a paytable at several numbers share the anchor."""

    analysis: Analysis
    anchor: str
    lines: tuple[Outcome, ...]
    additions: tuple[Addition, ...] = field(metadata={JSON_KEY: "beside"})
    rounds: tuple[Rounds, ...]
    top_pay: Exact | None
    exposure: Exposure | None
    caps: tuple[effects.CapEffect, ...]
    sensitivity: tuple[effects.PayStep, ...]
    removal: tuple[effects.Removed, ...]
    meter: MeterLine | None
    questions: tuple[Question, ...]
    findings: tuple[Finding, ...]
    #: For a paytable that differs from all of the document's: the differences from the nearest one; otherwise empty.
    provenance: str
    tables: tuple[Part, ...]
    verification: tuple[Check, ...]
    #: (figure, test) for the tests in the source of combin that bear on its figures.
    tests: tuple[tuple[str, str], ...] = field(metadata={JSON_KEY: "held_by"})
    verdicts: tuple[Verdict, ...]
    what_if: WhatIf | None
    by_seats: tuple[AtSeats, ...] = ()
    #: Whether no rule document defines the wager or lists its pays.
    is_new: bool = False
    #: The return under the play with the greatest return. None for a wager without a stake, or if it is not known.
    greatest_return: Exact | None = None
    #: Checks of the policy that were applied only to other paytables.
    unapplied: tuple[str, ...] = ()
    #: The client's layout of this paytable; None if there is none.
    layout: Layout | None = field(default=None, metadata={JSON_KEY: ""})
    #: The cycle of each meter at one seat. None unless there are meters and the operator's rate is set.
    cycles: tuple[MeterCycle, ...] | None = field(default=None, metadata={JSON_KEY: ""})
    #: Those of the tables that were asked for: joint figures with side bets, the files of best play.
    further: tuple[Part, ...] = field(default=(), metadata={JSON_KEY: ""})
    #: For each line a deal that wins it and the nearest known deal that misses it.
    examples: tuple[Example, ...] = ()

    @property
    def label(self) -> str:
        return label(self.analysis)


@dataclass(frozen=True)
class ComparedLine:
    """An outcome on both sides; a side that does not list it has an empty pay."""

    outcome: str
    pays: tuple[str, str]
    probability: tuple[Exact | None, Exact | None]
    change: Exact


@dataclass(frozen=True)
class ComparedFigure:
    name: str
    before: Exact | None
    after: Exact | None
    change: Exact | None
    #: Whether it is a square root, usually irrational.
    is_root: bool = field(default=False, metadata={JSON_KEY: ""})


@dataclass(frozen=True)
class Comparison:
    """Two paytables side by side: the changed pays and their effect.

    ``unlike`` is the number of lines whose pays differ in value; ``how`` says how the two were paired.
    """

    before: str
    after: str
    lines: tuple[ComparedLine, ...]
    figures: tuple[ComparedFigure, ...]
    unlike: int = 0
    how: str = ""


@dataclass(frozen=True)
class WagerReturns:
    """The paytables of one wager side by side, and the minimum return that a policy requires."""

    wager: str
    name: str
    returns: tuple[tuple[str, Fraction], ...]
    least_allowed: Fraction | None


@dataclass(frozen=True)
class Results:
    """Results of play compared with the exact distribution, in the words of `combin.tools.audit`."""

    file: str
    sha256: str
    agrees: bool
    summary: tuple[str, ...]
    head: tuple[str, ...]
    tests: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, str, str], ...]  # label, rounds, p-value
    notes: tuple[str, ...]


@dataclass(frozen=True)
class FigureChange:
    """A figure before and after as exact texts; ``change`` is None unless both are numbers."""

    name: str
    before: str
    after: str
    change: Fraction | None


@dataclass(frozen=True)
class PaytableChange:
    """A changed paytable; ``by_pays`` is the part of the change of its return that is due to pays.

    This part is the sum of earlier probability times change of the amount returned. Probabilities cause the rest.
    """

    change: Change
    figures: tuple[FigureChange, ...]
    why: tuple[str, ...]
    by_pays: Fraction | None


@dataclass(frozen=True)
class Since:
    """The changes since an earlier state, the largest change of a return first, and the number of unchanged ones."""

    name: str
    version: str
    changes: tuple[PaytableChange, ...]
    same: int


@dataclass(frozen=True)
class Provision:
    """A provision of a regulator, the parts of a report that answer it, and the verdict on the paytables."""

    id: str
    asks: str
    source: str
    where: tuple[str, ...]
    outside: str
    profile: str
    verdict: str
    figure: str


@dataclass(frozen=True)
class Conclusion:
    """The outcome (one of four), the sentence, the open points (``reasons``), and what is not met (``faults``).

    ``findings`` are (kind, number, ids); ``requirements`` are the provisions of profiles with their verdicts.
    """

    outcome: str
    sentence: str
    reasons: tuple[str, ...]
    findings: tuple[tuple[str, int, tuple[str, ...]], ...]
    requirements: tuple[Provision, ...]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """The whole document."""

    title: str
    identity: Identity
    scope: tuple[str, ...]
    sections: tuple[Section, ...]
    families: tuple[WagerReturns, ...]
    comparisons: tuple[Comparison, ...] = ()
    policy_name: str | None = None
    bounds: Mapping[str, Fraction] = field(default_factory=dict)
    annexes: tuple[Annex, ...] = ()
    cover: Cover | None = None
    results: Results | None = None
    layout: Layout | None = None
    since: Since | None = None
    conclusion: Conclusion = field(kw_only=True)

    @property
    def groups(self) -> tuple[tuple[Section, ...], ...]:
        """The sections by paytable; those of one paytable at several numbers of decks share an anchor."""
        by_anchor: dict[str, list[Section]] = {}
        for s in self.sections:
            by_anchor.setdefault(s.anchor, []).append(s)
        return tuple(map(tuple, by_anchor.values()))

    @property
    def met(self) -> bool:
        """Whether every verdict of the policy is met or accepted; true without a policy."""
        return all(v.passed or v.accepted for s in self.sections for v in s.verdicts)


def label(a: Analysis, *others: Analysis, name: str = "", with_decks: bool = True) -> str:
    """Return the label of a section: its name (by default the id), the decks, and the user's file if any.

    The decks are those of all analyses given; they are omitted for games of one deck.
    """
    *several, last = (str(x.decks) for x in (a, *others))
    decks = f"{', '.join(several)} and {last} decks" if several else decks_in_words(a.decks)
    file = f" ({Path(a.resolved.paytable.file).name})" if a.resolved.paytable.file else ""
    return f"{name or a.id}{f', {decks}' if with_decks and a.resolved.document.deck_range != (1, 1) else ''}{file}"
