"""Sentences of reports against facts from outside: the rule text, counts by hand, cases signed wrongly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, erfc, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import combin
from combin.deals.first_cards import Deal
from combin.games.model import Estimate
from combin.pages.blocks import Grid, Points, Words, walk
from combin.pages.html import of_parts
from combin.pages.markdown import of_parts as in_markdown
from combin.policy import check, read_policy
from combin.report import front
from combin.report.conclusion import OPEN
from combin.report.identity import ReportRequest
from combin.report.layout import page
from combin.report.make import Files, make
from combin.report.model import Report
from combin.report.play_rules import rack_card
from combin.report.profiles import MET, NOT_CHECKED
from combin.tools.audit import ERRORS, by_moments
from combin.tools.audit_results import AuditedPlay
from combin.verify.chance import CHANCE, detectable, judged, poisson_tail
from combin.verify.shoe import deals
from combin.views.model import facts, figures

from ..shared import wager_file
from .reports import METER, report_on

FLUSH = "maryland/high-card-flush/flush-bonus"
BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"
COVER = 'laboratory = "L"\nclient = "C"\nreport = "1"\njurisdiction = "Maryland"\n'
SEVENS = wager_file("player 2, upcard 1", {
    "suited sevens": ('suited(cards) and count(cards, "7") == 3', "500 to 1"),
    "sevens": ('count(cards, "7") == 3', "50 to 1"),
}, decks=(6, 8), id="harbor/blackjack/sevens", name="Sevens")


def words_of(report: Report) -> str:
    """Every text of the pages."""
    texts = []
    for _, part in walk(page(report).parts):
        texts.append(part.title)
        for block in part.blocks:
            texts += [block.text] if isinstance(block, Words) else []
            texts += [f"{a} {b}" for a, b in block.items] if isinstance(block, Points) else []
    return "\n".join(texts)


@pytest.mark.parametrize(("cell", "verdict"), [("300-1", NOT_CHECKED), ("300 to 1", MET)])
def test_odds_whose_word_a_flag_gave_are_not_checked(cell: str, verdict: str, tmp_path: Path) -> None:
    """A client's sheet that writes 300-1 says neither "to" nor "for", whatever --odds says."""
    (tmp_path / "cover.toml").write_text(COVER, encoding="utf-8")
    sheet = f"hand,pays\nseven-card flush,{cell}\nsix-card flush,100 to 1\nfive-card flush,10 to 1\n" \
            "four-card flush,1 to 1\n"
    (tmp_path / "pays.csv").write_text(sheet, encoding="utf-8")
    asked = ReportRequest((f"{FLUSH}=pays.csv",), cover="cover.toml", odds="to", quick=True)
    report, _ = make(asked, Files([f"{FLUSH}={tmp_path / 'pays.csv'}", str(tmp_path / "cover.toml")]))
    row = next(r for r in report.conclusion.requirements if r.id == "COMAR 36.05.03.14 E")
    assert row.verdict == verdict
    assert any('"300-1", with neither' in reason for reason in report.conclusion.reasons) == (verdict == NOT_CHECKED)


def test_a_return_above_all_stakes_is_open_whatever_the_meter_is() -> None:
    """A player who draws to 20 on Bad Beat has more than 100 % before any meter is added."""
    report = report_on(BAD_BEAT, decks=6)
    assert report.conclusion.outcome != OPEN  # without a policy nothing is passed
    (said,) = [reason for reason in report.conclusion.reasons if "above 100 %" in reason]
    assert "of all plays without splits is at least 106.0866 %" in said


def test_the_verdict_names_the_plays_that_were_compared(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('[[rule]]\nname = "x"\napplies_to = ["*"]\ndecks = [6]\nno_player_advantage = true\n', "utf-8")
    book = combin.analyze(BAD_BEAT, decks=6).book
    (bad_beat,) = check(book, [BAD_BEAT], read_policy(str(path)), allow_unjudged=True).verdicts
    unknowns = "lucky_player_frequency, magic_card_frequency and meter"
    assert f"(whatever {unknowns} are) (among plays without splits) is above 100%" in bad_beat.message
    assert "= " not in bad_beat.message  # a bound equals no expression


def test_steps_are_numbered_and_one_deal_serves_all_numbers_of_decks(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(SEVENS, encoding="utf-8")
    report, _ = make(ReportRequest(("own.toml",), (6, 8), quick=True), Files([str(path)]))
    (part,) = [p for _, p in walk(page(report).parts) if p.title == "Rules of play"]
    steps = next(b for b in part.blocks if isinstance(b, Points))
    assert (steps.numbered, len(steps.items)) == (True, 3)
    assert "upcard, 1 card" in steps.items[1][1]
    assert [b.head for b in part.blocks if isinstance(b, Grid)] == [("line", "wins", "misses", "is settled as")]
    assert "<ol><li>" in of_parts([part])
    assert "1. The player places the Sevens wager" in in_markdown([part])
    # A file is no document: it has a digest of its own, and the wager is based on none.
    titles = [name for name, _ in facts(report.sections[0].analysis)]
    assert not {"based on", "document"} & set(titles)
    identity = next(p for _, p in walk(page(report).parts) if p.anchor == "identity")
    assert not any(str(value).startswith(";") for b in identity.blocks for _, value in getattr(b, "rows", ()))


def test_a_rack_card_has_envy_and_no_line_that_loses() -> None:
    """Ch. 12 §E(5): paytable C has an envy bonus of $200 on a $1 wager."""
    assert rack_card(report_on("maryland/high-card-flush/progressive/C").sections[0]).endswith(
        "Envy bonus for another player's hand, for $1 staked: seven-card straight flush $200; six-card straight flush "
        "$200.")
    assert "lose" not in rack_card(report_on("maryland/high-card-flush/base/A").sections[0])


def test_a_hit_is_certain_in_no_number_of_rounds() -> None:
    shown = {f.name: f.words for f in figures(combin.analyze("maryland/high-card-flush/progressive/C"))}
    assert shown["probability of a hit within 10,000,000 rounds"] == "> 99.999999 %"


def test_tables_of_wagers_that_are_alike_are_given_once() -> None:
    (s,) = report_on("maryland/high-card-flush/base/A").sections
    ante, bet = s.analysis.game.wagers
    game = replace(s.analysis.game, wagers_of=lambda: (ante, bet, replace(ante, name="Second ante")))
    twice = replace(s, analysis=SimpleNamespace(game=game))  # type: ignore[arg-type]
    part = front.wagers(twice)
    assert part is not None
    assert [p.title for p in part.parts] == ["Ante", "Raise"]
    assert part.parts[0].blocks[0] == Words("The same table applies to: Second ante.")


def test_the_tests_of_combin_are_named_once_and_not_called_a_check() -> None:
    report = report_on(f"{FLUSH}/A", f"{FLUSH}/B")
    found = [p for _, p in walk(page(report).parts) if any("tests/" in str(b) for b in p.blocks)]
    assert [p.title for p in found] == ["Annex: tests"]
    assert "They were not run for this report." in words_of(report)


def test_no_page_says_what_a_laboratory_cannot_defend() -> None:
    said = words_of(report_on(f"{FLUSH}/A", METER)).lower()
    for phrase in (" told", "printed by the casino", "ace=ace", "github.com", "code of its own", "as the words tell"):
        assert phrase not in said, phrase


@pytest.mark.parametrize(("text", "decks", "number"), [
    ("player 5, upcard 1 of A", 1, 4 * comb(51, 5)),
    ("upcard 1 of A, hole card 1", 6, 24 * 311),
    ("upcard 1 of A, hole card 1 of A", 6, 24 * 23),
])
def test_deals_of_a_role_of_one_rank(text: str, decks: int, number: int) -> None:
    """The ace is one of four in a deck, whichever role is dealt first."""
    assert deals(Deal(text).roles, decks) == number


def test_the_smallest_detectable_error_is_one_that_fails() -> None:
    """By the sample itself: a probability that is larger by a little more fails a mean sample, by a little less not."""
    for p, rounds in ((Fraction(1, 10), 50_000), (Fraction(1, 13_000), 50_000)):
        detects = detectable(p, rounds)
        for factor, passes in ((Fraction(9, 10), True), (Fraction(12, 10), False)):
            count = round(rounds * p * (1 + Fraction(detects) * factor))
            assert judged("x", count, rounds, p, 1).passed == passes
    assert poisson_tail(2, 50_000 / 10**7) <= CHANCE < poisson_tail(1, 50_000 / 10**7)
    assert detectable(Fraction(1, 10**7), 50_000) == pytest.approx(2 / 0.005 - 1)


def test_an_estimated_variance_is_taken_from_its_upper_bound() -> None:
    """The p-value by hand: the exact mean, a normal distribution, and the variance five standard errors larger."""
    a: Any = SimpleNamespace(
        has_stake=True, returned=Fraction(998, 1000), additions=(), variance=None, distribution=None,
        top_pay=Fraction(8),
        estimates={"variance": Estimate(Fraction(7272, 10_000), Fraction(252, 10**6), "rounds dealt")})
    test = by_moments(a, AuditedPlay("all", 50_000, handle=Fraction(10**6), win=Fraction(9_000)))
    away = abs(0.991 - 0.998) / sqrt((0.7272 + ERRORS * 0.000252) / 50_000)
    assert test.p == pytest.approx(erfc(away / sqrt(2)), rel=1e-9)
    assert "estimated variance" in test.method


def test_every_other_seat_has_an_envy_bonus_in_the_liability() -> None:
    """Ch. 12 §E(3), (5): one seat has the meter, five the reset of $5,000, and each $200 for each of five others."""
    report, _ = make(ReportRequest(("maryland/high-card-flush/progressive/C",), set={"meter": "12000"}, quick=True),
                     Files())
    (s,) = report.sections
    assert s.exposure is not None
    assert (s.exposure.seats, s.exposure.most) == (6, (12_000 + 5 * 200 - 1) + 5 * (5_000 + 5 * 200 - 1))
