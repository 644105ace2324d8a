"""Exact search for all integer paytables within ranges whose return lies between two bounds.

The return is linear in the pays, so each line has a slope: the exact change of the return for one unit more. The
search takes the lines in order of their effect on the return, largest first, and tries only integers from which the
other lines can still reach the bounds. The last line is solved for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product
from math import lcm, prod
from pathlib import Path
from typing import Any, TypeAlias

from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..analysis.sensitivity import slopes
from ..base import budgets
from ..base.csv_text import csv_text
from ..base.documents import records
from ..base.errors import fault, nearest
from ..base.exact import Exact, is_number, percent, ratio, text, to_float
from ..base.exact import decks as in_words
from ..base.output import write_whole
from ..base.parallel import Progress
from ..pages import render
from ..pages.blocks import Grid, Part, Words
from ..policy.start import quoted
from ..rulebook.book import RESERVED
from ..rulebook.parameters import COUPON

FLAG = "--vary"
LARGEST_PAY = 10**9
#: The most paytables for which the play of a game is solved again.
MOST_SOLVED = 500
#: The name of the paytable in a file that is written.
DESIGNED = "designed"

_NARROW = "narrow a range or the bounds"
_RANGE = re.compile(r"(\d{1,10})(?:\.\.(\d{1,10}))?")


@dataclass(frozen=True)
class Span:
    """The integers that one line may pay, and the form of its text."""

    outcome: str
    least: int
    most: int
    form: str

    def text(self, pay: int) -> str:
        return self.form.format(pay)


@dataclass(frozen=True)
class Design:
    """A paytable that was found: its varied pays, its return, and its distance from the present pays."""

    pays: Mapping[str, str]
    returned: Fraction
    changes: Fraction

    @property
    def house_edge(self) -> Fraction:
        return 1 - self.returned


def spans(a: Analysis, texts: Sequence[str]) -> list[Span]:
    """Return ``OUTCOME=8..12`` or ``OUTCOME=10`` as spans; raises `InputError` for an unknown line or a bad range."""
    pays = dict(a.resolved.lines)
    by_outcome: dict[str, Span] = {}
    for given in texts:
        outcome, equals, word = (part.strip() for part in given.rpartition("="))
        match = _RANGE.fullmatch(word)
        if not equals or not match:
            raise fault(f'"{given}" is not a range of pays', 'write "five-card flush=8..12"', file=FLAG)
        least, most = int(match[1]), int(match[2] or match[1])
        if outcome not in pays:
            raise fault(f'{a.id} has no line "{outcome}"', nearest(outcome, pays), file=FLAG, place=given)
        if outcome in by_outcome:
            raise fault(f'"{outcome}" is given twice', "give it once", file=FLAG, place=given)
        if least > most or most > LARGEST_PAY:
            raise fault(f"{word} has no pay", f"begin with the smaller pay, and end below {LARGEST_PAY:,}", file=FLAG,
                        place=given)
        by_outcome[outcome] = Span(outcome, least, most, pays[outcome].form)
    return list(by_outcome.values())


def with_pays(a: Analysis, pays: Mapping[str, str]) -> Analysis:
    """Return the same analysis with other pays on some of its lines."""
    return analyze(
        a.id, decks=a.decks, set=a.request.set, reading=a.request.reading, without=a.request.without,
        any_decks=True, book=a.book.with_pays(a.resolved, pays, file=""),
    )


def search(
    a: Analysis,
    wanted: Sequence[Span],
    least: Fraction,
    most: Fraction,
    *,
    any_order: bool = False,
    advance: Callable[[], None] | None = None,
) -> list[Design]:
    """Return every paytable within the spans whose return lies in [least, most], the smallest changes first.

    Unless ``any_order``, a line that pays at least as much as a line below it keeps doing so. ``advance`` is called for
    each pay of the first line. Raises `InputError` for a game whose play cannot be solved again, and if unknowns are
    left in the return.
    """
    if a.parameters.get(COUPON):
        raise fault("a match play coupon is not part of a paytable", f"leave {COUPON} out", file="--set")
    if not wanted:
        raise fault("no line is varied", 'add --vary "five-card flush=8..12"', file=FLAG)
    if a.resolved.terms.round is not None:
        return _solved_again(a, wanted, least, most, advance)
    low = with_pays(a, {s.outcome: s.text(s.least) for s in wanted})
    moved = {o: p.text for o, p in low.resolved.lines}
    for s in wanted:
        if moved[s.outcome] != s.text(s.least):
            raise fault(f'a reading fixes the pay of "{s.outcome}"', "choose another line", file=FLAG)
    if not is_number(low.returned):
        raise fault(f"the return of {a.id} depends on {', '.join(low.unknowns)}",
                    f"set it: --set {low.unknowns[0]}=VALUE")
    rates = {outcome: slope for outcome, _, slope in slopes(low)}
    open_ones = [s.outcome for s in wanted if not is_number(rates.get(s.outcome))]
    if open_ones:
        raise fault(f'the return is not linear in the pay of "{open_ones[0]}"', "vary another line", file=FLAG)
    order = sorted(wanted, key=lambda s: -rates[s.outcome] * (s.most - s.least))
    unit = lcm(low.returned.denominator, least.denominator, most.denominator,
               *(rates[s.outcome].denominator for s in order))
    steps = [int(rates[s.outcome] * unit) for s in order]
    allowed = [] if any_order else _order_to_keep(a, low, order)
    before = _present(a, order)
    designs: list[Design] = []
    for total, pays in _walk(order, steps, int(low.returned * unit), int(least * unit), int(most * unit), advance):
        if any(_amount(upper, pays) < _amount(lower, pays) for upper, lower in allowed):
            continue
        if len(designs) == budgets.DESIGNS:
            raise fault(f"more than {budgets.DESIGNS:,} paytables are found", _NARROW, file=FLAG)
        by_outcome = dict(zip([s.outcome for s in order], pays, strict=True))
        texts = {s.outcome: s.text(by_outcome[s.outcome]) for s in wanted}
        designs.append(Design(texts, Fraction(total, unit), _changes(pays, before)))
    return _in_order(designs)


def _changes(pays: Sequence[int], before: Sequence[Fraction]) -> Fraction:
    """Return the sum of the distances of pays from the present ones."""
    return sum((abs(n - n0) for n, n0 in zip(pays, before, strict=True)), Fraction(0))


def _in_order(designs: Sequence[Design]) -> list[Design]:
    """Return designs by their changes, those of a greater return first."""
    return sorted(designs, key=lambda d: (d.changes, -d.returned, tuple(d.pays.values())))


def _solved_again(
    a: Analysis, wanted: Sequence[Span], least: Fraction, most: Fraction, advance: Callable[[], None] | None
) -> list[Design]:
    """Return the paytables of a game that a file describes; best play is solved again for each set of pays."""
    tables = prod(s.most - s.least + 1 for s in wanted)
    if tables > MOST_SOLVED:
        raise fault(f"best play would be solved again for {tables:,} paytables, more than {MOST_SOLVED}", _NARROW,
                    file=FLAG)
    before, designs = _present(a, wanted), []
    for pays in product(*(range(s.least, s.most + 1) for s in wanted)):
        texts = {s.outcome: s.text(n) for s, n in zip(wanted, pays, strict=True)}
        returned = with_pays(a, texts).returned
        if advance is not None:
            advance()
        if is_number(returned) and least <= returned <= most:
            designs.append(Design(texts, returned, _changes(pays, before)))
    return _in_order(designs)


def _walk(
    order: Sequence[Span], steps: Sequence[int], start: int, least: int, most: int,
    advance: Callable[[], None] | None,
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield (total, pays), one pay for each span, with totals in [least, most]; amounts are integers of one unit."""
    reach = [0] * (len(order) + 1)
    for i in range(len(order) - 1, -1, -1):
        reach[i] = reach[i + 1] + steps[i] * (order[i].most - order[i].least)

    tries = count(1)

    def at(i: int, total: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        if next(tries) > budgets.TRIES:
            raise fault(f"more than {budgets.TRIES:,} pays would be tried", _NARROW, file=FLAG)
        if i == len(order):
            yield total, chosen
            return
        s, step = order[i], steps[i]
        first, last = s.least, s.most
        if step:
            # The later lines add at least 0 and at most the sum of their greatest amounts, which bounds this line.
            first = max(first, s.least + -((total + reach[i + 1] - least) // step))
            last = min(last, s.least + (most - total) // step)
        elif total > most or total + reach[i + 1] < least:
            return
        for n in range(first, last + 1):
            yield from at(i + 1, total + step * (n - s.least), (*chosen, n))
            if i == 0 and advance is not None:
                advance()

    return at(0, start, ())


def _present(a: Analysis, order: Sequence[Span]) -> list[Fraction]:
    """Return the present pay of each varied line, as a number in the form of its text; the least if it is unknown."""
    pays = [dict(a.resolved.lines)[s.outcome] for s in order]
    return [Fraction(s.least) if pay.unknowns else pay.dollars or pay.odds for s, pay in zip(order, pays, strict=True)]


#: A line's return: an amount, plus a slope for each unit above the least of the span at an index.
Amount: TypeAlias = "tuple[int, int, int, int]"


def _amount(line: Amount, pays: Sequence[int]) -> int:
    base, per, index, least = line
    return base + per * (pays[index] - least) if per else base


def _order_to_keep(a: Analysis, low: Analysis, order: Sequence[Span]) -> list[tuple[Amount, Amount]]:
    """Return the pairs of lines whose upper one now pays at least as much as the lower one, in one unit."""
    values = _known(low.parameters)
    pays = dict(a.resolved.lines)
    before = {o: p.returned(values) for o, p in pays.items()}
    least = {o: p.returned(values) for o, p in low.resolved.lines}
    numbers = [v for v in least.values() if is_number(v)]
    unit = lcm(*(v.denominator for v in numbers), Fraction(values["stake"]).numerator)
    index_of = {s.outcome: i for i, s in enumerate(order)}

    def amount(outcome: str) -> Amount:
        base = int(least[outcome] * unit)
        if outcome not in index_of:
            return base, 0, 0, 0
        span = order[index_of[outcome]]
        per = 1 / values["stake"] if pays[outcome].needs_stake else Fraction(1)
        return base, int(per * unit), index_of[outcome], span.least

    lines = [o for o, _ in a.resolved.lines]
    return [
        (amount(upper), amount(lower))
        for i, upper in enumerate(lines)
        for lower in lines[i + 1 :]
        if (upper in index_of or lower in index_of) and is_number(before[upper]) and is_number(before[lower])
        and before[upper] >= before[lower] and is_number(least[upper]) and is_number(least[lower])
    ]


def _known(values: Mapping[str, Exact | None]) -> dict[str, Any]:
    return {**values, "stake": values.get("stake") or Fraction(1)}


def run(
    analyses: Sequence[Analysis], vary: Sequence[str], least: str, most: str, *, policy: str | None = None,
    any_order: bool = False, form: str = "table", write: str | None = None,
) -> str:
    """Return the result of the command as a table, CSV or JSON: search, then check against a policy.

    ``write`` is a file for the first paytable that is found.
    """
    if len(analyses) != 1:
        raise fault(f"{analyses[0].id} allows several numbers of decks" if analyses else "nothing is to be designed",
                    "give one: --decks 6", file="--decks")
    a = analyses[0]
    bounds = [ratio(least, what="the bound", file="--return-min"), ratio(most, what="the bound", file="--return-max")]
    if bounds[0] > bounds[1]:
        raise fault(f"no return lies between {least} and {most}", "give the smaller one as --return-min",
                    file="--return-min")
    wanted = spans(a, vary)
    with Progress("designing", max((s.most - s.least + 1 for s in wanted), default=1)) as progress:
        designs = search(a, wanted, bounds[0], bounds[1], any_order=any_order, advance=progress.advance)
    if policy is not None:
        designs = _meeting(a, designs, policy)
    if write is not None:
        if not designs:
            raise fault("no paytable is found that could be written", "widen a range or the bounds", file="--write")
        written(a, designs[0], write)
    if form == "table" and not designs:
        meets = "" if policy is None else f" and meets {policy}"
        return f"no paytable of {a.id} with these pays returns between {least} and {most}{meets}\n"
    return _shown(a, wanted, designs, form)


def _meeting(a: Analysis, designs: Sequence[Design], policy_file: str) -> list[Design]:
    """Return the paytables that meet every requirement of a policy that applies to them."""
    from ..policy import check, read_policy

    if len(designs) > budgets.DESIGNS_JUDGED:
        what = f"{len(designs):,} paytables are more than the {budgets.DESIGNS_JUDGED:,} checked against a policy"
        raise fault(what, _NARROW, file="--policy")
    policy = read_policy(policy_file)
    kept = []
    with Progress("policy", len(designs)) as progress:
        for design in designs:
            if check(a.book.with_pays(a.resolved, design.pays, file=""), [a.id], policy).met:
                kept.append(design)
            progress.advance()
    return kept


def written(a: Analysis, best: Design, path: str) -> None:
    """Write a paytable that was found to a file; an existing file is never replaced."""
    if a.resolved.paytable.file and not a.resolved.document.issuer:
        raise fault(f"{a.id} is a user-defined wager", "change the pays in its file", file="--write")
    if Path(path).exists():
        raise fault("exists and is not replaced", "name another file", file=path)
    lines = {o: best.pays.get(o, p) for o, p in a.resolved.paytable.lines if o not in RESERVED}
    width = max(len(quoted(o)) for o in lines)
    decks = [f"decks = {list(a.resolved.decks)}"] if a.resolved.decks_tied else []
    write_whole(path, "\n".join([
        f"# {a.id} with the smallest change of its pays that was found: a return of {percent(best.returned)}",
        f"# = {text(best.returned)} at {in_words(a.decks)}.",
        "[[wager]]",
        f"based_on = {quoted(a.resolved.wager_id)}",
        "",
        f"[wager.paytable.{DESIGNED}]",
        *decks,
        *(f"{quoted(o).ljust(width)} = {quoted(pay)}" for o, pay in lines.items()),
        "",
    ]))


def _shown(a: Analysis, wanted: Sequence[Span], designs: Sequence[Design], form: str) -> str:
    """Return the paytables that were found as a table, CSV or JSON."""
    outcomes = [s.outcome for s in wanted]
    if form == "json":
        return records("design", (
            {"id": a.id, "decks": a.decks, "pays": dict(d.pays), "return": {"exact": text(d.returned), "decimal":
             to_float(d.returned)}, "house_edge": text(d.house_edge), "changes": str(d.changes)} for d in designs
        ))
    head = (*outcomes, "return", "exact", "house edge", "changes")
    rows = tuple((*(d.pays[o] for o in outcomes), percent(d.returned), text(d.returned), percent(d.house_edge),
                  str(d.changes)) for d in designs)
    if form == "csv":
        from ..views.csv import safe

        return csv_text([safe(c) for c in row] for row in [head, *rows])
    again = "; best play was solved again for each" if a.resolved.terms.round is not None else ""
    words = Words(f"{len(designs)} paytable(s) of {a.id}{again}")
    return render([Part("", blocks=(Grid(head, rows, 0), words))], form)
