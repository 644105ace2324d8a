"""All commands, in the order of ``combin --help``."""

from __future__ import annotations

from . import figures, gate, library, over_time  # noqa: F401 - each module adds its commands to the group
from .group import cli

__all__ = ["cli"]
