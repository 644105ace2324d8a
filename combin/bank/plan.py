"""The plan of a bank of tables, a TOML file that is checked before anything is dealt.

    [bank]
    tables = 4
    seats = 5
    rounds_per_hour = 60
    hours_per_day = 16
    days = 365
    runs = 400
    seed = 1
    deals = "law"

    [[wager]]
    id = "maryland/high-card-flush/progressive/C"
    stake = "1"
    set = { contribution_rate = "20%" }

Above [bank] are the files of user-defined paytables, relative to the plan: files = ["house.toml"].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from ..analysis.wheels import MOST_WEIGHT, check_stops
from ..base.errors import InputError, fault
from ..base.exact import ratio
from ..base.toml_tables import AMOUNT, FILLED, ReportFault, TomlFile, WholeNumber, empty
from ..userfiles.expansion import from_folder

FROM_CARDS = 'write deals = "cards" in [bank]'


@dataclass(frozen=True)
class BankTerms:
    """The table [bank]. ``deals``: each seat from the exact distribution, or all seats of a table from one deck."""

    tables: Annotated[int, WholeNumber(1, 10_000)]
    seats: Annotated[int, WholeNumber(1, 9)]
    rounds_per_hour: Annotated[int, WholeNumber(1, 1_000)]
    hours_per_day: Annotated[int, WholeNumber(1, 24)]
    days: Annotated[int, WholeNumber(1, 36_525)] = 365
    runs: Annotated[int, WholeNumber(2, 1_000_000)] = 200
    seed: Annotated[int, WholeNumber(0, 2**63)] = 1
    deals: Literal["law", "cards"] = "law"


@dataclass(frozen=True)
class PlannedTerms:
    """A table [[wager]]."""

    id: str
    stake: Annotated[str, AMOUNT]
    decks: int | None = None
    set: Mapping[str, str | int] = empty()
    reading: Mapping[str, str | int] = empty()
    wheel: Mapping[str, Annotated[int, WholeNumber(0, MOST_WEIGHT)]] | None = None


@dataclass(frozen=True)
class PlanTerms:
    """A plan as its file states it."""

    bank: BankTerms
    wager: tuple[PlannedTerms, ...]
    files: tuple[Annotated[str, FILLED], ...] = ()


@dataclass(frozen=True)
class PlannedWager:
    """A wager that every seat makes in every round; ``stake`` in dollars, ``wheel`` the stops of each symbol."""

    id: str
    stake: Fraction
    decks: int | None
    set: Mapping[str, str]
    reading: Mapping[str, str]
    wheel: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan(BankTerms):
    """A bank of tables; all seats are taken, and each makes every wager in every round."""

    wagers: tuple[PlannedWager, ...] = ()
    #: The plan's file, for faults of a wager.
    file: str = ""
    #: Files of user-defined paytables, as paths from here.
    files: tuple[str, ...] = ()

    @property
    def rounds_per_day(self) -> int:
        """Rounds of all tables in a day: at most 10,000 × 1,000 × 24, which fits into an int64."""
        return self.tables * self.rounds_per_hour * self.hours_per_day


def read_plan(path: str | Path) -> Plan:
    """Return the plan of a file; raises `InputError` with every fault."""
    file = TomlFile.of(path)
    stated = file.read(PlanTerms)
    if stated is not None and not stated.wager:
        file.report("the plan has no wagers", "write [[wager]] with id and stake", ("wager",))
    listed = stated.wager if stated is not None else ()
    wagers = tuple(_wager(wager, file.report, f"wager #{n}") for n, wager in enumerate(listed, 1))
    terms = file.checked(stated)
    return Plan(**vars(terms.bank), wagers=wagers, file=file.path, files=from_folder(Path(path).parent, terms.files))


def _wager(terms: PlannedTerms, report: ReportFault, place: str) -> PlannedWager:
    stake = Fraction(0)
    try:
        stake = ratio(terms.stake, what="the stake", dollars=True)
        if stake <= 0:
            raise fault(f"the stake is {stake}", "a stake is above 0")
    except InputError as error:
        report(error.faults[0].what, error.faults[0].remedy, (place, "stake"))
    if terms.wheel is not None:
        check_stops(terms.wheel, report, (place, "wheel"))
    chosen, reading = ({name: str(value) for name, value in table.items()} for table in (terms.set, terms.reading))
    return PlannedWager(terms.id, stake, terms.decks, chosen, reading, dict(terms.wheel or {}))
