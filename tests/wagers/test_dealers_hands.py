"""Outcomes of drawn hands against a scalar settlement of every order of the dealer's ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from combin.deals.drawn_roles import VARIES
from combin.deals.table import Table
from combin.rulebook.book import shipped
from combin.verify.settle_literal import best_total, outcomes_of, totals
from combin.wagers import outcome_function
from combin.wagers.condition_tree import Node
from combin.wagers.conditions import parse
from combin.wagers.drawn_columns import DrawnColumns
from combin.wagers.literal import holds
from combin.wagers.vocabulary import WORDS
from combin.wagers.wager_outcomes import conditions_of, roles_of

FIRST_CARDS = (0, 1, 4, 7, 8, 12)  # 2, 3, 6, 9, 10 and ace begin every kind of hand
SMALL = (0, 1, 3, 8, 12)


def dealer_hands(hand: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Ordered draws to 17, of clubs alone. The number of cards left in the shoe does not matter here."""
    names = [("23456789TJQKA"[rank] + "c",) for rank in hand]
    cards = tuple(name[0] for name in names)
    if len(hand) > 1 and (min(totals(cards)) > 21 or best_total(cards) >= 17):
        yield hand
        return
    for rank in FIRST_CARDS if not hand else SMALL:
        yield from dealer_hands((*hand, rank))


HANDS = list(dealer_hands())
NAMES = [tuple("23456789TJQKA"[rank] + "c" for rank in hand) for hand in HANDS]
PLAYERS = ((12, 8), (11, 24), (7, 12), (0, 1), (4, 5, 7), (4, 5, 5))
TWENTIES = ((11, 24), (7, 12), (4, 5, 5))


def named(hand: tuple[int, ...]) -> tuple[str, ...]:
    return tuple("23456789TJQKA"[c % 13] + "cdhs"[c // 13] for c in hand)


def conditions(wager: str, **reading: str) -> Mapping[str, Node]:
    return conditions_of(shipped().resolve(f"maryland/blackjack/{wager}/A", reading).terms)


def settled(wager: str, player: tuple[int, ...] = (), **reading: str) -> list[set[str]]:
    """The outcomes of every dealer's hand, by columns; the plain evaluator must agree."""
    counts = np.zeros((len(HANDS), 13), dtype=np.int8)
    for row, hand in enumerate(HANDS):
        np.add.at(counts[row], list(hand), 1)
    columns = {"dealer.counts": counts}
    if player:
        for what, cards in (("rank", [c % 13 for c in player]), ("suit", [c // 13 for c in player])):
            columns[f"player.{what}"] = np.tile(np.array(cards, dtype=np.int8), (len(HANDS), 1))
    seen = DrawnColumns(columns, len(HANDS), {"player": ("player",)})
    known = conditions(wager, **{name.replace("_", "-"): choice for name, choice in reading.items()})
    masks = {outcome: seen.value(node) for outcome, node in known.items()}
    for row, names in enumerate(NAMES):
        deal = {"dealer": names, "player": named(player)}
        assert {o for o, node in known.items() if holds(node, deal)} == {o for o in masks if masks[o][row]}
    return [{outcome for outcome, mask in masks.items() if mask[row]} for row in range(len(HANDS))]


def test_hands_of_every_length_are_there() -> None:
    assert {len(hand) for hand in HANDS} >= set(range(2, 10))
    assert all(hand.size == VARIES for node in conditions("buster-blackjack").values()
               for hand in node.parts[0].right.hands)


@pytest.mark.parametrize("busted", ["counts", "does-not-count"])
def test_hit_and_run(busted: str) -> None:
    found = settled("hit-and-run-progressive", busted_dealer_hand=busted)
    for hand, outcomes in zip(HANDS, found, strict=True):
        literal = outcomes_of("dealer-cards", {"dealer": hand}, {"busted": busted})
        assert literal - {"two cards"} == outcomes, hand


def test_buster_blackjack() -> None:
    for hand, found in zip(HANDS, settled("buster-blackjack"), strict=True):
        assert outcomes_of("dealer-busts", {"dealer": hand}, {}) == found, hand


@pytest.mark.parametrize("player", [p for p in PLAYERS if len(p) == 2])
def test_the_free_bonus(player: tuple[int, ...]) -> None:
    for hand, found in zip(HANDS, settled("buster-blackjack-free-bonus", player), strict=True):
        assert outcomes_of("dealer-busts", {"player": player, "dealer": hand}, {}) == found, hand


@pytest.mark.parametrize("player", PLAYERS)
def test_bad_beat(player: tuple[int, ...]) -> None:
    totals_of = np.array([best_total(names) for names in NAMES])
    cards = np.where(totals_of == 21, [len(hand) for hand in HANDS], 0)
    columns = {"player_twenty": np.full(len(HANDS), int(player in TWENTIES)), "dealer_21_cards": cards}
    table = Table(columns, np.ones(len(HANDS), dtype=np.int64), len(HANDS), len(HANDS))
    masks = outcome_function("bad-beat")(table)
    for row, hand in enumerate(HANDS):
        found = {name for name, mask in masks.items() if mask[row]}
        assert outcomes_of("bad-beat", {"player": player, "dealer": hand}, {}) == found, hand


#: A condition with each word that looks at the ranks of a finished hand.
BY_RANKS = (
    'count(dealer, "A 3") == 2', "size(dealer) == 4", "ranks(dealer) >= 3", "same_rank(dealer)", "pair(dealer)",
    "most_of_a_rank(dealer) == 2", "two_pair(dealer)", "three_of_a_kind(dealer)", "four_of_a_kind(dealer)",
    "straight(dealer)", 'straight(dealer, ace="low")', "total(dealer) == 19", "hard_total(dealer) <= 17",
    "soft(dealer)", "blackjack(dealer)", "baccarat(dealer) == 3", 'highest(dealer) == "A"', 'lowest(dealer) <= "3"',
)  # fmt: skip


def test_each_word_on_ranks_means_the_same_of_counts_and_of_named_cards() -> None:
    counts = np.zeros((len(HANDS), 13), dtype=np.int8)
    for row, hand in enumerate(HANDS):
        np.add.at(counts[row], list(hand), 1)
    seen = DrawnColumns({"dealer.counts": counts}, len(HANDS), {})
    for text in BY_RANKS:
        node = parse(text, roles_of("dealer draws out"))
        found = seen.value(node).tolist()
        assert found == [holds(node, {"dealer": names}) for names in NAMES], text
        assert any(found) or text.startswith(("straight", "same_rank"))
    named = {text.partition("(")[0] for text in BY_RANKS}
    by_suit_or_card = {name for name, word in WORDS.items() if word.drawn != "with others"} | {"first_two", "matches"}
    assert named == WORDS.keys() - by_suit_or_card
