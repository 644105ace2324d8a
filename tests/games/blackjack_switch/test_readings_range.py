"""The range over readings of Blackjack Switch includes the dealer who hits soft 17."""

import pytest

from combin.analysis.engine import analyze


@pytest.mark.slow
def test_a_dealer_who_hits_soft_17_is_in_the_range() -> None:
    """99.1204 % with six decks: the dealer hits soft 17 and ties a dealt blackjack with 22."""
    a = analyze("maryland/blackjack/switch/A", decks=6)
    assert a.return_range is not None
    least, greatest = a.return_range
    assert f"{100 * float(least.value):.4f}" == "99.1204"
    assert least.readings["dealer-soft-17"] == "hits"
    assert greatest.readings["dealer-soft-17"] == "stands"
    assert {(n.reading, n.choice) for n in a.not_computed} == {("split-aces", "may-draw")}
