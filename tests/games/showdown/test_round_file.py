"""Games that a file describes: what is read of a file, and the one line that each fault has."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.games.showdown import rules
from combin.games.showdown.hand_orders import named
from combin.games.showdown.round import Choice, Hand, Street
from combin.rulebook.book import Rulebook
from combin.userfiles.collected import collect

TEMPLATES = files("combin") / "templates"


def text_of(name: str) -> str:
    return (TEMPLATES / f"{name}.toml").read_text()


def faults_of(text: str, folder: Path) -> list[str]:
    path = folder / "game.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        collect([str(path)])
    return [str(f).removeprefix(f"{path}:") for f in refused.value.faults]


def bets(text: str, folder: Path) -> rules.Bets:
    path = folder / "game.toml"
    path.write_text(text)
    book, (identifier,) = collect([str(path)])
    return rules.bets_of(book.resolve(identifier))


def test_a_round_is_read_as_the_file_writes_it(tmp_path: Path) -> None:
    round = bets(text_of("ultimate-three-card-poker"), tmp_path).round
    assert (round.order, round.qualifies, round.ranks) == ("three-card poker", "queen high", "23456789TJQKA")
    assert round.player == Hand(None, ("player",))
    assert round.dealer == Hand(None, ("dealer", "upcard"))
    assert round.stakes == (("ante", Fraction(1)), ("blind", Fraction(1)))
    assert round.streets == (Street((("player", 3), ("dealer", 2), ("upcard", 1)), (
        Choice("fold", (), "fold"),
        Choice("play 1x", (("play", Fraction(1)),), "showdown"),
        Choice("play 3x", (("play", Fraction(3)),), "showdown", "pair"),
    )),)
    assert [leaf.staked for leaf in round.leaves] == [2, 3, 5]


def test_the_paths_of_a_round_are_its_choices_on_every_street(tmp_path: Path) -> None:
    round = bets(text_of("ultimate-texas-holdem"), tmp_path).round
    assert [" / ".join(leaf.names) for leaf in round.leaves] == [
        "check / check / fold", "check / check / raise 1x", "check / raise 2x", "raise 3x", "raise 4x"]
    assert [leaf.staked for leaf in round.leaves] == [2, 3, 4, 5, 6]
    assert [leaf.folded for leaf in round.leaves] == [True, False, False, False, False]


@pytest.mark.parametrize(("cell", "net"), [
    # fold; then play: against no qualifying hand, lost, tied, won; the classes of three-card hands by the bonus
    ((0, 1, 0, 0), -1), ((0, 1, 0, 4), -1),
    ((1, 0, 0, 0), 1), ((1, 0, 2, 1), 1), ((1, 0, 2, 2), 1 + 1), ((1, 0, 2, 3), 1 + 4), ((1, 0, 2, 4), 1 + 5),
    ((1, 1, 0, 0), -2), ((1, 1, 0, 2), -2 + 1), ((1, 1, 1, 2), 1), ((1, 1, 2, 1), 2), ((1, 1, 2, 4), 2 + 5),
])
def test_three_card_poker_settles_as_its_rules_say(cell: tuple[int, ...], net: int, tmp_path: Path) -> None:
    found = bets(text_of("three-card-poker"), tmp_path)
    assert rules.rules_of(found).categories == (
        "less than queen high", "queen high to flush", "straight", "three of a kind", "straight flush")
    assert found.net_of_round[(*cell, 0)] == net


def test_a_bonus_is_no_stake(tmp_path: Path) -> None:
    found = bets(text_of("three-card-poker"), tmp_path)
    assert [(bet.name, bet.on) for bet in found.bets] == [("ante", ""), ("play", ""), ("ante bonus", "ante")]
    assert [leaf.staked for leaf in found.round.leaves] == [1, 2]


def test_a_folded_bonus_pays_only_where_a_line_says_folded(tmp_path: Path) -> None:
    text = text_of("three-card-poker")
    assert bets(text, tmp_path).net_of_round[0, 1, 0, 4, 0] == -1
    also = text.replace('hand >= "straight flush"', 'folded and hand >= "straight flush" or hand >= "straight flush"')
    assert bets(also, tmp_path).net_of_round[0, 1, 0, 4, 0] == 4


def test_inherited_bets_of_a_wager_that_is_based_on_another(tmp_path: Path) -> None:
    more = (
        '\n[[wager]]\nbased_on = "house/three-card-poker/base"\n[wager.paytable.house-1."ante bonus"]\n'
        '"straight flush" = "3 to 1"\n"three of a kind" = "2 to 1"\n"straight" = "1 to 1"\n'
    )
    path = tmp_path / "game.toml"
    path.write_text(text_of("three-card-poker") + more)
    book, identifiers = collect([str(path)])
    assert identifiers == ["house/three-card-poker/base/A", "house/three-card-poker/base/house-1"]
    found = rules.bets_of(book.resolve(identifiers[1]))
    assert [found.net_of_round[1, 1, 2, c, 0] for c in range(1, 5)] == [2, 3, 4, 5]


@pytest.mark.parametrize(("name", "old", "new", "line", "said"), [
    ("three-card-poker", 'order = "three-card poker"', 'order = "three card poker"', 11,
     'there is no order "three card poker"'),
    ("three-card-poker", 'qualifies = "queen high"', 'qualifies = "queen"', 14, '"queen" is not a hand of the order'),
    ("three-card-poker", 'qualifies = "queen high"', 'qualifies = "two pair"', 14, "is not a hand of the order"),
    ("three-card-poker", 'player = "player" ', 'player = "best 5 of player" ', 12, "compares 3 cards"),
    ("three-card-poker", 'dealer = "dealer"\n', 'dealer = "dealer, player"\n', 13, "not a hand of the dealer"),
    ("three-card-poker", "player 3, dealer 3\"\nchoices", "player 6, dealer 3\"\nchoices", 19, "6 cards of the player"),
    ("three-card-poker", "player 3, dealer 3\"\nchoices", "player 3, draw 3\"\nchoices", 20, '"draw" is not a role'),
    ("three-card-poker", 'play = "play 1"', 'play = "play one"', 21, '"play one" is not a stake on a bet'),
    ("three-card-poker", 'play = "play 1"', 'play = "raise 1"', 21, 'the bet "raise" has no outcomes'),
    ("three-card-poker", 'play = "play 1"', 'play = "raise 1"', 29, 'no bet has the name "play"'),
    ("three-card-poker", '"tie" = \'tied\'\n"win" = \'won\'\n[wager.outcome.play]',
     '"tie" = \'tied and\'\n"win" = \'won\'\n[wager.outcome.play]', 27, "is not a condition"),
    ("three-card-poker", "'not qualifies'\n\"tie\"", "'not qualfies'\n\"tie\"", 26, 'did you mean "qualifies"'),
    ("three-card-poker", "'not qualifies'\n\"tie\"", "'pair(player)'\n\"tie\"", 26, "no role is called"),
    ("three-card-poker", 'hand >= "straight flush"', 'hand >= "full house"', 35, "not a hand of the order"),
    ("three-card-poker", '"win" = "1 to 1"\n[wager.paytable.A.play]', "[wager.paytable.A.play]", 40,
     "no line of \"ante\" settles this case: play, dealer qualifies, win"),
    ("three-card-poker", '"tie" = "push"\n"win" = "1 to 1"\n[wager.paytable.A."',
     '"win" = "1 to 1"\n"tie" = "push"\n[wager.paytable.A."', 45, None),
    ("three-card-poker", '"three of a kind" = "4 to 1"\n"straight" = "1 to 1"\n',
     '"straight" = "1 to 1"\n"three of a kind" = "4 to 1"\n', 53, '"three of a kind" never applies'),
    ("three-card-poker", '"ante bonus"', '"ante: bonus"', 16, 'cannot be part of "ante: bonus"'),
    ("three-card-poker", '[wager.outcome.play]', '[wager.outcome.plays]', 29, 'no bet has the name "plays"'),
    ("three-card-poker", '"straight" = "1 to 1"\n', '"straight" = "lose"\n', 53, "a bonus has no stake to lose"),
    ("three-card-poker", '"straight" = "1 to 1"\n', '"straight" = "$5"\n', 53, "best play cannot be computed"),
    ("three-card-poker", "decks = [1]", "decks = [1, 2]", 7, "the game is dealt from a single deck"),
    ("three-card-poker", "decks = [1]", "decks = [1]\nwild = 1", 8, 'unknown key "wild"'),
    ("three-card-poker", 'stakes = { ante = 1 }', 'stakes = { ante = 1 }\nexchange = 2', 16,
     'unknown key "exchange"'),
    ("let-it-ride", '"royal flush" = \'hand', '"royal flush" = \'won and hand', 27, '"won" is not known'),
    ("let-it-ride", 'player = "player, board" ', 'qualifies = "pair"\nplayer = "player, board" ', 12,
     "no dealer to qualify"),
    ("ultimate-texas-holdem", '"raise 2x" = "play 2, showdown"',
     '"raise 2x" = { stake = "play 2, showdown", needs = "pair" }', 23, "before the player's hand is complete"),
    ("ultimate-texas-holdem", 'check = "next", "raise 2x"', 'check = "nxt", "raise 2x"', 23, "does not state where"),
    ("ultimate-texas-holdem", 'deal = "board 2"', 'deal = "board 2, river 1"', 25, '"river" is not a role'),
])  # fmt: skip
def test_each_fault_is_one_line_with_its_place(
    name: str, old: str, new: str, line: int, said: str | None, tmp_path: Path
) -> None:
    text = text_of(name)
    assert text.count(old) >= 1
    changed = text.replace(old, new, 1)
    if said is None:  # disjoint lines may stand in any order
        assert bets(changed, tmp_path)
        return
    found = faults_of(changed, tmp_path)
    assert any(said in fault and re.match(rf" line {line}\b", fault) for fault in found), found


def test_documents_are_read_like_files() -> None:
    head = (
        '[document]\nid = "d"\ntitle = "d"\nissuer = "x"\nversion = "1"\nprefix = "d/t"\nsha256 = ""\ndecks = [1]\n'
        "deck_range = [1, 1]\n"
    )
    text = text_of("three-card-poker").replace('id = "house/three-card-poker/base"', 'id = "base"').replace(
        "decks = [1]\n", "")
    book = Rulebook()
    book.add_document((head + text).encode(), "d.toml")
    assert book.ids() == ["d/t/base/A"]
    with pytest.raises(InputError, match="there is no order"):
        Rulebook().add_document((head + text.replace('"three-card poker"', '"baduk"')).encode(), "d.toml")


def test_a_round_that_would_take_too_long_is_refused_where_it_is_read(tmp_path: Path) -> None:
    text = text_of("caribbean-stud").replace('deal = "player 5, dealer 4, upcard 1"',
                                             'deal = "player 5, dealer 3, upcard 3"')
    text = text.replace('dealer = "dealer, upcard"', 'dealer = "best 5 of dealer, upcard"')
    (fault,) = faults_of(text, tmp_path)
    assert "billion steps" in fault
    assert " line 18, " in fault


def test_a_straight_flush_to_the_ace_is_the_royal_one_where_the_order_has_it() -> None:
    royal, king = named("five-card poker", "royal flush"), named("five-card poker", "straight flush king high")
    assert named("five-card poker", "straight flush ace high") == royal
    assert (king.low, king.high) == (royal.low - 1, royal.low)  # nothing lies between
    three = named("three-card poker", "straight flush")
    assert named("three-card poker", "straight flush ace high").high == three.high
