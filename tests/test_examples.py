"""The examples in the docstrings of public functions run as printed."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

import combin

MODULES = ("combin", "combin.analysis.engine", "combin.analysis.model", "combin.rulebook.pays",
           "combin.base.exact", "combin.analysis.analyses", "combin.userfiles.catalogue",
           "combin.base.errors", "combin.rulebook.book", "combin.analysis.record")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0


def test_every_public_name_has_an_example() -> None:
    assert {name for name in combin.__all__ if name != "__version__"
            and ">>> " not in (getattr(combin, name).__doc__ or "")} == set()
