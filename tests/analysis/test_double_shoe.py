"""The first seat of a double shoe, checked against the procedure dealt card by card."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from combin import analyze
from combin.base.errors import InputError
from combin.rulebook import shipped

RANKS, SUITS = "23456789TJQKA", "cdhs"
KK, ROYAL = "maryland/blackjack/kk/A", "maryland/blackjack/royal-match-21/C"


def dealt(decks: int, red_side: Fraction) -> Counter[frozenset[tuple[str, int]]]:
    """The law of the first player's two cards, by the steps: draw from a side, keep or set aside, draw the next."""
    side = [rank + suit for rank, suit in product(RANKS, SUITS)] * decks
    first_card: Counter[str] = Counter()
    for is_red, chance in ((True, red_side), (False, 1 - red_side)):
        kept = [card for card in side if (card[1] in "dh") == is_red]
        for card in kept:
            first_card[card] += chance / len(side)
        for card in side:  # the card is set aside; the other side deals and lacks no card
            first_card[card] += chance * Fraction(len(side) - len(kept), len(side) ** 2)
    law: Counter[frozenset[tuple[str, int]]] = Counter()
    for first, chance in first_card.items():
        for second, copies in (Counter(side) - Counter([first])).items():
            law[frozenset(Counter((first, second)).items())] += chance * Fraction(copies, len(side) - 1)
    return law


@pytest.mark.parametrize("share", ["0", "1/3", "1/2", "1"])
def test_the_first_seat_is_what_the_procedure_deals(share: str) -> None:
    law = dealt(2, Fraction(share))
    assert sum(law.values()) == 1
    a = analyze(KK, decks=2, set={"red_side_share": share})
    found = {o.outcome: o.probability for o in a.outcomes}
    assert found["king of diamonds pair"] == law[frozenset({("Kd", 2)})]
    assert found["matched 20"] == sum(
        law[frozenset({(rank + suit, 2)})] for rank in "TJQK" for suit in SUITS if rank + suit != "Kd")
    royal = analyze("maryland/blackjack/royal-match-21/C", decks=2, set={"red_side_share": share},
                    reading={"crown-treasure": "not-offered"})
    suited = [frozenset({("K" + s, 1), ("Q" + s, 1)}) for s in SUITS]
    assert {o.outcome: o.probability for o in royal.outcomes}["royal match"] == sum(law[hand] for hand in suited)


def test_draws_from_either_side_alike_move_nothing_and_suits_alike_never_move() -> None:
    for wager, share in (("kk/A", "1/2"), ("7s/A", "1"), ("three-card-poker/B", "1")):
        identifier = f"maryland/blackjack/{wager}"
        seat = analyze(identifier, decks=6, set={"red_side_share": share})
        assert seat.returned == analyze(identifier, decks=6).returned


def test_a_red_pair_is_three_times_as_frequent_from_the_red_side_alone() -> None:
    """The first card is red with probability 3/4. The second card has the law of any shoe."""
    a, b = (analyze("maryland/blackjack/lucky-ladies/A", decks=6, set={"red_side_share": p}) for p in (0, 1))
    pairs = [{o.outcome: o.probability for o in x.outcomes}["queen of hearts pair"] for x in (a, b)]
    assert pairs[1] / pairs[0] == 3  # the first card is red with probability 3/4


def test_what_a_double_shoe_does_not_take() -> None:
    with pytest.raises(InputError, match="with removed cards the sides of a double shoe differ"):
        analyze(KK, decks=6, set={"red_side_share": 1}, without="Kd")
    with pytest.raises(InputError, match='no parameter of these wagers is called "red_side_share"'):
        analyze("maryland/blackjack/hit-and-run-progressive/A", decks=6, set={"red_side_share": 1})
    with pytest.raises(InputError, match="at most 1"):
        analyze(KK, decks=6, set={"red_side_share": 2})
    taking = [w for w in shipped().wagers.values() if w.document.double_shoe]
    assert {w.document.id for w in taking} == {"maryland-blackjack"}
