"""Files of a git revision: `main:paytables/` read as it stood there, without touching the working tree."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ..base import budgets
from ..base.errors import InputError, fault


def revision_and_path(word: str) -> tuple[str, str]:
    """The two parts of REVISION:PATH; the revision is empty where a word is a path or an id."""
    revision, colon, path = word.partition(":")
    return (revision, path) if colon and revision and not os.path.exists(word) else ("", word)


@contextmanager
def checked_out(word: str) -> Iterator[str]:
    """A folder or file with what REVISION:PATH holds, as long as the block runs; another word stays as it is.

    A path that the revision has not is an empty folder. `InputError` names the revision and not the copy.
    """
    revision, path = revision_and_path(word)
    if not revision:
        yield word
        return
    named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = _git(word, *named).decode().strip()
    listed = _git(word, "ls-tree", "-r", "-l", "-z", commit, "--", path.rstrip("/") or ".")
    with TemporaryDirectory(prefix="combin-") as folder:
        entries = [entry.partition(b"\t") for entry in listed.split(b"\0") if entry]
        if len(entries) > budgets.FILES:
            raise fault(f"holds more than {budgets.FILES:,} files", "name a folder of paytables", file=word)
        for head, _, name in entries:
            mode, kind, blob, size = head.split()
            shown = os.fsdecode(name)
            if kind != b"blob" or not mode.startswith(b"100") or not shown.lower().endswith((".toml", ".csv", ".xlsx")):
                continue
            if int(size) > budgets.FILE_BYTES:
                what = f"is larger than {budgets.FILE_BYTES:,} bytes"
                raise fault(what, "give a file of paytables or rules", file=f"{revision}:{shown}")
            start = path if _is_below(shown, path) else os.path.dirname(path)
            target = Path(folder, os.path.relpath(shown, start or "."))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_git(word, "cat-file", "blob", blob.decode()))
        alone = Path(folder, os.path.basename(path))
        copy = str(alone) if path and not path.endswith("/") and alone.is_file() else folder
        try:
            yield copy
        except InputError as error:
            raise InputError(*(
                replace(f, file=name_of(f.file, copy, word)) if f.file.startswith(folder) else f for f in error.faults
            )) from None  # fmt: skip


def name_of(file: str, copy: str, word: str) -> str:
    """What a file below the ``copy`` of REVISION:PATH is called: REVISION:FILE."""
    revision, path = revision_and_path(word)
    alone = os.path.isfile(copy)
    root, start = (os.path.dirname(copy), os.path.dirname(path)) if alone else (copy, path.rstrip("/"))
    return f"{revision}:{os.path.normpath(os.path.join(start, os.path.relpath(file, root)))}"


def _is_below(name: str, path: str) -> bool:
    return path.rstrip("/") in ("", ".") or os.path.normpath(name).startswith(os.path.normpath(path) + os.sep)


def _git(word: str, *words: str) -> bytes:
    try:
        plain = {**os.environ, "LC_ALL": "C"}  # its messages are read below
        return subprocess.run(["git", *words], capture_output=True, check=True, env=plain).stdout
    except FileNotFoundError:
        raise fault("needs git, which is not installed", "install git, or give a folder", file=word) from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        if any("not a git repository" in line for line in said):
            raise fault("this folder is in no git repository", "run it inside one, or give a file or a folder",
                        file=word) from None
        if words[0] == "rev-parse":
            raise fault("there is no such revision here", "git log shows them; fetch it first", file=word) from None
        raise fault(f"git: {said[-1] if said else 'failed'}", "check the revision and the path", file=word) from None


__all__ = ["checked_out", "revision_and_path"]
