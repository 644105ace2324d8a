"""A page for every check: its meaning, its reason, an example, the remedy of a failure, its source."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from ..base.caches import cached
from ..base.errors import fault, nearest
from ..pages.blocks import Code, Part, Words
from .criteria import CHECKS

SECTIONS = ("what", "why", "example", "fix", "source")


@dataclass(frozen=True)
class CheckPage:
    """The page of a check; ``example`` is a requirement as written in a policy file."""

    id: str
    key: str
    title: str
    what: str
    why: str
    example: str
    fix: str
    source: str

    @property
    def part(self) -> Part:
        return Part(f"{self.id} {self.key}: {self.title}", self.id, (Words(self.what),), (
            Part("Why", blocks=(Words(self.why),)),
            Part("Example", blocks=(Code(self.example),)),
            Part("When it fails", blocks=(Words(self.fix),)),
            Part("Source", blocks=(Words(self.source),)),
        ))


@cached("the pages of the checks", most=1)
def pages() -> dict[str, CheckPage]:
    """Return every page by the id of its check, in the order of the checks."""
    data = tomllib.loads((files("combin") / "policy" / "pages.toml").read_text(encoding="utf-8"))
    return {
        i: CheckPage(
            i,
            CHECKS[i].key,
            data[i]["title"],
            *(" ".join(data[i][s].split()) if s != "example" else data[i][s] for s in SECTIONS),
        )
        for i in CHECKS
    }


def page(word: str) -> CheckPage:
    """Return the page of an id or of a key; raises `InputError` with the nearest one if there is none."""
    by_id = pages()
    by_key = {p.key: p for p in by_id.values()}
    chosen = by_id.get(word.upper()) or by_key.get(word)
    if chosen is None:
        remedy = nearest(word, [*by_id, *by_key], otherwise="combin rules lists them")
        raise fault(f'there is no check "{word}"', remedy)
    return chosen
