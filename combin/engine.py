"""The old name of `combin.analysis.engine`, kept for a release."""

from .analysis.engine import *  # noqa: F403
