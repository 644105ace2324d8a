"""The other Pythons of this machine print the same bytes. Each takes two minutes, mostly to compile.

    python tests/other_pythons.py [--newest | INTERPRETER ...]

Looks for Python 3.11 and later on the PATH and in pyenv's folder (or takes those that
are named), installs a copy of this tree into a fresh environment of each, and holds
what it prints against what the Python that runs this prints, byte by byte; then every
committed analysis with `regenerate --check`. Ends with status 1 where one differs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHASE = "maryland/chase-the-flush/base/A"
#: Kernels on threads, a base game with its strategies, drawn hands, unknowns, random streams.
COMMANDS = (
    ("analyze", CHASE, "--format", "json"),
    ("strategy", CHASE),
    ("analyze", "maryland/blackjack/*", "--format", "json"),
    ("analyze", "*/high-card-flush/*", "--format", "markdown"),
    ("verify", "maryland/high-card-flush/flush-bonus/A", "--simulate", "20_000", "--seed", "5"),
)
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "venv", "*.so", "*.egg-info", "__pycache__")


def version(python: str) -> tuple[int, int]:
    """(0, 0) if it does not run, as the shim of a version that is switched off."""
    asked = [python, "-c", "import sys; print(*sys.version_info[:2])"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    major, minor = map(int, found.stdout.split()) if found.returncode == 0 else (0, 0)
    return major, minor


def others() -> list[str]:
    """One interpreter of each supported version, the newest last, without the version of this process."""
    names = [path for n in range(11, 40) if (path := shutil.which(f"python3.{n}"))]
    names += [str(path) for path in sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"))]
    by_version = {version(name): name for name in names}
    return [by_version[v] for v in sorted(by_version) if v >= (3, 11) and v != sys.version_info[:2]]


def run(python: str, *words: str, folder: Path, **more: str) -> bytes:
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COMBIN_"))}
    found = subprocess.run([python, "-m", "combin", *words], capture_output=True, env={**plain, **more}, cwd=folder,
                           check=False)  # fmt: skip
    return found.stdout + found.stderr + b"status %d\n" % found.returncode


def install(python: str, tree: Path, folder: Path) -> str:
    """The interpreter of a fresh environment with combin; "" if a dependency has no wheel for its version."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    made = str(folder / "bin" / "python")
    needs = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    pip = [made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--only-binary", ":all:", *needs], capture_output=True, check=False).returncode:
        return ""
    subprocess.run([*pip, "--no-deps", tree], check=True, stdout=subprocess.DEVNULL)
    return made


def main(words: list[str]) -> int:
    named = [word for word in words if word != "--newest"]
    pythons = named or others()
    if "--newest" in words:
        pythons = pythons[-1:]
    if not pythons:
        print("skipped: no other Python from 3.11 on is here")
    different = 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copytree(ROOT, work / "tree", ignore=LEFT_OUT)
        (work / "empty").mkdir()
        if pythons:
            expected = [run(sys.executable, *c, folder=work / "empty", PYTHONPATH=str(ROOT)) for c in COMMANDS]
            assert all(shown.endswith(b"status 0\n") for shown in expected), expected
        for python in pythons:
            at = ".".join(map(str, version(python)))
            made = install(python, work / "tree", work / at)
            if not made:
                print(f"{at}: skipped, the dependencies have no wheels for it")
                continue
            wrong = [" ".join(c) for c, shown in zip(COMMANDS, expected, strict=True)
                     if run(made, *c, folder=work / "empty") != shown]  # fmt: skip
            checked = run(made, "regenerate", "--check", str(work / "tree" / "analyses"), folder=work / "empty")
            if not checked.endswith(b"status 0\n"):
                wrong.append("regenerate --check")
                print(checked.decode())
            print(f"{at}: {'DIFFERENT: ' + ', '.join(wrong) if wrong else 'the same bytes'}", flush=True)
            different += bool(wrong)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
