"""What a report comes to: the open points by weight, and one sentence that can be signed."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files

from ..base.caches import cached
from ..base.exact import is_number
from ..userfiles.cover import Cover
from .model import Conclusion, Requirement, Section

MEETS, OPEN, FAILS = "meets", "meets with open points", "does not meet"
#: Kinds of findings, the weightiest first: what can move a figure, what a reader may trip over, what is print.
WEIGHTS = ("contradiction", "gap", "figure", "order", "misprint", "scan")
#: What settles a user's own wager.
OWN_RULES = "the conditions of the user's own files where no rule document has the wager"


@cached("the requirements of regulators", most=1)
def _requirements() -> tuple[tuple[str, Requirement], ...]:
    data = tomllib.loads((files("combin") / "report" / "requirements.toml").read_text(encoding="utf-8"))
    return tuple((r.get("prefix", ""), Requirement(r["id"], r["asks"], r["source"], tuple(r["where"]),
                                                   r.get("outside", ""))) for r in data["requirement"])


def conclude(sections: Sequence[Section], policy: str | None, cover: Cover | None, quick: bool) -> Conclusion:
    """What the sections come to under a policy."""
    wrong = [f"{s.label}: {v.rule}" for s in sections for v in s.verdicts if v.passed is False]
    wrong += [f"{s.label}: {c.what}" for s in sections for c in s.verification if c.verdict == "DIFFERS"]
    reasons = [] if policy else ["no policy was named, so no figure was held against a limit"]
    undecided = sum(v.passed is None for s in sections for v in s.verdicts)
    unjudged = sum(not s.verdicts for s in sections) if policy else 0
    open_ones = sum(not is_number(s.analysis.returned) for s in sections)
    moved = sum(_moves(s) for s in sections)
    unheld = sum(c.verdict == "NOT HELD" for s in sections for c in s.verification)
    unchecked = sum(not s.verification for s in sections)
    for count, one, more, words in (
        (undecided, "verdict of the policy is", "verdicts of the policy are", "undecided"),
        (unjudged, "paytable", "paytables", "that no requirement of the policy covers"),
        (open_ones, "return is", "returns are", "open in an unknown, such as a meter"),
        (moved, "return depends", "returns depend", "on a reading of the document"),
        (unheld, "check of the second method was", "checks of the second method were", "not held"),
        (unchecked, "paytable", "paytables", "without a run of the second method" + (" (--quick)" if quick else "")),
    ):
        if count:
            reasons.append(f"{count} {one if count == 1 else more} {words}")
    found: dict[str, dict[str, None]] = {}
    for s in sections:
        for note in s.findings:
            found.setdefault(note.kind, {})[note.id] = None
    order = [*WEIGHTS, *sorted(set(found) - set(WEIGHTS))]
    findings = tuple((kind, len(found[kind]), tuple(found[kind])) for kind in order if kind in found)
    if findings:
        number = sum(count for _, count, _ in findings)
        reasons.append("1 finding in the documents" if number == 1 else f"{number} findings in the documents")
    outcome = FAILS if wrong else OPEN if reasons else MEETS
    prefixes = {s.analysis.id.split("/")[0] for s in sections}
    asked = tuple(r for prefix, r in _requirements() if not prefix or prefix in prefixes)
    sentence = _sentence(outcome, sections, policy, cover, len(wrong), len(reasons))
    return Conclusion(outcome, sentence, tuple(wrong[:12]) if wrong else tuple(reasons), findings, asked)


def _moves(s: Section) -> bool:
    """Whether a reading that is computed moves the return."""
    ends = s.analysis.return_range
    return ends is not None and ends[0].value != ends[1].value


def _sentence(
    outcome: str, sections: Sequence[Section], policy: str | None, cover: Cover | None, wrong: int, reasons: int
) -> str:
    who = cover.laboratory if cover is not None else "The undersigned"
    number = len(sections)
    what = "the paytable" if number == 1 else f"the {number} paytables"
    of_documents = [s.analysis.has_document for s in sections]
    settled = ["the documents and readings named in it"] if any(of_documents) else []
    rules = ["the rules of the documents named in this report"] if any(of_documents) else []
    if not all(of_documents):
        settled.append(OWN_RULES)
        rules.append(OWN_RULES)
    names = [*(cover.standard if cover is not None else ()), *([f"the policy {policy}"] if policy else [])]
    against = " and ".join(names or rules)
    one = "s" if number == 1 else ""
    if outcome == MEETS:
        return (f"{who} finds that {what} of this report, as settled by {' and '.join(settled)}, "
                f"meet{one} {against}.")
    if outcome == OPEN:
        points = "the open point" if reasons == 1 else f"the {reasons} open points"
        return (f"{who} finds nothing in {what} of this report that fails {against}, subject to {points} listed "
                f"below, which {'is' if reasons == 1 else 'are'} to be settled before this finding stands without "
                "reservation.")
    times = "in one point" if wrong == 1 else f"in {wrong} points"
    return f"{who} finds that {what} of this report do{'es' if one else ''} not meet {against}: {times}, listed below."


__all__ = ["FAILS", "MEETS", "OPEN", "conclude"]
