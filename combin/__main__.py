"""``python -m combin``."""

from .cli import main

main()
