"""The play of blackjack as text, JSON and CSV: chart, exceptions, strategies, one hand, every hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.errors import fault
from ..base.exact import decimal, percent, text
from ..games.blackjack.hands import CLASSES, LETTERS, player_hands
from ..games.blackjack.solve import CHOICES, SPLIT
from ..games.blackjack.strategies import HARD, MEANING, SOFT, UPCARDS, PlayChart
from ..play.best_play import best_play
from ..play.blackjack import SPLIT_ROUNDS, BlackjackAnswer, BlackjackSummary, BothPlayed, every_hand, rule_costs
from .json import value
from .model import decks
from .strategy import Section, strategies_section, valued_record

Item = BlackjackSummary | BlackjackAnswer | BothPlayed


def sections(item: Item) -> list[Section]:
    if isinstance(item, BothPlayed):
        return [_both(item)]
    return _summary(item) if isinstance(item, BlackjackSummary) else [_answer(item)]


def record(item: Item) -> Any:
    if isinstance(item, BothPlayed):
        return _both_record(item)
    return _summary_record(item) if isinstance(item, BlackjackSummary) else _answer_record(item)


def chart_rows(chart: PlayChart) -> list[tuple[str, ...]]:
    """(hand, letters by upcard): hard totals from the top, soft totals, pairs."""
    rows = [(f"hard {t}", *(row[u] for u in UPCARDS)) for t, row in reversed(list(zip(HARD, chart.hard, strict=True)))]
    rows += [(f"soft {t}", *(row[u] for u in UPCARDS)) for t, row in reversed(list(zip(SOFT, chart.soft, strict=True)))]
    order = (0, *range(CLASSES - 1, 0, -1))
    pairs = [(f"{LETTERS[c]}-{LETTERS[c]}", *(chart.pairs[c][u] for u in UPCARDS)) for c in order]
    return rows + [row for row in pairs if set(row[1:]) != {"N"}]


def key_of(rows: list[tuple[str, ...]], sign: str = "") -> str:
    """The letters of a chart's rows with their meaning; ``sign`` follows a letter."""
    used = {letter for row in rows for letter in row[1:]}
    return "; ".join(f"{letter}{sign} {meaning}" for letter, meaning in MEANING.items() if letter in used)


def _summary(s: BlackjackSummary) -> list[Section]:
    a, game, solution = s.analysis, s.analysis.game, s.solution
    hands = player_hands()
    facts = [
        f"{decks(a.decks)}: {' '.join(s.rules)}",
        f"return {percent(a.returned)} = {text(a.returned)}, per wager",
        f"average wager {decimal(game.average_wager, 8)}, element of risk {percent(game.element_of_risk)}",
        "chosen first: " + ", ".join(f"{name} {percent(share)}" for name, share in game.choices.items()),
        "hands of a split are played as the same cards unsplit; pairs are always split again while allowed",
        *(f"a round with a split {name} in {estimate.share:.5f} of cases, an estimate from {SPLIT_ROUNDS:,} rounds "
          f"dealt: standard error {estimate.error:.5f}" for name, estimate in s.split_law.items()),
        f"choices settled exactly {solution.exact_choices}; hands with two choices worth exactly the same "
        f"{len(solution.ties)}",
    ]
    rows = chart_rows(s.chart)
    found = [
        Section(f"{a.id} · {a.name}", facts),
        Section("Chart by total", [key_of(rows)], ("hand", *(LETTERS[u] for u in UPCARDS)), rows, 11),
        Section(
            "Two-card hands that are played otherwise", () if s.exceptions else ("none",),
            ("hand", "against", "chart", "best", "gain, wagers") if s.exceptions else (),
            [
                (hands.name(h), LETTERS[u], said, best, decimal(_gain(s, u, h, said), 8))
                for u, h, said, best in s.exceptions
            ], 4,
        ),
        Section(
            "Hands of three cards and more that are played otherwise",
            (f"{len(s.later)} of them; --format csv lists every hand",),
        ),
        strategies_section("Strategies", a, s.strategies),
    ]
    if s.insurance:
        found.append(Section(
            "Insurance, dealer shows an ace", ("worth per unit insured, before the dealer looks",),
            ("player holds", "worth", "exact"), [(i.hand, decimal(i.worth, 8), text(i.worth)) for i in s.insurance],
        ))
    return found


def _gain(s: BlackjackSummary, upcard: int, hand: int, said: str) -> Any:
    """The gain of a two-card hand's best play over the chart's letter."""
    cell = s.solution.cells[upcard, hand]
    place = {"S": 0, "H": 1, "D": 2, "Ds": 2, "P": SPLIT}.get(said, 4)
    if place not in cell.values:
        place = 0 if said in ("Ds", "Rs") else 1
    return cell.worth(cell.best) - cell.worth(place)


def _answer(a: BlackjackAnswer) -> Section:
    tied = " (another choice is worth exactly as much)" if a.tied else ""
    facts = [f"best: {a.best}{tied}"]
    if a.no_blackjack != 1:
        facts.append(
            f"the dealer has no blackjack with probability {decimal(a.no_blackjack, 8)} = {text(a.no_blackjack)}"
        )
    if a.insurance is not None:
        facts.append(f"insurance is worth {decimal(a.insurance, 8)} = {text(a.insurance)} per unit insured")
    gone = a.analysis.request.without
    if gone:
        from ..deals.cards import names

        facts.append(f"gone from the shoe: {names(gone)}")
    rows = [(n, decimal(v, 8), text(v), decimal(a.cost[n], 8)) for n, v in a.values.items()]
    head = ("choice", "worth, wagers", "exact", "gives up")
    return Section(f"{a.analysis.id}, {a.analysis.decks} deck(s): {a.hand} against {a.upcard}", facts, head, rows)


def _answer_record(a: BlackjackAnswer) -> Any:
    return {
        "id": a.analysis.id, "decks": a.analysis.decks, "hand": a.hand, "upcard": a.upcard, "best": a.best,
        "tied": a.tied, "no_blackjack": value(a.no_blackjack),
        "insurance": None if a.insurance is None else value(a.insurance),
        "choices": {n: {"value": value(v), "cost": value(a.cost[n])} for n, v in a.values.items()},
    }


def _summary_record(s: BlackjackSummary) -> Any:
    a, hands = s.analysis, player_hands()
    return {
        "id": a.id, "name": a.name, "decks": a.decks, "readings": dict(a.readings), "rules": list(s.rules),
        "return": value(a.returned), **{name: value(v) for name, v in a.game.figures().items()},
        "upcards": [LETTERS[u] for u in UPCARDS],
        "chart": {row[0]: list(row[1:]) for row in chart_rows(s.chart)},
        "exceptions": [
            {"hand": hands.name(h), "upcard": LETTERS[u], "chart": said, "best": best}
            for u, h, said, best in s.exceptions
        ],
        "strategies": [valued_record(v) for v in s.strategies],
        "insurance": [{"hand": i.hand, "worth": value(i.worth)} for i in s.insurance],
        "split_estimates": {
            name: {"share": estimate.share, "standard_error": estimate.error, "rounds": SPLIT_ROUNDS}
            for name, estimate in s.split_law.items()
        },
        "hands": [
            {"upcard": u, "hand": h, "best": best, "values": dict(zip(names, worth, strict=True))}
            for u, h, best, names, worth in every_hand(s.solution)
        ],
    }


def table(item: Item) -> str:
    """Every hand as CSV: upcard, hand, best, and the exact value of each choice of two cards."""
    if not isinstance(item, BlackjackSummary):
        raise fault("one hand is no table", "give table, json or markdown", file="--format")
    return best_play(item.analysis).csv()


Titled = tuple[str, tuple[str, ...], tuple[tuple[Any, ...], ...], int, tuple[str, ...], bool]


def tables(s: BlackjackSummary) -> Iterator[Titled]:
    """The tables of a report: title, head, rows, the first column of figures, notes."""
    chart = chart_rows(s.chart)
    hands = player_hands()
    yield "House rules", ("rule",), tuple((rule,) for rule in s.rules), 1, (), False
    yield (
        "Best play by total", ("hand", *(LETTERS[u] for u in UPCARDS)), tuple(chart), 11,
        (f"{key_of(chart, ':')}. The dealer's upcard stands above each column.",), True,
    )
    rows = tuple(
        (hands.name(h), LETTERS[u], said, best, _gain(s, u, h, said)) for u, h, said, best in s.exceptions
    )
    yield (
        "Two-card hands that are played otherwise", ("hand", "against", "chart", "best", "gain, wagers"), rows, 4,
        (f"{len(s.later)} hands of three cards and more are played otherwise too; combin strategy --format csv lists "
         "every hand.",), False,
    )
    yield (
        "Simpler strategies", ("strategy", "found", "return", "cost against optimal play"),
        tuple((v.name, v.found, v.returned, v.cost) for v in s.strategies), 2, (), False,
    )
    yield (
        "What each house rule costs by itself", ("changed rule", "return", "change of the return"),
        tuple((name, returned, change) for name, returned, change in rule_costs(s)), 1,
        ("All other rules as above; each time at best play.",), False,
    )
    if s.insurance:
        worth = tuple((i.hand, i.worth) for i in s.insurance)
        yield "Insurance", ("player holds", "worth per unit insured"), worth, 1, (), False


def _both(b: BothPlayed) -> Section:
    facts = [
        f"wager ${text(b.ante)}, {b.bonus_id} ${text(b.stake)}",
        "the document does not say which hand of a split counts for the side bet: the first one is taken",
    ]
    head = ("play", "base, wagers", "side bet returns", "dollars a round", *CHOICES)
    rows = [
        (
            name, decimal(p.base, 8), percent(1 + p.side), decimal(b.ante * p.base + b.stake * p.side, 8),
            *(percent(share, 2) for share in p.choices.values()),
        )
        for name, p in b.plays
    ]
    return Section(f"{b.base_id} with {b.bonus_id}, {b.decks} deck(s)", facts, head, rows)


def _both_record(b: BothPlayed) -> Any:
    return {
        "id": b.base_id, "with": b.bonus_id, "decks": b.decks, "ante": text(b.ante), "stake": text(b.stake),
        "plays": [
            {
                "play": name, "expected_value": value(p.base), "side_bet_return": value(1 + p.side),
                "dollars_per_round": value(b.ante * p.base + b.stake * p.side),
                "choices": {choice: value(share) for choice, share in p.choices.items()},
            }
            for name, p in b.plays
        ],
    }
