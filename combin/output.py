"""Where results go: standard output, or a file that is replaced whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from .errors import fault


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Replace ``path`` by ``content`` in one step; on any failure the old file stays as it was."""
    target = Path(path)
    raw = content.encode() if isinstance(content, str) else content
    folder = target.parent
    if target.is_dir():
        raise fault("is a folder", "name a file", file=str(path))
    if not folder.is_dir():
        raise fault(f"the folder {folder} does not exist", "make it first", file=str(path))
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{target.name}.", delete=False) as stream:
            temporary = stream.name
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask() if not target.exists() else target.stat().st_mode & 0o777)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise fault(f"cannot be written: {error.strerror}", "choose a place that can", file=str(path)) from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def deliver(content: str, path: str | None) -> None:
    """Text to a file, or to standard output as UTF-8 whatever the locale says."""
    if path is not None:
        write_whole(path, content)
        return
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(content)
    else:
        buffer.write(content.encode())
        buffer.flush()
