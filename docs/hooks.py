"""What mkdocs generates: the order of the pages, and the reference from combin itself."""

from __future__ import annotations

import inspect
import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import combin
from combin.games.showdown.vocabulary import ENDS, KEYS
from combin.pages.markdown import of_parts
from combin.policy.pages import pages as check_pages
from combin.rulebook.book import shipped
from combin.views import json as json_view
from combin.views.definitions import TERMS
from combin.views.listings import reading_part
from combin.wagers.vocabulary import WORDS

INDEX = (Path(__file__).parent / "index.md").read_text(encoding="utf-8")


def linked(heading: str) -> list[str]:
    """The pages that index.md links under a heading, in its order."""
    return re.findall(r"\(((?:guide/|method/)?[a-z-]+\.md)\)", INDEX.split(f"## {heading}\n")[1].split("\n## ")[0])


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def words() -> str:
    rows = [(f"`{word.call}`", word.meaning, f"`{word.example.condition}`") for word in WORDS.values()]
    return (
        "# Words of conditions\n\nA wager states each outcome as a condition on the cards, in `[wager.outcome]` of its "
        "TOML file. `combin words WORD` shows an example with cards.\n\n" + _table(("word", "meaning", "example"), rows)
        + "\n## Games with decisions\n\nKeys of `[wager.round]` and of its streets, then words of "
        "`[wager.outcome.BET]`; the guide builds a game with them.\n\n"
        + _table(("key", "meaning"), [(f"`{k}`", v) for k, v in KEYS.items()])
        + "\n" + _table(("word", "meaning"), [(f"`{k}`", v) for k, v in ENDS.items()])
    )


def terms() -> str:
    return "# Terms of the figures\n\n" + _table(("term", "meaning"), [(t.name, t.text) for t in TERMS])


def deals() -> str:
    book = shipped()
    found: dict[str, list[str]] = {}
    for wager in book.wagers.values():
        if wager.terms.deal:
            found.setdefault(wager.terms.deal, []).append(wager.id)
    rows = [(f"`{deal}`", str(len(ids)), f"`{ids[0]}`") for deal, ids in found.items()]
    return (
        "# Deals\n\nWhat a wager is dealt, as its TOML file writes it (`deal = \"player 2, upcard 1\"`): roles with "
        "their numbers of cards, or a hand that is drawn out.\n\n" + _table(("deal", "wagers", "for example"), rows)
    )


def readings() -> str:
    return (
        "# Readings\n\nWhere a document is silent or contradicts itself, a reading names the choices; the primary one "
        "is taken unless `--reading ID=CHOICE` says otherwise.\n\n"
        + of_parts(list(map(reading_part, shipped().readings)))
    )


def checks() -> str:
    """The pages of `combin rules`, one after the other."""
    return "# Checks of a policy\n\n" + of_parts([page.part for page in check_pages().values()])


def json_keys() -> str:
    a = combin.analyze("maryland/high-card-flush/progressive/A")
    rows = [(f"`{key}`", _kind(value)) for key, value in json_view.record(a).items()]
    return (
        "# JSON\n\n`combin analyze --format json` and `to_dict()` give these keys for each analysis; this is a "
        f"progressive, `{a.id}`. Exact values are strings, `p/q` or an expression in unknowns, with a decimal beside "
        "them.\n\n" + _table(("key", "value"), rows)
    )


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "object: " + ", ".join(f"`{key}`" for key in value) if value else "object"
    if isinstance(value, list):
        return f"list; each {_kind(value[0])}" if value else "list"
    return {str: "text", int: "number", float: "number", bool: "true or false", type(None): "null or text"}[type(value)]


def python() -> str:
    """The public names with their signatures and docstrings."""
    parts = ["# Python\n\nFunctions and classes of `import combin`.\n"]
    for name in sorted(combin.__all__, key=lambda name: inspect.isclass(getattr(combin, name))):
        thing = getattr(combin, name)
        if isinstance(thing, str):
            continue
        parts.append(f"\n## combin.{name}\n\n{_documented(name, thing)}")
        if inspect.isclass(thing):
            for title, members in MEMBERS.get(name, {"": _own(thing)}).items():
                parts.append(f"\n### {title}\n" if title else "")
                for member in members:
                    doc = _documented(member, getattr(thing, member, None))
                    parts.append(f"\n#### {name}.{member}\n\n{doc}" if doc else "")
    return "".join(parts)


#: The members of a class by purpose; those of the first group are fields, which the class describes.
MEMBERS = {"Analysis": {
    "": ("id", "name", "clause", "decks", "deals", "classes", "outcomes", "readings", "parameters", "condition",
         "additions", "wheel", "cap", "game"),
    "Counts": ("combinations", "probabilities", "shoe"),
    "Return": ("returned", "rtp", "house_edge", "unknowns", "coefficients", "solve", "cap_cost", "has_stake",
               "has_document"),
    "Frequency and volatility": ("hit_frequency", "top_pay", "top_prize", "variance", "standard_deviation",
                                 "volatility_index", "range_after", "distribution", "estimates"),
    "Readings": ("return_range", "under_all_readings", "alternatives", "not_computed"),
    "Progressives": ("progressive",),
    "A changed copy": ("replace",),
    "Views": ("to_dict", "to_frame", "plot"),
}}


def _own(thing: type) -> list[str]:
    own = {name for base in thing.__mro__ if base.__module__.startswith("combin") for name in vars(base)}
    return sorted(name for name in own if not name.startswith("_"))


def _documented(name: str, thing: Any) -> str:
    call = ""
    if not (inspect.isclass(thing) or inspect.isroutine(thing) or isinstance(thing, property | cached_property)):
        return ""
    if inspect.isfunction(thing):
        call = f"```python\n{_call(name, thing)}\n```\n\n"
    doc = inspect.getdoc(thing) or ""
    doc = re.sub(r"``([^`]+)``", r"`\1`", doc).replace("  # doctest: +ELLIPSIS", "")
    doc = re.sub(r"(?m)((?:^>>> .*\n(?:^\.\.\. .*\n)*(?:^(?!>>>).+\n?)*)+)", r"\n```pycon\n\1\n```\n", doc + "\n")
    return call + doc


class _Plain(str):
    """An annotation that is printed without quotes."""

    __repr__ = str.__str__


def _call(name: str, thing: Any) -> str:
    """The signature of a function; a long one has a line for each parameter."""
    signature = inspect.signature(thing)
    shown, result = [], f" -> {signature.return_annotation}"
    for p in signature.parameters.values():
        if p.kind is p.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        if p.name != "self":
            shown.append(str(p.replace(annotation=_Plain(p.annotation)) if isinstance(p.annotation, str) else p))
    line = f"{name}({', '.join(shown)}){result}"
    return line if len(line) < 100 else f"{name}(\n    " + ",\n    ".join(shown) + f",\n){result}"


REFERENCE = {
    "Words of conditions": ("reference/words.md", words),
    "Terms of the figures": ("reference/terms.md", terms),
    "Deals": ("reference/deals.md", deals),
    "Readings": ("reference/readings.md", readings),
    "Checks of a policy": ("reference/checks.md", checks),
    "JSON": ("reference/json.md", json_keys),
    "Python": ("reference/python.md", python),
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The order of the pages is that of index.md; the generated reference comes last."""
    config.nav = [
        {"combin": "index.md"},
        {"Begin": linked("Begin")},
        {"How to": linked("How to")},
        {"Explanation": linked("Explanation")},
        {"Method": linked("Method")},
        {"Reference": [*linked("Reference"), *({title: path} for title, (path, _) in REFERENCE.items())]},
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the reference."""
    for path, make in REFERENCE.values():
        files.append(File.generated(config, path, content=make()))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Replace the search of mkdocs, which needs a server, by a script with its index beside it."""
    folder = Path(config.site_dir) / "search"
    parts = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))["docs"]
    kept = [{key: part[key] for key in ("location", "title", "text")} for part in parts]
    text = json.dumps(kept, ensure_ascii=False).replace("</", "<\\/")
    (folder / "index.js").write_text(f"window.COMBIN_DOCS = {text};\n", encoding="utf-8")
    script = (Path(__file__).parent / "search.js").read_text(encoding="utf-8")
    (folder / "main.js").write_text(script, encoding="utf-8")
    for name in ("search_index.json", "worker.js", "lunr.js"):
        (folder / name).unlink(missing_ok=True)
