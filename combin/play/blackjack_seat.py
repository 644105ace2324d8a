"""A seat at a blackjack table: the game and any side bets on the first cards, with their joint risk.

    s = seat(combin.analyze("maryland/blackjack/blackjack/3-to-2", decks=6), ["maryland/blackjack/lucky-ladies/A"])
    s.covariance[0][1], s.deviation

A side bet is settled on the player's two cards, the upcard and the hole card, or on some of them. Given these cards its
result is a number, and the game has an expected result under its best play, which side bets do not change. So E[XY] is
an exact sum over first cards, splits and doubles included. Two side bets depend on the same first cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..base.displayed import Displayed
from ..base.errors import CountError, InputError, fault
from ..base.exact import Truncated, is_number, root, unknowns_in
from ..deals.cards import RANKS
from ..deals.deal_kinds import DealerDraws, DealerDrawsOut, PlayedByChart
from ..deals.drawn_roles import VARIES
from ..deals.first_cards import LENSES, Deal
from ..deals.lenses import Lens, Role
from ..deals.table import Column, Table
from ..games.blackjack import bad_beat, round_values
from ..games.blackjack.dealt_rounds import MIDDLE, WAYS, deal_block, most_spots
from ..games.blackjack.hands import CLASSES
from ..games.blackjack.rules import SUITED, HouseRules
from ..games.blackjack.solve import BlackjackSolution, Solver
from ..rulebook import parameters
from ..rulebook.book import Resolved
from ..rulebook.pays import LOSS, NOT_STAKED
from ..wagers.columns import Columns
from ..wagers.condition_tree import Call, Node, RoleCards, calls_of
from ..wagers.wager_outcomes import conditions_of, deal_of, is_stated, met_name, roles_of, seen_deal
from . import dealt_rounds
from .together import FLAG, STAKE, correlation, resolved_bets, staked

#: The seats of the table of first cards, with their cards.
PLAYER, ORDERED, UPCARD, HOLE = "player", ("first card", "second card"), "upcard", "hole card"
#: The class of blackjack of each rank, two to ace.
CLASS = np.array([*range(1, 10), 9, 9, 9, 0])
Seats = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class SeatWager:
    """One wager of a seat: dollars staked, expected net result and variance per unit staked."""

    id: str
    stake: Fraction
    net: Fraction
    variance: Fraction


@dataclass(frozen=True)
class BlackjackSeat(Displayed):
    """Wagers of one player in one round, the game first; ``covariance[i][j]`` is per unit of both wagers."""

    decks: int
    wagers: tuple[SeatWager, ...]
    covariance: tuple[tuple[Fraction, ...], ...]
    remarks: tuple[str, ...] = ()
    view: ClassVar[str] = "combin.views.seat"

    @property
    def expected(self) -> Fraction:
        """Expected dollars per round."""
        return sum((w.stake * w.net for w in self.wagers), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """Variance of the dollars per round."""
        both = zip(self.wagers, self.covariance, strict=True)
        return sum((w.stake * v.stake * c for w, row in both for v, c in zip(self.wagers, row, strict=True)),
                   Fraction(0))

    @property
    def deviation(self) -> Truncated:
        """The standard deviation in dollars, truncated to twelve decimals."""
        return root(self.variance)

    def correlation(self, i: int, j: int) -> Truncated:
        return correlation(self.covariance[i][j], self.wagers[i].variance, self.wagers[j].variance)


@dataclass(frozen=True)
class _Bet:
    """A side bet on the table of first cards: its analysis, the roles in each seat, amounts by outcome."""

    analysis: Analysis
    seats: Seats
    net: tuple[Fraction, ...]  # by outcome; then the loss, then no stake


def seat(
    a: Analysis, bonuses: Sequence[str], set: Mapping[str, str] | None = None, reading: Mapping[str, str] | None = None
) -> BlackjackSeat:
    """Return the game ``a`` with side bets on its first cards, given by their ids.

    ``set`` gives stakes in dollars (default 1): ``ante`` on the game, ``stake`` on every side bet or
    ``stake.lucky-ladies`` on one, and the side bets' unknowns; ``reading`` gives their readings. Raises `InputError`
    for a side bet that is not settled on first cards.
    """
    chosen = dict(set or {})
    items = resolved_bets(a, bonuses, reading)
    places = {item.id: _places(item) for item in items}
    ante, stakes = staked(chosen, items, [name for item in items for name in parameters.names(item)])
    bets = [_bet(a, item, places[item.id], chosen, stake) for item, stake in zip(items, stakes, strict=True)]
    solution: BlackjackSolution = a.game.solution
    _any_blackjack(a)
    table = _table(a, bets)
    known = round_values.by_hole(solution) if HOLE in _seats_of(bets) else round_values.by_upcard(solution)
    columns = {"keys": _keys(table)}
    columns |= {str(i): _outcomes(table, bet.analysis.resolved, bet.seats) for i, bet in enumerate(bets, 1)}
    joint = Table(columns, table.weights, table.deals, table.classes).group_by(*columns)
    deals, digits = table.deals, len(next(iter(known)))
    results: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)  # sums of the game's, by outcomes of the side bets
    counts = Counter[tuple[int, ...]]()
    for (key, *outcome), n in joint.items():
        results[tuple(outcome)] += n * known[tuple(map(int, f"{key:0{digits}d}"))]
        counts[tuple(outcome)] += n
    if sum(results.values()) != solution.expected_value * deals:
        raise CountError("the game's results by first cards do not sum to its expected result")
    nets = {outcome: [bet.net[o] for bet, o in zip(bets, outcome, strict=True)] for outcome in counts}
    means, both = [solution.expected_value], [[Fraction(a.variance)]]
    for i, bet in enumerate(bets):
        total = sum((n * nets[o][i] for o, n in counts.items()), Fraction(0))
        wagered_deals = sum(n for o, n in counts.items() if o[i] < len(bet.net) - 1)
        if total != (bet.analysis.returned - 1) * wagered_deals:
            raise fault(f"{bet.analysis.id} pays more than its lines on first cards", "omit it", file=FLAG)
        means.append(total / deals)
        sums = [sum((x * nets[o][i] for o, x in results.items()), Fraction(0))]
        sums += [sum((n * nets[o][i] * nets[o][j] for o, n in counts.items()), Fraction(0)) for j in range(i + 1)]
        both.append([product / deals - means[-1] * mean for product, mean in zip(sums, means, strict=True)])
    covariance = tuple(tuple(both[max(i, j)][min(i, j)] for j in range(len(both))) for i in range(len(both)))
    wagers = tuple(SeatWager(name, stake, mean, both[i][i]) for i, (name, stake, mean) in enumerate(zip(
        (a.id, *(bet.analysis.id for bet in bets)), (ante, *stakes), means, strict=True)))
    remarks = tuple(f"{bet.analysis.id} is staked only if the {bet.analysis.condition}"
                    for bet in bets if bet.analysis.condition)
    return BlackjackSeat(a.decks, wagers, covariance, remarks)


def _any_blackjack(a: Analysis, subject: str = "side bets of a game", file: str = FLAG) -> None:
    """Raise `InputError` for a game in which some blackjacks or 21s have separate odds, or not from full decks."""
    if a.resolved.terms.shoe:
        what = f"{subject} with cards other than full decks are not computed"
        raise fault(what, 'leave "shoe" out of the file', file=file)
    rules: HouseRules = a.game.solution.rules
    odds = [bonus.pays[0][0] for bonus in rules.bonuses] + [SUITED] * (rules.suited_pays is not None)
    if odds:
        hands = "suited blackjacks" if odds == [SUITED] else "21s of certain cards"
        what = f"{subject} with separate odds for {hands} are not computed"
        raise fault(what, f'remove "{odds[0]}" from the paytable', file=file)


def deal(a: Analysis, seats: int, rounds: int, seed: int) -> dealt_rounds.DealtRounds:
    """Return dealt rounds of ``seats`` seats under best play of the game, each by its cards and the upcard.

    Raises `InputError` for more seats than the shoe can always serve.
    """
    solution: BlackjackSolution = a.game.solution
    _any_blackjack(a, "dealt rounds of seats at a game", a.id)
    most = max(solution.rules.hands_of(c) for c in range(CLASSES))
    dealt_rounds.fits(seats, most_spots(solution.counts, splits=most), sum(solution.counts))
    ends, cards, drawn = deal_block(solution, seats, rounds, seed)
    nets = [Fraction(column - MIDDLE, 2) for _ in WAYS for column in range(2 * MIDDLE + 1)]
    width, natural, both = 2 * MIDDLE + 1, WAYS.index("blackjack"), WAYS.index("both blackjacks")
    nets[natural * width + MIDDLE] = solution.rules.blackjack_pays
    nets[both * width + MIDDLE] = solution.rules.natural(solution.rules.blackjack_pays, Fraction(0))
    upcard = cards[:, seats]
    # Even money is paid before the hole card is revealed.
    pays = solution.rules.blackjack_pays
    even = np.array([any(u == c and solution.takes_even_money(u, alive, pays) for u, _, alive in solution.naturals)
                     for c in CLASS])[upcard % 13]
    place = np.where(even[:, None] & np.isin(ends // width, (natural, both)), len(nets), ends).reshape(-1)
    hands = np.stack([cards[:, :seats], cards[:, seats + 1 : -1]], axis=2).reshape(-1, 2)
    columns: dict[str, Column] = {}
    for name, held in ((ORDERED[0], hands[:, :1]), (ORDERED[1], hands[:, 1:]),
                       (UPCARD, upcard.repeat(seats)[:, None]), (HOLE, cards[:, -1].repeat(seats)[:, None])):
        columns |= dealt_rounds.shown(held, name)
    table = dealt_rounds.table(columns)

    def ended(bet: Resolved) -> tuple[Sequence[str], Column]:
        deal = deal_of(bet)
        if isinstance(deal, DealerDraws | DealerDrawsOut) and not bet.terms.promotion:
            if deal.hits_soft_17 != solution.rules.hits_soft_17:
                raise fault(f"{bet.id} and {a.id} have different rules for the dealer's soft 17",
                            'give both the same reading: reading = { dealer-soft-17 = "hits" }', file=FLAG)
            size, total = drawn[:, 0].repeat(seats), drawn[:, 1].repeat(seats)
            if isinstance(deal, DealerDraws):
                return dealt_rounds.settled(bet, _drawn_out(size, total, drawn[:, 2:].reshape(-1), hands, deal))
            met = _met(bet, size, total)
            if met is not None:
                return dealt_rounds.settled(bet, met)
        places = _on_first_cards(bet)
        if places is None:
            raise fault(f"{bet.id} is settled neither on first cards nor on drawn-out hands of a table of {a.id}",
                        'simulate it in a separate plan with deals = "law"', file=FLAG)
        apart = [NOT_STAKED] if deal is not None and deal.condition else []
        return (*(name for name, _ in bet.payments), LOSS, *apart), _outcomes(table, bet, places)

    return dealt_rounds.DealtRounds((*nets, Fraction(1)), place, ended, hands)


def _met(bet: Resolved, size: Column, total: Column) -> dict[str, Column] | None:
    """Return the rows to which each condition applies, from the size and the total of the dealer's final hand.

    Returns None if a condition has a word that these do not determine.
    """
    hand = (RoleCards(("dealer",), VARIES),)
    known: dict[Node, Column] = {Call("size", hand): size, Call("total", hand): total,
                                 Call("blackjack", hand): (size == 2) & (total == 21)}
    paid = [conditions_of(bet.terms)[outcome] for outcome, _ in bet.payments]
    if any(call not in known for node in paid for call in calls_of(node)):
        return None
    seen = Columns({}, len(size), {}, known)
    return {met_name(node): seen.value(node) for node in paid}


def _drawn_out(size: Column, total: Column, player: Column, hands: Column, deal: DealerDraws) -> dict[str, Column]:
    """Return the columns of drawn-out deals: the dealer's cards and total, and the player's total or first cards."""
    if deal.options.twenty == "first-two-cards":
        value = np.sort(CLASS[hands % 13] + 1, axis=1)  # the ace 1
        player = value.sum(axis=1) + np.where(value[:, 0] == 1, 10, 0)
    return {"cards": size, "total": total, "bust": (total > 21).astype(np.int8),
            "blackjack": ((size == 2) & (total == 21)).astype(np.int8),
            "dealer_21_cards": np.where(total == 21, size, 0), "player_twenty": (player == 20).astype(np.int8)}


def under_play(a: Analysis, bet: Analysis) -> Analysis:
    """Return a side bet of the game ``a`` with probabilities under the game's best play instead of a chart."""
    deal = deal_of(bet.resolved)
    if not isinstance(deal, PlayedByChart) or deal.options.twenty == "first-two-cards":
        return bet
    solution: BlackjackSolution = a.game.solution
    chances = bad_beat.law(Solver(solution.rules, solution.counts))
    chances = {**chances, LOSS: 1 - sum(chances.values(), Fraction(0))}
    return replace(bet, outcomes=tuple(replace(o, probability=chances[o.outcome]) for o in bet.outcomes))


def _places(item: Resolved) -> Seats:
    """Return the roles of the side bet in each seat of the table. Raises `InputError` unless they are first cards."""
    places = _on_first_cards(item)
    if places is None or parameters.wheel_pays(item):
        raise fault(
            f"{item.id} is not settled only on first cards of the player and the dealer, so its joint distribution "
            "with the game is not computed", "name a side bet on first cards, or only bad-beat-progressive", file=FLAG,
        )
    return places


def _on_first_cards(item: Resolved) -> Seats | None:
    """Return the roles of the side bet in each seat of the table. Returns None unless they are first cards."""
    terms = item.terms
    if not is_stated(terms) or terms.promotion:
        return None
    try:
        roles = roles_of(terms.deal)
    except InputError:  # a drawn-out hand
        return None
    if list(roles) == ["cards"]:
        if roles["cards"] - terms.dealer_cards != 2 or terms.dealer_cards not in (1, 2):
            return None
        dealer = (UPCARD, HOLE)[: terms.dealer_cards]
        return dict.fromkeys((PLAYER, *dealer), ("cards",))
    known: dict[tuple[str, int], tuple[str, ...]] = {
        ("player", 2): (PLAYER,), ("first card", 1): ORDERED[:1], ("second card", 1): ORDERED[1:],
        ("upcard", 1): (UPCARD,), ("hole card", 1): (HOLE,), ("dealer", 2): (UPCARD, HOLE),
    }
    if not all(pair in known for pair in roles.items()):
        return None
    return {place: (name,) for name, cards in roles.items() for place in known[name, cards]}


def _bet(a: Analysis, item: Resolved, seats: Seats, chosen: Mapping[str, str], stake: Fraction) -> _Bet:
    names = parameters.names(item)
    settings = {k: v for k, v in chosen.items() if k in names and k != STAKE}
    if STAKE in names:
        settings[STAKE] = str(stake)
    b = analyze(item.id, decks=a.decks, set=settings, reading=item.readings, without=a.request.without, book=a.book)
    nets = []
    for outcome in b.outcomes:
        back = outcome.returned if outcome.probability else Fraction(0)  # of an impossible outcome any amount will do
        if not is_number(back):
            [name, *_] = sorted(unknowns_in(back))
            what = f"{item.id} depends on {', '.join(b.unknowns)}"
            raise fault(what, f"set it: --set {name}=VALUE", file="--set")
        nets.append(Fraction(back) - 1)
    return _Bet(b, seats, (*nets, Fraction(0)))


def _seats_of(bets: Sequence[_Bet]) -> dict[str, None]:
    return {place: None for bet in bets for place in bet.seats}


def _table(a: Analysis, bets: Sequence[_Bet]) -> Table:
    """Return the first cards by class, up to suit permutations that no side bet distinguishes."""
    shoe, used = a.shoe, _seats_of(bets)
    cards = dict.fromkeys(ORDERED, 1) if set(ORDERED) & set(used) else {PLAYER: 2}
    cards |= {UPCARD: 1, **({HOLE: 1} if HOLE in used else {})}
    deals = [seen_deal(bet.analysis.resolved) for bet in bets]
    first, *others = [deal.group(shoe) for deal in deals]
    kept = tuple(p for p in first if all(p in group for group in others))
    seen = tuple(Role(name, number, _lens(name, bets, deals)) for name, number in cards.items())
    return Deal(", ".join(f"{name} {number}" for name, number in cards.items()), seen=seen, kept=kept).table(shoe)


def _lens(place: str, bets: Sequence[_Bet], deals: Sequence[Deal]) -> Lens:
    """Return what the game and the side bets distinguish of the cards of a seat."""
    lens = LENSES["value"]
    for bet, deal in zip(bets, deals, strict=True):
        names = {*bet.seats.get(place, ()), *(bet.seats.get(PLAYER, ()) if place in ORDERED else ())}
        for role in deal.roles:
            if role.cards_of(names):
                lens = lens.joined(role.lens)
    return lens


def _outcomes(table: Table, resolved: Resolved, places: Seats) -> Column:
    """Return the index of the side bet's outcome by row; after its lines the loss, then no stake."""
    seats = dict(places)
    if PLAYER in seats and f"{PLAYER}.rank" not in table.columns:
        seats |= dict.fromkeys(ORDERED, seats.pop(PLAYER))
    conditions = conditions_of(resolved.terms)
    columns, lost = Columns(table.columns, len(table), seats), len(resolved.payments)
    first = columns.first_of([conditions[outcome] for outcome, _ in resolved.payments])
    outcomes = np.where(first < 0, lost, first)
    for role in Deal(resolved.terms.deal).roles:
        if role.only:
            [place] = [place for place, names in seats.items() if names == (role.name,)]
            outcomes[table[f"{place}.rank"][:, 0] != RANKS.index(role.only)] = lost + 1
    return outcomes


def _keys(table: Table) -> Column:
    """Return the classes of the player's two cards, the upcard and the hole card by row, as digits."""
    parts = [CLASS[table[f"{name}.rank"]] for name in (PLAYER, *ORDERED) if f"{name}.rank" in table.columns]
    player = np.sort(np.concatenate(parts, axis=1), axis=1)
    dealer = [CLASS[table[f"{name}.rank"]] for name in (UPCARD, HOLE) if f"{name}.rank" in table.columns]
    digits = np.concatenate([player, *dealer], axis=1)
    return digits @ 10 ** np.arange(digits.shape[1])[::-1]
