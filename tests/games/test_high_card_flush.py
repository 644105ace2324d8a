"""High Card Flush, held against literal deals, a second count of single hands, identities and published facts."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combin import cards, parallel
from combin._kernels import load
from combin.errors import InputError
from combin.games import high_card_flush as game
from combin.games import high_card_flush_strategy as strategy
from combin.verify import high_card_play

LIMITS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}
BASE = game.ante_and_raise(LIMITS)
STRICT = game.ante_and_raise(LIMITS, long_flush="does-not")


@pytest.fixture(scope="module")
def solution():
    return game.solve(BASE)


@pytest.fixture(scope="module")
def by_pattern():
    return strategy.histogram(game.by_pattern())


def held(hand):
    dealt = cards.cards(hand)
    return [sum(1 << c % 13 for c in dealt if c // 13 == suit) for suit in range(4)]


def literally(hand, long_flush):
    """Every dealer hand looked at, on all threads."""
    masks = np.array(held(hand), np.int32)
    best = max(held(hand), key=lambda mask: (mask.bit_count(), mask))

    def call(start, stop, arrays):
        load("high_card_flush_rounds").count_literally(
            start, stop, masks, best, long_flush == "qualifies", arrays[0]
        )

    (cells,) = parallel.sweep(call, 45, lambda: [np.zeros(6, np.int64)], chunk=1)
    return tuple(map(tuple, cells.reshape(2, 3).tolist()))


# ---- dealer counts: literal deals, the second count, the kernel


@pytest.mark.parametrize(
    ("hand", "long_flush"),
    [
        ("Tc 7c 4c Ks Qh Jd 9d", "qualifies"),
        ("8c 7c 4c 8s 7s 4s 2d", "does-not"),  # two suits tie, below nine high
        ("9c 8c 6c 3c 2c Ah 5h", "does-not"),
        ("8d 7d 6d 5d 3d 2d As", "does-not"),  # six cards eight high
        ("Ah Qh Th 9h 7h 4h 2h", "qualifies"),
    ],
)
def test_dealer_counts_are_those_of_all_45_379_620_hands(hand, long_flush):
    position = game.position(hand, long_flush=long_flush)
    assert position.dealers == literally(hand, long_flush)


def test_listed_classes_are_those_of_the_second_count():
    rng = random.Random(20261127)
    for number in [*rng.sample(range(5798), 12), 5, 60, 100, 200, 300, 364, 1100, 5797]:
        for long_flush in game.LONG_FLUSH:
            flush = int(game.flushes()[number])
            listed = game.classes(flush, long_flush=long_flush)
            row = rng.randrange(len(listed.hands))
            masks = listed.masks[row].tolist()
            hand = [13 * suit + rank for suit in range(4) for rank in range(13) if masks[suit] >> rank & 1]
            rng.shuffle(hand)
            position = game.position(hand, long_flush=long_flush)
            assert position.flush == flush == masks[0]
            assert position.dealers == tuple(map(tuple, listed.dealers[row].tolist()))
            assert (listed.dealers.sum((1, 2)) == comb(45, 7)).all()


@pytest.mark.parametrize("long_flush", game.LONG_FLUSH)
def test_classes_of_many_flushes_are_counted_alike_one_by_one(long_flush):
    """All 6,009,159 classes are counted in tests/benchmarks."""
    for number in [*range(0, 5798, 40), game.flush_number(game.NINE_HIGH) - 1, game.flush_number(game.NINE_HIGH)]:
        listed = game.classes(int(game.flushes()[number]), long_flush=long_flush)
        cells = np.zeros((len(listed.hands), 6), np.int64)
        load("high_card_flush_rounds").count_dealer(
            np.ascontiguousarray(listed.masks[:, ::-1]), long_flush == "qualifies", cells
        )
        assert (cells.reshape(-1, 2, 3) == listed.dealers).all()


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(52)), st.sampled_from(game.LONG_FLUSH))
def test_any_hand_is_in_the_list_of_its_flush_once(deck, long_flush):
    position = game.position(deck[:7], long_flush=long_flush)
    listed = game.classes(position.flush, long_flush=long_flush)
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
    """The player's cards are as good as any, and C(7, 3) low subsets of each suit can be told by hand."""
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
    """As published: J-3-2 and better always, 9-8-7 and worse never, ten high by the other cards."""
    verdicts = {game.flush_name(play.flush): play.verdict for play in solution.plays()}
    three = [name for name in verdicts if name.count("-") == 2]
    tens = three.index("T-3-2"), three.index("J-3-2")
    assert {verdicts[name] for name in three[: tens[0]]} == {"never"}
    assert {verdicts[name] for name in three[tens[0] : tens[1]]} == {"sometimes"}
    assert {verdicts[name] for name in three[tens[1] :]} == {"always"}
    assert {v for n, v in verdicts.items() if n.count("-") == 1} == {"never"}
    assert {v for n, v in verdicts.items() if n.count("-") > 2} == {"always"}


@pytest.mark.parametrize(("played", "seed"), [(BASE, 7), (STRICT, 8)])
def test_a_million_rounds_dealt_and_played(played, seed):
    """The seeds stood before the rounds; 10^9 rounds are dealt in tests/benchmarks."""
    rounds = 1_000_000
    seen = game.simulate(played, rounds, seed)
    joint = game.solve(played, by="length").joint.sum(-1)
    assert seen.sum() == rounds
    for dealt, deals in zip(seen.flat, joint.flat, strict=True):
        p = int(deals) / game.DEALS
        if p * rounds >= 10:
            assert abs(dealt - p * rounds) < 4 * (rounds * p * (1 - p)) ** 0.5
        else:
            assert dealt < 30 if deals else dealt == 0
    assert (game.simulate(played, 20_000, seed, threads=1) == game.simulate(played, 20_000, seed, threads=2)).all()


def splitmix64(state):
    """The generator as its authors publish it."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def test_the_stream_is_the_published_one():
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert list(islice(splitmix64(1234567), 4)) == published


@pytest.mark.parametrize(("played", "seed"), [(BASE, 2**64 - 1), (STRICT, 3)])
def test_rounds_are_those_of_the_stream_dealt_by_hand(played, seed):
    blocks, rounds = (41, 43), 60
    expected = np.zeros((played.choices, 6, 6), np.int64)
    for block in range(*blocks):
        stream = splitmix64(next(splitmix64(next(splitmix64(seed)) ^ block)))
        deck = list(range(52))
        for _ in range(rounds):
            for i in range(14):
                j = i + (next(stream) >> 32) * (52 - i) // 2**32
                deck[i], deck[j] = deck[j], deck[i]
            mine = game.position(deck[:7], long_flush=played.long_flush)
            theirs = game.position(deck[7:14]).flush
            order = [(mask.bit_count(), mask) for mask in (theirs, mine.flush)]
            qualifies = order[0] >= (3, game.NINE_HIGH) and (played.long_qualifies or theirs > game.LOW)
            values = mine.values(played)
            result = 1 + (order[0] < order[1]) - (order[0] > order[1])
            expected[values.index(max(values)), 3 * qualifies + result, order[1][0] - 2] += 1
    seen = np.zeros_like(expected)
    load("high_card_flush_rounds").simulate(
        *blocks, rounds, seed, played.long_qualifies, game._kernel_utility(played),
        np.array(played.open_choices, np.int32), seen,
    )  # fmt: skip
    assert (seen == expected).all()


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
    # Dealt alone: exactly one suit has four to seven cards, all below the nine.
    extra = 4 * sum(comb(7, n) * comb(39, 7 - n) for n in range(4, 8))
    qualifies = int(strict.joint[:, 1].sum())
    assert Fraction(qualifies, game.DEALS) == Fraction(100_825_036 - extra, 133_784_560)
    # Who wins does not depend on it before a choice is made.
    assert (strict.joint.sum((0, 1)) == solution.joint.sum((0, 1))).all()


# ---- features, bonuses


def test_features_are_those_of_all_hands():
    """Counted suit by suit from the definition, the base game aside."""
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
    ante = game.ante_and_raise(LIMITS, unit=unit)
    bonus = np.zeros((ante.choices, len(codes)), dtype=object)
    for code, label in enumerate(codes.labels):
        if label.straight_flush == 3:
            bonus[1:, code] = 20
    together = game.solve(ante, codes, bonus=bonus, by="length")
    paid_at_base_play = game.solve(BASE, codes, by="length").joint[1:].sum((1, 2, 3)).astype(object) * bonus[1:]
    assert together.expected > unit * solution.expected + Fraction(int(paid_at_base_play.sum()), game.DEALS)
    # Forfeited by nobody, it changes nothing but the total.
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
    # Every other hand has the bonus either way.
    base = game.solve(BASE, codes, by="length").joint
    assert (joint[..., others] == base[..., others]).all()
    assert (base.sum(-1) == solution.joint.sum(-1)).all()


def test_equal_choices_are_folds_and_counted():
    nothing = game.Game(np.zeros((2, 2, 3, 6), np.int64), (2,) * 6)
    solved = game.solve(nothing, by="length")
    assert solved.tied_hands == game.HANDS
    assert solved.joint[0].sum() == game.DEALS


# ---- strategies


def test_thresholds_against_strategies_valued_one_by_one(by_pattern, solution):
    singles = strategy.single_thresholds(by_pattern, BASE)
    assert len(singles) == comb(13, 3) + 1
    for row in (0, 90, 150, 286):
        chosen = strategy.threshold_strategy(by_pattern, singles[row])
        valued = strategy.value_strategy(by_pattern, chosen, BASE)
        assert valued.total == singles[row].total < solution.total
        assert valued.joint.sum() == game.DEALS
    best = max(singles, key=lambda rule: rule.total)
    assert game.flush_name(best.least[0]) == "T-8-6"


def test_two_thresholds_by_all_pairs(by_pattern):
    totals = strategy.threshold_totals(by_pattern, BASE)
    for rule in strategy.best_thresholds(by_pattern, BASE, strategy.two_groups(by_pattern)):
        sums = [totals[:, [label in group for label in game.by_pattern().labels]].sum(1) for group in rule.groups]
        assert rule.total == max(int(a) + int(b) for a in sums[0] for b in sums[1])


def test_a_player_who_sees_everything_that_matters_plays_the_optimum(solution, by_pattern):
    """Raise or fold by flush alone is the sum of the better constant choice of each flush."""
    alone = strategy.histogram(game.all_alike())
    chosen = strategy.best_strategy(alone, BASE)
    assert strategy.value_strategy(alone, chosen, BASE).expected == sum(
        max(play.values) * play.hands for play in solution.plays()
    ) / game.HANDS
    finer = strategy.value_strategy(by_pattern, strategy.best_strategy(by_pattern, BASE), BASE)
    assert strategy.value_strategy(alone, chosen, BASE).total < finer.total < solution.total


def test_high_card_rules_beat_one_threshold(by_pattern):
    best = strategy.search_high_cards(BASE)[0]
    assert best.thresholds.total > max(rule.total for rule in strategy.single_thresholds(by_pattern, BASE))
    seen = strategy.histogram(game.by_high_cards(best.rank, pattern=False))
    chosen = strategy.threshold_strategy(seen, best.thresholds)
    assert strategy.value_strategy(seen, chosen, BASE).total == best.thresholds.total


# ---- the play in lines


def test_the_jacks_and_higher_beside_a_ten_high_flush_decide_most():
    codes = game.by_high_cards(9, pattern=False)
    solved = game.solve(BASE, codes)
    lines = strategy.lines(solved)
    read = [(game.flush_name(line.first), game.flush_name(line.last), line.sometimes) for line in lines]
    assert read == [
        ("3-2", "9-8-7", ()),
        ("T-3-2", "T-5-4", (1, 2, 3)),
        ("T-6-2", "T-7-6", (1, 2)),
        ("T-8-2", "T-9-6", (1,)),
        ("T-9-7", "T-9-8", ()),
        ("J-3-2", "A-K-Q-J-T-9-8", ()),
    ]
    assert all(line.never == (0,) for line in lines[1:-1])
    assert not lines[0].always
    assert not lines[-1].never
    # What is open under a line is what both folds and raises.
    for line in lines:
        rows = slice(game.flush_number(line.first), game.flush_number(line.last) + 1)
        hands = solved.cells[rows].sum((3, 4)) // game.DEALERS
        both = (hands[..., 0] > 0) & (hands[..., 1:].sum(2) > 0)
        assert line.open_hands == hands.sum(2)[both].sum()


def test_the_best_number_of_jacks_for_each_ten_high_flush(solution):
    """Four from T-3-2, three from T-5-3, two from T-7-4, one from T-9-3: 0.0017 % of the ante below the optimum."""
    seen = strategy.histogram(game.by_high_cards(9, pattern=False))
    (rule,) = strategy.best_thresholds(seen, BASE, [strategy.each_alone(seen.codes)])
    least = {group[0]: mask for group, mask in zip(rule.groups, rule.least, strict=True)}
    assert [game.flush_name(least[n]) for n in range(5)] == ["J-3-2", "T-9-3", "T-7-4", "T-5-3", "T-3-2"]
    best = strategy.best_strategy(seen, BASE)
    assert strategy.value_strategy(seen, best, BASE).total == rule.total
    assert 0 < solution.expected - rule.expected < Fraction(172, 10_000_000)
    assert len(strategy.strategy_lines(seen, best)) == 6


def test_points_of_one_and_five_tell_tens_from_higher_cards():
    points = (0,) * 8 + (1, 5, 5, 5, 5)
    finer = strategy.histogram(game.by_points(points, pattern=False))
    coarser = strategy.histogram(game.by_high_cards(9, pattern=False))
    for code, label in enumerate(coarser.codes.labels):
        parts = [c for c, points in enumerate(finer.codes.labels) if points // 5 == label]
        assert (finer.cells[:, parts].sum(1) == coarser.cells[:, code]).all()


# ---- bad input


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("Tc 7c 4c Ks Qh Jd", "a hand of 6 card(s)"),
        ("Tc 7c 4c Ks Qh Jd Tc", "Tc is in the hand twice"),
        ("Tc 7c 4c Ks Qh Jd 1x", '"1x" is not a card'),
    ],
)
def test_a_bad_hand_is_refused_with_a_sentence(hand, says):
    with pytest.raises(InputError) as refused:
        game.position(hand)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_utility_that_could_overflow_is_refused():
    limit = 2**57 // comb(45, 7)
    greatest = np.full((2, 2, 3, 6), -limit, dtype=object)
    greatest[1] = limit
    solved = game.solve(game.Game(greatest, (2,) * 6), by="length")
    assert solved.total == limit * game.DEALS
    with pytest.raises(InputError, match="must not pass"):
        game.solve(game.Game(greatest + 1, (2,) * 6))


@pytest.mark.parametrize(
    "bad",
    [
        lambda: game.Game(np.zeros((2, 2, 3, 5), np.int64), (2,) * 6),
        lambda: game.Game(np.full((2, 2, 3, 6), 0.5), (2,) * 6),
        lambda: game.Game(np.zeros((2, 2, 3, 6), np.int64), (3,) * 6),
        lambda: game.Game(np.zeros((2, 2, 3, 6), np.int64), (2,) * 6, "perhaps"),
        lambda: game.ante_and_raise({2: 1}),
        lambda: game.flush_of("T-T-2"),
        lambda: game.flush_of("T"),
        lambda: game.by_features("low"),
        lambda: game.by_points((1, 2, 3)),
        lambda: replace(game.by_pattern(), labels=("one",)),
        lambda: game.solve(BASE, bonus=np.zeros((1, 1), np.int64)),
        lambda: game.solve(BASE, by="suit"),
        lambda: game.solve(BASE, game.by_points((9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0))),
        lambda: game.simulate(BASE, 5, seed=1),
    ],
)
def test_bad_input_is_refused(bad):
    with pytest.raises(InputError):
        bad()


def test_a_strategy_of_the_wrong_shape_or_choice_is_refused(by_pattern):
    with pytest.raises(InputError, match="of shape"):
        strategy.value_strategy(by_pattern, np.zeros((3, 3), bool), BASE)
    with pytest.raises(InputError, match="not open"):
        strategy.value_strategy(by_pattern, np.full(by_pattern.cells.shape[:2], 3), BASE)
    with pytest.raises(InputError, match="another reading"):
        strategy.value_strategy(by_pattern, np.zeros(by_pattern.cells.shape[:2], bool), STRICT)


def test_limits_of_a_game_are_allowed_and_what_is_beyond_them_is_not():
    for choices in (1, 8):
        assert game.Game(np.zeros((choices, 2, 3, 6), np.int64), (choices,) * 6).choices == choices
    most = dict.fromkeys(range(2, 8), 7)
    assert game.ante_and_raise(most).open_choices == (8,) * 6
    assert game.ante_and_raise(dict.fromkeys(range(2, 8), 1)).choices == 2
    assert game.by_points((255,) + (0,) * 12).labels
    assert game.flush_of("10-8-2") == game.flush_of("t-8-2") == 1 << 8 | 1 << 6 | 1
    assert game.flush_of("8-7-6-5-4-3-2") == 127
    assert game.flush_name(127) == "8-7-6-5-4-3-2"


ZEROS = np.zeros((2, 2, 3, 6), np.int64)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (
            lambda: game.Game(np.zeros((0, 2, 3, 6), np.int64), (1,) * 6),
            "a utility table of shape (0, 2, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.Game(np.zeros((9, 2, 3, 6), np.int64), (1,) * 6),
            "a utility table of shape (9, 2, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.Game(ZEROS[0], (1,) * 6),
            "a utility table of shape (2, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.Game(ZEROS[:, :1], (1,) * 6),
            "a utility table of shape (2, 1, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.Game(ZEROS.astype(object) == 0, (2,) * 6),
            "a utility of True; give integers; multiply by the common denominator",
        ),
        (
            lambda: game.Game(ZEROS + 0.5, (2,) * 6),
            "a utility of 0.5; give integers; multiply by the common denominator",
        ),
        (
            lambda: game.Game(ZEROS, (2, 2, 2, 2, 2, 0)),
            "open choices (2, 2, 2, 2, 2, 0); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: game.Game(ZEROS, (2, 2, 2, 2, 2, 3)),
            "open choices (2, 2, 2, 2, 2, 3); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: game.Game(ZEROS, (2,) * 5),
            "open choices (2, 2, 2, 2, 2); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: game.Game(ZEROS, (2,) * 6, "perhaps"),
            '"perhaps" for a long flush eight high; use qualifies or does-not',
        ),
        (
            lambda: game.ante_and_raise({**LIMITS, 7: 8}),
            "raise limits {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 8}; "
            "give a limit of 1 to 7 antes for each length from 2 to 7",
        ),
        (
            lambda: game.ante_and_raise({**LIMITS, 2: 0}),
            "raise limits {2: 0, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}; "
            "give a limit of 1 to 7 antes for each length from 2 to 7",
        ),
        (lambda: game.ante_and_raise({2: 1}),
         "raise limits {2: 1}; give a limit of 1 to 7 antes for each length from 2 to 7"),
        (lambda: game.flush_of("T-T-2"), '"T-T-2" is not a flush; write two to seven different ranks, like "T-8-2"'),
        (lambda: game.flush_of("TJ"), '"TJ" is not a flush; write two to seven different ranks, like "T-8-2"'),
        (lambda: game.flush_of("T-1"), '"T-1" is not a flush; write two to seven different ranks, like "T-8-2"'),
        (lambda: game.flush_of("T"), '"T" has 1 card(s); a best flush has two to seven cards'),
        (lambda: game.flush_of("9-8-7-6-5-4-3-2"),
         '"9-8-7-6-5-4-3-2" has 8 card(s); a best flush has two to seven cards'),
        (lambda: game.by_features("low"), '"low" for the ace in a straight flush; use both or high'),
        (lambda: game.by_points((1, 2)), "points (1, 2); give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.by_points((256,) + (0,) * 12),
         f"points {(256,) + (0,) * 12}; give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.by_points((-1,) + (0,) * 12),
         f"points {(-1,) + (0,) * 12}; give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.solve(BASE, bonus=np.zeros((4, 2), np.int64)),
         "a bonus table of shape (4, 2); give 4 choices x 1 codes"),
        (lambda: game.solve(BASE, bonus=np.full((4, 1), 0.5)),
         "a bonus of 0.5; give integers; multiply by the common denominator"),
        (lambda: game.solve(BASE, by="suit"), 'a solution by "suit"; use flush or length'),
        (lambda: game.simulate(BASE, 0, seed=1), "0 rounds; give a multiple of 10,000"),
        (lambda: game.simulate(BASE, -10_000, seed=1), "-10000 rounds; give a multiple of 10,000"),
        (lambda: game.simulate(BASE, 10_001, seed=1), "10001 rounds; give a multiple of 10,000"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd"), "a hand of 6 card(s); a hand of High Card Flush has seven cards"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd 2c 3c"),
         "a hand of 8 card(s); a hand of High Card Flush has seven cards"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd Tc"), "Tc is in the hand twice; name seven different cards"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd 2c", long_flush="perhaps"),
         '"perhaps" for a long flush eight high; use qualifies or does-not'),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd 2c").values(STRICT),
         "a hand counted under another reading; count it with does-not"),
        (lambda: game.solve(BASE, by="length").plays(),
         "the play by flush of another solution; solve by flush and without a bonus"),
        (lambda: game.solve(BASE, bonus=np.ones((4, 1), np.int64)).plays(),
         "the play by flush of another solution; solve by flush and without a bonus"),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_in_a_sentence(bad, said):
    with pytest.raises(InputError) as refused:
        bad()
    assert str(refused.value) == said


def test_a_bonus_counts_towards_the_greatest_utility():
    limit = 2**57 // comb(45, 7)
    one = game.Game(ZEROS + 1, (2,) * 6)
    assert game.solve(one, bonus=np.full((2, 1), limit - 1)).total == limit * game.DEALS
    with pytest.raises(InputError) as refused:
        game.solve(one, bonus=np.full((2, 1), -limit))
    assert str(refused.value) == (
        f"utilities of up to {limit + 1:,}; "
        f"the greatest utility and bonus together must not pass {limit:,}; take a larger unit"
    )


def test_a_histogram_by_flush_takes_128_mebibytes_at_most(monkeypatch):
    """5,798 flushes x 4 choices x 6 ends of 8 bytes: 120 codes and no more."""

    def stop(name):
        raise StopIteration(name)

    codes = {n: replace(game.all_alike(), labels=tuple(range(n))) for n in (120, 121)}
    assert 5_798 * 4 * 6 * 8 * 120 < 2**27 < 5_798 * 4 * 6 * 8 * 121
    monkeypatch.setattr(game, "load", stop)
    with pytest.raises(StopIteration, match="high_card_flush"):
        game.solve(BASE, codes[120])
    with pytest.raises(InputError) as refused:
        game.solve(BASE, codes[121])
    assert str(refused.value) == "121 codes by flush; take fewer codes, or solve by length"
    with pytest.raises(StopIteration):
        game.solve(BASE, codes[121], by="length")


def test_codes_that_a_kernel_cannot_look_up_are_refused(by_pattern):
    codes = by_pattern.codes
    marks = codes.marks.copy()
    marks[0b111] = 1  # of three cards in one suit: no sum above 0 is in the table
    below, above = codes.table.copy(), codes.table.copy()
    below[0, 0, 0, 0], above[0, 0, 0, 0] = -1, len(codes.labels)
    nowhere, negative = codes.tables.copy(), codes.tables.copy()
    nowhere[0], negative[0] = len(codes.table), -1
    for other in (
        {"marks": codes.marks.astype(np.int32)}, {"tables": codes.tables.astype(np.int64)},
        {"table": codes.table.astype(np.int32)}, {"tables": codes.tables[1:]}, {"table": codes.table[:, 1:]},
        {"table": codes.table[:, :, :1]}, {"marks": marks}, {"table": below}, {"table": above},
        {"tables": nowhere}, {"tables": negative}, {"labels": codes.labels[:-1]},
    ):  # fmt: skip
        with pytest.raises(InputError) as refused:
            replace(codes, **other)
        assert str(refused.value) == "codes that leave a hand without a label; make them with code_hands"


def test_runs_are_those_that_the_ranks_spell_out():
    """All sets of up to seven ranks, read as noughts and ones by the second way."""
    both, high = (high_card_play.FEATURES.index(f"straight_flush_{ace}") for ace in ("both", "high"))
    for mask in range(8192):
        if mask.bit_count() <= 7:
            shown = high_card_play.SHOWN[mask]
            assert (game.longest_run(mask), game.longest_run(mask, "high")) == (shown[both], shown[high])


def test_high_cards_are_counted_beside_the_best_flush():
    """At the edge: the rank itself counts, the one below it does not; of each suit but the best one."""
    codes = game.by_high_cards(9, pattern=False)
    assert sorted(codes.labels) == list(range(6))  # five cards beside a flush of two, each a jack or higher
    marks = {name: int(codes.marks[game.flush_of(name)]) for name in ("T-9", "J-T", "A-J-T", "A-K-Q")}
    assert marks == {"T-9": 0, "J-T": 1, "A-J-T": 2, "A-K-Q": 3}


def test_verdicts_on_a_flush():
    for chosen, verdict in (((9, 0), "never"), ((4, 5), "sometimes"), ((0, 9), "always"), ((0, 4), "always")):
        play = game.FlushPlay(game.flush_of("T-8-2"), chosen, (), Fraction(0), 0)
        assert (play.hands, play.verdict) == (sum(chosen), verdict)
