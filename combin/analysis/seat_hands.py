"""Joint counts of the hands of several seats: the probability that the first seats all have given outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, prod

import numpy as np

from ..base import budgets
from ..base.caches import cached
from ..deals import disjoint, twenties
from ..deals.cards import CARD_TYPES
from ..deals.deal_kinds import FirstCards, PlayedByChart, SevenCards
from ..deals.first_cards import Deal
from ..deals.seven_cards import STRAIGHT_FLUSHES, mask_features
from ..deals.table import Table, deal_count
from ..games.outcome import Outcome
from ..wagers.columns import Columns
from ..wagers.wager_outcomes import conditions_of, deal_of, is_stated, seen_deal
from .record import AnalysisRecord
from .settle import outcome_of_rows, straight_column

#: Number of seats with an outcome of each kind.
Counts = tuple[int, ...]


def together(a: AnalysisRecord, kind_of: Callable[[Outcome], int], kinds: int) -> Callable[..., Fraction] | None:
    """Return P(the first i seats have outcomes of kind 0, the next j of kind 1, …) as a function of i, j, …

    ``kind_of`` maps an outcome to one of ``kinds`` kinds, or to -1 for none. Returns None if the seats' hands are not
    counted jointly: hands with decisions, and outcomes from a function.
    """
    deal = deal_of(a.resolved)
    kind = {o.line: kind_of(o) for o in a.outcomes}
    if isinstance(deal, SevenCards):
        return _of_seven(a, kind)
    if isinstance(deal, PlayedByChart):
        return _of_twenties(a, kind)
    if not _is_listed(a):
        return None
    if a.wheel is None:
        return _of_first_cards(a, kind)
    # The seats' spins are independent; a symbol resets the meter, or wins a share.
    of_symbol = {o.symbol: kind_of(o) for o in a.outcomes if o.symbol}
    spun = [sum(Fraction(a.wheel.weights[s], sum(a.wheel.weights.values())) for s, _ in a.wheel.symbols
                if of_symbol.get(s, -1) == k) for k in range(kinds)]
    spinning = _of_first_cards(a, _spinning(a))
    return lambda *counts: prod(p**n for p, n in zip(spun, counts, strict=True)) * spinning(sum(counts))


def _of_twenties(a: AnalysisRecord, kinds: Mapping[str, int]) -> Callable[..., Fraction] | None:
    """Return the joint probabilities for a meter that a player's 20 and a dealer's drawn 21 reset; None otherwise."""
    deal, shoe = deal_of(a.resolved, a.request.chart), a.shoe
    assert isinstance(deal, PlayedByChart)
    table = deal.table(shoe)
    lines = zip(outcome_of_rows(table, a.resolved), table["player_twenty"], table["dealer_21_cards"], strict=True)
    hits = {(int(twenty), int(cards)) for name, twenty, cards in lines if kinds.get(name, -1) == 0}
    if max(kinds.values()) > 0 or not all(twenty and cards > 2 for twenty, cards in hits):
        return None
    dealer_cards = frozenset(cards for _, cards in hits)
    return lambda hit, *shares: Fraction(0) if any(shares) else twenties.all_twenties(
        shoe, deal.chart, hits_soft_17=deal.hits_soft_17, twenty=deal.options.twenty, dealer_cards=dealer_cards,
        seats=hit) if hit else Fraction(1)


def _spinning(a: AnalysisRecord) -> Mapping[str, int]:
    return {name: 0 if pay.spin else -1 for name, pay in a.resolved.payments}


def both_spin(a: AnalysisRecord) -> Fraction | None:
    """Return the probability that two seats both spin. Returns None if their joint distribution is unknown."""
    return None if a.wheel is None or not _is_listed(a) else _of_first_cards(a, _spinning(a))(2)


def _of_seven(a: AnalysisRecord, kinds: Mapping[str, int]) -> Callable[..., Fraction] | None:
    """Return the joint probabilities of hands of seven cards; the caller checks one hand against the analysis."""
    column = straight_column(a.resolved)
    if column is None:
        return None
    masks = [m for m in range(1 << disjoint.RANKS) if m.bit_count() in (disjoint.LEAST, disjoint.CARDS)]
    features = mask_features(np.array(masks))
    length = features[:, STRAIGHT_FLUSHES.index(column)]
    columns = {column: length, "quads": np.zeros(len(masks), np.int64), "nine_to_ace": features[:, -1],
               "flush": np.array([m.bit_count() for m in masks])}
    table = Table(columns, np.ones(len(masks), np.int64), len(masks), len(masks))
    kind_of = dict(zip(masks, (kinds.get(name, -1) for name in outcome_of_rows(table, a.resolved)), strict=True))
    kind = {mask: k for (mask, k), n in zip(kind_of.items(), length, strict=True) if k >= 0 and n >= disjoint.LEAST}
    return lambda *counts: Fraction(disjoint.seven_card_sets(kind, *counts), disjoint.seven_card_deals(sum(counts)))


def _cards_by_part(a: AnalysisRecord) -> tuple[dict[str, int], int]:
    """Return the number of cards of each hand that all seats share, and the number of a seat's cards."""
    terms = a.resolved.terms
    roles = {role.name: role.cards for role in Deal(terms.deal).roles}
    shared = {name: n for name, n in roles.items() if name in terms.shared_roles} or {"": terms.dealer_cards}
    return shared, sum(roles.values()) - sum(shared.values())


def _is_listed(a: AnalysisRecord) -> bool:
    """Return whether conditions settle first cards, so few of a seat and of shared hands that they are enumerated."""
    if type(deal_of(a.resolved)) is not FirstCards or a.resolved.terms.depends_on_play or not is_stated(
            a.resolved.terms):
        return False
    shared, seat_cards = _cards_by_part(a)
    beside = prod(comb(CARD_TYPES - 1 + n, n) for n in shared.values())
    # Each shared hand has an array with an axis of 52 for each card of a seat; orbits under suits have up to 24 of
    # them.
    return beside <= budgets.HANDS_BESIDE and CARD_TYPES**seat_cards * max(1, beside // 24) <= budgets.SEAT_CELLS


def _of_first_cards(a: AnalysisRecord, kinds: Mapping[str, int]) -> Callable[..., Fraction]:
    """Return the joint probabilities of hands from a shoe, for one of the dealer's hands in each orbit under suits."""
    shoe = a.shoe
    seat_cards, theirs, settled = _settled(a)
    of_line = np.array([*(kinds.get(name, -1) for name, _ in a.resolved.payments), -1], np.int8)
    paid_hands = [(ways, kind, left) for ways, lines, left in settled if ((kind := of_line[lines]) >= 0).any()]

    @cache
    def hands(kinds_of: int, seats: int) -> Counter[Counts]:
        sets: Counter[Counts] = Counter()
        for ways, kind, left in paid_hands:
            for counts, n in disjoint.small_sets(kind, left, kinds_of, seats).items():
                sets[counts] += ways * n
        return sets

    def together(*counts: int) -> Fraction:
        if not any(counts):  # dealer's hands without a hit are omitted
            return Fraction(1)
        seats = sum(counts)
        return Fraction(hands(len(counts), seats)[counts], deal_count(shoe.size, (*theirs, *[seat_cards] * seats)))

    return together


@cached("settled hands of a seat for each dealer's hand, by analysis", most=1)
def _settled(a: AnalysisRecord) -> tuple[int, tuple[int, ...], list[tuple[int, np.ndarray, tuple[int, ...]]]]:
    """Return numbers of cards of a seat and of shared hands, and (ways, line of a seat's hand, cards left) for each."""
    terms, shoe = a.resolved.terms, a.shoe
    roles = {role.name: role.cards for role in Deal(terms.deal).roles}
    theirs, seat_cards = _cards_by_part(a)
    each = [list(combinations_with_replacement(range(CARD_TYPES), n)) for n in (*theirs.values(), seat_cards)]
    mine = np.array(each[-1])
    settled: list[tuple[int, np.ndarray, tuple[int, ...]]] = []
    for dealer, times in _dealers(each[:-1], seen_deal(a.resolved).group(shoe)).items():
        left = list(shoe.copies)
        ways = times
        for part in dealer:
            for c in set(part):
                ways *= comb(left[c], part.count(c))
                left[c] -= part.count(c)
        if ways:
            settled.append((ways, _lines(a, roles, theirs, dealer, mine), tuple(left)))
    return seat_cards, tuple(theirs.values()), settled


def _dealers(
    each: list[list[tuple[int, ...]]], group: tuple[tuple[int, ...], ...]
) -> dict[tuple[tuple[int, ...], ...], int]:
    """Return one of the dealer's hands of each orbit under permutations of suits, with the size of the orbit."""
    orbits: dict[tuple[tuple[int, ...], ...], int] = {}
    for hand in product(*each):
        first = min(tuple(tuple(sorted(13 * p[c // 13] + c % 13 for c in part)) for part in hand) for p in group)
        orbits[first] = orbits.get(first, 0) + 1
    return orbits


def _lines(
    a: AnalysisRecord, roles: Mapping[str, int], theirs: Mapping[str, int], dealer: tuple[tuple[int, ...], ...],
    mine: np.ndarray,
) -> np.ndarray:
    """Return the line of each seat's hand given this dealer's hand, -1 for none, with an axis for each of its cards."""
    shown = dict(zip(theirs, dealer, strict=True))
    columns: dict[str, np.ndarray] = {}
    start = 0
    for name, n in roles.items():
        if name in shown:
            cards = np.tile(np.array(shown[name]), (len(mine), 1))
        else:
            beside = np.array(shown.get("", ()), int)
            held = n - len(beside)
            cards = np.hstack([mine[:, start : start + held], np.tile(beside, (len(mine), 1))])
            start += held
        columns[f"{name}.rank"], columns[f"{name}.suit"] = cards % 13, cards // 13
    seen = Columns(columns, len(mine), {name: (name,) for name in roles})
    known = conditions_of(a.resolved.terms)
    indices = [k for k, (name, _) in enumerate(a.resolved.payments) if name in known]
    line = np.array([*indices, -1])[seen.first_of([known[a.resolved.payments[k][0]] for k in indices])]
    lines = np.full((CARD_TYPES,) * mine.shape[1], -1, np.int8)
    for order in permutations(range(mine.shape[1])):
        lines[tuple(mine[:, k] for k in order)] = line
    return lines
