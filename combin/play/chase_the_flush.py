"""Chase the Flush play: in lines, one hand, simple and users' strategies, with a side bet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Annotated, Any, Literal

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import InputError, fault
from ..base.toml_tables import KEY, Text, TomlFile
from ..deals.cards import RANKS, flush_name, names, rank_masks
from ..deals.table import Column, Table
from ..games.chase_the_flush import positions, rules, side_bets
from ..games.chase_the_flush import solve as chase
from ..games.chase_the_flush import strategies as simple
from ..games.chase_the_flush.dealt_rounds import deal_block
from ..games.high_card_flush.solve import longest_run
from ..games.joint import QUALIFIES, WORDS
from ..rulebook.book import Resolved
from ..wagers.wager_outcomes import within_best_flush
from . import dealt_rounds
from .files import ANY, NEVER, StrategyTerms
from .strategy import FlushAnswer, PositionGroup, Summary, UserStrategy, ValuedStrategy, at, optimal, span, valued_by
from .together import FLAG, SideBets, Together, play_of

#: `strategies.THREATS` in a few words.
THREATS = ("no suited pair on the board is higher", "one of two suited board cards is higher",
           "two suited board cards are higher")
#: The deal of a side bet on the hole cards.
HOLE = "player 3"
STREET_NAMES = ("hole cards", "flop", "river")
_LENGTHS = {1: "one", **WORDS}


def summarize(a: Analysis, *, search: bool = False) -> Summary:
    """Return the play in lines and simple strategies; ``search`` finds the best thresholds under these pays."""
    # Strategies come first: their evaluation also counts the positions of the lines.
    return Summary(a, (optimal(a), *_chase_strategies(a, search)), tuple(_chase_lines(a)))


def value(a: Analysis, played: Sequence[UserStrategy]) -> tuple[ValuedStrategy, ...]:
    """Return the exact figures of a user's strategies."""
    return _value_chase(a, [(s.name, s.strategy, "") for s in played if isinstance(s, ChaseStrategy)])


def best_play(a: Analysis) -> tuple[tuple[str, ...], Iterator[tuple[str, ...]], tuple[str, ...]]:
    """Return a row for each class of hole cards, and for each flop on which a checked hand raises."""
    early, late, last = rules.rules_of(a.resolved, _most(a)).choices[:3]
    remarks = (
        "A row without a flop is a class of hole cards, given by one hand; hands is the size of the class, of 22,100.",
        f"A row with a flop raises {late} on it after a check; all flops that are not listed are checked.",
        f"The solution stores no list for the river: {last} is played if its value exceeds that of the fold against "
        f"the 14,190 dealer hands; equal values {a.resolved.options.get('river_tie', 'fold')}.",
    )
    return ("hole cards", "flop", "hands", "best"), _every_hand(a.game.solution, early, late), remarks


def _every_hand(solution: chase.ChaseSolution, early: str, late: str) -> Iterator[tuple[str, ...]]:
    for number, (held, weight) in enumerate(zip(*chase.hole_classes(), strict=True)):
        hole = names(card for suit in range(4) for card in _of_suit(suit, int(held[suit])))
        at_once = bool(solution.raises_at_once[number])
        yield hole, "", str(weight), early if at_once else "check"
        if at_once:
            continue
        left = [names([card]) for suit in range(4) for card in _of_suit(suit, ~int(held[suit]) & 0x1FFF)]
        for i, j in np.argwhere(np.triu(solution.flops[number], 1)).tolist():
            yield hole, f"{left[i]} {left[j]}", str(weight), late


def _of_suit(suit: int, mask: int) -> list[int]:
    return [13 * suit + rank for rank in range(13) if mask >> rank & 1]


#: The best thresholds that `chase_the_flush_strategy.search` finds under the documents' pays, the same for both
#: paytables: the exception's name, then the lowest flush by street.
BEST_THRESHOLDS: dict[str, tuple[simple.Thresholds, simple.Thresholds, simple.Thresholds,
                       dict[int, simple.Thresholds]]] = {
    "none": ({2: "K2", 3: ""}, {2: "AJ", 3: "643", 4: "", 5: ""}, {3: "", 4: "", 5: ""}, {}),
    "two-higher": ({2: "K2", 3: ""}, {2: "AJ", 3: "742", 4: "", 5: ""}, {3: "", 4: "", 5: ""},
                   {2: {3: "T85", 4: ""}}),
    "one-higher": ({2: "K2", 3: ""}, {2: "AJ", 3: "753", 4: "", 5: ""}, {3: "", 4: "", 5: ""},
                   {1: {3: "T85", 4: ""}, 2: {3: "T85", 4: ""}}),
}
_EXCEPTION = {
    "none": "", "two-higher": "two suited board cards, both higher than the flush",
    "one-higher": "two suited board cards, the higher one above the flush",
}


def _chase_lines(a: Analysis) -> Iterator[PositionGroup]:
    seen = positions.follow(a.game.solution)
    streets = [f"{times}, {street}" for times, street in zip(_multiples(a), STREET_NAMES, strict=True)]
    yield from _hole_lines(streets[0], a.game.solution, seen.hole)
    yield from _street(streets[1], "", seen.flop)
    for threat, words in enumerate(THREATS):
        yield from _street(streets[2], words, seen.river[:, threat])


def _hole_lines(street: str, solution: chase.ChaseSolution, counts: Any) -> Iterator[PositionGroup]:
    """Yield groups of best flushes of hole cards; neighbours with equal effect of the other cards share a line."""
    def key(rule: simple.HoleRule) -> tuple[int, str, bool]:
        other_cards = _other_cards(rule) if rule.raising and rule.checking else ""
        return rule.flush.bit_count(), other_cards, bool(rule.raising)

    for (_, other_cards, _), rules_alike in groupby(simple.hole_rules(solution), key):
        flushes = [rule.flush for rule in rules_alike]
        checked, raised = (int(n) for n in counts[[simple.place(m) for m in flushes]].sum(axis=0))
        name = span(flush_name(flushes[0]), flush_name(flushes[-1]))
        yield PositionGroup(street, name, other_cards, checked + raised, raised)


def _other_cards(rule: simple.HoleRule) -> str:
    """Return the cards outside the flush that raise it: from a rank on, or listed."""
    ranks = [*RANKS]
    if rule.flush.bit_count() == 2 and list(rule.raising) == ranks[ranks.index(rule.raising[0]) :]:
        least = rule.raising[0]
        return "raised with an ace" if least == "A" else f"raised with a third card {least} or higher"
    return f"raised with {', '.join(rule.raising)}"


def _multiples(a: Analysis) -> list[str]:
    """Return the raise multiples of the three streets: 3x, 2x, 1x unless a user's file states others."""
    return [f"{stake}x" for stake in a.resolved.options["raises"]]


def _street(street: str, given: str, counts: Any) -> Iterator[PositionGroup]:
    """Yield lines by length and top card; neighbours that are all never, or all always, raised share a line."""
    rows: list[tuple[int, int, int, int, int]] = []  # length, first and last index, positions, raised
    for length in range(1, 8):
        first = simple.first_places()[length]
        for top in range(12 + 1):
            masks = [m for m in simple.flushes()[length] if m.bit_length() == top + 1]
            if not masks:
                continue
            start = first + simple.flushes()[length].index(masks[0])
            folds, raises = (int(n) for n in counts[start : start + len(masks)].sum(axis=0))
            if folds + raises:
                rows.append((length, start, start + len(masks) - 1, folds + raises, raises))
    order = [mask for masks in simple.flushes() for mask in masks]
    for _, alike in groupby(rows, key=lambda row: (row[0], row[4] == 0, row[1] if 0 < row[4] < row[3] else -1)):
        _, starts, stops, numbers, raised = zip(*alike, strict=True)
        name = span(flush_name(order[starts[0]]), flush_name(order[stops[-1]]))
        yield PositionGroup(street, name, given, sum(numbers), sum(raised))


def _chase_strategies(a: Analysis, search: bool) -> Iterator[ValuedStrategy]:
    every = np.ones(simple.first_places()[-1], np.uint8)
    never = np.zeros_like(every)
    rivers = np.stack([never] * len(simple.THREATS))
    times = _multiples(a)
    listed = [(f"{times[0]} on everything", simple.Strategy(every, every, rivers), "")]
    listed += [(f"printed strategy; {n}", s, "") for n, s in simple.printed_strategies().items()]
    for exception, (hole, flop, river, against) in BEST_THRESHOLDS.items():
        strategy = simple.strategy(hole, flop, river, against)
        how = f"best thresholds by street and length, {_exception(exception)} (documents' pays)"
        if search:
            best = simple.search(a.game.solution, exception)
            strategy = best.strategy
            streets = dict(zip(("3x", "2x", "1x"), times, strict=True))
            name = "; ".join(
                f"{streets[street[:2]]}{street[2:]} from {_some(t)}" for street, t in best.thresholds.items()
            )
            how = f"best thresholds by street and length, {_exception(exception)}: {best.compared:,} compared"
        else:
            name = _words(times, (hole, flop, river), against, exception)
        listed.append((name, strategy, how))
    yield from _value_chase(a, listed, beside=a.game.solution)


def _exception(name: str) -> str:
    return f"exception for {_EXCEPTION[name]}" if _EXCEPTION[name] else "no exception"


def _some(thresholds: Mapping[int, str]) -> str:
    return ", ".join(t for t in thresholds.values() if t not in ("never", "not reached")) or "no flush"


def _words(
    times: Sequence[str], streets: Sequence[simple.Thresholds], against: Mapping[int, simple.Thresholds],
    exception: str,
) -> str:
    def least(thresholds: simple.Thresholds) -> str:
        return ", ".join(flush_name(simple.least(n, t)) for n, t in thresholds.items())

    words = "; ".join(f"{x} from {least(t)}" for x, t in zip(times, streets, strict=True))
    return f"{words}; against {_EXCEPTION[exception]} from {least(against[2])}" if against else words


def _value_chase(
    a: Analysis, listed: Sequence[tuple[str, simple.Strategy, str]], beside: chase.ChaseSolution | None = None
) -> tuple[ValuedStrategy, ...]:
    game_rules = rules.rules_of(a.resolved, _most(a))
    played = positions.value_strategies([strategy for _, strategy, _ in listed], beside=beside)
    return tuple(
        valued_by(a, game_rules, name, one.joint, how) for (name, _, how), one in zip(listed, played, strict=True)
    )


def _most(a: Analysis) -> Fraction | None:
    return a.cap.amount / a.cap.stake if a.cap is not None else None


def answer(a: Analysis, hand: tuple[int, ...], board: tuple[int, ...]) -> FlushAnswer:
    game_rules = rules.rules_of(a.resolved, _most(a))
    tie = a.resolved.options.get("river_tie", "fold")
    position = at("--hand", lambda: chase.position(hand, board, utility=game_rules.utility, tie=tie))
    called = {**dict(zip(chase.CHOICES, game_rules.choices, strict=True)), "check": "check"}
    values = {called[choice]: u / game_rules.unit for choice, u in position.values.items()}
    won = {"lose": "loses", "tie": "ties", "win": "wins"}
    dealer = {f"{QUALIFIES[q]}, player {won[r]}": n for (q, r), n in position.dealer.items()}
    flush = max(rank_masks((*hand, *board)), key=lambda mask: (mask.bit_count(), mask))
    return FlushAnswer(a, values, called[position.best], hand, board, flush_name(flush), dealer)


# ---- a user's strategy


@dataclass(frozen=True)
class ChaseStrategy:
    """A strategy for Chase the Flush."""

    name: str
    strategy: simple.Strategy
    game: str = "chase-the-flush"


def _flush(length: int, text: str) -> str:
    """Return the ranks of the lowest flush of a length that raises, `NEVER`, or "" for any flush."""
    word = text.strip().replace("10", "T")
    try:
        simple.least(length, "" if word in (ANY, NEVER) else word)
    except InputError as error:
        raise fault(error.faults[0].what, 'write its ranks from the top, like "Q-9", or "any", "never"') from None
    return "" if word == ANY else word


_FLUSH = {n: Text(partial(_flush, n), 'write a flush in quotes: "Q-9", or "any", "never"') for n in _LENGTHS}


def _of(length: int) -> Any:
    return field(default=None, metadata={KEY: f"{_LENGTHS[length]}-card flush"})


@dataclass(frozen=True)
class FlushTerms:
    """The lowest flushes that raise, by length; a length that is not given never raises."""

    two: Annotated[str, _FLUSH[2]] | None = _of(2)
    three: Annotated[str, _FLUSH[3]] | None = _of(3)

    def thresholds(self) -> dict[int, str]:
        """Return the ranks of the lowest flush that raises by length, as the file states them."""
        stated = {length: getattr(self, word, None) for length, word in _LENGTHS.items()}
        return {length: ranks for length, ranks in stated.items() if ranks is not None}


@dataclass(frozen=True)
class HoleTerms(FlushTerms):
    """The table [hole]; two cards of a flush are compared by its value, or each by itself."""

    one: Annotated[str, _FLUSH[1]] | None = _of(1)
    compare: Literal["value", "each-card"] = "value"


@dataclass(frozen=True)
class FlopTerms(FlushTerms):
    """The table [flop]."""

    four: Annotated[str, _FLUSH[4]] | None = _of(4)
    five: Annotated[str, _FLUSH[5]] | None = _of(5)


@dataclass(frozen=True)
class ThreatTerms(FlopTerms):
    """A table of the river for one threat of the board."""

    six: Annotated[str, _FLUSH[6]] | None = _of(6)
    seven: Annotated[str, _FLUSH[7]] | None = _of(7)


@dataclass(frozen=True)
class RiverTerms(ThreatTerms):
    """The table [river], with the exceptions for threats of the board."""

    one_higher: ThreatTerms | None = field(default=None, metadata={KEY: "one-higher"})
    two_higher: ThreatTerms | None = field(default=None, metadata={KEY: "two-higher"})


@dataclass(frozen=True, kw_only=True)
class ChaseTerms(StrategyTerms):
    """A strategy's file; an empty table of a street never raises there."""

    hole: HoleTerms
    flop: FlopTerms
    river: RiverTerms


def read(file: TomlFile) -> ChaseStrategy | None:
    """Return the strategy of a file; None if it has faults, which are reported."""
    terms = file.read(ChaseTerms)
    if terms is None:
        return None
    hole, river = terms.hole.thresholds(), terms.river.thresholds()
    against: dict[int, dict[int, str]] = {}
    for threats, exception in (((1, 2), terms.river.one_higher), ((2,), terms.river.two_higher)):
        if exception is not None:
            against |= {threat: _raised({**river, **exception.thresholds()}) for threat in threats}
    strategy = simple.strategy(_raised(hole), _raised(terms.flop.thresholds()), _raised(river), against)
    if terms.hole.compare == "each-card" and hole.get(2, NEVER) != NEVER:
        strategy = each_card(strategy, simple.least(2, hole[2]))
    return ChaseStrategy(terms.called(file.path), strategy)


def _raised(thresholds: Mapping[int, str]) -> dict[int, str]:
    return {length: ranks for length, ranks in thresholds.items() if ranks != NEVER}


def each_card(strategy: simple.Strategy, least: int) -> simple.Strategy:
    """Return the strategy without 3x on two-card flushes whose lower card is below that of ``least``."""
    hole = strategy.hole.copy()
    low = least & -least
    for mask in simple.flushes()[2]:
        if mask & -mask < low:
            hole[simple.place(mask)] = 0
    return simple.Strategy(hole, strategy.flop, strategy.river)


# ---- a side bet on the same hand


def joined(a: Analysis, bets: Sequence[Resolved]) -> tuple[Table, Any]:
    """Return the player's hands under best play of the game, by what these side bets distinguish.

    Deals are in ``[row][choice][qualifies][result]``. Raises `InputError` for a bet that depends on more than the best
    flush of seven cards, or on more than the three hole cards.
    """
    if all(bet.terms.deal == HOLE for bet in bets):
        return _by_hole(a.game.solution, bets[0])
    for bonus in bets:
        beyond = [name for name, _ in bonus.payments if not within_best_flush(bonus, name)]
        if beyond or bonus.terms.deal == HOLE:
            what = f'"{beyond[0]}" may depend on cards' if beyond else "it depends on cards"
            raise fault(f"{bonus.id}: {what} outside the best flush, which the game's joint table does not record",
                        "name a paytable of flushes, and straight flushes of at least four cards", file=FLAG)
    joint = positions.follow(a.game.solution).joint  # [place][choice][qualifies][result]
    return Table(features(), joint.sum(axis=(1, 2, 3)), int(joint.sum()), len(joint)), joint


def beside(a: Analysis, with_: SideBets) -> Together:
    """Return the game with side bets on the same seven cards; a bet may depend only on their best flush."""
    rows, joint = joined(a, [bet.resolved for bet in with_.bets])
    play = play_of("optimal", with_, rows, joint, rules.rules_of(a.resolved))
    return Together(a.id, with_.names, with_.ante, with_.stake, (play,), cap=with_.cap)


def _by_hole(solution: chase.ChaseSolution, bonus: Resolved) -> tuple[Table, Any]:
    """Return classes of hole cards by the length of the flush, eligible for a side bet or not, as rows."""
    weights = chase.hole_classes()[1]
    count, lengths = len(weights), chase.SHAPE[-1]
    cells = np.moveaxis(solution.class_joint, -1, 1).astype(object)  # [class][length][choice][qualifies][result]
    cells = cells * np.array(weights, dtype=object)[:, None, None, None, None]
    eligible = np.ones(cells.shape[2:], dtype=object)
    if bonus.terms.depends_on_play:  # as in `side_bets.table`: a raise, and a qualifying dealer
        eligible[-1], eligible[:, 0] = 0, 0
    joint = np.concatenate([cells * eligible, cells * (1 - eligible)]).reshape(-1, *eligible.shape)
    rank, suit = side_bets.hole_cards()
    columns = {
        "player.rank": np.tile(rank.repeat(lengths, axis=0), (2, 1)),
        "player.suit": np.tile(suit.repeat(lengths, axis=0), (2, 1)),
        "flush": np.tile(np.arange(lengths) + 2, 2 * count),
        "eligible": np.repeat(np.array([1, 0], np.int8), count * lengths),
    }
    return Table(columns, joint.sum(axis=(1, 2, 3)), chase.DEALS, count), joint


def features() -> dict[str, Column]:
    """Return features of same-suit outcomes from the best flush of seven cards.

    They are valid for straight flushes of at least four cards.
    """
    masks = [mask for lengths in simple.flushes() for mask in lengths]
    top = np.array([longest_run(mask, "high") for mask in masks])
    both = np.array([longest_run(mask, "both") for mask in masks])
    low = np.array([_from_low_ace(mask) for mask in masks])
    return {
        "flush": np.array([mask.bit_count() for mask in masks]),
        "straight_flush_high": top,
        "straight_flush_both": both,
        "straight_flush_from_five": np.maximum(top, low * (low >= 5)),
        "straight_flush_five_only": np.maximum(top, 5 * (low >= 5)),
    }


def _from_low_ace(mask: int) -> int:
    """Return the length of the run from a low ace, up to the first missing rank."""
    return (mask >> 12 & 1) * (mask ^ mask + 1).bit_length()


# ---- dealt rounds


def deal(a: Analysis, seats: int, rounds: int, seed: int) -> dealt_rounds.DealtRounds:
    """Return dealt rounds of ``seats`` seats on one board, under best play of the game."""
    if seats > 9:
        raise fault(f"a table of Chase the Flush has at most 9 hands, not {seats}", "give fewer seats, or fewer boxes")
    game_rules = rules.rules_of(a.resolved, _most(a))
    ends, cards = deal_block(a.game.solution, seats, rounds, seed)
    holes = cards[:, : 3 * seats].reshape(-1, 3)
    board = cards[:, 3 * seats : 3 * seats + 4].repeat(seats, axis=0)
    hands = np.concatenate([holes, board], axis=1)
    whole = dealt_rounds.seven(dealt_rounds.masks_of(hands)) | dealt_rounds.shown(hands, "player")
    place = ends.reshape(-1)
    choice, qualifies = np.unravel_index(place, game_rules.net.shape)[:2]
    spins = ((choice < 3) & (qualifies == 1)).astype(np.int8)

    def ended(bet: Resolved) -> tuple[Sequence[str], Any]:
        if bet.terms.deal == HOLE:
            hole_columns = dealt_rounds.shown(holes, "player")
            columns = hole_columns | {"eligible": spins} if bet.terms.depends_on_play else hole_columns
            return dealt_rounds.settled(bet, columns)
        return dealt_rounds.settled(bet, whole)

    return dealt_rounds.DealtRounds(tuple(game_rules.net.reshape(-1)), place, ended)
