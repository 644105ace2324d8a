"""The modules that a command may import: a command that only lists or looks up one side bet starts quickly."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import atexit, sys
atexit.register(lambda: print("\\nloaded", *sys.modules, file=sys.stderr))
from combin.cli import main
main()
"""
READS = r"base\..*|cli\..*|pages\..*|rulebook\..*|userfiles\.(words|written|collected|expansion)"
COUNTS = (
    r"_kernels\..*|games\.(outcome|registry|side_bets)"
    r"|deals\.(cards|classes|class_tables|deal_kinds|drawn_roles|first_cards|lenses|poker|table|tally)"
    r"|wagers\.(columns|condition_(hints|text|tree|words)|conditions|sight|vocabulary|wager_outcomes)"
    r"|analysis\.(additions|analyses|caps|engine|model|other_readings|record|request|settle)"
)
FILE = """
[[wager]]
based_on = "maryland/blackjack/in-between"
[wager.paytable.house]
"three of a kind" = "30 to 1"
"""
POLICY = """
[[rule]]
name = "least"
applies_to = ["*"]
return_min = "1%"
"""
#: Packages and modules that take milliseconds each.
SLOW = {
    "asyncio", "click", "concurrent", "difflib", "email", "http", "matplotlib", "multiprocessing", "numpy", "openpyxl",
    "pandas", "rich", "subprocess", "sympy", "unittest",
}  # fmt: skip
#: For each command its words, the modules of combin and the packages that it may import.
COMMANDS = {
    "list": (["list"], READS, {"click", "rich"}),
    "help": (["--help"], r"base\.(errors|budgets|safe_text|store|caches|version)|cli\..*", {"click"}),
    "analyze": (["analyze", "maryland/blackjack/lucky-ladies/A", "--decks", "6"],
                rf"{READS}|{COUNTS}|views\.(terminal|model|extras|symbolic)", {"click", "rich", "numpy"}),
    "check": (["check", "FILE", "--policy", "POLICY"],
              rf"{READS}|{COUNTS}|userfiles\..*|policy\..*|games\.model|analysis\.(store_key|greatest_return)",
              {"click", "numpy"}),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_imports_what_it_needs(command: str, tmp_path: Path) -> None:
    words, allowed, packages = COMMANDS[command]
    for name, text in (("FILE", FILE), ("POLICY", POLICY)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    called = [str(tmp_path / f"{word}.toml") if word.isupper() else word for word in words]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *called], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    loaded = done.stderr.rpartition("\nloaded ")[2].split()
    own = {name.removeprefix("combin.") for name in loaded if name.count(".") and name.startswith("combin.")}
    rooms = {name for name in own if "." not in name}
    assert {name for name in own - rooms if not re.fullmatch(allowed, name)} == set()
    others = {name.partition(".")[0] for name in loaded} & SLOW
    assert others <= packages
