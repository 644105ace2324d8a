"""Ante, X-tra Bonus and All In of Chase the Flush: their pays as a game that can be solved, and its solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import islice

import numpy as np

from ...base.errors import InputError
from ...base.work import Stored
from ...rulebook.book import Resolved, Rulebook
from ..joint import LENGTHS, RESULTS, WORDS, Rules, SeparateBets, compared, even_pay, lines_fault, only
from . import solve

FLUSHES = {f"{WORDS[n]}-card flush": n for n in (7, 6, 5, 4, 3, 2)}
PUSHES = {f"less than a {WORDS[n]}-card flush": n for n in (4, 5, 6, 7)}
#: The last of the choices.
FOLD = 3
LINES = ("ante", "all in", *FLUSHES, *PUSHES)


def bonus_by_length(resolved: Resolved) -> dict[int, Fraction]:
    """Return the X-tra Bonus's win per unit for each flush length; 0 for a push."""
    only(resolved, LINES)
    pays: dict[int, Fraction] = dict.fromkeys(LENGTHS, Fraction(0))
    for line, pay in resolved.lines:
        if line in FLUSHES:
            if not pay.stake_back or pay.unknowns or pay.needs_stake:
                raise lines_fault(resolved, f'"{line}" pays "{pay.text}"', 'write odds: "20 to 1"', line)
            pays[FLUSHES[line]] = pay.odds
        elif line in PUSHES and pay.odds:
            raise lines_fault(
                resolved, f'"{line}" pays "{pay.text}"', 'write "push", or name the lengths one by one', line)
    return pays


def rules_of(resolved: Resolved, most: Fraction | None = None) -> Rules:
    """Return Ante, X-tra Bonus and All In: the ante pushes if the dealer does not qualify, the others are compared.

    ``most`` is the most that a hand can win under a payout cap, in antes.
    """
    ante, all_in = even_pay(resolved, "ante"), even_pay(resolved, "all in")
    raises = tuple(resolved.options["raises"])
    bonus = bonus_by_length(resolved)
    net = np.zeros(solve.SHAPE, dtype=object)
    net[...] = Fraction(0)
    for choice, stake in enumerate(raises):
        for qualifies in range(2):
            net[choice, qualifies, 0] = Fraction(-stake - 1 - qualifies)
            net[choice, qualifies, 2] = [all_in * stake + ante * qualifies + bonus[n] for n in LENGTHS]
    net[3] = Fraction(-2)
    if most is not None:
        net[net > most] = most
    names = (*(f"all in {stake}x" for stake in raises), "fold")
    apart = () if most is not None else (
        SeparateBets("Ante", partial(_ante, pay=ante)),
        SeparateBets("X-tra Bonus", partial(_bonus, pays=bonus, written={FLUSHES[n]: p.text for n, p in resolved.lines
                                                                if n in FLUSHES})),
        SeparateBets("All In", partial(_all_in, pay=all_in, raises=raises)),
    )
    return Rules(names, net, (*(2 + stake for stake in raises), 2), 2, apart)


def _ante(choice: int, qualifies: int, result: int, category: int, *, pay: Fraction) -> tuple[int, Fraction, str, str]:
    """Settle the ante (ch. 11 §G, §H): it is returned if the dealer does not qualify, and compared otherwise."""
    if choice == FOLD:
        return 1, Fraction(-1), "folded", ""
    if not qualifies:
        return 1, Fraction(0), "dealer does not qualify", "push"
    return compared(1, result, pay, ("lost to the dealer", "tie", "win"))


def _bonus(
    choice: int, qualifies: int, result: int, category: int, *, pays: Mapping[int, Fraction],
    written: Mapping[int, str],
) -> tuple[int, Fraction, str, str]:
    """Settle the X-tra Bonus (ch. 12 §B): a winning player is paid by the length of the flush."""
    if choice == FOLD:
        return 1, Fraction(-1), "folded", ""
    length = LENGTHS[category]
    if result == 2 and pays[length]:
        return 1, pays[length], f"win with a {WORDS[length]}-card flush", written[length]
    names = "lost to the dealer", "tie", "win with a flush that is not paid"
    return 1, Fraction(-1 if result == 0 else 0), names[result], "" if result == 0 else "push"


def _all_in(
    choice: int, qualifies: int, result: int, category: int, *, pay: Fraction, raises: Sequence[int]
) -> tuple[int, Fraction, str, str]:
    """Settle the All In wager (ch. 11 §H): it is compared whether or not the dealer qualifies."""
    if choice == FOLD:
        return 0, Fraction(0), "not made (folded)", ""
    return compared(raises[choice], result, pay, [f"{raises[choice]}x, {word}" for word in RESULTS])


_solutions: Stored[tuple[str, tuple[int, ...]], solve.ChaseSolution] = Stored(
    f"{__name__}._solutions", "solutions of Chase the Flush by river tie and utility", most=32
)


def solved(
    book: Rulebook, resolved: Resolved, most: Fraction | None = None
) -> solve.ChaseSolution:
    """Return the optimal play of a resolved base game, kept.

    The same pass over the deals solves the wager's next paytable and both readings of a tied river:
    a second solution adds little time.
    """
    tie = resolved.options.get("river_tie", "fold")
    utilities = _key(resolved, most)
    if (tie, utilities) not in _solutions:
        beside = (key for key in _others(book, resolved) if key != utilities and (tie, key) not in _solutions)
        keys = [utilities, *islice(beside, 1 if most is None else 0)]
        tables = [np.array(k, dtype=object).reshape(solve.SHAPE) for k in keys]
        for key, solution in zip(keys, solve.solve(tables, tie=tie), strict=True):
            for reading in solve.TIES:
                _solutions[reading, key] = solution.on_tie(reading)
    return _solutions[tie, utilities]


def _others(book: Rulebook, resolved: Resolved) -> Iterator[tuple[int, ...]]:
    """Yield the utilities of the wager's other paytables, the next one first; for a file's paytable, those of files."""
    paytables = book.wagers[resolved.wager_id].paytables
    letters, chosen = list(paytables), dict(resolved.readings)
    after = letters.index(resolved.paytable.id) + 1
    from_file = bool(resolved.paytable.file)
    for letter in sorted(letters[after:] + letters[:after - 1], key=lambda p: bool(paytables[p].file) != from_file):
        with suppress(InputError):  # the fault is reported for that paytable itself
            yield _key(book.resolve(f"{resolved.wager_id}/{letter}", chosen))


def _key(resolved: Resolved, most: Fraction | None = None) -> tuple[int, ...]:
    return tuple(int(x) for x in rules_of(resolved, most).utility.flat)
