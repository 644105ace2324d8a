"""A published return of Blackjack Switch whose dealer hits soft 17, which its range over readings includes."""

import pytest

from combin.analysis.engine import analyze


@pytest.mark.slow
def test_a_dealer_who_hits_soft_17_is_in_the_range() -> None:
    """99.1204 % with six decks: the dealer hits soft 17 and ties a dealt blackjack with 22."""
    a = analyze("maryland/blackjack/switch/A", decks=6, reading={
        "dealer-soft-17": "hits", "switch-blackjack-against-22": "pushes", "switch-blackjack-pays": "1-to-1"})
    assert f"{100 * float(a.returned):.4f}" == "99.1204"
