"""A page as a PDF, set by typst: contents, page numbers, identity in the footer, an attached file.

The PDF is tagged and conforms to PDF/A-3a and PDF/UA-1.
"""

from __future__ import annotations

import re
from importlib.resources import files

from ..base.distribution import missing
from .blocks import Blanks, Block, Cell, Code, Facts, Figures, Grid, Number, Page, Part, Places, Points, Words, walk
from .html import LONGEST_STACKED
from .markdown import cell as plain
from .svg import PAPER, Plot, picture

#: A zero-width space, at which a line may end.
BREAK = "\u200b"
#: The name of the attached file in the PDF.
ATTACHED = "report.json"


def render(page: Page, attached: str) -> bytes:
    """Return the page as a PDF with the attachment ``attached``, the same figures as JSON."""
    try:
        import typst
    except ImportError:
        raise missing("a PDF is set by typst, which is not installed", "report", file="-o") from None
    text = escaped(source(page))
    while True:
        pages = {"main.typ": text.encode(), ATTACHED: attached.encode()}
        try:
            content = typst.compile(  # type: ignore[call-overload]  # files by name are missing in its stubs
                pages, format="pdf", pdf_standards=["a-3a", "ua-1"], timestamp=0, ignore_system_fonts=True,
            )
        except typst.TypstError as error:
            without = _escape_all(text, set("".join(_NOT_DISPLAYED.findall(str(error)))))
            if without == text:
                raise
            text = without  # fewer letters are missing each time, so this terminates
        else:
            assert isinstance(content, bytes)
            return content


#: The message of typst about letters that its fonts lack.
_NOT_DISPLAYED = re.compile(r'the text `"([^"`]+)"` could not be displayed')
#: Scripts and signs that typst's fonts lack: Hebrew and later scripts, emoji; not Latin, Greek, Cyrillic.
_FOREIGN = re.compile("[\u0530-\u1dff\u2e80-\ua71f\ua800-\ufaff\ufb50-\ufe1f\ufe30-\uffef\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Return the text with code points instead of letters that the fonts lack."""
    return _FOREIGN.sub(lambda match: _code_point(match[0]), text)


def _escape_all(text: str, letters: set[str]) -> str:
    return "".join(_code_point(c) if c in letters and not c.isascii() else c for c in text)


def _code_point(letter: str) -> str:
    return f"[U+{ord(letter):04X}]"


def source(page: Page) -> str:
    """Return the whole document for typst; all text from outside is in string literals."""
    head = (files("combin") / "pages" / "page.typ").read_text(encoding="utf-8")
    lines = [head, f"#show: report.with(kind: {string(page.kind)}, title: {string(page.title)}, digest: "
                   f"{string(page.digest)}, program: {string(page.program)}, "
                   f"running: {_array([string(words) for words in page.running])}, date: {_date(page.day)})"]
    later = page.parts[page.front].anchor if page.front < len(page.parts) else ""
    for level, part in walk(page.parts, 1):
        if level == 1 and part.anchor == later:
            whole = len(page.parts) <= _ENTRIES
            lines.append("#block(breakable: false, width: 100%)[#contents()]" if whole else "#contents()")
        if part.is_tool:
            continue
        if part.starts:
            lines.append("#pagebreak(weak: true)" if part.starts == "page" else "#parted()")
        body = [f"#heading(level: {min(level, 3)}, {string(part.title)}) <{part.anchor}>"]
        leads = _leads(part)
        body += [f"#lead({string(block.text)})" if isinstance(block, Words) and lead else _block(block)
                 for block, lead in zip(part.blocks, leads, strict=True)]
        # The signature is on the page of what is signed.
        signed = any(isinstance(b, Blanks) for b in part.blocks)
        lines += ["#block(breakable: false)[", *body, "]"] if signed else body
    lines.append(f"#pdf.attach({string(ATTACHED)}, read({string(ATTACHED)}, encoding: none), relationship: \"source\", "
                 'mime-type: "application/json", description: "The report for a program: combin report --verify")')
    return "\n".join(lines) + "\n"


def _leads(part: Part) -> list[bool]:
    """For each block whether it is a short text that stays with the table, list or part that follows it."""
    leads: list[bool] = []
    follows = bool(part.parts)
    for block in reversed(part.blocks):
        follows = isinstance(block, Words) and len(block.text) <= 2 * _LINE and follows
        leads.append(follows)
        follows = follows or isinstance(block, Grid | Points | Facts)
    return leads[::-1]


def _date(day: str) -> str:
    """Return a date in typst's syntax; "auto" without one, for that of the time stamp."""
    if not day:
        return "auto"
    year, month, date = day.split("-")
    return f"datetime(year: {int(year)}, month: {int(month)}, day: {int(date)})"


def string(text: str) -> str:
    """Return a typst string literal."""
    clean = "".join(c if c.isprintable() or c == BREAK else " " for c in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _array(items: list[str]) -> str:
    return f"({', '.join(items)},)" if items else "()"


def _block(block: Block) -> str:
    if isinstance(block, Words):
        return f"#words({string(block.text)})"
    if isinstance(block, Code):
        return f"#raw({string(block.text)}, block: true)"
    if isinstance(block, Points):
        kind = "steps" if block.numbered else "points"
        return f"#{kind}({', '.join(_array([string(n), string(w)]) for n, w in block.items)})"
    if isinstance(block, Facts):
        facts = f"#facts({', '.join(_array([string(n), _cell(v)]) for n, v in block.rows)})"
        return f"#block(breakable: false, width: 100%)[{facts}]" if len(block.rows) <= _WHOLE else facts
    if isinstance(block, Figures):
        block = block.grid
    if isinstance(block, Grid):
        rows = [_array([_cell(c) for c in row] + ["[]"] * (len(block.head) - len(row))) for row in block.rows]
        head = _array([string(h) for h in block.head])
        last = "true" if block.last else "false"
        size = "7pt" if _room(block) > _LINE else "8.5pt"
        sheet = f"#sheet({size}, {head}, {_columns(block)}, {block.right}, {last}, {', '.join(rows)})"
        return f"#block(breakable: false, width: 100%)[{sheet}]" if len(rows) <= _WHOLE else sheet
    if isinstance(block, Plot):
        return f"#plot({string(block.title)}, {string(picture(block, PAPER))})"
    if isinstance(block, Blanks):
        return f"#blanks({', '.join(map(string, block.names))})"
    return ""


#: A column of figures with more letters than this may wrap.
_WRAPS = 34
#: Columns with at most this many letters (charts) have equal widths; longer words up to the second limit do not wrap.
_LETTERS, _SHORT = 5, 24
#: A table with at most this many rows is not broken, so that no single row starts a page.
_WHOLE = 10
#: Contents with at most this many entries are kept on one page.
_ENTRIES = 30
#: Letters of average size on a line of the page.
_LINE = 120


def _room(grid: Grid) -> int:
    """Return the letters in a line of the table, with two between columns; words may wrap."""
    columns = zip(grid.head, *(row + ("",) * (len(grid.head) - len(row)) for row in grid.rows), strict=True)
    return sum(2 + max(min(_width(cell), _SHORT) if i < grid.right else _width(cell) for cell in column)
               for i, column in enumerate(columns))


def _width(value: Cell) -> int:
    """Return the letters that a cell needs; fractions are set small, and long ones wrap."""
    if not isinstance(value, Number):
        return min(len(plain(value)), _WRAPS)
    small = 4 if value.in_appendix else len(value.exact) // 3 if _stacked(value) else 0
    return len(value.shown) + small


def _columns(grid: Grid) -> str:
    """Return column widths; columns of words share the space left by figures in proportion to their texts."""
    widths = []
    for i in range(len(grid.head)):
        cells = [row[i] for row in grid.rows if i < len(row)]
        longest = max([len(grid.head[i]), *(len(plain(c)) for c in cells)])
        fits = i >= grid.right and all(len(plain(c)) <= _WRAPS or _stacked(c) for c in cells)
        if fits or _LETTERS < longest <= _SHORT:
            widths.append("auto")
        else:
            widths.append(f"{max(1, min(8, longest // 10))}fr")
    if not any(w.endswith("fr") for w in widths):
        widths[0] = "1fr"
    return _array(widths)


def _stacked(value: Cell) -> bool:
    """Return whether the exact value is set as a fraction of two short integers."""
    if not isinstance(value, Number):
        return False
    above, slash, below = value.exact.partition("/")
    return bool(slash) and below.isdigit() and above.lstrip("-").isdigit() and len(below) <= LONGEST_STACKED


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return f"[#{string(_breakable_words(value))}]"
    if isinstance(value, Places):
        more = string(" and so on in every section") if value.more else "none"
        return f"places({_array([f'<{a}>' for a in value.anchors])}, {more})"
    if not isinstance(value, Number):
        return f"[#{string(value.shown)}]"
    if value.in_appendix:
        return f"[#{string(value.shown + chr(160))}#noted({string(value.exact)})]"
    if not value.exact or (not value.beside and "/" not in value.exact):
        return f"[#{string(value.shown)}]"
    shown = value.shown if value.exact != value.shown else ""
    if _stacked(value):
        above, _, below = value.exact.partition("/")
        return f"q({string(shown)}, {string(above)}, {string(below)})"
    return f"q({string(shown)}, {string(_breakable(value.exact))}, none)"


def _breakable(text: str) -> str:
    """Return an expression or fraction that may break at its signs, never inside a number."""
    return re.sub(r"([/*+])", rf"\1{BREAK}", text)


def _breakable_words(text: str) -> str:
    """Return text whose long words (paths, names of tests) may break, as may numbers longer than a line."""
    words = (re.sub("([/:_])", rf"\1{BREAK}", w) if len(w) > _WRAPS else w for w in text.split(" "))
    return " ".join(re.sub(r"(\d{90})(?=\d)", rf"\1{BREAK}", w) for w in words)
