"""The command line."""

from __future__ import annotations


def main() -> None:
    """Run the command line; Ctrl-C while it is being loaded is one line too."""
    import gc

    gc.set_threshold(100_000, 50, 50)  # a command is short: collecting its modules and tables again and again is not
    try:
        from .running import main as run
    except KeyboardInterrupt:
        import os
        import sys

        print("combin: stopped", file=sys.stderr, flush=True)
        os._exit(130)
    run()
