"""High Card Flush, checked against literal deals, a second count of single hands, identities and published facts."""

import random
from fractions import Fraction
from itertools import combinations, islice, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin._kernels import load
from combin.analysis.engine import analyze
from combin.base import parallel
from combin.deals import cards
from combin.deals.cards import flush_name
from combin.games.high_card_flush import dealt_rounds as dealt_rounds
from combin.games.high_card_flush import solve as game
from combin.verify import high_card_play
from combin.verify.flush_games import ante_and_raise

from ..kept import kept

LIMITS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}
BASE = ante_and_raise(LIMITS)
STRICT = ante_and_raise(LIMITS, long_qualifies=False)


@pytest.fixture(scope="module")
def solution():
    return game.solve(BASE)


def held(hand):
    dealt = cards.cards(hand)
    return [sum(1 << c % 13 for c in dealt if c // 13 == suit) for suit in range(4)]


def literally(hand, long_qualifies):
    """All dealer hands are looked at one by one, on all threads."""
    masks = np.array(held(hand), np.int32)
    best = max(held(hand), key=lambda mask: (mask.bit_count(), mask))

    def call(start, stop, arrays):
        load("high_card_flush_rounds").count_literally(
            start, stop, masks, best, long_qualifies, arrays[0]
        )

    (cells,) = parallel.sweep(call, 45, lambda: [np.zeros(6, np.int64)], chunk=1)
    return tuple(map(tuple, cells.reshape(2, 3).tolist()))


# ---- dealer counts: literal deals, the second count, the kernel


@pytest.mark.parametrize(
    ("hand", "long_qualifies"),
    [
        ("Tc 7c 4c Ks Qh Jd 9d", True),
        ("8c 7c 4c 8s 7s 4s 2d", False),  # two suits tie, below nine high
        ("9c 8c 6c 3c 2c Ah 5h", False),
        ("8d 7d 6d 5d 3d 2d As", False),  # six cards eight high
        ("Ah Qh Th 9h 7h 4h 2h", True),
    ],
)
def test_dealer_counts_are_those_of_all_45_379_620_hands(hand, long_qualifies):
    position = game.position(hand, long_qualifies=long_qualifies)
    assert position.dealers == literally(hand, long_qualifies)


def test_listed_classes_are_those_of_the_second_count():
    rng = random.Random(20261127)
    for number in [*rng.sample(range(5798), 12), 5, 60, 100, 200, 300, 364, 1100, 5797]:
        for long_qualifies in (True, False):
            flush = int(game.flushes()[number])
            listed = game.classes(flush, long_qualifies=long_qualifies)
            row = rng.randrange(len(listed.hands))
            masks = listed.masks[row].tolist()
            hand = [13 * suit + rank for suit in range(4) for rank in range(13) if masks[suit] >> rank & 1]
            rng.shuffle(hand)
            position = game.position(hand, long_qualifies=long_qualifies)
            assert position.flush == flush == masks[0]
            assert position.dealers == tuple(map(tuple, listed.dealers[row].tolist()))
            assert (listed.dealers.sum((1, 2)) == comb(45, 7)).all()


@pytest.mark.parametrize("long_qualifies", [True, False])
def test_classes_of_many_flushes_are_counted_alike_one_by_one(long_qualifies):
    """tests/benchmarks counts all 6,009,159 classes."""
    for number in [*range(0, 5798, 40), game.flush_number(game.NINE_HIGH) - 1, game.flush_number(game.NINE_HIGH)]:
        listed = game.classes(int(game.flushes()[number]), long_qualifies=long_qualifies)
        cells = np.zeros((len(listed.hands), 6), np.int64)
        load("high_card_flush_rounds").count_dealer(
            np.ascontiguousarray(listed.masks[:, ::-1]), long_qualifies, cells
        )
        assert (cells.reshape(-1, 2, 3) == listed.dealers).all()


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(52)), st.sampled_from((True, False)))
def test_any_hand_is_in_the_list_of_its_flush_once(deck, long_qualifies):
    position = game.position(deck[:7], long_qualifies=long_qualifies)
    listed = game.classes(position.flush, long_qualifies=long_qualifies)
    masks = [sum(1 << c % 13 for c in deck[:7] if c // 13 == suit) for suit in range(4)]
    masks.sort(key=lambda mask: (mask.bit_count(), mask), reverse=True)
    (row,) = np.flatnonzero((listed.masks == masks).all(1))
    assert position.dealers == tuple(map(tuple, listed.dealers[row].tolist()))
    assert listed.hands[row] == len(_orders(masks))


def _orders(masks):
    return set(permutations(masks))


def test_every_class_and_every_hand_is_there_once():
    kernel = load("high_card_flush")
    assert sum(kernel.classes(number, True) for number in range(5798)) == 6_009_159
    # Flushes of seven, six and five cards by the binomial theorem.
    masks = game.flushes()
    for length, number in ((7, 4 * comb(13, 7)), (6, 4 * comb(13, 6) * 39), (5, 4 * comb(13, 5) * comb(39, 2))):
        flush = next(int(mask) for mask in masks if int(mask).bit_count() == length)
        assert game.classes(flush).hands.sum() * comb(13, length) == number


def test_flushes_are_in_ascending_order():
    masks = [sum(1 << r for r in ranks) for n in range(2, 8) for ranks in combinations(range(13), n)]
    masks.sort(key=lambda m: (m.bit_count(), [r for r in reversed(range(13)) if m >> r & 1]))
    assert game.flushes().tolist() == masks


def test_patterns_are_the_kernel_s():
    assert load("high_card_flush").patterns() == list(game.PATTERNS)
    assert set(game.PATTERNS) == {
        (a, b, c, 7 - a - b - c)
        for a in range(8) for b in range(a + 1) for c in range(b + 1) if 0 <= 7 - a - b - c <= c
    }  # fmt: skip


# ---- the whole game


def test_the_optimal_play(solution):
    assert solution.joint.sum() == game.DEALS == 133_784_560 * 45_379_620
    assert solution.expected == Fraction(-1348050875653, 50592437455560)
    assert solution.tied_hands == 0
    deals_raised = int(solution.joint[1:].sum())
    assert round(Fraction(deals_raised, game.DEALS), 4) == Fraction(6786, 10000)  # published: 67.86 %
    ties = int(solution.joint[1:, 1, 1].sum())
    assert round(Fraction(ties, game.DEALS), 4) == Fraction(8, 10000)  # published: the dealer pushes 0.08 %
    ten_high = sum(play.hands for play in solution.plays() if play.verdict == "sometimes")
    assert round(Fraction(ten_high, game.HANDS), 3) == Fraction(53, 1000)  # published: about 5.3 %


def test_the_dealer_qualifies_as_a_hand_dealt_alone(solution):
    """The law of a hand without regard to the other hand: low flushes are counted by hand, C(7, 3) for three cards."""
    qualifies = int(solution.joint[:, 1].sum())
    assert Fraction(qualifies, game.DEALS) == Fraction(100_825_036, 133_784_560)


def test_win_and_lose_are_equal_where_nobody_chooses(solution):
    lost, _, won = solution.joint.sum((0, 1, 3, 4)).tolist()
    assert lost == won


def test_the_joint_table_is_the_sum_over_listed_classes(solution):
    for flush in ("T-8-5", "9-8-7", "7-4", "A-K-Q-J-T", "8-7-6-5-4-3"):
        mask = game.flush_of(flush)
        listed = game.classes(mask)
        utility = BASE.utility[..., mask.bit_count() - 2].astype(np.int64)
        values = np.einsum("nqr,cqr->nc", listed.dealers, utility)
        choice = values[:, : BASE.open_choices[mask.bit_count() - 2]].argmax(1)
        row = solution.cells[game.flush_number(mask), 0]
        for c in range(BASE.choices):
            chosen = choice == c
            expected = (listed.dealers[chosen] * listed.hands[chosen, None, None].astype(np.int64)).sum(0)
            assert (row[c] == expected).all()


def test_jack_high_is_always_raised_and_nine_high_never(solution):
    """Published: J-3-2 and better is always raised, 9-8-7 and worse never; other cards decide ten-high."""
    verdicts = {flush_name(play.flush): play.verdict for play in solution.plays()}
    three = [name for name in verdicts if name.count("-") == 2]
    tens = three.index("T-3-2"), three.index("J-3-2")
    assert {verdicts[name] for name in three[: tens[0]]} == {"never"}
    assert {verdicts[name] for name in three[tens[0] : tens[1]]} == {"sometimes"}
    assert {verdicts[name] for name in three[tens[1] :]} == {"always"}
    assert {v for n, v in verdicts.items() if n.count("-") == 1} == {"never"}
    assert {v for n, v in verdicts.items() if n.count("-") > 2} == {"always"}


@pytest.mark.parametrize(("played", "seed"), [(BASE, 7), (STRICT, 8)])
def test_a_million_rounds_dealt_and_played(played, seed):
    """The seeds were fixed before the first run. tests/benchmarks deals 10^9 rounds."""
    rounds = 1_000_000
    seen = dealt_rounds.simulate(played, rounds, seed)
    joint = game.solve(played, by="length").joint.sum(-1)
    assert seen.sum() == rounds
    for dealt, deals in zip(seen.flat, joint.flat, strict=True):
        p = int(deals) / game.DEALS
        if p * rounds >= 10:
            assert abs(dealt - p * rounds) < 4 * (rounds * p * (1 - p)) ** 0.5
        else:
            assert dealt < 30 if deals else dealt == 0
    one, two = (dealt_rounds.simulate(played, 20_000, seed, threads=n) for n in (1, 2))
    assert (one == two).all()


def splitmix64(state):
    """The published generator, written anew."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def test_the_stream_is_the_published_one():
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert list(islice(splitmix64(1234567), 4)) == published


@pytest.mark.parametrize("boxes", [1, 3])
@pytest.mark.parametrize(("played", "seed"), [(BASE, 2**64 - 1), (STRICT, 3)])
def test_rounds_are_those_of_the_stream_dealt_by_hand(played, seed, boxes):
    blocks, rounds = (2, 4), 40
    expected, cards = np.zeros((4 * rounds, boxes), np.int32), np.zeros((4 * rounds, 7 * boxes + 7), np.uint8)
    for block in range(*blocks):
        stream = splitmix64(next(splitmix64(next(splitmix64(seed)) ^ block)))
        deck = list(range(52))
        for number in range(rounds):
            for i in range(7 * boxes + 7):
                j = i + (next(stream) >> 32) * (52 - i) // 2**32
                deck[i], deck[j] = deck[j], deck[i]
            cards[block * rounds + number] = deck[: 7 * boxes + 7]
            theirs = game.position(deck[7 * boxes : 7 * boxes + 7]).flush
            for box in range(boxes):
                mine = game.position(deck[7 * box : 7 * box + 7], long_qualifies=played.long_qualifies)
                order = [(mask.bit_count(), mask) for mask in (theirs, mine.flush)]
                qualifies = order[0] >= (3, game.NINE_HIGH) and (played.long_qualifies or theirs > game.LOW)
                values = mine.values(played)
                result = 1 + (order[0] < order[1]) - (order[0] > order[1])
                place = values.index(max(values)), int(qualifies), result, order[1][0] - 2
                expected[block * rounds + number, box] = np.ravel_multi_index(place, (played.choices, 2, 3, 6))
    seen, ends = np.zeros((played.choices, 6, 6), np.int64), np.zeros_like(expected)
    dealt = np.zeros_like(cards)
    allowed = np.array(played.open_choices, np.int32)
    kernel = load("high_card_flush_rounds").Rounds(game.kernel_utility(played), allowed, played.long_qualifies)
    kernel.deal(*blocks, rounds, seed, seen, ends, dealt)
    assert (ends == expected).all()
    assert (dealt == cards).all()
    assert (seen.reshape(-1) == np.bincount(expected[2 * rounds :].reshape(-1), minlength=seen.size)).all()


def test_a_solution_comes_back_from_the_store_and_is_checked(solution):
    found = kept(solution)
    assert found.plays() == solution.plays()
    assert (found.joint == solution.joint).all()
    assert (found.total, found.tied_hands) == (solution.total, solution.tied_hands)
    with pytest.raises(ValueError, match="deals"):
        kept(solution, cells=solution.cells + 1)


def test_plays_add_up_to_the_whole(solution):
    plays = solution.plays()
    assert sum(play.hands for play in plays) == game.HANDS
    assert sum(play.best * play.hands for play in plays) / game.HANDS == solution.expected
    assert all(play.best >= max(play.values) for play in plays)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(solution, threads):
    assert (game.solve(BASE, by="length", threads=threads).joint == solution.joint).all()


def test_a_long_flush_that_does_not_qualify(solution):
    strict = game.solve(STRICT, by="length")
    # The hand alone: exactly one suit has four to seven cards, and all are below the nine.
    extra = 4 * sum(comb(7, n) * comb(39, 7 - n) for n in range(4, 8))
    qualifies = int(strict.joint[:, 1].sum())
    assert Fraction(qualifies, game.DEALS) == Fraction(100_825_036 - extra, 133_784_560)
    # Before a choice the winner does not depend on the reading.
    assert (strict.joint.sum((0, 1)) == solution.joint.sum((0, 1))).all()


# ---- features, bonuses


def test_features_are_those_of_all_hands():
    """The features are counted suit by suit from their definition, without the base game."""
    codes = game.by_features("both")
    hands = game.solve(BASE, codes, by="length").joint.sum((0, 1, 2)) // game.DEALERS
    quads = {c for c, label in enumerate(codes.labels) if label.four_of_a_kind}
    assert hands[:, list(quads)].sum() == 13 * comb(48, 3)
    nine_to_ace = [c for c, label in enumerate(codes.labels) if label.nine_to_ace]
    assert hands[:, nine_to_ace].sum() == 4 * 46
    seven = [c for c, label in enumerate(codes.labels) if label.straight_flush == 7]
    assert hands[:, seven].sum() == 4 * 8
    ways = np.zeros((8, 8), dtype=object)  # [cards][longest run at most] of one suit
    for mask in range(8192):
        if mask.bit_count() <= 7:
            ranks = [r for r in range(13) if mask >> r & 1] + [-1] * (mask >> 12)
            run = max((n for n in range(1, 8) for r in ranks if set(range(r, r + n)) <= set(ranks)), default=0)
            ways[mask.bit_count(), run:] += 1
    for most in range(1, 8):
        poly = [1] + [0] * 7
        for _ in range(4):
            poly = [sum(poly[k] * int(ways[n - k, most]) for k in range(n + 1)) for n in range(8)]
        at_most = [c for c, label in enumerate(codes.labels) if label.straight_flush <= most]
        assert hands[:, at_most].sum() == poly[7]


def test_kept_is_the_run_of_the_best_flush():
    codes = game.by_features("high")
    hands = game.solve(BASE, codes, by="length").joint.sum((0, 1, 2)) // game.DEALERS
    run_of_five = sum(1 for low in range(9) for _ in [low])  # 2-6 to 10-A: nine, no ace low
    five = [c for c, label in enumerate(codes.labels) if label.kept == 5]
    assert hands[3, five].sum() == 4 * run_of_five * comb(39, 2)


def test_a_bonus_that_a_fold_forfeits_changes_the_play(solution):
    codes = game.by_features("both")
    unit = 100
    ante = ante_and_raise(LIMITS, unit=unit)
    bonus = np.zeros((ante.choices, len(codes)), dtype=object)
    for code, label in enumerate(codes.labels):
        if label.straight_flush == 3:
            bonus[1:, code] = 20
    together = game.solve(ante, codes, bonus=bonus, by="length")
    paid_at_base_play = game.solve(BASE, codes, by="length").joint[1:].sum((1, 2, 3)).astype(object) * bonus[1:]
    assert together.expected > unit * solution.expected + Fraction(int(paid_at_base_play.sum()), game.DEALS)
    # A bonus that nobody forfeits changes the total alone.
    bonus[0] = bonus[1]
    paid = game.solve(ante, codes, bonus=bonus, by="length")
    assert (paid.joint.sum(-1) == solution.joint.sum(-1)).all()
    hands = int(paid.joint.sum((0, 1, 2, 3)).astype(object) @ bonus[0])
    assert paid.total == unit * solution.total + hands


def test_a_raiser_who_keeps_the_played_flush_only_may_fold_for_a_bonus(solution):
    codes = game.by_features("both")
    bonus = np.zeros((BASE.choices, len(codes)), dtype=object)
    for code, label in enumerate(codes.labels):
        bonus[0, code] = 10 * (label.straight_flush >= 3)
        bonus[1:, code] = 10 * (label.kept >= 3)
    joint = game.solve(BASE, codes, bonus=bonus, by="length").joint
    lost = [c for c, label in enumerate(codes.labels) if label.kept < 3 <= label.straight_flush]
    others = [c for c in range(len(codes)) if c not in lost]
    assert joint[0][..., lost].sum() > 0 == joint[1:][..., lost].sum()
    # Every other hand keeps the bonus with each choice.
    base = game.solve(BASE, codes, by="length").joint
    assert (joint[..., others] == base[..., others]).all()
    assert (base.sum(-1) == solution.joint.sum(-1)).all()


def test_equal_choices_are_folds_and_counted():
    nothing = game.FlushGame(np.zeros((2, 2, 3, 6), np.int64), (2,) * 6)
    solved = game.solve(nothing, by="length")
    assert solved.tied_hands == game.HANDS
    assert solved.joint[0].sum() == game.DEALS


def test_runs_are_those_that_the_ranks_spell_out():
    """All sets of up to seven ranks. The second way reads them as text of zeros and ones."""
    both, high = (high_card_play.FEATURES.index(f"straight_flush_{ace}") for ace in ("both", "high"))
    for mask in range(8192):
        if mask.bit_count() <= 7:
            shown = high_card_play.shown_by_suit()[mask]
            assert (game.longest_run(mask), game.longest_run(mask, "high")) == (shown[both], shown[high])


def test_high_cards_are_counted_beside_the_best_flush():
    """At the edge a rank counts and the rank below it does not, in every suit except the best one."""
    codes = game.by_high_cards(9, pattern=False)
    assert sorted(codes.labels) == list(range(6))  # five cards beside a flush of two, each a jack or higher
    marks = {name: int(codes.marks[game.flush_of(name)]) for name in ("T-9", "J-T", "A-J-T", "A-K-Q")}
    assert marks == {"T-9": 0, "J-T": 1, "A-J-T": 2, "A-K-Q": 3}


@pytest.mark.parametrize("identifier", ["maryland/high-card-flush/base/A", "massachusetts/high-card-flush/base/A"])
def test_every_round_stakes_one_ante_and_a_raise_only_where_it_is_made(identifier: str) -> None:
    ante, raised = analyze(identifier).game.wagers
    folded = next(row.probability for row in ante.rows if row.outcome == "folded")
    assert ante.staked == 1
    assert sum(row.probability for row in raised.rows if row.staked) == 1 - folded
