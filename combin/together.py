"""The old name of `combin.play.together`, kept for a release."""

from .play.together import *  # noqa: F403
