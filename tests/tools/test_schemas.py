"""The schemas for editors accept every file that combin accepts, and mark misspelt keys."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from combin.bank.plan import read_plan
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.policy.criteria import CRITERIA
from combin.policy.start import own_text, paytable_text, policy_text
from combin.rulebook.book import shipped
from combin.tools.regenerate import _catalogue
from combin.tools.schemas import KEYS, KINDS, schema, text
from combin.userfiles.cover import read_cover
from combin.userfiles.paytables import WAGER_FILE_KEYS

ROOT = Path(__file__).parents[2]


def faults(kind: str, data: object) -> list[str]:
    # An editor reads TOML dates as texts.
    plain = json.loads(json.dumps(data, default=str))
    return [e.message for e in jsonschema.Draft7Validator(schema(kind)).iter_errors(plain)]


@pytest.mark.parametrize("kind", KINDS)
def test_each_is_a_schema(kind: str) -> None:
    jsonschema.Draft7Validator.check_schema(json.loads(text(kind)))


def test_the_command_offers_every_kind() -> None:
    assert tuple(cli.commands["schema"].params[0].type.choices) == KINDS


def every(part: object) -> list[dict[str, object]]:
    if isinstance(part, dict):
        return [part, *(one for value in part.values() for one in every(value))]
    return [one for value in part for one in every(value)] if isinstance(part, list) else []


def test_every_key_is_described() -> None:
    assert set(KEYS["wager"]) == set(WAGER_FILE_KEYS)
    for words in KEYS.values():
        assert all(len(w) > 10 and w.endswith(".") for w in words.values())
    described = schema("policy")["properties"]["rule"]["items"]["properties"]
    assert set(described) == {*KEYS["requirement"], *CRITERIA}
    assert all(one["description"] for one in described.values())


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("cover", "laboratory client report jurisdiction submission revision supersedes received issued standard "
                  "profiles signatory name role"),
        ("plan", "files bank tables seats rounds_per_hour hours_per_day days runs seed deals "
                 "wager id stake decks set reading wheel"),
        ("catalogue", "analysis patterns files decks set reading ledger"),
        ("wheel", "weights"), ("chart", "name hard soft"),
    ],
)  # fmt: skip
def test_each_key_of_what_a_reader_reads_is_described(kind: str, keys: str) -> None:
    """The keys are those that the guide and the readers' own words list."""
    tables = [one["properties"] for one in every(schema(kind)) if one.get("additionalProperties") is False]
    found = {key: one["description"] for table in tables for key, one in table.items()}
    assert set(found) == set(keys.split())
    assert all(len(words) > 10 and words.endswith(".") for words in found.values())


def files_of_the_guide() -> list[str]:
    pages = [*sorted((ROOT / "docs" / "guide").glob("*.md")), ROOT / "docs" / "library.md"]
    return re.findall(r"```toml\n(.*?)```", "".join(p.read_text(encoding="utf-8") for p in pages), re.DOTALL)


#: The kind of a file of the guide, by its first key.
FIRST = {
    "wager": "paytable", "rule": "policy", "policy": "settings", "laboratory": "cover", "bank": "plan",
    "analysis": "catalogue", "game": "strategy", "weights": "wheel",
}  # fmt: skip


def test_the_files_of_the_guide_are_taken() -> None:
    tried = dict.fromkeys(KINDS, 0)
    for block in files_of_the_guide():
        data = tomllib.loads(block)
        kind = FIRST.get(next(iter(data)), "")
        if kind == "paytable" and "stake" in data["wager"][0]:  # a part of a plan
            assert faults("plan", {"bank": BANK, **data}) == [], block
        elif kind:
            tried[kind] += 1
            assert faults(kind, data) == [], block
    del tried["chart"]  # the guide shows no whole one
    assert all(tried.values()), tried


@pytest.mark.parametrize("name", ["player-chart.toml", "player-chart-h17.toml"])
def test_the_charts_that_ship_are_taken(name: str) -> None:
    assert faults("chart", tomllib.loads((files("combin") / "rules" / name).read_text(encoding="utf-8"))) == []


READERS = {
    "cover": lambda path: read_cover(str(path)), "plan": read_plan, "catalogue": lambda path: _catalogue(path.parent),
}  # fmt: skip


@pytest.mark.parametrize("kind", READERS)
def test_schema_and_reader_refuse_each_misspelt_key(kind: str, tmp_path: Path) -> None:
    *_, block = [b for b in files_of_the_guide() if FIRST.get(next(iter(tomllib.loads(b)))) == kind]
    path = tmp_path / "catalogue.toml"
    path.write_text(block, encoding="utf-8")
    READERS[kind](path)
    places = [m.end() for m in re.finditer(r"^(\[*)\w+(?=\]| = )", block, re.MULTILINE)]
    assert len(places) > 3
    for end in places:
        slip = block[:end] + "x" + block[end:]
        path.write_text(slip, encoding="utf-8")
        with pytest.raises(InputError, match="unknown key"):
            READERS[kind](path)
        assert any("unexpected" in told for told in faults(kind, tomllib.loads(slip))), slip


@pytest.mark.parametrize(("kind", "key", "suggested"), [
    ("paytable", "based_on", "maryland/blackjack/pair"), ("policy", "applies_to", "maryland/blackjack/pair/*"),
    ("catalogue", "patterns", "maryland/blackjack/pair/*"), ("plan", "id", "maryland/blackjack/pair/A"),
])  # fmt: skip
def test_editors_suggest_the_ids_of_wagers(kind: str, key: str, suggested: str) -> None:
    keys = [one["properties"][key] for one in every(schema(kind)) if key in one.get("properties", {})]
    assert any(suggested in one.get("enum", ()) for known in keys for one in every(known))


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


BANK = {"tables": 4, "seats": 5, "rounds_per_hour": 60, "hours_per_day": 16}


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
        ("cover", {"laboratory": "L", "client": "C"}),
        ("cover", {"laboratory": "L", "client": "C", "report": " "}),
        ("cover", {"laboratory": "L", "client": "C", "report": "R", "issued": "2 October"}),
        ("cover", {"laboratory": "L", "client": "C", "report": "R", "signatory": [{"role": "mathematician"}]}),
        ("plan", {"bank": BANK}),
        ("plan", {"bank": {**BANK, "seats": 10}, "wager": [{"id": "a", "stake": 1}]}),
        ("plan", {"bank": {**BANK, "deals": "shoe"}, "wager": [{"id": "a", "stake": 1}]}),
        ("plan", {"bank": {**BANK, "days": "365"}, "wager": [{"id": "a", "stake": 1}]}),
        ("plan", {"bank": BANK, "wager": [{"id": "a", "stake": 0}]}),
        ("plan", {"files": [""], "bank": BANK, "wager": [{"id": "a", "stake": 1}]}),
        ("plan", {"bank": BANK, "wager": [{"id": "a", "stake": 1, "wheel": {"jackpot": 0.5}}]}),
        ("strategy", {"game": "high-card-flush"}),
        ("strategy", {"game": "high-card-flush", "raise_from": "any", "multiple": 8}),
        ("strategy", {"game": "high-card-flush", "raise_from": "any", "when": [{"raise_form": "any"}]}),
        ("strategy", {"game": "chase-the-flush", "hole": {"two-card flsh": "Q-9"}, "flop": {}, "river": {}}),
        ("strategy", {"game": "blackjack", "hard": {}}),
        ("strategy", {"game": "poker"}),
        ("chart", {"name": "x", "hard": {"4 to 21": "S"}}),
        ("wheel", {"weights": {}}),
        ("wheel", {"weights": {"jackpot": -1}}),
        ("catalogue", {"ledger": True}),
        ("catalogue", {"analysis": [{"decks": [6]}]}),
        ("catalogue", {"analysis": [{"patterns": []}]}),
    ],
)
def test_a_slip_is_marked(kind: str, data: object) -> None:
    assert faults(kind, data) != []
