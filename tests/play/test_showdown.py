"""The play of games that a file describes: rules, charts with their exact cost, single positions."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest

import combin
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.deals.cards import cards
from combin.play.best_play import best_play
from combin.play.files import read_strategy
from combin.play.strategy import answer, compare, summarize
from combin.userfiles.collected import collect


def analysed(name: str) -> Analysis:
    book, (identifier,) = collect([str(files("combin") / "templates" / f"{name}.toml")])
    return combin.analyze(identifier, book=book)


def chart(folder: Path, *streets: dict[str, str], name: str = "mine") -> Path:
    path = folder / "chart.toml"
    lines = [f'game = "showdown"\nname = "{name}"']
    for street in streets:
        lines += ["[[street]]", *(f'"{choice}" = \'{condition}\'' for choice, condition in street.items())]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_published_rule_of_three_card_poker_is_found_and_costs_nothing(tmp_path: Path) -> None:
    a = analysed("three-card-poker")
    s = summarize(a)
    assert s.rule.lines == (("fold", "any hand"), ("play", "queen-six-four high or better"))
    assert s.rule.cost == 0
    played = read_strategy(chart(tmp_path, {"play": 'hand >= "queen-six-four high"', "fold": "True"}, name="Q-6-4"))
    best, mine = compare(a, [played]).strategies
    assert (mine.name, mine.cost, mine.returned) == ("Q-6-4", 0, best.returned)
    worse = read_strategy(chart(tmp_path, {"play": 'hand >= "queen-six-three high"', "fold": "True"}))
    assert compare(a, [worse]).strategies[1].cost > 0


def test_playing_every_hand_of_three_card_poker(tmp_path: Path) -> None:
    """Every hand is played: both hands are equal in law, so ante and play lose only what not qualifying changes."""
    a = analysed("three-card-poker")
    blind = compare(a, [read_strategy(chart(tmp_path, {"play": "True"}))]).strategies[1]
    assert blind.choices == {"fold": 0, "play": 1}
    # With no fold, a dealer who does not qualify turns 1 - 1 of ante and 1 - 1 of play into 1 and 0.
    joint = a.game.frequencies["dealer_qualifies"]
    bonus = Fraction(48 * 5 + 52 * 4 + 720, 22100)
    below = 1 - joint  # hands below queen high
    # Against qualifying dealers a player's hand below them always loses: won - lost = -(those) by symmetry.
    lost = _below_against_qualifying()
    assert blind.returned - 1 == below + bonus - 2 * lost
    assert blind.cost == a.returned - blind.returned


def _below_against_qualifying() -> Fraction:
    """The probability that the dealer qualifies and the player holds less than queen high, by counting ranks."""
    low = _hands_below_queen(range(52))
    both = 0
    for hand in combinations(range(52), 3):
        if _is_low(hand):
            left = [card for card in range(52) if card not in hand]
            both += 18424 - _hands_below_queen(left, quick=hand)
    assert low == 22100 - 22100 * Fraction(769, 1105)
    return Fraction(both, 22100 * 18424)


def _is_low(hand: tuple[int, ...]) -> bool:
    ranks = sorted(card % 13 for card in hand)
    return (len(set(ranks)) == 3 and ranks[2] < 10 and len({card // 13 for card in hand}) > 1
            and ranks[2] - ranks[0] > 2)


def _hands_below_queen(deck: object, quick: tuple[int, ...] = ()) -> int:
    """Three cards of ranks below the queen, of three ranks that are no straight, not of one suit."""
    if quick:
        return _low_without(tuple(sorted(quick)))
    return sum(_is_low(hand) for hand in combinations(list(deck), 3))  # type: ignore[call-overload]


def _low_without(out: tuple[int, ...]) -> int:
    """Low hands without three cards, by inclusion and exclusion over the cards that are out."""
    total = _COUNT[()]
    for size in (1, 2, 3):
        for some in combinations(out, size):
            total += (-1) ** size * _COUNT.get(some, 0)
    return total


def _containing() -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {(): 0}
    for hand in combinations(range(52), 3):
        if _is_low(hand):
            for size in range(4):
                for some in combinations(hand, size):
                    found[some] = found.get(some, 0) + 1
    return found


_COUNT = _containing()


@pytest.mark.slow
def test_any_pair_or_better_in_caribbean_stud(tmp_path: Path) -> None:
    a = analysed("caribbean-stud")
    played = read_strategy(chart(tmp_path, {"raise": 'hand >= "pair"', "fold": "True"}))
    mine = compare(a, [played]).strategies[1]
    assert (1 - mine.returned) * a.deals == 1_090_272_101_460


def test_the_value_of_one_hand_by_all_hands_of_the_dealer() -> None:
    a = analysed("three-card-poker")
    found = answer(a, "Qh 6d 4c")
    hand = cards("Qh 6d 4c")
    left = [card for card in range(52) if card not in hand]
    net = 0
    for dealer in combinations(left, 3):
        if _is_low(dealer):
            net += 1
        else:
            net += 2 * _compare(hand, dealer)
    assert found.values == {"fold": -1, "play": Fraction(net, 18424)}
    assert (found.best, found.hand) == ("play", "queen-six-four high")


def _compare(mine: tuple[int, ...], theirs: tuple[int, ...]) -> int:
    """Against a qualifying hand: only a queen-high hand is not better than queen-six-four by its kind."""
    ranks = sorted((card % 13 for card in theirs), reverse=True)
    plain = len(set(ranks)) == 3 and len({c // 13 for c in theirs}) > 1 and ranks[0] - ranks[2] > 2 and (
        ranks != [12, 1, 0])
    own = sorted((card % 13 for card in mine), reverse=True)
    return -1 if not plain or ranks > own else 1 if ranks < own else 0


@pytest.mark.parametrize(("streets", "said"), [
    (({"play": 'hand >= "queen high"'},), "applies to some hands"),
    (({"raise": "True"},), 'no choice has the name "raise"'),
    (({"play": "pair(board)", "fold": "True"},), 'no role is called "board"'),
    (({"play": 'hand >= "two pair"', "fold": "True"},), "not a hand of the order"),
    (({"play": "won", "fold": "True"},), "is not known"),
    (({"play": "True"}, {"play": "True"}), "has 2 [[street]] tables, but the game has 1"),
])
def test_a_faulty_chart_is_refused_in_one_line(streets: tuple[dict[str, str], ...], said: str, tmp_path: Path) -> None:
    a = analysed("three-card-poker")
    with pytest.raises(InputError) as refused:
        compare(a, [read_strategy(chart(tmp_path, *streets))])
    (fault,) = refused.value.faults
    assert said in str(fault)
    assert "chart.toml" in str(fault)


def test_a_chart_without_an_array_of_streets_says_how_to_write_one(tmp_path: Path) -> None:
    for streets, remedy in (("", "add [[street]]"), ('[street]\nplay = "True"\n', "write [[street]]")):
        (tmp_path / "chart.toml").write_text('game = "showdown"\n' + streets)
        with pytest.raises(InputError) as refused:
            compare(analysed("three-card-poker"), [read_strategy(tmp_path / "chart.toml")])
        assert refused.value.faults[0].remedy == remedy


def test_a_choice_that_a_hand_is_not_offered_is_refused(tmp_path: Path) -> None:
    a = analysed("ultimate-three-card-poker")
    with pytest.raises(InputError, match="not offered"):
        compare(a, [read_strategy(chart(tmp_path, {"play 3x": "True"}))])


def test_first_decisions_of_let_it_ride() -> None:
    s = summarize(analysed("let-it-ride"))
    first = {hands: shares for hands, _, shares in s.streets[0].rows}
    # The published rule: three of a kind, a pair of tens or better.
    assert first["three twos to aces"] == (0, 1)
    assert first["pair of tens to aces"] == (0, 1)
    assert first["pair of twos to nines"] == (1, 0)
    assert sum(positions for _, positions, _ in s.streets[0].rows) == 22100


def test_best_play_lists_every_class_of_positions_once() -> None:
    play = best_play(analysed("let-it-ride"))
    first = [row for row in play.rows if row[0] == "1"]
    assert len(first) == 1755
    assert sum(int(row[4]) for row in first) == 22100
    assert sum(int(row[4]) for row in play.rows if row[0] == "2" and row[5] == "pull back") == 22100 * 49
    assert best_play(analysed("three-card-poker")).rows == (
        ("fold", "any hand"), ("play", "queen-six-four high or better"))


def test_play_by_the_tables_of_let_it_ride_costs_what_their_few_exceptions_are_worth() -> None:
    a = analysed("let-it-ride")
    best, tabled = summarize(a).strategies
    assert tabled.name == "by what is in view"
    assert 0 < tabled.cost == best.returned - tabled.returned < Fraction(1, 200)


def test_the_rule_by_the_dealers_card_is_worth_what_its_chart_is() -> None:
    s = summarize(analysed("ultimate-three-card-poker"))
    _, tabled = s.strategies
    assert tabled.cost == s.rule.cost < Fraction(1, 50_000)
    assert len({line[0] for line in s.rule.lines}) == 13
