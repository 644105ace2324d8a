"""Every count that does not close gives one line and status 3."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

import combin
from combin.base.errors import CountError, closed, fault
from combin.play.strategy import game_of, question
from combin.rulebook.book import shipped

from ..shared import sources

#: Python's own exceptions for a fault of the program. A wrong count raises `CountError` instead.
OTHER_WORDS = {"ArithmeticError", "AssertionError", "Exception", "OverflowError", "RuntimeError"}

PAIR = "maryland/blackjack/bet-the-set-21/B"
FLUSH = "maryland/high-card-flush/flush-bonus/A"
BUSTER = "maryland/blackjack/buster-blackjack/A"
#: A planted fault, the command that meets it, and the message that the command must print.
SLIPS = {
    "a deal of first cards is lost": (
        "import combin.deals.table as t; right = t.exact_sum; t.exact_sum = lambda w: right(w) - 1",
        ("analyze", PAIR), "weights of the deals: 5,355 counted, not 5,356",
    ),
    "the same while it is verified": (
        "import combin.deals.table as t; right = t.exact_sum; t.exact_sum = lambda w: right(w) - 1",
        ("verify", PAIR), "weights of the deals: 5,355 counted, not 5,356",
    ),
    "a class of seven cards is counted twice": (
        "import combin.deals.seven_cards as s; right = s.sweep\n"
        "def twice(*a, **k):\n    weights, n = right(*a, **k)\n    weights[7, :, 0] *= 2\n    return weights, n\n"
        "s.sweep = twice",
        ("analyze", FLUSH), "the count by class",
    ),
    "the dealer's draws miss one": (
        "import combin.deals.drawn_out as d; right = d._ways\n"
        "d._ways = lambda *a: ((suited, colour, ways - 1) for suited, colour, ways in right(*a))",
        ("analyze", BUSTER, "--decks", "1"), "weights of the deals",
    ),
    "a raise of High Card Flush is counted twice": (
        "from combin.base import parallel; right = parallel.sweep\n"
        "def twice(*a, **k):\n    found = right(*a, **k)\n    found[0] *= 2\n    return found\n"
        "parallel.sweep = twice",
        ("analyze", "maryland/high-card-flush/base/A"), "deals of High Card Flush",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SLIPS)
def test_a_count_that_does_not_close_is_one_line_and_status_3(what: str) -> None:
    slip, words, said = SLIPS[what]
    script = f"import sys\n{slip}\nfrom combin.cli import main\nsys.argv[1:] = {list(words)!r}\nmain()"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert found.returncode == 3, found.stderr
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert said in found.stderr
    for word in ("the counts do not close", f"an error in combin {combin.__version__}", "send", "the command"):
        assert word in found.stderr


def test_every_count_is_judged_by_the_one_error() -> None:
    wrong = []
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and node.exc is not None:
                raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                if isinstance(raised, ast.Name) and raised.id in OTHER_WORDS:
                    wrong.append(f"{path}:{node.lineno} raises {raised.id}")
    assert not wrong


def test_a_count_is_held_to_what_it_must_be() -> None:
    closed("hands", 2_598_960, 2_598_960)
    with pytest.raises(CountError, match="hands: 2,598,959 counted, not 2,598,960"):
        closed("hands", 2_598_959, 2_598_960)


def test_no_message_in_python_names_a_flag() -> None:
    words = {
        text.value
        for tree in sources().values() for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("fault", "Fault")
        for text in ast.walk(call) if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }
    named = {text for text in words if re.search(r"--[a-z]", text)}
    assert len(named) > 50
    assert {text for text in named if re.search(r"--[a-z]", str(fault(text)))} == set()


@pytest.mark.parametrize(
    ("flags", "arguments"),
    [
        ("set it: --set stake=5", 'set it: set={"stake": 5}'),
        ('write --hand "T 6" --upcard T', 'write hand="T 6" upcard="T"'),
        ("omit --decks or give 1", "omit decks or give 1"),
        ("give --return-min", "give return_min"),
    ],
)
def test_a_message_speaks_of_arguments_and_its_fault_of_flags(flags: str, arguments: str) -> None:
    error = fault("wrong", flags)
    assert (str(error), str(error.faults[0])) == (f"wrong; {arguments}", f"wrong; {flags}")


def test_a_question_without_an_upcard_asks_for_the_argument() -> None:
    with pytest.raises(combin.InputError, match=r'^upcard: no upcard is named; add upcard="T"$'):
        question(game_of(shipped(), "maryland/blackjack/blackjack/3-to-2"), "T 6")
