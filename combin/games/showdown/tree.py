"""The tree of a round: its levels, which are the streets with choices and the showdown, and the nodes of each.

A node is a path of choices that leads to a street. All nodes of a street have the same choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb, factorial, prod

from ...deals.cards import RANKS
from .hand_orders import SUITS, named
from .round import Choice, Round

DECK = SUITS * len(RANKS)


@dataclass(frozen=True)
class Level:
    """Numbers of cards seen at a street with choices, or at the showdown."""

    board: int
    upcards: int
    player: int
    choices: tuple[Choice, ...] = ()

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.board, self.upcards, self.player

    @property
    def roles(self) -> dict[str, int]:
        """Return the number of cards of each role that the player sees."""
        seen = {"player": self.player, "upcard": self.upcards, "board": self.board}
        return {role: cards for role, cards in seen.items() if cards}

    @property
    def seen(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class Step:
    """The target of a choice from a node: a leaf, or a node of the next level (the other is -1)."""

    leaf: int
    node: int


@dataclass(frozen=True)
class Tree:
    """A round as levels. ``removed`` are the card types that are not in the deck."""

    round: Round
    removed: frozenset[int]

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Return the streets with choices, and the showdown as the last one."""
        board = upcards = player = 0
        levels = []
        for street in self.round.streets:
            dealt = dict(street.deal)
            board, upcards = board + dealt.get("board", 0), upcards + dealt.get("upcard", 0)
            player += dealt.get("player", 0)
            if street.choices:
                levels.append(Level(board, upcards, player, street.choices))
        return (*levels, Level(board, upcards, player))

    @property
    def final(self) -> Level:
        return self.levels[-1]

    @property
    def decisions(self) -> tuple[Level, ...]:
        return self.levels[:-1]

    @property
    def last_is_final(self) -> bool:
        """Return whether all public cards are dealt before the last choices."""
        return not self.decisions or self.decisions[-1].counts == self.final.counts

    @property
    def stored(self) -> int:
        """Return the number of levels before the showdown whose values are stored."""
        return max(0, len(self.decisions) - self.last_is_final)

    @property
    def hidden(self) -> int:
        """Return the number of the dealer's hidden cards; -1 without a dealer."""
        return self.round.cards.get("dealer", 0) if self.round.dealer else -1

    @property
    def deck(self) -> int:
        """Return the number of cards of the deck."""
        return DECK - len(self.removed)

    @cached_property
    def nodes(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return the paths that lead to each street with choices."""
        nodes = [((),)]
        for level in self.decisions[:-1]:
            on = [i for i, choice in enumerate(level.choices) if choice.then == "next"]
            nodes.append(tuple((*path, i) for path in nodes[-1] for i in on))  # type: ignore[arg-type]
        return tuple(nodes[:len(self.decisions)])

    def names(self, path: tuple[int, ...]) -> tuple[str, ...]:
        """Return the names of the choices of a path."""
        return tuple(level.choices[choice].name for level, choice in zip(self.decisions, path, strict=False))

    @cached_property
    def leaf_index(self) -> dict[tuple[int, ...], int]:
        return {leaf.path: i for i, leaf in enumerate(self.round.leaves)}

    def step(self, level: int, node: int, choice: int) -> Step:
        path = (*self.nodes[level][node], choice)
        if path in self.leaf_index:
            return Step(self.leaf_index[path], -1)
        return Step(-1, self.nodes[level + 1].index(path))

    def preference(self, level: int) -> tuple[int, ...]:
        """Return the choices of a level in the order in which equal ones are preferred."""
        choices = self.decisions[level].choices
        sign = 1 if self.round.equal_choices == "least stake" else -1
        return tuple(sorted(range(len(choices)), key=lambda i: sign * choices[i].stake))

    def needs(self, level: int) -> tuple[int, ...]:
        """Return the lowest rank of a hand that is offered each choice of a level; 0 if all are."""
        return tuple(0 if c.needs is None else named(self.round.order, c.needs, self.round.ranks).low
                     for c in self.decisions[level].choices)

    def is_complete(self, level: int) -> bool:
        """Return whether the player's final hand is known at a level."""
        seen, dealt = self.levels[level].roles, self.round.cards
        return all(seen.get(role) == dealt[role] for role in self.round.player.roles)

    def splits(self, level: int) -> int:
        """Return the number of ways to deal the later cards that are seen over the streets that follow a level."""
        ways = 1
        for role in range(3):
            counts = [each.counts[role] for each in self.levels[level:]]
            ways *= factorial(counts[-1] - counts[0]) // prod(factorial(b - a) for a, b in pairwise(counts))
        return ways

    def completions(self, level: int) -> int:
        """Return the number of deals of all later cards after the cards of a level are known."""
        here, final = self.levels[level], self.final
        left, ways = self.deck - here.seen, self.splits(level)
        for cards in (*(b - a for a, b in zip(here.counts, final.counts, strict=True)), max(self.hidden, 0)):
            ways *= comb(left, cards)
            left -= cards
        return ways

    @property
    def deals(self) -> int:
        """Return the number of deals; streets of a seen role count separately if choices lie between them."""
        here, left = self.levels[0], self.deck
        deals = 1
        for cards in here.counts:
            deals *= comb(left, cards)
            left -= cards
        return deals * self.completions(0)


def tree_of(round: Round, without: tuple[int, ...] = ()) -> Tree:
    """Return the tree of a round dealt without some cards of the deck."""
    short = {13 * suit + RANKS.index(rank) for rank in set(RANKS) - set(round.ranks) for suit in range(SUITS)}
    return Tree(round, frozenset(short.union(without)))
