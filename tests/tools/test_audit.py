"""Results of play: laws against literal enumeration and full convolution, levels under simulation, faults."""

import json
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import comb, erfc
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from combin import analyze
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.report.json import read as read_report
from combin.tools.audit import audit, binomial, hits_tested, mean, multinomial
from combin.tools.audit_page import render, table
from combin.tools.audit_results import AuditedPlay, read_results

BONUS = "maryland/high-card-flush/flush-bonus/A"
Law = list[tuple[Fraction, Fraction]]
#: Amounts returned by a wager of three outcomes.
TINY: Law = [(Fraction(6), Fraction(1, 10)), (Fraction(2), Fraction(3, 10)), (Fraction(0), Fraction(3, 5))]


def literal(law: Law, rounds: int) -> dict[Fraction, Fraction]:
    """The distribution of the sum from every sequence of rounds."""
    found: dict[Fraction, Fraction] = {}
    for sequence in product(law, repeat=rounds):
        chance = Fraction(1)
        for _, p in sequence:
            chance *= p
        total = sum((x for x, _ in sequence), Fraction(0))
        found[total] = found.get(total, Fraction(0)) + chance
    return found


@pytest.mark.parametrize(("hits", "rounds", "chance"), [
    (0, 9, Fraction(1, 3)), (9, 9, Fraction(1, 3)), (3, 9, Fraction(1, 3)), (7, 200, Fraction(1, 97)),
    (70, 200, Fraction(1, 4)), (3, 150, Fraction(1, 10_000)), (145, 150, Fraction(99, 100)),
])  # fmt: skip
def test_a_binomial_p_value_is_that_of_all_terms(hits: int, rounds: int, chance: Fraction) -> None:
    yes, unit = chance.numerator, chance.denominator
    terms = [comb(rounds, k) * yes**k * (unit - yes) ** (rounds - k) for k in range(rounds + 1)]
    exact = min(Fraction(1), Fraction(2 * min(sum(terms[: hits + 1]), sum(terms[hits:])), unit**rounds))
    found = binomial("", hits, rounds, chance)
    assert abs(Fraction(found.p) - exact) <= exact / 10**11
    for (low, high), level in zip(found.intervals, (Fraction(95, 100), Fraction(99, 100)), strict=True):
        for end, share in ((int(low), (1 - level) / 2), (int(high), (1 + level) / 2)):
            assert sum(terms[:end]) < share * unit**rounds <= sum(terms[: end + 1])


def test_a_multinomial_p_value_is_that_of_all_sequences() -> None:
    rounds, chances = 6, [p for _, p in TINY]
    tables: dict[tuple[int, ...], Fraction] = {}
    for sequence in product(range(3), repeat=rounds):
        table = tuple(sequence.count(i) for i in range(3))
        chance = chances[0] ** table[0] * chances[1] ** table[1] * chances[2] ** table[2]
        tables[table] = tables.get(table, Fraction(0)) + chance
    for table in [(0, 2, 4), (3, 3, 0), (6, 0, 0), (1, 2, 3)]:
        exact = sum(p for p in tables.values() if p <= tables[table])
        assert multinomial(list(zip(table, chances, strict=True)), rounds) == exact


@pytest.mark.parametrize("total", [0, 2, 14, 30, 42])
def test_the_law_of_the_return_is_that_of_all_sequences(total: int) -> None:
    sums = literal(TINY, 7)
    below = sum(p for x, p in sums.items() if x <= total)
    above = sum(p for x, p in sums.items() if x >= total)
    found = mean(TINY, Fraction(total), 7)
    assert found.method.startswith("distribution of the sum")
    assert abs(Fraction(found.p) - min(1, 2 * min(below, above))) <= Fraction(found.error)
    assert found.error < 1e-9
    assert found.expected == Fraction(6, 5)


def test_only_the_return_is_shown_in_percent_whatever_an_outcome_is_called(tmp_path: Path) -> None:
    a = analyze(BONUS)
    found = audit(a, read_results(written(tmp_path, "rounds,handle,win\n20,20,5\n"), a))
    heads, [hits, returned] = table(replace(found, tests=(binomial("return", 3, 20, Fraction(1, 4)), *found.tests)))
    expected, observed = heads.index("expected"), heads.index("observed")
    assert (hits[expected], hits[observed]) == ("5", "3")
    assert returned[observed] == "75.0000 %"


def test_too_fine_a_lattice_is_normal_with_its_bound() -> None:
    """A coin on a fine lattice; tails pay 0 or nearly 0. The binomial distribution of the heads is the second way."""
    tiny = Fraction(1, 10**12)
    law = [(Fraction(1), Fraction(1, 2)), (tiny, Fraction(1, 4)), (Fraction(0), Fraction(1, 4))]
    found = mean(law, 5100 + 2450 * tiny, 10_000)
    assert found.method.startswith("normal")
    assert abs(found.p - binomial("", 5100, 10_000, Fraction(1, 2)).p) <= found.error
    assert 0 < found.error < 0.02


def test_results_that_follow_the_law_are_within_it_as_often_as_is_said() -> None:
    """Of 400 random months at most 5 % break a level of 5 %, up to four standard errors."""
    a = analyze(BONUS)
    chances = [float(o.probability) for o in a.outcomes]
    generator = np.random.default_rng(7)
    bad = alone = 0
    for months in generator.multinomial(3_000, chances, size=400):
        hits = {o.outcome: int(n) for o, n in zip(a.outcomes, months, strict=True)}
        tests = hits_tested(a, AuditedPlay("", 3_000, hits))
        bad += min(t.p for t in tests) * len(tests) < 0.05
        alone += tests[-2].p < 0.05  # four-card flushes are frequent, so the level is nearly reached
    slack = 4 * (0.05 * 0.95 * 400) ** 0.5
    assert bad <= 20 + slack
    assert 0 < alone <= 20 + slack


def written(folder: Path, text: str) -> str:
    path = folder / "results.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_hits_and_amounts_of_the_same_play_agree(tmp_path: Path) -> None:
    a = analyze(BONUS)
    names = [o.outcome for o in a.outcomes if o.returned]
    hits = dict(zip(names, (0, 5, 120, 900), strict=True))
    returned = sum(hits[o.outcome] * o.returned for o in a.outcomes if o.returned)
    one = read_results(written(tmp_path, f"day,rounds,{','.join(names)}\nMon,5000,0,5,120,900\n"), a)
    two = read_results(written(tmp_path, f"table;rounds;handle;win\n7;5000;25000;{25000 - 5 * returned}\n"), a)
    left, right = audit(a, one).tests[-1], audit(a, two).tests[-1]
    assert (left.name, left.observed, left.p) == ("return", Fraction(returned, 5000), right.p)
    assert right.observed == left.observed
    assert one[0].label == "Mon"


def test_rows_are_added_up_and_judged_each(tmp_path: Path) -> None:
    a = analyze(BONUS)
    rows = read_results(written(tmp_path, "rounds,handle,won\n1000,5000,1000\n3000,15000,-200\n"), a)
    found = audit(a, rows)
    assert found.played == AuditedPlay("all", 4000, {}, Fraction(20000), None, Fraction(800))
    assert [row[0].label for row in found.rows] == ["line 2", "line 3"]


def test_statuses_and_forms(tmp_path: Path) -> None:
    head = "rounds,six-card flush\n"
    good = CliRunner().invoke(cli, ["audit", BONUS, written(tmp_path, head + "1000,1\n"), "--format", "json"])
    assert good.exit_code == 0
    data = json.loads(good.output)
    assert (data["schema"], data["met"], data["rounds"]) == ("combin/audit/1", True, 1000)
    bad = CliRunner().invoke(cli, ["audit", BONUS, written(tmp_path, head + "1000,90\n")])
    assert bad.exit_code == 1
    assert "outside 99 %" in bad.output
    assert "outcomes that pay differently are not among the columns" in bad.output


@pytest.mark.parametrize(("text", "told"), [
    ("rounds,six card flsh\n1,0\n", f'which is not an outcome of {BONUS}; did you mean "six-card flush"?'),
    ("rounds,zzzz\n1,0\n",
     f"which is not an outcome of {BONUS}; the columns are rounds, handle, drop, win, stake, label, "
                           "date, day, table, shift, seven-card flush, six-card flush, five-card flush, "
                           "four-card flush, loss"),
    ("six-card flush\n1\n", 'has no column "rounds"'),
    ("rounds\n1\n", "hits per outcome, or win with handle, stake or drop"),
    ("rounds,drop\n1,5\n", "hits per outcome, or win with handle, stake or drop"),
    ("rounds,six-card flush\n", "has no results"),
    ("rounds,six-card flush\n3,4\n", "has 4 hits in 3 rounds"),
    ("rounds,six-card flush\n3,1.5\n", "is not a count"),
    ("rounds,six-card flush\n3\n", "has 1 cells for 2 columns"),
    ("rounds,six-card flush\n3,x\n", "is not an exact number"),
    ("rounds,handle,win\n3,0,0\n", "has a handle of 0"),
    ("rounds,handle,win\n3,15,16\n", "has a win of 16 of a handle of 15"),
    ("rounds,stake,handle,win\n3,5,16,1\n", "the handle is rounds times stake"),
    ("rounds,handle,win\n3,15,20%\n", 'win "20%" is a percentage, not an amount; write dollars'),
    ("rounds,six-card flush,six-card flush\n3,1,1\n", "twice"),
    ("rounds,six-card flush\n0,0\n", "has 0 rounds in all"),
    ("", "is empty"),
])  # fmt: skip
def test_bad_results_are_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=r"(?s).*") as caught:
        read_results(written(tmp_path, text), analyze(BONUS))
    assert told in str(caught.value)


def test_an_open_meter_leaves_the_return_untested_and_a_set_one_does_not(tmp_path: Path) -> None:
    name = "maryland/high-card-flush/progressive/A"
    a = analyze(name)
    path = written(tmp_path, "rounds,handle,win\n100,100,20\n")
    with pytest.raises(InputError, match="meter is unknown"):
        audit(a, read_results(path, a))
    assert audit(analyze(name, set={"meter": 10_000}), read_results(path, a)).tests[0].name == "return"


def test_what_the_table_draws_is_in_the_amounts_and_not_in_the_hits(tmp_path: Path) -> None:
    """Lines without pays leave the two bonuses of one deck, each on its own: 20 in 1 of 26 rounds and 5 in 1 of 7."""
    name = "maryland/blackjack/bad-beat-progressive/A"
    lines = {o.outcome: "0 for 1" for o in analyze(name, decks=1).outcomes if o.pay is not None}
    drawn = {"magic_card_frequency": "by-card", "lucky_player_frequency": "by-position"}
    amounts = written(tmp_path, "rounds,handle,win\n1,1,-24\n")
    open_one = analyze(name, decks=1, pays=lines, set={"magic_card_frequency": "by-card"})
    with pytest.raises(InputError, match="lucky_player_frequency is unknown"):
        audit(open_one, read_results(amounts, open_one))
    a = analyze(name, decks=1, pays=lines, set=drawn)
    [test] = audit(a, read_results(amounts, a)).tests
    assert (test.name, test.expected, test.observed) == ("return", Fraction(20, 26) + Fraction(5, 7), 25)
    assert abs(test.p - 2 / (26 * 7)) < 1e-12  # both bonuses, the greatest amount: twice its tail
    hits = written(tmp_path, "rounds,player 20\n100,14\n")
    found = audit(a, read_results(hits, a))
    assert all(t.name != "return" for t in found.tests)
    assert "The return is not tested: hits do not show additional pays." in found.notes


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_form_names_law_and_error(tmp_path: Path, form: str) -> None:
    a = analyze(BONUS)
    shown = render(audit(a, read_results(written(tmp_path, "rounds,six-card flush\n250,1\n"), a)), form)
    assert "binomial distribution" in shown
    assert "multinomial distribution, integers" in shown


@pytest.mark.parametrize("form", ["md", "html", "json", "xlsx", "pdf"])
def test_the_report_has_the_page_of_the_audit(tmp_path: Path, form: str) -> None:
    file = written(tmp_path, "day,rounds,six-card flush\nMon,600,1\nTue,400,0\n")
    out = tmp_path / f"report.{form}"
    done = CliRunner().invoke(cli, ["report", BONUS, "--quick", "--results", file, "-o", str(out)])
    assert (done.exit_code, done.output) == (0, "")
    digest = sha256(Path(file).read_bytes()).hexdigest()
    if form == "xlsx":
        book = load_workbook(out)
        text = "\n".join(str(value) for sheet in book for row in sheet.iter_rows(values_only=True) for value in row)
    else:
        text = out.read_bytes().decode("utf-8", "replace")
    if form == "pdf":  # the pages are compressed; the report that they show is carried as JSON
        assert read_report(str(out))["results"]["sha256"] == digest
        return
    assert digest in text
    for told in ("within 95 %: the results agree with the exact distribution", "1,000 rounds", "Tue"):
        assert told in text
    if form == "json":
        again = CliRunner().invoke(cli, ["report", "--verify", str(out)])
        assert (again.exit_code, "every value is the same" in again.output) == (0, True)


def test_a_report_on_results_that_disagree_or_on_two_paytables(tmp_path: Path) -> None:
    file, out = written(tmp_path, "rounds,six-card flush\n1000,90\n"), tmp_path / "report.md"
    bad = CliRunner().invoke(cli, ["report", BONUS, "--quick", "--results", file, "-o", str(out)])
    assert (bad.exit_code, "do not agree with the exact distribution" in bad.output) == (1, True)
    assert "outside 99 %" in out.read_text(encoding="utf-8")
    out.unlink()
    two = CliRunner().invoke(cli, ["report", BONUS, BONUS[:-1] + "B", "--quick", "--results", file, "-o", str(out)])
    assert isinstance(two.exception, InputError)
    assert "the report has 2 analyses, and results belong to one" in str(two.exception)
    assert not out.exists()


def test_drop_and_win_alone_give_the_hold_and_no_verdict(tmp_path: Path) -> None:
    a = analyze(BONUS)
    path = written(tmp_path, "drop,win\n910000,219000\n")
    found = audit(a, read_results(path, a))
    assert (found.tests, found.met, found.played.hold) == ((), True, Fraction(219, 910))
    assert found.verdict.startswith("none: drop and win give only the hold")
    done = CliRunner().invoke(cli, ["audit", BONUS, path, "--format", "json"])
    data = json.loads(done.output)
    assert (done.exit_code, data["hold"], data["handle"], data["tests"]) == (0, "219/910", None, [])
    assert "hold 24.07 %" in render(found, "text")
    # The columns of a pit: rounds beside them change nothing, and the old name of the win is read.
    pit = read_results(written(tmp_path, "table,rounds,drop,won\nHCF-1,50000,500000,120000\n"), a)
    assert audit(a, pit).tests == ()


def test_stakes_are_judged_by_their_exact_mean_and_variance(tmp_path: Path) -> None:
    a = analyze(BONUS)
    rows = read_results(written(tmp_path, "rounds,stake,win\n50000,10,38000\n2000,100,20000\n"), a)
    (test,) = audit(a, rows).tests
    handle = 50_000 * 10 + 2_000 * 100
    squares = 50_000 * 10**2 + 2_000 * 100**2
    assert (test.expected, test.observed) == (a.returned, Fraction(handle - 58_000, handle))
    z = float(test.observed - test.expected) * handle / (squares * float(a.variance)) ** 0.5
    assert test.p == pytest.approx(erfc(abs(z) / 2**0.5))
    low, high = test.intervals[0]
    assert float(high - low) == pytest.approx(2 * 1.959964 * (squares * float(a.variance)) ** 0.5 / handle)
    # By hand: the sum of cubes of the stakes times the third moment of a round over the variance to the power 1.5.
    third = sum(float(p) * abs(float(x - a.returned)) ** 3 for x, p in a.distribution)
    cubes = 50_000 * 10**3 + 2_000 * 100**3
    assert test.error == pytest.approx(2 * 0.56 * cubes * third / (squares * float(a.variance)) ** 1.5)


@pytest.mark.slow
def test_the_blackjack_wager_is_audited_by_mean_and_variance(tmp_path: Path) -> None:
    a = analyze("maryland/blackjack/blackjack/3-to-2", decks=6)
    (test,) = audit(a, read_results(written(tmp_path, "rounds,handle,win\n100000,1500000,6000\n"), a)).tests
    assert (test.expected, test.observed) == (a.returned, Fraction(249, 250))
    z = float(test.observed - a.returned) * 100_000**0.5 / float(a.variance) ** 0.5
    assert test.p == pytest.approx(erfc(abs(z) / 2**0.5))
    assert 0 < test.error < 0.1


def test_all_looks_together_raise_a_false_alarm_as_rarely_as_one(tmp_path: Path) -> None:
    a = analyze(BONUS)
    rows = read_results(written(tmp_path, "rounds,six-card flush\n10000,6\n"), a)  # 20 expected
    once = audit(a, rows)
    assert not once.met
    looks = [audit(a, rows, look).share for look in range(1, 2001)]
    assert 0.999 < sum(looks) < 1
    assert [audit(a, rows, look).met for look in (1, 4)] == [once.p + once.error >= 0.01 * looks[0],
                                                            once.p + once.error >= 0.01 * looks[3]]
    assert audit(a, rows, 4).met
    assert "look 4" in audit(a, rows, 4).verdict
