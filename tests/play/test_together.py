"""A base game with a side bet: marginal laws, covariance and joint play, each checked against a second way."""

import json
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import combin
from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.deals.cards import rank_masks
from combin.deals.hands_by_length import joint
from combin.games.chase_the_flush import rules as chase_rules
from combin.games.chase_the_flush import solve as chase
from combin.games.chase_the_flush import strategies as simple
from combin.games.high_card_flush import rules as high_rules
from combin.games.high_card_flush import solve as high
from combin.games.joint import WORDS
from combin.play.chase_the_flush import features as chase_features
from combin.play.together import Play, together
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file
from combin.verify import high_card_play
from combin.views.strategy import render

from ..shared import added, chase_the_flush, wager_file

HCF, CTF = "maryland/high-card-flush", "maryland/chase-the-flush"
MASS = "massachusetts/high-card-flush"


@pytest.fixture(scope="module")
def game() -> Any:
    return combin.analyze(f"{HCF}/base/A")


@pytest.fixture(scope="module")
def chase_game() -> Any:
    return chase_the_flush()


def runs(hand: list[int]) -> int:
    """Cards of the longest straight flush, ace high or low, looked up card by card."""
    longest = 1
    for card in hand:
        suit, rank = divmod(card, 13)
        ranks = {c % 13 for c in hand if c // 13 == suit} | ({-1} if suit * 13 + 12 in hand else set())
        for start in {rank, -1} if -1 in ranks else {rank}:
            n = 0
            while start + n in ranks:
                n += 1
            longest = max(longest, n)
    return longest


@pytest.mark.parametrize(
    "bonus", ["flush-bonus/A", "flush-bonus/O", "straight-flush-bonus/A", "straight-flush-bonus/G"]
)
def test_each_wager_alone_is_what_it_is(game: Any, bonus: str) -> None:
    """Alone and beside the game the side bet is settled on different tables of seven cards."""
    (play,) = together(game, f"{HCF}/{bonus}").plays
    alone = combin.analyze(f"{HCF}/{bonus}")
    assert (1 + play.bonus, play.bonus_variance) == (alone.returned, alone.variance)
    assert (1 + play.base, play.base_variance) == (game.returned, game.variance)
    assert play.choices == game.game.choices


def test_the_covariance_with_a_flush_bonus_from_the_games_own_joint_table(game: Any) -> None:
    """The dollars of a round at $5 and $2 as a literal distribution; it gives the variance."""
    found = together(game, f"{HCF}/flush-bonus/A", {"ante": "5", "stake": "2"})
    rules = high_rules.rules_of(game.resolved)
    pays = {7: 300, 6: 100, 5: 10, 4: 1}
    lines = dict(combin.analyze(f"{HCF}/flush-bonus/A").resolved.lines)
    assert {n: int(lines[f"{WORDS[n]}-card flush"].odds) for n in pays} == pays
    dollars: Counter[Fraction] = Counter()
    joint = game.game.solution.joint.sum(-1)
    for cell in np.ndindex(*joint.shape):
        length = cell[3] + 2
        dollars[5 * rules.net[cell] + 2 * pays.get(length, -1)] += int(joint[cell])
    assert sum(dollars.values()) == high.DEALS
    mean = sum(x * n for x, n in dollars.items()) / high.DEALS
    variance = sum(x * x * n for x, n in dollars.items()) / high.DEALS - mean**2
    (play,) = found.plays
    assert play.expected(found.ante, found.stake) == mean
    assert play.variance(found.ante, found.stake) == variance
    deviation = play.deviation(found.ante, found.stake)
    assert deviation**2 <= variance < (deviation + Fraction(1, 10**12)) ** 2
    assert 0 < play.correlation < 1


def test_the_covariance_with_a_straight_flush_bonus_on_dealt_hands(game: Any) -> None:
    """Hands from a fixed seed: the game is counted hand by hand, the bonus card by card, and |z| < 4."""
    (play,) = together(game, f"{HCF}/straight-flush-bonus/A").plays
    lines = dict(combin.analyze(f"{HCF}/straight-flush-bonus/A").resolved.lines)
    assert set(lines) == {f"{WORDS[n]}-card straight flush" for n in (3, 4, 5, 6, 7)}
    rules = high_rules.game_of(game.resolved)
    rng = random.Random(20)
    products = []
    for _ in range(400):
        hand = rng.sample(range(52), 7)
        n = runs(hand)
        won = float(lines[f"{WORDS[n]}-card straight flush"].odds) if n >= 3 else -1.0
        value = float(max(high.position(hand).values(rules)))
        products.append((value - float(play.base)) * (won - float(play.bonus)))
    error = np.std(products, ddof=1) / len(products) ** 0.5
    assert abs(np.mean(products) - float(play.covariance)) < 4 * error


def test_a_forfeited_progressive_is_played_for_both() -> None:
    a = combin.analyze(f"{MASS}/base/A")
    chosen = {"main_meter": "10000", "ante": "5"}
    found = together(a, f"{MASS}/progressive/A", chosen)
    own, both = found.plays
    assert 1 + own.bonus == combin.analyze(f"{MASS}/progressive/A", set={"main_meter": "10000"}).returned
    assert 1 + both.bonus == combin.analyze(f"{MASS}/progressive/A", set=chosen).returned
    assert both.base < own.base == a.returned - 1
    assert both.expected(found.ante, found.stake) > own.expected(found.ante, found.stake)
    assert both.choices["fold"] < own.choices["fold"]
    assert found.remarks == ("a fold forfeits the side bet",)
    # a larger ante brings the play nearer to the play of the game alone
    dear = together(a, f"{MASS}/progressive/A", {**chosen, "ante": "500"}).plays[1]
    assert own.choices["fold"] > dear.choices["fold"] > both.choices["fold"]
    assert own.base > dear.base > both.base


def test_a_raiser_who_discards_may_fold_for_the_bonus() -> None:
    a = combin.analyze(f"{MASS}/base/A")
    reading = {"discards-and-bonus": "kept-cards-only"}
    found = together(a, f"{MASS}/straight-flush-bonus/A", {"ante": "1", "stake": "20"}, reading)
    own, both = found.plays
    alone = combin.analyze(f"{MASS}/straight-flush-bonus/A", reading=reading)
    assert 1 + own.bonus == alone.returned
    assert both.choices["fold"] > own.choices["fold"]
    assert both.expected(found.ante, found.stake) > own.expected(found.ante, found.stake)
    (kept,) = together(a, f"{MASS}/straight-flush-bonus/A").plays
    assert kept.bonus > own.bonus


# ---- Chase the Flush


@pytest.mark.parametrize("ace", ["both", "from-five-cards", "five-cards-only", "high"])
def test_same_suit_by_the_best_flush_is_same_suit_of_seven_cards(chase_game: Any, ace: str) -> None:
    """Two ways to the player's seven cards: a walk over the game, and the table of all seven-card hands."""
    reading = {"ace-in-straight-flush": ace}
    for letter in "AB":
        (play,) = together(chase_game, f"{CTF}/same-suit/{letter}", reading=reading).plays
        alone = combin.analyze(f"{CTF}/same-suit/{letter}", reading=reading)
        assert (1 + play.bonus, play.bonus_variance) == (alone.returned, alone.variance)
        assert (1 + play.base, play.base_variance) == (chase_game.returned, chase_game.variance)


def test_the_covariance_with_same_suit_on_dealt_hands(chase_game: Any) -> None:
    """Rounds from a fixed seed are played by positions; at the end the dealer hands are counted, and |z| < 4."""
    (play,) = together(chase_game, f"{CTF}/same-suit/A").plays
    pays = {"f4": 1, "f5": 10, "s4": 20, "f6": 50, "s5": 100, "f7": 300, "s6": 2000, "s7": 2000}
    rules = chase_rules.rules_of(chase_game.resolved)
    utility = chase_game.game.solution.utility
    rng = random.Random(8)
    products = []
    for _ in range(120):
        deal = rng.sample(range(52), 7)
        choice = 0
        while choice < 3:
            found = chase.position(deal[:3], deal[3 : 3 + 2 * choice], utility=utility)
            if found.best not in ("check", "fold"):
                break
            choice += 1
        end = chase.position(deal[:3], deal[3:], utility=utility)
        length = max(mask.bit_count() for mask in rank_masks(deal))
        cells = rules.net[choice, :, :, length - 2].reshape(-1)
        value = float(sum(n * x for n, x in zip(end.dealer.values(), cells, strict=True)) / chase.DEALER_HANDS)
        won = max([-1, *(pays.get(f"{k}{n}", -1) for k, n in (("f", length), ("s", runs(deal))))])
        products.append((value - float(play.base)) * (won - float(play.bonus)))
    error = np.std(products, ddof=1) / len(products) ** 0.5
    assert abs(np.mean(products) - float(play.covariance)) < 4 * error


def test_every_best_flush_shows_what_its_ranks_spell_out() -> None:
    """All 5,811 sets of one to seven ranks. The second way reads them as text of zeros and ones."""
    features = chase_features()
    columns = (
        "flush", "straight_flush_both", "straight_flush_high", "straight_flush_from_five", "straight_flush_five_only",
    )  # fmt: skip
    assert set(columns) == set(features)
    sizes = [(mask.bit_count(), mask) for mask in range(8192) if 1 <= mask.bit_count() <= 7]
    assert features["flush"].tolist() == sorted(n for n, _ in sizes)
    for _, mask in sizes:
        at = simple.place(mask)
        assert [int(features[c][at]) for c in columns] == [*high_card_play.shown_by_suit()[mask]][:5]


def test_what_a_best_flush_shows_of_straight_flushes() -> None:
    features = chase_features()
    at = simple.place(high.flush_of("A-5-4-3-2"))
    columns = ("both", "high", "from_five", "five_only")
    assert [int(features[f"straight_flush_{c}"][at]) for c in columns] == [5, 4, 5, 5]
    at = simple.place(high.flush_of("A-6-5-4-3-2"))
    assert [int(features[f"straight_flush_{c}"][at]) for c in columns] == [6, 5, 6, 5]
    at = simple.place(high.flush_of("A-4-3-2"))
    assert [int(features[f"straight_flush_{c}"][at]) for c in columns] == [4, 3, 3, 3]


# ---- readings and amounts


def of_two(base_variance: int, bonus_variance: int, covariance: Fraction) -> Play:
    base_net, bonus_net = Fraction(-1, 50), Fraction(-1, 4)
    return Play("", base_net, bonus_net, Fraction(base_variance), Fraction(bonus_variance), covariance, {})


def test_a_correlation_is_the_covariance_over_the_root_of_both_variances() -> None:
    """The root of 2 to 24 decimals. A wager without variance has no correlation."""
    root = Fraction(1414213562373095048801688, 10**24)
    assert of_two(2, 1, Fraction(1, 2)).correlation == Fraction(1, 2) / root
    assert of_two(2, 0, Fraction(0)).correlation == of_two(0, 1, Fraction(0)).correlation == 0
    play = of_two(2, 3, Fraction(1, 7))
    ante, stake = Fraction(5), Fraction(1, 2)
    assert play.expected(ante, stake) == Fraction(-1, 10) - Fraction(1, 8)
    assert play.variance(ante, stake) == 2 * 25 + Fraction(3, 4) + 2 * Fraction(5, 2) / 7


def test_progressives_are_what_they_are_alone(game: Any) -> None:
    """Prizes and stake are dollars. Under one reading a prize brings the stake back too."""
    for reading in ({}, {"progressive-stake": "returned"}):
        for letter in "AC":
            chosen = {"meter": "30000", "stake": "2"}
            identifier = f"{HCF}/progressive/{letter}"
            found = together(game, identifier, chosen, reading)
            (play,) = found.plays
            alone = combin.analyze(identifier, set=chosen, reading=reading)
            assert (1 + play.bonus, play.bonus_variance) == (alone.returned, alone.variance)
            assert (found.ante, found.stake) == (1, 2)
            assert (found.base_id, found.bonus_id) == (game.id, identifier)


def test_remarks_say_what_a_fold_and_a_raise_forfeit() -> None:
    a = combin.analyze(f"{MASS}/base/A")
    reading = {"discards-and-bonus": "kept-cards-only"}
    kept = "a raising player keeps only the best flush, and the side bet is settled on the cards kept"
    found = together(a, f"{MASS}/straight-flush-bonus/A", {}, reading)
    assert found.remarks == (kept,)
    assert [play.name for play in found.plays] == [
        "optimal for the base game", "optimal for both at these stakes"
    ]  # fmt: skip
    paid = together(a, f"{MASS}/progressive/A", {"main_meter": "10000"}, {"folded-progressive": "paid"})
    assert paid.remarks == ()
    assert [play.name for play in paid.plays] == ["optimal for the base game"]


# ---- what cannot be joined


@pytest.mark.parametrize(
    ("bonus", "chosen", "message"),
    [
        ("maryland/high-card-flush/progressive/A", {}, "depends on meter; set it"),
        ("maryland/high-card-flush/progressive/A", {"met": "1"}, "known: ante, stake, meter"),
        ("maryland/high-card-flush/flush-bonus/A", {"ante": "0"}, "give dollars above 0"),
        ("maryland/high-card-flush/flush-bonus/A", {"ante": "x"}, "is not an exact number"),
        ("massachusetts/high-card-flush/flush-bonus/A", {}, "wagers of different documents"),
        ("maryland/high-card-flush/base/A", {}, "not settled on the player's seven cards"),
        ("maryland/high-card-flush/flush-bonus/Z", {}, "no paytable has the id"),
    ],
)
def test_a_side_bet_that_cannot_be_joined_is_refused(
    game: Any, bonus: str, chosen: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        together(game, bonus, chosen)


def test_a_wager_that_spins_is_refused_beside_chase_the_flush(chase_game: Any) -> None:
    with pytest.raises(InputError, match="not settled on the player's seven cards"):
        together(chase_game, f"{CTF}/progressive/A")


def test_what_cannot_be_joined_is_refused_in_a_sentence(game: Any) -> None:
    for bonus, chosen, said in (
        (
            f"{HCF}/progressive/A", {},
            f'set: {HCF}/progressive/A depends on meter; set it: set={{"meter": VALUE}}',
        ),
        (
            f"{HCF}/progressive/A", {"met": "1"},
            'set: these wagers have no value "met"; known: ante, stake, meter',
        ),
        (f"{HCF}/flush-bonus/A", {"stake": "-2"}, "set: stake cannot be -2; give dollars above 0"),
        (f"{HCF}/flush-bonus/A", {"ante": "0"}, "set: ante cannot be 0; give dollars above 0"),
        (
            f"{MASS}/flush-bonus/A", {},
            f"bonus_id: {MASS}/flush-bonus/A and {HCF}/base/A are wagers of different documents; "
            "name a side bet of maryland-high-card-flush",
        ),
        (
            f"{HCF}/base/A", {},
            f"bonus_id: {HCF}/base/A is not settled on the player's seven cards, so its joint distribution with the "
            "base game is not known; name a bonus on seven cards",
        ),
    ):  # fmt: skip
        with pytest.raises(InputError) as refused:
            together(game, bonus, chosen)
        assert str(refused.value) == said


def test_a_user_defined_side_bet_joins_any_game_with_its_cards(tmp_path: Path) -> None:
    # The lines of the document's bonus as conditions, under an id of another game.
    lines = {f"{n}-card": (f"longest_flush(player) == {n}", f"{pay} to 1")
             for n, pay in ((7, 300), (6, 100), (5, 10), (4, 1))}
    text = wager_file("player 7", lines, id="studio/other-game/flushes")
    path = tmp_path / "own.toml"
    path.write_text(text + text[text.index("[wager.paytable.A]"):].replace(".A]", ".B]"))
    written = combin.analyze(f"{HCF}/flush-bonus/A")
    assert [pay.text for _, pay in written.resolved.payments] == ["300 to 1", "100 to 1", "10 to 1", "1 to 1"]
    chosen = {"ante": "10", "stake": "5"}
    joint = combin.strategy(f"{HCF}/base/A", bonus=[f"{path}#A"], set=chosen)
    of_document = combin.strategy(f"{HCF}/base/A", bonus=[f"{HCF}/flush-bonus/A"], set=chosen)
    assert joint.plays == of_document.plays
    with pytest.raises(InputError, match=r"stands for 2 paytables; name one: .*own.toml#studio/other-game/flushes/A"):
        combin.strategy(f"{HCF}/base/A", bonus=[str(path)])
    path.write_text(wager_file("player 7", {"quads": ("most_of_a_rank(player) == 4", "50 to 1")}))
    with pytest.raises(InputError, match="a condition needs the rank of every card of player, which is not counted"):
        combin.strategy(f"{HCF}/base/A", bonus=[str(path)])


def test_of_several_open_pays_the_first_is_named(game: Any) -> None:
    bonus = f"{MASS}/straight-flush-bonus/G"
    with pytest.raises(InputError) as refused:
        together(combin.analyze(f"{MASS}/base/A"), bonus)
    names = sorted(f"bonus_{n}_card_straight_flush" for n in ("three", "four", "five", "six", "seven"))
    assert str(refused.value) == f'set: {bonus} depends on {", ".join(names)}; set it: set={{"{names[0]}": VALUE}}'


# ---- one cap over several wagers of a hand


def both_pays(document: str) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """What paytables A of both bonuses of High Card Flush pay, by the length of the flush and straight flush."""
    found = []
    for wager in ("flush-bonus", "straight-flush-bonus"):
        lines = dict(shipped().resolve(f"{document}/{wager}/A").lines)
        by_word = {n: pay.odds for n, w in WORDS.items() for name, pay in lines.items() if name.startswith(f"{w}-card")}
        assert len(by_word) == len(lines)
        found.append(by_word)
    return found[0], found[1]


@pytest.mark.parametrize(("document", "more"), [(HCF, {"minimum_wager": "10"}), (MASS, {})])
def test_one_cap_over_both_bonuses_of_a_hand(document: str, more: dict[str, str]) -> None:
    """The cost from the joint law of both lengths, which is counted suit by suit without the game's classes."""
    a = combin.analyze(f"{document}/base/A")
    ids = [f"{document}/flush-bonus/A", f"{document}/straight-flush-bonus/A"]
    chosen = {"stake": "100", "stake.flush-bonus": "200", "cap": "50000", **more}
    found = together(a, ids, chosen)
    flush, straight = both_pays(document)
    law = joint(("flush", "straight_flush_both"))
    total = sum(law.values())

    def won(lengths: tuple[int, ...]) -> Fraction:
        return 200 * flush.get(lengths[0], Fraction(0)) + 100 * straight.get(lengths[1], Fraction(0))

    cost = sum(n * max(Fraction(0), won(mine) - 50_000) for (mine, _), n in law.items()) / total
    [play] = found.plays
    assert found.cap is not None
    assert play.cost(found.cap) == cost
    assert cost > 0
    assert found.stake == 300
    singles = [combin.analyze(i).returned - 1 for i in ids]
    assert play.bonus == (200 * singles[0] + 100 * singles[1]) / 300
    assert "cost of the cap, $ per round" in render([found], "table")


@pytest.mark.parametrize(("hands", "bonuses"), [(2, 2), (3, 1)])
def test_one_cap_over_several_boxes_is_counted(hands: int, bonuses: int) -> None:
    """Hands of one deck, counted; as hands that knew nothing of each other they would win almost the same."""
    a = combin.analyze(f"{MASS}/base/A")
    ids = [f"{MASS}/flush-bonus/A", f"{MASS}/straight-flush-bonus/A"][:bonuses]
    chosen = {"stake": "100", "stake.flush-bonus": "200", "cap": "50000"}
    alone = together(a, ids, chosen).plays[0].won
    found = together(a, ids, {**chosen, "boxes": str(hands)})
    assert found.cap is not None
    exact = found.plays[0].cost(found.cap)

    def over(won: Mapping[Fraction, Fraction], most: Fraction) -> Fraction:
        return sum((p * (x - most) for x, p in won.items() if x > most), Fraction(0))

    assert hands * over(alone, Fraction(50_000)) < exact < hands * over(alone, Fraction(50_000, hands))
    apart: Counter[Fraction] = Counter()
    for held in product(alone.items(), repeat=hands):
        apart[sum((x for x, _ in held), Fraction(0))] += prod(p for _, p in held)
    assert abs(exact / over(apart, Fraction(50_000)) - 1) < Fraction(1, 50)
    assert sum(x * p for x, p in found.cap.distribution.items()) == hands * sum(x * p for x, p in alone.items())


def test_one_cap_over_boxes_of_a_wager_that_depends_on_play_is_not_computed() -> None:
    a = combin.analyze(f"{MASS}/base/A")
    reading = {"discards-and-bonus": "kept-cards-only"}
    found = together(a, f"{MASS}/straight-flush-bonus/A", {"stake": "100", "cap": "5000", "boxes": "3"}, reading)
    assert found.plays[0].cost(found.cap) is None
    shown = json.loads(render([found], "json"))[0]["cap"]["cost"][0]
    assert (shown["least"], shown["greatest"]) == (None, None)
    assert "not computed" in render([found], "table")


def test_one_cap_over_the_game_and_same_suit(chase_game: Any, tmp_path: Path) -> None:
    """Flushes alone: the game's joint table by the length of the flush gives the law of both wins."""
    (tmp_path / "my.toml").write_text(
        f'[[wager]]\nbased_on = "{CTF}/same-suit"\n[wager.paytable.house]\n'
        '"seven-card flush" = "300 to 1"\n"six-card flush" = "50 to 1"\n"five-card flush" = "10 to 1"\n'
    )
    book, [identifier] = add_file(chase_game.book, str(tmp_path / "my.toml"))
    a = combin.analyze(f"{CTF}/base/A", book=book)
    found = together(a, identifier, {"ante": "100", "stake": "150", "cap": "50000"})
    rules, cells = chase_rules.rules_of(a.resolved), a.game.solution.joint
    cost = Fraction(0)
    for cell in np.ndindex(*cells.shape):
        bonus = {7: 300, 6: 50, 5: 10}.get(cell[3] + 2, 0)
        won = 100 * max(rules.net[cell], Fraction(0)) + 150 * bonus
        cost += int(cells[cell]) * max(Fraction(0), won - 50_000)
    assert found.cap is not None
    assert found.plays[0].cost(found.cap) == cost / chase.DEALS
    assert cost > 0
    assert found.cap.covers == (f"{CTF}/base/A", identifier)


@pytest.mark.parametrize(("document", "bonus", "chosen", "message"), [
    (HCF, "flush-bonus/A", {"cap": "60000"}, r"a cap of \$60,000 is above \$50,000 \(Ch. 12 §D\)"),
    (CTF, "same-suit/A", {"cap": "20000"}, r"a cap of \$20,000 is below \$50,000 \(Ch. 12 §E\)"),
    # 2,000 to 1 for six suited in sequence; 250 to 1, the ante and 3x for a hand of seven suited: 2,254 times $100
    (CTF, "same-suit/A", {"cap": "50000", "minimum_wager": "100"}, r"below \$225,400, the win at the minimum"),
    (MASS, "flush-bonus/A", {"cap": "5000", "boxes": "4"}, "boxes cannot be 4; give a whole number from 1 to 3"),
    (HCF, "flush-bonus/A", {"cap": "5000", "boxes": "2"}, 'these wagers have no value "boxes"'),
    (HCF, "progressive/A", {"cap": "5", "meter": "5"}, 'these wagers have no value "cap"'),
])  # fmt: skip
def test_caps_that_no_clause_allows(
    chase_game: Any, document: str, bonus: str, chosen: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        together(chase_game if document == CTF else combin.analyze(f"{document}/base/A"), f"{document}/{bonus}", chosen)


def test_a_cap_on_the_game_alone_and_a_wager_s_least_amount(chase_game: Any) -> None:
    """Without a cap a minimum wager limits nothing."""
    with pytest.raises(InputError, match="the cap applies only to the base game"):
        together(combin.analyze(f"{CTF}/base/A", set={"cap": "50000", "stake": "5"}), f"{CTF}/same-suit/A")
    least = combin.analyze(f"{CTF}/base/A", set={"minimum_wager": "5"})
    assert together(least, f"{CTF}/same-suit/A").plays == together(chase_game, f"{CTF}/same-suit/A").plays


def test_three_cards_may_lie_outside_the_best_flush(chase_game: Any, tmp_path: Any) -> None:
    """A three-card straight flush may lie beside a four-card flush of another suit. The best flush does not tell."""
    (tmp_path / "my.toml").write_text(
        f'[[wager]]\nbased_on = "{CTF}/same-suit"\n[wager.paytable.house]\n'
        '"four-card straight flush" = "30 to 1"\n"three-card straight flush" = "2 to 1"\n'
    )
    book, (identifier,) = add_file(chase_game.book, str(tmp_path / "my.toml"))
    with pytest.raises(InputError) as refused:
        together(combin.analyze(f"{CTF}/base/A", book=book), identifier)
    assert str(refused.value) == (
        f'bonus_id: {CTF}/same-suit/house: "three-card straight flush" may depend on cards outside the best '
        "flush, which the game's joint table does not record; name a paytable of flushes, and straight flushes of at "
        "least four cards"
    )


def test_a_wager_of_ones_own_that_sees_more_than_the_best_flush_is_refused(tmp_path: Path) -> None:
    text = wager_file("player 7", {"four of a kind": ("four_of_a_kind(player)", "20 to 1")}, id=f"{CTF}/mine")
    book, identifier = added(tmp_path, text)
    game = analyze("maryland/chase-the-flush/base/A", book=book)
    with pytest.raises(InputError, match='mine/A: "four of a kind" may depend on cards outside the best flush'):
        together(game, identifier)
