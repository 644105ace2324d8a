"""Cards, shoes and suit permutations."""

import pytest

from combin.base.errors import InputError
from combin.deals.cards import Shoe, card, cards, name, suit_group


def test_cards_are_read_and_named() -> None:
    assert card("2c") == 0
    assert card("As") == 51
    assert card("10h") == card("Th") == 26 + 8
    assert [name(c) for c in cards("Qh, 7s Ad")] == ["Qh", "7s", "Ad"]


@pytest.mark.parametrize("text", ["", "Q", "1h", "Qx", "QQh", "h"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a card"):
        card(text)


def test_a_shoe_counts_its_copies() -> None:
    shoe = Shoe(6, cards("Qh Qh 7s"))
    assert shoe.size == 309
    assert shoe.copies[card("Qh")] == 4
    assert sum(shoe.copies) == 309
    with pytest.raises(InputError, match="cannot be removed from"):
        Shoe(1, cards("Qh Qh"))


def test_singled_out_suits_shrink_the_group() -> None:
    assert len(suit_group()) == 24
    assert len(suit_group(["hearts"])) == 6
    assert len(suit_group(["colours"])) == 4  # red stays red
    assert len(suit_group(["diamonds", "colours"])) == 2
    with pytest.raises(InputError, match="is neither a suit nor colours"):
        suit_group(["stars"])


def test_a_removed_card_shrinks_the_group_by_itself() -> None:
    assert len(Shoe(6).stabilizer(suit_group())) == 24
    assert len(Shoe(6, cards("Qh")).stabilizer(suit_group())) == 6
    assert len(Shoe(6, cards("Qh 2h")).stabilizer(suit_group())) == 6
    assert len(Shoe(6, cards("Qh 2s")).stabilizer(suit_group())) == 2
    assert len(Shoe(6, cards("Qh Qs Qc Qd")).stabilizer(suit_group())) == 24
