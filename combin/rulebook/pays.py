"""Pays as rule documents write them, and the amounts that they return.

"300 to 1"              the stake is returned and 300 are won
"50 for 1"              50 are returned, the stake is kept by the house
"push"                  the stake is returned
"lose"                  the stake is lost
"-1/2"                  half the stake is lost; "-2" loses twice the stake
"$250"                  a prize in dollars, against a stake in dollars
"100% of main meter"    a share of an unknown, in dollars
"bonus to 1"            odds that the operator sets: an unknown
"spin of the wheel"     the expected prize of a spin, an unknown in dollars
"10 to 1 + 1,000 for 1" pays that are added; the stake is returned once
"250 to 1 + 100% of the meter" is such a pay too
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ..base import budgets
from ..base.caches import cached
from ..base.errors import InputError, fault
from ..base.exact import MOST_DIGITS, Exact, two_meanings, value_of

ZERO, ONE = Fraction(0), Fraction(1)
LOSS = "loss"
#: The result of a bet that is not made in a round.
NOT_STAKED = "not staked"
#: Names that combin gives to results of a wager; no line may have them.
ENDS = (LOSS, NOT_STAKED)

_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
_ODDS = re.compile(rf"({_NUMBER}) (to|for) ({_NUMBER})")
_DOLLARS = re.compile(rf"\$({_NUMBER})")
_SHARE = re.compile(rf"({_NUMBER})(?:%| percent) of (?:the )?([a-z][a-z0-9 '_-]*)")
_NAMED = re.compile(r"([a-z][a-z0-9_ -]*) (to|for) 1")
_LOST = re.compile(rf"-({_NUMBER})(?:/({_NUMBER}))?")
_JOINED = re.compile(r"\s+(?:and|plus|&)\s+", re.IGNORECASE)
_EXPECTED = re.compile(r"spin of the ([a-z][a-z ]*)")
_REMEDY = 'write "300 to 1", "50 for 1", "2.5 to 1", "$250", "100% of main meter", "push" or "-1/2"'


def unknown_name(words: str) -> str:
    """Return the symbol of an unknown: ``main_meter`` for "main meter"."""
    return re.sub(r"[^a-z0-9]+", "_", words.lower().replace("'", "")).strip("_")


@dataclass(frozen=True)
class Pay:
    """The pay of an outcome.

    ``odds`` are won per unit staked, negative if a part of the stake is lost. ``dollars`` is
    a prize, ``shares`` are parts of unknowns in dollars, ``named_odds`` are unknown odds.
    ``stake_back`` is whether the stake is returned as well.
    """

    text: str
    odds: Fraction = ZERO
    dollars: Fraction = ZERO
    shares: tuple[tuple[str, Fraction], ...] = ()
    named_odds: tuple[tuple[str, Fraction], ...] = ()
    stake_back: bool = False
    #: The unknown that is the expected prize of a spin, if a wheel decides the pay.
    spin: str = ""
    #: Whether odds are written with the word "for", and whether with "to".
    states_for: bool = False
    states_to: bool = False

    @property
    def unknowns(self) -> tuple[str, ...]:
        return tuple(name for name, _ in (*self.shares, *self.named_odds))

    @property
    def needs_stake(self) -> bool:
        """Whether the return depends on the stake in dollars."""
        return bool(self.dollars or self.shares)

    @property
    def form(self) -> str:
        """The form of a whole number as a pay of this kind: ``{} to 1``."""
        if self.dollars or self.shares:
            return "${}"
        return "{} to 1" if self.stake_back or not self.states_for else "{} for 1"

    def returned(self, values: dict[str, Exact], *, prize_returns_stake: bool = False) -> Exact:
        """Return the amount returned per unit staked; ``values`` has the stake and the unknowns that are set."""
        total: Exact = self.odds + (1 if self.stake_back else 0)
        prize: Exact = self.dollars
        for name, share in self.shares:
            prize = prize + share * value_of(values, name)
        if self.needs_stake:
            total = total + prize / value_of(values, "stake")
            if prize_returns_stake and not self.stake_back:
                total = total + 1
        for name, times in self.named_odds:
            total = total + times * value_of(values, name)
        return total

    def __add__(self, other: Pay) -> Pay:
        return Pay(
            f"{self.text} + {other.text}",
            self.odds + other.odds,
            self.dollars + other.dollars,
            self.shares + other.shares,
            self.named_odds + other.named_odds,
            self.stake_back or other.stake_back,
            self.spin or other.spin,
            self.states_for or other.states_for,
            self.states_to or other.states_to,
        )


@cached("pays by their text", most=4096)
def parse_pay(text: str, outcome: str = "") -> Pay:
    """Return the pay written as ``text``; raises `InputError` (without a place) if it is not a pay.

    ``outcome`` names the unknown of a bare "Bonus": one for each outcome.

    >>> parse_pay("2.5 to 1").odds, parse_pay("50 for 1").stake_back, parse_pay("push").odds
    (Fraction(5, 2), False, Fraction(0, 1))
    """
    if not isinstance(text, str):
        raise fault(f"the pay {text!r} is not a text", _REMEDY)
    _check_joined(text, outcome)
    parts = " ".join(text.split()).split(" + ")
    if len(parts) > budgets.TERMS:
        raise fault(f"the pay adds {len(parts):,} terms, more than {budgets.TERMS}", _REMEDY)
    terms = [_term(part, outcome) for part in parts]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _check_joined(text: str, outcome: str) -> None:
    """Raise `InputError` for pays that are joined by a word instead of +."""
    parts = [part.strip() for part in _JOINED.split(text.strip())]
    if 1 < len(parts) <= budgets.TERMS:
        try:
            for part in " + ".join(parts).split(" + "):
                _term(part, outcome)
        except InputError:
            return  # the word is a part of a name, or there is another fault
        raise fault(f'the pay "{text.strip()}" joins pays with a word', f'write "{" + ".join(parts)}"')


def _term(text: str, outcome: str) -> Pay:
    lower = text.lower()
    if len(text) > 2 * MOST_DIGITS:
        raise fault(f'the pay "{text[:MOST_DIGITS]}…" is too long', _REMEDY)
    if lower == "push":
        return Pay(text, stake_back=True)
    if lower == "lose":
        return Pay(text)
    if lower == "bonus":
        return Pay(text, named_odds=((unknown_name(f"bonus {outcome}"), ONE),), stake_back=True)
    if either := two_meanings(text):
        raise fault(f"the pay {either[0]}", either[1])
    if match := _ODDS.fullmatch(lower):
        won, word, per = _number(match[1], text), match[2], _number(match[3], text)
        if per == 0:
            raise fault(f'the pay "{text}" divides by nothing', 'write odds against a stake: "1 to 1"')
        return Pay(text, won / per, stake_back=word == "to", states_for=word == "for", states_to=word == "to")
    if match := _DOLLARS.fullmatch(lower):
        return Pay(text, dollars=_number(match[1], text))
    if match := _SHARE.fullmatch(lower):
        return Pay(text, shares=((unknown_name(match[2]), _number(match[1], text) / 100),))
    if match := _EXPECTED.fullmatch(lower):
        name = unknown_name(f"spin of the {match[1]}")
        return Pay(text, shares=((name, ONE),), spin=name)
    if match := _NAMED.fullmatch(lower):
        word, named = match[2], ((unknown_name(match[1]), ONE),)
        return Pay(text, named_odds=named, stake_back=word == "to", states_for=word == "for", states_to=word == "to")
    if match := _LOST.fullmatch(lower):
        lost, per = _number(match[1], text), _number(match[2] or "1", text)
        if not lost or not per:
            raise fault(f'the pay "{text}" loses nothing' if per else f'the pay "{text}" divides by nothing',
                        'write "-1/2" if half the stake is lost, "push" if nothing is lost')
        return Pay(text, odds=-lost / per, stake_back=True)
    if lower.startswith("-"):
        raise fault(f'the pay "{text}" is negative', 'write "-1/2" if half the stake is lost')
    raise fault(f'"{text}" is not a pay', _REMEDY)


def _number(digits: str, text: str) -> Fraction:
    if len(digits) > 30:
        raise fault(f'the pay "{text[:40]}…" has too many digits', "write at most 30 digits")
    return Fraction(digits.replace(",", ""))


__all__ = ["ENDS", "LOSS", "NOT_STAKED", "InputError", "Pay", "parse_pay", "unknown_name"]
