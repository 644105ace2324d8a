"""Rule data: readings are patches, ids are found, and every paytable of every document can be resolved."""

from dataclasses import replace

import pytest

from combin.base.errors import InputError
from combin.rulebook.book import extended, shipped

#: The id, primary choice and basis of every fixed reading.
PRIMARIES = {
    "ace-in-straight-flush": {"both"},
    "folded-progressive": {"forfeited"},
    "four-card-flush-row": {"as-printed"},
    "discards-and-bonus": {"all-seven"},
    "four-of-a-kind": {"best-pay"},
    "progressive-stake": {"gone"},
    "meter-share-deducted": {"yes"},
    "eight-high-long-flush": {"qualifies"},
    "river-tie": {"fold"},
    "short-flush-ranking": {"by-length-then-ranks"},
    "five-dollar-symbol": {"five-dollars"},
    "spin-needs-dealer": {"no"},
    "dealer-soft-17": {"stands"},
    "busted-dealer-hand": {"counts"},
    "dealer-completes-hand": {"always"},
    "ace-in-between": {"high"},
    "ace-in-a-2": {"high"},
    "ends-in-a-2": {"excluded"},
    "first-seven": {"players-first-card"},
    "ace-in-three-card-poker": {"both"},
    "ace-in-three-cards": {"both"},
    "any-20": {"total-20"},
    "ace-nine-is-20": {"yes"},
    "crown-treasure": {"additional"},
    "match-means": {"rank"},
    "two-matches": {"added"},
    "sevens-counted": {"three-cards"},
    "upcard-luck-upcard": {"upcard-for-all"},
    "soft-total": {"eleven"},
    "super-4-blackjack": {"either-card-up"},
    "house-money-ace": {"both"},
    "bad-beat-twenty": {"final-total"},
    "bad-beat-even": {"to"},
    "free-bonus": {"added"},
    "bonus-spin-trigger": {"blackjack-any-stake-ace-at-five-dollars"},
    "decks-used": {"in-play"},
    "cap-scope": {"lucky-ladies-and-kings-bounty"},
}


def test_every_fixed_reading_is_there_with_its_primary() -> None:
    found: dict[str, set[str]] = {}
    for reading in shipped().readings:
        found.setdefault(reading.id, set()).add(reading.primary.id)
        assert reading.primary.basis in ("text", "sister-clause", "trade-usage"), reading.id
        assert reading.clause, reading.id
        assert all(c.why for c in reading.choices), reading.id
    assert {k: v for k, v in found.items() if k in PRIMARIES} == PRIMARIES


def test_readings_and_findings_bear_on_something() -> None:
    book = shipped()
    ids = book.ids()
    for reading in book.readings:
        assert any(reading.bears_on(i) for i in ids), reading.id
    wagers = [f for f in book.findings if f.wagers]
    assert len(book.findings) > 60
    for finding in wagers:
        assert any(finding in book.findings_of(i) for i in ids), finding.id
    assert len({(f.document.id, f.id) for f in book.findings}) == len(book.findings)


def test_every_paytable_resolves_under_every_choice() -> None:
    book = shipped()
    resolved = 0
    for identifier in book.ids():
        for reading in book.readings_of(identifier):
            for choice in reading.computed:
                item = book.resolve(identifier, {reading.id: choice.id})
                assert item.lines
                assert item.readings[reading.id] == choice.id
                resolved += 1
    assert resolved > 100


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("maryland/high-card-flush/flush-bonus/Z", "did you mean"),
        ("maryland/high-card-flush/flush-bonus", "its paytables are"),
        ("flush-bonus/A", "did you mean"),
        ("nevada/*", "ids begin with"),
    ],
)
def test_an_unknown_id_is_answered_with_a_near_one(pattern: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        shipped().select([pattern])


def test_a_star_crosses_slashes_and_ids_come_once() -> None:
    found = shipped().select(["*/flush-bonus/A", "maryland/high-card-flush/flush-bonus/A"])
    assert found == ["massachusetts/high-card-flush/flush-bonus/A", "maryland/high-card-flush/flush-bonus/A"]


def test_a_document_has_its_own_wagers_only() -> None:
    """An id that begins like those of a document may be of another one."""
    book = extended(shipped())
    wager = book.wagers["maryland/blackjack/7s"]
    other = replace(wager, document=replace(wager.document, id="two", prefix="maryland/blackjack-two"))
    book.with_paytables(other)
    assert (other.id, book.resolve("maryland/blackjack-two/7s/A").wager_id) == ("maryland/blackjack-two/7s",) * 2
    assert book.resolve("maryland/blackjack-two/7s/A").local_id == "7s/A"
    assert book.ids_of(other.document) == [f"{other.id}/{letter}" for letter in wager.paytables]
    assert book.ids_of(wager.document) == shipped().ids_of(wager.document)
