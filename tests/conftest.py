"""Each test module begins with empty caches, so no module relies on the counts of another. No test reads a user's."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from combin.base import caches, store
from combin.cli import main

os.environ[store.VARIABLE] = ""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def _empty_caches() -> Iterator[None]:
    caches.empty()
    yield
    caches.empty()


@pytest.fixture
def combin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in a folder of its own; returns status, output and what standard error says."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["combin", *args])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        assert isinstance(caught.value.code, int)
        return caught.value.code, out, err

    return run
