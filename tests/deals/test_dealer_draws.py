from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.deals.cards import CARD_TYPES, Shoe, card, cards
from combin.deals.dealer_draws import CardTotals, Dealer, dealer_hands, value, value_counts
from combin.deals.draw import FinishedHands
from combin.deals.player_chart import Chart, default_chart, read_chart
from combin.deals.twenties import all_twenties, bad_beat
from combin.verify import bad_beat as second_way
from combin.verify.bad_beat import letters

# The tests settle hands with code of their own. A hand is a list of card values; an ace is 1.


def total(hand: list[int]) -> tuple[int, bool]:
    """Total and whether an ace counts 11."""
    high = sum(hand) + 10
    return (high, True) if 1 in hand and high <= 21 else (sum(hand), False)


def dealer_draws(hand: list[int], hits_soft_17: bool) -> bool:
    points, soft = total(hand)
    return points < 17 or (points == 17 and soft and hits_soft_17)


def player_plays(hand: list[int], upcard: int) -> str:
    """stand, hit or double by the shipped chart, written down a second time."""
    points, soft = total(hand)
    first_two = len(hand) == 2
    if soft:
        doubles = {13: (5, 6), 14: (5, 6), 15: (4, 5, 6), 16: (4, 5, 6), 17: (3, 4, 5, 6), 18: (3, 4, 5, 6)}
        if first_two and upcard in doubles.get(points, ()):
            return "double"
        return "stand" if points >= 19 or (points == 18 and 2 <= upcard <= 8) else "hit"
    doubles = {9: (3, 4, 5, 6), 10: tuple(range(2, 10)), 11: tuple(range(2, 11))}
    if first_two and upcard in doubles.get(points, ()):
        return "double"
    stands = points >= 17 or (points >= 13 and 2 <= upcard <= 6) or (points == 12 and 4 <= upcard <= 6)
    return "stand" if stands else "hit"


def player_hand(hand: list[int], upcard: int, next_card: Callable[[], int]) -> list[int]:
    while total(hand)[0] < 21:
        play = player_plays(hand, upcard)
        if play == "stand":
            break
        hand = [*hand, next_card()]
        if play == "double":
            break
    return hand


class OutOfCardsError(Exception):
    pass


def every_draw(counts: dict[int, int], play: Callable[[Callable[[], int]], object]) -> dict[object, Fraction]:
    """The law of ``play(next_card)``: it is played once for every ordered sequence of card values."""
    law: dict[object, Fraction] = defaultdict(Fraction)
    open_prefixes: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while open_prefixes:
        prefix, chance = open_prefixes.pop()
        cards_in_turn = iter(prefix)

        def next_card(cards_in_turn: Iterator[int] = cards_in_turn) -> int:
            for drawn in cards_in_turn:
                return drawn
            raise OutOfCardsError

        try:
            law[play(next_card)] += chance
        except OutOfCardsError:
            size = sum(counts.values()) - len(prefix)
            for drawn, count in counts.items():
                left = count - prefix.count(drawn)
                if left:
                    open_prefixes.append(([*prefix, drawn], chance * Fraction(left, size)))
    return law


def bad_beat_round(
    next_card: Callable[[], int], hits_soft_17: bool, twenty: str, pair: int = 0
) -> tuple[int, int, int]:
    """A round; with a ``pair`` only a player who begins with two cards of this value has a 20."""
    dealer, player = [next_card(), next_card()], [next_card(), next_card()]
    first_two, begins = total(player)[0], pair == 0 or player == [pair, pair]
    if total(dealer)[0] == 21:
        return (int(begins and first_two == 20), 1, 2)
    player = player_hand(player, dealer[0], next_card)
    while dealer_draws(dealer, hits_soft_17):
        dealer.append(next_card())
    is_twenty = begins and (total(player)[0] if twenty == "final-total" else first_two) == 20
    return (int(is_twenty), 1, len(dealer)) if total(dealer)[0] == 21 else (int(is_twenty), 0, 0)


def law_of(hands: FinishedHands) -> dict[object, Fraction]:
    return {row: Fraction(w, hands.denominator) for row, w in zip(hands.rows, hands.weights, strict=True)}


def shoe_of(text: str) -> Shoe:
    """A shoe of the named cards alone."""
    kept = cards(text)
    return Shoe(1, tuple(c for c in range(CARD_TYPES) if c not in kept))


def counts_by_value(shoe: Shoe) -> dict[int, int]:
    return {v: n for v, n in enumerate(value_counts(shoe), 1) if n}


def test_values() -> None:
    assert [value(card(text)) for text in ("2c", "9h", "Ts", "Jd", "Kc", "Ah")] == [2, 9, 10, 10, 10, 1]
    assert value_counts(Shoe(6, cards("Ah 5c Qd"))) == (23, 24, 24, 24, 23, 24, 24, 24, 24, 95)


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_one_deck_agrees_with_every_ordered_draw_of_the_thirteen_ranks(hits_soft_17: bool) -> None:
    left = [4] * 13
    ends: dict[tuple[int, tuple[int, ...]], int] = defaultdict(int)

    def go(hand: list[int], ways: int) -> None:
        if len(hand) >= 2 and not dealer_draws(hand, hits_soft_17):
            points, soft = total(hand)
            blackjack = len(hand) == 2 and points == 21
            ends[hand[0], (len(hand), points, int(points > 21), int(blackjack), int(soft))] += ways
            return
        for rank in range(13):
            if left[rank]:
                left[rank] -= 1
                go([*hand, min(rank + 1, 10)], ways * (left[rank] + 1))
                left[rank] += 1

    go([], 1)
    literal: dict[object, Fraction] = defaultdict(Fraction)
    given: dict[int, dict[object, Fraction]] = defaultdict(dict)
    for (upcard, row), ways in ends.items():
        orders = 1
        for k in range(row[0]):
            orders *= 52 - k
        literal[row] += Fraction(ways, orders)
        given[upcard][row] = Fraction(ways, orders) * 13 / (4 if upcard == 10 else 1)
    assert law_of(dealer_hands(Shoe(1), hits_soft_17=hits_soft_17)) == literal
    for upcard, rows in given.items():
        assert law_of(dealer_hands(Shoe(1), hits_soft_17=hits_soft_17, upcard=upcard)) == rows


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_dealer_blackjack_has_its_closed_form(decks: int) -> None:
    size = 52 * decks
    shoe = Shoe(decks)
    hands = dealer_hands(shoe, hits_soft_17=True)
    assert hands.probability(blackjack=1) == Fraction(2 * 4 * decks * 16 * decks, size * (size - 1))
    given = [dealer_hands(shoe, hits_soft_17=True, upcard=upcard).probability(bust=1) for upcard in range(1, 11)]
    assert (sum(given) + 3 * given[-1]) / 13 == hands.probability(bust=1)
    assert hands.probability(bust=1, total=range(17, 22)) == 0
    assert hands.probability(bust=0, total=range(22, 27)) == 0
    assert hands.probability(soft=1, total=17) == 0  # hit
    assert dealer_hands(shoe, hits_soft_17=False).probability(soft=1, total=17) > 0


def test_removed_cards_are_out() -> None:
    removed = cards("Ac Ad Ah As 5c 5d 5h 5s 6c 6d 6h 6s Tc Td Th Ts")
    shoe = Shoe(1, removed)

    def play(next_card: Callable[[], int]) -> object:
        hand = [next_card(), next_card()]
        while dealer_draws(hand, True):
            hand.append(next_card())
        points, soft = total(hand)
        return (len(hand), points, int(points > 21), int(len(hand) == 2 and points == 21), int(soft))

    assert law_of(dealer_hands(shoe, hits_soft_17=True)) == every_draw(counts_by_value(shoe), play)
    with pytest.raises(InputError, match="no card of value 1 is left in the shoe"):
        dealer_hands(shoe, hits_soft_17=True, upcard=1)
    with pytest.raises(InputError, match="an upcard cannot be 11; give a value of 1"):
        dealer_hands(shoe, hits_soft_17=True, upcard=11)


def test_eight_decks_agree_with_a_simulation() -> None:
    rounds, rng = 40_000, random.Random(20250)
    deck = [min(rank, 10) for rank in range(1, 14) for _ in range(32)]
    seen: Counter[tuple[int, bool]] = Counter()
    for _ in range(rounds):
        drawn = iter(rng.sample(deck, 14))
        hand = [next(drawn), next(drawn)]
        while dealer_draws(hand, False):
            hand.append(next(drawn))
        seen[len(hand), total(hand)[0] > 21] += 1
    hands = dealer_hands(Shoe(8), hits_soft_17=False)
    for cards_, bust in [(2, 0), (3, 0), (3, 1), (4, 0), (4, 1), (5, 0), (5, 1), (6, 1)]:
        p = float(hands.probability(cards=cards_, bust=bust))
        z = (seen[cards_, bool(bust)] - rounds * p) / sqrt(rounds * p * (1 - p))
        assert abs(z) < 4


LONG = range(8, 30)


def buster_return(hands: FinishedHands, pays: dict[int, int]) -> Fraction:
    """Return per unit. ``pays`` are "to 1" by number of cards of the busted hand; the last is for 8 or more."""
    return sum(
        (hands.probability(bust=1, cards=LONG if n == 8 else n) * (pay + 1) for n, pay in pays.items()),
        Fraction(0),
    )


def rounded(figure: Fraction, places: int) -> str:
    """The number rounded half up, as text."""
    scaled = int(figure * 10**places + Fraction(1, 2))
    return f"{scaled // 10**places}.{scaled % 10**places:0{places}d}"


@pytest.mark.parametrize(
    ("decks", "stands", "hits"),
    [
        (1, "8.77", "6.89"),
        (2, "8.48", "6.51"),
        (4, "8.31", "6.29"),
        (5, "8.27", "6.25"),
        (6, "8.25", "6.21"),
        (8, "8.22", "6.17"),
    ],
)
def test_published_buster_edges(decks: int, stands: str, hits: str) -> None:
    """The published table is headed 15 to 1 for six cards, but its edges belong to 12 to 1."""
    pays = {8: 250, 7: 50, 6: 12, 5: 4, 4: 2, 3: 2}
    for hits_soft_17, edge in ((False, stands), (True, hits)):
        hands = dealer_hands(Shoe(decks), hits_soft_17=hits_soft_17)
        assert rounded(100 * (1 - buster_return(hands, pays)), 2) == edge
        assert rounded(100 * (1 - buster_return(hands, pays | {6: 15})), 2) != edge


def test_published_buster_probabilities_for_six_decks() -> None:
    hands = dealer_hands(Shoe(6), hits_soft_17=True)
    published = {8: "0.000012", 7: "0.000214", 6: "0.002638", 5: "0.020473", 4: "0.089392", 3: "0.173032"}
    for n, probability in published.items():
        assert rounded(hands.probability(bust=1, cards=LONG if n == 8 else n), 6) == probability
    assert rounded(hands.probability(bust=0), 6) == "0.714240"  # published as 0.714241, one too many
    assert rounded(100 * (1 - buster_return(hands, {8: 250, 7: 50, 6: 12, 5: 4, 4: 2, 3: 2})), 4) == "6.2143"


@pytest.mark.parametrize(
    ("decks", "edge", "frequency", "deviation"),
    [(2, "5.478", "28.645", "2.591"), (6, "4.724", "28.576", "2.724")],
)
def test_another_published_buster_table(decks: int, edge: str, frequency: str, deviation: str) -> None:
    pays = {8: 200, 7: 100, 6: 30, 5: 6, 4: 3, 3: 1}
    hands = dealer_hands(Shoe(decks), hits_soft_17=True)
    mean = buster_return(hands, pays)
    assert rounded(100 * (1 - mean), 3) == edge
    assert rounded(100 * hands.probability(bust=1), 3) == frequency
    square = sum(
        hands.probability(bust=1, cards=LONG if n == 8 else n) * (p + 1) ** 2 for n, p in pays.items()
    )
    assert abs(sqrt(square - mean**2) - float(deviation)) <= 0.0005


def test_the_default_chart_says_what_the_tests_play() -> None:
    chart = default_chart()
    assert chart.name == "total-dependent, never split"
    play_of = {"S": "stand", "H": "hit", "D": "double", "Ds": "double"}
    for upcard in range(1, 11):
        rule = chart.player(upcard)
        for points in range(4, 21):
            hard = [2, points - 2] if points <= 12 else [10, points - 10]
            assert play_of[rule.hard[points - 4]] == player_plays(hard, upcard)
            if points >= 12:
                assert play_of[rule.soft[points - 12]] == player_plays([1, points - 11], upcard)


REDUCED = "Ac Ad 3c 5d 6h 8s 9c 9d Tc Jd Kh"


@pytest.mark.parametrize(("hits_soft_17", "twenty"), [(False, "final-total"), (True, "first-two-cards")])
def test_bad_beat_agrees_with_every_round_of_a_small_shoe(hits_soft_17: bool, twenty: str) -> None:
    shoe = shoe_of(REDUCED)
    literal = every_draw(counts_by_value(shoe), lambda deal: bad_beat_round(deal, hits_soft_17, twenty))
    hands = bad_beat(shoe, default_chart(), hits_soft_17=hits_soft_17, twenty=twenty)
    assert hands.columns == ("player_twenty", "dealer_twenty_one", "dealer_cards")
    assert law_of(hands) == literal
    again = second_way.probabilities(value_counts(shoe), hits_soft_17, twenty, letters(default_chart().text))
    assert {(1, int(n > 0), n): p for n, p in again.items()} == {r: p for r, p in literal.items() if r[0] == 1}


@pytest.mark.parametrize(("twenty", "pair", "most"), [
    ("final-total", 10, 20), ("final-total", 5, 20), ("first-two-cards", 10, 20), ("first-two-cards", 9, 18),
])
def test_a_20_that_begins_with_a_pair_agrees_with_every_round(twenty: str, pair: int, most: int) -> None:
    """``most`` is the total of the pair with any further cards, 20 or not: two nines are no 20 by themselves."""
    shoe = shoe_of("Ac 5c 5d 5h 9c 9d Tc Jd Kh")
    literal = every_draw(counts_by_value(shoe), lambda deal: bad_beat_round(deal, True, twenty, pair))
    assert law_of(bad_beat(shoe, default_chart(), hits_soft_17=True, twenty=twenty, pair=pair)) == literal
    assert any(row[0] for row in literal) == (most == 20)


@pytest.mark.parametrize(("cards", "hits_soft_17", "twenty", "seats"), [
    ("Ac Ad 5c 5d 6h 9c Tc Jd Kh Qs", False, "final-total", 2),
    ("Ac Ad 5c 5d 6h 9c Tc Jd Kh Qs", True, "first-two-cards", 2),
    ("5c 5d 5h 6h Tc Jd Kh Qs Td Js Th", False, "final-total", 3),
])
def test_players_with_a_20_agree_with_every_round_of_a_small_shoe(
    cards: str, hits_soft_17: bool, twenty: str, seats: int
) -> None:
    """Dealt as at a table: two cards to each hand, the players draw in turn, then the dealer."""
    shoe, dealer_cards = shoe_of(cards), frozenset({3, 4})

    def all_hit(next_card: Callable[[], int]) -> bool:
        dealer, *players = ([next_card(), next_card()] for _ in range(1 + seats))
        if total(dealer)[0] == 21:
            return False
        if twenty == "final-total":
            players = [player_hand(hand, dealer[0], next_card) for hand in players]
        if any(total(hand)[0] != 20 for hand in players):
            return False
        while dealer_draws(dealer, hits_soft_17):
            dealer.append(next_card())
        return total(dealer)[0] == 21 and len(dealer) in dealer_cards

    exact = every_draw(counts_by_value(shoe), all_hit)[True]
    assert exact > 0
    assert exact == all_twenties(shoe, default_chart(), hits_soft_17=hits_soft_17, twenty=twenty,
                                 dealer_cards=dealer_cards, seats=seats)


def test_bad_beat_agrees_with_a_simulation_of_six_decks() -> None:
    rounds, rng = 30_000, random.Random(136)
    deck = [min(rank, 10) for rank in range(1, 14) for _ in range(24)]
    seen: Counter[tuple[int, int, int]] = Counter()
    for _ in range(rounds):
        drawn = iter(rng.sample(deck, 26))
        seen[bad_beat_round(lambda drawn=drawn: next(drawn), False, "final-total")] += 1
    law = law_of(bad_beat(Shoe(6), default_chart(), hits_soft_17=False))
    for row in [(1, 0, 0), (1, 1, 2), (1, 1, 3), (1, 1, 4), (1, 1, 5), (0, 0, 0), (0, 1, 3)]:
        p = float(law[row])
        assert abs(seen[row] - rounds * p) < 4 * sqrt(rounds * p * (1 - p))


@pytest.mark.parametrize("decks", [1, 8])
def test_bad_beat_margins_have_their_closed_forms(decks: int) -> None:
    shoe, size = Shoe(decks), 52 * decks
    first = bad_beat(shoe, default_chart(), hits_soft_17=True, twenty="first-two-cards")
    twenties = comb(16 * decks, 2) + 4 * decks * 4 * decks
    assert first.probability(player_twenty=1) == Fraction(twenties, comb(size, 2))
    final = bad_beat(shoe, default_chart(), hits_soft_17=True)
    dealer = dealer_hands(shoe, hits_soft_17=True)
    for n in range(2, 13):
        assert final.probability(dealer_cards=n) == dealer.probability(total=21, cards=n)
    # only the first two cards count against a dealer's blackjack, under both readings
    assert final.probability(player_twenty=1, dealer_cards=2) == first.probability(
        player_twenty=1, dealer_cards=2
    )
    # closed form: choose the dealer's blackjack, then a 20 from the cards that are left
    a, t = 4 * decks, 16 * decks
    left = comb(t - 1, 2) + (a - 1) * 4 * decks
    assert final.probability(player_twenty=1, dealer_cards=2) == Fraction(
        a * t * left, comb(size, 2) * comb(size - 2, 2)
    )


def test_bad_beat_refuses_what_it_cannot_play() -> None:
    with pytest.raises(InputError, match=r"use final-total or first-two-cards"):
        bad_beat(Shoe(6), default_chart(), hits_soft_17=True, twenty="last")
    with pytest.raises(InputError, match="can run out before both hands are complete"):
        bad_beat(shoe_of("Ac Ad 2c 3d Tc Td Th"), default_chart(), hits_soft_17=True)


def test_a_chart_of_the_users_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    stand = " ".join(["S"] * 10)
    file.write_text(
        f'name = "always stand"\n[hard]\n"4 and more" = "{stand}"\n[soft]\n"21 and less" = "{stand}"\n'
    )
    chart = read_chart(file)
    assert isinstance(chart, Chart)
    assert chart.name == "always stand"
    # a player who always stands keeps the first two cards, so both readings agree
    for twenty in ("final-total", "first-two-cards"):
        assert law_of(bad_beat(Shoe(2), chart, hits_soft_17=False, twenty=twenty)) == law_of(
            bad_beat(Shoe(2), default_chart(), hits_soft_17=False, twenty="first-two-cards")
        )


# ---- edges


def test_hands_are_valued_card_by_card_as_here() -> None:
    rng = random.Random(21)
    for _ in range(500):
        values = [rng.randint(1, 10) for _ in range(rng.randint(1, 6))]
        hand = CardTotals()
        for drawn in values:
            hand = hand.add(drawn - 1)
        points, soft = total(values)
        assert (hand.cards, hand.hard, hand.total, hand.soft) == (len(values), sum(values), points, soft)
        assert hand.blackjack == (sorted(values) == [1, 10])
        for hits in (False, True):
            assert Dealer(hits).done(hand) == (not dealer_draws(values, hits))
        features = (len(values), points, int(points > 21), int(sorted(values) == [1, 10]), int(soft))
        assert Dealer(True).features(hand) == features


def test_a_round_never_uses_up_47_pips() -> None:
    """Four tens and a seven suffice for a round. With a six in place of the seven the shoe is refused."""
    shoe = shoe_of("Tc Td Th Ts 7c")
    literal = every_draw(counts_by_value(shoe), lambda deal: bad_beat_round(deal, True, "final-total"))
    assert law_of(bad_beat(shoe, default_chart(), hits_soft_17=True)) == literal
    with pytest.raises(InputError) as refused:
        bad_beat(shoe_of("Tc Td Th Ts 6c"), default_chart(), hits_soft_17=True)
    assert str(refused.value) == (
        "without: a shoe of 5 card(s) can run out before both hands are complete; leave more cards in the shoe"
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: dealer_hands(Shoe(1), hits_soft_17=True, upcard=0),
            "an upcard cannot be 0; give a value of 1 (ace) to 10",
        ),
        (
            lambda: dealer_hands(Shoe(1), hits_soft_17=True, upcard=11),
            "an upcard cannot be 11; give a value of 1 (ace) to 10",
        ),
        (
            lambda: dealer_hands(Shoe(1, cards("9c 9d 9h 9s")), hits_soft_17=True, upcard=9),
            "without: no card of value 9 is left in the shoe; remove fewer cards",
        ),
        (
            lambda: bad_beat(Shoe(1), default_chart(), hits_soft_17=True, twenty="last"),
            '"last" is not a reading of the player\'s 20; use final-total or first-two-cards',
        ),
        (
            lambda: dealer_hands(Shoe(1, tuple(range(52))), hits_soft_17=True),
            "without: a shoe of 0 card(s) can run out before the hand is complete; leave more cards in the shoe",
        ),
    ],
)
def test_what_is_refused_is_said_in_a_sentence(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError) as refused:
        call()
    assert str(refused.value) == said
