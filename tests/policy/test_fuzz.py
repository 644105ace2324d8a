"""Every file of a user is read, or refused with one line a fault. No other exception occurs."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from combin.base.errors import InputError
from combin.base.textfiles import Faults, Number, Places, parse_toml
from combin.policy.criteria import CRITERIA
from combin.policy.evaluation import Checker, check
from combin.policy.reader import REQUIREMENT_KEYS, TOP_KEYS, WAIVER_KEYS
from combin.policy.reader import _Reader as PolicyReader
from combin.rulebook.book import extended, shipped
from combin.userfiles.paytables import _OWN_KEYS, add_file
from combin.userfiles.paytables import _Reader as PaytableReader

FLUSH = "maryland/high-card-flush/flush-bonus"
FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
scalars = (
    st.text(max_size=12)
    | st.integers(-3, 10**40)
    | st.booleans()
    | st.builds(Number, st.sampled_from(["0.75", "1e3", "nan", "-inf", "1.0"]))
    | st.dates()
    | st.sampled_from(
        ["all", "ante", "3/4", "10%", "300 to 1", "push", "*", FLUSH, f"{FLUSH}/*", "player 7", "longest-flush"]
    )
)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)


anything = st.recursive(scalars, nested, max_leaves=6)


def refusal(call: Callable[[], object]) -> list[str]:
    """The faults that a call raises, or none. Another exception fails the test."""
    try:
        call()
    except InputError as error:
        lines = [str(f) for f in error.faults]
        return lines if lines and not any("\n" in line for line in lines) else ["no lines", *lines]
    return []


def tables(keys: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(keys) | st.text(max_size=5), anything, max_size=6)


lines = st.dictionaries(
    st.sampled_from(["four-card flush", "name", "decks"]) | st.text(max_size=5), scalars, max_size=4
)
paytables = st.dictionaries(st.text(max_size=5) | st.just("house"), lines | anything, max_size=3)
wagers = tables(_OWN_KEYS) | st.fixed_dictionaries({"based_on": st.just(FLUSH), "paytable": paytables})
requirements = tables(REQUIREMENT_KEYS) | st.fixed_dictionaries(
    {"name": st.just("x"), "applies_to": st.just(["*/flush-bonus/A"])},
    optional={key: anything for key in REQUIREMENT_KEYS if key not in ("name", "applies_to")},
)
policies = st.fixed_dictionaries(
    {"rule": st.lists(requirements, max_size=2), "waiver": st.lists(tables(WAIVER_KEYS), max_size=2)},
    optional={key: anything for key in TOP_KEYS if key not in ("rule", "waiver")},
)


@FEW
@given(st.fixed_dictionaries({"wager": st.lists(wagers, max_size=3) | anything}) | tables(("wager",)))
def test_paytable_files(data: dict[str, Any]) -> None:
    found = refusal(lambda: PaytableReader(extended(shipped()), "x.toml", Places(""), "", Faults(), ()).read(data))
    assert "no lines" not in found


@FEW
@given(policies)
def test_policy_files(data: dict[str, Any]) -> None:
    read = PolicyReader("x.toml", data, Places(""), (), {}).policy
    assert "no lines" not in refusal(lambda: check(shipped(), [f"{FLUSH}/A"], read()))


@FEW
@given(st.sampled_from(sorted(CRITERIA)), anything)
def test_values_of_bounds(key: str, value: Any) -> None:
    data = {"rule": [{"name": "x", "applies_to": [f"{FLUSH}/A"], key: value}]}
    read = PolicyReader("x.toml", data, Places(""), (), {}).policy
    if not refusal(read):
        policy = PolicyReader("x.toml", data, Places(""), (), {}).policy()
        assert Checker(shipped(), policy).verdicts([f"{FLUSH}/A"])


@pytest.mark.slow
@FEW
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
    Places(text)
    assert len(refusal(lambda: parse_toml(text, "x.toml"))) <= 1
