"""A page as one HTML file, without network access: light and dark, for screen and paper, complete without script."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from types import MappingProxyType

from .blocks import Block, Cell, Code, Facts, Figures, Grid, Mark, Number, Page, Part, Places, Points, Tool, Words, walk
from .svg import Plot, picture

#: A fraction whose denominator has more digits than this is written in one line that may break.
LONGEST_STACKED = 18
#: The ranks of a hand: 9-3-2.
RANKS = re.compile(r"(?<![\w-])[2-9TJQKA](?:-[2-9TJQKA])+(?![\w-])")
#: Texts with more letters than this get a minimum column width, so that they do not wrap at every word.
LONGEST_WORDS = 24


def render(page: Page) -> str:
    """Return the page as a whole HTML file with its style sheet and script."""
    parts = page.parts
    titles = {p.anchor: p.title for _, p in walk(parts)}
    contents = "".join(f'<li><a href="#{p.anchor}">{escape(p.title)}</a></li>' for p in parts[page.front :])
    running = "".join(f"@page{{@top-{side}{{content:{json.dumps(words, ensure_ascii=False)};font-size:8pt}}}}"
                      for side, words in zip(("left", "center", "right"), page.running, strict=False))
    running = running.replace("<", "\\3c ")  # no HTML parser takes a string of the style for a tag
    return "".join((
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(page.full_title)}</title><style>{_file('page.css')}{running}</style></head><body>\n",
        f'<header><p class="kind">{escape(page.kind)}</p><h1>{escape(page.title)}</h1>',
        f'<p class="digest">{escape(page.program)} · report sha256 '
        f"<code>{escape(page.digest)}</code></p></header>\n",
        "<main>\n",
        *(_part(p, 2, titles) for p in parts[: page.front]),
        f"<nav><details open><summary>Contents</summary><ol>{contents}</ol></details></nav>\n",
        *(_part(p, 2, titles) for p in parts[page.front :]),
        f'</main>\n<script type="application/json" id="request">{_safe_in_script(page.request)}</script>'
        if page.request else "</main>",
        f"\n<script>{_file('what_if.js')}</script>\n</body></html>\n",
    ))


def of_parts(parts: Sequence[Part], level: int = 4) -> str:
    """Return parts as a fragment of HTML, without style and script."""
    return "".join(_part(p, level, {}) for p in parts)


def _file(name: str) -> str:
    return (files("combin") / "pages" / name).read_text(encoding="utf-8")


def _part(part: Part, level: int, titles: Mapping[str, str]) -> str:
    tag = f"h{min(level, 6)}"
    kind = ' class="tool" hidden' if part.is_tool else f' class="level-{level}"'
    inner = "".join(_block(b, titles) for b in part.blocks) + "".join(_part(p, level + 1, titles) for p in part.parts)
    name = f' id="{part.anchor}"' if part.anchor else ""
    title = f"<{tag}>{escape(part.title)}</{tag}>" if part.title else ""
    return f"<section{name}{kind}>{title}{inner}</section>\n"


def _block(block: Block, titles: Mapping[str, str]) -> str:
    if isinstance(block, Words):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Code):
        return f"<pre><code>{escape(block.text)}</code></pre>"
    if isinstance(block, Points):
        items = "".join(f"<li><b>{escape(name)}</b> {escape(words)}</li>" for name, words in block.items)
        return f"<ol>{items}</ol>" if block.numbered else f"<ul>{items}</ul>"
    if isinstance(block, Facts):
        rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{cell(value)}</dd></div>" for name, value in block.rows)
        return f"<dl>{rows}</dl>"
    if isinstance(block, Grid | Figures):
        return _grid(block.grid if isinstance(block, Figures) else block, titles)
    if isinstance(block, Plot):
        return f"<figure>{picture(block)}<figcaption>{escape(block.title)}</figcaption></figure>"
    if isinstance(block, Tool):
        data = json.dumps(dict(block.data), ensure_ascii=False, separators=(",", ":"))
        return f'<script type="application/json" class="what-if">{_safe_in_script(data)}</script>'
    return '<div class="blanks">' + "".join(f"<p><span>{escape(n)}</span></p>" for n in block.names) + "</div>"


def _grid(grid: Grid, titles: Mapping[str, str]) -> str:
    def kind(column: int, value: Cell = "") -> str:
        if column >= grid.right:
            return ' class="n"'
        return ' class="t"' if isinstance(value, str) and len(value) > LONGEST_WORDS else ""

    head = "".join(f"<th scope=\"col\"{kind(i)}>{escape(h)}</th>" for i, h in enumerate(grid.head))
    rows = []
    for row_index, row in enumerate(grid.rows):
        last = ' class="last"' if grid.last and row_index == len(grid.rows) - 1 else ""
        cells = []
        for i, value in enumerate(row):
            inner = cell(value, titles)
            if i == 0 and row_index < len(grid.links):
                inner = f'<a href="#{grid.links[row_index]}">{inner}</a>'
            tag, scope = ("td", "") if i or grid.right == 0 else ("th", ' scope="row"')
            cells.append(f"<{tag}{scope}{kind(i, value)}>{inner}</{tag}>")
        rows.append(f"<tr{last}>{''.join(cells)}</tr>")
    return (f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div>")


def cell(value: Cell, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a cell as HTML, an exact fraction stacked after its decimal."""
    if isinstance(value, str):
        return _words(value)
    if isinstance(value, Places):
        links = ", ".join(f'<a href="#{anchor}">{escape(titles.get(anchor, anchor))}</a>' for anchor in value.anchors)
        return links + (" and so on in every section" if value.more else "")
    if isinstance(value, Number) and value.in_appendix:
        return f'{_words(value.shown)}&nbsp;<a class="x" href="#appendix">{escape(value.exact)}</a>'
    if isinstance(value, Mark) or not value.exact:
        return _words(value.shown)
    if value.exact == value.shown:
        return fraction(value.exact)
    if not value.beside:
        return _words(value.shown)
    return f'{_words(value.shown)} <span class="x">{fraction(value.exact)}</span>'


def _words(text: str) -> str:
    """Return escaped text that keeps a percent sign with its number, and the ranks of a hand on one line."""
    return RANKS.sub(r'<span class="w">\g<0></span>', escape(text)).replace(" %", "\u00a0%")


def fraction(text: str) -> str:
    if text.lstrip("-").isdigit():
        return text
    above, slash, below = text.partition("/")
    if not slash or not below.isdigit() or not above.lstrip("-").isdigit() or len(below) > LONGEST_STACKED:
        return f'<span class="long">{escape(text)}</span>'
    return f'<span class="f"><span>{escape(above)}</span><i>/</i><span>{escape(below)}</span></span>'


def _safe_in_script(raw: str) -> str:
    """Return JSON in which no HTML parser sees the end of a script."""
    return raw.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
