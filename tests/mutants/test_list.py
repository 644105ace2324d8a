"""The list of kernel mutants still fits the kernels. run.py runs the mutants by hand; that takes minutes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LIST = tomllib.loads((HERE / "mutants.toml").read_text(encoding="utf-8"))
EQUIVALENT = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))["mutant"]


@pytest.mark.parametrize("mutant", LIST["mutant"], ids=lambda m: f"{m['kernel']}: {m['what']}")
def test_the_fault_can_be_planted(mutant):
    name = mutant.get("source", f"{mutant['kernel']}.pyx")
    source = (HERE.parent.parent / "ext" / name).read_text(encoding="utf-8")
    assert source.count(mutant["old"]) == 1
    assert mutant["new"] != mutant["old"]


def test_every_module_that_is_changed_is_there():
    source = (HERE / "run_python.py").read_text(encoding="utf-8")
    listed = source[source.index("MODULES = [") : source.index("]", source.index("MODULES = ["))]
    modules = re.findall(r'"([a-z_/]+)"', listed)
    assert len(modules) > 20
    assert [m for m in modules if not (HERE.parent.parent / "combin" / f"{m}.py").is_file()] == []


def test_every_kernel_has_mutants_and_tests():
    kernels = {path.stem for path in (HERE.parent.parent / "ext").glob("*.pyx")}
    assert {m["kernel"] for m in LIST["mutant"]} == kernels == set(LIST["tests"])
    for tests in LIST["tests"].values():
        assert all((HERE.parent.parent / test).is_file() for test in tests)


@pytest.mark.parametrize("mutant", EQUIVALENT, ids=lambda m: f"{m['module']}: {m['new']}")
def test_an_equivalent_mutant_is_of_a_line_that_is_there(mutant):
    source = (HERE.parent.parent / "combin" / f"{mutant['module']}.py").read_text(encoding="utf-8")
    assert mutant["old"] in [line.strip() for line in source.splitlines()]
    assert mutant["why"]
