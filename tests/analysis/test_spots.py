"""Two hands from one deck, checked against every pair of hands from small decks."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from combin import analyze
from combin.analysis.spots import Spots, spots
from combin.base.errors import InputError
from combin.base.exact import root
from combin.deals.hands_by_length import LENGTHS, joint, won_by_three
from combin.games import joint as games_joint
from combin.games.chase_the_flush import dealt_rounds as chase
from combin.games.chase_the_flush import rules as chase_rules
from combin.games.high_card_flush import dealt_rounds as high_rounds
from combin.games.high_card_flush import rules as high_rules
from combin.games.high_card_flush import solve as high
from combin.games.joint import Rules, covariance
from combin.games.model import Estimate
from combin.play.together import together
from combin.views import json as json_view

BASE, CHASE = "massachusetts/high-card-flush/base/A", "maryland/chase-the-flush/base/A"
FLUSH, STRAIGHT = "massachusetts/high-card-flush/flush-bonus/A", "maryland/high-card-flush/straight-flush-bonus/A"


def longest(hand: tuple[tuple[int, str], ...], column: str, ranks: int) -> int:
    best = 0
    for suit in "cdhs":
        held = {rank for rank, s in hand if s == suit}
        if column == "flush":
            best = max(best, len(held))
            continue
        runs = [next(n for n in range(1, ranks + 2) if start + n not in held) for start in held]
        if column != "straight_flush_high" and ranks - 1 in held:  # the ace below the lowest rank
            low = min(len(held), next(n for n in range(1, ranks + 2) if n - 1 not in held))
            if column == "straight_flush_both" or low >= 5:
                runs.append(5 if column == "straight_flush_five_only" else low)
        best = max(best, *runs, 0)
    return best


@pytest.mark.parametrize(("columns", "ranks", "cards", "shared"), [
    (("flush",), 3, 3, 0), (("flush",), 2, 4, 0), (("straight_flush_both",), 3, 3, 0),
    (("straight_flush_high",), 4, 2, 0), (("straight_flush_both",), 4, 2, 0),
    (("flush", "straight_flush_both"), 3, 4, 2),
    (("flush", "straight_flush_high"), 4, 3, 2), (("flush",), 4, 4, 3),
])  # fmt: skip
def test_every_pair_of_hands_of_a_small_deck(columns: tuple[str, ...], ranks: int, cards: int, shared: int) -> None:
    deck = [(rank, suit) for suit in "cdhs" for rank in range(ranks)]
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for board in combinations(deck, shared):
        left = [card for card in deck if card not in board]
        shown = {one: tuple(longest((*board, *one), name, ranks) for name in columns)
                 for one in combinations(left, cards - shared)}
        for one, mine in shown.items():
            for two in combinations([card for card in left if card not in one], cards - shared):
                found[mine, shown[two]] += 1
    assert joint(columns, ranks, cards, shared) == found


@pytest.mark.parametrize(("columns", "ranks", "cards"), [
    (("flush",), 4, 1), (("straight_flush_high",), 3, 4), (("flush", "straight_flush_both"), 3, 3),
])  # fmt: skip
def test_every_three_hands_of_a_small_deck(columns: tuple[str, ...], ranks: int, cards: int) -> None:
    """Amounts by chance, of which some are equal."""
    deck = [(rank, suit) for suit in "cdhs" for rank in range(ranks)]
    shown = {one: tuple(longest(one, name, ranks) for name in columns) for one in combinations(deck, cards)}
    amounts = {lengths: n % 4 * 5 for n, lengths in enumerate(sorted(set(shown.values())))}
    won = {one: amounts[lengths] for one, lengths in shown.items()}
    found: Counter[int] = Counter()
    for one, mine in won.items():
        left = [card for card in deck if card not in one]
        for two in combinations(left, cards):
            both, rest = mine + won[two], [card for card in left if card not in two]
            found.update(both + won[three] for three in combinations(rest, cards))
    deals = sum(found.values())
    dollars = {lengths: Fraction(amount) for lengths, amount in amounts.items()}
    assert won_by_three(columns, dollars, ranks, cards) == {x: Fraction(n, deals) for x, n in found.items()}


def test_three_hands_have_the_moments_of_their_pairs() -> None:
    law = joint(("flush",))
    total = sum(law.values())
    won = {(n,): Fraction(pay) for n, pay in ((2, -1), (3, -1), (4, 1), (5, 10), (6, 100), (7, 300))}
    three = won_by_three(("flush",), won)
    mean = sum(won[f] * n for (f, _), n in law.items()) / total
    square = sum(won[f] ** 2 * n for (f, _), n in law.items()) / total
    both = sum(won[f] * won[g] * n for (f, g), n in law.items()) / total
    assert sum(x * p for x, p in three.items()) == 3 * mean
    assert sum(x * x * p for x, p in three.items()) == 3 * square + 6 * both
    n = comb(13, 7)
    assert three[Fraction(900)] == Fraction(24 * n**3, comb(52, 7) * comb(45, 7) * comb(38, 7))


@pytest.mark.parametrize("column", list(LENGTHS))
def test_the_length_of_a_suit_is_that_of_the_rules(column: str) -> None:
    """A run found rank by rank, for every set of up to seven ranks of thirteen."""
    for mask in range(0, 2**13, 7):
        held = tuple((rank, "c") for rank in range(13) if mask >> rank & 1)
        if len(held) <= 7:
            assert LENGTHS[column](mask, 13) == longest(held, column, 13)


def test_each_of_two_hands_is_dealt_as_one() -> None:
    """Both hands have one law, and a binomial gives it: the longest flush holds k cards of one suit."""
    law = joint(("flush",))
    assert all(law[f, g] == law[g, f] for f, g in law)
    for k in (4, 5, 6, 7):
        alone = sum(n for (f, _), n in law.items() if f == (k,))
        assert alone == 4 * comb(13, k) * comb(39, 7 - k) * comb(45, 7)


@pytest.mark.parametrize("identifier", [FLUSH, STRAIGHT])
def test_boxes_have_the_variance_of_their_sum(identifier: str) -> None:
    alone = analyze(identifier)
    assert spots(alone) is None
    for n in (1, 2, 3):
        a = analyze(identifier, set={"boxes": n})
        found = spots(a)
        assert found is not None
        assert a.returned == alone.returned
        assert found.variance == n * a.variance + n * (n - 1) * found.covariance
        assert abs(found.covariance) < a.variance
    record = json_view.record(a)["boxes"]
    assert record["covariance"]["exact"] == str(found.covariance)
    assert "standard deviation of 3 spots" in str(a)


def test_seven_cards_of_one_suit_leave_six_for_the_other_hand() -> None:
    """Two seven-card flushes have different suits, so there are 4 x 3 C(13, 7)^2 pairs."""
    assert joint(("flush",))[(7,), (7,)] == 12 * comb(13, 7) ** 2
    assert Fraction(joint(("flush",))[(7,), (7,)], comb(52, 7) * comb(45, 7)) > 0


def test_the_document_says_how_many_boxes_there_are() -> None:
    for identifier, wrong in ((FLUSH, 4), (STRAIGHT, 7), (FLUSH, 0), (FLUSH, "3/2")):
        with pytest.raises(InputError, match="boxes cannot be"):
            analyze(identifier, set={"boxes": wrong})
    with pytest.raises(InputError, match='no parameter of these wagers is called "boxes"'):
        analyze("maryland/chase-the-flush/progressive/A", set={"boxes": 2})


# ---- two hands that are played


def both_lengths(ends: Any) -> Counter[tuple[int, int]]:
    """Pairs of boxes of a round by the length of each flush, the last index of a place."""
    return Counter(map(tuple, (ends[:, :2] % 6 + 2).tolist()))


@pytest.mark.parametrize(("identifier", "game", "shared"), [
    (BASE, high_rounds, 0), pytest.param(CHASE, chase, 4, marks=pytest.mark.slow),
])  # fmt: skip
def test_hands_dealt_together_have_the_mean_variance_and_joint_law_that_are_counted(
    identifier: str, game: Any, shared: int
) -> None:
    a = analyze(identifier)
    rounds = 10_000
    solution = a.game.solution if game is chase else a.game.solution.game
    ends = game.ends(solution, 3, rounds, 20)
    rules = (chase_rules if game is chase else high_rules).rules_of(a.resolved)
    net, mean = rules.utility.reshape(-1).astype(float) / rules.unit, float(a.game.expected_value)
    cells = solution.joint if game is chase else a.game.solution.joint.sum(-1)
    shares = cells.reshape(-1).astype(float) / float(cells.sum())
    for box in ends.T:
        for value, exact in ((net, mean), ((net - mean) ** 2, float(a.variance))):
            deviation = ((shares * value**2).sum() - exact**2) ** 0.5
            assert abs(value[box].mean() - exact) < 4 * deviation / rounds**0.5
    law = joint(("flush",), shared=shared)
    total, seen = sum(law.values()), both_lengths(ends)
    for (f, g), n in law.items():
        p = n / total
        assert abs(seen[f[0], g[0]] - rounds * p) <= 4.5 * (rounds * p * (1 - p)) ** 0.5 + 1


def test_two_hands_of_high_card_flush_dealt_and_played_without_a_kernel() -> None:
    """The covariance of hands dealt by numpy, settled from the rules; a hand between two cuts is counted by itself."""
    a = analyze(BASE)
    guess = covariance(high_rules.rules_of(a.resolved), a.game.expected_value,
                       high_rounds.ends(a.game.solution.game, 6, 10_000, 3))
    verdicts = {p.flush: p.verdict for p in a.game.solution.plays()}
    raised = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}  # §6(a)(6)
    random, products, rounds = np.random.default_rng(5), [], 600

    def best(cards: Any) -> int:
        suits = [sum(1 << c % 13 for c in cards if c // 13 == s) for s in range(4)]
        return max(suits, key=lambda mask: (mask.bit_count(), mask))

    for _ in range(rounds):
        dealt = random.permutation(52)[:21].tolist()
        dealer = best(dealt[14:])
        net = []
        for hand in (dealt[:7], dealt[7:14]):
            flush = best(hand)
            verdict = verdicts[flush]
            if verdict == "sometimes":
                values = high.position(hand).values(a.game.solution.game)
                verdict = "always" if values[1] > values[0] else "never"
            stake = raised[flush.bit_count()]
            order = [(m.bit_count(), m) for m in (flush, dealer)]
            if verdict == "never":
                net.append(-1)
            elif order[1] < (3, 0b10000011):  # the dealer needs a flush of three with a nine
                net.append(1)
            else:
                net.append((1 + stake) * ((order[0] > order[1]) - (order[0] < order[1])))
        mean = float(a.game.expected_value)
        products.append((net[0] - mean) * (net[1] - mean))
    error = float(np.std(products)) / rounds**0.5  # 0.1, the covariance is six times that
    assert abs(np.mean(products) - float(guess.value)) < 4 * error
    assert 0 < guess.error < Fraction(1, 50)


def test_an_estimate_is_the_mean_over_pairs_with_its_error() -> None:
    """Four rounds of two boxes, won and lost by hand: products 1, 1, -1, 1, so 1/2 and the root of (3/4 + 9/4) / 12."""
    won, lost = 0, 1
    rules = Rules(("play",), np.array([[[[Fraction(1), Fraction(-1)]]]], dtype=object), (1,), 1)
    guess = covariance(rules, Fraction(0), np.array([[won, won], [lost, lost], [won, lost], [won, won]]))
    assert guess.value == Fraction(1, 2)
    assert guess.error == Fraction(1, 2)
    two = Spots(2, guess, Estimate(2 + 2 * guess.value, 2 * guess.error, guess.how))
    assert two.deviation.error == Fraction(1) / (2 * root(Fraction(3)))


def test_an_estimate_is_shown_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_joint, "ROUNDS", 10_000)
    a = analyze(BASE, set={"boxes": 2, "match_play": 1})
    found = spots(a)
    assert found is not None
    assert isinstance(found.variance, Estimate)
    assert found.variance.value == 2 * a.variance + 2 * found.covariance.value
    assert json_view.record(a)["boxes"]["covariance"]["standard_error"] > 0
    one = spots(analyze(BASE, set={"boxes": 1, "match_play": 1}))
    assert one is not None
    assert one.variance == a.variance
    assert "(estimate and its standard error: 10,000 rounds of 6 spots dealt, seed 1)" in str(a)


@pytest.mark.parametrize("number", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_one_cap_for_all_boxes_is_that_of_a_seat_of_several_wagers(number: int) -> None:
    """What the cap takes from the boxes is what `combin strategy --with` says that it takes from a round."""
    stake, cap = Fraction(100), Fraction(25_000)
    chosen = {"boxes": str(number), "cap": str(cap), "stake": str(stake)}
    found = spots(analyze(FLUSH, set=chosen))
    free = analyze(FLUSH, set={"boxes": str(number), "stake": str(stake)})
    assert found is not None
    assert found.returned is not None
    joined = together(analyze(BASE), [FLUSH], {**chosen, "ante": "1"})
    assert joined.cap is not None
    cost = joined.plays[0].cost(joined.cap)
    assert cost == number * stake * (free.returned - found.returned)
    assert cost > stake * number * (free.returned - analyze(FLUSH, set={"stake": "100", "cap": str(cap)}).returned)


def test_one_cap_for_all_boxes_by_every_pair_of_hands() -> None:
    """Var(X + Y) = E (X + Y)² − (E (X + Y))², X + Y cut at the cap, over the joint lengths of two hands."""
    a = analyze(FLUSH, set={"boxes": "2", "cap": "25000", "stake": "100"})
    pays = {7: 300, 6: 100, 5: 10, 4: 1}  # §11(c), column A
    law = joint(("flush",))
    first = second = Fraction(0)
    for ((one,), (other,)), n in law.items():
        won = min(pays.get(one, 0) + pays.get(other, 0), 250)
        back = (one >= 4) + (other >= 4)
        first, second = first + n * (won + back), second + n * (won + back) ** 2
    deals = sum(law.values())
    found = spots(a)
    assert found is not None
    assert found.variance == second / deals - (first / deals) ** 2
