"""The report as a workbook: a PAR sheet for each paytable and wager, with editable pays and live formulas.

Every text is written as a string cell, so that no name can become a formula. A formula's cached value is the
double nearest to the exact figure.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from ..base.distribution import missing
from ..base.exact import Exact, decks, text
from ..pages.blocks import Block, Facts, Words, walk
from ..pages.workbook import blocks, figure, height, styles_of, table
from .changes import since
from .front import verdict_word
from .json import request
from .layout import identity_part, liability, results, running, second, terms_of
from .model import Report, Section, label
from .par import AS_WRITTEN, NAMES, OTHER_PAYS, Par, par

#: Figures of the summary by field, and their formats.
FIGURES = (("returned", "percent"), ("house_edge", "percent"), ("hit_frequency", "percent"),
           ("standard_deviation", "number"), ("volatility_index", "number"), ("dollars_per_round", "number"),
           ("at_reset", "percent"), ("long_run", "percent"))


#: A longer text is not written into a formula.
MOST_LETTERS = 250


def render(report: Report) -> bytes:
    try:
        import xlsxwriter
    except ImportError:
        raise missing("a workbook is written by xlsxwriter, which is not installed", "report", file="-o") from None
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
                                        "strings_to_numbers": False})
    title = f"Certification report: {report.title}"
    author = f"combin {report.identity.version}"
    book.set_properties({"title": title, "author": author, "created": datetime(1980, 1, 1),
                         "comments": request(report)})
    styles = styles_of(book)
    cover, summary = book.add_worksheet("Cover"), book.add_worksheet("Summary")
    pars = [par(book, styles, section, number) for number, section in enumerate(report.sections, 1)]
    _summary(summary, styles, report, pars)
    if any(len(group) > 1 for group in report.groups):
        _by_decks(book.add_worksheet("By decks"), styles, report, pars)
    _readings(book.add_worksheet("Readings"), styles, report)
    _findings(book.add_worksheet("Findings"), styles, report)
    blocks(book.add_worksheet("Verification"), styles, (44, 44, 60, 16),
           [b for s in report.sections for b in (Words(s.label), *second(s).blocks)])
    blocks(book.add_worksheet("Liability"), styles, (60, 30, *(24,) * 10), _liabilities(report))
    if report.conclusion.requirements:
        rows = ((r.id, r.asks, r.verdict, r.figure) for r in report.conclusion.requirements)
        table(book.add_worksheet("Provisions"), styles, (28, 70, 24, 70),
               ("provision", "requirement", "verdict", "figure or reason"), rows)
    if report.since is not None:
        blocks(book.add_worksheet("Changes"), styles, (60, 44, 44, 44),
                [b for _, part in walk([since(report.since)]) for b in (Words(part.title), *part.blocks)])
    if report.results is not None:
        blocks(book.add_worksheet("Results of play"), styles, (24, 36, *(24,) * 6), results(report.results).blocks)
    table(book.add_worksheet("Definitions"), styles, (32, 110), ("term", "meaning"), terms_of(report))
    blocks(book.add_worksheet("Identity"), styles, (44, 100),
            [*identity_part(report.identity).blocks, *(Facts((("scope", words),)) for words in report.scope)])
    _cover(cover, styles, report, [sheet.get_name() for sheet in book.worksheets()][1:], pars)
    head = running(report.cover)
    for sheet in book.worksheets():
        # One page wide, whether the printer holds A4 or Letter.
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        sheet.set_footer("&L&A&R&P / &N")
        if head:
            sheet.set_header("".join(f"&{side}{words.replace('&', '&&')}"
                                     for side, words in zip("LCR", head, strict=False))[:255])
    book.close()
    return stream.getvalue()


def _cover(sheet: Any, styles: dict[str, Any], report: Report, sheets: Sequence[str], pars: Sequence[Par]) -> None:
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 100)
    sheet.write_string(0, 0, f"Certification report: {report.title}", styles["title"])
    # The last field: whether the row is withdrawn if an input differs from the pays as written.
    rows = [(*fact, False) for fact in report.cover.facts] if report.cover is not None else []
    rows += [("statements are for", AS_WRITTEN, True), ("conclusion", report.conclusion.sentence, False),
             *(("not met", words, False) for words in report.conclusion.faults),
             *(("open", words, False) for words in report.conclusion.reasons)]
    if report.policy_name is not None:
        rows.append(("policy", report.policy_name, False))
    if report.cover is not None:
        rows += [("signed by", f"{p.name}, {p.role}" if p.role else p.name, False) for p in report.cover.signatory]
    rows += [("combin", report.identity.version, False),
             ("digest of all figures", f"sha256 {report.identity.figures_sha256}", True),
             ("digest of the report", f"sha256 {report.identity.report_sha256}", True)]
    row = 2
    for row, (name, words, of_pays) in enumerate(rows, 2):
        sheet.write_string(row, 0, name, styles["wrap"])
        if of_pays:
            _stated(sheet, row, 1, words, pars, styles["wrap"])
        else:
            sheet.write_string(row, 1, words, styles["wrap"])
        sheet.set_row(row, height([(words, 100)]))
    sheet.write_string(row + 2, 0, "sheets", styles["bold"])
    for below, name in enumerate(sheets, row + 2):
        sheet.write_url(below, 1, f"internal:'{name}'!A1", string=name)


def _summary(sheet: Any, styles: dict[str, Any], report: Report, pars: list[Par]) -> None:
    used = [(key, style) for key, style in FIGURES if any(key in p.cells for p in pars)]
    sheet.set_column(0, 0, 62)
    sheet.set_column(1, len(used) + 2, 18)
    sheet.set_column(len(used) + 3, len(used) + 4, 28)
    sheet.write_string(0, 0, f"Certification report: {report.title}", styles["title"])
    sheet.write_string(1, 0, report.conclusion.sentence, styles["soft"])
    head = ("paytable", *(NAMES[key] for key, _ in used), "least over the readings", "greatest", "depends on", "policy")
    for column, words in enumerate(head):
        style = "head_exact" if column > len(used) + 2 else "head_right" if column else "head"
        sheet.write_string(3, column, words, styles[style])
    sheet.set_row(3, 30)
    for row, (s, par_sheet) in enumerate(zip(report.sections, pars, strict=True), 4):
        sheet.write_url(row, 0, f"internal:'{par_sheet.sheet}'!A1", string=label(s.analysis))
        for column, (key, form) in enumerate(used, 1):
            if key in par_sheet.cells:
                _refer(sheet, row, column, *par_sheet.cells[key], styles[form])
        ends_column = len(used) + 1
        for column, end in enumerate(_ends(s), ends_column):
            figure(sheet, row, column, end, styles, "percent")
        sheet.write_string(row, ends_column + 2, ", ".join(s.analysis.unknowns), styles["exact"])
        _stated(sheet, row, ends_column + 3, verdict_word(s) if report.policy_name is not None else "none named",
                [par_sheet], styles["exact"])
        sheet.set_row(row, height([(", ".join(s.analysis.unknowns), 26)]))
    sheet.freeze_panes(4, 1)


def _stated(sheet: Any, row: int, column: int, words: str, pars: Sequence[Par], style: Any) -> None:
    """Write a statement on the pays as written, which is withdrawn if an input of a sheet differs."""
    cells = [par_sheet.status for par_sheet in pars if par_sheet.status]
    if not cells or len(words) > MOST_LETTERS:
        sheet.write_string(row, column, words, style)
        return
    same = ",".join(f'{cell}="{AS_WRITTEN}"' for cell in cells)
    escaped = words.replace('"', '""')
    sheet.write_formula(row, column, f'=IF(AND({same}),"{escaped}","{OTHER_PAYS}")', style, words)


def _by_decks(sheet: Any, styles: dict[str, Any], report: Report, pars: list[Par]) -> None:
    """Write a block for each paytable at several numbers of decks, with a column for each."""
    of = {id(s): par_sheet for s, par_sheet in zip(report.sections, pars, strict=True)}
    sheet.set_column(0, 0, 62)
    sheet.set_column(1, max(map(len, report.groups)), 20)
    row = 0
    for group in (g for g in report.groups if len(g) > 1):
        group_sheets = [of[id(s)] for s in group]
        sheet.write_string(row, 0, label(*(s.analysis for s in group)), styles["bold"])
        for column, (s, par_sheet) in enumerate(zip(group, group_sheets, strict=True), 1):
            sheet.write_url(row, column, f"internal:'{par_sheet.sheet}'!A1", string=decks(s.analysis.decks))
        forms = dict(FIGURES)
        for par_sheet in group_sheets:
            forms |= par_sheet.forms
        for key in dict.fromkeys(key for par_sheet in group_sheets for key in par_sheet.cells):
            form = forms.get(key)
            if form is None:
                continue
            row += 1
            sheet.write_string(row, 0, NAMES.get(key, key), styles["text"])
            for column, par_sheet in enumerate(group_sheets, 1):
                if key in par_sheet.cells:
                    _refer(sheet, row, column, *par_sheet.cells[key], styles[form])
        row += 2


def _refer(sheet: Any, row: int, column: int, cell: str, value: Fraction | str, style: Any) -> None:
    """Write a formula that refers to another cell, with its cached value."""
    sheet.write_formula(row, column, f"={cell}", style, value if isinstance(value, str) else float(value))


def _ends(s: Section) -> tuple[Exact, ...]:
    """Return the least and the greatest return over the readings."""
    ends = s.analysis.return_range if s.analysis.has_stake else None
    return () if ends is None else tuple(e.value for e in ends)


def _readings(sheet: Any, styles: dict[str, Any], report: Report) -> None:
    """Write every choice of every reading with its figure, and the range over all of them."""
    widths = (48, 26, 30, 50, 26, 60, 8, 16, 16, 40)
    head = ("paytable", "reading", "clause", "question", "choice", "reason", "used", "return", "change",
            "return, exact as written")
    rows: list[tuple[Any, ...]] = []
    for s in report.sections:
        for q in s.questions:
            for c in q.choices:
                why = f"{c.why} [{c.basis}]" if c.basis else c.why
                if c.not_computed:
                    why += f" Not computed: {c.not_computed}."
                rows.append((s.label, q.id, q.clause, q.question, c.id, why, "yes" if c.used else "", c.returned,
                             c.change, "" if c.returned is None else text(c.returned)))
        for name, value in zip(("least return", "greatest return"), _ends(s), strict=False):
            rows.append((s.label, "all readings together", "", "", name, "", "", value, None, text(value)))
    table(sheet, styles, widths, head, rows, "No reading of the documents applies to these paytables.")


def _findings(sheet: Any, styles: dict[str, Any], report: Report) -> None:
    rows = [(s.label, n.id, n.clause, n.kind, n.text) for s in report.sections for n in s.findings]
    table(sheet, styles, (48, 30, 36, 16, 90), ("paytable", "finding", "clause", "kind", "text"), rows,
           "No findings.")


def _liabilities(report: Report) -> list[Block]:
    """Return the greatest cost of a round and of a seat, and the joint figures of base games with side bets."""
    content: list[Block] = []
    for s in report.sections:
        parts = [*([part] if (part := liability(s)) is not None else []), *s.further]
        for title, part in ((label(s.analysis), part) for whole in parts for _, part in walk([whole])):
            content += [Words(title), Words(part.title), *part.blocks]
    return content
