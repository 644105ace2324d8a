"""The effect of each house rule, and the dealer's table, against closed forms and a literal recursion."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

import combin
from combin.deals.cards import Shoe
from combin.games.blackjack.house_rules import of_word
from combin.games.blackjack.results import solved
from combin.games.blackjack.rules import HouseRules
from combin.games.blackjack.solve import deck_counts
from combin.play.blackjack_rules import changes, dealer_table, effects, rule_table
from combin.views import strategy as view

DECK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)


def ends(left: tuple[int, ...], hard: int, ace: bool, cards: int, hits: bool) -> dict[str, Fraction]:
    """What becomes of a dealer's hand, drawn card by card."""
    total = hard + 10 if ace and hard <= 11 else hard
    if cards == 2 and total == 21:
        return {"blackjack": Fraction(1)}
    if cards > 1 and (total > 17 or (total == 17 and not (hits and total != hard))):
        return {"bust" if total > 21 else str(total): Fraction(1)}
    found: dict[str, Fraction] = {}
    for c, n in enumerate(left):
        if n:
            after = (*left[:c], n - 1, *left[c + 1 :])
            for end, p in ends(after, hard + c + 1, ace or c == 0, cards + 1, hits).items():
                found[end] = found.get(end, Fraction(0)) + Fraction(n, sum(left)) * p
    return found


@pytest.mark.parametrize(("upcard", "hits"), [(10, False), (7, True)])
def test_the_dealers_table_is_that_of_every_draw(upcard: int, hits: bool) -> None:
    left = tuple(n - (c == upcard - 1) for c, n in enumerate(DECK))
    literal = ends(left, upcard, upcard == 1, 1, hits)
    row = next(r for r in dealer_table(Shoe(1), hits) if r.upcard == upcard)
    names = ("17", "18", "19", "20", "21", "blackjack", "bust")
    assert row.before == tuple(literal.get(name, Fraction(0)) for name in names)
    blackjack = Fraction(4, 51) if upcard == 10 else Fraction(0)
    assert row.before[5] == blackjack
    assert row.peeked == tuple(0 if n == "blackjack" else literal.get(n, 0) / (1 - blackjack) for n in names)


def test_the_row_of_any_upcard_is_the_average_of_all() -> None:
    rows = {r.upcard: r for r in dealer_table(Shoe(2), True)}
    for i in range(7):
        assert rows[0].before[i] == sum(Fraction(16 if u == 10 else 4, 52) * rows[u].before[i] for u in range(1, 11))


def test_other_odds_of_a_blackjack_move_the_return_by_its_probability() -> None:
    """6 to 5 takes 3/10 of a wager where the player has a blackjack and the dealer has none: 52-card closed form."""
    a = combin.analyze("maryland/blackjack/blackjack/3-to-2", decks=1)
    first = next(iter(islice(effects(a), 1)))
    mine = Fraction(4 * 16, 52 * 51 // 2)
    theirs = Fraction(3 * 15, 50 * 49 // 2)
    assert (first.abbreviation, first.change) == ("6:5", -Fraction(3, 10) * mine * (1 - theirs))


def test_every_rule_that_bears_on_the_game_is_changed_once() -> None:
    found = list(changes(HouseRules()))
    assert len({rules for _, _, rules in found}) == len(found)
    assert all(said for _, said, _ in found)
    short = [name for name, *_ in found if name]
    assert len(short) == len(set(short))
    assert {"H17", "NDAS", "RSA", "LS", "ES", "ES10", "ENHC", "D10", "DAC"} <= set(short)
    # Where nothing is doubled, no rule of doubles bears on the game.
    bearing = {rules.double for _, _, rules in changes(HouseRules(max_hands=1, double="none")) if rules.soft_doubles}
    assert {said for _, said, rules in changes(HouseRules(double="none")) if not rules.soft_doubles} == set()
    assert bearing == {"none", "any", "9-11", "10-11", "11"}


def test_a_game_without_a_hole_card_is_compared_with_both_other_rules() -> None:
    """Play cannot lose more than the first wager to a blackjack in either, so that they are the same game."""
    rows = {name: (said, rules) for name, said, rules in changes(HouseRules(hole_card="all-lost"))}
    assert {"PEEK", "OBO"} <= rows.keys()
    assert rows["OBO"][0] == "The dealer has no hole card; a blackjack takes only the first wager (OBO)."
    assert rows["OBO"][1] == HouseRules(hole_card="original-lost")
    assert not any("peek" in said.lower() for name, (said, _) in rows.items() if name != "PEEK")


def test_rules_for_which_a_shoe_is_too_small_are_left_out(tmp_path: Path) -> None:
    """4 aces, 4 nines, 8 tens: 120 pips, as 3 hands of up to 31 and a dealer's 27 need; a fourth hand needs more."""
    file = tmp_path / "small.toml"
    file.write_text("""
[[wager]]
id = "house/blackjack/small"
name = "Small"
game = "blackjack"
decks = [1]
shoe = { "2" = 0, "3" = 0, "4" = 0, "5" = 0, "6" = 0, "7" = 0, "8" = 0, "J" = 0, "Q" = 0 }
options = { max_hands = "1" }
[wager.paytable.main]
"blackjack" = "3 to 2"
"win" = "1 to 1"
""", encoding="utf-8")
    rows = {e.abbreviation for e in effects(combin.analyze(str(file)))}
    assert rows & {"SPL1", "SPL2", "SPL3", "SPL7"} == {"SPL1", "SPL2"}


#: Published effects that are not the exact ones, rounded.
OTHERS = ("charlie = 5", "max_hands = 2", "ties_lose = 17")


@pytest.mark.slow
def test_the_table_of_the_documentation_is_current_and_near_what_is_published() -> None:
    page = (Path(__file__).parents[2] / "docs/method/blackjack.md").read_text(encoding="utf-8")
    table = page.partition("| rule | effect, % | published |")[2].partition("\n\n")[0].replace("−", "-")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert len(rows) > 15
    base = solved(HouseRules(), deck_counts(8)).expected_value
    assert round(-100 * float(base), 4) == 0.4306
    for words, effect, published in rows:
        rules = HouseRules()
        for option, word in re.findall(r"`(\w+) = ([^`]+)`", words):
            rules = replace(rules, **of_word(option, word))
        exact = 100 * (solved(rules, deck_counts(8)).expected_value - base)
        assert f"{float(exact):.4f}" == effect
        near = min(abs(float(exact) - float(p)) for p in published.split(","))
        assert (near <= 0.0101) == (not words.strip("`").startswith(OTHERS)), words


@pytest.mark.slow
def test_the_table_is_printed_in_every_form() -> None:
    table = rule_table(combin.analyze("maryland/blackjack/blackjack/3-to-2", decks=8))
    # Published for eight decks, S17, to two digits.
    changed = {e.abbreviation: e.change for e in table.effects}
    for name, percent in {"6:5": "-1.36", "NDAS": "-0.14", "D9": "-0.09", "D10": "-0.19", "DAC": "0.23"}.items():
        assert round(100 * changed[name], 2) == Fraction(percent)
    record = json.loads(view.render([table], "json"))[0]
    assert record["effects"][0]["rule"] == "6:5"
    assert Fraction(record["dealer"][-1]["before_peek"]["bust"]["exact"]) == table.dealer[-1].before[6]
    assert view.render([table], "csv").splitlines()[1].startswith("6:5,A blackjack pays 6 to 5.,")
    assert "| 6:5" in view.render([table], "markdown")
