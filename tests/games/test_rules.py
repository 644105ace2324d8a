"""Pays, outcomes and figures of the base games, settled a second time cell by cell on tables made for it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from combin import analyze
from combin.base.errors import InputError
from combin.games.chase_the_flush import rules as chase_rules
from combin.games.high_card_flush import rules as high_rules
from combin.games.joint import Rules, covariance, figures, outcome_rows
from combin.games.registry import game_of
from combin.rulebook.book import Resolved, Rulebook
from combin.rulebook.pays import parse_pay
from combin.userfiles.collected import collect
from combin.verify import high_card_play

HCF, CTF = "maryland/high-card-flush/base/A", "maryland/chase-the-flush/base/A"
LOSE, TIE, WIN = range(3)


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return Rulebook.load()


def paying(resolved: Resolved, pays: dict[str, str]) -> Resolved:
    """The game with other lines."""
    return replace(resolved, lines=tuple((line, parse_pay(text)) for line, text in pays.items()))


# ---- pays


def test_any_odds_of_high_card_flush_are_settled_as_a_round_is(book: Rulebook) -> None:
    own = paying(book.resolve(HCF), {"ante": "3 to 2", "raise": "4 to 3"})
    rules = high_rules.rules_of(own)
    assert rules.choices == ("fold", "raise 1x", "raise 2x", "raise 3x")
    assert rules.staked == (1, 2, 3, 4)
    assert rules.initial == 1
    assert rules.net.shape == (4, 2, 3, 6)
    for choice, qualifies, result in product(range(4), (False, True), (LOSE, TIE, WIN)):
        expected = high_card_play.net_result(own, choice, qualifies, result)
        assert [*rules.net[choice, int(qualifies), result]] == [expected] * 6
    assert rules.unit == 6
    assert (rules.utility == rules.net * 6).all()
    assert {type(x) for x in rules.utility.flat} == {int}
    assert high_rules.game_of(own).open_choices == (2, 2, 2, 3, 4, 4)  # the fold and the raises of 1, 2 or 3 antes


def chase_round(choice: int, qualifies: int, result: int, bonus: Fraction) -> Fraction:
    """The result of a round: Ante 3 to 2, X-tra Bonus 1, All In 4 to 3 on a stake of 4, 2 or 1."""
    if choice == 3:
        return Fraction(-2)
    stake = (4, 2, 1)[choice]
    if result == TIE:
        return Fraction(0)
    if result == LOSE:
        return Fraction(-stake - 1) - (1 if qualifies else 0)
    return Fraction(4, 3) * stake + (Fraction(3, 2) if qualifies else 0) + bonus


def test_any_odds_of_chase_the_flush_are_settled_as_a_round_is(book: Rulebook) -> None:
    game = book.resolve(CTF)
    game = replace(game, terms=replace(game.terms, options={**game.options, "raises": (4, 2, 1)}))
    pays = {
        "ante": "3 to 2", "all in": "4 to 3", "seven-card flush": "100 to 1", "six-card flush": "25 to 2",
        "four-card flush": "1 to 5", "three-card flush": "1 to 1", "two-card flush": "1 to 7",
        "five-card flush": "push",
    }  # fmt: skip
    won = {7: Fraction(100), 6: Fraction(25, 2), 5: Fraction(0), 4: Fraction(1, 5), 3: Fraction(1), 2: Fraction(1, 7)}
    own = paying(game, pays)
    assert chase_rules.bonus_by_length(own) == won
    rules = chase_rules.rules_of(own)
    assert rules.choices == ("all in 4x", "all in 2x", "all in 1x", "fold")
    assert rules.staked == (6, 4, 3, 2)
    assert rules.initial == 2
    assert rules.net.shape == (4, 2, 3, 6)
    limited = chase_rules.rules_of(own, Fraction(20))
    for cell in np.ndindex(4, 2, 3, 6):
        expected = chase_round(*cell[:3], won[cell[3] + 2])
        assert rules.net[cell] == expected
        assert limited.net[cell] == min(expected, 20)
    assert rules.unit == 2 * 3 * 5 * 7
    assert (rules.utility == rules.net * 210).all()


@pytest.mark.parametrize("word", ["four", "five", "six", "seven"])
def test_what_is_less_than_a_length_pushes(book: Rulebook, word: str) -> None:
    line = f"less than a {word}-card flush"
    lines = {"ante": "1 to 1", "all in": "1 to 1", "seven-card flush": "9 to 1"}
    own = paying(book.resolve(CTF), {**lines, line: "push"})
    assert chase_rules.bonus_by_length(own) == {2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 9}
    with pytest.raises(InputError) as refused:
        chase_rules.bonus_by_length(paying(own, {**lines, line: "1 to 1"}))
    said = f'{CTF}: A: "{line}" pays "1 to 1"; write "push", or name the lengths one by one'
    assert str(refused.value) == said


def test_lines_that_a_game_may_list(book: Rulebook) -> None:
    def lines(resolved: Resolved) -> object:
        game = game_of(resolved)
        assert game is not None
        return game.lines(resolved)

    assert lines(book.resolve("maryland/blackjack/must-hit-progressive/A")) == ("random winner",)
    assert lines(book.resolve(HCF)) == ("ante", "raise")
    assert lines(book.resolve(CTF)) == (
        "ante", "all in", "seven-card flush", "six-card flush", "five-card flush", "four-card flush",
        "three-card flush", "two-card flush", "less than a four-card flush", "less than a five-card flush",
        "less than a six-card flush", "less than a seven-card flush",
    )  # fmt: skip


#: None of these is "to 1" with a number alone: dollars, an operator's odds, odds and dollars, "for 1".
NO_ODDS = ("$5", "bonus to 1", "1 to 1 + $5", "2 for 1")


@pytest.mark.parametrize("pay", NO_ODDS)
def test_a_pay_of_a_game_that_is_no_odds_is_refused(book: Rulebook, pay: str) -> None:
    with pytest.raises(InputError) as refused:
        high_rules.rules_of(paying(book.resolve(HCF), {"ante": pay, "raise": "1 to 1"}))
    assert str(refused.value) == f'{HCF}: A: "ante" pays "{pay}"; write odds: "1 to 1"'
    lines = {"ante": "1 to 1", "all in": "1 to 1", "four-card flush": pay}
    with pytest.raises(InputError) as refused:
        chase_rules.rules_of(paying(book.resolve(CTF), lines))
    assert str(refused.value) == f'{CTF}: A: "four-card flush" pays "{pay}"; write odds: "20 to 1"'


def test_a_line_too_few_or_too_many_is_named(book: Rulebook) -> None:
    for lines, said in (
        ({"ante": "1 to 1"}, 'the game has no line "raise"; add "raise" = "1 to 1"'),
        (
            {"ante": "1 to 1", "raise": "1 to 1", "rise": "1 to 1"},
            'the game has no line "rise"; did you mean "raise"?',
        ),
    ):
        with pytest.raises(InputError) as refused:
            high_rules.rules_of(paying(book.resolve(HCF), lines))
        assert str(refused.value) == f"{HCF}: A: {said}"


def test_paytables_of_one_game_are_solved_two_in_a_pass(book: Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table is solved once. A capped table is solved alone, another with the wager's next paytable.

    A file's paytable is solved with the next one of a file. Nothing solves the other reading of a tied river.
    """
    passes: list[list[Any]] = []

    class Solved(tuple[str, Any]):
        def on_tie(self, tie: str) -> tuple[str, Any]:
            return self if tie == self[0] else Solved((tie, self[1]))

    def solve(tables: list[Any], *, tie: str) -> list[Any]:
        passes.append(tables)
        return [Solved((tie, table.tolist())) for table in tables]

    monkeypatch.setattr(chase_rules, "_solutions", {})
    monkeypatch.setattr(chase_rules.solve, "solve", solve)
    games = [book.resolve(f"{CTF[:-1]}{letter}") for letter in "AB"]
    tables = [chase_rules.rules_of(game).utility.tolist() for game in games]
    assert [chase_rules.solved(book, game) for game in (*games, games[0])] == [
        ("fold", tables[0]), ("fold", tables[1]), ("fold", tables[0])
    ]  # fmt: skip
    assert chase_rules.solved(book, book.resolve(f"{CTF[:-1]}A", {"river-tie": "raise"})) == ("raise", tables[0])
    assert [len(one) for one in passes] == [2]
    limited = chase_rules.rules_of(games[0], Fraction(20)).utility.tolist()
    assert chase_rules.solved(book, games[0], Fraction(20)) == ("fold", limited)
    assert [len(one) for one in passes] == [2, 1]
    chase_rules._solutions.clear()
    own = replace(games[0], lines=(*games[0].lines[:2], ("six-card flush", parse_pay("9 to 1"))))
    assert chase_rules.solved(book, own) == ("fold", chase_rules.rules_of(own).utility.tolist())
    assert chase_rules.solved(book, games[1]) == ("fold", tables[1])
    assert [len(one) for one in passes] == [2, 1, 2]


def test_paytables_of_files_are_solved_two_in_a_pass(
    book: Rulebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passes: list[list[Any]] = []

    def solve(tables: list[Any], *, tie: str) -> list[Any]:
        passes.append([table.tolist() for table in tables])
        return [SimpleNamespace(on_tie=lambda tie, t=table: t) for table in passes[-1]]

    monkeypatch.setattr(chase_rules, "_solutions", {})
    monkeypatch.setattr(chase_rules.solve, "solve", solve)
    pays = {"house-1": "9 to 1", "house-2": "8 to 1", "house-3": "7 to 1"}
    file = tmp_path / "house.toml"
    file.write_text(f'[[wager]]\nbased_on = "{CTF[:-2]}"\n' + "".join(
        f'[wager.paytable.{name}]\n"ante" = "1 to 1"\n"all in" = "1 to 1"\n"six-card flush" = "{pay}"\n'
        for name, pay in pays.items()
    ))
    own, ids = collect([str(file)])
    games = [own.resolve(i) for i in ids]
    tables = [chase_rules.rules_of(game).utility.tolist() for game in games]
    assert [chase_rules.solved(own, game) for game in (games[1], games[0], games[2])] == [tables[n] for n in (1, 0, 2)]
    assert passes == [[tables[1], tables[2]], [tables[0], chase_rules.rules_of(book.resolve(CTF)).utility.tolist()]]


# ---- outcomes and figures

NET = {
    ("raise", 0, LOSE): 1, ("raise", 0, TIE): 1, ("raise", 0, WIN): 1,
    ("raise", 1, LOSE): -2, ("raise", 1, TIE): 0, ("raise", 1, WIN): Fraction(5, 2),
    **{("fold", q, r): -1 for q in (0, 1) for r in (LOSE, TIE, WIN)},
}  # fmt: skip
CHOICES = ("raise", "fold")


@pytest.fixture
def game() -> tuple[Rules, Any]:
    """Rules of two choices with a number of deals for each cell. A won raise pays by the length of the flush."""
    net, joint = np.zeros((2, 2, 3, 6), dtype=object), np.zeros((2, 2, 3, 6), dtype=object)
    for number, (c, q, r, n) in enumerate(np.ndindex(2, 2, 3, 6)):
        net[c, q, r, n] = Fraction(NET[CHOICES[c], q, r]) + (n if (c, q, r) == (0, 1, WIN) else 0)
        joint[c, q, r, n] = number % 7 * (number + 3)
    return Rules(CHOICES, net, (2, 1), 1), joint


def test_outcomes_are_the_cells_that_occur_the_best_first(game: tuple[Rules, Any]) -> None:
    rules, joint = game
    deals = int(joint.sum())
    expected = []
    words = ("seven", "six", "five", "four", "three", "two")
    for choice, said, result, word in product(
        CHOICES, ("dealer qualifies", "dealer does not qualify"), ("win", "tie", "lose"), words
    ):
        q, r, n = int(said == "dealer qualifies"), ("lose", "tie", "win").index(result), 5 - words.index(word)
        c = CHOICES.index(choice)
        number = 36 * c + 18 * q + 6 * r + n
        net = NET[choice, q, r] + (n if (choice, q, result) == ("raise", 1, "win") else 0)
        count = number % 7 * (number + 3)
        pay = "push" if net == 0 else f"wins {net}" if net > 0 else f"loses {-net}"
        if count:
            name = f"{choice}, {said}, {result}, {word}-card flush"
            expected.append((name, pay, count, Fraction(count, deals), 1 + net))
    found = outcome_rows(rules, joint, deals)
    assert [(o.outcome, o.pays, o.combinations, o.probability, o.returned) for o in found] == expected
    assert sum(o.probability for o in found) == 1


def test_figures_are_sums_over_the_cells(game: tuple[Rules, Any]) -> None:
    rules, joint = game
    deals = int(joint.sum())
    share = {cell: Fraction(int(joint[cell]), deals) for cell in np.ndindex(*joint.shape)}
    found = figures(rules, joint, deals, {"hands": 3}, None, lambda boxes, rounds, seed: None)
    expected = sum(p * rules.net[cell] for cell, p in share.items())
    wager = sum(p * (1 if cell[0] else 2) for cell, p in share.items())
    assert found.figures() == {
        "expected_value": expected,
        "average_wager": wager,
        "element_of_risk": -expected / wager,
        "house_edge_per_initial_units": -expected,
        "win_frequency": sum(p for cell, p in share.items() if rules.net[cell] > 0),
        "push_frequency": sum(p for cell, p in share.items() if rules.net[cell] == 0),
        "loss_frequency": sum(p for cell, p in share.items() if rules.net[cell] < 0),
        "dealer_qualifies": sum(p for cell, p in share.items() if cell[1]),
        "chooses_raise": sum(p for cell, p in share.items() if not cell[0]),
        "chooses_fold": sum(p for cell, p in share.items() if cell[0]),
    }
    assert found.ties == {"hands": 3}
    assert replace(found, initial_units=2).house_edge_per_initial_units == -expected / 2


@pytest.mark.slow
def test_what_a_base_game_is_counted_on() -> None:
    a = analyze(HCF)
    assert (a.deals, a.classes) == (133_784_560 * 45_379_620, 6_009_159)
    chase = analyze(CTF)
    assert (chase.deals, chase.classes) == (22_100 * 1_176 * 1_081 * 14_190, 1_755)
    with pytest.raises(InputError) as refused:
        analyze(HCF, without="As")
    assert str(refused.value) == "without: a base game is solved for one full deck; omit without"


def test_the_covariance_of_spots_by_hand() -> None:
    """Nets of -1 and 2 around a mean of 1/2, two spots: products of 9/4, -9/4 and 9/4."""
    rules: Any = SimpleNamespace(unit=2, utility=np.array([-2, 4], dtype=object))
    found = covariance(rules, Fraction(1, 2), np.array([[0, 0], [0, 1], [1, 1]]))
    assert (found.value, found.error) == (Fraction(3, 4), Fraction(3, 2))
