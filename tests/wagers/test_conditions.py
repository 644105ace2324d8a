"""Conditions: parsing and refusals, the two evaluators, and the computed lenses."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin.deals.cards import card, permute
from combin.deals.drawn_roles import VARIES
from combin.wagers import wager_outcomes
from combin.wagers.columns import Columns, decided, longest_runs
from combin.wagers.condition_text import ConditionError
from combin.wagers.condition_tree import Node
from combin.wagers.conditions import parse
from combin.wagers.literal import holds
from combin.wagers.sight import group_of, seats_of, sight_of
from combin.wagers.vocabulary import WORDS

from .. import generated

TWO_AND_ONE = {"player": 2, "upcard": 1}


def roles_of(text: str) -> dict[str, int]:
    parts = [part.strip().rsplit(" ", 1) for part in text.split(",")]
    return {role: int(cards) for role, cards in parts}


def columns_of(deal: dict[str, tuple[int, ...]]) -> Columns:
    shown = {}
    for role, cards in deal.items():
        shown[f"{role}.rank"] = np.array([[c % 13 for c in cards]], dtype=np.int8)
        shown[f"{role}.suit"] = np.array([[c // 13 for c in cards]], dtype=np.int8)
    return Columns(shown, 1, {role: (role,) for role in deal})


def by_columns(node: Node, deal: dict[str, tuple[int, ...]]) -> bool:
    return bool(columns_of(deal).value(node)[0])


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS)
def test_the_example_of_a_word(word) -> None:
    roles = wager_outcomes.roles_of(word.example.deal)
    dealt = [role for role in roles if "first_two" not in role]
    assert word.name in word.example.condition
    node = parse(word.example.condition, roles)
    for cards, met in ((word.example.meets, True), (word.example.misses, False)):
        hands = generated.dealt(cards, dealt)
        hands |= {f"first_two({role})": hand[:2] for role, hand in hands.items() if roles[role] == VARIES}
        assert holds(node, hands) is met
        assert by_columns(node, {role: tuple(map(card, hand)) for role, hand in hands.items()}) is met


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("pair(plyer)", 6, 'no role is called "plyer"; did you mean "player"?'),
        ("paire(player)", 1, 'not a word of conditions; did you mean "pair"?'),
        ("spread(cards) == 1", 8, "spread is for two cards, and cards has 3"),
        ("pair(upcard)", 6, "pair is for 2 or more cards, and upcard has 1"),
        ("poker(player) >= \"pair\"", 7, "poker is for three, or five to seven cards"),
        ("matches(cards, upcard) == 1", 1, "upcard is compared with itself in matches"),
        ("pair(player + player)", 15, "player is counted twice"),
        ('count(player, "1h") == 1', 15, '"1h" is not a card'),
        ('count(player, "sevens") == 1', 15, "is not a card, rank, suit or colour"),
        ('count(player, "7")', 1, "is a number, not true or false; compare it: >= 1"),
        ('highest(player) >= "1"', 20, 'there is no rank "1"'),
        ('highest(player) >= "23"', 20, 'there is no rank "23"'),
        ('poker(cards) == "two pair"', 17, "no poker hand \"two pair\" of three cards"),
        ("total(cards) = 21", 14, "compare with =="),
        ("suited(player) + 1 == 2", 1, "write 1 if suited(player) else 0"),
        ('straight(player, ace="hi")', 22, 'ace is both, high or low, not "hi"'),
        ("straight(player, ace=ace)", 22, "ace is not a value of ace"),
        ("player.shape == 1", 1, "an attribute cannot be part of a condition"),
        ("player.suits == 1", 1, "write suits(player)"),
        ("pair player", 1, "write pair(player)"),
        ("dealer == 6", 1, 'no role is called "dealer"; write upcard; the deal\'s roles are player'),
        ("total(foo) == 6", 7, 'no role is called "foo"; the deal\'s roles are player, upcard; cards means all'),
        ("total(player) between 19 and 20", 15, "write 19 <= total(hand) <= 20 instead of between"),
        ("bust(player)", 1, "write total(hand) > 21"),
        ("pair(player) == 1", 17, "cannot be compared"),
        ("total(cards) == (20, 21)", 17, "a tuple cannot be part"),
        ("total(cards) in 20", 17, "20 is not a list; write x in (7, 14)"),
        ("total(cards) in (20, pair(cards))", 22, "is neither a number nor a text"),
        ("total(cards) % 0 == 1", 16, "% divides by 0"),
        ("total(cards) % total(cards) == 1", 16, "% divides by total(cards)"),
        ("value(cards) == 20", 1, "write total(hand) for blackjack points"),
        ("flush(cards)", 1, 'write suited(hand), or poker(hand) == "flush"'),
        ("full_house(cards)", 1, 'write poker(hand) == "full house"'),
        ("max(cards) == 9", 1, "write highest(hand)"),
        ("colour(cards)", 1, "write same_colour(hand)"),
        ("flush(cards)", 1, "write suited(hand), or poker(hand)"),
        ("pair(cards) AND suited(cards)", 13, "write and instead of AND"),
        ("pair(cards) && suited(cards)", 13, "write and instead of &&"),
        ("pair(cards) || suited(cards)", 13, "write or instead of ||"),
        ("!pair(cards)", 1, "write not instead of !"),
        ("pair(player) and", 17, "it ends too early; write the rest, or leave out \"and\""),
        ("", 1, "empty"),
        ("# pair(player)", 1, "empty"),
        ("pair(player) # and\n and nothing", 25, '"nothing" is not known'),
        ('count(player, "red Q") == 2', 15, '"red Q" would count every Q and every red card'),
        ('count(player, "7h hearts face") == 2', 15, "would count every face and every hearts card"),
        ('count(player, "Q" "h") == 1', 15, "is not a single text in quotes"),
        ('highest(player) == "\\x39"', 20, "is not a single text in quotes"),
        ("total(player) == 20 or 21", 24, "write total(player) == 20 or total(player) == 21"),
        ("total(player) == 20 or 21 >= 1", 24, "21 and 1 name no hand"),
        ("pair(player) and 2", 18, "2 is compared with nothing"),
        ("pair(player) or 2 * 3 > 5", 17, "2 * 3 and 5 name no hand"),
        ("__import__('os').system('true')", 1, "cannot be called in a condition"),
        ("(lambda: 1)()", 2, "cannot be called in a condition"),
        ("(x := 1) == 1", 2, "an assignment cannot be part"),
        ("pair(player) or " * 700 + "1 == 1", 2001, "11,206 characters"),
        ("(" * 500 + "pair(player)" + ")" * 500, 201, "nested"),
        ("-" * 500 + "1 == 1", 40, "nested more than 40 deep"),
        ("not " * 400 + "pair(player)", 161, "nested more than 40 deep"),
        ("total(cards) == " + "9" * 5000, 2001, "5,016 characters"),
        ("total(cards) == " + "9" * 1900, 17, "a number is too large"),
        ("total(cards) * total(cards) * 100000 == 1", 1, "could grow too large"),
        (" or ".join(["1<size(cards)"] * 115), 1, "has more than 400 parts"),
    ],
)  # fmt: skip
def test_what_is_no_condition_is_said_with_its_column(text: str, column: int, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(ConditionError) as refused:
        parse(text, TWO_AND_ONE)
    assert time.monotonic() - began < 1
    (fault,) = refused.value.faults
    assert said in str(fault)
    assert "\n" not in str(fault)
    if "400 parts" not in said:
        assert fault.place == f"column {column}"


def test_an_option_of_the_wager_stands_for_its_value() -> None:
    written = parse('straight(player, ace="low")', {"player": 2})
    assert parse("straight(player, ace=ace)", {"player": 2}, {"ace": "low"}) == written


def test_cards_may_be_written_as_people_write_them() -> None:
    for one, other in (("10h", "Th"), ("qH", "Qh"), ("h", "hearts"), ("q", "Q"), ("T J Q K", "ten-valued")):
        assert parse(f'count(player, "{one}") == 1', {"player": 2}) == parse(f'count(player, "{other}") == 1',
                                                                            {"player": 2})


@pytest.mark.parametrize(
    ("ace", "order", "from_ace"),
    [("both", "A23456789TJQKA", ()), ("high", "23456789TJQKA", ()), ("low", "A23456789TJQK", ()),
     ("from-five-cards", "23456789TJQKA", (5, 6, 7)), ("five-cards-only", "23456789TJQKA", (5,))],
)  # fmt: skip
def test_longest_runs_of_every_set_of_ranks(ace: str, order: str, from_ace: tuple[int, ...]) -> None:
    """Up to seven neighbours in the order of the ranks, and these numbers of cards from a low ace upwards."""
    runs = [order[i : i + n] for n in range(1, 8) for i in range(len(order) - n + 1)]
    runs += ["A234567"[:n] for n in from_ace]
    sets = np.array([ranks for ranks in range(1 << 13) if ranks.bit_count() <= 7])
    longest = np.zeros(len(sets), int)
    for run in runs:
        mask = sum(1 << "23456789TJQKA".index(rank) for rank in run)
        longest = np.maximum(longest, np.where(sets & mask == mask, len(run), 0))
    assert (longest_runs(ace)[sets] == longest).all()


ROLES = st.sampled_from(generated.ROLES)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_not_seen_makes_no_difference(data: st.DataObject) -> None:
    """Three changes keep the result: a permutation of the group, another card of one label, an exchange in a seat."""
    roles = data.draw(ROLES)
    node = parse(data.draw(generated.truths(roles, 3)), roles)
    sight = sight_of([node], seats_of([node], roles), roles)
    deal = data.draw(generated.deals(roles))
    met = by_columns(node, deal)
    p = data.draw(st.sampled_from(sight.group))
    assert by_columns(node, {role: tuple(permute(p, c) for c in hand) for role, hand in deal.items()}) == met
    changed = dict(deal)
    for seat in sight.seats:
        cards = [c for role in seat.roles for c in deal[role]]
        cards = [data.draw(st.sampled_from([d for d in range(52) if seat.labels[d] == seat.labels[c]])) for c in cards]
        cards = data.draw(st.permutations(cards))
        for role in seat.roles:
            changed[role], cards = tuple(cards[: roles[role]]), cards[roles[role] :]
    assert by_columns(node, changed) == met
    # The group respects the lens: the label of an image depends on the label alone.
    for seat in sight.seats:
        for q in sight.group:
            pairs = {(seat.labels[c], seat.labels[permute(q, c)]) for c in range(52)}
            assert len(pairs) == len(set(seat.labels))


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_what_is_decided_before_all_is_dealt_stays_so(data: st.DataObject) -> None:
    roles = data.draw(ROLES)
    node = parse(data.draw(generated.truths(roles, 3)), roles)
    deal = data.draw(generated.deals(roles))
    before = data.draw(st.integers(0, len(roles)))
    some = columns_of(dict(list(deal.items())[:before]))
    some.seats = {role: (role,) for role in roles}
    true, false = decided(node, some)
    met = by_columns(node, deal)
    assert not (true[0] and false[0])
    assert met if true[0] else not met if false[0] else before < len(roles)


@pytest.mark.parametrize(
    ("conditions", "order", "labels"),
    [
        (["suited(player)"], 24, [4]),
        (['count(player, "hearts") == 2'], 6, [2]),
        (['count(player, "red") == 2'], 4, [2]),
        (['count(player, "Qh") == 2'], 6, [2]),
        # One suit at a time in several conditions: the diamonds are singled out, the others may be exchanged.
        (['count(player, "7d") == 2',
          'count(player, "7c") == 2 or count(player, "7h") == 2 or count(player, "7s") == 2'], 6, [5]),
        (["total(player) == 20"], 24, [10]),
        (["total(player) == 20", "suited(player)"], 24, [40]),
        (['highest(player) <= "9"'], 24, [3]),
        (["pair(player)"], 24, [13]),
        (["blackjack(player)"], 24, [3]),
        (["same_colour(player)"], 8, [2]),
    ],
)  # fmt: skip
def test_what_a_condition_sees(conditions: list[str], order: int, labels: list[int]) -> None:
    roles = {"player": 2}
    nodes = [parse(text, roles) for text in conditions]
    sight = sight_of(nodes, seats_of(nodes, roles), roles)
    assert len(group_of(nodes)) == order
    assert [len(set(seat.labels)) for seat in sight.seats] == labels


def test_roles_that_no_condition_tells_apart_are_dealt_as_one_hand() -> None:
    roles = {"player": 2, "board": 5, "dealer": 2}
    together = parse("total(player + board) == 21", roles)
    assert seats_of([together], roles) == (("player", "board"), ("dealer",))
    assert seats_of([together, parse("pair(player)", roles)], roles) == (("player",), ("board",), ("dealer",))
    assert seats_of([parse("suited(cards)", roles)], roles) == (("player", "board", "dealer"),)
