"""How many seats of one round hit a meter: the joint law of the hands of a table.

Where the hands of the seats are known together, the chance that the first i seats reset the meter and the next j take a
share of each size is counted exactly; the distribution of the numbers follows by inclusion and exclusion. Seats share
the dealer's cards, so that a meter on the dealer's hand is hit by all seats or by none. Elsewhere the number of winners
is not computed: `combin simulate` deals the rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..analysis import wheels
from ..analysis.liability import SEATS, SHARED
from ..analysis.settle import outcome_of_rows
from ..base.caches import cached
from ..base.errors import fault
from ..deals import dealer_draws, disjoint
from ..deals.cards import CARD_TYPES, Shoe
from ..deals.deal_kinds import DealerDraws, FirstCards, PlayedByChart, SevenCards
from ..deals.first_cards import Deal
from ..deals.seven_beside import STRAIGHTS
from ..deals.seven_cards import mask_features
from ..deals.table import Table, deal_count
from ..rulebook.parameters import Meter
from ..wagers.columns import Columns
from ..wagers.wager_outcomes import conditions_of, deal_of, is_stated
from . import long_run

if TYPE_CHECKING:
    from ..analysis.model import Analysis
    from ..analysis.outcome import Outcome

#: Seats of Bad Beat whose hands are counted together when they are played out: three seats have
#: 200,000 hands and take seconds, four have a million and are not computed.
EXACT_TWENTIES = 3
#: Seats that reset the meter, then seats that take a share, for each size of a share.
Counts = tuple[int, ...]


@dataclass(frozen=True)
class Winners:
    """The law of a round of ``seats``: (seats that reset the meter, seats that take a share, by size) to probability.

    ``sizes`` are those of the shares that leave the meter without a reset; one size stands where there is none.
    """

    seats: int
    law: Mapping[Counts, Fraction]
    sizes: tuple[Fraction, ...]

    @property
    def hit(self) -> Fraction:
        """The probability of at least one hit in a round."""
        return sum((p for counts, p in self.law.items() if counts[0]), Fraction(0))

    @property
    def several(self) -> Fraction:
        """The probability that two seats or more hit in one round."""
        return sum((p for counts, p in self.law.items() if counts[0] > 1), Fraction(0))


def most_seats(a: Analysis) -> int | None:
    """The seats of a table; None where no document states them."""
    return SEATS.get(a.id.split("/")[1])


def winners(a: Analysis, meter: Meter, seats: int) -> Winners | None:
    """Distribution of the seats that hit the meter, and that take a share without a reset, in one round.

    Returns None where the hands of so many seats are not counted together.
    """
    sizes = tuple(sorted({s for o in a.outcomes if o.probability and (s := share_of(a, meter, o))})) or (Fraction(0),)
    one = [sum((Fraction(o.probability) for o in a.outcomes if _kind(a, meter, o.outcome, sizes) == k), Fraction(0))
           for k in range(len(sizes) + 1)]
    alone = [tuple(int(k == n) for n in range(len(one))) for k in range(len(one))]
    deal = deal_of(a.resolved)
    if seats == 1 or type(deal) is DealerDraws:  # the dealer's hand is every seat's
        law = {tuple(seats * n for n in unit): p for unit, p in zip(alone, one, strict=True)}
        return Winners(seats, _some({**law, (0,) * len(one): 1 - sum(one, Fraction(0))}), sizes)
    if seats > EXACT_TWENTIES and _is_played_out(deal):
        return None
    together = _together(a, meter, sizes)
    if together is None or any(together(*unit) != p for unit, p in zip(alone, one, strict=True)):
        return None
    chosen = {
        counts: Fraction(factorial(seats), prod(map(factorial, (*counts, seats - sum(counts))))) * together(*counts)
        for counts in product(*(range(seats + 1 if p else 1) for p in one)) if sum(counts) <= seats
    }
    law = {
        counts: sum((prod((-1) ** (k - i) * comb(k, i) for k, i in zip(more, counts, strict=True)) * p
                     for more, p in chosen.items() if all(k >= i for k, i in zip(more, counts, strict=True))),
                    Fraction(0))
        for counts in chosen
    }
    return Winners(seats, _some(law), sizes)


def _is_played_out(deal: Any) -> bool:
    """Whether the seats' hands are played out, so that only a few of them are counted together."""
    return isinstance(deal, PlayedByChart) and deal.options.twenty == "final-total"


def counted_seats(a: Analysis, meter: Meter, seats: int) -> int:
    """The greatest number of seats, up to ``seats``, of which `winners` counts the winners of a round."""
    return next(n for n in range(seats, 0, -1) if winners(a, meter, n) is not None)


def check_seats(a: Analysis, seats: int) -> None:
    """Raise `InputError` for more seats than a table has by its document."""
    allowed = most_seats(a)
    if allowed is not None and seats > allowed:
        raise fault(f"a table of {a.id} has at most {allowed} seats, not {seats}",
                    "each table's round moves the meter by itself: give the seats of one table", file="--seats")


def fewer_seats(a: Analysis) -> str:
    """What to ask for instead where `winners` is None."""
    few = f"1 to {EXACT_TWENTIES} seats" if _is_played_out(deal_of(a.resolved)) else "1 seat"
    return f"give {few}, or deal the table: combin simulate"


def _some(law: Mapping[Counts, Fraction]) -> Mapping[Counts, Fraction]:
    """A law without what does not occur."""
    return {counts: p for counts, p in law.items() if p}


def share_of(a: Analysis, meter: Meter, outcome: Outcome) -> Fraction:
    """The share of the meter that an outcome is paid without a reset; 0 for others."""
    if outcome.pay is None or long_run.is_hit_by(outcome.outcome, meter):
        return Fraction(0)
    return sum((s for name, s in outcome.pay.shares if name == meter.name), Fraction(0))


def _kind(a: Analysis, meter: Meter, outcome: str, sizes: tuple[Fraction, ...]) -> int:
    """0 for an outcome that resets the meter, from 1 on for the size of the share that it takes, -1 for others."""
    if long_run.is_hit_by(outcome, meter):
        return 0
    share = next((share_of(a, meter, o) for o in a.outcomes if o.outcome == outcome), Fraction(0))
    return 1 + sizes.index(share) if share in sizes and share else -1


def _together(a: Analysis, meter: Meter, sizes: tuple[Fraction, ...]) -> Callable[..., Fraction] | None:
    """P(the first i seats reset the meter and the next take a share of each size); None without a joint law."""
    deal = deal_of(a.resolved)
    kinds = {o.outcome: _kind(a, meter, o.outcome, sizes) for o in a.outcomes}
    if isinstance(deal, SevenCards):
        return _of_seven(a, kinds)
    if isinstance(deal, PlayedByChart):
        return _of_twenties(a, kinds)
    if not isinstance(deal, FirstCards) or a.resolved.terms.depends_on_play or not is_stated(a.resolved.terms):
        return None
    if a.wheel is None:
        return _of_first_cards(a, deal, kinds)
    # Each seat that spins does so alone: its symbol resets the meter, or takes a share.
    spun = [sum(Fraction(a.wheel.weights[s], sum(a.wheel.weights.values())) for s, _ in a.wheel.symbols
                if _kind(a, meter, f", {s}", sizes) == k) for k in range(len(sizes) + 1)]
    spinning = _of_first_cards(a, deal, _spinning(a))
    return lambda *counts: prod(p**n for p, n in zip(spun, counts, strict=True)) * spinning(sum(counts))


def _of_twenties(a: Analysis, kinds: Mapping[str, int]) -> Callable[..., Fraction] | None:
    """A meter that is reset by a player's 20 and a dealer's 21 that is drawn; other lines have no joint law here."""
    deal, shoe = deal_of(a.resolved, a.request.chart), Shoe(a.decks, a.request.without)
    assert isinstance(deal, PlayedByChart)
    table = deal.table(shoe)
    lines = zip(outcome_of_rows(table, a.resolved), table["player_twenty"], table["dealer_21_cards"], strict=True)
    hits = {(int(twenty), int(cards)) for name, twenty, cards in lines if kinds.get(name, -1) == 0}
    if max(kinds.values()) > 0 or not all(twenty and cards > 2 for twenty, cards in hits):
        return None
    dealer_cards = frozenset(cards for _, cards in hits)
    return lambda hit, *shares: Fraction(0) if any(shares) else dealer_draws.all_twenties(
        shoe, deal.chart, hits_soft_17=deal.hits_soft_17, twenty=deal.options.twenty, dealer_cards=dealer_cards,
        seats=hit) if hit else Fraction(1)


def _spinning(a: Analysis) -> Mapping[str, int]:
    return {name: 0 if wheels.spins(pay) else -1 for name, pay in a.resolved.payments}


def both_spin(a: Analysis) -> Fraction | None:
    """The probability that two seats both spin the wheel; None where their hands have no joint law."""
    deal = deal_of(a.resolved)
    if a.wheel is None or a.resolved.terms.depends_on_play or not is_stated(a.resolved.terms):
        return None
    return _of_first_cards(a, deal, _spinning(a))(2) if type(deal) is FirstCards else None


def straight_column(a: Analysis) -> str | None:
    """The column of straight flushes under the ace rule of the wager."""
    columns = {"both": "straight_flush_both", "high": "straight_flush_high",
               "from-five-cards": "straight_flush_from_five", "five-cards-only": "straight_flush_five_only"}
    return columns.get(str(a.resolved.options.get("ace", "both")))


def _of_seven(a: Analysis, kinds: Mapping[str, int]) -> Callable[..., Fraction] | None:
    """Hands of seven cards; the caller holds the chance of one hand against the analysis."""
    column = straight_column(a)
    if column is None:
        return None
    masks = [m for m in range(1 << disjoint.RANKS) if m.bit_count() in (disjoint.LEAST, disjoint.CARDS)]
    features = mask_features(np.array(masks))
    length = features[:, STRAIGHTS.index(column)]
    columns = {column: length, "quads": np.zeros(len(masks), np.int64), "nine_to_ace": features[:, -1],
               "flush": np.array([m.bit_count() for m in masks])}
    table = Table(columns, np.ones(len(masks), np.int64), len(masks), len(masks))
    found = dict(zip(masks, (kinds.get(name, -1) for name in outcome_of_rows(table, a.resolved)), strict=True))
    kind = {mask: k for (mask, k), n in zip(found.items(), length, strict=True) if k >= 0 and n >= disjoint.LEAST}
    return lambda *counts: Fraction(disjoint.seven_card_sets(kind, *counts), disjoint.seven_card_deals(sum(counts)))


def _of_first_cards(a: Analysis, dealt: FirstCards, kinds: Mapping[str, int]) -> Callable[..., Fraction]:
    """Hands of a shoe beside the dealer's cards, for each dealer's hand that is no other's with suits exchanged."""
    shoe = Shoe(a.decks, a.request.without)
    own, theirs, settled = _settled(a, dealt)
    of_line = np.array([*(kinds.get(name, -1) for name, _ in a.resolved.payments), -1], np.int8)
    found = [(ways, kind, left) for ways, lines, left in settled if ((kind := of_line[lines]) >= 0).any()]

    @cache
    def hands(kinds_of: int, seats: int) -> Counter[Counts]:
        sets: Counter[Counts] = Counter()
        for ways, kind, left in found:
            for counts, n in disjoint.small_sets(kind, left, kinds_of, seats).items():
                sets[counts] += ways * n
        return sets

    def together(*counts: int) -> Fraction:
        if not any(counts):  # dealer's hands with which no seat hits are left out
            return Fraction(1)
        seats = sum(counts)
        return Fraction(hands(len(counts), seats)[counts], deal_count(shoe.size, (*theirs, *[own] * seats)))

    return together


@cached("hands beside each hand of the dealer, settled, by analysis", most=1)
def _settled(
    a: Analysis, dealt: FirstCards
) -> tuple[int, tuple[int, ...], list[tuple[int, np.ndarray, tuple[int, ...]]]]:
    """Cards of a seat; cards of the dealer's hands; for each of these (ways, the line of a seat's hand, cards left)."""
    terms, shoe = a.resolved.terms, Shoe(a.decks, a.request.without)
    roles = {role.name: role.cards for role in Deal(terms.deal).roles}
    theirs = {name: n for name, n in roles.items() if name in SHARED} or {"": terms.dealer_cards}
    own = sum(roles.values()) - sum(theirs.values())
    each = [list(combinations_with_replacement(range(CARD_TYPES), n)) for n in (*theirs.values(), own)]
    mine = np.array(each[-1])
    found: list[tuple[int, np.ndarray, tuple[int, ...]]] = []
    for dealer, times in _dealers(each[:-1], dealt.deal.group(shoe)).items():
        left = list(shoe.copies)
        ways = times
        for part in dealer:
            for c in set(part):
                ways *= comb(left[c], part.count(c))
                left[c] -= part.count(c)
        if ways:
            found.append((ways, _lines(a, roles, theirs, dealer, mine), tuple(left)))
    return own, tuple(theirs.values()), found


def _dealers(
    each: list[list[tuple[int, ...]]], group: tuple[tuple[int, ...], ...]
) -> dict[tuple[tuple[int, ...], ...], int]:
    """One of the dealer's hands of each orbit under exchange of suits, with their number."""
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    hands: list[tuple[tuple[int, ...], ...]] = [()]
    for part in each:
        hands = [(*hand, cards) for hand in hands for cards in part]
    for hand in hands:
        first = min(tuple(tuple(sorted(13 * p[c // 13] + c % 13 for c in part)) for part in hand) for p in group)
        found[first] = found.get(first, 0) + 1
    return found


def _lines(
    a: Analysis, roles: Mapping[str, int], theirs: Mapping[str, int], dealer: tuple[tuple[int, ...], ...],
    mine: np.ndarray,
) -> np.ndarray:
    """The line, -1 for none, of each seat's hand beside this dealer's hand, with an axis for each of its cards."""
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
    line, left = np.full(len(mine), -1), np.ones(len(mine), bool)
    for k, (name, _) in enumerate(a.resolved.payments):
        if name in known:
            met = seen.value(known[name]) & left
            line[met] = k
            left &= ~met
    found = np.full((CARD_TYPES,) * mine.shape[1], -1, np.int8)
    for order in permutations(range(mine.shape[1])):
        found[tuple(mine[:, k] for k in order)] = line
    return found


__all__ = ["Winners", "both_spin", "check_seats", "counted_seats", "fewer_seats", "most_seats", "share_of",
           "straight_column", "winners"]
