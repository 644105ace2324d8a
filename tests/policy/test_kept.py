"""Verdicts and pages have the same bytes from what was kept and anew, and new inputs have verdicts of their own."""

from pathlib import Path

import pytest

from combin.base import store
from combin.rulebook.book import shipped

from ..shared import Run

HOUSE = """\
[[wager]]
based_on = "maryland/blackjack/pair"
[wager.paytable.house-1]
"suited pair" = "25 to 1"
"non-suited pair" = "6 to 1"
[wager.paytable.house-2]
"suited pair" = "25 to 1"
"non-suited pair" = "7 to 1"
"""
POLICY = '[[rule]]\nname = "most"\napplies_to = ["*/pair/*"]\nreturn_max = "{}"\nreturn_band_max = "50%"\n'


@pytest.fixture
def combin(combin: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "kept"))
    Path("house.toml").write_text(HOUSE)
    Path("policy.toml").write_text(POLICY.format("92%"))
    return combin


def checked(combin: Run, *args: str, decks: int = 6) -> tuple[int, str, str]:
    """What check says, which must be the same from what is kept and anew."""
    words = ("check", "house.toml", "--policy", "policy.toml", "--decks", str(decks), "--format", "json", *args)
    found = combin(*words)
    assert combin(*words) == found
    assert combin(*words, "--no-cache") == found
    return found


def test_the_same_bytes_with_it_and_without(combin: Run) -> None:
    """By hand, 6 decks: 5 of 311 second cards make a suited pair, 18 another; 25 · 5 + 6 · 18 + 23 = 256 of 311."""
    shipped()  # the documents are parsed already, so that they are not kept here
    status, out, _ = checked(combin)
    assert status == 0
    assert "256/311" in out
    assert not list(Path("kept").rglob("*.json"))  # a verdict is never kept


def test_a_changed_pay_is_judged_by_its_own_figures(combin: Run) -> None:
    Path("policy.toml").write_text(POLICY.format("89%"))
    assert checked(combin)[0] == 0
    # By hand, 6 decks: 25 · 5 + 8 · 18 + 23 = 292 of 311.
    Path("house.toml").write_text(HOUSE.replace("7 to 1", "8 to 1"))
    status, out, _ = checked(combin)
    assert status == 1
    assert "292/311" in out
    Path("house.toml").write_text(HOUSE)
    assert checked(combin)[0] == 0


def test_a_changed_bound_and_other_decks_are_judged_anew(combin: Run) -> None:
    Path("policy.toml").write_text(POLICY.format("89%"))
    assert checked(combin)[0] == 0
    Path("policy.toml").write_text(POLICY.format("88%"))
    assert checked(combin)[0] == 1  # 7 to 1, 6 decks: 274 of 311 are 88.1 %
    assert checked(combin, decks=2)[0] == 0  # 25 · 1 + 7 · 6 + 7 = 74 of 103 are 71.8 %


def test_a_waiver_ends_on_its_day(combin: Run) -> None:
    waived = HOUSE.replace("[wager.paytable.house-2]\n", "", 1).replace(
        '"suited pair" = "25 to 1"\n"non-suited pair" = "7 to 1"\n', "")
    Path("house.toml").write_text(waived)
    waiver = '[[waiver]]\nid = "*/house-1"\nrule = "RTP002"\nreason = "agreed"\nexpires = 2026-03-01\n'
    Path("policy.toml").write_text(POLICY.format("80%") + waiver)
    assert checked(combin, "--today", "2026-02-28")[0] == 0
    assert checked(combin, "--today", "2026-03-02")[0] == 1


def test_the_code_of_a_plug_in_is_never_believed_to_be_the_same(combin: Run) -> None:
    """The same file of paytables pays on a function that changes between two runs."""
    plug = (
        "from combin.wagers import outcomes\n\n\n@outcomes('suits-of')\ndef suits_of(t):\n"
        "    suit = t['player.suit'][:, 0]\n    return {{'mine': {}}}\n"
    )
    Path("own.toml").write_text(
        '[[wager]]\nid = "house/blackjack/mine"\nname = "Mine"\ndeal = "player 1"\ndecks = [1]\n'
        'outcomes = "suits-of"\nsuits = ["clubs", "diamonds"]\n[wager.paytable.A]\n"mine" = "1 to 1"\n'
    )
    Path("policy.toml").write_text('[[rule]]\nname = "most"\napplies_to = ["*"]\nreturn_max = "60%"\n')
    words = ("check", "own.toml", "--policy", "policy.toml", "--plugin", "plug.py")
    Path("plug.py").write_text(plug.format("suit == 0"))
    assert combin(*words)[:2] == (0, "policy met: 1 passed, 0 failed\n")  # one suit of four: 50 %
    Path("plug.py").write_text(plug.format("suit <= 1"))
    assert combin(*words)[0] == 1  # two suits of four: 100 %


def test_a_library_is_written_alike(combin: Run) -> None:
    def pages(folder: str, *options: str) -> dict[str, bytes]:
        Path(folder).mkdir(exist_ok=True)
        Path(folder, "house.toml").write_text(Path("house.toml").read_text())
        Path(folder, "catalogue.toml").write_text('[[analysis]]\nfiles = ["house.toml"]\ndecks = [6]\n')
        assert combin("regenerate", folder, *options)[0] == 0
        return {str(p.relative_to(folder)): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}

    first = pages("one", "--no-cache")
    assert first == pages("two") == pages("three")
    assert any(b"256/311" in page for page in first.values())
    Path("house.toml").write_text(HOUSE.replace("6 to 1", "5 to 1"))
    after = pages("three")
    assert any(b"238/311" in page for page in after.values())  # 25 · 5 + 5 · 18 + 23
    assert after == pages("four", "--no-cache")
