"""The certification report: its contents, the same bytes each time, and its verification."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

import combin
from combin.base import store
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.report import FORMS, attached, effects, form_of, layout, render
from combin.report import json as json_form
from combin.report.build import _rounds, build
from combin.report.identity import ReportRequest, figures_digest, identify
from combin.report.make import Files, make

from .reports import FLUSH, LADIES, METER, command, report_on

HOSTILE = '<script>alert("1")</script> & =cmd|\' /C calc\'!A0 `*_[x](y)_*` #let $x$ \\ | @SUM(A1)'


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    path = tmp_path / "hostile.toml"
    path.write_text(
        '[[wager]]\nid = "my/game/wager"\n'
        f"name = {json.dumps('=1+1 ' + HOSTILE)}\nclause = {json.dumps(HOSTILE)}\n"
        'deal = "player 7"\ndecks = [1]\n[wager.outcome]\n"seven-card flush" = "longest_flush(player) == 7"\n'
        '"five-card flush" = "longest_flush(player) == 5"\n'
        f'[wager.paytable.house]\nname = {json.dumps("+" + HOSTILE)}\n'
        '"seven-card flush" = "100 to 1"\n"five-card flush" = "9 to 1"\n',
        encoding="utf-8",
    )
    return str(path)


def test_the_model_holds_the_figures_of_the_analysis() -> None:
    report = report_on(FLUSH)
    (s,) = report.sections
    a = combin.analyze(FLUSH)
    assert [line.combinations for line in s.lines] == list(a.combinations.values())
    assert sum(line.contribution for line in s.lines) == a.returned
    for line in json_form.data(report)["sections"][0]["lines"]:
        odds, one_in, p, part, edge = (Fraction(line[key]["exact"]) for key in (
            "true_odds", "frequency", "probability", "contribution", "house_advantage"))
        assert odds + 1 == one_in == 1 / p
        assert edge == 1 - part
    # A suit of 13 cards gives one flush of seven and one of six. Six seats hold four of seven and two of six.
    assert s.exposure is not None
    assert (s.exposure.most, s.exposure.exact) == (4 * 300 + 2 * 100, True)
    # One unit more on a line adds the line's probability to the return.
    assert [step.change for step in s.sensitivity] == [a.probabilities[step.outcome] for step in s.sensitivity]


def test_the_figures_of_a_kept_report_are_not_computed_again_and_its_checks_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    new = str(tmp_path / "new.json"), str(tmp_path / "kept.json")
    assert command(FLUSH, "-o", new[0]) == ""

    def again(a: combin.Analysis) -> None:
        raise AssertionError("computed twice")

    checked = []
    verification = attached.verification
    monkeypatch.setattr(attached, "verification", lambda a: checked.append(a.id) or verification(a))
    monkeypatch.setattr(effects, "removal", again)
    assert command(FLUSH, "-o", new[1]) == ""
    assert checked == [FLUSH]  # a second method that was kept would check nothing
    assert Path(new[0]).read_bytes() == Path(new[1]).read_bytes()
    with pytest.raises(AssertionError, match="computed twice"):  # a verified report is computed anew
        command("--verify", new[1])


def test_one_report_is_written_in_several_forms_or_in_none(tmp_path: Path) -> None:
    page, data, apart = (tmp_path / name for name in ("r.html", "r.json", "apart.json"))
    command(FLUSH, "--quick", "-o", str(page), "-o", str(data))
    command(FLUSH, "--quick", "-o", str(apart))
    assert data.read_bytes() == apart.read_bytes()
    assert json.loads(data.read_text("utf-8"))["identity"]["report_sha256"] in page.read_text("utf-8")
    for other, what in (("r.txt", 'no report is written as ".txt"'), ("new.json", "is the file of another -o too"),
                        ("none/r.md", "none does not exist; make it first")):
        with pytest.raises(InputError, match=what):
            command(FLUSH, "--quick", "-o", str(tmp_path / "new.json"), "-o", str(tmp_path / other))
        assert not (tmp_path / "new.json").exists()


def test_one_more_on_a_line_is_what_the_analysis_of_that_paytable_says() -> None:
    from combin.tools.design import with_pays

    a = combin.analyze("maryland/blackjack/match-the-dealer/6-decks", decks=6)
    (s,) = report_on(a.id, decks=6).sections
    assert len(s.sensitivity) == 2
    for step in s.sensitivity:
        pay = dict(a.resolved.lines)[step.outcome]
        more = with_pays(a, {step.outcome: f"{pay.odds + 1} to 1"})
        assert more.returned - a.returned == step.change


def test_few_top_prizes_give_percentiles_and_many_a_normal_range() -> None:
    (s,) = report_on(FLUSH).sections
    assert [r.rounds for r in s.rounds] == [10**k for k in range(3, 8)]
    for r in s.rounds:
        assert r.method == ("normal" if r.top_prizes >= 10 else "percentiles")
        assert r.least is not None
        assert r.greatest is not None
        assert r.least < s.analysis.returned < r.greatest
    normal = s.analysis.range_after(10**7)
    assert normal is not None
    assert (s.rounds[-1].least, s.rounds[-1].greatest) == normal[:2]


def test_percentiles_are_of_the_lines_and_all_that_is_paid_beside_them() -> None:
    """What other players' hands add has a variance and no law: few top prizes then have no range."""
    drawn = {"meter": 5000, "magic_card_frequency": "by-card", "lucky_player_frequency": "by-position"}
    a = combin.analyze("maryland/blackjack/bad-beat-progressive/A", decks=6, set=drawn)
    rounds = _rounds(a)
    assert [r.method for r in rounds] == ["percentiles"] * 4 + ["normal"]
    assert all(r.least < a.returned < r.greatest for r in rounds)
    envied = combin.analyze("maryland/high-card-flush/progressive/C", set={"meter": 7000, "other_players": 3})
    assert {r.least is None for r in _rounds(envied) if r.method != "normal"} == {True}


def test_a_cap_takes_what_is_won_above_it() -> None:
    (s,) = report_on("maryland/high-card-flush/flush-bonus/A").sections
    (cap,) = s.caps
    assert cap.floor == 50_000
    assert cap.free_stake == Fraction(50_000, 300)
    a = s.analysis
    for row in cap.rows:
        assert row.stake == 50_000 / row.most
        assert row.returned == sum(o.probability * min(o.returned, row.most + 1) for o in a.outcomes)


def test_one_report_says_one_thing_of_a_cap() -> None:
    """The largest stake without a cut follows from the printed pays, with or without a cap set."""
    same_suit = "maryland/chase-the-flush/same-suit/A"
    (s,) = report_on(same_suit, set={"stake": "100", "cap": "50000"}).sections
    assert s.analysis.cap is not None
    assert s.caps[0].free_stake == s.analysis.cap.untouched == Fraction(50_000, 2000)
    assert s.caps[0].rows == ()


def test_the_report_shows_what_lawful_caps_of_blackjack_do() -> None:
    (s,) = report_on(LADIES, decks=6).sections
    (cap,) = s.caps
    assert (cap.alone, cap.rows, cap.free_stake) == (True, (), None)
    assert [r.others for r in cap.shared] == [1, 2, 3, 4, 5, 6]
    for r in cap.shared:
        capped = combin.analyze(LADIES, decks=6, set={"stake": 100, "cap": 100_000, "other_players": r.others})
        assert (r.returned, -r.change) == (capped.returned, capped.cap_cost)


def test_the_meter_breaks_even_where_solve_says() -> None:
    (s,) = report_on(METER).sections
    assert s.meter is not None
    assert s.meter.break_even == s.analysis.solve("meter", Fraction(1))
    assert s.rounds == ()
    assert "break-even" in render(report_on(METER), "html").decode()


def test_removal_and_the_second_method_stand_in_a_thorough_report() -> None:
    a = combin.analyze(LADIES, decks=6)
    report = build([a], identify([a], ReportRequest((LADIES,))))
    (s,) = report.sections
    assert "the effect of removal shows" in " ".join(report.scope)
    assert sum(len(r.cards) for r in s.removal) == 52
    # Removal of an unseen card changes nothing, so the effects of the 52 card types add up to zero.
    assert sum((r.change * len(r.cards) for r in s.removal), Fraction(0)) == 0
    queen = next(r for r in s.removal if "Qh" in r.cards)
    assert queen.change == a.replace(without=[36]).returned - a.returned
    assert len(s.verification) > 3
    assert all(c.passed for c in s.verification)


def test_every_reading_is_shown_with_the_figure_under_each_choice() -> None:
    (s,) = report_on(LADIES, decks=6).sections
    (question,) = [q for q in s.questions if q.id == "ace-nine-is-20"]
    assert [c.used for c in question.choices] == [True, False]
    for choice in question.choices:
        other = combin.analyze(LADIES, decks=6, reading={question.id: choice.id})
        assert choice.returned == other.returned
        assert choice.change == other.returned - s.analysis.returned


@pytest.mark.slow
def test_a_report_is_the_same_bytes_in_another_process_and_folder(tmp_path: Path) -> None:
    paytables = '[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonus"\n[wager.paytable.mine]\n' \
                '"seven-card flush" = "300 to 1"\n"five-card flush" = "10 to 1"\n'
    code = (
        "from combin.cli.commands import cli\n"
        f"for suffix in {list(FORMS)!r}:\n"
        f"    words = ['report', 'mine.toml', {METER!r}, '--quick', '-o', 'out' + suffix]\n"
        "    cli.main(words, standalone_mode=False)\n"
    )
    made = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(paytables, encoding="utf-8")
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path / folder, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stderr
        made.append({suffix: (tmp_path / folder / f"out{suffix}").read_bytes() for suffix in FORMS})
    assert made[0] == made[1]
    for content in made[0].values():
        assert len(content) > 2000
        assert str(tmp_path).encode() not in content


class Outline(HTMLParser):
    """Element ids, links within the page, and addresses that a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        if held.get("id"):
            self.ids.append(str(held["id"]))
        if tag == "a":
            self.links.append(str(held.get("href", ""))[1:])
        self.scripts += tag == "script"
        self.fetched += [str(held[k]) for k in ("src", "srcset", "poster") if k in held]
        self.fetched += ["link"] if tag == "link" else []
        if tag not in ("meta", "line", "rect", "polyline", "polygon", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "rect", "polyline", "polygon"):
            assert self.open.pop() == tag


def test_the_page_fetches_nothing_and_its_links_lead_somewhere(hostile: str) -> None:
    page = render(report_on(FLUSH, METER, LADIES, hostile), "html").decode()
    outline = Outline()
    outline.feed(page)
    assert outline.fetched == []
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert set(outline.links) <= set(outline.ids)
    assert re.search(r"url\(|@import|https?://(?!www\.w3\.org)", page) is None


def test_hostile_names_are_text_in_every_form(hostile: str) -> None:
    report = report_on(hostile)
    page = render(report, "html").decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    outline = Outline()
    outline.feed(page)
    assert outline.scripts == 3  # the script of the page, the data of one what-if, and the request
    markdown = render(report, "markdown").decode()
    assert "<script>" not in markdown.replace("\\<", "")
    assert "[x](y)" not in markdown
    book = openpyxl.load_workbook(io.BytesIO(render(report, "xlsx")))
    formulas = [c.value for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f"]
    assert formulas
    assert not [f for f in formulas if "cmd" in f or f.startswith("=1+1")]
    texts = [c.value for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "s"]
    assert any(str(t).startswith("=1+1") for t in texts)
    assert render(report, "pdf").startswith(b"%PDF-1.7")
    assert json.loads(render(report, "json"))["sections"][0]["analysis"]["name"].startswith("=1+1")


def test_a_report_verifies_and_an_altered_one_does_not(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    command(FLUSH, METER, "--set", "meter=5000", "--quick", "-o", str(path))
    runner = CliRunner()
    good = runner.invoke(cli, ["report", "--verify", str(path)])
    assert (good.exit_code, "every value is the same" in good.output) == (0, True)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert next(iter(data.items())) == ("schema", "combin/report/1")
    # A report of before the key.
    del data["schema"]
    path.write_text(json.dumps(data), encoding="utf-8")
    earlier = runner.invoke(cli, ["report", "--verify", str(path)])
    assert (earlier.exit_code, "every value is the same" in earlier.output) == (0, True)
    data["sections"][0]["analysis"]["outcomes"][1]["combinations"] = "7"
    path.write_text(json.dumps(data), encoding="utf-8")
    bad = runner.invoke(cli, ["report", "--verify", str(path)])
    assert bad.exit_code == 1
    assert f'sections[{FLUSH}].analysis.outcomes[six-card flush].combinations: "7", recomputed' in bad.output
    assert "1 difference" in bad.output


@pytest.mark.parametrize("content", ["", "[]", "{}", "{", '{"format": "combin certification report 1"}',
                                     '{"schema": "combin/report/2", "format": "combin certification report 2"}'])
def test_what_is_no_report_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"is not|does not say"):
        command("--verify", str(path))


def test_figures_have_one_digest_whatever_the_report_is_made_for() -> None:
    a = combin.analyze(FLUSH)
    assert figures_digest([a]) == report_on(FLUSH).identity.figures_sha256
    assert figures_digest([a]) != figures_digest([combin.analyze("massachusetts/high-card-flush/flush-bonus/B")])


def test_a_comparison_says_what_changed_and_what_it_did(tmp_path: Path) -> None:
    head = '[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonus"\n[wager.paytable.mine]\n'
    (tmp_path / "old.toml").write_text(head + '"six-card flush" = "75 to 1"\n"five-card flush" = "10 to 1"\n')
    (tmp_path / "new.toml").write_text(head + '"six-card flush" = "75 to 1"\n"five-card flush" = "9 to 1"\n')
    words = (str(tmp_path / "old.toml"), str(tmp_path / "new.toml"))
    asked = ReportRequest(("old.toml", "new.toml"), compare=True, quick=True)
    report, _ = make(asked, Files(words))
    (c,) = report.comparisons
    five = next(line for line in c.lines if line.outcome == "five-card flush")
    assert five.pays == ("10 to 1", "9 to 1")
    assert five.change == -five.probability[0]
    changes = {f.name: f.change for f in c.figures}
    assert changes["return to player"] == five.change == -changes["house edge"]
    assert changes["hit frequency"] == 0
    shown = render(report, "markdown").decode().partition("## Comparison")[2]
    rows = {line.split("|")[1].strip(): line for line in shown.splitlines() if line.startswith("| ")}
    assert "/" in rows["variance"]
    # A root is stored as a nearby fraction, which is not its exact value.
    for name in ("standard deviation", "volatility index (95 %)"):
        assert not set("/=") & set(rows[name]), rows[name]


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to compare"):
        report_on(FLUSH, compare=True)
    with pytest.raises(InputError, match="cannot be paired"):
        report_on(FLUSH, "maryland/high-card-flush/straight-flush-bonus/*", compare=True)


@pytest.mark.slow
def test_paytables_of_two_documents_pair_by_name_and_then_by_pays() -> None:
    report = report_on("massachusetts/high-card-flush/progressive/*", "maryland/high-card-flush/progressive/*",
                       compare=True)
    pairs = {(c.before[-1], c.after[-1]): c.how for c in report.comparisons}
    # Massachusetts has A to D, Maryland E as well, whose pays none of the four has.
    assert [pair for pair, how in pairs.items() if "name" in how] == [(x, x) for x in "ABCD"]
    [(before, after)] = [pair for pair, how in pairs.items() if "nearest" in how]
    assert after == "E"

    def pays(name: str) -> dict[str, str]:
        return {o: pay.text for o, pay in combin.analyze(name).resolved.lines}

    mine = pays("maryland/high-card-flush/progressive/E")
    apart = {x: sum(mine.get(o) != p for o, p in pays(f"massachusetts/high-card-flush/progressive/{x}").items())
             for x in "ABCD"}
    assert apart[before] == min(apart.values())
    shown = render(report, "markdown").decode()
    assert "## Paytables side by side" in shown
    assert shown.count("paired by the name") == 4


def test_a_policy_concludes_each_section_and_draws_its_line(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[[rule]]\nname = "At least nine tenths"\napplies_to = ["maryland/high-card-flush/flush-bonus/*"]\n'
        'return_min = "9/10"\n'
    )
    patterns = ("maryland/high-card-flush/flush-bonus/A", "maryland/high-card-flush/flush-bonus/H")
    asked = ReportRequest(patterns, policy="policy.toml", quick=True)
    report, _ = make(asked, Files((*patterns, str(policy))))
    assert [[v.passed for v in s.verdicts] for s in report.sections] == [[True], [False]]
    (family,) = report.families
    assert family.least_allowed == Fraction(9, 10)
    page = render(report, "html").decode()
    assert "policy 90.00 %" in page
    assert "not met" in page


def test_what_is_no_form_of_a_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no report is written as"):
        form_of("report.docx")
    with pytest.raises(InputError, match="no file is named"):
        command(FLUSH)
    with pytest.raises(InputError, match="does not exist"):
        command(FLUSH, "--quick", "-o", str(tmp_path / "no" / "r.md"))


def test_what_is_not_installed_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    report = report_on(FLUSH)
    for package, form in (("typst", "pdf"), ("xlsxwriter", "xlsx")):
        monkeypatch.setitem(sys.modules, package, None)
        said = rf"{package}, which is not installed; install what the extra report of .* needs: pip install"
        with pytest.raises(InputError, match=said):
            render(report, form)


def test_every_test_that_is_named_exists() -> None:
    import tomllib
    from importlib.resources import files

    root = Path(__file__).parents[2]
    held = tomllib.loads((files("combin") / "report" / "tests.toml").read_text(encoding="utf-8"))["figure"]
    named = [test for entry in held for test in entry["tests"]]
    assert named
    for test in named:
        path, _, function = test.partition("::")
        text = (root / path).read_text(encoding="utf-8")
        assert f"def {function}(" in text if function else text


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [("0", "1", ["0", "1/5", "2/5", "3/5", "4/5", "1"]), ("0.91", "0.96", ["91/100", "23/25", "93/100", "47/50",
     "19/20", "24/25"]), ("0", "370386", ["0", "100000", "200000", "300000"])],
)
def test_axes_have_round_numbers(low: str, high: str, expected: list[str]) -> None:
    from combin.pages.svg import ticks

    assert ticks(Fraction(low), Fraction(high)) == [Fraction(e) for e in expected]


def test_one_changed_line_of_a_source_changes_the_digest_of_the_package(tmp_path: Path) -> None:
    """One changed figure in a copy of the package changes its digest. The version stays."""
    from combin.report import identity

    home = tmp_path / "combin"
    shutil.copytree(Path(combin.__file__).parent, home, ignore=shutil.ignore_patterns("__pycache__"))
    code = "from combin.report.identity import package_digest; print(package_digest())"

    def digest() -> str:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
        return done.stdout.strip()

    assert digest() == identity.package_digest()
    model = home / "analysis" / "model.py"
    model.write_text(model.read_text(encoding="utf-8").replace("return 1 - ", "return 2 - ", 1) + "\n")
    assert digest() != identity.package_digest()


def test_the_digest_of_the_report_is_of_everything_in_it() -> None:
    report = report_on(FLUSH)
    digest = report.identity.report_sha256
    assert re.fullmatch("[0-9a-f]{64}", digest)
    again = report_on(FLUSH, reading={})
    assert again.identity.report_sha256 == digest
    # Another sentence changes the digest of the report, but not the digest of the figures.
    other = json_form.sealed(replace(report, scope=("Something else.",)))
    assert other.identity.figures_sha256 == report.identity.figures_sha256
    assert other.identity.report_sha256 != digest
    elsewhere = json_form.sealed(replace(report, identity=replace(report.identity, environment=(("Python", "9"),))))
    assert elsewhere.identity.report_sha256 == digest
    for form in ("html", "pdf", "json", "markdown"):
        if form != "pdf":  # the text of a PDF is compressed
            assert digest in render(report, form).decode()


@pytest.mark.slow
def test_only_the_kernels_that_were_used_are_named() -> None:
    assert [name for name, _ in report_on(LADIES, decks=6).identity.kernels] == ["doors.pxd", "shoe.pyx"]
    assert [name for name, _ in report_on(FLUSH).identity.kernels] == ["seven_classes.pyx"]
    assert report_on("maryland/blackjack/buster-blackjack/A", decks=6).identity.kernels == ()
    base = [name for name, _ in report_on("maryland/chase-the-flush/base/A").identity.kernels]
    assert {"chase_the_flush.pyx", "chase_the_flush_strategies.pyx", "chase_the_flush_boards.pxd"} <= set(base)
    assert not any(name.startswith(("blackjack", "shoe", "high_card_flush")) or "rounds" in name for name in base)
    names = [name for name, _ in report_on(FLUSH).identity.environment]
    assert names == ["Python", "numpy", "sympy", "Cython", "typst", "xlsxwriter", "compiler of the kernels"]


def test_a_pdf_carries_its_report_and_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "r.pdf"
    command(FLUSH, "--quick", "-o", str(path))
    assert command("--verify", str(path)) == f"{path}: every value is the same, and so is every page\n"
    raw = path.read_bytes()
    assert b"<pdfaid:part>3</pdfaid:part>" in raw
    assert json_form.read(str(path)) == json.loads(render(report_on(FLUSH), "json"))
    (tmp_path / "other.pdf").write_bytes(b"%PDF-1.7\nnothing\n")
    with pytest.raises(InputError, match="contains no report; give a report that combin wrote"):
        json_form.read(str(tmp_path / "other.pdf"))


def test_a_report_whose_policy_is_not_met_ends_with_1(tmp_path: Path) -> None:
    """`check` and `report` judge the same policy and paytable alike."""
    path = tmp_path / "policy.toml"
    for least, status in (("80%", 0), ("99%", 1)):
        path.write_text(f'[[rule]]\nname = "floor"\napplies_to = ["{FLUSH}"]\nreturn_min = "{least}"\n',
                        encoding="utf-8")
        out = str(tmp_path / "r.json")
        done = CliRunner().invoke(cli, ["report", FLUSH, "--quick", "--policy", str(path), "-o", out])
        checked = CliRunner().invoke(cli, ["check", FLUSH, "--policy", str(path)])
        assert (done.exit_code, checked.exit_code) == (status, status)
        assert Path(out).is_file()


def test_the_second_method_runs_for_more_than_four_paytables_or_the_cover_says_that_it_was_left_out() -> None:
    identifiers = tuple(f"maryland/high-card-flush/flush-bonus/{letter}" for letter in "ABCDE")
    report, _ = make(ReportRequest(identifiers), Files())
    assert all(len(s.verification) > 3 for s in report.sections)
    assert [s.analysis.id for s in report.sections] == list(identifiers)
    assert "quick report" not in " ".join(report.scope)
    quick = report_on(*identifiers)
    assert not any(s.verification for s in quick.sections)
    assert quick.scope[0].startswith("This is a quick report: no independent method was run")


def test_a_paytable_of_ones_own_says_what_it_is_first(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('[[wager]]\nbased_on = "maryland/high-card-flush/flush-bonus"\n[wager.paytable.x]\n'
                    '"seven-card flush" = "300 to 1"\n"six-card flush" = "100 to 1"\n"five-card flush" = "11 to 1"\n'
                    '"four-card flush" = "1 to 1"\n', encoding="utf-8")
    report = report_on(str(path))
    (s,) = report.sections
    assert report.title == "Paytables of house.toml"
    assert s.provenance.startswith("Not one of the document's paytables; nearest: A (Ch. 12 §B(1)); differs in")
    assert '"five-card flush" 11 to 1, not 10 to 1' in s.provenance
    assert (s.tests, s.is_new) == ((), True)
    # The findings in the document are findings on a client's table too.
    named = {n.id for n in report_on("maryland/high-card-flush/flush-bonus/A").sections[0].findings}
    assert named
    assert {n.id for n in s.findings} >= named
    text = render(report, "markdown").decode()
    assert text.index("Not one of the document") < text.index("- wager:")
    (official,) = report_on(FLUSH).sections
    assert official.provenance == ""
    assert official.tests


def test_mixed_odds_are_a_finding() -> None:
    (s,) = report_on("maryland/blackjack/bad-beat-progressive/A", decks=6).sections
    assert [n.kind for n in s.findings if n.id == "to-and-for"] == ["contradiction"]


def test_words_fit_what_they_stand_beside() -> None:
    blackjack, base = report_on(LADIES, decks=6), report_on("maryland/high-card-flush/base/A")
    terms = {name for name, _ in layout.terms_of(base)}
    assert {"Element of risk", "Average wager", "Expected value", "Win, push and loss frequency"} <= terms
    assert not {"Return to player", "Effect of removal", "Long-run return"} & terms
    assert "Element of risk" not in {name for name, _ in layout.terms_of(blackjack)}
    assert any("double shoe" in words for words in blackjack.scope)
    assert not any("double shoe" in words for words in base.scope)
    text = render(blackjack, "markdown").decode()
    assert "-7.7170 points" in text
    one = render(report_on(LADIES, decks=1), "markdown").decode()
    assert "1 decks" not in one
    meter = render(report_on("maryland/blackjack/bad-beat-progressive/A", decks=1), "markdown").decode()
    assert "\\> 99.999999 %" in meter
    assert "100.000000 %" not in meter
    assert "Max(" not in meter
    assert "the greater of" in meter


def test_pays_that_are_written_otherwise_are_no_other_pays() -> None:
    """Massachusetts writes 1000 to 1 in paytable H, Maryland 1,000 to 1. Paytables E differ in one line."""
    names = [f"{state}/high-card-flush/flush-bonus/{{}}" for state in ("massachusetts", "maryland")]
    for letter, unlike in (("H", 0), ("E", 1)):
        report = report_on(*(name.format(letter) for name in names), compare=True)
        assert [c.unlike for c in report.comparisons] == [unlike]


def test_a_must_hit_meter_is_worth_dollars(tmp_path: Path) -> None:
    """A stake of $1 adds 5 cents: of the $750 above the reset, at $250.025 on average, a round wins 5 ÷ 75,000."""
    page = tmp_path / "r.md"
    command("maryland/blackjack/must-hit-progressive/A", "--set", "stake=1", "--set", "contribution_rate=5%", "--quick",
            "--decks", "6", "-o", str(page))
    dollars = Fraction(5, 75_000) * (250 + Fraction(1, 40))
    assert f"| $250 = 250 | ${float(dollars):.6f} per round = {dollars} | 100.000000 % |" in page.read_text()
