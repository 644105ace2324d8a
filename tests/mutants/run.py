"""Plant each fault of mutants.toml in a copy of its kernel. With each fault the tests must fail.

    python tests/mutants/run.py [--all] [KERNEL...]

The fast tests named for the kernel run, with --all the slow ones too. It needs Cython:
pip install -e ".[test,mutation]". The tests must pass with each kernel as it is, or a failure would
prove nothing. Nothing in the tree is touched. Ends with status 1 where a mutant survives.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parent.parent


def build(kernel: str, name: str, old: str, new: str, folder: Path) -> None:
    """Copy the package to ``folder`` with one kernel changed. ``name`` is its source or a source that kernels share.

    Raises if the kernel does not compile.
    """
    shutil.copytree(TREE / "combin", folder / "combin", ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TREE / part, folder)
    (folder / "ext").mkdir()
    for other in (TREE / "ext").iterdir():
        if other.suffix != ".pyx" or other.stem == kernel:
            shutil.copy(other, folder / "ext")
    source = (TREE / "ext" / name).read_text(encoding="utf-8")
    if old != new and source.count(old) != 1:
        raise SystemExit(f"{name}: {old!r} stands {source.count(old)} times in the source; mend mutants.toml")
    (folder / "ext" / name).write_text(source.replace(old, new), encoding="utf-8")
    # Shared objects are not built again if the tree has them.
    for shared in (*TREE.glob("build/cython-*/_cyutility.c"), *TREE.glob("build/lib*/combin/_kernels/_cyutility*.so")):
        (folder / shared.relative_to(TREE)).parent.mkdir(parents=True)
        shutil.copy2(shared, folder / shared.relative_to(TREE))
    for built in (folder / "combin" / "_kernels").glob(f"{kernel}.*.so"):
        built.unlink()
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, check=True, capture_output=True
    )


def survives(tests: list[str], folder: Path, *options: str) -> bool:
    """Whether the tests pass with the package of ``folder``, with these options of pytest."""
    shutil.copytree(TREE / "tests", folder / "tests")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    # A fault may send a test into a loop. A test of ten minutes counts as failed.
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", "-p", "no:randomly",
             *options, *tests],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    if done.returncode not in (0, 1):
        raise SystemExit(f"pytest could not run:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def lives_with(kernel: str, name: str, old: str, new: str, tests: list[str], *options: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        build(kernel, name, old, new, Path(folder))
        return survives(tests, Path(folder), *options)


def main(words: list[str]) -> int:
    options = [word for word in words if word == "--all"]
    kernels = [word for word in words if word != "--all"]
    if importlib.util.find_spec("Cython") is None:
        raise SystemExit('Cython is missing, which builds the kernels; install it: pip install -e ".[test,mutation]"')
    data = tomllib.loads((HERE / "mutants.toml").read_text(encoding="utf-8"))
    chosen = [m for m in data["mutant"] if not kernels or m["kernel"] in kernels]
    if unknown := set(kernels) - set(data["tests"]):
        raise SystemExit(f"there is no kernel {', '.join(sorted(unknown))}; kernels are {', '.join(data['tests'])}")
    for kernel in dict.fromkeys(m["kernel"] for m in chosen):
        if not lives_with(kernel, f"{kernel}.pyx", "import", "import", data["tests"][kernel], *options):
            raise SystemExit(f"{kernel}: the tests fail with the kernel as it is")
    alive = 0
    for mutant in chosen:
        kernel = mutant["kernel"]
        name = mutant.get("source", f"{kernel}.pyx")
        lives = lives_with(kernel, name, mutant["old"], mutant["new"], data["tests"][kernel], *options)
        alive += lives
        print(f"{'SURVIVES' if lives else 'caught  '}  {kernel}: {mutant['what']}", flush=True)
    print(f"{alive} of the mutants survive" if alive else "every mutant is caught")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
