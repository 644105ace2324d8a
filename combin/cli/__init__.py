"""The command line."""

from __future__ import annotations


def main() -> None:
    """Run the command line; Ctrl-C while it loads prints one line as well."""
    import gc

    gc.set_threshold(100_000, 50, 50)  # a command ends soon: frequent garbage collection costs more than it frees
    try:
        from .running import main as run
    except KeyboardInterrupt:
        import os
        import sys

        print("combin: stopped", file=sys.stderr, flush=True)
        os._exit(130)
    run()
