"""The store of results on disk: one file each, named by a digest of everything that the result depends on.

An entry is its SHA-256 and JSON text. It is written to another file and moved, so that no process ever sees half of
one. A damaged entry counts as missing. Nothing in an entry is run.

The folder is COMBIN_CACHE, otherwise the platform's folder for caches. Nothing is stored if that variable is set and
empty.
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
#: A larger store is halved, the oldest entries first.
MOST_BYTES = 512_000_000
#: The packages besides combin whose code determines figures and texts.
BESIDE = ("numpy", "sympy", "mpmath")


def folder() -> Path | None:
    """Return the folder of entries; None if nothing is to be stored, or if the system has no home folder."""
    try:
        if (named := os.environ.get(VARIABLE)) is not None:
            return Path(named).expanduser() if named else None  # a workflow's file is not expanded by a shell
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "combin" / "Cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "combin"
        stated = os.environ.get("XDG_CACHE_HOME", "")
        # by the convention, a relative path is ignored
        return (Path(stated) if os.path.isabs(stated) else Path.home() / ".cache") / "combin"
    except RuntimeError:
        return None


@cached("the digest of the program that runs", most=1)
def program() -> str:
    """Return the SHA-256 of every file of the installed package, of its libraries' versions and the interpreter."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    home = Path(__file__).parents[1]
    hasher = sha256()
    for path in sorted(p for p in home.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        hasher.update(f"{path.relative_to(home).as_posix()}\n{sha256(path.read_bytes()).hexdigest()}\n".encode())
    for name in BESIDE:
        with suppress(PackageNotFoundError):
            hasher.update(f"{name} {version(name)}\n".encode())
    hasher.update(f"{platform.python_implementation()} {sys.version}\n".encode())
    return hasher.hexdigest()


def usable() -> Path | None:
    """Return the folder of entries; raises `InputError` if it is in the repository of the current folder.

    An author of paytables there could write entries too. A home folder under version control is not such a repository.
    """
    root = folder()
    if root is None:
        return None
    current = Path.cwd()
    top = next((p for p in (current, *current.parents) if (p / ".git").exists() or (p / "combin.toml").exists()), None)
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


#: The store of the running command; None in a library.
_in_use: ContextVar[Store | None] = ContextVar("_in_use", default=None)


@contextmanager
def using(kept: Store | None) -> Iterator[None]:
    """Make this store the one of `in_use` for the duration of the block."""
    token = _in_use.set(kept)
    try:
        yield
    finally:
        _in_use.reset(token)


def in_use() -> Store | None:
    """Return the store of the running command; None in a library, and if nothing is to be stored."""
    return _in_use.get()


class Store:
    """The entries of one folder; every method does nothing if the folder cannot be used."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._written = False

    @staticmethod
    def key(inputs: Any) -> str:
        """Return the name of a result: the digest of the program and of the ``inputs``, which are JSON data."""
        import json

        text = json.dumps([program(), inputs], ensure_ascii=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def _path(self, key: str) -> Path:
        return self.root / key[:2] / f"{key[2:]}.json"

    def get(self, key: str) -> str | None:
        """Return the stored JSON text; None if there is no sound entry."""
        try:
            path = self._path(key)
            digest, _, text = path.read_bytes().partition(b"\n")
            if sha256(text).hexdigest().encode() != digest:
                return None
            content = text.decode()
        except (OSError, ValueError):
            return None
        with suppress(OSError):  # a store that can only be read is also useful
            os.utime(path)  # recently used entries are removed last
        return content

    def put(self, key: str, text: str) -> None:
        """Store a JSON text."""
        raw, path, temporary = text.encode(), self._path(key), ""
        import tempfile

        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as stream:
                temporary = stream.name
                stream.write(sha256(raw).hexdigest().encode() + b"\n" + raw)
            os.replace(temporary, path)
            self._written = True
        except OSError:  # such as a full disk; the result does not depend on the store
            with suppress(OSError):
                os.unlink(temporary)

    def tidy(self) -> None:
        """Remove the oldest entries if an entry was written and the store is too large."""
        if not self._written:
            return
        entries = []
        for path in self.root.glob("[0-9a-f][0-9a-f]/*"):
            with suppress(OSError):
                entry = path.stat()
                entries.append((entry.st_mtime, entry.st_size, path))
        size = sum(n for _, n, _ in entries)
        if size <= MOST_BYTES:
            return
        for _, n, path in sorted(entries):
            with suppress(OSError):
                path.unlink()
            size -= n
            if size <= MOST_BYTES // 2:
                return
