"""From analyses to a report: every figure of a report is computed here once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..analysis.greatest_return import of_any_play
from ..analysis.liability import exposure
from ..analysis.model import Z_95, Analysis
from ..analysis.other_readings import NotComputed
from ..analysis.store_key import inputs_of
from ..base.errors import InputError, fault
from ..base.exact import decks as decks_in_words
from ..base.exact import is_number, root, simplify
from ..base.work import each
from ..pages.blocks import Part
from ..progressives.meter_cycle import MeterCycle, at_table, meter_cycles
from ..progressives.winners import check_seats, counted_seats
from ..rulebook.book import ReadingChoice
from ..rulebook.model import Finding
from ..rulebook.parameters import COUPON
from ..rulebook.terms import Unknown
from ..userfiles.cover import Cover
from ..verify.examples import examples
from ..views.meter import remarks
from ..views.model import FEW_TOP_PRIZES, ROUNDS
from . import attached, effects, layouts
from .clauses import annexes
from .compared import Pair, comparison, differences
from .conclusion import conclude
from .earlier import EarlierState, since
from .identity import Identity
from .model import (
    AtSeats,
    ChoiceEffect,
    EditedLine,
    Layout,
    MeterLine,
    PolicyVerdicts,
    Question,
    Report,
    Results,
    Rounds,
    Section,
    WagerReturns,
    WhatIf,
)
from .profiles import Profile, judged

NO_POLICY = PolicyVerdicts()
#: The parts that a quick report omits.
QUICK = (
    "This is a quick report: no independent method was run, effects of removal were not computed, and the maximum "
    "liability of a round is given as a bound where its exact value requires a search of the shoe."
)
#: How the wagers of a report are settled: those of a rule document, and user-defined ones.
SETTLED = {True: "as the document says under the readings named below",
           False: "as the conditions of the user's file say where no rule document defines it"}
#: Limits of the figures of every game, a sentence each.
SCOPE = (
    "The figures are those of one round dealt from a full deck or shoe in which every order of the cards is "
    "equally likely, and every wager is settled {settled}.",
    "A cut card does not affect a single round from a freshly shuffled shoe. Knowledge of the cards already "
    "dealt is not considered{removal}.",
    "Irregularities (exposed or missing cards, misdeals) are not considered: separate rules settle them, "
    "and they are not part of a wager's return.",
    "Cards of other players that a player may happen to see are not considered: an unseen card is equally likely "
    "to be any of the rest wherever it lies, so other hands change no figure of a player who sees one hand only.",
)
#: The limit of the figures of a document with a double shoe.
DOUBLE_SHOE = (
    "A double shoe with a determinant card (Maryland blackjack, ch. 7 §C) changes no figure if that card is drawn "
    "from both sides equally often, and never that of a wager symmetric in the suits. If it is drawn from one "
    "side more often, the first player's first card is of that side's colour more often, and the returns of that "
    "seat's wagers on a suit or a colour change: --set red_side_share gives that seat's figures."
)


def _scope(sections: Sequence[Section], quick: bool) -> tuple[str, ...]:
    """Return the limits of the figures of these sections, a sentence each."""
    double = any(s.analysis.resolved.document.double_shoe for s in sections)
    kinds = {s.analysis.has_document for s in sections}
    settled = " and ".join(words for kind, words in SETTLED.items() if kind in kinds)
    removal = "; the effect of removal shows how much the return changes with each removed card"
    limits = [words.format(settled=settled, removal=removal if any(s.removal for s in sections) else "")
              for words in SCOPE]
    return (*((QUICK,) if quick else ()), *limits, *((DOUBLE_SHOE,) if double else ()))


def build(
    analyses: Sequence[Analysis],
    identity: Identity,
    *,
    pairs: Sequence[Pair] = (),
    policy: PolicyVerdicts = NO_POLICY,
    cover: Cover | None = None,
    results: Results | None = None,
    layout: Layout | None = None,
    earlier: EarlierState | None = None,
    profiles: Sequence[Profile] = (),
    unknown_profiles: Sequence[str] = (),
    further: Mapping[tuple[str, int], Sequence[Part]] = MappingProxyType({}),
) -> Report:
    """Return the report on these analyses, with compared pairs, verdicts of a policy and an earlier state.

    ``further`` holds requested tables by id and decks. The provisions of ``profiles`` are judged;
    ``unknown_profiles`` has a sentence for each name that selects no profile.
    """
    quick = identity.request.quick
    seats = identity.request.seats
    if seats and not any(a.progressive for a in analyses):
        raise fault("none of these paytables is a progressive with a stake", "omit --seats, or name a progressive",
                    file="--seats")
    by_seats = [_by_seats(a, seats) for a in analyses]
    parts = each(_figures, quick, analyses, label="report",
                 inputs=lambda a: inputs_of(a.book, a.id, a.request, a.decks, quick))
    checks = each(_checks, quick, analyses, label="independent method", keep=False,
                  inputs=lambda a: inputs_of(a.book, a.id, a.request, a.decks, quick))
    sections = [
        _section(a, anchor, {**part, "verification": check, "by_seats": meters}, policy,
                 further.get((a.id, a.decks), ()))
        for a, anchor, part, check, meters in zip(analyses, _anchors(analyses), parts, checks, by_seats, strict=True)
    ]
    if layout is not None:  # of the one paytable of the report
        sections = [replace(s, layout=layout) for s in sections]
    return Report(
        title=_title(analyses),
        identity=identity,
        scope=_scope(sections, quick),
        sections=tuple(sections),
        families=_returns_by_wager(analyses, policy.bounds),
        comparisons=tuple(comparison(*pair) for pair in pairs),
        policy_name=policy.name,
        bounds=policy.bounds,
        annexes=annexes(analyses),
        cover=cover,
        results=results,
        layout=layout,
        since=None if earlier is None else since(earlier, analyses, identity),
        conclusion=conclude(sections, policy.name, cover, quick, judged(profiles, sections),
                            [*unknown_profiles, *([] if layout is None else layouts.points(layout))]),
    )


def _anchors(analyses: Sequence[Analysis]) -> list[str]:
    """Return the anchor of each analysis; those of one paytable at several numbers of decks share it."""
    places: list[dict[int, None]] = []
    of_paytable: dict[tuple[str, str], int] = {}
    anchors = []
    for a in analyses:
        key = (a.id, str(a.resolved.paytable.file))
        if key not in of_paytable or a.decks in places[of_paytable[key]]:  # compared with itself: two sections
            of_paytable[key] = len(places)
            places.append({})
        places[of_paytable[key]][a.decks] = None
        anchors.append(f"paytable-{of_paytable[key] + 1}")
    return anchors


def _title(analyses: Sequence[Analysis]) -> str:
    """Return the titles of the documents; for a paytable from a user's file, that of the file."""
    titles = list(dict.fromkeys(
        f"Paytables of {Path(a.resolved.paytable.file).name}" if a.resolved.paytable.file else a.resolved.document.title
        for a in analyses))
    return "; ".join(titles) if len(titles) < 4 else f"{len(titles)} rule documents"


def _checks(quick: bool, a: Analysis) -> tuple[Any, ...]:
    """Return the checks by an independent method, which every run makes anew."""
    return () if quick else tuple(attached.verification(a))


def _figures(quick: bool, a: Analysis) -> dict[str, Any]:
    """Return the expensive parts of a section, by the names of its fields."""
    best = of_any_play(a) if a.has_stake else None
    return {
        "rounds": _rounds(a),
        "exposure": exposure(at_table(a, a.resolved.seats), search=not quick),
        "caps": effects.caps(a),
        "sensitivity": effects.steps(a),
        "removal": () if quick else effects.removal(a),
        "questions": _questions(a),
        "greatest_return": None if best is None else best.returned,
        "examples": examples(a),
        "tables": () if quick and a.game is not None else attached.tables(a),
    }


def _section(
    a: Analysis, anchor: str, parts: Mapping[str, Any], policy: PolicyVerdicts, further: Sequence[Part]
) -> Section:
    provenance, is_new = _provenance(a)
    key = (a.id, a.decks)
    return Section(
        analysis=a,
        anchor=anchor,
        lines=a.outcomes,
        additions=a.additions,
        top_pay=a.top_pay if a.has_stake else None,
        meter=_meter(a),
        findings=_findings(a),
        provenance=provenance,
        is_new=is_new,
        unapplied=tuple(policy.unapplied.get(key, ())),
        tests=() if a.resolved.paytable.file else attached.tests_of(a.id),
        verdicts=tuple(policy.verdicts.get(key, ())),
        what_if=_what_if(a),
        cycles=_cycles(a),
        further=tuple(further),
        **{**parts, "tables": (*parts["tables"], *further)},
    )


def _findings(a: Analysis) -> tuple[Finding, ...]:
    """Return the document's findings on the paytable, and a remark if it mixes odds "to" and "for"."""
    findings = list(a.book.findings_of(a.id))
    if a.resolved.mixes_odds:
        where = a.clause or f"paytable {a.resolved.paytable.id}"
        findings.append(Finding("to-and-for", a.resolved.document, where, (), "contradiction",
                                'Odds "to" and odds "for" are in one paytable.'))
    return tuple(findings)


def _provenance(a: Analysis) -> tuple[str, bool]:
    """Return how a user's paytable differs from the nearest one of the document, and whether it is new."""
    paytable = a.resolved.paytable
    if not paytable.file:
        return "", False
    wager = a.book.wagers[a.resolved.wager_id]
    shipped_ones = [p for p in wager.paytables.values() if not p.file]
    if not shipped_ones:
        return "A user-defined wager: no rule document defines it.", True
    mine = {o: pay.text for o, pay in a.resolved.lines}
    apart = {p.id: differences(mine, dict(p.lines)) for p in shipped_ones}
    nearest = min(apart, key=lambda letter: len(apart[letter]))
    named = f"{nearest} ({wager.paytables[nearest].clause or wager.clause})"
    if not apart[nearest]:
        return f"The pays are those of paytable {named}.", False
    return f"Not one of the document's paytables; nearest: {named}; differs in {'; '.join(apart[nearest])}.", True


def _rounds(a: Analysis) -> tuple[Rounds, ...]:
    """Return the range of the return after 10^3 … 10^7 rounds; empty without a stake or with unknowns left."""
    from ..analysis.percentiles import spread

    if not a.has_stake:
        return ()
    if a.range_after(1) is None:
        return _estimated_rounds(a)
    _, top = a.top_prize
    ranges = []
    for rounds in ROUNDS:
        is_normal = top * rounds >= FEW_TOP_PRIZES
        normal = a.range_after(rounds) if is_normal else None
        points = None if is_normal or a.distribution is None else spread(a.distribution, rounds)
        least, greatest, method = (
            (normal[0], normal[1], "normal") if normal is not None else
            (None, None, "none") if points is None else (points.least, points.greatest, "percentiles"))
        ranges.append(Rounds(rounds, least, greatest, method, top * rounds))
    return tuple(ranges)


def _estimated_rounds(a: Analysis) -> tuple[Rounds, ...]:
    """The normal range of an exact return whose variance is an estimate; empty without one."""
    guess = a.estimates.get("variance")
    if guess is None or not is_number(a.returned):
        return ()
    ranges = []
    for rounds in ROUNDS:
        reach = Fraction(Z_95) * root(guess.value / rounds)
        ranges.append(Rounds(rounds, max(a.returned - reach, Fraction(0)), a.returned + reach, "estimated", None))
    return tuple(ranges)


def _questions(a: Analysis) -> tuple[Question, ...]:
    others: dict[tuple[str, str], Analysis | NotComputed] = {(r, c): b for r, c, b in a.alternatives()}
    questions = []
    for reading in a.book.readings_of(a.id):
        choices = tuple(_choice(a, c, others.get((reading.id, c.id), a)) for c in reading.choices)
        questions.append(Question(reading.id, reading.clause, reading.question, reading.frequencies_only, choices))
    return tuple(questions)


def _choice(a: Analysis, choice: ReadingChoice, b: Analysis | NotComputed) -> ChoiceEffect:
    if isinstance(b, NotComputed):
        return ChoiceEffect(choice.id, choice.why, choice.basis, False, None, None, a.decks, None, b.why)
    long_run = None if b.progressive is None else b.progressive.long_run
    change = simplify(b.returned - a.returned)
    return ChoiceEffect(choice.id, choice.why, choice.basis, b is a, b.returned, change, b.decks, long_run)


def _meter(a: Analysis) -> MeterLine | None:
    """Return the line of the return against its only unknown.

    Returns None unless the wager has a stake, exactly one unknown is left, and the return is linear and increasing in
    it.
    """
    if len(a.unknowns) != 1 or a.coefficients is None or not a.has_stake:
        return None
    name = a.unknowns[0]
    fixed, slope = a.coefficients["1"], a.coefficients[name]
    if slope <= 0:
        return None
    even = (1 - fixed) / slope
    text = a.resolved.unknowns.get(name, Unknown()).text
    return MeterLine(name, text, fixed, slope, even if even >= 0 else None)


def _cycles(a: Analysis) -> tuple[MeterCycle, ...] | None:
    """Return the cycle of each meter at one seat; None unless there is a meter and the operator's rate is set."""
    try:
        return meter_cycles(a)
    except InputError:
        return None


def _by_seats(a: Analysis, most: int) -> tuple[AtSeats, ...]:
    """Return each meter for 1 to ``most`` seats; empty for a wager without a meter."""
    if a.progressive is None or not most:
        return ()
    check_seats(a, most)
    counted = min((counted_seats(a, f.meter, most) for f in a.progressive.meters), default=most)
    more = () if counted == most else (f"the number of winners among more than {counted} seats is not computed",)
    return tuple(AtSeats(seats, cycle, (*remarks(a, cycle), *more)) for seats in range(1, counted + 1)
                 for cycle in meter_cycles(at_table(a, seats), seats=seats))


def _what_if(a: Analysis) -> WhatIf | None:
    """Return the data of the what-if.

    Returns None for a game with decisions, whose best play depends on its pays, and for a promotion, a cap, additions
    or a coupon.
    """
    if a.game is not None or not a.has_stake or a.cap is not None or a.additions or a.parameters.get(COUPON):
        return None
    listed = {outcome for outcome, _ in a.resolved.payments}
    if any(o.spins or not is_number(o.probability) or (o.pay and o.outcome not in listed) for o in a.outcomes):
        return None  # a wheel's prizes are not lines of the paytable
    total = a.deals or lcm(*(o.probability.denominator for o in a.outcomes))
    index = {outcome: i for i, (outcome, _) in enumerate(a.resolved.lines)}
    added = dict(a.resolved.added)
    outcomes = tuple((o.outcome, int(o.probability * total),
                      tuple(index[part] for part in added.get(o.outcome, (o.outcome,))) if o.pay is not None else ())
                     for o in a.outcomes)
    return WhatIf(
        total=total,
        lines=tuple(EditedLine(outcome, pay.text, pay) for outcome, pay in a.resolved.lines),
        outcomes=outcomes,
        values=dict(a.parameters),
        prize_returns_stake=a.resolved.terms.stake_returned_with_prize,
        head=_toml_head(a),
        name="what-if",
        notes=_command_notes(a),
    )


def _command_notes(a: Analysis) -> tuple[str, ...]:
    """Return the command that gives the same figures from the file, if it needs flags."""
    words = [] if a.resolved.document.deck_range == (1, 1) else [f"--decks {a.decks}"]
    primaries = {r.id: r.primary.id for r in a.book.readings_of(a.id)}
    words += [f"--reading {r}={c}" for r, c in a.readings.items() if c != primaries[r]]
    words += [f"--set {name}={value}" for name, value in a.request.set.items()]
    return (f"combin analyze FILE {' '.join(words)}",) if words else ()


def _toml_head(a: Analysis) -> str:
    """Return the head of a user's file: the wager of its paytable."""
    import json

    wager = a.book.wagers[a.resolved.wager_id]
    if a.has_document:
        return f'[[wager]]\nbased_on = "{a.resolved.wager_id}"\n'
    lines = ["[[wager]]", f'id = "{a.resolved.wager_id}"', f"name = {json.dumps(wager.name, ensure_ascii=False)}"]
    terms = wager.terms
    decks = list(range(wager.document.deck_range[0], wager.document.deck_range[1] + 1))
    values: dict[str, Any] = {"beside": terms.beside if isinstance(terms.beside, str) else ""}
    values |= {"deal": terms.deal, "decks": [d for d in wager.document.decks if d in decks]}
    values |= {"outcomes": terms.outcomes, "suits": terms.suits, "options": dict(terms.options)}
    for key, value in values.items():
        if key == "options" and value:
            inside = ", ".join(f"{name} = {json.dumps(text)}" for name, text in value.items())
            lines.append(f"options = {{ {inside} }}")
        elif value:
            lines.append(f"{key} = {json.dumps(value)}")
    for header, table in (("where", terms.where), ("outcome", terms.outcome)):
        if table:
            lines.append(f"[wager.{header}]")
            lines += [f"{json.dumps(name, ensure_ascii=False)} = {json.dumps(text)}" for name, text in table.items()]
    return "\n".join(lines) + "\n"


def _returns_by_wager(analyses: Sequence[Analysis], bounds: Mapping[str, Fraction]) -> tuple[WagerReturns, ...]:
    groups: dict[str, list[Analysis]] = {}
    for a in analyses:
        if a.has_stake and is_number(a.returned) and a.cap is None:
            groups.setdefault(a.resolved.wager_id, []).append(a)
    returns = []
    for wager, members in groups.items():
        if len(members) < 2:
            continue
        several = len({a.decks for a in members}) > 1
        labels = [a.resolved.paytable.id + (f", {decks_in_words(a.decks)}" if several else "") for a in members]
        least = [bounds[a.id] for a in members if a.id in bounds]
        returns.append(WagerReturns(wager, members[0].book.wagers[wager].name,
                                    tuple((label, a.returned) for label, a in zip(labels, members, strict=True)),
                                    max(least) if least else None))
    return tuple(returns)
