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
from combin.deals.twenties import all_twenties
from combin.progressives.meter_cycle import in_turn, meter_cycles, split
from combin.progressives.winners import counted_seats, winners
from combin.userfiles.catalogue import analyze_all
from combin.wagers.wager_outcomes import deal_of

from ..shared import wager_file

BLACKJACK = "maryland/blackjack"


def law_of(identifier: str, seats: int, meter: int = 0, **asked: object) -> dict[tuple[int, int], Fraction]:
    a = analyze(identifier, **asked)
    found = winners(a, a.progressive.meters[meter].meter, seats)
    assert sum(found.distribution.values()) == 1
    return found.distribution


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
        [life] = meter_cycles(a, seats=seats)
        assert life.always == a.progressive.long_run
    # Two suited hands of three cards are of one suit or of two; the wheel has twelve stops.
    p = Fraction(4 * comb(13, 3), comb(52, 3))
    both = Fraction(4 * comb(13, 3) * (comb(10, 3) + 3 * comb(13, 3)), comb(52, 3) * comb(49, 3))
    w = winners(a, a.progressive.meters[0].meter, 2)
    assert w.distribution[2, 0] == both / 12**2
    assert w.hit == 2 * p / 12 - both / 12**2


BAD_BEAT = f"{BLACKJACK}/bad-beat-progressive/A"
OF_20 = {"bad-beat-twenty": "first-two-cards"}


def test_two_played_hands_have_an_exact_law() -> None:
    a = analyze(BAD_BEAT, decks=1)
    hit, law = a.progressive.meters[0].hit, law_of(BAD_BEAT, 2, decks=1)
    assert law[1, 0] + 2 * law[2, 0] == 2 * hit
    assert law[2, 0] > 20_000 * hit**2  # the dealer's hand is the same


@pytest.mark.slow
def test_more_hands_than_are_counted_together_are_refused() -> None:
    """Four played hands have a million joint hands: combin says so, and a report's table ends at three seats."""
    a = analyze(BAD_BEAT, decks=1, set={"contribution_rate": "10%"})
    meter = a.progressive.meters[0].meter
    assert winners(a, meter, 4) is None
    assert counted_seats(a, meter, 7) == 3
    with pytest.raises(InputError, match=r"among 4 seats is not computed; give 1 to 3 seats"):
        meter_cycles(a, seats=4)


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
    assert sum(found.distribution.values()) == 1
    assert sum(n * p for (n, _), p in found.distribution.items()) == 7 * a.progressive.meters[0].hit


def test_a_table_has_no_more_seats_than_its_document_says() -> None:
    a = analyze("maryland/high-card-flush/progressive/C", set={"contribution_rate": "20%"})
    with pytest.raises(InputError, match="has at most 6 seats, not 7"):
        meter_cycles(a, seats=7)


TWO_SHARES = wager_file("player 3", {
    "royal": ('suited(player) and count(player, "A K Q") == 3 and ranks(player) == 3', "100% of the meter"),
    "aces": ('count(player, "A") == 3', "50% of the meter"),
    "straight flush": ("straight_flush(player)", "10% of the meter"),
}, more="""meter_options = { winners = "WINNERS" }
[wager.setting.stake]
default = "1"
[wager.unknown.meter]
reset = "1000"
resets_on = ["royal"]
""")


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
    [life] = meter_cycles(a, seats=seats)
    assert life.always == rate + 1000 * royal
    [a] = analyze_all(own(tmp_path, "split"), **asked)
    [life] = meter_cycles(a, seats=seats)
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
    [life] = meter_cycles(a, seats=2)
    assert life.always == a.progressive.long_run
    f = a.progressive.meters[0]
    b = a.replace(reading={"several-winners": "split"})
    [other] = meter_cycles(b, seats=2)
    assert other.distribution.several == life.distribution.several > 0
    assert other.always == a.progressive.long_run - f.reset * life.distribution.several / 2


def test_a_line_that_takes_the_whole_meter_resets_it(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO_SHARES.replace("WINNERS", "split").replace('"50% of', '"100% of'))
    [a] = analyze_all(str(path), decks=1, set={"contribution_rate": "30%"})
    with pytest.raises(InputError, match="pays all of meter without resetting it; name the line in resets_on"):
        meter_cycles(a)


def test_the_command_reads_how_winners_are_paid(tmp_path: Path) -> None:
    asked = ["--decks", "1", "--set", "contribution_rate=30%", "--seats", "2", "--threshold", "900"]
    done = CliRunner().invoke(cli, ["meter", own(tmp_path, "split"), *asked])
    assert done.exit_code == 0, done.output
    assert "share it equally" in " ".join(done.output.split())
    done = CliRunner().invoke(cli, ["meter", own(tmp_path, "spilt"), *asked])
    assert 'line 6, meter_options, winners: "spilt" is none of the choices; did you mean "split"?' in str(
        done.exception)
    # The document says how a Bonus Spin is paid: there is no reading of it.
    done = CliRunner().invoke(cli, ["meter", f"{BLACKJACK}/bonus-spin-progressive/B", *asked, "--reading",
                                    "several-winners=split"])
    assert "several-winners" in str(done.exception)
