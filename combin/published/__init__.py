"""The ledger: every published claim compared with the exact value, with the cause of every wrong one.

`published` lists the claims, `judge` returns the verdict on one, `pages` writes the committed page.
"""

from .claims import Claim, published
from .judge import VERDICTS, ClaimVerdict, judge, judge_all
from .page import pages

__all__ = ["VERDICTS", "Claim", "ClaimVerdict", "judge", "judge_all", "pages", "published"]
