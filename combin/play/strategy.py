"""How a base game is best played: the play in lines, one hand's choices, what simple strategies cost.

    s = summarize(combin.analyze("maryland/high-card-flush/base/A"))
    s.lines            # which hands are never, sometimes, always raised
    s.strategies       # simple strategies with their exact return and cost, optimal play first
    answer(analysis, "Tc 7c 4c Ks Qh Jd 9d").best

Amounts are in antes, cost is what a strategy gives up against optimal play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import Fault, InputError, fault
from ..deals.cards import RANKS, cards
from ..games import base
from ..games.chase_the_flush import positions as chase_the_flush_seen
from ..games.chase_the_flush import solve as chase
from ..games.chase_the_flush import strategies as chase_simple
from ..games.high_card_flush import solve as high
from ..games.high_card_flush import strategies as high_simple
from ..rulebook.book import Rulebook
from .files import ChaseRule, HighCardRule, Rule

HIGH, CHASE = "high-card-flush", "chase-the-flush"
NEVER, SOMETIMES, ALWAYS = "never", "sometimes", "always"
#: What decides most of the hands of High Card Flush that the best flush leaves open.
DECIDING_RANK = RANKS.index("J")
JACKS = "jack or higher outside the flush"
#: `chase_the_flush_strategy.THREATS` in a few words.
THREATS = ("no suited pair on the board is higher", "of two suited board cards one is higher",
           "two suited board cards are higher")
STREETS = ("hole cards", "flop", "river")


@dataclass(frozen=True)
class Line:
    """Positions that are played alike: of ``positions`` so many are ``raised``."""

    street: str
    hands: str
    given: str
    positions: int
    raised: int

    @property
    def verdict(self) -> str:
        """``never``, ``sometimes`` or ``always`` raised."""
        return ALWAYS if self.raised == self.positions else SOMETIMES if self.raised else NEVER


@dataclass(frozen=True)
class Valued:
    """A strategy and what it comes to; ``choices`` are frequencies, ``found`` says how it was found."""

    name: str
    returned: Fraction
    cost: Fraction
    choices: Mapping[str, Fraction]
    found: str = ""


@dataclass(frozen=True)
class Summary:
    """The play of one base game. ``strategies`` begins with optimal play."""

    analysis: Analysis
    lines: tuple[Line, ...]
    strategies: tuple[Valued, ...]
    ties: Mapping[str, int]


@dataclass(frozen=True)
class Compared:
    """A user's strategies beside optimal play, which comes first."""

    analysis: Analysis
    strategies: tuple[Valued, ...]


@dataclass(frozen=True)
class Answer:
    """The exact value of each choice of one position; ``dealer`` counts dealer hands where the board is whole."""

    analysis: Analysis
    hand: tuple[int, ...]
    board: tuple[int, ...]
    flush: str
    values: Mapping[str, Fraction]
    best: str
    dealer: Mapping[str, int] = field(default_factory=dict)

    @property
    def tied(self) -> bool:
        """Whether another choice is worth exactly as much as the best."""
        return sum(value == max(self.values.values()) for value in self.values.values()) > 1

    @property
    def cost(self) -> Mapping[str, Fraction]:
        """What each choice gives up."""
        most = max(self.values.values())
        return {name: most - value for name, value in self.values.items()}


def game_of(book: Rulebook, identifier: str) -> str:
    """The kind of a game; `InputError` for a wager without decisions of its own."""
    kind = book.find(identifier)[0].data.get("game")
    if kind not in (HIGH, CHASE):
        games = [i for i in book.ids() if book.find(i)[0].data.get("game") in (HIGH, CHASE)]
        what = f"{identifier} has no decisions of its own"
        raise fault(what, f"name a base game: {', '.join(games)}", file="strategy")
    return str(kind)


def optimal(a: Analysis) -> Valued:
    """Optimal play as a strategy among others."""
    return Valued("optimal play", a.returned, Fraction(0), a.game.choices)


def summarize(a: Analysis, *, search: bool = False) -> Summary:
    """The optimal play of a base game, and simple strategies beside it.

    ``search`` looks for the best thresholds of Chase the Flush under these pays (some minutes);
    those of High Card Flush are found at once in any case.
    """
    if game_of(a.book, a.id) == HIGH:
        lines, others = _high_lines(a), tuple(_high_strategies(a))
    else:
        # The strategies first: the pass that values them counts the lines' positions too.
        others = tuple(_chase_strategies(a, search))
        lines = _chase_lines(a)
    return Summary(a, tuple(lines), (optimal(a), *others), a.game.ties)


def compare(a: Analysis, played: Sequence[Rule]) -> Compared:
    """The user's strategies valued exactly."""
    kind = game_of(a.book, a.id)
    for rule in played:
        _fits(rule, kind, a)
    if kind == HIGH:
        valued = tuple(_value_high(a, rule) for rule in played)
    else:
        rules = [rule for rule in played if isinstance(rule, ChaseRule)]
        valued = _value_chase(a, [(rule.name, rule.strategy, "") for rule in rules])
    return Compared(a, (optimal(a), *valued))


def _fits(rule: Rule, kind: str, a: Analysis) -> None:
    own = HIGH if isinstance(rule, HighCardRule) else CHASE
    if own != kind:
        raise fault(f'"{rule.name}" is a strategy for {own}', f"{a.id} is another game", file="--play")


# ---- High Card Flush


def _high_lines(a: Analysis) -> Iterator[Line]:
    game = base.high_card_flush_game(a.resolved)
    codes = high.by_high_cards(DECIDING_RANK, pattern=False)
    solution = high.solve(game, codes)
    hands = solution.cells.sum((3, 4)) // high.DEALERS
    numbers = {int(mask): n for n, mask in enumerate(high.flushes())}
    for line in high_simple.lines(solution):
        span = slice(numbers[line.first], numbers[line.last] + 1)
        name = _span(high.flush_name(line.first), high.flush_name(line.last))
        groups = [group for group in (line.never, line.sometimes, line.always) if group]
        for group in groups:
            rows = hands[span][:, [codes.labels.index(label) for label in group]].sum((0, 1))
            given = "" if len(groups) == 1 else f"{_counts(group)} {JACKS}"
            yield Line("", name, given, int(rows.sum()), int(rows[1:].sum()))


def _counts(labels: Sequence[int]) -> str:
    ordered = sorted(labels)
    return f"{ordered[0]}" if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"


def _span(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _least(mask: int | None) -> str:
    return "a flush of four cards" if mask is None else high.flush_name(mask)


def _pattern(label: tuple[int, ...]) -> str:
    return "-".join(map(str, label))


def _high_strategies(a: Analysis) -> Iterator[Valued]:
    game = base.high_card_flush_game(a.resolved)
    rules = base.high_card_flush_rules(a.resolved)
    by_suits = high_simple.histogram(high.by_pattern(), long_flush=game.long_flush)

    def valued(name: str, seen: high_simple.Histogram, strategy: Any, found: str = "") -> Valued:
        return _valued(a, rules, name, high_simple.value_strategy(seen, strategy, game).joint, found)

    def of(name: str, seen: high_simple.Histogram, best: high_simple.Thresholds, found: str) -> Valued:
        return valued(name, seen, high_simple.threshold_strategy(seen, best), found)

    shape = by_suits.cells.shape[:2]
    place = np.arange(shape[0])
    for name, start in _thresholds():
        yield valued(name, by_suits, np.broadcast_to((place >= start)[:, None], shape))
    single = max(high_simple.single_thresholds(by_suits, game), key=lambda t: t.total)
    yield of(f"raise from {_least(single.least[0])}", by_suits, single, "best of all 287 single thresholds")
    two = high_simple.best_thresholds(by_suits, game, high_simple.two_groups(by_suits))[0]
    other = ", ".join(_pattern(label) for label in two.groups[1])
    yield of(
        f"raise from {_least(two.least[0])}, with suits {other} from {_least(two.least[1])}", by_suits, two,
        "best two thresholds by the lengths of the suits",
    )
    best = high_simple.search_high_cards(game)[0]
    seen = high_simple.histogram(high.by_high_cards(best.rank, pattern=False), long_flush=game.long_flush)
    yield of(
        f"raise from {_least(best.thresholds.least[0])}, with {best.cards} or more cards {_or_higher(best.rank)} "
        f"outside the flush from {_least(best.thresholds.least[1])}",
        seen, best.thresholds, "best two thresholds by the other suits' high cards, any rank and number",
    )
    seen = high_simple.histogram(high.by_high_cards(DECIDING_RANK), long_flush=game.long_flush)
    yield valued(
        f"by the flush, the lengths of the suits and the number of cards {JACKS}", seen,
        high_simple.best_strategy(seen, game), "best of all strategies that see no more",
    )


def _thresholds() -> list[tuple[str, int]]:
    named = {"T-3-2": "any three-card flush ten high or better", "J-3-2": "any three-card flush jack high or better"}
    found = [("raise everything", 0), ("raise what the dealer would qualify with, from 9-3-2", _number("9-3-2"))]
    found += [(f"raise {words}", _number(flush)) for flush, words in named.items()]
    return [*found, ("raise only four-card flushes or longer", high_simple.three_card_flushes().stop),
            ("fold everything", len(high.flushes()))]


def _number(flush: str) -> int:
    return high.flush_number(high.flush_of(flush))


def _or_higher(rank: int) -> str:
    names_ = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
    return f"{names_[rank]} or higher" if rank < len(names_) else "an ace"


def _value_high(a: Analysis, rule: Rule) -> Valued:
    assert isinstance(rule, HighCardRule)
    game = base.high_card_flush_game(a.resolved)
    seen = high_simple.histogram(rule.codes, long_flush=game.long_flush)
    joint = high_simple.value_strategy(seen, rule.choices(seen, game), game).joint
    return _valued(a, base.high_card_flush_rules(a.resolved), rule.name, joint)


def _valued(a: Analysis, rules: base.Rules, name: str, joint: Any, found: str = "") -> Valued:
    """The figures of a joint table [choice][qualifies][result][length - 2] of all deals."""
    counts = joint.astype(object)
    deals = int(counts.sum())
    returned = 1 + Fraction((counts * rules.net).sum()) / deals
    shares = {n: Fraction(int(c.sum()), deals) for n, c in zip(rules.choices, counts, strict=True)}
    return Valued(name, returned, a.returned - returned, shares, found)


# ---- Chase the Flush

#: The best thresholds that `chase_the_flush_strategy.search` finds under the documents' pays, both paytables
#: alike: the exception's name, then the least flush by street.
FOUND: dict[str, tuple[chase_simple.Thresholds, chase_simple.Thresholds, chase_simple.Thresholds,
                       dict[int, chase_simple.Thresholds]]] = {
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


def _chase_lines(a: Analysis) -> Iterator[Line]:
    seen = chase_the_flush_seen.follow(a.game.solution)
    streets = [f"{times}, {street}" for times, street in zip(_multiples(a), STREETS, strict=True)]
    yield from _hole_lines(streets[0], a.game.solution, seen.hole)
    yield from _street(streets[1], "", seen.flop)
    for threat, words in enumerate(THREATS):
        yield from _street(streets[2], words, seen.river[:, threat])


def _hole_lines(street: str, solution: chase.Solution, counts: Any) -> Iterator[Line]:
    """Best flushes of the hole cards that the other cards decide alike, neighbours in one line."""
    alike: list[tuple[Any, list[int]]] = []
    for rule in chase_simple.hole_rules(solution):
        said = _other_cards(rule) if rule.raising and rule.checking else ""
        key = rule.flush.bit_count(), said, bool(rule.raising)
        if alike and alike[-1][0] == key:
            alike[-1][1].append(rule.flush)
        else:
            alike.append((key, [rule.flush]))
    for (_, said, _), flushes in alike:
        checked, raised = (int(n) for n in counts[[chase_simple.place(m) for m in flushes]].sum(axis=0))
        name = _span(chase_simple.flush_name(flushes[0]), chase_simple.flush_name(flushes[-1]))
        yield Line(street, name, said, checked + raised, raised)


def _other_cards(rule: chase_simple.HoleRule) -> str:
    """Which cards beside the flush raise it: from one on, or named one by one."""
    ranks = [*RANKS]
    if rule.flush.bit_count() == 2 and list(rule.raising) == ranks[ranks.index(rule.raising[0]) :]:
        least = rule.raising[0]
        return "raised with an ace" if least == "A" else f"raised with a third card {least} or higher"
    return f"raised with {', '.join(rule.raising)}"


def _multiples(a: Analysis) -> list[str]:
    """What the three streets raise: 3x, 2x, 1x unless a user's file says otherwise."""
    return [f"{stake}x" for stake in a.resolved.options["raises"]]


def _street(street: str, given: str, counts: Any) -> Iterator[Line]:
    """Lines by length and top card; neighbours that are never, or always, raised stand in one."""
    rows: list[tuple[int, int, int, int, int]] = []  # length, first and last place, positions, raised
    for length in range(1, 8):
        first = chase_simple.first_places()[length]
        for top in range(12 + 1):
            masks = [m for m in chase_simple.flushes()[length] if m.bit_length() == top + 1]
            if not masks:
                continue
            start = first + chase_simple.flushes()[length].index(masks[0])
            folds, raises = (int(n) for n in counts[start : start + len(masks)].sum(axis=0))
            if folds + raises:
                rows.append((length, start, start + len(masks) - 1, folds + raises, raises))
    merged: list[tuple[int, int, int, int, int]] = []
    for row in rows:
        last = merged[-1] if merged else None
        alike = last and last[0] == row[0] and row[4] in (0, row[3]) and (last[4] in (0, last[3]))
        if last and alike and (last[4] == 0) == (row[4] == 0):
            merged[-1] = (row[0], last[1], row[2], last[3] + row[3], last[4] + row[4])
        else:
            merged.append(row)
    order = [mask for masks in chase_simple.flushes() for mask in masks]
    for _, start, stop, positions, raised in merged:
        name = _span(chase_simple.flush_name(order[start]), chase_simple.flush_name(order[stop]))
        yield Line(street, name, given, positions, raised)


def _chase_strategies(a: Analysis, search: bool) -> Iterator[Valued]:
    every = np.ones(chase_simple.first_places()[-1], np.uint8)
    never = np.zeros_like(every)
    rivers = np.stack([never] * len(chase_simple.THREATS))
    times = _multiples(a)
    listed = [(f"{times[0]} on everything", chase_simple.Strategy(every, every, rivers), "")]
    listed += [(f"printed by the casino; {n}", s, "") for n, s in chase_simple.printed_strategies().items()]
    for exception, (hole, flop, river, against) in FOUND.items():
        own = chase_simple.strategy(hole, flop, river, against)
        found = f"best thresholds by street and length, {_exception(exception)} (documents' pays)"
        if search:
            best = chase_simple.search(a.game.solution, exception)
            own = best.strategy
            streets = dict(zip(("3x", "2x", "1x"), times, strict=True))
            name = "; ".join(
                f"{streets[street[:2]]}{street[2:]} from {_some(t)}" for street, t in best.thresholds.items()
            )
            found = f"best thresholds by street and length, {_exception(exception)}: {best.compared:,} compared"
        else:
            name = _words(times, (hole, flop, river), against, exception)
        listed.append((name, own, found))
    yield from _value_chase(a, listed, beside=a.game.solution)


def _exception(name: str) -> str:
    return f"exception for {_EXCEPTION[name]}" if _EXCEPTION[name] else "no exception"


def _some(thresholds: Mapping[int, str]) -> str:
    return ", ".join(t for t in thresholds.values() if t not in ("never", "not reached")) or "no flush"


def _words(
    times: Sequence[str], streets: Sequence[chase_simple.Thresholds], against: Mapping[int, chase_simple.Thresholds],
    exception: str,
) -> str:
    def least(thresholds: chase_simple.Thresholds) -> str:
        return ", ".join(chase_simple.flush_name(chase_simple.least(n, t)) for n, t in thresholds.items())

    words = "; ".join(f"{x} from {least(t)}" for x, t in zip(times, streets, strict=True))
    return f"{words}; against {_EXCEPTION[exception]} from {least(against[2])}" if against else words


def _value_chase(
    a: Analysis, listed: Sequence[tuple[str, chase_simple.Strategy, str]], beside: chase.Solution | None = None
) -> tuple[Valued, ...]:
    rules = base.chase_the_flush_rules(a.resolved, _most(a))
    played = chase_the_flush_seen.value_strategies([strategy for _, strategy, _ in listed], beside=beside)
    return tuple(
        _valued(a, rules, name, one.joint, found) for (name, _, found), one in zip(listed, played, strict=True)
    )


def _most(a: Analysis) -> Fraction | None:
    return a.cap.amount / a.cap.stake if a.cap is not None else None


# ---- one hand


def answer(a: Analysis, hand: str | Sequence[int], board: str | Sequence[int] = ()) -> Answer:
    """The exact value of every choice with these cards; `InputError` says what is wrong with them."""
    kind = game_of(a.book, a.id)
    held = _at("--hand", lambda: cards(hand) if isinstance(hand, str) else tuple(hand))
    shown = _at("--board", lambda: cards(board) if isinstance(board, str) else tuple(board))
    return _high_answer(a, held, shown) if kind == HIGH else _chase_answer(a, held, shown)


def _at(flag: str, call: Callable[[], Any]) -> Any:
    """The call's value; its faults name ``flag`` where they name no place."""
    try:
        return call()
    except InputError as error:
        raise InputError(*(Fault(f.what, f.remedy, f.file or flag, f.place) for f in error.faults)) from None


def _high_answer(a: Analysis, hand: tuple[int, ...], board: tuple[int, ...]) -> Answer:
    if board:
        raise fault("High Card Flush has no board", "leave it out", file="--board")
    game, rules = base.high_card_flush_game(a.resolved), base.high_card_flush_rules(a.resolved)
    position = _at("--hand", lambda: high.position(hand, long_flush=game.long_flush))
    utilities = position.values(game)
    values = {name: u / rules.unit for name, u in zip(rules.choices, utilities, strict=False)}
    dealer = {
        f"{base.QUALIFIES[q]}, player {('loses', 'ties', 'wins')[r]}": int(position.dealers[q][r])
        for q in (0, 1) for r in (0, 1, 2)
    }
    best = max(values, key=values.__getitem__)  # of equals the first: a tie is a fold
    return Answer(a, hand, (), high.flush_name(position.flush), values, best, dealer)


def _chase_answer(a: Analysis, hand: tuple[int, ...], board: tuple[int, ...]) -> Answer:
    rules = base.chase_the_flush_rules(a.resolved, _most(a))
    tie = a.resolved.options.get("river_tie", "fold")
    position = _at("--hand", lambda: chase.position(hand, board, utility=rules.utility, tie=tie))
    called = {**dict(zip(chase.CHOICES, rules.choices, strict=True)), "check": "check"}
    values = {called[choice]: u / rules.unit for choice, u in position.values.items()}
    won = {"lose": "loses", "tie": "ties", "win": "wins"}
    dealer = {f"{base.QUALIFIES[q]}, player {won[r]}": n for (q, r), n in position.dealer.items()}
    flush = max(chase.masks((*hand, *board)), key=lambda mask: (mask.bit_count(), mask))
    return Answer(a, hand, board, chase_simple.flush_name(flush), values, called[position.best], dealer)


