"""The most that a round can cost: hands named by hand, and every seating of a small shoe."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from combin.analysis.engine import analyze
from combin.analysis.liability import exposure
from combin.deals.cards import card, name
from combin.wagers.conditions import parse
from combin.wagers.literal import holds

from ..shared import analysed, chase_the_flush, wager_file

BLACKJACK = "maryland/blackjack/"


@pytest.mark.parametrize(("identifier", "decks", "most", "why"), [
    ("lucky-ladies/A", 6, 3 * 1000 + 4 * 25, "six queens of hearts make three pairs; matched twenties for the rest"),
    ("lucky-ladies/A", 8, 4 * 1000 + 3 * 25, "eight make four"),
    ("lucky-ladies/A", 1, 7 * 10, "one deck holds no two cards alike: suited twenties"),
    ("match-the-dealer/6-decks", 6, 2 * 22 + 15 + 4 * 8, "five cards like the upcard, eighteen of its rank"),
    ("kings-bounty/A", 6, 3 * 1000 + 4 * 50, "three pairs of kings of spades, then suited kings"),
    ("lucky-lucky/A", 6, 2 * 200 + 5 * 100, "five sevens left beside a seven; suited 6-7-8 for the others"),
    ("super-match/6-decks", 6, 7 * 40, "ranks enough for four of a kind at every seat"),
    ("lucky-aces/A", 6, 7 * 500, "two of the dealer's aces and fourteen of twenty-two others"),
    ("insurance/A", 6, 7 * 2, "the dealer's cards alone decide"),
    ("buster-blackjack/A", 6, 7 * 250, "the dealer's hand is one for all"),
    ("match-super-bonus/A", 1, 6 + 3, "three cards of the upcard's rank in all"),
])  # fmt: skip
def test_the_cards_decide(identifier: str, decks: int, most: int, why: str) -> None:
    found = exposure(analyze(BLACKJACK + identifier, decks=decks))
    assert found is not None
    assert (found.most, found.exact) == (most, True), why


@pytest.mark.parametrize(("identifier", "decks", "values", "most"), [
    (f"{BLACKJACK}bad-beat-progressive/A", 6, {"meter": 5000}, 7 * (5000 + 20 + 5 - 1)),
    ("maryland/high-card-flush/progressive/C", 1, {"meter": 7000, "other_players": 3},
     (7000 + 3 * 200 - 1) + 5 * (5000 + 3 * 200 - 1)),
    ("maryland/chase-the-flush/progressive/B", 1, {"stake": 1, "other_players": 2, "progressive": 2000}, None),
])  # fmt: skip
def test_a_bound_has_what_is_paid_beside_the_lines(
    identifier: str, decks: int, values: dict[str, int], most: int | None
) -> None:
    """A magic card, the lucky seat; $200 for each envied hand; an open community pay; a meter, paid once, then 5000."""
    found = exposure(analyze(identifier, decks=decks, set=values))
    assert found is not None
    assert (found.most, found.exact) == (most, False)


def test_straight_flushes_are_cut_from_four_suits() -> None:
    """Thirteen ranks make one straight flush of seven cards and one of six."""
    found = exposure(analyze("maryland/high-card-flush/straight-flush-bonus/A"))
    assert found is not None
    assert dict(found.hands) == {"seven-card straight flush": 4, "six-card straight flush": 2}
    assert found.most == 4 * 8000 + 2 * 1000


def test_a_bound_is_called_one() -> None:
    """Same Suit: beside the board three seats at most make a seven-card flush, and four a six-card flush."""
    found = exposure(analyze("maryland/chase-the-flush/same-suit/A"))
    assert found is not None
    assert not found.exact
    assert 4 * 2000 <= (found.most or 0) < 6 * 2000
    base = exposure(analyze("maryland/high-card-flush/base/A"))
    assert base is not None
    assert (base.most, base.exact) == (6 * 4, False)


def test_an_open_pay_leaves_the_exposure_open() -> None:
    found = exposure(analyze(BLACKJACK + "super-4-progressive/A", decks=6))
    assert found is not None
    assert (found.most, found.exact) == (None, False)


def test_the_top_pay_is_one_that_can_be_won() -> None:
    assert analyze(BLACKJACK + "lucky-ladies/A", decks=1).top_pay == 10
    assert analyze(BLACKJACK + "lucky-ladies/A", decks=2).top_pay == 1000


def by_trying(pays: dict[tuple[int, int], Fraction], seats: int) -> Fraction:
    """The literal second way: every seating of two-card hands from one deck."""
    hands = [(p, x, y) for (x, y), p in pays.items() if p > 0]

    @cache
    def best(start: int, used: frozenset[int], left: int) -> Fraction:
        found = Fraction(0)
        for i in range(start, len(hands) if left else 0):
            p, x, y = hands[i]
            if x not in used and y not in used:
                found = max(found, p + best(i + 1, used | {x, y}, left - 1))
        return found

    return best(0, frozenset(), seats)


def test_packing_by_every_way_to_seat_hands(tmp_path: Path) -> None:
    """A wager on kings and queens alone, so that every seating can be tried: suited K-Q pays 5, K-K pays 3."""
    found = exposure(analysed(tmp_path, '[[wager]]\nbased_on = "maryland/blackjack/royal-match-21"\n'
                                        '[wager.paytable.x]\n"royal match" = "5 to 1"\n', decks=1))
    kings, queens = [11, 24, 37, 50], [10, 23, 36, 49]
    pays = {
        (x, y): Fraction(5 if x // 13 == y // 13 else -1) for x, y in combinations(sorted(kings + queens), 2)
    }
    assert found is not None
    assert found.most == by_trying(pays, 7) == 20


@pytest.mark.parametrize(
    ("deal", "shared", "first", "second"),
    [
        ("player 2, upcard 1", "", "suited(cards) and total(cards) >= 15", "same_rank(cards)"),
        ("player 2, upcard 1", "", "pair(player)", 'matches(player, upcard) >= 1'),
        ("player 1, board 1", "", "same_colour(cards) and pair(cards)", 'total(cards) >= 15'),
        ("player 2, extra card 1", 'shared = ["extra card"]', "suited(cards)", "pair(player)"),
        ("player 1, upcard 1, hole card 1", "", "three_of_a_kind(cards)", "pair(upcard + hole_card)"),
        ("player 1, upcard 1, hole card 1", "", "matches(player, upcard) == 1", 'count(hole_card, "red") == 1'),
        ("player 1, dealer 2", "", 'total(player) >= 6 and count(dealer, "h") == 1', "pair(dealer)"),
        ("player 2, board 2", "", 'count(cards, "5h 6h 7h 8h") == 4', "suited(player)"),
        ("player 1, bonus 1, board 1", "", 'total(player) == 5 and count(bonus, "7h") == 1', "suited(bonus + board)"),
    ],
)  # fmt: skip
def test_the_liability_of_two_seats_by_every_deal_of_a_small_deck(
    deal: str, shared: str, first: str, second: str, tmp_path: Path
) -> None:
    """Eleven cards: every hand of two seats beside every hand that they share."""
    kept = [card(word) for word in ["5h", "5d", "5c", "6h", "6d", "7h", "7s", "8h", "8d", "4h", "4s"]]
    gone = tuple(c for c in range(52) if c not in kept)
    a = analysed(tmp_path, wager_file(deal, {"first": (first, "7 to 1"), "second": (second, "2 to 1")},
                                 more=f"seats = 2\n{shared}\n"), without=gone)
    roles = {part.rsplit(" ", 1)[0]: int(part[-1]) for part in deal.split(", ")}
    own = {role: n for role, n in roles.items() if role in ("player", "bonus")}
    theirs = {role: n for role, n in roles.items() if role not in own}
    conditions = [parse(first, roles), parse(second, roles)]

    def net(hands: dict[str, tuple[int, ...]]) -> int:
        named = {role: [name(c) for c in cards] for role, cards in hands.items()}
        return 7 if holds(conditions[0], named) else 2 if holds(conditions[1], named) else 0

    def dealt(
        numbers: dict[str, int], cards: tuple[int, ...]
    ) -> Iterator[tuple[dict[str, tuple[int, ...]], list[int]]]:
        if not numbers:
            yield {}, list(cards)
            return
        role, n = next(iter(numbers.items()))
        for hand in combinations(cards, n):
            left = tuple(c for c in cards if c not in hand)
            for rest, after in dealt({r: m for r, m in numbers.items() if r != role}, left):
                yield {role: hand, **rest}, after

    most = 0
    for board, left in dealt(theirs, tuple(kept)):
        each = [(net({**board, **mine}), {c for hand in mine.values() for c in hand})
                for mine, _ in dealt(own, tuple(left))]
        most = max(most, *(x for x, _ in each), *(x + y for (x, s), (y, t) in combinations(each, 2) if not s & t))
    cost = exposure(a)
    assert cost is not None
    assert (cost.exact, cost.most) == (True, most)


def test_every_seat_of_a_game_may_win_the_top(tmp_path: Path) -> None:
    """Chase the Flush: without a meter the seats' bound is the top pay of each."""
    a = chase_the_flush()
    found = exposure(a)
    assert found is not None
    assert found.most == found.seats * a.top_pay
