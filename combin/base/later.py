"""The only way to a later room: display hooks load their views, an analysis the figures of its meters."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: The modules of later rooms that may be loaded.
MODULES = ("progressives.long_run", "views.frame", "views.json", "views.notebook", "views.plots", "views.strategy",
           "views.terminal")


def later(module: str) -> Any:
    """Return a module of a later room, loaded at the first call."""
    assert module in MODULES, module
    return import_module(f"combin.{module}")
