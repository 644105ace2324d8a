"""Verdicts on published claims.

`judge` compares each claim with the exact value. If the digits differ, it looks for the
cause. A claim is "wrong" only if a cause reproduces the printed digits; without a cause
it is "unexplained".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
from ..rulebook.model import Wager
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
NOTHING_ELSE_GIVES = "no other reading, number of decks, paytable or way of paying tried here gives these digits"
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
    for entry in mapping()["aside"]:
        if claim.number in entry["claims"]:
            return _aside(claim, entry)
    if claim.quantity == "optimal decision":
        return _decision(claim)
    printed, case = claim.printed, case_of(claim)
    if printed is None:
        return ClaimVerdict(claim, NOT_COMPARABLE, reason="no single figure is printed")
    if case is None:
        return _Open(claim, printed).judged()
    if not long and (time := takes_long(claim)):
        return ClaimVerdict(claim, ON_REQUEST, reason=f"each set of rules takes {time}", case=case)
    return _Comparison(claim, printed, settled(case)).judged()


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


@dataclass(frozen=True)
class _Comparison:
    """A claim with one printed figure, and its paytable as it is settled here."""

    claim: Claim
    printed: Printed
    it: SettledClaim

    def verdict(self, word: str, exact: Fraction | None = None, reason: str = "", cause: str = "") -> ClaimVerdict:
        return ClaimVerdict(self.claim, word, exact, reason, self.it.case, cause=cause)

    def judged(self) -> ClaimVerdict:
        """Return the verdict by the quantity that is claimed."""
        if conditions(self.claim.reading).simulated:
            return self._simulated()
        if self.claim.quantity == "combinations":
            return self._known_count() if self.it.analysis.game is not None else self._counted()
        values = candidates(self.claim, self.it)
        if not values:
            return self.verdict(NOT_COMPARABLE, reason="the source does not say enough to compute it")
        return self._agreed(values) or self._figure(values[0].exact)

    def _agreed(self, values: Sequence[Value]) -> ClaimVerdict | None:
        printed = self.printed
        for test, word in ((printed.rounds_from, AGREES), (printed.cut_from, CUT)):
            for value in values:
                if test(value.exact):
                    reason = f"per unit of {value.of}" if value.of and len(values) > 1 else ""
                    if printed.rough and not reason:
                        reason = "as rough as it is printed"
                    return self.verdict(word, value.exact, reason)
        if printed.is_bound and printed.shown(values[0].exact) > printed.value:
            return self.verdict(AGREES, values[0].exact, "a bound, and it holds")
        return None

    def _figure(self, exact: Fraction) -> ClaimVerdict:
        """Return the verdict on other digits than the exact ones."""
        claim, printed = self.claim, self.printed
        if takes_long(claim) and (other := self._one_reading()):
            return other
        cause = self._by_own_counts() or causes.misprinted(printed, exact)
        if cause is None and self.it.analysis.game is None:
            hypotheses = causes.reproduce(claim, self.it.case, printed, _known())
            if hypotheses:
                first, reason = hypotheses[0], _named(hypotheses)
                if first.kind == "reading":
                    return self.verdict(OTHERWISE, first.figure, first.text)
                if printed.digits >= causes.PROOF or first.kind == "odds":
                    return self.verdict(WRONG, exact, reason, first.text)
                return self.verdict(UNEXPLAINED, exact, f"too few digits to prove it: {reason}")
        return self._wrong(exact, cause)

    def _wrong(self, exact: Fraction, cause: Cause | None) -> ClaimVerdict:
        """Return the verdict on a figure that is not the exact one, with its cause or its distance."""
        if cause is not None:
            return self.verdict(WRONG, exact, cause.text)
        notes = [entry["why"] for entry in mapping().get("note", ()) if self.claim.number in entry["claims"]][:1]
        if self.printed.is_near(exact):
            return self.verdict(UNEXPLAINED, exact, "; ".join([ONE_OFF, *notes]))
        return self.verdict(UNEXPLAINED, exact, *notes or [NOTHING_ELSE_GIVES])

    def _one_reading(self) -> ClaimVerdict | None:
        """Return the verdict if one other choice of a reading, everything else as stated, has the printed digits."""
        for reading, choice, other in self.it.analysis.alternatives():
            if isinstance(other, Analysis):
                [value, *_] = candidates(self.claim, SettledClaim(self.it.case, other, self.it.book))
                if self.printed.rounds_from(value.exact):
                    return self.verdict(OTHERWISE, value.exact, f"with {reading} = {choice}")
        return None

    def _by_own_counts(self) -> Cause | None:
        """Return the cause if the figure follows from the counts that the source prints."""
        claim = self.claim
        if not claim.pays or claim.quantity not in ("house edge", "expected value", "break-even meter"):
            return None
        stake = Fraction(dict(self.it.case.settings).get("stake", "1"))
        return causes.own_counts(claim, _groups()[claim.group], claim.pays, self.printed, stake)

    # ---- counts

    def _counted(self) -> ClaimVerdict:
        """Return the verdict on a count, in the unit that fits most counts of the source's table."""
        it, claim, printed = self.it, self.claim, self.printed
        counts = [(c, c.printed.value) for c in _groups()[claim.group] if c.quantity == "combinations" and c.printed]

        def exact(outcome: str, case: SettledClaim = it) -> Fraction | None:
            share = case.share(outcome)
            return None if share is None else share * case.table.deals

        def suited(factor: Fraction) -> int:
            return sum((n := exact(c.outcome)) is not None and n * factor == value for c, value in counts)

        factor, words = max(_factors(it), key=lambda pair: suited(pair[0]))
        right = exact(claim.outcome)
        if right is None:
            return self.verdict(NOT_COMPARABLE, reason="no such outcome is defined here")
        right *= factor
        if right == printed.value:
            return self.verdict(AGREES, right, words)
        wrong = printed.value / factor
        cause = causes.counted_twice(it, claim.outcome, wrong)
        lines = sum(value for c, value in counts if c.outcome != "total")
        if cause is None and claim.outcome == "total" and lines == printed.value:
            cause = Cause("twice", "the sum of the source's lines, hands that it counts twice included", printed.value)
        for kind, text, varied in () if cause else causes.variations(it.case, {}):
            if kind in ("reading", "decks"):
                with suppress(InputError):
                    if exact(claim.outcome, settled(varied)) == wrong:
                        if kind == "reading":
                            return self.verdict(OTHERWISE, printed.value, text)
                        cause = Cause(kind, f"the count of {text}", printed.value)
                        break
        for text, varied in () if cause else causes.other_decks(it.case):
            double_count = causes.counted_twice(settled(varied), claim.outcome, wrong)
            if double_count is not None:
                cause = Cause("twice", f"{double_count.text}, with {text}", printed.value)
                break
        return self._wrong(right, cause or causes.misprinted(printed, right))

    def _known_count(self) -> ClaimVerdict:
        """Return the verdict on a count of a base game that is not one of its outcomes."""
        if self.claim.outcome not in derived.COUNTS:
            return self.verdict(NOT_COMPARABLE, reason="no such count is defined here")
        right = Fraction(derived.COUNTS[self.claim.outcome])
        return self.verdict(AGREES, right) if right == self.printed.value else self._wrong(right, None)

    # ---- simulations

    def _simulated(self) -> ClaimVerdict:
        """Return the verdict on an estimate: its distance in standard errors from the figure of optimal play."""
        exact = candidates(self.claim, self.it)[0].exact
        numbers = conditions(self.claim.reading).numbers
        deals = int(numbers.get("deals", numbers.get("millions", 0) * 10**6))
        if not deals and "standard_error" not in numbers:
            return self.verdict(NOT_COMPARABLE, exact, "a simulation of unknown length")
        is_count = self.claim.quantity == "frequency"
        value = self.printed.value / deals if is_count else self.printed.value
        stated = numbers.get("standard_error") if self.claim.quantity == "expected value" else None
        z = (value - exact) / (stated or root(self._variance(exact) / deals))
        return self.verdict(
            NOT_COMPARABLE, exact * deals if is_count else exact,
            f"an estimate from {f'{deals:,}' if deals else 'sampled'} deals of nearly optimal play; the exact value is "
            f"of optimal play. It lies {decimal(abs(z), 2)} standard errors {'above' if z > 0 else 'below'} it")

    def _variance(self, exact: Fraction) -> Fraction:
        """Return the variance of what is averaged over the deals of a simulation."""
        a, quantity = self.it.analysis, self.claim.quantity
        if quantity == "frequency":
            return exact * (1 - exact)
        if quantity == "average wager":
            rules = game_named(a.resolved.terms.game).module("strategy").rules.rules_of(a.resolved)
            staked = dict(zip(rules.choices, rules.staked, strict=True))
            return Fraction(sum(p * staked[choice] ** 2 for choice, p in a.game.choices.items()) - exact**2)
        if quantity == "variance":
            mean = a.returned
            fourth = sum((o.probability * (o.returned - mean) ** 4 for o in a.outcomes), Fraction(0))
            return Fraction(fourth - a.variance**2)
        return Fraction(a.variance)


def _named(hypotheses: Sequence[Cause]) -> str:
    """Return the first two causes in words."""
    texts = list(dict.fromkeys(c.text for c in hypotheses))[:2]
    return texts[0] if hypotheses[0].kind == "odds" else f"the figure of {' or of '.join(texts)}"


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


@dataclass(frozen=True)
class _Open:
    """A claim with one printed figure whose source does not state the decks or the paytable."""

    claim: Claim
    printed: Printed

    def judged(self) -> ClaimVerdict:
        """Return the verdict, with the paytables and numbers of decks that have the digits."""
        claim, wager = self.claim, with_templates().wagers.get(self.claim.wager)
        stated = (("paytable", claim.pays or claim.is_id), ("number of decks", claim.decks))
        missing = " and ".join(word for word, given in stated if not given)
        if wager is None or wager.has_decisions:
            return ClaimVerdict(claim, NOT_COMPARABLE, reason=f"{missing} not stated")
        if claim.decks is None and (case := case_of(claim, 6)) is not None:
            return self._without_decks(case, missing)
        matches = self._matches(wager)
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

    def _without_decks(self, stated: Case, missing: str) -> ClaimVerdict:
        claim, printed = self.claim, self.printed
        firsts = {decks: value.exact for decks in causes.DECKS
                  for value in causes.figure(claim, stated.but(decks=decks))[:1]}
        numbers = [decks for decks, exact in firsts.items() if printed.rounds_from(exact)]
        if numbers:
            return ClaimVerdict(claim, OTHERWISE, firsts[numbers[-1]],
                                f"with {_decks(numbers)}, which the source does not state",
                                stated.but(decks=numbers[-1]))
        named = self._another_outcome(stated)
        if named:
            word = OTHERWISE if conditions(claim.reading).open_outcome else WRONG
            return ClaimVerdict(claim, word, None, named, stated)
        span = (f": exactly {printed.text(firsts[1])} with 1 deck, {printed.text(firsts[8])} with 8"
                if 1 in firsts and 8 in firsts else "")
        return ClaimVerdict(claim, NOT_COMPARABLE, None,
                            f"the {missing} is not stated, and no number from 1 to 8 has these digits{span}")

    def _matches(self, wager: Wager) -> list[tuple[str, Case, int, Fraction]]:
        """Return paytables with these digits: in words, as cases, the number of decks, the exact value."""
        claim, printed = self.claim, self.printed
        if printed.digits < causes.PROOF or claim.quantity != "house edge" or printed.rough:
            return []
        matches = []
        for decks in [claim.decks] if claim.decks else causes.DECKS:
            base = Case(claim.wager, next(iter(wager.paytables)), None, decks)
            for text, case in [(base.id, base), *causes.other_paytables(base, _known())]:
                matches += [
                    (f"{text} with {_decks([n])}", case, n, v.exact)
                    for n in dict.fromkeys([decks, *causes.DECKS])
                    for v in causes.figure(claim, case.but(decks=n))
                    if printed.rounds_from(v.exact)
                ]
        return matches

    def _another_outcome(self, stated: Case) -> str:
        """Return another outcome and numbers of decks whose probability has the claim's digits."""
        claim, printed = self.claim, self.printed
        if claim.quantity not in ("probability", "hit frequency") or not claim.outcome or printed.digits < causes.PROOF:
            return ""
        matches = [
            (name, decks)
            for decks in causes.DECKS
            for name in settled(stated.but(decks=decks)).masks
            if (share := settled(stated.but(decks=decks)).share(name)) and printed.rounds_from(share)
        ]
        if len(matches) > 2 or not matches:
            return ""
        quoted = " or ".join(f'"{n}"' for n in sorted({name for name, _ in matches}))
        return f"no number of decks has these digits; they are those of {quoted} with {_decks([d for _, d in matches])}"


def _decks(numbers: Sequence[int]) -> str:
    *others, last = numbers
    return f"{', '.join(map(str, others))} or {last} decks" if others else decks_in_words(last)


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
