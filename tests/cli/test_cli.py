"""The command line: its output, the place of its output, and its failures."""

import json
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from combin import analyze
from combin.base.errors import InputError

from ..shared import HOUSE_FLUSH

BONUS = "maryland/high-card-flush/flush-bonus/A"


def test_analyze_prints_the_fixed_json(combin) -> None:
    status, out, err = combin("analyze", "maryland/high-card-flush/flush-bonus/*", "--format", "json")
    assert (status, err) == (0, "")
    records = json.loads(out)
    assert [r["id"][-1] for r in records] == list("ABCDEFGHIJKLMNO")
    first = records[0]
    keys = [
        "id",
        "name",
        "clause",
        "decks",
        "condition",
        "readings",
        "parameters",
        "deals",
        "classes",
        "outcomes",
        "return",
        "return_range",
        "house_edge",
        "hit_frequency",
        "variance",
        "standard_deviation",
        "unknowns",
        "coefficients",
    ]
    assert [k for k in first if k in keys] == keys
    assert first["deals"] == "133784560"
    assert sum(int(o["combinations"]) for o in first["outcomes"]) == 133784560
    assert first["outcomes"][0] == {
        "outcome": "seven-card flush",
        "pays": "300 to 1",
        "combinations": "6864",
        "probability": "33/643195",
        "contribution": str(Fraction(33 * 301, 643195)),
    }
    assert first["condition"] is None


@pytest.mark.parametrize("form", ["table", "csv", "markdown"])
def test_every_format_shows_the_count(combin, form: str) -> None:
    status, out, _ = combin("analyze", BONUS, "--format", form)
    assert status == 0
    assert "6,864" in out or "6864" in out


def test_output_goes_to_a_file_whole(combin, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert combin("analyze", BONUS, "--format", "json", "-o", target)[0] == 0
    assert json.loads(target.read_text())[0]["id"] == BONUS
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_a_file_of_ones_own_paytables(combin, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(HOUSE_FLUSH.replace("\n", "\r\n"))
    status, out, err = combin("analyze", own, "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out)[0]["id"] == "maryland/high-card-flush/flush-bonus/house-1"


def test_solve_list_readings_findings(combin) -> None:
    status, out, _ = combin("solve", "maryland/high-card-flush/progressive/A", "meter", "--return", "1")
    assert status == 0
    assert "gives a return of 1" in out
    status, out, _ = combin("list", "*/flush-bonus/*")
    assert status == 0
    assert len(out.splitlines()) == 1 + 14 + 15
    status, out, _ = combin("readings", "maryland/high-card-flush/straight-flush-bonus/G")
    assert "ace-in-straight-flush" in out
    assert "four-of-a-kind" in out
    status, out, _ = combin("findings", "massachusetts/high-card-flush/flush-bonus/B")
    assert status == 0
    assert "§11(c)" in out


def bad(tmp_path: Path) -> dict[str, list[object]]:
    files = {
        "syntax": HOUSE_FLUSH.replace('based_on = "', "based_on = "),
        "unknown": HOUSE_FLUSH.replace("six-card flush", "six-card flus"),
        "words": HOUSE_FLUSH.replace("300 to 1", "300 too 1"),
        "negative": HOUSE_FLUSH.replace("300 to 1", "-5 to 1"),
        "huge": HOUSE_FLUSH.replace("300 to 1", "1e400 to 1"),
        "zero": HOUSE_FLUSH.replace("300 to 1", "0.1 to 0"),
        "order": HOUSE_FLUSH.replace('"five-card flush" = "10 to 1"\n', "") + '"five-card flush" = "10 to 1"\n',
        "twice": HOUSE_FLUSH + '"four-card flush" = "2 to 1"\n',
        "empty": "",
        "base": HOUSE_FLUSH.replace("flush-bonus", "flash-bonus"),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "latin.toml").write_bytes(HOUSE_FLUSH.encode() + "# Größe\n".encode("latin-1"))
    (tmp_path / "noise.toml").write_bytes(os.urandom(1024) * 3000)
    (tmp_path / "folder.toml").mkdir()
    cases: dict[str, list[object]] = {
        name: ["analyze", tmp_path / f"{name}.toml"] for name in [*files, "latin", "noise", "folder", "missing"]
    }
    return cases | {
        "id": ["analyze", "maryland/high-card-flush/flush-bonis/A"],
        "glob": ["analyze", "nevada/*"],
        "decks": ["analyze", BONUS, "--decks", "6"],
        "set": ["analyze", BONUS, "--set", "metre=3"],
        "set-form": ["analyze", BONUS, "--set", "meter"],
        "reading": ["analyze", BONUS, "--reading", "ace=low"],
        "choice": ["analyze", "maryland/high-card-flush/progressive/A", "--reading", "ace-in-straight-flush=low"],
        "not-all": ["analyze", "maryland/high-card-flush/*", "--reading", "ace-in-straight-flush=high"],
        "nowhere": ["analyze", BONUS, "--format", "json", "-o", tmp_path / "no" / "such" / "file"],
        "onto-folder": ["analyze", BONUS, "--format", "json", "-o", tmp_path],
        "format": ["analyze", BONUS, "--format", "xml"],
        "command": ["analyse", BONUS],
        "nothing": ["analyze"],
        "return": ["solve", "maryland/high-card-flush/progressive/A", "meter", "--return", "much"],
        "card": ["analyze", "maryland/blackjack/pair/A", "--without", "Qx"],
        "too-many": ["analyze", "maryland/blackjack/pair/A", "--decks", "1", "--without", "Qh Qh"],
    }


def test_bad_input_is_one_line_a_fault_and_status_2(combin, tmp_path: Path) -> None:
    cases = bad(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    for name, words in cases.items():
        status, out, err = combin(*words)
        assert status == 2, name
        assert out == "", name
        assert err.startswith("combin: "), name
        assert "Traceback" not in err, name
        assert len(err.splitlines()) == 1, (name, err)
        assert len(err) < 600, name
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_faults_of_a_file_come_together(combin, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(HOUSE_FLUSH.replace("300 to 1", "300 too 1").replace("six-card flush", "six-card flus"))
    status, _, err = combin("analyze", own)
    assert status == 2
    lines = err.splitlines()
    assert len(lines) == 2
    assert "line 4" in lines[0]
    assert "line 5" in lines[1]
    assert "six-card flush" in lines[1]


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from combin.cli.commands import cli; cli.main(['--help'], standalone_mode=False); "
        "print([m for m in ('numpy', 'sympy', 'rich', 'matplotlib') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_ctrl_c_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    words = [sys.executable, "-m", "combin", "analyze", "*", "--format", "json", "-o", str(target)]
    # A background process of a shell ignores the signal, and so do its children.
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode != 0
    assert "Traceback" not in err
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]


LUCKY = "maryland/blackjack/lucky-ladies/A"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["analyze", LUCKY, "--decks", "9", "--any-decks"], f"9 decks are outside the range of 1 to 8; {LUCKY} is for"),
        (["analyze", "*/flush-bonus/*", "--decks", "6"], "none of the 29 paytables is dealt from 6 decks; give 1"),
        (["analyze", LUCKY, "--without", "Zz"], 'combin: --without: "Zz" is not a card'),
        (["analyze", LUCKY, "--without", "Qh", "--without", "Qd"], "combin: --without is given twice; give it once\n"),
        (["simulate", "a.toml", "-o", "a.md", "--output=b.md"], "combin: --output is given twice; give it once\n"),
        (["analyze", ""], "combin: PATTERN: an id, a glob or a file is empty"),
        (["analyze", BONUS, "--decks", "x"], "write 6, or 6,8, or 4-8"),
        (["analyze"], "combin analyze --help says what it takes"),
        (["design", "*/flush-bonus/*"], "ID: */flush-bonus/*: 29 paytables match, and one is designed at a time"),
    ],
)
def test_messages_say_what_would_be_right(combin, words: list[str], says: str) -> None:
    status, out, err = combin(*words)
    assert (status, out) == (2, "")
    assert says in err
    assert "--any-decks" not in err


def test_one_id_from_two_files_is_refused_and_one_file_twice_is_one_file(combin, tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    for path in (one, two):
        path.write_text(HOUSE_FLUSH)
    taken = 'maryland/high-card-flush/flush-bonus has a paytable "house-1" already'
    for command in (["analyze", one, two], ["report", one, two, "--quick", "-o", tmp_path / "out.md"]):
        status, out, err = combin(*command)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"combin: {two}: line 3: {taken} ({one}, line 3); ")
        assert "check each file separately, or compare them with report --compare" in err
    assert combin("analyze", one, one) == combin("analyze", one)
    assert combin("report", one, two, "--compare", "--quick", "-o", tmp_path / "out.md")[0] == 0


def test_a_number_of_decks_that_is_no_number() -> None:
    for wrong in ("6", 6.0, True):
        with pytest.raises(InputError, match="decks is a whole number, not"):
            analyze(LUCKY, decks=wrong)  # type: ignore[arg-type]


def test_no_command_gets_the_help_as_it_is(combin) -> None:
    status, _, err = combin()
    assert status == 2
    lines = err.splitlines()
    assert lines[0].startswith("Usage: combin")
    assert len(lines) > 20
    assert "..." not in err.split("Commands:")[1]
    _, out, _ = combin("analyze", "--help")
    options = ("--decks", "--any-decks", "--set", "--reading", "--without", "--wheel", "--chart", "--format")
    places = [out.index(f"  {option}") for option in options]
    assert places == sorted(places)


def test_a_solution_shows_what_is_rounded(combin) -> None:
    """32 of 133,784,560 hands win the meter and 1,592 win a tenth of it; the other pays are fixed."""
    wager = "maryland/high-card-flush/progressive/A"
    fixed = analyze(wager, set={"meter": 0}).returned
    meter = (Fraction(9, 10) - fixed) / Fraction(32 * 10 + 1592, 10 * 133_784_560)
    shown = Decimal(meter.numerator) / meter.denominator
    said = f"meter = {meter} ≈ {shown:.8f} gives a return of 9/10"
    assert said in combin("solve", wager, "meter", "--return", "0.9")[1]


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.slow)])
def test_a_narrow_encoding_is_no_failure(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "combin", "analyze", BONUS], env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True, check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"2371919/2572780" in done.stdout


@pytest.mark.parametrize("words", [("--decks=2,6", "--decks=8"), ("--decks", "8,6,2"), ("--decks=6", "--decks=2,8")])
def test_several_numbers_of_decks(combin, words) -> None:
    status, out, _ = combin("analyze", "maryland/blackjack/lucky-ladies/A", *words, "--format", "json")
    assert status == 0
    assert [a["decks"] for a in json.loads(out)] == [2, 6, 8]


def test_a_span_of_decks_leaves_out_what_a_glob_covers(combin) -> None:
    """Match-the-Dealer has a table for six decks and one for eight."""
    status, out, err = combin("analyze", "maryland/blackjack/match-the-dealer/*", "--decks", "6-8", "--format", "json")
    assert status == 0
    assert [(a["id"].rsplit("/", 1)[1], a["decks"]) for a in json.loads(out)] == [("6-decks", 6), ("8-decks", 8)]
    assert "since they are not dealt from 7 decks: " in err


@pytest.mark.parametrize("word", ["", "six", "6-", "8-4", "6,,8", "1000", "-6"])
def test_what_is_no_number_of_decks(combin, word: str) -> None:
    status, _, err = combin("analyze", "maryland/blackjack/lucky-ladies/A", f"--decks={word}")
    assert status == 2
    assert err.startswith("combin: --decks: ")
    assert "write 6, or 6,8, or 4-8" in err


LADIES = "maryland/blackjack/lucky-ladies/A"


@pytest.mark.parametrize("words", [
    ("list", LADIES), ("list", LADIES, "--format", "json"), ("removal", LADIES, "--decks", 1, "--format", "csv"),
    ("words",), ("rules", "RTP001"), ("verify", LADIES, "--decks", 1),
])
def test_every_command_that_prints_writes_the_same_to_a_file(combin, tmp_path: Path, words: tuple[str, ...]) -> None:
    target = tmp_path / "out.txt"
    printed = combin(*words)
    assert combin(*words, "-o", target) == (printed[0], "", printed[2])
    assert target.read_text(encoding="utf-8") == printed[1] == combin(*words, "-o", "-")[1]


def test_a_refused_command_writes_no_file_and_never_over_what_it_reads(combin, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(HOUSE_FLUSH)
    assert combin("list", "maryland/none/of/these", "-o", tmp_path / "out.txt")[0] == 2
    assert not (tmp_path / "out.txt").exists()
    status, _, said = combin("verify", tmp_path / "own.toml", "-o", tmp_path / "own.toml")
    assert (status, "is also read by this command" in said) == (2, True)
    assert (tmp_path / "own.toml").read_text() == HOUSE_FLUSH


def test_old_names_of_options_and_either_name_of_plain_text_are_accepted(combin, tmp_path: Path) -> None:
    """The old names go with the release after 0.1.0."""
    (tmp_path / "policy.toml").write_text('[[rule]]\nname = "half"\napplies_to = ["*"]\nreturn_min = "50%"\n')
    gate = ("check", BONUS, "--policy", tmp_path / "policy.toml", "--format")
    assert combin(*gate, "table", "--exact") == combin(*gate, "text", "--fail-on-unused")
    odd = ("verify", LADIES, "--decks", 1, "--format")
    assert combin(*odd, "text", "--allow-unheld") == combin(*odd, "table", "--allow-unchecked")
    assert "--allow-unheld" not in combin("verify", "--help")[1]
