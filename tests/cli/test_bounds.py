"""Every command is bounded before its work begins, and hostile texts and entries end in no traceback."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from combin.base import budgets, store
from combin.deals.first_cards import Deal

from ..shared import Run, wager_file

#: Seven cards of which each suit matters: the 133,784,560 hands are as many classes.
JACKPOT = '[wager.unknown.jackpot]\ntext = "t"\nresets_on = ["o"]\n'
LARGE = wager_file("player 7", {
    "o": ('poker(player) >= "flush" and count(player, "Qh") * 2 + count(player, "7c") + count(player, "2d") >= 2',
          "100% of jackpot"),
    "p": ('total(player) * (count(player, "Qh") + 1) * (count(player, "3s") + 2) * longest_straight_flush(player) > 29',
          "1 to 1"),
}, more=JACKPOT)
POKER = wager_file("player 7", {
    "o": ('poker(player) >= "flush"', "100% of jackpot"), "p": ('poker(player) >= "straight"', "1 to 1"),
}, more=JACKPOT)


@pytest.fixture(autouse=True)
def files(combin: Run) -> None:
    """The files of the tests in the folder in which `combin` runs."""
    Path("large.toml").write_text(LARGE)
    Path("policy.toml").write_text('[[rule]]\nname = "r"\napplies_to = ["*"]\nno_player_advantage = true\n')


def test_list_counts_nothing(combin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(*_: object) -> None:
        raise AssertionError("a deal is counted")

    monkeypatch.setattr(Deal, "table", counted)
    for words in (("list",), ("readings",), ("findings",)):
        status, _, err = combin(*words, "large.toml")
        assert status == 0, err
    assert "house/game/bet/A" in combin("list", "large.toml")[1]
    Path("large.toml").write_text(LARGE.replace('"p" = "1 to 1"', '"q" = "1 to 1"'))
    status, _, err = combin("list", "large.toml")
    assert (status, 'has no outcome "q"; did you mean' in err or "known: o, p" in err) == (2, True)


@pytest.mark.parametrize("words", [
    ("analyze",), ("check", "--policy", "policy.toml"), ("meter",), ("verify",), ("removal",), ("report", "-o", "r.md"),
    ("diff", "large.toml"), ("solve", "jackpot", "--return", "1"), ("audit", "results.csv"),
], ids=lambda words: words[0])  # fmt: skip
def test_a_count_without_a_budget_is_refused(combin: Run, words: tuple[str, ...]) -> None:
    """133,784,560 hands of seven cards of one deck, each a class of its own, for more than fifteen words."""
    command, *options = words
    status, out, err = combin(command, "large.toml", *options)
    assert (status, out) == (2, "")
    assert "large.toml: line 12: counting it takes " in err
    assert f"more than {budgets.WORK:,}; deal fewer cards" in err


def test_files_of_one_command_share_a_budget(combin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One suit that is named leaves six times fewer classes; two such wagers are twice the work, unless they agree."""
    for name, least in (("a", 1), ("b", 2), ("c", 1)):
        lines = {"o": (f'count(player, "Qh") >= {least}', "1 to 1")}
        Path(f"{name}.toml").write_text(wager_file("player 3", lines, decks=(6,), id=f"house/x/{name}"))
    monkeypatch.setattr(budgets, "WORK", 12)  # a hand holds 0 to 3 of the queens: 4 classes; word, number, sign
    for files_of in (("a.toml",), ("b.toml",), ("a.toml", "c.toml")):
        assert combin("analyze", *files_of)[0] == 0
    status, _, err = combin("analyze", "a.toml", "b.toml")
    assert (status, "counting it takes 24 steps" in err) == (2, True)


def test_hands_of_several_seats_are_listed_within_a_budget(combin: Run) -> None:
    Path("poker.toml").write_text(POKER)
    words = ("meter", "poker.toml", "--set", "reset=1000", "--set", "contribution_rate=10%", "--set", "stake=5")
    assert combin(*words)[0] == 0
    status, _, err = combin(*words, "--seats", "3")
    assert (status, "is not computed; give 1 seat" in err) == (2, True)


PLAN = """
[bank]
tables = 100
seats = 6
rounds_per_hour = {}
hours_per_day = 24
days = {}
runs = {}
[[wager]]
id = "maryland/high-card-flush/progressive/C"
stake = "1"
set = {{ contribution_rate = "20%" }}
"""


@pytest.mark.parametrize(("rounds", "days", "runs", "says"), [
    (60, 36_500, 100_000, "are 3,650,000,000 days, more than 10,000,000"),
    (1_000, 10_000, 1_000, "meters would pay about "),
])
def test_a_simulated_bank_has_a_budget(combin: Run, rounds: int, days: int, runs: int, says: str) -> None:
    Path("plan.toml").write_text(PLAN.format(rounds, days, runs))
    status, out, err = combin("simulate", "plan.toml")
    assert (status, out, says in err) == (2, "", True), err


HOUSE = '[[wager]]\nbased_on = "maryland/blackjack/pair"\n[wager.paytable.x]\ndecks = [6]\n"suited pair" = "{} to 1"\n'


@pytest.mark.parametrize("text", ["5", "null", '["record","combin.tools.diff:Change",1]', '["tuple",1,2]', "[[[[",
                                  '["record","combin.analysis.model:Analysis"]', '["number","(9**9)**9**9"]',
                                  '["array","i8",[99999999999],"eJwDAAAAAAE="]'])
def test_an_entry_of_another_kind_is_made_anew(
    combin: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path.parent / f"{tmp_path.name}-kept"))
    Path("a.toml").write_text(HOUSE.format(20))
    Path("b.toml").write_text(HOUSE.format(21))
    first = combin("diff", "a.toml", "b.toml", "--format", "json")
    assert first[0] == 0
    entries = list((tmp_path.parent / f"{tmp_path.name}-kept").rglob("*.json"))
    assert entries
    for entry in entries:
        entry.write_bytes(sha256(text.encode()).hexdigest().encode() + b"\n" + text.encode())
    assert combin("diff", "a.toml", "b.toml", "--format", "json") == first


@pytest.mark.parametrize("name", ["幸運 21", "행운의 카드", "โชคดี", "👍🏽 Lucky", "עברית Ⴄ ☃ ✓"])
def test_letters_that_no_font_has_are_code_points_of_a_page(combin: Run, name: str) -> None:
    pytest.importorskip("typst")
    Path("a.toml").write_text(wager_file("player 2", {"pair": ("pair(player)", "9 to 1")}, decks=(6,), name=name))
    status, _, err = combin("report", "a.toml", "--quick", "-o", "x.pdf")
    assert status == 0, err
    assert Path("x.pdf").read_bytes().startswith(b"%PDF")


def test_a_seat_whose_return_is_open_is_reported(combin: Run) -> None:
    status, _, err = combin("report", "maryland/blackjack/bad-beat-progressive/A", "--decks", "6", "--quick", "--seats",
                            "1", "--set", "contribution_rate=15%", "-o", "x.md")  # fmt: skip
    assert status == 0, err


def test_images_and_links_of_a_file_are_words_in_a_summary(combin: Run) -> None:
    name = "![x](http://e.org/i.png) [y](z) <img src=a> @team `c` www.e.org"
    Path("a.toml").write_text('[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonus"\n[wager.paytable.x]\n'
                              '"four-card flush" = "9 to 1"\n')
    Path("p.toml").write_text(
        f"[[rule]]\nname = {json.dumps(name)}\napplies_to = ['*']\nno_player_advantage = true\n")
    out = combin("check", "a.toml", "--policy", "p.toml", "--format", "markdown")[1]
    assert "\\!\\[x\\]\\(http&#58;//e.org/i.png\\) \\[y\\]\\(z\\) " in out
    assert "&lt;img src=a&gt; &#64;team \\`c\\` www&#46;e.org" in out
