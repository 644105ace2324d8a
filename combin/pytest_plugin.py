"""pytest --combin: each paytable × requirement is a test item, as combin.toml says.

    pytest --combin                                  # policy, paytables, baseline and waivers of combin.toml
    pytest --combin-policy policy.toml paytables/    # these folders and files instead

`combin check` collects the same paytables, also those in folders that pytest skips. All items show the verdicts of one
evaluation of all paytables. Every pytest run loads the plug-in, so it imports the rest of combin only when its option
is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .policy.gate import Gate
    from .policy.model import Verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("combin", "paytables checked against a policy")
    group.addoption("--combin", action="store_true", help="check paytables as combin.toml says")
    group.addoption("--combin-policy", metavar="FILE", help="check paytables against this policy")
    group.addoption("--combin-today", metavar="DATE", help="the date that ends waivers; without it none ends")
    group.addoption("--combin-baseline", metavar="FILE", help="accept the findings of this file")
    group.addoption("--combin-partial", action="store_true", help="allow a requirement that matches no given paytable")
    group.addoption(
        "--combin-allow-unjudged", action="store_true", help="let a paytable pass to which no requirement applies"
    )


_GATE: pytest.StashKey[Gate] = pytest.StashKey()
#: The files, ids and globs that are checked.
_WORDS: pytest.StashKey[tuple[str, ...]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    given = config.getoption
    if given("--combin-policy") is None and not given("--combin"):
        return
    from .base.errors import InputError
    from .policy.gate import Gate
    from .policy.settings import settings

    try:
        stated = settings()
        policy = given("--combin-policy") or stated.policy
        if policy is None:
            raise pytest.UsageError(f"--combin: no policy is given; write one in {stated.file or 'combin.toml'}")
        gate = config.stash[_GATE] = Gate(
            policy,
            today=given("--combin-today"),
            today_flag="--combin-today",
            baseline=given("--combin-baseline") or stated.baseline,
            partial=given("--combin-partial"),
            allow_unjudged=given("--combin-allow-unjudged"),
            waivers=stated.waivers,
            layout=stated.sheets,
        )
        handed_on = getattr(config, "workerinput", {}).get("combin_words")
        config.stash[_WORDS] = _words(config, gate, stated.paytables) if handed_on is None else tuple(handed_on)
    except InputError as error:
        raise pytest.UsageError("\n".join(map(str, error.faults))) from None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the words to a worker of pytest-xdist, whose own arguments differ from the command line."""
    node.workerinput["combin_words"] = node.config.stash.get(_WORDS, None)


def _words(config: pytest.Config, gate: Gate, stated: Sequence[str]) -> tuple[str, ...]:
    """Return the paytable files on the command line and in its folders; without any, those of combin.toml."""
    from .userfiles.expansion import expanded

    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        return gate.expand(stated)
    words: dict[str, None] = {}
    for path in (Path(config.invocation_params.dir, str(arg).partition("::")[0]) for arg in config.args):
        if path.is_dir():
            words |= dict.fromkeys(expanded([_shown(path) + "/"], gate.passed_over, required=False))
        elif path.suffix.lower() in (".toml", ".csv", ".xlsx"):
            words[_shown(path)] = None
    return tuple(words)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    gate = parent.config.stash.get(_GATE, None)
    if gate is None or _shown(file_path) not in parent.config.stash[_WORDS]:
        return None
    collector: pytest.Collector = PaytableFile.from_parent(parent, path=file_path)
    return collector


class PaytableFile(pytest.File):
    """A file of paytables, with an item for each paytable and each requirement that applies to it."""

    def collect(self) -> Iterator[pytest.Item]:
        from .base.errors import InputError

        try:
            yield from _items(self, self.config.stash[_GATE], _shown(self.path))
        except InputError as error:
            raise self.CollectError("\n".join(map(str, error.faults))) from None


#: The name of the item of a paytable to which no requirement applies.
UNJUDGED = "requirements"


def _items(parent: pytest.Collector, gate: Gate, word: str) -> Iterator[pytest.Item]:
    words = gate.add(word)  # changes the book
    for identifier in gate.book.select(words):
        for requirement in gate.requirements_of(identifier) or [UNJUDGED]:
            name = f"{identifier}::{requirement}"
            yield PaytableItem.from_parent(parent, name=name, gate=gate, requirement=requirement, identifier=identifier)


class NotMet(Exception):
    """Failed verdicts, one per line."""


class PaytableItem(pytest.Item):
    """One requirement on one paytable, with its verdicts and those that belong to no other item."""

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
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the paytables that pytest does not collect itself.
    Raises `pytest.UsageError` if no paytable is collected, or if a requirement matches no known paytable.
    """
    gate = config.stash.get(_GATE, None)
    if gate is None:
        return
    from .base.errors import InputError

    try:
        if not any("::" in str(arg) for arg in config.args):
            for word in config.stash[_WORDS]:
                if not gate.has(word):
                    items += _items(_parent(session, word), gate, word)
        if not gate.wanted and not gate.refused:
            raise pytest.UsageError(f"{gate.policy.file}: no paytable file was collected; name a file or folder")
        if not gate.refused:
            gate.fit()
    except InputError as error:
        raise pytest.UsageError("\n".join(map(str, error.faults))) from None


def _parent(session: pytest.Session, word: str) -> pytest.Collector:
    """Return the node of a file that pytest does not collect; the session for an id, a glob or WAGER=FILE."""
    path = Path(word).resolve()
    if not path.is_file():
        return session
    collector: pytest.Collector = PaytableFile.from_parent(session, path=path)
    return collector


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    gate = config.stash.get(_GATE, None)
    if gate is not None and gate.notes:
        terminalreporter.section("combin")
        for note in gate.notes:
            terminalreporter.write_line(f"note: {note}")


def _shown(path: Path) -> str:
    """Return the path relative to the current folder, for messages."""
    path = Path(os.path.normpath(path))
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def pytest_report_header(config: pytest.Config) -> Iterable[str]:
    gate = config.stash.get(_GATE, None)
    return [] if gate is None else [f"combin: policy {gate.policy.file}"]
