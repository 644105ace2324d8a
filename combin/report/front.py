"""The first parts of a report: cover, conclusion, requirements, the game in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..base.exact import Exact, decimal, grouped, is_number, percent
from ..base.exact import decks as decks_in_words
from ..games.model import StakedWager
from ..pages.blocks import Bars, Block, Cell, Facts, Grid, Part, Places, Points, Words
from ..views import model as shown
from ..wagers.condition_text import ConditionText
from ..wagers.vocabulary import WORDS
from .cells import exact, grouped_or_text, pay_text, share
from .model import Conclusion, Report, Section, label

#: With more paytables than this the summary has a row for each wager, and a page lists the paytables.
MOST_ROWS = 16
#: Maximum number of sections that a requirement refers to.
MOST_PLACES = 4
WAGERS = ("wager", "staked a round", "net", "return", "house advantage")


def cover(report: Report) -> Part | None:
    """Return the cover page: who tested what for whom. Returns None if no cover was given."""
    if report.cover is None:
        return None
    return Part("Cover", "cover", (Facts(report.cover.facts),))


def summary(report: Report) -> list[Part]:
    """Return the conclusion on one page; the paytables on the next if there are many."""
    conclusion = report.conclusion
    many = len(report.sections) > MOST_ROWS
    prefix, same_decks = _shared(report)
    several_decks = report.sections[0].analysis.resolved.document.deck_range != (1, 1)
    shared = [prefix.rstrip("/")] if prefix else []
    shared += [decks_in_words(report.sections[0].analysis.decks)] if same_decks and several_decks else []
    blocks: list[Block] = [Words(conclusion.sentence)]
    if shared:
        blocks.append(Words(f"All of these paytables: {' at '.join(shared)}."))
    blocks += [_by_wager(report) if many else _paytables(report)]
    missing = dict.fromkeys(n for s in report.sections for n in s.analysis.not_computed)
    if missing:
        blocks += [Words("Readings not computed, and not in any range over the readings:"),
                   Points(tuple(("", f"{n.reading}={n.choice}: {n.why}.") for n in missing))]
    never = tuple((f"{label(s.analysis)}:", ", ".join(_never(s))) for s in report.sections if _never(s))
    if never:
        more = f" {len(never)} paytables, of which the first are named." if len(never) > MOST_PLACES else ""
        blocks += [Words(f"Prizes that cannot be won with these decks:{more}"), Points(never[:MOST_PLACES])]
    blocks += points(conclusion)
    if conclusion.findings:
        clauses = {note.id: note.clause for s in report.sections for note in s.findings}
        rows = tuple((kind, str(n), "; ".join(dict.fromkeys(clauses[i] for i in ids[:6]))
                      + (f" and {n - 6} more" if n > 6 else "")) for kind, n, ids in conclusion.findings)
        blocks.append(Grid(("findings, by weight", "number", "where"), rows, right=9))
    parts = [Part("Summary", "summary", tuple(blocks))]
    if many:
        parts.append(Part("All paytables", "all-paytables", (_paytables(report),)))
    bars = tuple(Bars(f"Return of each paytable: {f.name}", f.returns, mark=f.least_allowed, mark_name="policy")
                 for f in report.families)
    return [*parts, Part("Paytables compared", "families", bars)] if bars else parts


def points(conclusion: Conclusion) -> list[Block]:
    """Return the requirements that are not met, and the undecided points."""
    lists = (("Not met:", conclusion.faults), ("Open points:", conclusion.reasons))
    return [block for title, words in lists if words
            for block in (Words(title), Points(tuple(("", one) for one in words)))]


def _paytables(report: Report) -> Grid:
    judged = report.policy_name is not None
    meters = any(s.analysis.progressive is not None for s in report.sections)
    shared, same_decks = _shared(report)
    head = ["paytable", "return", "over the readings", "house edge", "hit frequency", "volatility"]
    head += ["at reset", "long run"] if meters else []
    rows: list[tuple[Cell, ...]] = []
    for s in report.sections:
        a = s.analysis
        row: list[Cell] = [label(a, name=a.id[len(shared):], with_decks=not same_decks)]
        if a.has_stake:
            row.append(_short(a.returned))
        else:
            row.append(f"${shown.amount(a.returned, 4)} a round" if is_number(a.returned) else "open")
        row += [_range(s), shown.share(a.house_edge) if a.has_stake and is_number(a.returned) else "",
                _hit_frequency(s),
                "" if a.volatility_index is None else decimal(a.volatility_index, 2)]
        if meters:
            p = a.progressive
            row += ["", ""] if p is None else [_short(p.at_reset), _short(p.long_run)]
        rows.append((*row, verdict_word(s)) if judged else tuple(row))
    return Grid((*head, *(("policy",) if judged else ())), tuple(rows), links=tuple(s.anchor for s in report.sections))


def _hit_frequency(s: Section) -> str:
    """The hit frequency, or the estimate of one that is not computed."""
    value, guess = s.analysis.hit_frequency, s.analysis.estimates.get("hit_frequency")
    if is_number(value):
        return shown.share(value)
    return "open" if guess is None else f"{percent(guess.value, 2)} (estimate)"


def _shared(report: Report) -> tuple[str, bool]:
    """Return the prefix of all ids, and whether the decks are the same: a table of several rows omits both."""
    if len(report.sections) < 2:
        return "", False
    prefixes = {f"{s.analysis.resolved.document.prefix}/" for s in report.sections}
    return prefixes.pop() if len(prefixes) == 1 else "", len({s.analysis.decks for s in report.sections}) == 1


def _by_wager(report: Report) -> Grid:
    """Return a row for each wager: number of paytables, range of the return, verdict of the policy."""
    groups: dict[str, list[Section]] = {}
    for s in report.sections:
        groups.setdefault(s.analysis.resolved.wager_id, []).append(s)
    shared, _ = _shared(report)
    rows: list[tuple[Cell, ...]] = []
    for wager, members in groups.items():
        known = [s.analysis.returned for s in members if s.analysis.has_stake and is_number(s.analysis.returned)]
        ends = [f(known) for f in (min, max)] if known else []
        deviations = [s.analysis.volatility_index for s in members if s.analysis.volatility_index is not None]
        words = list(dict.fromkeys(verdict_word(s) for s in members)) if report.policy_name is not None else []
        rows.append((
            wager[len(shared):], str(len(members)),
            *([shown.share(e) for e in ends] or ("open", "")),
            decimal(max(deviations), 2) if deviations else "", *((", ".join(words),) if words else ())))
    head = ("wager", "paytables", "least return", "greatest", "greatest volatility",
            *(("policy",) if report.policy_name is not None else ()))
    return Grid(head, tuple(rows), links=tuple(members[0].anchor for members in groups.values()))


def verdict_word(s: Section) -> str:
    """Return the worst verdict of the policy on a section."""
    for passed in (False, None):
        verdicts = [v for v in s.verdicts if v.passed is passed]
        if verdicts:
            return min((v.word for v in verdicts), key=len)  # the shortest is one without acceptance, if any
    if not s.verdicts:
        return "no requirement applies"
    number = len(s.unapplied)
    return f"met; {number} check{'s' if number > 1 else ''} not applied" if number else "met"


def _short(value: Exact) -> str:
    return shown.share(value) if is_number(value) else "open"


def _range(s: Section) -> str:
    ends = s.analysis.return_range if s.analysis.has_stake else None
    if ends is None or ends[0].value == ends[1].value:
        return "one figure" if ends is not None else ""
    if not all(is_number(e.value) for e in ends):
        return "open"
    return f"{shown.share(ends[0].value)} to {shown.share(ends[1].value)}"


def _never(s: Section) -> list[str]:
    """Return the paid outcomes that are impossible with the decks in play."""
    return [line.outcome for line in s.lines if pay_text(line) and is_number(line.probability) and not line.probability]


def compliance(report: Report, anchors: frozenset[str]) -> Part | None:
    """Return the verdict on each provision of the selected profiles. Returns None without one.

    ``anchors`` are those of the parts in the report.
    """
    rows: list[tuple[Cell, ...]] = []
    for r in report.conclusion.requirements:
        targets = list(dict.fromkeys(a for w in r.where for a in _anchors(w, report) if a in anchors))
        where: Cell = Places(tuple(targets[:MOST_PLACES]), len(targets) > MOST_PLACES) if targets else ""
        rows.append((r.id, r.asks, r.verdict, r.figure, where))
    if not rows:
        return None
    sources = tuple(dict.fromkeys(r.source for r in report.conclusion.requirements))
    return Part("Provisions of regulators", "requirements", (
        Grid(("provision", "requirement", "verdict", "figure or reason", "see"), tuple(rows), right=9),
        Words(f"Sources: {'; '.join(sources)}.")))


def _anchors(where: str, report: Report) -> list[str]:
    return [f"{s.anchor}{where[1:]}" for s in report.sections] if where.startswith("*") else [where]


def game(report: Report) -> Part:
    """Return the games and wagers of the report for a reader who has never seen them."""
    inner: list[Part] = []
    by_document: dict[str, list[Section]] = {}
    for s in report.sections:
        by_document.setdefault(s.analysis.resolved.document.id, []).append(s)
    for number, members in enumerate(by_document.values(), 1):
        document = members[0].analysis.resolved.document
        blocks: list[Block] = [Words(document.about)] if document.about else []
        items: dict[str, tuple[str, str]] = {}
        for s in members:
            a = s.analysis
            wager = a.book.wagers[a.resolved.wager_id]
            about = wager.about or "A user-defined wager, settled as its conditions say; the file has no description."
            items.setdefault(a.resolved.wager_id, (f"{wager.name}.", about))
        blocks.append(Points(tuple(items.values())))
        title = document.title if members[0].analysis.has_document else f"User-defined wagers ({document.title})"
        inner.append(Part(title, f"game-{number}", tuple(blocks)))
    words = _words(report)
    if words:
        inner.append(Part("Words of the conditions", "game-words", (
            Words("Each section defines its outcomes as conditions on the cards, in these words:"),
            Points(words))))
    return Part("The game in plain words", "game", (), tuple(inner))


def _words(report: Report) -> tuple[tuple[str, str], ...]:
    conditions = [text for s in report.sections for text in _conditions(s).values()]
    conditions += [text for s in report.sections for text in s.analysis.resolved.terms.where.values()]
    called = {name for condition in conditions for name in ConditionText(condition).called()}
    return tuple((word.call, word.meaning) for name, word in WORDS.items() if name in called)


def _conditions(s: Section) -> dict[str, str]:
    terms = s.analysis.resolved.terms
    if terms.round is not None:
        return dict(terms.outcome)
    return {line.outcome: _filled(terms.outcome[line.outcome], terms.options) for line in s.lines
            if line.outcome in terms.outcome}


def _filled(condition: str, options: Mapping[str, object]) -> str:
    """Return a condition with the wager's options instead of their names: ``ace=ace`` is ``ace="high"``."""
    return re.sub(r"(\w+)=(\w+)\b", lambda m: f'{m[1]}="{options[m[2]]}"' if m[2] in options else m[0], condition)


def meaning(s: Section) -> Part | None:
    """Return the condition of each outcome, with the names that the conditions use."""
    conditions = _conditions(s)
    if not conditions:
        return None
    where = s.analysis.resolved.terms.where
    rows = (*conditions.items(), *where.items())
    return Part("Conditions of the outcomes", f"{s.anchor}-outcomes", (
        Grid(("outcome", "condition"), rows, right=9),))


def wagers(s: Section) -> Part | None:
    """Return each wager of a base game: outcome table, true odds, return, house advantage; then all together."""
    a = s.analysis
    if a.game is None or not a.game.wagers:
        return None
    every = [w for w in a.game.wagers if not w.given]
    rows = [_sum(w.name, [w]) for w in every]
    for kind in dict.fromkeys(w.kind for w in every if w.kind):
        rows.append(_sum(f"all {kind}", [w for w in every if w.kind == kind]))
    rows.append(_sum("all together", every))
    conditional = [_sum(f"{w.name}, where {w.given}", [w]) for w in a.game.wagers if w.given]
    inner = []
    alike: dict[tuple[object, ...], list[StakedWager]] = {}
    for w in a.game.wagers:
        alike.setdefault((w.rows, w.frequency, w.remark), []).append(w)
    for n, (w, *same) in enumerate(alike.values(), 1):
        counted = any(r.combinations is not None for r in w.rows)
        partly = w.frequency < 1
        lines: list[tuple[Cell, ...]] = [
            (r.outcome, r.pays, *(("" if r.combinations is None else grouped(r.combinations),) if counted else ()),
             shown.probability(r.probability), _odds(r.probability),
             (_odds(r.probability / w.frequency) if r.staked else "") if partly else shown.one_in(r.probability),
             exact(r.probability * r.net)) for r in w.rows]
        head = ("outcome", "pays", *(("combinations",) if counted else ()), "probability", "true odds",
                "true odds if made" if partly else "one in", "net contribution")
        inner.append(Part(w.name, f"{s.anchor}-wager-{n}", (
            *((Words(f"The same table applies to: {'; '.join(x.name for x in same)}."),) if same else ()),
            Grid(head, tuple(lines), right=2), *((Words(w.remark),) if w.remark else ()))))
    return Part("Each wager by itself", f"{s.anchor}-wagers", (
        Words("The average stake and win of each wager in a round, under the play with the greatest total return "
              "of all wagers. The return of a wager is per unit staked on it; the nets add up to the round's."),
        Grid(WAGERS, tuple(rows), last=True),
        *((Words("Not included in the figures of a round:"), Grid(WAGERS, tuple(conditional))) if conditional else ()),
    ), tuple(inner))


def _odds(p: Fraction) -> str:
    return f"{grouped_or_text((1 - p) / p, 4)} to 1" if p else "never"


def _sum(name: str, wagers: Sequence[StakedWager]) -> tuple[Cell, ...]:
    """Return the stake and the win of the wagers together."""
    staked = sum((w.staked for w in wagers), Fraction(0))
    net = sum((w.net for w in wagers), Fraction(0))
    if not staked:  # a bonus
        return name, exact(staked), exact(net), "", ""
    returned, edge = 1 + net / staked, -net / staked
    return (name, exact(staked), exact(net), share(returned), share(edge))
