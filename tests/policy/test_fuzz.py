"""Every file of a user is read, or refused with one line a fault. No other exception occurs."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import combin
from combin.base.textfiles import KeyLines, parse_toml
from combin.base.toml_tables import TomlFile
from combin.policy.criteria import CRITERIA
from combin.policy.evaluation import Checker, check
from combin.policy.reader import _PolicyReader as PolicyReader
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_data, add_file

from ..generated import FLUSH, anything, policies, refusal, tables, wagers


@pytest.fixture(scope="module", autouse=True)
def _counted() -> None:
    """The rulebook is read and the deals of `FLUSH` are counted once, before the first test."""
    combin.analyze(f"{FLUSH}/A")


def policy_reader(data: dict[str, Any]) -> PolicyReader:
    return PolicyReader(TomlFile("x.toml", data=data), (), {})


FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@FEW
@given(st.fixed_dictionaries({"wager": st.lists(wagers, max_size=3) | anything}) | tables(("wager",)))
def test_paytable_files(data: dict[str, Any]) -> None:
    found = refusal(lambda: add_data(data, "x.toml"))
    assert "no lines" not in found


@FEW
@given(policies)
def test_policy_files(data: dict[str, Any]) -> None:
    read = policy_reader(data).policy
    assert "no lines" not in refusal(lambda: check(shipped(), [f"{FLUSH}/A"], read()))


@FEW
@given(st.sampled_from(sorted(CRITERIA)), anything)
def test_values_of_bounds(key: str, value: Any) -> None:
    data = {"rule": [{"name": "x", "applies_to": [f"{FLUSH}/A"], key: value}]}
    read = policy_reader(data).policy
    if not refusal(read):
        policy = policy_reader(data).policy()
        assert Checker(shipped(), policy).verdicts([f"{FLUSH}/A"])


@settings(FEW, max_examples=15)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_bytes_of_every_suffix(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    for name in ("fuzz.toml", "fuzz.csv", "fuzz.xlsx"):
        (folder / name).write_bytes(raw)
        word = str(folder / name) if name == "fuzz.toml" else f"{FLUSH}={folder / name}"
        assert refusal(lambda word=word: add_file(shipped(), word))


@FEW
@given(st.text(max_size=300))
def test_toml_text(text: str) -> None:
    KeyLines(text)
    assert len(refusal(lambda: parse_toml(text, "x.toml"))) <= 1
