"""combin check, rules, policies and init as commands: output, files and exit status."""

import json
from pathlib import Path

import pytest

from ..shared import HOUSE_FLUSH, Run

FLUSH = "maryland/high-card-flush/flush-bonus"
RULE = '[[rule]]\nname = "three quarters"\napplies_to = ["*/flush-bonus/*"]\nreturn_min = "{}"\n'
RETURN = "2243219/2572780"



@pytest.fixture
def combin(combin: Run) -> Run:
    """Run a command in a folder with house.toml, a policy that it meets and a policy that it fails."""
    Path("house.toml").write_text(HOUSE_FLUSH)
    Path("good.toml").write_text(RULE.format(RETURN))
    Path("bad.toml").write_text(RULE.format("9/10"))
    return combin


def test_status_and_summary(combin: Run) -> None:
    assert combin("check", "house.toml", "--policy", "good.toml") == (0, "policy met: 1 passed, 0 failed\n", "")
    status, out, err = combin("check", "house.toml", "--policy", "bad.toml")
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        f"house.toml:3: fail: maryland/high-card-flush/flush-bonus/house-1: return 87.1905 % = {RETURN} is below 9/10; "
        'requirement "three quarters", RTP001 return_min',
        # One unit more for the C(4,1) x C(13,5) x C(39,2) five-card flushes is 2.85 %. 2.81 % are missing.
        "house.toml:3: way out: maryland/high-card-flush/flush-bonus/house-1: "
        '"five-card flush" at 11 to 1 would do (10 to 1 now)',
        "policy not met: 0 passed, 1 failed",
    ]
    status, out, _ = combin(
        "check", "house.toml", "maryland/high-card-flush/flush-bonus/A", "--policy", "good.toml", "-v"
    )
    assert [line.partition(": ")[2][:4] for line in out.splitlines()[:-1]] == ["pass", "pass"]


def test_the_catalogue_is_checked_where_it_is_named(combin: Run) -> None:
    Path("p.toml").write_text(RULE.format("0.1%").replace("*/flush-bonus/*", "massachusetts/*/flush-bonus/*"))
    assert combin("check", "*", "--policy", "p.toml")[1] == "policy met: 14 passed, 0 failed\n"
    status, out, err = combin("check", "--policy", "p.toml")
    assert (status, out) == (2, "")
    remedy = "give files, folders, ids or globs, or name paytables in combin.toml; '*' is the whole catalogue"
    assert err == f"combin: check: no paytable is named; {remedy}\n"


def test_a_file_that_is_called_like_the_glob_is_not_read(combin: Run) -> None:
    Path("*").write_text(HOUSE_FLUSH)
    Path("p.toml").write_text(RULE.format("0.1%").replace("*/flush-bonus/*", "massachusetts/*/flush-bonus/*"))
    assert combin("check", "*", "--policy", "p.toml")[1] == "policy met: 14 passed, 0 failed\n"


@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "github"])
def test_formats_go_to_a_file(combin: Run, form: str) -> None:
    status, out, err = combin("check", "house.toml", "--policy", "bad.toml", "--format", form, "-o", "out")
    assert (status, out, err) == (1, "", "combin: policy not met: 0 passed, 1 failed\n")
    assert RETURN in Path("out").read_text(encoding="utf-8")


def test_baseline_today_and_exact(combin: Run) -> None:
    assert combin("check", "house.toml", "--policy", "bad.toml", "--write-baseline", "b.json")[0] == 1
    assert combin("check", "house.toml", "--policy", "bad.toml", "--baseline", "b.json")[0] == 0
    assert combin("check", "house.toml", "--policy", "good.toml", "--baseline", "b.json", "--fail-on-unused")[0] == 1
    with Path("bad.toml").open("a") as stream:
        stream.write('[[waiver]]\nid = "*"\nreason = "r"\nexpires = "2030-01-31"\n')
    assert combin("check", "house.toml", "--policy", "bad.toml")[0] == 0
    assert combin("check", "house.toml", "--policy", "bad.toml", "--today", "2031-01-01")[0] == 1


def test_no_file_that_is_read_is_written_over(combin: Run) -> None:
    Path("more.toml").write_text('extends = "good.toml"\n')
    assert combin("check", "house.toml", "--policy", "bad.toml", "--write-baseline", "b.json")[0] == 1
    kept = {p: p.read_bytes() for p in Path().iterdir()}
    check = ("check", "house.toml", "--policy", "more.toml", "--baseline", "b.json")
    commands = [
        *((*check, flag, f) for flag in ("-o", "--write-baseline") for f in ("house.toml", "more.toml", "good.toml")),
        (*check, "-o", "b.json"),
        (*check, "-o", "new", "--write-baseline", "new"),
        ("analyze", "house.toml", "-o", "house.toml"),
        ("analyze", f"{FLUSH}/A", "--wheel", "house.toml", "-o", "house.toml"),
        ("report", "house.toml", "--policy", "good.toml", "-o", "good.toml"),
        ("strategy", f"{FLUSH}/A", "--play", "house.toml", "-o", "house.toml"),
        ("design", "house.toml", "--policy", "good.toml", "-o", "./good.toml"),
    ]
    for words in commands:
        status, out, err = combin(*words)
        assert (status, out, len(err.splitlines())) == (2, "", 1), words
        assert {p: p.read_bytes() for p in Path().iterdir()} == kept, words
    assert combin(*check, "--write-baseline", "b.json")[0] == 0  # the baseline is rewritten in place


def test_a_partial_check_lets_requirements_match_nothing(combin: Run) -> None:
    Path("p.toml").write_text(RULE.format("1").replace("*/flush-bonus/*", "*/house-9"))
    status, _, err = combin("check", "house.toml", "--policy", "p.toml")
    assert status == 2
    assert 'p.toml: line 1: the requirement "three quarters" matches nothing: no id is */house-9' in err
    # The named paytable must still be judged.
    status, out, _ = combin("check", "house.toml", "--policy", "p.toml", "--partial")
    assert status == 1
    assert f"house.toml:3: fail: {FLUSH}/house-1: no requirement of the policy judges it" in out
    status, out, _ = combin("check", "house.toml", "--policy", "p.toml", "--partial", "--allow-unjudged")
    assert status == 0
    assert out.endswith("policy met: 0 passed, 0 failed, 2 skipped\n")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("house.toml",), "no policy is named; give --policy, or name one in combin.toml"),
        (("house.toml", "--policy", "none.toml"), "none.toml: there is no such file"),
        (("house.toml", "--policy", "."), ".: is a folder"),
        (("", "--policy", "good.toml"), "PATTERN: an id, a glob or a file is empty"),
        (("none.toml", "--policy", "good.toml"), "none.toml: there is no such file"),
        (("maryland/nothing/*", "--policy", "good.toml"), 'no id matches "maryland/nothing/*"'),
        (("house.toml", "--policy", "good.toml", "--today", "soon"), '--today: "soon" is not a date'),
        (("house.toml", "--policy", "good.toml", "--baseline", "house.toml"), "house.toml: line 1: is not JSON"),
        (("house.toml", "--policy", "good.toml", "-o", "none/out"), "the folder none does not exist"),
        (("house.toml", "--policy", "combin:lax"), 'combin:lax: no policy called "lax" ships with combin'),
        (("house.toml", "--policy", "good.toml", "--format", "xml"), "'xml' is not one of"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_status_two(combin: Run, args: tuple[str, ...], says: str) -> None:
    status, out, err = combin("check", *args)
    assert (status, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


def test_an_id_that_two_files_give_is_refused(combin: Run) -> None:
    Path("other.toml").write_text(HOUSE_FLUSH.replace("10 to 1", "2 to 1"))
    for words in (("check", "--policy", "good.toml"), ("analyze",)):
        status, out, err = combin(*words, "house.toml", "other.toml")
        assert (status, out) == (2, "")
        assert err.startswith("combin: other.toml: line 3: ")
        assert 'has a paytable "house-1" already (house.toml, line 3)' in err


def test_sheets_are_taken_where_patterns_are(combin: Run) -> None:
    Path("house.csv").write_text("outcome,pays\nfour-card flush,3 to 1\n")
    word = "maryland/high-card-flush/flush-bonus=house.csv"
    status, out, _ = combin("check", word, "--policy", "bad.toml", "--format", "json")
    verdict = json.loads(out)["verdicts"][0]
    assert (status, verdict["id"], verdict["file"], verdict["line"]) == (
        0, "maryland/high-card-flush/flush-bonus/house", "house.csv", 2,
    )  # fmt: skip


def test_rules_and_policies_are_shown(combin: Run) -> None:
    status, out, _ = combin("rules")
    assert status == 0
    assert out.splitlines()[1].split()[:2] == ["RTP001", "return_min"]
    assert "\nSource\n  Missouri" in combin("rules", "RTP001")[1]
    assert combin("rules", "RTP001", "--format", "markdown")[1].startswith("# RTP001 return\\_min: ")
    assert "| RTP001 | return\\_min | minimum return to player |" in combin("rules", "--format", "markdown")[1]
    assert combin("rules", "--format", "markdown")[1].startswith("| id | check | title |\n")
    assert combin("rules", "RTP999")[0] == 2
    assert [line.split()[0] for line in combin("policies")[1].splitlines()] == [
        "combin:lenient", "combin:sound", "combin:strict",
    ]  # fmt: skip
    text = combin("policies", "lenient")[1]
    assert text == combin("policies", "combin:lenient")[1]
    Path("own.toml").write_text(text)
    assert combin("check", "house.toml", "--policy", "own.toml")[0] == 0


def test_init_writes_what_check_accepts(combin: Run) -> None:
    assert combin("init", "maryland/high-card-flush/flush-bonus") == (
        0,
        "wrote paytables.toml\nwrote policy.toml\n",
        "",
    )
    assert combin("check", "paytables.toml", "--policy", "policy.toml")[0] == 0
    status, _, err = combin("init", "maryland/high-card-flush/flush-bonus")
    assert status == 2
    assert len(err.splitlines()) == 2


MATCHES = "maryland/blackjack/match-the-dealer"
ANY = '[[rule]]\nname = "any"\napplies_to = ["*"]\nreturn_min = "1/2"\n'
SIX = '[[rule]]\nname = "six"\napplies_to = ["*"]\ndecks = [6]\nreturn_max = "99/100"\n'


@pytest.mark.parametrize("decks", [["--decks", "6", "--decks", "8"], ["--decks", "6,8"]])
def test_only_some_numbers_of_decks_are_judged(combin: Run, decks: list[str]) -> None:
    """A requirement for six decks stays one for six decks; each table of Match-the-Dealer is for one number."""
    Path("six.toml").write_text(ANY + SIX)
    status, out, err = combin("check", f"{MATCHES}/*", "maryland/blackjack/lucky-ladies/A", "--policy", "six.toml",
                              "--format", "json", *decks)
    found = {(v["id"].split("/", 2)[2], v["decks"], v["rule"], v["status"]) for v in json.loads(out)["verdicts"]}
    assert status == 0
    assert found == {
        ("match-the-dealer/6-decks", 6, "any", "pass"), ("match-the-dealer/8-decks", 8, "any", "pass"),
        ("lucky-ladies/A", 6, "any", "pass"), ("lucky-ladies/A", 8, "any", "pass"),
        ("match-the-dealer/6-decks", 6, "six", "pass"), ("match-the-dealer/8-decks", None, "six", "skipped"),
        ("lucky-ladies/A", 6, "six", "pass"),
    }  # fmt: skip
    assert f"combin: left out, since they are not dealt from 8 decks: {MATCHES}/6-decks\n" in err


def test_decks_of_check_leave_out_what_analyze_leaves_out(combin: Run) -> None:
    Path("six.toml").write_text(ANY + SIX)
    asked = (f"{MATCHES}/*", "--decks", "6-8")
    told = combin("check", "--policy", "six.toml", *asked)[2]
    assert told == combin("analyze", *asked)[2]
    assert "not dealt from 7 decks" in told


def test_a_requirement_for_other_decks_judges_nothing(combin: Run) -> None:
    Path("six.toml").write_text(SIX)
    status, _, err = combin("check", "maryland/blackjack/lucky-ladies/A", "--policy", "six.toml", "--decks", "8")
    assert (status, "is judged for other numbers of decks than 6" in err) == (2, True)
    status, _, err = combin("check", f"{FLUSH}/*", "--policy", "six.toml", "--decks", "6")
    assert status == 2
    assert "paytables is dealt from 6 decks; give 1" in err
    status, _, err = combin("check", f"{FLUSH}/*", "--policy", "six.toml", "--decks", "six")
    assert (status, "write 6, or 6,8, or 4-8" in err) == (2, True)
