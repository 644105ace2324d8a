"""From the table `round` of a wager to a `Round`; every fault is reported at the key that causes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal

from ...base.errors import InputError, nearest, short
from ...base.toml_tables import ReportFault, bet_and_line
from ...rulebook.terms import OfferTerms, RoundTerms, StreetTerms
from . import hand_orders
from .round import ROLES, Choice, Hand, Round, Street
from .tree import tree_of

FOLD, NEXT, SHOWDOWN = "fold", "next", "showdown"
#: The outcome table of bets without their own table.
EACH = "each"
#: The limits of the format. Five hidden cards are C(52, 5) hands for each set of public cards.
MOST_STREETS, MOST_CHOICES, MOST_LEAVES = 4, 6, 64
MOST_PRIVATE, MOST_BOARD, MOST_CARDS_OF_DEALER = 5, 5, 6
MOST_UNITS = 1000
_STAKE = re.compile(r"(.+) ([0-9]+(?:/[0-9]+|\.[0-9]+)?)")
_DEALT = re.compile(r"([a-z]+) ([0-9]+)")
_BEST = re.compile(r"best ([0-9]+) of (.+)")
_CHOICE_REMEDY = 'write "fold", "next", or stakes and where the hand goes: "play 4, showdown", "flop 2, next"'


class CountedFaults:
    """Reports faults under some keys of the wager, and counts them."""

    def __init__(self, report: ReportFault, *keys: str) -> None:
        self.report, self.keys, self.count = report, keys, 0

    def __call__(self, what: str, remedy: str, *path: str) -> None:
        self.count += 1
        self.report(what, remedy, (*self.keys, *path))


def read_round(terms: RoundTerms, report: ReportFault) -> Round | None:
    """Return the round that a file describes; None if it has faults, all of which are reported.

    ``report`` takes a fault, its remedy and its path of keys, "street #2" for the second street.
    """
    faults = CountedFaults(report, "round")
    if terms.order not in hand_orders.ORDERS:
        faults(f'there is no order "{short(terms.order, 60)}"', nearest(terms.order[:60], hand_orders.ORDERS), "order")
    ranks = _ranks(terms.ranks, faults)
    streets = tuple(_streets(terms.street, faults))
    cards = dict.fromkeys(ROLES, 0)
    for street in streets:
        for role, number in street.deal:
            cards[role] += number
    _check_cards({role: n for role, n in cards.items() if n}, len(ranks), faults)
    player = _hand(terms.player, "player", cards, terms.order, faults)
    dealer = _hand(terms.dealer, "dealer", cards, terms.order, faults) if terms.dealer else None
    whole = terms.order in hand_orders.ORDERS and hand_orders.ORDERS[terms.order].size is None
    if player is not None and dealer is not None and whole and _size(player, cards) != _size(dealer, cards):
        faults("a longest flush is compared only between hands of the same number of cards",
               "deal both hands the same number", "dealer")
    if not terms.dealer:
        _without_dealer(terms, cards, faults)
    stakes = tuple(_stakes(terms.stakes, faults))
    if not stakes:
        faults("nothing is staked before the cards", "write stakes = { ante = 1 }", "stakes")
    if faults.count:
        return None
    assert player is not None
    game_round = Round(terms.order, player, dealer, terms.qualifies or None, stakes, tuple(terms.bonuses.items()),
                       terms.equal_choices, ranks, streets)
    _check_hands(game_round, faults)
    _check_bets(game_round, faults)
    return None if faults.count else game_round


def named(round: Round, text: str) -> hand_orders.RankInterval:
    """Return a named hand of the round's order and deck; raise `InputError` (without a line) for any other text."""
    return hand_orders.named(round.order, text, round.ranks)


def _ranks(text: str, faults: CountedFaults) -> str:
    standard = "23456789TJQKA"
    if not text or any(r not in standard for r in text) or list(text) != sorted(set(text), key=standard.index):
        faults(f'"{short(text, 40)}" does not list ranks',
               'list them in ascending order, each once: "6789TJQKA"', "ranks")
        return standard
    return text


def _streets(given: tuple[StreetTerms, ...], faults: CountedFaults) -> Iterator[Street]:
    if not 0 < len(given) <= MOST_STREETS:
        faults(f"the round has {len(given)} streets", f"give 1 to {MOST_STREETS} [[wager.round.street]] tables",
               "street")
    for n, street in enumerate(given[:MOST_STREETS], 1):
        at = f"street #{n}"
        last = not any(later.choices for later in given[n:])
        if len(street.choices) > MOST_CHOICES:
            faults(f"the street has {len(street.choices)} choices", f"write at most {MOST_CHOICES}", at, "choices")
        choices = [_choice(name, offer, last, faults, at) for name, offer in street.choices.items()]
        offered = [choice for choice in choices if choice is not None]
        if street.choices and len(offered) == len(choices) and all(choice.needs for choice in offered):
            faults("some hands have no choice", 'write one choice for every hand, such as fold = "fold"', at, "choices")
        yield Street(tuple(_dealt(street.deal, faults, at)), tuple(offered))


def _dealt(text: str, faults: CountedFaults, at: str) -> Iterator[tuple[str, int]]:
    counts: dict[str, int] = {}
    for part in text.split(","):
        match = _DEALT.fullmatch(part.strip())
        role = match[1] if match else part.strip().partition(" ")[0]
        if role not in ROLES:
            faults(f'"{short(role, 40)}" is not a role', f"roles are {', '.join(ROLES)}", at, "deal")
        elif match is None or not 0 < int(match[2][:4]) <= 52 or role in counts:
            faults(f'"{short(part.strip(), 40)}" is not a role with a number of cards, or repeats a role',
                   'write "player 2, dealer 2"', at, "deal")
        else:
            counts[role] = int(match[2])
    yield from ((role, counts[role]) for role in ROLES if role in counts)


def _choice(name: str, offer: str | OfferTerms, last: bool, faults: CountedFaults, at: str) -> Choice | None:
    """Return a choice; on the last street with choices every hand that is not folded goes to the showdown."""
    text = offer.stake if isinstance(offer, OfferTerms) else offer
    needs = offer.needs if isinstance(offer, OfferTerms) else None
    path = (at, "choices", name)
    if " / " in name:
        faults(f'" / " joins the choices of a round and cannot be part of "{short(name, 40)}"', "write another name",
               *path)
        return None
    parts = [part.strip() for part in text.split(",")]
    goes = parts.pop() if parts[-1] in (FOLD, NEXT, SHOWDOWN) else SHOWDOWN if last else ""
    if not goes:
        faults(f'"{short(text, 60)}" does not state where the hand goes', "end it with next or showdown", *path)
        return None
    if goes == FOLD and parts:
        faults("a fold stakes nothing", 'write "fold"', *path)
        return None
    stakes: dict[str, Fraction] = {}
    for part in parts:
        match = _STAKE.fullmatch(part)
        amount = None if match is None else _amount(match[2])
        if match is None or amount is None or match[1] in stakes:
            faults(f'"{short(part, 60)}" is not a stake on a bet', _CHOICE_REMEDY, *path)
            return None
        stakes[match[1]] = amount
    then: Literal["fold", "next", "showdown"] = "fold" if goes == FOLD else "next" if goes == NEXT else "showdown"
    if then == NEXT and last:
        then = "showdown"
    return Choice(name, tuple(stakes.items()), then, needs)


def _amount(value: int | str) -> Fraction | None:
    """Return a positive number of units, exactly; None for anything else."""
    try:
        amount = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
    return amount if 0 < amount <= MOST_UNITS and amount.denominator <= MOST_UNITS else None


def _stakes(given: Mapping[str, int | str], faults: CountedFaults) -> Iterator[tuple[str, Fraction]]:
    for bet, value in given.items():
        amount = _amount(value)
        if amount is None:
            faults(f"the stake of {bet} is {short(str(value), 40)} units", f"write a number up to {MOST_UNITS}",
                   "stakes", bet)
        else:
            yield bet, amount


def _check_cards(cards: Mapping[str, int], ranks: int, faults: CountedFaults) -> None:
    """Refuse rounds that are too large for the engine; work is bounded before it begins."""
    total, deck = sum(cards.values()), 4 * ranks
    for number, most, what in (
        (cards.get("player", 0), MOST_PRIVATE, "cards of the player"),
        (cards.get("board", 0), MOST_BOARD, "cards on the board"),
        (cards.get("dealer", 0) + cards.get("upcard", 0), MOST_CARDS_OF_DEALER, "cards of the dealer"),
    ):
        if number > most:
            faults(f"the round deals {number} {what}", f"deal at most {most}", "street")
    if not cards.get("player"):
        faults("no card is dealt to the player", 'write deal = "player 3, dealer 3"', "street")
    if total > deck:
        faults(f"the round deals {total} cards from a deck of {deck}", "deal fewer, or name more ranks", "street")


def _hand(text: str, key: str, cards: Mapping[str, int], order: str, faults: CountedFaults) -> Hand | None:
    """Return the hand of ``best 5 of player, board`` or of roles only; the upcard always is in the dealer's hand."""
    match = _BEST.fullmatch(text.strip())
    best = int(match[1][:3]) if match else None
    roles = [role.strip() for role in (match[2] if match else text).split(",")]
    if key == "dealer" and "upcard" not in roles and cards.get("upcard"):
        roles.append("upcard")
    allowed = ("player", "board") if key == "player" else ("dealer", "upcard", "board")
    wrong = next((role for role in roles if role not in allowed), None)
    if wrong is not None or len(set(roles)) < len(roles):
        faults(f'"{short(text, 60)}" is not a hand of the {key}',
               f'write "best 5 of {key}, board", or "{key}"; its roles are {", ".join(allowed)}', key)
        return None
    if missing := [role for role in roles if not cards.get(role)]:
        faults(f"no street deals a card to {missing[0]}", "deal some, or omit the role", key)
        return None
    side = "player" if key == "player" else "dealer"
    if side not in roles and not (key == "dealer" and "upcard" in roles):
        faults(f"the hand of the {key} has no cards of the {side}", f'write "{side}" among its roles', key)
        return None
    number = sum(cards[role] for role in roles)
    size = hand_orders.ORDERS[order].size if order in hand_orders.ORDERS else None
    wanted = number if best is None else best
    if size is None and best is not None and order in hand_orders.ORDERS:
        faults(f'the order "{order}" compares all cards of a hand', f'write "{", ".join(roles)}"', key)
        return None
    if size is not None and (wanted != size or number < size):
        faults(f'the order "{order}" compares {size} cards, but "{short(text, 60)}" gives {wanted} of {number}',
               f'write "best {size} of {", ".join(roles)}"' if number > size else f"deal {size} cards", key)
        return None
    return Hand(best if best != number else None, tuple(role for role in ROLES if role in roles))


def _size(hand: Hand, cards: Mapping[str, int]) -> int:
    return sum(cards[role] for role in hand.roles)


def _without_dealer(terms: RoundTerms, cards: Mapping[str, int], faults: CountedFaults) -> None:
    if terms.qualifies:
        faults("there is no dealer to qualify", "omit qualifies, or give the dealer a hand", "qualifies")
    for role in ("dealer", "upcard"):
        if cards[role]:
            faults(f"cards are dealt to {role}, but the dealer has no hand", 'write dealer = "best 5 of dealer, board"',
                   "street")


def _check_hands(round: Round, faults: CountedFaults) -> None:
    """Report named hands that the order does not have, and offers before the hand is complete."""
    if round.qualifies is not None:
        _named(round, round.qualifies, faults, "qualifies")
    tree, deciding = tree_of(round), [(n, street) for n, street in enumerate(round.streets, 1) if street.choices]
    for level, (n, street) in enumerate(deciding):
        for choice in street.choices:
            path = (f"street #{n}", "choices", choice.name)
            if choice.needs is None:
                continue
            _named(round, choice.needs, faults, *path)
            if not tree.is_complete(level):
                what = f'"{choice.name}" needs "{short(choice.needs, 40)}" before the player\'s hand is complete'
                faults(what, "offer it to every hand, or after the last card", *path)
    hidden = round.cards.get("dealer", 0) + round.cards.get("upcard", 0)
    if round.dealer is not None and not hidden:
        faults("the dealer has no card", 'deal some: "player 2, dealer 2"', "street")


def _named(round: Round, text: str, faults: CountedFaults, *path: str) -> None:
    try:
        named(round, text)
    except InputError as error:
        for f in error.faults:
            faults(f.what, f.remedy, *path)


def _check_bets(round: Round, faults: CountedFaults) -> None:
    for bonus, bet in round.bonuses:
        if bet not in round.bets:
            faults(f'"{short(bonus, 40)}" is paid on "{short(bet, 40)}", which is not a bet',
                   nearest(bet[:60], round.bets), "bonuses", bonus)
        if bonus in round.bets or bonus == EACH:
            faults(f'"{short(bonus, 40)}" is a bet with a stake', "give the bonus another name", "bonuses",
                   bonus)
    places = {**dict.fromkeys(round.bets, "street"), **dict.fromkeys(dict(round.stakes), "stakes"),
              **dict.fromkeys(dict(round.bonuses), "bonuses")}
    for name, key in places.items():
        if bet_and_line(name)[1] is not None:
            faults(f'": " joins a bet and its line and cannot be part of "{short(name, 40)}"',
                   "give the bet another name", key, *([] if key == "street" else [name]))
    if EACH in round.bets:
        faults(f'"{EACH}" stands for the bets without their own table', "give the bet another name", "stakes")
    if len(round.leaves) > MOST_LEAVES:
        faults(f"the choices make {len(round.leaves)} paths", f"offer at most {MOST_LEAVES}", "street")
