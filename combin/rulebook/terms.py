"""The schema of rule data: the frozen terms of a wager, in a shipped document or a user's file.

`Terms` has every field of a wager; the classes of `combin.rulebook.model` are the other tables. `base.toml_tables`
reads them. No other room looks up a key of rule data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ..base.toml_tables import BY_BET, UNSTATED, PerPaytable, empty

#: The ways of drawing that determine the value of an unknown.
Way = Literal["by-card", "by-rank", "by-position"]


@dataclass(frozen=True)
class SettingTerms:
    """A quantity that is always a number; without ``default`` if the document states none."""

    text: str = ""
    default: PerPaytable[str] = UNSTATED
    least: str | None = None
    most: str | None = None
    fixed: bool = False
    clause: str = ""


@dataclass(frozen=True)
class Unknown:
    """A quantity that is a symbol in pays; it is a meter if ``resets_on`` names outcomes.

    ``resets`` are the ways to reset the meter that the document allows, by name.
    ``contribution`` and ``secondary`` are the shares of a wager that it fixes.
    ``seed`` is who funds a reset. ``ways`` are ways of drawing that may be given instead of a value.
    """

    text: str = ""
    clause: str = ""
    reset: PerPaytable[str] = UNSTATED
    resets: Mapping[str, str] = empty()
    least: str | None = None
    most: str | None = None
    contribution: PerPaytable[str] = UNSTATED
    secondary: PerPaytable[str] = UNSTATED
    resets_on: PerPaytable[tuple[str, ...]] = UNSTATED
    seed: Literal["operator", "contributions"] = "operator"
    ways: tuple[Way, ...] = ()

    @property
    def is_meter(self) -> bool:
        return bool(self.resets_on.values)


@dataclass(frozen=True)
class ExtraPay:
    """An addition to the lines; ``frequency`` is the unknown probability that it is paid."""

    pays: str
    frequency: str
    clause: str = ""


@dataclass(frozen=True)
class MeterLimit:
    """The least reset and the least maximum of a Must Hit meter, in dollars."""

    reset: str
    maximum: str
    clause: str = ""


@dataclass(frozen=True)
class Companion:
    """The wager and paytable that a promotion goes with, and how it is paid.

    ``lines`` has the line of that wager that each outcome of the promotion takes the place of, if it is paid instead.
    """

    wager: str
    table: str
    paid: Literal["added", "instead"] = "added"
    lines: Mapping[str, str] = empty()


@dataclass(frozen=True)
class DealOptions:
    """How hands are drawn out: the dealer's rule at soft 17, and which hands count as a player's 20."""

    soft_17: Literal["stands", "hits"] = "stands"
    twenty: Literal["final-total", "first-two-cards"] = "final-total"


@dataclass(frozen=True)
class PlayOptions:
    """How play of the base game affects a side bet; by default it does not."""

    spin_needs_dealer: Literal["no", "yes"] = "no"
    discards: Literal["all-seven", "kept-cards-only"] = "all-seven"
    folded: Literal["paid", "forfeited"] = "paid"


@dataclass(frozen=True)
class CommunityTable:
    """What other players are paid if a spin shows two symbols, at one stake in dollars, for some paytables."""

    stake: str
    paytables: tuple[str, ...]
    pays: Mapping[str, str] = empty()


@dataclass(frozen=True)
class CommunityOptions:
    """What community pay depends on: the symbol of another player's spin, or another player's hand."""

    paid_for: Literal["symbol", "hand"] = "symbol"


@dataclass(frozen=True)
class MeterOptions:
    """Whether a share that is paid leaves the meter, and how several winners of one round are paid.

    ``in-turn``: each from the meter at his turn, so the second from what it was reset to; ``split``: winners of the
    whole meter share it equally. ``winners_clause`` is the clause that says so, if one does.
    """

    share_deducted: Literal["yes", "no"] = "yes"
    winners: Literal["in-turn", "split"] = "in-turn"
    winners_clause: str = ""


#: The game of a wager with ``beside``: it is settled on the results of rounds of its base game.
SIDE_BET = "showdown-side-bet"


@dataclass(frozen=True)
class OfferTerms:
    """A choice that is offered to hands from ``needs`` upwards; ``stake`` is a whole choice."""

    stake: str
    needs: str


@dataclass(frozen=True)
class StreetTerms:
    """What is dealt on a street, and what may then be chosen, by name."""

    deal: str
    choices: Mapping[str, str | OfferTerms] = empty()


@dataclass(frozen=True)
class RoundTerms:
    """A round of a game as a file describes it: hands, stakes, streets (see `combin.games.showdown`)."""

    order: str
    player: str
    stakes: Mapping[str, int | str]
    street: tuple[StreetTerms, ...]
    dealer: str = ""
    qualifies: str = ""
    bonuses: Mapping[str, str] = empty()
    equal_choices: Literal["least stake", "greatest stake"] = "least stake"
    ranks: str = "23456789TJQKA"


#: Roles whose cards all seats share; a wager names others in ``shared``.
SHARED = ("dealer", "upcard", "hole card", "board")
#: A role in the text of a deal: its cards, the one rank that they may have, and what the wager sees of them.
ROLE = re.compile(r"(?P<name>[a-z][a-z ]*?) (?P<cards>\d)(?: of (?P<only>[A2-9TJQK]))?(?: by (?P<lens>[a-z]+))?")


def roles_of_text(deal: str) -> Mapping[str, int]:
    """Return the roles of a deal's text with their numbers of cards; empty if it is no list of roles."""
    roles = [ROLE.fullmatch(part.strip()) for part in deal.split(",")]
    return {role["name"]: int(role["cards"]) for role in roles if role} if all(roles) else {}


@dataclass(frozen=True)
class Terms:
    """A wager's terms under chosen readings; pays are not terms but belong to its paytables.

    A wager is one of three kinds:

    - settled on a ``deal`` by ``outcome``: conditions on the cards, by name. Conditions may use
    ``options`` and the parts named in ``where``; an empty condition removes an outcome;
    - settled on a ``deal`` by ``outcomes``, the name of an outcome function. It takes ``options``;
    ``suits`` are the suits that it singles out;
    - a ``game``, which takes ``options`` too. A game that a file describes has its ``round``, and conditions on
    the results of each bet in ``outcome``.

    ``dealer_cards`` is the dealer's share of a hand's cards; all players share those cards. ``shared`` names further
    roles whose cards all players share, in addition to `SHARED`. ``seats`` are the seats of a table, 0 if its document
    states them. ``shoe`` has the numbers of cards of some ranks in a deck that is not one of 52 cards.
    ``added`` are pays that are sums of others. ``second_way`` names the independent settlement of
    `combin.verify` that checks the conditions.
    ``extra`` (additions to the lines), ``wheel`` (symbols and their pays) and ``envy`` (hands and
    what they pay other players) differ by paytable. ``community`` is what other players are paid
    for two symbols. Lines in ``only_at_stake`` are paid only at one stake. A ``promotion`` has no
    stake of its own. A wager that is not ``dealt`` does not depend on the number of decks.
    """

    deal: str = ""
    game: str = ""
    where: Mapping[str, str] = empty()
    outcome: Annotated[Mapping[str, str], BY_BET] = empty()
    round: RoundTerms | None = None
    second_way: str = ""
    outcomes: str = ""
    suits: tuple[str, ...] = ()
    dealer_cards: int = 0
    shared: tuple[str, ...] = ()
    seats: int = 0
    options: Mapping[str, Any] = empty()
    added: Mapping[str, tuple[str, ...]] = empty()
    deal_options: DealOptions = DealOptions()
    shoe: Mapping[str, int] = empty()
    setting: Mapping[str, SettingTerms] = empty()
    unknown: Mapping[str, Unknown] = empty()
    extra: Mapping[str, Mapping[str, ExtraPay]] = empty()
    promotion: bool = False
    dealt: bool = True
    limits: Mapping[str, MeterLimit] = empty()
    #: The wager that a promotion goes with, or the id of a game with a ``round`` on which this is a side bet.
    beside: Companion | str | None = None
    only_at_stake: Mapping[str, str] = empty()
    wheel: Mapping[str, Mapping[str, str]] = empty()
    community: Mapping[str, CommunityTable] = empty()
    community_options: CommunityOptions = CommunityOptions()
    play_options: PlayOptions = PlayOptions()
    meter_options: MeterOptions = MeterOptions()
    envy: Mapping[str, Mapping[str, str]] = empty()
    stake_returned_with_prize: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.beside, str) and not self.game:
            object.__setattr__(self, "game", SIDE_BET)

    @property
    def shared_roles(self) -> tuple[str, ...]:
        """The roles whose cards all seats share."""
        return (*SHARED, *self.shared)

    @property
    def roles(self) -> Mapping[str, int]:
        """The roles of the deal with their numbers of cards; empty if hands are drawn out."""
        return roles_of_text(self.deal)

    @property
    def first_seat(self) -> str:
        """The role with the first player's first card; "" if it is in none, or if hands are drawn out."""
        return next((role for role in self.roles if role not in self.shared_roles), "")

    @property
    def settlement(self) -> str:
        """The name of the independent settlement of the outcomes."""
        return self.second_way or self.outcomes

    @property
    def has_decisions(self) -> bool:
        """Whether the wager is a game with decisions; a promotion has none."""
        return bool(self.game) and not self.promotion and self.game != SIDE_BET

    @property
    def depends_on_play(self) -> bool:
        """Whether a side bet's figure depends on how the base game is played."""
        return self.play_options != PlayOptions()


@dataclass(frozen=True)
class PayoutCap:
    """A payout cap: the maximum that a document lets the operator set on a payout.

    ``wagers`` and ``exempt`` are globs over the document's wagers. ``outcomes`` are the capped
    hands (empty: all). The cap is in force only under the choices of ``reading``.
    ``limit`` names the wager limit to whose win the floor ``at_least`` or the ceiling
    ``at_most`` is raised; it is "" if the document states no amount. ``shared_pair`` is for a
    hand whose maximum is shared between players: each holds a pair of that card, and
    ``most_others`` is the number of other players, by ``others_clause``.
    """

    wagers: tuple[str, ...]
    clause: str
    basis: Literal["round", "hand"]
    text: str
    at_least: str = ""
    at_most: str = ""
    limit: str = ""
    outcomes: tuple[str, ...] = ()
    reading: Mapping[str, str] = empty()
    shared: bool = False
    shared_pair: Mapping[str, str] = empty()
    most_others: str = ""
    others_clause: str = ""
    exempt: tuple[str, ...] = ()
