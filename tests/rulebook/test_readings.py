"""Each choice of a reading, by deals that distinguish it. The deals are written from the words of the documents.

Rule data, outcome function and second settlement may share a fault. If two choices are swapped, a full shoe often
has the same return for both. Each deal here names the line that settles it, without regard to the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from combin import analyze
from combin.analysis.removal import effects
from combin.analysis.settle import settle
from combin.deals.cards import cards
from combin.deals.first_cards import Deal
from combin.deals.table import Table
from combin.rulebook.book import Reading, Resolved, shipped
from combin.rulebook.pays import LOSS
from combin.verify import settle_literal
from combin.wagers.wager_outcomes import seen_deal

PREFIX = "maryland/blackjack/"


@dataclass(frozen=True)
class Witness:
    """A deal by role, and the line that settles it under each choice; "a+b" are choices of two readings."""

    wager: str
    reading: str
    deal: dict[str, str]
    lines: dict[str, str]

    def __str__(self) -> str:
        return f"{self.reading} of {self.wager}: {', '.join(self.deal.values())}"


def w(wager: str, reading: str, deal: dict[str, str], **lines: str) -> Witness:
    return Witness(wager, reading, deal, {choice.replace("_", "-"): line for choice, line in lines.items()})


def two(text: str, upcard: str) -> dict[str, str]:
    return {"player": text, "upcard": upcard}


S, SF = "straight", "straight flush"
ONE, TWO, THREE, OTHER = "one-card spread", "two-card spread", "three-card spread", "all others"
HOUSE, HOUSE_SF = "two-card straight", "two-card straight flush"
MATCH = "1 non-suited match"

SUITS = ("spades", "hearts", "diamonds", "clubs")
WITNESSES = [
    # House Money: an ace with a two, and an ace with a king. The suited ace-king has a line of its own.
    w("house-money/multiple-decks", "house-money-ace", {"player": "Ah Ks"}, both=HOUSE, high=HOUSE, low=LOSS),
    w("house-money/multiple-decks", "house-money-ace", {"player": "Ah 2s"}, both=HOUSE, high=LOSS, low=HOUSE),
    w("house-money/multiple-decks", "house-money-ace", {"player": "Ah 2h"}, both=HOUSE_SF, high=LOSS, low=HOUSE_SF),
    w("house-money/multiple-decks", "house-money-ace", {"player": "Kd Ad"},
      both="ace-king suited", high="ace-king suited", low="ace-king suited"),
    w("house-money/multiple-decks", "house-money-ace", {"player": "Qd Kc"}, both=HOUSE, high=HOUSE, low=HOUSE),
    w("house-money/multiple-decks", "house-money-ace", {"player": "As Qs"}, both=LOSS, high=LOSS, low=LOSS),
    # Three cards: A-2-3 and Q-K-A.
    w("three-card-poker/B", "ace-in-three-card-poker", {"cards": "Ah Ks Qd"}, both=S, low=LOSS),
    w("three-card-poker/B", "ace-in-three-card-poker", {"cards": "Ah Kh Qh"}, both=SF, low="flush"),
    w("three-card-poker/B", "ace-in-three-card-poker", {"cards": "Ah 2s 3d"}, both=S, low=S),
    w("three-card-poker/B", "ace-in-three-card-poker", {"cards": "Ah Ks 2d"}, both=LOSS, low=LOSS),
    *(
        w(wager, "ace-in-three-cards", {"cards": text}, both=SF, low=low, high=high)
        for wager, none in (("top-3/A", LOSS), ("trilux-super-3/A", LOSS), ("poker-3/A", "flush"))
        for text, low, high in (("Ac Kc Qc", none, SF), ("Ac 2c 3c", SF, none), ("Kc Qc Jc", SF, SF))
    ),
    w("poker-3/A", "ace-in-three-cards", {"cards": "Ac Kd Qc"}, both=S, low=LOSS, high=S),
    w("poker-3/A", "ace-in-three-cards", {"cards": "Ac 2d 3c"}, both=S, low=S, high=LOSS),
    # In Between: aces high hold Q between J and A, aces low hold 2 between A and 3.
    w("in-between/A", "ace-in-between", two("Jh Ac", "Qd"), high=TWO, low=LOSS, either=TWO),
    w("in-between/A", "ace-in-between", two("3h Ac", "2d"), high=LOSS, low=ONE, either=ONE),
    w("in-between/A", "ace-in-between", two("Qh Ac", "Kd"), high=ONE, low=LOSS, either=ONE),
    w("in-between/A", "ace-in-between", two("5h Ac", "8d"), high=OTHER, low=LOSS, either=OTHER),
    w("in-between/A", "ace-in-between", two("5h Ac", "3d"), high=LOSS, low=THREE, either=THREE),
    w("in-between/A", "ace-in-between", two("5h 9c", "Ad"), high=LOSS, low=LOSS, either=LOSS),
    w("in-between/A", "ace-in-between", two("Ah Ac", "Ad"),
      high="triple match", low="triple match", either="triple match"),
    # A-2, where the ends may count too: every pair of choices of the two readings.
    w("a-2/A", "ace-in-a-2", two("3h Ac", "2d"), high=LOSS, low=ONE, either=ONE),
    w("a-2/A", "ace-in-a-2", two("Qh Ac", "Kd"), high=ONE, low=LOSS, either=ONE),
    w("a-2/A", "ends-in-a-2", two("5h 9c", "9d"), excluded=LOSS, included="all other spreads"),
    w("a-2/A", "ends-in-a-2", two("5h 6c", "5d"), excluded=LOSS, included="all other spreads"),
    w("a-2/A", "ends-in-a-2", two("5h 7c", "7d"), excluded=LOSS, included=ONE),
    w("a-2/A", "ends-in-a-2", two("5h 5c", "5d"), excluded="three of a kind", included="three of a kind"),
    Witness("a-2/A", "ace-in-a-2+ends-in-a-2", two("Ah 2c", "Ad"), {
        "high+included": "all other spreads", "low+included": "all other spreads", "either+included":
        "all other spreads", "high+excluded": LOSS, "low+excluded": LOSS, "either+excluded": LOSS}),
    Witness("a-2/A", "ace-in-a-2+ends-in-a-2", two("Ah 3c", "Ad"), {
        "high+included": "all other spreads", "low+included": ONE, "either+included": ONE,
        "low+excluded": LOSS, "high+excluded": LOSS, "either+excluded": LOSS}),
    Witness("a-2/A", "ace-in-a-2+ends-in-a-2", two("Ah Kc", "Ad"), {
        "high+included": "all other spreads", "low+included": "all other spreads", "either+included":
        "all other spreads", "low+excluded": LOSS, "high+excluded": LOSS, "either+excluded": LOSS}),
    Witness("a-2/A", "ace-in-a-2+ends-in-a-2", two("Ah Jc", "Ad"), {
        "high+included": TWO, "low+included": "all other spreads", "either+included": TWO,
        "low+excluded": LOSS, "high+excluded": LOSS, "either+excluded": LOSS}),
    Witness("a-2/A", "ace-in-a-2+ends-in-a-2", two("Kh 4c", "Ad"), {
        "high+included": LOSS, "low+included": LOSS, "either+included": LOSS}),
    # 7s: which seven is the first, and which two are the first two.
    *(
        w("7s/A", "first-seven", dict(zip(("first card", "second card", "upcard"), text.split(), strict=True)),
          players_first_card=first, either_player_card=either, any_of_three=three)
        for text, first, either, three in (
            ("7h 9s 9d", "first 7", "first 7", "first 7"),
            ("9h 7s 9d", LOSS, "first 7", "first 7"),
            ("9h 9s 7d", LOSS, LOSS, "first 7"),
            ("7h 7s 9d", "first two 7's", "first two 7's", "first two 7's"),
            ("7h 7h 9d", "first two 7's suited", "first two 7's suited", "first two 7's suited"),
            ("7h 9s 7d", "first 7", "first 7", "first two 7's"),
            ("9h 7s 7d", LOSS, "first 7", "first two 7's"),
            ("9h 7d 7d", LOSS, "first 7", "first two 7's suited"),
            ("7h 7s 7d", "three 7's", "three 7's", "three 7's"),
        )
    ),
    # KK, QQ, JJ: an ace with a nine, a suited twenty, and the queen of hearts pair.
    *(
        w(f"{name}/A", "any-20", {"player": text}, total_20=total, as_defined=defined, ten_values_only=tens)
        for name, rank in (("kk", "king"), ("qq", "queen"), ("jj", "jack"))
        for text, total, defined, tens in (
            ("Ah 9s", "any 20", "any 20", LOSS), ("Ah 9h", "any 20", LOSS, LOSS),
            ("Th Ts", *("any 20",) * 3), ("Td Td", *("matched 20",) * 3),
            (f"{rank[0].upper()}d {rank[0].upper()}d", *(f"{rank} of diamonds pair",) * 3),
        )
    ),
    w("kk/A", "any-20", {"player": "Qh Qh"}, total_20="matched 20", as_defined=LOSS, ten_values_only="matched 20"),
    w("kk/A", "any-20", {"player": "Kh Th"}, total_20="any 20", as_defined="one king", ten_values_only="any 20"),
    # Lucky Ladies and King's Bounty: whether an ace with a nine is 20.
    *(
        w(wager, "ace-nine-is-20", {"player": text, "dealer": "Ah Ks"}, yes=yes, no=no)
        for wager in ("lucky-ladies/A", "lucky-ladies-progressive/A", "kings-bounty/A")
        for text, yes, no in (("Ah 9s", "any 20", LOSS), ("Ah 9h", "suited 20", LOSS), ("Th Js", "any 20", "any 20"))
    ),
    w("lucky-ladies/A", "ace-nine-is-20", {"player": "Qh Qh", "dealer": "Ah Ks"},
      **dict.fromkeys(("yes", "no"), "queen of hearts pair and dealer blackjack")),
    # Match: whether a card of the upcard's suit alone is a suited match.
    w("match/A", "match-means", two("9h 2s", "7h"), rank=LOSS, suit_or_rank="1 suited match"),
    w("match/A", "match-means", two("9h 7h", "7h"), rank="1 suited match", suit_or_rank="2 suited matches"),
    w("match/A", "match-means", two("9h 7s", "7h"), rank=MATCH, suit_or_rank="1 suited and 1 non-suited match"),
    w("match/A", "match-means", two("7c 7s", "7h"), rank="2 non-suited matches", suit_or_rank="2 non-suited matches"),
    # Blazing 7's: one and two sevens among the player's cards alone, without the upcard.
    *(
        w("blazing-7s-progressive/A", "sevens-counted", {"cards": f"{text} {up}", "player": text, "upcard": up},
          three_cards=three, player_cards=own)
        for text, up, three, own in (
            ("9h 2s", "7h", "one 7", LOSS), ("7h 2s", "9h", "one 7", "one 7"), ("7h 2s", "7c", "two 7's", "one 7"),
            ("7h 7s", "9c", "two 7's", "two 7's"), ("7h 7s", "7c", "three 7's", "three 7's"),
            ("7c 7s", "7c", "three 7's of the same color", "three 7's of the same color"),
        )
    ),
    # Upcard Luck: the lines that need a 2 to 7 of the dealer, and the card that must be one.
    *(
        w("upcard-luck-21/A", "upcard-luck-upcard", {"player": text, "upcard": up, "dealer": f"{up} {hole}"},
          upcard_for_all=every, upcard_except_blackjack=but, either_dealer_card=either)
        for text, up, hole, every, but, either in (
            ("Ah Ks", "9h", "9d", LOSS, "blackjack", LOSS), ("Ah Ks", "9h", "2d", LOSS, "blackjack", "blackjack"),
            ("Ah Ks", "4h", "9d", "blackjack", "blackjack", "blackjack"),
            ("As Js", "9h", "9d", LOSS, "ace of spades and jack of spades", LOSS),
            ("Th 9s", "9h", "3d", LOSS, LOSS, "totals of 18, 19, 20"),
            ("Th 9s", "7h", "Kd", *("totals of 18, 19, 20",) * 3), ("5h 4s", "8h", "Kd", LOSS, LOSS, LOSS),
        )
    ),
    w("upcard-luck-21/A", "soft-total", two("Ah 9s", "4h"), eleven="totals of 18, 19, 20",
      either="totals of 9, 10, 11"),
    w("upcard-luck-21/A", "soft-total", two("Ah 7s", "4h"), eleven="totals of 18, 19, 20",
      either="totals of 18, 19, 20"),
    w("upcard-luck-21/A", "soft-total", two("Ah As", "4h"), eleven=LOSS, either=LOSS),
    # Super 4: a blackjack with the ace as upcard, or with either card as upcard.
    *(
        w("super-4-progressive/A", "super-4-blackjack",
          dict(zip(("upcard", "hole card", "player"), (up, hole, own), strict=True)), either_card_up=either, ace_up=ace)
        for up, hole, own, either, ace in (
            ("Ah", "Ks", "9h 2s", "any hand", "any hand"), ("Kh", "As", "9h 2s", "any hand", LOSS),
            ("Kh", "As", "Kd 2s", "pair", LOSS), ("Ah", "9s", "9h 2s", *("dealer ace up without blackjack",) * 2),
        )
    ),
    # The operator's suits: three aces of a suit, four in a row of a suit with the dealer's blackjack.
    *(
        w("21-plus-3-progressive/B", "designated-suit", {"cards": " ".join([f"A{suit[0]}"] * 3)},
          **{s: f"three aces of {'the designated' if s == suit else 'another'} suit" for s in SUITS})
        for suit in SUITS
    ),
    *(
        w("super-4-progressive/D", "chosen-suit",
          {"player": f"J{suit[0]} Q{suit[0]}", "upcard": f"A{suit[0]}", "hole card": f"K{suit[0]}"},
          **{s: f"royal flush in {'the chosen' if s == suit else 'any other'} suit" for s in SUITS})
        for suit in SUITS
    ),
    # Royal Match: the Crown Treasure is paid beside the royal match, in its place, or not at all.
    *(
        w("royal-match-21/C", "crown-treasure", {"player": "Kh Qh", "dealer": dealer}, additional=line,
          additional_less_stake=line, replaces=line, not_offered="royal match")
        for dealer, line in (("Ks Qs", "royal match and crown treasure"), ("Ks Qd", "royal match"))
    ),
    w("match-the-dealer/6-decks", "two-matches", two("7h 7h", "7h"), added="two suited matches",
      best="one suited match"),
    w("match-the-dealer/6-decks", "two-matches", two("7h 7s", "7h"), added="one suited and one unsuited match",
      best="one suited match"),
    w("match-the-dealer/6-decks", "two-matches", two("7c 7s", "7h"), added="two unsuited matches",
      best="one unsuited match"),
]  # fmt: skip


def chosen(witness: Witness, choices: str) -> Resolved:
    readings = dict(zip(witness.reading.split("+"), choices.split("+"), strict=True))
    return shipped().resolve(PREFIX + witness.wager, readings)


def hands(resolved: Resolved, deal: dict[str, str]) -> dict[str, tuple[int, ...]]:
    """The cards by role, in the order of the deal."""
    return {role.name: cards(deal[role.name]) for role in Deal(resolved.terms.deal, resolved.terms.suits).roles}


def one_row(resolved: Resolved, dealt: dict[str, tuple[int, ...]]) -> Table:
    """The deal as a table of one row, seen through the lenses of its roles."""
    columns = {}
    for role in seen_deal(resolved).roles:
        labels = [role.lens.label[card] for name in role.name.split(" + ") for card in dealt[name]]
        columns[f"{role.name}.rank"] = np.array([[role.lens.rank[label] for label in labels]], dtype=np.int8)
        columns[f"{role.name}.suit"] = np.array([[role.lens.suit[label] for label in labels]], dtype=np.int8)
    return Table(columns, np.ones(1, dtype=np.int64), 1, 1)


@pytest.mark.parametrize("witness", WITNESSES, ids=str)
def test_a_deal_is_settled_as_its_choice_says(witness: Witness) -> None:
    for choices, line in witness.lines.items():
        resolved = chosen(witness, choices)
        dealt = hands(resolved, witness.deal)
        settled, lost = settle(one_row(resolved, dealt), resolved)
        found = [name for name, _, taken in settled if taken[0]] + [LOSS] * bool(lost[0])
        assert found == [line], choices
        lines = [name for name, _ in resolved.payments]
        second = settle_literal.settle(resolved.terms.settlement, dealt, resolved.options, lines)
        assert second == line, choices


def of_first_cards(reading: Reading) -> bool:
    """Whether the choices of a reading settle dealt cards of a shoe in different ways."""
    patched = set().union(*(choice.patch for choice in reading.choices))
    wager = next(w for w in shipped().wagers.values() if any(reading.bears_on(f"{w.id}/{p}") for p in w.paytables))
    dealt = wager.terms.deal and "draws out" not in wager.terms.deal and wager.terms.deal != "player 7"
    return bool(dealt) and bool(patched & {"options", "deal", "added"})


def test_every_choice_has_a_deal_that_tells_it_from_the_others() -> None:
    """Every choice needs a deal in the list above. A new reading or choice needs a new one."""
    book = [r for r in shipped().readings if r.document.id == "maryland-blackjack" and of_first_cards(r)]
    assert len(book) == 18
    for reading in book:
        lines = [w.lines for w in WITNESSES if w.reading == reading.id]
        for a in reading.computed:
            for b in reading.computed:
                told = any(found.get(a.id) != found.get(b.id) for found in lines)
                # Choices that differ in pays alone settle a deal by the same line.
                alike = a.patch.keys() | b.patch.keys() <= {"pays"} or {a.id, b.id} <= {
                    "additional", "additional-less-stake", "replaces"
                }  # fmt: skip
                assert told or a is b or alike, (reading.id, a.id, b.id)


# ---- differences behind equal returns, shown by removal of one card


def straights(ranks: list[str], ace: str) -> bool:
    """Whether different ranks are consecutive, with the ace low, high or both."""
    rows = {"low": ("A23456789TJQK",), "high": ("23456789TJQKA",), "both": ("A23456789TJQK", "23456789TJQKA")}[ace]
    return any("".join(sorted(ranks, key=row.index)) in row for row in rows)


@pytest.mark.parametrize("ace", ["both", "low", "high"])
def test_effects_of_removal_follow_the_ace_in_three_cards(ace: str) -> None:
    """Top 3 from one deck: 4 straight flushes a run and 52 threes of a kind, less those with the removed card."""
    a = analyze(PREFIX + "top-3/A", decks=1, any_decks=True, reading={"ace-in-three-cards": ace})
    runs = {"both": 12, "low": 11, "high": 11}[ace]
    deals, paid = comb(52, 3), {SF: 181, "three of a kind": 91}
    assert a.returned == Fraction(4 * runs * paid[SF] + 13 * 4 * paid["three of a kind"], deals)
    for effect in effects(a):
        rank = "23456789TJQKA"[effect.card % 13]
        own = sum(
            straights([rank, other, third], ace)
            for i, other in enumerate("23456789TJQKA") for third in "23456789TJQKA"[:i] if rank not in (other, third)
        )  # fmt: skip
        left = (4 * runs - own) * paid[SF] + (13 * 4 - 3) * paid["three of a kind"]
        assert effect.returned == Fraction(left, comb(51, 3)), rank


@pytest.mark.parametrize("ace", ["both", "low", "high"])
def test_effects_of_removal_follow_the_ace_of_house_money(ace: str) -> None:
    """From one deck: pairs, straights of two cards, suited or not, and the suited king and ace."""
    a = analyze(PREFIX + "house-money/single-deck", decks=1, reading={"house-money-ace": ace})
    deck = [(rank, suit) for suit in "cdhs" for rank in "23456789TJQKA"]

    def returned(x: tuple[str, str], y: tuple[str, str]) -> int:
        if {x[0], y[0]} == {"A", "K"} and x[1] == y[1]:
            return 10
        if x[0] == y[0]:
            return 4
        return (6 if x[1] == y[1] else 2) * straights([x[0], y[0]], ace)

    def whole(cards: list[tuple[str, str]]) -> Fraction:
        pairs = [(x, y) for i, x in enumerate(cards) for y in cards[:i]]
        return Fraction(sum(returned(x, y) for x, y in pairs), len(pairs))

    assert a.returned == whole(deck)
    for effect in effects(a):
        card = deck[effect.card]
        assert effect.returned == whole([c for c in deck if c != card]), card


@pytest.mark.parametrize("ace", ["high", "low"])
@pytest.mark.parametrize(("wager", "reading", "ends"), [("in-between", "ace-in-between", False),
                                                        ("a-2", "ace-in-a-2", False), ("a-2", "ace-in-a-2", True)])
def test_effects_of_removal_follow_the_ace_between_two_cards(wager: str, reading: str, ends: bool, ace: str) -> None:
    """Ranks alone are dealt. Both places of the ace have one return from a full shoe, but other effects of removal."""
    chosen = {reading: ace} | ({"ends-in-a-2": "included"} if ends else {})
    a = analyze(f"{PREFIX}{wager}/A", decks=1, any_decks=True, reading=chosen)
    row = "23456789TJQKA" if ace == "high" else "A23456789TJQK"
    pays = {"in-between": (31, {1: 11, 2: 7, 3: 5}), "a-2": (51, {1: 6, 2: 5})}[wager]

    def whole(counts: dict[str, int]) -> Fraction:
        size, total = sum(counts.values()), 0
        for i, low in enumerate(row):
            total += pays[0] * comb(counts[low], 3) * 3  # which of three is the upcard
            for j in range(i + 1, 13):
                high = row[j]
                beside = sum(counts[r] for r in row[i + 1 : j])
                beside += (counts[low] - 1 + counts[high] - 1) * ends
                total += counts[low] * counts[high] * beside * pays[1].get(j - i - 1, 2)
        return Fraction(total, comb(size, 2) * (size - 2))

    full = dict.fromkeys(row, 4)
    assert a.returned == whole(full)
    found = effects(a)
    for effect in found:
        rank = "23456789TJQKA"[effect.card % 13]
        assert effect.returned == whole({**full, rank: 3}), rank
    assert len({e.returned for e in found}) > 3
