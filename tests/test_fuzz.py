"""Any file and any word of the command line gives a result, or status 2 and messages. Nothing crashes or hangs.

The files are valid ones after a mishap: a line dropped or doubled, a value of another
type, an endless number, odd characters, other line ends. tests/data/broken keeps the
files that once broke a reader.
"""

from __future__ import annotations

import io
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin import cli
from combin.report.json import FORMAT

FLUSH = "maryland/high-card-flush/flush-bonus"
HIGH, CHASE_BASE = "massachusetts/high-card-flush/base/A", "maryland/chase-the-flush/base/A"
BROKEN = Path(__file__).parent / "data" / "broken"
CHART = (Path(cli.__file__).parents[1] / "rules" / "player-chart.toml").read_text(encoding="utf-8")
#: Seconds: a hundred times the longest refusal, and more than any of these results takes.
PATIENCE_SECONDS = 20.0

few = settings(max_examples=50, deadline=None, derandomize=True, database=None)
some = settings(max_examples=100, deadline=None, derandomize=True, database=None)

PAYTABLES = f"""[[wager]]
based_on = "{FLUSH}"
[wager.paytable.house-1]
name = "House"
"seven-card flush" = "300 to 1"
"six-card flush" = "75 to 1"
"five-card flush" = "10 to 1"
"four-card flush" = "1 to 1"

[[wager]]
id = "here/blackjack/twins"
name = "Twins"
deal = "player 2"
decks = [6, 8]
[wager.outcome]
"suited pair" = "pair(player) and suited(player)"
"coloured pair" = "pair(player) and same_colour(player)"
"mixed pair" = "pair(player)"
[wager.setting.stake]
default = "5"
least = "1"
[wager.unknown.meter]
text = "what has been saved"
[wager.paytable.x]
"suited pair" = "100% of meter"
"coloured pair" = "12 to 1"
"mixed pair" = "6 to 1"
"""
SHEET = f"""outcome,pays,wager,paytable
seven-card flush,300 to 1,{FLUSH},x-1
"six-card flush","75 to 1",{FLUSH},x-1
five-card flush,10 for 1,{FLUSH},x-1
"""
POLICY = f"""name = "House"
extends = "combin:lenient"
[[rule]]
name = "Three quarters"
applies_to = ["{FLUSH}/*"]
decks = [1]
readings = "all"
return_min = "3/4"
house_edge_max = 0.25
hit_frequency_min = "10%"
[rule.set]
stake = "5"
[[waiver]]
id = "{FLUSH}/A"
rule = "RTP001"
reason = "stood before"
expires = 2027-01-31
"""
SYMBOLS = ("jackpot", *(f"${n} symbol" for n in ("1,000", 500, 200, 125, 75, 60, 25, 23, 15, 10, 5)))
WHEEL = "[weights]\n" + "".join(f'"{symbol}" = 1\n' for symbol in SYMBOLS)
HIGH_CARD = """game = "high-card-flush"
name = "Ten-nine"
raise_from = "T-9-7"
multiple = 1
[[when]]
other_cards = "J"
at_least = 2
raise_from = "T-7-2"
[[when]]
suits = ["3-3-1-0"]
raise_from = "J-T-6"
"""
CHASE = """game = "chase-the-flush"
[hole]
"two-card flush" = "K-2"
"three-card flush" = "any"
compare = "each-card"
[flop]
"three-card flush" = "7-4-2"
[river]
"three-card flush" = "any"
[river.two-higher]
"three-card flush" = "T-8-5"
"""
CATALOGUE = f"""ledger = false
[[analysis]]
patterns = ["{FLUSH}/A"]
set = {{ stake = "5" }}
"""
BASELINE = '{"accepted": [\n{"rule": "RTP001", "id": "x", "fingerprint": "abc"}\n]}\n'
ASKED = {"patterns": [f"{FLUSH}/A"], "decks": [], "quick": True}
REPORT = json.dumps({"format": FORMAT, "identity": {"asked": ASKED}}, indent=1)


def run(*words: str) -> tuple[object, str, str]:
    """(status, output, errors) of one command in this process. An exception other than the exit fails the test."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    given_words, sys.argv = sys.argv, ["combin", *words]
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        sys.argv = given_words
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return ended.value.code, texts[0], texts[1]


def sound(*words: str) -> object:
    """The command succeeds, or it ends with status 2, an empty standard output and one line a fault; its status."""
    began = time.monotonic()
    status, out, err = run(*words)
    assert time.monotonic() - began < PATIENCE_SECONDS, words
    assert status in (0, 1, 2), words
    assert "Traceback" not in err
    if status == 2:
        lines = err.splitlines()
        assert lines, words
        assert out == "" or {"github", "junit", "sarif"} & set(words), words
        assert all(line.startswith("combin: ") and len(line) < 1700 for line in lines), lines
        assert len(lines) <= 101
    return status


VALUES = (
    "", "3", "-1", "0", "1e400", "nan", "true", "1979-05-27", "07:32:00", "[]", "{}", "[[]]", '""', "'x'", '"1/0"',
    '"300 to 0"', "9" * 40, "1" * 5000, "0x" + "f" * 5000, "0b1", "[" * 900, '{ a = 1 }', '"\\u0000"', '"%s{0}[/b]"',
    '"\u202e\U0001f0cf\u0130"', '"' + "x" * 5000 + '"', '"*"', f'"{FLUSH}"', '"1 to 1"', '"100% of meter"', "[1, 'a']",
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> bytes:
    """A file after one to three mishaps."""
    lines = text.splitlines()
    tail: Callable[[str], str] = str
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        line = lines[at]
        match chance.randrange(9):
            case 0:
                del lines[at]
            case 1:
                lines.insert(chance.randrange(len(lines)), line)
            case 2 if "=" in line:
                lines[at] = line.partition("=")[0] + "= " + chance.choice(VALUES)
            case 3 if "=" in line:
                lines[at] = chance.choice(("x", '""', "a.b.c", ".".join("a" * 600), '"\u0130"')) + " = 1"
            case 4:
                cut = chance.randrange(len(line) + 1)
                odd = chance.choice(("\0", "\r", '"', "'", "\ufeff", "\u2028", "]", ",", "\ud7ff"))
                lines[at] = line[:cut] + odd + line[cut:]
            case 5:
                lines[at] = line[: chance.randrange(len(line) + 1)]
            case 6:
                tail = chance.choice((lambda t: t.replace("\n", "\r"), lambda t: t.replace("\n", "\r\n"), str.upper))
            case _:
                lines[at] = line.replace(chance.choice('"=[],-/'), chance.choice(("", "  ", "\t", "==", "[")), 1)
        lines = lines or [""]
    raw = tail("\n".join(lines)).encode()
    match chance.randrange(12):
        case 0:
            return b"\xef\xbb\xbf" + raw
        case 1:
            return raw[: chance.randrange(len(raw) + 1)]
        case 2:
            return raw.replace(b"e", bytes([chance.randrange(256)]), 1)
        case 3:
            return raw.decode().encode("utf-16")
    return raw


seeds = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


#: For each kind of file: a valid example, its name, and the command that reads it.
KINDS: dict[str, tuple[str, str, Callable[[str], tuple[str, ...]]]] = {
    "paytables": (PAYTABLES, "x.toml", lambda p: ("list", p)),
    "sheet": (SHEET, "x.csv", lambda p: ("list", p)),
    "policy": (POLICY, "p.toml", lambda p: ("check", f"{FLUSH}/A", "--policy", p)),
    "wheel": (WHEEL, "w.toml", lambda p: ("analyze", "maryland/chase-the-flush/progressive/A", "--wheel", p)),
    "chart": (CHART, "c.toml", lambda p: ("analyze", "*/bad-beat*/*", "--decks", "1", "--chart", p)),
    "high-card strategy": (HIGH_CARD, "h.toml", lambda p: ("strategy", HIGH, "--play", p)),
    "chase strategy": (CHASE, "s.toml", lambda p: ("strategy", CHASE_BASE, "--play", p)),
    "catalogue": (CATALOGUE, "catalogue.toml", lambda p: ("regenerate", "--check", str(Path(p).parent))),
    "baseline": (BASELINE, "b.json", lambda p: ("check", f"{FLUSH}/A", "--policy", "combin:lenient", "--baseline", p)),
    "report": (REPORT, "r.json", lambda p: ("report", "--verify", p)),
}  # fmt: skip


#: Kinds whose command takes seconds; their readers are tried alone.
LONG = ("chart", "chase strategy")


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in LONG])
def test_the_files_without_a_mishap_are_read(folder: Path, kind: str) -> None:
    text, name, command = KINDS[kind]
    (folder / name).write_text(text, encoding="utf-8")
    status, _, err = run(*command(str(folder / name)))
    assert status in (0, 1), err


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in LONG])
def test_valid_files_with_mishaps(folder: Path, kind: str) -> None:
    text, name, command = KINDS[kind]

    @few
    @given(seeds)
    def one(seed: int) -> None:
        path = folder / name
        path.write_bytes(mutated(text, random.Random(seed)))
        before = sorted(p.name for p in folder.iterdir())
        sound(*command(str(path)))
        assert sorted(p.name for p in folder.iterdir()) == before

    one()


def test_charts_and_strategies_themselves(folder: Path) -> None:
    """The same mishaps for the reader alone, because its wager takes seconds."""
    from combin.base.errors import InputError
    from combin.deals.dealer_draws import Chart, read_chart
    from combin.play.chase_the_flush import ChaseStrategy
    from combin.play.files import read_strategy
    from combin.play.high_card_flush import HighCardStrategy

    @some
    @given(seeds)
    def one(seed: int) -> None:
        for text, read in ((CHART, read_chart), (HIGH_CARD, read_strategy), (CHASE, read_strategy)):
            path = folder / "alone.toml"
            path.write_bytes(mutated(text, random.Random(seed)))
            try:
                found = read(path)
            except InputError as error:
                found = error
            if isinstance(found, InputError):
                assert found.faults
                assert all(str(path) in str(f) and "\n" not in str(f) for f in found.faults)
            else:
                assert isinstance(found, Chart | HighCardStrategy | ChaseStrategy)

    one()


@pytest.mark.parametrize("path", sorted(BROKEN.iterdir()), ids=lambda p: p.name)
def test_files_that_once_broke_a_reader(path: Path, tmp_path: Path) -> None:
    name = path.name.partition(".")[0]
    raw = path.read_bytes()
    kind = next(k for k in KINDS if name.startswith(k.replace(" ", "-")))
    _, target, command = KINDS[kind]
    (tmp_path / target).write_bytes(raw)
    status, out, err = run(*command(str(tmp_path / target)))
    assert (status, out) == (2, "")
    assert err.startswith(f"combin: {tmp_path}")
    assert "Traceback" not in err


PIECES = ("*", "**", "?", "[", "]", "!", "/", "..", "maryland", "flush-bonus", "A", "=", "\0", "\u0130", "\n", "x.toml",
          ".csv", "[bold]", "\udcff", " ", "~", "%s", FLUSH)  # fmt: skip
words_of_pieces = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


@few
@given(words_of_pieces, st.sampled_from(["readings", "findings", "strategy", "init", "rules", "policies"]))
def test_patterns(pattern: str, command: str) -> None:
    words = ("init", pattern, "--folder", "/dev/null/none") if command == "init" else (command, "--", pattern)
    if command == "strategy" and "*" in pattern:
        return
    sound(*words)


numbers = st.sampled_from(
    ["", "0", "-1", "1/0", "1/3", "nan", "inf", "1e9", "$5", "5%", "1,000", "1,00", "\u0663", "9" * 59, "9" * 5000, "x"]
)
names = st.sampled_from(["meter", "stake", "cap", "ante", "reset", "contribution_rate", "", "x", "\u0130", "\0"])


@some
@given(names, st.sampled_from(["=", "==", "", " = "]), numbers)
def test_values_of_parameters(name: str, equals: str, value: str) -> None:
    for identifier in ("maryland/high-card-flush/progressive/A", f"{FLUSH}/A"):
        sound("analyze", identifier, "--format", "csv", "--set", f"{name}{equals}{value}")


@some
@given(
    st.sampled_from(["ace-in-straight-flush", "ace-nine-is-20", "", "x", "\0"]),
    st.sampled_from(["=", "", "=="]),
    st.sampled_from(["high", "low", "no", "NO", "", "\u0130", "\udcff", "9" * 5000]),
)
def test_choices_of_readings(name: str, equals: str, value: str) -> None:
    sound("analyze", "maryland/high-card-flush/progressive/A", "--format", "csv", "--reading", f"{name}{equals}{value}")


cards = st.lists(
    st.sampled_from(
        ["Qh", "qH", "10s", "Tc", "1h", "0h", "Q", "h", "Q\u2665", "\u0664h", "\u017fs", "As", "2c", ",", "\0"]
    ),
    max_size=9,
).map(" ".join)


@some
@given(cards, st.sampled_from(["1", "6", "0", "-1", "65", "9" * 30, "x", ""]))
def test_hands_and_removed_cards(hand: str, decks: str) -> None:
    sound("analyze", "maryland/blackjack/pair/A", "--decks", decks, "--without", hand, "--format", "csv")
    sound("strategy", "maryland/high-card-flush/base/A", "--hand", hand)


@few
@given(st.sampled_from(["four-card flush", "five-card flush", "x", ""]), st.sampled_from(["=", ""]),
       st.sampled_from(["1..3", "3..1", "..", "1..", "0..0", "-1..2", "1.5", "\u0663..5", "1..999999999999", "8"]),
       numbers)  # fmt: skip
def test_ranges_of_a_design(line: str, equals: str, span: str, bound: str) -> None:
    sound("design", f"{FLUSH}/A", "--vary", f"{line}{equals}{span}", "--return-min", bound)


@few
@given(numbers)
def test_numbers_of_other_options(word: str) -> None:
    sound("solve", "maryland/high-card-flush/progressive/A", "meter", "--return", word)
    sound("verify", f"{FLUSH}/A", "--decks", "1", "--seed", word, "--simulate", "x")
    sound("check", f"{FLUSH}/A", "--policy", "combin:lenient", "--today", word)


@pytest.mark.parametrize("target", ["", "\0", "a" * 300, "/dev/null/x", "none/x.json", "\u00e9" * 200 + ".json"])
def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (
        ("analyze", f"{FLUSH}/A", "--format", "json", "-o", target),
        ("check", f"{FLUSH}/A", "--policy", "combin:lenient", "-o", target),
        ("check", f"{FLUSH}/A", "--policy", "combin:lenient", "--write-baseline", target),
        ("report", f"{FLUSH}/A", "--quick", "-o", f"none/{target}.json"),
        ("regenerate", target or "none"),
    ):
        status, out, err = run(*words)
        assert (status, out) == (2, ""), words
        assert len(err.splitlines()) == 1, err
        assert len(err) < 1000
    assert not any(p.stat().st_size for p in tmp_path.iterdir())
