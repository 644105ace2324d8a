"""The compiled kernels, one module for each file of ext/.

A kernel that was not built raises `InputError` when it is loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..base.errors import fault


def load(name: str) -> Any:
    """Return the compiled module ``name``. Raises `InputError` if it was not built."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(f"{__name__}."):
            raise
        raise fault(
            f"the compiled kernel {name} is missing",
            "install combin from its source tree with a C compiler: pip install -e .",
        ) from None
