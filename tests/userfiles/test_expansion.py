"""Folders and globs of files: the files that they name or skip, and all faults of all files at once."""

import os
from pathlib import Path

import pytest

from combin.base import budgets
from combin.base.errors import InputError
from combin.userfiles.collected import collect
from combin.userfiles.expansion import expanded

FLUSH = "maryland/high-card-flush/flush-bonus"


def table(name: str, pays: str = "3 to 1") -> str:
    return f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.{name}]\n"four-card flush" = "{pays}"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    here = tmp_path / "paytables"
    for name, text in {
        "b.toml": table("b"),
        "a.toml": table("a"),
        "deeper/c.TOML": table("c"),
        "deeper/sheet.csv": f"wager,outcome,pays\n{FLUSH},four-card flush,3 to 1\n",
        "deeper/visitors.csv": "name,city\nx,y\n",
        "policy.toml": '[[rule]]\nname = "x"\napplies_to = ["*"]\nreturn_min = "1%"\n',
        "notes.md": "[[wager]]\n",
        ".hidden/d.toml": table("d"),
        ".e.toml": table("e"),
        "~$open.xlsx": "lock",
    }.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)
    return here


def test_a_folder_is_its_files_of_paytables(folder: Path) -> None:
    found = ("paytables/a.toml", "paytables/b.toml", "paytables/deeper/c.TOML", "paytables/deeper/sheet.csv")
    assert expanded(["paytables/"]) == expanded(["paytables"]) == expanded(["./paytables", "paytables/a.toml"]) == found
    assert expanded([f"{FLUSH}=paytables"]) == (f"{FLUSH}=paytables/deeper/sheet.csv",)
    _, ids = collect(expanded(["paytables/"]))
    assert [i.rpartition("/")[2] for i in ids] == ["a", "b", "c", "sheet"]


def test_a_glob_of_files_is_expanded_where_no_shell_did(folder: Path) -> None:
    assert expanded(["paytables/*.toml"]) == ("paytables/a.toml", "paytables/b.toml", "paytables/policy.toml")
    assert expanded(["paytables/**/*.csv"]) == ("paytables/deeper/sheet.csv", "paytables/deeper/visitors.csv")
    (folder / "[1].toml").write_text(table("bracket"))
    assert expanded(["paytables/[1].toml"]) == ("paytables/[1].toml",)
    assert expanded(["*/flush-bonus/*", "*"]) == ("*/flush-bonus/*", "*")


def test_an_id_is_no_folder_of_the_same_name(folder: Path) -> None:
    Path(FLUSH, "A").mkdir(parents=True)
    assert expanded([FLUSH + "/A", FLUSH]) == (FLUSH + "/A", FLUSH)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("empty/", "empty/: holds no file of paytables"),
        ("paytables/x*.toml", r"paytables/x\*.toml: no file matches"),
    ],
)
def test_what_stands_for_nothing_is_refused(folder: Path, word: str, says: str) -> None:
    Path("empty").mkdir()
    with pytest.raises(InputError, match=says):
        expanded([word])
    with pytest.raises(InputError) as caught:
        expanded([word, "empty/."])
    assert len(caught.value.faults) == 2


def test_a_folder_has_a_budget(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "FILES", 3)
    with pytest.raises(InputError, match="holds more than 3 files"):
        expanded(["paytables"])


def test_a_link_back_is_not_followed(folder: Path) -> None:
    os.symlink(folder, folder / "deeper" / "loop")
    assert len(expanded(["paytables"])) == 4


def test_all_faults_of_all_files_are_told_at_once(folder: Path) -> None:
    (folder / "a.toml").write_text(table("a", "3 too 1") + '"zzz" = "1 to 1"\n')
    (folder / "b.toml").write_text("[[wager")
    (folder / "deeper" / "sheet.csv").write_text(f"wager,outcome,pays\n{FLUSH},zzz,3 to 1\n")
    with pytest.raises(InputError) as caught:
        collect(expanded(["paytables"]))
    assert [f.file.rpartition("/")[2] for f in caught.value.faults] == ["a.toml", "a.toml", "b.toml", "sheet.csv"]
