"""The independent method for conditions: deals of named cards, settled one by one by the plain evaluator.

It uses no class, lens, seat or array; the roles are those that the deal names. If deals are few, every multiset of card
types is settled once and weighted for the shoe. Otherwise deals are sampled in strata, and counts are judged by their
standard errors (`combin.verify.strata`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, prod

import numpy as np

from ..analysis.model import Analysis
from ..base.caches import cached
from ..deals.deal_kinds import FirstCards, SevenCards
from ..deals.first_cards import Deal
from ..deals.lenses import Role
from ..rulebook.book import Resolved
from ..rulebook.pays import LOSS
from ..wagers.condition_tree import Node, calls_of
from ..wagers.literal import NamedDeal, compiled
from ..wagers.wager_outcomes import conditions_of, is_stated
from . import line_counts, seven_cards, shoe, side_bets, simulate_first_cards, strata
from .cards_dealt import Parcel, deal_cards
from .model import Check
from .shoe import NAMES, Pattern, settled_one_by_one, weight

#: Maximum number of deals of card types that are settled one by one.
MOST_DEALS = 10**7
#: The number of sampled deals of a dealer who draws out, and their seed.
DRAWN, SEED = 50_000, 1
METHOD = "every deal of card types, settled from the cards' names in plain Python"

#: The paid conditions, each with its line, in the order of settling.
Lines = tuple[tuple[str, Node], ...]


def first_cards(a: Analysis, dealt: FirstCards) -> Iterator[Check]:
    """Yield checks of classes, deals and outcomes of first cards, by the plain evaluator if there is no other."""
    if _is_alone(a.resolved):
        yield from shoe.sizes(a, dealt)
        yield from checks(a)
    elif _by_name(a.resolved, dealt):
        yield from shoe.sizes(a, dealt)
        yield from seven_cards.settled(a)
    else:
        yield from shoe.checks(a, dealt)


def seven(a: Analysis, dealt: SevenCards) -> Iterator[Check]:
    """Yield checks of the joint table of seven cards, and of the outcomes settled on it."""
    if _is_alone(a.resolved):
        yield from seven_cards.joint(a)
        yield from checks(a)
    else:
        yield from seven_cards.checks(a, dealt)


def _by_name(resolved: Resolved, dealt: FirstCards) -> bool:
    """Return whether seven cards are settled by their features and, for one suit, by that suit."""
    return resolved.terms.settlement in seven_cards.BY_NAME and [role.cards for role in dealt.roles] == [7]


def _is_alone(resolved: Resolved) -> bool:
    """Return whether a wager states conditions and has no other independent settlement."""
    return is_stated(resolved.terms) and not seven_cards.knows(resolved)


def parcel(a: Analysis, dealt: FirstCards, names: Sequence[str]) -> Parcel | None:
    """Return a function that deals rounds of first cards, or of any cards that only conditions settle."""
    if _by_name(a.resolved, dealt):
        return side_bets.parcel_of_seven(a, dealt, names)
    if not _is_alone(a.resolved):
        return simulate_first_cards.parcel(a, dealt, names)
    roles = Deal(dealt.text).roles
    return tallied(a, names, lambda random, rounds: (
        named(deal, roles) for deal in deal_cards(random, rounds, _most(roles), a.decks).tolist()))


def tallied(
    a: Analysis, names: Sequence[str], deal: Callable[[np.random.Generator, int], Iterable[Mapping[str, Sequence[str]]]]
) -> Parcel:
    """Return a function that counts outcomes of the rounds that ``deal`` yields, settled from named cards.

    A round without hands is left out.
    """
    settle, place = settler(lines_of(a.resolved)), {name: i for i, name in enumerate(names)}

    def deal_rounds(random: np.random.Generator, rounds: int) -> Sequence[int]:
        counts = [0] * len(names)
        for hands in filter(None, deal(random, rounds)):
            counts[place[settle(hands)]] += 1
        return counts

    return deal_rounds


def named(deal: Sequence[int], roles: Sequence[Role]) -> dict[str, Sequence[str]]:
    """Return the named cards of each role of a deal; empty if the card of a role of one rank has another rank."""
    hands: dict[str, Sequence[str]] = {}
    start = 0
    for role in roles:
        hands[role.name] = tuple(NAMES[c] for c in deal[start:start + role.cards])
        start += role.cards
        if role.only and hands[role.name][0][0] != role.only:
            return {}
    return hands


def checks(a: Analysis) -> Iterator[Check]:
    """Yield an independent check of the probabilities of all outcomes."""
    resolved = a.resolved
    lines = lines_of(resolved)
    used = {role for _, node in lines for call in calls_of(node) for hand in call.hands for role in hand.roles}
    # The cards of other roles change no probability: any cards of the deck may be theirs.
    roles = tuple(role for role in Deal(resolved.terms.deal).roles if role.only or role.name in used)
    if different(roles, a.decks) > MOST_DEALS:
        yield from _sampled(a, roles, lines)
        return
    counts: Counter[str] = Counter()
    for (line, pattern), number in settled_deals(roles, lines, min(a.decks, _most(roles))).items():
        counts[line] += number * weight(pattern, roles, a.decks)
    again = {line: Fraction(count, counts.total()) for line, count in counts.items()}
    yield line_counts.probabilities(a, METHOD, again)


def lines_of(resolved: Resolved) -> Lines:
    known = conditions_of(resolved.terms)
    return tuple((outcome, known[outcome]) for outcome, _ in resolved.payments)


def settler(lines: Lines) -> Callable[[Mapping[str, Sequence[str]]], str]:
    """Return a function from the cards of each role to the line that settles the deal, or the loss."""
    tests = [(line, compiled(condition)) for line, condition in lines]

    def settle(deal: Mapping[str, Sequence[str]]) -> str:
        dealt = deal if isinstance(deal, NamedDeal) else NamedDeal(deal)
        for line, applies in tests:
            if applies(dealt):
                return line
        return LOSS

    return settle


def _most(roles: Sequence[Role]) -> int:
    """Return the number of decks beyond which further decks add no deals of card types."""
    return sum(role.cards for role in roles)


def different(roles: Sequence[Role], decks: int) -> int:
    """Return an upper bound of the number of deals of card types."""
    if decks == 1:
        left, total = 52, 1
        for role in roles:
            total *= 4 if role.only else comb(left, role.cards)
            left -= role.cards
        return total
    return prod(4 if role.only else comb(51 + role.cards, role.cards) for role in roles)


@cached("deals settled from named cards", most=64)
def settled_deals(roles: tuple[Role, ...], lines: Lines, decks: int) -> Counter[tuple[str, Pattern]]:
    """Return the number of deals of card types that each line settles, by the multiplicities of the types.

    A role is dealt only if a condition depends on it. No card type occurs more than ``decks`` times.
    """
    deal, first_line = NamedDeal({}), settler(lines)

    def settle() -> str:
        deal.known.clear()
        return first_line(deal)

    return settled_one_by_one(roles, deal, settle, decks)


def _sampled(a: Analysis, roles: Sequence[Role], lines: Lines) -> Iterator[Check]:
    settle, random = settler(lines), np.random.Generator(np.random.PCG64(SEED))
    given = _given(roles, a.decks)

    def weighed(deals: list[list[int]], weights: Sequence[int]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for deal, number in zip(deals, weights, strict=True):
            if hands := named(deal, roles):
                counts[settle(hands)] += number
        return counts

    cards = [role.cards for role in roles]
    divisions = {name: strata.divided(blocks, cards, a.decks, weighed, random, round(1 / given))
                 for name, blocks in strata.DIVISIONS.items()}
    for o in a.outcomes:
        if o.outcome != LOSS or given == 1:  # the loss is what no other line settles, by closure
            yield strata.judged(o.outcome, o.probability, divisions, SEED, given)


def _given(roles: Sequence[Role], decks: int) -> Fraction:
    """Return the probability that every card of a role of one rank has it; the order of roles does not matter."""
    left, probability = Counter(dict.fromkeys((card[0] for card in NAMES), 4 * decks)), Fraction(1)
    for role in roles:
        for _ in range(role.cards if role.only else 0):
            probability *= Fraction(left[str(role.only)], left.total())
            left[str(role.only)] -= 1
    return probability
