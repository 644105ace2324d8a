"""Independent settlement of a deal: one deal at a time, in plain Python, from the names of the cards.

`combin.wagers` settles whole tables by the conditions of the rule data. Here a hand is a list of words like ``Qh``,
straights are looked up as written, and totals try every value of every ace. The two share only the names of outcomes.

A settlement is found by the name of the outcome function, so all documents' wagers with that function share it. A
package with an outcome function registers its independent settlement under the same name as an entry point of
``combin.second_settlements``. It is a function of the hands and of the wager's options that returns the set of outcomes
that apply. The hands map each role to the names of its cards; for seven cards they map ``player`` to the columns of the
joint table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from ..base.caches import cached
from ..base.errors import fault
from ..deals.cards import name
from ..rulebook.pays import LOSS

Hand = tuple[str, ...]
Options = Mapping[str, Any]

RUN = "A23456789TJQKA"
VALUES = {**{str(n): (n,) for n in range(2, 10)}, "T": (10,), "J": (10,), "Q": (10,), "K": (10,), "A": (1, 11)}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")
ENTRY_POINTS = "combin.second_settlements"


class NoHand(Exception):
    """A settlement requires a role that the deal does not have."""


class ByRole(dict[str, Any]):
    """The hands of a deal by their roles."""

    def __missing__(self, role: str) -> Any:
        raise NoHand(f'the deal has no "{role}"')


Settler = Callable[[ByRole, Options], set[str]]

_SETTLERS: dict[str, Settler] = {}


def settle(outcomes: str, cards: Mapping[str, Sequence[int]], options: Options, lines: Iterable[str]) -> str:
    """Return the first of ``lines`` that applies to a deal, or the loss; see `outcomes_of`."""
    names = outcomes_of(outcomes, cards, options)
    return first_line(lines, names)


def first_line(lines: Iterable[str], names: Collection[str]) -> str:
    """Return the first line that applies, or the loss; ``names`` are the outcomes that apply."""
    return next((line for line in lines if line in names), LOSS)


def outcomes_of(outcomes: str, cards: Mapping[str, Sequence[int]], options: Options) -> set[str]:
    """Return every outcome of an outcome function that applies to a deal, whatever a paytable lists.

    ``cards`` are the card types of each role; a drawn-out hand has its cards in the order drawn. Raises `InputError`
    for a function without an independent settlement, and `NoHand` for a deal without a role that the settlement
    requires.
    """
    hands = ByRole({role: tuple(name(card) for card in hand) for role, hand in cards.items()})
    return outcomes_of_hands(outcomes, hands, options)


def settler_of(outcomes: str) -> Settler | None:
    """Return the independent settlement of an outcome function: combin's, otherwise that of an entry point."""
    if outcomes not in _SETTLERS:
        from importlib.metadata import entry_points

        entries = entry_points(group=ENTRY_POINTS, name=outcomes)
        if not entries:
            return None
        _SETTLERS[outcomes] = next(iter(entries)).load()
    return _SETTLERS[outcomes]


def outcomes_of_hands(outcomes: str, hands: ByRole, options: Options) -> set[str]:
    """Return `outcomes_of` for hands of named cards; a hand is used only if the wager needs it."""
    settler = settler_of(outcomes)
    if settler is None:
        raise fault(f'there is no independent settlement of "{outcomes}"', f"add an entry point to {ENTRY_POINTS}")
    return settler(hands, options)


def _for(outcomes: str) -> Callable[[Settler], Settler]:
    def register(settler: Settler) -> Settler:
        _SETTLERS[outcomes] = settler
        return settler

    return register


def _ranks(hand: Iterable[str]) -> str:
    return "".join(card[0] for card in hand)


def _suits(hand: Iterable[str]) -> str:
    return "".join(card[1] for card in hand)


def _one_suit(hand: Iterable[str]) -> bool:
    return len(set(_suits(hand))) == 1


def _one_rank(hand: Iterable[str]) -> bool:
    return len(set(_ranks(hand))) == 1


def _of_a_rank(hand: Iterable[str]) -> set[str]:
    """Return the names of two, three and four cards of a rank, and of two pairs."""
    shape = sorted(Counter(_ranks(hand)).values(), reverse=True)
    names = {name for least, name in ((2, "pair"), (3, "three of a kind"), (4, "four of a kind")) if shape[0] >= least}
    return names | ({"two pair"} if shape[:2] == [2, 2] else set())


def _is(hand: Hand, ranks: str) -> bool:
    return sorted(_ranks(hand)) == sorted(ranks)


def totals(hand: Iterable[str]) -> set[int]:
    """Return every total that the aces allow."""
    return {sum(values) for values in product(*(VALUES[card[0]] for card in hand))}


def best_total(hand: Iterable[str]) -> int:
    """Return the greatest total up to 21, or the least total."""
    all_totals = totals(hand)
    return max((total for total in all_totals if total <= 21), default=min(all_totals))


def _natural(hand: Hand) -> bool:
    return len(hand) == 2 and 21 in totals(hand)


def _dealer(hands: ByRole) -> Hand:
    """Return the dealer's two cards, however the deal names them."""
    dealer: Hand = hands["dealer"] if "dealer" in hands else hands["upcard"] + hands["hole card"]
    return dealer


@cached("straights by length and ace", most=16)
def _runs(length: int, ace: str) -> set[frozenset[str]]:
    """Return the straights of ``length`` ranks; ``ace`` is "high", "low" or "both"."""
    row = {"both": RUN, "low": RUN[:-1], "high": RUN[1:]}[ace]
    return {frozenset(row[i : i + length]) for i in range(len(row) - length + 1)}


def _straight(hand: Hand, ace: str) -> bool:
    return frozenset(_ranks(hand)) in _runs(len(hand), ace)


@_for("dealer-blackjack")
def _insurance(hands: ByRole, _: Options) -> set[str]:
    return {"dealer blackjack"} if _natural(_dealer(hands)) else set()


@_for("pairs")
def _pairs(hands: ByRole, _: Options) -> set[str]:
    player, names = hands["player"], set()
    if _one_rank(player):
        names = {"pair", "player's two cards form a pair", "suited pair" if _one_suit(player) else "non-suited pair"}
    if "upcard" in hands:
        paired = _ranks(player).count(hands["upcard"][0][0])
        names |= {"one player card pairs the dealer's up card"} if paired else set()
        names |= {"three of a kind"} if paired == len(player) else set()
    return names


@_for("royal-match-21")
def _royal_match(hands: ByRole, _: Options) -> set[str]:
    player = hands["player"]
    if not _one_suit(player):
        return set()
    if not _is(player, "KQ"):
        return {"suited match", "suited blackjack"} if _natural(player) else {"suited match"}
    names = {"royal match"}
    if "dealer" in hands and _one_suit(hands["dealer"]) and _is(hands["dealer"], "QK"):
        names |= {"crown treasure", "royal match and crown treasure", "player and dealer royal match"}
    return names


@_for("house-money")
def _house_money(hands: ByRole, options: Options) -> set[str]:
    player = hands["player"]
    names = {"pair"} if _one_rank(player) else set()
    if _straight(player, options.get("ace", "both")):
        names |= {"two-card straight"} | ({"two-card straight flush"} if _one_suit(player) else set())
    if _is(player, "AK") and _one_suit(player):
        names.add("ace-king suited")
    return names


@_for("twenty")
def _twenty(hands: ByRole, options: Options) -> set[str]:
    player = hands["player"]
    if best_total(player) != 20 or ("A" in _ranks(player) and options.get("ace_nine") == "no"):
        return set()
    names = {"any 20"} | ({"suited 20"} if _one_suit(player) else {"unsuited 20", "any 20 (unsuited)"})
    if _is(player, "KK"):
        names.add("pair of kings")
    if player[0] == player[1]:
        if player[0] != "Qh":
            names.add("matched 20")
        if player[0][0] != "T":
            names.add("suited face cards")
        names.add("suited kings pair" if player[0][0] == "K" else "suited queens, jacks or 10s pair")
        for card, pair in (("Qh", "queen of hearts pair"), ("Ks", "king of spades pair")):
            if player[0] == card:
                names |= {pair}
                names |= {f"{pair} and dealer blackjack"} if "dealer" in hands and _natural(hands["dealer"]) else set()
    return names


@_for("named-rank")
def _named_rank(hands: ByRole, options: Options) -> set[str]:
    player, word = hands["player"], options["rank"]
    letter = word[0].upper()
    names = {f"one {word}"} if letter in _ranks(player) else set()
    if player[0] == player[1] == f"{letter}d":
        names.add(f"{word} of diamonds pair")
    if best_total(player) != 20:
        return names
    names.add("suited 20" if _one_suit(player) else "unsuited 20")
    how = options.get("any_20", "total-20")
    if player[0] == player[1] and not (how == "as-defined" and player[0] == "Qh"):
        names.add("matched 20")
    if (
        how == "total-20"
        or (how == "as-defined" and not _one_suit(player))
        or (how == "ten-values-only" and "A" not in _ranks(player))
    ):
        names.add("any 20")
    return names


@_for("rank-matches")
def _matches(hands: ByRole, options: Options) -> set[str]:
    player, (upcard,) = hands["player"], hands["upcard"]
    kinds: Counter[str] = Counter()
    for card in player:
        if card == upcard or (card[1] == upcard[1] and options.get("match") == "suit-or-rank"):
            kinds["suited"] += 1
        elif card[0] == upcard[0]:
            kinds["unsuited"] += 1
    names = set()
    if len(kinds) == 2:
        names |= {"one suited and one unsuited match", "1 suited and 1 unsuited match"}
        names.add("1 suited and 1 non-suited match")
    for kind, number in kinds.items():
        for word in (kind, kind.replace("unsuited", "non-suited")):
            if kind == "suited" or len(kinds) == 1:
                names |= {f"one {word} match", f"1 {word} match"}
            if number == 2:
                names |= {f"two {word} matches", f"2 {word} matches"}
    return names


@_for("spread")
def _spread(hands: ByRole, options: Options) -> set[str]:
    player, upcard = _ranks(hands["player"]), _ranks(hands["upcard"])
    if player == 2 * upcard:
        return {"triple match", "three of a kind"}
    names = set()
    for row in {"high": (RUN[1:],), "low": (RUN[:-1],), "either": (RUN[1:], RUN[:-1])}[options.get("ace", "high")]:
        first, last = sorted(row.index(rank) for rank in player)
        between = row[first + 1 : last]
        if first != last and (upcard in between or (options.get("ends") == "included" and upcard in player)):
            names |= {"all others", "all other spreads"}
            if 1 <= len(between) <= 3:
                names.add(f"{NUMBERS[len(between)]}-card spread")
    return names


@_for("sevens")
def _sevens(hands: ByRole, options: Options) -> set[str]:
    first, second, upcard = (hands[role][0] for role in ("first card", "second card", "upcard"))
    counted = options.get("counted", "players-first-card")
    held = [card for card in (first, second, upcard) if card[0] == "7"]
    names = set()
    if len(held) == 3:
        names |= {"three 7's", "three 7's suited"} if _one_suit(held) else {"three 7's"}
    twos = [held] if first in held and second in held else []
    firsts = [first]
    if counted == "either-player-card":
        firsts = [first, second]
    elif counted == "any-of-three":
        firsts, twos = held, [held] if len(held) > 1 else []
    if any(card[0] == "7" for card in firsts):
        names.add("first 7")
    if twos:
        names.add("first two 7's")
        pair = held if counted == "any-of-three" else [first, second]
        if len(set(pair)) < len(pair):
            names.add("first two 7's suited")
    return names


@_for("upcard-luck-21")
def _upcard_luck(hands: ByRole, options: Options) -> set[str]:
    player = hands["player"]
    dealer = _dealer(hands) if options.get("upcard") == "either-dealer-card" else hands["upcard"]
    names = set()
    shown = any(card[0] in "234567" for card in dealer)
    if shown or options.get("upcard") == "except-blackjack":
        if _natural(player):
            names.add("blackjack")
        if sorted(player) == ["As", "Js"]:
            names.add("ace of spades and jack of spades")
    if shown:
        counted = totals(player) if options.get("soft") == "either" else {best_total(player)}
        for wanted in ((9, 10, 11), (18, 19, 20)):
            if counted & set(wanted):
                names.add(f"totals of {', '.join(map(str, wanted))}")
    return names


@_for("three-card-hand")
def _three_cards(hands: ByRole, options: Options) -> set[str]:
    cards = hands["cards"]
    names = set()
    suited, most = _one_suit(cards), Counter(_ranks(cards)).most_common(1)[0][1]
    if suited:
        names |= {"flush"} | ({"flush without a pair"} if most == 1 else {"flush with a pair"} if most == 2 else set())
    if most == 2:
        names |= {"pair"} | (set() if suited else {"pair, no flush"})
    if most == 3:
        names |= {"three of a kind"} | (set() if suited else {"three of a kind offsuit"})
        if suited:
            names |= {"suited three of a kind", "other suited three of a kind"}
            if cards[0][0] in "AKQ":
                names.add("suited three aces, kings or queens")
            if cards[0][0] == "A":
                chosen = cards[0][1] == options.get("designated", "spades")[0]
                names |= {"three aces suited", f"three aces of {'the designated' if chosen else 'another'} suit"}
    if _straight(cards, options.get("ace", "both")):
        names |= {"straight", "straight flush"} if suited else {"straight"}
    if suited and _is(cards, "AKQ"):
        names.add("mini royal")
    return names


@_for("three-card-total")
def _three_card_total(hands: ByRole, _: Options) -> set[str]:
    cards = hands["cards"]
    suited, total = _one_suit(cards), best_total(cards)
    names = {f"any {total}"} if total in (19, 20) else set()
    if total == 21:
        names |= {"21", "suited 21" if suited else "unsuited 21"}
    for word in ("777", "678"):
        if _is(cards, word):
            dashed = "-".join(word)
            names |= {word, dashed}
            names |= {f"suited {word}", f"suited {dashed}"} if suited else {f"unsuited {dashed}"}
    return names


@_for("blazing-7s")
def _blazing(hands: ByRole, options: Options) -> set[str]:
    counted_cards = hands["player"] if options.get("counted") == "player-cards" else hands["cards"]
    cards = counted_cards + hands["upcard"] if options.get("counted") == "player-cards" else counted_cards
    held = [card for card in cards if card[0] == "7"]
    counted = _ranks(counted_cards).count("7")
    names = {"one 7", "two 7's"} if counted > 1 else {"one 7"} if counted else set()
    if len(held) == 3:
        names.add("three 7's")
        if set(_suits(held)) <= set("dh") or set(_suits(held)) <= set("cs"):
            names.add("three 7's of the same color")
        if _one_suit(held):
            names.add("three suited 7's of " + ("diamonds" if held[0] == "7d" else "hearts, spades, or clubs"))
    return names


@_for("super-match")
def _super_match(hands: ByRole, _: Options) -> set[str]:
    return _of_a_rank(hands["cards"])


@_for("lucky-aces")
def _lucky_aces(hands: ByRole, _: Options) -> set[str]:
    aces = [card for card in hands["cards"] if card[0] == "A"]
    if not aces:
        return set()
    word = f"{NUMBERS[len(aces)]} ace{'s' if len(aces) > 1 else ''}"
    if len(aces) == 1:
        return {word, "one ace of diamonds"} if aces == ["Ad"] else {word}
    return {word, f"{word} suited"} if _one_suit(aces) else {word}


@_for("super-4")
def _super_four(hands: ByRole, options: Options) -> set[str]:
    upcard, hole, player = hands["upcard"], hands["hole card"], hands["player"]
    ace_up = upcard[0][0] == "A"
    if not _natural(upcard + hole):
        return {"dealer ace up without blackjack"} if ace_up else set()
    if options.get("blackjack_up") == "ace" and not ace_up:
        return set()
    cards = upcard + hole + player
    names = {"any hand", "dealer blackjack otherwise"} | _of_a_rank(cards)
    for suits, word in (("dh", "red"), ("cs", "black")):
        if set(_suits(cards)) <= set(suits):
            names |= {f"four {word} cards", f"all {word} cards", "all same colour"}
    if _one_suit(cards):
        names.add("flush")
    if _straight(cards, "high"):
        names.add("straight")
        if _one_suit(cards):
            suit = cards[0][1]
            names.add("royal flush of " + ("diamonds" if suit == "d" else "another suit"))
            chosen = suit == options.get("chosen", "diamonds")[0]
            names.add("royal flush in " + ("the chosen suit" if chosen else "any other suit"))
    return names


@_for("bonus-spin")
def _bonus_spin(hands: ByRole, _: Options) -> set[str]:
    player = hands["player"]
    names = {"at least one ace"} if "A" in _ranks(player) else set()
    return names | ({"blackjack"} if _natural(player) else set())


@_for("dealer-busts")
def _buster(hands: ByRole, _: Options) -> set[str]:
    dealer = hands["dealer"]
    if min(totals(dealer)) <= 21:
        return set()
    cards = len(dealer)
    names = {f"{cards} cards"} if cards < 8 else {"8 or more cards"}
    names |= {"3 or 4 cards"} if cards <= 4 else set()
    names |= {"7 or more cards"} if cards >= 7 else set()
    if "player" in hands and _natural(hands["player"]):
        names |= {f"{word} and player blackjack" for word in names}
    return names


@_for("dealer-cards")
def _hit_and_run(hands: ByRole, options: Options) -> set[str]:
    dealer = hands["dealer"]
    if _natural(dealer):
        return {"blackjack"}
    if min(totals(dealer)) > 21 and options.get("busted") == "does-not-count":
        return set()
    return {f"{NUMBERS[len(dealer)]} cards"} if len(dealer) < 8 else {"eight or more cards"}


@_for("bad-beat")
def _bad_beat(hands: ByRole, _: Options) -> set[str]:
    player, dealer = hands["player"], hands["dealer"]
    if best_total(player) != 20:
        return set()
    names = {"player 20"}
    if _natural(dealer):
        names.add("player 20, dealer blackjack")
    elif best_total(dealer) == 21:
        cards = NUMBERS[len(dealer)] if len(dealer) < 7 else "seven or more"
        names.add(f"player 20, dealer 21 with {cards} cards")
    return names


@_for("hole-cards")
def _hole_cards(hands: ByRole, _: Options) -> set[str]:
    return {"three suited hole cards"} if _one_suit(hands["player"]) else set()
