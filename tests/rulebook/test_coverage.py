"""The clauses of the documents hold every mention of money in the texts, and name only existing parts."""

import importlib.util
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combin.base.errors import InputError
from combin.rulebook import shipped
from combin.rulebook.book import matches
from combin.rulebook.coverage import Clause, clauses_of, read_clauses
from combin.rulebook.pays import parse_pay
from combin.views.coverage import render

DATA = Path(__file__).parents[1] / "data" / "money"
DOCUMENTS = sorted(path.stem for path in DATA.glob("*.txt"))
#: A folder with the texts, if there is one.
TEXTS = os.environ.get("COMBIN_RULE_TEXTS", "")


def clause_of(place: str, clauses: Sequence[Clause]) -> Clause | None:
    """The entry that holds a clause of the text: the most particular one."""
    return max((c for c in clauses if c.holds(place)), key=lambda c: len(c.clause), default=None)


def mentions(document: str) -> list[tuple[str, str]]:
    lines = (DATA / f"{document}.txt").read_text(encoding="utf-8").splitlines()[1:]
    return [(place, words) for place, words in (line.split("\t") for line in lines)]


def test_the_data_are_of_the_texts_that_are_transcribed() -> None:
    assert sorted(shipped().documents) == DOCUMENTS
    for document in DOCUMENTS:
        first = (DATA / f"{document}.txt").read_text(encoding="utf-8").splitlines()[0]
        assert first == f"sha256\t{shipped().documents[document].sha256}"


@pytest.mark.skipif(not TEXTS, reason="COMBIN_RULE_TEXTS names no folder of rule texts")
def test_the_data_are_what_the_texts_say() -> None:
    spec = importlib.util.spec_from_file_location("money_in_text", Path(__file__).with_name("money_in_text.py"))
    assert spec is not None
    assert spec.loader is not None
    reader: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    for document in DOCUMENTS:
        raw = (Path(TEXTS) / f"{document}.txt").read_bytes().decode()
        assert reader.written(raw) == (DATA / f"{document}.txt").read_text(encoding="utf-8")
        # A plain count of the words shows that the search leaves no mention out.
        words = [w for _, w in mentions(document)]
        assert sum("$" in w for w in words) == raw.count("$")
        assert sum(w.lower().startswith("payout") for w in words) == len(re.findall(r"\bpayouts?\b", raw, re.I))
        assert sum(w.endswith("%") for w in words) == raw.count("%")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_mention_of_money_is_held_by_a_clause(document: str) -> None:
    clauses = clauses_of(document)
    found = mentions(document)
    assert len(found) > 10
    assert [m for m in found if clause_of(m[0], clauses) is None] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_odds_and_prize_of_a_clause_is_paid_by_the_paytables_that_it_names(document: str) -> None:
    book, clauses = shipped(), clauses_of(document)
    prefix = book.documents[document].prefix + "/"
    compared = 0
    for place, words in mentions(document):
        clause = clause_of(place, clauses)
        assert clause is not None
        wanted = re.fullmatch(r"([\d,.]+) (to|for) 1", words)
        if wanted is None or place.startswith(("Ch. 2", "Ch. 8")):
            continue
        here = [i for i in book.ids() if i.startswith(prefix) and any(matches(i, prefix + g) for g in clause.computed)]
        paid = set()
        for i in here:
            wager, table = book.find(i)
            tables = (dict(table.lines), *wager.terms.wheel.values(), *(t.pays for t in wager.terms.community.values()),
                      *({n: e.pays for n, e in extra.items()} for extra in wager.terms.extra.values()))
            pays = [parse_pay(pay, name) for lines in tables for name, pay in lines.items()]
            pays += [parse_pay(pay, name) for r in book.readings_of(i) for c in r.choices
                     for lines in c.patch.get("pays", {}).values() for name, pay in lines.items() if pay]
            paid |= {(pay.odds, "to" if pay.stake_back else "for") for pay in pays}
        amount = Fraction(wanted[1].replace(",", ""))
        known = paid | {(amount, "to")} if words == "5 to 1" and place == "Ch. 12 §D(2)" else paid  # five-dollar-symbol
        assert (amount, wanted[2]) in known, (place, words)
        compared += 1
    assert compared >= {"maryland-blackjack": 200, "maryland-high-card-flush": 80, "maryland-chase-the-flush": 30}.get(
        document, 0)


def test_every_wager_is_computed_under_a_clause() -> None:
    book = shipped()
    for document in DOCUMENTS:
        clauses = [c for c in clauses_of(document) if c.computed != ("*",)]
        paytables = [book.resolve(i) for i in book.ids() if i.startswith(book.documents[document].prefix + "/")]
        assert [p.id for p in paytables if not any(c.bears_on([p]) for c in clauses)] == []


def test_every_reading_stands_at_a_clause() -> None:
    book = shipped()
    for document in DOCUMENTS:
        named = {name for c in clauses_of(document) for name in c.readings}
        assert {r.id for r in book.readings if r.document.id == document} - named == set()


def test_a_clause_holds_what_is_below_it_and_no_other_number() -> None:
    clauses = (Clause("Ch. 1", "a"), Clause("Ch. 1 §A(1)", "b"))
    assert clause_of("Ch. 1 §A(1)(a)", clauses) is clauses[1]
    assert clause_of("Ch. 1 §A(12)", clauses) is clauses[0]
    assert clause_of("Ch. 12 §A(1)", clauses) is None


def test_faults_of_clauses_are_told_at_their_lines() -> None:
    text = """[[clause]]
clause = "§1"
says = "x"
computed = ["flush-bonos/*"]
readings = ["four-card-flush-rows"]

[[clause]]
clause = "§1"
says = "x"
computd = ["*"]

[[clause]]
clause = "§2"
says = "x"

[[clause]]
clause = "§1"
says = "y"
findings = ["posted-payables"]
"""
    with pytest.raises(InputError) as caught:
        read_clauses(text, "massachusetts-high-card-flush", shipped())
    told = "\n".join(str(f) for f in caught.value.faults)
    for words in ("line 4", '"four-card-flush-rows"', "computd", "nothing says where", "occurs twice",
                  'did you mean "posted-payable"'):
        assert words in told
    assert len(caught.value.faults) == 6
    with pytest.raises(InputError, match="no document"):
        clauses_of("maryland-black")


def test_each_form_has_every_clause() -> None:
    book = shipped()
    found = [(book.documents[d], clauses_of(d)) for d in DOCUMENTS]
    every = [c for _, clauses in found for c in clauses]
    for form in ("text", "markdown"):
        shown = " ".join(render(found, form, book, 100).replace("\\", "").split())
        assert [c.clause for c in every if " ".join(c.says.split()) not in shown] == []
    records = json.loads(render(found, "json", book, 100))
    assert Counter(c["clause"] for r in records for c in r["clauses"]) == Counter(c.clause for c in every)
    [flush] = [c for r in records if r["document"].startswith("mass") for c in r["clauses"] if c["clause"] == "§11(b)"]
    assert flush["computed"] == ["massachusetts/high-card-flush/base/A"]
