"""The conclusion of a report: what is not met, the open points, and one sentence that can be signed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..analysis.greatest_return import among
from ..base.exact import is_number, percent
from ..policy.criteria import ends
from ..userfiles.cover import Cover
from .model import Conclusion, Provision, Section
from .profiles import MET, NOT_CHECKED, NOT_MET

MEETS, OPEN, FAILS = "meets", "meets with open points", "does not meet"
NOTHING = "nothing was checked"
#: Kinds of findings by weight: contradictions first, since they can change a figure; errors of print last.
WEIGHTS = ("contradiction", "gap", "figure", "order", "misprint", "scan")
#: What settles a user-defined wager.
OWN_RULES = "the conditions of the user's files"
#: Maximum number of paytables that an open point names.
MOST_NAMED = 3


def conclude(
    sections: Sequence[Section], policy: str | None, cover: Cover | None, quick: bool,
    provisions: Sequence[Provision] = (), unknown_profiles: Sequence[str] = (),
) -> Conclusion:
    """Return the conclusion from the sections, a policy and the judged provisions."""
    refused = [f"{s.label}: {v.rule}: {v.message}" for s in sections for v in s.verdicts
               if v.passed is False and not v.accepted]
    differing = [f"{s.label}: the independent method gives another figure: {c.what}"
                 for s in sections for c in s.verification if c.passed is False]
    missed = [r for r in provisions if r.verdict == NOT_MET]
    faults = [*differing, *(f"{r.id}: {r.figure}" for r in missed), *refused]
    findings = _findings(sections)
    reasons = [*unknown_profiles, *_open_points(sections, policy, quick, provisions, findings)]
    failed = [*(r.id for r in missed), *([f"the policy {policy}"] if refused else []),
              *(["the check by an independent method"] if differing else [])]
    judged = any(s.verdicts for s in sections)
    passed = [*(r.id for r in provisions if r.verdict == MET), *([f"the policy {policy}"] if policy and judged else [])]
    outcome = FAILS if faults else NOTHING if not passed else OPEN if reasons else MEETS
    sentence = _sentence(sections, cover, failed, passed, len(reasons))
    return Conclusion(outcome, sentence, tuple(reasons), findings, tuple(provisions), tuple(faults[:12]))


def _open_points(
    sections: Sequence[Section], policy: str | None, quick: bool, provisions: Sequence[Provision],
    findings: Sequence[tuple[str, int, tuple[str, ...]]],
) -> list[str]:
    """Return the open points, a sentence each."""
    points = [f"{names}: {words.removesuffix('.')}" for words, names in _named_by(
        sections, lambda s: [s.provenance] if s.is_new else [])]
    points += [f"{s.label}: {words}" for s in sections if (words := _above_all(s))]
    points += [f"{r.id} was not checked: {r.figure}" for r in provisions if r.verdict == NOT_CHECKED]
    if not policy:
        points.append("no policy was named, so no figure was compared with a policy's limit")
    points += [f"the policy's check {key} was not applied to {names}" for key, names in _named_by(
        sections, lambda s: s.unapplied if s.verdicts else [])]
    run = f"no independent method was run{' (--quick)' if quick else ''}"
    kinds = (
        ("no requirement of the policy covers", lambda s: policy and not s.verdicts),
        ("a requirement that is not met was accepted for",
         lambda s: any(v.passed is False and v.accepted for v in s.verdicts)),
        ("a verdict of the policy is undecided for", lambda s: any(v.passed is None for v in s.verdicts)),
        ("the return depends on values that are not set, such as a meter, for",
         lambda s: not is_number(s.analysis.returned)),
        ("a reading of the document changes the return of", _moves),
        ("a choice of a reading is not computed for", lambda s: s.analysis.not_computed),
        ("the independent checks do not cover every figure of",
         lambda s: any(c.unchecked for c in s.verification)),
        (f"{run} for", lambda s: not s.verification),
    )
    for words, applies in kinds:
        labels = list(dict.fromkeys(s.label for s in sections if applies(s)))
        if labels:
            points.append(f"{words} {_names(labels)}")
    for s in sections:
        sampled = [c.detects for c in s.verification if c.detects is not None]
        if sampled:
            points.append(f"{s.label}: {len(sampled)} counts were checked by sampling; the smallest detectable error "
                          f"is {100 * max(sampled):.2g} % of a count or less")
    points += [f"the independent check counted {words}, not the full deck, for {names}" for words, names in _named_by(
        sections, lambda s: dict.fromkeys(c.instead for c in s.verification if c.instead))]
    number = sum(count for _, count, _ in findings)
    if number:
        where = "the documents" if all(s.analysis.has_document for s in sections) else "the documents and files"
        points.append(f"{number} finding{'s' if number > 1 else ''} in {where}")
    return points


def _above_all(s: Section) -> str:
    """What is said of a return above 100 % under any play, with any values that are not set; "" if it is not above."""
    top = s.greatest_return if s.greatest_return is not None else s.analysis.returned
    least, _ = ends(top, s.analysis) if s.analysis.has_stake else (None, None)
    if least is None or least <= 1:
        return ""
    words = among(s.analysis)
    bound = "" if is_number(top) else "at least "
    return f"the greatest return of {f'all {words}' if words else 'any play'} is {bound}{percent(least)}, above 100 %"


def _named_by(
    sections: Sequence[Section], words_of: Callable[[Section], Iterable[str]]
) -> Iterator[tuple[str, str]]:
    """Yield each text that some sections have, and the names of these sections."""
    labels: dict[str, list[str]] = {}
    for s in sections:
        for words in words_of(s):
            labels.setdefault(words, []).append(s.label)
    yield from ((words, _names(names)) for words, names in labels.items())


def _names(labels: Sequence[str]) -> str:
    more = len(labels) - MOST_NAMED
    return ", ".join(labels[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _findings(sections: Sequence[Section]) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Return the findings by kind, each kind with their number and ids."""
    by_kind: dict[str, dict[str, None]] = {}
    for s in sections:
        for note in s.findings:
            by_kind.setdefault(note.kind, {})[note.id] = None
    order = [*WEIGHTS, *sorted(set(by_kind) - set(WEIGHTS))]
    return tuple((kind, len(by_kind[kind]), tuple(by_kind[kind])) for kind in order if kind in by_kind)


def _moves(s: Section) -> bool:
    """Return whether a computed reading changes the return."""
    ends = s.analysis.return_range
    if ends is not None and ends[0].value != ends[1].value:
        return True
    return any(c.change is not None and c.change != 0 for q in s.questions for c in q.choices)


def _sentence(
    sections: Sequence[Section], cover: Cover | None, failed: Sequence[str], passed: Sequence[str], reasons: int
) -> str:
    """Return the sentence for signature, which names only what was checked."""
    who = cover.laboratory if cover is not None else "The undersigned"
    number = len(sections)
    of_documents = [s.analysis.has_document for s in sections]
    settled = ["the documents and readings named in it"] if any(of_documents) else []
    settled += [] if all(of_documents) else [OWN_RULES]
    what = "the paytable" if number == 1 else f"the {number} paytables"
    under = f"{what} of this report, as settled by {' and '.join(settled)},"
    one = number == 1
    points, are = ("the open point", "is") if reasons == 1 else (f"the {reasons} open points", "are")
    if failed:
        rest = f"; {points} listed below {'remains' if reasons == 1 else 'remain'}" if reasons else ""
        return f"{who} finds that {under} do{'es' if one else ''} not meet {_and(failed)}, as listed below{rest}."
    if not passed:
        return (f"{who} states the figures of {under} and makes no finding: nothing was checked against a provision or "
                f"a policy; {points} {are} listed below.")
    if not reasons:
        return f"{who} finds that {under} meet{'s' if one else ''} {_and(passed)}."
    return (f"{who} finds nothing in {under} that fails {_and(passed)}, subject to {points} listed below, which {are} "
            "to be settled before this finding is without reservation.")


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
