"""Requirements: exact comparison, verdicts, readings, bases, groups; what is skipped and what is an error."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.base.exact import decimal, root
from combin.policy import GateReport, check, read_policy
from combin.policy.criteria import BY_ID, CRITERIA
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file

from ..shared import HOUSE_FLUSH

FLUSH = "maryland/high-card-flush/flush-bonus"
ODDS = {7: 300, 6: 75, 5: 10, 4: 1}
CHANCE = {n: Fraction(4 * math.comb(13, n) * math.comb(39, 7 - n), math.comb(52, 7)) for n in ODDS}
RETURN = sum(CHANCE[n] * (ODDS[n] + 1) for n in ODDS)
VARIANCE = sum(CHANCE[n] * (ODDS[n] + 1) ** 2 for n in ODDS) - RETURN**2
HIT = sum(CHANCE.values())

Judge = Callable[..., GateReport]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Check ids, or the house's paytable if none are given, against one requirement with these lines."""

    def run(lines: str, *ids: str, applies_to: str = '["*"]', head: str = "", tail: str = "") -> GateReport:
        (tmp_path / "house.toml").write_text(HOUSE_FLUSH)
        rule = f'{head}[[rule]]\nname = "the rule"\napplies_to = {applies_to}\n{lines}\n{tail}'
        (tmp_path / "policy.toml").write_text(rule)
        book, own = add_file(shipped(), str(tmp_path / "house.toml"))
        return check(book, list(ids) or own, read_policy(tmp_path / "policy.toml"))

    return run


def statuses(report: GateReport) -> list[str]:
    return [v.status for v in report.verdicts]


TINY = Fraction(1, 10**15)


@pytest.mark.parametrize(
    ("key", "least", "value"),
    [
        ("return_min", True, RETURN),
        ("return_max", False, RETURN),
        ("optimal_return_min", True, RETURN),
        ("house_edge_max", False, 1 - RETURN),
        ("house_edge_min", True, 1 - RETURN),
        ("hit_frequency_min", True, HIT),
        ("hit_frequency_max", False, HIT),
        ("top_pay_max", False, Fraction(300)),
        ("prize_one_in_max", False, 1 / CHANCE[7]),
        ("reading_spread_max", False, Fraction(0)),
    ],
)
def test_bounds_are_compared_exactly(judge: Judge, key: str, least: bool, value: Fraction) -> None:
    at, beyond = value, value + TINY if least else value - TINY
    report = judge(f'{key} = "{at}"')
    assert statuses(report) == ["pass"]
    assert report.verdicts[0].value == value
    if beyond >= 0:
        report = judge(f'{key} = "{beyond}"')
        assert statuses(report) == ["fail"]
        assert report.verdicts[0].figure == str(value)
        assert not report.met


def test_standard_deviation_is_compared_by_its_square(judge: Judge) -> None:
    z = Fraction(1959964, 10**6)
    for key, square, least in (
        ("standard_deviation_max", VARIANCE, False),
        ("standard_deviation_min", VARIANCE, True),
        ("volatility_index_max", z**2 * VARIANCE, False),
    ):
        below = root(square, 15)
        assert below**2 < square < (below + TINY) ** 2
        for limit, beyond in ((below, False), (below + TINY, True)):
            report = judge(f'{key} = "{decimal(limit, 15)}"')
            assert statuses(report) == ["fail" if beyond == least else "pass"]
            assert report.verdicts[0].figure == f"sqrt({square})"


def test_whole_numbers_are_shown_as_they_are(judge: Judge) -> None:
    assert judge('top_pay_max = "200"').verdicts[0].message == "top pay 300 is above 200"


def test_decimals_of_toml_are_read_exactly(judge: Judge) -> None:
    assert statuses(judge("top_pay_max = 299.99999999999999999999999999")) == ["fail"]
    assert statuses(judge("top_pay_max = 300.00000000000000000000000000")) == ["pass"]


def test_a_violation_names_everything(judge: Judge) -> None:
    v = judge('return_min = "9/10"').verdicts[0]
    assert (v.rule, v.check, v.key, v.id) == ("the rule", "RTP001", "return_min", f"{FLUSH}/house-1")
    assert (Path(v.file).name, v.line) == ("house.toml", 3)
    assert (Path(v.policy_file).name, v.policy_line) == ("policy.toml", 4)
    assert v.message == "return 87.1905 % = 2243219/2572780 is below 9/10"
    assert Fraction(v.figure) == RETURN


def test_a_shipped_paytable_is_placed_in_its_document(judge: Judge) -> None:
    v = judge('return_min = "2"', f"{FLUSH}/B").verdicts[0]
    lines = Path(v.file).read_text(encoding="utf-8").splitlines()
    assert v.file == "combin/rules/maryland-high-card-flush.toml"
    assert v.line is not None
    assert lines[v.line - 1] == "[wager.paytable.B]"
    assert 'id = "flush-bonus"' in [line for line in lines[: v.line] if line.startswith("id = ")][-1]


def test_payout_at_a_stake(judge: Judge) -> None:
    assert statuses(judge('at_stake = "$25"\npayout_max = "$7,500"')) == ["pass"]
    assert statuses(judge('at_stake = "$25"\npayout_max = "$7,499.99"')) == ["fail"]
    assert statuses(judge('payout_max = "$7,500"')) == ["undecided"]


def test_words_and_order_of_pays(judge: Judge) -> None:
    assert statuses(judge('odds_stated_as = "to"')) == ["pass"]
    assert statuses(judge('odds_stated_as = "for"')) == ["fail"]
    assert statuses(judge("pays_monotone = true")) == ["pass"]
    # Seven suited cards are rarer than a five-card straight flush, but win less.
    report = judge("pays_monotone = true", "maryland/chase-the-flush/same-suit/B")
    assert statuses(report) == ["fail"]
    assert report.verdicts[0].figure == "400 to 1 against 500 to 1"


def test_added_pays_count_for_their_lines(judge: Judge) -> None:
    """Two unsuited matches are rarer than one suited match and pay less, but they are no line of the paytable."""
    report = judge("pays_monotone = true", "maryland/blackjack/match-the-dealer/6-decks")
    assert statuses(report) == ["pass"]


def test_decks_filter_and_allowed_decks(judge: Judge) -> None:
    ladies = "maryland/blackjack/lucky-ladies/A"
    report = judge('decks = [6, 8]\nreturn_min = "0.1%"', ladies)
    assert [v.decks for v in report.verdicts] == [6, 8]
    report = judge("decks_allowed = [6, 8]", ladies)
    assert {v.decks: v.status for v in report.verdicts} == {1: "fail", 2: "fail", 4: "fail", 6: "pass", 8: "pass"}
    with pytest.raises(InputError, match="is not dealt from 6 decks"):
        judge('decks = [6]\nreturn_min = "0.1%"', f"{FLUSH}/A")


def test_every_reading_must_pass_where_the_requirement_says_all(judge: Judge) -> None:
    ladies = "maryland/blackjack/lucky-ladies/A"
    least, greatest = (analyze(ladies, decks=6, reading={"ace-nine-is-20": c}).returned for c in ("no", "yes"))
    assert least < greatest
    limit = (least + greatest) / 2
    assert statuses(judge(f'decks = [6]\nreturn_min = "{limit}"', ladies)) == ["pass"]
    report = judge(f'decks = [6]\nreadings = "all"\nreturn_min = "{limit}"', ladies)
    assert statuses(report) == ["fail"]
    assert report.verdicts[0].figure == str(least)
    assert "under ace-nine-is-20=no" in report.verdicts[0].message
    fixed = judge(
        f'decks = [6]\nreadings = "all"\nreturn_min = "{limit}"', ladies, tail='[rule.reading]\nace-nine-is-20 = "yes"'
    )
    assert statuses(fixed) == ["pass"]
    assert statuses(judge(f'decks = [6]\nreading_spread_max = "{greatest - least}"', ladies)) == ["pass"]
    assert statuses(judge(f'decks = [6]\nreading_spread_max = "{greatest - least - TINY}"', ladies)) == ["fail"]


def test_an_unknown_is_undecided_until_it_is_set(judge: Judge) -> None:
    jackpot = "maryland/high-card-flush/progressive/A"
    report = judge('return_min = "10%"', jackpot)
    assert statuses(report) == ["undecided"]
    assert not report.met
    assert "needs meter, which nobody set" in report.verdicts[0].message
    assert judge('undecided = "pass"\nreturn_min = "10%"', jackpot).met
    assert judge('return_min = "10%"', jackpot, head='undecided = "pass"\n').met
    a = analyze(jackpot, set={"meter": "50000"})
    report = judge(f'return_min = "{a.returned}"', jackpot, tail='[rule.set]\nmeter = "50000"')
    assert statuses(report) == ["pass"]
    # A fixed pay above the limit fails at every meter.
    assert statuses(judge('top_pay_max = "3"', jackpot)) == ["fail"]


def test_break_even_and_long_run_share(judge: Judge) -> None:
    jackpot = "maryland/high-card-flush/progressive/A"
    a = analyze(jackpot)
    assert a.coefficients is not None
    constant, slope = a.coefficients["1"], a.coefficients["meter"]
    meter = (1 - constant) / slope
    assert statuses(judge(f'break_even_min = "{meter}"', jackpot)) == ["pass"]
    assert statuses(judge(f'break_even_min = "{meter + TINY}"', jackpot)) == ["fail"]
    assert statuses(judge(f'break_even_max = "{meter}"', jackpot)) == ["pass"]
    assert statuses(judge('return_min = "0.1%"\nbreak_even_min = "1"')) == ["pass", "skipped"]
    # The operator puts up $30,000 for each of the 4 × 8 seven-card straight flushes (ace high or low).
    share = constant + Fraction(1, 5) + 30000 * a.probabilities["seven-card straight flush"]
    assert a.probabilities["seven-card straight flush"] == Fraction(4 * 8, math.comb(52, 7))
    rate = '[rule.set]\ncontribution_rate = "20%"'
    assert statuses(judge(f'player_share_min = "{share}"', jackpot, tail=rate)) == ["pass"]
    assert statuses(judge(f'player_share_min = "{share + TINY}"', jackpot, tail=rate)) == ["fail"]
    report = judge('player_share_min = "1%"', jackpot)
    assert statuses(report) == ["undecided"]
    assert "needs contribution_rate" in report.verdicts[0].message
    assert statuses(judge('return_min = "0.1%"\nplayer_share_min = "1%"')) == ["pass", "skipped"]


def test_a_game_with_decisions_needs_a_basis(judge: Judge) -> None:
    base = "maryland/high-card-flush/base/A"
    report = judge('house_edge_max = "50%"', base)
    assert statuses(report) == ["undecided"]
    assert 'basis = "ante"' in report.verdicts[0].message
    # A value that the requirement omits is not an unknown of the document. undecided = "pass" does not accept it.
    for lines in ('house_edge_max = "50%"', 'standard_deviation_max = "9"', 'basis = "ante"\npayout_max = "$1"'):
        report = judge(f'undecided = "pass"\n{lines}', base)
        assert (statuses(report), report.met) == (["undecided"], False)
        assert report.verdicts[0].message.endswith("policy.toml:1)")
    game = analyze(base).game
    for basis, edge in (
        ("ante", -game.expected_value),
        ("initial", game.house_edge_per_initial_units),
        ("average", game.element_of_risk),
    ):
        below = Fraction(math.floor(edge * 10**25), 10**25)
        for limit, status in ((below, "fail"), (below + Fraction(1, 10**25), "pass")):
            report = judge(f'basis = "{basis}"\nhouse_edge_max = "{decimal(limit, 25)}"', base)
            assert statuses(report) == [status]
            assert report.verdicts[0].figure == str(edge)
    assert statuses(judge(f'hit_frequency_min = "{game.win_frequency}"', base)) == ["pass"]
    assert statuses(judge('basis = "average"\nstandard_deviation_max = "9"', base)) == ["undecided"]
    assert statuses(judge('pays_monotone = true\nprize_one_in_max = "2"\nodds_stated_as = "to"', base)) == [
        "pass", "skipped", "skipped",
    ]  # fmt: skip


def test_a_promotion_has_no_return(judge: Judge) -> None:
    report = judge('decks = [8]\nreturn_min = "0.1%"', "maryland/blackjack/buster-blackjack-free-bonus/A")
    assert statuses(report) == ["undecided"]
    assert "without a stake of its own" in report.verdicts[0].message


def test_a_band_is_judged_over_a_wager(judge: Judge) -> None:
    pays = {"A": {7: 300, 6: 100, 5: 10, 4: 1}, "B": {7: 100, 6: 20, 5: 10, 4: 2}}
    returns = [sum(CHANCE[n] * (odds + 1) for n, odds in p.items()) for p in pays.values()]
    width = abs(returns[0] - returns[1])
    ids = [f"{FLUSH}/A", f"{FLUSH}/B"]
    report = judge(f'return_band_max = "{width}"', *ids)
    assert statuses(report) == ["pass"]
    assert report.verdicts[0].id == f"{FLUSH}/*"
    report = judge(f'return_band_max = "{width - TINY}"', *ids)
    assert statuses(report) == ["fail"]
    assert "(A)" in report.verdicts[0].message
    assert "(B)" in report.verdicts[0].message


def test_no_player_advantage_finds_the_two_shifted_tables(judge: Judge) -> None:
    ids = [i for i in shipped().ids() if i.startswith("massachusetts/high-card-flush/flush-bonus/")]
    report = judge("no_player_advantage = true", *ids)
    assert [v.id[-1] for v in report.verdicts if v.status == "fail"] == ["E", "K"]


def test_a_requirement_that_matches_nothing_is_an_error_and_one_for_others_is_skipped(judge: Judge) -> None:
    with pytest.raises(InputError, match=r"line 1: the requirement .* matches nothing.*did you mean"):
        judge('return_min = "0.1%"', applies_to='["maryland/high-card-flush/flush-bonu/*"]')
    with pytest.raises(InputError, match="no requirement applies to what is checked"):
        judge('return_min = "0.1%"', f"{FLUSH}/A", applies_to='["*/lucky-ladies/*"]')
    other = '[[rule]]\nname = "other"\napplies_to = ["*/lucky-ladies/*"]\nreturn_min = "1"\n'
    report = judge('return_min = "0.1%"', tail=other)
    assert statuses(report) == ["pass", "skipped"]
    assert "applies to none of the paytables checked" in report.verdicts[1].message
    assert report.met


def test_a_glob_that_matches_nothing_beside_one_that_does_is_noted(judge: Judge) -> None:
    report = judge('return_min = "0.1%"', applies_to='["*/flush-bonus/*", "*/flush-bonsu/*"]')
    assert report.met
    assert report.notes == ('"*/flush-bonsu/*" of the requirement "the rule" matches no id',)


@pytest.mark.parametrize(
    ("tail", "says"),
    [
        ('[rule.set]\nmetr = "1"\n', 'has a parameter "metr"; did you mean "meter"?'),
        ('[rule.reading]\nace-nine-is-2 = "no"\n', 'has a reading "ace-nine-is-2"; did you mean "ace-nine-is-20"?'),
        ('[rule.reading]\nace-nine-is-20 = "maybe"\n', 'has no choice "maybe"; choose one of yes, no'),
    ],
)
def test_names_that_no_paytable_of_the_requirement_has(judge: Judge, tail: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        judge('return_min = "0.1%"', tail=tail)
    assert says in str(caught.value)


def test_a_value_that_a_paytable_refuses_is_placed_in_the_policy(judge: Judge) -> None:
    with pytest.raises(InputError, match=r"policy\.toml: line 1: maryland/high-card-flush/progressive/A: "):
        judge('return_min = "0.1%"', "maryland/high-card-flush/progressive/A", tail='[rule.set]\nother_players = "99"')


def test_ids_and_keys_are_one_to_one() -> None:
    assert len(BY_ID) == len(CRITERIA) == len({c.id for c in CRITERIA.values()})
    assert all(len(i) == 6 and i[:3].isupper() and i[3:].isdigit() for i in BY_ID)


def test_fingerprints_change_with_the_figure_and_not_with_the_line(judge: Judge) -> None:
    v = judge('return_min = "9/10"').verdicts[0]
    assert replace(v, line=99, file="x").fingerprint == v.fingerprint
    assert replace(v, figure="1/2").fingerprint != v.fingerprint
