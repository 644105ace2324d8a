"""The output in terminals of every width: no number, id or outcome is cut."""

import io
import re
from fractions import Fraction

import pytest
import sympy

from combin import analyze
from combin.analysis.model import Analysis
from combin.base.exact import decimal, percent
from combin.pages import terminal
from combin.pages.blocks import Block, Cell, Facts, Figure, Figures, Grid, Mark, Number, Part, Words
from combin.pages.markdown import of_parts
from combin.rulebook.book import shipped
from combin.views import model, render, symbolic

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
    terminal.show([model.part(flush)], stream)
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
    terminal.show([model.part(progressive)], stream)
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
        terminal.show([model.part(flush)], stream)
        heads[width] = next(line for line in seen(stream).splitlines() if "outcome" in line).split()
    assert heads[130] == ["outcome", "pays", "combinations", "probability", "decimal", "1", "in", "contribution"]
    assert heads[90] == ["outcome", "pays", "combinations", "decimal", "1", "in", "contribution"]
    assert heads[80] == ["outcome", "pays", "combinations", "decimal", "contribution"]
    assert heads[65] == ["outcome", "pays", "combinations", "decimal"]


@pytest.mark.parametrize("width", WIDTHS)
def test_no_id_is_broken_in_a_list(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    book = shipped()
    rows = [(i, book.resolve(i).name, "1", book.resolve(i).clause) for i in book.select(["massachusetts/*"])]
    stream = at(monkeypatch, width)
    terminal.show([Part("", blocks=(
        Grid(("id", "name", "decks", "clause"), tuple(rows), 4, drops=("clause", "decks", "name")),))], stream)
    lines = seen(stream).splitlines()
    assert {row[0] for row in rows} <= {line.split("  ")[0].strip() for line in lines}
    assert "…" not in seen(stream)


def lines(*blocks: Block, width: int, title: str = "") -> list[str]:
    return terminal.render([Part(title, blocks=blocks)], width).splitlines()


def test_words_go_on_below_themselves() -> None:
    grid = Grid(("id", "name"), (("a", "one two three four five six"),), 2)
    assert lines(grid, width=20) == ["id  name", "a   one two three", "      four five six"]


def test_a_sign_stays_with_its_figure_and_no_word_is_broken() -> None:
    assert lines(Words("one of 12.5 % or z = +1.01 in maryland/blackjack/pair"), width=12) == [
        "one of", "  12.5 % or", "  z = +1.01", "  in", "  maryland/blackjack/pair"]
    grid = Grid(("by", "n"), (("normal distribution", "1"),), drops=())
    assert lines(grid, width=18) == ["by               n", "normal           1", "  distribution"]


def test_a_word_that_is_too_long_for_its_column_is_broken_after_a_separator() -> None:
    grid = Grid(("source", "n"), (("the page worldcasinoindex.com/table-games/x", "1"),))
    assert lines(grid, width=27) == ["source                    n", "the page                  1",
                                     "  worldcasinoindex.com/", "  table-games/x"]


def test_a_list_too_wide_for_any_column_is_stacked() -> None:
    grid = Grid(("id", "number", "more"), (("maryland/x", "12,345,678", "a"), ("maryland/y", "1", "")))
    assert lines(grid, width=14) == [
        "maryland/x", "    number:", "        12,345,678", "    more: a", "maryland/y", "    number: 1"]


def test_a_table_loses_exact_values_then_columns_in_their_order() -> None:
    grid = Grid(("name", "share", "first", "second"), (("a b", Number("50 %", "1/2"), "10", "200"),
                                                       ("c", Number("33.3333 %", "1/3"), "2", "")), drops=("second",))
    assert lines(grid, width=60) == [
        "name  share            first  second",
        "a b        50 % = 1/2     10     200",
        "c     33.3333 % = 1/3      2",
    ]
    assert lines(grid, width=34) == ["name      share  first  second", "a b        50 %     10     200",
                                     "c     33.3333 %      2"]
    assert lines(grid, width=22) == ["name      share  first", "a b        50 %     10", "c     33.3333 %      2"]


def test_long_names_of_columns_are_wrapped_before_anything_is_left_out() -> None:
    grid = Grid(("play", "value in wagers", "cost"), (("stand", "12.5", "0"),), drops=("cost",))
    assert lines(grid, width=22) == ["play    value in  cost", "          wagers", "stand       12.5     0"]
    assert lines(grid, width=18) == ["play      value in", "            wagers", "stand         12.5"]


def test_figures_are_aligned_and_exact_values_go_below_where_they_do_not_fit() -> None:
    figures = Figures((Figure("return", "1/2", "50 %"), Figure("variance", "12345678901/98765432109", "0.125"),
                       Figure("edge", "1/2", "50 %", "of 1.5 staked")))
    assert lines(figures, width=70, title="t")[1:] == [
        "  return     50 %  = 1/2", "  variance  0.125  = 12345678901/98765432109",
        "  edge       50 %  = 1/2  of 1.5 staked"]
    assert lines(figures, width=30, title="t")[1:] == [
        "  return     50 %  = 1/2", "  variance  0.125", "      = 12345678901/98765432109", "  edge       50 %  = 1/2",
        "      of 1.5 staked"]


def test_a_remark_follows_the_figure_in_a_table_of_three_columns() -> None:
    figures = Figures((Figure("edge", "1/2", "1/2", "of 1.5 staked"), Figure("won", "1/4", "0.25", ", without a stake"),
                       Figure("seats", "3", "3")))
    lines = of_parts([Part("t", blocks=(figures,))]).splitlines()
    rows = [[cell.strip(" -") for cell in line.split("|")[1:-1]] for line in lines]
    assert rows[2:] == [["figure", "value", "exact"], ["", ":", ":"], ["edge", "1/2 of 1.5 staked", "1/2"],
                        ["won", "0.25, without a stake", "1/4"], ["seats", "3", ""]]
    assert terminal.render([Part("", blocks=(figures,))]).splitlines()[1] == "won    0.25  = 1/4  without a stake"


def test_only_a_long_expression_is_left_to_other_forms() -> None:
    fraction, expression = f"{7**400}/3", " + ".join(f"{n}*meter" for n in range(10**9, 10**9 + 40))
    text = "".join(lines(Figures((Figure("a", fraction, "1"), Figure("b", expression, "2"))), width=terminal.WIDE))
    assert fraction in text
    assert text.endswith("b  2  = see --format json")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_ends_in_blanks(monkeypatch: pytest.MonkeyPatch, flush: Analysis, width: int) -> None:
    stream = at(monkeypatch, width)
    marks: tuple[tuple[Cell, ...], ...] = ((Mark(True), "one two three four five"), (Mark(False), "x"))
    blocks = (Grid(("", "what"), marks, 2), Facts((("a", "b"), ("much longer", ""))), Words("w "))
    terminal.show([model.part(flush), Part("t", blocks=blocks)], stream)
    assert not [line for line in seen(stream).splitlines() if line != line.rstrip()]


def test_a_file_gets_every_column_on_one_line(flush: Analysis) -> None:
    said = str(flush)
    assert "seven-card flush  300 to 1         6,864      33/643195  0.00005130637  19,490.76    0.01544322" in said


def test_no_normal_range_is_shown_where_top_prizes_are_few(flush: Analysis) -> None:
    # 6,864 of 133,784,560 deals: fewer than ten in 100,000 rounds, 51.3 in a million.
    rows = {rounds: (least, greatest) for rounds, least, greatest, _ in model.rounds_rows(flush)}
    for few in ("1,000", "10,000", "100,000"):
        assert rows[few] == ("–", "–")
    for many in ("1,000,000", "10,000,000"):
        assert all(end.endswith(" %") for end in rows[many])
    for said in (str(flush), render([flush], "markdown")):
        assert said.count("too few top prizes for a normal range; combin report gives exact percentiles") == 1


def test_an_open_return_is_given_by_decimal_coefficients(progressive: Analysis) -> None:
    # 32 of 133,784,560 hands win the meter and 1,592 a tenth of it: 239/167230700 = 0.0000014291634…
    said, fixed = str(progressive), progressive.coefficients["1"]
    assert f"{decimal(fixed, 6)} + 0.000001429 × meter  = 239*meter/167230700 + {fixed}" in said
    assert "an expression in the unknowns  = " in said
    assert render([progressive], "markdown").count("meter\\*\\*2") == 1


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
