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

from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.analysis.spots import spots
from combin.bank.cards import SettledTable, _with_draws
from combin.bank.plan import Plan, PlannedWager
from combin.bank.seat import DrawnEvents, Seat
from combin.bank.seat_distribution import distribution_of
from combin.bank.summary import summary
from combin.bank.years import all_runs, some
from combin.base.errors import InputError
from combin.games.blackjack import bad_beat
from combin.games.blackjack.dealt_rounds import BLOCK, WAYS, deal_block, most_spots, simulate
from combin.games.blackjack.solve import Solver, deck_counts
from combin.games.side_bets import base_game
from combin.play import blackjack, chase_the_flush, high_card_flush
from combin.play.dealt_rounds import DealtRounds
from combin.play.together import together
from combin.rulebook.pays import NOT_STAKED

HCF, MASS, CHASE = "maryland/high-card-flush", "massachusetts/high-card-flush", "maryland/chase-the-flush"
GAME = "maryland/blackjack/blackjack/3-to-2"
RATE = {"contribution_rate": "20%"}


def bank(
    *wagers: tuple[str, Any, dict[str, str]], seats: int = 3, days: int = 4, runs: int = 5, deals: str = "cards",
    decks: int | None = None, reading: dict[str, str] | None = None,
) -> Plan:
    listed = tuple(PlannedWager(i, Fraction(stake), decks, chosen, reading or {}) for i, stake, chosen in wagers)
    return Plan(1, seats, 100, 10, days, runs, 2, deals, listed, "plan.toml")


@cache
def dealt(identifier: str, seats: int, rounds: int, seed: int = 5, decks: int | None = None) -> DealtRounds:
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


#: One seat, so that rounds are independent and `held_against` has the right deviation.
DRAWN_OUT = [
    ("buster-blackjack/A", {}), ("hit-and-run-progressive/A", {}),
    ("bad-beat-progressive/A", {"bad-beat-twenty": "first-two-cards"}),
]


@pytest.mark.parametrize(("bet", "reading"), DRAWN_OUT)
def test_hands_that_are_drawn_out_settle_as_counted(bet: str, reading: dict[str, str]) -> None:
    a = analyze(f"maryland/blackjack/{bet}", decks=6, reading=reading)
    held_against(a, *dealt(GAME, 1, 40_000, decks=6).ends(a.resolved))


def test_a_seat_ends_with_20_as_often_as_best_play_of_the_game_does() -> None:
    """Bad Beat pays every 20. How often one comes under the game's best play is valued without dealing."""
    a = analyze("maryland/blackjack/bad-beat-progressive/A", decks=1)
    solution = analyze(GAME, decks=1).game.solution
    pushed = dict.fromkeys((bad_beat.line(None), *map(bad_beat.line, bad_beat.WORDS)), Fraction(0))
    exact = 1 + bad_beat.play(Solver(solution.rules, solution.counts), pushed, Fraction(1), Fraction(0)).side
    names, place = dealt(GAME, 1, 40_000, decks=1).ends(a.resolved)
    twenties = int((place < names.index("loss")).sum())
    deviation = sqrt(40_000 * float(exact * (1 - exact)))
    assert abs(twenties - 40_000 * float(exact)) < 4 * deviation
    # By the chart, which splits no pair, a 20 comes more often.
    assert exact < 1 - a.probabilities["loss"] - Fraction(1, 1000)


def test_a_dealer_draws_out_for_a_bet_when_no_box_plays() -> None:
    """Two cards of the dealer are left below 17 in no round, whatever the boxes hold."""
    _, cards, drawn = deal_block(analyze(GAME, decks=6).game.solution, 2, 5_000, 3)
    assert drawn[:, 1].min() == 17
    two = np.array([*range(2, 10), 10, 10, 10, 10, 11])[cards[:, [2, 5]] % 13].sum(axis=1)
    stood = (two >= 17) & (two < 22)
    assert (drawn[stood, 1] == two[stood]).all()
    assert ((drawn[:, 0] == 2) == stood).all()


def test_insurance_is_made_where_the_dealer_shows_an_ace() -> None:
    """An ace is one card in 13; beside it 96 of 311 cards of six decks make a blackjack: by hand."""
    a = analyze("maryland/blackjack/insurance/A", decks=6)
    seat = Seat((a,), (Fraction(1),), 5)
    exact = {NOT_STAKED: Fraction(12, 13), "dealer blackjack": Fraction(96, 13 * 311), "loss": Fraction(215, 13 * 311)}
    assert seat.ends(0) == exact
    assert seat.win == Fraction(1, 13) * (1 - Fraction(3 * 96, 311))
    names, place = dealt(GAME, 1, 40_000, decks=6).ends(a.resolved)
    for name, n in zip(names, np.bincount(place, minlength=len(names)).tolist(), strict=True):
        p = float(exact[name])
        assert abs(n - 40_000 * p) < 4 * sqrt(40_000 * p * (1 - p))


def test_super_match_alone_is_dealt_at_its_own_game() -> None:
    seat = Seat((analyze("maryland/blackjack/super-match/6-decks"),), (Fraction(1),), 2)
    assert base_game(seat.wagers[0].book, seat.wagers[0].resolved).id == "maryland/blackjack/switch/A"


@pytest.mark.slow
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
    assert (np.bincount(ends[:, 0], minlength=8 * 65) == simulate(solution, BLOCK, 3).seen.reshape(-1)).all()
    # The course of a round says which of the first cards were an ace and a ten, card 0 the two of a suit.
    value = np.array([*range(2, 10), 10, 10, 10, 10, 11])[cards % 13]
    natural = (value[:, 0] + value[:, 2] == 21) & (value[:, 1] + value[:, 3] != 21)
    assert (natural == (ends[:, 0] // 65 == WAYS.index("blackjack"))).all()


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
    assert most_spots(deck_counts(1)) == 2
    assert most_spots(deck_counts(6), hands=2) == 8
    with pytest.raises(InputError, match="3 seats may take more cards than a shoe of 52 has; give at most 2"):
        distribution_of(bank((GAME, 1, {}), seats=3, decks=1))
    with pytest.raises(InputError, match="8 hands and the dealer need 63 cards of one deck; give at most 6 seats"):
        distribution_of(bank((f"{HCF}/base/A", 1, {"boxes": "2"}), seats=4))


@pytest.mark.parametrize(
    ("identifier", "seats", "covariance", "error"),
    [
        (f"{HCF}/base/A", 6, 0.59671793, 0.0),  # two hands against one dealer, counted
        (f"{CHASE}/base/A", 6, 2.763, 0.018),  # estimated from other rounds
        pytest.param(f"{CHASE}/same-suit/A", 6, 1.79330335, 0.0, marks=pytest.mark.slow),  # exact, of two hands
    ],
)
def test_seats_of_a_table_have_the_covariance_of_two_hands(
    identifier: str, seats: int, covariance: float, error: float
) -> None:
    plan = bank((identifier, 1, {}), seats=seats, days=5, runs=8)
    found = summary(distribution := distribution_of(plan), plan, all_runs(distribution, plan, workers=1))
    assert found.seats is not None
    assert (found.z is None) is found.rare
    assert found.z is None or abs(found.z) < 4.5
    assert abs(found.seats.covariance - covariance) < 4 * sqrt(found.seats.error**2 + error**2)


def test_the_covariance_of_two_same_suit_boxes_is_the_exact_one() -> None:
    found = spots(analyze(f"{CHASE}/same-suit/A", set={"boxes": "2"}))
    assert found is not None
    assert found.covariance == Fraction(889566018824459252, 496048823311416375)  # 1.79330335, by every pair of hands


# ---- several wagers of a seat


@pytest.mark.parametrize("bets", [("flush-bonus/A",), ("flush-bonus/C", "straight-flush-bonus/A")])
def test_a_game_and_its_side_bets_have_the_covariance_of_their_joint_table(bets: tuple[str, ...]) -> None:
    names = [f"{HCF}/{bet}" for bet in bets]
    distribution = distribution_of(bank((f"{HCF}/base/A", 10, {}), *((n, 5, {}) for n in names), deals="law"))
    [play] = together(analyze(f"{HCF}/base/A"), names, set={"ante": "10", "stake": "5"}).plays
    assert distribution.variance == play.variance(Fraction(10), Fraction(5 * len(bets)))
    mean = sum((e.probability * e.fixed for e in distribution.events), Fraction(0))
    assert mean == distribution.stake - distribution.win


def test_a_side_bet_that_a_fold_forfeits_is_joined_under_the_play_of_the_game() -> None:
    distribution = distribution_of(bank((f"{MASS}/progressive/A", 1, {}), (f"{MASS}/base/A", 10, {}), deals="law"))
    assert sum(e.probability for e in distribution.events) == 1
    assert distribution.meters[0].hit == sum(
        e.probability for e in distribution.events if any(reset for _, _, reset in e.pays))


def test_a_game_of_chase_the_flush_is_joined_with_its_hole_cards() -> None:
    """The covariance of the game and a spin of $500, against rounds dealt."""
    wheel = dict.fromkeys((s for s, _ in analyze(f"{CHASE}/progressive/B").wheel.symbols), 0) | {"$500 symbol": 1}
    spun = PlannedWager(f"{CHASE}/progressive/B", Fraction(1), None, {"contribution_rate": "10%"}, {}, wheel)
    game = PlannedWager(f"{CHASE}/base/A", Fraction(1), None, {}, {})
    plan = Plan(1, 3, 100, 10, 10, 6, 1, "law", (game, spun), "plan.toml")
    distribution = distribution_of(plan)
    alone = distribution_of(Plan(1, 3, 100, 10, 10, 6, 1, "law", (spun,), "plan.toml"))
    a = analyze(f"{CHASE}/base/A")
    assert distribution.variance is not None
    assert alone.variance is not None
    exact = float(distribution.variance - alone.variance - a.variance) / 2
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


WHEEL = {"jackpot symbol": 1, "$1,000 symbol": 1, "$350 symbol": 2, "$120 symbol": 4, "$50 symbol": 8, "$23 symbol": 16,
         "$15 symbol": 32, "$10 symbol": 64}


@pytest.mark.parametrize(
    "wager",
    [
        PlannedWager(f"{HCF}/flush-bonus/A", Fraction(500), None, {"cap": "10000", "minimum_wager": "100"}, {}),
        PlannedWager("maryland/blackjack/insurance/A", Fraction(5), 6, {}, {}),
        PlannedWager("maryland/blackjack/bonus-spin-progressive/A", Fraction(1), 6,
              {"other_players": "2", "fixed_prize_or_merchandise": "5000", "community_pay": "3"}, {}, WHEEL),
        PlannedWager("maryland/blackjack/bonus-spin-progressive/B", Fraction(1), 6, {"other_players": "2", **RATE}, {},
              {**WHEEL, "$100 and $20 symbol": 3, "$20 and $3 symbol": 10}),
        PlannedWager("maryland/blackjack/bad-beat-progressive/A", Fraction(1), 6,
              {"magic_card_frequency": "by-card", "lucky_player_frequency": "1/7", **RATE},
              {"bad-beat-twenty": "first-two-cards"}),
    ],
)
def test_stakes_are_the_mean_win_pays_contributions_and_resets(wager: PlannedWager) -> None:
    """Event by event: a cap, a bet not made, a prize that is no meter, symbols that pay others, draws of the system."""
    distribution = distribution_of(Plan(1, 3, 100, 10, 4, 5, 2, "law", (wager,), "plan.toml"))
    paid = sum((e.probability * e.fixed for e in distribution.events), Fraction(0))
    meters = sum((m.step + m.hit * m.reset for m in distribution.meters), Fraction(0))
    assert sum(e.probability for e in distribution.events) == 1
    assert distribution.win + paid + meters == distribution.stake


def test_symbols_that_pay_others_are_shown_beside_a_spin() -> None:
    """3 of 128 stops pay $20 to each of two others and 10 of them $3, apart from the spinner's own prize."""
    a = analyze("maryland/blackjack/bonus-spin-progressive/B", decks=6, wheel={**WHEEL, "$100 and $20 symbol": 3,
                "$20 and $3 symbol": 10}, set={"other_players": "2", "stake": "1", **RATE})
    events = Seat((a,), (Fraction(1),), 3).events(["blackjack"])
    paid = {x: sum(e.probability for e in events if e.fixed == x) for x in (10, 16, 50)}
    assert paid[10] == Fraction(64, 128) * Fraction(115, 128)
    assert paid[16] == Fraction(64, 128) * Fraction(10, 128)  # $10 and twice $3
    # $10 and twice $20, or $50 alone.
    assert paid[50] == Fraction(64, 128) * Fraction(3, 128) + Fraction(8, 128) * Fraction(115, 128)


def test_the_boxes_of_a_seat_have_the_variance_that_is_counted() -> None:
    """Two boxes of one player against the exact joint law of two hands of one deck."""
    distribution = distribution_of(bank((f"{HCF}/flush-bonus/A", 1, {"boxes": "2"})))
    found = spots(analyze(f"{HCF}/flush-bonus/A", set={"boxes": "2"}))
    assert distribution.dealing is not None
    assert found is not None
    table = SettledTable(distribution.dealing)
    events = table.deal(np.random.default_rng(1), 20_000, 4)
    paid = np.array(table.fixed)[events]
    assert paid.shape == (20_000, 6)
    seats = paid.reshape(20_000, 3, 2).sum(axis=2)[:, 0]
    squares = (seats - 2 * float(distribution.stake - distribution.win)) ** 2
    assert abs(squares.mean() - float(found.variance)) < 4 * squares.std() / sqrt(len(squares))


CAPPED = {"cap": "50000", "minimum_wager": "100"}


@pytest.mark.parametrize("deals", ["law", "cards"])
def test_one_cap_over_both_bonuses_of_a_hand_takes_what_is_counted(deals: str) -> None:
    """The cost of the cap beside the game, which is computed apart from the bank."""
    bets = (f"{HCF}/flush-bonus/A", 200, CAPPED), (f"{HCF}/straight-flush-bonus/A", 100, CAPPED)
    distribution = distribution_of(bank(*bets, deals=deals))
    free = distribution_of(bank(*((name, stake, {}) for name, stake, _ in bets), deals=deals))
    given = {"stake.flush-bonus": "200", "stake": "100", **CAPPED}
    found = together(analyze(f"{HCF}/base/A"), [name for name, _, _ in bets], set=given)
    assert found.cap is not None
    cost = found.plays[0].cost(found.cap)
    assert distribution.win is not None
    assert free.win is not None
    assert distribution.win == free.win + cost
    if deals == "law":
        assert sum(e.probability * e.fixed for e in distribution.events) == distribution.stake - distribution.win


def test_one_cap_over_the_boxes_of_a_seat() -> None:
    """Massachusetts caps a round. What the cap of $250 takes of two boxes is counted from all pairs of hands."""
    capped = {"cap": "250", "boxes": "2"}
    distribution = distribution_of(bank((f"{MASS}/flush-bonus/A", 100, capped)))
    beside = together(analyze(f"{MASS}/base/A"), f"{MASS}/flush-bonus/A", set={"stake": "100", **capped})
    assert beside.cap is not None
    cost = float(beside.plays[0].cost(beside.cap))
    assert distribution.dealing is not None
    assert distribution.win is None  # the joint law of the boxes of a round is not counted here
    table = SettledTable(distribution.dealing)
    taken = table.taken(table.deal(np.random.default_rng(1), 20_000, 4))[:, 0]
    assert abs(taken.mean() - cost) < 4 * taken.std() / sqrt(len(taken))
    paid = some(distribution, bank((f"{MASS}/flush-bonus/A", 100, capped)), 0, 1)[0].dealt
    free = bank((f"{MASS}/flush-bonus/A", 100, {"boxes": "2"}))
    assert paid is not None
    assert paid.fixed < some(distribution_of(free), free, 0, 1)[0].dealt.fixed  # type: ignore[union-attr]


@pytest.mark.parametrize("deals", ["law", "cards"])
def test_few_runs_are_judged_by_the_deviation_of_the_game(deals: str) -> None:
    """A run of 4,000 rounds of one seat has 4,000 times the variance that is counted for a round."""
    plan = bank((f"{HCF}/base/A", 1, {}), seats=1, runs=2, deals=deals)
    distribution, variance = distribution_of(plan), float(analyze(f"{HCF}/base/A").variance)
    found = summary(distribution, plan, all_runs(distribution, plan, workers=1))
    assert found.z is not None
    assert found.exact_win is not None
    score = (found.win.mean - float(found.exact_win)) / sqrt(4_000 * variance / 2)
    # The law has the deviation exactly. 8,000 rounds dealt tell it within some 4 %, of which four are allowed.
    assert abs(found.z - score) < (1e-9 if deals == "law" else 0.15) * abs(score)


@pytest.mark.parametrize("identifier", [f"{HCF}/base/A", f"{CHASE}/base/A", GAME])
def test_a_table_that_is_sent_to_a_worker_deals_the_same(identifier: str) -> None:
    plan = bank((identifier, 1, {}), days=1, runs=2, decks=6 if identifier == GAME else None)
    distribution = distribution_of(plan)
    assert some(pickle.loads(pickle.dumps(distribution)), plan, 0, 2) == all_runs(distribution, plan, workers=1)


@pytest.mark.parametrize("deals", ["law", "cards"])
def test_the_pieces_of_three_workers_are_the_runs_of_one(deals: str) -> None:
    plan = bank((f"{HCF}/base/A", 10, {}), (f"{HCF}/progressive/C", 1, RATE), (f"{HCF}/flush-bonus/A", 5, {}), runs=6,
                days=2, deals=deals)
    distribution = distribution_of(plan)
    alone = all_runs(distribution, plan, workers=1)
    assert alone == some(distribution, plan, 0, 1) + some(distribution, plan, 1, 4) + some(distribution, plan, 4, 6)
    assert len({run.win for run in alone}) == plan.runs


def test_two_dealers_at_one_table_are_refused() -> None:
    hits = {"dealer-soft-17": "hits"}
    buster = PlannedWager("maryland/blackjack/buster-blackjack/A", Fraction(1), 6, {}, hits)
    wagers = (PlannedWager(GAME, Fraction(1), 6, {}, {}), buster)
    with pytest.raises(InputError, match="have different rules for the dealer's soft 17; give both the same reading"):
        distribution_of(Plan(1, 3, 100, 10, 4, 5, 2, "cards", wagers, "plan.toml"))


def test_two_shoes_at_one_table_are_refused() -> None:
    wagers = (PlannedWager(GAME, Fraction(1), 6, {}, {}),
              PlannedWager("maryland/blackjack/in-between/A", Fraction(1), 8, {}, {}))
    with pytest.raises(InputError, match=r"in-between/A has 8 decks and .* 6; give both the same decks"):
        distribution_of(Plan(1, 3, 100, 10, 4, 5, 2, "cards", wagers, "plan.toml"))


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (bank((GAME, 1, {}), deals="law", decks=6), "no exact distribution of amounts; write deals = \"cards\" in"),
        (bank((f"{HCF}/base/A", 1, {}), (f"{MASS}/flush-bonus/A", 1, {})), "wagers of different documents"),
        (bank((f"{HCF}/base/A", 1, {}), (f"{HCF}/base/A", 1, {})), "base/A is in the plan twice; write it once"),
        (bank((GAME, 1, {}), ("maryland/blackjack/blackjack/6-to-5", 1, {}), decks=6), "are games of two tables"),
        (bank(("maryland/blackjack/must-hit-progressive/A", 1, {}), decks=6), "without a stake; leave it out"),
        (bank((f"{HCF}/progressive/C", 1, {**RATE, "other_players": "4"}), seats=3), 'write other_players = "2"'),
        (bank((f"{HCF}/progressive/C", 1, {**RATE, "other_players": "1", "boxes": "2"}), seats=2), "leave out boxes"),
        (bank((f"{HCF}/base/A", 1, {"boxes": "2"}), (f"{HCF}/flush-bonus/A", 1, {})), "different numbers of boxes"),
        (bank((f"{HCF}/flush-bonus/A", 1, {"boxes": "2"}), seats=4), "8 hands and the dealer need 63 cards"),
        (bank((f"{CHASE}/same-suit/A", 1, {"boxes": "2"}), seats=5), "at most 9 hands, not 10"),
        (bank((f"{MASS}/flush-bonus/A", 1, {"cap": "100"}), (f"{MASS}/straight-flush-bonus/A", 1, {})),
         "have one cap together .*; give each set"),
        pytest.param(bank((f"{CHASE}/base/A", 1, {"cap": "90000"}), (f"{CHASE}/same-suit/A", 1, {})),
                     "have one cap together", marks=pytest.mark.slow),
        (bank((f"{HCF}/flush-bonus/A", 1, {"boxes": "2"}), deals="law"), "a dealer and a deck; write deals = \"cards"),
        (bank((f"{MASS}/progressive/A", 1, {"ante": "5", "main_meter": "10000"})), "omit ante"),
        (bank((f"{MASS}/progressive/A", 1, {}), (f"{MASS}/flush-bonus/A", 1, {}), deals="law"),
         "depend on different features of the hand; write deals = \"cards\""),
    ],
)
def test_what_no_table_deals_is_refused_with_the_remedy(plan: Plan, told: str) -> None:
    with pytest.raises(InputError, match=told) as error:
        distribution_of(plan)
    assert str(error.value).startswith("plan.toml")


DRAWN = {"magic_card_frequency": "by-rank", "lucky_player_frequency": "by-position", **RATE}


def drawn_at_a_table(chosen: dict[str, str], seats: int, rounds: int) -> tuple[Any, Any]:
    """Of each round and seat, whether its magic card and its position were drawn; no card decides a line's name."""
    a = analyze("maryland/blackjack/bad-beat-progressive/A", decks=6, set=DRAWN | chosen,
                reading={"magic-card-match": "rank"})
    ends, place = _with_draws(a, dealt(GAME, seats, rounds, decks=6), rounds, np.random.default_rng(4))
    paid = np.array([[dict(end.paid)[f"{name} bonus"] for name in ("magic card", "lucky player")]
                     for end in ends if isinstance(end, DrawnEvents)])
    magic, lucky = np.moveaxis(paid[place].reshape(rounds, seats, 2), 2, 0)
    return magic, lucky


@pytest.mark.parametrize(("often", "share"), [("by-rank", 1.0), (str((2 - Fraction(23, 311)) / 26), 0.5)])
def test_one_card_is_drawn_for_all_seats_of_a_round(often: str, share: float) -> None:
    """No card of the rank drawn is among m of 312 cards in C(288, m) of C(312, m) ways; four cards are two seats.

    With a draw in half of the rounds two seats meet it nearly twice as often as if each seat had a draw of its own.
    """
    none = {m: comb(288, m) / comb(312, m) for m in (2, 4)}
    one, both = share * (1 - none[2]), share * (1 - 2 * none[2] + none[4])
    magic, _ = drawn_at_a_table({"magic_card_frequency": often}, 2, 40_000)
    for seen, chance in ((magic[:, 0], one), (magic[:, 1], one), (magic.all(axis=1), both)):
        assert abs(seen.sum() - 40_000 * chance) < 4 * sqrt(40_000 * chance * (1 - chance))


@pytest.mark.parametrize(("often", "seats"), [("by-position", 3), ("1/3", 3), ("1/40", 2), ("0", 2)])
def test_one_position_is_drawn_in_a_round(often: str, seats: int) -> None:
    """Each seat as often as is said, never two; an empty position is drawn in the rest of the rounds."""
    _, lucky = drawn_at_a_table({"lucky_player_frequency": often}, seats, 20_000)
    chance = 1 / 7 if often == "by-position" else float(Fraction(often))
    assert lucky.sum(axis=1).max() <= 1
    assert (np.abs(lucky.sum(axis=0) - 20_000 * chance) <= 4 * sqrt(20_000 * chance * (1 - chance))).all()
    assert lucky.any(axis=1).all() == (often == "1/3")


@pytest.mark.parametrize(("chosen", "said"), [
    ({"lucky_player_frequency": "1/4"}, "1/5 at most, not with 1/4"),
    # Every rank drawn is met in (2 - 23/311)/13 of the rounds.
    ({"magic_card_frequency": "1/6"}, "599/4043 at most, not with 1/6"),
])
def test_a_frequency_that_one_draw_cannot_have_is_refused(chosen: dict[str, str], said: str) -> None:
    reading = {"bad-beat-twenty": "first-two-cards", "magic-card-match": "rank"}
    with pytest.raises(InputError, match=said):
        distribution_of(bank(("maryland/blackjack/bad-beat-progressive/A", 1, DRAWN | chosen), seats=5, decks=6,
                    reading=reading))
