"""Templates of games with decisions, as commonly dealt; `combin init --game NAME` writes one."""

from __future__ import annotations

from importlib.resources import files

from ..base.caches import cached
from ..base.errors import fault, nearest, short
from ..rulebook.book import Rulebook, shipped
from .paytables import add_text


def templates() -> tuple[str, ...]:
    """Return the names of the games that have a template."""
    folder = files("combin") / "templates"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def template(game: str) -> str:
    """Return the template of a game; raises `InputError` for a game without one."""
    if game not in templates():
        known = templates()
        remedy = nearest(game[:60], known, otherwise=f"games: {', '.join(known)}")
        raise fault(f'no template is called "{short(game, 60)}"', remedy, file="--game")
    return (files("combin") / "templates" / f"{game}.toml").read_text(encoding="utf-8")


@cached("the shipped rulebook with the games of the templates", most=1)
def with_templates() -> Rulebook:
    """Return the shipped rulebook with the games of all templates, which are not in the catalogue."""
    book = shipped()
    for name in templates():
        book, _ = add_text(book, template(name), f"{name}.toml")
    return book
