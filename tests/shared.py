"""What tests of several folders use."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import combin
from combin import analyze
from combin.analysis.model import Analysis

#: The folder of the package.
ROOT = Path(combin.__file__).parent

#: The fixture `combin`: words of the command line to (exit status, standard output, standard error).
Run = Callable[..., tuple[int, str, str]]


@cache
def sources() -> dict[str, ast.Module]:
    """Syntax tree of every module of the package, by its path in it. Parsed once for all tests of a process."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.rglob("*.py"))
    }


@cache
def chase_the_flush() -> Analysis:
    """The base game of Chase the Flush, which takes 2 s to solve: once for all tests of a process that read it."""
    return analyze("maryland/chase-the-flush/base/A")
