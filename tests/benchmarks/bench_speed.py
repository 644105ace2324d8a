"""Processor seconds, memory and ratios of what people wait for: the table of docs/speed.md, and its chart.

    python tests/benchmarks/bench_speed.py [ROW...]    rows whose names contain one of the words; every row without
    python tests/benchmarks/bench_speed.py --long 1    rows of more than ten seconds run once
    python tests/benchmarks/bench_speed.py --before PYTHON   "before" is measured too, with the combin of another
                                                             interpreter; rows of more than ten seconds once
    python tests/benchmarks/bench_speed.py --memory    writes docs/pictures/memory.svg and memory-dark.svg

Each row is a process of its own, with its children, without a store unless its name says so. It runs five times: the
median of its seconds counts, and its greatest memory. A ratio is to the import of numpy, click and rich in the same
run.
"""

import argparse
import json
import os
import sys
import tempfile
from fractions import Fraction
from math import isnan, nan
from pathlib import Path
from runpy import run_path
from statistics import median
from subprocess import run

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT), str(HERE.parent)]
IMPORTS = ["-c", "import numpy, click, rich.console, rich.table"]
BLACKJACK, SWITCH = "maryland/blackjack/blackjack/3-to-2", "maryland/blackjack/switch/A"
BEST = ("from combin.games.blackjack.rules import HouseRules; from combin.games.blackjack.solve import *;"
        "s = solve(HouseRules(), deck_counts(8))")
VARIANCE = "; from combin.games.blackjack.variance import squares; squares(s)"
#: Files of the rows.
FOUR = """
[[wager]]
id = "house/blackjack/four-cards"
name = "Four cards"
decks = [6, 8]
deal = "player 2, dealer 2"
[wager.outcome]
"four of a rank" = 'most_of_a_rank(cards) == 4'
"flush" = 'suited(cards)'
"two pair" = 'two_pair(cards)'
"straight" = 'straight(cards)'
"player pair" = 'pair(player) and total(dealer) >= 17'
[wager.paytable.A]
"four of a rank" = "100 to 1"
"flush" = "20 to 1"
"straight" = "10 to 1"
"two pair" = "8 to 1"
"player pair" = "3 to 1"
"""
SEVEN_CARDS = """
[[wager]]
id = "house/game/my-wager"
name = "My wager"
deal = "player 7"
decks = [1]
[wager.outcome]
"suited" = 'suited(cards)'
"three of a kind" = 'three_of_a_kind(player)'
"all red" = 'count(cards, "red") == size(cards)'
[wager.paytable.A]
"suited" = "4 to 1"
"three of a kind" = "2 to 1"
"all red" = "push"
"""
ONE = '[[wager]]\nbased_on = "maryland/blackjack/in-between"\n[wager.paytable.house]\n"three of a kind" = "30 to 1"\n'
POLICY = '[[rule]]\nname = "least"\napplies_to = ["*"]\nreturn_min = "1%"\n'
NOT_SWITCH = ["recommended/*", "massachusetts/*", "maryland/high-card-flush/*", "maryland/chase*",
              "maryland/blackjack/[a-rt-z]*", "maryland/blackjack/super*"]


def combin(*words: str) -> list[str]:
    return ["-m", "combin", *words]


def game(name: str) -> list[str]:
    return [str(HERE.parent / "bench_showdown.py"), "--measure", name]


def base(identifier: str, decks: int | None = None) -> list[str]:
    return ["-c", f"import combin; combin.analyze({identifier!r}, decks={decks}).returned"]


REGENERATE = combin("regenerate", "--check", str(ROOT / "analyses"))
#: Rows of the table: what is waited for, Python's words.
ROWS: dict[str, list[str]] = {
    "import of numpy, click and rich": IMPORTS,
    "`combin list`": combin("list"),
    "`combin analyze` of a side bet": combin("analyze", "maryland/blackjack/lucky-ladies/A", "--decks", "6"),
    "`combin check` of one paytable": combin("check", "one.toml", "--policy", "policy.toml"),
    "`combin check` of 200 paytables": combin("check", "200", "--policy", "policy.toml"),
    "a wager of your own on seven cards": combin("analyze", "seven.toml"),
    "report on two cards each of player and dealer, 6 and 8 decks": combin("report", "four.toml", "-o", "4.pdf"),
    "every one of 133,784,560 hands of seven cards": [
        "-c", "from combin.verify.seven_counts import literal; literal()"],
    "the same by class": ["-c", "from combin.deals.seven_cards import by_class; by_class()"],
    "High Card Flush, 6.07 × 10^15 deals": base("maryland/high-card-flush/base/A"),
    "Chase the Flush, 3.99 × 10^14 deals": base("maryland/chase-the-flush/base/A"),
    "blackjack, 8 decks: best play": ["-c", BEST],
    "blackjack, 8 decks: best play and variance": ["-c", BEST + VARIANCE],
    "blackjack, 8 decks: `combin analyze`, every reading": combin("analyze", BLACKJACK, "--decks", "8"),
    "blackjack, 8 decks: the effect of every house rule": combin("strategy", BLACKJACK, "--decks", "8", "--rules"),
    "Blackjack Switch, 6 decks": base(SWITCH, 6),
    "Blackjack Switch, 8 decks": base(SWITCH, 8),
    "Blackjack Switch, 6 decks: `combin analyze`, every reading": combin("analyze", SWITCH, "--decks", "6"),
    "Blackjack Switch, 6 decks: `combin strategy --hand`, stored": combin(
        "strategy", SWITCH, "--decks", "6", "--hand", "T 6 / 5 A", "--upcard", "9"),
    "Three Card Poker": game("three_card_poker"),
    "Mississippi Stud": game("mississippi_stud"),
    "Crazy 4 Poker": game("crazy_four_poker"),
    "Casino Hold'em": game("casino_holdem"),
    "Ultimate Texas Hold'em": game("ultimate_texas_holdem"),
    "Texas Hold'em Bonus": game("texas_holdem_bonus"),
    "first report on a Flush Bonus, PDF": combin("report", "maryland/high-card-flush/flush-bonus/A", "-o", "f.pdf"),
    "first report on Chase the Flush, PDF": combin("report", "maryland/chase-the-flush/base/A", "-o", "c.pdf"),
    "first report on blackjack, PDF": combin("report", BLACKJACK, "--decks", "6", "-o", "b.pdf"),
    "`combin check`, strict policy, every wager but Switch": combin("check", *NOT_SWITCH, "--policy", "combin:strict"),
    "`combin check`, strict policy, every wager": combin("check", "*", "--policy", "combin:strict"),
    "`combin regenerate`, everything": REGENERATE,
    "`combin regenerate`, everything, stored": REGENERATE,
}  # fmt: skip
#: Runs of a row, and the seconds above which --long says how many.
RUNS, LONG_SECONDS = 5, 10


def measured(
    words: list[str], folder: Path, threads: str = "", store: str = "", python: str = ""
) -> tuple[float, float]:
    """Processor seconds of a process and its children, and the greatest resident MiB of one of them.

    ``python`` is another interpreter, with a combin of its own. Seconds are not a number if the process fails.
    """
    environment = {**os.environ, "COMBIN_CACHE": store, "PYTHONPATH": "" if python else str(ROOT)}
    if threads:
        environment["COMBIN_THREADS"] = threads
    child = os.fork()
    if not child:
        os.chdir(folder)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        os.execve(python or sys.executable, [python or sys.executable, *words], environment)
    _, status, used = os.wait4(child, 0)
    # A gate that fails and analyses that are stale end with 1, as a traceback does.
    if os.waitstatus_to_exitcode(status) not in ((0, 1) if {"check", "regenerate"} & {*words} else (0,)):
        if python:
            return nan, 0
        raise SystemExit(f"python {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def write_files(folder: Path) -> None:
    from bench_policy import files

    for name, text in (("one", ONE), ("four", FOUR), ("seven", SEVEN_CARDS), ("policy", POLICY)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    (folder / "200").mkdir()
    files(folder / "200", 20)


def seconds_shown(seconds: float) -> str:
    return "" if isnan(seconds) else f"{seconds:.2f}" if seconds < LONG_SECONDS else f"{seconds:.0f}"


def folder_of(python: str) -> str:
    """Return the folder of the combin of another interpreter."""
    code = "import combin, pathlib; print(pathlib.Path(combin.__file__).parents[1])"
    environment = {**os.environ, "PYTHONPATH": ""}
    shown = run([python, "-c", code], capture_output=True, text=True, check=True, cwd="/", env=environment)
    return shown.stdout.strip()


def table(wanted: list[str], long_runs: int, python: str) -> None:
    print("| work | seconds before | seconds now | × the imports | MiB |\n|---|---:|---:|---:|---:|")
    unit = 0.0
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as store:
        write_files(Path(name))
        for row, words in ROWS.items():
            if unit and wanted and not any(word in row for word in wanted):
                continue
            kept = {"store": store} if row.endswith(", stored") else {}
            if kept:
                measured(words, Path(name), **kept)
            runs, others = [measured(words, Path(name), **kept)], []
            if python and not kept and words[0] in ("-m", "-c"):
                older = [word.replace(str(ROOT), folder_of(python)) for word in words]
                others = [measured(older, Path(name), python=python)[0]]
            while len(runs) < (RUNS if runs[0][0] < LONG_SECONDS else long_runs):
                runs.append(measured(words, Path(name), **kept))
                # Alternating: whatever slows the machine down for a while slows down both.
                if others and others[0] < LONG_SECONDS:
                    others.append(measured(older, Path(name), python=python)[0])
            seconds, memory = median(one[0] for one in runs), max(one[1] for one in runs)
            unit = unit or seconds
            before = seconds_shown(median(others)) if others else ""
            ratio = f"{seconds / unit:.1f}" if seconds < 10 * unit else f"{seconds / unit:.0f}"
            print(f"| {row} | {before} | {seconds_shown(seconds)} | {ratio} | {memory:.0f} |", flush=True)


def memory() -> None:
    """Draw how memory grows with decks, with paytables and with streets."""
    from bench_policy import files

    streets = {"1: Three Card Poker": "three_card_poker", "2: Casino Hold'em": "casino_holdem",
               "3: Ultimate Texas Hold'em": "ultimate_texas_holdem", "4: Mississippi Stud": "mississippi_stud"}
    groups: dict[str, list[tuple[str, int]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
        groups["Blackjack with its variance, by decks"] = [
            (str(decks), round(measured(["-c", BEST.replace("deck_counts(8)", f"deck_counts({decks})") + VARIANCE],
                                        folder)[1])) for decks in (1, 2, 4, 6, 8)]
        rows = []
        for each in (1, 10, 20, 40):
            (folder / str(each)).mkdir()
            files(folder / str(each), each)
            words = combin("check", str(each), "--policy", "policy.toml")
            rows.append((str(10 * each), round(measured(words, folder, "1")[1])))
        groups["Check of paytables of ten wagers, by their number"] = rows
        groups["Games against a dealer or a paytable, by streets"] = [
            (label, round(measured(game(kind), folder, "1")[1])) for label, kind in streets.items()]
    print(json.dumps(groups, indent=1))
    pictures = run_path(str(ROOT / "docs" / "pictures.py"))
    for ending, colours in (("", pictures["PAPER"]), ("-dark", pictures["DARK"])):
        text = chart(groups, colours).replace("<svg ", '<svg font-family="sans-serif" ', 1) + "\n"
        (ROOT / "docs" / "pictures" / f"memory{ending}.svg").write_text(text, encoding="utf-8")


def chart(groups: dict[str, list[tuple[str, int]]], colours: dict[str, str]) -> str:
    """Bars of MiB under the title of each group."""
    from combin.pages.svg import RIGHT, WIDTH, _frame, _n, _text

    most = max(value for rows in groups.values() for _, value in rows)
    begin, y, body = 190, 4, []
    for title, rows in groups.items():
        body.append(_text(0, y + 14, title, colours["ink"]))
        y += 24
        for label, value in rows:
            wide = Fraction(value, most) * (WIDTH - RIGHT - 70 - begin)
            body.append(_text(begin - 8, y + 12, label, colours["soft"], "end", 12))
            body.append(f'<rect x="{begin}" y="{y}" width="{_n(wide)}" height="14" rx="1.5" fill="{colours["bar"]}"/>')
            body.append(_text(begin + wide + 6, y + 12, f"{value} MiB", colours["soft"], size=12))
            y += 20
        y += 10
    return _frame("Memory by decks, paytables and streets", y, body)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--long", type=int, default=RUNS)
    parser.add_argument("--before", default="", metavar="PYTHON")
    parser.add_argument("--memory", action="store_true")
    given = parser.parse_args()
    memory() if given.memory else table(given.rows, given.long, given.before)


if __name__ == "__main__":
    main()
