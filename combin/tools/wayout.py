"""The smallest change of one pay with which a paytable that fails its policy would meet it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from ..analysis.engine import analyze
from ..analysis.sensitivity import ODDS, slopes
from ..base.errors import InputError
from ..policy.criteria import UNJUDGED
from ..policy.evaluation import Checker
from ..policy.model import FAIL, SKIPPED, GateReport, Verdict
from ..rulebook import parameters
from ..rulebook.book import Resolved, Rulebook
from ..rulebook.pays import Pay
from ..userfiles.lines import line_faults

#: Checks of figures that are linear in a pay, and whether a failure needs a greater return.
RAISES = {"RTP001": True, "RTP002": False, "RTP003": True, "EDG001": True, "EDG002": False, "EDG003": False}
#: The most paytables for which a way out is searched, and the most changes that are tried for each.
MOST_PAYTABLES, MOST_TRIED = 10, 6


@dataclass(frozen=True)
class WayOut:
    """Another pay of one line, with which every requirement on its paytable is met."""

    id: str
    outcome: str
    pay: str
    now: str
    file: str
    line: int | None

    def __str__(self) -> str:
        return f'{self.id}: "{self.outcome}" at {self.pay} would do ({self.now} now)'


def ways_out(report: GateReport, book: Rulebook) -> dict[str, WayOut]:
    """Return a way out for each paytable of a user's file that fails by its return, if one other pay is enough.

    Every change is checked against the whole policy before it is reported. Games with decisions have no way out: best
    play would change with the pays.
    """
    failed: dict[str, list[Verdict]] = {}
    for v in report.verdicts:
        wrong = v.status == FAIL and not v.accepted and v.check != UNJUDGED.id and not v.wager
        if wrong and book.find(v.id)[1].file:
            failed.setdefault(v.id, []).append(v)
    by_id = {}
    for identifier, verdicts in list(failed.items())[:MOST_PAYTABLES]:
        way = _way_out(report, book, identifier, verdicts)
        if way is not None:
            by_id[identifier] = way
    return by_id


def _way_out(report: GateReport, book: Rulebook, identifier: str, verdicts: Sequence[Verdict]) -> WayOut | None:
    resolved = book.resolve(identifier)
    moving = [v for v in verdicts if v.check in RAISES and v.margin is not None]
    if not moving or len({RAISES[v.check] for v in moving}) != 1 or resolved.has_decisions:
        return None
    changes = sorted(_changes(report, book, identifier, moving), key=lambda change: (abs(change[2]), change[0]))
    lines = dict(resolved.lines)
    for outcome, odds, _ in changes[:MOST_TRIED]:
        now = lines[outcome]
        pay = now.form.format(odds)
        if _meets(report, book, resolved, {outcome: pay}):
            first = verdicts[0]
            return WayOut(identifier, outcome, pay, now.text, first.file, first.line)
    return None


def _changes(
    report: GateReport, book: Rulebook, identifier: str, verdicts: Sequence[Verdict]
) -> Iterator[tuple[str, int, Fraction]]:
    """Return (outcome, odds, change of the odds) for each line: the nearest integer odds with which it passes."""
    raises = RAISES[verdicts[0].check]
    wanted: dict[str, int] = {}
    resolved = book.resolve(identifier)
    lines, names = dict(resolved.lines), parameters.names(resolved)
    for v in verdicts:
        requirement = next(r for r in report.policy.requirements if r.name == v.rule)
        values = {name: value for name, value in requirement.set.items() if name in names}
        a = analyze(identifier, decks=v.decks, set=values, reading=dict(v.readings), any_decks=True, book=book)
        for outcome, unit, slope in slopes(a):
            pay = lines[outcome]
            if unit != ODDS or not _is_whole(pay) or not isinstance(slope, Fraction) or slope <= 0:
                continue
            assert v.margin is not None
            units = -v.margin / slope  # the odds that are missing or too many, as a positive number
            odds = ceil(pay.odds + units) if raises else -ceil(units - pay.odds)
            known = wanted.get(outcome, odds)
            wanted[outcome] = max(known, odds) if raises else min(known, odds)
    for outcome, odds in wanted.items():
        if odds > 0 and outcome in dict(resolved.paytable.lines):
            yield outcome, odds, odds - lines[outcome].odds


def _is_whole(pay: Pay) -> bool:
    """Return whether a pay is only odds, which may be written as a whole number."""
    return pay.odds > 0 and not pay.dollars and not pay.shares and not pay.unknowns


def _meets(report: GateReport, book: Rulebook, resolved: Resolved, pays: Mapping[str, str]) -> bool:
    """Return whether a paytable with these pays meets every requirement on it, accepted findings aside."""
    accepted = {(v.rule, v.check) for v in report.verdicts if v.id == resolved.id and v.accepted}
    try:
        changed = book.with_pays(resolved, pays)
        checker = Checker(changed, report.policy, decks=report.decks)
        verdicts = [
            v for requirement in report.policy.requirements if requirement.applies(resolved.id)
            for v in checker.of_paytable(requirement, resolved.id)
        ]  # fmt: skip
        ordered = not list(line_faults(changed, resolved.id))
    except InputError:
        return False
    judged = [v for v in verdicts if v.status != SKIPPED]
    return ordered and bool(judged) and all(v.met or (v.rule, v.check) in accepted for v in judged)
