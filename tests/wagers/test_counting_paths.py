"""Every way to count a wager gives the same counts: a table of classes, sums over the classes, and parts of the deal.

The ways are chosen by the number of classes; here each of them counts every wager. For random wagers the counts are
also those of literal cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin.deals import first_then_rest
from combin.deals.cards import Shoe, name
from combin.deals.deal_kinds import FirstCards
from combin.deals.first_cards import Deal
from combin.deals.table import Table
from combin.games.registry import game_of
from combin.rulebook.book import shipped
from combin.wagers.columns import Columns
from combin.wagers.condition_tree import Node
from combin.wagers.conditions import parse
from combin.wagers.literal import holds
from combin.wagers.wager_outcomes import _deal, deal_of, masks_of, met_name

from .. import generated
from ..shared import physical_deals

ROLES: tuple[dict[str, int], ...] = (
    {"upcard": 1, "hole card": 1, "player": 2},
    {"player": 2, "upcard": 1},
    {"upcard": 1, "player": 3},
    {"first card": 1, "second card": 1, "third card": 1, "player": 1},
    {"player": 2, "dealer": 2},
    {"upcard": 1, "board": 2, "player": 2},
)


def tables(deal: Deal, shoe: Shoe) -> Iterator[Table]:
    """The deal's table, counted in each way."""
    classes = deal.classes(shoe)
    yield classes.table()
    assert deal.summary is not None
    assert deal.matters is not None
    yield classes.tally(deal.summary, threads=1)
    parted = first_then_rest.part(classes, deal.matters)
    if parted is not None:
        table = parted.table()
        assert table.classes == parted.burnside_classes()
        yield table


def met(table: Table, deal: Deal, conditions: Sequence[Node]) -> list[int]:
    """The number of deals that satisfy each condition."""
    known = {node: table.columns[met_name(node)] for node in conditions if met_name(node) in table.columns}
    seats = {role.name: tuple(role.name.split(" + ")) for role in deal.roles}
    columns = Columns(table.columns, len(table), seats, known)
    return [table.count(columns.value(node)) for node in conditions]


def dealt(deal: tuple[tuple[int, ...], ...], roles: Mapping[str, int]) -> dict[str, list[str]]:
    return {role: [name(c) for c in cards] for role, cards in zip(roles, deal, strict=True)}


def random_wager_counts_alike(data: st.DataObject, most: int) -> None:
    """A full shoe with more than ``most`` classes is left out."""
    roles = data.draw(st.sampled_from(ROLES))
    texts = data.draw(st.lists(generated.truths(roles, 2), min_size=1, max_size=3))
    text = ", ".join(f"{role} {cards}" for role, cards in roles.items())
    conditions = tuple(dict.fromkeys(parse(condition, roles) for condition in texts))
    deal = _deal(text, conditions, conditions, False)
    ranks = data.draw(st.permutations(range(13)))[:4]
    stack = [13 * suit + rank for suit in range(4) for rank in ranks] * 2
    kept = data.draw(st.permutations(stack))[: data.draw(st.integers(6, 8))]
    gone = [c for c in range(52) for _ in range(2)]
    for c in kept:
        gone.remove(c)
    shoe = Shoe(2, tuple(gone))
    literal = [dealt(cards, roles) for cards in physical_deals(Deal(text), shoe)]
    wanted = [sum(holds(node, hands) for hands in literal) for node in conditions]
    for table in tables(deal, shoe):
        # Roles that no condition distinguishes are dealt as one hand, in fewer deals.
        assert [n * len(literal) for n in met(table, deal, conditions)] == [n * table.deals for n in wanted]
    # A full shoe has a larger group, and cards that act alike.
    full = deal.classes(Shoe(2))
    if full.places > most or not full.fits_a_table:
        return
    counts = [met(table, deal, conditions) for table in tables(deal, Shoe(2))]
    assert counts[1:] == counts[:-1]


@settings(max_examples=3, deadline=None)
@given(st.data())
def test_random_wagers_are_counted_alike_in_every_way(data: st.DataObject) -> None:
    random_wager_counts_alike(data, 100_000)


def test_two_roles_that_see_different_features_are_parted_rightly() -> None:
    """The rank and the suit of the upcard, the rank alone of the hole card: 24 cards, each in turn."""
    roles = {"upcard": 1, "hole card": 1, "player": 2}
    text = 'pair(upcard + hole_card) and count(upcard, "spades") == 1 and matches(player, upcard) >= 1'
    condition = parse(text, roles)
    deal = _deal("upcard 1, hole card 1, player 2", (condition,), (condition,), False)
    # 78 spades, 23 cards of the rank; the player's two hold at least one of the 22 that are left.
    wanted = 78 * 23 * (310 * 309 // 2 - 288 * 287 // 2)
    assert [met(table, deal, (condition,)) for table in tables(deal, Shoe(6))] == [[wanted]] * 3


def test_conditions_that_are_equal_share_a_column() -> None:
    """Sums over the classes find a condition by its name in the table, whatever text it came from."""
    one, other = (parse(f'count(player, "{cards}") == 1', {"player": 2}) for cards in ("9 face 9 9", "K Q J 9"))
    assert one == other
    assert met_name(one) == met_name(other)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.data())
def test_many_random_wagers_are_counted_alike_in_every_way(data: st.DataObject) -> None:
    random_wager_counts_alike(data, 10**9)


@pytest.mark.slow
def test_every_wager_of_the_catalogue_is_counted_alike_in_every_way() -> None:
    book, seen = shipped(), set()
    for identifier in book.ids():
        resolved = book.resolve(identifier)
        dealt = None if game_of(resolved) or resolved.terms.depends_on_play else deal_of(resolved)
        if type(dealt) is not FirstCards or dealt in seen:
            continue
        seen.add(dealt)
        for shoe in map(Shoe, resolved.decks):
            counts = [
                {outcome: table.count(rows) for outcome, rows in masks_of(table, resolved).items()}
                for table in tables(dealt.deal, shoe)
            ]
            assert counts[1:] == counts[:-1], identifier
    assert len(seen) > 30
