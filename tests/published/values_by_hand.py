"""Writes combin/published/values.toml: exact values of claims whose source states its rules in words.

    python tests/published/values_by_hand.py

It takes about two minutes of processor time. `test_stated_rules.py` computes some of the values again, and with
``--all`` every one.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from combin.base.exact import decimal
from combin.published.claims import Claim, published
from combin.published.figures import mapping
from combin.published.judge import STATED_FROM, of_template
from combin.published.stated_rules import compute, otherwise

TARGET = Path(__file__).resolve().parents[2] / "combin" / "published" / "values.toml"
HEAD = "# Written by tests/published/values_by_hand.py; do not edit. Exact values to 20 decimals.\n"


def shown(value: Fraction) -> str:
    """The value with 20 decimals."""
    return decimal(value, 20) if value.denominator != 1 else str(value)


def values() -> dict[str, tuple[Fraction, ...]]:
    """The values of every claim, and of it under the other rules that the mapping states."""
    found: dict[str, tuple[Fraction, ...]] = {}
    entries: dict[int, Claim] = {}
    for entry in mapping()["stated"]:
        for claim in published():
            if claim.number in entry["claims"] and (other := otherwise(claim, entry)) is not None:
                part = entry.get("part")
                entries[claim.number] = other if part is None else one_part(other, part)
    for claim in published():
        if claim.number >= STATED_FROM and not of_template(claim):
            if own := compute(claim):
                found[str(claim.number)] = own
            if claim.number in entries:
                found[f"{claim.number}'"] = compute(entries[claim.number])
    return found


def one_part(claim: Claim, part: int) -> Claim:
    """The claim with one of its figures alone."""
    from dataclasses import replace

    return replace(claim, published=claim.published.split(", ")[part])


def main() -> None:
    quoted = {number: ", ".join(f'"{shown(v)}"' for v in found) for number, found in values().items()}
    lines = [f'"{number}" = [{found}]' for number, found in quoted.items()]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
