"""What changed since an earlier report or earlier paytables, by figure and with its causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..analysis.model import Analysis
from ..base.errors import fault
from ..base.version import VERSION
from ..tools.changes import Change, VersionFigures, ordered
from ..views.json import record
from . import json as json_form
from .identity import Identity, ReportRequest
from .model import FigureChange, PaytableChange, Since

#: Figures of an analysis that are compared, by their keys in JSON.
FIGURES = ("return", "house_edge", "hit_frequency", "variance")
#: Arguments that change what is dealt, and their names in a report.
ARGUMENTS = (("without", "cards out of the shoe"), ("wheel", "weights of the wheel"), ("chart", "chart of play"))
Key = tuple[str, int]


@dataclass(frozen=True)
class EarlierState:
    """Figures of an earlier state by id and decks, with the program and documents that they were computed from."""

    name: str
    version: str
    package: str
    documents: Mapping[str, Mapping[str, str]]
    request: Mapping[str, Any]
    records: Mapping[Key, Mapping[str, Any]]


def state_of_report(path: str, name: str) -> EarlierState:
    """Return the state in a JSON or PDF report. Raises `InputError` if its figures cannot be read."""
    report = json_form.read(path)
    try:
        identity = report["identity"]
        records = {(str(s["analysis"]["id"]), int(s["analysis"]["decks"])): s["analysis"] for s in report["sections"]}
        for r in records.values():
            _figures(r)
            _pays(r)
            _lines(r)
            dict(r["readings"]), dict(r["parameters"])
        documents = {str(d["id"]): {k: str(v) for k, v in d.items()} for d in identity["documents"]}
        return EarlierState(name, str(identity["version"]), str(identity["package_sha256"]), documents,
                     dict(identity["asked"]), records)
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        raise fault("is a report whose figures cannot be read", "generate that report again", file=path) from None


def state_of(analyses: Sequence[Analysis], name: str, request: ReportRequest, identity: Identity) -> EarlierState:
    """Return the state of earlier paytables, computed by this program."""
    documents = {d.id: {"title": d.title, "version": d.version, "text_sha256": d.text_sha256,
                        "data_sha256": d.data_sha256} for d in identity.documents}
    words = {key: getattr(request, key) for key, _ in ARGUMENTS}
    return EarlierState(name, VERSION, identity.package_sha256, documents, words,
                 {(a.id, a.decks): record(a) for a in analyses})


def since(state: EarlierState, analyses: Sequence[Analysis], identity: Identity) -> Since:
    """Return what changed; one paytable on each side is paired whatever the ids are."""
    now = {(a.id, a.decks): a for a in analyses}
    old = dict(state.records)
    ids = [{i for i, _ in side} for side in (old, now)]
    if len(ids[0]) == len(ids[1]) == 1:
        (name,) = ids[1]
        old = {(name, n): r for (_, n), r in old.items()}
    by_key: dict[Key, PaytableChange] = {}
    changes = []
    for key in dict.fromkeys([*now, *old]):
        a = now.get(key)
        before, after = old.get(key), None if a is None else record(a)
        change = Change(key[0], key[1], _figure(before), _figure(after))
        if before is None or after is None or a is None:
            changes.append(change)
            by_key[key] = PaytableChange(change, (), (), None)
            continue
        figures = _moved(before, after)
        if figures or change.pays:
            changes.append(change)
            by_key[key] = PaytableChange(change, figures, _why(state, before, a, after, change, identity),
                               _by_pays(before, after))
    details = tuple(by_key[c.id, c.decks] for c in ordered(changes) if c.decks is not None)
    return Since(state.name, state.version, details, len(now) - sum(t.change.after is not None for t in details))


def _figure(r: Mapping[str, Any] | None) -> VersionFigures | None:
    if r is None:
        return None
    figures = _figures(r)
    return VersionFigures(_value(figures.get(("return", ""))), _value(figures.get(("house edge", ""))), _pays(r))


def _value(words: str | None) -> Fraction | str | None:
    number = _number(words)
    return words if number is None else number


def _pays(r: Mapping[str, Any]) -> dict[str, str]:
    return {str(o["outcome"]): str(o["pays"]) for o in r["outcomes"]}


def _figures(r: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return the exact texts of the figures and of each outcome's figures, by figure and outcome ("" without one)."""
    figures = {(key.replace("_", " "), ""): str(r[key]["exact"]) for key in FIGURES if (r.get(key) or {}).get("exact")}
    for o in r["outcomes"]:
        for what in ("combinations", "probability", "contribution"):
            if o[what] is not None:
                figures[what, str(o["outcome"])] = str(o[what])
    return figures


def _number(words: str | None) -> Fraction | None:
    """Return the number of an exact text. Returns None for an expression in unknowns."""
    plain = (words or "").removeprefix("-").replace("/", "", 1)
    return Fraction(words) if words and plain.isdigit() and plain.isascii() else None


def _moved(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[FigureChange, ...]:
    was, now = _figures(before), _figures(after)
    moves = []
    for key in dict.fromkeys([*now, *was]):
        one, two = was.get(key, ""), now.get(key, "")
        if one != two:
            figure, outcome = key
            ends = [Fraction(0) if not w and outcome else _number(w) for w in (one, two)]
            change = None if ends[0] is None or ends[1] is None else ends[1] - ends[0]
            moves.append(FigureChange(f"{figure}: {outcome}" if outcome else figure, one, two, change))
    return tuple(moves)


def _lines(r: Mapping[str, Any]) -> dict[str, tuple[Fraction | None, Fraction | None]]:
    """Return probability and contribution of each outcome; None for an expression."""
    return {str(o["outcome"]): (_number(o["probability"]), _number(o["contribution"])) for o in r["outcomes"]}


def _by_pays(before: Mapping[str, Any], after: Mapping[str, Any]) -> Fraction | None:
    was, now = _lines(before), _lines(after)
    parts = []
    for outcome in was.keys() & now.keys():
        (p, c), (q, d) = was[outcome], now[outcome]
        if p is None or c is None or q is None or d is None:
            return None
        if p and q:
            parts.append(p * (d / q) - c)
    return sum(parts, Fraction(0))


def _why(state: EarlierState, before: Mapping[str, Any], a: Analysis, after: Mapping[str, Any], change: Change,
         identity: Identity) -> tuple[str, ...]:
    """Return the causes of changed figures: pays, readings, settings, document, program."""
    causes = [f'pay of "{o}": {old or "none"} → {new or "none"}' for o, old, new in change.pays]
    for key, word in (("readings", "reading"), ("parameters", "value of")):
        was, now = before[key], after[key]
        causes += [f"{word} {n}: {was.get(n) or 'none'} → {now.get(n) or 'none'}"
                   for n in dict.fromkeys([*now, *was]) if was.get(n) != now.get(n)]
    for key, words in ARGUMENTS:
        was, now = state.request.get(key) or "", getattr(identity.request, key) or ""
        causes += [f"{words}: {was or 'none'} → {now or 'none'}"] if was != now else []
    document = a.resolved.document
    recorded = state.documents.get(document.id)
    if recorded is not None:
        if recorded.get("text_sha256") != document.sha256:
            causes.append(f"rule document {document.title}: {recorded.get('version') or 'no version'} → "
                          f"{document.version or 'no version'}, different text")
        elif recorded.get("data_sha256") != document.data_sha256:
            causes.append(f"transcription of the rule document {document.title}: changed, the text is the same")
    if state.version != identity.version:
        causes.append(f"program: combin {state.version} → {identity.version}")
    elif state.package != identity.package_sha256:
        causes.append(f"program: different sources of combin {identity.version}")
    return tuple(causes) or ("no cause is recorded in the earlier report",)
