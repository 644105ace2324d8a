"""Independent checks of blackjack: hands by plain recursion in fractions, identities, rounds dealt card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from typing import Any

from ..analysis.model import Analysis
from ..deals.dealer_draws import Dealer
from ..deals.draw import draw
from ..games.blackjack import results
from ..games.blackjack.bonuses import Bonus
from ..games.blackjack.dealt_rounds import MIDDLE, WAYS, RoundCounts, simulate, split_law
from ..games.blackjack.hands import ACE, CLASSES, LETTERS, TEN, Ints, player_hands
from ..games.blackjack.rules import HouseRules
from ..games.blackjack.solve import CHOICES, SPLIT, BlackjackSolution
from ..games.blackjack.split_values import HandLaw
from ..games.blackjack.variance import squares
from .chance import judged, mean_judged
from .model import RETURN, Check, compared, equal

#: Two-card hands and upcards with few continuations: hard, soft, a double, after a peek.
SAMPLE = ((9, 5, 9), (9, 6, 0), (4, 5, 5), (8, 7, 8), (7, 7, 6), (9, 1, 3), (0, 8, 5))
#: Those of which one card makes 6-7-8 or 7-7-7.
BONUS_SAMPLE = ((6, 7, 8), (6, 6, 9))

Cards = tuple[int, ...]


def _less(cards: Cards, card: int) -> Cards:
    return (*cards[:card], cards[card] - 1, *cards[card + 1 :])


def _more(cards: Cards, card: int) -> Cards:
    return (*cards[:card], cards[card] + 1, *cards[card + 1 :])


def _total(cards: Cards) -> int:
    hard = sum((i + 1) * n for i, n in enumerate(cards))
    return hard + 10 if cards[ACE] and hard <= 11 else hard


def plain(rules: HouseRules, counts: Sequence[int], first: int, second: int, upcard: int) -> dict[str, Fraction]:
    """Return stand, hit and double of two cards by recursion over every next card, joint with no dealer blackjack."""
    dealer = Dealer(rules.hits_soft_17)
    empty: Cards = (0,) * CLASSES
    hole = {ACE: TEN, TEN: ACE}.get(upcard) if rules.looks else None

    @cache
    def law(left: Cards) -> tuple[tuple[int, bool, Fraction], ...]:
        table = draw(dealer, left, (upcard,))
        return tuple(
            (row[1], bool(row[3]), Fraction(weight, table.denominator))
            for row, weight in zip(table.rows, table.weights, strict=True)
        )

    def settle(cards: Cards, total: int, blackjack: bool) -> int:
        if blackjack and rules.looks:
            return 0
        mine = _total(cards)
        if mine > 21:
            return -1
        if rules.charlie and sum(cards) >= rules.charlie:
            return -1 if blackjack and not rules.charlie_blackjack else 1
        if blackjack:
            return -1
        if total > 21:
            return 0 if rules.push_22 and total == 22 else 1
        if mine == total:
            return 1 if total >= rules.ties_won else -1 if total <= rules.ties_lost else 0
        return 1 if mine > total else -1

    def may_double(cards: Cards) -> bool:
        hard = sum((i + 1) * n for i, n in enumerate(cards))
        soft = bool(cards[ACE]) and hard <= 11
        least = {"any": 0, "9-11": 9, "10-11": 10, "11": 11, "none": 99}[rules.double]
        return hard >= least and (rules.double == "any" or hard <= 11) and not (
            soft and (rules.double != "any" or not rules.soft_doubles))

    paid = {cards: pays for bonus in rules.bonuses for cards, pays in _paid_hands(bonus)}

    @cache
    def stand(cards: Cards, left: Cards) -> Fraction:
        if _total(cards) > 21:
            return Fraction(0 if hole is None else left[hole], sum(left)) - 1
        return sum((p * settle(cards, total, blackjack) for total, blackjack, p in law(left)), Fraction(0))

    def end(cards: Cards, left: Cards) -> Fraction:
        """Return the value of a hand that is not doubled: the bonus by its suits, or the value of standing."""
        plain = stand(cards, left)
        if cards not in paid:
            return plain
        beaten = sum((p for _, blackjack, p in law(left) if blackjack), Fraction(0))
        lost = 0 if rules.looks else beaten
        return sum((p * (plain if odds is None else odds * (1 - beaten) - lost) for odds, p in paid[cards]),
                   Fraction(0))

    @cache
    def best(cards: Cards, left: Cards) -> Fraction:
        value = end(cards, left)
        done = _total(cards) > 21 or cards in paid or (rules.charlie and sum(cards) >= rules.charlie)
        if done:
            return value
        later = [2 * after(cards, left, stand)] if rules.double_cards == "any" and may_double(cards) else []
        return max(value, after(cards, left, best), *later)

    def after(cards: Cards, left: Cards, then: Any) -> Fraction:
        return sum(
            (Fraction(n, sum(left)) * then(_more(cards, c), _less(left, c)) for c, n in enumerate(left) if n),
            Fraction(0),
        )

    hand = _more(_more(empty, first), second)
    left = _less(_less(_less(tuple(counts), upcard), first), second)
    return {"stand": stand(hand, left), "hit": after(hand, left, best), "double": 2 * after(hand, left, stand)}


def _paid_hands(bonus: Bonus) -> Iterator[tuple[Cards, list[tuple[Fraction | None, Fraction]]]]:
    """Yield the hands of a bonus, each with (odds, probability) over named cards; without odds a plain 21."""
    if not bonus.cards:
        hands = player_hands()
        for held, total, size in zip(hands.cards.tolist(), hands.total, hands.size, strict=True):
            if total == 21 and bonus.least <= size <= bonus.most:
                yield tuple(held), [(bonus.pays[0][1], Fraction(1))]
        return
    deck = [(card, suit, n) for card, copies in dict(zip(bonus.cards, bonus.copies, strict=True)).items()
            for suit, number in enumerate(copies) for n in range(number)]
    drawn = [held for held in combinations(deck, 3) if sorted(card for card, *_ in held) == sorted(bonus.cards)]
    pays = {kind: odds for _, odds, kind in bonus.pays}
    counts: Counter[Fraction | None] = Counter()
    for held in drawn:
        suits = {suit for _, suit, _ in held}
        kinds = ("any",) if len(suits) > 1 else ("spades", "suited", "any") if suits == {3} else ("suited", "any")
        counts[next((pays[kind] for kind in kinds if kind in pays), None)] += 1
    yield tuple(bonus.cards.count(c) for c in range(CLASSES)), [(x, Fraction(n, len(drawn))) for x, n in counts.items()]


def checks(a: Analysis) -> Iterator[Check]:
    solution: BlackjackSolution = a.game.solution
    hands = player_hands()
    for first, second, upcard in (*SAMPLE, *(BONUS_SAMPLE if solution.rules.bonuses else ())):
        cell = solution.cells.get((upcard, hands.two(first, second)))
        if cell is None:
            continue
        again = plain(solution.rules, solution.counts, first, second, upcard)
        offered = {CHOICES[s]: Fraction(n, cell.scale) for s, n in cell.values.items() if s < SPLIT}
        yield compared(
            f"{hands.name(cell.hand)} against {LETTERS[upcard]}",
            "recursion over every next card in fractions; the dealer's distribution from the drawn hands",
            offered, {name: again[name] for name in offered},
        )
    law = results.law(solution)
    net = sum((value * p for (_, value), p in law.rows.items()), law.hands.net)
    yield equal("return", "the distribution of the net result", solution.expected_value, net,
                "the same expected net result", RETURN)
    hands_again = sum(
        (Fraction(c.ways * c.alive, solution.deals * solution.scale) * sum(n * p for n, p in c.split.by_hands.items())
         for c in solution.cells.values() if c.best == SPLIT and c.split is not None), Fraction(0),
    )  # fmt: skip
    yield equal("hands of a split", "the distribution of the number of hands", law.hands.one, hands_again,
                "the same expected number")
    for wager in (w for w in a.game.wagers if w.given):
        table = draw(Dealer(solution.rules.hits_soft_17), _less(solution.counts, ACE), (ACE,))
        chance = Fraction(sum(w for row, w in zip(table.rows, table.weights, strict=True) if row[3]), table.denominator)
        yield equal(wager.name.lower(), "the dealer's distribution with an ace, from the table of drawn hands",
                    wager.rows[0].probability, chance, "the same probability of a blackjack")


def hands_judged(laws: Sequence[HandLaw], seen: Ints, dealt: int, seed: int, of: str) -> Iterator[Check]:
    """Yield checks of each hand of a split: ``seen`` [index of the hand][stake - 1][lost, pushed, won]."""
    for place, (law, counts) in enumerate(zip(laws, seen, strict=False), 1):
        pushed = law.one - law.doubled - law.win - law.loss, law.doubled - law.double_win - law.double_loss
        for doubled, parts in enumerate(((law.loss, pushed[0], law.win),
                                         (law.double_loss, pushed[1], law.double_win))):
            for result, p, count in zip(("lost", "pushed", "won"), parts, counts[doubled], strict=True):
                what = f"simulated hand {place} of {of}, {'doubled and ' if doubled else ''}{result}"
                yield judged(what, int(count), dealt, p, seed)


def simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    """Yield checks of frequencies and results of rounds, of mean and mean square in case of a split.

    Also of the wins, pushes and losses of each hand of a split. The distribution of a round with a split is an
    estimate.
    """
    solution: BlackjackSolution = a.game.solution
    rounds_dealt = simulate(solution, rounds, seed)
    yield from frequencies(solution, rounds_dealt, seed)
    yield from moments_of_splits(solution, rounds_dealt, seed)
    yield from estimates(rounds_dealt, seed)


def frequencies(solution: BlackjackSolution, rounds_dealt: RoundCounts, seed: int) -> Iterator[Check]:
    """Yield checks of the results of rounds and of each hand of a split."""
    seen = rounds_dealt.seen
    dealt = int(seen.sum())
    law = results.law(solution)
    for (name, net), p in law.by_first_choice.items():
        if name in ("surrender and dealer blackjack", "even money"):
            continue
        place = MIDDLE if name in ("blackjack", "both blackjacks") else MIDDLE + int(2 * net)
        count = int(seen[WAYS.index(name), place])
        yield judged(f"simulated {name}, net {net}", count, dealt, p, seed)
    number = int(seen[SPLIT].sum())
    yield judged("simulated split", number, dealt, law.split, seed)
    yield from hands_judged(law.each, rounds_dealt.each, dealt, seed, "a split")
    lines = [line for bonus in solution.rules.bonuses for line, *_ in bonus.pays]
    for place, counted in enumerate(rounds_dealt.paid):
        paid = law.bonuses if not place else {} if place > len(law.each) else {
            line: p for line, _, p in law.each[place - 1].bonuses}
        for line, n in zip(lines, counted, strict=False):
            if share := paid.get(line):
                where = f", hand {place} of a split" if place else ""
                yield judged(f"simulated {line}{where}", int(n), dealt, share, seed)


def moments_of_splits(solution: BlackjackSolution, rounds_dealt: RoundCounts, seed: int) -> Iterator[Check]:
    """Yield checks of the mean and the mean square of rounds with a split; none if no such round was dealt."""
    number = int(rounds_dealt.seen[SPLIT].sum())
    if not number:
        return
    law = results.law(solution)
    by_pair = squares(solution)
    square = sum((Fraction(solution.cells[k].ways, solution.deals) * v for k, v in by_pair.items()), Fraction(0))
    won, second, fourth = (int(rounds_dealt.splits[k + 1]) / rounds_dealt.unit**k / number for k in (1, 2, 4))
    method = _of_splits(number, seed)
    mean, mean_square = law.hands.net / law.split, square / law.split
    yield mean_judged("simulated split: net result", method, won, float(mean),
                      sqrt(float(mean_square - mean**2) / number))
    yield mean_judged("simulated split: square of the net result", method, second, float(mean_square),
                      sqrt((fourth - second**2) / number), ".6f", "")


def _of_splits(number: int, seed: int) -> str:
    return f"{number:,} rounds with a split, seed {seed}"


def estimates(rounds_dealt: RoundCounts, seed: int) -> Iterator[Check]:
    """Yield the estimated distribution of rounds with a split, as remarks; none if no such round was dealt."""
    number = int(rounds_dealt.seen[SPLIT].sum())
    for name, estimate in split_law(rounds_dealt).items() if number else ():
        yield Check(f"{name} among splits", _of_splits(number, seed),
                    f"estimate {estimate.share:.5f}, standard error {estimate.error:.5f}", None)
