"""Winners of one round: closed forms, rounds dealt at random, and the money that a round pays."""

from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.deals.cards import Shoe
from combin.deals.dealer_draws import all_twenties, default_chart
from combin.progressives.meter_cycle import in_turn, lives, split
from combin.progressives.winners import _of_sums, winners
from combin.userfiles.catalogue import analyze_all
from combin.wagers.wager_outcomes import deal_of

BLACKJACK = "maryland/blackjack"


def law_of(identifier: str, seats: int, meter: int = 0, **asked: object) -> dict[tuple[int, int], Fraction]:
    a = analyze(identifier, **asked)
    found = winners(a, a.progressive.meters[meter].meter, seats)
    assert found.at_once is None
    assert sum(found.law.values()) == 1
    return found.law


def test_a_dealers_hand_is_hit_by_every_seat() -> None:
    one = analyze(f"{BLACKJACK}/hit-and-run-progressive/A", decks=6).progressive.meters[0].hit
    law = law_of(f"{BLACKJACK}/hit-and-run-progressive/A", 6, decks=6)
    assert law == {(6, 0): one, (0, 0): 1 - one}


def test_two_pairs_of_queens_of_hearts_beside_a_dealers_blackjack() -> None:
    """Lucky Ladies at two seats: four of six queens of hearts, or of five where the dealer's ten is one."""
    law = law_of(f"{BLACKJACK}/lucky-ladies-progressive/A", 2, decks=6)
    others, queens = 24 * (96 - 6), 24 * 6
    ways = others * comb(6, 2) * comb(4, 2) + queens * comb(5, 2) * comb(3, 2)
    assert law[2, 0] == Fraction(ways, comb(312, 2) * comb(310, 2) * comb(308, 2))


def test_three_sevens_of_one_colour_at_two_seats() -> None:
    """Three red sevens or three black ones, not all of one suit: that is paid by another meter."""
    law = law_of(f"{BLACKJACK}/blazing-7s-progressive/A", 2, meter=2, decks=6)

    def pairs(own: int, other: int) -> list[tuple[int, int, int]]:
        """(of the dealer's suit, of the other suit, ways) of a hand that is not all of the dealer's suit."""
        return [(1, 1, own * other), (0, 2, comb(other, 2))]

    ways = sum(n * m for x, y, n in pairs(5, 6) for _, _, m in pairs(5 - x, 6 - y))
    assert law[2, 0] == Fraction(24 * ways, 312 * comb(311, 2) * comb(309, 2))


def test_the_law_of_six_seats_agrees_with_dealt_rounds() -> None:
    """A wheel that always shows the jackpot: as many winners as seats with a blackjack."""
    a = analyze(f"{BLACKJACK}/bonus-spin-progressive/B", decks=6, set={"stake": 1})
    wheel = {name: int(name == "jackpot symbol") for name, _ in a.wheel.symbols}
    law = law_of(f"{BLACKJACK}/bonus-spin-progressive/B", 6, decks=6, set={"stake": 1}, wheel=wheel)
    drawn = np.random.default_rng(3).integers(312, size=(60_000, 12))
    dealt = drawn[[len(set(row)) == 12 for row in drawn.tolist()]] % 13
    aces, tens = dealt == 12, (dealt >= 8) & (dealt < 12)
    hands = (aces[:, ::2] & tens[:, 1::2]) | (tens[:, ::2] & aces[:, 1::2])
    for n in (1, 2):
        p, came = float(law[n, 0]), (hands.sum(axis=1) == n).mean()
        assert abs(came - p) < 4.5 * (p * (1 - p) / len(dealt)) ** 0.5


def test_what_seats_play_for_is_kept_in_money() -> None:
    """All seats together are paid what they put in and each reset: two ways for the long run, with any seats."""
    wheel = dict.fromkeys((n for n, _ in analyze("maryland/chase-the-flush/progressive/B").wheel.symbols), 1)
    asked = {"set": {"stake": 1, "contribution_rate": "10%"}, "wheel": wheel}
    a = analyze("maryland/chase-the-flush/progressive/B", **asked)
    for seats in (1, 2, 4):
        [life] = lives(a, seats=seats)
        assert life.always == a.progressive.long_run
    # Two suited hands of three cards are of one suit or of two; the wheel has twelve stops.
    p = Fraction(4 * comb(13, 3), comb(52, 3))
    both = Fraction(4 * comb(13, 3) * (comb(10, 3) + 3 * comb(13, 3)), comb(52, 3) * comb(49, 3))
    w = winners(a, a.progressive.meters[0].meter, 2)
    assert w.law[2, 0] == both / 12**2
    assert w.hit == 2 * p / 12 - both / 12**2


BAD_BEAT = f"{BLACKJACK}/bad-beat-progressive/A"
OF_20 = {"bad-beat-twenty": "first-two-cards"}


def test_two_played_hands_have_an_exact_law() -> None:
    a = analyze(BAD_BEAT, decks=1)
    hit, law = a.progressive.meters[0].hit, law_of(BAD_BEAT, 2, decks=1)
    assert law[1, 0] + 2 * law[2, 0] == 2 * hit
    assert law[2, 0] > 20_000 * hit**2  # the dealer's hand is the same


def test_more_seats_than_are_counted_together_lie_between_two_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two counted, a round of three is hit 3 p1 - 3 p2 at least, 3 p1 - 2 p2 at most (Bonferroni; Kounias)."""
    monkeypatch.setattr("combin.progressives.winners.EXACT_TWENTIES", 2)
    a = analyze(BAD_BEAT, decks=1)
    f = a.progressive.meters[0]
    two, three = (winners(a, f.meter, seats) for seats in (2, 3))
    assert three.at_once is not None
    assert (three.at_once.hit, three.hit) == (3 * f.hit - 3 * two.law[2, 0], 3 * f.hit - 2 * two.law[2, 0])


def moments(law: dict[int, Fraction], known: int) -> list[Fraction]:
    return [sum((comb(n, t) * chance for n, chance in law.items()), Fraction(0)) for t in range(known + 1)]


@pytest.mark.parametrize("seats", range(3, 8))
@pytest.mark.parametrize("known", [1, 2, 3])
@pytest.mark.parametrize("chance", [(1, 10), (1, 2)])
def test_both_bounds_have_the_moments_and_hold_the_law(seats: int, known: int, chance: tuple[int, int]) -> None:
    """Seats that hit alike beside a dealer who lets them in one round of five."""
    p, dealer = Fraction(*chance), Fraction(1, 5)
    exact = {n: dealer * comb(seats, n) * p**n * (1 - p) ** (seats - n) + (1 - dealer) * (n == 0)
             for n in range(seats + 1)}
    most, least = _of_sums(seats, moments(exact, known))
    for law in (most, least):
        assert all(chance >= 0 for chance in law.values())
        assert moments(law, known) == moments(exact, known)
    assert most.get(0, 0) <= exact[0] <= least.get(0, 0)
    if known == seats:
        assert most == least == exact
    if known == 2:  # Dawson and Sankoff (1967); Kounias (1968)
        _, one, two = moments(exact, 2)
        i = 1 + int(2 * two / one)
        assert 1 - least.get(0, 0) == 2 * one / (i + 1) - 2 * two / (i * (i + 1))
        assert 1 - most.get(0, 0) == min(1, one - 2 * two / seats)


def test_bounds_from_three_played_hands_hold_the_law_of_four() -> None:
    """A shoe of fives and tens, and a six: all four hands are counted too."""
    kept = [c for c in range(52) if c % 13 in (8, 9, 10, 11) or c in (3, 3 + 13, 3 + 26, 4)]
    shoe = Shoe(1, tuple(c for c in range(52) if c not in kept))
    sums = [Fraction(1), *(comb(4, k) * all_twenties(shoe, default_chart(), hits_soft_17=False, twenty="final-total",
                                                     dealer_cards=frozenset({3}), seats=k) for k in range(1, 5))]
    most, least = _of_sums(4, sums[:4])
    hit = sums[1] - sums[2] + sums[3] - sums[4]
    assert sums[4] > 0
    assert 1 - least[0] <= hit <= 1 - most[0]


def test_seven_hands_of_two_cards_have_a_law_that_agrees_with_dealt_rounds() -> None:
    """The first so many of seven seats with a 20 in two cards, beside a dealer's 21 of three cards."""
    a = analyze(BAD_BEAT, decks=1, reading=OF_20)
    deal, seats = deal_of(a.resolved), 7
    found = {k: all_twenties(Shoe(1, ()), deal.chart, hits_soft_17=False, twenty="first-two-cards",
                             dealer_cards=frozenset({3}), seats=k) for k in (1, 2, 3)}
    drawn = np.argsort(np.random.default_rng(7).random((40_000, 52)), axis=1)[:, : 2 * seats + 3]
    value = np.minimum(drawn // 4 + 1, 10)
    hands, dealer = value[:, : 2 * seats].reshape(-1, seats, 2), value[:, 2 * seats :]
    twenty = (hands.sum(axis=2) == 20) | ((hands.sum(axis=2) == 10) & (hands == 1).any(axis=2))
    two = dealer[:, :2].sum(axis=1) + 10 * (dealer[:, :2] == 1).any(axis=1)
    three = dealer.sum(axis=1) + 10 * ((dealer == 1).any(axis=1) & (dealer.sum(axis=1) <= 11))
    winning = (twenty & ((two < 17) & (three == 21))[:, None]).sum(axis=1)
    for k, p in found.items():
        each = np.array([comb(n, k) for n in range(8)])[winning] / comb(7, k)
        assert abs(each.mean() - float(p)) < 4 * each.std() / len(each) ** 0.5


def test_a_meter_on_hands_of_two_cards_has_an_exact_law_at_seven_seats() -> None:
    a = analyze(BAD_BEAT, decks=6, reading=OF_20)
    found = winners(a, a.progressive.meters[0].meter, 7)
    assert found.at_once is None
    assert sum(found.law.values()) == 1
    assert sum(n * p for (n, _), p in found.law.items()) == 7 * a.progressive.meters[0].hit


def test_a_table_has_no_more_seats_than_its_document_says() -> None:
    a = analyze("maryland/high-card-flush/progressive/C", set={"contribution_rate": "20%"})
    with pytest.raises(InputError, match="has at most 6 seats, not 7"):
        lives(a, seats=7)


TWO_SHARES = """
[[wager]]
id = "house/blackjack/two-shares"
name = "Two Shares"
deal = "player 3"
decks = [1]
meter_options = { winners = "WINNERS" }
[wager.outcome]
"royal" = 'suited(player) and count(player, "A K Q") == 3 and ranks(player) == 3'
"aces" = 'count(player, "A") == 3'
"straight flush" = 'straight_flush(player)'
[wager.setting.stake]
default = "1"
[wager.unknown.meter]
reset = "1000"
resets_on = ["royal"]
[wager.paytable.A]
"royal" = "100% of the meter"
"aces" = "50% of the meter"
"straight flush" = "10% of the meter"
"""


def own(folder: Path, winners: str) -> str:
    path = folder / "two.toml"
    path.write_text(TWO_SHARES.replace("WINNERS", winners))
    return str(path)


@pytest.mark.parametrize("seats", [1, 3])
def test_shares_of_two_sizes_keep_money_too(tmp_path: Path, seats: int) -> None:
    """In turn each winner has a reset of his own; where they split the meter a round has one."""
    rate, royal = Fraction(3, 10), Fraction(4, comb(52, 3))
    asked = {"set": {"contribution_rate": "30%"}, "decks": 1}
    [a] = analyze_all(own(tmp_path, "in-turn"), **asked)
    [life] = lives(a, seats=seats)
    assert life.always == rate + 1000 * royal
    [a] = analyze_all(own(tmp_path, "split"), **asked)
    [life] = lives(a, seats=seats)
    # Royals of two suits, of three: any two or three hands that are royals share no card.
    none = [Fraction(1), 1 - royal, 1 - 2 * royal + royal * Fraction(3, comb(49, 3))]
    none.append(1 - 3 * royal + 3 * royal * Fraction(3, comb(49, 3))
                - royal * Fraction(3, comb(49, 3)) * Fraction(2, comb(46, 3)))
    assert life.always == rate + 1000 * (1 - none[seats]) / seats


def test_winners_of_a_round_paid_in_turn_and_split() -> None:
    whole, tenth, half = Fraction(1), Fraction(1, 10), Fraction(1, 2)
    paid = in_turn([tenth, whole, half, whole], deducted=True, funded=False)
    assert (paid.paid, paid.kept, paid.reset) == ((1, 1), 1, True)  # a reset of which half goes, then the other half
    assert paid.second == (0, half)
    paid = in_turn([whole, half, tenth], deducted=True, funded=False)
    assert (paid.paid, paid.kept) == ((1, Fraction(55, 100)), Fraction(45, 100))
    assert in_turn([whole, whole], deducted=True, funded=True).kept == 0
    paid = split([tenth, whole, half, whole], deducted=True)
    assert (paid.paid, paid.second, paid.kept) == ((1, 0), (Fraction(225, 1000), 0), 1)
    assert split([tenth, half], deducted=True).kept == Fraction(45, 100)
    assert split([half], deducted=False).kept == 1


def test_a_document_that_is_silent_has_a_reading() -> None:
    asked = {"decks": 6, "set": {"contribution_rate": "5%", "reset": "1000"}}
    a = analyze(f"{BLACKJACK}/lucky-ladies-progressive/A", **asked)
    [life] = lives(a, seats=2)
    assert life.always == a.progressive.long_run
    f = a.progressive.meters[0]
    b = a.replace(reading={"several-winners": "split"})
    [other] = lives(b, seats=2)
    assert other.law.several == life.law.several > 0
    assert other.always == a.progressive.long_run - f.reset * life.law.several / 2


def test_a_line_that_takes_the_whole_meter_resets_it(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO_SHARES.replace("WINNERS", "split").replace('"50% of', '"100% of'))
    [a] = analyze_all(str(path), decks=1, set={"contribution_rate": "30%"})
    with pytest.raises(InputError, match="pays the whole of meter and does not reset it; name the line in resets_on"):
        lives(a)


def test_the_command_reads_how_winners_are_paid(tmp_path: Path) -> None:
    asked = ["--decks", "1", "--set", "contribution_rate=30%", "--seats", "2", "--threshold", "900"]
    done = CliRunner().invoke(cli, ["meter", own(tmp_path, "split"), *asked])
    assert done.exit_code == 0, done.output
    assert "have equal parts of it" in " ".join(done.output.split())
    done = CliRunner().invoke(cli, ["meter", own(tmp_path, "spilt"), *asked])
    assert 'line 7: meter_options: "spilt" is none of the choices; did you mean "split"?' in str(done.exception)
    # The document says how a Bonus Spin is paid: there is no reading of it.
    done = CliRunner().invoke(cli, ["meter", f"{BLACKJACK}/bonus-spin-progressive/B", *asked, "--reading",
                                    "several-winners=split"])
    assert "several-winners" in str(done.exception)
