"""The number of classes of a deal by Burnside's lemma, without forming classes or listing deals.

The number of classes is the mean, over the group, of the number of deals that a suit permutation fixes. A fixed deal
draws equally from all labels of a cycle of the permutation. Cycles are therefore independent: a product of polynomials,
with one variable for each role, counts the deals. A label of a coarse lens contains several labels of a finer one; both
roles together draw from it at most what the shoe has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ..base.caches import cached
from ..base.errors import CountError
from .cards import CARD_TYPES, Permutation, permute
from .classes import Classes
from .lenses import Role, chain

#: Numbers of ways, by the number of cards that each role draws.
Ways = dict[tuple[int, ...], int]
Cards = frozenset[int]


def burnside_classes(classes: Classes) -> int:
    """Return the number of orbits under the group. Raises `CountError` if the permutations are not a group."""
    roles = chain(classes.roles, classes.in_order)
    most = tuple(role.cards for role in roles)
    fixed = 0
    for permutation, conjugates in _conjugates(classes.group).items():
        factors = Counter(
            tuple(sorted(ways.items()))
            for ways in _factors(classes, roles, most, permutation, len(roles) - 1, frozenset(range(CARD_TYPES)))
        )
        fixed += conjugates * _product(frozenset(factors.items()), most).get(most, 0)
    orbits, rest = divmod(fixed, len(classes.group))
    if rest:
        raise CountError("Burnside: the fixed deals are not a multiple of the group's order")
    return orbits


@cached("conjugate permutations of suits", most=64)
def _conjugates(group: tuple[Permutation, ...]) -> Mapping[Permutation, int]:
    """Return one permutation of each conjugacy class, which fixes as many deals as the others, and their number."""
    conjugates = (min(tuple(by[p[by.index(suit)]] for suit in range(4)) for by in group) for p in group)
    return Counter(conjugates)  # type: ignore[arg-type]


def _factors(
    classes: Classes, roles: tuple[Role, ...], most: tuple[int, ...], permutation: Permutation, index: int, cards: Cards
) -> Iterator[Ways]:
    """Yield what the roles up to ``index`` draw from some cards: one factor for each cycle of that role's labels."""
    if index < 0:
        return
    label = roles[index].lens.label
    left = set(cards)
    while left:
        first = min(left)
        here = frozenset(c for c in left if label[c] == label[first])
        length, power, image = 0, (0, 1, 2, 3), here
        while not length or image != here:
            left -= image
            length += 1
            power = tuple(permutation[s] for s in power)  # type: ignore[assignment]
            image = frozenset(permute(permutation, c) for c in image)
        held = sum(classes.shoe.copies[c] for c in here)
        allowed = held if all(roles[index].may_be(c) for c in here) else 0
        ways: Ways = {(0,) * len(most): 1}
        for factor in _factors(classes, roles, most, power, index - 1, here):
            ways = _times(ways, factor, most)
        drawn = {
            tuple(n + m * (i == index) for i, n in enumerate(cards_of)): number
            for cards_of, number in ways.items()
            for m in range(min(allowed, most[index], held - sum(cards_of)) + 1)
        }
        scaled = {tuple(length * n for n in cards_of): number for cards_of, number in drawn.items()}
        yield {k: n for k, n in scaled.items() if all(a <= b for a, b in zip(k, most, strict=True))}


def _times(one: Ways, other: Ways, most: tuple[int, ...]) -> Ways:
    product: Ways = {}
    for a, n in one.items():
        for b, m in other.items():
            key = tuple(x + y for x, y in zip(a, b, strict=True))
            if all(x <= y for x, y in zip(key, most, strict=True)):
                product[key] = product.get(key, 0) + n * m
    return product


@cached("ways to draw the cards that a permutation fixes", most=256)
def _product(factors: Iterable[tuple[tuple[tuple[tuple[int, ...], int], ...], int]], most: tuple[int, ...]) -> Ways:
    product: Ways = {(0,) * len(most): 1}
    for items, exponent in factors:
        square = dict(items)
        while exponent:
            if exponent & 1:
                product = _times(product, square, most)
            exponent >>= 1
            if exponent:
                square = _times(square, square, most)
    return product
