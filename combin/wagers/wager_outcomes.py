"""The outcomes of a wager: conditions, or a registered function.

Only this module knows what a wager sees: its deal with lens and group, computed from the conditions of the
paid outcomes, and the rows of a table that satisfy each outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.caches import cached
from ..base.errors import fault
from ..deals import deal_kinds
from ..deals.cards import Shoe
from ..deals.deal_kinds import Dealt
from ..deals.drawn_roles import hands_of
from ..deals.first_cards import Deal
from ..deals.lenses import Lens, Role
from ..deals.table import Column, Table
from ..rulebook.book import Resolved
from ..rulebook.terms import DealOptions, Terms
from . import check_options, is_own, outcome_function
from .columns import Columns, decided
from .condition_tree import Call, Compare, Constant, Join, Node, RoleCards, parts_of
from .condition_words import role_name
from .conditions import parse, texts
from .sight import seats_of, sight_of
from .vocabulary import WORDS

if TYPE_CHECKING:
    from ..deals.player_chart import Chart

MOST_ROLES, MOST_CARDS = 4, 7
#: The most conditions that are packed into one integer.
MOST_BITS = 62


def is_stated(terms: Terms) -> bool:
    """Whether a wager is settled on dealt cards by conditions; those of a game are about finished rounds."""
    return bool(terms.outcome) and not terms.game


def roles_of(text: str) -> dict[str, int]:
    """Return the roles of a deal with their numbers of cards; raises `InputError` for an invalid deal.

    A hand that is drawn out has `VARIES` cards.
    """
    drawn = hands_of(text)
    roles = drawn or {role.name: role.cards for role in Deal(text).roles}
    for role, cards in roles.items():
        if cards < 1 and not drawn:
            raise fault(f'"{role}" gets no card', "leave it out")
        name = role_name(role)
        if iskeyword(name) or name in WORDS:
            raise fault(f'"{role}" is a word of conditions', "give the role another name")
    if "cards" in roles and len(roles) > 1:
        raise fault('"cards" means all that is dealt', "give the role another name, or deal one role")
    if len(roles) > MOST_ROLES or sum(roles.values()) > MOST_CARDS:
        what = f"{len(roles)} roles" if len(roles) > MOST_ROLES else f"{sum(roles.values())} cards"
        raise fault(f'"{text}" deals {what}', f"deal at most {MOST_CARDS} cards to at most {MOST_ROLES} roles; on more "
                    'cards of one deck, state a side bet of a game: combin init --game, beside = "ID"')
    return roles


def conditions_of(terms: Terms) -> Mapping[str, Node]:
    """Return the conditions of a wager by outcome."""
    return _conditions(terms.deal, tuple(terms.outcome.items()), texts(terms.options), tuple(terms.where.items()))


@cached("conditions of wagers", most=512)
def _conditions(
    deal: str, outcomes: tuple[tuple[str, str], ...], options: tuple[tuple[str, str], ...],
    where: tuple[tuple[str, str], ...],
) -> Mapping[str, Node]:
    roles = roles_of(deal)
    return {outcome: parse(text, roles, dict(options), dict(where)) for outcome, text in outcomes if text}


@dataclass(frozen=True)
class DealtConditions:
    """The conditions of a paytable, applied to a deal's rows."""

    conditions: tuple[Node, ...]
    seats: tuple[tuple[str, tuple[str, ...]], ...]

    def matters(self, columns: Mapping[str, Column], rows: int) -> Column:
        """Return the rows where the seats dealt so far do not decide every condition."""
        seen = Columns(columns, rows, dict(self.seats))
        return ~np.logical_and.reduce([np.logical_or(*decided(node, seen)) for node in self.conditions])

    def __call__(self, columns: Mapping[str, Column]) -> Mapping[str, Column]:
        """Return the rows that satisfy each condition."""
        rows = len(next(iter(columns.values())))
        seen = Columns(columns, rows, dict(self.seats))
        return {met_name(node): seen.value(node) for node in self.conditions}


    def tally(self, size: int, shoe: Shoe) -> tuple[dict[str, Column], Column] | None:
        """Return the deals of one role of ``size`` cards by the conditions that they satisfy.

        Returns None unless all words add up over the ranks (`rank_by_rank`).
        """
        from .rank_by_rank import states_of

        states = states_of(self.conditions, size, shoe)
        if states is None or len(self.conditions) > MOST_BITS:
            return None
        known, ways = states
        seen = Columns({}, len(ways), {}, known)
        code = np.zeros(len(ways), np.int64)
        for node in self.conditions:
            code = code << 1 | seen.value(node)
        codes, index = np.unique(code, return_inverse=True)
        deals = np.zeros(len(codes), np.int64)
        np.add.at(deals, index, ways)
        last = len(self.conditions) - 1
        return {met_name(node): (codes >> last - i & 1).astype(bool) for i, node in enumerate(self.conditions)}, deals


def met_name(condition: Node) -> str:
    """Return the name of a condition's column in a table of conditions."""
    return f"met: {condition!r}"


def deal_of(resolved: Resolved, chart: Chart | None = None, *, whole: bool = False) -> Dealt | None:
    """Return the deal of a paytable's wager as its paid outcomes see it; with ``whole``, as all outcomes see it.

    A ``chart`` is played if the deal takes one. Returns None for a game, which has its own deal.
    """
    terms = resolved.terms
    if not is_stated(terms):
        return deal_kinds.deal_of(resolved, chart)
    if hands_of(terms.deal):
        return _drawn(terms.deal, terms.deal_options, _seen_conditions(resolved, whole))
    return deal_kinds.of_roles(seen_deal(resolved, whole=whole))


def _drawn(text: str, options: DealOptions, conditions: tuple[Node, ...]) -> Dealt:
    """Return a deal that is drawn out, as conditions see it."""
    from .drawn_columns import seen_of

    return deal_kinds.of_drawn_hands(text, options, seen_of(conditions, text, tuple(map(met_name, conditions))))


def counted(
    text: str, outcomes: Mapping[str, str], where: Mapping[str, str], options: DealOptions, shoe: Shoe
) -> tuple[Table, Mapping[str, Column]]:
    """Return the deals of a shoe by conditions of no wager, and the rows that satisfy each."""
    roles = roles_of(text)
    known = {outcome: parse(condition, roles, {}, where) for outcome, condition in outcomes.items()}
    conditions = tuple(dict.fromkeys(known.values()))
    dealt = _drawn(text, options, conditions) if hands_of(text) else deal_kinds.of_roles(
        _deal(text, conditions, conditions, False))
    table = dealt.table(shoe)
    columns = _columns(table, text, dealt.roles, conditions)
    return table, {outcome: columns.value(node) for outcome, node in known.items()}


def _seen_conditions(resolved: Resolved, whole: bool) -> tuple[Node, ...]:
    """Return the conditions of the paid outcomes; with ``whole``, of all outcomes."""
    known = conditions_of(resolved.terms)
    outcomes = known if whole else [outcome for outcome, _ in resolved.payments if outcome in known]
    return tuple(dict.fromkeys(known[outcome] for outcome in outcomes))


def words_of(resolved: Resolved) -> int:
    """Return the number of different nodes in the conditions of the paid outcomes."""
    nodes: set[Node] = set()
    left = list(_seen_conditions(resolved, whole=False))
    while left:
        node = left.pop()
        if node not in nodes:
            nodes.add(node)
            left += parts_of(node)
    return len(nodes)


def seen_deal(resolved: Resolved, *, whole: bool = False) -> Deal:
    """Return the deal of a wager with conditions."""
    terms = resolved.terms
    # One full deck has a joint table of seven cards.
    one_deck = resolved.document.deck_range == (1, 1) and bool(resolved.document.issuer)
    return _deal(terms.deal, tuple(conditions_of(terms).values()), _seen_conditions(resolved, whole), one_deck)


@cached("deals as conditions see them", most=512)
def _deal(text: str, known: tuple[Node, ...], paid: tuple[Node, ...], one_deck: bool) -> Deal:
    plain = {role.name: role for role in Deal(text).roles}
    roles = {name: role.cards for name, role in plain.items()}
    # A role restricted to one rank is a separate seat.
    seats = seats_of(known, roles)
    if any(role.only for role in plain.values()):
        seats = tuple((role,) for role in roles)
    sight = sight_of(paid, seats, roles)
    seen_roles = tuple(
        Role(seat.name, seat.cards, Lens.by_label("what is seen", seat.labels), plain[seat.roles[0]].only,
             tuple((name, roles[name]) for name in seat.roles))
        for seat in sight.seats
    )
    conditions = DealtConditions(paid, tuple((seat.name, seat.roles) for seat in sight.seats))
    joint = one_deck and tuple(roles.values()) == (7,) and _is_joint(paid, roles)
    return Deal(text, seen=seen_roles, kept=sight.group, matters=conditions.matters, summary=conditions, joint=joint)


def masks_of(table: Table, resolved: Resolved, *, whole: bool = False) -> Mapping[str, Column]:
    """Return the rows of every paid outcome, by name, as bool columns of the table.

    They are cached with the table, which all paytables with the same view of a deal share. Outcomes that are
    not paid have rows only in the table of the ``whole`` deal.
    """
    terms = resolved.terms
    if not is_stated(terms):
        key = (terms.outcomes, repr(sorted(resolved.options.items())))
        if key not in table._masks:
            check_options(terms.outcomes, resolved.options)
            table._masks[key] = _by_function(table, resolved)
        masks: Mapping[str, Column] = table._masks[key]
        return masks
    known = conditions_of(terms)
    outcomes = known if whole else [outcome for outcome, _ in resolved.payments]
    columns = table._masks.get("columns")
    if columns is None:
        roles = () if hands_of(terms.deal) else seen_deal(resolved).roles
        columns = table._masks["columns"] = _columns(table, terms.deal, roles, known.values())
    return {outcome: columns.value(known[outcome]) for outcome in outcomes if outcome in known}


def _by_function(table: Table, resolved: Resolved) -> Mapping[str, Column]:
    """Return the masks of an outcome function; a user-defined function is tested first."""
    name, options = resolved.terms.outcomes, resolved.options
    function = outcome_function(name)
    from . import function_checks

    if is_own(function) or resolved.terms.deal in deal_kinds.DRAWN:
        return function_checks.masks_of(lambda t: function(t, **options), table, resolved)
    deal = Deal(resolved.terms.deal, resolved.terms.suits)
    shown = function_checks.seen(table, deal)
    masks = function_checks.masks_of(lambda t: function(t, **options), shown, resolved)
    function_checks.check(lambda t: function(t, **options), masks, table, deal, resolved)
    return masks


def _columns(table: Table, text: str, roles: Iterable[Role], conditions: Iterable[Node]) -> Columns:
    """Return a table's columns for words: cards, features of a histogram, conditions that are evaluated."""
    known = dict(features(table, text))
    known |= {node: table.columns[met_name(node)] for node in conditions if met_name(node) in table.columns}
    seats = {role.name: tuple(name for name, _ in role.parts) for role in roles}
    return Columns(table.columns, len(table), seats, known)


def outcomes_of(table: Table, resolved: Resolved) -> Iterable[str]:
    """Return the names of the outcomes of the wager."""
    return conditions_of(resolved.terms) if is_stated(resolved.terms) else masks_of(table, resolved)


# ---- features that a histogram of seven cards has counted


def features(table: Table, text: str) -> Mapping[Node, Column]:
    """Return the words whose values are columns of a table of seven cards, for its one role."""
    if not any(name in table.columns for name in _FEATURES):
        return {}
    roles, known = roles_of(text), _FEATURES | _BESIDE
    hand = RoleCards(tuple(roles), sum(roles.values()))
    return {
        node: column
        for name, column in table.columns.items()
        for node, column in known.get(name, lambda *_: {})(hand, column).items()
    }


def _straight(*aces: str) -> Any:
    return lambda hand, column: {
        Call("longest_straight_flush", (hand,), options=(("ace", ace),)): column.astype(np.int64) for ace in aces
    }


def _suited_row(hand: RoleCards) -> Node:
    """Whether a hand has the six cards from nine to ace of one suit."""
    each = [tuple(range(13 * s + 7, 13 * s + 13)) for s in range(4)]
    return Join(False, tuple(Compare("==", Call("count", (hand,), cards), Constant(6)) for cards in each))


_FEATURES: dict[str, Any] = {
    "flush": lambda hand, column: {Call("longest_flush", (hand,)): column.astype(np.int64)},
    "straight_flush_both": _straight("both"),
    "straight_flush_high": _straight("high"),
    "straight_flush_from_five": _straight("from-five-cards"),
    "straight_flush_five_only": _straight("five-cards-only"),
    "quads": lambda hand, column: {Call("four_of_a_kind", (hand,)): column == 1},
    "nine_to_ace": lambda hand, column: {_suited_row(hand): column == 1},
}


def _all_of(hand: RoleCards, column: Column) -> Mapping[Node, Column]:
    """Whether a hand is seven cards in sequence of a named suit; the column is 1 for clubs, …, 0 for other hands."""
    runs = [Compare("<=", Constant(7), run) for run in _straight("both", "high")(hand, column)]
    each = [tuple(range(13 * s, 13 * s + 13)) for s in range(4)]
    return {
        Join(True, (run, Compare("==", Call("count", (hand,), cards), Constant(7)))): column == s
        for s, cards in enumerate(each, 1) for run in runs
    }  # fmt: skip


#: Columns of the tables of a base game's play, in addition to those of the joint table.
_BESIDE: dict[str, Any] = {"suit_of_seven": _all_of}


def _is_joint(conditions: Iterable[Node], roles: Mapping[str, int]) -> bool:
    """Whether the joint table of seven cards has everything that the conditions need."""
    empty = np.zeros(0, dtype=np.int64)
    hand = RoleCards(tuple(roles), sum(roles.values()))
    known = {node for find in _FEATURES.values() for node in find(hand, empty)}
    return all(_made_of(node, known) for node in conditions)


def within_best_flush(resolved: Resolved, outcome: str) -> bool:
    """Whether an outcome depends only on the longest flush of seven cards or a straight flush of four or more."""
    conditions = conditions_of(resolved.terms) if is_stated(resolved.terms) else {}

    def within(node: Node) -> bool:
        if isinstance(node, Compare) and isinstance(node.right, Call) and isinstance(node.left, Constant):
            least = node.left.value + (node.sign == "<")
            straight = node.right.word == "longest_straight_flush" and node.right.option("ace") != "low"
            return node.right.word == "longest_flush" or (straight and node.sign in ("<", "<=") and least >= 4)
        return isinstance(node, Join) and all(map(within, node.parts))

    return outcome in conditions and within(conditions[outcome])


def _made_of(node: Node, known: set[Node]) -> bool:
    if node in known or isinstance(node, Constant):
        return True
    return not isinstance(node, Call) and all(_made_of(part, known) for part in parts_of(node))
