"""The only way to a later room: display hooks load their views."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: The modules of later rooms that may be loaded.
MODULES = ("views.display", "views.frame", "views.json", "views.plots")


def later(module: str) -> Any:
    """Return a module of a later room, loaded at the first call."""
    assert module in MODULES, module
    return import_module(f"combin.{module}")
