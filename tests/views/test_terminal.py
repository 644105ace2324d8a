"""The output in terminals of every width: no number, id or outcome is cut."""

import io
import re
from fractions import Fraction

import pytest
import sympy

from combin import analyze
from combin.analysis.model import Analysis
from combin.base.exact import decimal, percent
from combin.pages import terminal as pages
from combin.rulebook.book import shipped
from combin.views import markdown, model, symbolic, terminal

FLUSH = "maryland/high-card-flush/flush-bonus/A"
#: Numbers of deals among 133,784,560, large and small.
COUNTS = ("6,864", "267,696", "3,814,668", "26,137,540", "103,557,792")
WIDTHS = (20, 40, 60, 70, 80, 100, 130, 200)


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def at(monkeypatch: pytest.MonkeyPatch, width: int) -> Tty:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", "50")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("NO_COLOR", "1")
    return Tty()


def seen(stream: io.StringIO) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())


@pytest.fixture(scope="module")
def flush() -> Analysis:
    return analyze(FLUSH)


@pytest.fixture(scope="module")
def progressive() -> Analysis:
    return analyze("maryland/high-card-flush/progressive/A")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_number_of_an_analysis_is_cut(monkeypatch: pytest.MonkeyPatch, flush: Analysis, width: int) -> None:
    stream = at(monkeypatch, width)
    terminal.show([flush], stream)
    said = seen(stream)
    assert "…" not in said
    for words in (*COUNTS, "300 to 1", "0.00005130637", "92.1928 %", "2371919/2572780", decimal(flush.variance, 8)):
        assert words in said
    if width >= 80:
        assert "seven-card flush  300 to 1         6,864  0.00005130637" in said or width >= 100
        assert max(map(len, said.splitlines())) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_no_number_of_a_progressive_is_cut(
    monkeypatch: pytest.MonkeyPatch, progressive: Analysis, width: int
) -> None:
    stream = at(monkeypatch, width)
    terminal.show([progressive], stream)
    said = seen(stream)
    assert "…" not in said
    meter = progressive.progressive.meters[0]
    figures = (percent(progressive.progressive.at_reset), str(meter.break_even))
    for words in (*(f"{o.combinations:,}" for o in progressive.outcomes), "0.0000002391905", *figures):
        assert words in said


def test_columns_go_in_their_order(monkeypatch: pytest.MonkeyPatch, flush: Analysis) -> None:
    heads = {}
    for width in (130, 90, 80, 65):
        stream = at(monkeypatch, width)
        terminal.show([flush], stream)
        heads[width] = next(line for line in seen(stream).splitlines() if "outcome" in line).split()
    assert heads[130] == ["outcome", "pays", "combinations", "probability", "decimal", "1", "in", "contribution"]
    assert heads[90] == ["outcome", "pays", "combinations", "decimal", "1", "in", "contribution"]
    assert heads[80] == ["outcome", "pays", "combinations", "decimal", "1", "in", "part"]
    assert heads[65] == ["outcome", "pays", "combinations", "decimal", "part"]


@pytest.mark.parametrize("width", WIDTHS)
def test_no_id_is_broken_in_a_list(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    book = shipped()
    rows = [(i, book.resolve(i).name, "1", book.resolve(i).clause) for i in book.select(["massachusetts/*"])]
    stream = at(monkeypatch, width)
    pages.listing(
        rows, ("id", "name", "decks", "clause"), stream, folds=("name", "clause"), drop=("clause", "decks", "name")
    )
    lines = seen(stream).splitlines()
    assert {row[0] for row in rows} <= {line.split("  ")[0].strip() for line in lines}
    assert "…" not in seen(stream)


def test_words_go_on_below_themselves() -> None:
    stream = io.StringIO()
    pages.listing([("a", "one two three four five six")], ("id", "name"), stream, width=20, folds=("name",))
    assert [line.rstrip() for line in stream.getvalue().splitlines()] == [
        "id  name", "a   one two three", "      four five six",
    ]


def test_a_list_too_wide_for_any_column_is_stacked() -> None:
    stream = io.StringIO()
    pages.listing([("maryland/x", "12,345,678", "")], ("id", "number", "more"), stream, width=14)
    assert stream.getvalue() == "maryland/x\n    number: 12,345,678\n"


def test_a_file_gets_every_column_on_one_line(flush: Analysis) -> None:
    said = terminal.plain([flush])
    assert "seven-card flush  300 to 1         6,864      33/643195  0.00005130637  19,490.76    0.01544322" in said


def test_no_normal_range_is_shown_where_top_prizes_are_few(flush: Analysis) -> None:
    # 6,864 of 133,784,560 deals: fewer than ten in 100,000 rounds, 51.3 in a million.
    rows = {rounds: (least, greatest) for rounds, least, greatest, _ in model.rounds_rows(flush)}
    for few in ("1,000", "10,000", "100,000"):
        assert rows[few] == ("–", "–")
    for many in ("1,000,000", "10,000,000"):
        assert all(end.endswith(" %") for end in rows[many])
    for said in (terminal.plain([flush]), markdown.render([flush])):
        assert said.count("too few top prizes for a normal range; combin report gives exact percentiles") == 1


def test_an_open_return_is_given_by_decimal_coefficients(progressive: Analysis) -> None:
    # 32 of 133,784,560 hands win the meter and 1,592 a tenth of it: 239/167230700 = 0.0000014291634…
    said, fixed = terminal.plain([progressive]), progressive.coefficients["1"]
    assert f"{decimal(fixed, 6)} + 0.000001429 × meter  = 239*meter/167230700 + {fixed}" in said
    assert "an expression in the unknowns: see --format json" in said
    assert "meter**2" not in said
    assert markdown.render([progressive]).count("meter\\*\\*2") == 1


def test_expressions_for_people() -> None:
    x, y = sympy.symbols("x y")
    assert symbolic.shown(Fraction(1, 3)) == "0.333333"
    assert symbolic.shown(x) == "x"
    assert symbolic.shown(-x / 2 + 1) == "1 - 0.5 × x"
    assert symbolic.shown(-x) == "-x"
    assert symbolic.shown(3 * y + x / 8) == "0.125 × x + 3 × y"
    assert symbolic.shown(5 * x * y / 3) == "1.666667 × x × y"
    assert symbolic.shown(1 / x) == "1/x"
    assert symbolic.shown(sympy.expand((x + y + 7) ** 9)) == symbolic.EXPRESSION


def test_a_paytable_of_a_user_says_where_it_stands(tmp_path: object) -> None:
    from pathlib import Path

    from combin.userfiles.paytables import add_file

    path = Path(str(tmp_path)) / "house.toml"
    path.write_text(
        '[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonus"\n'
        '[wager.paytable.house-1]\n"seven-card flush" = "250 to 1"\n'
    )
    book, (identifier,) = add_file(shipped(), str(path))
    facts = dict(model.facts(analyze(identifier, book=book)))
    assert facts["paytable"] == f"{path}, line 3"
    assert facts["based on"] == "Standard Rules – High Card Flush"
