"""A million inputs by hand: files after a mishap, pays, conditions, cards and command lines, all in one process.

    nice -n 19 python tests/fuzz_by_hand.py 1000000 SEED

Most inputs go to a reader alone; a share goes through whole commands, and some of those generated. Each input gives a
result, or `InputError` (in a command, status 2 and one line a fault). All else is printed with its kind and number,
which give it again: python tests/fuzz_by_hand.py KIND NUMBER. The table at the end counts inputs by kind.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generated
from generated import FLUSH, HIGH, KINDS, LINES, NUMBERS, PARAMETERS, mutated, sound

from combin.analysis.wheels import file_of as wheel_of
from combin.analysis.wheels import read_weights
from combin.bank.plan import read_plan
from combin.base.errors import InputError
from combin.base.exact import ratio
from combin.deals.cards import cards
from combin.deals.player_chart import read_chart
from combin.play.files import read_strategy
from combin.policy.acceptance import read_baseline
from combin.policy.reader import read_policy
from combin.rulebook.book import shipped
from combin.rulebook.pays import parse_pay
from combin.userfiles.paytables import add_file
from combin.wagers.conditions import parse
from combin.wagers.wager_outcomes import roles_of

Input = Callable[[random.Random, Path], object]

PLAN = """[bank]
tables = 2
seats = 3
rounds_per_hour = 50
hours_per_day = 10
days = 20
runs = 6

[[wager]]
id = "maryland/high-card-flush/progressive/A"
stake = "5"
set = { meter_contribution_rate = "4%" }
"""
BONUS = "massachusetts/high-card-flush/straight-flush-bonus"
ODD = ("", " ", "0", "-1", "1/0", "9" * 40, "\u0663", "\0", "(", ")", "$", "%", ",", ".", "e9", "\u00bd", "to", "not ")


def file_of(text: str, name: str, read: Callable[[Path], object]) -> Input:
    """A file of this name after a mishap, for its reader."""

    def one(chance: random.Random, folder: Path) -> object:
        path = folder / name
        path.write_bytes(mutated(text, chance))
        return read(path)

    return one


def _workbook() -> dict[str, str]:
    """The parts of a workbook with the sheet of pays."""
    import openpyxl

    book, raw = openpyxl.Workbook(), io.BytesIO()
    for row in generated.SHEET.splitlines():
        book.active.append(row.replace('"', "").split(","))
    book.save(raw)
    with zipfile.ZipFile(raw) as parts:
        return {name: parts.read(name).decode() for name in parts.namelist()}


def workbook(parts: dict[str, str]) -> Input:
    """A workbook with a mishap in one of its parts, or in its bytes."""

    def one(chance: random.Random, folder: Path) -> object:
        raw, hurt = io.BytesIO(), chance.choice(list(parts))
        with zipfile.ZipFile(raw, "w") as archive:
            for name, text in parts.items():
                archive.writestr(name, mutated(text.replace("><", ">\n<"), chance) if name == hurt else text)
        found = bytearray(raw.getvalue())
        if not chance.randrange(4):
            found[chance.randrange(len(found))] = chance.randrange(256)
        path = folder / "x.xlsx"
        path.write_bytes(found)
        return add_file(shipped(), f"{FLUSH}={path}")

    return one


def words_of(samples: tuple[str, ...], read: Callable[[str], object]) -> Input:
    """A text put together from samples and odd pieces, some of it dropped."""

    def one(chance: random.Random, folder: Path) -> object:
        text = chance.choice(samples)
        for _ in range(chance.randint(0, 3)):
            at = chance.randrange(len(text) + 1)
            piece = chance.choice((*ODD, chance.choice(samples), text[at : at + 3]))
            text = text[:at] + piece + text[at + chance.randint(0, 3) :]
        return read(text)

    return one


class Refused(Exception):
    """A command ended with status 2, as it should."""


def command(words: Callable[[random.Random, Path], tuple[str, ...]]) -> Input:
    """A whole command in this process."""

    def one(chance: random.Random, folder: Path) -> object:
        if sound(*words(chance, folder)) == 2:
            raise Refused
        return None

    return one


def _file_command(chance: random.Random, folder: Path) -> tuple[str, ...]:
    text, name, words = KINDS[chance.choice([kind for kind in KINDS if kind not in generated.LONG])]
    (folder / name).write_bytes(mutated(text, chance))
    return words(str(folder / name))


def _word_command(chance: random.Random, folder: Path) -> tuple[str, ...]:
    number, word = chance.choice(NUMBERS), "".join(chance.choices(generated.PIECES, k=chance.randint(0, 4)))
    return chance.choice((
        ("readings", "--", word), ("findings", "--", word), ("rules", "--", word), ("list", "--", word),
        ("analyze", f"{FLUSH}/A", "--set", f"{chance.choice(PARAMETERS)}={number}"),
        ("analyze", f"{FLUSH}/A", "--reading", f"{word}={number}"),
        ("analyze", "maryland/blackjack/pair/A", "--decks", number, "--without", chance.choice(("Qh", word, ""))),
        ("solve", "maryland/high-card-flush/progressive/A", chance.choice(PARAMETERS), "--return", number),
        ("design", f"{FLUSH}/A", "--vary", f"{chance.choice(LINES)}={number}..{chance.choice(NUMBERS)}",
         "--return-min", number),
        ("check", f"{FLUSH}/A", "--policy", chance.choice(("combin:lenient", word)), "--today", number),
        ("strategy", "maryland/high-card-flush/base/A", "--hand", word),
        ("coverage", "--", word),
        ("analyze", chance.choice((HIGH, f"{FLUSH}/A")), "--set", f"boxes={number}"),
        ("strategy", HIGH, "--with", f"{BONUS}/{chance.choice('AG')}", "--set", f"cap={number}",
         "--set", f"{chance.choice(('boxes', 'stake', 'stake.straight-flush-bonus'))}={chance.choice(NUMBERS)}"),
    ))


def _own_wagers(chance: random.Random, folder: Path) -> object:
    text = generated.paytables(chance)
    raw = text.encode() if chance.randrange(2) else mutated(text, chance)
    (folder / "own.toml").write_bytes(raw)
    return add_file(shipped(), str(folder / "own.toml"))


def _strategy(chance: random.Random, folder: Path) -> object:
    return file_of(chance.choice((generated.HIGH_CARD, generated.CHASE)), "s.toml", read_strategy)(chance, folder)


def _deep_command(chance: random.Random, folder: Path) -> tuple[str, ...]:
    (folder / "own.toml").write_text(generated.paytables(chance), encoding="utf-8")
    return generated.command(chance, folder)


CONDITIONS = (*(text for lines in generated.CONDITIONS.values() for text in lines.values()), *generated.WRONG)
CARDS = ("Qh", "Q\u2665", "10s Tc", "1h", "As 2c", "Ah Kh Qh Jh Th 9h 8h", "x")
#: Inputs of each kind among a thousand.
SHARES: dict[str, tuple[int, Input]] = {
    "paytables, TOML": (80, file_of(generated.PAYTABLES, "x.toml", lambda p: add_file(shipped(), str(p)))),
    "paytables, CSV": (100, file_of(generated.SHEET, "x.csv", lambda p: add_file(shipped(), str(p)))),
    "paytables, XLSX": (40, workbook(_workbook())),
    "own wagers, TOML": (30, _own_wagers),
    "policy": (90, file_of(KINDS["policy"][0], "p.toml", read_policy)),
    "wheel": (60, file_of(KINDS["wheel"][0], "w.toml", lambda p: read_weights(wheel_of(p)))),
    "chart": (40, file_of(generated.CHART, "c.toml", read_chart)),
    "strategy": (60, _strategy),
    "baseline": (50, file_of(KINDS["baseline"][0], "b.json", lambda p: read_baseline(str(p)))),
    "plan": (40, file_of(PLAN, "plan.toml", read_plan)),
    "pay": (130, words_of(generated.PAYS, lambda text: parse_pay(text, "x"))),
    "condition": (100, words_of(CONDITIONS, lambda text: parse(text, {"player": 2, "upcard": 1}))),
    "deal": (50, words_of(generated.DEALS, roles_of)),
    "number": (60, words_of((*NUMBERS, *generated.VALUES[:5]), ratio)),
    "cards": (35, words_of(CARDS, cards)),
    "command on a file": (12, command(_file_command)),
    "command line": (20, command(_word_command)),
    "deep command": (3, command(_deep_command)),
}


def one(kind: str, number: int, folder: Path) -> str:
    """Give one input; "accepted" or "refused". Another exception is a fault of combin."""
    try:
        SHARES[kind][1](random.Random(f"{kind} {number}"), folder)
    except InputError as error:
        if not error.faults or any("\n" in str(fault) for fault in error.faults):
            raise AssertionError("a refusal that is not one line a fault") from error
        return "refused"
    except Refused:
        return "refused"
    return "accepted"


def by_hand(count: int, seed: int) -> None:
    """Give so many inputs, and print every ten thousand what became of them by kind."""
    found: Counter[tuple[str, str]] = Counter()
    seconds: Counter[str] = Counter()
    longest: Counter[str] = Counter()
    kinds = [kind for kind, (share, _) in SHARES.items() for _ in range(share)]
    order = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        for i in range(count):
            kind, number, began = order.choice(kinds), seed * 10**9 + i, time.monotonic()
            try:
                found[kind, one(kind, number, Path(name))] += 1
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a fault of combin, whatever it is
                found[kind, "faults"] += 1
                last = traceback.extract_tb(error.__traceback__)[-1]
                print(f'"{kind}" {number}: {type(error).__name__} {str(error)[:200]!r} {last.filename}:{last.lineno}',
                      flush=True)
            took = time.monotonic() - began
            seconds[kind] += took
            longest[kind] = max(longest[kind], took)
            if i % 10_000 == 9_999 or i == count - 1:
                print(f"{i + 1:,} inputs, seed {seed}", flush=True)
    print(f"{'kind':20} {'inputs':>9} {'accepted':>9} {'refused':>9} {'faults':>7} {'s':>7} {'longest':>8}")
    for kind in [*SHARES, "all"]:
        row = [sum(n for (k, what), n in found.items() if kind in (k, "all") and what in of) for of in (
            ("accepted", "refused", "faults"), ("accepted",), ("refused",), ("faults",))]
        total = seconds[kind] if kind != "all" else sum(seconds.values())
        most = longest[kind] if kind != "all" else max(longest.values())
        print(f"{kind:20} {row[0]:9,} {row[1]:9,} {row[2]:9,} {row[3]:7,} {total:7.0f} {most:8.2f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1].isdigit():
        by_hand(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    else:
        with tempfile.TemporaryDirectory() as name:
            print(one(sys.argv[1], int(sys.argv[2]), Path(name)))
