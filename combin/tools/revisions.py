"""Files of a git revision: `main:paytables/` is read without touching the working tree.

A tree of git may have any name, even "..". Every name is checked before a file is written.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ..base import budgets
from ..base.errors import Fault, InputError, fault, raise_all
from ..userfiles.words import file_and_selection


def revision_and_path(word: str) -> tuple[str, str]:
    """Return the two parts of REVISION:PATH; the revision is empty if the word is a path or an id."""
    revision, colon, path = word.partition(":")
    return (revision, path) if colon and revision and not os.path.exists(word) else ("", word)


@contextmanager
def checked_out(word: str) -> Iterator[str]:
    """Yield a folder or file with the content of REVISION:PATH for the duration of the block, or the word itself.

    Raises `InputError` for a path that the revision does not have, and for a tree with an unsafe name; it names the
    revision, not the copy.
    """
    revision, path = revision_and_path(word)
    if not revision:
        yield word
        return
    named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = _git(word, *named).decode().strip()
    wanted, selection = _from_root(word, path), ""
    listed = _listed(word, commit, wanted)
    if not listed and file_and_selection(path)[1]:  # no file has the whole name: FILE#ID
        path, selection = file_and_selection(path)
        wanted = _from_root(word, path)
        listed = _listed(word, commit, wanted)
    with TemporaryDirectory(prefix="combin-") as folder:
        entries = [entry.partition(b"\t") for entry in listed.split(b"\0") if entry]
        if not entries and wanted:
            raise fault("the revision has no such file or folder", "check the path, or name an older folder", file=word)
        if len(entries) > budgets.FILES:
            raise fault(f"holds more than {budgets.FILES:,} files", "name a folder of paytables", file=word)
        names = [os.fsdecode(name) for _, _, name in entries]
        raise_all([_unsafe(f"{revision}:{name}") for name in names if not _is_plain(name)])
        alone = names == [wanted] and not path.endswith("/")
        start = os.path.dirname(wanted) if alone else wanted
        for (head, _, _), name in zip(entries, names, strict=True):
            mode, kind, blob, size = head.split()
            if kind != b"blob" or not mode.startswith(b"100") or not name.lower().endswith((".toml", ".csv", ".xlsx")):
                continue
            if int(size) > budgets.FILE_BYTES:
                what = f"is larger than {budgets.FILE_BYTES:,} bytes"
                raise fault(what, "give a file of paytables or rules", file=f"{revision}:{name}")
            target = Path(folder, os.path.relpath(name, start or "."))
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with open(target, "xb") as stream:
                    stream.write(_git(word, "cat-file", "blob", blob.decode()))
            except OSError:  # the tree has the name twice, or both as a file and as a folder
                raise InputError(_unsafe(f"{revision}:{name}")) from None
        copy = str(Path(folder, os.path.basename(wanted))) if alone else folder
        try:
            yield f"{copy}#{selection}" if selection else copy
        except InputError as error:
            raise InputError(*(
                replace(f, file=name_of(f.file, copy, word)) if f.file.startswith(folder) else f for f in error.faults
            )) from None  # fmt: skip


def _listed(word: str, commit: str, wanted: str) -> bytes:
    return _git(word, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", *([wanted] if wanted else []))


def merge_base(word: str) -> tuple[str, str, str] | None:
    """The parts of FIRST...SECOND[:PATH]: the merge base, the second commit (empty for the working tree), the path.

    Returns None unless the word has three dots and is not a path.
    """
    both, _, path = word.partition(":")
    first, dots, second = both.partition("...")
    if not dots or not first or os.path.exists(word):
        return None
    base = _git(word, "merge-base", "--", first, second or "HEAD").decode().strip()
    return base, second, path


def _from_root(word: str, path: str) -> str:
    """Return the path from the root of the repository; empty for the root itself."""
    prefix = os.fsdecode(_git(word, "rev-parse", "--show-prefix")).rstrip("\n")
    from_root = os.path.normpath(os.path.join(prefix, path)).replace(os.sep, "/")
    if from_root.startswith(("../", "/")) or from_root == "..":
        raise fault("is outside the repository", "name a path inside it", file=word)
    return "" if from_root == "." else from_root


#: Separators of paths on this system besides "/".
_SEPARATORS = "\\:" if os.name == "nt" else ""


def _is_plain(name: str) -> bool:
    """Whether every part of a path within a tree is a plain name of a file or folder."""
    parts = name.split("/")
    return not any(part.lower() in ("", ".", "..", ".git", "git~1") or set(part) & set(_SEPARATORS) for part in parts)


def _unsafe(file: str) -> Fault:
    return Fault("the tree of the revision has a name that leaves its folder, or has it twice",
                 "do not use this revision: git itself refuses to check it out", file)


def name_of(file: str, copy: str, word: str) -> str:
    """Return the name of a file below the ``copy`` of REVISION:PATH: REVISION:FILE."""
    revision, path = revision_and_path(word)
    copy = file_and_selection(copy)[0]
    alone = os.path.isfile(copy)
    path = file_and_selection(path)[0] if alone else path
    root, start = (os.path.dirname(copy), os.path.dirname(path)) if alone else (copy, path.rstrip("/"))
    return f"{revision}:{os.path.normpath(os.path.join(start, os.path.relpath(file, root)))}"


def _git(word: str, *words: str) -> bytes:
    try:
        plain = {**os.environ, "LC_ALL": "C"}  # its messages are matched below
        return subprocess.run(["git", *words], capture_output=True, check=True, env=plain).stdout
    except FileNotFoundError:
        raise fault("needs git, which is not installed", "install git, or give a folder", file=word) from None
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
        if any("not a git repository" in line for line in lines):
            raise fault("this folder is not in a git repository", "run it inside one, or give a file or a folder",
                        file=word) from None
        if words[0] in ("rev-parse", "merge-base"):
            raise fault("there is no such revision here", "git log shows them; fetch it first", file=word) from None
        raise fault(f"git: {lines[-1] if lines else 'failed'}", "check the revision and the path", file=word) from None
