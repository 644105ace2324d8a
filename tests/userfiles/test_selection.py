"""FILE#ID and FILE#glob: one paytable of a file wherever a PATTERN is accepted."""

from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.userfiles.collected import collect
from combin.userfiles.expansion import expanded
from combin.userfiles.words import file_and_selection

from ..shared import Run

PAIR = "maryland/blackjack/pair"
FILE = f"""
[[wager]]
based_on = "{PAIR}"
[wager.paytable.one]
"suited pair" = "20 to 1"
[wager.paytable.two]
"suited pair" = "21 to 1"
[[wager]]
based_on = "maryland/blackjack/lucky-ladies"
[wager.paytable.two]
"any 20" = "3 to 1"
"""


@pytest.fixture(autouse=True)
def files(combin: Run) -> None:
    Path("a.toml").write_text(FILE)


@pytest.mark.parametrize(("word", "ids"), [
    ("a.toml#one", [f"{PAIR}/one"]), (f"a.toml#{PAIR}/two", [f"{PAIR}/two"]),
    (f"a.toml#{PAIR}/*", [f"{PAIR}/one", f"{PAIR}/two"]), ("a.toml#*/o*", [f"{PAIR}/one"]),
])  # fmt: skip
def test_a_selection_is_an_id_its_last_segment_or_a_glob(word: str, ids: list[str]) -> None:
    assert collect([word])[1] == ids


@pytest.mark.parametrize(("word", "says"), [
    ("a.toml#two", f'2 paytables of the file are called "two"; write the id: a.toml#{PAIR}/two'),
    ("a.toml#onne", 'has no paytable "onne"; did you mean "one"'),
    ("a.toml#x/*", 'has no paytable "x/*"'), ("b.toml#one", "b.toml: there is no such file"),
])  # fmt: skip
def test_what_a_file_does_not_have_is_one_line(word: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        collect([word])
    assert says in str(caught.value)


def test_several_of_one_file() -> None:
    assert collect(["a.toml#one", f"a.toml#{PAIR}/two"])[1] == [f"{PAIR}/one", f"{PAIR}/two"]


def test_a_file_of_the_whole_name_wins() -> None:
    Path("a.toml#one").write_text(FILE.replace("20 to 1", "22 to 1"))
    assert file_and_selection("a.toml#one") == ("a.toml#one", "")
    Path("b#c.toml").write_text(FILE)
    assert file_and_selection("b#c.toml") == ("b#c.toml", "")
    assert collect(["b#c.toml#one"])[1] == [f"{PAIR}/one"]  # the last sign parts them


def test_globs_of_files_and_sheets(tmp_path: Path) -> None:
    assert expanded(["*.toml#one"]) == ("a.toml#one",)
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Main"
    for row in (("paytable", "outcome", "pays"), ("one", "suited pair", "20 to 1"), ("two", "suited pair", "9 to 1")):
        book.active.append(row)
    book.save("w.xlsx")
    for word, ids in (("w.xlsx#Main", ["one", "two"]), ("w.xlsx#one", ["one"]), ("w.xlsx#Main#two", ["two"])):
        assert [i.rpartition("/")[2] for i in collect([f"{PAIR}={word}"])[1]] == ids
    Path("s.csv").write_text("paytable,outcome,pays\none,suited pair,20 to 1\ntwo,suited pair,9 to 1\n")
    assert collect([f"{PAIR}=s.csv#two"])[1] == [f"{PAIR}/two"]


@pytest.mark.parametrize("words", [
    ("analyze", "{}", "--decks", "6"), ("design", "{}", "--vary", "suited pair=19..21", "--decks", "6"),
    ("audit", "{}", "r.csv", "--decks", "6"), ("list", "{}"),
    ("check", "{}", "--policy", "combin:lenient", "--partial"), ("diff", "{}", "a.toml"),
    ("removal", "{}", "--decks", "6"),
], ids=lambda words: words[0])  # fmt: skip
def test_every_command_takes_it(combin: Run, words: tuple[str, ...]) -> None:
    Path("r.csv").write_text("rounds,suited pair\n1000,16\n")
    status, out, err = combin(*(word.format("a.toml#one") for word in words))
    assert status in (0, 1), err
    assert "one" in out or words[0] in ("design", "diff", "check", "audit")
    assert "lucky-ladies" not in out or words[0] == "diff"


def test_an_output_is_not_the_file_of_a_selection(combin: Run) -> None:
    status, _, err = combin("analyze", "a.toml#one", "--decks", "6", "-o", "a.toml")
    assert (status, "is also read by this command" in err) == (2, True)
    assert Path("a.toml").read_text() == FILE
