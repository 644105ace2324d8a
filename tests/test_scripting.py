"""The functions of combin for scripts, against figures by hand."""

import doctest
import inspect
import pydoc
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

import combin
from combin import scripting

PAIR = {"deal": "player 2", "outcome": {"pair": "pair(player)"}, "pays": {"pair": "11 to 1"}}


def test_the_examples_are_what_is_printed() -> None:
    assert doctest.testmod(scripting).failed == 0


def test_a_wager_in_one_call() -> None:
    """Of six decks, 13 C(24, 2) of C(312, 2) hands are a pair; a seven less leaves 12 C(24, 2) + C(23, 2)."""
    w = combin.wager(**PAIR, decks=[6])
    assert w.analyze().rtp == Fraction(12 * 13 * comb(24, 2), comb(312, 2))
    assert w.analyze(without="7h").combinations["pair"] == 12 * comb(24, 2) + comb(23, 2)
    with pytest.raises(combin.InputError, match="paris"):
        combin.wager(**{**PAIR, "outcome": {"pair": "paris(player)"}})
    with pytest.raises(combin.InputError, match='has no outcome "par"'):
        combin.wager(**{**PAIR, "pays": {"par": "11 to 1"}})


LADIES = "maryland/blackjack/lucky-ladies/A"


@pytest.mark.parametrize(("call", "message"), [
    (lambda: combin.analyze(LADIES, decks=6).replace(pays=3), "replace: pays is a mapping of names to texts, not 3"),
    (lambda: combin.analyze(LADIES, decks=6, pays={"any 20": 5}),
     "analyze: pays is a mapping of names to texts, not {'any 20': 5}"),
    (lambda: combin.symbol(3), "symbol: name is a text, not 3"),
    (lambda: combin.wager(**{**PAIR, "deal": 3}), "wager: deal is a text, not 3"),
    (lambda: combin.check(LADIES, policy=None), "check: policy is a text or a path, not None"),
    (lambda: combin.diff(LADIES, LADIES, decks="6"),
     "diff: decks is a whole number or a list of whole numbers, not '6'"),
    (lambda: combin.paytables("*", 3), "paytables: words is a text or a path, not 3"),
])
def test_an_argument_of_a_wrong_type_is_bad_input(call: Callable[[], object], message: str) -> None:
    with pytest.raises(combin.InputError) as error:
        call()
    assert str(error.value) == message


def test_every_public_function_checks_its_arguments() -> None:
    """An object without any content has none of the types that a parameter may have."""
    functions = [value for name in combin.__all__ if inspect.isfunction(value := getattr(combin, name))]
    functions += [combin.Analysis.replace, combin.Analysis.solve, combin.Analysis.plot, combin.Analyses.to_frame]
    assert len(functions) > 12
    for function in functions:
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.annotation not in (inspect.Parameter.empty, "Any"):
                given = ((object(),), {}) if parameter.kind is parameter.VAR_POSITIONAL else ((), {name: object()})
                with pytest.raises(combin.InputError, match=f"{name} is "):
                    function(*given[0], **given[1])


def test_cards_out_of_the_shoe_as_text_everywhere() -> None:
    [one] = combin.analyze_all("maryland/blackjack/pair/A", decks=6, without="7h")
    assert one.deals == comb(311, 2)
    assert combin.removal("maryland/blackjack/pair/A", decks=6, without="7h")[0].returned
    with pytest.raises(combin.InputError, match="7x"):
        combin.analyze_all("maryland/blackjack/pair/A", decks=6, without="7x")


def test_the_gate_and_a_difference(tmp_path: Path) -> None:
    policy = tmp_path / "p.toml"
    policy.write_text('[[rule]]\nname = "r"\napplies_to = ["*"]\nno_player_advantage = true\n')
    good = combin.wager(**PAIR, decks=6)
    bad = combin.wager(**{**PAIR, "pays": {"pair": "14 to 1"}}, decks=6, id="own/wager/x")
    assert combin.check(good, policy).met
    found = combin.check([good, bad], policy)
    assert [v.met for v in found.verdicts] == [True, False]  # 23 pairs of 311: 12 × 23 < 311 < 15 × 23
    assert combin.diff("maryland/blackjack/pair/A", "maryland/blackjack/pair/A", decks=6).changes == ()


def test_strategy_is_one_object() -> None:
    with pytest.raises(combin.InputError, match="has no decisions"):
        combin.strategy("maryland/blackjack/pair/A")
    with pytest.raises(combin.InputError, match="combinations of game and decks match"):
        combin.strategy("*/high-card-flush/base/A", hand="As Ks Qs 9h 8h 4d 2c")


def test_a_plot_shows_itself_with_percents_and_a_name() -> None:
    pytest.importorskip("matplotlib")
    figure = combin.analyze("maryland/high-card-flush/flush-bonus/A").plot()
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert figure._repr_png_() == figure._repr_png_()
    axes = figure.axes[0]
    assert figure.get_suptitle() == "Flush Bonus, paytable A, 1 deck"
    assert axes.xaxis.get_major_formatter()(0.25) in ("25%", "25.0%")


def test_dir_and_help_of_an_analysis_list_its_public_members() -> None:
    a = combin.wager(**PAIR, decks=6).analyze()
    assert dir(a) == dir(combin.Analysis)
    assert {"id", "outcomes", "replace", "rtp", "to_frame"} <= set(dir(a))
    assert not [name for name in dir(a) if name.startswith("_") or not hasattr(a, name)]
    text = pydoc.plain(pydoc.render_doc(combin.Analysis))
    assert "rtp" in text
    assert "__init__" not in text
