"""Blackjack: house rules, hands by composition, exact best play, strategies."""
