"""The old name of `combin.play.strategy`, kept for a release."""

from .play.strategy import *  # noqa: F403
from .play.strategy import OwnStrategy as Rule  # noqa: F401
