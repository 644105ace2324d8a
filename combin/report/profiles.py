"""Regulators' provisions as data, and the verdict on each from a figure, a check or the policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..base.caches import cached
from ..base.exact import Exact, grouped_decimal, is_number, percent, ratio
from ..base.toml_tables import TomlFile
from ..policy.criteria import CRITERIA, lines_won
from ..userfiles.cover import Cover
from .model import Provision, Section

MET, NOT_MET, OUTSIDE, NOT_CHECKED = "met", "not met", "outside the mathematics", "not checked"
#: Verdicts in order; of several sections the first one counts.
WORST = (NOT_MET, NOT_CHECKED, OUTSIDE, MET)


@dataclass(frozen=True)
class ProfileRow:
    """A provision; exactly one of ``check``, ``requirement`` (a key of policies) and ``outside`` judges it.
    ``wagers`` is "all", or "new" for wagers that no rule document lists. ``where`` names the parts of the report that
    answer it: of the whole report, or of each section if it begins with "*".
    """

    id: str
    asks: str
    source: str
    wagers: Literal["all", "new"] = "all"
    check: str = ""
    limit: str = ""
    requirement: str = ""
    outside: str = ""
    where: tuple[str, ...] = ()


@dataclass(frozen=True)
class Profile:
    """The provisions of one regulation or standard; ``jurisdictions`` are those whose covers select it."""

    id: str
    title: str
    jurisdictions: tuple[str, ...] = ()
    row: tuple[ProfileRow, ...] = ()


def read_profile(path: str) -> Profile:
    """Return the profile in a TOML file. Raises `InputError`, which lists every fault with its line."""
    file = TomlFile.of(path)
    report, profile = file.report, file.read(Profile)
    for number, row in enumerate(profile.row if profile is not None else (), 1):
        where = (f"row #{number}",)
        if sum(map(bool, (row.check, row.requirement, row.outside))) != 1:
            report(f'"{row.id}" is judged by none or by several of check, requirement and outside',
                   "write exactly one of them", where)
        if row.check and row.check not in CHECKS:
            report(f'"{row.check}" is not a check', f"checks are {', '.join(CHECKS)}", where)
        elif bool(row.limit) != (row.check in LIMITED):
            report(f'"{row.id}" lacks the limit of its check, or has a limit that its check does not take',
                   f"write a limit for {', '.join(LIMITED)} only", where)
        elif row.limit:
            ratio(row.limit, what="limit", file=path, place=", ".join(where))
        if row.requirement and row.requirement not in CRITERIA:
            report(f'"{row.requirement}" is not a key of policies', f"keys are {', '.join(CRITERIA)}", where)
    return file.checked(profile)


@cached("the profiles of regulators", most=1)
def shipped() -> dict[str, Profile]:
    """Return the profiles included in combin, by id."""
    profiles = map(read_profile, map(str, sorted((Path(__file__).parent / "profiles").glob("*.toml"))))
    return {profile.id: profile for profile in profiles}


def selected(cover: Cover | None, find: Callable[[str], str]) -> tuple[tuple[Profile, ...], tuple[str, ...]]:
    """Return the profiles that a cover selects, and a sentence for each name without a profile.
    ``find`` returns the path of a file that the cover names.
    """
    if cover is None:
        return (), ()
    profiles: dict[str, Profile] = {}
    unknown = []
    for name in cover.profiles:
        profile = read_profile(find(name)) if Path(name).suffix.lower() == ".toml" else shipped().get(name)
        if profile is None:
            known = ", ".join(shipped())
            unknown.append(f'the profile "{name}" is unknown, so none of its provisions was checked (known: {known})')
        else:
            profiles[profile.id] = profile
    if cover.jurisdiction and not cover.profiles:
        wanted = cover.jurisdiction.casefold()
        jurisdiction_profiles = [p for p in shipped().values() if wanted in map(str.casefold, p.jurisdictions)]
        profiles |= {p.id: p for p in jurisdiction_profiles}
        if not jurisdiction_profiles:
            unknown.append(f'no profile covers the jurisdiction "{cover.jurisdiction}", so none of its provisions was '
                           "checked")
    return tuple(profiles.values()), tuple(unknown)


def judged(profiles: Sequence[Profile], sections: Sequence[Section]) -> tuple[Provision, ...]:
    """Return each provision that applies to a wager of the report, with its verdict."""
    provisions = []
    for profile in profiles:
        for row in profile.row:
            covered_sections = [s for s in sections if row.wagers == "all" or s.is_new]
            if covered_sections:
                verdict, figure = _verdict(row, covered_sections)
                provisions.append(Provision(row.id, row.asks, row.source, row.where, row.outside, profile.title,
                                            verdict, figure))
    return tuple(provisions)


def _verdict(row: ProfileRow, sections: Sequence[Section]) -> tuple[str, str]:
    """Return the worst verdict of all sections, and the figures of the sections that have it."""
    if row.outside:
        return OUTSIDE, row.outside
    by_section = [
        (s.label, *(CHECKS[row.check](s, row.limit) if row.check else _of_policy(s, row.requirement)))
        for s in sections
    ]
    worst = min((verdict for _, verdict, _ in by_section), key=WORST.index)
    labels: dict[str, list[str]] = {}
    for label, verdict, words in by_section:
        if verdict == worst and words:
            labels.setdefault(words, []).append(label)
    figures = [words if len(those) == len(sections) else f"{', '.join(those)}: {words}"
               for words, those in labels.items()]
    more = f"; and {len(figures) - 3} more" if len(figures) > 3 else ""
    return worst, "; ".join(figures[:3]) + more


def _of_policy(s: Section, key: str) -> tuple[str, str]:
    """Return the verdict of the policy's requirements with this key; "not checked" if there are none."""
    verdicts = [v for v in s.verdicts if v.key == key]
    if any(v.passed is False for v in verdicts):
        return NOT_MET, "; ".join(v.message for v in verdicts if v.passed is False)
    if not verdicts or any(v.passed is None for v in verdicts):
        return NOT_CHECKED, "; ".join(v.message for v in verdicts) or f"no requirement of the policy states {key}"
    return MET, "; ".join(v.message for v in verdicts)


# ---- checks: verdict on a section, with the figure or reason


def _odds_to(s: Section, limit: str) -> tuple[str, str]:
    pays = {outcome: pay for outcome, pay in s.analysis.resolved.lines if pay.odds and pay.states_for}
    lines = [f'"{outcome}" pays {pay.text}' for outcome, pay in pays.items()]
    # A layout may print "for" where the regulation's own paytable does.
    printed = [f'the layout has "{line}" at {words}' for line, _, words, _ in (s.layout.rows if s.layout else ())
               if " for " in words and (s.is_new or line not in pays)]
    if printed or (lines and s.is_new):
        return NOT_MET, "; ".join([*(lines if s.is_new else []), *printed])
    bare = s.analysis.resolved.paytable.bare_odds
    if bare:
        return NOT_CHECKED, f'the sheet writes "{bare}", with neither “to” nor “for”; --odds gave the word'
    if lines:
        return MET, f"the regulation's paytable uses “for”: {'; '.join(lines[:2])}"
    if s.layout:
        return MET, "neither the paytable nor the layout states a pay with “for”"
    return MET, "no pay of the paytable is stated with “for”; layouts and rack cards were not checked for it"


def _odds_stated(s: Section, limit: str) -> tuple[str, str]:
    a = s.analysis
    if not a.has_stake:
        return NOT_CHECKED, "a promotion has no stake, hence no house advantage"
    if not is_number(a.house_edge) or not all(is_number(o.probability) for o in a.outcomes):
        return NOT_CHECKED, f"depends on {', '.join(a.unknowns)}, which is not set"
    if a.game is not None and not a.game.wagers:
        return NOT_CHECKED, "the wagers of the game have no table"
    where = "Paytable as settled" if a.game is None else "Each wager by itself"
    return MET, f"house advantage {percent(a.house_edge)}; odds in “{where}”"


def _rarest(s: Section, limit: str) -> tuple[str, str]:
    a = s.analysis
    if a.game is not None:
        return NOT_CHECKED, "a player decides in this game, and whether an award depends only on chance was not judged"
    won = lines_won(a)
    if not won:
        return NOT_CHECKED, "no line pays"
    if not all(is_number(p) for _, p in won):
        return NOT_CHECKED, "depends on unknown probabilities"
    rarest, p = min(won, key=lambda pair: pair[1])
    if not p:
        return NOT_MET, f'"{rarest.outcome}" cannot be won'
    words = f'"{rarest.outcome}" occurs once in {grouped_decimal(1 / p, 2)} games'
    return (MET if 1 / p <= ratio(limit) else NOT_MET), words


def _described(s: Section, limit: str) -> tuple[str, str]:
    wager = s.analysis.book.wagers[s.analysis.resolved.wager_id]
    if not wager.about:
        return NOT_CHECKED, f"the file has no description (about) of {wager.name}"
    return OUTSIDE, f"the report has a description of {wager.name}; whether it suffices is for the regulator to decide"


def _second_method(s: Section, limit: str) -> tuple[str, str]:
    failures = [c.what for c in s.verification if c.passed is False]
    if failures:
        return NOT_MET, "; ".join(failures)
    if not s.verification or any(c.unchecked for c in s.verification):
        return NOT_CHECKED, "some figures have no independent check, or it was not run"
    return MET, f"{sum(c.passed is True for c in s.verification)} checks agree"


def _bound(value: Callable[[Section], Exact | None], *, least: bool) -> Callable[[Section, str], tuple[str, str]]:
    def check(s: Section, limit: str) -> tuple[str, str]:
        figure = value(s)
        if figure is None or not is_number(figure):
            return NOT_CHECKED, f"depends on {', '.join(s.analysis.unknowns)}, which is not set"
        met = figure >= ratio(limit) if least else figure <= ratio(limit)
        return (MET if met else NOT_MET), f"{percent(figure)}; {'least' if least else 'greatest'} {limit}"

    return check


def _returned(s: Section) -> Exact | None:
    return s.analysis.returned if s.analysis.has_stake else None


#: Checks that take a limit, and all checks.
LIMITED = ("rarest prize", "least return", "greatest return", "least hit frequency")
CHECKS: Mapping[str, Callable[[Section, str], tuple[str, str]]] = {
    "odds to": _odds_to, "odds stated": _odds_stated, "rarest prize": _rarest, "described": _described,
    "second method": _second_method,
    "least return": _bound(_returned, least=True),
    "greatest return": _bound(lambda s: s.greatest_return, least=False),
    "least hit frequency": _bound(lambda s: s.analysis.hit_frequency, least=True),
}
