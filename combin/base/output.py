"""Output of results: standard output, or a file that is replaced as a whole or not at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from .errors import fault


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Replace ``path`` by ``content`` in one step; on any failure the old file stays unchanged.

    A link stays a link. A device or a pipe is written to, not replaced.
    """
    target = _target(path)
    import tempfile

    raw = encoded(content) if isinstance(content, str) else content
    temporary = None
    try:
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
            Path(path).write_bytes(raw)
            return
        folder = target.parent
        clear_parts(folder, target.name)
        prefix = f".{target.name[:40]}.{os.getpid()}."
        with tempfile.NamedTemporaryFile(dir=folder, prefix=prefix, suffix=PART, delete=False) as stream:
            temporary = stream.name
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask() if not target.exists() else target.stat().st_mode & 0o777)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise fault(f"cannot be written: {error.strerror}", "choose another place", file=str(path)) from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _target(path: str | Path) -> Path:
    """Return the file that a path names, through links; raises `InputError` if there cannot be one."""
    if str(path) == "-":
        raise fault("is standard output, not a file", "name a file, or write ./-", file="-")
    if "\0" in str(path):
        raise fault("is not a path", "choose another name", file=repr(str(path)))
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise fault("is a folder", "name a file", file=str(path))
        if not target.parent.is_dir():
            raise fault(f"the folder {Path(path).parent} does not exist", "make it first", file=str(path))
    except OSError as error:
        raise fault(f"cannot be written: {error.strerror}", "choose another place", file=str(path)) from None
    return target


#: The suffix of a file that is being written; its name has the id of the writing process.
PART = ".combin-part"
_PART_NAME = re.compile(r"\.(?P<target>.{1,40})\.(?P<process>\d+)\.\w{8}" + re.escape(PART))


def clear_parts(folder: Path, target: str = "") -> None:
    """Remove half-written files of killed runs from a folder, for one file name or for all."""
    for path in folder.glob(f".*{PART}"):
        match = _PART_NAME.fullmatch(path.name)
        if match and target[:40] in ("", match["target"]) and _is_over(match["process"]):
            with suppress(OSError):
                path.unlink()


def _is_over(process: str) -> bool:
    """Return whether the process with this id has ended."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def keep_inputs(outputs: Mapping[str, str | None], inputs: Iterable[str | None]) -> None:
    """Raise `InputError` for an output that the same command reads (a flag's value, a PATTERN or WAGER=FILE)."""
    named = [path for word in inputs if word for path in (word, word.partition("=")[2])]
    read = [path for word in named for path in (word, word.rpartition("#")[0]) if path]
    for flag, output in outputs.items():
        for path in read:
            if output is not None and _same_file(output, path):
                raise fault(f"{output} is also read by this command", "name another file", file=flag)


def keep_apart(outputs: Iterable[tuple[str, str | None]]) -> None:
    """Raise `InputError` for an output, a flag and its file, that cannot be written or that another output uses."""
    taken: list[tuple[str, str]] = []
    for flag, output in outputs:
        if output is None:
            continue
        for other, file in taken:
            if _same_file(output, file):
                raise fault(f"{output} is the file of {'another ' if other == flag else ''}{other} too",
                            "name another file", file=flag)
        _target(output)
        taken.append((flag, output))


def _same_file(one: str, other: str) -> bool:
    try:
        if os.path.exists(one):
            return os.path.isfile(one) and os.path.samefile(one, other)
        return os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):
        return False


def encoded(text: str) -> bytes:
    """Return UTF-8 bytes; bytes of a file's name that are not text become escapes."""
    return text.encode("utf-8", "backslashreplace")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def deliver(content: str, path: str | None) -> None:
    """Write text to a file, or to standard output as UTF-8 whatever the locale."""
    if path is not None:
        write_whole(path, content)
        return
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(content)
    else:
        buffer.write(encoded(content))
        buffer.flush()
