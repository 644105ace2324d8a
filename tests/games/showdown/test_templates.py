"""Every template: it is the game of its rules, and the values that others have published where they are quick."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest

import combin
from combin.analysis.model import Analysis
from combin.games.showdown import rules
from combin.games.showdown.hand_orders import named, order_named
from combin.games.showdown.round import Round
from combin.games.showdown.settlement import Settlement
from combin.userfiles.collected import collect
from combin.userfiles.templates import template, templates

from . import rounds


def analysed(name: str, *changes: tuple[str, str], folder: Path) -> Analysis:
    text = template(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text)
    book, (identifier,) = collect([str(path)])
    return combin.analyze(identifier, book=book)


def percent(value: object, digits: int) -> str:
    return f"{float(100 * Fraction(str(value))):.{digits}f}"


def test_every_template_is_a_file_that_is_read() -> None:
    assert templates() == (
        "caribbean-stud", "casino-holdem", "chase-the-flush", "crazy-4-poker", "four-card-poker", "let-it-ride",
        "mississippi-stud", "texas-holdem-bonus", "three-card-poker", "ultimate-texas-holdem",
        "ultimate-three-card-poker")
    paths = [str(files("combin") / "templates" / f"{name}.toml") for name in templates()]
    _, identifiers = collect(paths)
    assert identifiers == [f"house/{name}/base/A" for name in templates()]
    for name in templates():
        assert "as commonly dealt" in template(name).splitlines()[0]


def test_three_card_poker(tmp_path: Path) -> None:
    a = analysed("three-card-poker", folder=tmp_path)
    assert a.deals == 22100 * 18424
    assert percent(a.house_edge, 4) == "3.3730"
    assert round(float(a.standard_deviation), 4) == 1.6393
    assert [w.name for w in a.game.wagers] == ["ante", "play", "ante bonus"]
    assert sum(w.net for w in a.game.wagers) == a.game.expected_value
    # straight flush 48, three of a kind 52, straight 720 of 22,100; every one of them is played
    assert a.game.wagers[2].net == Fraction(48 * 5 + 52 * 4 + 720, 22100)


@pytest.mark.parametrize("pays", [("4 to 1", "3 to 1"), ("3 to 1", "2 to 1")])
def test_other_ante_bonuses(pays: tuple[str, str], tmp_path: Path) -> None:
    a = analysed("three-card-poker", ('"straight flush" = "5 to 1"', f'"straight flush" = "{pays[0]}"'),
                 ('"three of a kind" = "4 to 1"', f'"three of a kind" = "{pays[1]}"'), folder=tmp_path)
    # 48 straight flushes and 52 threes of a kind of 22,100 lose one unit for each unit less that they pay
    less = Fraction(int(pays[0][0]) - 5, 1) * 48 + Fraction(int(pays[1][0]) - 4, 1) * 52
    full = analysed("three-card-poker", folder=tmp_path)
    assert a.game.expected_value - full.game.expected_value == less / 22100


def test_three_card_poker_with_an_exposed_card(tmp_path: Path) -> None:
    a = analysed("three-card-poker", ('dealer = "dealer"', 'dealer = "dealer, upcard"'),
                 ('[[wager.round.street]]\ndeal = "player 3, dealer 3"',
                  '[[wager.round.street]]\ndeal = "player 3, dealer 2, upcard 1"'), folder=tmp_path)
    assert percent(a.house_edge, 4) == "-3.4829"


def test_ultimate_three_card_poker(tmp_path: Path) -> None:
    assert percent(analysed("ultimate-three-card-poker", folder=tmp_path).house_edge, 4) == "3.8807"


def test_let_it_ride_and_what_equal_choices_change(tmp_path: Path) -> None:
    a = analysed("let-it-ride", folder=tmp_path)
    rides = sum(share for name, share in a.game.choices.items() if name.startswith("let it ride"))
    assert percent(a.house_edge, 2) == "3.51"
    assert f"{float(rides):.8f}" == "0.07276018"
    assert (f"{float(a.game.average_wager):.2f}", percent(a.game.element_of_risk, 2)) == ("1.22", "2.86")
    more = analysed("let-it-ride", ('equal_choices = "least stake"   ', 'equal_choices = "greatest stake"'),
                    folder=tmp_path)
    assert more.returned == a.returned
    assert more.game.average_wager > a.game.average_wager


def test_mississippi_stud(tmp_path: Path) -> None:
    a = analysed("mississippi-stud", folder=tmp_path)
    assert percent(a.house_edge, 4) == "4.9149"
    assert (f"{float(a.game.average_wager):.2f}", percent(a.game.element_of_risk, 2)) == ("3.59", "1.37")


def test_mississippi_stud_where_a_straight_pays_five(tmp_path: Path) -> None:
    a = analysed("mississippi-stud", ('"straight" = "4 to 1"', '"straight" = "5 to 1"'), folder=tmp_path)
    assert percent(a.house_edge, 4) == "3.7591"


def game_of(round: Round) -> list[object]:
    """What is dealt before each choice and the choices, whatever their names and their order in the file."""
    cards: dict[str, int] = {}
    found: list[object] = []
    for street in round.streets:
        for role, number in street.deal:
            cards[role] = cards.get(role, 0) + number
        if street.choices:
            found.append((dict(cards), sorted((c.stake, c.then, c.needs or "") for c in street.choices)))
    hands = [hand and (hand.best or sum(cards[role] for role in hand.roles), hand.roles)
             for hand in (round.player, round.dealer)]
    return [*found, cards, hands, round.order, round.qualifies, round.ranks, round.equal_choices]


def paths(round: Round) -> list[tuple[tuple[Fraction, ...], int, int]]:
    """Each path: its stake on each street, its place among the leaves, and the least rank that is offered it."""
    deciding = [street.choices for street in round.streets if street.choices]
    found = []
    for place, leaf in enumerate(round.leaves):
        chosen = [choices[at] for choices, at in zip(deciding, leaf.path, strict=False)]
        needed = (named(round.order, choice.needs).low for choice in chosen if choice.needs)
        found.append((tuple(choice.stake for choice in chosen), place, max(needed, default=0)))
    return sorted(found)


def net_of(settlement: Settlement, leaf: int, qualifies: int, result: int, rank: int) -> Fraction:
    line = bisect_right(settlement.player_cuts, rank)
    return Fraction(int(settlement.utility[leaf][qualifies][result][line][0]), settlement.unit)


@pytest.mark.parametrize("name", templates())
def test_a_template_is_the_game_that_is_written_from_its_rules(name: str) -> None:
    """The other tests of the engine solve the games of `rounds`: what they show holds for the templates as well."""
    book, (identifier,) = collect([str(files("combin") / "templates" / f"{name}.toml")])
    found = rules.bets_of(book.resolve(identifier))
    round, settlement = getattr(rounds, name.replace("-4-", "-four-").replace("-", "_"))()
    assert game_of(found.round) == game_of(round)
    assert found.settlement.qualify == settlement.qualify
    _, states, results, _, dealers = found.settlement.utility.shape
    assert (states, results, dealers) == (*settlement.utility.shape[1:3], 1)
    least, highest = settlement.qualify or 0, len(order_named(round.order).keys)
    for mine, other in zip(paths(found.round), paths(round), strict=True):
        assert (mine[0], mine[2]) == (other[0], other[2])
        lines = {0, least, other[2], *found.settlement.player_cuts, *settlement.player_cuts}
        for qualifies, result, rank in product(range(states), range(results), sorted(lines)):
            if rank < other[2] or (results == 3 and result == 0 and rank == highest):
                continue  # the path is not offered; nobody loses with the highest hand
            if states == 2 and (result > 0 and rank < least if qualifies else result < 2 and rank >= least):
                continue  # hands on two sides of the least one with which the dealer qualifies
            cell = qualifies, result, rank
            assert net_of(found.settlement, mine[1], *cell) == net_of(settlement, other[1], *cell), (mine[0], cell)


@pytest.mark.slow
def test_four_card_poker(tmp_path: Path) -> None:
    assert percent(analysed("four-card-poker", folder=tmp_path).house_edge, 2) == "2.79"
