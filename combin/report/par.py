"""The sheets of a wager in the workbook: outcomes as live formulas, figures, and each wager of a game.

A formula checks the inputs on which it depends: while one of them is blank, the cell names it ("needs meter"). An
integer of more than fifteen digits is written as exact text, followed by its digits to the base 10^12, which the
formulas use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..analysis.model import Z_95, Analysis
from ..base.exact import Exact, is_number, root, text
from ..games.model import StakedWager
from ..games.outcome import Outcome
from ..pages.workbook import height
from ..rulebook.parameters import meters
from ..rulebook.pays import Pay
from ..views import model as shown
from ..views.model import ROOTS, facts
from .cells import pay_text
from .model import Section, label

#: A double holds integers up to 2^53, but spreadsheets display and save fifteen digits; larger ones are split.
MOST_EXACT = 10**15 - 1
#: Decimal digits of a part of a larger integer: a sum of a thousand parts has at most fifteen.
DIGITS = 12
HEAD = ("outcome", "payout odds", "pays, net per unit", "returned per unit", "combinations", "probability",
        "contribution", "hit", "one in", "true odds, to 1", "", "probability, exact as written")
WIDTHS = (36, 17, 14, 14, 19, 16, 16, 5, 15, 15, 14, 34)
#: The columns of a wager of a game, which has no pay line that returns the stake.
WAGER_HEAD = ("outcome", "payout odds", "net", "", "combinations", "probability", "net contribution", "", "one in",
              "true odds, to 1", "true odds if made, to 1", "probability, exact as written")
PARTS_AT = len(HEAD)
EXACT_AT = PARTS_AT - 1
#: A longer expression is shown only in the report.
MOST_LETTERS = 160
EDITABLE = "Blue cells can be edited; every other figure is recomputed."
CAPPED = "This sheet is not editable: a payout cap is in force, whose effect depends on all pays together."
NOT_EDITABLE = ("This sheet is not editable: the best play depends on the pays, and a changed pay changes decisions "
                "and with them the combinations of every outcome. combin analyze solves the game anew for other pays.")
NEVER = "never"
#: What a sheet states about its inputs.
AS_WRITTEN, OTHER_PAYS = "pays as written", "not for these pays"
#: The names of figures by field.
NAMES = shown.NAMES | {"dollars_per_round": "dollars per round", "at_reset": "return at reset",
                       "long_run": "long-run return"}


#: Cells by field or name: the place, and the exact value or the input that an open cell needs.
Cells = dict[str, tuple[str, Fraction | str]]


@dataclass(frozen=True)
class Par:
    """Cells of a sheet by the field of a figure or the name of a count, for the summary.

    Names for an outcome are "combinations: any 20" and "probability: any 20"; ``forms`` are the formats of these.
    """

    sheet: str
    cells: Cells
    forms: Mapping[str, str]
    #: The cell that says whether every input is as written; empty if none can be edited.
    status: str = ""


@dataclass
class Inputs:
    """The cells of the parameters, with their values; None for a blank cell."""

    values: dict[str, Fraction | None] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    meters: tuple[str, ...] = ()

    def need(self, names: Iterable[str]) -> str:
        """Return the text of a formula while one of these inputs is blank; empty if all have a value."""
        return next((self._needs(n) for n in self._sorted(names) if self.values[n] is None), "")

    def guard(self, names: Iterable[str], formula: str) -> str:
        """Return the formula, guarded by the names of blank inputs."""
        for n in reversed(self._sorted(names)):
            formula = f'IF(ISBLANK({self.where[n]}),"{self._needs(n)}",{formula})'
        return f"={formula}"

    def _sorted(self, names: Iterable[str]) -> list[str]:
        # A meter is named first: it is the input that operators know.
        return sorted(set(names), key=lambda n: (n not in self.meters, n))

    def _needs(self, name: str) -> str:
        return f"needs {'meter' if self.meters == (name,) else name.replace('_', ' ')}"


def sheet_name(number: int | str, words: str) -> str:
    tail = re.sub(r"[^A-Za-z0-9 -]", " ", words)
    return f"{number} {tail}"[:31].rstrip()


def _literal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


class Writer:
    """A sheet with the cells that depend on the inputs; a round has ``deals``, None if they are not counted."""

    def __init__(
        self, book: Any, styles: Mapping[str, Any], inputs: Inputs, name: str, title: str, deals: int | None
    ) -> None:
        self.sheet, self.styles, self.inputs = book.add_worksheet(name), styles, inputs
        self.counted, self.limbs = deals is not None, limbs_of(deals)
        for column, width in enumerate(WIDTHS):
            self.sheet.set_column(column, column, width)
        self.words(0, 0, title, "title")
        #: The first row of the table, the row after its outcomes, and the row of its totals.
        self.top = self.last = self.end = 0
        self.named: dict[int, tuple[tuple[str, float], ...]] = {}
        #: The condition under which each input cell is as written.
        self.written: list[str] = []

    def notes(self, notes: Iterable[str]) -> int:
        """Write the notes that are not empty below the title, and return the row of the last one."""
        row = 0
        for row, words in enumerate(filter(None, notes), 1):
            self.words(row, 0, words, "soft")
        return row

    def heads(self, top: int, head: Sequence[str], outcomes: int, additions: int = 0) -> None:
        """Write the heads of the columns above the rows of outcomes and of additions, which begin at ``top``."""
        self.top, self.last, self.end = top, top + outcomes, top + outcomes + additions
        self.sheet.freeze_panes(top, 1)
        row, limbs = top - 1, self.limbs
        if limbs:
            self.sheet.set_column(PARTS_AT, PARTS_AT + limbs - 1, 20)
        self.sheet.set_row(row, 15.0 * 2 if limbs or head is HEAD else 15.0)
        for column, words in enumerate(head):
            self.words(row, column, words,
                       "head_exact" if column == EXACT_AT else "head_right" if column > 1 else "head")
        for n in range(limbs):
            power = DIGITS * (limbs - 1 - n)
            words = f"combinations, part × 10^{power}" if power else "combinations, last part"
            self.words(row, PARTS_AT + n, words, "head_right")

    def input(self, row: int, value: Fraction | None) -> None:
        """Write an editable cell in column C; blank if the value is not set."""
        cell = f"C{row + 1}"
        if value is None:
            self.sheet.write_blank(row, 2, None, self.styles["pay"])
            self.written.append(f"ISBLANK({cell})")
        else:
            self.sheet.write_number(row, 2, float(value), self.styles["pay"])
            self.written.append(f"ABS({cell}-({_literal(value)}))<1E-9*(1+ABS({_literal(value)}))")

    def words(self, row: int, column: int, words: str, style: str = "text") -> None:
        self.sheet.write_string(row, column, words, self.styles[style])

    def exact(self, row: int, value: Exact) -> None:
        """Write the exact value of a figure, or its expression if it fits a cell."""
        words = text(value)
        if not is_number(value) and len(words) > MOST_LETTERS:
            words = "a long expression: see the report"
        self.words(row, EXACT_AT, words, "exact")
        self.sheet.set_row(row, height([(words, WIDTHS[EXACT_AT] - 2), *self.named.get(row, ())]))

    def outcome(self, row: int, outcome: str, pays: str) -> None:
        """Write the names of a line, which may wrap; the exact value sets the height of the row."""
        self.words(row, 0, outcome, "wrap")
        self.words(row, 1, pays, "wrap")
        self.named[row] = ((outcome, WIDTHS[0]), (pays, WIDTHS[1]))

    def formula(self, row: int, column: int, formula: str, style: str, value: Exact | str | float,
                names: Iterable[str] = ()) -> Fraction | str:
        """Write a formula with its cached value, and return that value: a number, a text, or the input it needs."""
        held: Any = self.inputs.need(names) or value
        shown = float(held) if isinstance(held, Fraction) else held
        self.sheet.write_formula(row, column, self.inputs.guard(names, formula), self.styles[style], shown)
        return held

    def odds(self, row: int, p: Exact, names: Iterable[str] = ()) -> None:
        """Write one in N and true odds of the probability in column F."""
        cell = f"F{row + 1}"
        sure = is_number(p)
        for column, formula, value in ((8, f"1/{cell}", 1 / p if sure and p else NEVER),
                                       (9, f"(1-{cell})/{cell}", (1 - p) / p if sure and p else NEVER)):
            self.formula(row, column, f'IF({cell}=0,"{NEVER}",{formula})', "number", value, names)

    def count(self, row: int, count: int) -> None:
        """Write a number of combinations as a number, or as exact text with its parts."""
        if not self.limbs:
            self.sheet.write_number(row, 4, count, self.styles["count"])
            return
        self.words(row, 4, str(count), "right")
        for column, part in self._parts([count]):
            self.sheet.write_number(row, column, part, self.styles["count"])

    def _parts(self, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the column of each part of a count, and the sum of this part of the counts."""
        for n in range(self.limbs):
            power = 10 ** (DIGITS * (self.limbs - 1 - n))
            yield PARTS_AT + n, sum(count // power % 10**DIGITS for count in counts)

    def chance(self, row: int, count: int | None, p: Exact) -> None:
        """Write a number of combinations, if any, and the probability."""
        if count is not None:
            self.count(row, count)
            self.formula(row, 5, f"{self._whole(row + 1)}/{self._whole(f'${self.end + 1}')}", "chance", p)
        elif not is_number(p):
            self.formula(row, 5, _expression(p, self.inputs), "chance", p, _symbols(p))
        else:
            self.sheet.write_number(row, 5, float(p), self.styles["chance"])

    def _whole(self, row: int | str) -> str:
        """Return the formula of a count, from its parts if it has them."""
        if not self.limbs:
            return f"E{row}"
        terms = [f"{letter(PARTS_AT + n)}{row}" + (f"*10^{DIGITS * rest}" if rest else "")
                 for n, rest in enumerate(reversed(range(self.limbs)))]
        return f"({'+'.join(terms)})"

    def totals(
        self, counts: Sequence[int], mean: Exact, chances: Iterable[str] = (), every: Iterable[str] = ()
    ) -> None:
        """Write the sums of combinations, with each part of them, of probabilities and of contributions."""
        top, last, row = self.top + 1, self.last, self.end
        self.words(row, 0, "all", "bold")
        if self.limbs:
            self.words(row, 4, str(sum(counts)), "right")
        elif self.counted:
            self.formula(row, 4, f"SUM(E{top}:E{last})", "total_count", sum(counts))
        for column, part in self._parts(counts):
            self.formula(row, column, f"SUM({letter(column)}{top}:{letter(column)}{last})", "total_count", part)
        self.formula(row, 5, f"SUM(F{top}:F{last})", "total", 1, chances)
        self.formula(row, 6, f"SUM(G{top}:G{row})", "total", mean, every)


def letter(column: int) -> str:
    return chr(ord("A") + column)


def limbs_of(deals: int | None) -> int:
    """Return the number of parts of a count of these deals; 0 if a double holds it exactly."""
    return 0 if deals is None or deals <= MOST_EXACT else -(-len(str(deals)) // DIGITS)


def _of_counts(w: Writer) -> str:
    """Return the note on the numbers of combinations of a sheet, if it needs one."""
    if not w.counted:
        return ("The number of cards in a round varies, so there are no combinations: each probability is the double "
                "nearest to the exact fraction at the right.")
    return (f"A spreadsheet would round these numbers of combinations to 15 digits. They are written as exact text; "
            f"their parts to the base 10^{DIGITS} are at the right, and every probability is computed from the parts."
            if w.limbs else "")


def par(book: Any, styles: dict[str, Any], s: Section, number: int) -> Par:
    """Write the sheet of a paytable, and those of a game's wagers."""
    a, inputs = s.analysis, _inputs(s.analysis)
    name = sheet_name(number, a.resolved.local_id)
    w = Writer(book, styles, inputs, name, a.name, a.deals)
    note = NOT_EDITABLE if a.game is not None else CAPPED if a.cap is not None else EDITABLE
    rows = [label(a), f"{a.resolved.document.title} {a.resolved.document.version}".strip(), a.clause, note,
            _of_counts(w)]
    rows += [f"{words}: {value}" if words else value for words, value in facts(a, in_place=False)]
    if inputs.need(inputs.values):
        rows.append("A blank cell is an input that is not set; figures that depend on it name it.")
    row = w.notes(rows) + 2
    for parameter, known in inputs.values.items():
        w.words(row, 0, parameter.replace("_", " "))
        w.words(row, 1, "" if known is not None else "enter a value", "soft")
        w.input(row, known)
        inputs.where[parameter] = f"$C${row + 1}"
        row += 1
    w.heads(row + (2 if inputs.values else 1), HEAD, len(a.outcomes), len(a.additions))
    every, chances = _outcomes(w, a)
    w.totals([o.combinations or 0 for o in a.outcomes], a.returned, chances, every)
    cells, row = _figures(w, a, every, chances)
    _ranges(w, s, row + 2)
    if a.game is not None:
        w.sheet.protect()
        for n, wager in enumerate(a.game.wagers, 1):
            _wager(book, styles, s, f"{number}.{n}", wager)
    if w.written:
        w.sheet.write_formula(0, 4, f'=IF(AND({",".join(w.written)}),"{AS_WRITTEN}","{OTHER_PAYS}")',
                              styles["bold"], AS_WRITTEN)
    counts: Cells = {f"combinations: {o.outcome}": (
        f"$E${row}", str(o.combinations) if w.limbs else Fraction(o.combinations))
        for row, o in enumerate(a.outcomes, w.top + 1) if o.combinations is not None}
    likely: Cells = {f"probability: {o.outcome}": (
        f"$F${row}", inputs.need(_symbols(o.probability)) or o.probability)
        for row, o in enumerate(a.outcomes, w.top + 1)}
    return Par(name, {words: (f"'{name}'!{cell}", value) for words, (cell, value) in (cells | counts | likely).items()},
               dict.fromkeys(counts, "count") | dict.fromkeys(likely, "chance"),
               f"'{name}'!$E$1" if w.written else "")


def _symbols(value: Exact) -> set[str]:
    return {str(x) for x in getattr(value, "free_symbols", ())}


def _inputs(a: Analysis) -> Inputs:
    """Return the parameters on which a formula of the sheet depends."""
    used: set[str] = set()
    for o in a.outcomes:
        used |= _symbols(o.probability) | _symbols(o.returned)
        if a.cap is None and o.pay is not None and _follows(o, a):
            used |= set(o.pay.unknowns) | ({"stake"} if a.has_stake and o.pay.needs_stake else set())
    for b in a.additions:
        used |= _symbols(b.probability) | _symbols(b.contribution)
    names = [n for n in a.parameters if n in used] + sorted(used - set(a.parameters))
    return Inputs({n: a.parameters.get(n) for n in names}, meters=tuple(m.name for m in meters(a.resolved)))


def _follows(o: Outcome, a: Analysis) -> bool:
    """Return whether the amount follows from the pay and its unknowns, and is not a mean over a meter cycle."""
    assert o.pay is not None
    if not is_number(o.returned):
        return True
    values: dict[str, Exact] = {n: v for n, v in a.parameters.items() if v is not None}
    if any(n not in values for n in (*o.pay.unknowns, *(("stake",) if o.pay.needs_stake and a.has_stake else ()))):
        return False
    return bool(o.pay.returned(values, prize_returns_stake=a.resolved.terms.stake_returned_with_prize) == o.returned)


def _expression(value: Exact, inputs: Inputs) -> str:
    """Return the formula of an expression in the inputs."""
    if is_number(value):
        return _literal(value)
    words = str(value).replace("**", "^")
    return re.sub(r"[A-Za-z_]\w*", lambda m: inputs.where[m[0]], words)


def _outcomes(w: Writer, a: Analysis) -> tuple[set[str], set[str]]:
    """Write the rows of outcomes and additions; return the inputs of all of their cells, and of the probabilities."""
    inputs = w.inputs
    base = 1 if a.has_stake else 0
    open_pays = a.game is None and a.cap is None
    rows = {o.outcome: row for row, o in enumerate(a.outcomes, w.top)}
    every: set[str] = set()
    chances: set[str] = set()
    for o in a.outcomes:
        row, cell = rows[o.outcome], rows[o.outcome] + 1
        w.outcome(row, o.outcome, pay_text(o))
        formula, of = _net(o, a, rows, inputs, base) if open_pays else ("", set())
        if not formula and not is_number(o.returned):
            formula, of = _expression(o.returned - base, inputs), _symbols(o.returned)
        if not formula and o.returned is not None:
            if open_pays:
                w.input(row, o.returned - base)
            else:
                w.sheet.write_number(row, 2, float(o.returned - base), w.styles["number"])
        else:
            w.formula(row, 2, formula, "number", o.returned - base, of)
        w.formula(row, 3, f"C{cell}+{base}", "number", o.returned, of)
        likely = _symbols(o.probability)
        w.chance(row, o.combinations, o.probability)
        w.formula(row, 6, f"D{cell}*F{cell}", "chance", o.contribution, of | likely)
        always = o.pay is not None and bool(o.pay.dollars or o.pay.unknowns)
        hit = "1" if always or of else f"IF(D{cell}>{base},1,0)"
        w.formula(row, 7, hit, "number", int(o.is_hit))
        w.odds(row, o.probability, likely)
        w.exact(row, o.probability)
        every |= of | likely
        chances |= likely
    for row, b in enumerate(a.additions, w.last):
        of = _symbols(b.probability) | _symbols(b.contribution)
        w.outcome(row, f"{b.name}, in addition to the outcomes", b.pays)
        per_hit = b.contribution / b.probability if b.probability else Fraction(0)
        likely = _symbols(b.probability)
        w.formula(row, 5, _expression(b.probability, inputs), "chance", b.probability, likely)
        if is_number(per_hit):
            per_hit = Fraction(str(per_hit))
        w.formula(row, 6, f"F{row + 1}*({_expression(per_hit, inputs)})", "chance", b.contribution, of)
        w.odds(row, b.probability, likely)
        w.exact(row, b.probability)
        every |= of
    return every, chances


def _figures(w: Writer, a: Analysis, every: set[str], chances: set[str]) -> tuple[Cells, int]:
    """Write the figures; return their cells by field, and the row after them."""
    end, first_row = w.end, w.end + 2
    column = {c: f"{c}{w.top + 1}:{c}{w.last}" for c in "DFH"}
    mean = a.returned
    live: dict[str, tuple[str, Any, str, set[str]]] = {}
    if not a.has_stake:
        live["dollars_per_round"] = (f"G{end + 1}", mean, "number", every)
    else:
        live["returned"] = (f"G{end + 1}", mean, "percent", every)
        live["house_edge"] = (f"1-C{first_row + 1}", 1 - mean, "percent", every)
        hits = sum((o.probability * o.is_hit for o in a.outcomes), Fraction(0))
        if hits == a.hit_frequency:
            live["hit_frequency"] = (f"SUMPRODUCT({column['F']},{column['H']})", hits, "percent", chances)
        # If a wheel or other players' cards decide an amount, its mean square is not the square of its mean.
        single = not a.additions and not any(o.spins or o.parts for o in a.outcomes)
        variance = sum((o.probability * o.returned**2 for o in a.outcomes), Fraction(0)) - mean**2
        if single and (not is_number(variance) or variance == a.variance):
            known = is_number(variance)
            deviation = root(variance) if known else variance
            square = f"SUMPRODUCT({column['F']},{column['D']},{column['D']})-C{first_row + 1}^2"
            variance_row = first_row + len(live) + 1
            live["variance"] = (square, variance, "number", every)
            live["standard_deviation"] = (f"SQRT(C{variance_row})", deviation, "number", every)
            live["volatility_index"] = (f"{float(Z_95)}*C{variance_row + 1}", Z_95 * deviation, "number", every)
    fixed = {key: getattr(a, key) for key in ("hit_frequency", "variance", *ROOTS)} if a.has_stake else {}
    if a.progressive is not None:
        fixed |= {"at_reset": a.progressive.at_reset, "long_run": a.progressive.long_run}
    cells: Cells = {}
    row = first_row
    for key, (formula, value, style, of) in live.items():
        w.words(row, 0, NAMES[key], "bold")
        cells[key] = (f"$C${row + 1}", w.formula(row, 2, formula, style, value, of))
        if is_number(value) and key not in ROOTS:
            w.exact(row, value)
        row += 1
    for key, value in fixed.items():
        if key not in live and value is not None:
            w.words(row, 0, NAMES[key], "bold")
            w.words(row, 1, "at the pays as written", "soft")
            if is_number(value):
                style = "number" if key in ("variance", *ROOTS) else "percent"
                w.sheet.write_number(row, 2, float(value), w.styles[style])
                cells[key] = (f"$C${row + 1}", value)
            else:
                w.words(row, 2, "open", "right")
            if key not in ROOTS:
                w.exact(row, value)
            row += 1
    return cells, row


def _ranges(w: Writer, s: Section, row: int) -> None:
    """Write the ranges after N rounds and over the readings, at the pays as written."""
    if s.rounds:
        for column, words in enumerate(("range of the return after N rounds, pays as written", "rounds", "least",
                                        "greatest", "method")):
            w.words(row, column, words, "head_right" if column else "head")
        w.sheet.set_row(row, 30)
        for r in s.rounds:
            row += 1
            w.sheet.write_number(row, 1, r.rounds, w.styles["count"])
            for column, value in ((2, r.least), (3, r.greatest)):
                if value is not None:
                    w.sheet.write_number(row, column, float(value), w.styles["percent"])
            w.words(row, 4, r.method if r.method != "none" else "not computed", "right")
        row += 2
    ends = s.analysis.return_range if s.analysis.has_stake else None
    if ends is not None and all(is_number(e.value) for e in ends):
        w.words(row, 0, "range of the return over the readings, pays as written", "bold")
        for column, e in enumerate(ends, 2):
            w.sheet.write_number(row, column, float(e.value), w.styles["percent"])
        words = f"{text(ends[0].value)} to {text(ends[1].value)}"
        w.words(row, EXACT_AT, words, "exact")
        w.sheet.set_row(row, height([(words, WIDTHS[EXACT_AT])]))


def _wager(book: Any, styles: dict[str, Any], s: Section, number: str, wager: StakedWager) -> None:
    """Write the sheet of one wager of a game, under the best play of the whole game."""
    counted = all(r.combinations is not None for r in wager.rows)
    counts = [r.combinations or 0 for r in wager.rows]
    w = Writer(book, styles, Inputs(), sheet_name(number, wager.name), f"{wager.name}: {s.analysis.name}",
               sum(counts) if counted else None)
    row = w.notes((
        label(s.analysis), "Net amounts are in units of the game's first stake, 0 where this wager is not made.",
        NOT_EDITABLE, wager.given and f"All figures are for rounds in which {wager.given}.", wager.remark,
        _of_counts(w)))
    w.heads(row + 3, WAGER_HEAD, len(wager.rows))
    sheet, end = w.sheet, w.end
    unmade = next((row for row, r in enumerate(wager.rows, w.top) if not r.staked), None)
    for row, r in enumerate(wager.rows, w.top):
        w.outcome(row, r.outcome, r.pays)
        sheet.write_number(row, 2, float(r.net), styles["number"])
        w.chance(row, r.combinations if counted else None, r.probability)
        w.formula(row, 6, f"C{row + 1}*F{row + 1}", "chance", r.probability * r.net)
        w.odds(row, r.probability)
        if unmade is not None and r.staked:
            w.formula(row, 10, f"(1-F{unmade + 1})/F{row + 1}-1", "number", wager.frequency / r.probability - 1)
        w.exact(row, r.probability)
    w.totals(counts, wager.net)
    first_row = end + 2
    w.words(first_row, 0, "staked a round", "bold")
    sheet.write_number(first_row, 2, float(wager.staked), styles["number"])
    w.exact(first_row, wager.staked)
    for row, (name, formula, figure, style) in enumerate((
        ("net a round", f"G{end + 1}", wager.net, "number"),
        ("return to player", f"1+C{first_row + 2}/C{first_row + 1}", wager.returned, "percent"),
        ("house advantage", f"-C{first_row + 2}/C{first_row + 1}", wager.house_advantage, "percent"),
    ), first_row + 1):
        if figure is not None:  # a bonus has no stake, hence no return
            w.words(row, 0, name, "bold")
            w.formula(row, 2, formula, style, figure)
            w.exact(row, figure)


def _net(o: Outcome, a: Analysis, rows: Mapping[str, int], inputs: Inputs, base: int) -> tuple[str, set[str]]:
    """Return the formula of a net pay from other cells and inputs; empty for an editable number."""
    pay, pays = o.pay, dict(a.resolved.lines)
    if pay is None:
        return "", set()
    parts = dict(a.resolved.added).get(o.outcome, ())
    if parts:
        if all(part in rows and pays[part].stake_back and not pays[part].needs_stake for part in parts):
            of = {n for part in parts for n in pays[part].unknowns}
            return "+".join(f"C{rows[part] + 1}" for part in parts), of
        return "", set()
    if not (pay.needs_stake or pay.named_odds) or not _follows(o, a):
        return "", set()
    return _amount(pay, inputs.where, a.resolved.terms.stake_returned_with_prize, base), {
        *pay.unknowns, *(("stake",) if base and pay.needs_stake else ())}


def _amount(pay: Pay, where: Mapping[str, str], prize_back: bool, base: int) -> str:
    terms = [_literal(pay.odds + (1 if pay.stake_back else 0) - base)]
    if pay.needs_stake:
        prize = "+".join([_literal(pay.dollars), *(f"{_literal(share)}*{where[n]}" for n, share in pay.shares)])
        # The amounts of a promotion are dollars, not units of a stake.
        terms.append(f"({prize})/{where['stake']}" if base else prize)
        if prize_back and not pay.stake_back:
            terms.append("1")
    terms += [f"{_literal(times)}*{where[n]}" for n, times in pay.named_odds]
    return "+".join(terms)
