"""Odds of their own for blackjacks of one suit, against counts of named cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

import combin
from combin.base.errors import InputError
from combin.deals.cards import Shoe, card, cards
from combin.games.blackjack.suited import suited_share

FILE = """
[[wager]]
id = "house/blackjack/suited"
name = "Suited"
game = "blackjack"
decks = [1]
options = { surrender = "none", max_hands = "1" }
[wager.paytable.main]
"blackjack" = "3 to 2"
"suited blackjack" = "2 to 1"
"win" = "1 to 1"
[wager.paytable.plain]
"blackjack" = "3 to 2"
"win" = "1 to 1"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "suited.toml"
    file.write_text(FILE, encoding="utf-8")
    return file


@pytest.mark.parametrize(("gone", "share"), [
    ("", Fraction(1, 4)), ("Ah Kh", Fraction(12, 45)), ("Ah As", Fraction(1, 4)), ("Ts Js Qs", Fraction(1, 4)),
])
def test_the_share_of_suited_pairs_is_that_of_named_cards(gone: str, share: Fraction) -> None:
    left = [c for c in range(52) if c not in cards(gone)]
    pairs = [(a, b) for a, b in permutations(left, 2) if a % 13 == 12 and b % 13 in range(8, 12)]
    literal = Fraction(sum(a // 13 == b // 13 for a, b in pairs), len(pairs))
    assert suited_share(Shoe(1, cards(gone))) == literal == share


def test_a_suited_blackjack_adds_half_a_wager_to_a_quarter_of_the_blackjacks(path: Path) -> None:
    main, plain = combin.analyze_all(str(path), decks=1)
    mine = Fraction(4 * 16, 52 * 51 // 2)
    theirs = Fraction(3 * 15, 50 * 49 // 2)
    assert main.returned - plain.returned == Fraction(1, 2) * Fraction(1, 4) * mine * (1 - theirs)
    rows = {o.outcome: o.probability for o in main.outcomes}
    assert rows["suited blackjack"] == Fraction(1, 4) * mine * (1 - theirs)
    assert 3 * rows["suited blackjack"] == rows["blackjack"]


def test_the_effect_of_a_card_is_by_suit_where_the_suits_of_the_shoe_differ(path: Path) -> None:
    resolved = combin.analyze_all(str(path), decks=1)[0].resolved
    whole = combin.games.blackjack.GAME.alike(resolved, Shoe(1))
    part = combin.games.blackjack.GAME.alike(resolved, Shoe(1, (card("Ah"),)))
    assert whole[card("Kd")] == whole[card("Ks")]
    assert part[card("Kh")] != part[card("Ks")]


def test_side_bets_are_not_joined_with_it(path: Path) -> None:
    main, _ = combin.analyze_all(str(path), decks=1)
    from combin.play.blackjack_seat import seat

    with pytest.raises(InputError, match="separate odds for suited blackjacks"):
        seat(main, ["maryland/blackjack/in-between/A"])
