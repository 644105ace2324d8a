"""What the store finds a result by: the same for the same question, another for every change of it."""

import json
from pathlib import Path

from combin import analyze
from combin.analysis.request import Request
from combin.analysis.store_key import inputs_of
from combin.rulebook.book import Rulebook
from combin.userfiles.collected import collect

LADIES = "maryland/blackjack/lucky-ladies"
FILE = '[[wager]]\nbased_on = "{wager}"\n[wager.paytable.house]\ndecks = [6]\n"any 20" = "{pay} to 1"\n'


def test_the_key_is_the_same_before_and_after_an_analysis(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(FILE.format(wager=LADIES, pay=4))
    book, [own] = collect([str(tmp_path / "a.toml")])
    before = json.dumps(inputs_of(book, own, Request(own, 6)))
    analyze(own, decks=6, book=book)
    assert json.dumps(inputs_of(book, own, Request(own, 6))) == before


def test_every_change_of_the_question_has_a_key_of_its_own(tmp_path: Path) -> None:
    book = Rulebook.load()
    some = f"{LADIES}/A"
    asked = [
        Request(some, 6), Request(some, 8), Request(some, 6, set={"stake": "5"}), Request(some, 6, reading={"a": "b"}),
        Request(some, 6, without=(3,)), Request(some, 6, wheel=(("x", 1),)),
    ]  # fmt: skip
    keys = [json.dumps(inputs_of(book, some, one)) for one in asked]
    for pay, name in ((4, "a.toml"), (5, "b.toml")):
        (tmp_path / name).write_text(FILE.format(wager=LADIES, pay=pay))
        own, [identifier] = collect([str(tmp_path / name)])
        keys.append(json.dumps(inputs_of(own, identifier, asked[0], placed=False)))
    assert len(set(keys)) == len(asked) + 2


def test_figures_do_not_depend_on_the_name_of_a_file(tmp_path: Path) -> None:
    keys = []
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text("\n" * (name == "b.toml") + FILE.format(wager=LADIES, pay=4))
        book, [own] = collect([str(tmp_path / name)])
        keys.append([json.dumps(inputs_of(book, own, 6, placed=p)) for p in (False, True)])
    assert keys[0][0] == keys[1][0]
    assert keys[0][1] != keys[1][1]
