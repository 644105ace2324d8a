"""Roles of a deal, and the lenses through which a wager sees their cards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .cards import CARD_TYPES, RANKS, Permutation, permute

#: The label of a hidden rank or suit.
HIDDEN = -1


@dataclass(frozen=True)
class Lens:
    """What a wager distinguishes of a card: a label of 52 card types, with the label's rank and suit."""

    name: str
    label: tuple[int, ...]
    rank: tuple[int, ...]
    suit: tuple[int, ...]

    @classmethod
    def of(cls, name: str, see: Callable[[int, int], tuple[int, int]]) -> Lens:
        """Return the lens under which a card of (rank, suit) shows ``see(rank, suit)``."""
        shown = [see(c % 13, c // 13) for c in range(CARD_TYPES)]
        labels = sorted(set(shown))
        return cls(
            name,
            tuple(labels.index(s) for s in shown),
            tuple(rank for rank, _ in labels),
            tuple(suit for _, suit in labels),
        )

    @classmethod
    def by_label(cls, name: str, labels: Sequence[Any]) -> Lens:
        """Return the lens with these labels of the 52 card types; the lowest card of a label represents it.

        Anything that depends only on labels may be evaluated for that card. Cards are compared by rank, then by suit.
        """
        least: dict[Any, tuple[int, int]] = {}
        for card_type, label in enumerate(labels):
            shown = (card_type % 13, card_type // 13)
            least[label] = min(least.get(label, shown), shown)
        return cls.of(name, lambda rank, suit: least[labels[13 * suit + rank]])

    @property
    def labels(self) -> int:
        return len(self.rank)

    def refines(self, other: Lens) -> bool:
        """Return whether this lens shows everything that ``other`` shows."""
        return len({(a, b) for a, b in zip(self.label, other.label, strict=True)}) == self.labels

    def joined(self, other: Lens) -> Lens:
        """Return the coarsest lens that refines both."""
        return Lens.by_label(f"{self.name} and {other.name}", list(zip(self.label, other.label, strict=True)))

    def onto(self, other: Lens) -> tuple[int, ...]:
        """Return the label of a coarser lens for each label of this one."""
        return tuple(b for _, b in sorted(set(zip(self.label, other.label, strict=True))))

    def image(self, permutation: Permutation) -> tuple[int, ...] | None:
        """Return the image of each label under a suit permutation. Returns None if it splits a label."""
        pairs = {(self.label[c], self.label[permute(permutation, c)]) for c in range(CARD_TYPES)}
        return tuple(b for _, b in sorted(pairs)) if len(pairs) == self.labels else None


@dataclass(frozen=True)
class Role:
    """``cards`` cards dealt to ``name``, seen through ``lens``; with ``only``, cards of that rank (``"A"``)."""

    name: str
    cards: int
    lens: Lens
    only: str | None = None
    #: The roles that are dealt as this one, with their numbers of cards.
    parts: tuple[tuple[str, int], ...] = ()
    #: The card types to which a part of the deals is restricted; the group must preserve the set.
    allowed: frozenset[int] | None = None

    def cards_of(self, roles: Collection[str]) -> int:
        """Return the number of its cards that belong to these roles."""
        return sum(cards for name, cards in self.parts or ((self.name, self.cards),) if name in roles)

    def may_be(self, card_type: int) -> bool:
        return (self.only is None or RANKS[card_type % 13] == self.only) and (
            self.allowed is None or card_type in self.allowed
        )


def chain(roles: Sequence[Role], in_order: bool = False) -> tuple[Role, ...]:
    """Return the roles in an order in which each lens refines the next ones, with lenses refined as needed.

    A role of one rank distinguishes at least whether a card has that rank, since it can draw no other.
    """
    if not in_order:
        roles = sorted(roles, key=lambda r: (-r.lens.labels, r.cards))
    refined: list[Role] = []
    for role in reversed(roles):
        lens = role.lens
        needed = [later.lens for later in refined[:1]]
        if role.only or role.allowed is not None:
            needed.append(Lens.by_label(f"{role.name} or not", [role.may_be(c) for c in range(CARD_TYPES)]))
        for other in needed:
            lens = lens if lens.refines(other) else lens.joined(other)
        refined.insert(0, replace(role, lens=lens))
    return tuple(refined)
