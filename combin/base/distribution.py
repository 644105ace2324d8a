"""The name under which combin is installed, and the requirements of its extras.

`combin` on the public index is another project, and this one is not published there: messages name a missing
library itself, never an extra that an index would resolve.
"""

from __future__ import annotations

from .errors import InputError, fault

NAME = "combin-tables"
#: The requirements of each extra of `NAME`, as in pyproject.toml.
EXTRAS = {
    "xlsx": ("openpyxl>=3.1",),
    "report": ("typst>=0.15", "xlsxwriter>=3.2"),
    "notebook": ("matplotlib>=3.8", "pandas>=2.1"),
    "cluster": ("dask[distributed]>=2024.8",),
}


def missing(what: str, extra: str, *, otherwise: str = "", file: str = "") -> InputError:
    """Return the fault of a part of combin, ``what``, that needs a library which is not installed."""
    wanted = " ".join(f'"{need}"' for need in EXTRAS[extra])
    remedy = f"install what the extra {extra} of {NAME} needs: pip install {wanted}"
    return fault(what, f"{remedy}{f', or {otherwise}' if otherwise else ''}", file=file)
