"""pytest --combin-policy policy.toml paytables/: each paytable × rule is a test item.

The plug-in is loaded with every pytest run, so it imports nothing of combin before
its option is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .policy.evaluation import Checker
    from .policy.model import Policy, Rule, Verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("combin", "paytables held to policy")
    group.addoption("--combin-policy", metavar="FILE", help="hold the paytable files that are collected to this policy")
    group.addoption("--combin-today", metavar="DATE", help="the date that ends waivers; none ends without it")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--combin-policy") is None:
        return
    from .base.errors import InputError

    try:
        _policy(config)
        _today(config)
    except InputError as error:
        raise pytest.UsageError(str(error)) from None
    except ValueError:
        raise pytest.UsageError("--combin-today is not a date; write 2027-01-31") from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    policy = parent.config.getoption("--combin-policy")
    holds = _HOLDS.get(file_path.suffix.lower())
    if policy is None or holds is None or not _any_line(file_path, holds):
        return None
    found: pytest.Collector = PaytableFile.from_parent(parent, path=file_path)
    return found


#: What a line of a file of paytables looks like, by suffix: other TOML and CSV files are none of ours.
_HOLDS = {
    ".toml": re.compile(rb"\s*\[\[\s*wager\s*\]\]"),
    ".csv": re.compile(rb"(?i)(?=.*\boutcome\b)(?=.*\bpays\b)(?=.*\bwager\b)"),
}


def _any_line(path: Path, pattern: re.Pattern[bytes]) -> bool:
    """Whether a line of the file matches; false where it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return any(pattern.match(line) for line in stream)
    except OSError:
        return False


class PaytableFile(pytest.File):
    """A file of paytables: an item for each of them and each rule that applies to it."""

    def collect(self) -> Iterator[pytest.Item]:
        from .base.errors import InputError
        from .policy.evaluation import Checker
        from .rulebook.book import shipped
        from .userfiles.paytables import add_file

        try:
            book, identifiers = add_file(shipped(), _shown(self.path))
            checker = Checker(book, _policy(self.config))
        except InputError as error:
            raise self.CollectError(str(error)) from None
        self.config.stash.setdefault(_COLLECTED, []).extend(identifiers)
        for identifier in identifiers:
            for rule in checker.policy.rules:
                if rule.applies(identifier):
                    name = f"{identifier}::{rule.name}"
                    yield PaytableItem.from_parent(self, name=name, checker=checker, rule=rule, identifier=identifier)


class NotMet(Exception):
    """The verdicts that are not met, a line each."""


class PaytableItem(pytest.Item):
    """One rule on one paytable."""

    def __init__(self, *, checker: Checker, rule: Rule, identifier: str, **others: Any) -> None:
        super().__init__(**others)
        self.checker, self.rule, self.identifier = checker, rule, identifier
        self.verdicts: list[Verdict] = []

    def runtest(self) -> None:
        from .policy.acceptance import waived
        from .policy.writers import place, sentence

        found = self.checker.verdicts(self.rule, [self.identifier])
        today = _today(self.config)
        self.verdicts, _ = waived(found, self.checker.policy.waivers, today, [self.identifier])
        wrong = [v for v in self.verdicts if not v.met]
        if wrong:
            raise NotMet("\n".join(f"{place(v)}: {v.status}: {sentence(v)}" for v in wrong))
        accepted = [v for v in self.verdicts if v.accepted]
        if accepted:
            pytest.xfail("; ".join(dict.fromkeys(v.accepted_reason for v in accepted)))
        if all(v.status == "skipped" for v in self.verdicts):
            pytest.skip(self.verdicts[0].message)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from .base.errors import InputError

        if isinstance(excinfo.value, (NotMet, InputError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        line = next((v.line for v in self.verdicts if v.line), None)
        return self.path, None if line is None else line - 1, self.name


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config) -> None:
    """End the run where a rule matches neither a paytable of the files nor one of the documents."""
    collected = config.stash.get(_COLLECTED, None)
    if collected is None:
        return
    from .policy.evaluation import matches_nothing
    from .rulebook.book import shipped

    known = [*shipped().ids(), *collected]
    wrong = [rule for rule in _policy(config).rules if not any(map(rule.applies, known))]
    if wrong:
        raise pytest.UsageError("\n".join(str(matches_nothing(rule, shipped())) for rule in wrong))


_POLICY: pytest.StashKey[Policy] = pytest.StashKey()
#: The ids of all files that were collected.
_COLLECTED: pytest.StashKey[list[str]] = pytest.StashKey()


def _policy(config: pytest.Config) -> Policy:
    """The policy of the run, read once."""
    if _POLICY not in config.stash:
        from .policy.reader import read_policy

        config.stash[_POLICY] = read_policy(config.getoption("--combin-policy"))
    return config.stash[_POLICY]


def _today(config: pytest.Config) -> Any:
    from datetime import date

    text = config.getoption("--combin-today")
    return None if text is None else date.fromisoformat(text)


def _shown(path: Path) -> str:
    """The path as seen from the current folder, for messages."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def pytest_report_header(config: pytest.Config) -> Iterable[str]:
    policy = config.getoption("--combin-policy")
    return [] if policy is None else [f"combin: policy {policy}"]
