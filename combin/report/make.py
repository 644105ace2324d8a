"""From a command's arguments to a report: find the analyses, pair, judge and build."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..analysis.engine import analyze, analyze_all
from ..analysis.model import Analysis
from ..base.errors import fault
from ..base.exact import is_number, money
from ..base.textfiles import noting
from ..deals.cards import cards
from ..pages.blocks import Grid, Part, Words
from ..play.best_play import best_play
from ..play.requests import WagerSettings, share_out
from ..play.strategy import base_games
from ..play.together import together
from ..policy.model import SKIPPED, Verdict
from ..rulebook.book import Rulebook, is_glob
from ..rulebook.parameters import names
from ..tools import audit_page
from ..tools.audit import Audit, audit
from ..tools.audit_results import read_results
from ..tools.revisions import checked_out, revision_and_path
from ..userfiles.collected import add_side_bets, collect
from ..userfiles.cover import read_cover
from ..userfiles.expansion import expanded
from ..userfiles.words import file_and_sheet, is_file_argument, wager_and_path
from ..userfiles.written import Written
from ..views.strategy import part
from . import json as json_form
from . import layouts
from .appendix import is_long
from .build import build
from .compared import Pair, pairs
from .earlier import EarlierState, state_of, state_of_report
from .identity import ReportRequest, identify
from .model import PolicyVerdicts, Report, Results, label
from .profiles import selected

#: An id with a number of decks.
Key = tuple[str, int]


def named(word: str) -> str:
    """Return a path (or WAGER=path) as a report names it: as typed, or the last part of an absolute path."""
    wager, path = wager_and_path(word)
    name = Path(path).name if Path(path).is_absolute() else path
    return f"{wager}={name}" if wager else name


class Files:
    """Paths of the files of a report: as typed, or in one of ``places``."""

    def __init__(self, typed: Iterable[str] = (), places: Sequence[Path] = ()) -> None:
        self.typed = {named(word): word for word in typed}
        self.places = places
        #: Every file that was used: its name in the report, and its path.
        self.used: dict[str, str] = {}
        #: Further files to be written next to the report, by name.
        self.attached: dict[str, str] = {}
        #: The notes on files of paytables.
        self.notes: list[str] = []

    def __call__(self, name: str) -> str:
        """Return the path for a name in the report; the name itself if there is no such file."""
        wager, path = wager_and_path(self.typed.get(name, name))
        file, sheet = file_and_sheet(path)
        for folder in self.places:
            if not Path(file).exists() and (folder / file).exists():
                file = str(folder / file)
        self.used[file_and_sheet(wager_and_path(name)[1])[0]] = file
        path = f"{file}#{sheet}" if sheet else file
        return f"{wager}={path}" if wager else path

    def beside(self, name: str, other: str) -> str:
        """Return the path of a file that another file names, relative to the folder of that file."""
        path = str(Path(self.used.get(name, name)).parent / other)
        self.used[other] = path
        return path

    def is_file(self, name: str) -> bool:
        return is_file_argument(self.typed.get(name, name))


def make(request: ReportRequest, files: Files) -> tuple[Report, list[tuple[str, int]]]:
    """Return the report, and the ids omitted by ``request.decks`` with the number of decks that excluded them."""
    left_out: list[tuple[str, int]] = []
    words = [files(name) if files.is_file(name) else name for name in request.patterns]
    parts = [[w] for w in words] if request.compare else [words]
    with noting() as digests:
        opened = replace(request, bonus=tuple(files(name) if files.is_file(name) else name for name in request.bonus))
        joined, groups = opened, list[tuple[Analysis, ...]]()
        for part in parts:
            joined, group = _analyses(opened, files, part, left_out)
            groups.append(group)
        if request.bonus:
            groups.append(_joined(joined, [a for group in groups for a in group]))
        policy = _judged(groups, request, files) if request.policy else PolicyVerdicts()
        cover = read_cover(files(request.cover)) if request.cover else None
        profiles, unknown = selected(cover, lambda name: files.beside(str(request.cover), name))
        analyses = [a for group in groups for a in group]
        played = _played(analyses, files(request.results)) if request.results else None
        lines = _layout(analyses, files(request.layout)) if request.layout else None
        earlier = _earlier(opened, files, analyses) if request.compare_with else None
    used = {name: digests[path] for name, path in files.used.items()}
    compared = _pairs(groups[: len(parts)]) if request.compare else []
    layout = None if lines is None else layouts.compared(
        analyses[0], lines, str(request.layout), used[str(request.layout)])
    results = None if played is None else _results(played, str(request.results), used[str(request.results)])
    report = build(
        analyses, identify(analyses, request, used), pairs=compared, policy=policy, cover=cover, profiles=profiles,
        unknown_profiles=unknown, results=results, layout=layout, earlier=earlier,
        further=_further(joined, files, analyses),
    )
    return json_form.sealed(report), left_out


def _analyses(
    request: ReportRequest, files: Files, words: Iterable[str], left_out: list[tuple[str, int]]
) -> tuple[ReportRequest, tuple[Analysis, ...]]:
    """Return the request with the ids of its side bets in place of words, and the analyses of the other words."""
    written = Written.of(request.odds, request.columns, request.map)
    book, wanted = collect(words, written)
    book, bonus = add_side_bets(book, request.bonus, written)
    request = replace(request, bonus=bonus)
    given = _given(request, book, wanted)
    files.notes += [note for i in wanted if not is_glob(i) for note in book.find(i)[1].notes]
    return request, analyze_all(
        wanted, decks=request.decks or None, set=given.set, reading=given.reading, without=cards(request.without),
        any_decks=request.any_decks, wheel=files(request.wheel) if request.wheel else None,
        chart=files(request.chart) if request.chart else "", book=book, left_out=left_out,
    )


def _joined(request: ReportRequest, games: Sequence[Analysis]) -> tuple[Analysis, ...]:
    """Return the side bets joined to base games, each analysed at the decks of each game."""
    side_bets: dict[tuple[str, int], Analysis] = {}
    for a in games:
        given = _given(request, a.book, [a.id])
        for identifier in request.bonus:
            if (identifier, a.decks) not in side_bets:
                known, reading_ids = names(a.book.resolve(identifier)), {r.id for r in a.book.readings_of(identifier)}
                side_bets[identifier, a.decks] = analyze(
                    identifier, decks=a.decks, set={k: v for k, v in given.bonus_set.items() if k in known},
                    reading={k: v for k, v in given.bonus_reading.items() if k in reading_ids},
                    without=a.request.without, book=a.book)
    return tuple(side_bets.values())


def _given(request: ReportRequest, book: Rulebook, wanted: Sequence[str]) -> WagerSettings:
    """Return the values and readings of the paytables, and those of side bets joined to base games."""
    identifiers = book.select(wanted)
    alone = [i for i in identifiers if i not in base_games(book, identifiers)] if request.bonus else []
    if alone:
        raise fault(f"side bets are joined to a base game, and {alone[0]} is a side bet",
                    "name the base game, and each side bet with --with", file="--with")
    return share_out(book, identifiers, request.bonus, request.set, request.reading)


def _further(request: ReportRequest, files: Files, analyses: Sequence[Analysis]) -> dict[tuple[str, int], list[Part]]:
    """Return the requested tables of base games: joint figures with side bets, and files of best play."""
    parts: dict[tuple[str, int], list[Part]] = {}
    games = [a for a in analyses if a.id in base_games(a.book, [a.id])]
    for a in games if request.bonus else ():
        given = _given(request, a.book, [a.id])
        joint = together(a, request.bonus, given.bonus_set, given.bonus_reading)
        page = part(joint)
        title = f"{a.name} with {', '.join(a.book.resolve(i).name for i in request.bonus)}"
        words = _seat(a, [b for b in analyses if b.id in request.bonus and b.decks == a.decks], joint)
        parts.setdefault((a.id, a.decks), []).extend(
            (replace(page, title=title, parts=(), blocks=(*page.blocks, *words)), *page.parts))
    played = games if request.best_play else []
    if request.best_play and not played:
        raise fault("none of these paytables has decisions", "name a base game", file="--best-play")
    for a in played:
        play = best_play(a)
        name = f"{a.id.replace('/', '-')}-{a.decks}"
        texts = {f"{name}.csv": play.csv(), f"{name}.json": play.json()}
        files.attached |= texts
        rows = tuple((file, sha256(text.encode()).hexdigest()) for file, text in texts.items())
        sentences = (f"{len(play.rows):,} rows: {', '.join(play.head)}.", *play.remarks)
        parts.setdefault((a.id, a.decks), []).append(Part("Best play, every hand", blocks=(
            Grid(("attached file", "sha256"), rows, 2), *map(Words, sentences))))
    return parts


def _seat(game: Analysis, bets: Sequence[Analysis], joint: Any) -> tuple[Words, ...]:
    """Return the maximum win of a seat on a game and its side bets; empty if a pay or a stake is unknown."""
    if hasattr(joint, "wagers"):  # a seat of blackjack, with any number of side bets
        stakes = {w.id: w.stake for w in joint.wagers}
    elif hasattr(joint, "ante") and len(bets) == 1:
        stakes = {game.id: joint.ante, bets[0].id: joint.stake}
    else:
        return ()
    tops = {a.id: a.top_pay for a in (game, *bets)}
    if set(tops) != set(stakes) or not all(t is not None and is_number(t) for t in tops.values()):
        return ()
    most = sum((tops[i] * stakes[i] for i in tops), Fraction(0))
    return (Words(f"A seat wins at most {money(most)} in a round on all these wagers: the sum of their highest "
                  "pays at these stakes. This is a bound; whether one hand can win all of them was not searched."),)


def _earlier(request: ReportRequest, files: Files, analyses: Sequence[Analysis]) -> EarlierState:
    """Return the state to compare with: that of a report, of a file of paytables, or of a git revision."""
    word = str(request.compare_with)
    if revision_and_path(word)[0]:
        with checked_out(word) as path:
            _, earlier = _analyses(request, Files(), expanded([path]), [])
    elif Path(word).suffix.lower() in (".json", ".pdf"):
        return state_of_report(files(word), word)
    else:
        _, earlier = _analyses(request, files, [files(word) if files.is_file(word) else word], [])
    return state_of(earlier, word, request, identify(earlier, request))


def _layout(analyses: Sequence[Analysis], path: str) -> list[tuple[str, str]]:
    """Return the lines of a layout for the only paytable of the report."""
    if len({a.id for a in analyses}) != 1:
        raise fault("several paytables are reported, and a layout belongs to one", "name one paytable", file="--layout")
    return layouts.read_layout(path)


def _played(analyses: Sequence[Analysis], path: str) -> Audit:
    """Return the audit of a file of results against the only paytable of the report."""
    if len(analyses) != 1:
        labels = "; ".join(label(a) for a in analyses[:3])
        raise fault(f"the report has {len(analyses)} analyses, and results belong to one",
                    "name one paytable, and --decks if it has several numbers of decks", file="--results", place=labels)
    return audit(analyses[0], read_results(path, analyses[0]))


def _results(play_audit: Audit, file: str, digest: str) -> Results:
    head, tests = audit_page.table(play_audit)
    return Results(file, digest, play_audit.met, audit_page.head(play_audit), head, tuple(tests),
                   audit_page.rows(play_audit), play_audit.notes)


def _pairs(groups: Sequence[Sequence[Analysis]]) -> list[Pair]:
    """Return pairs of the first group with each other group."""
    if len(groups) < 2:
        raise fault("there is nothing to compare with", "give two or more ids or files", file="--compare")
    first, paired = groups[0], list[Pair]()
    for group in groups[1:]:
        these = pairs(first, group)
        if not these:
            raise fault(f"{len(first)} and {len(group)} paytables cannot be paired",
                        "compare equal numbers of paytables, or those of one wager at one number of decks: --decks",
                        file="--compare", place=label(group[0]))
        paired += these
    return paired


def _judged(groups: Sequence[Sequence[Analysis]], request: ReportRequest, files: Files) -> PolicyVerdicts:
    """Return the verdicts of the policy, each group judged with its rulebook."""
    from ..policy import check, read_policy
    from ..policy.gate import date_of

    source = str(request.policy)
    policy = read_policy(source if source.startswith("combin:") else files(source))
    today = date_of(request.today)
    endless = [w for w in policy.waivers if w.expires is None]
    if today is None:  # a waiver may have expired by the time the report is read
        if len(endless) < len(policy.waivers):
            files.notes.append(f"{policy.file}: waivers with an expiry date accept nothing unless --today is given")
        policy = replace(policy, waivers=tuple(endless), file_waivers=())
    verdicts: dict[Key, list[Verdict]] = {}
    bounds: dict[str, Fraction] = {}
    unapplied: dict[Key, list[str]] = {}
    keys = list(dict.fromkeys(b.key for r in policy.requirements for b in r.bounds))
    for group in groups:
        identifiers = list(dict.fromkeys(a.id for a in group))
        judged = check(group[0].book, identifiers, policy, today=today, set=request.set, allow_unjudged=True).verdicts
        for v in judged:
            # A long fraction is in the section's figures.
            message = v.message.replace(f" = {v.figure}", "") if is_long(v.figure) else v.message
            text = f"{message} ({v.accepted_reason})" if v.accepted else message
            verdict = replace(v, message=text)
            for a in group:
                if v.status != SKIPPED and _reaches(v, a) and v.decks in (None, a.decks):
                    verdicts.setdefault((a.id, a.decks), []).append(verdict)
        for a in group:
            # A skipped verdict with a number of decks means that the check does not apply to the wager.
            known = {v.key for v in judged if _reaches(v, a) and (
                v.decks == a.decks or (v.decks is None and v.status != SKIPPED))}
            unapplied[a.id, a.decks] = [key for key in keys if key not in known]
        for requirement in policy.requirements:
            for least in (bound.value for bound in requirement.bounds if bound.key == "return_min"):
                for identifier in filter(requirement.applies, identifiers):
                    bounds[identifier] = max(least, bounds.get(identifier, least))
    return PolicyVerdicts(policy.name or source, verdicts, bounds, unapplied)


def _reaches(v: Verdict, a: Analysis) -> bool:
    """Return whether a verdict is on the paytable, or on its whole wager."""
    return v.wager == a.resolved.wager_id if v.wager else v.id == a.id
