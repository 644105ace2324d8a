"""Independent checks of Blackjack Switch: plain recursion, identities, rounds dealt card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import perm, sqrt

import numpy as np

from ..analysis.model import Z_95, Analysis
from ..games.blackjack.hands import CLASSES, LETTERS
from ..games.blackjack.rules import USUAL_HANDS
from ..games.blackjack.solve import CHOICES, SPLIT
from ..games.blackjack_switch.dealt_rounds import moments, net_of, simulate
from ..games.blackjack_switch.hands import INDEX
from ..games.blackjack_switch.results import dealt_mean
from ..games.blackjack_switch.solve import FIRST, SECOND, SwitchSolution
from ..games.blackjack_switch.wagers import HANDS, of_one, played
from .blackjack import hands_judged, plain
from .chance import LIMIT, judged, mean_judged
from .model import RETURN, Check, equal

#: Numbers of rounds for which the range of the return is shown.
ROUNDS = (10**4, 10**5, 10**6)

#: (upcard, hand, the other hand) with few continuations: hard, after a peek, soft, a double.
SAMPLE = ((9, (9, 5), (4, 8)), (0, (9, 6), (9, 9)), (9, (4, 5), (0, 1)), (6, (7, 7), (2, 9)), (3, (0, 8), (5, 5)))


def checks(a: Analysis) -> Iterator[Check]:
    solution: SwitchSolution = a.game.solution
    for upcard, hand, other in SAMPLE:
        place = (upcard, int(INDEX[other]), int(INDEX[hand]))
        best = int(solution.hands.best[place])
        if best == SPLIT or solution.hands.value[place] < -8:
            continue
        remaining = tuple(n - other.count(c) for c, n in enumerate(solution.counts))
        again = plain(solution.rules.hands, remaining, *hand, upcard)
        if kind := solution.rules.hands.surrender_against(upcard):
            again["surrender"] = _surrendered(remaining, hand, upcard, kind, looks=solution.rules.hands.looks)
        names = [f"{LETTERS[x]} {LETTERS[y]}" for x, y in (hand, other)]
        yield equal(
            f"{names[0]} with {names[1]} against {LETTERS[upcard]}",
            "recursion over every next card in fractions; the dealer's distribution from the drawn hands",
            solution.hand_value(*place, False), max(again.values()), f"{CHOICES[best]}, the same exact value",
        )
    deals = sum(int(solution.ways(u).sum()) for u in range(CLASSES))
    yield equal("deals", "ordered deals of the upcard and four cards", deals, perm(solution.size, 5))
    first, second = (of_one(solution, side) for side in range(2))
    yield equal("the two hands", "each counted from its deals", [(w.rows, w.staked) for w in first],
                [(w.rows, w.staked) for w in second], "all wagers have the same distribution")
    yield equal("return", "the wagers of both hands, each counted from its deals", solution.expected_value / 2,
                sum(w.net for w in (*first, *second)), "the same expected net result", RETURN)
    yield equal("switches", "shares of kept and switched rounds", sum(solution.round.share), Fraction(1), "add up to 1")
    mean = dealt_mean(solution)
    if mean is not None:
        z, seen = float((mean.value - a.game.expected_value) / mean.error), 100 * LIMIT * float(mean.error)
        yield Check("sampled return", f"{mean.how}, card by card",
                    f"{float(100 * (1 + mean.value)):.4f} %, {float(100 * a.returned):.4f} % expected, z = {z:+.2f}; "
                    f"smallest detectable error {seen:.2g} percentage points", abs(z) < LIMIT)


def _surrendered(counts: Sequence[int], hand: Sequence[int], upcard: int, kind: str, *, looks: bool) -> Fraction:
    """Return half a wager; a late surrender loses all to a blackjack, which a peek excludes from the value."""
    left = list(counts)
    for card in (upcard, *hand):
        left[card] -= 1
    blackjack = Fraction({0: left[9], 9: left[0]}.get(upcard, 0), sum(left))
    lost = {"early": Fraction(1, 2), "late": (1 - blackjack) / 2 + blackjack}[kind]
    return (blackjack if looks else 0) - lost


def simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    """Yield checks of the frequency of switches and of the results of rounds; variance and shares are estimates."""
    solution: SwitchSolution = a.game.solution
    each = np.zeros((2, USUAL_HANDS, 2, 3), np.int64)
    seen = simulate(solution, rounds, seed, each=each)
    dealt, switch_round = int(seen.sum()), solution.round
    for side, name in enumerate(HANDS):
        unsplit, (first, *others) = played(solution, side)
        yield from hands_judged((unsplit.plus(first), *others), each[side], dealt, seed, f"the {name.lower()}")
    method, before = f"{dealt:,} rounds, seed {seed}", solution.rules.exchange == "before-the-look"
    if before:
        yield judged("simulated switches", int(seen[SECOND].sum()), dealt, switch_round.share[SECOND], seed)
    for way, name in ((FIRST, "cards kept"), (SECOND, "cards switched")):
        counts = [int(n) for n in seen[way]]
        mean = sum((n * net_of(i) for i, n in enumerate(counts)), Fraction(0)) / dealt
        square = float(sum((n * net_of(i) ** 2 for i, n in enumerate(counts)), Fraction(0))) / dealt
        exact = switch_round.net[way] / 2
        yield mean_judged(f"simulated {name}: net result", method, float(mean), float(exact),
                          sqrt(max(square - float(mean) ** 2, 1e-300) / dealt), "+.7f")
    m = moments(seen)
    yield mean_judged("simulated round: net result", method, float(m.mean.value), float(a.game.expected_value),
                      float(m.mean.error), "+.7f")
    for rounds_after in ROUNDS:
        reach = Z_95 * sqrt(float(m.variance.value) / rounds_after)
        yield Check(f"return after {rounds_after:,} rounds", "exact mean, estimated variance, normal distribution",
                    f"{100 * max(float(a.returned) - reach, 0):.2f} % to {100 * (float(a.returned) + reach):.2f} % "
                    "with probability 95 %", None)
    for name, estimate in (("variance of a round", m.variance), ("rounds won", m.won), ("rounds pushed", m.pushed)):
        yield Check(name, method,
                    f"estimate {float(estimate.value):.6f}, standard error {float(estimate.error):.6f}", None)
