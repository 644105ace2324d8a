"""The words of games that a file describes: of its round, and of the conditions on how each bet ends."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .orders import ORDERS

#: Words of the conditions of [wager.outcome.BET], each with its meaning.
ENDS: Mapping[str, str] = MappingProxyType({
    "folded": "the player folded; won, tied and lost are then false",
    "won": "the player's final hand beats the dealer's, whether or not the dealer qualifies",
    "tied": "the two final hands are equal",
    "lost": "the dealer's final hand beats the player's",
    "qualifies": "the dealer's final hand is the round's qualifying hand or better",
    "hand": "the player's final hand; compare it with a named hand: hand >= \"straight\"",
    "dealer_hand": "the dealer's final hand, compared likewise",
})

#: Keys of [wager.round] and of its streets.
KEYS: Mapping[str, str] = MappingProxyType({
    "order": "which hand beats which: " + ", ".join(ORDERS),
    "player": 'the player\'s final hand: "player", or "best 5 of player, board"',
    "dealer": "the dealer's final hand; left out where nobody is to beat",
    "qualifies": "the least hand with which the dealer qualifies; left out where the dealer always does",
    "stakes": "the bets before any card, in units: { ante = 1, blind = 1 }",
    "bonuses": 'bets without a stake of their own, paid on another\'s: { "ante bonus" = "ante" }',
    "equal_choices": "what is played where choices are worth the same: least stake or greatest stake",
    "ranks": "the ranks of the deck from the lowest: 23456789TJQKA",
    "street": "one [[wager.round.street]] for each time that cards are dealt, with deal and choices",
    "deal": "roles and cards: player, dealer (hidden), upcard (the dealer's, seen by all), board (shared)",
    "choices": 'by name: "fold", "next", or stakes and where the hand goes: "play 4, showdown"; '
               '{ stake = "play 3", needs = "pair" } is offered only to such hands',
})

NAMED_HANDS = (
    'A named hand is a category of the order, "pair of fours", "three sixes", "four aces", "queen high",\n'
    '"ace-king high", "straight flush ace high" or "three-card flush nine high". >= compares with the least hand of\n'
    "that name, == means that category, or those ranks with any others.\n"
)
