"""The description of a round in plain words, for reports."""

from __future__ import annotations

from collections.abc import Iterator

from .round import Choice, Hand, Round

_ENDS = {"fold": "the hand is folded", "next": "the hand goes on", "showdown": "the hand goes to the showdown"}


def described(round: Round) -> Iterator[tuple[str, str]]:
    """Yield titles and sentences: the order of hands, the stakes, the deal and the choices of each street."""
    yield "Before the cards.", f"The stakes are {', '.join(f'{bet} {amount}' for bet, amount in round.stakes)}."
    for n, street in enumerate(round.streets, 1):
        dealt = ", ".join(f"{cards} card{'s' if cards > 1 else ''} to {role}" for role, cards in street.deal)
        offered = "; ".join(map(_choice, street.choices)) or "no choice"
        yield f"Street {n}.", f"Dealt: {dealt}. Choices: {offered}."
    against = f" against {_hand(round.dealer)}" if round.dealer else ", without a dealer"
    text = f"{_hand(round.player)}{against}, in the order of {round.order}"
    yield "Hands.", f"{text[0].upper()}{text[1:]}."
    if round.qualifies is not None:
        yield "Dealer.", f"The dealer qualifies with {round.qualifies} or better."
    elif round.dealer is not None:
        yield "Dealer.", "The dealer always qualifies."
    if round.bonuses:
        paid = "; ".join(f"{bonus} is paid on the {bet}" for bonus, bet in round.bonuses)
        yield "Bonuses.", f"{paid}, without a stake."
    yield "Equal choices.", f"If choices have exactly the same value, the one with the {round.equal_choices} is played."


def _hand(hand: Hand) -> str:
    cards = " and ".join(hand.roles)
    return f"the best {hand.best} of {cards}" if hand.best else f"all cards of {cards}"


def _choice(choice: Choice) -> str:
    staked = " and ".join(f"{amount} on {bet}" for bet, amount in choice.stakes)
    needs = f", offered to {choice.needs} or better" if choice.needs else ""
    return f"{choice.name} ({f'stakes {staked}, ' if staked else ''}{_ENDS[choice.then]}{needs})"
