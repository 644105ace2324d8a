"""Results that outlive the process: one file each, found by a digest of all that the result depends on.

An entry is JSON text behind its own SHA-256. It is written beside its place and moved there whole, so that two
processes never see half of one. An entry that is damaged is as if it were not there. Nothing in an entry is run.

The folder is that of COMBIN_CACHE, otherwise the platform's own for caches. Nothing is kept where that variable is
set and empty.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any

from .caches import cached
from .errors import fault

VARIABLE = "COMBIN_CACHE"
#: The store is halved, the oldest entries first, once it holds more than this.
MOST_BYTES = 512_000_000
#: The packages besides combin whose code makes figures and texts.
BESIDE = ("numpy", "sympy", "mpmath")


def folder() -> Path | None:
    """Where entries are kept; None where nothing is to be kept, or where the system names no home."""
    try:
        if (named := os.environ.get(VARIABLE)) is not None:
            return Path(named).expanduser() if named else None  # no shell expands it in a workflow's file
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "combin" / "Cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "combin"
        stated = os.environ.get("XDG_CACHE_HOME", "")
        # The convention has a relative path passed over.
        return (Path(stated) if os.path.isabs(stated) else Path.home() / ".cache") / "combin"
    except RuntimeError:
        return None


@cached("the digest of the program that runs", most=1)
def program() -> str:
    """SHA-256 of every file of the installed package, compiled ones included, and of what it runs on."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    home = Path(__file__).parents[1]
    found = sha256()
    for path in sorted(p for p in home.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        found.update(f"{path.relative_to(home).as_posix()}\n{sha256(path.read_bytes()).hexdigest()}\n".encode())
    for name in BESIDE:
        with suppress(PackageNotFoundError):
            found.update(f"{name} {version(name)}\n".encode())
    found.update(f"{platform.python_implementation()} {sys.version}\n".encode())
    return found.hexdigest()


def usable() -> Path | None:
    """The folder of entries; `InputError` if it is in the repository of the current folder.

    Whoever writes a file of paytables could write entries there as well. A home that is a repository itself is none.
    """
    root = folder()
    if root is None:
        return None
    here = Path.cwd()
    top = next((p for p in (here, *here.parents) if (p / ".git").exists() or (p / "combin.toml").exists()), None)
    if top is None or top == _home():
        return root
    if Path(os.path.realpath(root)).is_relative_to(os.path.realpath(top)):
        raise fault("the folder of kept results is in the repository, where others may write to it",
                    "name a folder outside it, or an empty value", file=VARIABLE, place=str(root))
    return root


def _home() -> Path | None:
    with suppress(RuntimeError):
        return Path.home()
    return None


#: The store of the command that runs; None in a library.
_in_use: ContextVar[Store | None] = ContextVar("_in_use", default=None)


@contextmanager
def using(kept: Store | None) -> Iterator[None]:
    """Inside, `in_use` is this store."""
    token = _in_use.set(kept)
    try:
        yield
    finally:
        _in_use.reset(token)


def in_use() -> Store | None:
    """Return the store of the command that runs; None in a library, and where nothing is to be kept."""
    return _in_use.get()


class Store:
    """The entries of one folder; every method does nothing where the folder cannot be used."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._written = False

    @staticmethod
    def key(inputs: Any) -> str:
        """The name of a result: the digest of the program and of the ``inputs``, which are JSON data."""
        import json

        text = json.dumps([program(), inputs], ensure_ascii=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def _path(self, key: str) -> Path:
        return self.root / key[:2] / f"{key[2:]}.json"

    def get(self, key: str) -> str | None:
        """The JSON text that was kept; None where there is none that is whole."""
        try:
            path = self._path(key)
            digest, _, text = path.read_bytes().partition(b"\n")
            if sha256(text).hexdigest().encode() != digest:
                return None
            found = text.decode()
        except (OSError, ValueError):
            return None
        with suppress(OSError):  # a store that can only be read serves all the same
            os.utime(path)  # it was used: others make room first
        return found

    def put(self, key: str, text: str) -> None:
        """Keep a JSON text."""
        raw, path, temporary = text.encode(), self._path(key), ""
        import tempfile

        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as stream:
                temporary = stream.name
                stream.write(sha256(raw).hexdigest().encode() + b"\n" + raw)
            os.replace(temporary, path)
            self._written = True
        except OSError:  # a full disk, a folder of somebody else's: the result stands without it
            with suppress(OSError):
                os.unlink(temporary)

    def tidy(self) -> None:
        """Make room, if anything was written and the store has grown too large."""
        if not self._written:
            return
        found = []
        for path in self.root.glob("[0-9a-f][0-9a-f]/*"):
            with suppress(OSError):
                entry = path.stat()
                found.append((entry.st_mtime, entry.st_size, path))
        size = sum(n for _, n, _ in found)
        if size <= MOST_BYTES:
            return
        for _, n, path in sorted(found):
            with suppress(OSError):
                path.unlink()
            size -= n
            if size <= MOST_BYTES // 2:
                return
