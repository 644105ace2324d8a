"""Clients' own names of outcomes: other capitals and spaces, --map, [map] of combin.toml, footnotes, suggestions."""

import json
from pathlib import Path

import pytest

from combin.base.errors import nearest

from ..shared import Run, wager_file

FLUSH = "maryland/high-card-flush/flush-bonus"
PAYS = {"seven-card flush": "300 to 1", "six-card flush": "100 to 1", "five-card flush": "10 to 1",
        "four-card flush": "1 to 1"}  # fmt: skip
LINES = ["Seven-Card Flush,300-1", "SIX CARD FLUSH,100-1", "five - card  flush,10-1", "fourcardflush,1-1"]
CLIENT = ["7 Card Flush,300-1", "6 Card Flush,100-1", "5 Card Flush,10-1", "four-card flush,1-1"]
MAP = {"7 Card Flush": "seven-card flush", "6 card flush": "six-card flush", "5 Card Flush": "five-card flush"}


def sheet(lines: list[str], name: str = "c.csv") -> str:
    Path(name).write_text("\n".join(["Hand,Payout", *lines]) + "\n")
    return f"{FLUSH}={name}"


def pays_of(combin: Run, *words: str) -> dict[str, str]:
    status, out, err = combin("analyze", *words, "--odds", "to", "--format", "json")
    assert status == 0, err
    return {o["outcome"]: o["pays"] for o in json.loads(out)[0]["outcomes"] if o["outcome"] != "loss"}


def test_case_spaces_and_hyphens_do_not_matter(combin: Run) -> None:
    assert pays_of(combin, sheet(LINES)) == PAYS


def test_a_map_on_the_command_line(combin: Run) -> None:
    word = sheet(CLIENT)
    maps = [part for name, outcome in MAP.items() for part in ("--map", f"{name}={outcome}")]
    assert pays_of(combin, word, *maps) == PAYS
    status, _, err = combin("analyze", word, "--odds", "to")
    assert status == 2
    assert 'has no outcome "7 Card Flush"; known: seven-card flush, six-card flush' in err
    assert '; --map "7 Card Flush=OUTCOME" says which one is meant' in err
    assert "did you mean" not in err
    for bad in ("x", "=y", "x="):
        status, _, err = combin("analyze", word, "--map", bad)
        assert (status, "is not NAME=OUTCOME" in err) == (2, True)


def test_a_name_is_split_at_the_first_sign(combin: Run) -> None:
    Path("own.toml").write_text(wager_file("player 2", {"a = b": ("pair(player)", "2 to 1")}, decks=(6,)))
    status, _, err = combin("analyze", "own.toml", f"{FLUSH}=c.csv", "--map", "x=a = b", "--odds", "to")
    assert (status, "c.csv: there is no such file" in err) == (2, True)


def test_combin_toml_maps_the_files_of_a_glob(combin: Run) -> None:
    lines = "\n".join(f'"{name}" = "{outcome}"' for name, outcome in MAP.items())
    Path("combin.toml").write_text(f'policy = "combin:sound"\n[map."c*.csv"]\n{lines}\n')
    assert pays_of(combin, sheet(CLIENT)) == PAYS
    assert combin("check", sheet(CLIENT), "--odds", "to", "--partial")[0] == 0
    assert combin("analyze", sheet(CLIENT, "d.csv"), "--odds", "to")[0] == 2
    Path("combin.toml").write_text("map = 3\n")
    status, _, err = combin("analyze", sheet(CLIENT), "--odds", "to")
    assert (status, "combin.toml: line 1, map: 3 is not a table" in err) == (2, True)


def test_every_command_reads_a_sheet_as_combin_toml_says(combin: Run) -> None:
    lines = "\n".join(f'"{name}" = "{outcome}"' for name, outcome in MAP.items())
    word = sheet(CLIENT)
    Path("r.csv").write_text("rounds,four-card flush\n100000,19537\n")
    Path("catalogue.toml").write_text(f'[[analysis]]\nfiles = ["{word}"]\n')
    commands = (("audit", word, "r.csv"), ("design", word, "--vary", "five-card flush=10..10"), ("diff", word, word),
                ("check", word, "--partial"), ("regenerate", "."), ("readings", word))  # fmt: skip
    Path("combin.toml").write_text('policy = "combin:sound"\nodds = "to"\n')
    assert combin("analyze", word)[2].count("has no outcome") == 3  # the odds are read
    Path("combin.toml").write_text(f'policy = "combin:sound"\nodds = "to"\n[map."c*.csv"]\n{lines}\n')
    for command in commands:
        status, _, err = combin(*command)
        assert status == 0, (command, err)
    Path("combin.toml").write_text('odds = "at"\n')
    status, _, err = combin("analyze", word)
    assert (status, 'combin.toml: line 1, odds: "at" is none of the choices; known: to, for' in err) == (2, True)


def test_a_report_is_verified_with_its_map(combin: Run) -> None:
    maps = [part for name, outcome in MAP.items() for part in ("--map", f"{name}={outcome}")]
    assert combin("report", sheet(CLIENT), "--odds", "to", *maps, "--quick", "-o", "r.json")[0] == 0
    assert combin("report", "--verify", "r.json")[0] == 0


def test_a_footnote_is_a_note_and_a_line_without_its_pay_a_fault(combin: Run) -> None:
    status, _, err = combin("analyze", sheet([*LINES, "All other hands lose,"]), "--odds", "to")
    assert status == 0
    assert 'c.csv: line 6: "All other hands lose" is not an outcome and has no pay; it is not read' in err
    status, _, err = combin("analyze", sheet([*LINES[:3], "Four Card Flush,"]), "--odds", "to")
    assert (status, "the row has no pays" in err) == (2, True)


@pytest.mark.parametrize(("word", "known"), [
    ("unsuited pair", "suited pair"), ("suited pair", "unsuited pair"), ("non-suited pair", "suited pair"),
    ("7 Card Flush", "two-card flush"), ("seven-card flush", "six-card flush"), ("5 of a kind", "4 of a kind"),
    ("not paired", "paired"),
])  # fmt: skip
def test_the_opposite_is_never_suggested(word: str, known: str) -> None:
    assert nearest(word, [known, "royal"]) == f"known: {known}, royal"


def test_a_slip_is_still_suggested() -> None:
    assert nearest("sevn-card flush", ["two-card flush", "seven-card flush"]) == 'did you mean "seven-card flush"?'
    assert nearest("suitd pair", ["suited pair", "unsuited pair"]) == 'did you mean "suited pair"?'
