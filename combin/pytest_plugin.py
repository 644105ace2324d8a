"""pytest --combin-policy policy.toml paytables/: each paytable × requirement is a test item.

The verdicts are those of `combin check` over all collected files: one collection, one evaluation,
and items that show its verdicts. Every pytest run loads the plug-in, so it imports nothing of
combin before its option is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .policy.gate import Gate
    from .policy.model import Verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("combin", "paytables held to policy")
    group.addoption("--combin-policy", metavar="FILE", help="hold the paytable files that are collected to this policy")
    group.addoption("--combin-today", metavar="DATE", help="the date that ends waivers; none ends without it")
    group.addoption("--combin-baseline", metavar="FILE", help="accept the findings of this file")
    group.addoption("--combin-partial", action="store_true", help="a requirement may match none of the paytables given")
    group.addoption(
        "--combin-allow-unjudged", action="store_true", help="let a paytable pass that no requirement judges"
    )


_GATE: pytest.StashKey[Gate] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    given = config.getoption
    if given("--combin-policy") is None:
        return
    from .base.errors import InputError
    from .policy.gate import Gate

    try:
        config.stash[_GATE] = Gate.of(
            given("--combin-policy"),
            today=given("--combin-today"),
            today_flag="--combin-today",
            baseline=given("--combin-baseline"),
            partial=given("--combin-partial"),
            allow_unjudged=given("--combin-allow-unjudged"),
        )
    except InputError as error:
        raise pytest.UsageError("\n".join(map(str, error.faults))) from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    gate = parent.config.stash.get(_GATE, None)
    if gate is None:
        return None
    from .userfiles.recognise import may_hold_paytables

    named = parent.session.isinitpath(file_path) and file_path.suffix.lower() in (".toml", ".csv", ".xlsx")
    if not named and not may_hold_paytables(_shown(file_path)):
        return None
    found: pytest.Collector = PaytableFile.from_parent(parent, path=file_path)
    return found


class PaytableFile(pytest.File):
    """A file of paytables: an item for each of them and each requirement that applies to it."""

    def collect(self) -> Iterator[pytest.Item]:
        from .base.errors import InputError

        gate = self.config.stash[_GATE]
        try:
            identifiers = gate.add(_shown(self.path))
        except InputError as error:
            raise self.CollectError("\n".join(map(str, error.faults))) from None
        for identifier in identifiers:
            for requirement in gate.requirements_of(identifier) or [UNJUDGED]:
                name = f"{identifier}::{requirement}"
                yield PaytableItem.from_parent(
                    self, name=name, gate=gate, requirement=requirement, identifier=identifier
                )


#: The name of the item of a paytable to which no requirement applies.
UNJUDGED = "requirements"


class NotMet(Exception):
    """The failed verdicts, a line each."""


class PaytableItem(pytest.Item):
    """One requirement on one paytable: its verdicts, and further ones that no other item shows."""

    def __init__(self, *, gate: Gate, requirement: str, identifier: str, **others: Any) -> None:
        super().__init__(**others)
        self.gate, self.requirement, self.identifier = gate, requirement, identifier
        self.verdicts: list[Verdict] = []

    def runtest(self) -> None:
        from .policy.writers import place, sentence

        self.verdicts = self.gate.shown_by(self.identifier, self.requirement)
        wrong = [v for v in self.verdicts if not v.met]
        if wrong:
            raise NotMet("\n".join(f"{place(v)}: {v.status}: {sentence(v)}" for v in wrong))
        accepted = [v for v in self.verdicts if v.accepted]
        if accepted:
            pytest.xfail("; ".join(dict.fromkeys(v.accepted_reason for v in accepted)))
        if self.verdicts and all(v.status == "skipped" for v in self.verdicts):
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
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """End the run if no file of paytables is collected, or if a requirement matches no known paytable."""
    gate = config.stash.get(_GATE, None)
    if gate is None:
        return
    from .base.errors import InputError

    try:
        if not gate.wanted and not gate.refused:
            raise pytest.UsageError(f"{config.getoption('--combin-policy')}: no file of paytables is collected")
        if not gate.refused:
            gate.fit()
    except InputError as error:
        raise pytest.UsageError("\n".join(map(str, error.faults))) from None


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    gate = config.stash.get(_GATE, None)
    if gate is not None and gate.notes:
        terminalreporter.section("combin")
        for note in gate.notes:
            terminalreporter.write_line(f"note: {note}")


def _shown(path: Path) -> str:
    """The path as seen from the current folder, for messages."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def pytest_report_header(config: pytest.Config) -> Iterable[str]:
    policy = config.getoption("--combin-policy")
    return [] if policy is None else [f"combin: policy {policy}"]
