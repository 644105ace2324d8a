"""A user's paytables: their figures, and the messages for their faults."""

import csv
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest

from combin.analysis.engine import analyze
from combin.analysis.settle import settle, table_of
from combin.base.errors import InputError
from combin.deals.cards import Shoe
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file
from combin.userfiles.words import is_file_argument, wager_and_path

FLUSH = "maryland/high-card-flush/flush-bonus"
LINES = [
    ("seven-card flush", "300 to 1"),
    ("six-card flush", "75 to 1"),
    ("five-card flush", "10 to 1"),
    ("four-card flush", "1 to 1"),
]


def flush_return(pays: dict[int, int]) -> Fraction:
    """The return of pays by length of the flush, from binomials."""
    hands = {n: 4 * math.comb(13, n) * math.comb(39, 7 - n) for n in pays}
    return sum((Fraction(hands[n] * (odds + 1), math.comb(52, 7)) for n, odds in pays.items()), Fraction(0))


def toml(lines: list[tuple[str, str]], *, wager: str = FLUSH, name: str = "house-1") -> str:
    rows = "\n".join(f'"{outcome}" = "{pays}"' for outcome, pays in lines)
    return f'[[wager]]\nbased_on = "{wager}"\n[wager.paytable.{name}]\n{rows}\n'


def faults(tmp_path: Path, text: str | bytes, name: str = "my.toml", wager: str = "") -> list[str]:
    """Every fault of a file as one line, without the name of the folder."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        add_file(shipped(), f"{wager}={path}" if wager else str(path))
    return [str(f).replace(f"{tmp_path}/", "") for f in caught.value.faults]


def test_own_paytable_has_the_return_of_its_pays(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(toml(LINES))
    book, ids = add_file(shipped(), str(tmp_path / "my.toml"))
    assert ids == [f"{FLUSH}/house-1"]
    a = analyze(ids[0], book=book)
    assert a.returned == flush_return({7: 300, 6: 75, 5: 10, 4: 1})
    assert ids[0] not in shipped().ids()


def test_all_faults_of_a_file_come_together_in_order(tmp_path: Path) -> None:
    text = (
        '[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonus"\n[wager.paytable.house-1]\n'
        '"seven-card flsh" = "300 to 1"\n'
        '"six-card flush" = "300 too 1"\n'
        '"five-card flush" = "10 to 1"\n'
        '"four-card flush" = "11 to 1"\n'
        "[wager.paytable.house-2]\n"
        '"four-card flush" = 3\n'
        '[[wager]]\nbased_on = "maryland/chase-the-flush/same-suit"\n[wager.paytable.house-1]\n'
        '"seven-card flush" = "-5 to 1"\n'
    )
    found = faults(tmp_path, text)
    assert [f.partition(";")[0] for f in found] == [
        'my.toml: line 4: maryland/high-card-flush/flush-bonus has no outcome "seven-card flsh"',
        'my.toml: line 5: "six-card flush": "300 too 1" is not a pay',
        'my.toml: line 7: "four-card flush" pays more than "five-card flush" above it, which applies first if both do',
        'my.toml: line 9: "four-card flush": 3 is not a text',
        'my.toml: line 13: "seven-card flush": the pay "-5 to 1" is negative',
    ]
    assert 'did you mean "seven-card flush"?' in found[0]
    assert 'list "four-card flush" before "five-card flush"' in found[2]


def test_lines_are_checked_though_a_waiver_has_a_fault(tmp_path: Path) -> None:
    found = faults(tmp_path, toml([("six-card flsh", "75 to 1")]) + '[[wager.waiver]]\nrule = "RTP001"\n')
    assert [line.partition(";")[0] for line in found] == [
        f'my.toml: line 4: {FLUSH} has no outcome "six-card flsh"',
        'my.toml: line 5, waiver #1: "reason" is missing',
    ]


def test_pays_are_read_though_their_wager_has_a_fault(tmp_path: Path) -> None:
    based = '[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonu"\n[wager.paytable.x]\n"flush" = "1 too 1"\n'
    own = ('[[wager]]\nid = "a/b/c"\nname = "x"\ndeal = "player 5"\n[wager.outcome]\n"flush" = "flsh(player)"\n'
           '[wager.paytable.x]\n"flush" = "1 too 1"\n')
    found = [line.partition(":")[2].partition(":")[0] for line in faults(tmp_path, based + own)]
    assert found == [" line 2", " line 4", " line 10, column 12", " line 12"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (b"\xff\xfe\x00", "line 1: is not UTF-8 text"),
        (b"a = 1\n\xff", "line 2: is not UTF-8 text"),
        ("[[wager]\n", "line 1, column "),
        ('a = 1\na = 2\n', 'line 2: "a" is listed twice (lines 1 and 2); keep one'),
        (toml([*LINES, LINES[3]]), 'line 8: "four-card flush" is listed twice (lines 7 and 8); keep one'),
        (toml(LINES) + toml(LINES).partition("\n")[2].partition("\n")[2],
         "line 8: the table [wager.paytable.house-1] occurs twice (lines 3 and 8); give one of them another name"),
        ('[[wager]]\nbased_on = "x\n', "line 2: is not TOML: a closing quote is missing"),
        ('[[wager]]\nbased_on = "x', "line 2: is not TOML: a closing quote is missing"),
        (toml(LINES) + toml(LINES), f'line 10: {FLUSH} has a paytable "house-1" already '),
        ("a = " + "[" * 5000, "is nested too deeply"),
        ("a = " + "1" * 5000, "holds a number that is too long"),
        ("wagers = 1\n", 'line 1: unknown key "wagers"; did you mean "wager"?'),
        ("wager = 3\n", "has no [[wager]] table"),
        (toml(LINES).replace(".paytable.", ".paytables."), 'line 3, paytables: unknown key "paytables"; did you mean'),
        (toml(LINES).replace("[wager.", "waiver = 3\n[wager."),
         "line 3, waiver: 3 is not a list of tables; write [[wager.waiver]]"),
        ('[[wager]]\nid = "a/b/c"\nname = "x"\ngame = "showdown"\n[wager.round]\norder = "three-card poker"\n',
         'line 5, round: "street" is missing; add [[wager.round.street]]'),
        (toml(LINES, name='""'), 'line 3: "" is not a paytable id'),
        ('[[wager]]\nid = "a/b/c"\nname = ""\ndeal = "player 2"\noutcomes = "pair"\n', "line 3, name: is empty"),
        ("[[wager]]\nbased_on = 3\n", "line 2, based_on: 3 is not a text"),
        ('[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonu"\n', f'did you mean "{FLUSH}"?'),
        (f'[[wager]]\nbased_on = "{FLUSH}"\n', "line 1: the wager has no paytable"),
        (f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.A]\n"four-card flush" = "1 to 1"\n',
         'line 3: maryland/high-card-flush/flush-bonus has a paytable "A" already'),
        (f'[[wager]]\nbased_on = "{FLUSH}"\ndeal = "player 5"\n[wager.paytable.x]\n"four-card flush" = "1 to 1"\n',
         'line 3: "deal" cannot be changed'),
        (toml([]), 'line 3: paytable "house-1" pays nothing'),
        (toml([("eight-card flush", "1 to 1")]), "; known: "),
        (toml([("x", "1 to 1")] , name="House"), '"House" is not a paytable id'),
        (toml([("four-card flush", "1e400 to 1")]), 'line 4: "four-card flush": "1e400 to 1" is not a pay'),
        (toml([("four-card flush", "0.1 to 0")]), "divides by nothing"),
        (toml([(f"k{i}", "1 to 1") for i in range(300)]), "has more than 200 lines"),
        ('[[wager]]\nid = "a/b/c"\n', 'the wager has no "deal"'),
        ('[[wager]]\nid = "a/b"\nname = "x"\ndeal = "player 2"\noutcomes = "pair"\n', "jurisdiction/game/wager"),
        ('[[wager]]\nid = "a/b/c"\nname = "x"\ndeal = "player 2"\noutcomes = "bad-beat"\n'
         '[wager.paytable.x]\n"player 20" = "1 to 1"\n', "do not fit the deal"),
        ('[[wager]]\nid = "a/b/c"\nname = "x"\ndeal = "player 2"\noutcomes = "x"\n[wager.setting.stake]\n'
         'default = "abc"\n[wager.paytable.x]\n"a" = "1 to 1"\n', "default of stake"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_in_a_line(tmp_path: Path, text: str | bytes, says: str) -> None:
    found = faults(tmp_path, text)
    assert any(says in line for line in found), found
    assert all("\n" not in line and line.startswith("my.toml") for line in found)


def test_noise_and_endless_faults_end(tmp_path: Path) -> None:
    assert faults(tmp_path, b"x" * 2_000_001) == [
        "my.toml: is larger than 1,048,576 bytes; give a file of paytables or rules"
    ]
    many = faults(tmp_path, "wager = 1\n" + "\n".join(f"k{i} = 1" for i in range(10_000)))
    assert len(many) == 101
    assert many[-1] == "my.toml: has more faults; correct these 100 first"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    for name, says in (("folder.toml", "is a folder"), ("none.toml", "there is no such file")):
        with pytest.raises(InputError, match=says):
            add_file(shipped(), str(tmp_path / name))


def test_two_lines_that_an_added_pay_takes_together_are_in_no_order(tmp_path: Path) -> None:
    paytable = shipped().wagers["maryland/blackjack/royal-match-21"].paytables["A"]
    (tmp_path / "my.toml").write_text(toml(list(paytable.lines), wager="maryland/blackjack/royal-match-21"))
    _, ids = add_file(shipped(), str(tmp_path / "my.toml"))
    assert ids == ["maryland/blackjack/royal-match-21/house-1"]


def write_csv(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)


def write_xlsx(path: Path, sheets: dict[str, list[list[object]]]) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def test_csv_and_xlsx_give_what_toml_gives(tmp_path: Path) -> None:
    expected = flush_return({7: 300, 6: 75, 5: 10, 4: 1})
    rows = [["Outcome", "Pays"], *map(list, LINES)]
    write_csv(tmp_path / "house 1.csv", rows)
    (tmp_path / "semicolon.csv").write_text("outcome;pays\n" + "\n".join(";".join(line) for line in LINES))
    write_xlsx(tmp_path / "house.xlsx", {"Notes": [["hello"]], "Pays": [[], *rows]})
    write_csv(tmp_path / "wagers.csv", [["wager", "paytable", "outcome", "pays"], *([FLUSH, "x-1", *r] for r in LINES)])
    for word, name in (
        (f"{FLUSH}={tmp_path / 'house 1.csv'}", "house-1"),
        (f"{FLUSH}={tmp_path / 'semicolon.csv'}", "semicolon"),
        (f"{FLUSH}={tmp_path / 'house.xlsx'}", "house"),
        (str(tmp_path / "wagers.csv"), "x-1"),
    ):
        assert is_file_argument(word)
        book, ids = add_file(shipped(), word)
        assert ids == [f"{FLUSH}/{name}"]
        assert analyze(ids[0], book=book).returned == expected


def test_several_sheets_are_several_paytables(tmp_path: Path) -> None:
    head = ["outcome", "pays"]
    write_xlsx(tmp_path / "x.xlsx", {"House 1": [head, *map(list, LINES)], "House 2": [head, list(LINES[0])]})
    _, ids = add_file(shipped(), f"{FLUSH}={tmp_path / 'x.xlsx'}")
    assert ids == [f"{FLUSH}/house-1", f"{FLUSH}/house-2"]


def test_faults_of_sheets_name_their_rows(tmp_path: Path) -> None:
    rows = "outcome,pays\nseven-card flsh,300 to 1\n\nsix-card flush,75\n"
    assert [f.partition(";")[0] for f in faults(tmp_path, rows, "my.csv", FLUSH)] == [
        'my.csv: line 2: maryland/high-card-flush/flush-bonus has no outcome "seven-card flsh"',
        'my.csv: line 4: "six-card flush": "75" says neither "to" nor "for"',
    ]
    # Six faults at once: a column, an outcome, a pay, a double line, the order, an empty cell.
    rows = "outcome,pay,pays\nsix-card flsh,,9 to 1\nfive-card flush,,5\nfour-card flush,,1 to 1\n"
    rows += "four-card flush,,2 to 1\nseven-card flush,,9 to 1\nthree-card flush,,\n"
    found = faults(tmp_path, rows, "my.csv", FLUSH)
    assert [f.split(":")[1] for f in found] == [f" line {n}" for n in (1, 2, 3, 5, 6, 7)]
    write_xlsx(tmp_path / "my.xlsx", {"Pays": [["outcome", "pays"], ["six-card flush", 75], ["four-card flush", None]]})
    assert faults(tmp_path, (tmp_path / "my.xlsx").read_bytes(), "my.xlsx", FLUSH) == [
        'my.xlsx: sheet "Pays" row 2: "six-card flush": "75" says neither "to" nor "for"; '
        "give --odds to or --odds for",
        'my.xlsx: sheet "Pays" row 3: the row has no pays; fill the cell',
    ]
    write_xlsx(tmp_path / "my.xlsx", {"Pays": [["outcome", "pays"], ["six-card flush", 75]]})
    found = faults(tmp_path, (tmp_path / "my.xlsx").read_bytes(), "my.xlsx", FLUSH)
    assert found[0].startswith('my.xlsx: sheet "Pays" row 2: "six-card flush": "75" says neither "to" nor')


@pytest.mark.parametrize(
    ("name", "content", "wager", "says"),
    [
        ("a.csv", "", FLUSH, "is empty"),
        ("a.csv", "foo,bar\n1,2\n", FLUSH, "line 1: has no columns outcome and pays; name"),
        ("a.csv", "outcome,pays\n", FLUSH, "has no rows of pays"),
        ("a.csv", "outcome,pays\nx,1 to 1\n", "", "line 2: the row names no wager; add a column wager with"),
        ("a.csv", "outcome,pays\nx,1 to 1\nx,2 to 1\n", FLUSH, "line 3: \"x\" is paid twice"),
        ("a.csv", "outcome,pays,wagr\nx,1 to 1,\n", FLUSH, 'unknown column "wagr"; did you mean "wager"?'),
        ("a.csv", 'outcome,pays\n"x,1 to 1\n', FLUSH, "line 2: is not CSV"),
        ("a.csv", b"outcome,pays\n\xff,1\n", FLUSH, "line 2: is not UTF-8"),
        ("a.csv", "outcome,pays\nx,1 to 1\n", "maryland/high-card-flush/flush-bonu", f'did you mean "{FLUSH}"?'),
        ("a.xlsx", b"PK\x03\x04junk", FLUSH, "is not an XLSX file"),
        ("a.xlsx", b"", FLUSH, "is not an XLSX file"),
    ],
)  # fmt: skip
def test_a_bad_sheet_is_told_in_a_line(tmp_path: Path, name: str, content: str | bytes, wager: str, says: str) -> None:
    found = faults(tmp_path, content, name, wager)
    assert any(says in line for line in found), found


def test_xlsx_without_its_library_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    found = faults(tmp_path, b"PK", "a.xlsx", FLUSH)
    assert found == [
        "a.xlsx: XLSX files need openpyxl; install what the extra xlsx of combin-tables needs: "
        'pip install "openpyxl>=3.1", or save the sheet as CSV'
    ]


def test_two_files_that_give_one_id_are_both_named(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(toml(LINES))
    book, _ = add_file(shipped(), str(tmp_path / "a.toml"))
    with pytest.raises(InputError, match=r'b\.toml: line 3: .*"house-1" already \(.*a\.toml, line 3\)'):
        add_file(book, str(tmp_path / "b.toml"))


def test_a_wager_is_named_only_beside_sheets(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(toml(LINES))
    with pytest.raises(InputError, match="by based_on"):
        add_file(shipped(), f"{FLUSH}={tmp_path / 'my.toml'}")


def test_what_is_a_file() -> None:
    assert wager_and_path(f"{FLUSH}=a=b.csv") == (FLUSH, "a=b.csv")
    assert wager_and_path("a=b.csv") == ("", "a=b.csv")
    assert not is_file_argument("maryland/*/flush-bonus/A")
    assert not is_file_argument("x\0y")


def test_deals_that_an_added_pay_settles_are_in_no_wrong_order(tmp_path: Path) -> None:
    """An added line pays deals with a suited and an unsuited match. No other deal meets both lines."""
    own = '[[wager]]\nbased_on = "maryland/blackjack/match-the-dealer"\n[wager.paytable.x]\n'
    path = tmp_path / "own.toml"
    path.write_text(own + '"one unsuited match" = "4 to 1"\n"one suited match" = "11 to 1"\n', encoding="utf-8")
    book, found = add_file(shipped(), str(path))
    paid = analyze(found[0], decks=6, book=book)
    assert paid.returned == analyze("maryland/blackjack/match-the-dealer/6-decks").returned


def test_a_line_below_two_smaller_pays_is_one_fault(tmp_path: Path) -> None:
    lines = [("six-card flush", "1 to 1"), ("five-card flush", "2 to 1"), ("four-card flush", "3 to 1")]
    assert [f.partition(" pays more than ")[0] for f in faults(tmp_path, toml(lines))] == [
        'my.toml: line 5: "five-card flush"',
        'my.toml: line 6: "four-card flush"',
    ]


def test_shipped_paytables_are_computed_in_the_order_of_the_document(tmp_path: Path) -> None:
    """A document with lines in an odd order is shown as it is. Only a user's file is refused."""
    book = shipped()
    resolved = book.resolve(f"{FLUSH}/A")
    lines = tuple(reversed(resolved.lines))
    assert resolved.paytable.file == ""
    upside_down = replace(resolved, lines=lines)
    settled, _ = settle(table_of(book, upside_down, Shoe(1), {}), upside_down)
    assert [name for name, _, _ in settled] == [name for name, _ in lines]


def test_a_straight_flush_has_three_cards_at_least(tmp_path: Path) -> None:
    text = toml([("two-card straight flush", "1 to 1")], wager="maryland/high-card-flush/straight-flush-bonus")
    assert "has no outcome \"two-card straight flush\"" in faults(tmp_path, text)[0]


PAIRS = """[wager.outcome]
"suited pair" = "pair(player) and suited(player)"
"pair" = "pair(player)"
"any suited" = "suited(player)"
"""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('added = { "zzz" = ["suited pair"] }', 'the added pay "zzz" has no outcome "zzz"'),
        ('added = { "any suited" = ["nope"] }', 'the added pay "any suited" has no outcome "nope"'),
        ('added = { "pair" = ["pair", "suited pair"] }', 'the added pay "pair" is itself a line or a part of itself'),
        ('added = { "any suited" = ["suited pair", "pair"] }', 'contains deals that are not "suited pair"'),
    ],
)
def test_added_pays_that_cannot_be(tmp_path: Path, line: str, says: str) -> None:
    text = f'[[wager]]\nid = "a/b/c"\nname = "x"\ndeal = "player 2"\n{line}\n{PAIRS}'
    found = faults(tmp_path, text + '[wager.paytable.x]\n"suited pair" = "12 to 1"\n"pair" = "5 to 1"\n')
    assert any(says in one for one in found), found


@pytest.mark.parametrize(
    ("deal", "says"), [("player 2, player 2", "the role player occurs twice"), ("player 0", "gets no card")]
)
def test_deals_that_cannot_be(tmp_path: Path, deal: str, says: str) -> None:
    text = f'[[wager]]\nid = "a/b/c"\nname = "x"\ndeal = "{deal}"\n{PAIRS}'
    found = faults(tmp_path, text + '[wager.paytable.x]\n"suited pair" = "12 to 1"\n')
    assert any(says in one for one in found), found


def test_a_line_that_is_misordered_under_another_reading_is_said(tmp_path: Path) -> None:
    """A soft 19 is also a 9 if a soft total counts as either. It then meets the smaller pay above."""
    text = '[[wager]]\nbased_on = "maryland/blackjack/upcard-luck-21"\n[wager.paytable.x]\n'
    (tmp_path / "my.toml").write_text(text + '"totals of 9, 10, 11" = "1 to 1"\n"totals of 18, 19, 20" = "5 to 1"\n')
    book, [identifier] = add_file(shipped(), str(tmp_path / "my.toml"))
    [note] = book.find(identifier)[1].notes
    assert note.endswith(
        'my.toml: line 5: under soft-total=either "totals of 18, 19, 20" pays more than "totals of 9, 10, 11" '
        "above it, which applies first if both do"
    )
    assert analyze(identifier, decks=6, book=book).return_range is not None
    assert analyze(identifier, decks=6, reading={"soft-total": "either"}, book=book).decks == 6


@pytest.mark.parametrize("word", ["and", "plus"])
def test_a_pay_and_a_meter_joined_by_a_word_are_one_fault(tmp_path: Path, word: str) -> None:
    """The unknown that the pay would have named is no fault of its own."""
    text = (
        '[[wager]]\nid = "a/b/c"\nname = "x"\ndeal = "player 2"\n[wager.outcome]\n"pair" = \'pair(player)\'\n'
        '[wager.unknown.meter]\ntext = "meter"\nresets_on = ["pair"]\n[wager.paytable.x]\n'
        f'"pair" = "250 to 1 {word} 100% of the meter"\n'
    )
    assert faults(tmp_path, text) == [
        f'my.toml: line 11: "pair": the pay "250 to 1 {word} 100% of the meter" joins pays with a word; '
        'write "250 to 1 + 100% of the meter"'
    ]
    path = tmp_path / "mended.toml"
    path.write_text(text.replace(f" {word} ", " + "))
    book, [identifier] = add_file(shipped(), str(path))
    a = analyze(identifier, decks=6, book=book, set={"meter": "1000", "stake": "5"})
    assert a.returned == Fraction(23, 311) * (251 + 200)


def test_the_known_keys_of_a_wager_are_each_listed_once(tmp_path: Path) -> None:
    [unknown] = faults(tmp_path, toml(LINES).replace("[wager.", "zzz = 3\n[wager."))
    known = unknown.partition("known: ")[2].split(", ")
    assert {"based_on", "decks", "paytable"} <= set(known)
    assert len(known) == len(set(known))
