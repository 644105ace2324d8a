"""Compile every kernel in ext/ into combin/_kernels/.

COMBIN_DEBUG_KERNELS=1 builds the same kernels with bounds checks and with the
sanitizers for signed overflow, shifts and bounds; run Python with the
sanitizer's runtime preloaded then (see .ci/run).
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from hashlib import sha256
from multiprocessing import get_start_method
from pathlib import Path

from Cython import __version__ as cython_version
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

PROCESSES = os.cpu_count() or 1
DEBUG = os.environ.get("COMBIN_DEBUG_KERNELS", "") not in ("", "0")

if DEBUG:
    # Python itself builds with -fwrapv, which would hide an overflow.
    compile_args = [
        "-O1",
        "-g",
        "-fno-wrapv",
        "-fsanitize=signed-integer-overflow,shift,bounds",
        "-fno-sanitize-recover=all",
    ]
    link_args = ["-fsanitize=signed-integer-overflow,shift,bounds"]
else:
    # -g0 keeps a kernel small; no -march, so that one binary serves every machine.
    compile_args = ["-O3", "-g0"]
    link_args = []

COMPILER = os.environ.get("CC", sysconfig.get_config_var("CC") or "cc").split()
builds = {"build", "build_ext", "bdist_wheel", "develop", "editable_wheel", "install"} & set(sys.argv)
if builds and os.name == "posix" and shutil.which(COMPILER[0]) is None:
    sys.exit(
        f"combin: there is no C compiler {COMPILER[0]}, and combin compiles its kernels: install one (Debian, Ubuntu: "
        "apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install) or set CC, and install combin again"
    )

sources = sorted({path for path in Path("ext").iterdir() if path.suffix in (".pyx", ".pxd", ".pxi", ".h")})
names = {path.name for path in sources}


def included(path: Path) -> list[str]:
    """The sources that another one is compiled with: its own kernel's, and those that they include in turn."""
    includes = re.findall(r"(?m)^\s*(?:from (\w+) cimport|cimport (\w+)|include \"(\w+)\.pxi\")", path.read_text())
    near = [f"{word}{suffix}" for words in includes for word in words if word for suffix in (".pxd", ".pxi")]
    return sorted({name for n in near if n in names for name in (n, *included(path.parent / n))})


def compiler() -> str:
    """The compiler of the kernels, in its own words."""
    try:
        words = [*COMPILER, "--version"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""  # a compiler that does not say


# A report names what its kernels were compiled from: the same on every machine, unlike the compiled modules.
lines = [f"    {path.name!r}: {sha256(path.read_bytes()).hexdigest()!r},\n" for path in sources]
with_others = [f"    {path.stem!r}: {included(path)!r},\n" for path in sources if path.suffix == ".pyx"]
Path("combin/_kernels/_sources.py").write_text(
    '"""Written by setup.py: the digests of the kernels\' sources, what each includes, and their compilers."""\n\n'
    "SHA256 = {\n" + "".join(lines) + "}\nINCLUDED = {\n" + "".join(with_others) + "}\n"
    f"CYTHON = {cython_version!r}\nCOMPILER = {compiler()!r}\n"
)


class SameWheel(bdist_wheel):
    """A wheel whose bytes tell neither when nor where nor by whom it was built: no times, no umask."""

    def write_wheelfile(self, *words: str, **named: str) -> None:
        super().write_wheelfile(*words, **named)
        # It is the last file before all are packed.
        os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")  # 1980, the first time that a zip file can tell
        for path in Path(self.bdist_dir).rglob("*"):
            path.chmod(0o755 if path.is_dir() or path.suffix == ".so" else 0o644)


def extension(name: str, source: Path) -> Extension:
    return Extension(
        f"combin._kernels.{name}",
        [source.as_posix()],
        include_dirs=["ext"],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )


# What all kernels need for their memoryviews is compiled once and not with each of them: most of a build's time.
# It must come from the same Cython as they do.
folder = Path("build") / f"cython-{cython_version}"
shared = folder / "_cyutility.c"
if not shared.exists():
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={shared}"], check=True)
kernels = cythonize(
    [extension(path.stem, path) for path in sorted(Path("ext").glob("*.pyx"))],
    shared_utility_qualified_name="combin._kernels._cyutility",
    include_path=["ext"],
    build_dir=folder.as_posix(),
    nthreads=PROCESSES if get_start_method() == "fork" else 0,  # other ways to start a process run this file again
    compiler_directives={
        "language_level": "3",
        "boundscheck": DEBUG,
        "wraparound": False,
        "initializedcheck": DEBUG,
        "cdivision": True,
        "embedsignature": True,
    },
)

setup(
    cmdclass={"bdist_wheel": SameWheel},
    options={
        "build_ext": {"parallel": PROCESSES},
        # The clone itself is put on the path: mypy, pyright and editors find the package there, and Python started
        # above the clone does not take the clone's folder for a package. An import hook would do neither.
        "editable_wheel": {"mode": "compat"},
    },
    ext_modules=[extension("_cyutility", shared), *kernels],
)
