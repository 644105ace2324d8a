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

from .base.version import VERSION as __version__

_HOME = {
    "Analyses": "analysis.analyses",
    "Analysis": "analysis.model",
    "analyze": "userfiles.catalogue",
    "analyze_all": "userfiles.catalogue",
    "check": "scripting",
    "diff": "scripting",
    "InputError": "base.errors",
    "Paytables": "userfiles.catalogue",
    "paytables": "userfiles.catalogue",
    "Rulebook": "rulebook.book",
    "removal": "scripting",
    "strategy": "scripting",
    "symbol": "base.exact",
    "wager": "scripting",
}

__all__ = [
    "Analyses", "Analysis", "InputError", "Paytables", "Rulebook", "__version__", "analyze", "analyze_all", "check",
    "diff", "paytables", "removal", "strategy", "symbol", "wager",
]  # fmt: skip

if TYPE_CHECKING:
    from .analysis.analyses import Analyses
    from .analysis.model import Analysis
    from .base.errors import InputError
    from .base.exact import symbol
    from .rulebook.book import Rulebook
    from .scripting import check, diff, removal, strategy, wager
    from .userfiles.catalogue import Paytables, analyze, analyze_all, paytables


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
