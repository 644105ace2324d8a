"""Deals of a shoe as classes: weights against physical cards, classes against Burnside."""

from collections import Counter
from math import comb

import pytest

from combin.base.errors import InputError
from combin.deals.cards import Shoe, cards, permute
from combin.deals.first_cards import LENSES, Deal, burnside_classes
from combin.deals.lenses import Lens

from ..shared import physical_deals

DEALS = [
    ("player 2", ()),
    ("cards 3", ()),
    ("player 2, upcard 1", ()),
    ("player 2, upcard 1", ("hearts",)),
    ("cards 3", ("diamonds", "colours")),
    ("player 2, dealer 2 by blackjack", ("hearts",)),
    ("cards 4 by rank", ()),
    ("upcard 1 of A by blackjack, hole card 1 by blackjack", ()),
]
SHOES = [Shoe(1), Shoe(2), Shoe(8), Shoe(2, cards("Qh Qh 7s")), Shoe(1, cards("As"))]


@pytest.mark.parametrize("shoe", SHOES, ids=lambda s: f"{s.decks}-{len(s.removed)}")
@pytest.mark.parametrize(("text", "singled_out"), DEALS)
def test_classes_agree_with_burnside(text: str, singled_out: tuple[str, ...], shoe: Shoe) -> None:
    deal = Deal(text, singled_out)
    table = deal.table(shoe)
    assert table.classes == burnside_classes(deal, shoe)
    assert int(table.weights.sum()) == deal.deals(shoe)


def test_known_numbers_of_classes_and_deals() -> None:
    assert len(Deal("cards 3").table(Shoe(1))) == 1755  # flops of hold'em, a published count
    assert len(Deal("player 2").table(Shoe(1))) == 169  # and its starting hands
    assert Deal("cards 3").deals(Shoe(6)) == comb(312, 3) == 5_013_320
    assert len(Deal("player 2, upcard 1").table(Shoe(8))) == 5746


def _orbit_key(hands: tuple[tuple[int, ...], ...], group: tuple, lenses: list[Lens]) -> tuple:
    """The least image of a deal under the group, as labels role by role."""
    return min(
        tuple(tuple(sorted(lens.label[permute(p, c)] for c in hand)) for hand, lens in zip(hands, lenses, strict=True))
        for p in group
    )


@pytest.mark.parametrize(
    ("text", "singled_out", "shoe"),
    [
        ("player 2, upcard 1", (), Shoe(1, cards(" ".join(r + s for r in "3456789" for s in "cdhs")))),
        (
            "player 2, upcard 1",
            ("hearts",),
            Shoe(1, cards("Qh Qs " + " ".join(r + s for r in "45678" for s in "cdhs"))),
        ),
        ("cards 3", ("diamonds", "colours"), Shoe(1)),
        ("player 2", (), Shoe(2, cards("Qh"))),
        ("upcard 1 of A by blackjack, hole card 1 by blackjack", (), Shoe(2)),
    ],
)
def test_weights_count_physical_deals(text: str, singled_out: tuple[str, ...], shoe: Shoe) -> None:
    """Every physical deal is sorted into its orbit. The orbits must have the weights of the classes."""
    deal = Deal(text, singled_out)
    group, lenses = deal.group(shoe), [role.lens for role in deal.roles]
    by_types = Counter(tuple(tuple(sorted(hand)) for hand in hands) for hands in physical_deals(deal, shoe))
    literal: Counter = Counter()
    for hands, count in by_types.items():
        literal[_orbit_key(hands, group, lenses)] += count
    assert Counter(literal.values()) == Counter(deal.table(shoe).weights.tolist())


def test_removing_a_card_is_drawing_it_first() -> None:
    """Exchangeability: summed over all first cards, the deals behind them are those of the whole shoe."""
    deal = Deal("cards 3")
    whole = deal.table(Shoe(1))
    suited = whole.count((whole["cards.suit"] == whole["cards.suit"][:, :1]).all(axis=1))
    assert suited == 4 * comb(13, 3)
    behind = 0
    for card_type in range(52):
        table = deal.table(Shoe(1, (card_type,)))
        behind += table.count((table["cards.suit"] == table["cards.suit"][:, :1]).all(axis=1))
    assert behind == 49 * suited


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("player", "not a role"),
        ("player 2 by smell", "is not a lens"),
        ("player 2 by rank, dealer 2", "distinguishes more of a card"),
        ("player 2 when raining", "not a role"),
    ],
)
def test_a_deal_that_makes_no_sense_is_refused(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Deal(text).table(Shoe(1))


def test_a_shoe_too_small_is_refused() -> None:
    empty = tuple(c for c in range(51))
    with pytest.raises(InputError, match="cannot deal"):
        Deal("player 2").table(Shoe(1, empty))


def test_a_lens_must_not_tear_a_singled_out_suit() -> None:
    assert LENSES["rank"].image((3, 2, 1, 0)) == tuple(range(13))
    assert Lens.by_label("hearts or not", [c // 13 == 2 for c in range(52)]).image((3, 2, 1, 0)) is None
