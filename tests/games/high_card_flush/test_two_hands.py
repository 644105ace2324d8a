"""Two hands against one dealer, checked against every deal of small decks and against hand counts."""

from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from combin.deals.three_hands import ANY, Pack, listed
from combin.games.high_card_flush import solve
from combin.games.high_card_flush.two_hands import Differing, HandOrder, of_one, of_solution, play_of, product
from combin.verify.flush_games import ante_and_raise


def flushes(ranks: int, cards: int) -> list[int]:
    return sorted((m for m in range(1, 2**ranks) if m.bit_count() <= cards), key=lambda m: (m.bit_count(), m))


def held(hand: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    return tuple(sum(1 << rank for rank, s in hand if s == suit) for suit in range(4))


@pytest.mark.parametrize(("ranks", "cards", "seed"), [(3, 3, 1), (3, 4, 2), (4, 2, 3)])
def test_every_deal_of_a_small_deck(ranks: int, cards: int, seed: int) -> None:
    """A play by chance: each flush has its stake, some hands of it another, and some flushes of a dealer qualify."""
    random, order = Random(seed), flushes(ranks, cards)
    number = {mask: n for n, mask in enumerate(order)}
    deck = [(rank, suit) for rank in range(ranks) for suit in range(4)]
    hands = list(combinations(deck, cards))
    best = {hand: max(number[m] for m in held(hand) if m) for hand in hands}

    def settled() -> list[list[int]]:
        mean, stake = random.randint(-2, 2), random.randint(0, 3)
        return [[random.randint(-3, 3)] * 3, [mean - stake, mean, mean + stake]]

    usual = [settled() for _ in range(3)]
    nets = [random.choice(usual) for _ in order]
    qualifies = [random.random() < 0.7 for _ in order]
    net = {hand: nets[best[hand]] for hand in hands}
    differing = []
    for flush in random.sample(sorted(set(best.values())), 4):
        kinds = sorted({tuple(sorted(held(hand))) for hand in hands if best[hand] == flush})
        chosen = kinds[:: 2 if seed % 2 else 3]
        other = settled()
        net |= {hand: other for hand in hands if tuple(sorted(held(hand))) in chosen}
        differing.append(Differing(flush, listed(chosen), np.array(other)))
    total = of_first = deals = 0
    for dealer in hands:
        left = [card for card in deck if card not in dealer]
        theirs = best[dealer]
        wins = {h: net[h][qualifies[theirs]][(theirs <= best[h]) + (theirs < best[h])]
                for h in combinations(left, cards)}
        for one in combinations(left, cards):
            rest = [card for card in left if card not in one]
            others = [wins[two] for two in combinations(rest, cards)]
            total += wins[one] * sum(others)
            of_first += wins[one] * len(others)
            deals += len(others)
    play = HandOrder(Pack(ranks, cards), np.array(order), np.array(nets), np.array(qualifies), tuple(differing))
    assert play.pack.deals == deals
    assert of_one(play) == of_first
    assert product(play) == Fraction(total, deals)


def test_three_hands_of_seven_suited_cards_by_hand() -> None:
    """A hand stakes a unit on a flush of seven and nothing else; n = C(13, 7).

    Two such hands have two suits, in 12 n^2 ways. The dealer then has none in all but 2 n hands, and both win. If all
    three have one, their suits are 24 n^3 ways; 24 n of these are of equal ranks, and a third of the others count.
    """
    order = solve.flushes()
    net = np.zeros((len(order), 2, 3), dtype=object)
    net[solve.lengths() == 7, 1] = (-1, 0, 1)
    play = HandOrder(Pack(13, 7), order, net, np.ones(len(order), bool), ())
    n = comb(13, 7)
    won = 12 * n**2 * (comb(38, 7) - 2 * n) + (24 * n**3 - 24 * n) // 3
    assert product(play) == Fraction(won, play.pack.deals)


def test_hands_that_differ_meet_the_dealers_that_the_kernel_counts() -> None:
    """Every flush of which some hands are raised and some folded, against dealers by their result."""
    solution = solve.solve(ante_and_raise({2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}))
    play, cells = play_of(solution), solution.cells.sum(axis=1)
    least = solve.flush_number(solve.NINE_HIGH)
    assert [play.flushes[these.flush] for these in play.differing] == [
        p.flush for p in solution.plays() if p.verdict == "sometimes"]
    for these in play.differing[::4]:
        dealers = cells[these.flush, min((0, 1), key=lambda choice, n=these.flush: cells[n, choice].sum())]
        for stop, met in ((least, dealers[0].sum()), (these.flush, dealers[:, 2].sum()),
                          (these.flush + 1, dealers[:, 1:].sum())):
            assert play.pack.count(these.hands, play.below(stop), ANY) == int(met) * comb(38, 7)


def test_a_coupon_leaves_the_product_uncounted() -> None:
    utility = np.array(ante_and_raise(dict.fromkeys(range(2, 8), 1)).utility)
    utility[1, :, 2] += 1
    assert of_solution(solve.solve(solve.FlushGame(utility, (2,) * 6))) is None
