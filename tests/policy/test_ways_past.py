"""What a file of paytables says of itself, or how it is stored, must not get it past the gate."""

import io
import os
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl import Workbook

from ..shared import Run

FLUSH = "maryland/high-card-flush/flush-bonus"


def own(terms: str, pays: str, conditions: str = '"pair" = \'pair(player)\'') -> str:
    """A user-defined wager: 23 of 311 hands of two cards from six decks are a pair."""
    return (f'[[wager]]\nid = "house/blackjack/w"\nname = "W"\ndeal = "player 2"\ndecks = [6]\n{terms}\n'
            f'[wager.outcome]\n{conditions}\n[wager.paytable.A]\n{pays}\n')  # fmt: skip


def policy(*lines: str, head: str = "") -> str:
    return "\n".join([head, "[[rule]]", 'name = "r"', 'applies_to = ["*"]', *lines, ""])


GOOD = f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.good]\n"four-card flush" = "2 to 1"\n'
BAD = f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.bad]\n"four-card flush" = "9 to 1"\n'
ADVANTAGE = policy("no_player_advantage = true")
DOLLARS = '"pair" = "$1,000"'
BIG_STAKE = '[wager.setting.stake]\ndefault = "1000000"'

#: A wager and a policy that it must not meet, and the policy's own value by which it would fail or pass.
STATEMENTS = {
    "a promotion": (own("promotion = true", '"pair" = "1000 to 1"'), ADVANTAGE, "undecided"),
    "a promotion, leniently": (own("promotion = true", '"pair" = "1000 to 1"'),
                               policy('undecided = "pass"', 'return_max = "99%"'), "undecided"),
    "a stake by default": (own(BIG_STAKE, DOLLARS), ADVANTAGE, "depends on stake, which the file itself states"),
    "a stake by default, leniently": (own(BIG_STAKE, DOLLARS), policy('undecided = "pass"', 'top_pay_max = "9"'),
                                      "depends on stake"),
    # At $5 every pair pays 200 stakes: 4,600 of 311.
    "a stake of the policy": (own(BIG_STAKE, DOLLARS), policy('return_max = "99%"', '[rule.set]', 'stake = "5"'),
                              "4600/311 is above 99%"),
    "a line at one stake": (
        own('[wager.setting.stake]\ndefault = "5"\n[wager.only_at_stake]\n"pair" = "1"',
            '"pair" = "1000 to 1"\n"ace" = "1 to 1"',
            '"pair" = \'pair(player)\'\n"ace" = \'count(player, "A") == 1\''),
        policy('return_max = "99%"', "[rule.set]", 'stake = "5"'), "is above 99% at a stake of $1",
    ),
    "nobody else plays": (
        own('[wager.setting.other_players]\ndefault = "0"\n[wager.setting.stake]\ndefault = "1"\n'
            '[wager.envy.A]\n"pair" = "$1,000"', '"pair" = "1 to 1"'),
        policy('return_max = "99%"', "[rule.set]", 'stake = "1"'), "depends on other_players",
    ),
    "the least value of an unknown": (
        own('[wager.unknown.prize]\ntext = "a prize"\nleast = "10"', '"pair" = "100% of prize"'),
        policy('undecided = "pass"', 'hit_frequency_min = "5%"', "[rule.set]", 'stake = "1"'), "undecided",
    ),
    "the greatest value of an unknown": (
        own('[wager.unknown.prize]\ntext = "a prize"\nmost = "1"', '"pair" = "100% of prize"'),
        policy('undecided = "pass"', 'hit_frequency_max = "1%"', "[rule.set]", 'stake = "1"'), "undecided",
    ),
    "a contribution": (
        own('[wager.unknown.jackpot]\ntext = "t"\nresets_on = ["pair"]\ncontribution = "1"\nseed = "contributions"',
            '"pair" = "100% of jackpot"'),
        policy('undecided = "pass"', 'player_share_min = "99%"', "[rule.set]", 'stake = "1"'),
        "depends on contribution_rate, which the file itself states",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STATEMENTS)
def test_a_statement_of_the_file_itself_meets_no_bound(combin: Run, case: str) -> None:
    text, rules, says = STATEMENTS[case]
    Path("a.toml").write_text(text)
    Path("policy.toml").write_text(rules)
    status, out, err = combin("check", "a.toml", "--policy", "policy.toml")
    assert status == 1, (out, err)
    assert says in out


def test_a_policy_may_accept_a_promotion(combin: Run) -> None:
    Path("a.toml").write_text(own("promotion = true", '"pair" = "1000 to 1"'))
    waiver = '[[waiver]]\nid = "house/blackjack/w/A"\nrule = "EDG003"\nreason = "approved gift"\n'
    Path("policy.toml").write_text(ADVANTAGE + waiver)
    assert combin("check", "a.toml", "--policy", "policy.toml")[0] == 0


def test_two_extended_policies_of_one_requirement(combin: Run) -> None:
    Path("bad.toml").write_text(BAD)
    for name, bound in (("base", "97%"), ("weak", "9999%")):
        Path(f"{name}.toml").write_text(policy(f'return_max = "{bound}"'))
    Path("same.toml").write_text('extends = "base.toml"\n' + policy('return_min = "1%"').replace('"r"', '"other"'))
    for extends, status in (('["base.toml", "weak.toml"]', 2), ('["weak.toml", "base.toml"]', 2),
                            ('["base.toml", "same.toml"]', 1)):  # fmt: skip
        Path("two.toml").write_text(f"extends = {extends}\n")
        found, _, err = combin("check", "bad.toml", "--policy", "two.toml")
        assert found == status
        assert ('two.toml: line 1: the requirement "r" is stated by two extended policies' in err) == (status == 2)
    Path("two.toml").write_text('extends = ["base.toml", "weak.toml"]\n' + policy('return_max = "98%"'))
    assert combin("check", "bad.toml", "--policy", "two.toml")[0] == 1


def test_two_files_of_settings_are_refused(combin: Run) -> None:
    Path("combin.toml").write_text('policy = "weak.toml"\n')
    Path("pyproject.toml").write_text('[tool.combin]\npolicy = "strict.toml"\n')
    status, _, err = combin("check")
    assert status == 2
    assert "pyproject.toml: [tool.combin]: states settings, and so does combin.toml in the same folder" in err


def sheet(path: Path, pays: object, *, hidden: bool = False, form: str = "") -> None:
    book = Workbook()
    book.active.append(["remarks"])
    page = book.create_sheet("Pays")
    for row in (("wager", "outcome", "pays"), (FLUSH, "four-card flush", pays)):
        page.append(row)
    if form:
        page["C2"].number_format = form
    page.sheet_state = "veryHidden" if hidden else "visible"
    book.save(path)


def moved(path: Path, to: str) -> None:
    """The workbook with its second sheet in another part."""
    raw = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(raw) as old, zipfile.ZipFile(path, "w") as new:
        for item in old.infolist():
            text = old.read(item)
            if item.filename in ("xl/_rels/workbook.xml.rels", "[Content_Types].xml"):
                text = text.replace(b"/xl/worksheets/sheet2.xml", f"/{to}".encode())
            new.writestr(to if item.filename == "xl/worksheets/sheet2.xml" else item.filename, text)


def literal_glob(folder: Path) -> None:
    (folder / "*.toml").write_text(GOOD.replace("good", "other"))
    (folder / "bad.toml").write_text(BAD)


def linked(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    (folder.parent / "elsewhere" / "bad.toml").write_text(BAD)
    (folder / "link").symlink_to(folder.parent / "elsewhere", target_is_directory=True)


def ignored(folder: Path) -> None:
    for name in ("build", "dist", "node_modules", "venv"):
        (folder / name).mkdir()
        (folder / name / f"{name}.toml").write_text(BAD.replace("bad", name.replace("_", "-")))


CSV = f"wager,outcome,pays\n{FLUSH},four-card flush,9 to 1\n"
#: What is put into the folder, and a word of the message.
HIDDEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file called like the glob": (literal_glob, "bad"),
    "a linked folder": (linked, "link/bad.toml:3: fail"),
    "folders that pytest passes over": (ignored, "dist/dist.toml:3: fail"),
    **{f"a sheet in {encoding}": (lambda f, e=encoding: (f / "x.csv").write_bytes(CSV.encode(e)), says)
       for encoding, says in (("utf-16", "is not UTF-8 text"), ("utf-16-le", "an invisible character"),
                              ("utf-16-be", "an invisible character"), ("utf-32", "is not UTF-8 text"))},
    "a hidden sheet": (lambda f: sheet(f / "x.xlsx", "9 to 1", hidden=True), 'sheet "Pays": the hidden sheet has the'),
    "words in a number format": (lambda f: sheet(f / "x.xlsx", 1, form='0 "to 1"'), "number format shows it differ"),
    "a scale in a number format": (lambda f: sheet(f / "x.xlsx", 9000, form="#,##0,"), "shows it differently"),
    "a number format without a number": (lambda f: sheet(f / "x.xlsx", 9, form=";;;"), "shows it differently"),
    "a rounded number": (lambda f: sheet(f / "x.xlsx", 2.75, form="0"), "shows it differently"),
    "words in a text format": (lambda f: sheet(f / "x.xlsx", "9 to 1", form='"1 to 1"@'), "shows it differently"),
    "a sheet in another folder of the workbook": (
        lambda f: (sheet(f / "x.xlsx", "9 to 1"), moved(f / "x.xlsx", "xl/pages/one.xml")), "x.xlsx:2: fail"),
    "a sheet in a part for pictures": (
        lambda f: (sheet(f / "x.xlsx", "9 to 1"), moved(f / "x.xlsx", "xl/media/one.png")), "in an unusual part"),
}  # fmt: skip


@pytest.mark.parametrize("case", HIDDEN)
def test_no_file_is_passed_over(combin: Run, tmp_path: Path, case: str) -> None:
    put, says = HIDDEN[case]
    folder = tmp_path / "paytables"
    folder.mkdir()
    (folder / "good.toml").write_text(GOOD)
    put(folder)
    Path("policy.toml").write_text(ADVANTAGE)
    word = "paytables/*.toml" if put is literal_glob else "paytables"
    status, out, err = combin("check", word, "--policy", "policy.toml")
    assert status in (1, 2), out
    assert says in out + err


def test_what_a_folder_holds_besides_is_noted(combin: Run, tmp_path: Path) -> None:
    folder = tmp_path / "paytables"
    (folder / ".drafts").mkdir(parents=True)
    for name, text in (("good.toml", GOOD), (".drafts/bad.toml", BAD), (".bad.toml", BAD), ("x.ods", ""),
                       ("people.csv", "name,city\n"), ("notes.md", "")):  # fmt: skip
        (folder / name).write_text(text)
    Path("policy.toml").write_text(ADVANTAGE)
    status, out, _ = combin("check", "paytables", "--policy", "policy.toml")
    assert status == 0
    notes = [line.removeprefix("note: ").partition(": ")[0] for line in out.splitlines() if line.startswith("note: ")]
    assert sorted(notes) == sorted(f"paytables/{name}" for name in (".drafts/", ".bad.toml", "people.csv", "x.ods"))


def test_a_file_that_is_read_is_not_noted_whatever_its_name(combin: Run, tmp_path: Path) -> None:
    for name, text in (("good.toml", GOOD), ("house: limits.toml", ADVANTAGE)):
        (tmp_path / "paytables").mkdir(exist_ok=True)
        (tmp_path / "paytables" / name).write_text(text)
    status, out, _ = combin("check", "paytables", "--policy", "paytables/house: limits.toml")
    assert (status, "note: paytables/house" in out) == (0, False)


def test_files_are_taken_away_by_a_glob(combin: Run, tmp_path: Path) -> None:
    for name, text in (("paytables/good.toml", GOOD), ("paytables/drafts/bad.toml", BAD)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    Path("policy.toml").write_text(ADVANTAGE)
    for without in ("!paytables/drafts/*", "!paytables/drafts", "!*/drafts/*"):
        assert combin("check", "paytables", without, "--policy", "policy.toml")[0] == 0
    status, _, err = combin("check", "paytables", "!paytables/none/*", "--policy", "policy.toml")
    assert (status, "!paytables/none/*: excludes no file" in err) == (2, True)


def test_ids_are_excluded_by_a_glob(combin: Run, tmp_path: Path) -> None:
    status, out, _ = combin("list", "maryland/blackjack/royal-match-21/*", "!*/[A-C]")
    assert (status, [line[-1] for line in re.findall(r"^maryland\S+", out, re.M)]) == (0, ["D", "E"])
    status, _, err = combin("list", "maryland/blackjack/royal-match-21/*", "!maryland/blackjack/pair/*")
    assert (status, "!maryland/blackjack/pair/*: excludes no paytable" in err) == (2, True)
    Path("policy.toml").write_text(ADVANTAGE)
    Path("combin.toml").write_text(
        'policy = "policy.toml"\npaytables = ["maryland/blackjack/royal-match-21/*", "!*/[A-C]"]\n')
    assert set(re.findall(r"royal-match-21/(.)", combin("check", "-v")[1])) == {"D", "E"}


def test_prefixed_formulas_are_reported(tmp_path: Path, combin: Run) -> None:
    sheet(tmp_path / "x.xlsx", "2 to 1")
    raw = io.BytesIO((tmp_path / "x.xlsx").read_bytes())
    with zipfile.ZipFile(raw) as old, zipfile.ZipFile(tmp_path / "x.xlsx", "w") as new:
        for item in old.infolist():
            text = old.read(item)
            if item.filename == "xl/worksheets/sheet2.xml":
                text = text.replace(b"<row", b'<row xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"')
                text = text.replace(b"</c></row>", b"<x:f>1</x:f></c></row>", 1)
            new.writestr(item.filename, text)
    assert openpyxl.load_workbook(tmp_path / "x.xlsx")
    Path("policy.toml").write_text(ADVANTAGE)
    assert "1 cell(s) are formulas" in combin("check", "x.xlsx", "--policy", "policy.toml")[1]


def test_a_store_in_the_repository_is_refused(combin: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q"], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
    Path("bad.toml").write_text(BAD)
    Path("policy.toml").write_text(ADVANTAGE)
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    for place in ("kept", str(tmp_path / "kept"), "link"):
        monkeypatch.setenv("COMBIN_CACHE", place)
        status, _, err = combin("check", "bad.toml", "--policy", "policy.toml")
        assert (status, "COMBIN_CACHE: " in err) == (2, True)
    monkeypatch.setenv("COMBIN_CACHE", str(tmp_path.parent / "outside"))
    assert combin("check", "bad.toml", "--policy", "policy.toml")[0] == 1
