"""The parser chooses the kind of a deal once. The deal then answers every question of the rooms above."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.analysis.removal import effects
from combin.base.errors import InputError
from combin.deals import deal_kinds
from combin.deals.cards import Shoe, card
from combin.deals.deal_kinds import DealerDraws, DealerDrawsOut, FirstCards, PlayedByChart, SevenCards, of_roles, parse
from combin.deals.first_cards import Deal
from combin.rulebook.book import shipped
from combin.rulebook.terms import DealOptions
from combin.verify import deals as second_ways
from combin.verify import verify
from combin.verify.model import Check
from combin.wagers.wager_outcomes import deal_of

from ..shared import analysed, wager_file

PLAIN = DealOptions()


def test_every_shipped_wager_has_a_deal_or_a_game() -> None:
    kinds = set()
    for identifier in shipped().ids():
        resolved = shipped().resolve(identifier)
        deal = deal_of(resolved)
        assert (deal is None) == bool(resolved.terms.game)
        if deal is not None:
            assert deal.text == resolved.terms.deal
            assert deal == deal_of(resolved)
            assert second_ways.way_of(deal) is not None
            kinds.add(type(deal))
    assert kinds == {FirstCards, SevenCards, DealerDrawsOut, PlayedByChart}


@pytest.mark.parametrize(
    ("text", "kind", "one_deck", "by_chart", "roles", "condition"),
    [
        ("player 7", SevenCards, True, False, [7], None),
        ("player 2, upcard 1", FirstCards, False, False, [2, 1], None),
        ("upcard 1 of A by blackjack, hole card 1 by blackjack", FirstCards, False, False, [1, 1], "upcard is an ace"),
        ("dealer draws out", DealerDraws, False, False, [], None),
        ("player plays the chart, dealer draws out", PlayedByChart, False, True, [], None),
    ],
)
def test_what_a_deal_knows(
    text: str, kind: type, one_deck: bool, by_chart: bool, roles: list[int], condition: str | None
) -> None:
    deal = parse(text, (), PLAIN)
    assert type(deal) is kind
    assert (deal.one_deck, deal.by_chart, deal.condition) == (one_deck, by_chart, condition)
    assert [role.cards for role in deal.roles] == roles


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("player", '"player" is not a role of a deal'),
        ("dealr draws out", '"dealr draws out" is not a role'),
        ("player plays the chat, dealer draws out", '"player plays the chat" is not a role of a deal'),
        ("player 2, dealer draws out", '"player 2, dealer draws out" is settled by conditions'),
    ],
)  # fmt: skip
def test_a_text_that_is_no_deal(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, (), PLAIN)
    assert str(caught.value).startswith(says)


def test_cards_that_act_alike() -> None:
    """A wager on drawn hands sees values alone. A wager on two cards sees ranks, or ranks and a named suit."""
    drawn = parse("dealer draws out", (), PLAIN).alike(Shoe(2))
    assert len(set(drawn.values())) == 10
    assert {drawn[card(text)] for text in ("Tc", "Jd", "Qh", "Ks")} == {drawn[card("Tc")]}
    one_gone = parse("dealer draws out", (), PLAIN).alike(Shoe(2, (card("Qh"),)))
    assert one_gone[card("Qh")] != one_gone[card("Qd")] == one_gone[card("Kc")]
    pairs = parse("player 2", (), PLAIN).alike(Shoe(2))
    assert len(set(pairs.values())) == 13
    hearts = parse("player 2", ("hearts",), PLAIN).alike(Shoe(2))
    assert len(set(hearts.values())) == 26


def test_a_promotion_without_cards_has_no_effect_of_removal() -> None:
    a = analyze("maryland/blackjack/must-hit-progressive/A", decks=1, set={"stake": 1, "contribution_rate": "1%"})
    with pytest.raises(InputError, match="does not depend on cards"):
        effects(a)


OWN = wager_file("dealer draws out", {"3 cards": ("total(dealer) > 21 and size(dealer) == 3", "1 to 1")}, decks=(6,),
            more='deal_options = { soft_17 = "hits" }\n')


def test_a_wager_of_the_users_own_may_be_drawn_out(tmp_path: Path) -> None:
    a = analysed(tmp_path, OWN)
    theirs = analyze("maryland/blackjack/buster-blackjack/A", decks=6, reading={"dealer-soft-17": "hits"})
    assert a.probabilities["3 cards"] == theirs.probabilities["3 cards"]
    assert a.deals is None
    assert verify(a, claims=False).passed


@dataclass(frozen=True)
class TopCard(FirstCards):
    """A kind of deal from outside combin."""


def test_a_deal_of_another_package_brings_its_second_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second way of a deal is found by its class or a base class, and by nothing else."""
    way = second_ways.way_of(TopCard(Deal("player 2")))
    assert way is second_ways.way_of(of_roles(Deal("player 2")))

    def checks(a: Analysis, deal: TopCard) -> Iterator[Check]:
        yield Check("counts", "by hand", f"{deal.text} of {a.decks}")

    monkeypatch.setattr(second_ways, "_WAYS", dict(second_ways._WAYS))
    second_ways.register(TopCard, second_ways.Way(checks, lambda a, deal, names: None))
    monkeypatch.setattr(deal_kinds, "of_roles", TopCard)
    deal_kinds.parse.cache_clear()
    try:
        a = analyze("maryland/blackjack/bet-the-set-21/A", decks=1, any_decks=True)
        assert Check("counts", "by hand", "player 2 of 1") in verify(a, claims=False).checks
    finally:
        deal_kinds.parse.cache_clear()
