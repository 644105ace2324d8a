"""Writes combin/published/values.toml: exact values of claims whose source states its rules in words.

    python tests/published/values_by_hand.py

It prints each phrase of such a claim that `words.toml` does not have, and takes about two minutes of processor time.
`test_stated_rules.py` computes some of the values again, and with
``--all`` every one.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from combin.base.exact import decimal
from combin.published.claims import published
from combin.published.stated_rules import compute, entry_of, is_stated, unknown_words

TARGET = Path(__file__).resolve().parents[2] / "combin" / "published" / "values.toml"
HEAD = "# Written by tests/published/values_by_hand.py; do not edit. Exact values to 20 decimals.\n"


def shown(value: Fraction) -> str:
    """The value with 20 decimals."""
    return decimal(value, 20) if value.denominator != 1 else str(value)


def values() -> dict[str, tuple[Fraction, ...]]:
    """The values of every claim, and of it under the other conditions that the mapping states."""
    by_number: dict[str, tuple[Fraction, ...]] = {}
    for claim in filter(is_stated, published()):
        if exact := compute(claim):
            by_number[str(claim.number)] = exact
        if entry_of(claim).other is not None:
            by_number[f"{claim.number}'"] = compute(claim, other=True)
    return by_number


def main() -> None:
    for claim in filter(is_stated, published()):
        for phrase in unknown_words(claim):
            print(f'claim {claim.number}: "{phrase}" is not in words.toml')
    quoted = {number: ", ".join(f'"{shown(v)}"' for v in exact) for number, exact in values().items()}
    lines = [f'"{number}" = [{texts}]' for number, texts in quoted.items()]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
