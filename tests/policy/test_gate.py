"""The gate from outside: no front end passes a paytable that fails, and an unjudged paytable fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.base.exact import enclosure, symbol
from combin.policy import GateReport, check, read_policy
from combin.policy.writers import FORMS
from combin.rulebook.book import shipped
from combin.userfiles.collected import collect

from ..shared import Run

pytest_plugins = ["pytester"]

FLUSH = "maryland/high-card-flush/flush-bonus"
JACKPOT = "maryland/high-card-flush/progressive"
LADIES = "maryland/blackjack/lucky-ladies"


def own(wager: str, name: str, *lines: str) -> str:
    return "\n".join([f'[[wager]]\nbased_on = "{wager}"\n[wager.paytable.{name}]', *lines]) + "\n"


def rule(applies_to: str, *lines: str) -> str:
    return "\n".join([f'[[rule]]\nname = "the house\'s"\napplies_to = ["{applies_to}"]', *lines]) + "\n"


GOOD = own(FLUSH, "sound", '"seven-card flush" = "300 to 1"', '"six-card flush" = "75 to 1"',
           '"five-card flush" = "10 to 1"', '"four-card flush" = "1 to 1"')  # fmt: skip
FLUSH_RULE = rule(f"{FLUSH}/*", 'return_max = "97%"', 'top_pay_max = "1000"')
SOUND = 'extends = "combin:sound"\n'

#: Files by name, a policy, the words to check, the exit status of `check`, and its message.
CASES: dict[str, tuple[dict[str, str], str, list[str], int, str]] = {
    "an unknown that the file invents": (
        {"a.toml": own(FLUSH, "x", '"seven-card flush" = "bonus to 1"', '"four-card flush" = "800 to 1"')},
        SOUND, ["a.toml"], 2, f'a.toml: line 4: "seven-card flush": {FLUSH} has no unknown "bonus"',
    ),
    "a letter for a digit": (
        {"a.toml": own(FLUSH, "x", '"seven-card flush" = "300 to 1"', '"four-card flush" = "l00 to 1"')},
        SOUND, ["a.toml"], 2, "a.toml: line 5: ",
    ),
    "an unknown that the file declares": (
        {"a.toml": own(FLUSH, "x", '"seven-card flush" = "bonus to 1"', '"four-card flush" = "2 to 1"')
         + '[wager.unknown.bonus]\ntext = "as the house likes"\n'},
        SOUND, ["a.toml"], 1, "needs bonus, which nobody set",
    ),
    "known pays that fail whatever a declared unknown is": (
        {"a.toml": own(FLUSH, "x", '"seven-card flush" = "bonus to 1"', '"four-card flush" = "800 to 1"')
         + '[wager.unknown.bonus]\ntext = "as the house likes"\n'},
        SOUND, ["a.toml"], 1, "(whatever bonus is) is above 100%",
    ),
    "known pays that fail whatever the document's meter is": (
        {"a.toml": own(JACKPOT, "x", '"seven-card straight flush" = "100% of the meter"',
                       '"three-card straight flush" = "500 for 1"')},
        SOUND, ["a.toml"], 1, "(whatever meter is) is above 100%",
    ),
    "dollars for a stake that nobody set": (
        {"a.toml": own(FLUSH, "x", '"four-card flush" = "$1,000,000"')},
        SOUND, ["a.toml"], 1, "needs stake, which nobody set",
    ),
    "a number of decks beside those that are usual": (
        {"a.toml": own(LADIES, "x", "decks = [1, 7]", '"suited 20" = "10 to 1"', '"any 20" = "4 to 1"')},
        # Of 66,066 hands C(112, 2) + 28 × 28 = 7,000 are a 20, and 4 (C(28, 2) + 7 × 7) = 1,708 of them are suited.
        rule(f"{LADIES}/*", 'return_min = "97%"'), ["a.toml"], 1,
        f"(7 decks): return {100 * (11 * 1_708 + 5 * (7_000 - 1_708)) / 66_066:.4f} % = ",
    ),
    "a stated number of decks that no requirement judges": (
        {"a.toml": own(LADIES, "x", "decks = [6, 7]", '"any 20" = "4 to 1"')},
        rule(f"{LADIES}/*", "decks = [6, 8]", 'return_max = "97%"'), ["a.toml"], 1,
        "(7 decks): no requirement of the policy judges it, dealt from 7 decks",
    ),
    "a paytable that every requirement skips": (
        {"a.toml": own(LADIES, "x", '"any 20" = "4 to 1"')
         + "[wager.paytable.y]\n" + 'decks = [7]\n"any 20" = "300 to 1"\n'},
        rule(f"{LADIES}/*", "decks = [6, 8]", 'return_max = "97%"'), ["a.toml"], 1,
        "no requirement of the policy judges it",
    ),
    "a file to which no requirement applies": (
        {"a.toml": GOOD,
         "b.toml": own(FLUSH.replace("maryland", "massachusetts"), "x", '"four-card flush" = "700 to 1"')},
        FLUSH_RULE, ["a.toml", "b.toml"], 1, "b.toml:3",
    ),
    "a cent for a dollar": (
        {"a.toml": own(FLUSH, "x", '"seven-card flush" = "300 to 1"', '"three-card flush" = "$0.01"')},
        rule(f"{FLUSH}/*", 'hit_frequency_min = "50%"', "[rule.set]", 'stake = "1"'), ["a.toml"], 1, "is below 50%",
    ),
    "nothing of a meter": (
        {"a.toml": own(JACKPOT, "x", '"seven-card straight flush" = "100% of the meter"',
                       '"three-card straight flush" = "0% of the meter"')},
        rule(f"{JACKPOT}/*", 'hit_frequency_min = "1%"', "[rule.set]", 'stake = "1"'), ["a.toml"], 1, "is below 1%",
    ),
    "a share of a setting": (
        {"a.toml": own(JACKPOT, "x", '"seven-card straight flush" = "100% of the meter"',
                       '"three-card straight flush" = "80000% of other players"')},
        rule(f"{JACKPOT}/*", 'top_pay_max = "50000"', "[rule.set]", 'meter = "30000"'), ["a.toml"], 2,
        "other_players is a setting",
    ),
    "two columns of pays": (
        {"a.csv": f"wager,outcome,pays,pays\n{FLUSH},seven-card flush,300 to 1,3000 to 1\n"},
        FLUSH_RULE, ["a.csv"], 2, 'a.csv: line 1: there are 2 columns "pays"',
    ),
    "a wheel that a paytable of one's own has not": (
        {"a.toml": own("maryland/chase-the-flush/progressive", "x", '"three suited hole cards" = "spin of the wheel"')},
        rule("maryland/chase-the-flush/progressive/*", 'undecided = "pass"', 'top_pay_max = "1000"', "[rule.set]",
             'spin_of_the_wheel = "500"'), ["a.toml"], 1, "what a wheel shows whose symbols the paytable does not have",
    ),
    "one id in two files": (
        {"a.toml": GOOD, "b.toml": GOOD}, FLUSH_RULE, ["a.toml", "b.toml"], 2, 'has a paytable "sound" already',
    ),
    "no file at all": ({}, FLUSH_RULE, [], 2, "no paytable is named"),
    "a band that two files make": (
        {"a.toml": GOOD, "b.toml": own(FLUSH, "x", '"four-card flush" = "1 to 1"')},
        rule(f"{FLUSH}/*", 'return_max = "97%"', 'return_band_max = "10%"'), ["a.toml", "b.toml"], 1,
        "spread of the returns of a wager's paytables",
    ),
    "a byte order mark": (
        {"a.toml": "\ufeff" + GOOD.replace("10 to 1", "40 to 1")}, FLUSH_RULE, ["a.toml"], 1, "is above 97%",
    ),
    "a header in quotes": (
        {"a.toml": GOOD.replace("10 to 1", "40 to 1").replace("[[wager]]", '[["wager"]]')}, FLUSH_RULE, ["a.toml"], 1,
        "is above 97%",
    ),
    "tables on a line": (
        {"a.toml": f'wager = [{{ based_on = "{FLUSH}", paytable = {{ x = {{ "four-card flush" = "9 to 1" }} }} }}]\n'},
        FLUSH_RULE, ["a.toml"], 1, "is above 97%",
    ),
    "a misspelt header": ({"a.toml": GOOD.replace("[[wager]]", "[[wagers]]")}, FLUSH_RULE, ["a.toml"], 2, "a.toml"),
}  # fmt: skip


def written(folder: Path, case: str) -> list[str]:
    files, policy, words, _, _ = CASES[case]
    for name, text in {**files, "policy.toml": policy}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return words




@pytest.mark.parametrize("case", CASES)
def test_what_breaks_policy_meets_it_in_no_format(combin: Run, tmp_path: Path, case: str) -> None:
    words = written(tmp_path, case)
    *_, status, says = CASES[case]
    for form in FORMS:
        found, out, err = combin("check", *words, "--policy", "policy.toml", "--format", form)
        assert found == status, (form, out, err)
        if form == "json" and status == 1:
            assert any(says in v["message"] or says in v["file"] + f":{v['line']}" or says in f"({v['decks']} decks): "
                       + v["message"] for v in json.loads(out)["verdicts"]), out  # fmt: skip
        elif form != "junit":
            assert says in (out if status == 1 and form == "text" else err or out) or form != "text", (form, out, err)
        if status == 2:
            # Formats for services must say it too, because services do not show standard error.
            assert (out == "") == (form in ("text", "json"))
            assert says in err


@pytest.mark.parametrize("case", CASES)
def test_what_breaks_policy_meets_it_in_no_test_run(pytester: pytest.Pytester, case: str) -> None:
    written(pytester.path, case)
    (pytester.path / "test_other.py").write_text("def test_nothing():\n    pass\n")
    result = pytester.runpytest_inprocess(
        "-p", "combin.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:hypothesispytest",
        "--combin-policy", "policy.toml",
    )
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR)
    assert "Traceback" not in result.stdout.str() + result.stderr.str()


def test_what_meets_policy_does_so_in_every_format(combin: Run, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(GOOD)
    (tmp_path / "policy.toml").write_text(FLUSH_RULE)
    for form in FORMS:
        assert combin("check", "a.toml", "--policy", "policy.toml", "--format", form)[0] == 0


def test_what_is_not_judged_may_be_allowed(combin: Run, tmp_path: Path) -> None:
    words = written(tmp_path, "a file to which no requirement applies")
    status, out, _ = combin("check", *words, "--policy", "policy.toml", "--allow-unjudged")
    assert status == 0
    assert "b.toml:3: skipped: " in out
    waiver = '[[waiver]]\nid = "massachusetts/*"\nrule = "JDG001"\nreason = "r"\n'
    (tmp_path / "policy.toml").write_text(FLUSH_RULE + waiver)
    assert combin("check", *words, "--policy", "policy.toml")[0] == 0


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., GateReport]:
    def run(paytables: str, policy: str, **options: object) -> GateReport:
        (tmp_path / "a.toml").write_text(paytables)
        (tmp_path / "p.toml").write_text(policy)
        book, ids = collect([str(tmp_path / "a.toml")])
        return check(book, ids, read_policy(tmp_path / "p.toml"), **options)  # type: ignore[arg-type]

    return run


def test_a_wheels_top_is_its_best_symbol(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        rule("maryland/chase-the-flush/progressive/*", 'payout_max = "1000"', 'at_stake = "5"', "[rule.set]",
             'spin_of_the_wheel = "500"', 'fixed_prize_or_merchandise = "100,000"')
    )
    report = check(shipped(), ["maryland/chase-the-flush/progressive/A"], read_policy(tmp_path / "p.toml"))
    [verdict] = report.verdicts
    assert (verdict.status, verdict.figure) == ("fail", "99995")  # the prize, of which five dollars are the stake


def test_a_fingerprint_holds_every_faulty_line(judge: Callable[..., GateReport]) -> None:
    """Pairs of kings are rarer than suited twenties, but win 6 to 1 against 9 to 1. Other lines do not matter."""
    lines = '"king of spades pair" = "{} to 1"\n"suited 20" = "9 to 1"\n'
    lines += '"pair of kings" = "6 to 1"\n"any 20" = "{} to 1"'
    policy = rule("*", "decks = [6]", "pays_monotone = true")

    def found(*pays: int) -> str:
        [verdict] = judge(own("maryland/blackjack/kings-bounty", "x", lines.format(*pays)), policy).verdicts
        assert verdict.status == "fail"
        return verdict.fingerprint

    assert found(200, 4) == found(200, 4)
    assert len({found(200, 4), found(5_000_000, 4), found(200, 5)}) == 3


def test_a_fingerprint_of_an_open_figure_holds_the_lines(judge: Callable[..., GateReport]) -> None:
    policy = rule(f"{JACKPOT}/*", 'return_max = "97%"')
    found = [
        judge(own(JACKPOT, "x", '"seven-card straight flush" = "100% of the meter"',
                  f'"six-card straight flush" = "{n} for 1"'), policy).verdicts[0]
        for n in (10, 10, 20)
    ]  # fmt: skip
    assert [v.status for v in found] == ["undecided"] * 3
    assert found[0].fingerprint == found[1].fingerprint != found[2].fingerprint


def test_words_of_a_document_that_are_dropped_are_said(judge: Callable[..., GateReport]) -> None:
    report = judge(own(JACKPOT, "x", '"seven-card straight flush" = "100% of the meter"'), rule("*", 'basis = "ante"',
                   "no_player_advantage = true"))  # fmt: skip
    assert any("x has no envy bonus; paytables C, D and E of this wager have one" in n for n in report.notes)


def test_a_waiver_with_an_end_wants_a_date(judge: Callable[..., GateReport]) -> None:
    waiver = f'[[waiver]]\nid = "{FLUSH}/*"\nreason = "r"\nexpires = 2020-01-01\n'
    report = judge(GOOD, FLUSH_RULE.replace("97%", "50%") + waiver)
    assert report.met
    assert any(n.startswith("waiver has an end, and no --today is given") for n in report.notes)
    assert report.unused == ()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('house_edge_max = "25"', "the value '25' is 2,500 %, and no house edge is above 100 %; write \"25%\""),
        ("house_edge_max = 25", 'write "25%"'),
        ('house_edge_max = "100%"', "give a value below 100 %"),
        ('hit_frequency_max = "3000%"', "no frequency is above 100 %; give a value below 100 %"),
        ('hit_frequency_min = "30"', 'write "30%"'),
        ('return_max = "97"', 'return_max: the value \'97\' is 9,700 %; write "97%"'),
        ('return_min = "0"', "a least value of 0 always holds"),
        ('standard_deviation_min = "0"', "a least value of 0 always holds"),
        ('prize_one_in_max = "0.5"', "is a frequency above 1 in 1"),
    ],
)
def test_a_bound_that_cannot_bind_is_refused(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "p.toml").write_text(rule("*", line))
    with pytest.raises(InputError) as caught:
        read_policy(tmp_path / "p.toml")
    assert says in str(caught.value)
    assert "line 4" in str(caught.value)


def test_a_break_even_below_zero_fails(judge: Callable[..., GateReport]) -> None:
    """The known pays alone return more than the stake, so the player has the advantage at every meter."""
    lines = '"seven-card straight flush" = "100% of the meter"', '"three-card straight flush" = "500 for 1"'
    text = own(JACKPOT, "x", *lines)
    report = judge(text, rule(f"{JACKPOT}/*", 'undecided = "pass"', 'break_even_min = "1"'))
    assert [v.status for v in report.verdicts] == ["fail"]


def test_ends_of_expressions() -> None:
    """Ranges by hand: 2 x − 3 y + 1 and 5 / x, for 1 <= x <= 4 and y >= 2."""
    x, y = symbol("x"), symbol("y")
    limits = {"x": (Fraction(1), Fraction(4)), "y": (Fraction(2), None)}
    assert enclosure(2 * x - 3 * y + 1, limits) == (None, Fraction(3))
    assert enclosure(5 / x, limits) == (Fraction(5, 4), Fraction(5))
    assert enclosure(1 / y, limits) == (0, Fraction(1, 2))
    assert enclosure(x * symbol("z"), limits) == (None, None)
    assert enclosure(Fraction(7), {}) == (7, 7)


def test_a_hit_is_more_than_the_stake(tmp_path: Path) -> None:
    """C(4, 1) × C(13, 7) hands are seven suited cards. A return of a cent, or of an empty meter, is no hit."""
    (tmp_path / "a.toml").write_text(
        own(FLUSH, "x", '"seven-card flush" = "2 to 1"', '"six-card flush" = "1 for 1"', '"five-card flush" = "$0.01"')
    )
    book, [identifier] = collect([str(tmp_path / "a.toml")])
    assert analyze(identifier, book=book).hit_frequency == Fraction(4 * 1716, 133_784_560)
    assert analyze(identifier, set={"stake": "1/1000"}, book=book).hit_frequency > Fraction(4 * 1716, 133_784_560)
