"""From what a command asks to a report: find the analyses, pair what is compared, judge, build."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..analysis import Analysis, analyze_all
from ..cards import cards
from ..errors import fault
from ..parallel import Progress
from ..rulebook import Rulebook, shipped
from ..userfiles import add_file, is_file_argument
from . import json
from .identity import Asked, identify
from .model import Report, build, label


def make(
    asked: Asked, places: Sequence[Path] = (Path(),), typed: Sequence[str] = ()
) -> tuple[Report, list[str]]:
    """The report and the ids that ``asked.decks`` left out.

    Files are those of ``typed`` (paths as they were typed); one that is not there is
    looked for in ``places`` in turn.
    """
    left_out: list[str] = []
    paths = {named(word): word for word in typed}
    words = [paths.get(w) or (_found(w, places) if w.endswith(".toml") else w) for w in asked.patterns]
    groups = [_analyses(asked, part, left_out) for part in ([[w] for w in words] if asked.compare else [words])]
    pairs = _pairs(groups) if asked.compare else []
    analyses = [a for group in groups for a in group]
    files = [w for w in words if is_file_argument(w)]
    with Progress("report", len(analyses)) as progress:
        report = build(
            analyses, identify(analyses, asked, files), pairs=pairs, progress=progress.advance,
        )
    return report, left_out


def named(word: str) -> str:
    """A path as a report names it: as it was typed, or its last part where it begins at the root."""
    return Path(word).name if Path(word).is_absolute() else word


def _found(word: str, places: Sequence[Path]) -> str:
    for place in places:
        if (place / word).exists():
            return word if place == Path() else str(place / word)
    return word


def _analyses(asked: Asked, words: Iterable[str], left_out: list[str]) -> tuple[Analysis, ...]:
    book: Rulebook = shipped()
    wanted: list[str] = []
    for word in words:
        if is_file_argument(word):
            book, identifiers = add_file(book, word)
            wanted += identifiers
        else:
            wanted.append(word)
    return analyze_all(
        wanted, decks=asked.decks, set=asked.set, reading=asked.reading, without=cards(asked.without),
        any_decks=asked.any_decks, book=book, left_out=left_out,
    )


def _pairs(groups: Sequence[Sequence[Analysis]]) -> list[tuple[Analysis, Analysis]]:
    """The first group against each other one: by id and decks where they agree, in order otherwise."""
    if len(groups) < 2:
        raise fault("there is nothing to compare with", "give two or more ids or files", file="--compare")
    first = groups[0]
    found = []
    for group in groups[1:]:
        known = {(b.id, b.decks): b for b in group}
        if all((a.id, a.decks) in known for a in first):
            found += [(a, known[a.id, a.decks]) for a in first]
        elif len(group) == len(first):
            found += list(zip(first, group, strict=True))
        else:
            raise fault(f"{len(first)} and {len(group)} paytables do not pair up",
                        "compare as many with as many, or narrow them with --decks", file="--compare",
                        place=label(group[0]))
    return found


def verify(path: str, patterns: Sequence[str] = ()) -> list[str]:
    """What differs between a JSON report and its recomputation; a line each."""
    found = json.read(path)
    asked = json.asked(found, path)
    if patterns and tuple(map(named, patterns)) != asked.patterns:
        raise fault("is a report of other paytables", f"it was made by: {asked.command}", file=path)
    report, _ = make(asked, (Path(), Path(path).parent))
    import json as plain

    return list(json.differences(found, plain.loads(json.render(report))))

