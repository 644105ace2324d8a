"""The one door to a later room: display hooks load their views, an analysis the figures of its meters."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: What may be loaded through the door.
MODULES = ("progressives.long_run", "views.frame", "views.json", "views.notebook", "views.plots", "views.strategy",
           "views.terminal")


def later(module: str) -> Any:
    """Return a module of a later room, loaded at the first call."""
    assert module in MODULES, module
    return import_module(f"combin.{module}")
