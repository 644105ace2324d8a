"""The independent method for drawn-out hands: the drawing rules restated, with named cards.

The dealer's hand is drawn card by card, the hands of baccarat by a table of rules. The plain evaluator settles each
final hand. Suits are represented by examples: a hand of hearts, of red cards, of both colours. If conditions depend on
suits of several hands, rounds are dealt at random instead.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, perm, prod
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from ..deals.deal_kinds import Baccarat, DealerDrawsOut
from ..deals.first_cards import LENSES
from ..deals.lenses import Role
from ..rulebook.pays import LOSS
from ..wagers.condition_tree import Call, calls_of
from ..wagers.wager_outcomes import roles_of
from . import draws, line_counts, simulate_draws
from .bad_beat import draws_on
from .cards_dealt import Parcel, deal_cards
from .chance import detectable, judged
from .conditions import DRAWN, SEED, Lines, lines_of, settled_deals, settler, tallied
from .model import Check, not_checked
from .settle_literal import settler_of
from .shoe import NAMES, LookedAt, Undealt, weight

RANKS = "A23456789TJQK"
#: With more deals than this, rounds are dealt at random.
MOST_SETTLED = 1_500_000
#: Words that depend only on the values of cards, or only on suits.
BY_VALUE = {"size", "total", "hard_total", "soft", "blackjack", "baccarat", "suited", "same_colour"}
BY_SUIT = {"suited", "same_colour", "straight_flush", "suits", "most_of_a_suit", "longest_flush", "suit_matches",
           "suited_matches", "longest_straight_flush", "poker"}  # fmt: skip
#: The cards of each hand of a round.
Round = Mapping[str, tuple[str, ...]]
#: The parts of the dealer's hand that conditions may name.
PARTS = ("upcard", "hole card")


class _Looks:
    """The dependence of conditions on ranks and suits, from their words."""

    def __init__(self, lines: Lines) -> None:
        self.calls = [call for _, node in lines for call in calls_of(node)]

    def roles(self) -> set[str]:
        return {role for call in self.calls for hand in call.hands for role in hand.roles}

    def by_rank(self, *roles: str) -> bool:
        """Return whether ranks of equal value are distinguished in one of these roles."""
        return any(call.word not in BY_VALUE for call in self._of(roles))

    def by_suit(self, *roles: str) -> bool:
        return any(call.word in BY_SUIT or not _whole_ranks(call) for call in self._of(roles))

    def _of(self, roles: Sequence[str]) -> Iterator[Call]:
        return (call for call in self.calls if any(r in roles for hand in call.hands for r in hand.roles))


def _whole_ranks(call: Call) -> bool:
    """Return whether the cards that a word counts are complete ranks of four suits."""
    return all(sum(c % 13 == other % 13 for other in call.cards) == 4 for c in call.cards)


def _value(rank: str) -> int:
    """Return the points of a card, an ace as one."""
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def _alphabet(by_rank: bool) -> tuple[tuple[str, int], ...]:
    """Return a rank of each kind of card, with the number of its cards in a deck."""
    return tuple((rank, 4) for rank in RANKS) if by_rank else (*((rank, 4) for rank in RANKS[:9]), ("T", 16))


def dealer(a: Analysis, deal: DealerDrawsOut) -> Iterator[Check]:
    """Yield checks of the dealer's final hand and of first cards dealt with it."""
    if settler_of(a.resolved.terms.settlement) is not None:
        yield from draws.checks(a, deal, with_player=_has_player(deal))
        return
    again = _dealers(lines_of(a.resolved), roles_of(deal.text), deal.hits_soft_17, a.decks)
    if again is None:
        yield from _sampled(deal_rounds(a, deal, DRAWN, np.random.Generator(np.random.PCG64(SEED))), a)
    else:
        method = "every draw of the dealer, card by card, settled from named cards in plain Python"
        yield line_counts.probabilities(a, method, again)


def _has_player(deal: DealerDrawsOut) -> bool:
    return len(roles_of(deal.text)) > 1 + len(PARTS)


@cached("ordered draws of the dealer, by house rule and kinds of cards", most=8)
def _ordered(hits_soft_17: bool, by_rank: bool, in_order: bool) -> Counter[tuple[str, str]]:
    """Return numbers of draw orders by the first two cards, if they matter, and the sorted ranks of the others."""
    orders: Counter[tuple[str, str]] = Counter()
    points = [(rank, _value(rank)) for rank, _ in _alphabet(by_rank)]

    def draw(hand: str, total: int, ace: bool) -> None:
        if hand and not draws_on(total, ace, hits_soft_17):
            first = 2 if in_order else 0
            orders[hand[:first], "".join(sorted(hand[first:]))] += 1
            return
        for rank, value in points:
            draw(hand + rank, total + value, ace or rank == "A")

    draw("", 0, False)
    return orders


#: Suits of a hand by example: of one suit, of one colour, of both colours.
SUITS = {"one": "hh", "colour": "hd", "both": "hs"}


def _suits(ranks: str, copies: Mapping[str, int], decks: int) -> dict[str, int]:
    """Return the number of ways to draw these ranks in order, by the kind of their suits."""
    held = Counter(ranks)

    def ways(of_four: int) -> int:
        """Return the number of ways to draw from this number of the four suits."""
        return prod(perm(copies[rank] // 4 * of_four * decks, n) for rank, n in held.items())

    one, colour = 4 * ways(1), 2 * ways(2)
    return {"one": one, "colour": colour - one, "both": ways(4) - colour}


def _dealers(lines: Lines, roles: Mapping[str, int], hits_soft_17: bool, decks: int) -> Mapping[str, Fraction] | None:
    """Return the exact probability of every line and the loss.

    Returns None if suits of several hands matter, or if there are too many deals.
    """
    looks = _Looks(lines)
    others = [(role, number) for role, number in roles.items() if role not in ("dealer", *PARTS)]
    suited, typed = looks.by_suit("dealer"), looks.by_suit(*(role for role, _ in others))
    if looks.by_suit(*PARTS) or (suited and typed):
        return None
    copies = dict(_alphabet(looks.by_rank(*roles)))
    cards = NAMES if typed else tuple(rank + "s" for rank in copies)
    hands = _ordered(hits_soft_17, len(copies) == len(RANKS), bool(looks.roles() & {*PARTS}))
    sums: dict[tuple[str, int, int], int] = defaultdict(int)
    settle, settled = settler(lines), 0
    undealt: dict[str, Any] = {role: Undealt() for role, _ in others}

    def deal(hand: Mapping[str, Any], drawn: Counter[str], ways: int, dealt: int, before: tuple[str, ...]) -> bool:
        """Add up the deals for a dealer's hand. Returns False if there are too many."""
        nonlocal settled
        settled += 1
        try:
            line = settle({**undealt, **hand})
        except LookedAt:
            role, number = others[dealt]
            for held in combinations_with_replacement(cards, number):
                here = ways * prod(comb(left(card, drawn, before), held.count(card)) for card in set(held))
                if here and not deal({**hand, role: held}, drawn, here, dealt + 1, before + held):
                    return False
            return settled <= MOST_SETTLED
        if typed:  # the dealer draws after these roles, with unknown suits
            gone = Counter(card[0] if card[0] in copies else "T" for card in before)
            ways *= prod(perm(copies[rank] * decks - gone[rank], n) for rank, n in drawn.items())
        sums[line, dealt, drawn.total()] += ways
        return settled <= MOST_SETTLED

    def left(card: str, drawn: Counter[str], before: tuple[str, ...]) -> int:
        """Return the number of such cards that are left."""
        number = decks if typed else copies[card[0]] * decks - drawn[card[0]]
        return max(number - before.count(card), 0)

    for (first, rest), orders in hands.items():
        ranks = first + rest
        for kind, number in _suits(ranks, copies, decks).items() if suited else [("one", None)]:
            pattern, drawn = SUITS[kind], Counter(ranks)
            dealer_cards = (ranks[0] + pattern[0], *(rank + pattern[1] for rank in ranks[1:]))
            if number is None:
                number = 1 if typed else prod(perm(copies[rank] * decks, n) for rank, n in drawn.items())
            hand = {"dealer": dealer_cards, "upcard": dealer_cards[:1], "hole card": dealer_cards[1:2]}
            if number and not deal(hand, drawn, orders * number, 0, ()):
                return None
    return _fractions(sums, lines, [number for _, number in others], 52 * decks)


def _fractions(
    sums: Mapping[tuple[str, int, int], int], lines: Lines, sizes: Sequence[int], size: int
) -> Mapping[str, Fraction]:
    """Return probabilities from ways, by line, number of other roles dealt, and cards of the dealer."""
    probabilities = {**{line: Fraction(0) for line, _ in lines}, LOSS: Fraction(0)}
    for (line, dealt, drawn), ways in sums.items():
        deals, left = 1, size
        for cards in sizes[:dealt]:
            deals, left = deals * comb(left, cards), left - cards
        probabilities[line] += Fraction(ways, deals * perm(left, drawn))
    return probabilities


# ---- baccarat

#: The values of the player's third card with which a banker draws, by the banker's points.
BANKER_DRAWS = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67"}


def _points(ranks: Iterable[str]) -> int:
    return sum(map(_value, ranks)) % 10


def finished(player: str, banker: str, third: Iterator[str]) -> tuple[str, str]:
    """Return both hands by the third-card rule, as ranks; ``third`` gives the cards in turn."""
    if _points(player) >= 8 or _points(banker) >= 8:
        return player, banker
    if _points(player) >= 6:
        return player, banker + next(third) if _points(banker) <= 5 else banker
    card = next(third)
    draws_too = str(_points(card)) in BANKER_DRAWS.get(_points(banker), "")
    return player + card, banker + next(third) if draws_too else banker


def baccarat(a: Analysis, deal: Baccarat) -> Iterator[Check]:
    """Yield checks of the two hands of baccarat."""
    lines = lines_of(a.resolved)
    looks = _Looks(lines)
    method = "every hand of player and banker, settled from named cards in plain Python"
    hands = ("player", "banker")
    if not looks.roles() & {*hands}:
        roles = tuple(Role(role, 2, LENSES["card"]) for role in sorted(looks.roles()))
        counts: Counter[str] = Counter()
        for (line, pattern), number in settled_deals(roles, lines, min(a.decks, 4)).items():
            counts[line] += number * weight(pattern, roles, a.decks)
        total = sum(counts.values())
        yield line_counts.probabilities(a, method, {line: Fraction(n, total) for line, n in counts.items()})
    elif looks.by_suit(*looks.roles()):
        yield from _sampled(baccarat_rounds(DRAWN, a.decks, np.random.Generator(np.random.PCG64(SEED))), a)
    else:
        yield line_counts.counts(a, method, _counts(lines, looks, a.decks))


def _counts(lines: Lines, looks: _Looks, decks: int) -> Mapping[str, int]:
    """Return the number of ordered deals of six cards by line."""
    kinds = dict(_alphabet(looks.by_rank(*looks.roles())))
    counts: Counter[str] = Counter(dict.fromkeys((*(line for line, _ in lines), LOSS), 0))
    settle, size = settler(lines), 52 * decks
    pairs = list(combinations_with_replacement(kinds, 2))
    for player in pairs:
        for banker in pairs:
            for hands in _drawn("".join(player), "".join(banker), kinds):
                cards = Counter("".join(hands))
                orders = 1 if player[0] == player[1] else 2
                orders *= 1 if banker[0] == banker[1] else 2
                ways = prod(perm(kinds[rank] * decks, n) for rank, n in cards.items())
                used = sum(cards.values())
                dealt = _both(*(tuple(rank + "s" for rank in hand) for hand in hands))
                counts[settle(dealt)] += orders * ways * perm(size - used, 6 - used)
    return counts


def _both(player: tuple[str, ...], banker: tuple[str, ...]) -> Round:
    """Return both hands and their first two cards, by the words of conditions."""
    hands = {"player": player, "banker": banker}
    return {**hands, **{f"first_two({name})": hand[:2] for name, hand in hands.items()}}


def _drawn(player: str, banker: str, kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield every way to complete two hands."""
    for first in kinds:
        try:
            hands = finished(player, banker, iter(first))
        except StopIteration:
            for second in kinds:
                yield finished(player, banker, iter(first + second))
            continue
        if len(hands[0]) + len(hands[1]) == 4:
            yield hands
            return
        yield hands


# ---- rounds dealt at random


def deal_rounds(a: Analysis, deal: DealerDrawsOut, rounds: int, random: np.random.Generator) -> Iterator[Round]:
    """Yield rounds of first cards and of a dealer who draws out."""
    roles = roles_of(deal.text)
    sizes = [(role, number) for role, number in roles.items() if role not in ("dealer", *PARTS)]
    cards = deal_cards(random, rounds, sum(n for _, n in sizes) + simulate_draws.DEALER_CARDS, a.decks)
    for row in cards.tolist():
        names, hands, start = [NAMES[c] for c in row], {}, 0
        for role, number in sizes:
            hands[role], start = tuple(names[start : start + number]), start + number
        stop, points, ace = start, 0, False
        while stop == start or draws_on(points, ace, deal.hits_soft_17):
            rank = names[stop][0]
            points += _value(rank)
            ace, stop = ace or rank == "A", stop + 1
        drawn = tuple(names[start:stop])
        yield {**hands, "dealer": drawn, "upcard": drawn[:1], "hole card": drawn[1:2]}


def baccarat_rounds(rounds: int, decks: int, random: np.random.Generator) -> Iterator[Round]:
    """Yield rounds of baccarat: cards go to player, banker, player, banker, then by the rule."""
    for row in deal_cards(random, rounds, 6, decks).tolist():
        names = [NAMES[c] for c in row]
        ranks = [card[0] for card in names]
        player, banker = finished(ranks[0] + ranks[2], ranks[1] + ranks[3], iter(ranks[4:]))
        third = names[4:]
        yield _both((names[0], names[2], *(third.pop(0) for _ in player[2:])),
                    (names[1], names[3], *(third.pop(0) for _ in banker[2:])))


def _sampled(rounds: Iterable[Round], a: Analysis) -> Iterator[Check]:
    settle = settler(lines_of(a.resolved))
    counts = Counter(settle(hands) for hands in rounds)
    dealt = counts.total()
    for o in a.outcomes:
        check = judged(f"sampled {o.outcome}", counts[o.outcome], dealt, o.probability, SEED)
        detects = detectable(o.probability, dealt)
        if check.passed and detects > 1:  # a count twice as large would agree
            yield not_checked(check.what, f"too rare for {dealt:,} rounds ({check.result})")
        else:
            yield replace(check, detects=detects or None,
                          result=f"{check.result}; smallest detectable error {100 * detects:.2g} %")


def parcel(a: Analysis, deal: DealerDrawsOut | Baccarat, names: Sequence[str]) -> Parcel | None:
    """Return a function that deals random rounds, settled from named cards."""
    if isinstance(deal, DealerDrawsOut) and settler_of(a.resolved.terms.settlement) is not None:
        return simulate_draws.parcel(a, deal, names, player_cards=2 if _has_player(deal) else 0)
    return tallied(a, names, lambda random, rounds: (
        deal_rounds(a, deal, rounds, random) if isinstance(deal, DealerDrawsOut)
        else baccarat_rounds(rounds, a.decks, random)))
