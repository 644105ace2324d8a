"""The gate behind every front end: one collection of paytables, one evaluation, one report.

The command line, the hook, the action and the pytest plug-in add files, ids and globs to a `Gate` and show its report.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from ..base.errors import Fault, InputError, fault, raise_all
from ..base.textfiles import day
from ..rulebook.book import shipped
from ..userfiles.collected import add_word
from ..userfiles.expansion import expanded
from ..userfiles.written import PLAIN, Written
from .acceptance import read_baseline
from .criteria import UNJUDGED
from .evaluation import check, misfits
from .model import GateReport, Verdict, Waiver
from .reader import read_policy


class Gate:
    """A policy, the paytables to check, and accepted failures; `report` is evaluated once for all of them.

    The policy is a file or a shipped name. The options are those of a front end, as text; ``today_flag`` names that of
    the date in messages, and ``layout`` is that of clients' sheets.
    """

    def __init__(
        self, policy: str, *, today: str | None = None, today_flag: str = "--today", baseline: str | None = None,
        partial: bool = False, allow_unjudged: bool = False, decks: Sequence[int] = (),
        waivers: Sequence[Waiver] = (), layout: Written = PLAIN,
    ) -> None:
        stated = read_policy(policy)
        self.policy = replace(stated, waivers=(*stated.waivers, *waivers))
        self.today = date_of(today, today_flag)
        self.baseline = None if baseline is None else read_baseline(baseline)
        self.partial, self.allow_unjudged, self._layout = partial, allow_unjudged, layout
        #: The only numbers of decks to judge, and the ids that are not dealt from one of them, with that number.
        self.decks, self.left_out = decks, list[tuple[str, int]]()
        self.book = shipped()
        #: The ids and globs added so far; whether a word had a fault, so that some are missing.
        self.wanted: list[str] = []
        self.refused = False
        #: The files of folders that hold no paytables, each with the reason why it is not read.
        self.passed_over: dict[str, str] = {}
        self._words: set[str] = set()

    def add(self, word: str, written: Written | None = None) -> list[str]:
        """Add a file, an id or a glob, and return the ids and globs that it stands for."""
        self._words.add(word)
        try:
            self.book, words = add_word(self.book, word, written or self._layout)
        except InputError:
            self.refused = True
            raise
        self.wanted += words
        return words

    def has(self, word: str) -> bool:
        """Whether the word was added, with or without a fault."""
        return word in self._words

    def expand(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return the words with folders and globs replaced by their files; other files are noted in `passed_over`."""
        return expanded(words, self.passed_over)

    def add_all(self, words: Iterable[str], written: Written | None = None) -> list[str]:
        """Add every word, folders and globs of files as well; raises one `InputError` with the faults of all."""
        faults: list[Fault] = []
        for word in self.expand(words):
            try:
                self.add(word, written)
            except InputError as error:
                faults += error.faults
        raise_all(faults)
        return self.wanted

    def fit(self) -> None:
        """Raise `InputError` for requirements and waivers that match no known paytable."""
        if not self.partial:
            raise_all(misfits(self.book, self.policy))

    @cached_property
    def _evaluated(self) -> GateReport | InputError:
        try:
            report = check(
                self.book, self.book.select(self.wanted), self.policy, today=self.today, baseline=self.baseline,
                partial=self.partial or self.refused, allow_unjudged=self.allow_unjudged, decks=self.decks,
                left_out=self.left_out,
            )
        except InputError as error:
            return error
        read = {*(r.file for r in self.policy.requirements), *(w.file for w in self.policy.waivers), self.policy.file}
        passed_over = [f"{path}: {reason}" for path, reason in self.passed_over.items() if path not in read]
        return replace(report, notes=(*report.notes, *passed_over))

    @property
    def report(self) -> GateReport:
        """The verdicts on what was added; nothing may be added afterwards."""
        if isinstance(self._evaluated, InputError):
            raise self._evaluated
        return self._evaluated

    @property
    def notes(self) -> tuple[str, ...]:
        return () if isinstance(self._evaluated, InputError) else self._evaluated.notes

    def requirements_of(self, identifier: str) -> list[str]:
        """Return the names of the requirements that apply to a paytable, in the policy's order."""
        return [requirement.name for requirement in self.policy.requirements if requirement.applies(identifier)]

    @cached_property
    def _by_item(self) -> dict[tuple[str, str], list[Verdict]]:
        """The verdicts by paytable and requirement, for a front end with one item for each pair."""
        by_item: dict[tuple[str, str], list[Verdict]] = {}
        for v in self.report.verdicts:
            identifier, requirement = v.id, v.rule
            if v.check == UNJUDGED.id:
                requirement = (self.requirements_of(v.id) or [v.rule])[-1]
            elif v.wager:  # a band over a wager is shown with its first paytable
                members = [i for i in self.wanted
                           if self.book.find(i)[0].id == v.wager and requirement in self.requirements_of(i)]
                identifier = members[0] if members else v.id
            by_item.setdefault((identifier, requirement), []).append(v)
        return by_item

    def shown_by(self, identifier: str, requirement: str) -> list[Verdict]:
        """Return the verdicts of the item for a paytable and a requirement."""
        return self._by_item.get((identifier, requirement), [])


def date_of(text: str | None, flag: str = "--today") -> date | None:
    """Return the date of an option; raises `InputError` for another text."""
    parsed = day(text)
    if text is not None and parsed is None:
        raise fault(f'"{text}" is not a date', "write 2027-01-31", file=flag)
    return parsed
