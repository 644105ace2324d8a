"""Maximum liability of a round, when every seat may make the wager.

Seats share the dealer's cards, and no card is dealt twice. For first cards, branch and bound packs the hands of all
seats into the shoe. For seven cards of one deck, the flushes or straight flushes of all seats are packed into four
suits. For other wagers the result is an upper bound, marked as such. Amounts are net and per unit staked; a seat that
would not win is left empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, product

import numpy as np

from ..base.errors import InputError
from ..base.exact import is_number
from ..deals.cards import RANKS, Permutation, Shoe
from ..deals.deal_kinds import FirstCards, SevenCards
from ..deals.first_cards import Deal, enumerate_classes
from ..deals.hands_by_length import LENGTHS
from ..deals.lenses import HIDDEN, Lens, Role
from ..rulebook.parameters import meters, wheel_pays
from ..wagers.wager_outcomes import deal_of
from .record import AnalysisRecord
from .settle import decided_by, outcome_of_rows, places_of_rows, table_of

#: Maximum number of steps of the search; beyond it a bound is given.
MOST_STEPS = 20_000
#: The label of cards that no winning hand uses.
UNUSED = -1
SUIT = 13

#: Net pay, outcome, and the number of cards that it takes of each label.
Use = tuple[tuple[int, int], ...]
Hand = tuple[Fraction, str, Use]


@dataclass(frozen=True)
class Exposure:
    """``most`` is the maximum total win of all seats; None if a pay is unknown.

    ``exact`` is true if cards attain it, false for a bound; ``hands`` are the seats' hands that attain it.
    """

    seats: int
    most: Fraction | None
    exact: bool
    hands: tuple[tuple[str, int], ...] = ()


def exposure(a: AnalysisRecord, *, search: bool = True) -> Exposure | None:
    """Return the maximum net amount that the seats of a table win in one round. Returns None for a promotion.

    ``search`` packs hands into the shoe, which takes a second or two for some wagers.
    """
    if not a.has_stake:
        return None
    seats, top = a.resolved.seats, a.top_pay
    if not is_number(top) or not all(is_number(x.returned) for x in a.additions):
        return Exposure(seats, None, False)
    # Besides its line a seat may win every draw, and the highest-paying envy bonus for each other player.
    more = sum((x.returned for x in a.additions if not x.others), Fraction(0))
    more += max((x.times * x.returned for x in a.additions if x.others), default=Fraction(0))
    first, later = (max(net + more, Fraction(0)) for net in (top, _after_a_hit(a, top)))
    bound = Exposure(seats, first + (seats - 1) * later, False)
    # Several winners in a round are paid from a meter or wheel in turn, so the sum is a bound.
    if a.game is not None or a.additions or wheel_pays(a.resolved) or any(
        o.probability and o.pay and o.pay.shares for o in a.outcomes
    ):
        return bound
    deal = deal_of(a.resolved)
    if deal is not None and deal.one_for_all:
        best = max(a.outcomes, key=lambda o: o.returned if o.probability else Fraction(-1))
        return Exposure(seats, bound.most, True, ((best.outcome, seats),))
    if not isinstance(deal, FirstCards) or a.resolved.terms.depends_on_play:
        return bound
    if isinstance(deal, SevenCards):
        board = a.resolved.document.shared_cards
        return (_around_a_board(a, seats) if board else _packed_suits(a, seats)) or bound
    return (_packed_shoe(a, deal.deal, seats) if search else None) or bound


def _after_a_hit(a: AnalysisRecord, top: Fraction) -> Fraction:
    """Return the greatest net pay of a seat after another seat won the top pay and reset its meter.

    Winners in turn are paid this way; winners who split a meter receive no more in total.
    """
    resets = {line: (m.name, reset) for m in meters(a.resolved) for line in m.resets_on
              if is_number(reset := a.parameters.get(m.reset_name) or m.reset)}
    if not resets:
        return top
    known = {name: value for name, value in a.parameters.items() if value is not None}
    nets = []
    for o in a.outcomes:
        if o.outcome in resets and o.pay is not None and o.pay.shares:
            name, reset = resets[o.outcome]
            stake_too = a.resolved.terms.stake_returned_with_prize
            paid = o.pay.returned({**known, name: reset}, prize_returns_stake=stake_too)
        else:
            paid = max((x for x, p in o.distribution if p), default=Fraction(0))
        if o.probability:
            nets.append(paid - 1)
    return max(nets, default=top) if all(map(is_number, nets)) else top


# ---- hands of one deck, settled by one flush length


def _packed_suits(a: AnalysisRecord, seats: int) -> Exposure | None:
    """Return the best lengths of all seats, packed into four suits: lengths in one suit sum to at most thirteen.

    The seats use fewer than 52 cards in all, so other cards complete every hand. Thirteen consecutive ranks can be
    divided into straight flushes of any lengths that sum to thirteen.
    """
    decided = decided_by(a, _nets(a), [(name,) for name in LENGTHS])
    pays = {} if decided is None else {n: pay for (n,), pay in decided[1].items()}
    if not pays or any(pays[n][0] > pays[n + 1][0] for n in pays if n + 1 in pays):
        return None
    lengths = [n for n in sorted(pays) if pays[n][0] > 0]

    @cache
    def fill(rooms: tuple[int, ...], left: int) -> tuple[Fraction, tuple[int, ...]]:
        best: tuple[Fraction, tuple[int, ...]] = (Fraction(0), ())
        for i, room in enumerate(rooms if left else ()):
            for n in lengths:
                if n <= room and (i == 0 or rooms[i] != rooms[i - 1]):
                    rest = tuple(sorted((*rooms[:i], room - n, *rooms[i + 1 :]), reverse=True))
                    more, held = fill(rest, left - 1)
                    best = max(best, (pays[n][0] + more, (n, *held)))
        return best

    most, held = fill((SUIT,) * 4, seats)
    return Exposure(seats, most, True, tuple(Counter(pays[n][1] for n in sorted(held, reverse=True)).items()))


#: With a board of four cards, the number of seats that can have a flush of each length: for seven, three seats use all
#: four board cards and three of the nine others each; for six, four seats use two of nine, or three of ten.
BESIDE_A_BOARD = {7: 3, 6: 4}


def _around_a_board(a: AnalysisRecord, seats: int) -> Exposure | None:
    """Return a bound for hands of three cards and a board of four, from the number of seats with each flush length."""
    table = table_of(a.book, a.resolved, Shoe(1), dict(a.parameters))
    longest: dict[int, Fraction] = {}
    nets = _nets(a)
    for n, outcome in zip(table["flush"].tolist(), outcome_of_rows(table, a.resolved), strict=True):
        net, _ = nets[outcome]
        longest[n] = max(net, longest.get(n, net))
    most, reached = Fraction(0), 0
    for n in sorted(longest, reverse=True):
        here = min(seats, BESIDE_A_BOARD.get(n, seats))
        most += (here - reached) * max(Fraction(0), *(net for m, net in longest.items() if m <= n))
        reached = here
    return Exposure(seats, most, False)


# ---- first cards of a shoe


def _nets(a: AnalysisRecord) -> dict[str, tuple[Fraction, str]]:
    """Return (net pay, outcome) by outcome."""
    return {o.outcome: (max(x for x, _ in o.distribution) - 1, o.outcome) for o in a.outcomes}


#: A role of the deal, and the number of its cards that all seats share.
Part = tuple[Role, int]


def _parts(a: AnalysisRecord, deal: Deal) -> list[Part]:
    """Return the roles in order of dealing with their shared cards; roles dealt as one hand may have both."""
    dealers = a.resolved.terms.dealer_cards if len(deal.roles) == 1 else 0
    return [(role, role.cards_of(a.resolved.terms.shared_roles) + dealers) for role in deal.roles]


def _types(role: Role, card: tuple[int, int], shoe: Shoe) -> frozenset[int]:
    """Return the card types of the shoe that a card of a role may be, as the role's lens shows it."""
    shown = list(zip(role.lens.rank, role.lens.suit, strict=True))
    # A table may show more of the card than the lens does.
    label = shown.index(card) if card in shown else role.lens.label[SUIT * card[1] + card[0]]
    return frozenset(c for c, n in enumerate(shoe.copies)
                     if n and role.lens.label[c] == label and role.only in (None, RANKS[c % SUIT]))


def _packed_shoe(a: AnalysisRecord, deal: Deal, seats: int) -> Exposure | None:
    """Return the seats' hands packed into the shoe for each dealer's hand. Returns None if it takes too long."""
    shoe, parts = a.shoe, _parts(a, deal)
    lenses = [role.lens for role, shared in parts if shared < role.cards] or [deal.roles[0].lens]
    lens = reduce(Lens.joined, dict.fromkeys(lenses))
    shown = Counter[int]()
    for c, copies in enumerate(shoe.copies):
        shown[lens.label[c]] += copies
    best = Exposure(seats, Fraction(0), True)
    try:
        hands_of = _hands(a, deal, shoe, lens, parts)
    except InputError:  # too many classes to list them all
        return None
    steps = [MOST_STEPS]
    for (_, shared), hands in sorted(hands_of.items(), key=lambda item: -max(h[0] for h in item[1])):
        left = shown - Counter(shared)
        most, held = _pack(sorted(hands, key=lambda h: -h[0]), left, seats, best.most or Fraction(0), steps)
        if held:
            best = Exposure(seats, most, True, tuple(Counter(h[1] for h in held).items()))
    return None if steps[0] <= 0 else best


#: Shared cards by role as they are shown.
Theirs = tuple[tuple[str, tuple[int, ...]], ...]


def _hands(
    a: AnalysisRecord, deal: Deal, shoe: Shoe, lens: Lens, parts: list[Part]
) -> dict[tuple[Theirs, tuple[int, ...]], list[Hand]]:
    """Return the winning hands of a seat for each choice of shared cards and of the labels that these use up.

    A hand is its net pay, its outcome and the labels that it takes. A card that its role shows less precisely than
    ``lens`` may be of any label that it covers. Shared cards that differ by a suit permutation are taken once.
    """
    table = enumerate_classes(deal, shoe, ((0, 1, 2, 3),))
    nets, (names, places) = _nets(a), places_of_rows(table, a.resolved)
    pays = [nets[name] for name in names]
    winning = np.flatnonzero(np.isin(places, [i for i, (net, _) in enumerate(pays) if net > 0]))
    group = deal.group(shoe)
    cards = {r.name: [list(zip(*hand, strict=True)) for hand in zip(
        table[f"{r.name}.rank"][winning].tolist(), table[f"{r.name}.suit"][winning].tolist(), strict=True)]
        for r in deal.roles}
    role_of = {role.name: role for role, _ in parts}
    types = cache(lambda name, card: _types(role_of[name], card, shoe))
    labels = cache(lambda name, card: tuple(sorted({lens.label[c] for c in types(name, card)})))
    wanted = {label for role, shared in parts if shared < role.cards
              for card in {card for hand in cards[role.name] for card in hand}
              for label in labels(role.name, card)}
    seen = tuple(label if label in wanted else UNUSED for label in lens.label)
    hands_of: dict[tuple[Theirs, tuple[int, ...]], dict[Use, Hand]] = {}
    taken_by: dict[Theirs, list[tuple[int, ...]]] = {}
    dealt = (_dealt(role, cards[role.name]) for role, _ in parts)
    for place, *held in zip(places[winning].tolist(), *dealt, strict=True):
        net, outcome = pays[place]
        ways = (combinations(range(len(h)), shared if h else 0) for (_, shared), h in zip(parts, held, strict=True))
        for taken in product(*ways):
            each = list(zip(parts, held, taken, strict=True))
            theirs: Theirs = tuple((role.name, h[k]) for (role, _), h, indices in each for k in indices)
            if theirs not in taken_by:
                sets = [types(name, card) for name, card in theirs]
                taken_by[theirs] = _choices(sets, seen, shoe) if _is_first(theirs, group) else []
            if not taken_by[theirs]:
                continue
            mine = (labels(role.name, card) for (role, shared), h, indices in each if shared < role.cards
                    for k, card in enumerate(h) if k not in indices)
            uses = {tuple(sorted(Counter(choice).items())) for choice in product(*mine)}
            for same, use in product(taken_by[theirs], uses):
                hands = hands_of.setdefault((theirs, same), {})
                if use not in hands or hands[use][0] < net:
                    hands[use] = (net, outcome, use)
    return {key: list(hands.values()) for key, hands in hands_of.items()}


def _choices(sets: list[frozenset[int]], label: Sequence[int], shoe: Shoe) -> list[tuple[int, ...]]:
    """Return the labels that shared cards of these types may take, if the shoe has such cards (Hall's theorem).

    A card that may be of a type that no winning hand uses is taken to be one.
    """
    idle = [frozenset(c for c in s if label[c] == UNUSED) for s in sets]
    sets = [i if sum(shoe.copies[c] for c in i) >= len(sets) else s for i, s in zip(idle, sets, strict=True)]
    choices: dict[tuple[int, ...], None] = {}
    for choice in product(*(sorted({label[c] for c in s}) for s in sets)):
        within = [frozenset(c for c in s if label[c] == taken) for s, taken in zip(sets, choice, strict=True)]
        if all(sum(shoe.copies[c] for c in frozenset[int]().union(*some)) >= n
               for n in range(1, len(within) + 1) for some in combinations(within, n)):
            choices[tuple(sorted(choice))] = None
    return list(choices)


def _dealt(role: Role, hands: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Return a role's hands through its lens, empty if they are undetermined, since first cards decide the deal."""
    if (HIDDEN, HIDDEN) in zip(role.lens.rank, role.lens.suit, strict=True):
        return hands
    return [[] if (HIDDEN, HIDDEN) in hand else hand for hand in hands]


def _is_first(cards: tuple[tuple[str, tuple[int, ...]], ...], group: tuple[Permutation, ...]) -> bool:
    """Return whether the dealer's cards are first in their orbit under the group."""
    def key(p: Permutation) -> list[tuple[str, int, int]]:
        return sorted((name, rank, p[suit] if suit >= 0 else suit) for name, (rank, suit) in cards)

    here = key((0, 1, 2, 3))
    return all(here <= key(p) for p in group)


def _alike(hands: list[Hand]) -> dict[int, int]:
    """Return one label for all labels that complete the same hands, if no hand has two of them."""
    roles: dict[int, set[tuple[Fraction, Use]]] = {}
    single: dict[int, bool] = {}
    for net, _, use in hands:
        for label, n in use:
            roles.setdefault(label, set()).add((net, tuple(pair for pair in use if pair[0] != label)))
            single[label] = single.get(label, True) and n == 1
    first: dict[frozenset[tuple[Fraction, Use]], int] = {}
    return {x: first.setdefault(frozenset(uses), x) if single[x] else x for x, uses in roles.items()}


def _cover(hands: list[Hand]) -> set[int]:
    """Return a cover, found greedily: labels such that every hand has one of them."""
    cover: set[int] = set()
    rest = [{label for label, _ in use} for _, _, use in hands]
    while rest:
        label, _ = max(Counter(x for labels in rest for x in labels).items(), key=lambda item: (item[1], -item[0]))
        cover.add(label)
        rest = [labels for labels in rest if label not in labels]
    return cover


def _pack(
    hands: list[Hand], left: Counter[int], seats: int, floor: Fraction, steps: list[int]
) -> tuple[Fraction, tuple[Hand, ...]]:
    """Return the best ``seats`` hands that the cards allow, if they win more than ``floor``.

    Branch and bound in order of falling pay. An empty seat wins at most the next hand that can be dealt. The number of
    further winners is at most the number of remaining labels of a cover.
    """
    if any(not use for _, _, use in hands):  # only the dealer's cards decide
        best_hand = hands[0]
        return (seats * best_hand[0], (best_hand,) * seats) if seats * best_hand[0] > floor else (floor, ())
    alike = _alike(hands)
    room_of = Counter[int]()
    for label, one in alike.items():
        room_of[one] += left[label]
    merged: dict[Use, Hand] = {}
    for net, outcome, use in hands:
        as_one = tuple(sorted((alike[label], n) for label, n in use))
        if as_one not in merged or merged[as_one][0] < net:
            merged[as_one] = (net, outcome, as_one)
    cover = _cover(list(merged.values()))
    best: tuple[Fraction, tuple[Hand, ...]] = (floor, ())

    def search(rest: list[Hand], total: Fraction, held: tuple[Hand, ...]) -> None:
        nonlocal best
        if total > best[0]:
            best = (total, held)
        seated = min(seats - len(held), sum(room_of[label] for label in cover))
        rest = [hand for hand in rest if all(room_of[label] >= n for label, n in hand[2])] if seated else []
        for i, hand in enumerate(rest):
            if total + seated * hand[0] <= best[0] or steps[0] <= 0:
                return
            steps[0] -= 1
            room_of.subtract(dict(hand[2]))
            search(rest[i:], total + hand[0], (*held, hand))
            room_of.update(dict(hand[2]))

    search(sorted(merged.values(), key=lambda h: (-h[0], h[2])), Fraction(0), ())
    return best
