"""The name under which combin is installed, and what its extras need: the one place from which both are printed.

On the public index `combin` is somebody else's project, and nothing of this one is there yet: what is missing is
named by itself and never by an extra of a name that an index resolves.
"""

from __future__ import annotations

from .errors import InputError, fault

NAME = "combin-tables"
#: What each extra of `NAME` needs, as pyproject.toml has it.
EXTRAS = {
    "xlsx": ("openpyxl>=3.1",),
    "report": ("typst>=0.15", "xlsxwriter>=3.2"),
    "notebook": ("matplotlib>=3.8", "pandas>=2.1"),
    "cluster": ("dask[distributed]>=2024.8",),
}


def missing(what: str, extra: str, *, otherwise: str = "", file: str = "") -> InputError:
    """What is said where ``what`` needs a library that is not installed."""
    wanted = " ".join(f'"{need}"' for need in EXTRAS[extra])
    remedy = f"install what the extra {extra} of {NAME} needs: pip install {wanted}"
    return fault(what, f"{remedy}{f', or {otherwise}' if otherwise else ''}", file=file)
