"""Compile every kernel in ext/ into combin/_kernels/.

COMBIN_DEBUG_KERNELS=1 builds the same kernels with bounds checks and with the
sanitizers for signed overflow, shifts and bounds; run Python with the
sanitizer's runtime preloaded then (see .ci/run).
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

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

extensions = [
    Extension(
        f"combin._kernels.{path.stem}",
        [path.as_posix()],
        include_dirs=["ext"],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for path in sorted(Path("ext").glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["ext"],
        build_dir="build/cython",
        compiler_directives={
            "language_level": "3",
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "embedsignature": True,
        },
    ),
)
