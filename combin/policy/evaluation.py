"""Every requirement applied to its paytables: verdicts, each with its exact figure.

Each analysis (paytable, number of decks, readings, parameters) is made once for all requirements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Any

from ..analysis import other_readings
from ..analysis.engine import analyze, not_dealt, run
from ..analysis.model import Analysis
from ..analysis.store_key import inputs_of
from ..base.caches import cached
from ..base.errors import Fault, InputError, nearest, raise_all
from ..base.exact import decks as in_words
from ..base.exact import ratio
from ..base.textfiles import KeyLines, line_number
from ..base.work import each
from ..rulebook import parameters
from ..rulebook.book import Resolved, Rulebook, matches, source
from ..rulebook.model import Reading
from .acceptance import admitted, baselined, endless, waived
from .criteria import (
    CRITERIA,
    UNJUDGED,
    Judgement,
    NotApplicable,
    Undecided,
    Unstated,
    is_invented,
    own_defaults,
)
from .model import FAIL, PASS, POLICY, SKIPPED, UNDECIDED, Bound, GateReport, Policy, Requirement, Verdict, Waiver

#: The folder of the documents' transcriptions.
_RULES = "combin/rules/"
#: Statuses, the worst first: a requirement over all readings shows the worst.
_ORDER = {FAIL: 0, UNDECIDED: 1, PASS: 2, SKIPPED: 3}


def check(
    book: Rulebook,
    identifiers: Sequence[str],
    policy: Policy,
    *,
    today: date | None = None,
    baseline: dict[str, dict[str, Any]] | None = None,
    partial: bool = False,
    allow_unjudged: bool = False,
    decks: Sequence[int] = (),
    left_out: list[tuple[str, int]] | None = None,
    set: Mapping[str, str] | None = None,
) -> GateReport:
    """Return the verdicts of the policy on the paytables.

    ``today`` ends waivers; ``baseline`` accepts earlier failures. If ``partial``, only some of the paytables are given,
    and a requirement may match none of them. Unless ``allow_unjudged``, a paytable of a file that no requirement judges
    is a failure. ``decks`` are the only numbers of decks to judge; ``left_out`` receives the ids that are not dealt
    from one of them, with that number. ``set`` has values of parameters that a requirement does not set itself.

    Raises `InputError` for a requirement or a waiver that matches no paytable at all, for a requirement with unknown
    parameters or readings, and if no requirement applies to the given paytables.
    """
    identifiers = list(dict.fromkeys(identifiers))
    if not partial:
        raise_all(misfits(book, policy))
    if decks:
        identifiers = _dealt(book, identifiers, decks, left_out)
    checker = Checker(book, policy, tuple(decks), dict(set or {}))
    verdicts = checker.verdicts(identifiers)
    unjudged = checker.unjudged(identifiers, verdicts, FAIL if not allow_unjudged else SKIPPED)
    if not partial and not unjudged and all(v.status == SKIPPED for v in verdicts):
        reasons = sorted({v.message for v in verdicts})
        raise InputError(Fault("no requirement applies to what is checked", f"skipped: {reasons[0]}", policy.file))
    stated, refused = admitted((w for i in identifiers for w in stated_waivers(book, i)), policy.file_waivers)
    waivers = (*policy.waivers, *stated)
    verdicts, unused = waived([*verdicts, *unjudged], waivers, today, identifiers)
    unused += refused
    if not partial:
        unused += unmatched(policy, book.ids())
    if baseline is not None:
        verdicts, more = baselined(verdicts, baseline)
        unused += more
    notes = [*endless(waivers, today), *(n for i in identifiers for n in book.find(i)[1].notes)]
    return GateReport(policy, tuple(verdicts), (*unused, *dict.fromkeys(notes)), tuple(unused), tuple(decks))


def _dealt(
    book: Rulebook, identifiers: Sequence[str], decks: Sequence[int], left_out: list[tuple[str, int]] | None
) -> list[str]:
    """Return the ids that are dealt from at least one of the numbers of decks; raises `InputError` if none is."""
    resolved = [book.resolve(i) for i in identifiers]
    if left_out is not None:
        left_out += [(r.id, n) for r in resolved for n in decks if n not in r.decks]
    dealt_ids = [r.id for r in resolved if set(decks) & set(r.decks)]
    if not dealt_ids:
        raise not_dealt(resolved, decks)
    return dealt_ids


def misfits(book: Rulebook, policy: Policy) -> list[Fault]:
    """Return a fault for each requirement and each waiver that matches no paytable at all, with the nearest id."""
    known = book.ids()
    wanted = [*known, *(f"{w}/*" for w in book.wagers)]
    shown = "combin list shows every id"
    return [
        *(Fault(f'the requirement "{r.name}" matches nothing: no id is {", ".join(r.applies_to)}',
                nearest(r.applies_to[0], wanted, otherwise=shown), r.file, r.place)
          for r in policy.requirements if not any(map(r.applies, known))),
        *(Fault(f"waiver is not used: no id matches {w.id}", nearest(w.id, known, otherwise=shown), w.file,
                "" if w.line is None else f"line {w.line}")
          for w in policy.waivers if not w.reaches(known)),
    ]


def stated_waivers(book: Rulebook, identifier: str) -> list[Waiver]:
    """Return the waivers that a file of paytables states for a paytable."""
    paytable = book.find(identifier)[1]
    return [Waiver(identifier, w.reason, w.rule, w.expires, paytable.file, w.line) for w in paytable.waivers]


def stated_decks(resolved: Resolved) -> list[int]:
    """Return the numbers of decks that a user's file states for a paytable; empty if it states none."""
    return [n for n in resolved.decks if n in resolved.paytable.stated] if resolved.paytable.file else []


@dataclass
class Checker:
    """A policy, a rulebook, and the analyses made so far."""

    book: Rulebook
    policy: Policy
    #: The only numbers of decks to judge; empty for those of the requirement, the file or the document.
    decks: tuple[int, ...] = ()
    #: Values of parameters that a requirement does not set itself.
    values: Mapping[str, str] = field(default_factory=dict)
    _analyses: dict[Any, Analysis] = field(default_factory=dict)
    _others: dict[Any, tuple[list[Analysis], list[other_readings.NotComputed]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        identifiers = self.book.ids()
        for requirement in self.policy.requirements:
            matched = [i for i in identifiers if requirement.applies(i)]
            if matched:
                faults += self._misnamed(requirement, matched)
        raise_all(faults)

    def _misnamed(self, requirement: Requirement, matched: Sequence[str]) -> list[Fault]:
        """Return faults for parameters and readings that no paytable of a requirement has."""
        faults: list[Fault] = []

        def report(what: str, remedy: str) -> None:
            faults.append(Fault(what, remedy, requirement.file, requirement.place))

        nobody = f'no paytable of the requirement "{requirement.name}" has a'
        wanted = (*requirement.set, *([requirement.meter] if requirement.meter else []))
        known = sorted({n for i in matched for n in parameters.names(self.book.resolve(i))}) if wanted else []
        for name in wanted:
            if name not in known:
                report(f'{nobody} parameter "{name}"', nearest(name, known) if known else "they have no parameters")
        readings: dict[str, Reading] = {}
        for r in (r for i in matched for r in self.book.readings_of(i)) if requirement.reading else ():
            readings.setdefault(r.id, r)
        for name, choice in requirement.reading.items():
            if name not in readings:
                report(f'{nobody} reading "{name}"', nearest(name, readings) if readings else "they have no readings")
            elif choice not in (choices := [c.id for c in readings[name].choices]):
                report(f'the reading {name} has no choice "{choice}"', f"choose one of {', '.join(choices)}")
        return faults

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs: analyses are made again there."""
        return {**vars(self), "_analyses": {}, "_others": {}}

    def verdicts(self, identifiers: Sequence[str]) -> list[Verdict]:
        """Return the verdicts by requirement; a requirement that applies to none of the ids is skipped once."""
        by_wager = sorted(identifiers)
        verdict_lists = each(Checker._of_paytable, self, by_wager, inputs=self._inputs, label="policy", keep=False)
        by_paytable = dict(zip(by_wager, verdict_lists, strict=True))
        bands = [
            (index, bound, members)
            for index, requirement in enumerate(self.policy.requirements)
            for bound in requirement.bounds if CRITERIA[bound.key].of_wager
            for members in self._wagers(requirement, identifiers)
        ]
        of_wagers = each(Checker.of_wager, self, bands, inputs=lambda band: self._inputs_of_band(*band), label="bands",
                         keep=False)
        results = []
        for index, requirement in enumerate(self.policy.requirements):
            matched = [i for i in identifiers if requirement.applies(i)]
            results += [v for i in matched for v in by_paytable[i][index]]
            results += [v for band, of_wager in zip(bands, of_wagers, strict=True) if band[0] == index
                        for v in of_wager]
            if not matched:
                message = f'"{requirement.name}" applies to none of the paytables checked'
                results.append(Verdict(SKIPPED, requirement.name, message=message, policy_file=requirement.file,
                                       policy_line=requirement.line))
        return results

    def _inputs(self, identifier: str) -> Any:
        """Return the inputs of the verdicts on a paytable; of globs, only which ones match matters."""
        stated = [replace(r, applies_to=()) if r.applies(identifier) else None for r in self.policy.requirements]
        return inputs_of(self.book, identifier, stated, self.decks, self.values)

    def _inputs_of_band(self, index: int, bound: Bound, members: Sequence[str]) -> Any:
        stated = replace(self.policy.requirements[index], applies_to=())
        inputs = [inputs_of(self.book, i, stated, bound, self.decks, self.values) for i in members]
        return None if None in inputs else inputs

    def _wagers(self, requirement: Requirement, identifiers: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the paytables that a requirement applies to, by wager."""
        by_wager: dict[str, list[str]] = {}
        for identifier in identifiers:
            if requirement.applies(identifier):
                by_wager.setdefault(self.book.find(identifier)[0].id, []).append(identifier)
        return list(map(tuple, by_wager.values()))

    def _of_paytable(self, identifier: str) -> tuple[list[Verdict], ...]:
        """Return the verdicts on one paytable for each requirement of the policy."""
        return tuple(self.of_paytable(r, identifier) if r.applies(identifier) else []
                     for r in self.policy.requirements)

    def of_paytable(self, requirement: Requirement, identifier: str) -> list[Verdict]:
        """Return the verdicts of a requirement on one paytable, at each number of decks."""
        resolved = self.book.resolve(identifier, requirement.reading)
        bounds = [b for b in requirement.bounds if not CRITERIA[b.key].of_wager]
        if not bounds:
            return []
        decks = self._decks(requirement, resolved)
        if not decks:
            wanted = ", ".join(map(str, requirement.decks))
            many = "" if requirement.decks == (1,) else "s"
            message = f"is not dealt from {wanted} deck{many}, for which the requirement is"
            if self.decks and any(n in resolved.decks for n in requirement.decks):
                message = f"is judged for other numbers of decks than {wanted}, for which the requirement is"
            return [self._verdict(requirement, b, resolved, Judgement(SKIPPED, message)) for b in bounds]
        verdicts = []
        for n in decks:
            analyses = self._under(requirement, resolved, n)
            verdicts += [self._on_paytable(requirement, b, resolved, analyses) for b in bounds]
        return verdicts

    def _decks(self, requirement: Requirement, resolved: Resolved) -> list[int]:
        if requirement.decks:
            return [n for n in requirement.decks if n in resolved.decks and (not self.decks or n in self.decks)]
        if self.decks:
            return [n for n in self.decks if n in resolved.decks]
        return stated_decks(resolved) or self.book.default_decks(resolved)

    def unjudged(self, identifiers: Sequence[str], verdicts: Sequence[Verdict], status: str) -> list[Verdict]:
        """Return a verdict for each paytable of a file and number of decks that no requirement judges."""
        judged = {(v.id, v.decks) for v in verdicts if v.status != SKIPPED}
        anyhow = {i for i, _ in judged}
        results = []
        for identifier in identifiers:
            resolved = self.book.resolve(identifier)
            if not resolved.paytable.file:
                continue
            stated = [n for n in stated_decks(resolved) if not self.decks or n in self.decks]
            missed = [n for n in stated if (identifier, n) not in judged]
            if missed and len(missed) < len(stated):
                results += [self._unjudged(resolved, n, status) for n in missed]
            elif identifier not in anyhow:
                results.append(self._unjudged(resolved, None, status))
        return results

    def _unjudged(self, resolved: Resolved, decks: int | None, status: str) -> Verdict:
        file, line = place_of(resolved)
        dealt = "" if decks is None else f", dealt from {in_words(decks)}"
        return Verdict(
            status, UNJUDGED.measure, UNJUDGED.id, UNJUDGED.key, resolved.id, decks, measure=UNJUDGED.measure,
            message=f"no requirement of the policy judges it{dealt}: add one, or give --allow-unjudged",
            file=file, line=line, policy_file=self.policy.file,
        )

    def _under(self, requirement: Requirement, resolved: Resolved, decks: int) -> list[Analysis]:
        """Return the analyses for a requirement: under the primary readings, or every combination of readings."""
        reading_ids = {r.id for r in self.book.readings_of(resolved.id)}
        fixed = {k: v for k, v in requirement.reading.items() if k in reading_ids}
        stated = {**self.values, **requirement.set}
        values = {k: v for k, v in stated.items() if k in parameters.names(resolved)}
        first = self._analysis(requirement, resolved.id, decks, values, fixed)
        stakes = [self._analysis(requirement, resolved.id, decks, {**values, "stake": stake}, fixed)
                  for stake in _stakes_of_the_file(resolved)]
        if requirement.readings == "primary":
            return [first, *stakes]
        key = (resolved.id, decks, tuple(values.items()), tuple(fixed.items()))
        if key not in self._others:
            self._others[key] = other_readings.run_all(run, self.book, first.request, fixed, frequencies=True)
        return [first, *stakes, *self._others[key][0]]

    def _missing(self, requirement: Requirement, first: Analysis) -> list[other_readings.NotComputed]:
        """Return the choices of readings that have no figure, for a requirement over all readings."""
        key = (first.id, first.decks, tuple(first.request.set.items()), tuple(first.request.reading.items()))
        return self._others[key][1] if requirement.readings == "all" else []

    def _analysis(
        self, requirement: Requirement, identifier: str, decks: int, values: Mapping[str, str],
        chosen: Mapping[str, str],
    ) -> Analysis:
        key = (identifier, decks, tuple(values.items()), tuple(chosen.items()))
        if key not in self._analyses:
            try:
                self._analyses[key] = analyze(identifier, decks=decks, set=values, reading=chosen,
                                              any_decks=bool(chosen), book=self.book)
            except InputError as error:
                raise InputError(*(
                    f if f.file and f.file != parameters.FLAG
                    else Fault(f"{identifier}: {f.what}", f.remedy, requirement.file, requirement.place)
                    for f in error.faults)) from None
        return self._analyses[key]

    def _on_paytable(
        self, requirement: Requirement, bound: Bound, resolved: Resolved, analyses: Sequence[Analysis]
    ) -> Verdict:
        """Return the verdict of one bound: the worst over the analyses."""
        judgement, worst = self._worst(requirement, bound, resolved, ((a, a) for a in analyses))
        verdict, first = self._verdict(requirement, bound, resolved, judgement, worst), analyses[0]
        words = f" with {in_words(worst.decks)} in play" if worst.decks != first.decks else ""
        stake = worst.parameters.get("stake")
        words += f" at a stake of ${stake}" if stake != first.parameters.get("stake") else ""
        missing = ", ".join(f"{n.reading}={n.choice}" for n in self._missing(requirement, first))
        words += f"; not computed: {missing}" if missing else ""
        return replace(verdict, decks=first.decks, message=verdict.message + words)

    def _worst(
        self, requirement: Requirement, bound: Bound, resolved: Resolved, subjects: Iterable[tuple[Any, Analysis]]
    ) -> tuple[Judgement, Analysis]:
        """Return the worst judgement of the subjects of one bound, each given with its analysis."""
        judged = [(self._judged(requirement, bound, resolved, subject), a) for subject, a in subjects]
        return min(judged, key=lambda j: (_ORDER[j[0].status], j[0].margin))

    def _judged(self, requirement: Requirement, bound: Bound, resolved: Resolved, subject: Any) -> Judgement:
        """Return the judgement; undecided if it passes only by a value that the paytable's file gives to a setting."""
        criterion = CRITERIA[bound.key]
        try:
            judgement = criterion.judge(subject, requirement, bound.value)
        except Undecided as reason:
            unstated = isinstance(reason, Unstated)
            return Judgement(UNDECIDED, str(reason), unstated=unstated, open_in=reason.names)
        except NotApplicable as reason:
            return Judgement(SKIPPED, str(reason))
        missing = [name for name in own_defaults(resolved) if name not in {**self.values, **requirement.set}]
        if judgement.status != PASS or criterion.of_words or not missing:
            return judgement
        message = f"depends on {', '.join(missing)}, which the file itself states; give values under [rule.set]"
        return Judgement(UNDECIDED, message, unstated=True)

    def of_wager(self, band: tuple[int, Bound, Sequence[str]]) -> list[Verdict]:
        """Return the verdicts of the band over a wager's paytables, at each number of decks that several share.

        ``band`` has the index of the requirement, its bound, and the ids of the paytables.
        """
        index, bound, identifiers = band
        requirement = self.policy.requirements[index]
        members = [self.book.resolve(identifier, requirement.reading) for identifier in identifiers]
        verdicts = []
        for n in sorted({n for r in members for n in self._decks(requirement, r)}):
            sharing = [r for r in members if n in self._decks(requirement, r)]
            groups = self._alike([self._under(requirement, r, n) for r in sharing])
            judgement, worst = self._worst(requirement, bound, sharing[0], ((group, group[0]) for group in groups))
            verdict = self._verdict(requirement, bound, sharing[0], judgement, worst)
            all_evidence = "\n".join(verdict.evidence and evidence(judgement, r) for r in sharing)
            wager = sharing[0].wager_id
            verdicts.append(replace(verdict, id=f"{wager}/*", wager=wager, evidence=all_evidence))
        return verdicts

    @staticmethod
    def _alike(groups: Sequence[Sequence[Analysis]]) -> list[list[Analysis]]:
        """Return an analysis of each paytable under the same readings; under its own primary ones if they differ."""
        if len({len(g) for g in groups}) == 1:
            return [list(each) for each in zip(*groups, strict=True)]
        return [[g[0] for g in groups]]

    def _verdict(
        self, requirement: Requirement, bound: Bound, resolved: Resolved, judgement: Judgement,
        analysis: Analysis | None = None,
    ) -> Verdict:
        criterion = CRITERIA[bound.key]
        file, line = place_of(resolved)
        limit = "" if bound.text == "true" else bound.text
        invented = any(is_invented(name, resolved) for name in judgement.open_in)
        passes = (judgement.status == UNDECIDED and requirement.undecided == "pass"
                  and not judgement.unstated and not invented)
        location = f" ({requirement.file}:{requirement.line})" if judgement.unstated else ""
        sentence = _sentence(criterion.measure, judgement, limit or _FLAG_WORDS.get(bound.key, ""))
        return Verdict(
            status=judgement.status,
            rule=requirement.name,
            check=criterion.id,
            key=criterion.key,
            id=resolved.id,
            decks=None if analysis is None else analysis.decks,
            readings=dict(resolved.readings if analysis is None else analysis.readings),
            measure=criterion.measure,
            figure=judgement.figure,
            value=judgement.value,
            limit=limit,
            message=sentence + _other_readings(resolved, analysis) + location,
            file=file,
            line=line,
            policy_file=requirement.file,
            policy_line=bound.line,
            accepted=POLICY if passes else "",
            accepted_reason="the policy lets undecided pass" if passes else "",
            evidence=evidence(judgement, resolved),
            margin=judgement.margin if judgement.value is not None else None,
            least=judgement.least,
        )


def _stakes_of_the_file(resolved: Resolved) -> list[str]:
    """Return the allowed stakes at which a user's file pays a line that it does not pay at other stakes."""
    if not resolved.paytable.file or resolved.document.issuer or "stake" not in parameters.names(resolved):
        return []
    least, most = parameters.limits(resolved).get("stake", (Fraction(0), None))
    named = dict.fromkeys(resolved.terms.only_at_stake.values())
    return [text for text in named if least <= ratio(text) and (most is None or ratio(text) <= most)]


def evidence(judgement: Judgement, resolved: Resolved) -> str:
    """Return the lines behind a verdict: the faulty ones, or every line if its figure is not a number."""
    if judgement.status not in (FAIL, UNDECIDED):
        return ""
    lines = [] if judgement.value is not None else [f"{o} = {pay.text}" for o, pay in resolved.lines]
    return "\n".join([*judgement.faulty, *lines])


#: The end of the sentence for a requirement without a limit.
_FLAG_WORDS = {"no_player_advantage": "100%", "pays_monotone": "rarity"}


def _other_readings(resolved: Resolved, analysis: Analysis | None) -> str:
    """Return the readings of an analysis that are neither fixed by the requirement nor primary."""
    if analysis is None:
        return ""
    other = [f"{k}={c}" for k, c in analysis.readings.items() if resolved.readings.get(k) != c]
    return f" under {', '.join(other)}" if other else ""


def _sentence(measure: str, judgement: Judgement, limit: str) -> str:
    """Return the sentence of a verdict: the figure as a decimal and exactly, and the limit."""
    if judgement.status in (UNDECIDED, SKIPPED):
        return judgement.message
    shown, figure = judgement.shown, judgement.figure
    bound = bool(shown) and judgement.value is None  # a figure that depends on an unknown is not shown
    same = bound or shown.replace(",", "") == figure
    return " ".join(filter(None, (measure, " = ".join(filter(None, (shown, "" if same else figure))),
                                  judgement.message, limit)))


def unmatched(policy: Policy, known: Sequence[str]) -> list[str]:
    """Return a note for each glob that matches no id while another glob of the same requirement matches one."""
    return [
        f'"{pattern}" of the requirement "{requirement.name}" matches no id'
        for requirement in policy.requirements
        for pattern in requirement.applies_to
        if not any(matches(i, pattern) for i in known)
    ]


def place_of(resolved: Resolved) -> tuple[str, int | None]:
    """Return the file and line of a paytable: of a user's file, or of the transcription of a document."""
    if resolved.paytable.file:
        return resolved.paytable.file, line_number(resolved.paytable.places.get("", ""))
    line = _document_lines(resolved.document.id).get((resolved.wager, resolved.paytable.id))
    return f"{_RULES}{resolved.document.id}.toml", line


def is_shipped(file: str) -> bool:
    """Whether a verdict's file is the transcription of a document, which is outside the user's repository."""
    return file.startswith(_RULES)


@cached("lines of the paytables by document", most=64)
def _document_lines(document: str) -> dict[tuple[str, str], int]:
    """Return the line of every paytable of a shipped document, by wager and paytable."""
    text = source(document).decode()
    line_numbers, wager = {}, ""
    lines = text.splitlines()
    for place, key in KeyLines(text).entries:
        number = line_number(place) or 0
        if key == ("wager", "id"):
            wager = lines[number - 1].partition("=")[2].strip().strip("\"'")
        elif len(key) == 1 and key[0].startswith("wager.paytable."):
            line_numbers[wager, key[0].removeprefix("wager.paytable.")] = number
    return line_numbers
