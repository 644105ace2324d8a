"""A kernel that was never built ends in a sentence that says what to do."""

import sys

import pytest

from combin import _kernels
from combin.base.errors import InputError


@pytest.mark.parametrize("missing", ["shoe", "_cyutility"])
def test_a_missing_kernel_is_one_sentence(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=f"combin._kernels.{missing}")

    monkeypatch.setattr(_kernels, "import_module", absent)
    with pytest.raises(InputError, match="the compiled kernel shoe is missing; install combin with a C compiler"):
        _kernels.load("shoe")


def test_another_missing_module_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(_kernels, "import_module", absent)
    with pytest.raises(ModuleNotFoundError):
        _kernels.load("shoe")
    assert "combin" in sys.modules
