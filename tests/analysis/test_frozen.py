"""An analysis is a value: every view shows the files as they were when it was made."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import combin
from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.base import caches
from combin.base.errors import InputError
from combin.base.textfiles import noting, read_bytes
from combin.deals.player_chart import default_chart, read_chart
from combin.report import render
from combin.report.build import build
from combin.report.identity import ReportRequest, identify
from combin.report.make import Files, make
from combin.verify import verify
from combin.views import json as json_view
from combin.views import render as view

BAD_BEAT = "maryland/blackjack/bad-beat-progressive/A"
WHEEL = "maryland/chase-the-flush/progressive/A"
CHART = (Path(combin.__file__).parent / "rules" / "player-chart.toml").read_text(encoding="utf-8")
#: The chart of another player, who never doubles.
OTHER = CHART.replace("total-dependent, never split", "never double").replace("Ds", "S").replace("D", "H")


def charted(path: Path) -> Analysis:
    path.write_text(OTHER, encoding="utf-8")
    return analyze(BAD_BEAT, decks=6, chart=str(path))


def spun(path: Path) -> Analysis:
    symbols = [name for name, _ in analyze(WHEEL).wheel.symbols]  # type: ignore[union-attr]
    path.write_text("[weights]\n" + "".join(f'"{name}" = {n}\n' for n, name in enumerate(symbols, 1)), encoding="utf-8")
    return analyze(WHEEL, wheel=str(path))


def views(a: Analysis) -> tuple[Any, ...]:
    """Everything that shows an analysis."""
    return (
        str(a), repr(a), a._repr_html_(), *(view([a], form) for form in ("table", "json", "csv", "markdown")),
        json.dumps(json_view.record(a)),
    )  # fmt: skip


@pytest.mark.parametrize("later", ["?", pytest.param(CHART, marks=pytest.mark.slow, id="another chart"),
                                   pytest.param(None, marks=pytest.mark.slow, id="no file")])  # fmt: skip
@pytest.mark.parametrize("made", [charted, pytest.param(spun, marks=pytest.mark.slow)])
def test_a_file_is_read_once(made: Callable[[Path], Analysis], later: str | None, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    a = made(path)
    before, again = views(a), a.replace(set={})
    path.unlink() if later is None else path.write_text(later, encoding="utf-8")
    caches.empty()
    assert views(a) == before
    assert a.replace(set={}) == again == a
    assert [other.returned for _, _, other in a.alternatives() if isinstance(other, Analysis)]
    assert verify(a, claims=False).passed


def test_a_report_shows_what_the_analysis_holds(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    a = charted(path)
    path.unlink()
    report = build([a], identify([a], ReportRequest((a.id,), quick=True)))
    assert "never double" in render(report, "markdown").decode()


def test_the_name_of_a_chart_stands_with_its_figures(tmp_path: Path) -> None:
    """The return belongs to the named chart. The file holds another chart by now."""
    path = tmp_path / "chart.toml"
    a = charted(path)
    path.write_text(CHART, encoding="utf-8")
    assert "never double" in str(a)
    assert a.request.chart is not None
    assert a.request.chart.name == "never double"
    now = analyze(BAD_BEAT, decks=6, chart=str(path))
    assert now.returned == analyze(BAD_BEAT, decks=6).returned != a.returned
    assert analyze(BAD_BEAT, decks=6, chart=a.request.chart) == a


@pytest.mark.parametrize("made", [charted, spun, lambda _: analyze("maryland/blackjack/lucky-ladies/A", decks=6),
                                  lambda _: analyze("maryland/high-card-flush/base/A"),
                                  pytest.param(lambda _: analyze("maryland/blackjack/blackjack/3-to-2", decks=1),
                                               marks=pytest.mark.slow)])  # fmt: skip
def test_an_analysis_is_pickled_and_copied_whole(made: Callable[[Path], Analysis], tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    a = made(path)
    shown = (str(a), json_view.render([a]))
    raw = pickle.dumps(a)
    path.unlink(missing_ok=True)
    caches.empty()
    for same in (pickle.loads(raw), copy.deepcopy(a), copy.copy(a)):
        assert same == a
        assert (str(same), json_view.render([same])) == shown
        assert same.replace(set={}) == a
        with pytest.raises(TypeError):
            same.readings["x"] = "y"


def test_a_chart_keeps_the_text_that_it_was_read_from(tmp_path: Path) -> None:
    """The second method gets the same chart."""
    path = tmp_path / "chart.toml"
    path.write_text(OTHER, encoding="utf-8")
    assert read_chart(path).text == OTHER
    assert default_chart().text == CHART


# ---- the digest that a report prints


@pytest.mark.slow
def test_a_report_digests_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file changes after the analyses are made. The digest still belongs to the old content."""
    path = tmp_path / "chart.toml"
    path.write_text(OTHER, encoding="utf-8")
    right = make.__globals__["selected"]

    def written_over(*words: Any) -> Any:
        path.write_text(CHART, encoding="utf-8")
        return right(*words)

    asked, files = ReportRequest((BAD_BEAT,), decks=(6,), chart="chart.toml", quick=True), Files((), (tmp_path,))
    first, _ = make(asked, files)
    monkeypatch.setitem(make.__globals__, "selected", written_over)
    second, _ = make(asked, Files((), (tmp_path,)))
    assert render(first, "json") == render(second, "json")
    assert [name for name, _ in second.identity.files] == ["chart.toml"]
    third, _ = make(asked, Files((), (tmp_path,)))
    assert third.identity.files != second.identity.files


def test_a_file_that_changes_between_two_readings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(b"a = 1\n")
    with noting() as digests:
        assert read_bytes(path) == read_bytes(path)
        assert len(digests[str(path)]) == 64
        path.write_bytes(b"a = 2\n")
        with pytest.raises(InputError, match="has changed since it was first read"):
            read_bytes(path)
    assert read_bytes(path) == b"a = 2\n"
