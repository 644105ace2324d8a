"""Run a command for the shell: every fault of the input is one line, and the exit status is 2."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from ..base.errors import CountError, Fault, InputError, short
from ..base.safe_text import shown
from ..base.store import Store, folder, using
from ..base.version import VERSION
from .commands import cli
from .group import BAD_INPUT, GOOD, INTERRUPTED, OWN_FAULT


def main() -> None:
    """Run the command line.

    Faults of the input end in one line each and status 2, a wrong count in one line and status 3.
    """
    kept = sys.stdout
    _open_streams()
    root = None if "--no-cache" in sys.argv else folder()
    try:
        with using(None if root is None else Store(root)):
            result = cli.main(standalone_mode=False, prog_name="combin")
        sys.stdout.flush()
        sys.exit(result if isinstance(result, int) else GOOD)
    except InputError as error:
        for item in error.faults:
            _complain(str(_of_given_flags(item)))
        sys.exit(BAD_INPUT)
    except CountError as error:
        _complain(
            f"{short(str(error))}; the counts do not close, an error in combin {VERSION}: do not use its figures, "
            "and send this line, the command and its files to the maintainers"
        )
        sys.exit(OWN_FAULT)
    except click.ClickException as error:
        _complain(short(" ".join(error.format_message().split()).rstrip(".")) + _help_of(error))
        sys.exit(BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        _complain("stopped")
        os._exit(INTERRUPTED)
    except BrokenPipeError:
        _forget(sys.stdout)  # the reader has closed the pipe, as head does
        sys.exit(GOOD)
    except OSError as error:  # such as a full disk, or a file name that is too long
        _forget(sys.stdout)
        _complain(short(f"{error.filename or 'standard output'}: {error.strerror or error}"))
        sys.exit(BAD_INPUT)
    except MemoryError:
        _complain("there is not enough memory; analyse fewer paytables at once")
        sys.exit(BAD_INPUT)
    finally:
        if kept is not None and sys.stdout is not kept:
            copy, sys.stdout = sys.stdout, kept
            with suppress(OSError, ValueError):
                copy.close()


def _of_given_flags(item: Fault) -> Fault:
    """Return a fault without its flag if the user has not given that flag; the remedy says to add it."""
    given = any(word == item.file or word.startswith(f"{item.file}=") for word in sys.argv)
    return item if given or not item.file.startswith("--") else replace(item, file="")


def _help_of(error: click.ClickException) -> str:
    """Return the name of the help of the command, for an error of usage."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"; {context.command_path} --help says what it takes" if context is not None else ""


def _open_streams() -> None:
    """Open both output streams: a closed one discards text, and characters outside the encoding become escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # Without a buffer, a full disk truncates a write silently.
        buffered = open(os.dup(sys.stdout.fileno()), "wb")  # noqa: SIM115 - as long as the command
        sys.stdout = io.TextIOWrapper(buffered, sys.stdout.encoding, "backslashreplace")


def _forget(stream: Any) -> None:
    """Discard a stream's unwritten text; otherwise Python would try to write it again at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(line: str) -> None:
    """Write one line to standard error, if that is open."""
    try:
        print(f"combin: {shown(line)}", file=sys.stderr, flush=True)
    except OSError:
        _forget(sys.stderr)
