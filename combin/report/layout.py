"""The report in words and tables: a tree of parts for all text renderers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ..base.exact import decimal, decks, grouped, grouped_decimal, is_number, money, nearly, percent, text
from ..games.registry import game_of
from ..pages.blocks import (
    Band,
    Bars,
    Blanks,
    Block,
    Cell,
    Facts,
    Grid,
    Number,
    Page,
    Part,
    Points,
    StraightLine,
    Tool,
    Words,
    walk,
)
from ..rulebook.coverage import Clause
from ..tools import audit_page
from ..userfiles.cover import Cover
from ..views import meter
from ..views import model as shown
from ..views.definitions import TERMS, kinds_of
from . import appendix, beside, front, json, layouts, play_rules
from .attached import verdict_of
from .cells import (
    cell,
    chance,
    change,
    difference,
    exact,
    grouped_or_text,
    pay_text,
    plain,
    points,
    share,
    signed,
    value_text,
)
from .changes import comparison, side_by_side, since
from .effects import CapEffect
from .identity import Identity
from .model import ChoiceEffect, Report, Results, Section, label
from .what_if import payload

#: Many outcomes (a game's joint table) are shown without a plot of each.
MOST_BARS = 24


def page(report: Report) -> Page:
    """Return the report as a page."""
    rules = {s.anchor for s in report.sections}  # a new page for each would leave much white space
    parts = tuple(replace(p, starts="rule" if p.anchor in rules else "") for p in _parts(report))
    identity, issued = report.identity, "" if report.cover is None else report.cover.issued
    front = next(n for n, p in enumerate(parts) if p.anchor == "scope")
    return Page(report.title, parts, "Certification report", f"combin {identity.version}", identity.report_sha256,
                running(report.cover), issued, front, json.request(report))


def running(cover: Cover | None) -> tuple[str, ...]:
    """Return the texts of the running head; empty without a cover."""
    return () if cover is None else (
        f"Report {cover.report}" + (f", revision {cover.revision}" if cover.revision else ""), cover.laboratory,
        *((f"issued {cover.issued}",) if cover.issued else ()))


def _parts(report: Report) -> tuple[Part, ...]:
    begin = _given(front.cover(report), *front.summary(report))
    rest = _given(
        Part("Scope", "scope", tuple(Words(s) for s in report.scope)),
        front.game(report),
        Part("Definitions", "definitions", (Points(terms_of(report)),)),
        side_by_side(report.comparisons) if len(report.comparisons) > 1 else None,
        *(comparison(c, n) for n, c in enumerate(report.comparisons, 1)),
        None if report.since is None else since(report.since),
        *(_of_decks(group, report) for group in report.groups),
        None if report.results is None else results(report.results),
        None if report.layout is None else layouts.part(report.layout),
        *_annex(report), identity_part(report.identity), _sign(report),
    )
    anchors = frozenset(part.anchor for _, part in walk([*begin, *rest]))
    whole = _given(*begin, front.compliance(report, anchors), *rest)
    return appendix.moved(_given(*map(tidy, whole)))


def _given(*parts: Part | None) -> tuple[Part, ...]:
    return tuple(part for part in parts if part is not None)


def tidy(part: Part) -> Part | None:
    """Return the part without empty columns and parts. Returns None if nothing is left."""
    inner = _given(*map(tidy, part.parts))
    blocks = tuple(_without_empty_columns(b) if isinstance(b, Grid) else b for b in part.blocks)
    return replace(part, blocks=blocks, parts=inner) if blocks or inner else None


def _without_empty_columns(grid: Grid) -> Grid:
    used = [i for i in range(len(grid.head)) if i == 0 or any(row[i : i + 1] not in ((), ("",)) for row in grid.rows)]
    if len(used) == len(grid.head) or not grid.rows:
        return grid
    return replace(grid, head=tuple(grid.head[i] for i in used), right=sum(i < grid.right for i in used),
                   rows=tuple(tuple(row[i] for i in used if i < len(row)) for row in grid.rows))


def terms_of(report: Report) -> tuple[tuple[str, str], ...]:
    """Return the terms used in this report, with definitions for its kinds of wagers."""
    kinds = {kind for s in report.sections for kind in kinds_of(s.analysis)}
    return tuple((term.name, term.text) for term in TERMS if not term.kinds or term.kinds & kinds)


def _of_decks(group: Sequence[Section], report: Report) -> Part:
    """Return the section of a paytable, with figures for several numbers of decks side by side."""
    examples = {e.outcome: e for s in reversed(group) for e in s.examples}  # a deal of few decks is one of more
    parts = [_section(replace(s, examples=tuple(examples.values())), report, alone=len(group) == 1) for s in group]
    if len(parts) == 1:
        return parts[0]
    title = label(*(s.analysis for s in group), name=group[0].analysis.name)
    return beside.merged(title, [decks(s.analysis.decks) for s in group], parts)


def _section(s: Section, report: Report, *, alone: bool) -> Part:
    """Return the section of one number of decks; unless ``alone``, the heads of columns show that number."""
    a = s.analysis
    pays, counts = (_settled(s), ()) if a.game is None else (_played(s), (front.wagers(s), _combinations(s)))
    inner = _given(
        pays, front.meaning(s), play_rules.rules_of_play(s), *counts, _figures(s), _what_if(s), _rounds(s), _meter(s),
        _over_time(s), _by_seats(s), liability(s), _sensitivity(s), _removal(s),
        *(replace(t, anchor=f"{s.anchor}-table-{n}") for n, t in enumerate(s.tables, 1)),
        _play(s), _questions(s), _findings(s), second(s), _conclusion(s, report))
    entries = [("wager", a.name), ("id", a.id), *shown.facts(a, with_decks=alone)]
    facts = tuple((name, words) for name, words in entries if words)
    first = (Words(s.provenance),) if s.provenance else ()
    return Part(label(a, name=a.name), s.anchor, (*first, Facts(facts)), inner)


def _what_if(s: Section) -> Part | None:
    return None if s.what_if is None else Part("What if", f"{s.anchor}-what-if", (
        Words("Edit the pays: return, house edge, hit frequency and standard deviation are updated exactly."),
        Tool(s.anchor, payload(s.what_if))))


def _played(s: Section) -> Part:
    """Return the stakes and pays of a game with decisions."""
    a, game = s.analysis, game_of(s.analysis.resolved)
    assert game is not None
    best = "Every decision has the greatest return given the cards that the player sees."
    if game.plays:
        best = f"The play has the greatest return of all {game.plays}."
    return Part("Stakes and pays", f"{s.anchor}-paytable", (
        Words(f"Amounts are in {game.unit}s. {best}"),
        Grid(("line", "pays"), tuple((outcome, pay.text) for outcome, pay in a.resolved.lines))))


def _settled(s: Section) -> Part:
    """Return the paytable by line: pays, counts, odds, contribution."""
    a = s.analysis
    counted = a.deals is not None
    rows: list[tuple[Cell, ...]] = [
        (line.outcome, pay_text(line),
         *(("" if line.combinations is None else grouped(line.combinations),) if counted else ()),
         chance(line.probability), "" if line.true_odds is None else f"{grouped_or_text(line.true_odds, 4)} to 1",
         "never" if line.frequency is None else grouped_or_text(line.frequency, 2), exact(line.contribution))
        for line in s.lines
    ]
    for b in s.additions:
        likely = f"{b.times} × {value_text(b.probability)}" if b.times != 1 else value_text(b.probability)
        rows.append((b.name, b.pays, *(("also paid",) if counted else ()), likely, "", "", exact(b.contribution)))
    total = (grouped(a.deals),) if a.deals is not None else ()
    rows.append(("all", "", *total, "1", "", "", exact(a.returned)))
    head = ("outcome", "payout odds", *(("combinations",) if counted else ()), "probability", "true odds", "one in",
            "contribution to return" if a.has_stake else "contribution, dollars")
    blocks: list[Block] = [Words("A deal is settled by the first line that applies, from the top."),
                           Grid(head, tuple(rows), 2, last=True, narrow=True), _closure(s)]
    if a.resolved.envy:
        blocks += [Words("Envy bonus for another player's hand, for $1 staked; the figures above are with "
                         f"{a.parameters.get('other_players') or 0} other players who make the wager:"),
                   Grid(("hand of another player", "pays"),
                        tuple((hand, f"{pay} for $1") for hand, pay in a.resolved.envy.items()))]
    bars = tuple((line.outcome, line.contribution) for line in s.lines
                 if pay_text(line) and is_number(line.contribution))
    if 1 < len(bars) <= MOST_BARS and a.has_stake:
        blocks.append(Bars("Contribution to the return by outcome", bars))
    return Part("Paytable as settled", f"{s.anchor}-paytable", tuple(blocks))


def _closure(s: Section) -> Words:
    if s.analysis.deals is not None:
        return Words(f"Closure: the combinations of the {len(s.lines)} outcomes sum to {grouped(s.analysis.deals)}, "
                     "the number of deals; each deal has exactly one outcome.")
    return Words(f"Closure: the probabilities of the {len(s.lines)} outcomes sum to exactly 1. The number of cards "
                 "dealt in a round varies, so there are no combinations.")


def _combinations(s: Section) -> Part:
    """Return the joint table of a game with decisions."""
    a = s.analysis
    counted = a.deals is not None
    rows: list[tuple[Cell, ...]] = [
        (line.outcome, pay_text(line), *((grouped(line.combinations),) if line.combinations is not None else ()),
         chance(line.probability), exact(line.contribution))
        for line in s.lines
    ]
    rows.append(("all", "", *((grouped(a.deals),) if a.deals is not None else ()), "1", exact(a.returned)))
    head = ("outcome", "net result", *(("combinations",) if counted else ()), "probability", "contribution to return")
    return Part("Combinations", f"{s.anchor}-combinations", (Grid(head, tuple(rows), last=True), _closure(s)))


def _figures(s: Section) -> Part:
    a, apart = s.analysis, set()
    if a.game is not None:  # stated by wager, by the win frequency, and by the house edge if one unit is staked first
        apart = {"house_advantage", "hit_frequency"}
        if a.game.house_edge_per_initial_units == a.house_edge:
            apart.add("house_edge_per_initial_units")
    rows = tuple((f.name, Number(f.words, f.exact)) for f in shown.figures(a) if f.key not in apart)
    return Part("Figures", f"{s.anchor}-figures", (Facts(rows),))


METHODS = {
    "normal": "normal",
    "percentiles": "exact percentiles",
    "estimated": "normal, with the estimated variance",
    "none": "not given: few top prizes are expected, and the exact distribution is unknown or too wide to compute",
}


def _rounds(s: Section) -> Part | None:
    if not s.rounds:
        return None
    rows = tuple(
        (grouped(r.rounds), "" if r.least is None else percent(r.least, 2),
         "" if r.greatest is None else percent(r.greatest, 2), METHODS[r.method],
         "" if r.top_prizes is None else grouped_or_text(r.top_prizes, 2))
        for r in s.rounds
    )
    blocks: list[Block] = [
        Grid(("rounds", "least return", "greatest return", "method", "top prizes expected"), rows, right=0)]
    band = tuple((r.rounds, r.least, r.greatest) for r in s.rounds if r.least is not None and r.greatest is not None)
    if len(band) > 1:
        blocks.append(Band("Central 95 % of the return by number of rounds", band, s.analysis.returned))
    return Part("Range of the return after N rounds", f"{s.anchor}-rounds", tuple(blocks))


def _meter(s: Section) -> Part | None:
    a = s.analysis
    if not a.unknowns or not a.has_stake:
        return None
    blocks: list[Block] = [Words(f"The return depends on {', '.join(a.unknowns)}: {shown.share(a.returned)}.")]
    if a.coefficients is not None:
        blocks.append(Grid(
            ("part of the return", "coefficient"),
            tuple(("fixed" if name == "1" else f"per unit of {name}", Number(decimal(c, 12), text(c)))
                  for name, c in a.coefficients.items())))
    if s.meter is not None:
        m = s.meter
        if m.text:
            blocks.append(Words(f"{m.name.replace('_', ' ').capitalize()}: {m.text}."))
        if m.break_even is not None:
            blocks.append(Facts(((f"break-even: the return is 1 at {m.name}",
                                  Number(grouped_decimal(m.break_even, 2), text(m.break_even))),)))
            blocks.append(StraightLine(f"Return against {m.name}", m.name, m.fixed, m.slope, 2 * m.break_even,
                                       m.break_even))
    return Part("Return and unknowns", f"{s.anchor}-meter", tuple(blocks))


def _over_time(s: Section) -> Part | None:
    inner: list[Block] = []
    for cycle in s.cycles or ():
        inner.append(Words(f"{cycle.distribution.name.replace('_', ' ').capitalize()}, for one seat:"))
        inner += meter.part(s.analysis, cycle).blocks
    return None if s.cycles is None else Part("The meter over time", f"{s.anchor}-over-time", tuple(inner))


def _by_seats(s: Section) -> Part | None:
    """Return the meters by number of seats, if the report was requested with seats."""
    inner: list[Block] = []
    for name in dict.fromkeys(row.cycle.distribution.name for row in s.by_seats):
        rows = [row for row in s.by_seats if row.cycle.distribution.name == name]
        distributions = [(str(r.seats), r.cycle.distribution) for r in rows]
        cycles = [(str(r.seats), r.cycle) for r in rows]
        inner += [
            Words(f"{name.replace('_', ' ').capitalize()}, by the number of seats of a table that make the wager:"),
            Grid(("seats", "a hit, 1 in rounds", "two winners, 1 in rounds", "the second is paid", "mean at a hit",
                  "median at a hit"),
                 tuple((seats, *(cell(1 / p if p else None, lambda n: grouped_decimal(n, 2))
                                 for p in (d.hit, d.several)),
                        *(cell(amount, money) for amount in (d.second, d.mean, d.marks[Fraction(1, 2)])))
                       for seats, d in distributions), right=0, narrow=True),
            Grid(("seats", "break-even meter", "reached before the hit", "return to a player who always bets"),
                 tuple((seats, cell(c.break_even, money),
                        meter.NOT_COMPUTED if c.passes is None else nearly(c.passes), share(c.always))
                       for seats, c in cycles), right=0, narrow=True)]
        inner += [Words(f"{words[0].upper()}{words[1:]}.") for words in rows[-1].remarks]
    return Part("The meter by seats", f"{s.anchor}-by-seats", tuple(inner)) if inner else None


def liability(s: Section) -> Part | None:
    a = s.analysis
    if s.exposure is None:
        return None
    game = game_of(a.resolved)
    unit = "unit" if game is None else game.unit
    e, where = s.exposure, f"with up to {s.exposure.seats} seats that make the wager and a stake of one {unit} at each"
    if e.most is None:
        sentence = (f"The maximum liability of a round, {where}, depends on {', '.join(a.unknowns)}: one seat wins at "
                    f"most {shown.share(s.top_pay)} net.")
    elif e.exact:
        held = ", ".join(f"{n} × {outcome}" for outcome, n in e.hands) or "no hand wins"
        sentence = (f"The maximum liability of a round, {where}, is {plain(e.most)} {unit}s net, which the cards allow "
                    f"({held}). Multiply it by the stake.")
    else:
        sentence = (f"The maximum liability of a round, {where}, is at most {plain(e.most)} {unit}s net. This is a "
                    "bound; whether the cards allow it was not searched. Multiply it by the stake.")
    blocks: list[Block] = [Words(sentence)]
    if a.cap is not None:
        blocks.append(Words(f"The cap in force, ${plain(a.cap.amount)} at a stake of ${plain(a.cap.stake)}, reduces "
                            f"the return by {points(a.cap_cost)}."))
    for cap in s.caps:
        blocks += _cap(cap)
    capped = s.caps or a.cap is not None
    return Part(f"Liability{' and payout caps' if capped else ''}", f"{s.anchor}-liability", tuple(blocks))


def _cap(cap: CapEffect) -> list[Block]:
    """Return the document's cap: its terms, the stake that it does not affect, the effect of lawful caps."""
    blocks: list[Block] = [Points((("Payout cap", f"{cap.clause}: {cap.text}"),))]
    if cap.alone:
        sentence = ("It is at least one player's win at the maximum wager, so it never reduces the pay of a single "
                    "winner.")
        shared = (" All winners of a round share it. With the least lawful cap and every player at the maximum "
                  "wager, other players with such a pair lower the return:")
        blocks.append(Words(sentence + (shared if cap.shared else " Sharing among several winners is not considered.")))
        if cap.shared:
            blocks.append(Grid(("other players with this wager", "return", "change"), tuple(
                (str(r.others), Number(percent(r.returned, 8), text(r.returned)), change(r.change, 8))
                for r in cap.shared), right=0))
        return blocks
    if cap.floor is not None and cap.free_stake is not None:
        stake = grouped_decimal(Fraction(int(cap.free_stake * 100), 100), 2)  # never rounded up
        blocks.append(Words(
            f"A cap of ${grouped_decimal(cap.floor, 2)} reduces no pay of this wager at stakes up to "
            f"${stake}; above, it lowers the return."
            + (f" It is lawful if the minimum wager is ${stake} or less." if cap.least else "")))
    if cap.rows:
        blocks.append(Grid(
            ("most won per unit staked", *(("reached at a stake of",) if cap.floor is not None else ()), "return",
             "change"),
            tuple((plain(r.most), *(() if r.stake is None else (f"${grouped_decimal(r.stake, 2)}",)),
                   cell(r.returned, percent), change(r.change))
                  for r in cap.rows),
            right=0))
    return blocks


def _sensitivity(s: Section) -> Part | None:
    if not s.sensitivity or not s.analysis.has_stake:
        return None
    rows = tuple((step.outcome, step.pays, step.unit, change(step.change)) for step in s.sensitivity)
    return Part("Sensitivity of the return to each pay", f"{s.anchor}-sensitivity", (
        Words("The exact change of the return for one unit more on a line; other lines are unchanged."),
        Grid(("line", "pays", "one more", "change of the return"), rows, right=2)))


def _removal(s: Section) -> Part | None:
    if not s.removal:
        return None
    rows = tuple((" ".join(r.cards), change(r.change, 6)) for r in s.removal)
    return Part("Effect of removal", f"{s.anchor}-removal", (
        Words("The change of the return when one such card is removed; cards in one row have the same effect."),
        Grid(("card", "change of the return"), rows)))


def _questions(s: Section) -> Part | None:
    if not s.questions:
        return None
    parts = []
    for n, q in enumerate(s.questions, 1):
        lasting = len({c.long_run for c in q.choices if not c.not_computed}) > 1
        rows = tuple((*_choice(c, s), *((cell(c.long_run, shown.share),) if lasting else ())) for c in q.choices)
        head = ("choice", "reason", "return" if s.analysis.has_stake else "dollars per round", "change")
        blocks: tuple[Block, ...] = (
            Words(f"{q.question} (reading {q.id})"),
            Grid((*head, *(("long-run return",) if lasting else ())), rows, right=2),
        )
        if q.frequencies_only:
            blocks += (Words("This reading affects frequencies, the variance, or the shares of several winners; no "
                             "choice changes the return."),)
        parts.append(Part(q.clause, f"{s.anchor}-reading-{n}", blocks))
    return Part("Readings", f"{s.anchor}-readings", (
        Words("Where the document is silent or contradicts itself: the figure under each alternative, all else "
              "unchanged, or why it is not computed."),), tuple(parts))


def _choice(c: ChoiceEffect, s: Section) -> tuple[Cell, ...]:
    """Return a choice of a reading: its figure and the change, or why it has none."""
    name = c.id + (" (used)" if c.used else "")
    why = c.why + (f" [{c.basis}]" if c.basis else "")
    if c.decks != s.analysis.decks:
        why += f" The figure is for {decks(c.decks)} in play."
    if c.not_computed or c.returned is None or c.change is None:
        return (name, f"{why} Not computed: {c.not_computed}.", "not computed", "")
    form, form_of_change = (shown.share, signed) if s.analysis.has_stake else (shown.amount, difference)
    return (name, why, cell(c.returned, form), "" if c.used else cell(c.change, form_of_change))


def _findings(s: Section) -> Part | None:
    if not s.findings:
        return None
    return Part("Findings in the document", f"{s.anchor}-findings", (
        Points(tuple((f"{n.clause} ({n.kind})", n.text) for n in s.findings)),))


def _play(s: Section) -> Part | None:
    if s.analysis.game is None or s.tables:
        return None
    words = f"combin strategy {s.analysis.id} shows the optimal play and the cost of simpler strategies."
    return Part("Play", f"{s.anchor}-play", (Words(words),))


def second(s: Section) -> Part:
    blocks: list[Block] = []
    if s.verification:
        blocks.append(Grid(("what", "method", "result", "verdict"),
                           tuple((c.what, c.method, c.result, verdict_of(c).lower()) for c in s.verification), right=4))
    elif s.analysis.request.without:
        blocks.append(Words("The independent method requires a full shoe; it was not run, since cards are removed."))
    else:
        blocks.append(Words("No independent method was run for this report (--quick)."))
    return Part("Independent checks", f"{s.anchor}-second", tuple(blocks))


def _conclusion(s: Section, report: Report) -> Part | None:
    if report.policy_name is None:
        return None
    if not s.verdicts:
        return Part("Policy", f"{s.anchor}-conclusion", (
            Words(f"No requirement of {report.policy_name} applies to this paytable."),))
    return Part("Policy", f"{s.anchor}-conclusion", (
        Grid(("requirement", "verdict", "figure and limit"),
             tuple((v.rule, v.word, v.message) for v in s.verdicts), right=3),))


def results(r: Results) -> Part:
    """Return the page of an audit, with its file of results."""
    title, verdict, together = r.summary
    page = audit_page.part("Results of play", verdict, together, r.head, r.tests, r.rows, r.notes)
    file = Facts((("results", title), ("file", r.file), ("sha256", r.sha256)))
    return replace(page, anchor="results", blocks=(file, *page.blocks))


def _annex(report: Report) -> list[Part]:
    """Return the clauses of the documents, a table each, and the tests that bear on the figures."""
    blocks: list[Block] = [Words("Clauses that affect payments of these paytables.")]
    for annex in report.annexes:
        sections = [s for s in report.sections if s.analysis.resolved.document.id == annex.document.id]
        rows = tuple((c.clause, c.says, _bears(c, sections)) for c in annex.clauses)
        blocks += [Words(annex.document.title), Grid(("clause", "content", "in this report"), rows, 3)]
    parts = [Part("Annex: clauses of the documents", "clauses", tuple(blocks))] if report.annexes else []
    tests = tuple(dict.fromkeys(row for s in report.sections for row in s.tests))
    if tests:
        parts.append(Part("Annex: tests", "tests", (
            Words("Tests in the source of combin that bear on these figures. They were not run for this report."),
            Grid(("figures", "test"), tests, right=2))))
    return parts


def _bears(clause: Clause, sections: Sequence[Section]) -> str:
    """Return the parts of the report that a clause concerns: paytables unless all, settings, readings, findings."""
    clause_sections = [s for s in sections if clause.bears_on([s.analysis.resolved])]
    ids = dict.fromkeys(s.analysis.id for s in clause_sections)
    several = len(ids) < len({s.analysis.id for s in sections})
    settings = [name for name in clause.settings if any(name in s.analysis.parameters for s in clause_sections)]
    readings = [name for name in clause.readings if any(name in s.analysis.readings for s in clause_sections)]
    number = len({note.id for s in clause_sections for note in s.findings if note.id in clause.findings})
    parts = [*(["paytables: " + ", ".join(ids)] if several else []),
             *(["settings: " + ", ".join(settings)] if settings else []),
             *(["readings: " + ", ".join(readings)] if readings else []),
             *([f"{number} finding{'s' if number > 1 else ''}"] if number else []),
             *([clause.why] if clause.why else [])]
    return "; ".join(parts) or "computed"


def identity_part(identity: Identity) -> Part:
    request = identity.request
    rows: list[tuple[str, Cell]] = [
        ("command", request.command),
        ("combin", f"{identity.version}; every source of the package sha256 {identity.package_sha256}"),
        *((f"{d.title}, {d.version}" if d.version else d.title, f"{d.issuer}; text sha256 {d.text_sha256}; "
           f"transcription sha256 {d.data_sha256}") for d in identity.documents if d.issuer),  # a user's are files
        *((f"file {name}", f"sha256 {digest}") for name, digest in identity.files),
        *((f"plug-in {name}", f"sha256 {digest}") for name, digest in identity.plug_ins),
        *((f"kernel {name}", f"sha256 {digest}") for name, digest in identity.kernels),
        *identity.environment,
        ("digest of all figures", f"sha256 {identity.figures_sha256}"),
        ("digest of the report", f"sha256 {identity.report_sha256}: all of its content except the versions of Python, "
                                 "of packages and of compilers"),
    ]
    return Part("Identity", "identity", (Facts(tuple(rows)),))


def _sign(report: Report) -> Part:
    people = report.cover.signatory if report.cover is not None else ()
    names = tuple(n for p in people for n in (f"{p.name}, {p.role}" if p.role else p.name, "Date"))
    return Part("Signature", "signature", (
        Words(report.conclusion.sentence),
        *front.points(report.conclusion),
        Words(f"Report: sha256 {report.identity.report_sha256}"),
        Blanks(names or ("Reviewed by", "Date", "Signature"))))
