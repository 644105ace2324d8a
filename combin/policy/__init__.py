"""Paytables checked against a policy: requirements in TOML, and one flat verdict for each check.

    policy = read_policy("policy.toml")
    report = check(book, identifiers, policy)
    report.met

Every writer in `combin.policy.writers` writes `Report.verdicts`.
"""

from __future__ import annotations

from .evaluation import check
from .model import GateReport, Policy, Requirement, Verdict, Waiver
from .reader import read_policy

#: The old name of `Requirement`, kept for one release.
Rule = Requirement

__all__ = ["GateReport", "Policy", "Requirement", "Rule", "Verdict", "Waiver", "check", "read_policy"]
