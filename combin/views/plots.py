"""Plots of an analysis with matplotlib (the extra ``notebook``)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from ..analysis.model import Analysis
from ..base.distribution import missing
from ..base.errors import fault, nearest
from ..base.exact import decks, is_number, to_float
from ..rulebook import parameters


def contributions(a: Analysis) -> Any:
    """Return a bar chart of each outcome's part of the return; a note names the outcomes that need an unknown."""
    figure, axes = _figure(a)
    bars = [(o.outcome, to_float(o.contribution)) for o in a.outcomes if o.contribution != 0]
    known = [(name, value) for name, value in bars if value is not None]
    axes.barh([name for name, _ in known], [value for _, value in known])
    axes.invert_yaxis()
    needs = ", ".join(a.unknowns)
    hidden = [f"{name}: needs {needs}" for name, value in bars if value is None]
    axes.set_xlabel("\n".join(["contribution to the return", *hidden]))
    if a.has_stake:
        axes.xaxis.set_major_formatter(_percent())
    return figure


def against(a: Analysis, line: str, values: Sequence[Any]) -> Any:
    """Return a plot of the return against the pays of a line, or against the values of a parameter.

    Raises `InputError` for an unknown name, without values, and for a return that depends on another unknown.
    """
    lines, names = dict(a.resolved.lines), parameters.names(a.resolved)
    if line not in lines and line not in names:
        raise fault(f'{a.id} has no line and no parameter "{line}"', nearest(line, [*lines, *names]), file="line")
    if not len(values):
        raise fault("no values are given", "give values=range(1, 11)", file="values")
    points = []
    for value in values:
        pay = lines[line].form.format(value) if line in lines and not isinstance(value, str) else str(value)
        other = a.replace(pays={line: pay}) if line in lines else a.replace(set={line: value})
        if not is_number(other.returned):
            raise fault(f"the return depends on {', '.join(other.unknowns)}", "set it", file="set")
        points.append((value, to_float(other.returned)))
    figure, axes = _figure(a)
    numbers = not any(isinstance(value, str) for value, _ in points)
    axes.plot([float(v) if numbers else str(v) for v, _ in points], [y for _, y in points], marker="o")
    axes.set_xlabel(f"{line}: pays {lines[line].form.format('n')}" if numbers and line in lines else line)
    if numbers:
        axes.locator_params(axis="x", nbins=6)
        axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_ylabel("return to player" if a.has_stake else "dollars per round")
    if a.has_stake:
        axes.axhline(1, linewidth=0.8, linestyle="--", color="grey")
        axes.yaxis.set_major_formatter(_percent())
    return figure


def _percent() -> Any:
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(1.0)


def _figure(a: Analysis) -> tuple[Any, Any]:
    """Return a figure under the wager's name, with its axes."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing("plots are drawn by matplotlib", "notebook") from None

    class Plot(Figure):
        """A figure that a notebook shows; figures without pyplot have no image there."""

        def _repr_png_(self) -> bytes:
            stream = io.BytesIO()
            self.savefig(stream, format="png", metadata={"Software": None})
            return stream.getvalue()

    figure = Plot(layout="constrained")
    figure.suptitle(f"{a.name}, {decks(a.decks)}")
    return figure, figure.add_subplot()
