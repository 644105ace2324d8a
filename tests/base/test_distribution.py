"""The distribution has one name everywhere, its extras are complete, and it installs without a compiler."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from combin.base.distribution import EXTRAS, NAME, missing

ROOT = Path(__file__).parents[2]


def test_the_name_and_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == NAME
    assert {name: list(needs) for name, needs in EXTRAS.items()} == {
        name: project["optional-dependencies"][name] for name in EXTRAS
    }


def test_no_text_installs_the_project_of_somebody_else() -> None:
    """Every install line names this distribution, a clone or a commit. No line names another project of the index."""
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml"]
    texts += [*(ROOT / "docs").rglob("*.md")]
    texts += [*(ROOT / "combin").rglob("*.py"), *(ROOT / "combin").rglob("*.toml")]
    for path in texts:
        for line in path.read_text(encoding="utf-8").splitlines():
            told = re.search(r"""pip3? install [^&]*?["' ]combin(?:["'\[ ]|$)""", line)
            assert told is None, f"{path}: {line}"


def test_a_missing_library_is_named_by_itself() -> None:
    assert str(missing("a PDF is set by typst", "report", file="-o")) == (
        "-o: a PDF is set by typst; install what the extra report of combin-tables needs: "
        'pip install "typst>=0.15" "xlsxwriter>=3.2"'
    )


@pytest.mark.skipif(os.name != "posix", reason="a C compiler is found in another way")
def test_without_a_compiler_the_install_ends_in_one_sentence() -> None:
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools.command.bdist_wheel")
    found = subprocess.run(
        [sys.executable, "setup.py", "build_ext"], cwd=ROOT, env={**os.environ, "CC": "no-such-cc -O2"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 1
    [line] = [line for line in found.stderr.splitlines() if "combin" in line]
    assert line.startswith("combin: there is no C compiler no-such-cc, and combin compiles its kernels: install one")
    assert "Traceback" not in found.stderr
