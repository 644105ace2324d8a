"""The search for paytables finds all solutions in the box and no others; the test tries every paytable."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import combin
from combin.analysis.model import Analysis
from combin.base.errors import InputError
from combin.tools.design import run, search, spans, with_pays
from combin.userfiles.collected import collect

from ..shared import analysed, wager_file

FLUSH = "massachusetts/high-card-flush/flush-bonus/A"


def tried(a: Analysis, texts: list[str], least: Fraction, most: Fraction) -> set[tuple[tuple[str, ...], Fraction]]:
    """The solutions, from a separate analysis of every paytable of the box."""
    wanted = spans(a, texts)
    found = set()
    for pays in product(*(range(s.least, s.most + 1) for s in wanted)):
        words = tuple(s.text(n) for s, n in zip(wanted, pays, strict=True))
        b = with_pays(a, dict(zip([s.outcome for s in wanted], words, strict=True)))
        if least <= b.returned <= most:
            found.add((words, b.returned))
    return found


@pytest.mark.parametrize(
    ("identifier", "decks", "texts", "least", "most"),
    [
        (FLUSH, 1, ["five-card flush=8..11", "six-card flush=60..66", "four-card flush=1..2"], "7/10", "17/20"),
        (FLUSH, 1, ["seven-card flush=250..262"], "0", "1"),
        ("maryland/blackjack/lucky-ladies/A", 6, ["any 20=3..5", "suited 20=8..12"], "7/10", "9/10"),
        # An added outcome may pay a line twice; the line then counts twice.
        ("maryland/blackjack/match-the-dealer/6-decks", 6, ["one suited match=9..12", "one unsuited match=3..5"],
         "9/10", "1"),
    ],
)
def test_the_search_finds_what_trying_every_paytable_finds(
    identifier: str, decks: int, texts: list[str], least: str, most: str
) -> None:
    a = combin.analyze(identifier, decks=decks)
    found = search(a, spans(a, texts), Fraction(least), Fraction(most), any_order=True)
    assert found
    assert {(tuple(d.pays.values()), d.returned) for d in found} == tried(a, texts, Fraction(least), Fraction(most))
    assert len({tuple(d.pays.items()) for d in found}) == len(found)
    assert [d.changes for d in found] == sorted(d.changes for d in found)


def test_a_line_goes_on_paying_no_less_than_one_below_it() -> None:
    a = combin.analyze(FLUSH)
    texts = ["six-card flush=5..15", "five-card flush=5..15"]
    free = search(a, spans(a, texts), Fraction(0), Fraction(2), any_order=True)
    kept = search(a, spans(a, texts), Fraction(0), Fraction(2))
    assert len(free) == 121
    assert len(kept) == 66  # n + n(n − 1)/2 pairs, n = 11, with the first at least the second
    assert all(int(d.pays["six-card flush"].split()[0]) >= int(d.pays["five-card flush"].split()[0]) for d in kept)


def test_a_meter_line_becomes_a_prize() -> None:
    a = combin.analyze("maryland/high-card-flush/progressive/A")
    (top, _), *_ = a.resolved.lines
    with pytest.raises(InputError, match="depends on meter"):
        search(a, spans(a, ["five-card straight flush=200..300"]), Fraction(0), Fraction(1))
    assert spans(a, [f"{top}=5000..5001"])[0].text(5000) == "$5000"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], "no line is varied"),
        (["five-card flush"], "is not a range of pays"),
        (["five-card flush=a..b"], "is not a range of pays"),
        (["five-card flush=9..8"], "has no pay"),
        (["five-card flush=1..99999999999"], "is not a range of pays"),
        (["five card flush=8..9"], 'did you mean "five-card flush"'),
        (["five-card flush=8..9", "five-card flush=8..9"], "given twice"),
    ],
)
def test_what_is_no_box_is_refused(texts: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        run([combin.analyze(FLUSH)], texts, "0", "1")


def test_bounds_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(InputError, match="no return lies between"):
        run([combin.analyze(FLUSH)], ["five-card flush=8..9"], "1", "0.5")


def test_the_forms_say_the_same() -> None:
    import csv
    import io
    import json

    a = combin.analyze(FLUSH)
    texts = ["five-card flush=8..11", "six-card flush=60..66"]
    found = search(a, spans(a, texts), Fraction(3, 4), Fraction(1))
    assert found
    data = json.loads(run([a], texts, "75%", "1", form="json"))
    assert [Fraction(d["return"]["exact"]) for d in data] == [d.returned for d in found]
    rows = list(csv.DictReader(io.StringIO(run([a], texts, "0.75", "1", form="csv"))))
    assert [Fraction(row["exact"]) for row in rows] == [d.returned for d in found]
    assert f"{len(found)} paytable(s) of {FLUSH}" in run([a], texts, "0.75", "1")
    assert run([a], texts, "0.1", "0.2") == f"no paytable of {FLUSH} with these pays returns between 0.1 and 0.2\n"


def test_what_does_not_meet_a_policy_is_left_out() -> None:
    a = combin.analyze("maryland/high-card-flush/flush-bonus/A")
    texts = ["five-card flush=8..12", "six-card flush=75..85"]
    every = run([a], texts, "9/10", "2", form="csv").splitlines()
    sound = run([a], texts, "9/10", "2", policy="combin:sound", form="csv").splitlines()
    assert 1 < len(sound) <= len(every)
    assert set(sound) <= set(every)


def test_the_first_table_found_may_be_written(tmp_path: Path) -> None:
    """The written file holds all lines and has the return found. It replaces no old file."""
    a = combin.analyze(FLUSH)
    asked = (["five-card flush=12..13"], "0", "1")
    path = tmp_path / "designed.toml"
    run([a], *asked, write=str(path))
    found = search(a, spans(a, asked[0]), Fraction(0), Fraction(1))[0]
    book, [identifier] = collect([str(path)])
    b = combin.analyze(identifier, book=book)
    assert (b.returned, b.resolved.paytable.lines[2]) == (found.returned, ("five-card flush", "12 to 1"))
    assert [o for o, _ in b.resolved.paytable.lines] == [o for o, _ in a.resolved.paytable.lines]
    with pytest.raises(InputError, match="exists and is not replaced"):
        run([a], *asked, write=str(path))
    with pytest.raises(InputError, match="no paytable is found that could be written"):
        run([a], asked[0], "99/100", "1", write=str(tmp_path / "none.toml"))
    own = analysed(tmp_path, wager_file("player 2", {"pair": ("pair(player)", "9 to 1")}, decks=(6,)))
    with pytest.raises(InputError, match="is a user-defined wager"):
        run([own], ["pair=8..10"], "0", "1", write=str(tmp_path / "w.toml"))
