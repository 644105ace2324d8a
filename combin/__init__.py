"""combin: exact combinatorial analysis of casino table games.

    >>> import combin
    >>> a = combin.analyze("maryland/high-card-flush/flush-bonus/A")
    >>> a.combinations["seven-card flush"], a.deals
    (6864, 133784560)

Names are imported when they are first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Analysis": "analysis.model",
    "analyze": "analysis.engine",
    "analyze_all": "analysis.engine",
    "InputError": "base.errors",
    "Rulebook": "rulebook.book",
}

__all__ = ["Analysis", "InputError", "Rulebook", "__version__", "analyze", "analyze_all"]

if TYPE_CHECKING:
    from .analysis.engine import analyze, analyze_all
    from .analysis.model import Analysis
    from .base.errors import InputError
    from .rulebook.book import Rulebook


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
