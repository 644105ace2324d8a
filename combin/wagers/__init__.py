"""Outcome functions: named conditions on a table's columns, by the kind of hand.

An outcome function takes a table and the wager's options and returns a boolean
mask over the rows for every outcome that a paytable of the wager may list. It
knows no pays. A user's own function is found through an entry point of the group
``combin.outcomes`` whose name is the one that the TOML file gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from ..base.errors import fault, nearest

OutcomeFunction = Callable[..., Mapping[str, Any]]
F = TypeVar("F", bound=OutcomeFunction)

ENTRY_POINTS = "combin.outcomes"
_MODULES = ("seven_cards", "first_cards", "draws")
_registry: dict[str, OutcomeFunction] = {}


def outcomes(name: str) -> Callable[[F], F]:
    """Register an outcome function under the name that rule data uses."""

    def register(function: F) -> F:
        if name in _registry:
            raise ValueError(f"two outcome functions are called {name}")
        _registry[name] = function
        return function

    return register


def outcome_function(name: str) -> OutcomeFunction:
    """The function registered as ``name``: combin's own first, then the entry points."""
    for module in _MODULES:
        import_module(f"{__name__}.{module}")
    if name not in _registry:
        from importlib.metadata import entry_points

        found = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
        if name not in found:
            raise fault(
                f'no outcome function is called "{name}"',
                nearest(name, [*_registry, *found], otherwise=f"register it as an entry point of {ENTRY_POINTS}"),
            )
        _registry[name] = found[name].load()
    return _registry[name]
