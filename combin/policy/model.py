"""The frozen records of a policy and its verdicts; no figure is computed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any, Literal

from ..base.toml_tables import AMOUNT, BY_READER, DAY, FILLED, SEVERAL, WholeNumber, empty
from ..rulebook.book import matches

PASS, FAIL, UNDECIDED, SKIPPED = "pass", "fail", "undecided", "skipped"
STATUSES = (PASS, FAIL, UNDECIDED, SKIPPED)
#: The three ways in which a failed or undecided verdict is accepted.
WAIVER, BASELINE, POLICY = "waiver", "baseline", "policy"


@dataclass(frozen=True)
class Bound:
    """A bound of a requirement: its key, and its value as written and as read."""

    key: str
    text: str
    value: Any
    line: int | None = None


@dataclass(frozen=True)
class Requirement:
    """A requirement (TOML key ``rule``): its paytables, its conditions, and its bounds as in the file."""

    name: Annotated[str, FILLED]
    applies_to: Annotated[tuple[Annotated[str, FILLED], ...], SEVERAL]
    decks: tuple[Annotated[int, WholeNumber(1, 8)], ...] = ()
    readings: Literal["primary", "all"] = "primary"
    basis: Literal["ante", "initial", "average"] | None = None
    #: None in a file stands for what the policy says.
    undecided: Literal["fail", "pass"] | None = None
    at_stake: Annotated[str, AMOUNT] | None = None
    meter: str | None = None
    set: Mapping[str, Annotated[str, AMOUNT]] = empty()
    reading: Mapping[str, str] = empty()
    bounds: tuple[Bound, ...] = field(default=(), metadata=BY_READER)
    file: str = field(default="", metadata=BY_READER)
    line: int | None = field(default=None, metadata=BY_READER)

    def applies(self, identifier: str) -> bool:
        return any(matches(identifier, pattern) for pattern in self.applies_to)

    @property
    def place(self) -> str:
        return f"line {self.line}" if self.line else f'requirement "{self.name}"'


@dataclass(frozen=True)
class Waiver:
    """Acceptance of failures of the ids that ``id`` matches: of one check or requirement (``rule``), or of all."""

    id: Annotated[str, FILLED]
    reason: Annotated[str, FILLED]
    rule: str = ""
    expires: Annotated[date, DAY] | None = None
    file: str = field(default="", metadata=BY_READER)
    line: int | None = field(default=None, metadata=BY_READER)

    def covers(self, identifier: str, check: str, requirement: str) -> bool:
        return self.rule in ("", check, requirement) and matches(identifier, self.id)

    def reaches(self, identifiers: Iterable[str]) -> bool:
        """Whether it covers one of these paytables for some requirement."""
        return any(matches(i, self.id) for i in identifiers)

    def __str__(self) -> str:
        what = self.rule or "every requirement"
        until = f" until {self.expires}" if self.expires else ""
        return f"{self.id}, {what}{until} ({self.reason})"


@dataclass(frozen=True)
class Policy:
    """The requirements and waivers of a policy file; those of extended files come first."""

    name: str
    requirements: tuple[Requirement, ...]
    waivers: tuple[Waiver, ...] = ()
    file: str = ""
    #: The checks and requirements that a file of paytables may waive for itself until a date that it states.
    file_waivers: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[Requirement, ...]:
        """The old name of ``requirements``, kept for one release."""
        return self.requirements


@dataclass(frozen=True)
class Verdict:
    """The result of one check of one requirement on one paytable, as every writer writes it.

    ``rule`` is the requirement's name; every output has that key. ``check`` is the check's
    stable id (RTP001), ``key`` its key in a policy. ``figure`` is exact text,
    ``value`` the number if it is one.
    ``file`` and ``line`` are the paytable's place. ``accepted`` says which of the three ways
    accepts a verdict that is not met, ``accepted_reason`` why.
    """

    status: str
    rule: str
    check: str = ""
    key: str = ""
    id: str = ""
    decks: int | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    measure: str = ""
    figure: str = ""
    value: Fraction | None = None
    limit: str = ""
    message: str = ""
    file: str = ""
    line: int | None = None
    policy_file: str = ""
    policy_line: int | None = None
    accepted: str = ""
    accepted_reason: str = ""
    #: The lines behind the verdict: every faulty line, or every line if the figure is not a number.
    evidence: str = ""
    #: The distance of the figure from its limit, negative for a failure; None if the figure is not a number.
    margin: Fraction | None = None
    #: Whether its limit is a least value; None if the figure is not compared with a limit.
    least: bool | None = None
    #: The wager of a verdict on all of its paytables together; ``id`` is then WAGER/*.
    wager: str = ""

    @property
    def met(self) -> bool:
        return self.status in (PASS, SKIPPED) or bool(self.accepted)

    @property
    def passed(self) -> bool | None:
        """Whether the figure meets the requirement; None if that is undecided."""
        return {PASS: True, FAIL: False}.get(self.status)

    @property
    def word(self) -> str:
        """The verdict in words for a report."""
        words = {PASS: "met", FAIL: "not met"}.get(self.status, UNDECIDED)
        return f"{words}, accepted by the {self.accepted}" if self.accepted else words

    @property
    def fingerprint(self) -> str:
        """The identity of a verdict in every run: requirement, check, paytable, decks, figure, limit and lines."""
        parts = (
            self.rule, self.check, self.id, str(self.decks or ""), self.status, self.figure, self.limit, self.evidence
        )
        return sha256("\n".join(parts).encode()).hexdigest()[:32]

    @property
    def where(self) -> str:
        """The id, with the number of decks if the wager allows several."""
        return self.id if self.decks in (None, 1) else f"{self.id} ({self.decks} decks)"


@dataclass(frozen=True)
class GateReport:
    """Every verdict, in the order of the requirements and of the ids, and notes."""

    policy: Policy
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    #: The notes on unused waivers and baseline entries, on which ``--fail-on-unused`` fails.
    unused: tuple[str, ...] = ()
    #: The only numbers of decks that were judged; empty without that limit.
    decks: tuple[int, ...] = ()

    @property
    def met(self) -> bool:
        return not self.unmet

    @property
    def unmet(self) -> list[Verdict]:
        """The verdicts that a service is to show: what is not met and not accepted."""
        return [v for v in self.verdicts if not v.met]

    @property
    def counts(self) -> dict[str, int]:
        """The number of verdicts by status, and the number of accepted failures."""
        by_status = {status: sum(v.status == status for v in self.verdicts) for status in STATUSES}
        by_status["accepted"] = sum(bool(v.accepted) for v in self.verdicts)
        return by_status

    @property
    def summary(self) -> str:
        """One line: the outcome and the counts."""
        counts = self.counts
        shown = [
            f"{counts[s]} {w}"
            for s, w in ((PASS, "passed"), (FAIL, "failed"), (UNDECIDED, "undecided"), (SKIPPED, "skipped"))
            if counts[s] or s in (PASS, FAIL)
        ]
        accepted = f" ({counts['accepted']} of them accepted)" if counts["accepted"] else ""
        return f"{'policy met' if self.met else 'policy not met'}: {', '.join(shown)}{accepted}"
