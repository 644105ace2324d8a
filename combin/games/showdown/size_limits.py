"""Bounds of a round, checked before anything is counted: kernels, 64-bit sums, memory, work."""

from __future__ import annotations

from math import ceil, comb

from ...base.errors import fault
from .public_cards import group, set_of
from .settlement import Settlement
from .tree import Level, Tree

MOST_PLAYER, MOST_ROLE, MOST_RANKED, MOST_LEVELS, MOST_CUTS, MOST_CHOICES = 5, 7, 9, 6, 64, 32
MOST_BITS, FIELD_BITS = 62, 16
#: The greatest number of stored values of one street, and of counter accesses (some minutes on one core).
MOST_VALUES, MOST_STEPS = 100_000_000, 30_000_000_000


def check_size(tree: Tree, settlement: Settlement) -> None:
    """Raise `InputError` with its size for a round that the passes cannot solve."""
    _kernels(tree, settlement)
    most = max((abs(int(x)) for x in settlement.utility.flat), default=0)
    if max(24 * tree.completions(0) * most, tree.deals * max(most, 24)).bit_length() > MOST_BITS:
        raise fault("the sum of the amounts over all deals of the round exceeds 62 bits",
                    "give pays with a smaller common denominator, or fewer cards")
    if tree.splits(0) >= 1 << FIELD_BITS:
        raise fault(f"the cards can be dealt over the streets in {tree.splits(0):,} ways", "give fewer streets")
    for number, level in enumerate(tree.levels[:tree.stored]):
        choices = len(tree.nodes[number]) * len(level.choices)
        if (values := classes(tree, level) * comb(52, level.player) * choices) > MOST_VALUES:
            raise fault(f"a street has {values:,} values to store, more than {MOST_VALUES:,}", _LESS)
    if (steps := steps_of(tree)) > MOST_STEPS:
        raise fault(f"the round takes about {steps / 10**9:,.0f} billion steps, more than "
                    f"{MOST_STEPS // 10**9}", _LESS)


_LESS = "deal fewer cards, or give fewer known cards, since they make the suits differ"


def _kernels(tree: Tree, settlement: Settlement) -> None:
    final, round = tree.final, tree.round
    if final.player > MOST_PLAYER:
        raise fault(f"the player has {final.player} cards", f"deal at most {MOST_PLAYER}")
    if max(final.board, final.upcards, tree.hidden) > MOST_ROLE:
        raise fault("a role has more than seven cards", f"deal at most {MOST_ROLE} to each")
    for hand in (round.player, *([round.dealer] if round.dealer else [])):
        size = sum(round.cards.get(role, 0) for role in hand.roles)
        if size > MOST_RANKED:
            raise fault(f"a hand has {size} cards", f"deal at most {MOST_RANKED} to a hand")
    if len(tree.levels) > MOST_LEVELS:
        raise fault(f"the round has {len(tree.decisions)} streets with choices", f"give at most {MOST_LEVELS - 1}")
    if (most := max((len(level.choices) for level in tree.decisions), default=0)) > MOST_CHOICES:
        raise fault(f"a street has {most} choices", f"give at most {MOST_CHOICES}")
    if len(settlement.cells.cuts) > MOST_CUTS:
        raise fault(f"{len(settlement.cells.cuts)} hands of the dealer are named", f"name at most {MOST_CUTS}")
    if tree.deck < final.seen + max(tree.hidden, 0):
        raise fault(f"the deck has {tree.deck} cards, but {final.seen + max(tree.hidden, 0)} are dealt",
                    "deal fewer cards")


def classes(tree: Tree, level: Level) -> int:
    """Return the number of classes of public cards of a level, estimated as if all orbits had full size."""
    sets = comb(tree.deck, level.board) * comb(tree.deck - level.board, level.upcards)
    return ceil(sets / len(group(set_of(tree.removed))))


def steps_of(tree: Tree) -> int:
    """Return the approximate number of counter accesses of one pass."""
    final, hidden = tree.final, max(tree.hidden, 0)
    left = tree.deck - final.board - final.upcards
    depth = min(final.player, hidden)
    mine = comb(left, final.player) * sum(comb(final.player, k) for k in range(depth + 1)) * 3
    theirs = comb(left, hidden) * sum(comb(hidden, k) for k in range(depth + 1))
    # Without a dealer nothing is compared, but every leaf is valued.
    leaves = comb(left, final.player) * len(tree.round.leaves)
    return classes(tree, final) * (mine + theirs + leaves)
