"""The old name of `combin.play.strategy`, kept for a release."""

from .play.strategy import *  # noqa: F403
