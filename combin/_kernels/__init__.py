"""The compiled kernels, one module for each file of ext/.

`load` turns a kernel that was never built into one sentence.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..base.errors import fault


def load(name: str) -> Any:
    """The compiled module ``name``; raises `InputError` with what to do where it is missing."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(f"{__name__}."):
            raise
        raise fault(
            f"the compiled kernel {name} is missing",
            "install combin with a C compiler at hand (pip install -e . in the tree) and run it from there",
        ) from None
