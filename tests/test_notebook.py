"""combin in a script and in a notebook: files, other pays, collections, data frames, plots, arguments in messages."""

from __future__ import annotations

import copy
import importlib.util
import json
import pickle
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

import combin
from combin.base.displayed import Displayed
from combin.base.exact import Truncated
from combin.play.blackjack import BadBeatWagers, BlackjackAnswer, BlackjackSummary
from combin.play.blackjack_seat import BlackjackSeat
from combin.play.blackjack_switch import SuperMatchWagers, SwitchAnswer, SwitchSummary
from combin.play.strategy import FlushAnswer, StrategyCosts, Summary, answer
from combin.play.together import Together, together

from .shared import HOUSE_PAIR

DOCS = Path(__file__).parents[1] / "docs"
LADIES = "maryland/blackjack/lucky-ladies/A"
FLUSH = "maryland/high-card-flush/flush-bonus/A"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE_PAIR)
    return path


def pair_return(decks: int, suited: int, other: int) -> Fraction:
    """Of C(52 d, 2) hands 52 C(d, 2) are a suited pair and 13 C(4, 2) d² another pair; the stake comes back."""
    hands = comb(52 * decks, 2)
    return Fraction(52 * comb(decks, 2) * (suited + 1) + 13 * 6 * decks**2 * (other + 1), hands)


def test_a_file_is_analysed_by_its_path(house: Path) -> None:
    assert combin.analyze(house, decks=6).returned == pair_return(6, 20, 8)
    assert combin.analyze_all([str(house)], decks=[6, 8])[1].returned == pair_return(8, 20, 8)
    [listed] = combin.paytables(house)
    assert listed.pays == {"suited pair": "20 to 1", "non-suited pair": "8 to 1"}
    assert listed.analyze(decks=2).returned == pair_return(2, 20, 8)
    house.write_text(HOUSE_PAIR + HOUSE_PAIR.split("\n", 2)[2].replace("house", "second"))
    with pytest.raises(combin.InputError, match="holds 2 paytables; analyze_all takes them all"):
        combin.analyze(house, decks=6)


def test_other_pays_for_some_lines() -> None:
    pays = {"non-suited pair": "8 to 1", "suited pair": "20 to 1"}
    a = combin.analyze("maryland/blackjack/pair/A", decks=6, pays=pays)
    assert a.returned == pair_return(6, 20, 8)
    assert a.replace(pays={"suited pair": "25 to 1"}, decks=4).returned == pair_return(4, 25, 8)
    assert a.replace(decks=4).returned == pair_return(4, 20, 8)  # the pays stay
    assert ("paytable", "other pays, non-suited pair 8 to 1; suited pair 20 to 1") in [
        tuple(line.strip().split("  ", 1)) for line in str(a).splitlines()
    ]


@pytest.mark.parametrize(("pays", "message"), [
    ({"any pair": "5 to 1"}, 'pays: maryland/blackjack/pair/A has no line "any pair"'),
    ({"non-suited pair": "eight"}, 'pays: non-suited pair: "eight" is not a pay'),
    ({"non-suited pair": "100% of pot"}, "pays: non-suited pair: pot is not an unknown"),
])
def test_pays_that_are_none(pays: dict[str, str], message: str) -> None:
    with pytest.raises(combin.InputError) as told:
        combin.analyze("maryland/blackjack/pair/A", decks=6, pays=pays)
    assert str(told.value).startswith(message)


def test_a_pay_that_a_reading_sets() -> None:
    """Some choices of readings replace a pay. Another pay for such a line is refused."""
    book = combin.Rulebook.load()
    shifted = [r for r in book.readings for c in r.choices if c.patch.get("pays")]
    assert shifted
    reading = shifted[0]
    choice = next(c for c in reading.choices if c.patch.get("pays"))
    letter, pays = next(iter(choice.patch["pays"].items()))
    identifier = next(i for i in book.ids() if reading in book.readings_of(i) and letter in ("*", i.rsplit("/", 1)[1]))
    resolved = book.resolve(identifier, {reading.id: choice.id})
    outcome = next(o for o, pay in pays.items() if pay and o in dict(resolved.lines))
    with pytest.raises(combin.InputError, match="a reading sets it"):
        book.with_pays(resolved, {outcome: "77 to 1"})


def test_messages_name_arguments_and_faults_name_flags() -> None:
    with pytest.raises(combin.InputError) as told:
        combin.analyze(FLUSH, decks=2)
    assert str(told.value) == f"decks: {FLUSH} is dealt from one deck, not 2; omit decks or give 1"
    assert str(told.value.faults[0]) == f"--decks: {FLUSH} is dealt from one deck, not 2; omit --decks or give 1"
    assert pickle.loads(pickle.dumps(told.value)).faults == told.value.faults


def test_collections_show_themselves() -> None:
    found = combin.analyze_all("maryland/blackjack/pair/A", decks=[6, 8])
    assert [line.split()[0] for line in str(found).splitlines()] == ["id", found[0].id, found[1].id]
    assert str(found).splitlines()[1].split()[1] == "6"
    assert found._repr_html_().count("<tr>") == 3
    assert isinstance(found[:1], combin.Analyses)
    assert isinstance(pickle.loads(pickle.dumps(found)), combin.Analyses)
    assert copy.deepcopy(found) == found
    assert hash(found) == hash(copy.deepcopy(found))
    assert found.to_dict()[0]["id"] == found[0].id
    listed = combin.paytables("maryland/blackjack/pair/*")
    assert repr(listed).splitlines()[0].split() == ["id", "name", "decks", "lines", "clause"]
    assert listed["maryland/blackjack/pair/A"] == listed[0]
    with pytest.raises(KeyError, match="did you mean"):
        listed["maryland/blackjack/pair/AA"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library: str) -> None:
    pytest.importorskip(library)
    found = combin.analyze_all("maryland/blackjack/pair/A", decks=[6, 8])
    frame = found.to_frame(library=library)
    assert list(frame["decks"]) == [6, 8]
    assert list(frame["return_exact"]) == [str(a.returned) for a in found]
    assert list(frame["return"]) == [float(a.returned) for a in found]
    outcomes = found[0].to_frame(library)
    assert sum(outcomes["combinations"]) == comb(312, 2)


def test_counts_beyond_64_bits_are_text_in_a_data_frame() -> None:
    from combin.views.frame import _column

    assert _column([1, 2**63, None]) == ["1", "9223372036854775808", None]
    assert _column([1, None]) == [1, None]


def test_frames_and_plots_refuse_what_they_do_not_know() -> None:
    found = combin.analyze_all("maryland/blackjack/pair/A", decks=6)
    with pytest.raises(combin.InputError, match='library: "panda" is not a supported library'):
        found.to_frame(library="panda")
    with pytest.raises(combin.InputError, match='rows cannot be "lines"'):
        found.to_frame("lines")
    with pytest.raises(combin.InputError, match='no line and no parameter "suits"'):
        found[0].plot("suits", [1])


def test_plots() -> None:
    pytest.importorskip("matplotlib")
    a = combin.analyze("maryland/blackjack/pair/A", decks=6)
    bars = a.plot().axes[0].patches
    assert [bar.get_width() for bar in bars] == [float(o.contribution) for o in a.outcomes if o.contribution]
    line = a.plot("non-suited pair", range(7, 10)).axes[0].lines[0]
    own = {o.outcome: o.pays for o in a.outcomes}["suited pair"].split()[0]
    assert list(line.get_xdata()) == [7, 8, 9]
    assert list(line.get_ydata()) == [float(pair_return(6, int(own), n)) for n in (7, 8, 9)]
    meter = combin.analyze("maryland/high-card-flush/progressive/A")
    line = meter.plot("meter", [10_000, 20_000]).axes[0].lines[0]
    assert meter.plot().axes[0].get_xlabel().splitlines()[1:] == [
        "seven-card straight flush: needs meter", "six-card straight flush: needs meter"]
    assert list(line.get_ydata()) == [float(meter.replace(set={"meter": m}).returned) for m in (10_000, 20_000)]


def test_unknowns_are_put_in_by_name() -> None:
    a = combin.analyze("maryland/high-card-flush/progressive/A")
    put = a.replace(set={"meter": 20_000}).rtp
    assert a.rtp.subs("meter", 20_000) == put
    assert a.rtp.subs(combin.symbol("meter"), 20_000) == put


def test_a_decimal_that_was_cut_off_says_so() -> None:
    a = combin.analyze(LADIES, decks=6)
    deviation = a.standard_deviation
    assert isinstance(deviation, Truncated)
    assert isinstance(a.volatility_index, Truncated)
    assert 0 <= a.variance - deviation**2 < Fraction(2, 10**11)
    assert repr(deviation).startswith("Truncated(")
    assert type(deviation + 1) is Fraction
    assert pickle.loads(pickle.dumps(deviation)) == deviation
    assert not isinstance(a.returned, Truncated)


def test_a_promotion_has_no_house_edge() -> None:
    found = [p for p in combin.paytables("maryland/blackjack/*") if p.book.resolve(p.id).terms.promotion]
    assert found
    assert found[0].analyze(decks=found[0].decks[0], any_decks=True).house_edge is None


def test_play_shows_itself() -> None:
    a = combin.analyze("maryland/high-card-flush/base/A")
    one = answer(a, "Tc 7c 4c Ks Qh Jd 9d")
    assert "45,379,620" in str(one)
    assert '<th scope="row">fold</th>' in one._repr_html_()
    both = together(a, FLUSH)
    assert ">covariance</th>" in both._repr_html_()


@pytest.mark.parametrize("kind", [BlackjackSummary, BlackjackAnswer, BadBeatWagers, BlackjackSeat, SwitchSummary,
                                  SwitchAnswer,
                                  SuperMatchWagers, Summary, StrategyCosts, FlushAnswer, Together])
def test_every_result_of_play_shows_itself(kind: type) -> None:
    assert kind.__str__ is Displayed.__str__
    assert kind._repr_html_ is Displayed._repr_html_  # type: ignore[attr-defined]


def test_an_empty_folder_of_the_same_name_is_not_imported(tmp_path: Path) -> None:
    """Python started in the parent folder of a clone finds the clone first. The clone's folder is no package."""
    (tmp_path / "combin").mkdir()
    script = "import combin; print(combin.__file__ is not None, combin.__version__)"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", combin.__version__]


def test_the_notebook_of_the_documentation_is_current() -> None:
    """Its cells are those of the script that executes it, and its text is what combin prints now."""
    spec = importlib.util.spec_from_file_location("run_notebook", DOCS / "run_notebook.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    cells = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    assert tuple("".join(cell["source"]) for cell in cells) == script.CELLS
    shown = [cell["outputs"][0]["data"] for cell in cells[1:]]
    a = combin.analyze("maryland/blackjack/lucky-ladies/A", decks=6)
    assert ("".join(shown[0]["text/plain"]), "".join(shown[0]["text/html"])) == (repr(a), a._repr_html_())
    assert ["image/png" in data for data in shown] == [False, True, True, True, False]
    page = (DOCS / "notebook.md").read_text(encoding="utf-8")
    for name in script.PLOTS:
        for suffix in ("", "-dark"):
            assert (DOCS / "images" / f"{name}{suffix}.png").read_bytes().startswith(b"\x89PNG")
            assert f"images/{name}{suffix}.png" in page
