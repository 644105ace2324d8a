"""Independent method for wagers on the first cards of a shoe: multisets of card types, settled one by one.

It uses no class, suit permutation, lens, kernel or array: `settle_literal` settles a deal from the names of its cards.
Cards on which the settlement does not depend are not dealt: all their deals are counted together. The outcomes of a
deal do not depend on the shoe. They are computed once, with the multiplicity of each card type, and weighted for any
number of decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any, NoReturn

from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.parallel import Progress
from ..deals.cards import Shoe, name
from ..deals.deal_kinds import FirstCards
from ..deals.first_cards import Deal, burnside_classes
from ..deals.lenses import Role
from ..rulebook.book import Resolved
from ..rulebook.pays import LOSS
from . import line_counts
from .model import Check, equal, not_checked
from .settle_literal import ByRole, NoHand, first_line, outcomes_of_hands, settler_of

#: For each role used: (cards of the type drawn before, cards drawn now) of its card types.
Pattern = tuple[tuple[tuple[int, int], ...], ...]

NAMES = tuple(map(name, range(52)))


class LookedAt(Exception):
    """A settlement needs cards that are not dealt yet."""


class Undealt:
    """A hand that is not dealt yet; its use stops the settlement."""

    def _look(self, *_: object) -> NoReturn:
        raise LookedAt

    __iter__ = __len__ = __getitem__ = __contains__ = __add__ = __radd__ = __eq__ = __bool__ = _look
    __hash__ = None  # type: ignore[assignment]


@cached("deals of each set of outcomes, by outcome function, deal and options", most=256)
def deals_by_outcomes(
    outcomes: str, roles: tuple[Role, ...], options: tuple[tuple[str, Any], ...]
) -> Counter[tuple[frozenset[str], Pattern]]:
    """Return the number of multisets of card types for each set of outcomes and pattern of multiplicities.

    ``outcomes`` is the outcome function whose independent settlement is used. Raises `NoHand` if it requires a role
    that the deal does not have.
    """
    deal, choices = ByRole(), dict(options)
    most = sum(role.cards for role in roles)
    return settled_one_by_one(roles, deal, lambda: frozenset(outcomes_of_hands(outcomes, deal, choices)), most)


def settled_one_by_one(
    roles: Sequence[Role], deal: dict[str, Any], settle: Callable[[], Any], decks: int
) -> Counter[tuple[Any, Pattern]]:
    """Return the number of multisets of card types for each result of ``settle`` and pattern of multiplicities.

    ``settle`` settles ``deal``, whose hands are dealt here: a role only if it is looked at, and no card type more than
    ``decks`` times.
    """
    counts: Counter[tuple[Any, Pattern]] = Counter()
    undealt: Any = Undealt()
    deal.update((role.name, undealt) for role in roles)

    def fill(before: tuple[str, ...], pattern: Pattern, step: Callable[[], None] | None) -> None:
        try:
            counts[settle(), pattern] += 1
        except LookedAt:
            role = roles[len(pattern)]
            types = [card for card in NAMES if not role.only or card[0] == role.only]
            for hand in combinations_with_replacement(types, role.cards):
                now = repeats(hand, before)
                if all(b + n <= decks for b, n in now):
                    deal[role.name] = hand
                    fill(before + hand, (*pattern, now), None)
                if step is not None:
                    step()
            deal[role.name] = undealt

    total = prod(comb(51 + r.cards, r.cards) for r in roles[:1])
    with Progress("deals settled from named cards", total) as progress:
        fill((), (), progress.advance)
    return counts


def repeats(hand: tuple[str, ...], before: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return (cards drawn before, cards drawn now) for each card type of a hand; equal cards must be adjacent."""
    if len(hand) == len(set(hand)):
        return tuple(sorted([(before.count(card), 1) for card in hand])) if before else ((0, 1),) * len(hand)
    return tuple(sorted([(before.count(card), hand.count(card)) for card in set(hand)]))


def weight(pattern: Pattern, roles: Sequence[Role], decks: int) -> int:
    """Return the number of deals of physical cards of one multiset of card types."""
    total, left = 1, 52 * decks
    for number, role in enumerate(roles):
        if number < len(pattern):
            for before, now in pattern[number]:
                total *= comb(decks - before, now) if decks >= before else 0
        else:
            total *= 4 * decks if role.only else comb(left, role.cards)
        left -= role.cards
    return total


def outcome_counts(resolved: Resolved, roles: tuple[Role, ...], decks: int) -> Mapping[str, int]:
    """Return deals by outcome, including the loss, of a full shoe."""
    lines = [outcome for outcome, _ in resolved.payments]
    counts: Counter[str] = Counter(dict.fromkeys([*lines, LOSS], 0))
    options = tuple(sorted(resolved.options.items()))
    for (names, pattern), number in deals_by_outcomes(resolved.terms.settlement, roles, options).items():
        counts[first_line(lines, names)] += number * weight(pattern, roles, decks)
    return counts


def deals(roles: Sequence[Role], decks: int) -> int:
    """Return the number of deals, from the roles only; the order in which roles are dealt does not matter."""
    total, left, of_rank = 1, 52 * decks, Counter[str]()
    for role in sorted(roles, key=lambda r: r.only is None):
        total *= comb(4 * decks - of_rank[role.only] if role.only else left, role.cards)
        left -= role.cards
        of_rank[role.only or ""] += role.cards
    return total


def classes(a: Analysis, deal: Deal) -> Check:
    """Return the check of the number of classes of a deal by Burnside's lemma."""
    shoe = Shoe(a.decks)
    method = f"Burnside's lemma over {len(deal.group(shoe))} suit permutations"
    return equal("classes", method, a.classes, burnside_classes(deal, shoe))


def sizes(a: Analysis, dealt: FirstCards) -> Iterator[Check]:
    """Yield checks of the number of classes by Burnside's lemma, and of the number of deals by binomials."""
    yield classes(a, dealt.deal)
    yield equal("deals", "binomials of the roles", a.deals, deals(dealt.deal.roles, a.decks) * line_counts.stops(a))


def checks(a: Analysis, dealt: FirstCards) -> Iterator[Check]:
    """Yield checks of classes, deals and outcomes, by settling multisets of card types for the roles of the deal."""
    yield from sizes(a, dealt)
    roles = Deal(dealt.text).roles
    if settler_of(a.resolved.terms.settlement) is None:
        yield line_counts.unsettled(a)
        return
    method = "multisets of card types, settled one by one in plain Python"
    try:
        again = line_counts.with_stops(a, outcome_counts(a.resolved, roles, a.decks))
        if sum(again.values()) == a.deals:
            yield line_counts.counts(a, method, again)
        else:  # the first method counts indistinguishable roles as one hand
            total = sum(again.values())
            yield line_counts.probabilities(a, method, {line: Fraction(n, total) for line, n in again.items()})
    except NoHand as error:
        yield not_checked("counts", f"{error}, which the independent settlement needs")
