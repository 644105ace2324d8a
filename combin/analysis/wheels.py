"""A wheel that a wager spins: weights from a user's file, the expected prize, and its bounds without weights.

The documents print the symbols and their pays, not their frequencies. A weights file gives the frequencies as whole
numbers, one for each symbol:

    [weights]
    "jackpot" = 1
    "$1,000 symbol" = 3

With weights, the counted cases are pairs of a deal and a stop of the wheel. The outcomes of an analysis thus remain
counts of equally likely cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Annotated

from ..base import budgets
from ..base.errors import fault, nearest
from ..base.exact import Exact, is_number, ratio, simplify, value_of
from ..base.toml_tables import Path as Keys
from ..base.toml_tables import ReportFault, TomlFile, WholeNumber
from ..rulebook.book import Resolved
from ..rulebook.parameters import meters, wheel_pays
from ..rulebook.pays import Pay, parse_pay

FLAG = "--wheel"
#: A larger number of stops is a typing error.
MOST_WEIGHT = 10**12

Weights = Mapping[str, int]


@dataclass(frozen=True)
class WheelBound:
    """A bound from the printed symbols, with weights that attain it.

    ``prize`` is the expected prize of a spin in dollars, ``returned`` the wager's return with it; every spin stops at
    ``symbol``.
    """

    symbol: str
    prize: Exact
    returned: Exact
    weights: Weights


@dataclass(frozen=True)
class Wheel:
    """The wheel of an analysis. ``weights`` is empty if none were given.

    ``prizes`` are in dollars by symbol. ``assumed`` names the prizes that are not set and have the document's minimum.
    ``least`` and ``greatest`` are None if a prize is not a number.
    """

    trigger: Fraction
    symbols: tuple[tuple[str, str], ...]
    prizes: Mapping[str, Exact]
    weights: Weights
    expected: Exact
    assumed: tuple[str, ...]
    least: WheelBound | None
    greatest: WheelBound | None


@dataclass(frozen=True)
class WheelTerms:
    """A file of weights."""

    weights: Mapping[str, Annotated[int, WholeNumber(0, MOST_WEIGHT)]]


def file_of(wheel: str | PathLike[str] | Mapping[str, int]) -> TomlFile:
    """Return the file of a wheel; the weights that a function was given stand for one."""
    return TomlFile(FLAG, data={"weights": wheel}) if isinstance(wheel, Mapping) else TomlFile.of(wheel)


def read_weights(file: TomlFile) -> dict[str, int]:
    """Return the weights of a file. Raises `InputError`, which names file and key of every fault."""
    terms = file.read(WheelTerms)
    if terms is not None:
        check_stops(terms.weights, file.report, ("weights",))
    return dict(file.checked(terms).weights)


def check_stops(weights: Weights, report: ReportFault, path: Keys) -> None:
    """Report weights of no symbol, of too many symbols, and weights that are all 0."""
    if not weights:
        report("has no weights", 'write [weights] and "symbol" = 1', path)
    elif len(weights) > budgets.SYMBOLS:
        report(f"has more than {budgets.SYMBOLS} symbols", "give only the symbols of the wheel", path)
    elif not any(weights.values()):
        report("all weights are 0", "give at least one symbol a stop", path)


def fitted(resolved: Resolved, weights: Weights, file: TomlFile | None = None) -> dict[str, int]:
    """Return the weights in the document's order. Raises `InputError` unless their symbols are those of the wheel.

    Faults name the lines of the weights' ``file``.
    """
    file = file or file_of(weights)
    known = [name for name, _ in wheel_pays(resolved)]
    shared = {name for table in resolved.terms.community.values() for name in table.pays}
    for name in weights:
        if name not in known and name not in shared:
            file.report(f'the wheel of {resolved.id} has no symbol "{name}"', nearest(name, known), ("weights", name))
    for name in known:
        if name not in weights:
            what = f'the symbol "{name}" of {resolved.id} has no weight'
            file.report(what, "give it one, which may be 0", ("weights",))
    return {name: file.checked(weights)[name] for name in known}


def community(
    resolved: Resolved, weights: Weights, values: Mapping[str, Exact | None], file: str = FLAG
) -> dict[str, Exact | None]:
    """Return the mean community pay of a spin in dollars, if the weights name symbols that pay other players.

    Raises `InputError` as `community_symbols`, and if the value is also set.
    """
    shown = community_symbols(resolved, weights, values, file)
    if not shown:
        return {}
    if values.get("community_pay") is not None:
        raise fault("community_pay is set, and the weights also determine it", "give only one of them", file=file)
    return {"community_pay": sum((chance * dollars for chance, dollars in shown), Fraction(0))}


def community_symbols(
    resolved: Resolved, weights: Weights, values: Mapping[str, Exact | None], file: str = FLAG
) -> list[tuple[Fraction, Fraction]]:
    """Return (probability of a spin, dollars) for each symbol that pays other players; empty if the weights have none.

    A symbol such as "$100 and $25 symbol" is on some of the wheel's stops, in addition to the spinner's prize. Raises
    `InputError` for a symbol of another table, and if these symbols have more stops than the wheel.
    """
    spinner_pays = dict(wheel_pays(resolved))
    shared = {name: weight for name, weight in weights.items() if name not in spinner_pays}
    if not shared:
        return []
    stake, letter = values.get("stake"), resolved.paytable.id
    stated = {ratio(t.stake): t.pays for t in resolved.terms.community.values() if letter in t.paytables}
    table = stated.get(Fraction(stake), {}) if stake is not None and is_number(stake) else {}
    if not table:
        known = " and ".join(f"${x}" for x in stated) or "no stake"
        raise fault(f"community pay is stated for {known}, not for a stake of {stake}", "set it: --set stake=1",
                    file=file)
    if resolved.terms.community_options.paid_for == "hand":
        raise fault("another player's hand is paid a fixed amount, which does not depend on the wheel",
                    "omit the symbols of community pay and set community_pay", file=file)
    for name in shared:
        if name not in table:
            raise fault(f'the community pay of a ${stake} wager has no "{name}"', nearest(name, table), file=file)
    stops = sum(weight for name, weight in weights.items() if name in spinner_pays)
    if sum(shared.values()) > stops:
        raise fault(f"community pay has {sum(shared.values())} stops of {stops}", "count the stops", file=file)
    return [(Fraction(weight, stops), parse_pay(table[name], name).dollars) for name, weight in shared.items()]


def prize(pay: Pay, values: Mapping[str, Exact | None]) -> Exact:
    """Return a symbol's pay in dollars, including the stake if its odds return it."""

    total: Exact = pay.dollars
    for name, share in pay.shares:
        total = total + share * value_of(values, name)
    if pay.odds or pay.stake_back:
        total = total + (pay.odds + int(pay.stake_back)) * value_of(values, "stake")
    return simplify(total)


def expected(prizes: Mapping[str, Exact], weights: Weights) -> Exact:
    """Return the mean prize of a spin in dollars."""
    total = sum(weights.values())
    return simplify(sum((Fraction(weights[name], total) * amount for name, amount in prizes.items()), Fraction(0)))


def extremes(prizes: Mapping[str, Fraction]) -> Iterator[tuple[str, Weights]]:
    """Yield the symbol of the least and of the greatest mean prize, with weights; one symbol has all the weight."""
    for choose in (min, max):
        best = choose(prizes, key=lambda name: prizes[name])
        yield best, {name: int(name == best) for name in prizes}


def weights_for(prizes: Mapping[str, Exact], wanted: Fraction) -> dict[str, int]:
    """Return the smallest whole weights with the expected prize ``wanted``, all equal except that of one symbol.

    Every symbol has at least one stop. The highest-paying symbol has more stops if the plain mean of the prizes is too
    low, the lowest-paying if it is too high. Raises `InputError` if no weights give the prize.
    """
    unset = [name for name, x in prizes.items() if not is_number(x)]
    if unset:
        raise fault(f'the pay of the symbol "{unset[0]}" is not set', "set it with --set", file="--set")
    total, n = sum(prizes.values(), Fraction(0)), len(prizes)
    best = (min if total > n * wanted else max)(prizes, key=lambda name: prizes[name])
    if total == n * wanted:
        return dict.fromkeys(prizes, 1)
    low, high = min(prizes.values()), max(prizes.values())
    if not low < wanted < high:
        raise fault(f"the return requires an expected prize of ${wanted} per spin, which is not between the "
                    f"least prize ${low} and the greatest ${high} of the wheel",
                    f"every printed symbol has a stop: choose a {'higher' if wanted <= low else 'lower'} return")
    more = (total - n * wanted) / (wanted - prizes[best])
    unit = more.denominator
    weights = {name: unit + int(more * unit) * (name == best) for name in prizes}
    if max(weights.values()) > MOST_WEIGHT:
        raise fault(f"the weights would exceed {MOST_WEIGHT:,}", "choose a return that is a simpler fraction")
    return weights


def least_prizes(
    resolved: Resolved, values: Mapping[str, Exact | None]
) -> tuple[dict[str, Exact | None], tuple[str, ...]]:
    """Return the values with the document's minimum for each prize that is not set, and the names of these prizes."""
    letter = resolved.paytable.id
    resets = {m.name: values.get(m.reset_name) for m in meters(resolved)}
    filled, assumed = dict(values), []
    for name in dict.fromkeys(n for _, pay in wheel_pays(resolved) for n in pay.unknowns):
        if filled.get(name) is None:
            text = resolved.unknowns[name].reset.of(letter) if name in resolved.unknowns else None
            least = resets.get(name) if resets.get(name) is not None else None if text is None else ratio(text)
            if least is not None:
                filled[name] = least
                assumed.append(name)
    return filled, tuple(assumed)


def describe(
    resolved: Resolved, values: Mapping[str, Exact | None], weights: Weights, trigger: Fraction,
    rest: Exact, stake_too: bool,
) -> Wheel:
    """Return the wheel of an analysis; ``rest`` is the wager's return apart from spins, per unit staked.

    ``stake_too`` says whether the stake is returned with a prize in dollars.
    """
    pays = dict(wheel_pays(resolved))
    prizes = {name: prize(pay, values) for name, pay in pays.items()}
    mean = expected(prizes, weights) if weights else value_of(values, "spin_of_the_wheel")
    filled, assumed = least_prizes(resolved, values)
    amounts = {name: prize(pay, filled) for name, pay in pays.items()}
    least = greatest = None
    if all(is_number(v) for v in amounts.values()):
        least, greatest = (
            WheelBound(
                name, amounts[name],
                simplify(rest + trigger * pays[name].returned(dict(filled), prize_returns_stake=stake_too)), chosen,
            )
            for name, chosen in extremes(amounts)
        )
    symbols = tuple((name, pay.text) for name, pay in pays.items())
    return Wheel(trigger, symbols, prizes, dict(weights), mean, assumed, least, greatest)
