"""The report as a workbook: a PAR sheet for each paytable, pays to edit, figures as live formulas.

Every text is written as a string cell, so no name can become a formula. A formula's
cached value is our exact figure as the nearest double. Integers beyond a double's range
are added as text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from ..analysis.model import Z_95
from ..analysis.outcome import Outcome
from ..base.distribution import missing
from ..base.exact import is_number, root, text
from ..rulebook.pays import Pay
from .model import Report, Results, Section, label

#: Integers up to this are doubles.
MOST_EXACT = 2**53
_FIRST = 9  # rows above the outcomes, parameters not counted
HEAD = ("outcome", "pays as written", "pays, net per unit", "returned per unit", "combinations", "probability",
        "contribution", "hit", "combinations, exact", "probability, exact")
WIDTHS = (44, 18, 18, 16, 22, 18, 18, 8, 26, 34)


@dataclass(frozen=True)
class Par:
    """The cells of a sheet's figures, for the summary, with their exact values."""

    sheet: str
    cells: Mapping[str, tuple[str, Fraction]]


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
    book.set_properties({"title": title, "author": author, "created": datetime(1980, 1, 1)})
    styles = _styles(book)
    summary = book.add_worksheet("Summary")
    pars = [_par(book, styles, section, number) for number, section in enumerate(report.sections, 1)]
    _summary(summary, styles, report, pars)
    if report.results is not None:
        _results(book.add_worksheet("Results of play"), styles, report.results)
    _identity(book.add_worksheet("Identity"), styles, report)
    for sheet in book.worksheets():
        # One page wide, whether the printer holds A4 or Letter.
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&L&A&R&P / &N")
    book.close()
    return stream.getvalue()


def _results(sheet: Any, styles: Mapping[str, Any], r: Results) -> None:
    """The page of the audit, as texts."""
    sheet.set_column(0, len(r.head) - 1, 24)
    lines: list[tuple[str, ...]] = [("file", r.file), ("sha256", r.sha256), *((said,) for said in r.summary), ()]
    top = len(lines)
    lines += [r.head, *r.tests, (), *((("row", "rounds", "p-value"), *r.rows, ()) if r.rows else ())]
    for row, cells in enumerate([*lines, *((note,) for note in r.notes)]):
        for column, cell in enumerate(cells):
            sheet.write_string(row, column, cell, styles["head" if row == top else "text"])


def _styles(book: Any) -> dict[str, Any]:
    return {
        "title": book.add_format({"bold": True, "font_size": 14}),
        "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        "text": book.add_format({"num_format": "@"}),
        "soft": book.add_format({"font_color": "#5d6865"}),
        "wrap": book.add_format({"text_wrap": True, "valign": "top"}),
        "count": book.add_format({"num_format": "#,##0"}),
        "pay": book.add_format({"num_format": "#,##0.######", "font_color": "#1f3fbf", "bg_color": "#eef2fb"}),
        "number": book.add_format({"num_format": "#,##0.######"}),
        "chance": book.add_format({"num_format": "0.000000000000"}),
        "percent": book.add_format({"num_format": "0.0000%"}),
        "total": book.add_format({"bold": True, "top": 1, "num_format": "0.000000000000"}),
        "total_count": book.add_format({"bold": True, "top": 1, "num_format": "#,##0"}),
        "bold": book.add_format({"bold": True}),
    }


def _sheet_name(number: int, identifier: str) -> str:
    tail = re.sub(r"[^A-Za-z0-9 -]", " ", identifier.split("/", 2)[-1])
    return f"{number} {tail}"[:31].rstrip()


def _number(value: Fraction) -> float:
    return value.numerator / value.denominator


def _literal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def _par(book: Any, styles: dict[str, Any], s: Section, number: int) -> Par:
    a = s.analysis
    name = _sheet_name(number, a.id)
    sheet = book.add_worksheet(name)
    for column, width in enumerate(WIDTHS):
        sheet.set_column(column, column, width)
    sheet.write_string(0, 0, a.name, styles["title"])
    for row, words in enumerate((label(a), f"{a.resolved.document.title} {a.resolved.document.version}".strip(),
                                 a.clause), 1):
        sheet.write_string(row, 0, words, styles["soft"])
    sheet.write_string(4, 0, "Blue cells can be edited; every other figure follows.", styles["soft"])
    pays = [o.pay for o in a.outcomes if o.pay is not None]
    used = {n for pay in pays for n in pay.unknowns}
    if a.has_stake and any(pay.needs_stake for pay in pays):
        used.add("stake")
    names = [n for n in a.parameters if n in used]
    values: dict[str, Fraction] = {}
    where: dict[str, str] = {}
    for row, parameter in enumerate(names, 6):
        known = a.parameters[parameter]
        values[parameter] = Fraction(1) if known is None and parameter == "stake" else known or Fraction(0)
        where[parameter] = f"$C${row + 1}"
        note = "" if known is not None else f"unknown: enter a value; {values[parameter]} until then"
        sheet.write_string(row, 0, parameter)
        sheet.write_string(row, 1, note, styles["soft"])
        sheet.write_number(row, 2, _number(values[parameter]), styles["pay"])
    top = _FIRST + len(names)
    for column, words in enumerate(HEAD):
        sheet.write_string(top - 1, column, words, styles["head"])
    sheet.freeze_panes(top, 1)
    if a.cap is not None or a.additions or not all(is_number(o.probability) for o in a.outcomes):
        return _words_only(sheet, styles, s, name, top)
    return _outcomes(sheet, styles, s, name, top, values, where)


def _outcomes(sheet: Any, styles: dict[str, Any], s: Section, name: str, top: int, values: Mapping[str, Fraction],
              where: Mapping[str, str]) -> Par:
    a = s.analysis
    prize_back = a.resolved.terms.stake_returned_with_prize
    base = 1 if a.has_stake else 0
    rows = {o.outcome: top + i for i, o in enumerate(a.outcomes)}
    added = dict(a.resolved.added)
    pays = dict(a.resolved.lines)
    end = top + len(a.outcomes)
    mean = second = hits = Fraction(0)
    for o in a.outcomes:
        row = rows[o.outcome]
        cell = row + 1
        returned = _returned(o, values, prize_back)
        hit = o.is_hit
        sheet.write_string(row, 0, o.outcome)
        sheet.write_string(row, 1, o.pays)
        net = returned - base
        formula = _net_formula(o.pay, added.get(o.outcome, ()), pays, rows, where, prize_back, base)
        if formula:
            sheet.write_formula(row, 2, formula, styles["pay"], _number(net))
        else:
            sheet.write_number(row, 2, _number(net), styles["pay"])
        sheet.write_formula(row, 3, f"=C{cell}+{base}", styles["number"], _number(returned))
        if o.combinations is not None:
            sheet.write_number(row, 4, o.combinations, styles["count"])
            sheet.write_formula(row, 5, f"=E{cell}/E${end + 1}", styles["chance"], _number(o.probability))
            if o.combinations > MOST_EXACT:
                sheet.write_string(row, 8, str(o.combinations), styles["text"])
        else:
            sheet.write_number(row, 5, _number(o.probability), styles["chance"])
        sheet.write_formula(row, 6, f"=D{cell}*F{cell}", styles["chance"], _number(o.probability * returned))
        always = o.pay is not None and bool(o.pay.dollars or o.pay.unknowns)
        sheet.write_formula(row, 7, "=1" if always else f"=IF(D{cell}>1,1,0)", styles["number"], int(hit))
        sheet.write_string(row, 9, text(o.probability), styles["text"])
        mean += o.probability * returned
        second += o.probability * returned**2
        hits += o.probability * hit
    column = {c: f"{c}{top + 1}:{c}{end}" for c in "DEFGH"}
    sheet.write_string(end, 0, "all", styles["bold"])
    if a.deals is not None:
        sheet.write_formula(end, 4, f"=SUM({column['E']})", styles["total_count"], a.deals)
        if a.deals > MOST_EXACT:
            sheet.write_string(end, 8, str(a.deals), styles["text"])
    sheet.write_formula(end, 5, f"=SUM({column['F']})", styles["total"], 1)
    sheet.write_formula(end, 6, f"=SUM({column['G']})", styles["total"], _number(mean))
    variance = second - mean**2
    at = end + 2
    figures: list[tuple[str, str, Fraction, str, str]] = []
    if a.has_stake:
        figures = [
            ("return to player", f"=SUM({column['G']})", mean, "percent", text(mean)),
            ("house edge", f"=1-C{at + 1}", 1 - mean, "percent", text(1 - mean)),
            ("hit frequency", f"=SUMPRODUCT({column['F']},{column['H']})", hits, "percent", text(hits)),
            ("variance", f"=SUMPRODUCT({column['F']},{column['D']},{column['D']})-C{at + 1}^2", variance, "number",
             text(variance)),
            ("standard deviation", f"=SQRT(C{at + 4})", root(variance), "number", ""),
            ("volatility index (95 %)", f"=1.959964*C{at + 5}", Z_95 * root(variance), "number", ""),
        ]
        if any(o.spins for o in a.outcomes):
            del figures[3:]  # the mean square of a spin's prize is not known
    else:
        figures = [("dollars per round", f"=SUM({column['G']})", mean, "number", text(mean))]
    cells = {}
    for row, (words, formula, value, style, exact) in enumerate(figures, at):
        sheet.write_string(row, 0, words, styles["bold"])
        sheet.write_formula(row, 2, formula, styles[style], _number(value))
        sheet.write_string(row, 9, exact, styles["text"])
        cells[words] = (f"'{name}'!$C${row + 1}", value)
    return Par(name, cells)


def _returned(o: Outcome, values: Mapping[str, Fraction], prize_back: bool) -> Fraction:
    """The return of an outcome, with the sheet's values for unknowns."""
    if isinstance(o.returned, Fraction) or o.pay is None:
        return Fraction(o.returned)
    return Fraction(o.pay.returned(dict(values), prize_returns_stake=prize_back))


def _words_only(sheet: Any, styles: dict[str, Any], s: Section, name: str, top: int) -> Par:
    """A paytable that this sheet's formulas do not cover: under a cap, or open in more than a pay."""
    a = s.analysis
    for row, line in enumerate(s.lines, top):
        sheet.write_string(row, 0, line.outcome)
        sheet.write_string(row, 1, line.pays)
        sheet.write_string(row, 8, "" if line.combinations is None else str(line.combinations), styles["text"])
        sheet.write_string(row, 9, text(line.probability), styles["text"])
    cells = {}
    row = top + len(s.lines) + 1
    for words, value in (("return to player", a.returned), ("house edge", a.house_edge),
                         ("hit frequency", a.hit_frequency), ("variance", a.variance)):
        if value is None:  # a promotion has no house edge
            continue
        sheet.write_string(row, 0, words, styles["bold"])
        sheet.write_string(row, 9, text(value), styles["text"])
        if is_number(value):
            sheet.write_number(row, 2, _number(value), styles["number"])
            cells[words] = (f"'{name}'!$C${row + 1}", value)
        row += 1
    return Par(name, cells)


def _net_formula(pay: Pay | None, parts: tuple[str, ...], pays: Mapping[str, Pay], rows: Mapping[str, int],
                 where: Mapping[str, str], prize_back: bool, base: int) -> str:
    """The formula of a net pay from other cells; empty for a number to edit."""
    if pay is None:
        return ""
    if parts:
        if all(part in rows and pays[part].stake_back and not pays[part].needs_stake for part in parts):
            return "=" + "+".join(f"C{rows[part] + 1}" for part in parts)
        return ""
    if not pay.needs_stake and not pay.named_odds:
        return ""
    terms = [_literal(pay.odds + (1 if pay.stake_back else 0) - base)]
    if pay.needs_stake:
        prize = "+".join([_literal(pay.dollars), *(f"{_literal(share)}*{where[n]}" for n, share in pay.shares)])
        # A promotion has no stake: its amounts are dollars.
        terms.append(f"({prize})/{where['stake']}" if base else prize)
        if prize_back and not pay.stake_back:
            terms.append("1")
    terms += [f"{_literal(times)}*{where[n]}" for n, times in pay.named_odds]
    return "=" + "+".join(terms)


def _summary(sheet: Any, styles: dict[str, Any], report: Report, pars: list[Par]) -> None:
    sheet.set_column(0, 0, 62)
    sheet.set_column(1, 6, 18)
    sheet.write_string(0, 0, f"Certification report: {report.title}", styles["title"])
    sheet.write_string(1, 0, f"figures sha256 {report.identity.figures_sha256}", styles["soft"])
    names = ("return to player", "house edge", "hit frequency", "variance", "standard deviation")
    for column, words in enumerate(("paytable", *names, "open in")):
        sheet.write_string(3, column, words, styles["head"])
    for row, (s, par) in enumerate(zip(report.sections, pars, strict=True), 4):
        sheet.write_url(row, 0, f"internal:'{par.sheet}'!A1", string=label(s.analysis))
        for column, name in enumerate(names, 1):
            if name in par.cells:
                cell, value = par.cells[name]
                sheet.write_formula(row, column, f"={cell}", styles["percent" if column < 4 else "number"],
                                    _number(value))
        sheet.write_string(row, 6, ", ".join(s.analysis.unknowns), styles["soft"])
    sheet.freeze_panes(4, 1)


def _identity(sheet: Any, styles: dict[str, Any], report: Report) -> None:
    from .blocks import Facts
    from .layout import identity_part
    from .markdown import cell

    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 1, 100)
    row = 0
    for block in identity_part(report.identity).blocks:
        if isinstance(block, Facts):
            for name, value in block.rows:
                sheet.write_string(row, 0, name, styles["wrap"])
                sheet.write_string(row, 1, cell(value), styles["wrap"])
                row += 1
    for words in report.scope:
        sheet.write_string(row, 1, words, styles["wrap"])
        row += 1
