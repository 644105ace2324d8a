"""The words of games that a file describes: of its round, and of the conditions on how each bet ends."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .hand_orders import ORDERS

#: Words of the conditions of [wager.outcome.BET], each with its meaning.
ENDS: Mapping[str, str] = MappingProxyType({
    "folded": "the player folded; won, tied and lost are then false",
    "won": "the player's final hand beats the dealer's, whether or not the dealer qualifies",
    "tied": "the two final hands are equal",
    "lost": "the dealer's final hand beats the player's",
    "qualifies": "the dealer's final hand is the round's qualifying hand or better",
    "hand": "the player's final hand; compare it with a named hand: hand >= \"straight\"",
    "dealer_hand": "the dealer's final hand, compared in the same way",
})

#: Keys of [wager.round] and of its streets.
KEYS: Mapping[str, str] = MappingProxyType({
    "order": "ranking of the hands: " + ", ".join(ORDERS),
    "player": 'the player\'s final hand: "player", or "best 5 of player, board"',
    "dealer": "the dealer's final hand; omitted in games without a dealer's hand",
    "qualifies": "the least hand with which the dealer qualifies; omitted if every hand qualifies",
    "stakes": "bets before the first card, in units: { ante = 1, blind = 1 }",
    "bonuses": 'bets without a stake, paid on the stake of another bet: { "ante bonus" = "ante" }',
    "equal_choices": "which of several equal choices is played: least stake or greatest stake",
    "ranks": "the ranks of the deck, lowest first: 23456789TJQKA",
    "street": "one [[wager.round.street]] for each deal of cards, with deal and choices",
    "deal": "roles and cards: player, dealer (hidden), upcard (the dealer's, seen by all), board (shared)",
    "choices": 'by name: "fold", "next", or stakes and what follows: "play 4, showdown"; '
               '{ stake = "play 3", needs = "pair" } is offered only to hands that are a pair or better',
})

NAMED_HANDS = (
    'A named hand is a category of the order, "pair of fours", "three sixes", "four aces", "queen high",\n'
    '"ace-king high", "straight flush ace high" or "three-card flush nine high". >= compares with the lowest hand of\n'
    "that name, == means that category, or those ranks with any others.\n"
)
