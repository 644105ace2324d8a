"""Functions for scripts besides analyses: user-defined wagers, the gate, differences, removal, strategy.

    w = combin.wager(deal="player 2", outcome={"pair": "pair(player)"}, pays={"pair": "11 to 1"}, decks=[6])
    w.analyze().rtp
    combin.check(w, policy="combin:sound").met
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from .base.typed import typed
from .userfiles.catalogue import Listed, Word, analyze, collected, listed, words_of

if TYPE_CHECKING:
    from .analysis.removal import Effect
    from .policy.model import GateReport
    from .tools.diff import Difference

_Words = Word | Listed | Iterable[Word | Listed]


@typed
def wager(
    *,
    deal: str,
    outcome: Mapping[str, str],
    pays: Mapping[str, str],
    decks: int | Iterable[int] = (),
    name: str = "Wager",
    id: str = "own/wager/wager",
    paytable: str = "a",
    **terms: Any,
) -> Listed:
    """Return a user-defined wager with one paytable, as a file of paytables would define it.

    - ``deal``: what is dealt, ``"player 2, upcard 1"``.
    - ``outcome``: a condition on the cards for each outcome; `combin words` lists the vocabulary.
    - ``pays``: the pay of each outcome, in the order in which the lines apply.
    - ``decks``: one number of decks or several.
    - ``terms``: further keys of such a file: ``where``, ``setting``, ``unknown`` and others.

    Raises `InputError`, which lists every fault.

    >>> pair = wager(deal="player 2", outcome={"pair": "pair(player)"}, pays={"pair": "11 to 1"}, decks=6)
    >>> pair.analyze().combinations["pair"]
    3588
    """
    from .userfiles.paytables import add_data

    numbers = [decks] if isinstance(decks, int) else list(decks)
    entry = {"id": id, "name": name, "deal": deal, "outcome": dict(outcome), **terms,
             "paytable": {paytable: dict(pays)}, **({"decks": numbers} if numbers else {})}  # fmt: skip
    book, [identifier] = add_data({"wager": [entry]}, "combin.wager")
    return listed(book.resolve(identifier), book)


@typed
def check(
    paytables: _Words,
    policy: str | PathLike[str],
    *,
    today: str | None = None,
    baseline: str | PathLike[str] | None = None,
    decks: int | Iterable[int] = (),
    partial: bool = True,
    allow_unjudged: bool = False,
) -> GateReport:
    """Return the verdicts of a policy on paytables: ``met``, ``verdicts``, ``summary``.

    - ``policy``: a file, or ``"combin:NAME"`` for one that comes with combin.
    - ``today``: the date that ends waivers, ``"2027-01-31"``; None ends none.
    - ``baseline``: a file of accepted findings.
    - ``decks``: the numbers of decks to check; by default those of the policy and the files.
    - ``partial``: whether a requirement may match none of the paytables.
    - ``allow_unjudged``: whether a paytable of a file may pass that no requirement judges.

    Raises `InputError` for a fault of the policy or of a file.

    >>> report = check("maryland/blackjack/lucky-ladies/A", "combin:sound", decks=6)
    >>> report.met, report.summary
    (True, 'policy met: 3 passed, 0 failed, 1 skipped')
    """
    from .policy.gate import Gate
    from .rulebook.book import extended

    numbers = [decks] if isinstance(decks, int) else list(decks)
    accepted = None if baseline is None else str(baseline)
    gate = Gate(str(policy), today=today, baseline=accepted, partial=partial, allow_unjudged=allow_unjudged,
                decks=numbers)
    given = words_of(paytables)
    for item in given:
        if isinstance(item, Listed):
            gate.book = extended(gate.book)
            gate.book.wagers |= item.book.wagers
    gate.add_all([item.id if isinstance(item, Listed) else item for item in given])
    return gate.report


@typed
def diff(
    old: str | PathLike[str],
    new: str | PathLike[str],
    policy: str | PathLike[str] | None = None,
    *,
    decks: int | Iterable[int] = (),
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
) -> Difference:
    """Return what changed from ``old`` to ``new`` and why: ``changes``, one for each paytable and number of decks.

    Each side is a file, folder, id, glob or path in a git revision (``"main:paytables/"``). A change has the figures
    ``before`` and ``after``, and with a ``policy`` the verdicts that change. Raises `InputError`.

    >>> lucky = "maryland/blackjack/lucky-ladies"
    >>> [change] = diff(f"{lucky}/A", f"{lucky}/B", decks=6).changes
    >>> change.after.returned - change.before.returned
    Fraction(-280821, 3972092)
    """
    from .analysis.request import named_texts
    from .policy.reader import read_policy
    from .tools.diff import Options, difference

    numbers = (decks,) if isinstance(decks, int) else tuple(decks)
    chosen = Options(numbers, named_texts(set, "set"), dict(reading or {}))
    judged = None if policy is None else read_policy(str(policy))
    return difference(str(old), str(new), judged, options=chosen if numbers or set or reading else None)


@typed
def removal(paytable: Word | Listed, **arguments: Any) -> tuple[Effect, ...]:
    """Return the exact change of the return when one card is removed from the shoe, for each type of card.

    An effect has ``card`` (a number), ``copies`` in the shoe, ``returned`` without one of them, and ``change`` of the
    return per unit staked. The arguments are those of `combin.analyze`. Raises `InputError`.

    >>> effects = removal("maryland/blackjack/lucky-ladies/A", decks=6)
    >>> len(effects), sum(e.change * e.copies for e in effects)  # the mean effect is 0
    (52, Fraction(0, 1))
    """
    from .analysis.removal import effects

    return effects(paytable.analyze(**arguments) if isinstance(paytable, Listed) else analyze(paytable, **arguments))


@typed
def strategy(
    game: Word,
    *,
    decks: int | None = None,
    hand: str | None = None,
    upcard: str | None = None,
    board: str | None = None,
    files: Sequence[Word] = (),
    bonus: Sequence[Word] = (),
    without: Sequence[int] | str = (),
    set: Mapping[str, object] | None = None,
    reading: Mapping[str, str] | None = None,
) -> Any:
    """Return the best play of a base game: a summary, the values of one ``hand``, or the cost of strategy ``files``.

    - ``decks``: the number of decks; it may be omitted for a game with only one.
    - ``hand``, ``upcard``, ``board``: cards, ``"Tc 7c 4c Ks Qh Jd 9d"``; the answer has ``best``, ``values`` in
      antes or wagers, and the ``cost`` of each choice.
    - ``files``: strategies to value; the summary has ``strategies`` with their ``returned`` and ``cost``.
    - ``bonus``: side bets in the same seat.
    - ``without``, ``set``, ``reading``: as in `combin.analyze`.

    Raises `InputError`.

    >>> strategy("maryland/high-card-flush/base/A", hand="As Ks Qs 9h 8h 4d 2c").best
    'raise 1x'
    >>> [s.name for s in strategy("maryland/high-card-flush/base/A").strategies][:2]
    ['optimal play', 'raise everything']
    """
    from .analysis.request import card_types, named_texts
    from .base.errors import fault
    from .play.requests import results_of
    from .userfiles.collected import add_side_bets

    book, wanted = collected([game], None)
    book, side_bets = add_side_bets(book, [str(word) for word in bonus])
    items = results_of(book, wanted, hand=hand, board=board, upcard=upcard, decks=decks,
                      files=[str(file) for file in files], bonus=side_bets, without=card_types(without),
                      set=named_texts(set, "set"), reading=reading)  # fmt: skip
    if len(items) != 1:
        raise fault(f"{len(items)} combinations of game and decks match", "name one game, and decks", file="strategy")
    return items[0]
