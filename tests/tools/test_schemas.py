"""The schemas for editors accept every file that combin accepts, and mark misspelt keys."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from combin.policy.criteria import CRITERIA
from combin.policy.start import own_text, paytable_text, policy_text
from combin.rulebook.book import shipped
from combin.tools.schemas import KINDS, REQUIREMENT, SETTINGS, TOP, WAGER, WAIVER, schema, text
from combin.userfiles.paytables import WAGER_FILE_KEYS

ROOT = Path(__file__).parents[2]


def faults(kind: str, data: object) -> list[str]:
    # An editor reads TOML dates as texts.
    plain = json.loads(json.dumps(data, default=str))
    return [e.message for e in jsonschema.Draft7Validator(schema(kind)).iter_errors(plain)]


@pytest.mark.parametrize("kind", KINDS)
def test_each_is_a_schema(kind: str) -> None:
    jsonschema.Draft7Validator.check_schema(json.loads(text(kind)))


def every(part: object) -> list[dict[str, object]]:
    if isinstance(part, dict):
        return [part, *(one for value in part.values() for one in every(value))]
    return [one for value in part for one in every(value)] if isinstance(part, list) else []


def test_every_key_is_described() -> None:
    assert set(WAGER) == set(WAGER_FILE_KEYS)
    for words in (WAGER, REQUIREMENT, TOP, WAIVER, SETTINGS):
        assert all(len(w) > 10 and w.endswith(".") for w in words.values())
    described = schema("policy")["properties"]["rule"]["items"]["properties"]
    assert set(described) == {*REQUIREMENT, *CRITERIA}
    assert all(one["description"] for one in described.values())


def files_of_the_guide() -> list[str]:
    pages = sorted((ROOT / "docs" / "guide").glob("*.md"))
    return re.findall(r"```toml\n(.*?)```", "".join(p.read_text(encoding="utf-8") for p in pages), re.DOTALL)


def test_the_files_of_the_guide_are_taken() -> None:
    tried = dict.fromkeys(KINDS, 0)
    for block in files_of_the_guide():
        data = tomllib.loads(block)
        kind = {"wager": "paytable", "rule": "policy", "policy": "settings"}.get(next(iter(data)), "")
        if kind:
            tried[kind] += 1
            assert faults(kind, data) == [], block
    assert all(tried.values()), tried


@pytest.mark.parametrize("name", ["lenient", "sound", "strict"])
def test_the_policies_that_ship_are_taken(name: str) -> None:
    assert faults("policy", tomllib.loads((files("combin") / "policies" / f"{name}.toml").read_text())) == []


def test_what_init_writes_is_taken() -> None:
    from combin import analyze

    a = analyze("maryland/high-card-flush/flush-bonus/A")
    wager = shipped().wagers["maryland/high-card-flush/flush-bonus"]
    assert faults("paytable", tomllib.loads(paytable_text(wager, "A", a))) == []
    assert faults("policy", tomllib.loads(policy_text(a, {"stake": "1"}))) == []
    assert faults("paytable", tomllib.loads(own_text("player 2, upcard 1", {"player": 2, "upcard": 1}))) == []


def test_wagers_of_the_catalogue_are_taken() -> None:
    """A user's file may have the same terms as the shipped documents."""
    tried = 0
    for path in sorted((files("combin") / "rules").iterdir(), key=lambda p: p.name):
        for wager in tomllib.loads(path.read_text(encoding="utf-8")).get("wager", []):
            own = {k: v for k, v in wager.items() if k in WAGER_FILE_KEYS}
            assert faults("paytable", {"wager": [own]}) == [], wager["id"]
            tried += 1
    assert tried > 40


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("paytable", {"wagers": []}),
        ("paytable", {"wager": [{"based_on": "a/b", "paytables": {}}]}),
        ("paytable", {"wager": [{"based_on": "a/b"}]}),
        ("paytable", {"wager": [{"paytable": {"x": {"any 20": "4 to 1"}}}]}),
        ("paytable", {"wager": [{"based_on": "a/b", "paytable": {"x": {"any 20": 4}}}]}),
        ("paytable", {"wager": [{"based_on": "a/b", "decks": [9], "paytable": {"x": {"any 20": "4 to 1"}}}]}),
        ("policy", {"rule": [{"name": "x", "applies_to": "*", "return_mni": "1"}]}),
        ("policy", {"rule": [{"applies_to": "*", "return_min": "1"}]}),
        ("policy", {"rule": [{"name": "x", "applies_to": "*", "no_player_advantage": False}]}),
        ("policy", {"waiver": [{"id": "*"}]}),
        ("policy", {"undecided": "maybe"}),
        ("settings", {"polcy": "x"}),
    ],
)
def test_a_slip_is_marked(kind: str, data: object) -> None:
    assert faults(kind, data) != []
