"""Any file and any word of the command line gives a result, or status 2 and messages. Nothing crashes or hangs.

The files are valid ones after a mishap, or put together from sound pieces and slightly wrong ones; generated.py makes
them, and fuzz_by_hand.py gives more of them. tests/data/broken keeps the files that once broke a reader.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .generated import CHART, CHASE, FLUSH, HIGH_CARD, KINDS, LONG, PIECES, command, mutated, paytables, run, sound

BROKEN = Path(__file__).parent / "data" / "broken"

few = settings(max_examples=30, deadline=None, derandomize=True, database=None)
some = settings(max_examples=60, deadline=None, derandomize=True, database=None)
random_files = settings(max_examples=20, deadline=None, derandomize=True, database=None,
                        suppress_health_check=list(HealthCheck))  # fmt: skip

seeds = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


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
    from combin.deals.player_chart import Chart, read_chart
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


@pytest.mark.parametrize("block", range(8))
def test_every_command_on_user_defined_wagers(folder: Path, block: int) -> None:
    """Analyze, removal, report, design, solve, check and list, on files that are mostly sound."""

    @random_files
    @given(st.integers(0, 2**28))
    def one(seed: int) -> None:
        chance = random.Random(seed * 8 + block)
        (folder / "own.toml").write_text(paytables(chance), encoding="utf-8")
        sound(*command(chance, folder))

    one()
