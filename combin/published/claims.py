"""Published claims as data: each figure as printed, with its precision."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from math import floor
from types import MappingProxyType
from typing import Any

from ..base.caches import cached
from ..base.exact import decimal, grouped_decimal
from ..userfiles.templates import with_templates

_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e-?\d+)?")
#: A number, words before it that say it is approximate, and its unit.
_PRINTED = re.compile(
    r"(?P<rough>(?:about|around|(?P<bound>over)|in all cases around|in the) )?(?P<one_in>1 in )?(?P<dollars>\$)?"
    r"(?P<number>[+-]?[\d,]*\.?\d+(?:e-?\d+)?)(?P<unit> %| percent| units)?(?P<rest> .*)?"
)

#: The distance below which a stored value equals a fraction: `values.toml` has 20 decimals.
KEPT = Fraction(1, 10**20)
#: An exact value in each unit of a printed number.
_UNITS = {"plain": "{}", "percent": "{} %", "one in": "1 in {}"}


@dataclass(frozen=True)
class Printed:
    """A printed number: ``value`` in the unit ``scale``, with ``places`` decimals (negative: "about 130").

    ``scale`` is ``plain``, ``percent``, ``one in`` (the reciprocal) or ``fraction``; ``rough`` if the
    source says "about", "over" or the like, ``is_bound`` if it says "over".
    """

    value: Fraction
    places: int
    scale: str
    rough: bool
    is_bound: bool = False

    def shown(self, exact: Fraction) -> Fraction:
        """Return an exact value in the printed unit; raises ZeroDivisionError for 1 in 0."""
        if self.scale == "one in":
            return 1 / exact if exact else Fraction(0)
        return exact * 100 if self.scale == "percent" else exact

    def text(self, exact: Fraction) -> str:
        """Return an exact value in the printed unit, with four more digits than are printed."""
        if self.scale == "fraction":
            return decimal(exact, 8)
        value = self.shown(exact)
        if value.denominator == 1 and self.scale == "plain":
            return f"{value.numerator:,}"
        return _UNITS[self.scale].format(grouped_decimal(value, max(0, self.places) + 4))

    def rounds_from(self, exact: Fraction) -> bool:
        """Whether the printed digits are the exact value rounded, a half away from zero."""
        if self.scale == "fraction":
            return abs(self.value - exact) < KEPT
        return _cut(self.shown(exact), self.places, Fraction(1, 2)) == self.value

    def cut_from(self, exact: Fraction) -> bool:
        """Whether the printed digits are the exact value truncated."""
        return self.scale != "fraction" and _cut(self.shown(exact), self.places) == self.value

    def is_near(self, exact: Fraction) -> bool:
        """Whether the exact value is less than two units of the last printed digit away."""
        return abs(self.value - self.shown(exact)) * Fraction(10) ** self.places < 2

    def fits(self, exact: Fraction) -> bool:
        return self.rounds_from(exact) or self.cut_from(exact)

    @property
    def digits(self) -> int:
        """The number of significant digits printed; the more, the less likely is agreement by chance."""
        return len(str(abs(int(self.value * Fraction(10) ** self.places))).lstrip("0") or "0")


def _cut(value: Fraction, places: int, more: Fraction = Fraction(0)) -> Fraction:
    """Return the value truncated after ``more`` units of its last place are added: 1/2 rounds it."""
    scale = Fraction(10) ** places
    return Fraction(floor(abs(value) * scale + more) * (1 if value >= 0 else -1)) / scale


def parse_printed(text: str) -> Printed | None:
    """Return the number in a claim; None if it has none ("always raise")."""
    match = _PRINTED.fullmatch(text.strip())
    if not match:
        return None
    mantissa, _, exponent = match["number"].replace(",", "").partition("e")
    places = len(mantissa.partition(".")[2]) - int(exponent or 0)
    scale = "one in" if match["one_in"] else "percent" if (match["unit"] or "").strip() in ("%", "percent") else "plain"
    value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    rough = bool(match["rough"]) or bool(match["rest"])
    places = max(0, places)
    if rough and not places:
        digits = mantissa.rstrip("0")
        places = min(0, len(digits) - len(mantissa))
    return Printed(value, places, scale, rough, bool(match["bound"]))


@dataclass(frozen=True)
class Claim:
    """A published figure. ``number`` is its index in the list from 1, ``subject`` an id or a wager."""

    number: int
    subject: str
    is_id: bool
    pays: Any
    decks: int | None
    quantity: str
    outcome: str
    published: str
    reading: str
    source: str

    @property
    def printed(self) -> Printed | None:
        return parse_printed(self.published)

    @property
    def stated(self) -> str:
        """The first condition that its source states."""
        return self.reading.partition("; ")[0]

    @property
    def wager(self) -> str:
        return with_templates().find(self.subject)[0].id if self.is_id else self.subject

    @property
    def letter(self) -> str:
        """The paytable of the wager; empty if the claim names none."""
        return with_templates().find(self.subject)[1].id if self.is_id else ""

    @property
    def group(self) -> tuple[Any, ...]:
        """The key of claims of one table: paytable, decks and source."""
        pays = tuple(self.pays.items()) if self.pays else ()
        return (self.subject, pays, self.decks, self.source.split(" ")[0])


def data(name: str) -> bytes:
    """Return the bytes of a data file of the ledger."""
    return (files("combin") / "published" / name).read_bytes()


@cached("the published claims", most=1)
def published() -> tuple[Claim, ...]:
    """Return every claim, in the order of the list."""
    claims = []
    for number, entry in enumerate(tomllib.loads(data("claims.toml").decode())["claim"], 1):
        claims.append(
            Claim(
                number,
                entry.get("id") or entry["wager"],
                "id" in entry,
                MappingProxyType(entry["pays"]) if "pays" in entry else None,
                entry.get("decks"),
                entry["quantity"],
                entry.get("outcome", ""),
                entry["published"],
                entry.get("reading", "not stated"),
                entry["source"],
            )
        )
    return tuple(claims)
