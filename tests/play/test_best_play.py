"""The complete best play as a table: replayed, counted, and settled by other means."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from combin.analysis.engine import analyze
from combin.base.errors import InputError
from combin.deals.cards import cards
from combin.games.chase_the_flush import solve as chase
from combin.play.best_play import best_play
from combin.play.strategy import answer

BLACKJACK = "maryland/blackjack/blackjack/3-to-2"
HIGH, CHASE = "maryland/high-card-flush/base/A", "maryland/chase-the-flush/base/A"
Shoe = tuple[int, ...]


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_blackjack_is_replayed_from_the_file_and_settled_card_by_card() -> None:
    """Hands that are hit, from the file alone: every card of the player and the dealer dealt, one deck."""
    play = best_play(analyze(BLACKJACK, decks=1))
    rows = read(play.csv())
    best = {(r["upcard"], r["hand"]): r["best"] for r in rows}
    worth = {"A": 1, "T": 10, **{str(n): n for n in range(2, 10)}}
    letters = "A23456789T"

    def total(hand: str) -> int:
        points = sum(worth[c] for c in hand)
        return points + 10 if "A" in hand and points <= 11 else points

    def drawn(shoe: Shoe, skip: str = "") -> list[tuple[str, Fraction, Shoe]]:
        left = sum(n for c, n in zip(letters, shoe, strict=True) if c != skip)
        return [(c, Fraction(n, left), (*shoe[:i], n - 1, *shoe[i + 1:]))
                for i, (c, n) in enumerate(zip(letters, shoe, strict=True)) if n and c != skip]

    @cache
    def against(points: int, dealer: str, shoe: Shoe) -> Fraction:
        """The dealer draws to 17; a ten that hides an ace, and an ace that hides a ten, were looked for."""
        if len(dealer) > 1 and total(dealer) >= 17:
            return Fraction((points > total(dealer) or total(dealer) > 21) - (points < total(dealer) <= 21))
        skip = {"T": "A", "A": "T"}.get(dealer, "")
        return sum((p * against(points, _sorted(dealer + c), rest) for c, p, rest in drawn(shoe, skip)), Fraction(0))

    def _sorted(hand: str) -> str:
        return "".join(sorted(hand, key=letters.index)) if len(hand) > 1 else hand

    @cache
    def unseen(upcard: str, shoe: Shoe) -> Fraction:
        """That no blackjack of the dealer is in the hole, in ways."""
        hidden = {"T": "A", "A": "T"}.get(upcard)
        return Fraction(sum(shoe) - (shoe[letters.index(hidden)] if hidden else 0))

    @cache
    def played(hand: str, upcard: str, shoe: Shoe) -> Fraction:
        if total(hand) > 21:
            return Fraction(-1)
        if total(hand) == 21 or best.get((upcard, name(hand)), "stand") == "stand":
            return against(total(hand), upcard, shoe)
        return hit(hand, upcard, shoe)

    def hit(hand: str, upcard: str, shoe: Shoe) -> Fraction:
        """Each card of the player, weighed by the hole cards that leave it and are no blackjack."""
        hidden, found = {"T": "A", "A": "T"}.get(upcard), Fraction(0)
        left = sum(shoe)
        for c, p, rest in drawn(shoe):
            ways = unseen(upcard, rest) / (left - 1) if hidden else Fraction(1)
            every = unseen(upcard, shoe) / left if hidden else Fraction(1)
            found += p * ways / every * played(_sorted(hand + c), upcard, rest)
        return found

    names = {tuple(sorted(r["hand"].replace("-", " ").split())): r["hand"] for r in rows}

    def name(hand: str) -> str:
        return names.get(tuple(sorted(hand)), "")

    for hand, upcard in (("9T", "6"), ("6T", "T"), ("5T", "9")):
        shoe = tuple(4 * (4 if c == "T" else 1) - (hand + upcard).count(c) for c in letters)
        [row] = [r for r in rows if (r["upcard"], tuple(sorted(r["hand"].replace("-", " ").split()))) == (
            upcard, tuple(sorted(hand)))]
        value = against(total(hand), upcard, shoe) if row["best"] == "stand" else hit(hand, upcard, shoe)
        stated = {"stand": row["stand"], "hit": row["hit"]}["stand" if row["best"] == "stand" else "hit"]
        assert Fraction(stated) == value, (hand, upcard)


@pytest.mark.slow
def test_every_hand_of_high_card_flush_has_its_decision() -> None:
    a = analyze(HIGH)
    play = best_play(a)
    counted: dict[str, int] = {}
    for _, _, hands, best in play.rows:
        counted[best] = counted.get(best, 0) + int(hands)
    assert sum(counted.values()) == 133_784_560
    assert {name: Fraction(n, 133_784_560) for name, n in counted.items()} == {
        name: share for name, share in a.game.choices.items() if share}
    # Hands whose other cards decide: the answer to one hand is counted from its cards.
    some = [row for row in play.rows if row[1] != "any"][:: len(play.rows) // 2]
    for flush, others, _, best in some:
        suits = [flush, *others.split()]
        hand = " ".join(r + s for ranks, s in zip(suits, "cdhs", strict=False) for r in ranks.split("-"))
        assert answer(a, hand).best == best, hand


@pytest.mark.slow
def test_hole_cards_and_flops_of_chase_the_flush() -> None:
    a = analyze(CHASE)
    play = best_play(a)
    holes = [row for row in play.rows if not row[1]]
    assert sum(int(row[2]) for row in holes) == 22_100
    raised = sum(int(row[2]) for row in holes if row[3] == "all in 3x")
    assert Fraction(raised, 22_100) == a.game.choices["all in 3x"]
    late = sum(int(row[2]) for row in play.rows if row[1])
    assert Fraction(late, 22_100 * 1_176) == a.game.choices["all in 2x"]
    # Flops on both sides of the decision, each settled by a count of its own of all boards and dealers.
    solution = a.game.solution
    checked = [row[0] for row in holes if row[3] == "check"]
    flops = {(row[0], row[1]) for row in play.rows if row[1]}
    for hole in checked[::1300]:
        held = cards(hole)
        for board in list(combinations([c for c in range(52) if c not in held], 2))[::500]:
            found = chase.position(held, board, utility=solution.utility, tie=solution.tie)
            words = " ".join(play_name(c) for c in board)
            assert (found.best == "2x") == ((hole, words) in flops), (hole, words)


def play_name(card: int) -> str:
    return "23456789TJQKA"[card % 13] + "cdhs"[card // 13]


def test_json_holds_the_same_rows_and_switch_says_why_it_has_none() -> None:
    play = best_play(analyze(BLACKJACK, decks=1))
    data = json.loads(play.json())
    assert next(iter(data.items())) == ("schema", "combin/best-play/1")
    assert (data["id"], data["decks"], data["columns"]) == (BLACKJACK, 1, list(play.head))
    assert [tuple(row) for row in data["rows"]] == list(play.rows)
    with pytest.raises(InputError, match="stores no list of hands"):
        best_play(replace(play.analysis, id="maryland/blackjack/switch/A"))
