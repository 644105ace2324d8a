"""The interface of a game: its lines, options and play, and the modules of its strategies and checks.

A game with decisions is solved for its best play; a promotion is decided by chance. The engine
passes a `Situation` and gets a `SolvedGame` back: rows with exact counts and amounts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ..base.errors import Fault, fault
from ..base.exact import Exact, root
from ..base.toml_tables import ReportFault
from ..deals.cards import Shoe, deck_of
from ..deals.table import Table
from ..rulebook.book import Resolved, Rulebook, Wager
from .outcome import Outcome


@dataclass(frozen=True)
class Estimate:
    """A figure estimated from rounds dealt at random, with its standard error; ``how`` describes the rounds."""

    value: Fraction
    error: Fraction
    how: str

    @property
    def deviation(self) -> Estimate:
        """Return the square root of an estimated variance, its error to first order."""
        deviation = root(self.value)
        return Estimate(deviation, self.error / (2 * deviation), self.how)


@dataclass(frozen=True)
class WagerOutcome:
    """One way in which a wager of a game ends: ``net`` in antes; zero if it is not ``staked``."""

    outcome: str
    pays: str
    combinations: int | None
    probability: Fraction
    net: Fraction
    staked: bool = True


@dataclass(frozen=True)
class StakedWager:
    """One wager of a game by itself: its average stake and average win, in antes per round.

    ``rows`` partition the rounds; ``remark`` is printed with them. Wagers of one ``kind`` are also added up.
    A wager with ``given`` is offered only in such rounds: its figures are those of one such round,
    and it is not part of the round.
    """

    name: str
    rows: tuple[WagerOutcome, ...]
    staked: Fraction
    net: Fraction
    remark: str = ""
    kind: str = ""
    given: str = ""

    @property
    def frequency(self) -> Fraction:
        """Return the probability that the wager is made."""
        return sum((r.probability for r in self.rows if r.staked), Fraction(0))

    @property
    def house_advantage(self) -> Fraction | None:
        """Return −expected net ÷ the average stake on this wager; None for a bonus, which has no stake."""
        return -self.net / self.staked if self.staked else None

    @property
    def returned(self) -> Fraction | None:
        return None if self.house_advantage is None else 1 - self.house_advantage


@dataclass(frozen=True)
class GameFigures:
    """The further figures of a game with decisions, in antes.

    ``frequencies`` are probabilities of events of this game, by name. ``choices`` are the probabilities of each
    choice. ``ties`` counts positions in which two choices have equal values. A figure that a game does not
    determine is an expression in a symbol.
    """

    expected_value: Fraction
    average_wager: Fraction
    initial_units: int | Fraction
    win_frequency: Exact
    push_frequency: Exact
    loss_frequency: Exact
    frequencies: Mapping[str, Fraction]
    choices: Mapping[str, Fraction]
    ties: Mapping[str, int]
    solution: Any = field(repr=False, compare=False)
    #: The variance of the net result and the greatest result, if the outcomes do not determine them.
    spread: Callable[[], Exact] | None = field(default=None, repr=False, compare=False)
    top_net: Fraction | None = None
    #: The commands that estimate figures which are not determined, by the name of the figure.
    estimate: Callable[[], Mapping[str, Estimate]] | None = field(default=None, repr=False, compare=False)
    #: The covariance of the net results of two spots of one player in one round, counted or estimated.
    covariance: Callable[[], Fraction | Estimate] | None = field(default=None, repr=False, compare=False)
    #: The wagers of the game: see `wagers`.
    wagers_of: Callable[[], tuple[StakedWager, ...]] = field(default=tuple, repr=False, compare=False)

    @classmethod
    def of_rows(
        cls, rows: Sequence[Outcome], average_wager: Fraction, choices: Mapping[str, Fraction], *,
        initial_units: int | Fraction = 1, frequencies: Mapping[str, Fraction] = MappingProxyType({}),
        ties: Mapping[str, int] = MappingProxyType({}), solution: Any = None, **others: Any,
    ) -> GameFigures:
        """Return the figures of a game whose rows have one net result each; ``others`` are further fields."""
        nets = [(r.probability, r.returned - 1) for r in rows]

        def share(sign: int) -> Fraction:
            return sum((p for p, net in nets if (net > 0) - (net < 0) == sign), Fraction(0))

        return cls(sum((p * net for p, net in nets), Fraction(0)), average_wager, initial_units, share(1), share(0),
                   share(-1), dict(frequencies), choices, dict(ties), solution, **others)

    @cached_property
    def wagers(self) -> tuple[StakedWager, ...]:
        """The wagers of the game, each by itself; their expected net results add up to ``expected_value``."""
        return self.wagers_of()

    @property
    def element_of_risk(self) -> Fraction:
        """Return −expected net ÷ average wager."""
        return -self.expected_value / self.average_wager

    @property
    def house_edge_per_initial_units(self) -> Fraction:
        """Return −expected net ÷ the stake before the cards: the ante and, if there is one, the X-tra Bonus."""
        return -self.expected_value / self.initial_units

    def figures(self) -> dict[str, Exact]:
        """Return every figure by its name in the JSON form."""
        return {
            "expected_value": self.expected_value,
            "average_wager": self.average_wager,
            "element_of_risk": self.element_of_risk,
            "house_edge_per_initial_units": self.house_edge_per_initial_units,
            "win_frequency": self.win_frequency,
            "push_frequency": self.push_frequency,
            "loss_frequency": self.loss_frequency,
            **{name.replace(" ", "_"): share for name, share in self.frequencies.items()},
            **{f"chooses_{name.replace(' ', '_')}": share for name, share in self.choices.items()},
        }


@dataclass(frozen=True)
class SolvedGame:
    """A solved game: rows that partition its deals, best results first, and the figures of its play.

    ``deals`` and ``classes`` are None if only probabilities are known; ``figures`` is None if there are no decisions.
    """

    rows: tuple[Outcome, ...]
    deals: int | None = None
    classes: int | None = None
    figures: GameFigures | None = None


@dataclass(frozen=True)
class Situation:
    """The conditions of play: a paytable with its parameters, the shoe, and a payout cap's limit.

    ``most`` is the most that a hand can win under a payout cap, in antes; None if there is no cap.
    """

    book: Rulebook
    resolved: Resolved
    values: Mapping[str, Exact | None]
    decks: int
    without: tuple[int, ...] = ()
    most: Fraction | None = None

    @property
    def shoe(self) -> Shoe:
        return Shoe(self.decks, self.without, deck_of(self.resolved.terms.shoe))


@dataclass(frozen=True)
class Option:
    """An option of a game that a user's file may set: ``count`` whole numbers from 1 to ``most``."""

    name: str
    count: int
    most: int
    meaning: str
    distinct: bool = False


#: The value of ``in_view`` if the player may see both a board and an upcard.
ANY_IN_VIEW = "board and upcard"


class Game(ABC):
    """One game. ``name`` is its name in rule data; a subclass defines the rest.

    ``strategy`` has the functions of `combin strategy` (``summarize``, ``value``, ``answer``, ``read``, ``beside``),
    ``second_way`` those of `combin verify` (``checks``, ``experiments``): a module, its name, or any object with these
    functions; "" for none. combin's games give names, since the layers forbid importing those modules here.
    """

    name: str
    #: Whether the player has decisions; False for a promotion.
    decisions: bool = True
    #: The name of the deal of a side bet on the player's final hand.
    hand: str = ""
    #: The other cards that the player sees: the board of a flush game, an upcard, or `ANY_IN_VIEW`.
    in_view: str = "board"
    #: The unit of the game's amounts.
    unit: str = "ante"
    #: The time that solving one set of rules takes, if it is long; "" otherwise. Such published claims are judged on
    #: request.
    takes_long: str = ""
    #: The plays among which the solved one has the greatest return, in words; "" if they are all plays.
    plays: str = ""
    #: Assumptions of the figures that the rules do not state, as (name, text).
    remark: tuple[str, str] | None = None
    options: tuple[Option, ...] = ()
    #: The options that rule data may state, with their choices; empty if any value is allowed.
    takes: Mapping[str, Sequence[str]] = MappingProxyType({})
    strategy: Any = ""
    second_way: Any = ""
    #: The compiled kernels that its figures use, and those of its independent method.
    kernels: tuple[str, ...] = ()
    second_kernels: tuple[str, ...] = ()
    #: Groups of ranks, of each of which a deck stated by the key ``shoe`` must have a card; None if the key is refused.
    ranks_needed: Sequence[str] | None = None

    @abstractmethod
    def lines(self, resolved: Resolved) -> Sequence[str]:
        """Return the names that a paytable of this game may list."""

    def check(self, wager: Wager, report: ReportFault) -> None:
        """Report the faults of a wager of this game and of its paytables that only the game can detect."""
        return None

    def check_lines(self, book: Rulebook, resolved: Resolved) -> Sequence[Fault]:
        """Return the faults of a paytable that only the game can detect, given the other wagers."""
        return ()

    def top(self, resolved: Resolved) -> Fraction | None:
        """Return the most that a hand can win, in antes, under a payout cap on the whole hand."""
        return None

    @abstractmethod
    def play(self, situation: Situation) -> SolvedGame:
        """Return the solved game; decisions are at best play.

        Raises `InputError` for a situation that the game does not support.
        """

    def alike(self, resolved: Resolved, shoe: Shoe) -> Mapping[int, int] | None:
        """Return each card type with a representative of equal effect, for a game of a shoe; None for one full deck."""
        return None

    def replayed(self, figures: GameFigures, shoe: Shoe) -> Fraction:
        """Return the player's return from another shoe under the play of ``figures``, for a game of a shoe."""
        raise fault(f'the play of the game "{self.name}" is not valued from another shoe', "ask only for its return")

    def side_bet_table(
        self, book: Rulebook, game: Resolved, bet: Resolved, values: Mapping[str, Exact | None]
    ) -> Table:
        """Return the deals of a side bet that depends on the play of ``game``; ``eligible`` is 0 if it is forfeited."""
        raise fault(f'no side bet depends on the play of the game "{self.name}"', "omit its game", place=bet.id)

    def module(self, room: str) -> Any:
        """Return what ``strategy`` or ``second_way`` is or names; None if the game has none."""
        home = getattr(self, room)
        return (import_module(home) if isinstance(home, str) else home) if home else None
