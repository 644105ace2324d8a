"""Input that High Card Flush refuses, with its messages, and input just within the limits."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from combin.base.errors import InputError
from combin.deals.cards import flush_name
from combin.games.high_card_flush import dealt_rounds
from combin.games.high_card_flush import solve as game
from combin.games.high_card_flush import strategies as strategy
from combin.verify.flush_games import ante_and_raise

LIMITS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}
BASE = ante_and_raise(LIMITS)
STRICT = ante_and_raise(LIMITS, long_qualifies=False)
ZEROS = np.zeros((2, 2, 3, 6), np.int64)


@pytest.fixture(scope="module")
def by_pattern():
    return strategy.histogram(BASE, game.by_pattern())


def test_a_utility_that_could_overflow_is_refused():
    limit = 2**57 // comb(45, 7)
    greatest = np.full((2, 2, 3, 6), -limit, dtype=object)
    greatest[1] = limit
    solved = game.solve(game.FlushGame(greatest, (2,) * 6), by="length")
    assert solved.total == limit * game.DEALS
    with pytest.raises(InputError, match="must not exceed"):
        game.solve(game.FlushGame(greatest + 1, (2,) * 6))


@pytest.mark.parametrize(
    "bad",
    [
        lambda: replace(game.by_pattern(), labels=("one",)),
        lambda: game.solve(BASE, game.by_points((9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0))),
    ],
)
def test_codes_that_do_not_fit_are_refused(bad):
    with pytest.raises(InputError, match="codes"):
        bad()


def test_a_strategy_of_the_wrong_shape_or_choice_is_refused(by_pattern):
    with pytest.raises(InputError, match="has the shape"):
        strategy.joint_of(by_pattern, np.zeros((3, 3), bool))
    with pytest.raises(InputError, match="not allowed"):
        strategy.joint_of(by_pattern, np.full(by_pattern.cells.shape[:2], 3))


def test_limits_of_a_game_are_allowed_and_what_is_beyond_them_is_not():
    for choices in (1, 8):
        assert game.FlushGame(np.zeros((choices, 2, 3, 6), np.int64), (choices,) * 6).choices == choices
    most = dict.fromkeys(range(2, 8), 7)
    assert ante_and_raise(most).open_choices == (8,) * 6
    assert ante_and_raise(dict.fromkeys(range(2, 8), 1)).choices == 2
    assert game.by_points((255,) + (0,) * 12).labels
    assert game.flush_of("10-8-2") == game.flush_of("t-8-2") == 1 << 8 | 1 << 6 | 1
    assert game.flush_of("8-7-6-5-4-3-2") == 127
    assert flush_name(127) == "8-7-6-5-4-3-2"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (
            lambda: game.FlushGame(np.zeros((0, 2, 3, 6), np.int64), (1,) * 6),
            "the utility table has the shape (0, 2, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.FlushGame(np.zeros((9, 2, 3, 6), np.int64), (1,) * 6),
            "the utility table has the shape (9, 2, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.FlushGame(ZEROS[0], (1,) * 6),
            "the utility table has the shape (2, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.FlushGame(ZEROS[:, :1], (1,) * 6),
            "the utility table has the shape (2, 1, 3, 6); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.FlushGame(ZEROS[..., :5], (2,) * 6),
            "the utility table has the shape (2, 2, 3, 5); give [choice][qualifies][result][length - 2]: "
            "1 to 8 choices x 2 x 3 x 6",
        ),
        (
            lambda: game.FlushGame(ZEROS.astype(object) == 0, (2,) * 6),
            "a utility is True; give integers; multiply by the common denominator",
        ),
        (
            lambda: game.FlushGame(ZEROS + 0.5, (2,) * 6),
            "a utility is 0.5; give integers; multiply by the common denominator",
        ),
        (
            lambda: game.FlushGame(ZEROS, (2, 2, 2, 2, 2, 0)),
            "the open choices are (2, 2, 2, 2, 2, 0); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: game.FlushGame(ZEROS, (2, 2, 2, 2, 2, 3)),
            "the open choices are (2, 2, 2, 2, 2, 3); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: game.FlushGame(ZEROS, (3,) * 6),
            "the open choices are (3, 3, 3, 3, 3, 3); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: game.FlushGame(ZEROS, (2,) * 5),
            "the open choices are (2, 2, 2, 2, 2); give a number from 1 to 2 for each flush of 2 to 7 cards",
        ),
        (
            lambda: ante_and_raise({**LIMITS, 7: 8}),
            "the raise limits are {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 8}; "
            "give a limit of 1 to 7 antes for each length from 2 to 7",
        ),
        (
            lambda: ante_and_raise({**LIMITS, 2: 0}),
            "the raise limits are {2: 0, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}; "
            "give a limit of 1 to 7 antes for each length from 2 to 7",
        ),
        (lambda: ante_and_raise({2: 1}),
         "the raise limits are {2: 1}; give a limit of 1 to 7 antes for each length from 2 to 7"),
        (lambda: game.flush_of("T-T-2"), '"T-T-2" is not a flush; write two to seven different ranks, like "T-8-2"'),
        (lambda: game.flush_of("TJ"), '"TJ" is not a flush; write two to seven different ranks, like "T-8-2"'),
        (lambda: game.flush_of("T-1"), '"T-1" is not a flush; write two to seven different ranks, like "T-8-2"'),
        (lambda: game.flush_of("T"), '"T" has 1 card(s); a best flush has two to seven cards'),
        (lambda: game.flush_of("9-8-7-6-5-4-3-2"),
         '"9-8-7-6-5-4-3-2" has 8 card(s); a best flush has two to seven cards'),
        (lambda: game.by_features("low"), 'the ace in a straight flush cannot be "low"; use both or high'),
        (lambda: game.by_points((1, 2, 3)),
         "the points are (1, 2, 3); give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.by_points((1, 2)),
         "the points are (1, 2); give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.by_points((256,) + (0,) * 12),
         f"the points are {(256,) + (0,) * 12}; give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.by_points((-1,) + (0,) * 12),
         f"the points are {(-1,) + (0,) * 12}; give 13 numbers from 0 to 255, from the two to the ace"),
        (lambda: game.solve(BASE, bonus=np.zeros((1, 1), np.int64)),
         "the bonus table has the shape (1, 1); give 4 choices x 1 codes"),
        (lambda: game.solve(BASE, bonus=np.zeros((4, 2), np.int64)),
         "the bonus table has the shape (4, 2); give 4 choices x 1 codes"),
        (lambda: game.solve(BASE, bonus=np.full((4, 1), 0.5)),
         "a bonus is 0.5; give integers; multiply by the common denominator"),
        (lambda: game.solve(BASE, by="suit"), '"by" cannot be "suit"; use flush or length'),
        (lambda: dealt_rounds.simulate(BASE, 5, seed=1), "rounds cannot be 5; give a multiple of 10,000"),
        (lambda: dealt_rounds.simulate(BASE, 0, seed=1), "rounds cannot be 0; give a multiple of 10,000"),
        (lambda: dealt_rounds.simulate(BASE, -10_000, seed=1), "rounds cannot be -10000; give a multiple of 10,000"),
        (lambda: dealt_rounds.simulate(BASE, 10_001, seed=1), "rounds cannot be 10001; give a multiple of 10,000"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd"),
         "the hand has 6 card(s); a hand of High Card Flush has seven cards"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd 2c 3c"),
         "the hand has 8 card(s); a hand of High Card Flush has seven cards"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd Tc"), "Tc is in the hand twice; name seven different cards"),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd 1x"),
         '"1x" is not a card; write a rank of 2-9, T, J, Q, K, A and a suit of c, d, h, s: "Qh"'),
        (lambda: game.position("Tc 7c 4c Ks Qh Jd 2c").values(STRICT),
         "the hand was counted under another reading of the long flush; count it under the game's"),
        (lambda: game.solve(BASE, by="length").plays(),
         "this solution has no play by flush; solve by flush and without a bonus"),
        (lambda: game.solve(BASE, bonus=np.ones((4, 1), np.int64)).plays(),
         "this solution has no play by flush; solve by flush and without a bonus"),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_in_a_sentence(bad, said):
    with pytest.raises(InputError) as refused:
        bad()
    assert str(refused.value) == said


def test_a_bonus_counts_towards_the_greatest_utility():
    limit = 2**57 // comb(45, 7)
    one = game.FlushGame(ZEROS + 1, (2,) * 6)
    assert game.solve(one, bonus=np.full((2, 1), limit - 1)).total == limit * game.DEALS
    with pytest.raises(InputError) as refused:
        game.solve(one, bonus=np.full((2, 1), -limit))
    assert str(refused.value) == (
        f"the utilities reach {limit + 1:,}; "
        f"the greatest utility and bonus together must not exceed {limit:,}; use a larger unit"
    )


def test_a_histogram_by_flush_takes_128_mebibytes_at_most(monkeypatch):
    """A code needs 5,798 flushes x 4 choices x 6 endings of 8 bytes. 120 codes fit, and no more."""

    def stop(name):
        raise StopIteration(name)

    codes = {n: replace(game.all_alike(), labels=tuple(range(n))) for n in (120, 121)}
    assert 5_798 * 4 * 6 * 8 * 120 < 2**27 < 5_798 * 4 * 6 * 8 * 121
    monkeypatch.setattr(game, "load", stop)
    with pytest.raises(StopIteration, match="high_card_flush"):
        game.solve(BASE, codes[120])
    with pytest.raises(InputError) as refused:
        game.solve(BASE, codes[121])
    assert str(refused.value) == "121 codes by flush are too many; use fewer codes, or solve by length"
    with pytest.raises(StopIteration):
        game.solve(BASE, codes[121], by="length")


def test_codes_that_a_kernel_cannot_look_up_are_refused(by_pattern):
    codes = by_pattern.codes
    marks = codes.marks.copy()
    marks[0b111] = 1  # for three cards in one suit the table has no sum above 0
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
        assert str(refused.value) == "the codes leave a hand without a label; make them with code_hands"
