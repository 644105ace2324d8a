"""The first pages of a report: cover, conclusion, requirements, the game in plain words, each wager of a game."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

import combin
from combin.base.errors import CountError, InputError
from combin.pages.blocks import Grid, Words
from combin.policy import Verdict
from combin.report import render
from combin.report.appendix import is_long
from combin.report.conclusion import FAILS, MEETS, NOTHING, OPEN, conclude
from combin.report.identity import ReportRequest
from combin.report.layout import page as page_of
from combin.report.make import Files, make
from combin.report.model import Report
from combin.rulebook.book import shipped
from combin.userfiles.cover import read_cover

from ..shared import wager_file

FLUSH = "massachusetts/high-card-flush/flush-bonus/A"
COVER = """\
laboratory = "Example Laboratories"
client = "Harbor Casino"
report = "EL-1"
received = 2026-10-02
issued = "2026-11-20"
standard = ["205 CMR 147"]

[[signatory]]
name = "A. Tester"
role = "mathematician"
"""

#: A wager on one card of one deck.
OWN = wager_file("player 1", {"ace": ('count(player, "A") == 1', "11 to 1")}, id="house/game/ace")


@pytest.fixture
def cover(tmp_path: Path) -> str:
    path = tmp_path / "cover.toml"
    path.write_text(COVER, encoding="utf-8")
    return str(path)


def report_on(*patterns: str, cover: str | None = None, decks: tuple[int, ...] = ()) -> Report:
    asked = ReportRequest(patterns, decks, quick=True, cover=Path(cover).name if cover else None)
    return make(asked, Files([*patterns, *([cover] if cover else [])]))[0]


def test_a_cover_stands_first_and_its_people_sign(cover: str) -> None:
    found = read_cover(cover)
    assert (found.received, found.issued) == ("2026-10-02", "2026-11-20")
    report = report_on(FLUSH, cover=cover)
    laid = page_of(report).parts
    assert [part.anchor for part in laid][:3] == ["cover", "summary", "scope"]
    page = render(report, "html").decode()
    for words in ("Example Laboratories", "Harbor Casino", "2026-11-20", "A. Tester, mathematician"):
        assert words in page
    assert "Example Laboratories states the figures" in report.conclusion.sentence
    # The digest includes the cover.
    assert report.identity.report_sha256 != report_on(FLUSH).identity.report_sha256


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('client = "Harbor Casino"', 'clinet = "Harbor Casino"', 'unknown key "clinet"'),
        ('report = "EL-1"\n', "", '"report" is missing'),
        ("2026-10-02", '"2 October"', '"2 October" is not a date'),
        ('"2026-11-20"', '"2026-02-30"', '"2026-02-30" is not a date'),
        ('"2026-11-20"', '"2026-09-30"', "before it was received"),
        ('role = "mathematician"', 'rank = "mathematician"', 'unknown key "rank"'),
        ('["205 CMR 147"]', "7", "standard: 7 is not a list of texts"),
        ('"Example Laboratories"', '" "', 'laboratory: is empty'),
    ],
)
def test_a_faulty_cover_is_refused(old: str, new: str, message: str, cover: str) -> None:
    Path(cover).write_text(COVER.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)) as error:
        read_cover(cover)
    assert "cover.toml" in str(error.value)
    if "missing" not in message:
        assert "line " in str(error.value)


def test_three_outcomes_have_three_sentences() -> None:
    (section,) = report_on(FLUSH).sections
    from dataclasses import replace

    from combin.verify.model import Check

    checked = (Check("counts", "another way", "the same"),)
    # No reading bears on the paytable, so nothing but the verdict is open.
    assert section.analysis.return_range is not None
    assert section.analysis.return_range[0].value == section.analysis.return_range[1].value
    alone = {"findings": (), "verification": checked}
    open_point = "the open point listed below, which is to be settled"
    for status, wanted, words in (("pass", MEETS, "meets"), ("undecided", OPEN, open_point),
                                  ("fail", FAILS, "does not meet")):
        s = replace(section, **alone, verdicts=(Verdict(status, "least return"),))
        found = conclude([s], "house", None, quick=False)
        assert found.outcome == wanted
        assert words in found.sentence
    differs = replace(section, findings=(), verification=(Check("counts", "another way", "not", False),))
    assert conclude([differs], None, None, quick=False).outcome == FAILS
    assert conclude([section], None, None, quick=True).outcome == NOTHING
    sampled = tuple(Check("counts", "by sampling", "the same", detects=x)
                    for x in (0.02, 0.125, 0.0001))
    points = conclude([replace(section, findings=(), verification=sampled)], None, None, quick=False).reasons
    assert any("3 counts were checked by sampling; the smallest detectable error is 12 % of a count" in p
               for p in points)


def test_a_wager_of_no_document_is_held_against_none(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    documents, conditions = "the documents and readings named in it", "the conditions of the user's files"
    for patterns, named in (((str(own),), (False, True)), ((FLUSH,), (True, False)), ((str(own), FLUSH), (True, True))):
        sentence = report_on(*patterns).conclusion.sentence
        assert (documents in sentence, conditions in sentence) == named


def test_the_scope_names_what_the_report_holds(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    report, _ = make(ReportRequest((str(own),)), Files([str(own)]))
    words = " ".join(report.scope)
    assert [s.removal for s in report.sections] == [()]  # one deck is shuffled after every round
    assert "effect of removal" not in words
    assert "the document" not in words
    assert "conditions of the user's file" in words


def test_only_words_of_the_conditions_are_explained(tmp_path: Path) -> None:
    """Two pair is not a pair, and a longest straight is not a straight."""
    path = tmp_path / "own.toml"
    path.write_text(wager_file("player 4", {"two": ("two_pair(player)", "5 to 1")}, id="house/game/two"))
    text = render(report_on(str(path)), "markdown").decode()
    listed = text[text.index("Words of the conditions"):].split("\n#")[0]
    assert "two\\_pair" in listed
    assert not re.search(r"\bpair", listed)


def test_every_document_and_wager_is_told_in_plain_words() -> None:
    book = shipped()
    assert len(book.documents) >= 5
    assert [d.id for d in book.documents.values() if len(d.about) < 80] == []
    assert [w.id for w in book.wagers.values() if len(w.about) < 40] == []
    assert all(w.about.endswith(".") for w in book.wagers.values())


def test_the_wagers_of_high_card_flush_add_up_to_the_round() -> None:
    a = combin.analyze("maryland/high-card-flush/base/A")
    assert a.game is not None
    ante, more = a.game.wagers
    assert (ante.name, ante.staked) == ("Ante", 1)
    assert ante.net + more.net == a.game.expected_value
    assert ante.staked + more.staked == a.game.average_wager
    # By hand from the joint table: the Ante wins if the dealer does not qualify and the player did not fold.
    joint = {o.outcome: o.probability for o in a.outcomes}
    unqualified = sum(p for o, p in joint.items() if "does not qualify" in o and not o.startswith("fold"))
    (row,) = [r for r in ante.rows if r.outcome == "dealer does not qualify"]
    assert row.probability == unqualified
    assert sum(r.probability for r in more.rows) == 1


def test_the_law_of_blackjack_parts_into_its_wagers() -> None:
    from combin.games.blackjack.split_values import HandLaw
    from combin.games.blackjack.wager_parts import apart

    # An invented law: blackjack pays 3 to 2, standing wins and loses alike, doubles win, 1/10 of rounds split. Both
    # hands of a split are there in all of them. The first loses, doubled in half of them. The second is not doubled
    # and wins in half of them and pushes in the others.
    tenth = Fraction(1, 10)
    rows = {("blackjack", Fraction(3, 2)): tenth, ("stand", Fraction(1)): 3 * tenth,
            ("stand", Fraction(-1)): 3 * tenth, ("double", Fraction(2)): 2 * tenth}
    each = (HandLaw(tenth, tenth / 2, 0, tenth / 2, 0, tenth / 2), HandLaw(tenth, 0, tenth / 2, 0, 0, 0))
    expected = 3 * tenth / 2 + 4 * tenth - 3 * tenth / 2 + tenth / 2
    original, double, split = apart(rows, each, expected)
    assert (original.staked, original.net) == (1, 3 * tenth / 2 + 2 * tenth - tenth)
    assert (double.staked, double.net) == (Fraction(5, 2) * tenth, 2 * tenth - tenth / 2)
    assert (split.staked, split.net, split.returned) == (tenth, tenth / 2, Fraction(3, 2))
    assert [(r.outcome, r.probability) for r in split.rows] == [
        ("win", tenth / 2), ("push", tenth / 2), ("not made", 9 * tenth)]
    assert all(sum(r.probability for r in w.rows) == 1 for w in (original, double, split))
    with pytest.raises(CountError, match="do not add up to that of the round"):
        apart(rows, each, expected + tenth)
    with pytest.raises(CountError, match="not settled in every round"):
        apart(rows, each[:0], expected)


def test_seven_card_flushes_that_win_are_a_part_of_all_of_them() -> None:
    """The X-tra Bonus of an invented joint table; each cell is settled by hand."""
    import numpy as np

    from combin.games.chase_the_flush.rules import rules_of
    from combin.games.joint import figures

    rules = rules_of(shipped().resolve("maryland/chase-the-flush/base/A"))
    joint = np.zeros((4, 2, 3, 6), dtype=object)
    joint[0, 1, 2, 5] = 2  # 3x wins with a seven-card flush against a dealer who qualifies
    joint[2, 0, 2, 5] = 1  # 1x wins with one against a dealer who does not
    joint[1, 1, 0, 3] = 3  # 2x loses
    joint[3, 1, 0, 0] = 4  # folds
    found = figures(rules, joint, 10, {}, None, lambda boxes, rounds, seed: None)
    ante, bonus, all_in = found.wagers
    assert (ante.net, bonus.net, all_in.net) == (Fraction(2 - 3 - 4, 10), Fraction(3 * 250 - 3 - 4, 10),
                                                 Fraction(2 * 3 + 1 - 3 * 2, 10))
    assert [r.combinations for r in bonus.rows if r.pays == "250 to 1"] == [3]
    assert all_in.staked == Fraction(2 * 3 + 1 + 3 * 2, 10)
    # In every cell the wagers add up to the result of the round.
    for cell in np.ndindex(*joint.shape):
        assert sum(w.settle(*cell)[1] for w in rules.wagers) == rules.net[cell]


def test_every_cell_of_high_card_flush_is_the_sum_of_its_wagers() -> None:
    import numpy as np

    from combin.games.high_card_flush.rules import rules_of

    rules = rules_of(shipped().resolve("maryland/high-card-flush/base/A"))
    for cell in np.ndindex(*rules.net.shape):
        settled = [w.settle(*cell) for w in rules.wagers]
        assert sum(s[1] for s in settled) == rules.net[cell]
        assert sum(s[0] for s in settled) == rules.staked[cell[0]]


def test_long_fractions_stand_in_the_appendix_alone() -> None:
    assert not is_long("1/999999999999")
    assert is_long("1/1000000000000")
    report = report_on("maryland/blackjack/lucky-ladies/A", decks=(6,))
    whole = render(report, "markdown").decode()
    text, _, appendix = whole.partition("Appendix: exact fractions")
    assert appendix
    long_ones = re.findall(r"(?<![\w/])-?\d+/\d+", text)
    assert [f for f in long_ones if is_long(f)] == []
    # Six decks without two queens of hearts: 24 aces and 94 ten-valued cards are left for a dealer's blackjack.
    ways = comb(6, 2) * 24 * 94
    exact = Fraction(ways, comb(312, 2) * comb(310, 2))
    assert any(Fraction(f) == exact for f in re.findall(r"\d+/\d+", whole))


def test_the_summary_leaves_out_what_all_names_share() -> None:
    report = report_on("maryland/blackjack/lucky-ladies/A", "maryland/blackjack/kk/A", decks=(6,))
    (summary,) = [part for part in page_of(report).parts if part.anchor == "summary"]
    (grid,) = [block for block in summary.blocks if isinstance(block, Grid) and block.head[0] == "paytable"]
    assert [row[0] for row in grid.rows] == ["lucky-ladies/A", "kk/A"]
    assert Words("All of these paytables: maryland/blackjack at 6 decks.") in summary.blocks


def test_what_is_no_word_of_the_glossary_is_not_explained() -> None:
    page = render(report_on(FLUSH), "html").decode()
    assert "longest_flush(" in page
    assert "blackjack(" not in page


def test_many_paytables_are_summed_up_by_wager_and_listed_behind() -> None:
    report = report_on("maryland/high-card-flush/flush-bonus/*", "maryland/high-card-flush/straight-flush-bonus/*")
    assert len(report.sections) == 22
    summary, listed = page_of(report).parts[:2]
    by_wager = next(b for b in summary.blocks if isinstance(b, Grid))
    assert [(row[0], row[1]) for row in by_wager.rows] == [("flush-bonus", "15"), ("straight-flush-bonus", "7")]
    returns = [s.analysis.returned for s in report.sections[:15]]
    assert by_wager.rows[0][2:4] == tuple(f"{float(end(returns)) * 100:.4f} %" for end in (min, max))
    assert (listed.anchor, len(listed.blocks[0].rows)) == ("all-paytables", 22)  # type: ignore[union-attr]
    # The summary has no more rows than a page: two wagers, prizes and findings are cut to the first ones.
    assert sum(len(getattr(b, "rows", getattr(b, "items", "x"))) for b in summary.blocks) < 30
