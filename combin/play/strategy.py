"""The best play of a base game: in lines, one hand's choices, the cost of simple strategies.

    s = summarize(combin.analyze("maryland/high-card-flush/base/A"))
    s.lines            # hands that are never, sometimes, always raised
    s.strategies       # simple strategies with their exact return and cost, optimal play first
    answer(analysis, "Tc 7c 4c Ks Qh Jd 9d").best

Amounts are in antes. The cost of a strategy is its loss against optimal play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from ..analysis.model import Analysis
from ..base.displayed import Displayed
from ..base.errors import Fault, InputError, fault
from ..deals.cards import Shoe, cards
from ..games.joint import Rules
from ..games.model import ANY_IN_VIEW, Game
from ..games.registry import game_named
from ..rulebook.book import Rulebook

NEVER, SOMETIMES, ALWAYS = "never", "sometimes", "always"


class UserStrategy(Protocol):
    """A user's strategy from a file, with its game and its name."""

    game: str
    name: str


@dataclass(frozen=True)
class PositionGroup:
    """Positions with a common description: ``raised`` of ``positions`` are raised."""

    street: str
    hands: str
    given: str
    positions: int
    raised: int

    @property
    def share(self) -> Fraction:
        """The share of the positions that are raised."""
        return Fraction(self.raised, self.positions)

    @property
    def verdict(self) -> str:
        """``never``, ``sometimes`` or ``always`` raised."""
        return ALWAYS if self.raised == self.positions else SOMETIMES if self.raised else NEVER


@dataclass(frozen=True)
class ValuedStrategy:
    """A strategy with its figures; ``choices`` are frequencies, ``basis`` says how the strategy was chosen."""

    name: str
    returned: Fraction
    cost: Fraction
    choices: Mapping[str, Fraction]
    basis: str = ""


@dataclass(frozen=True)
class StrategyCosts(Displayed):
    """Strategies of one base game with their exact figures, optimal play first."""

    analysis: Analysis
    strategies: tuple[ValuedStrategy, ...]


@dataclass(frozen=True)
class Summary(StrategyCosts):
    """The play of one base game in lines, and simple strategies."""

    lines: tuple[PositionGroup, ...]


@dataclass(frozen=True)
class Answer(Displayed):
    """The exact value of each choice of one position, and the best choice."""

    analysis: Analysis
    values: Mapping[str, Fraction]
    best: str

    @property
    def tied(self) -> bool:
        """Whether another choice has exactly the value of the best."""
        return sum(value == self.values[self.best] for value in self.values.values()) > 1

    @property
    def cost(self) -> Mapping[str, Fraction]:
        """The cost of each choice."""
        return costs(self.values)


def costs(values: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Return the loss of each choice compared with the best one."""
    most = max(values.values())
    return {name: most - value for name, value in values.items()}


@dataclass(frozen=True)
class FlushAnswer(Answer):
    """A position of a flush game; ``dealer`` counts dealer hands if the board is complete."""

    hand: tuple[int, ...]
    board: tuple[int, ...]
    flush: str
    dealer: Mapping[str, int] = field(default_factory=dict)


def game_of(book: Rulebook, identifier: str) -> Game:
    """Return the game of a base game's paytable. Raises `InputError` for a wager without decisions."""
    game = _game(book, identifier)
    if game is None:
        games = [i for i in book.ids() if _game(book, i)]
        what = f"{identifier} has no decisions"
        raise fault(what, f"name a base game: {', '.join(games)}", file="strategy")
    return game


def _game(book: Rulebook, identifier: str) -> Game | None:
    name = book.find(identifier)[0].terms.game
    game = game_named(name) if name else None
    return game if game is not None and game.strategy else None


def base_games(book: Rulebook, identifiers: Sequence[str]) -> list[str]:
    """Return the ids that are games with a strategy."""
    return [i for i in identifiers if _game(book, i)]


def valued(
    a: Analysis, name: str, returned: Fraction, choices: Mapping[str, Fraction], basis: str = ""
) -> ValuedStrategy:
    """Return a strategy with its return, and its cost compared with optimal play."""
    return ValuedStrategy(name, returned, a.returned - returned, choices, basis)


def optimal(a: Analysis) -> ValuedStrategy:
    """Return optimal play in the form of a strategy."""
    return valued(a, "optimal play", a.returned, a.game.choices)


def summarize(a: Analysis, *, search: bool = False) -> Summary:
    """Return the optimal play of a base game, and simple strategies.

    ``search`` finds the best thresholds of Chase the Flush under these pays, which takes some minutes. Those of High
    Card Flush are always found.
    """
    summary: Summary = game_of(a.book, a.id).module("strategy").summarize(a, search=search)
    return summary


def compare(a: Analysis, played: Sequence[UserStrategy]) -> StrategyCosts:
    """Return the exact figures of the user's strategies."""
    game = game_of(a.book, a.id)
    for strategy in played:
        if strategy.game != game.name:
            raise fault(f'"{strategy.name}" is a strategy for {strategy.game}', f"{a.id} is a paytable of {game.name}",
                        file="--play")
    return StrategyCosts(a, (optimal(a), *game.module("strategy").value(a, played)))


def rule_table(a: Analysis) -> Any:
    """Return the effect of each house rule. Raises `InputError` for a game without a choice of house rules."""
    strategy = game_of(a.book, a.id).module("strategy")
    if not hasattr(strategy, "rule_table"):
        raise fault(f"{a.id} has no house rules to compare", "name a blackjack game", file="--rules")
    return strategy.rule_table(a)


def answer(a: Analysis, hand: str | Sequence[int], board: str | Sequence[int] = (), upcard: str = "") -> Any:
    """Return the exact value of every choice with these cards. Raises `InputError` for invalid cards."""
    game = game_of(a.book, a.id)
    position = question(game, hand, board, upcard, [a.shoe])
    return game.module("strategy").answer(a, *position)


def question(
    game: Game, hand: str | Sequence[int], board: str | Sequence[int] = (), upcard: str = "",
    shoes: Iterable[Shoe] = (),
) -> tuple[Any, Any]:
    """Return the hand and the visible cards as the game reads them. Raises `InputError` for invalid cards.

    For a game with an upcard, each of the ``shoes`` must have the cards.
    """
    for name, shown_cards in (("board", board), ("upcard", upcard)):
        if shown_cards and game.in_view not in (name, ANY_IN_VIEW):
            raise fault(f"this game has no {name}", f"give --{game.in_view} for visible cards", file=f"--{name}")
    if game.in_view == "upcard":
        if not upcard:
            raise fault("no upcard is named", "add --upcard T", file="--upcard")
        cards_in_view: tuple[Any, Any] = game.module("strategy").question(hand, upcard, shoes)
        return cards_in_view
    held = at("--hand", lambda: cards(hand) if isinstance(hand, str) else tuple(hand))
    shown = at("--board", lambda: cards(board) if isinstance(board, str) else tuple(board))
    if game.in_view == ANY_IN_VIEW:
        return held, {"board": shown, "upcard": at("--upcard", lambda: cards(upcard))}
    return held, shown


def at(flag: str, call: Callable[[], Any]) -> Any:
    """Return the call's value; faults without a file get ``flag`` as their location."""
    try:
        return call()
    except InputError as error:
        raise InputError(*(Fault(f.what, f.remedy, f.file or flag, f.place) for f in error.faults)) from None


# ---- shared by the flush games


def span(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def valued_by(a: Analysis, rules: Rules, name: str, joint: Any, basis: str = "") -> ValuedStrategy:
    """Return the figures of a joint table [choice][qualifies][result][length - 2] of all deals."""
    counts = joint.astype(object)
    deals = int(counts.sum())
    returned = 1 + Fraction((counts * rules.net).sum()) / deals
    shares = {n: Fraction(int(c.sum()), deals) for n, c in zip(rules.choices, counts, strict=True)}
    return valued(a, name, returned, shares, basis)
