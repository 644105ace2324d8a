"""Strategies for users: lines, one hand, named and own strategies, other raises."""

import json
import random
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import combin
from combin import cli
from combin.base.errors import InputError
from combin.base.textfiles import line_number
from combin.deals.cards import cards, flush_name, rank_masks
from combin.games.chase_the_flush import positions as chase_the_flush_seen
from combin.games.chase_the_flush import rules as chase_rules
from combin.games.chase_the_flush import solve as chase
from combin.games.chase_the_flush import strategies as simple
from combin.games.high_card_flush import rules as high_rules
from combin.games.high_card_flush import solve as high
from combin.games.high_card_flush.strategies import Histogram
from combin.play import chase_the_flush as chase_play
from combin.play import strategy as told
from combin.play.chase_the_flush import ChaseStrategy
from combin.play.files import read_strategy
from combin.play.high_card_flush import HighCardStrategy
from combin.userfiles.paytables import add_file
from combin.verify.flush_games import ante_and_raise
from combin.views.strategy import render

from ..shared import Run, chase_the_flush

DATA = Path(__file__).parents[1] / "data"
HCF = "maryland/high-card-flush/base/A"
CTF = "maryland/chase-the-flush/base/A"


@pytest.fixture(scope="module")
def summary() -> told.Summary:
    return told.summarize(combin.analyze(HCF))


@pytest.fixture(scope="module")
def chase_game() -> Any:
    return chase_the_flush()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["combin", "strategy", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        sys.stdout.flush()
        captured = capfdbinary.readouterr()
        return int(ended.value.code or 0), captured.out.decode(), captured.err.decode()

    return call


# ---- High Card Flush


def test_the_lines_hold_every_hand_once_and_every_raise(summary: told.Summary) -> None:
    assert sum(line.positions for line in summary.lines) == 133_784_560
    raised = sum(line.raised for line in summary.lines)
    assert 1 - summary.strategies[0].choices["fold"] == Fraction(raised, 133_784_560)


def test_only_ten_high_hands_are_open(summary: told.Summary) -> None:
    """Published: jack high is always raised, nine high never, ten high depends on the other suits."""
    verdicts: dict[str, set[str]] = {line.hands: set() for line in summary.lines}
    for line in summary.lines:
        verdicts[line.hands].add(line.verdict)
    assert verdicts.pop("3-2 to 9-8-7") == {"never"}
    assert verdicts.pop("J-3-2 to A-K-Q-J-T-9-8") == {"always"}
    assert all(name.startswith("T-") for name in verdicts)
    ten_high = sum(line.positions for line in summary.lines if line.hands.startswith("T-"))
    assert f"{float(Fraction(ten_high, 133_784_560)):.1%}" == "5.3%"  # published: about 5.3 %


def test_no_hand_contradicts_its_line(summary: told.Summary) -> None:
    """Ten-high hands; the dealer hands of each are counted in another way than by the kernel."""
    rng = random.Random(5)
    seen = set()
    for _ in range(30):
        tens = sorted(rng.sample(range(8), 2), reverse=True)
        flush = [8, *(rank for rank in tens if rank < 8)]
        others = rng.sample(list(range(13, 52)), 4)
        hand = [*flush, *others]
        if max(sum(c // 13 == s for c in others) for s in (1, 2, 3)) > 2:
            continue
        best = told.answer(summary.analysis, hand).best
        mask = sum(1 << rank for rank in flush)
        jacks = sum(c % 13 >= 9 for c in others)
        for line in summary.lines:
            first, _, last = line.hands.partition(" to ")
            if high.flush_of(first) <= mask <= high.flush_of(last) and len(last) == 5:
                counts = range(int(line.given[0]), int(line.given.split(" to ")[-1][0]) + 1)
                if jacks in counts:
                    seen.add(line.verdict)
                    assert line.verdict == "sometimes" or (line.verdict == "always") == (best != "fold")
    assert seen == {"never", "sometimes", "always"}


def test_simple_strategies_cost_what_they_give_up(summary: told.Summary) -> None:
    by_name = {v.name: v for v in summary.strategies}
    optimal = summary.strategies[0]
    for valued in summary.strategies[1:]:
        assert valued.cost == optimal.returned - valued.returned > 0
        assert sum(valued.choices.values()) == 1
    assert by_name["fold everything"].returned == 0
    # published: raise from T-8-6, at a house edge of 2.71 %
    best = next(v for v in summary.strategies if v.basis.startswith("best of all 287"))
    assert best.name == "raise from T-8-6"
    assert f"{float(1 - best.returned):.2%}" == "2.71%"
    # a richer language is never worse
    order = [v.cost for v in summary.strategies if v.basis]
    assert order == sorted(order, reverse=True)


def test_raising_on_every_hand_is_worth_what_symmetry_says(summary: told.Summary, tmp_path: Path) -> None:
    """One ante raised on every hand: E = P(d) - 2 P(player qualifies, dealer does not).

    d: the dealer does not qualify. Then the raise pushes and the ante wins. Wins equal losses over all
    deals, and also over the deals where neither hand qualifies; those terms cancel.
    """
    path = tmp_path / "all.toml"
    path.write_text('game = "high-card-flush"\nraise_from = "any"\nmultiple = 1\n')
    valued = told.compare(summary.analysis, [read_strategy(path)]).strategies[1]
    assert valued.choices["raise 1x"] == 1
    game = high_rules.game_of(summary.analysis.resolved)
    cells = high.solve(game).cells.sum((1, 2)).astype(object)  # [flush][qualifies][result]
    place = high.flush_number(high.flush_of("9-3-2"))
    unqualified = Fraction(133_784_560 - 100_825_036, 133_784_560)
    assert Fraction(cells[:, 0].sum(), high.DEALS) == unqualified
    alone = Fraction(cells[place:, 0].sum(), high.DEALS)
    assert valued.returned == 1 + unqualified - 2 * alone


def test_a_hand_that_was_drawn_is_answered_exactly(summary: told.Summary) -> None:
    found = told.answer(summary.analysis, "Tc 7c 4c Ks Qh Jd 9d")
    assert found.flush == "T-7-4"
    assert sum(found.dealer.values()) == 45_379_620
    lost = found.dealer["dealer qualifies, player loses"]
    won = found.dealer["dealer qualifies, player wins"] * 2 + found.dealer["dealer does not qualify, player wins"]
    assert found.values == {"fold": -1, "raise 1x": Fraction(won - 2 * lost, 45_379_620)}
    assert (found.best, found.tied, found.cost["raise 1x"]) == ("raise 1x", False, 0)


def test_a_rule_of_the_user_sees_what_it_says() -> None:
    rule = read_strategy(DATA / "ten-nine-seven.toml")
    assert isinstance(rule, HighCardStrategy)
    rng = random.Random(3)
    codes = rule.codes
    game = ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3})
    labels = {label: i for i, label in enumerate(codes.labels)}
    choices = rule.choices(Histogram(game, codes, np.zeros(0)))
    for _ in range(300):
        hand = rng.sample(range(52), 7)
        suits = [sorted((c % 13 for c in hand if c // 13 == s), reverse=True) for s in range(4)]
        own = max(suits, key=lambda ranks: (len(ranks), ranks))
        others = [rank for ranks in suits if ranks is not own for rank in ranks]
        least = [8, 5, 0] if sum(rank >= 9 for rank in others) >= 2 else [8, 7, 5]
        raises = (len(own), own) >= (3, least)
        label = tuple(sorted(map(len, suits), reverse=True)), sum(rank >= 9 for rank in others)
        number = high.flush_number(sum(1 << rank for rank in own))
        assert choices[number, labels[label]] == (0 if not raises else {5: 2, 6: 3, 7: 3}.get(len(own), 1))


def test_the_found_thresholds_come_back_as_a_file(summary: told.Summary) -> None:
    own = told.compare(summary.analysis, [read_strategy(DATA / "ten-nine-seven.toml")])
    found = next(v for v in summary.strategies if "high cards" in v.basis)
    assert own.strategies[1].cost == found.cost == Fraction(67023659, 589655448200)


# ---- Chase the Flush


@pytest.mark.slow
def test_optimal_play_by_ranks_is_the_joint_table_by_length(chase_game: Any) -> None:
    seen = chase_the_flush_seen.follow(chase_game.game.solution)
    places = simple.first_places()
    for length in range(2, 8):
        rows = seen.joint[places[length] : places[length + 1]].sum(axis=0)
        assert (rows == chase_game.game.solution.joint[..., length - 2]).all()
    assert int(seen.hole.sum()) == 22_100
    assert int(seen.flop.sum()) == (22_100 - int(seen.hole[:, 1].sum())) * 1_176
    assert int(seen.river.sum()) == int(seen.flop[:, 0].sum()) * 1_081


def test_no_position_contradicts_its_line(chase_game: Any) -> None:
    lines = {(x.street, x.given, x.hands): x for x in chase_play._chase_lines(chase_game)}
    assert sum(x.positions for x in lines.values() if x.street.endswith("hole cards")) == 22_100
    assert lines["3x, hole cards", "", "4-3-2 to A-K-Q"].verdict == "always"
    assert ("3x, hole cards", "raised with a third card 5 or higher", "K-9 to K-T") in lines
    for third, best in (("4", "check"), ("5", "all in 3x")):
        assert told.answer(chase_game, f"Ks 9s {third}d").best == best
    seen = chase_the_flush_seen.follow(chase_game.game.solution)
    rng = random.Random(2)
    reached = [0, 0, 0]
    for _ in range(40):
        deal = rng.sample(range(52), 7)
        for street, table in enumerate((seen.hole, seen.flop, seen.river.sum(axis=1))):
            found = told.answer(chase_game, deal[:3], deal[3 : 3 + 2 * street])
            flush = max(rank_masks(deal[: 3 + 2 * street]), key=lambda mask: (mask.bit_count(), mask))
            raises = found.best.startswith("all in")
            assert found.values[found.best] == max(found.values.values())
            assert table[simple.place(flush), int(raises)] > 0
            reached[street] += 1
            if raises:
                break
    assert min(reached) > 10


@pytest.mark.slow
def test_own_thresholds_are_valued_as_the_search_valued_them(chase_game: Any, tmp_path: Path) -> None:
    """The search adds up gains by what a strategy sees. Here the strategy plays through all deals."""
    own = read_strategy(DATA / "king-two.toml")
    assert isinstance(own, ChaseStrategy)
    found = simple.strategy(*chase_play.BEST_THRESHOLDS["two-higher"][:3], chase_play.BEST_THRESHOLDS["two-higher"][3])
    assert (own.strategy.hole[:377] == found.hole[:377]).all()
    assert (own.strategy.flop == found.flop).all()
    text = (DATA / "king-two.toml").read_text().replace("two-higher", "one-higher").replace("7-4-2", "7-5-3")
    (tmp_path / "one.toml").write_text(text)
    valued = told.compare(chase_game, [own, read_strategy(tmp_path / "one.toml")]).strategies
    assert [v.returned - 1 for v in valued[1:]] == [
        Fraction(-5530567877, 110740169540), Fraction(-145084138859, 3020186442000),
    ]
    assert all(v.cost > 0 for v in valued[1:])


def test_a_two_card_flush_by_each_card_is_the_casinos_other_meaning(tmp_path: Path) -> None:
    path = tmp_path / "printed.toml"
    path.write_text(
        'game = "chase-the-flush"\n[hole]\n"two-card flush" = "Q-9"\n"three-card flush" = "any"\n'
        'compare = "each-card"\n[flop]\n"three-card flush" = "any"\n"four-card flush" = "any"\n'
        '"five-card flush" = "any"\n[river]\n"three-card flush" = "J"\n"four-card flush" = "any"\n'
        '"five-card flush" = "any"\n"six-card flush" = "any"\n"seven-card flush" = "any"\n'
        '[river.two-higher]\n"three-card flush" = "never"\n'
    )
    rule = read_strategy(path)
    assert isinstance(rule, ChaseStrategy)
    name = "a queen or better with a nine or better; both suited cards higher, three-card flushes only"
    printed = simple.printed_strategies()[name]
    for own, other in zip((rule.strategy.hole, rule.strategy.flop, rule.strategy.river),
                          (printed.hole, printed.flop, printed.river), strict=True):
        assert (own == other).all()
    raised = [m for m in simple.flushes()[2] if rule.strategy.hole[simple.place(m)]]
    assert {flush_name(m) for m in raised} == {
        "Q-9", "Q-T", "Q-J", "K-9", "K-T", "K-J", "K-Q", "A-9", "A-T", "A-J", "A-Q", "A-K",
    }


# ---- files with faults


CHASE_FAULTS = """game = "chase-the-flush"
nam = "x"
[hole]
"two-card flsh" = "Q-9"
compare = "eyes"
[flop]
"three-card flush" = "9-Q"
"four-card flush" = 3
[river]
[river.two-hgher]
x = 1
"""
HIGH_FAULTS = """game = "high-card-flush"
raise_form = "T-8-6"
multiple = 9
[[when]]
suits = ["3-3-2-0"]
raise_from = "T-7-2"
[[when]]
other_cards = "jack"
at_least = 7
raise_from = "T-T-2"
[[when]]
at_lest = 1
[[when]]
other_cards = "J"
raise_from = 3
[[when]]
other_cards = "Q"
raise_from = "never"
"""
#: Tables that are right as such, and do not fit together.
APART = """game = "high-card-flush"
raise_from = "any"
[[when]]
raise_from = "T-7-2"
[[when]]
at_least = 1
suits = ["3-3-1-0"]
raise_from = "T-7-2"
"""
RANKS_APART = """game = "high-card-flush"
raise_from = "any"
[[when]]
other_cards = "J"
raise_from = "T-7-2"
[[when]]
other_cards = "Q"
raise_from = "never"
"""


@pytest.mark.parametrize(
    ("text", "places", "words"),
    [
        (CHASE_FAULTS, [2, 4, 5, 7, 8, 10], 'did you mean "two-card flush"'),
        (HIGH_FAULTS, [0, 2, 3, 5, 8, 9, 10, 11, 12, 15], 'did you mean "at_least"'),
        (APART, [3, 6], "at_least is given without other_cards"),
        (RANKS_APART, [7], "other_cards is Q, and J in another [[when]]"),
        ('game = "poker"\n', [1], 'game = "high-card-flush" or "chase-the-flush"'),
        ('name = "x"\n', [0], "names no game"),
        ('game = "chase-the-flush"\nhole = 3\n', [0, 0, 2], "not a table"),
        ('game = "high-card-flush"\nraise_from = "any"\nname = 3\nwhen = 4\n', [3, 4], "name: 3 is not a text"),
    ],
)
def test_every_fault_of_a_strategy_is_named_with_its_line(
    text: str, places: list[int], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_strategy(path)
    assert [line_number(f.place) or 0 for f in refused.value.faults] == places
    assert all(f.file == str(path) and f.remedy for f in refused.value.faults)
    assert words in str(refused.value)


# ---- the command


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((HCF, "--hand", "Tc 7c 4c Ks Qh Jd"), "--hand: the hand has 6 card(s)"),
        ((HCF, "--hand", "Tc 7c 4c Ks Qh Jd Tc"), "--hand: Tc is in the hand twice"),
        ((HCF, "--hand", "Tc 7c 4c Ks Qh Jd 1d"), '--hand: "1d" is not a card'),
        ((HCF, "--hand", "Tc 7c 4c Ks Qh Jd 9d", "--board", "2c 3c"), "--board: High Card Flush has no board"),
        ((CTF, "--board", "2c 3c"), "--board: the board has no hand"),
        ((CTF, "--hand", "2d 3d 4d", "--play", DATA / "king-two.toml"), "--play cannot be combined with --hand"),
        ((HCF, "--play", DATA / "king-two.toml"), "is a strategy for chase-the-flush"),
        ((HCF, "--play", "nowhere.toml"), "nowhere.toml: there is no such file"),
        (("maryland/chase-the-flush/same-suit/A",), "has no decisions"),
        (("*/same-suit/*",), "none of these wagers has decisions"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(run: Run, words: tuple[object, ...], message: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("Qs", "--board: the board has 1 card(s)"),
        ("Qs 2d 3c", "--board: the board has 3 card(s)"),
        ("Qs 4d", "4d is dealt twice"),
    ],
)
def test_a_board_that_cannot_be_is_refused(run: Run, chase_game: Any, board: str, message: str) -> None:
    status, out, err = run(CTF, "--hand", "Ks 9s 4d", "--board", board)
    assert (status, out) == (2, "")
    assert message in err


def test_a_hand_as_json_and_a_strategy_as_markdown(run: Run, tmp_path: Path) -> None:
    status, out, _ = run(HCF, "--hand", "Tc 7c 4c Ks Qh Jd 9d", "--format", "json")
    (record,) = json.loads(out)
    assert status == 0
    assert record["choices"]["raise 1x"]["value"]["exact"] == "-42691021/45379620"
    assert (record["best"], record["choices"]["fold"]["cost"]["exact"]) == ("raise 1x", "2688599/45379620")
    target = tmp_path / "own.md"
    status, out, _ = run(HCF, "--play", DATA / "ten-nine-seven.toml", "--format", "markdown", "-o", target)
    assert (status, out) == (0, "")
    assert "67023659/589655448200" in target.read_text()


def test_a_summary_is_the_same_in_every_form(summary: told.Summary) -> None:
    (record,) = json.loads(render([summary], "json"))
    assert [s["cost"]["exact"] for s in record["strategies"]] == [str(v.cost) for v in summary.strategies]
    assert sum(int(line["positions_raised"]) for line in record["play"]) == sum(x.raised for x in summary.lines)
    for form in ("table", "markdown"):
        text = render([summary], form)
        assert all(v.name in text and str(v.cost) in text for v in summary.strategies)
        assert "133,784,560" not in text
        assert "88,586,992" in text


# ---- other pays and raises


OWN = """[[wager]]
based_on = "maryland/chase-the-flush/base"
options = { raises = [4, 2, 1] }
[wager.paytable.four-times]
"ante" = "1 to 1"
"all in" = "1 to 1"
"five-card flush" = "3 to 2"
[[wager]]
based_on = "massachusetts/high-card-flush/base"
[wager.options]
raise_limit = [1, 1, 2, 3, 4, 5]
[wager.paytable.more]
"ante" = "1 to 1"
"raise" = "1 to 1"
"""


def test_a_users_raises_are_solved_again(tmp_path: Path, summary: told.Summary) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    book, identifiers = add_file(combin.rulebook.shipped(), str(path))
    four, more = (book.resolve(i) for i in identifiers)
    rules = chase_rules.rules_of(four)
    assert rules.choices == ("all in 4x", "all in 2x", "all in 1x", "fold")
    assert rules.staked == (6, 4, 3, 2)
    hole = cards("Kc Kd Kh")
    sums = [
        chase.position(hole, utility=r.utility).values["3x"] / r.unit
        for r in (rules, chase_rules.rules_of(book.resolve(CTF)))
    ]
    assert sums[0] != sums[1]
    a = combin.analyze(more.id, book=book)
    assert set(a.game.choices) == {"fold", *(f"raise {m}x" for m in range(1, 6))}
    # long flushes win far more often than they lose, so a larger raise wins more
    assert a.returned > summary.analysis.returned
    shipped = book.resolve(HCF)
    assert tuple(shipped.options["raise_limit"]) == (1, 1, 1, 2, 3, 3)


@pytest.mark.parametrize(
    ("option", "line", "message"),
    [
        ("{ raises = [4, 2] }", 3, "raises is not 3 whole numbers"),
        ("{ raises = [2, 2, 1] }", 3, "raises is not 3 whole numbers"),
        ("{ raises = [0, 2, 1] }", 3, "raises is not 3 whole numbers"),
        ("{ raise = [4, 2, 1] }", 3, 'did you mean "raises"'),
        ('{ river_tie = "raise" }', 3, "choose it with reading"),
        ("3", 3, "options: 3 is not a table"),
    ],
)
def test_raises_that_cannot_be_are_refused(option: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace("{ raises = [4, 2, 1] }", option))
    with pytest.raises(InputError, match=message) as refused:
        add_file(combin.rulebook.shipped(), str(path))
    assert [line_number(f.place) for f in refused.value.faults] == [line]


def test_options_of_other_wagers_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        '[[wager]]\nbased_on = "maryland/high-card-flush/straight-flush-bonus"\noptions = { ace = "high" }\n'
        '[wager.paytable.x]\n"three-card straight flush" = "1 to 1"\n'
    )
    with pytest.raises(InputError, match='"options" cannot be changed'):
        add_file(combin.rulebook.shipped(), str(path))


def test_every_threat_has_its_few_words() -> None:
    assert len(chase_play.THREATS) == len(simple.THREATS)
    assert np.all([len(words) for words in chase_play.THREATS])
