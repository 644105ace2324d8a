"""High Card Flush play: in lines, one hand, simple and users' strategies, with a side bet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import fault, nearest
from ..base.toml_tables import Text, TomlFile, WholeNumber
from ..deals.cards import RANK_WORDS, RANKS, flush_name
from ..deals.table import Column, Table
from ..games.high_card_flush import rules, side_bets
from ..games.high_card_flush import solve as high
from ..games.high_card_flush import strategies as simple
from ..games.high_card_flush.dealt_rounds import deal_block
from ..games.joint import QUALIFIES, Rules
from ..rulebook.book import Resolved
from ..rulebook.terms import PlayOptions
from . import dealt_rounds
from .files import ANY, NEVER, StrategyTerms
from .strategy import FlushAnswer, PositionGroup, Summary, UserStrategy, ValuedStrategy, at, optimal, span, valued_by
from .together import FLAG, SideBets, Together, play_of

#: The feature that decides most of the hands that the best flush does not decide.
DECIDING_RANK = RANKS.index("J")
JACKS = "jack or higher outside the flush"


def summarize(a: Analysis, *, search: bool = False) -> Summary:
    """Return the play in lines and simple strategies; ``search`` has no effect, since thresholds are found quickly."""
    return Summary(a, (optimal(a), *_high_strategies(a)), tuple(_high_lines(a)))


def value(a: Analysis, played: Sequence[UserStrategy]) -> tuple[ValuedStrategy, ...]:
    """Return the exact figures of a user's strategies."""
    return tuple(_value_high(a, strategy) for strategy in played)


def best_play(a: Analysis) -> tuple[tuple[str, ...], Iterator[tuple[str, ...]], tuple[str, ...]]:
    """Return a row for each best flush, and for each class of hands if the other cards decide."""
    remarks = (
        "A row is a best flush, or a class of hands if the other suits' cards decide. Ranks of a suit are "
        "joined by hyphens, suits are separated by spaces.",
        "The player raises with the best flush of the hand; hands is the number of hands, of 133,784,560.",
    )
    return ("flush", "other suits", "hands", "best"), _every_hand(a), remarks


def _every_hand(a: Analysis) -> Iterator[tuple[str, ...]]:
    game, names = rules.game_of(a.resolved), rules.rules_of(a.resolved).choices
    suits: dict[int, str] = {}
    for play in high.solve(game).plays():
        flush = flush_name(play.flush)
        if max(play.chosen) == play.hands:
            yield flush, "any", str(play.hands), names[play.chosen.index(play.hands)]
            continue
        listed, best = high.chosen(game, play.flush)
        for masks, hands, choice in zip(listed.masks.tolist(), listed.hands.tolist(), best.tolist(), strict=True):
            others = " ".join([suits.get(mask) or suits.setdefault(mask, flush_name(mask))
                               for mask in masks[1:] if mask])
            yield flush, others, str(hands), names[choice]


def _high_lines(a: Analysis) -> Iterator[PositionGroup]:
    game = rules.game_of(a.resolved)
    codes = high.by_high_cards(DECIDING_RANK, pattern=False)
    solution = high.solve(game, codes)
    hands = solution.cells.sum((3, 4)) // high.DEALERS
    numbers = {int(mask): n for n, mask in enumerate(high.flushes())}
    for line in simple.lines(solution):
        places = slice(numbers[line.first], numbers[line.last] + 1)
        name = span(flush_name(line.first), flush_name(line.last))
        groups = [group for group in (line.never, line.sometimes, line.always) if group]
        for group in groups:
            rows = hands[places][:, [codes.labels.index(label) for label in group]].sum((0, 1))
            given = "" if len(groups) == 1 else f"{_counts(group)} {JACKS}"
            yield PositionGroup("", name, given, int(rows.sum()), int(rows[1:].sum()))


def _counts(labels: Sequence[int]) -> str:
    ordered = sorted(labels)
    if len(ordered) > 1:
        return f"{ordered[0]} to {ordered[-1]} cards"
    return "1 card" if ordered == [1] else f"{ordered[0]} cards"


def _least(mask: int | None) -> str:
    return "a flush of four cards" if mask is None else flush_name(mask)


def _pattern(label: tuple[int, ...]) -> str:
    return "-".join(map(str, label))


def _high_strategies(a: Analysis) -> Iterator[ValuedStrategy]:
    game = rules.game_of(a.resolved)
    game_rules = rules.rules_of(a.resolved)
    by_suits = simple.histogram(game, high.by_pattern())

    def valued(name: str, seen: simple.Histogram, strategy: Any, basis: str = "") -> ValuedStrategy:
        return valued_by(a, game_rules, name, simple.joint_of(seen, strategy), basis)

    def of(name: str, seen: simple.Histogram, best: simple.Thresholds, basis: str) -> ValuedStrategy:
        return valued(name, seen, simple.threshold_strategy(seen, best), basis)

    shape = by_suits.cells.shape[:2]
    place = np.arange(shape[0])
    for name, start in _thresholds():
        yield valued(name, by_suits, np.broadcast_to((place >= start)[:, None], shape))
    single = max(simple.single_thresholds(by_suits), key=lambda t: t.total)
    yield of(f"raise from {_least(single.least[0])}", by_suits, single, "best of all 287 single thresholds")
    two = simple.best_thresholds(by_suits, simple.two_groups(by_suits))[0]
    other = ", ".join(_pattern(label) for label in two.groups[1])
    yield of(
        f"raise from {_least(two.least[0])}, with suits {other} from {_least(two.least[1])}", by_suits, two,
        "best two thresholds by the lengths of the suits",
    )
    best = simple.search_high_cards(game)[0]
    higher = "an ace" if RANKS[best.rank] == "A" else f"{RANK_WORDS[best.rank]} or higher"
    seen = simple.histogram(game, high.by_high_cards(best.rank, pattern=False))
    yield of(
        f"raise from {_least(best.thresholds.least[0])}, with {best.cards} or more cards {higher} "
        f"outside the flush from {_least(best.thresholds.least[1])}",
        seen, best.thresholds, "best two thresholds by the other suits' high cards, over all ranks and numbers",
    )
    seen = simple.histogram(game, high.by_high_cards(DECIDING_RANK))
    yield valued(
        f"by the flush, the lengths of the suits and the number of cards {JACKS}", seen,
        simple.best_strategy(seen), "best of all strategies that use only these",
    )


def _thresholds() -> list[tuple[str, int]]:
    return [
        ("raise everything", 0),
        ("raise with every hand that would qualify, from 9-3-2", _number("9-3-2")),
        ("raise any three-card flush ten high or better", _number("T-3-2")),
        ("raise any three-card flush jack high or better", _number("J-3-2")),
        ("raise only four-card flushes or longer", simple.three_card_flushes().stop),
        ("fold everything", len(high.flushes())),
    ]


def _number(flush: str) -> int:
    return high.flush_number(high.flush_of(flush))


def _value_high(a: Analysis, strategy: UserStrategy) -> ValuedStrategy:
    assert isinstance(strategy, HighCardStrategy)
    seen = simple.histogram(rules.game_of(a.resolved), strategy.codes)
    joint = simple.joint_of(seen, strategy.choices(seen))
    return valued_by(a, rules.rules_of(a.resolved), strategy.name, joint)


def answer(a: Analysis, hand: tuple[int, ...], board: tuple[int, ...]) -> FlushAnswer:
    if board:
        raise fault("High Card Flush has no board", "omit it", file="--board")
    game, game_rules = rules.game_of(a.resolved), rules.rules_of(a.resolved)
    position = at("--hand", lambda: high.position(hand, long_qualifies=game.long_qualifies))
    utilities = position.values(game)
    values = {name: u / game_rules.unit for name, u in zip(game_rules.choices, utilities, strict=False)}
    dealer = {
        f"{QUALIFIES[q]}, player {('loses', 'ties', 'wins')[r]}": int(position.dealers[q][r])
        for q in (0, 1) for r in (0, 1, 2)
    }
    best = max(values, key=values.__getitem__)  # of equal values the first: a tie is a fold
    return FlushAnswer(a, values, best, hand, (), flush_name(position.flush), dealer)


# ---- a user's strategy


@dataclass(frozen=True)
class When:
    """A condition on the cards outside the best flush, and the index of the lowest flush that it raises."""

    suits: tuple[tuple[int, ...], ...]
    at_least: int
    raise_from: int


@dataclass(frozen=True)
class HighCardStrategy:
    """A strategy for High Card Flush; ``raise_from`` is an index into `high_card_flush.flushes`."""

    name: str
    raise_from: int
    when: tuple[When, ...] = ()
    rank: int | None = None  # ``at_least`` counts cards of this rank (0 is a two) or higher
    multiple: int | None = None  # None: the maximum allowed
    game: str = "high-card-flush"

    @property
    def codes(self) -> high.Codes:
        """The codes that the strategy needs besides the best flush."""
        if not self.when:
            return high.all_alike()
        return high.by_high_cards(self.rank if self.rank is not None else 12)

    def choices(self, seen: simple.Histogram) -> Any:
        """Return ``[flush][code]``: 0 folds, m raises m antes."""
        most = np.array(seen.game.open_choices)[high.lengths() - 2] - 1
        stake = most if self.multiple is None else np.minimum(most, self.multiple)
        place = np.arange(len(stake))
        columns = []
        for label in seen.codes.labels:
            start = self.raise_from
            if self.when:
                pattern, cards = label
                fits = (w for w in self.when if cards >= w.at_least and (not w.suits or pattern in w.suits))
                start = next((w.raise_from for w in fits), self.raise_from)
            columns.append(np.where(place >= start, stake, 0))
        return np.stack(columns, axis=1)


def _start(text: str) -> int:
    """Return the index of the lowest flush that is raised."""
    if text in (ANY, NEVER):
        return 0 if text == ANY else len(high.flushes())
    return high.flush_number(high.flush_of(text))


def _suits(text: str) -> tuple[int, ...]:
    patterns = {_pattern(p): p for p in high.PATTERNS}
    if text not in patterns:
        raise fault(f'"{text[:80]}" is not a suit pattern of seven cards', nearest(text[:80], patterns))
    return patterns[text]


def _rank(text: str) -> int:
    if len(text) != 1 or text.upper() not in RANKS:
        raise fault(f'"{text[:80]}" is not a rank', 'write a rank: other_cards = "J"')
    return RANKS.index(text.upper())


_START = Text(_start, 'write a flush in quotes: "T-8-6", or "any", "never"')


@dataclass(frozen=True)
class WhenTerms:
    """A table [[when]]."""

    raise_from: Annotated[int, _START]
    suits: tuple[Annotated[tuple[int, ...], Text(_suits)], ...] = ()
    other_cards: Annotated[int, Text(_rank)] | None = None
    at_least: Annotated[int, WholeNumber(0, 5)] | None = None

    def __post_init__(self) -> None:
        if not self.suits and self.other_cards is None:
            raise fault("a [[when]] has no condition", "give suits, or other_cards and at_least")
        if self.at_least is not None and self.other_cards is None:
            raise fault("at_least is given without other_cards", 'add other_cards = "J"', place="at_least")


@dataclass(frozen=True, kw_only=True)
class HighCardTerms(StrategyTerms):
    """A strategy's file."""

    raise_from: Annotated[int, _START]
    multiple: Annotated[int, WholeNumber(1, 7)] | Literal["most"] = "most"
    when: tuple[WhenTerms, ...] = ()


def read(file: TomlFile) -> HighCardStrategy | None:
    """Return the strategy of a file; None if it has faults, which are reported."""
    terms = file.read(HighCardTerms)
    if terms is None:
        return None
    ranks = {w.other_cards: n for n, w in enumerate(terms.when, 1) if w.other_cards is not None}
    for rank, n in [*ranks.items()][1:]:
        file.report(f"other_cards is {RANKS[rank]}, and {RANKS[next(iter(ranks))]} in another [[when]]",
                    "use one rank in the whole strategy", (f"when #{n}", "other_cards"))
    when = tuple(When(w.suits, w.at_least if w.at_least is not None else int(w.other_cards is not None), w.raise_from)
                 for w in terms.when)
    multiple = None if terms.multiple == "most" else terms.multiple
    return HighCardStrategy(terms.called(file.path), terms.raise_from, when, next(iter(ranks), None), multiple)


# ---- a side bet on the same hand


def joined(a: Analysis, bets: Sequence[Resolved]) -> tuple[Table, Any]:
    """Return the player's hands under best play of the game, by what these side bets distinguish.

    Deals are in ``[row][choice][qualifies][result]``. Raises `InputError` for bets that depend on different features.
    """
    solution = high.solve(rules.game_of(a.resolved), _codes(bets), by="length")
    return _rows(bets[0], solution, rules.rules_of(a.resolved))


def beside(a: Analysis, with_: SideBets) -> Together:
    """Return the game with side bets on the same hand; if a single bet depends on play, also the best for both."""
    first = with_.bets[0]
    bonus = first.resolved
    bets = [bet.resolved for bet in with_.bets]
    game_rules = rules.rules_of(a.resolved)
    plays = [play_of("optimal for the base game", with_, *joined(a, bets), game_rules)]
    remarks = []
    if bonus.terms.depends_on_play:
        best = side_bets.together(bonus, rules.game_of(a.resolved), _codes(bets), first.values, with_.ante)
        plays.append(play_of("optimal for both at these stakes", with_, *_rows(bonus, best, game_rules), game_rules))
        options = bonus.terms.play_options
        if options.folded == "forfeited":
            remarks.append("a fold forfeits the side bet")
        if options.discards == "kept-cards-only":
            remarks.append("a raising player keeps only the best flush, and the side bet is settled on the cards kept")
    return Together(a.id, with_.names, with_.ante, with_.stake, tuple(plays), tuple(remarks), with_.cap)


def _codes(bets: Sequence[Resolved]) -> high.Codes:
    aces = {bet.options["ace"] for bet in bets if "ace" in bet.options} or {"both"}
    if len(bets) > 1 and (len(aces) > 1 or any(bet.terms.depends_on_play for bet in bets)):
        names = " and ".join(bet.id for bet in bets)
        raise fault(f"{names} depend on different features of the hand", "name one side bet", file=FLAG)
    return high.by_features(*aces)


def _rows(bonus: Resolved, solution: high.HighCardSolution, game_rules: Rules) -> tuple[Table, Any]:
    cells = solution.cells  # [length][code][choice][qualifies][result]
    hands = cells.sum(axis=(3, 4))
    length, code, choice = np.nonzero(hands)
    labels = [solution.codes.labels[i] for i in code]
    features, place = side_bets.features(bonus, labels, choice > 0, hands[length, code, choice])
    split = np.bincount(place)[place]  # seven cards in sequence have a row for each suit
    length, code, choice = length[place], code[place], choice[place]
    rows = Table({**features.columns, "flush": length + 2}, features.weights, features.deals, features.classes)
    joint = np.zeros((len(length), *game_rules.net.shape[:3]), dtype=object)
    joint[np.arange(len(length)), choice] = cells[length, code, choice] // split[:, None, None]
    return rows, joint


# ---- dealt rounds


def deal(a: Analysis, seats: int, rounds: int, seed: int) -> dealt_rounds.DealtRounds:
    """Return dealt rounds of ``seats`` seats under best play. Raises `InputError` for more seats than a deck serves."""
    if seats > 6:
        what = f"{seats} hands and the dealer need {7 * seats + 7} cards of one deck"
        raise fault(what, "give at most 6 seats, or 6 boxes over all seats")
    game_rules = rules.rules_of(a.resolved)
    ends, cards = deal_block(rules.game_of(a.resolved), seats, rounds, seed)
    hands = cards[:, : 7 * seats].reshape(-1, 7)
    masks = dealt_rounds.masks_of(hands)
    seen = dealt_rounds.seven(masks) | dealt_rounds.shown(hands, "player")
    raised = ends.reshape(-1) >= game_rules.net[0].size
    nets = tuple(game_rules.net.reshape(-1))

    def ended(bet: Resolved) -> tuple[Sequence[str], Any]:
        played = bet.terms.depends_on_play
        return dealt_rounds.settled(bet, _kept(bet.terms.play_options, masks, raised) if played else seen)

    return dealt_rounds.DealtRounds(nets, ends.reshape(-1), ended)


def _kept(play: PlayOptions, masks: Any, raised: Any) -> dict[str, Column]:
    """Return the columns of a side bet that depends on play, as `side_bets.features`."""
    columns, suit = dealt_rounds.seven(masks), dealt_rounds.best_suit(masks)
    if play.discards == "kept-cards-only":
        alone = dealt_rounds.seven(np.where(np.arange(4)[:, None] == suit, masks, 0))
        columns = {name: np.where(raised, alone[name], column) for name, column in columns.items()}
    columns["suit_of_seven"] = np.where(columns["straight_flush_both"] == 7, suit + 1, 0).astype(np.int8)
    columns["eligible"] = (raised | (play.folded == "paid")).astype(np.int8)
    return columns
