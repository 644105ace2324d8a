"""Rounds dealt to all seats of a table: endings, means, variances and covariances against exact figures."""

import pickle
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from combin.analysis.boxes import boxes
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.bank.law import law_of
from combin.bank.plan import Plan, Wager
from combin.bank.seat import Seat
from combin.bank.summary import summary
from combin.bank.years import all_runs, some
from combin.base.errors import InputError
from combin.games.blackjack.rounds import BLOCK, WAYS, deal_block, most_boxes, simulate
from combin.games.blackjack.solve import deck_counts
from combin.play import blackjack, chase_the_flush, high_card_flush
from combin.play.dealt import Dealt
from combin.play.together import together

HCF, MASS, CHASE = "maryland/high-card-flush", "massachusetts/high-card-flush", "maryland/chase-the-flush"
GAME = "maryland/blackjack/blackjack/3-to-2"
RATE = {"contribution_rate": "20%"}


def bank(
    *wagers: tuple[str, Any, dict[str, str]], seats: int = 3, days: int = 4, runs: int = 5, deals: str = "cards",
    decks: int | None = None, reading: dict[str, str] | None = None,
) -> Plan:
    listed = tuple(Wager(i, Fraction(stake), decks, chosen, reading or {}) for i, stake, chosen in wagers)
    return Plan(1, seats, 100, 10, days, runs, 2, listed, "plan.toml", deals)


@cache
def dealt(identifier: str, seats: int, rounds: int, seed: int = 5, decks: int | None = None) -> Dealt:
    a = analyze(identifier, decks=decks)
    module = {"h": high_card_flush, "c": chase_the_flush, "b": blackjack}[identifier.split("/")[1][0]]
    return module.deal(a, seats, rounds, seed)  # type: ignore[attr-defined, no-any-return]


def held_against(a: Analysis, names: Sequence[str], place: Any) -> None:
    """Every outcome comes as often as its probability says."""
    seen, total = np.bincount(place, minlength=len(names)).tolist(), len(place)
    assert sum(seen) == total
    exact = {o.outcome: o.probability for o in a.outcomes}
    for name, n in zip(names, seen, strict=True):
        p = float(exact[name])
        assert abs(n - total * p) <= 4.5 * sqrt(total * p * (1 - p)) + 1, (a.id, name)


@pytest.mark.parametrize(
    ("identifier", "reading"),
    [
        (f"{HCF}/flush-bonus/A", {}), (f"{HCF}/straight-flush-bonus/A", {}), (f"{HCF}/progressive/C", {}),
        (f"{MASS}/straight-flush-bonus/A", {}), (f"{MASS}/progressive/A", {}), (f"{MASS}/flush-bonus/A", {}),
    ],
)
def test_hands_dealt_settle_side_bets_as_often_as_counted(identifier: str, reading: dict[str, str]) -> None:
    a = analyze(identifier, reading=reading)
    held_against(a, *dealt(f"{identifier.rsplit('/', 2)[0]}/base/A", 3, 20_000).ends(a.resolved))


def test_a_raiser_who_keeps_the_flush_alone_is_settled_on_it() -> None:
    """The reading that discards lowers the bonus; dealt and counted alike, and apart from the other choice."""
    book = analyze(f"{MASS}/straight-flush-bonus/A").book
    [reading] = [r for r in book.readings_of(f"{MASS}/straight-flush-bonus/A")
                 if any("kept-cards-only" in str(c.patch) for c in r.choices)]
    [choice] = [c.id for c in reading.choices if "kept-cards-only" in str(c.patch)]
    a = analyze(f"{MASS}/straight-flush-bonus/A", reading={reading.id: choice})
    assert a.resolved.terms.play_options.discards == "kept-cards-only"
    held_against(a, *dealt(f"{MASS}/base/A", 3, 20_000).ends(a.resolved))


def test_hole_cards_and_hands_of_chase_the_flush_settle_as_counted() -> None:
    rounds = dealt(f"{CHASE}/base/A", 4, 5_000)
    for identifier, reading in ((f"{CHASE}/same-suit/A", {}), (f"{CHASE}/progressive/B", {}),
                                (f"{CHASE}/progressive/B", {"spin-needs-dealer": "yes"})):
        a = analyze(identifier, reading=reading)
        held_against(a, *rounds.ends(a.resolved))


def test_first_cards_of_blackjack_settle_as_counted() -> None:
    rounds = dealt(GAME, 5, 4_000, decks=6)
    for bet in ("lucky-ladies/A", "in-between/A", "21-plus-3-progressive/A", "upcard-luck-21/A", "lucky-lucky/A"):
        a = analyze(f"maryland/blackjack/{bet}", decks=6)
        held_against(a, *rounds.ends(a.resolved))


def test_seats_of_blackjack_have_the_mean_and_the_variance_that_are_counted() -> None:
    """Seat by seat: the last one, behind the cards of all others, wins what the first one wins."""
    a, rounds = analyze(GAME, decks=1), dealt(GAME, 2, 40_000, decks=1)
    net = np.array([float(x) for x in rounds.nets])[rounds.place].reshape(-1, 2)
    mean, variance = float(a.game.expected_value), float(a.variance)
    for seat in net.T:
        assert abs(seat.mean() - mean) < 4 * sqrt(variance / len(seat))
        squares = (seat - mean) ** 2
        assert abs(squares.mean() - variance) < 4 * squares.std() / sqrt(len(seat))


def test_one_seat_of_blackjack_is_dealt_as_rounds_of_one_player_are() -> None:
    solution = analyze(GAME, decks=6).game.solution
    ends, cards, _ = deal_block(solution, 1, BLOCK, 3, draws_out=False)
    assert (np.bincount(ends[:, 0], minlength=8 * 33) == simulate(solution, BLOCK, 3).reshape(-1)).all()
    # The course of a round says which of the first cards were an ace and a ten, card 0 the two of a suit.
    value = np.array([*range(2, 10), 10, 10, 10, 10, 11])[cards % 13]
    natural = (value[:, 0] + value[:, 2] == 21) & (value[:, 1] + value[:, 3] != 21)
    assert (natural == (ends[:, 0] // 33 == WAYS.index("blackjack"))).all()


def test_two_seats_of_blackjack_share_the_shoe() -> None:
    """Both have a blackjack, the dealer none: pairs of aces and tens of 312 cards, counted by hand."""
    rounds = dealt(GAME, 5, 40_000, decks=6)
    place = rounds.place.reshape(-1, 5)
    won = np.array(rounds.nets, dtype=object)[place] == Fraction(3, 2)
    both = sum(int((won[:, i] & won[:, j]).sum()) for i, j in combinations(range(5), 2))
    two = Fraction(4 * 24 * 96 * 23 * 95, 312 * 311 * 310 * 309)
    dealer = Fraction(2 * 22 * 94, 308 * 307)
    expected = float(comb(5, 2) * len(place) * two * (1 - dealer))
    assert abs(both - expected) < 5 * sqrt(expected)


def test_no_round_can_take_more_cards_than_the_shoe() -> None:
    """340 points a deck, at most 120 a box and 26 the dealer: (340 - 26) / 120 of one deck is two boxes."""
    assert most_boxes(deck_counts(1)) == 2
    assert most_boxes(deck_counts(6), hands=2) == 8
    with pytest.raises(InputError, match="3 seats may take more cards than a shoe of 52 has; give at most 2"):
        law_of(bank((GAME, 1, {}), seats=3, decks=1))
    with pytest.raises(InputError, match="7 seats and the dealer take 56 cards of one deck; give at most 6 seats"):
        law_of(bank((f"{HCF}/base/A", 1, {}), seats=7))


@pytest.mark.parametrize(
    ("identifier", "seats", "covariance", "error"),
    [
        (f"{HCF}/base/A", 6, 0.59671793, 0.0),  # two hands against one dealer, counted
        (f"{CHASE}/base/A", 6, 2.763, 0.018),  # estimated from other rounds
        (f"{CHASE}/same-suit/A", 9, 1.79330335, 0.0),  # the exact joint law of two hands
    ],
)
def test_seats_of_a_table_have_the_covariance_of_two_hands(
    identifier: str, seats: int, covariance: float, error: float
) -> None:
    plan = bank((identifier, 1, {}), seats=seats, days=5, runs=8)
    found = summary(law := law_of(plan), plan, all_runs(law, plan, workers=1))
    assert found.seats is not None
    assert found.z is not None
    assert abs(found.z) < 4.5
    assert abs(found.seats.covariance - covariance) < 4 * sqrt(found.seats.error**2 + error**2)


def test_the_covariance_of_two_same_suit_boxes_is_the_exact_one() -> None:
    found = boxes(analyze(f"{CHASE}/same-suit/A", set={"boxes": "2"}))
    assert found is not None
    assert found.covariance == Fraction(889566018824459252, 496048823311416375)  # 1.79330335, by every pair of hands


# ---- several wagers of a seat


@pytest.mark.parametrize("bets", [("flush-bonus/A",), ("flush-bonus/C", "straight-flush-bonus/A")])
def test_a_game_and_its_side_bets_have_the_covariance_of_their_joint_table(bets: tuple[str, ...]) -> None:
    names = [f"{HCF}/{bet}" for bet in bets]
    law = law_of(bank((f"{HCF}/base/A", 10, {}), *((n, 5, {}) for n in names), deals="law"))
    [play] = together(analyze(f"{HCF}/base/A"), names, set={"ante": "10", "stake": "5"}).plays
    assert law.variance == play.variance(Fraction(10), Fraction(5 * len(bets)))
    assert sum((e.probability * e.fixed for e in law.events), Fraction(0)) == law.stake - law.win


def test_a_side_bet_that_a_fold_forfeits_is_joined_under_the_play_of_the_game() -> None:
    law = law_of(bank((f"{MASS}/progressive/A", 1, {}), (f"{MASS}/base/A", 10, {}), deals="law"))
    assert sum(e.probability for e in law.events) == 1
    assert law.meters[0].hit == sum(e.probability for e in law.events if any(reset for _, _, reset in e.pays))


def test_a_game_of_chase_the_flush_is_joined_with_its_hole_cards() -> None:
    """The covariance of the game and a spin of $500, against rounds dealt."""
    wheel = dict.fromkeys((s for s, _ in analyze(f"{CHASE}/progressive/B").wheel.symbols), 0) | {"$500 symbol": 1}
    spun = Wager(f"{CHASE}/progressive/B", Fraction(1), None, {"contribution_rate": "10%"}, {}, wheel)
    game = Wager(f"{CHASE}/base/A", Fraction(1), None, {}, {})
    plan = Plan(1, 3, 100, 10, 10, 6, 1, (game, spun), "plan.toml")
    law = law_of(plan)
    alone = law_of(Plan(1, 3, 100, 10, 10, 6, 1, (spun,), "plan.toml"))
    a = analyze(f"{CHASE}/base/A")
    assert law.variance is not None
    assert alone.variance is not None
    exact = float(law.variance - alone.variance - a.variance) / 2
    rounds = dealt(f"{CHASE}/base/A", 4, 5_000)
    names, place = rounds.ends(analyze(spun.id).resolved)
    net = np.array([float(x) for x in rounds.nets])[rounds.place]
    products = (net - float(a.game.expected_value)) * np.where(place == names.index("loss"), 0, 500.0)
    assert abs(products.mean() - exact) < 4 * products.std() / sqrt(len(products))


def test_an_envy_bonus_is_paid_to_all_other_seats() -> None:
    """Stake = mean win + mean fixed pays + contributions + resets, each exact; the envy bonus is in the fixed pays."""
    a = analyze(f"{HCF}/progressive/C", set={"other_players": "4", **RATE})
    seat = Seat((a,), (Fraction(1),), 5)
    fixed = sum((p * e.probability * e.fixed for end, p in seat.ends(0).items() for e in seat.events([end])),
                Fraction(0))
    [meter] = seat.meters
    assert fixed + seat.win + meter.step + meter.hit * meter.reset == 1
    [sevens] = seat.events(["seven-card straight flush"])
    # 100 % of the meter, and $200 to each of four others: Ch. 12 §E(5)(a).
    assert (sevens.fixed, sevens.pays) == (800, ((0, Fraction(1), True),))


@pytest.mark.parametrize("identifier", [f"{HCF}/base/A", f"{CHASE}/base/A", GAME])
def test_a_table_that_is_sent_to_a_worker_deals_the_same(identifier: str) -> None:
    plan = bank((identifier, 1, {}), days=1, runs=2, decks=6 if identifier == GAME else None)
    law = law_of(plan)
    assert some(pickle.loads(pickle.dumps(law)), plan, 0, 2) == all_runs(law, plan, workers=1)


@pytest.mark.parametrize("deals", ["law", "cards"])
def test_the_pieces_of_three_workers_are_the_runs_of_one(deals: str) -> None:
    plan = bank((f"{HCF}/base/A", 10, {}), (f"{HCF}/progressive/C", 1, RATE), (f"{HCF}/flush-bonus/A", 5, {}), runs=6,
                days=2, deals=deals)
    law = law_of(plan)
    alone = all_runs(law, plan, workers=1)
    assert alone == some(law, plan, 0, 1) + some(law, plan, 1, 4) + some(law, plan, 4, 6)
    assert len({run.win for run in alone}) == plan.runs


def test_two_shoes_at_one_table_are_refused() -> None:
    wagers = (Wager(GAME, Fraction(1), 6, {}, {}), Wager("maryland/blackjack/in-between/A", Fraction(1), 8, {}, {}))
    with pytest.raises(InputError, match=r"in-between/A has 8 decks and .* 6; give both the same decks"):
        law_of(Plan(1, 3, 100, 10, 4, 5, 2, wagers, "plan.toml", "cards"))


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (bank((GAME, 1, {}), deals="law", decks=6), "no exact law of amounts; write deals = \"cards\" in"),
        (bank((f"{HCF}/base/A", 1, {}), (f"{MASS}/flush-bonus/A", 1, {})), "wagers of different documents"),
        (bank((f"{HCF}/base/A", 1, {}), (f"{HCF}/base/A", 1, {})), "base/A is in the plan twice; write it once"),
        (bank((f"{HCF}/progressive/C", 1, {**RATE, "other_players": "4"}), seats=3), 'write other_players = "2"'),
        (bank((f"{MASS}/progressive/A", 1, {"ante": "5", "main_meter": "10000"})), "leave ante out"),
        (bank((f"{MASS}/progressive/A", 1, {}), (f"{MASS}/flush-bonus/A", 1, {}), deals="law"),
         "see the hand in two ways; write deals = \"cards\""),
    ],
)
def test_what_no_table_deals_is_refused_with_the_remedy(plan: Plan, told: str) -> None:
    with pytest.raises(InputError, match=told) as error:
        law_of(plan)
    assert str(error.value).startswith("plan.toml")
