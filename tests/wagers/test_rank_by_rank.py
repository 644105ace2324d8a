"""Hands counted rank by rank, against every hand of a small shoe settled from the names of its cards."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from combin.deals.burnside import burnside_classes
from combin.deals.cards import Shoe, name
from combin.userfiles.catalogue import analyze_all
from combin.wagers.conditions import parse
from combin.wagers.literal import holds
from combin.wagers.rank_by_rank import WORDS, states_of
from combin.wagers.wager_outcomes import DealtConditions, met_name, seen_deal

from ..shared import wager_file

CONDITIONS = (  # with the least number of cards
    ("suited(player) or same_rank(player)", 2),
    ('count(player, "red") == 2 and pair(player)', 2),
    ("same_colour(player) and not two_pair(player)", 4),
    ("most_of_a_suit(player) >= 3 or four_of_a_kind(player)", 4),
    ('count(player, "A K") + count(player, "7h") >= 2', 2),
    ("three_of_a_kind(player) and ranks(player) == 2", 3),
    ("most_of_a_rank(player) == suits(player)", 2),
    ("total(player) == 21 or soft(player) and hard_total(player) < 9", 2),
    ("baccarat(player) == 7 and longest_flush(player) < size(player)", 2),
    ("total(player) >= 28 or total(player) == 12", 2),
)
#: Aces, kings, sevens, threes; with the queen of hearts twice in a shoe of two decks less many cards.
KEPT = {rank + 13 * suit for rank in (12, 11, 5, 1) for suit in range(4)} - {5}


@pytest.mark.parametrize(("size", "decks"), [(2, 2), (3, 2), (4, 1), (5, 1)])
def test_every_hand_of_a_small_shoe(size: int, decks: int) -> None:
    without = tuple(card for card in range(52) if card not in KEPT for _ in range(decks))
    shoe = Shoe(decks, without)
    texts = [text for text, least in CONDITIONS if least <= size] + ["blackjack(player)"] * (size == 2)
    conditions = tuple(parse(text, {"player": size}, {}, {}) for text in texts)
    assert states_of(conditions, size, shoe) is not None
    found = DealtConditions(conditions, (("player", ("player",)),)).tally(size, shoe)
    assert found is not None
    columns, deals = found
    rows = zip(*(columns[met_name(node)].tolist() for node in conditions), strict=True)
    cards = [name(card) for card in sorted(KEPT) for _ in range(decks)]
    literal = Counter(tuple(bool(holds(node, {"player": hand})) for node in conditions)
                      for hand in combinations(cards, size))
    assert dict(zip(rows, deals.tolist(), strict=True)) == literal


def test_words_that_do_not_add_up_are_left_to_the_classes() -> None:
    for text in ("straight(player)", 'poker(player) >= "pair"', 'highest(player) == "A"',
                 "longest_straight_flush(player) > 2"):
        assert states_of((parse(text, {"player": 5}, {}, {}),), 5, Shoe(1)) is None
    assert set(WORDS) >= {"count", "suited", "pair", "total"}


WAGER = wager_file("player 7", {
    "suited": ("suited(cards)", "4 to 1"), "all red": ('count(cards, "red") == size(cards)', "1 to 1"),
})


def test_a_wager_on_seven_cards(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "seven.toml"
    path.write_text(WAGER, encoding="utf-8")
    [a] = analyze_all(str(path))
    suited = 4 * comb(13, 7)
    assert a.combinations == {"suited": suited, "all red": comb(26, 7) - suited // 2,
                              "loss": comb(52, 7) - comb(26, 7) - suited // 2}
    assert a.classes == burnside_classes(seen_deal(a.resolved).classes(Shoe(1)))
