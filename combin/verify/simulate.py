"""The rules themselves, dealt card by card: outcome frequencies against the exact probabilities.

Nothing of the kernels, the classes or the outcome functions is used. Rounds are dealt in
parcels of their own random streams, spawned from the seed, so that the result is the
same for any number of workers. Base games alone are dealt by kernels, in blocks with streams
likewise, and played as solved: every cell of the joint table is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, lgamma, log, sqrt
from typing import Any

import numpy as np

from ..analysis import Analysis
from ..cards import name
from ..deal import Deal
from ..drawn import is_drawn
from ..exact import is_number
from ..parallel import sweep
from ..pays import LOSS
from ..settle_literal import met_by_name
from . import simulate_draws, simulate_games
from .cards_dealt import Cards, deal_cards
from .model import Check
from .seven_cards import holds
from .shoe import LookedAt, Undealt

ROUNDS = 20_000  # of a parcel: its cards stay in the cache
LIMIT = 4.0

#: Deals one parcel: a generator of random numbers and a number of rounds to the counts of each outcome.
Parcel = Callable[[np.random.Generator, int], Sequence[int]]


def simulation(a: Analysis, rounds: int, seed: int, threads: int | None = None) -> Iterator[Check]:
    """A check for each outcome: how many times it came, and how many standard errors that is from its probability."""
    if a.game is not None:
        what = "optimal play, "
        exact, counts = simulate_games.optimal_play(a, rounds, seed, threads)
    else:
        prepared = _prepared(a)
        if prepared is None:
            yield Check("simulation", "none: the wager depends on how the base game is played", "not simulated", None)
            return
        what = ""
        exact, parcel = prepared
        counts = run(parcel, len(exact), rounds, seed, threads)
    dealt = int(counts.sum())
    found = list(zip(exact, counts.tolist(), strict=True))
    for label, count in found:
        if exact[label]:
            yield judged(f"simulated {what}{label}", count, dealt, exact[label], seed)
    never = [(label, count) for label, count in found if not exact[label]]
    if never:
        came = [label for label, count in never if count]
        yield Check(
            f"simulated {what}{len(never)} outcomes of probability 0",
            f"{dealt:,} rounds, seed {seed}",
            f"{came[0]} came" if came else "never came",
            not came,
        )


def run(parcel: Parcel, outcomes: int, rounds: int, seed: int, threads: int | None = None) -> Any:
    """Counts of the outcomes over so many rounds; the parcels and their streams do not depend on the workers."""
    parcels = -(-rounds // ROUNDS)
    streams = np.random.SeedSequence(seed).spawn(parcels)

    def call(start: int, stop: int, into: Any) -> None:
        for index in range(start, stop):
            size = min(ROUNDS, rounds - index * ROUNDS)
            into[0][:] += np.asarray(parcel(np.random.Generator(np.random.PCG64(streams[index])), size), dtype=np.int64)

    (counts,) = sweep(
        call, parcels, lambda: (np.zeros(outcomes, np.int64),), chunk=1, label="rounds dealt", threads=threads
    )
    return counts


def judged(what: str, count: int, rounds: int, probability: Fraction, seed: int) -> Check:
    """|z| < 4; where fewer than ten are expected, a Poisson tail as likely as four standard errors."""
    p = float(probability)
    expected = rounds * p
    method = f"{rounds:,} rounds, seed {seed}"
    if expected == rounds:
        return Check(what, method, f"{count:,} times, {expected:,.0f} expected", count == expected)
    if min(expected, rounds - expected) < 10:
        tail = poisson_tail(count, expected)
        return Check(what, method, f"{count:,} times, {expected:.2f} expected", tail > 6.3e-5)
    z = (count - expected) / sqrt(expected * (1 - p))
    return Check(what, method, f"{count:,} times, {expected:,.0f} expected, z = {z:+.2f}", abs(z) < LIMIT)


def poisson_tail(count: int, expected: float) -> float:
    """Twice the probability of a count as far out as this one."""

    def at(k: int) -> float:
        return exp(k * log(expected) - expected - lgamma(k + 1))

    below = sum(at(k) for k in range(count + 1))
    above = 1 - below + at(count)
    return min(1.0, 2 * min(below, above))


def _prepared(a: Analysis) -> tuple[Mapping[str, Fraction], Parcel] | None:
    """The exact probabilities by name, and what deals a parcel."""
    resolved = a.resolved
    if "game" in resolved.data or not all(is_number(o.probability) for o in a.outcomes):
        return None
    exact = {o.outcome: o.probability for o in a.outcomes}
    if is_drawn(resolved.data["deal"]):
        return exact, simulate_draws.parcel(a, list(exact))
    if resolved.data.get("play_options"):
        from ..games import play

        if play.depends(resolved):
            return None
    deal = Deal(resolved.data["deal"])
    if deal.is_seven_cards:
        return exact, _seven_cards(a, list(exact))
    return exact, _first_cards(a, deal, list(exact))


def _first(met: set[str], names: Sequence[str]) -> int:
    """The place of the first line that is met; the loss is the last."""
    return next((i for i, line in enumerate(names) if line in met), len(names) - 1)


# ---- first cards of a shoe


def _first_cards(a: Analysis, deal: Deal, names: Sequence[str]) -> Parcel:
    bounds = np.cumsum([0, *(role.cards for role in deal.roles)]).tolist()
    #: By the cards of the first roles, as one number: the outcome, or -1 where it depends on those behind.
    known: dict[tuple[int, int], int] = {}
    options = dict(a.resolved.options)
    of_rank = np.array([[name(c)[0] == role.only for c in range(52)] for role in deal.roles])

    def settle(cards: Sequence[int], roles: int) -> int:
        hands = tuple(tuple(name(c) for c in cards[start:stop]) for start, stop in pairwise(bounds[: roles + 1]))
        if a.resolved.data["outcomes"] == "hole-cards":
            return 0 if len({card[1] for card in hands[0]}) == 1 else len(names) - 1
        try:
            undealt: Any = tuple(Undealt() for _ in deal.roles[roles:])
            return _first(met_by_name(a.resolved.wager_id, hands + undealt, options), names)
        except LookedAt:
            return -1

    def parcel(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, bounds[-1], a.decks).astype(np.int64)
        for start, role, rank in zip(bounds, deal.roles, of_rank, strict=False):
            if role.only:
                cards = cards[rank[cards[:, start]]]
        counts = [0] * len(names)
        code = np.zeros(len(cards), dtype=np.int64)
        for depth, (start, stop) in enumerate(pairwise(bounds), 1):
            cards[:, start:stop] = np.sort(cards[:, start:stop], axis=1)
            for place in range(start, stop):
                code = code * 52 + cards[:, place]
            values, first, back, times = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
            found = np.empty(len(values), dtype=np.int64)
            for i, value in enumerate(values.tolist()):
                if (depth, value) not in known:
                    known[depth, value] = settle(cards[first[i]].tolist(), depth)
                found[i] = known[depth, value]
            for outcome in range(len(names)):
                counts[outcome] += int(times[found == outcome].sum())
            open_ones = found[back] < 0
            cards, code = cards[open_ones], code[open_ones]
            if not len(cards):
                break
        return counts

    return parcel


# ---- seven cards


def _longest(ranks: str) -> int:
    return max(map(len, ranks.split("0")))


def _run_tables() -> Mapping[str, Cards]:
    """For each set of ranks of one suit, as a number with bit 0 a two, what it shows of a straight flush."""
    rows = []
    for mask in range(8192):
        up = f"{mask:013b}"[::-1]  # a two first
        low = up[12] + up
        wheel = low.split("0")[0] if low.startswith("1") else ""
        high = _longest(up)
        rows.append(
            (
                _longest(low),
                high,
                max(high, len(wheel) if len(wheel) >= 5 else 0),
                max(high, 5 if len(wheel) >= 5 else 0),
                int(up.endswith("111111")),
                up.count("1"),
            )
        )
    names = ("both", "high", "from_five", "five_only", "nine_to_ace", "size")
    columns = np.array(rows, dtype=np.int8)
    return {word: columns[:, i] for i, word in enumerate(names)}


def _seven_cards(a: Analysis, names: Sequence[str]) -> Parcel:
    tables = _run_tables()
    options = dict(a.resolved.options)
    known: dict[tuple[int, ...], int] = {}

    def parcel(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 7, 1).astype(np.int64)
        suits = [np.where(cards // 13 == s, 1 << cards % 13, 0).sum(axis=1) for s in range(4)]
        shown = [
            np.max([tables[word][m] for m in suits], axis=0)
            for word in ("size", "both", "high", "from_five", "five_only", "nine_to_ace")
        ]
        quads = (suits[0] & suits[1] & suits[2] & suits[3]) != 0
        features = np.stack([*shown, quads], axis=1).astype(np.int64)
        _, first, times = np.unique(features @ 8 ** np.arange(7), return_index=True, return_counts=True)
        counts = [0] * len(names)
        for row, number in zip(features[first].tolist(), times.tolist(), strict=True):
            key = tuple(row)
            if key not in known:
                columns = (
                    "flush",
                    "straight_flush_both",
                    "straight_flush_high",
                    "straight_flush_from_five",
                    "straight_flush_five_only",
                    "nine_to_ace",
                    "quads",
                )
                hand = dict(zip(columns, row, strict=True))
                lines = [n for n in names if n != LOSS]
                known[key] = next((i for i, n in enumerate(lines) if holds(n, hand, options)), len(lines))
            counts[known[key]] += number
        return counts

    return parcel
