"""Verdicts on published claims.

`judge` compares each claim with the exact value. If the digits differ, it looks for the
cause. A claim is "wrong" only if a cause reproduces the printed digits; without a cause
it is "unexplained".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial, prod
from typing import Any

from ..analysis.model import Analysis
from ..base.caches import cached
from ..base.errors import CountError, InputError
from ..base.exact import decimal, root
from ..base.exact import decks as decks_in_words
from ..games.registry import game_named
from ..rulebook.terms import roles_of_text
from ..userfiles.templates import with_templates
from ..wagers.wager_outcomes import deal_of
from . import causes, derived, stated_rules
from .causes import Cause
from .claims import Claim, Printed, published
from .figures import Case, SettledClaim, Value, candidates, case_of, mapping, settled
from .words import conditions

AGREES = "agrees"
OTHERWISE = "agrees under another reading"
CUT = "truncated, not rounded"
WRONG = "wrong"
UNEXPLAINED = "unexplained"
NOT_COMPARABLE = "not comparable"
ON_REQUEST = "judged on request"
ONE_OFF = "one off in the last digit"
NOTHING_GIVES = "no other rules that were tried give these digits"
VERDICTS = (AGREES, OTHERWISE, CUT, WRONG, UNEXPLAINED, NOT_COMPARABLE, ON_REQUEST)


@dataclass(frozen=True)
class ClaimVerdict:
    """The verdict on a claim: the exact value (None if there is none) and the reason in words."""

    claim: Claim
    verdict: str
    exact: Fraction | None = None
    reason: str = ""
    case: Case | None = None
    #: The exact values if the claim prints several figures.
    several: str = ""
    #: The first of several causes in the reason.
    cause: str = ""

    @property
    def shown(self) -> str:
        """The exact value in the unit of the claim, with four more digits than the claim."""
        printed = self.claim.printed
        if self.several:
            return self.several
        if self.exact is None or printed is None:
            return ""
        return printed.text(self.exact)


@cached("claims by what they are of", most=1)
def _groups() -> Mapping[tuple[object, ...], list[Claim]]:
    groups: dict[tuple[object, ...], list[Claim]] = defaultdict(list)
    for claim in published():
        groups[claim.group].append(claim)
    return groups


@cached("the paytables of the sources by wager", most=1)
def _known() -> Mapping[str, list[tuple[str, Case]]]:
    """Return the paytables of the sources by wager: a source may print a figure under the wrong one."""
    known: dict[str, dict[Case, str]] = defaultdict(dict)
    for claim in published():
        wager = with_templates().wagers.get(claim.wager)
        if claim.pays and wager is not None and not wager.has_decisions:
            case = case_of(claim, claim.decks or 6)
            if case is not None:
                lines = causes.short_pays(case.lines or ())
                known[claim.wager].setdefault(case.but(decks=6), f"a paytable printed elsewhere ({lines})")
    for entry in mapping().get("paytable", ()):
        case = Case(entry["wager"], entry["name"], tuple(entry["lines"].items()), 6)
        known[entry["wager"]][case] = f"a paytable of {entry['name']}"
    return {wager: [(name, case) for case, name in cases.items()] for wager, cases in known.items()}


def judge_all() -> tuple[ClaimVerdict, ...]:
    """Return the verdict on every claim, in the order of the list."""
    return tuple(judge(claim) for claim in published())


def judge(claim: Claim, *, long: bool = False) -> ClaimVerdict:
    """Return the verdict on a claim; with ``long`` also if its game is expensive to solve."""
    explained = _derived(claim)
    if explained is not None:
        return explained
    if stated_rules.is_stated(claim):
        return _stated(claim, long=long)
    for entry in mapping().get("aside", ()):
        if (
            entry["wager"] == claim.wager
            and entry["text"] in claim.reading
            and claim.quantity in entry.get("quantity", [claim.quantity])
            and entry.get("outcome", "") in claim.outcome
        ):
            return _aside(claim, entry)
    if claim.quantity == "optimal decision":
        return _decision(claim)
    case, printed = case_of(claim), claim.printed
    if printed is None:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason="no single figure is printed")
    if case is None:
        return _open(claim, printed)
    if not long and (time := takes_long(claim)):
        return ClaimVerdict(claim, ON_REQUEST, reason=f"each set of rules takes {time}", case=case)
    it = settled(case)
    if conditions(claim.reading).simulated:
        return _simulated(claim, it, printed)
    if claim.quantity == "combinations":
        return _counted(claim, it, printed)
    values = candidates(claim, it)
    if not values:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason="the source does not say enough to compute it", case=case)
    return _figure(claim, it, printed, values)


def _stated(claim: Claim, *, long: bool) -> ClaimVerdict:
    """Return the verdict on a claim whose source states its rules in words, from stored values if it has them."""
    known, entry = stated_rules.kept(), stated_rules.entry_of(claim)
    values, why = known.get(str(claim.number)), entry.why
    if values is None and not entry.verdict:
        if unknown := stated_rules.unknown_words(claim):
            words = " and ".join(f'"{phrase}"' for phrase in unknown)
            return ClaimVerdict(claim, NOT_COMPARABLE, reason=f"what {words} states is not known here")
        if not long:
            return ClaimVerdict(claim, ON_REQUEST, reason="its value is not stored")
        values = stated_rules.compute(claim)
    values = values or ()
    parts = stated_rules.printed_parts(claim, entry.places)
    exact = values[0] if len(values) == 1 else None
    fraction = any(p.scale == "fraction" for p in parts)
    printed = [*zip(parts, values, strict=False)]
    shown = ", ".join(p.text(v) for p, v in printed)
    shown = shown if len(values) > 1 or fraction else ""

    def verdict(word: str, reason: str = "") -> ClaimVerdict:
        return ClaimVerdict(claim, word, exact, reason, several=shown)

    if values and len(values) == len(parts) and all(p.fits(v) for p, v in printed):
        return verdict(AGREES if all(p.rounds_from(v) for p, v in printed) else CUT)
    word = entry.verdict or UNEXPLAINED
    if entry.other is not None:
        other = known[f"{claim.number}'"]
        ours = parts if entry.part is None else (parts[entry.part],)
        if not all(p.fits(v) for p, v in zip(ours, other, strict=True)):
            raise CountError(f"claim {claim.number}: the other rules of mapping.toml do not give its digits")
    if not values and not entry.verdict:
        return verdict(NOT_COMPARABLE, "the source does not say enough to compute it")
    if not why and len(parts) == 1 and exact is not None and parts[0].is_near(exact):
        why = ONE_OFF
    return verdict(word, why or NOTHING_GIVES)


def takes_long(claim: Claim) -> str:
    """Return the time of solving the claim's game if that is expensive; "" otherwise."""
    wager = with_templates().wagers.get(claim.wager)
    if wager is None or not wager.terms.game:
        return ""
    round = wager.terms.round
    if round is not None and round.dealer and any("board" in roles_of_text(street.deal) for street in round.street):
        return "about 10 s of a processor"
    return game_named(wager.terms.game).takes_long


def _aside(claim: Claim, entry: Mapping[str, Any]) -> ClaimVerdict:
    """Return the verdict on a claim about no paytable here, with the nearest figures under the relevant readings."""
    case, printed, why = case_of(claim), claim.printed, entry["why"]
    values = candidates(claim, settled(case)) if case and entry.get("value", True) else []
    if not values or case is None or printed is None:
        return ClaimVerdict(claim, NOT_COMPARABLE, None, why, case)
    for reading, choice in entry.get("also", {}).items():
        other = candidates(claim, settled(case.but(readings=((reading, choice),))))[0]
        why += f"; with {reading} = {choice} it is {printed.text(other.exact)}"
    return ClaimVerdict(claim, NOT_COMPARABLE, values[0].exact, why, case)


def _derived(claim: Claim) -> ClaimVerdict | None:
    """Return the verdict on a claim that a derived figure explains; None if no derived figure has its digits."""
    printed = claim.printed
    for entry in mapping().get("derived", ()):
        ours = claim.number in entry.get("claims", ()) or (
            entry.get("wager") == claim.wager and entry.get("published") == claim.published)
        if not ours or printed is None:
            continue
        figure = derived.figure(claim, entry)
        if printed.fits(figure):
            case = case_of(claim)
            values = candidates(claim, settled(case)) if case is not None and entry["verdict"] == WRONG else []
            return ClaimVerdict(claim, entry["verdict"], values[0].exact if values else figure, entry["why"], case)
    return None


def _agreed(claim: Claim, printed: Printed, values: Sequence[Value], case: Case) -> ClaimVerdict | None:
    for test, word in ((printed.rounds_from, AGREES), (printed.cut_from, CUT)):
        for value in values:
            if test(value.exact):
                reason = f"per unit of {value.of}" if value.of and len(values) > 1 else ""
                if printed.rough and not reason:
                    reason = "as rough as it is printed"
                return ClaimVerdict(claim, word, value.exact, reason, case)
    if printed.is_bound and printed.shown(values[0].exact) > printed.value:
        return ClaimVerdict(claim, AGREES, values[0].exact, "a bound, and it holds", case)
    return None


def _figure(claim: Claim, it: SettledClaim, printed: Printed, values: Sequence[Value]) -> ClaimVerdict:
    agreed = _agreed(claim, printed, values, it.case)
    if agreed:
        return agreed
    exact = values[0].exact
    if takes_long(claim) and (other := _one_reading(claim, it, printed)):
        return other
    cause = _by_own_counts(claim, it, printed) or causes.misprinted(printed, exact)
    if cause is None and it.analysis.game is None:
        hypotheses = causes.reproduce(claim, it.case, printed, _known())
        if hypotheses:
            first, reason = hypotheses[0], _named(hypotheses)
            if first.kind == "reading":
                return ClaimVerdict(claim, OTHERWISE, first.figure, first.text, it.case)
            if printed.digits >= causes.PROOF or first.kind == "odds":
                return ClaimVerdict(claim, WRONG, exact, reason, it.case, cause=first.text)
            return ClaimVerdict(claim, UNEXPLAINED, exact, f"too few digits to prove it: {reason}", it.case)
    if cause is not None:
        return ClaimVerdict(claim, WRONG, exact, cause.text, it.case)
    return ClaimVerdict(claim, UNEXPLAINED, exact, _distance(claim, printed, exact), it.case)


def _one_reading(claim: Claim, it: SettledClaim, printed: Printed) -> ClaimVerdict | None:
    """Return the verdict if one other choice of a reading, everything else as stated, has the printed digits."""
    for reading, choice, other in it.analysis.alternatives():
        if isinstance(other, Analysis):
            [value, *_] = candidates(claim, SettledClaim(it.case, other, it.book))
            if printed.rounds_from(value.exact):
                return ClaimVerdict(claim, OTHERWISE, value.exact, f"with {reading} = {choice}", it.case)
    return None


def _named(hypotheses: Sequence[Cause]) -> str:
    """Return the first two causes in words."""
    texts = list(dict.fromkeys(c.text for c in hypotheses))[:2]
    return texts[0] if hypotheses[0].kind == "odds" else f"the figure of {' or of '.join(texts)}"


def _distance(claim: Claim, printed: Printed, exact: Fraction) -> str:
    note = next((entry["why"] for entry in mapping().get("note", ()) if claim.number in entry["claims"]), "")
    if printed.is_near(exact):
        return ONE_OFF + (f"; {note}" if note else "")
    return note or "no other reading, number of decks, paytable or way of paying tried here gives these digits"


def _by_own_counts(claim: Claim, it: SettledClaim, printed: Printed) -> Cause | None:
    """Return the cause if the figure follows from the counts that the source prints."""
    if not claim.pays or claim.quantity not in ("house edge", "expected value", "break-even meter"):
        return None
    stake = Fraction(dict(it.case.settings).get("stake", "1"))
    return causes.own_counts(claim, _groups()[claim.group], claim.pays, printed, stake)


# ---- counts


def _factors(it: SettledClaim) -> list[tuple[Fraction, str]]:
    """Return factors by which a source's counts may differ from ours, with a text: ordered deals, a given upcard."""
    a = it.analysis
    deal = deal_of(a.resolved)
    if deal is None or not deal.roles:
        return [(Fraction(1), "")]
    roles = deal.roles
    factors = {Fraction(1): ""}
    for number in range(1, len(roles) + 1):
        for some in combinations(roles, number):
            names = " and ".join(f"the {role.name}'s cards" if role.cards > 1 else role.name for role in some)
            orders = prod(factorial(role.cards) for role in some)
            factors.setdefault(Fraction(orders), f"the source counts orders of {names}")
    factors.setdefault(Fraction(1, 52 * a.decks), "the source counts hands for one given dealer card")
    cards = sum(role.cards for role in roles)
    if len(roles) > 1:
        factors.setdefault(Fraction(prod(factorial(role.cards) for role in roles), factorial(cards)),
                           f"the source counts {cards} cards together, whoever holds them")
    return list(factors.items())


def _counted(claim: Claim, it: SettledClaim, printed: Printed) -> ClaimVerdict:
    """Return the verdict on a count, in the unit that fits most counts of the source's table."""
    if it.analysis.game is not None:
        return _known_count(claim, it, printed)
    table = it.table
    counts = [c for c in _groups()[claim.group] if c.quantity == "combinations" and c.printed]

    def exact(other: Claim) -> Fraction | None:
        share = it.share(other.outcome)
        return None if share is None else share * table.deals

    def suited(factor: Fraction) -> int:
        return sum(1 for c in counts if (n := exact(c)) is not None and c.printed and n * factor == c.printed.value)

    factor, words = max(_factors(it), key=lambda pair: suited(pair[0]))
    right = exact(claim)
    if right is None:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason="no such outcome is defined here", case=it.case)
    right *= factor
    if right == printed.value:
        return ClaimVerdict(claim, AGREES, right, words, it.case)
    cause = causes.counted_twice(it, claim.outcome, printed.value / factor) or _sum_of_lines(claim, counts, printed)
    if cause is None:
        for kind, text, varied in causes.variations(it.case, {}):
            if kind in ("reading", "decks"):
                try:
                    other = settled(varied)
                    share = other.share(claim.outcome)
                except InputError:
                    continue
                if share is not None and share * other.table.deals * factor == printed.value:
                    if kind == "reading":
                        return ClaimVerdict(claim, OTHERWISE, printed.value, text, it.case)
                    cause = Cause(kind, f"the count of {text}", printed.value)
                    break
    if cause is None:
        for text, varied in causes.other_decks(it.case):
            double_count = causes.counted_twice(settled(varied), claim.outcome, printed.value / factor)
            if double_count is not None:
                cause = Cause("twice", f"{double_count.text}, with {text}", printed.value)
                break
    if cause is None:
        cause = causes.misprinted(printed, right)
    if cause is not None:
        return ClaimVerdict(claim, WRONG, right, cause.text, it.case)
    return ClaimVerdict(claim, UNEXPLAINED, right, _distance(claim, printed, right), it.case)


def _known_count(claim: Claim, it: SettledClaim, printed: Printed) -> ClaimVerdict:
    """Return the exact count of a base game that is not one of its outcomes."""
    if claim.outcome not in derived.COUNTS:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason="no such count is defined here", case=it.case)
    right = Fraction(derived.COUNTS[claim.outcome])
    if right == printed.value:
        return ClaimVerdict(claim, AGREES, right, case=it.case)
    return ClaimVerdict(claim, UNEXPLAINED, right, _distance(claim, printed, right), it.case)


def _sum_of_lines(claim: Claim, counts: Sequence[Claim], printed: Printed) -> Cause | None:
    """Return the verdict on a wrong total that is the sum of the source's lines, one of which is wrong."""
    lines = [c.printed.value for c in counts if c.printed and c.outcome != "total"]
    if claim.outcome == "total" and sum(lines) == printed.value:
        return Cause("twice", "the sum of the source's lines, hands that it counts twice included", printed.value)
    return None


# ---- claims with open conditions


def _open(claim: Claim, printed: Printed) -> ClaimVerdict:
    """Return the verdict on a claim without decks or paytable, with paytables and decks that have its digits."""
    wager = with_templates().wagers.get(claim.wager)
    missing = " and ".join(
        word for word, given in (("paytable", claim.pays or claim.is_id), ("number of decks", claim.decks)) if not given
    )
    if wager is None or wager.has_decisions:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason=f"{missing} not stated")
    if claim.decks is None and (stated := case_of(claim, 6)) is not None:
        numbers = [
            d
            for d in causes.DECKS
            for value in causes.figure(claim, stated.but(decks=d))[:1]
            if printed.rounds_from(value.exact)
        ]
        if numbers:
            value = causes.figure(claim, stated.but(decks=numbers[-1]))[0]
            return ClaimVerdict(
                claim,
                OTHERWISE,
                value.exact,
                f"with {_decks(numbers)}, which the source does not state",
                stated.but(decks=numbers[-1]),
            )
        named = _another_outcome(claim, printed, stated)
        if named:
            word = OTHERWISE if conditions(claim.reading).open_outcome else WRONG
            return ClaimVerdict(claim, word, None, named, stated)
        low, high = (causes.figure(claim, stated.but(decks=d)) for d in (1, 8))
        span = (
            f": exactly {printed.text(low[0].exact)} with 1 deck, {printed.text(high[0].exact)} with 8"
            if low and high
            else ""
        )
        return ClaimVerdict(
            claim,
            NOT_COMPARABLE,
            None,
            f"the {missing} is not stated, and no number from 1 to 8 has these digits{span}",
        )
    matches: list[tuple[str, Case, int, Fraction]] = []
    if printed.digits >= causes.PROOF and claim.quantity == "house edge" and not printed.rough:
        for decks in [claim.decks] if claim.decks else causes.DECKS:
            base = Case(claim.wager, next(iter(wager.paytables)), None, decks)
            for text, case in [(base.id, base), *causes.other_paytables(base, _known())]:
                matches += [
                    (f"{text} with {_decks([n])}", case, n, v.exact)
                    for n in dict.fromkeys([decks, *causes.DECKS])
                    for v in causes.figure(claim, case.but(decks=n))
                    if printed.rounds_from(v.exact)
                ]
    if not matches:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason=f"the source does not state the {missing}")
    texts = list(dict.fromkeys(text for text, *_ in matches[:2]))
    named = " or of ".join(texts)
    same_decks = claim.decks is None or any(n == claim.decks for _, _, n, _ in matches)
    _, first, _, exact = matches[0]
    # A paytable of this wager or of a source.
    if same_decks and (first.wager == claim.wager or first.lines is not None):
        return ClaimVerdict(claim, OTHERWISE, exact, f"with {named}; the source does not state the {missing}")
    return ClaimVerdict(claim, WRONG, None, f"the figure of {named}", cause=texts[0])


def _another_outcome(claim: Claim, printed: Printed, stated: Case) -> str:
    """Return another outcome and numbers of decks whose probability has the claim's digits."""
    if claim.quantity not in ("probability", "hit frequency") or not claim.outcome or printed.digits < causes.PROOF:
        return ""
    matches = [
        (name, decks)
        for decks in causes.DECKS
        for name in settled(stated.but(decks=decks)).masks
        if (share := settled(stated.but(decks=decks)).share(name)) and printed.rounds_from(share)
    ]
    names = {name for name, _ in matches}
    if len(matches) > 2 or not matches:
        return ""
    quoted = " or ".join(f'"{n}"' for n in sorted(names))
    return f"no number of decks has these digits; they are those of {quoted} with {_decks([d for _, d in matches])}"


def _decks(numbers: Sequence[int]) -> str:
    *others, last = numbers
    return f"{', '.join(map(str, others))} or {last} decks" if others else decks_in_words(last)


# ---- simulations and decisions


def _simulated(claim: Claim, it: SettledClaim, printed: Printed) -> ClaimVerdict:
    """Return the verdict on an estimate: its distance in standard errors from the figure of optimal play."""
    a = it.analysis
    exact = candidates(claim, it)[0].exact
    numbers = conditions(claim.reading).numbers
    deals = int(numbers.get("deals", numbers.get("millions", 0) * 10**6))
    if not deals and "standard_error" not in numbers:
        return ClaimVerdict(claim, NOT_COMPARABLE, exact, "a simulation of unknown length", it.case)
    number = f"{deals:,}" if deals else "sampled"
    value = printed.value / deals if claim.quantity == "frequency" else printed.value
    error = _standard_error(claim, a, exact, deals)
    z = (value - exact) / error
    distance = f"{decimal(abs(z), 2)} standard errors {'above' if z > 0 else 'below'} it"
    if claim.quantity == "frequency":
        exact *= deals
    return ClaimVerdict(
        claim,
        NOT_COMPARABLE,
        exact,
        f"an estimate from {number} deals of nearly optimal play; the exact value is of optimal play. "
        f"It lies {distance}",
        it.case,
    )


def _standard_error(claim: Claim, a: Analysis, exact: Fraction, deals: int) -> Fraction:
    stated = conditions(claim.reading).numbers.get("standard_error")
    if stated is not None and claim.quantity == "expected value":
        return stated
    mean = a.returned
    if claim.quantity == "frequency":
        variance = exact * (1 - exact)
    elif claim.quantity == "average wager":
        staked = {"fold": 2, **{f"all in {n}x": 2 + n for n in (1, 2, 3)}}
        shares = a.game.choices
        variance = sum(p * staked[c] ** 2 for c, p in shares.items()) - exact**2
    elif claim.quantity == "variance":
        fourth = sum((o.probability * (o.returned - mean) ** 4 for o in a.outcomes), Fraction(0))
        variance = fourth - a.variance**2
    else:
        variance = a.variance
    return root(variance / deals)


def _decision(claim: Claim) -> ClaimVerdict:
    """Return the verdict on a claim about optimal decisions for every three-card flush of a range."""
    from ..games.high_card_flush.solve import flush_of

    case = case_of(claim)
    ends = re.fullmatch(r"three-card flush, (\S+) to (\S+)", claim.outcome)
    meanings = {"always raise": "always", "always fold": "never", "depends on the off-suit cards": "sometimes"}
    if case is None or ends is None or claim.published not in meanings:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason="no play that is analysed here")
    low, high = flush_of(ends[1]), flush_of(ends[2])
    plays = [
        p for p in settled(case).analysis.game.solution.plays() if p.flush.bit_count() == 3 and low <= p.flush <= high
    ]
    verdicts = {p.verdict for p in plays}
    hands = sum(p.hands for p in plays)
    raised = hands - sum(p.chosen[0] for p in plays)
    reason = f"{raised:,} of these {hands:,} hands are raised"
    return ClaimVerdict(claim, AGREES if verdicts == {meanings[claim.published]} else UNEXPLAINED, None, reason, case)
