"""The least change of one pay that passes, by hand: the longest suit of seven cards, twenties of a shoe."""

import os
import pty
import subprocess
import sys
from fractions import Fraction
from math import ceil, comb, floor
from pathlib import Path

import pytest

from combin.policy.gate import Gate
from combin.policy.writers import render
from combin.tools.wayout import WayOut, ways_out

FLUSH, LADIES = "maryland/high-card-flush/flush-bonus", "maryland/blackjack/lucky-ladies"
HANDS = comb(52, 7)
#: Probabilities of at least so many cards of a suit among seven.
FOUR, FIVE = (Fraction(sum(4 * comb(13, k) * comb(39, 7 - k) for k in range(n, 8)), HANDS) for n in (4, 5))


def twenties(decks: int) -> Fraction:
    """Two tens, or a nine and an ace, of some decks."""
    return Fraction(comb(16 * decks, 2) + 16 * decks * decks, comb(52 * decks, 2))


def table(wager: str, *lines: str, more: str = "") -> str:
    return "\n".join([f'[[wager]]\nbased_on = "{wager}"\n[wager.paytable.x]', *lines, more, ""])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ways(paytables: str, *bounds: str, more: str = "") -> dict[str, WayOut]:
    Path("a.toml").write_text(paytables)
    Path("p.toml").write_text("\n".join(['[[rule]]\nname = "x"\napplies_to = ["*"]', *bounds, more, ""]))
    gate = Gate("p.toml")
    gate.add_all(["a.toml"])
    found = ways_out(gate.report, gate.book)
    told = render(gate.report, "text", ways=found)
    assert told.count(": way out: ") == len(found)
    return found


def test_a_return_that_is_too_low_is_raised_no_further_than_needed(project: Path) -> None:
    [way] = ways(table(FLUSH, '"four-card flush" = "1 to 1"'), 'return_min = "70%"').values()
    assert way.pay == f"{ceil(Fraction(7, 10) / FOUR) - 1} to 1"
    assert str(way) == f'{FLUSH}/x: "four-card flush" at 3 to 1 would do (1 to 1 now)'
    assert (way.file, way.line) == ("a.toml", 3)


def test_a_return_that_is_too_high_is_lowered(project: Path) -> None:
    [way] = ways(table(FLUSH, '"four-card flush" = "6 for 1"'), 'house_edge_min = "5%"').values()
    assert way.pay == f"{floor(Fraction(95, 100) / FOUR)} for 1"


def test_every_number_of_decks_has_to_pass(project: Path) -> None:
    lines = ("decks = [1, 8]", '"any 20" = "3 to 1"')
    [way] = ways(table(LADIES, *lines), 'return_min = "60%"').values()
    worst = min(twenties(1), twenties(8))
    assert way.pay == f"{ceil(Fraction(6, 10) / worst) - 1} to 1"


def test_the_smallest_change_that_meets_the_whole_policy_is_named(project: Path) -> None:
    """Five or more of a suit are rarer, so their pay needs a larger change."""
    lines = ('"five-card flush" = "4 to 1"', '"four-card flush" = "1 to 1"')
    missing = Fraction(7, 10) - 5 * FIVE - 2 * (FOUR - FIVE)
    units = {"four-card flush": ceil(missing / (FOUR - FIVE)), "five-card flush": ceil(missing / FIVE)}
    assert units["four-card flush"] == 1 < units["five-card flush"]
    [way] = ways(table(FLUSH, *lines), 'return_min = "70%"').values()
    assert (way.outcome, way.pay) == ("four-card flush", "2 to 1")
    # Whole odds are too coarse for so narrow a band.
    assert ways(table(FLUSH, *lines), 'return_min = "70%"', 'return_max = "70.1%"') == {}


def test_a_line_stays_above_a_smaller_pay(project: Path) -> None:
    lines = ('"five-card flush" = "2 to 1"', '"four-card flush" = "2 to 1"')
    [way] = ways(table(FLUSH, *lines), 'return_min = "70%"').values()
    # One unit more for four cards would exceed the pay of the longer flush above.
    assert way.outcome == "five-card flush"
    assert way.pay == f"{2 + ceil((Fraction(7, 10) - 3 * FOUR) / FIVE)} to 1"


def test_nothing_is_said_where_no_one_pay_would_do(project: Path) -> None:
    assert ways(table(FLUSH, '"four-card flush" = "1 to 1"'), 'top_pay_max = "0.5"') == {}
    dollars = table(FLUSH, '"four-card flush" = "$1,000,000"')
    assert ways(dollars, 'return_max = "70%"', more='[rule.set]\nstake = "5"\n') == {}
    base = table("maryland/high-card-flush/base", '"ante" = "1 to 1"', '"raise" = "1 to 1"')
    assert ways(base, 'basis = "ante"', 'return_min = "99%"') == {}


def test_the_catalogue_has_no_way_out(project: Path) -> None:
    (project / "p.toml").write_text('[[rule]]\nname = "x"\napplies_to = ["*"]\nreturn_min = "99%"\n')
    gate = Gate("p.toml")
    gate.add_all([f"{FLUSH}/A"])
    assert not gate.report.met
    assert ways_out(gate.report, gate.book) == {}


def test_lines_of_one_paytable_stand_together(project: Path) -> None:
    two = table(FLUSH, '"four-card flush" = "1 to 1"') + '[wager.paytable.y]\n"four-card flush" = "2 to 1"\n'
    (project / "a.toml").write_text(two)
    (project / "p.toml").write_text(
        "\n".join(f'[[rule]]\nname = "{n}"\napplies_to = ["*"]\nreturn_min = "9{n}%"' for n in range(3))
    )
    gate = Gate("p.toml")
    gate.add_all(["a.toml"])
    *lines, _ = render(gate.report, "text", ways=ways_out(gate.report, gate.book)).splitlines()
    assert [line.split(":")[1] for line in lines] == ["3"] * 4 + ["6"] * 4
    assert [line.split(": ")[1] for line in lines] == [*["fail"] * 3, "way out"] * 2


@pytest.mark.slow
def test_a_terminal_is_coloured_and_a_file_is_not(project: Path) -> None:
    (project / "a.toml").write_text(table(FLUSH, '"four-card flush" = "1 to 1"'))
    words = [sys.executable, "-m", "combin", "check", "a.toml", "--policy", "combin:strict"]
    plain = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    tried = (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False))
    for more, coloured in tried:
        master, slave = pty.openpty()
        subprocess.run(words, stdout=slave, env={**plain, **more}, check=False)
        os.close(slave)
        with os.fdopen(master, "rb") as stream:
            assert (b"\x1b[1;31mfail\x1b[0m" in stream.read1(65536)) == coloured
    subprocess.run([*words, "-o", "out.txt"], env={**plain, "TERM": "xterm", "FORCE_COLOR": "1"}, check=False)
    assert "\x1b" not in (project / "out.txt").read_text()
