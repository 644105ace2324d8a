"""The independent method for drawn-out hands: every ordered draw, card by card.

The dealer's rule and the totals are restated here. `settle_literal` settles the hands. Ordered draws with the same
cards are counted together: their probability is a product of falling factorials. A player's blackjack is dealt after
the dealer's cards instead of before them, which gives the same distribution. `bad_beat` is the independent method of
Bad Beat.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import perm
from typing import Any

from ..analysis.model import Analysis
from ..analysis.system_draws import ways_of
from ..base.caches import cached
from ..deals.deal_kinds import DealerDraws, DealerDrawsOut, PlayedByChart
from ..rulebook.book import Resolved
from ..rulebook.pays import LOSS
from . import bad_beat, line_counts
from .bad_beat import draws_on, letters
from .model import Check, compared, not_checked
from .settle_literal import ByRole, NoHand, first_line, outcomes_of_hands, settler_of

#: A card of each value, and the number of cards of that value in a deck.
VALUES = (("As", 4), ("2s", 4), ("3s", 4), ("4s", 4), ("5s", 4), ("6s", 4), ("7s", 4), ("8s", 4), ("9s", 4), ("Ts", 16))

#: The outcomes that apply without a player's blackjack and with one, and the dealer's cards of each value.
FinishedHand = tuple[frozenset[str], frozenset[str], tuple[int, ...]]


@cached("ordered draws of the dealer, by wager, house rule and options", most=64)
def finished_hands(
    outcomes: str, hits_soft_17: bool, options: tuple[tuple[str, Any], ...], with_player: bool
) -> Counter[FinishedHand]:
    """Return ordered draws of the dealer by the final hand; ``with_player`` if the deal includes a player's hand."""
    draws: Counter[FinishedHand] = Counter()
    choices = dict(options)
    without, natural = ("Ts", "Ts"), ("As", "Ts")

    def applying(hand: tuple[str, ...], player: tuple[str, ...]) -> frozenset[str]:
        hands = ByRole(player=player, dealer=hand) if with_player else ByRole(dealer=hand)
        return frozenset(outcomes_of_hands(outcomes, hands, choices))

    def draw(hand: tuple[str, ...], drawn: tuple[int, ...], points: int, ace: bool) -> None:
        if hand and not draws_on(points, ace, hits_soft_17):
            draws[applying(hand, without), applying(hand, natural), drawn] += 1
            return
        for value, (card, _) in enumerate(VALUES):
            more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
            draw((*hand, card), more, points + value + 1, ace or value == 0)

    draw((), (0,) * len(VALUES), 0, False)
    return draws


def knows(resolved: Resolved) -> bool:
    """Return whether the outcomes of a dealer's hand have an independent settlement."""
    return settler_of(resolved.terms.settlement) is not None


def knows_by_chart(resolved: Resolved) -> bool:
    """Return whether the outcomes of two drawn hands have an independent settlement; only those of Bad Beat do."""
    return resolved.terms.settlement == "bad-beat"


def checks(a: Analysis, deal: DealerDraws | DealerDrawsOut, *, with_player: bool = False) -> Iterator[Check]:
    """Yield checks of the dealer's hand, with ``with_player`` also of a player's hand that may be a blackjack."""
    method = "every ordered draw, card by card, settled in plain Python"
    try:
        again = probabilities(a.resolved, deal.hits_soft_17, a.decks, with_player=with_player)
        yield line_counts.probabilities(a, method, again)
    except NoHand as error:
        yield not_checked("probabilities", f"{error}, which the independent settlement needs")


def checks_by_chart(a: Analysis, deal: PlayedByChart) -> Iterator[Check]:
    """Yield checks of the player's hand played by a chart, then the dealer's."""
    method = "every ordered draw of the player, then of the dealer from the remaining shoe"
    yield line_counts.probabilities(a, method, by_chart(a.resolved, deal, a.decks))
    if a.additions and a.distribution is not None:
        here: dict[str, Fraction] = defaultdict(Fraction)
        for amount, chance in a.distribution:
            here[str(amount)] += chance
        method = "the same by the first two cards, with every draw of the system"
        yield compared("amounts with system draws", method, here, _with_system_draws(a, deal))


def probabilities(resolved: Resolved, hits_soft_17: bool, decks: int, *, with_player: bool) -> Mapping[str, Fraction]:
    """Return the exact probability of every outcome, including the loss, from a full shoe."""
    lines = [line for line, _ in resolved.payments]
    chances: dict[str, Fraction] = dict.fromkeys([*lines, LOSS], Fraction(0))
    size = 52 * decks
    ways = finished_hands(resolved.terms.settlement, hits_soft_17, tuple(sorted(resolved.options.items())), with_player)
    for (plain, with_natural, drawn), orders in ways.items():
        chance = Fraction(orders, perm(size, sum(drawn)))
        for (_, copies), number in zip(VALUES, drawn, strict=True):
            chance *= perm(copies * decks, number)
        if not chance:
            continue
        if with_player:
            left = size - sum(drawn)
            natural = Fraction(2 * (4 * decks - drawn[0]) * (16 * decks - drawn[9]), left * (left - 1))
            chances[first_line(lines, with_natural)] += chance * natural
            chance *= 1 - natural
        chances[first_line(lines, plain)] += chance
    return chances


def by_chart(
    resolved: Resolved, deal: PlayedByChart, decks: int, pairs: tuple[int, ...] = ()
) -> Mapping[str, Fraction]:
    """Return the probabilities of a player's 20 against the dealer's 21; ``pairs`` as in `bad_beat.probabilities`."""
    words = {3: "three", 4: "four", 5: "five", 6: "six"}
    lines = [line for line, _ in resolved.payments]
    chances: dict[str, Fraction] = dict.fromkeys(lines, Fraction(0)) | {LOSS: Fraction(1)}
    shoe = tuple(decks * copies for _, copies in VALUES)
    plays = letters(deal.chart.text)
    for cards, chance in bad_beat.probabilities(shoe, deal.hits_soft_17, deal.options.twenty, plays, pairs).items():
        names = {"player 20"}
        if cards == 2:
            names.add("player 20, dealer blackjack")
        elif cards:
            names.add(f"player 20, dealer 21 with {words.get(cards, 'seven or more')} cards")
        chances[first_line(lines, names)] += chance
        chances[LOSS] -= chance
    return chances


def _with_system_draws(a: Analysis, deal: PlayedByChart) -> Mapping[str, Fraction]:
    """Return the probability of every amount, from the first two cards (equal or not) and independent draws."""
    drawn = list(ways_of(a))
    ranks = any(way == "by-rank" for _, way in drawn)
    like = (4 * a.decks if ranks else a.decks) - 1  # further cards that the system does not distinguish from the first
    alike = Fraction(like, 52 * a.decks - 1)
    begun = {o.outcome: Fraction(0) for o in a.outcomes}
    if like and any(way != "by-position" for _, way in drawn):
        for copies in {number for _, number in VALUES}:  # equally likely for two cards of each value
            pairs = tuple(value for value, (_, number) in enumerate(VALUES, 1) if number == copies)
            for name, chance in by_chart(a.resolved, deal, a.decks, pairs).items():
                begun[name] += chance * Fraction(like, copies * a.decks - 1)
    begun[LOSS] = alike - sum(chance for name, chance in begun.items() if name != LOSS)

    chances: dict[str, Fraction] = defaultdict(Fraction)
    for o, won in product(a.outcomes, product((False, True), repeat=len(drawn))):
        for different, chance in ((1, begun[o.outcome]), (2, o.probability - begun[o.outcome])):
            amount = o.returned
            for (x, way), hit in zip(drawn, won, strict=True):
                share = x.probability * (1 if way == "by-position" else different / (2 - alike))
                chance *= share if hit else 1 - share
                amount += x.returned * hit
            chances[str(amount)] += chance
    return chances
