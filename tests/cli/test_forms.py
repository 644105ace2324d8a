"""Lists as JSON, their `schema` keys, the search of `list`, and the completions for a shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from combin.base.documents import VERSIONS
from combin.policy.criteria import CHECKS
from combin.rulebook.book import shipped

from ..shared import Run

LADIES = "maryland/blackjack/lucky-ladies/A"
WHEEL = "maryland/chase-the-flush/progressive/B"
PROGRESSIVE = "massachusetts/high-card-flush/progressive/A"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("analysis", ["analyze", LADIES, "--decks", "6"]),
        ("list", ["list"]),
        ("readings", ["readings", LADIES]),
        ("findings", ["findings"]),
        ("checks", ["rules"]),
        ("solve", ["solve", PROGRESSIVE, "main_meter", "--return", "1"]),
        ("solve", ["solve", WHEEL, "weights", "--return", "85%", "--set", "progressive=10000", "--set", "stake=1"]),
        ("meter", ["meter", "maryland/high-card-flush/progressive/C", "--set", "contribution_rate=20%"]),
        ("verify", ["verify", LADIES, "--decks", "1"]),
        ("removal", ["removal", LADIES, "--decks", "1"]),
        ("design", ["design", LADIES, "--decks", "1", "--vary", "any 20=3..4"]),
        ("strategy", ["strategy", "maryland/high-card-flush/base/A", "--hand", "Tc 7c 4c Ks Qh Jd 9d"]),
        ("check", ["check", LADIES, "--policy", "combin:lenient"]),
        ("diff", ["diff", LADIES, LADIES]),
    ],
)
def test_json_names_its_kind_and_version(combin: Run, kind: str, words: list[str]) -> None:
    status, out, err = combin(*words, "--format", "json")
    assert status in (0, 1), err
    data = json.loads(out)
    found = data if isinstance(data, list) else [data]
    assert found
    assert {next(iter(one)) for one in found} == {"schema"}
    assert {one["schema"] for one in found} == {f"combin/{kind}/{VERSIONS[kind]}"}


def test_a_baseline_names_its_version_and_one_without_is_read(combin: Run, tmp_path: Path) -> None:
    combin("check", "maryland/high-card-flush/flush-bonus/*", "--policy", "combin:strict", "--write-baseline", "b.json")
    data = json.loads((tmp_path / "b.json").read_text())
    assert data.pop("schema") == "combin/baseline/1"
    (tmp_path / "b.json").write_text(json.dumps(data))
    words = ("check", "maryland/high-card-flush/flush-bonus/*", "--policy", "combin:strict", "--baseline", "b.json")
    assert combin(*words)[0] == 0


def test_lists_say_what_the_tables_do(combin: Run) -> None:
    listed = json.loads(combin("list", "--format", "json")[1])
    assert [one["id"] for one in listed] == list(shipped().ids())
    checks = json.loads(combin("rules", "--format", "json")[1])
    assert [one["id"] for one in checks] == list(CHECKS)
    assert all({"key", "title", "what", "why", "example", "fix", "source"} <= one.keys() for one in checks)
    [reading] = [r for r in json.loads(combin("readings", "--format", "json")[1]) if r["id"] == "ace-nine-is-20"]
    assert [(c["id"], c["primary"]) for c in reading["choices"]] == [("yes", True), ("no", False)]
    asked = ("solve", PROGRESSIVE, "main_meter", "--return", "1")
    [solved] = json.loads(combin(*asked, "--format", "json")[1])
    assert f"main_meter = {solved['value']['exact']} ≈" in combin(*asked)[1]
    [verified] = json.loads(combin("verify", LADIES, "--decks", "1", "--format", "json")[1])
    assert (verified["state"], {c["passed"] for c in verified["checks"]} <= {True, None}) == ("verified", True)


def test_a_word_is_looked_for_in_ids_and_names(combin: Run) -> None:
    """Lucky Ladies has two paytables and a progressive. The word also finds Lucky Aces."""
    out = combin("list", "LUCKY lad")[1]
    assert [line.split()[0] for line in out.splitlines()[1:]] == [
        "maryland/blackjack/lucky-ladies/A", "maryland/blackjack/lucky-ladies/B",
        "maryland/blackjack/lucky-ladies-progressive/A",
    ]  # fmt: skip
    ids = [line.split()[0] for line in combin("list", "lucky")[1].splitlines()[1:]]
    assert {"maryland/blackjack/lucky-ladies/B", "maryland/blackjack/lucky-aces/A"} <= set(ids)
    assert all("lucky" in i or "lucky" in shipped().resolve(i).name.lower() for i in ids)
    assert combin("list", LADIES)[1].count("\n") == 2
    status, _, err = combin("list", "nothing-of-the-kind")
    assert (status, 'no paytable has the id "nothing-of-the-kind"' in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("combin ana", ["plain,analyze"]),
        ("combin analyze mary", ["plain,maryland/"]),
        ("combin analyze maryland/blackjack/lucky-a", ["plain,maryland/blackjack/lucky-aces/"]),
        ("combin removal maryland/blackjack/lucky-ladies/", [f"plain,{LADIES}", f"plain,{LADIES[:-1]}B"]),
        ("combin analyze ./pay", ["file,./pay"]),
        ("combin analyze x --reading ace-nine-is-20=", ["plain,ace-nine-is-20=yes", "plain,ace-nine-is-20=no"]),
        ("combin rules rtp", ["plain,RTP001", "plain,RTP002", "plain,RTP003", "plain,RTP004"]),
        ("combin check x --policy combin:s", ["plain,combin:sound", "plain,combin:strict"]),
    ],
)
def test_a_shell_is_offered_commands_ids_readings_and_checks(words: str, offers: list[str]) -> None:
    environment = {
        **os.environ, "_COMBIN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")),
    }  # fmt: skip
    found = subprocess.run([sys.executable, "-c", "from combin.cli import main; main()"], env=environment,
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert found.stdout.splitlines() == offers, found.stderr
