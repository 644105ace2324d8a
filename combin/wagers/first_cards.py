"""What a blackjack wager sees of the first cards: totals, matches, two-, three- and four-card hands.

Every function takes the table of its deal and gives a mask for each outcome name.
Masks are "at least": the paytable's order decides between them. Ranks are 0 (a two)
to 12 (an ace), suits 0 clubs to 3 spades, −1 is hidden. Clauses are those of the
Maryland rules of blackjack: ch. 6 G says what a wager is on, ch. 13 names its lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Literal

import numpy as np

from ..deals.cards import SUIT_NAMES
from ..deals.table import Column, Table
from . import outcomes

Masks = dict[str, Column]
#: The ends of a straight that an ace may be.
Ends = Literal["both", "high", "low"]
Suit = Literal["clubs", "diamonds", "hearts", "spades"]

TEN, JACK, QUEEN, KING, ACE = range(8, 13)
SIX, SEVEN, EIGHT, NINE = range(4, 8)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
#: Points of ranks 0 to 12, an ace at 1; the last entry is for a hidden rank (−1).
POINTS = np.array([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1, 0], dtype=np.int16)


def _cards(t: Table, *roles: str) -> tuple[Column, Column]:
    """Ranks and suits of all cards of the roles, shape (rows, cards)."""
    ranks = [t[f"{role}.rank"] for role in roles]
    suits = [t[f"{role}.suit"] for role in roles]
    return np.concatenate(ranks, axis=1), np.concatenate(suits, axis=1)


def _has(t: Table, role: str) -> bool:
    return f"{role}.rank" in t.columns


def _all(column: Column, value: int) -> Column:
    result: Column = (column == value).all(axis=1)
    return result


def _equal(column: Column) -> Column:
    """Whether all cards of a row show the same."""
    result: Column = (column == column[:, :1]).all(axis=1)
    return result


def _is_rank_set(ranks: Column, wanted: Iterable[int]) -> Column:
    """Whether the cards are exactly these different ranks."""
    result: Column = (np.sort(ranks, axis=1) == np.array(sorted(wanted))).all(axis=1)
    return result


def total(ranks: Column) -> Column:
    """Points of a hand: an ace counts 11 unless that would exceed 21 (ch. 3 E)."""
    hard: Column = POINTS[ranks].sum(axis=1)
    return np.where((ranks == ACE).any(axis=1) & (hard <= 11), hard + 10, hard)


def tens(ranks: Column) -> Column:
    result: Column = (ranks >= TEN) & (ranks <= KING)
    return result


def blackjack(ranks: Column) -> Column:
    """An ace and a card valued 10 as the first two cards (ch. 1 B(2))."""
    result: Column = (ranks == ACE).any(axis=1) & tens(ranks).any(axis=1)
    return result


def _dealer(t: Table) -> Column:
    """The ranks of the dealer's two cards, however the deal names them."""
    return t["dealer.rank"] if _has(t, "dealer") else _cards(t, "upcard", "hole card")[0]


# Two cards of the player


@outcomes("pairs")
def pairs(t: Table) -> Masks:
    """Bet the Set 21 (ch. 6 G(5)) and Pair (G(31)); with an upcard in the deal also the player's pair beside it."""
    ranks, suits = _cards(t, "player")
    pair = _equal(ranks)
    suited = pair & _equal(suits)
    masks = {"suited pair": suited, "non-suited pair": pair & ~suited, "pair": pair}
    if _has(t, "upcard"):
        upcard_pairs = ranks == t["upcard.rank"]
        masks |= {
            "three of a kind": upcard_pairs.all(axis=1),
            "player's two cards form a pair": pair,
            "one player card pairs the dealer's up card": upcard_pairs.any(axis=1),
        }
    return masks


@outcomes("royal-match-21")
def royal_match(t: Table) -> Masks:
    """Royal Match 21 (ch. 6 G(4); ch. 1 B(4), (15), (19)); the Crown Treasure where the dealer's cards are dealt."""
    ranks, suits = _cards(t, "player")
    suited = _equal(suits)
    royal = suited & _is_rank_set(ranks, (QUEEN, KING))
    masks = {"royal match": royal, "suited match": suited & ~royal, "suited blackjack": suited & blackjack(ranks)}
    if _has(t, "dealer"):
        ranks, suits = _cards(t, "dealer")
        crown = royal & _equal(suits) & _is_rank_set(ranks, (QUEEN, KING))
        names = ("royal match and crown treasure", "crown treasure", "player and dealer royal match")
        masks |= dict.fromkeys(names, crown)
    return masks


@outcomes("house-money")
def house_money(t: Table, *, ace: Ends = "both") -> Masks:
    """House Money (ch. 6 G(11)): ``ace`` is the end of a two-card straight that an ace may be: both, high, low."""
    ranks, suits = _cards(t, "player")
    suited = _equal(suits)
    low_ace = np.where(ranks == ACE, -1, ranks)
    high, low = _run(ranks), _run(low_ace)
    straight = {"both": high | low, "high": high, "low": low}[ace]
    return {
        "ace-king suited": suited & _is_rank_set(ranks, (KING, ACE)),
        "two-card straight flush": suited & straight,
        "pair": _equal(ranks),
        "two-card straight": straight,
    }


def _run(ranks: Column) -> Column:
    """Whether the ranks are different and consecutive."""
    steps = np.diff(np.sort(ranks, axis=1), axis=1)
    result: Column = (steps == 1).all(axis=1)
    return result


@outcomes("twenty")
def twenty(t: Table, *, ace_nine: Literal["yes", "no"] = "yes") -> Masks:
    """Lucky Ladies and its progressive (ch. 6 G(1), (23)), King's Bounty (G(6)): two cards that count 20.

    ``ace_nine`` says whether an ace with a nine does.
    """
    ranks, suits = _cards(t, "player")
    suited, pair = _equal(suits), _equal(ranks)
    counts = total(ranks) == 20
    if ace_nine == "no":
        counts &= tens(ranks).all(axis=1)
    identical = suited & pair & counts
    queens = _all(ranks, QUEEN) & _all(suits, HEARTS)
    kings = _all(ranks, KING) & _all(suits, SPADES)
    masks = {
        "queen of hearts pair": queens,
        "matched 20": identical & ~queens,  # ch. 1 B(13)
        "suited face cards": identical & ~_all(ranks, TEN),
        "suited 20": counts & suited,
        "unsuited 20": counts & ~suited,
        "any 20 (unsuited)": counts & ~suited,
        "any 20": counts,
        "king of spades pair": kings,
        "suited kings pair": suited & _all(ranks, KING),
        "suited queens, jacks or 10s pair": identical & ~_all(ranks, KING),
        "pair of kings": _all(ranks, KING),
    }
    if _has(t, "dealer"):
        natural = blackjack(t["dealer.rank"])
        masks |= {
            "queen of hearts pair and dealer blackjack": queens & natural,
            "king of spades pair and dealer blackjack": kings & natural,
        }
    return masks


@outcomes("named-rank")
def named_rank(
    t: Table,
    *,
    rank: Literal["jack", "queen", "king"],
    any_20: Literal["total-20", "as-defined", "ten-values-only"] = "total-20",
) -> Masks:
    """KK, QQ and JJ (ch. 6 G(28)–(30)): a 20, or a card of the ``rank`` king, queen or jack.

    ``any_20`` is ``total-20``, ``as-defined`` (two different suits, and no queens of
    hearts for a Matched 20: ch. 1 B(1), (13)) or ``ten-values-only``.
    """
    value = {"jack": JACK, "queen": QUEEN, "king": KING}[rank]
    ranks, suits = _cards(t, "player")
    suited, counts = _equal(suits), total(ranks) == 20
    matched = suited & _equal(ranks) & counts
    any_of_them = counts
    if any_20 == "as-defined":
        matched &= ~(_all(ranks, QUEEN) & _all(suits, HEARTS))
        any_of_them = counts & ~suited
    elif any_20 == "ten-values-only":
        any_of_them = tens(ranks).all(axis=1)
    diamonds = _all(ranks, value) & _all(suits, DIAMONDS)
    return {
        f"{rank} of diamonds pair": diamonds,
        "matched 20": matched,
        "suited 20": counts & suited,
        "unsuited 20": counts & ~suited,
        "any 20": any_of_them,
        f"one {rank}": (ranks == value).any(axis=1),
    }


# The player's two cards and the upcard, told apart


@outcomes("rank-matches")
def rank_matches(t: Table, *, match: Literal["rank", "suit-or-rank"] = "rank") -> Masks:
    """Match-the-Dealer, Match Super Bonus, Match (ch. 6 G(2), (24), (32)): each player card against the upcard.

    A suited match has the upcard's rank and suit, an unsuited one its rank alone. With
    ``match`` = ``suit-or-rank`` any card of the upcard's suit is a suited match.
    """
    same_rank = t["player.rank"] == t["upcard.rank"]
    same_suit = t["player.suit"] == t["upcard.suit"]
    suited_cards = same_suit if match == "suit-or-rank" else same_rank & same_suit
    suited = suited_cards.sum(axis=1)
    unsuited = (same_rank & ~suited_cards).sum(axis=1)
    masks = {
        "one suited and one unsuited match": (suited == 1) & (unsuited == 1),
        "1 suited and 1 unsuited match": (suited == 1) & (unsuited == 1),
        "1 suited and 1 non-suited match": (suited == 1) & (unsuited == 1),
    }
    for kind, matches in (("suited", suited), ("unsuited", unsuited), ("non-suited", unsuited)):
        masks |= dict.fromkeys((f"two {kind} matches", f"2 {kind} matches"), matches == 2)
        # Of a suited and an unsuited match the suited one counts where a paytable has no line for both.
        one = matches >= 1 if kind == "suited" else (matches >= 1) & (suited == 0)
        masks |= dict.fromkeys((f"one {kind} match", f"1 {kind} match"), one)
    return masks


@outcomes("spread")
def spread(
    t: Table, *, ace: Literal["high", "low", "either"] = "high", ends: Literal["excluded", "included"] = "excluded"
) -> Masks:
    """In Between and A-2 (ch. 6 G(3), (33)): the upcard between the player's two cards.

    ``ace`` is high, low, or either (high or low in the whole deal, whichever pays);
    ``ends`` says whether an upcard equal to one of two different ends is within.
    A spread is the number of ranks between the player's cards.
    """
    ranks, upcard = t["player.rank"], t["upcard.rank"]
    counted = {"high": (ACE,), "low": (-1,), "either": (ACE, -1)}[ace]
    views = [(np.where(ranks == ACE, value, ranks), np.where(upcard == ACE, value, upcard)[:, 0]) for value in counted]
    inside = {1: _nothing(t), 2: _nothing(t), 3: _nothing(t)}
    any_spread = _nothing(t)
    for ends_of, card in views:
        low, high = ends_of.min(axis=1), ends_of.max(axis=1)
        within = (low <= card) & (card <= high) if ends == "included" else (low < card) & (card < high)
        within &= low < high
        any_spread |= within
        for width in inside:
            inside[width] |= within & (high - low - 1 == width)
    triple = (ranks == upcard).all(axis=1)
    return {
        **dict.fromkeys(("triple match", "three of a kind"), triple),
        "one-card spread": inside[1],
        "two-card spread": inside[2],
        "three-card spread": inside[3],
        **dict.fromkeys(("all others", "all other spreads"), any_spread),
    }


def _nothing(t: Table) -> Column:
    return np.zeros(len(t), dtype=bool)


@outcomes("sevens")
def sevens(
    t: Table,
    *,
    counted: Literal["players-first-card", "either-player-card", "any-of-three"] = "players-first-card",
) -> Masks:
    """7's (ch. 6 G(34), ch. 13 A(23)).

    ``counted`` says what "the first 7" is: ``players-first-card``,
    ``either-player-card`` or ``any-of-three``.
    """
    ranks, suits = _cards(t, "first card", "second card", "upcard")
    seven = ranks == SEVEN
    three, suited = seven.all(axis=1), _equal(suits)
    first_two = seven[:, 0] & seven[:, 1]
    first_two_suited = first_two & (suits[:, 0] == suits[:, 1])
    first = seven[:, 0]
    if counted == "either-player-card":
        first = seven[:, 0] | seven[:, 1]
    elif counted == "any-of-three":
        first = seven.any(axis=1)
        pairs_of_cards = list(combinations(range(3), 2))
        first_two = seven.sum(axis=1) >= 2
        first_two_suited = np.any(
            [seven[:, a] & seven[:, b] & (suits[:, a] == suits[:, b]) for a, b in pairs_of_cards], axis=0
        )
    return {
        "three 7's suited": three & suited,
        "three 7's": three,
        "first two 7's suited": first_two_suited,
        "first two 7's": first_two,
        "first 7": first,
    }


@outcomes("upcard-luck-21")
def upcard_luck(
    t: Table,
    *,
    upcard: Literal["for-all", "except-blackjack", "either-dealer-card"] = "for-all",
    soft: Literal["eleven", "either"] = "eleven",
) -> Masks:
    """Upcard Luck 21 (ch. 6 G(14)): the player's total beside a dealer's 2 to 7.

    ``upcard``: the 2 to 7 stands ``for-all`` lines, ``except-blackjack``, or may be
    ``either-dealer-card``. ``soft``: an ace counts ``eleven``, or ``either`` 1 or 11.
    """
    ranks, suits = _cards(t, "player")
    dealer = _dealer(t) if upcard == "either-dealer-card" else t["upcard.rank"]
    shown = (dealer <= SEVEN).any(axis=1)
    natural = blackjack(ranks)
    jack_and_ace = _all(suits, SPADES) & _is_rank_set(ranks, (JACK, ACE))
    always = np.ones(len(t), dtype=bool) if upcard == "except-blackjack" else shown
    best, hard = total(ranks), POINTS[ranks].sum(axis=1)

    def totals(least: int, most: int) -> Column:
        within: Column = (least <= best) & (best <= most)
        if soft == "either":
            within |= (least <= hard) & (hard <= most)
        return within & shown

    return {
        "ace of spades and jack of spades": jack_and_ace & always,
        "blackjack": natural & always,
        "totals of 9, 10, 11": totals(9, 11),
        "totals of 18, 19, 20": totals(18, 20),
    }


# Three cards, whoever holds them


@outcomes("three-card-hand")
def three_card_hand(t: Table, *, ace: Ends = "both", designated: Suit = "spades") -> Masks:
    """Three Card Poker, 21 + 3, Top 3, Trilux, Trilux Super 3, Poker 3 (ch. 6 G(9), (20)–(22), (25), (26)).

    ``ace`` may end a straight on ``both`` sides, ``low`` (A-2-3) or ``high`` (Q-K-A)
    only; ``designated`` is the suit of aces that takes the meter of 21 + 3 table B.
    """
    ranks, suits = _cards(t, "cards")
    high = _run(ranks)
    low = _run(np.where(ranks == ACE, -1, ranks))
    straight = {"both": high | low, "low": low, "high": high}[ace]
    suited, three = _equal(suits), _equal(ranks)
    flush_of_three = three & suited
    aces = flush_of_three & _all(ranks, ACE)
    designated_aces = aces & _all(suits, SUIT_NAMES.index(designated))
    royals = (ranks >= QUEEN).all(axis=1)
    ordered = np.sort(ranks, axis=1)
    pair = ~three & (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    return {
        "mini royal": suited & _is_rank_set(ranks, (QUEEN, KING, ACE)),
        **dict.fromkeys(("suited three of a kind", "other suited three of a kind"), flush_of_three),
        "three aces suited": aces,
        "three aces of the designated suit": designated_aces,
        "three aces of another suit": aces & ~designated_aces,
        "suited three aces, kings or queens": flush_of_three & royals,
        "straight flush": straight & suited,
        "three of a kind": three,
        "three of a kind offsuit": three & ~suited,
        "straight": straight,
        "flush": suited,
        "flush with a pair": suited & pair,
        "flush without a pair": suited & ~pair & ~three,
        "pair, no flush": pair & ~suited,
        "pair": pair,
    }


@outcomes("three-card-total")
def three_card_total(t: Table) -> Masks:
    """Lucky Lucky and 19 Plus (ch. 6 G(12), (27)): 7-7-7, 6-7-8 or a total of 19, 20 or 21."""
    ranks, suits = _cards(t, "cards")
    suited, points = _equal(suits), total(ranks)
    masks = {
        "suited 21": suited & (points == 21),
        "any 20": points == 20,
        "any 19": points == 19,
    }
    masks |= dict.fromkeys(("21", "unsuited 21"), points == 21)
    for word, held in (("777", _all(ranks, SEVEN)), ("678", _is_rank_set(ranks, (SIX, SEVEN, EIGHT)))):
        dashed = "-".join(word)
        masks |= dict.fromkeys((f"suited {word}", f"suited {dashed}"), held & suited)
        masks |= dict.fromkeys((word, dashed, f"unsuited {dashed}"), held)
    return masks


@outcomes("blazing-7s")
def blazing_sevens(t: Table, *, counted: Literal["three-cards", "player-cards"] = "three-cards") -> Masks:
    """Blazing 7's (ch. 6 G(18)): sevens among the ``three-cards``, or for one and two 7's the ``player-cards``."""
    roles = ("player", "upcard") if counted == "player-cards" else ("cards",)
    ranks, suits = _cards(t, *roles)
    three, suited = _all(ranks, SEVEN), _equal(suits)
    diamonds = _all(suits, DIAMONDS)
    red = (suits == DIAMONDS) | (suits == HEARTS)
    held = (ranks[:, :2] if counted == "player-cards" else ranks) == SEVEN
    return {
        "three suited 7's of diamonds": three & diamonds,
        "three suited 7's of hearts, spades, or clubs": three & suited & ~diamonds,
        "three 7's of the same color": three & _equal(red),
        "three 7's": three,
        "two 7's": held.sum(axis=1) >= 2,
        "one 7": held.any(axis=1),
    }


# Four cards


@outcomes("super-match")
def super_match(t: Table) -> Masks:
    """Super Match of Blackjack Switch (ch. 6 G(7)): the player's first four cards."""
    ranks = np.sort(t["cards.rank"], axis=1)
    same = ranks[:, 1:] == ranks[:, :-1]
    three = same[:, :2].all(axis=1) | same[:, 1:].all(axis=1)
    return {
        "four of a kind": same.all(axis=1),
        "two pair": same[:, 0] & same[:, 2] & ~same[:, 1],
        "three of a kind": three,
        "pair": same.any(axis=1),
    }


@outcomes("lucky-aces")
def lucky_aces(t: Table) -> Masks:
    """Lucky Aces (ch. 6 G(19)): aces among the player's two and the dealer's two cards."""
    ranks, suits = _cards(t, "cards")
    ace = ranks == ACE
    number = ace.sum(axis=1)
    suited = np.any([(~ace | (suits == suit)).all(axis=1) for suit in range(4)], axis=0)
    diamonds = (ace & (suits == DIAMONDS)).any(axis=1)
    return {
        "four aces": number == 4,
        "three aces suited": (number == 3) & suited,
        "three aces": number == 3,
        "two aces suited": (number == 2) & suited,
        "two aces": number == 2,
        "one ace of diamonds": (number == 1) & diamonds,
        "one ace": number == 1,
    }


@outcomes("super-4")
def super_four(t: Table, *, blackjack_up: Literal["either", "ace"] = "either", chosen: Suit = "diamonds") -> Masks:
    """Super 4 (ch. 6 G(13)): the player's two cards with the dealer's blackjack, or a bare ace up.

    ``blackjack_up``: either card of the blackjack may be up, or the ``ace`` must be;
    ``chosen`` is the suit of table D's first line. A straight of four cards with an
    ace and a ten-valued card is A-K-Q-J.
    """
    dealer = _dealer(t)
    natural = blackjack(dealer)
    ace_up = dealer[:, 0] == ACE
    counts = natural & ace_up if blackjack_up == "ace" else natural
    ranks, suits = _bits(t, "rank"), _bits(t, "suit")
    straight = counts & (ranks == 1 << JACK | 1 << QUEEN | 1 << KING | 1 << ACE)
    diamonds, chosen_suit = suits == 1 << DIAMONDS, suits == 1 << SUIT_NAMES.index(chosen)
    suited = (suits & (suits - 1)) == 0
    royal = straight & suited
    different = _ONES[ranks]
    # The dealer's two ranks differ: with two different ranks in all, the player pairs one of them or both.
    two_pair = (different == 2) & (t["player.rank"][:, 0] != t["player.rank"][:, 1])
    red, black = 1 << DIAMONDS | 1 << HEARTS, 1 << CLUBS | 1 << SPADES
    all_red, all_black = counts & ((suits & black) == 0), counts & ((suits & red) == 0)
    return {
        "royal flush of diamonds": royal & diamonds,
        "royal flush of another suit": royal & ~diamonds,
        "royal flush in the chosen suit": royal & chosen_suit,
        "royal flush in any other suit": royal & ~chosen_suit,
        "three of a kind": counts & (different == 2) & ~two_pair,
        "straight": straight,
        "flush": counts & suited,
        "two pair": counts & two_pair,
        **dict.fromkeys(("four red cards", "all red cards"), all_red),
        **dict.fromkeys(("four black cards", "all black cards"), all_black),
        "all same colour": all_red | all_black,
        "pair": counts & (different < 4),
        **dict.fromkeys(("any hand", "dealer blackjack otherwise"), counts),
        "dealer ace up without blackjack": ace_up & ~natural,
    }


def _bits(t: Table, shown: str) -> Column:
    """One bit for every rank or suit among the dealer's and the player's cards; a hidden card shows a two of clubs."""
    columns = [t[f"{role}.{shown}"][:, i] for role, i in _FOUR]
    bits: Column = np.bitwise_or.reduce([_BIT[column] for column in columns])
    return bits


_FOUR = (("upcard", 0), ("hole card", 0), ("player", 0), ("player", 1))
_BIT = np.array([*(1 << n for n in range(13)), 1], dtype=np.int16)
_ONES = np.array([n.bit_count() for n in range(1 << 13)], dtype=np.int8)


@outcomes("dealer-blackjack")
def insurance(t: Table) -> Masks:
    """Insurance (ch. 8 B): a ten-valued hole card under the dealer's ace."""
    return {"dealer blackjack": blackjack(_dealer(t))}


# The player's cards start a spin


@outcomes("bonus-spin")
def bonus_spin(t: Table) -> Masks:
    """Bonus Spin (ch. 6 G(17)): a blackjack, or at five dollars at least one ace, starts the wheel."""
    ranks = t["player.rank"]
    return {"blackjack": blackjack(ranks), "at least one ace": (ranks == ACE).any(axis=1)}
