"""Best play on each street, by the player's hand: tables of starting hands and of hands in view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...deals.cards import RANK_WORDS, RANKS, names
from . import public_cards
from .bets import Bets
from .hand_orders import PLURALS
from .passes import TIED
from .public_cards import set_of
from .round import Round
from .solve import Solution, recount
from .tree import Level, tree_of


@dataclass(frozen=True)
class StreetTable:
    """A street's positions: ``rows`` are (hands in view, positions, share of each choice); ``chart`` of two cards.

    ``chart`` has a row for each first rank, ace first: pairs on the diagonal, suited hands above it. A cell is the
    initial of a choice, or several if suits or paths differ.
    """

    name: str
    choices: tuple[str, ...]
    rows: tuple[tuple[str, int, tuple[Fraction, ...]], ...]
    chart: tuple[tuple[str, ...], ...] = ()
    legend: str = ""


def tables(round: Round, solution: Solution, without: tuple[int, ...] = ()) -> tuple[StreetTable, ...]:
    """Return one table for each street whose choices the solution keeps; the last is counted position by position."""
    tree = tree_of(round, without)
    street_tables = []
    for number, (level, chosen) in enumerate(zip(tree.levels[:tree.stored], solution.choices, strict=True)):
        names = tuple(choice.name for choice in level.choices)
        paths = tree.nodes[number]
        alike = all((chosen[0] == other).all() for other in chosen[1:])
        seen = public_cards.of_level(level, set_of(tree.removed))
        kinds = _kinds(level, seen)
        for node, path in enumerate(paths[:1] if alike else paths):
            title = _title(level.player, level.board, level.upcards)
            if not alike:
                title += f", after {' / '.join(tree.names(path))}"
            picks = _picks(chosen[node])
            counts = _counts(kinds, picks, seen.orbits, len(names))
            two = level.player == 2 and not level.board and not level.upcards
            chart, legend = _chart(public_cards.hand_cards(2), picks[0], names, round.ranks) if two else ((), "")
            street_tables.append(StreetTable(title, names, tuple(_merged(counts)), chart, legend))
    return tuple(street_tables)


def _picks(chosen: Any) -> Any:
    """Return the choices of a node, [class][hand], without the marks of ties; −1 where cards coincide."""
    return np.where(chosen < 0, -1, chosen & (TIED - 1))


def by_tables(bets: Bets, solution: Solution, without: tuple[int, ...] = ()) -> Solution:
    """Return the round played by the most frequent choice of each line of the tables, otherwise by best play."""
    tree = tree_of(bets.round, without)
    choices = []
    for level, chosen in zip(tree.levels[:tree.stored], solution.choices, strict=True):
        seen = public_cards.of_level(level, set_of(tree.removed))
        kinds, most = _kinds(level, seen), []
        for node in chosen:
            picks = _picks(node)
            best = _counts(kinds, picks, seen.orbits, len(level.choices)).argmax(axis=1)
            most.append(np.where(picks < 0, -1, best[kinds]).astype(np.int8))
        choices.append(np.stack(most))
    by_lines = replace(solution, choices=tuple(choices))
    joint = recount(bets.round, bets.settlement, by_lines, bets.settlement.cells, without=without)
    worth = Fraction(int((joint * bets.settlement.utility).sum()), int(joint.sum()) * bets.settlement.unit)
    return replace(by_lines, joint=joint, value=worth)


def _kinds(level: Level, seen: public_cards.Publics) -> Any:
    """Return the kind of the cards in view of each position of a level, [class][hand]."""
    hands = public_cards.hand_cards(level.player)[:, :level.player]
    public = seen.cards[:, :level.board]
    step = max(1, 2_000_000 // len(hands))
    parts = (public[start : start + step] for start in range(0, len(public), step))
    return np.concatenate([kinds_of(hands, part).astype(np.int16) for part in parts])


def _counts(kinds: Any, picks: Any, orbits: Any, choices: int) -> Any:
    """Return the number of positions by kind of the cards in view and choice."""
    # At most 1.1e10 positions in view (seven cards of 52 by role) fit in int64.
    counts = np.zeros((int(kinds.max()) + 1, choices), np.int64)
    weights = np.broadcast_to(orbits[:, None], picks.shape)
    for choice in range(choices):
        here = picks == choice
        np.add.at(counts[:, choice], kinds[here], weights[here])
    return counts


def positions(round: Round, solution: Solution, without: tuple[int, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield (street, player, board, upcard, hands, choices before, choice) of each class of positions up to suits."""
    tree = tree_of(round, without)
    group = public_cards.permutations().astype(np.int64)
    for number, (level, chosen) in enumerate(zip(tree.levels[:tree.stored], solution.choices, strict=True)):
        seen = public_cards.of_level(level, set_of(tree.removed))
        hands = public_cards.hand_cards(level.player)[:, :level.player]
        for index, public in enumerate(seen.cards.astype(np.int64)):
            board, upcards = public[:level.board], public[level.board:]
            # The permutations that keep the public cards make hands alike.
            fixed = [set(cards) for cards in (board.tolist(), upcards.tolist(), tree.removed)]
            kept = [g for g in group if all(set(g[list(cards)].tolist()) == cards for cards in fixed)]
            images = np.stack([np.sort(g[hands], axis=1) for g in kept])
            keys = (images * 52 ** np.arange(level.player)).sum(axis=2)
            least = keys.min(axis=0)
            first, sizes = np.unique(least, return_index=True, return_counts=True)[1:]
            for hand, size in zip(first.tolist(), sizes.tolist(), strict=True):
                for node, path in enumerate(tree.nodes[number]):
                    pick = int(chosen[node][index][hand])
                    if pick >= 0:
                        yield (str(number + 1), names(hands[hand].tolist()), names(board.tolist()),
                               names(upcards.tolist()), str(size * int(seen.orbits[index])),
                               " / ".join(tree.names(path)), level.choices[pick & (TIED - 1)].name)


def _title(player: int, board: int, upcards: int) -> str:
    parts = [f"{player} card{'s' * (player > 1)}"]
    parts += [f"{board} on the board"] if board else []
    parts += ["the dealer's card"] if upcards else []
    return ", ".join(parts)


def _merged(counts: Any) -> Iterator[tuple[str, int, tuple[Fraction, ...]]]:
    """Yield the rows of kinds, the best first; neighbours in rank that all make one choice are one row."""
    groups: list[tuple[int, int, list[int]]] = []  # highest and lowest kind, positions by choice
    kinds = np.flatnonzero(counts.any(axis=1)).tolist()
    for key in sorted(kinds, key=lambda kind: (kind // 208, kind % 16, kind // 16 % 13), reverse=True):
        here = counts[key].tolist()
        if groups:
            top, low, before = groups[-1]
            alike = [n > 0 for n in here] == [n > 0 for n in before] and sum(n > 0 for n in here) == 1
            if alike and key == low - 16:
                groups[-1] = (top, key, [x + y for x, y in zip(before, here, strict=True)])
                continue
        groups.append((key, key, here))
    for top, low, here in groups:
        yield kind_name(top, low), sum(here), tuple(Fraction(n, sum(here)) for n in here)


def kinds_of(hands: Any, public: Any) -> Any:
    """Return the kind of each of the hands with each of the public cards: int (n, m), comparable.

    A kind is the type of the largest groups of equal ranks, the highest rank of these, whether the player's cards are
    among them, and the largest number of cards of one suit.
    """
    n, m = len(public), len(hands)
    of_rank = np.zeros((n, m, 13), np.int8)
    of_suit = np.zeros((n, m, 4), np.int8)
    rows, columns = np.arange(n)[:, None], np.arange(m)[None]
    for cards in hands.T:
        of_rank[rows, columns, cards[None] % 13] += 1
        of_suit[rows, columns, cards[None] // 13] += 1
    for cards in public.T:
        of_rank[rows, columns, cards[:, None] % 13] += 1
        of_suit[rows, columns, cards[:, None] // 13] += 1
    most = of_rank.max(axis=2)
    several = (of_rank >= 2).sum(axis=2)
    kind = np.where(most == 1, 0, np.where(most == 2, np.where(several > 1, 2, 1), np.where(
        most == 3, np.where(several > 1, 4, 3), 5)))
    # The highest rank among those that form the kind.
    top = 12 - np.argmax((of_rank == most[:, :, None])[:, :, ::-1], axis=2)
    on_board = np.zeros((n, 1, 13), np.int8)
    for cards in public.T:
        on_board[np.arange(n), 0, cards % 13] += 1
    whole = np.take_along_axis(np.broadcast_to(on_board, of_rank.shape), top[:, :, None], axis=2)[:, :, 0]
    owned = (most == 1) | (whole < most)
    return ((kind * 13 + top) * 2 + owned) * 8 + of_suit.max(axis=2)


_KINDS = ("{0} high", "pair of {1}", "two pair, {1} high", "three {1}", "full house of {1}", "four {1}")


def kind_name(top: int, low: int) -> str:
    """Return kinds in words, from the lowest to the highest rank: ``pair of tens to aces, three of a suit``."""
    kind, suited = divmod(top, 8)
    what, rank = divmod(kind // 2, 13)
    least = low // 16 % 13
    one, many = (RANK_WORDS[rank], PLURALS[rank]) if rank == least else (
        f"{RANK_WORDS[least]} to {RANK_WORDS[rank]}", f"{PLURALS[least]} to {PLURALS[rank]}")
    name = _KINDS[what].format(one, many) + ("" if kind % 2 else " on the board")
    return f"{name}, {RANK_WORDS[suited - 2]} of a suit" if suited > 1 else name


def _chart(hands: Any, picks: Any, names: tuple[str, ...], ranks: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    """Return the starting hands of two cards as a square, and the meaning of its letters."""
    letters = _letters(names)
    cells: dict[tuple[int, int], set[str]] = {}
    for (one, other), pick in zip(hands[:, :2].tolist(), picks.tolist(), strict=True):
        if pick < 0:
            continue
        high, low = max(one % 13, other % 13), min(one % 13, other % 13)
        suited = one // 13 == other // 13
        cells.setdefault((high, low) if suited else (low, high), set()).add(letters[pick])
    order = [RANKS.index(rank) for rank in reversed(ranks)]
    # Suited hands are above the diagonal: the row is the higher rank.
    rows = tuple((RANKS[row], *("/".join(sorted(cells.get((row, column), {"–"}))) for column in order))
                 for row in order)
    legend = ", ".join(f"{letter} {name}" for letter, name in zip(letters, names, strict=True))
    return (("", *(RANKS[column] for column in order)), *rows), legend


def _letters(names: tuple[str, ...]) -> list[str]:
    """Return a short sign for each choice: its first digit, otherwise its first letter, all different."""
    digits = [next((c for c in name if c.isdigit()), name[0].upper()) for name in names]
    return digits if len(set(digits)) == len(digits) else [str(i) for i in range(1, len(names) + 1)]
