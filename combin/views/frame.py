"""Analyses as a data frame of pandas or polars, whichever is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..analysis.model import Analysis
from ..base.distribution import missing
from ..base.errors import fault, nearest
from ..base.exact import Exact, text, to_float

LIBRARIES = ("pandas", "polars")
INT64 = 2**63


def of(analyses: Sequence[Analysis], rows: str, library: str) -> Any:
    """Return a frame with a row per analysis or outcome.

    Raises `InputError` for other ``rows``, and if no library of data frames is installed.
    """
    frames = {"analyses": of_analyses, "outcomes": of_outcomes}
    if rows not in frames:
        raise fault(f'rows cannot be "{rows}"', nearest(rows, frames, otherwise="give analyses or outcomes"),
                    file="rows")
    return frames[rows](analyses, library)


def of_analyses(analyses: Sequence[Analysis], library: str) -> Any:
    """Return one row per analysis; each reading and parameter has a column."""
    return _frame([
        {
            "id": a.id,
            "name": a.name,
            "decks": a.decks,
            "deals": a.deals,
            **_both("return", a.returned if a.has_stake else None),
            **_both("dollars_per_round", None if a.has_stake else a.returned),
            **_both("house_edge", a.house_edge),
            **_both("hit_frequency", a.hit_frequency),
            **_both("variance", a.variance),
            "standard_deviation": None if a.standard_deviation is None else to_float(a.standard_deviation),
            **{f"reading.{name}": choice for name, choice in a.readings.items()},
            **{f"set.{name}": None if value is None else text(value) for name, value in a.parameters.items()},
        }
        for a in analyses
    ], library)


def of_outcomes(analyses: Sequence[Analysis], library: str) -> Any:
    """Return one row per outcome of each analysis."""
    return _frame([
        {
            "id": a.id,
            "decks": a.decks,
            "outcome": o.outcome,
            "pays": o.pays,
            "combinations": o.combinations,
            "deals": a.deals,
            **_both("probability", o.probability),
            **_both("returned", o.returned),
            **_both("contribution", o.contribution),
        }
        for a in analyses for o in a.outcomes
    ], library)


def _both(name: str, value: Exact | None) -> dict[str, Any]:
    if value is None:
        return {name: None, f"{name}_exact": None}
    return {name: to_float(value), f"{name}_exact": text(value)}


def _frame(rows: Sequence[Mapping[str, Any]], library: str) -> Any:
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    return import_module(_library(library)).DataFrame(columns)


def _column(values: Iterable[Any]) -> list[Any]:
    """Return the values; integers as text if one of them exceeds 64 bits."""
    values = list(values)
    large = any(isinstance(v, int) and abs(v) >= INT64 for v in values)
    return [str(v) if isinstance(v, int) else v for v in values] if large else values


def _library(name: str) -> str:
    if name and name not in LIBRARIES:
        raise fault(f'"{name}" is not a supported library of data frames', nearest(name, LIBRARIES), file="library")
    libraries = [known for known in LIBRARIES if name in ("", known) and find_spec(known)]
    if not libraries:
        if name:
            raise fault(f"data frames of {name} need {name}", f"install it: pip install {name}", file="library")
        raise missing("data frames need pandas or polars", "notebook", file="library")
    return libraries[0]
