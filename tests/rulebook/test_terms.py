"""One schema: an unknown key is a fault in every document and in every user's file."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.base.toml_tables import PerPaytable, keys_of, read
from combin.rulebook.book import Rulebook, documents, extended, shipped, source
from combin.rulebook.terms import SettingTerms, Terms
from combin.rulebook.transcription import Transcription
from combin.userfiles.paytables import add_file

from ..shared import analysed

#: Tables with free names as keys: outcomes, symbols, paytables, ways, places.
NAMED = ("outcome", "where", "shared_pair", "paytable", "pays", "wheel", "community", "added", "limits", "resets",
         "options", "reset", "contribution", "secondary", "resets_on", "default", "envy", "only_at_stake",
         "decks", "lines")  # fmt: skip

Place = tuple[str | int, ...]


def keys(data: Any, path: Place = ()) -> Iterator[Place]:
    """The path of every key below a TOML value."""
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from keys(item, (*path, index))
    elif isinstance(data, dict):
        for key, item in data.items():
            yield (*path, key)
            yield from keys(item, (*path, key))


def kind(path: Place) -> tuple[str, ...]:
    """The kind of a key, without the names of its wager, reading or paytable."""
    words = [str(part) for part in path if not isinstance(part, int)]
    for table in ("setting", "unknown", "extra"):
        if table in words[:-1]:
            at = words.index(table) + 1
            words[at : at + (2 if table == "extra" else 1)] = ["NAME"]
    return tuple(words)


def every_key() -> dict[tuple[str, ...], tuple[str, Place]]:
    """One place of every key in the documents."""
    found: dict[tuple[str, ...], tuple[str, Place]] = {}
    for document in documents():
        for path in keys(tomllib.loads(source(document).decode())):
            if not any(part in NAMED for part in path[:-1]) and kind(path)[-1] != "NAME" and "cap-scope" not in path:
                found.setdefault(kind(path), (document, path))
    return found


KEYS = every_key()


def misspelt(document: str, path: Place) -> list[str]:
    """The faults of a document after the last letter of one key is doubled."""
    transcription = Transcription(source(document), f"{document}.toml")
    table: Any = copy.deepcopy(transcription.data)
    transcription.data = table
    for part in path[:-1]:
        table = table[part]
    items = [(key + key[-1] if key == path[-1] else key, value) for key, value in table.items()]
    table.clear()
    table.update(items)
    with pytest.raises(InputError) as caught:
        transcription.read()
    return [str(f) for f in caught.value.faults]


def test_the_keys_of_every_table_are_tried() -> None:
    assert len(KEYS) > 80
    for wanted in (
        ("document", "prefix"), ("wager", "deal_options"), ("wager", "deal_options", "soft_17"),
        ("wager", "setting", "NAME", "default"), ("wager", "unknown", "NAME", "resets_on"),
        ("wager", "extra", "NAME", "frequency"), ("wager", "beside", "paid"), ("reading", "choice", "patch"),
        ("reading", "choice", "patch", "play_options"), ("cap", "at_least"), ("finding", "kind"),
        ("reading", "choice", "patch", "meter_options", "share_deducted"),
    ):  # fmt: skip
        assert wanted in KEYS


@pytest.mark.parametrize("what", KEYS, ids=".".join)
def test_a_misspelt_key_of_a_shipped_document_is_a_fault(what: tuple[str, ...]) -> None:
    document, path = KEYS[what]
    [first, *_] = found = [line for line in misspelt(document, path) if "unknown key" in line]
    assert len(found) == 1
    assert first.startswith(f"{document}.toml: ")
    assert f'did you mean "{path[-1]}"?' in first


@pytest.mark.parametrize(
    ("document", "old", "new", "says"),
    [
        ("maryland-blackjack", 'second_way = "twenty"', 'second_wai = "twenty"',
         'wager lucky-ladies, second_wai: unknown key "second_wai"; did you mean "second_way"?'),
        ("maryland-blackjack", "setting.stake]", "setting.steak]",
         'no setting is called "steak"; did you mean "stake"?'),
        ("maryland-blackjack", 'blackjack" = "7 cards"', 'blackjacks" = "7 cards"',
         'no outcome is called "7 cards and player blackjacks"; did you mean "7 cards and player blackjack"?'),
        ("maryland-blackjack", 'blackjack" = "7 cards"', 'blackjack" = "9 cards"', 'no outcome is called "9 cards"'),
        ("maryland-blackjack", 'soft_17 = "stands"', 'soft_17 = "stand"',
         'deal_options, soft_17: "stand" is none of the choices; did you mean "stands"?'),
        ("maryland-blackjack", "shared = true", 'shared = "true"', 'shared: "true" is not true or false'),
        ("maryland-high-card-flush", "wager.unknown.meter", "wager.unknown.metre",
         'no unknown is called "meter"; did you mean "metre"?'),
        ("maryland-high-card-flush", 'progressive/A"', 'progresive/A"', 'no id of the document matches'),
    ],
)  # fmt: skip
def test_what_is_said_of_a_slip(document: str, old: str, new: str, says: str) -> None:
    text = source(document).decode()
    assert old in text
    with pytest.raises(InputError) as caught:
        Rulebook().add_document(text.replace(old, new).encode(), f"{document}.toml")
    found = [str(f) for f in caught.value.faults]
    assert any(says in line for line in found), found


def test_a_fault_of_a_document_names_its_line() -> None:
    text = source("maryland-blackjack").decode().replace('second_way = "twenty"', 'second_wai = "twenty"')
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line == 'second_wai = "twenty"']
    with pytest.raises(InputError) as caught:
        Rulebook().add_document(text.encode(), "maryland-blackjack.toml")
    assert len(lines) == 3
    said = [str(f) for f in caught.value.faults]
    assert [line.split(",")[0] for line in said] == [f"maryland-blackjack.toml: line {n}" for n in lines]


def options_of_document_wagers() -> list[tuple[str, str]]:
    """Every option of every wager, at one of its paytables. A game, a function or a condition takes it."""
    return [
        (f"{wager.id}/{next(iter(wager.paytables))}", option)
        for wager in shipped().wagers.values()
        for option in wager.terms.options
        if not wager.terms.outcome or any(f"={option}" in condition for condition in wager.terms.outcome.values())
    ]


@pytest.mark.parametrize(("identifier", "option"), options_of_document_wagers())
def test_a_misspelt_option_is_a_fault(identifier: str, option: str) -> None:
    document = shipped().find(identifier)[0].document.id
    transcription = Transcription(source(document), f"{document}.toml")
    [entry] = [w for w in transcription.data["wager"] if identifier.split("/")[2] == w["id"]]
    entry["options"] = {key + "x" * (key == option): value for key, value in entry["options"].items()}
    book = Rulebook()
    found = transcription.read()
    book.documents, book.wagers = {document: found.document}, {w.id: w for w in found.wagers}
    decks = book.default_decks(book.resolve(identifier))[0]
    with pytest.raises(InputError, match=f'has no option "{option}x"|is not a value of {option}'):
        analyze(identifier, decks=decks, book=book)


@pytest.mark.parametrize(("identifier", "option"), options_of_document_wagers())
def test_a_choice_that_an_option_has_not_is_a_fault(identifier: str, option: str) -> None:
    """Options with a word as value. The annotations of the outcome functions list the choices."""
    wager = shipped().find(identifier)[0]
    value = wager.terms.options[option]
    if not isinstance(value, str):
        return
    book = extended(shipped())
    book.with_paytables(wager.changed({"options": {**wager.terms.options, option: f"{value}x"}}))
    decks = book.default_decks(book.resolve(identifier))[0]
    said = (f"'{value}x'; did you mean \"{value}\"|not \"{value}x\"; did you mean \"{value}\"|"
            f"the ace in a straight flush cannot be \"{value}x\"")
    with pytest.raises(InputError, match=said):
        analyze(identifier, decks=decks, book=book)


OWN = """[[wager]]
id = "here/blackjack/twenty"
name = "Twenty"
deal = "player 2, dealer 2"
decks = [6]
where = { queens = 'count(player, "Qh") == 2' }
# The conditions stand below.

[wager.setting.stake]
default = "5"
[wager.unknown.meter]
text = "what has been saved"
resets_on = ["queen of hearts pair and dealer blackjack"]
reset = { "x" = "1000" }
[wager.envy.x]
"queen of hearts pair" = "$5"
[wager.paytable.x]
"queen of hearts pair and dealer blackjack" = "100% of meter"
"queen of hearts pair" = "200 to 1"
"any 20" = "4 to 1"
[wager.outcome]
"queen of hearts pair and dealer blackjack" = "queens and blackjack(dealer)"
"queen of hearts pair" = "queens"
"any 20" = "total(player) == 20"
"""


def own(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        add_file(shipped(), str(path))
    return [str(f).replace(f"{tmp_path}/", "") for f in caught.value.faults]


def test_a_wager_of_the_users_own_has_every_field_of_a_documents(tmp_path: Path) -> None:
    a = analysed(tmp_path, OWN, decks=6, set={"meter": 2000})
    paid = dict(a.combinations)
    # 2000 dollars for 5 are 400 units; odds return the stake.
    top, queens, any20 = (paid[name] for name in list(paid)[:3])
    assert a.deals is not None
    assert a.returned * a.deals == 400 * top + 201 * queens + 5 * any20
    assert a.progressive.meters[0].reset == 1000


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("where =", "were =", 'line 6, were: unknown key "were"; did you mean "where"?'),
        ("default", "defualt", 'line 10, setting, stake, defualt: unknown key "defualt"; did you mean "default"?'),
        ('"5"\n', "5\n", "line 10, setting, stake, default: 5 is not a text; put it in quotes"),
        ("setting.stake", "setting.steak", 'line 9, setting, steak: no setting is called "steak"; did you mean'),
        ("resets_on", "reset_on", 'line 13, unknown, meter, reset_on: unknown key "reset_on"; did you mean "resets'),
        ('["queen of hearts pair and', '"x" #', 'line 13, unknown, meter, resets_on: "x" is not a list of texts'),
        ("unknown.meter", "unknown.metre", 'line 11, unknown, metre: no unknown of the pays is called "metre"'),
        ('{ "x" =', '{ "y" =', 'line 14, unknown, meter, reset, y: no paytable is called "y"'),
        ('pair" = "$5"', 'pai" = "$5"', 'line 16, envy, x, queen of hearts pai: no line is called "queen of'),
        ('"$5"', '"5 dollars"', 'line 16, envy, x, queen of hearts pair: "5 dollars" is not a pay'),
        ("envy.x", "beside.x", '"beside" is not a text'),
    ],
)  # fmt: skip
def test_what_is_said_of_a_slip_in_a_users_file(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in OWN
    found = own(tmp_path, OWN.replace(old, new, 1))
    assert any(says in line for line in found), found


def test_a_value_by_paytable_stands_for_the_others_too() -> None:
    assert PerPaytable({"A": "1", "*": "2"}).of("A") == "1"
    assert PerPaytable({"A": "1", "*": "2"}).of("B") == "2"
    assert PerPaytable({"A": "1"}).of("B") is None


def test_terms_are_frozen_all_the_way_down() -> None:
    said: list[object] = []
    written = {"deal": "player 2", "suits": ["hearts"], "options": {"a": [1, {"b": [2]}]},
               "setting": {"stake": {"default": {"A": "1"}}}}
    terms = read(Terms, written, lambda *fault: said.append(fault))
    assert not said
    assert terms is not None
    assert (terms.suits, terms.options["a"][0], terms.options["a"][1]["b"]) == (("hearts",), 1, (2,))
    assert terms.setting["stake"] == SettingTerms(default=PerPaytable({"A": "1"}))
    for table in (terms.options, terms.options["a"][1], terms.setting, terms.setting["stake"].default.values):
        with pytest.raises(TypeError):
            table["x"] = 1  # type: ignore[index]


def test_no_key_of_rule_data_is_looked_up_outside_the_rulebook() -> None:
    """Neither a wager nor a paytable offers its raw keys to another room."""
    resolved = shipped().resolve("maryland/blackjack/lucky-ladies/A")
    assert not hasattr(resolved, "data")
    assert not hasattr(shipped().wagers[resolved.wager_id], "data")
    assert "soft_17" in keys_of(type(resolved.terms.deal_options))
