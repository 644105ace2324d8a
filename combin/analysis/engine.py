"""From a resolved paytable to its exact figures: count, settle, analyse, solve.

    a = analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    a.combinations["any 20"]        # an int
    a.rtp                           # a sympy Rational, or an expression in the unknowns
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.errors import CountError, InputError, fault
from ..base.exact import Exact, ratio, simplify
from ..deals.cards import Shoe
from ..games.outcome import Outcome
from ..games.registry import check_shoe, game_of
from ..rulebook import parameters
from ..rulebook.book import Resolved, Rulebook, is_glob, shipped
from ..rulebook.checks import check_options
from ..rulebook.parameters import COUPON, RED_SIDE, wheel_pays
from ..rulebook.pays import LOSS, Pay
from ..wagers.wager_outcomes import deal_of, masks_of
from . import caps
from .additions import Addition, additions
from .analyses import Analyses
from .model import Analysis
from .request import Request, card_types, named_texts, whole_decks
from .settle import settle, table_of

if TYPE_CHECKING:
    from ..deals.player_chart import Chart
    from ..games.model import Game
    from .wheels import Weights, Wheel

#: A request with its resolved paytable and the checked values of its parameters.
_Checked: TypeAlias = "tuple[Request, Resolved, Mapping[str, Exact | None]]"


def run(book: Rulebook, request: Request) -> Analysis:
    """Return the analysis of a request, whose parameters and readings must exist."""
    resolved = book.resolve(request.id, request.reading)
    return _analysis(book, request, resolved, _check(resolved, request))


def _analysis(
    book: Rulebook, request: Request, resolved: Resolved, values: Mapping[str, Exact | None]
) -> Analysis:
    """Return the analysis of a resolved and checked paytable."""
    if values.get(COUPON):
        from .match_play import with_coupon

        resolved = with_coupon(resolved, values)
    game = game_of(resolved)
    if game is None:
        return _settled(book, request, resolved, values)
    return _played(book, request, resolved, values, game)


def _record(
    book: Rulebook, request: Request, resolved: Resolved, values: Mapping[str, Exact | None],
    outcomes: Sequence[Outcome], **figures: Any,
) -> Analysis:
    """Return the analysis with these outcomes, which must partition the deals, and further fields."""
    if sum(o.probability for o in outcomes) != 1:
        raise CountError(f"the outcomes of {request.id} do not partition the deals")
    return Analysis(
        id=request.id,
        name=resolved.name,
        clause=resolved.clause,
        decks=request.decks,
        readings=resolved.readings,
        parameters=parameters.shown(resolved, values),
        outcomes=tuple(outcomes),
        resolved=resolved,
        request=request,
        book=book,
        ask=run,
        **figures,
    )


def _played(
    book: Rulebook, request: Request, resolved: Resolved, values: Mapping[str, Exact | None], game: Game
) -> Analysis:
    """Return the analysis of a solved game; a payout cap in force limits the win of a hand, in antes."""
    from ..games.model import Situation

    check_options(f'the game "{game.name}"', resolved.options, game.takes)
    top = game.top(resolved) if resolved.caps else None
    cap = None if top is None else caps.in_force(resolved, values, [("hand", Pay("hand"), top)])
    most = None if cap is None else cap.amount / cap.stake
    played = game.play(Situation(book, resolved, values, request.decks, request.without, most))
    staked = not resolved.terms.promotion
    outcomes = [dataclass_replace(o, staked=staked, line=o.outcome) for o in played.rows]
    return _record(book, request, resolved, values, outcomes, deals=played.deals, classes=played.classes,
                   game=played.figures, cap=cap)


def _settled(
    book: Rulebook, request: Request, resolved: Resolved, values: Mapping[str, Exact | None]
) -> Analysis:
    """Return the analysis of a wager on dealt cards: the first line that applies settles each class of deals."""
    resolved = _at_stake(resolved, values)
    weights = _fitted(resolved, request)
    shoe, red = Shoe(request.decks, request.without), values.get(RED_SIDE)
    if red is None:
        table = table_of(book, resolved, shoe, values, request.chart)
    else:
        from .double_shoe import table_of_first_seat

        table = table_of_first_seat(resolved, shoe, red)
    settled, lost = settle(table, resolved)
    counts = {name: table.count(mask) for name, _, mask in settled}
    # With weights, a counted case is a pair of a deal and a stop of the wheel.
    stops = sum(weights.values()) or 1
    cases: list[tuple[str, str, Pay, int]] = []
    for name, pay, _ in settled:
        if weights and pay.spin:
            cases += [(name, symbol, won, counts[name] * weights[symbol]) for symbol, won in wheel_pays(resolved)]
        else:
            cases.append((name, "", pay, counts[name] * stops))
    stake_too = resolved.terms.stake_returned_with_prize
    # The amounts of a promotion are dollars, not units of a stake.
    free = resolved.terms.promotion
    dollars = {**values, "stake": Fraction(1)} if free else dict(values)
    paid = [
        (f"{line}, {symbol}" if symbol else line, pay, simplify(pay.returned(dollars, prize_returns_stake=stake_too)))
        for line, symbol, pay, _ in cases
    ]
    cap = caps.in_force(resolved, values, paid, shoe)

    def outcome(name: str, pays: str, count: int, back: Exact, pay: Pay | None = None, **fields: Any) -> Outcome:
        return Outcome(name, pays, count if table.counts_deals else None, Fraction(count, table.deals * stops), back,
                       pay, **fields)

    outcomes = []
    for (name, pay, amount), (line, symbol, _, count) in zip(paid, cases, strict=True):
        parts = ((amount, Fraction(1)),) if cap is None else cap.limited(name, pay, amount)
        back = simplify(sum(x * p for x, p in parts)) if len(parts) > 1 else parts[0][0]
        outcomes.append(outcome(name, pay.text, count, back, pay, staked=not free,
                                parts=parts if len(parts) > 1 else (), line=line, symbol=symbol))
    outcomes.append(outcome(LOSS, LOSS, table.count(lost) * stops, Fraction(0)))
    chances = {n: Fraction(c, table.deals) for n, c in counts.items()}
    if resolved.terms.community_options.paid_for == "hand":  # including hands that do not spin
        chances |= {n: Fraction(table.count(mask), table.deals) for n, mask in masks_of(table, resolved).items()}
    beside = additions(resolved, values, chances)
    deal = deal_of(resolved)
    return _record(
        book, request, resolved, values, outcomes,
        deals=table.deals * stops if table.counts_deals else None,
        classes=table.classes if table.counts_deals else None,
        condition=deal.condition if deal is not None else None,
        additions=beside,
        wheel=_wheel(resolved, values, weights, beside, counts, table.deals),
        cap=cap,
    )


def _check(resolved: Resolved, request: Request) -> dict[str, Exact | None]:
    """Return the values of all parameters. Raises `InputError` for faults that need no counting."""
    if request.decks not in resolved.decks and not (
        request.any_decks and resolved.document.deck_range[0] <= request.decks <= resolved.document.deck_range[1]
    ):
        raise decks_refused(resolved, request.decks)
    check_shoe(resolved.terms)
    weights = _fitted(resolved, request)
    if resolved.terms.game:  # a game checks removed cards by itself
        return parameters.values(resolved, request.set)
    chosen, shoe = request.set, Shoe(request.decks, request.without)
    if any(resolved.unknowns[name].ways for name in chosen if name in resolved.unknowns):
        from .draw_methods import numbers as chances_of

        chosen = chances_of(resolved, chosen, shoe)
    values = parameters.values(resolved, chosen)
    if not weights:
        return values
    from .wheels import community

    return values | community(resolved, dict(request.wheel), values)


def _fitted(resolved: Resolved, request: Request) -> Weights:
    """Return the weights of the wheel's symbols, checked against the paytable; empty without a wheel."""
    if not request.wheel:
        return {}
    from .wheels import fitted

    return fitted(resolved, dict(request.wheel))


def _at_stake(resolved: Resolved, values: Mapping[str, Exact | None]) -> Resolved:
    """Return the paytable without lines that are paid only at another stake."""
    needed = resolved.terms.only_at_stake
    lines = tuple(
        (name, pay) for name, pay in resolved.lines if name not in needed or values.get("stake") == ratio(needed[name]))
    return dataclass_replace(resolved, lines=lines)


def _wheel(
    resolved: Resolved, values: Mapping[str, Exact | None], weights: Weights, beside: Iterable[Addition],
    counts: Mapping[str, int], deals: int,
) -> Wheel | None:
    """Return the paytable's wheel, with the wager's return apart from spins. Returns None without a wheel."""
    if not wheel_pays(resolved):
        return None
    stake_too = resolved.terms.stake_returned_with_prize
    trigger, rest = Fraction(0), sum((a.contribution for a in beside), Fraction(0))
    for name, pay in resolved.payments:
        chance = Fraction(counts[name], deals)
        if pay.spin:
            trigger += chance
        else:
            rest += chance * pay.returned(dict(values), prize_returns_stake=stake_too)
    from .wheels import describe

    return describe(resolved, values, weights, trigger, rest, stake_too)


def decks_refused(resolved: Resolved, decks: int) -> InputError:
    """Return the fault of a number of decks that the deal, the document or the paytable does not allow."""
    least, most = resolved.document.deck_range
    if least == most:
        return fault(f"{resolved.id} is dealt from {'one deck' if most == 1 else f'{most} decks'}, not {decks}",
                     f"omit --decks or give {most}", file="--decks")
    allowed = numbers(resolved.decks)
    if not least <= decks <= most:
        return fault(f"{decks} decks are outside the range of {least} to {most}", f"{resolved.id} is for {allowed}",
                     file="--decks")
    many = "" if resolved.decks == (1,) else "s"
    what = f"{resolved.id} is for {allowed} deck{many}, not {decks} ({resolved.clause})"
    remedy = f"give {allowed}" + (", or --any-decks to ignore this restriction" if resolved.decks_tied else "")
    return fault(what, remedy, file="--decks")


def numbers(decks: Iterable[int]) -> str:
    """Return numbers of decks in words: ``6``, ``4, 6 or 8``, ``1 to 8``."""
    ascending = sorted(decks)
    if len(ascending) > 2 and ascending == list(range(ascending[0], ascending[-1] + 1)):
        return f"{ascending[0]} to {ascending[-1]}"
    *others, last = map(str, ascending)
    return f"{', '.join(others)} or {last}" if others else last


def analyze(
    identifier: str, *, pays: Mapping[str, str] | None = None, book: Rulebook | None = None, **arguments: Any
) -> Analysis:
    """Return the exact analysis of one paytable; the arguments are those of `combin.analyze`.

    >>> a = analyze("maryland/blackjack/in-between/A", decks=6)
    >>> a.deals == 312 * 311 // 2 * 310  # two cards of the player, then the upcard
    True
    """
    book = book or shipped()
    if is_glob(identifier):
        raise fault(f'"{identifier}" is a glob, and analyze takes one paytable', "use analyze_all for a glob",
                    file="ID")
    resolved = book.resolve(identifier, named_texts(arguments.get("reading"), "reading"))
    if pays:
        book = book.with_pays(resolved, pays)
    arguments["decks"] = whole_decks(arguments.get("decks"))
    if arguments["decks"] is None:
        if len(resolved.decks) > 1:
            raise fault(f"{identifier} can be dealt from several numbers of decks", "give one: decks=6")
        [arguments["decks"]] = resolved.decks
    [each] = _requests(identifier, book, **arguments)
    return _analysis(book, *each)


def _wheel_file(items: Sequence[Resolved], wheel: str | Mapping[str, int]) -> Weights:
    """Return the weights of a wheel, read once. Raises `InputError` unless they fit a paytable."""
    from . import wheels

    file = wheels.file_of(wheel)
    weights = wheels.read_weights(file)
    spun = [item for item in items if wheel_pays(item)]
    if not spun:
        raise fault("none of these wagers spins a wheel", "omit it", file=wheels.FLAG)
    for item in spun:
        wheels.fitted(item, weights, file)
    return weights


def _chart_file(items: Sequence[Resolved], chart: str | Chart) -> Chart:
    """Return a playing chart, read once. Raises `InputError` unless a paytable uses it."""
    if not any(map(_by_chart, items)):
        raise fault("none of these wagers is played by a chart", "omit it", file="--chart")
    from ..deals.player_chart import read_chart

    return read_chart(chart) if isinstance(chart, str) else chart


def _by_chart(resolved: Resolved) -> bool:
    deal = deal_of(resolved)
    return deal is not None and deal.by_chart


def not_dealt(resolved: Sequence[Resolved], decks: Sequence[int]) -> InputError:
    """Return the fault that no paytable is dealt from one of the numbers of decks."""
    many = "" if list(decks) == [1] else "s"
    return fault(
        f"none of the {len(resolved)} paytables is dealt from {numbers(decks)} deck{many}",
        f"give {numbers({n for item in resolved for n in item.decks})}",
        file="--decks",
    )


def _requests(
    pattern: str | Iterable[str],
    book: Rulebook,
    *,
    decks: int | Iterable[int] | None = None,
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
    without: Sequence[int] = (),
    any_decks: bool = False,
    wheel: str | Mapping[str, int] | None = None,
    chart: str | Chart = "",
    left_out: list[tuple[str, int]] | None = None,
    found_by_glob: Collection[str] = (),
) -> list[_Checked]:
    given = decks if isinstance(decks, Iterable) else () if decks is None else (decks,)
    wanted = [n for n in map(whole_decks, given) if n is not None]
    chosen, reading = named_texts(set, "set"), named_texts(reading, "reading")
    patterns = [pattern] if isinstance(pattern, str) else list(pattern)
    identifiers = book.select(patterns)
    if not identifiers:
        raise fault("no paytable is named", "give ids or globs")
    named = {p for p in patterns if not is_glob(p)}.difference(found_by_glob)
    book.check_readings(identifiers, reading)
    resolved = [book.resolve(i, reading) for i in identifiers]
    parameters.check_names(resolved, chosen)
    weights = tuple(_wheel_file(resolved, wheel).items()) if wheel is not None else ()
    play = _chart_file(resolved, chart) if chart else None
    requests: list[_Checked] = []
    for item in resolved:
        for n in wanted or book.default_decks(item):
            if n not in item.decks and not any_decks and item.id not in named:
                if left_out is not None:
                    left_out.append((item.id, n))
                continue
            known = {k: v for k, v in chosen.items() if k in parameters.names(item)}
            request = Request(
                item.id,
                n,
                MappingProxyType(known),
                MappingProxyType(reading),
                card_types(without),
                any_decks,
                weights if wheel_pays(item) else (),
                play if _by_chart(item) else None,
            )
            requests.append((request, item, _check(item, request)))
    if not requests:
        raise not_dealt(resolved, wanted)
    return requests


def requests_of(pattern: str | Iterable[str], *, book: Rulebook, **arguments: Any) -> list[Request]:
    """Return the requests of `analyze_all`, checked without counting.

    A number of decks that is not allowed is skipped for ids ``found_by_glob``, as for ids that a glob matches.
    """
    return [request for request, _, _ in _requests(pattern, book, **arguments)]


def analyze_all(pattern: str | Iterable[str], *, book: Rulebook | None = None, **arguments: Any) -> Analyses:
    """Return the analyses of all ids that the pattern matches, at each of their default numbers of decks.

    The arguments are those of `analyze`. ``decks`` is one number or several. If an id does not allow a number, a named
    id raises `InputError`, and an id matched by a glob is skipped; ``left_out`` then receives the id and the number.

    >>> [a.decks for a in analyze_all("maryland/blackjack/lucky-ladies/A", decks=[2, 6])]
    [2, 6]
    """
    book = book or shipped()
    return Analyses(_analysis(book, *each) for each in _requests(pattern, book, **arguments))
