"""The file of results of play: rounds and hits per outcome, or amounts in dollars.

Amounts are the handle (total staked), the drop (money into the box) and the house's win. Drop and win without a handle
give the hold, which is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..analysis.model import Analysis
from ..base.errors import InputError, fault, nearest
from ..base.exact import grouped, is_number, ratio
from ..base.textfiles import Faults, read_bytes
from ..userfiles.sheets import SheetRow, sheets_of

#: The greatest number of rounds; the window of a binomial distribution then has about 1.2 million points.
MOST_ROUNDS = 10**10
_LABELS = ("label", "date", "day", "table", "shift")
_AMOUNTS = ("handle", "drop", "win", "stake")
#: The old name of a column, accepted for one release.
_OLD = {"won": "win"}


@dataclass(frozen=True)
class AuditedPlay:
    """Results of one row or of all rows: ``hits`` by outcome, or amounts in dollars.

    ``handle`` is the total staked, ``drop`` the money into the box, ``win`` what the house won. ``squares`` and
    ``cubes`` are the sums of the stakes' powers where the file has a column of stakes.
    """

    label: str
    rounds: int
    hits: Mapping[str, int] = field(default_factory=dict)
    handle: Fraction | None = None
    drop: Fraction | None = None
    win: Fraction | None = None
    squares: Fraction | None = None
    cubes: Fraction | None = None

    @property
    def hold(self) -> Fraction | None:
        """Win divided by drop."""
        return None if not self.drop or self.win is None else self.win / self.drop


def read_results(path: str, a: Analysis) -> tuple[AuditedPlay, ...]:
    """Return the rows of a CSV file or XLSX sheet of results; `InputError` names file and line of each fault.

    The first row names the columns: rounds, then outcomes of the paytable, or amounts; a label may precede. Amounts are
    handle and win, or stake (of each round of a row) and win; drop may be there too. Drop and win need no rounds.
    """
    sheets = [s for s in sheets_of(path, read_bytes(path))[0] if not s.is_hidden or path.endswith(f"#{s.name}")]
    if not sheets:
        raise fault("is empty", "write a row of columns and a row of results", file=path)
    if len(sheets) > 1:
        raise fault("has several sheets", "name one: FILE.xlsx#Sheet", file=path)
    first, *rows = sheets[0].rows
    heads = [cell.strip() for cell in first.cells]
    while heads and not heads[-1]:
        heads.pop()
    outcomes = {o.outcome.casefold(): o.outcome for o in a.outcomes}
    columns = [outcomes.get(h.casefold(), _OLD.get(h.casefold(), h.casefold())) for h in heads]
    faults = Faults()
    for index, name in enumerate(columns):
        if columns.count(name) > 1 and columns.index(name) == index:
            faults.add(f'has the column "{heads[index]}" twice', "keep one", path, first.place)
        elif name not in outcomes.values() and name not in ("rounds", *_AMOUNTS, *_LABELS):
            known = ["rounds", *_AMOUNTS, *_LABELS, *outcomes.values()]
            remedy = nearest(heads[index], known, otherwise=f"the columns are {', '.join(known)}")
            faults.add(f'has the column "{heads[index][:60]}", which is not an outcome of {a.id}', remedy, path,
                       first.place)
    hits, amounts = [c for c in columns if c in outcomes.values()], [c for c in columns if c in _AMOUNTS]
    only_hold = "drop" in amounts and "win" in amounts and not {"handle", "stake"} & set(amounts)
    if "rounds" not in columns and not only_hold:
        faults.add('has no column "rounds"', "name the columns in the first row", path, first.place)
    if bool(hits) == bool(amounts) or (amounts and ("win" not in amounts or len(amounts) == 1)):
        faults.add("needs hits per outcome, or win with handle, stake or drop",
                   "name outcomes, or handle and win, in the first row", path, first.place)
    if not rows:
        faults.add("has no results", "write a row below the names of the columns", path, first.place)
    if not faults:
        plays = [played for row in rows if (played := _row(row, columns, hits, a, path, faults))]
        total = sum(p.rounds for p in plays)
        if not faults and "rounds" in columns and not 0 < total <= MOST_ROUNDS:
            faults.add(f"has {grouped(total)} rounds in all", f"give 1 to {grouped(MOST_ROUNDS)}", path, "rounds")
    if faults:
        raise InputError(*faults)
    return tuple(plays)


def _row(
    row: SheetRow, columns: list[str], hits: list[str], a: Analysis, path: str, faults: Faults
) -> AuditedPlay | None:
    """Return the results of a row; None after a fault."""
    cells, before = [cell.strip() for cell in row.cells], len(faults)
    if len(cells) < len(columns) or any(cells[len(columns):]):
        faults.add(f"has {len(cells)} cells for {len(columns)} columns", "write one for each", path, row.place)
        return None
    values = dict(zip(columns, cells, strict=False))
    numbers: dict[str, Fraction] = {}
    for name in (c for c in ("rounds", *hits, *_AMOUNTS) if c in columns):
        word = values[name]
        sign = -1 if name == "win" and word.startswith("-") else 1
        try:
            numbers[name] = sign * ratio(word.removeprefix("-") if sign < 0 else word, what=name, file=path,
                                         place=row.place, dollars=name in _AMOUNTS)
        except InputError as error:
            for item in error.faults:
                faults.add(item.what, item.remedy, path, row.place)
            continue
        if name not in _AMOUNTS and (numbers[name].denominator != 1 or numbers[name] < 0):
            faults.add(f'{name} "{word}" is not a count', "write a whole number, 0 or more", path, row.place)
        elif name in ("handle", "drop", "stake") and numbers[name] < 0:
            faults.add(f"has a {name} of {numbers[name]}", "write dollars, 0 or more", path, row.place)
    if len(faults) > before:
        return None
    rounds, stake = int(numbers.get("rounds", 0)), numbers.get("stake")
    powers = (None, None) if stake is None else (rounds * stake**2, rounds * stake**3)
    label = next((values[c] for c in columns if c in _LABELS), "") or row.place
    handle = numbers.get("handle", None if stake is None else stake * rounds)
    counts = {h: int(numbers[h]) for h in hits}
    played = AuditedPlay(label, rounds, counts, handle, numbers.get("drop"), numbers.get("win"), *powers)
    for what, remedy in _contradictions(played, stake, a):
        faults.add(what, remedy, path, row.place)
        return None
    return played


def _contradictions(played: AuditedPlay, stake: Fraction | None, a: Analysis) -> Iterator[tuple[str, str]]:
    """Yield what cannot be true of a row's numbers together, each with a remedy."""
    rounds, hit, handle, win = played.rounds, sum(played.hits.values()), played.handle, played.win
    if hit > rounds or (len(played.hits) == len(a.outcomes) and hit != rounds):
        yield (f"has {grouped(hit)} hits in {grouped(rounds)} rounds",
               "a round has one outcome; the losing one may be left out")
    if handle is None:
        return
    if stake is not None and handle != stake * rounds:
        yield (f"has a handle of {handle} and {grouped(rounds)} rounds at a stake of {stake}",
               "the handle is rounds times stake")
    if (handle == 0) != (rounds == 0) or (rounds == 0 and win):
        yield f"has a handle of {handle} in {grouped(rounds)} rounds", "the handle is the sum of all stakes"
    # The house keeps more than the stake if further bets may be lost.
    least = min((Fraction(x) for o in a.outcomes for x, p in o.distribution if p and is_number(x)), default=Fraction(0))
    if win is not None and win > handle * (1 - least):
        yield (f"has a win of {win} of a handle of {handle}",
               "the handle is the sum of all stakes, the win what the house kept")


def together(rows: Sequence[AuditedPlay]) -> AuditedPlay:
    """Return the sum of all rows."""
    hits = {name: sum(r.hits[name] for r in rows) for name in rows[0].hits}
    amounts = (None if getattr(rows[0], name) is None else sum((getattr(r, name) for r in rows), Fraction(0))
               for name in ("handle", "drop", "win", "squares", "cubes"))
    return AuditedPlay("all", sum(r.rounds for r in rows), hits, *amounts)
