"""Outcomes of wagers: conditions on the cards (`vocabulary`, `conditions`), or Python functions.

An outcome function takes a table and the wager's options and returns a boolean
mask over the rows for every outcome that a paytable of the wager may list. It
knows no pays. A user-defined function is found through an entry point of the group
``combin.outcomes``; its name is the one in the TOML file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from ..base import caches
from ..base.errors import fault, nearest
from ..rulebook import checks

OutcomeFunction = Callable[..., Mapping[str, Any]]
F = TypeVar("F", bound=OutcomeFunction)

ENTRY_POINTS = "combin.outcomes"
_MODULES = ("bad_beat",)
_registry: dict[str, OutcomeFunction] = {}


def outcomes(name: str) -> Callable[[F], F]:
    """Register an outcome function under the name that rule data uses."""

    def register(function: F) -> F:
        if name in _registry:
            raise ValueError(f"two outcome functions are called {name}")
        _registry[name] = function
        return function

    return register


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Raise `InputError` for options that an outcome function does not take, and for unknown choices.

    The choices of an option are the values of its annotation ``Literal``.
    """
    function = outcome_function(name)
    parameters = signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return  # the function itself checks its options
    taken = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    needed = [p.name for p in taken if p.default is p.empty]
    checks.check_options(f'"{name}"', options, {p.name: _choices(function, p.name) for p in taken}, needed)


def _choices(function: OutcomeFunction, option: str) -> tuple[str, ...]:
    """Return the choices of an option; empty unless its annotation is a ``Literal``."""
    try:
        wanted = get_type_hints(function).get(option)
    except NameError:  # an annotation that is imported only for type checking
        return ()
    return get_args(wanted) if get_origin(wanted) is Literal else ()


def is_own(function: OutcomeFunction) -> bool:
    """Whether a function belongs to combin."""
    return (function.__module__ or "").partition(".")[0] == __name__.partition(".")[0]


def load_plugin(path: str) -> None:
    """Run a Python file that registers outcome functions or games; raises `InputError` if that fails.

    The module is importable under its name, so that a game's ``strategy`` may name it.
    """
    from types import ModuleType

    replaced = [name for name, function in _registry.items() if function.__module__ == _module_of(path)]
    for name in replaced:
        del _registry[name]
    if replaced:
        caches.empty()  # stored counts are identified by the name of the function
    module = ModuleType(_module_of(path))
    module.__file__ = path
    try:
        code = compile(Path(path).read_bytes(), path, "exec")
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
    except FileNotFoundError:
        raise fault("there is no such file", "check the path", file=path) from None
    except (Exception, SystemExit) as error:  # it is a file of the user: whatever it raises is a fault of the input
        raise fault(f"cannot be run: {error!r}", "correct the file", file=path) from None


def _module_of(path: str) -> str:
    return f"plugin {path}"


def outcome_function(name: str) -> OutcomeFunction:
    """Return the function registered as ``name``: first those of combin, then the entry points."""
    for module in _MODULES:
        import_module(f"{__name__}.{module}")
    if name not in _registry:
        from importlib.metadata import entry_points

        entries = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
        if name not in entries:
            otherwise = "state conditions in [wager.outcome], or give its file with --plugin"
            raise fault(
                f'no outcome function is called "{name}"', nearest(name, [*_registry, *entries], otherwise=otherwise)
            )
        _registry[name] = entries[name].load()
    return _registry[name]
