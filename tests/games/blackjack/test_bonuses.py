"""Bonuses on 21s of certain cards, against named cards, recursion and rounds dealt card by card."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import combin
from combin.analysis.removal import effects
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.deals.cards import Shoe, card, cards, deck_of
from combin.deals.dealer_draws import value_counts
from combin.games.blackjack import results
from combin.games.blackjack.bonuses import bonuses_of, pays_of
from combin.games.blackjack.house_rules import in_words
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import Solver, solve
from combin.games.blackjack.strategies import best_chart
from combin.play.blackjack_rules import changes
from combin.verify import verify
from combin.verify.blackjack import plain

from .test_results import held

ODDS = {
    "6-7-8": Fraction(3, 2), "suited 6-7-8": Fraction(2), "6-7-8 of spades": Fraction(3),
    "7-7-7": Fraction(3, 2), "suited 7-7-7": Fraction(2), "7-7-7 of spades": Fraction(3),
    "five-card 21": Fraction(3, 2), "six-card 21": Fraction(2), "seven-card 21": Fraction(3),
}
SUITED = {"suited 6-7-8": Fraction(4), "suited 7-7-7": Fraction(11, 5)}
#: Sixes, sevens, eights and a few aces and tens of two decks, of unequal suits: most pairs are split, and much is paid.
GONE = tuple(c for c in range(52) for _ in range(2) if c % 13 not in (4, 5, 6, 12, 8)) + cards("6s 7s 7s 7h 8c As Ts")
SMALL = Shoe(2, GONE)


@pytest.mark.parametrize("gone", ["", "7s 8d", "6c 6d 6h"])
def test_the_pays_by_suit_are_those_of_named_cards(gone: str) -> None:
    shoe = Shoe(1, cards(gone))
    seven, run = sorted(bonuses_of(ODDS, shoe)[:2], key=lambda bonus: len(set(bonus.cards)))
    left = [c for c in range(52) if shoe.copies[c]]
    for bonus, ranks in ((seven, [5, 5, 5]), (run, [4, 5, 6])):
        held = [h for h in combinations(left, 3) if sorted(c % 13 for c in h) == ranks]
        suits = [{c // 13 for c in h} for h in held]
        spades, suited = sum(s == {3} for s in suits), sum(len(s) == 1 for s in suits)
        wanted = {"spades": spades, "suited": suited - spades, "any": len(held) - suited}
        assert [share for *_, share in bonus.shares] == [Fraction(wanted[kind], len(held)) for *_, kind in bonus.pays]


def test_two_hands_of_one_suit_are_fewer_where_the_first_took_its_cards() -> None:
    """Two hands of three sevens from eight: seven of a suit are no more than two."""
    shoe = Shoe(2)
    seven = bonuses_of({"suited 7-7-7": Fraction(2)}, shoe)
    assert pays_of(seven[0]) == {(-1,): 1}
    six, = bonuses_of({"suited 6-7-8": Fraction(2)}, shoe)
    both = pays_of(six, six)[0, 0]
    # The same suit: each card again one of one left of seven; another suit: two of seven.
    assert both == Fraction(1, 16) * (Fraction(1, 7**3) + 3 * Fraction(2**3, 7**3))


@pytest.mark.parametrize("rules", [
    HouseRules(bonuses=bonuses_of(ODDS, SMALL), max_hands=3, ties_won=21),
    HouseRules(bonuses=bonuses_of(SUITED, SMALL), max_hands=3, double="none", ties_lost=18, ties_won=22),
    HouseRules(bonuses=bonuses_of(SUITED, SMALL), max_hands=3, hole_card="all-lost", double_cards="any", push_22=True),
], ids=["Spanish 21's pays", "of one suit only", "no peek"])
def test_rounds_dealt_card_by_card_are_paid_bonuses(rules: HouseRules) -> None:
    solution = solve(rules, value_counts(SMALL))
    held(solution, 1_000_000)
    for first, second, upcard in ((6, 6, 7), (5, 6, 9), (5, 7, 6)):
        again = plain(rules, solution.counts, first, second, upcard)
        cell = next(c for (u, _), c in solution.cells.items() if u == upcard and c.hand == _place(first, second))
        assert cell.worth(1) * Fraction(cell.alive, cell.scale) == again["hit"]


def test_a_doubled_hand_is_paid_no_bonus() -> None:
    """Who doubles 13 and 14 makes 21 of three cards with two stakes."""
    solver = Solver(HouseRules(bonuses=bonuses_of(ODDS, SMALL), max_hands=3), value_counts(SMALL))
    best = best_chart(solver, solver.solve())
    doubled = ("D",) * 10
    chart = replace(best, hard=(*best.hard[: 13 - 4], doubled, doubled, *best.hard[15 - 4 :]))
    held(chart.valued(solver), 200_000)


@pytest.mark.parametrize("line", ["6-7-8", "7-7-7"])
def test_suits_that_are_paid_alike_change_no_figure(line: str) -> None:
    """The suits of two hands of a split then cancel; with cards of one suit only the suited pay counts."""
    two, three = Fraction(2), Fraction(3)
    alike = {line: two, f"suited {line}": two, f"{line} of spades": two}
    spades = Shoe(8, tuple(c for c in range(52) for _ in range(8) if c % 13 not in (4, 5, 6, 8) or c < 39))
    variances = []
    games = ({line: two}, SMALL), (alike, SMALL), ({line: three}, spades), ({f"suited {line}": three}, spades)
    for pays, shoe in games:
        solution = solve(HouseRules(bonuses=bonuses_of(pays, shoe), max_hands=3), value_counts(shoe))
        variances.append(results.variance(solution, results.law(solution)))
    assert variances[0] == variances[1] != variances[2] == variances[3]


def _place(first: int, second: int) -> int:
    from combin.games.blackjack.hands import player_hands

    return player_hands().two(first, second)


def test_a_blackjack_that_wins_a_tie_is_worth_its_odds() -> None:
    counts = value_counts(Shoe(1))
    base, won = (solve(HouseRules(max_hands=1, ties_won=n), counts).expected_value for n in (23, 22))
    both = Fraction(4 * 16, 52 * 51 // 2) * Fraction(3 * 15, 50 * 49 // 2)
    assert won - base == Fraction(3, 2) * both


def test_bonuses_are_said_in_words() -> None:
    odds = {**SUITED, "five-card 21": Fraction(3, 2), "eight-card 21": Fraction(5)}
    said = in_words(HouseRules(bonuses=bonuses_of(odds, Shoe(6))))
    assert said[-4:-1] == (
        "A suited 6-7-8 pays 4 to 1 at once; others are a plain 21; not after a double.",
        "A suited 7-7-7 pays 11 to 5 at once; others are a plain 21; not after a double.",
        "A five-card 21 pays 3 to 2 at once; not after a double.",
    )
    assert said[-1] == "An eight-card 21 or longer pays 5 to 1 at once; not after a double."


def test_each_bonus_is_a_row_of_the_table_of_rules() -> None:
    rules = HouseRules(bonuses=bonuses_of(ODDS, Shoe(1)), max_hands=1)
    without = {said: other for _, said, other in changes(rules) if said.startswith("No bonus on")}
    assert list(without) == [f'No bonus on "{line}".' for line in (
        "6-7-8", "7-7-7", "five-card 21", "six-card 21", "seven-card 21")]
    assert all(len(other.bonuses) == len(rules.bonuses) - 1 for other in without.values())


FILE = """
[[wager]]
id = "house/blackjack/sevens"
name = "Sevens"
game = "blackjack"
decks = [1]
options = { surrender = "none", max_hands = "1" }
[wager.paytable.main]
"blackjack" = "3 to 2"
"win" = "1 to 1"
"7-7-7" = "3 to 1"
"""


@pytest.mark.slow
def test_the_effect_of_a_card_is_by_suit_where_a_bonus_sees_it(tmp_path: Path) -> None:
    file = tmp_path / "sevens.toml"
    file.write_text(FILE.replace('"7-7-7" =', '"6-7-8 of spades" ='), encoding="utf-8")
    found = {e.card: e for e in effects(combin.analyze(str(file)))}
    six, other = found[card("6s")].fixed, found[card("6h")].fixed
    assert six is not None
    assert other is not None
    assert six < other
    assert found[card("5s")] == replace(found[card("5h")], card=card("5s"))


#: Rules of Spanish 21 but for its super bonus and the rescue of doubles.
SPANISH = HouseRules(
    bonuses=bonuses_of(ODDS, Shoe(6, (), deck_of({"T": 0}))), ties_won=21, double_cards="any", resplit_aces=True,
    split_aces="may-draw", surrender="late",
)


@pytest.mark.slow
def test_the_rules_of_spanish_21_cost_what_is_published() -> None:
    """Published with the rescue and for play that sees suits: house edges of 0.37 % and 0.78 % (six decks).

    No surrender costs 0.018 % if the dealer hits soft 17, no draws to split aces 0.28 %.
    """
    def edge(**changes: Any) -> float:
        rules = replace(SPANISH, **changes)
        return -100 * float(solve(rules, value_counts(Shoe(6, (), deck_of({"T": 0})))).expected_value)

    stands, hits = edge(), edge(hits_soft_17=True)
    assert 0.37 < stands < 0.37 + 0.04
    assert 0.78 < hits < 0.78 + 0.04
    assert round(edge(hits_soft_17=True, surrender="none") - hits, 3) == 0.018
    assert round(edge(split_aces="one-card") - stands, 2) == 0.28


def test_a_shoe_without_a_rank_is_one_from_which_it_was_taken(tmp_path: Path) -> None:
    file = tmp_path / "sevens.toml"
    file.write_text(FILE, encoding="utf-8")
    other = tmp_path / "spanish.toml"
    other.write_text(FILE.replace("decks = [1]", 'decks = [1]\nshoe = { "T" = 0 }'), encoding="utf-8")
    taken, without = combin.analyze(str(file), without="Tc Td Th Ts"), combin.analyze(str(other))
    assert taken.returned == without.returned
    assert without.shoe.size == 48
    assert verify(without).state == "verified"
    with pytest.raises(InputError, match="the shoe has none"):
        combin.analyze(str(other), without="Ts")


@pytest.mark.parametrize(("written", "what"), [
    ('shoe = { "X" = 0 }', '"X" is not a rank'),
    ('shoe = { "T" = 2 }', 'a deck with 2 cards of the rank "T"'),
    ('shoe = { "T" = "0" }', "is not a whole number"),
    ('shoe = { "A" = 0 }', "the game blackjack needs a card of the rank A in each deck; give 4"),
    ('shoe = { "T" = 0, "J" = 0, "Q" = 0, "K" = 0 }', "needs a card of the rank T or J or Q or K in each deck"),
])
def test_a_faulty_deck_is_refused_at_its_line(tmp_path: Path, written: str, what: str) -> None:
    file = tmp_path / "spanish.toml"
    file.write_text(FILE.replace("decks = [1]", f"decks = [1]\n{written}"), encoding="utf-8")
    with pytest.raises(InputError, match=what) as error:
        combin.analyze(str(file))
    assert "line 7" in str(error.value) or ":7" in str(error.value)


@pytest.mark.parametrize(("odds", "what"), [(10**6, "for an exact variance"), (10**14, "for exact figures")])
def test_a_bonus_too_high_for_the_sums_is_bad_input(odds: int, what: str, tmp_path: Path) -> None:
    file = tmp_path / "high.toml"
    text = FILE.replace(', max_hands = "1"', "").replace('"7-7-7" = "3 to 1"', f'"6-7-8" = "{odds} to 1"')
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=what):
        _ = combin.analyze(str(file)).variance


def test_nothing_is_printed_of_an_analysis_with_a_figure_that_cannot_be_computed(tmp_path: Path) -> None:
    file = tmp_path / "high.toml"
    text = FILE.replace(', max_hands = "1"', "").replace('"7-7-7" = "3 to 1"', f'"6-7-8" = "{10**6} to 1"')
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["analyze", str(file)])
    assert (done.stdout, type(done.exception)) == ("", InputError)


def test_a_bonus_whose_rank_no_deck_has_is_refused_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "sevens.toml"
    file.write_text(FILE.replace("decks = [1]", 'decks = [1]\nshoe = { "7" = 0 }'), encoding="utf-8")
    with pytest.raises(InputError, match=r'line 12.*"7-7-7" cannot happen: a deck has no 7; leave the line out'):
        combin.analyze(str(file))


def test_a_shoe_that_the_file_makes_too_small_is_refused_in_the_file(tmp_path: Path) -> None:
    """Four hands of up to 31 pips and a dealer's 26: more than the 4 + 40 + 40 pips of four aces, tens and kings."""
    file = tmp_path / "small.toml"
    ranks = ", ".join(f'"{rank}" = 0' for rank in "23456789JQ")
    text = FILE.replace(', max_hands = "1"', "").replace('"7-7-7" = "3 to 1"', "")
    file.write_text(text.replace("decks = [1]", f"decks = [1]\nshoe = {{ {ranks} }}"), encoding="utf-8")
    with pytest.raises(InputError, match=r"small.toml: line 9.*a shoe of 12 card\(s\), by its decks and \"shoe\","):
        combin.analyze(str(file))
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"^without: a shoe of 12 card"):
        combin.analyze(str(file), without=[k for k in range(52) if k % 13 not in (8, 11, 12)])


def test_a_deck_of_other_cards_is_for_blackjack_alone(tmp_path: Path) -> None:
    file = tmp_path / "pairs.toml"
    file.write_text("""
[[wager]]
id = "house/blackjack/pairs"
name = "Pairs"
deal = "player 2"
shoe = { "T" = 0 }
[wager.outcome]
"pair" = "pair(player)"
[wager.paytable.A]
"pair" = "11 to 1"
""", encoding="utf-8")
    with pytest.raises(InputError, match="a shoe by ranks applies only to the game blackjack"):
        combin.analyze(str(file), decks=6)


def test_a_bonus_is_an_outcome_and_a_side_bet_is_not_joined(tmp_path: Path) -> None:
    file = tmp_path / "sevens.toml"
    file.write_text(FILE, encoding="utf-8")
    a = combin.analyze(str(file))
    rows = {o.outcome: o.probability for o in a.outcomes}
    # A pair of sevens is hit against every upcard of which a deck has four.
    assert 0 < rows["7-7-7"] <= Fraction(4 * 3 * 2, 52 * 51 * 50)
    from combin.play.blackjack_seat import seat

    with pytest.raises(InputError, match="separate odds for 21s of certain cards"):
        seat(a, ["maryland/blackjack/in-between/A"])


def test_a_bonus_is_named_by_its_hands_whatever_their_suits() -> None:
    odds = dict.fromkeys(("7-7-7 of spades", "suited 6-7-8", "six-card 21"), Fraction(3))
    assert [(b.name, b.cards, b.least) for b in bonuses_of(odds, Shoe(6))] == [
        ("6-7-8", (5, 6, 7), 3), ("7-7-7", (6, 6, 6), 3), ("six-card 21", (), 6)]
