"""Random input for tests and for fuzz_by_hand.py: files, words and commands after a mishap, conditions, values.

What takes a `random.Random` gives the same input for the same seed; the rest is drawn by Hypothesis.
"""

from __future__ import annotations

import io
import json
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from combin import cli
from combin.base.errors import InputError
from combin.base.textfiles import TomlNumber
from combin.base.toml_tables import keys_of
from combin.deals.poker import FIVE_CARDS, THREE_CARDS
from combin.policy.criteria import CRITERIA
from combin.policy.model import Requirement, Waiver
from combin.policy.reader import TOP_KEYS
from combin.report.json import FORMAT
from combin.rulebook.book import shipped
from combin.userfiles.paytables import WAGER_FILE_KEYS
from combin.wagers.vocabulary import CARDS, NUMBER, POKER, RANK, TRUTH, WORDS, Word

# ---- files after a mishap, and the commands that read them

FLUSH = "maryland/high-card-flush/flush-bonus"
HIGH, CHASE_BASE = "massachusetts/high-card-flush/base/A", "maryland/chase-the-flush/base/A"
BROKEN = Path(__file__).parent / "data" / "broken"
CHART = (Path(cli.__file__).parents[1] / "rules" / "player-chart.toml").read_text(encoding="utf-8")
#: Seconds: a hundred times the longest refusal, and more than any of these results takes.
PATIENCE_SECONDS = 20.0

PAYTABLES = f"""[[wager]]
based_on = "{FLUSH}"
[wager.paytable.house-1]
name = "House"
"seven-card flush" = "300 to 1"
"six-card flush" = "75 to 1"
"five-card flush" = "10 to 1"
"four-card flush" = "1 to 1"

[[wager]]
id = "here/blackjack/twins"
name = "Twins"
deal = "player 2"
decks = [6, 8]
[wager.outcome]
"suited pair" = "pair(player) and suited(player)"
"coloured pair" = "pair(player) and same_colour(player)"
"mixed pair" = "pair(player)"
[wager.setting.stake]
default = "5"
least = "1"
[wager.unknown.meter]
text = "what has been saved"
[wager.paytable.x]
"suited pair" = "100% of meter"
"coloured pair" = "12 to 1"
"mixed pair" = "6 to 1"
"""
SHEET = f"""outcome,pays,wager,paytable
seven-card flush,300 to 1,{FLUSH},x-1
"six-card flush","75 to 1",{FLUSH},x-1
five-card flush,10 for 1,{FLUSH},x-1
"""
POLICY = f"""name = "House"
extends = "combin:lenient"
[[rule]]
name = "Three quarters"
applies_to = ["{FLUSH}/*"]
decks = [1]
readings = "all"
return_min = "3/4"
house_edge_max = 0.25
hit_frequency_min = "10%"
[rule.set]
stake = "5"
[[waiver]]
id = "{FLUSH}/A"
rule = "RTP001"
reason = "known before"
expires = 2027-01-31
"""
SYMBOLS = ("jackpot", *(f"${n} symbol" for n in ("1,000", 500, 200, 125, 75, 60, 25, 23, 15, 10, 5)))
WHEEL = "[weights]\n" + "".join(f'"{symbol}" = 1\n' for symbol in SYMBOLS)
HIGH_CARD = """game = "high-card-flush"
name = "Ten-nine"
raise_from = "T-9-7"
multiple = 1
[[when]]
other_cards = "J"
at_least = 2
raise_from = "T-7-2"
[[when]]
suits = ["3-3-1-0"]
raise_from = "J-T-6"
"""
CHASE = """game = "chase-the-flush"
[hole]
"two-card flush" = "K-2"
"three-card flush" = "any"
compare = "each-card"
[flop]
"three-card flush" = "7-4-2"
[river]
"three-card flush" = "any"
[river.two-higher]
"three-card flush" = "T-8-5"
"""
CATALOGUE = f"""ledger = false
[[analysis]]
patterns = ["{FLUSH}/A"]
set = {{ stake = "5" }}
"""
BASELINE = '{"accepted": [\n{"rule": "RTP001", "id": "x", "fingerprint": "abc"}\n]}\n'
ASKED = {"patterns": [f"{FLUSH}/A"], "decks": [], "quick": True}
REPORT = json.dumps({"format": FORMAT, "identity": {"asked": ASKED}}, indent=1)


def run(*words: str) -> tuple[object, str, str]:
    """(status, output, errors) of one command in this process. An exception other than the exit fails the test."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    given_words, sys.argv = sys.argv, ["combin", *words]
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        sys.argv = given_words
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return ended.value.code, texts[0], texts[1]


def sound(*words: str) -> object:
    """The command succeeds, or it ends with status 2, an empty standard output and one line a fault; its status."""
    began = time.monotonic()
    status, out, err = run(*words)
    assert time.monotonic() - began < PATIENCE_SECONDS, words
    assert status in (0, 1, 2), words
    assert "Traceback" not in err
    if status == 2:
        lines = err.splitlines()
        assert lines, words
        assert out == "" or {"github", "junit", "sarif"} & set(words), words
        assert all(line.startswith("combin: ") and len(line) < 1700 for line in lines), lines
        assert len(lines) <= 101
    return status


VALUES = (
    "", "3", "-1", "0", "1e400", "nan", "true", "1979-05-27", "07:32:00", "[]", "{}", "[[]]", '""', "'x'", '"1/0"',
    '"300 to 0"', "9" * 40, "1" * 5000, "0x" + "f" * 5000, "0b1", "[" * 900, '{ a = 1 }', '"\\u0000"', '"%s{0}[/b]"',
    '"\u202e\U0001f0cf\u0130"', '"' + "x" * 5000 + '"', '"*"', f'"{FLUSH}"', '"1 to 1"', '"100% of meter"', "[1, 'a']",
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> bytes:
    """A file after one to three mishaps."""
    lines = text.splitlines()
    tail: Callable[[str], str] = str
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        line = lines[at]
        match chance.randrange(9):
            case 0:
                del lines[at]
            case 1:
                lines.insert(chance.randrange(len(lines)), line)
            case 2 if "=" in line:
                lines[at] = line.partition("=")[0] + "= " + chance.choice(VALUES)
            case 3 if "=" in line:
                lines[at] = chance.choice(("x", '""', "a.b.c", ".".join("a" * 600), '"\u0130"')) + " = 1"
            case 4:
                cut = chance.randrange(len(line) + 1)
                odd = chance.choice(("\0", "\r", '"', "'", "\ufeff", "\u2028", "]", ",", "\ud7ff"))
                lines[at] = line[:cut] + odd + line[cut:]
            case 5:
                lines[at] = line[: chance.randrange(len(line) + 1)]
            case 6:
                tail = chance.choice((lambda t: t.replace("\n", "\r"), lambda t: t.replace("\n", "\r\n"), str.upper))
            case _:
                lines[at] = line.replace(chance.choice('"=[],-/'), chance.choice(("", "  ", "\t", "==", "[")), 1)
        lines = lines or [""]
    raw = tail("\n".join(lines)).encode()
    match chance.randrange(12):
        case 0:
            return b"\xef\xbb\xbf" + raw
        case 1:
            return raw[: chance.randrange(len(raw) + 1)]
        case 2:
            return raw.replace(b"e", bytes([chance.randrange(256)]), 1)
        case 3:
            return raw.decode().encode("utf-16")
    return raw


#: For each kind of file: a valid example, its name, and the command that reads it.
KINDS: dict[str, tuple[str, str, Callable[[str], tuple[str, ...]]]] = {
    "paytables": (PAYTABLES, "x.toml", lambda p: ("list", p)),
    "sheet": (SHEET, "x.csv", lambda p: ("list", p)),
    "policy": (POLICY, "p.toml", lambda p: ("check", f"{FLUSH}/A", "--policy", p)),
    "wheel": (WHEEL, "w.toml", lambda p: ("analyze", "maryland/chase-the-flush/progressive/A", "--wheel", p)),
    "chart": (CHART, "c.toml", lambda p: ("analyze", "*/bad-beat*/*", "--decks", "1", "--chart", p)),
    "high-card strategy": (HIGH_CARD, "h.toml", lambda p: ("strategy", HIGH, "--play", p)),
    "chase strategy": (CHASE, "s.toml", lambda p: ("strategy", CHASE_BASE, "--play", p)),
    "catalogue": (CATALOGUE, "catalogue.toml", lambda p: ("regenerate", "--check", str(Path(p).parent))),
    "baseline": (BASELINE, "b.json", lambda p: ("check", f"{FLUSH}/A", "--policy", "combin:lenient", "--baseline", p)),
    "report": (REPORT, "r.json", lambda p: ("report", "--verify", p)),
}  # fmt: skip


#: Kinds whose command takes seconds; their readers are tried alone.
LONG = ("chart", "chase strategy")

#: Pieces of words of a command line.
PIECES = ("*", "**", "?", "[", "]", "!", "/", "..", "maryland", "flush-bonus", "A", "=", "\0", "\u0130", "\n", "x.toml",
          ".csv", "[bold]", "\udcff", " ", "~", "%s", FLUSH)  # fmt: skip


# ---- files and commands put together from sound pieces and slightly wrong ones

DEALS = (
    "player 2", "player 2, upcard 1", "player 2, dealer 2", "player 3", "player 1", "player 4", "player 2 of K",
    "upcard 1 of A, player 2", "player 0", "player 2, player 2", "player 2 by rank", "player 2 by value, upcard 1",
    "upcard 1, hole card 1, player 2 when dealer blackjack", "player 2 when dealer blackjack", "player 7", "player 9",
    "", "player", "player 2,", "dealer draws",
)  # fmt: skip
#: Wagers by their conditions; a line is rarer than each line above that it overlaps.
CONDITIONS = {
    "pairs": {"suited pair": "pair(player) and suited(player)", "pair": "pair(player)"},
    "royal": {
        "royal match": 'suited(player) and count(player, "Q") == 1 and count(player, "K") == 1',
        "suited match": "suited(player)",
    },
    "twenty": {
        "queen of hearts pair": 'count(player, "Qh") == 2',
        "suited 20": "suited(player) and total(player) == 20",
        "any 20": "total(player) == 20",
    },
}
#: Wrong conditions.
WRONG = (
    "pair(upcard)", "total(player) = 20", "", "player", "1", "count(player) == 1", 'count(player, "X") == 1', "x(y",
    "suited(player) or", "not " * 50 + "pair(player)", "total(player) > 99", "pair(player) < 3", "__import__('os')",
    "matches(player, upcard) == 2", "soft(cards)", "9**9**9 == 1", "poker(cards) == 'pair'",
)  # fmt: skip
OUTCOMES = {name: tuple(lines) for name, lines in CONDITIONS.items()}
PAYS = (
    "300 to 1", "25 to 1", "10 to 1", "2.5 to 1", "1 to 1", "0 to 1", "push", "50 for 1", "0 for 1", "$250", "$0.01",
    "100% of meter", "10% of meter + 5 to 1", "0% of meter", "100% of pool", "bonus to 1", "bonus", "50% of cap",
    "100% of stake", "spin of the wheel", "1,000 to 1", "999999999999 to 1", "1 to 3", "l to 1", "", "1 to 0",
    "100000% of the meter", "$1 + $2 + 3 to 1",
)  # fmt: skip
EXTRAS = (
    'suits = ["hearts"]', 'suits = ["colours"]', 'suits = ["heart"]', "suits = []", "decks = [6, 8]",
    "decks = [1, 7]", "decks = [0]", "decks = []", 'clause = "here"', 'added = {{ "{0}" = ["{1}", "{2}"] }}',
    'added = {{ "{0}" = ["{0}"] }}', 'added = {{ "zzz" = ["{1}"] }}', 'added = {{ "{0}" = [] }}', "promotion = true",
    "stake_returned_with_prize = true", 'condition = "x"', 'game = "high-card-flush"', "options = {{ ace = 3 }}",
    'only_at_stake = {{ "{0}" = "5" }}',
)  # fmt: skip
TABLES = (
    '[wager.unknown.meter]\ntext = "saved"', '[wager.unknown.pool]\nleast = "5"\nmost = "1"',
    '[wager.unknown.stake]\ntext = "x"', '[wager.setting.stake]\ndefault = "5"',
    '[wager.setting.stake]\ndefault = "0"', '[wager.setting.stake]\nleast = "9"\nmost = "1"',
    '[wager.setting.cap]\ndefault = "10"', '[wager.setting.other_players]\ndefault = "2"',
    '[wager.setting.meter]\ndefault = "1"', '[wager.unknown.meter]\nreset = "100"\nresets_on = ["{0}"]',
    '[wager.unknown.meter]\nresets_on = ["zzz"]\nreset = "-1"', '[wager.wheel.x]\n"a" = "$5"\n"b" = "push"',
    '[wager.wheel.x]\n"a" = "100% of meter"', '[wager.envy.x]\n"{0}" = "$5"',
    '[wager.extra.x.more]\npays = "3 to 1"\nfrequency = "meter"',
)  # fmt: skip
PARAMETERS = (
    "meter", "stake", "cap", "pool", "bonus", "other_players", "x", "",
)  # fmt: skip
NUMBERS = (
    "1", "0", "-1", "1/3", "1e9", "100%", "$5", "x", "9" * 59, "0.0000001",
)  # fmt: skip
BASES = (
    "maryland/blackjack/lucky-ladies", "maryland/blackjack/kings-bounty", "maryland/high-card-flush/flush-bonus",
    "maryland/high-card-flush/progressive", "maryland/blackjack/must-hit-progressive",
    "maryland/blackjack/match-the-dealer", "maryland/blackjack/three-card-poker", "maryland/blackjack/royal-match-21",
)  # fmt: skip
SHIPPED = (
    "maryland/blackjack/must-hit-progressive/A", "maryland/high-card-flush/progressive/A",
    "maryland/blackjack/insurance/A", "maryland/blackjack/hit-and-run-progressive/A",
    "maryland/blackjack/lucky-aces/A", "maryland/blackjack/top-3/A", "maryland/blackjack/bonus-spin-progressive/A",
    "maryland/chase-the-flush/progressive/B", "massachusetts/high-card-flush/progressive/A",
    "maryland/high-card-flush/flush-bonus/A",
)  # fmt: skip
LINES = (
    "four-card flush", "any 20", "zzz",
)  # fmt: skip
POLICIES = (
    'return_min = "75%"', "no_player_advantage = true", 'top_pay_max = "1000"', 'payout_max = "1000"\nat_stake = "5"',
    'hit_frequency_min = "10%"', "pays_monotone = true", 'prize_one_in_max = "1,000,000"', 'odds_stated_as = "to"',
    'standard_deviation_max = "12"', 'break_even_min = "1"', 'player_share_min = "50%"', "decks_allowed = [6]",
    'reading_spread_max = "5%"', 'return_band_max = "5%"', 'volatility_index_max = "20"',
)  # fmt: skip


def paytables(chance: random.Random) -> str:
    """A file of one or two wagers, most of it sound."""
    return "\n".join(_wager(chance, i) for i in range(chance.choice((1, 1, 1, 2))))


def _wager(chance: random.Random, index: int) -> str:
    wrong = chance.random() < 0.45

    def sometimes(pieces: tuple[str, ...], share: float) -> list[str]:
        return [chance.choice(pieces).format(*names)] if wrong and chance.random() < share else []

    function = chance.choice(list(OUTCOMES))
    names = [*OUTCOMES[function], "a", "b", "c"][:4]
    meter = chance.random() < 0.3
    if chance.random() < 0.35:
        base = chance.choice(BASES)
        found = shipped().wagers[base]
        lines = [o for o, _ in next(iter(found.paytables.values())).lines]
        head, names, meter = [f'based_on = "{base}"'], [*lines, "a", "b", "c"], meter and "meter" in found.terms.unknown
        tables = sometimes(TABLES[:3], 0.2)
    else:
        lines = list(OUTCOMES[function])
        deal = chance.choice(DEALS) if wrong and chance.random() < 0.5 else chance.choice(DEALS[:3])
        head = [f'id = "here/blackjack/w{index}"', 'name = "W"', f'deal = "{deal}"']
        head += sometimes(EXTRAS, 0.5) or chance.choice(([], [], ["decks = [6, 8]"], ["decks = [1, 7]"]))
        tables = ['[wager.unknown.meter]\ntext = "saved"'] if meter else sometimes(TABLES, 0.4)
        stated = dict(CONDITIONS[function])
        if wrong and chance.random() < 0.4:
            stated[chance.choice(lines)] = chance.choice(WRONG)
        tables = ["[wager.outcome]", *(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in stated.items()), *tables]
    listed = [line for line in lines if chance.random() < 0.8] or lines[:1]
    pays = sorted(chance.choices(range(len(PAYS[:8])), k=len(listed)))
    texts = [PAYS[pay] for pay in pays]
    if meter:
        texts[0] = chance.choice(("100% of meter", "10% of meter + 5 to 1"))
    if wrong and chance.random() < 0.5:
        texts[chance.randrange(len(texts))] = chance.choice(PAYS)
    rows = [f'"{name}" = "{pay}"' for name, pay in zip(listed, texts, strict=True)]
    tied = [chance.choice(("decks = [6]", "decks = [1, 7]", "decks = [9]", 'name = "N"'))] if wrong and index else []
    return "\n".join(["[[wager]]", *head, *tables, "[wager.paytable.x]", *tied, *rows, ""])


def policy(chance: random.Random) -> str:
    rules = []
    for i in range(chance.choice((1, 2))):
        bounds = chance.sample(POLICIES, 2)
        decks = ["decks = [6, 8]"] if chance.random() < 0.2 else []
        rules += ["[[rule]]", f'name = "r{i}"', 'applies_to = ["*"]', *decks, *bounds]
        if chance.random() < 0.15:
            rules += ["[rule.set]", f'{chance.choice(PARAMETERS[:4])} = "{chance.choice(NUMBERS)}"']
    return "\n".join(rules) + "\n"


def command(chance: random.Random, folder: Path) -> tuple[str, ...]:
    """One command on a user's file, or on a shipped wager."""
    what = folder / "own.toml"
    given = str(what) if chance.random() < 0.8 else chance.choice(SHIPPED)
    asked: list[str] = []
    if chance.random() < 0.9:
        asked += ["--decks", chance.choice(("6", "6", "6", "6", "1", "8", "9"))]
    for _ in range(2):
        name, value = chance.choice(PARAMETERS), chance.choice(NUMBERS)
        if chance.random() < 0.12 and not any(word.startswith(f"{name}=") for word in asked):
            asked += ["--set", f"{name}={value}"]
    if chance.random() < 0.1:
        asked += ["--without", chance.choice(("Qh", "As Ah", "Qh Qh Qh Qh Qh Qh Qh", "x"))]
    match chance.randrange(8):
        case 0:
            return ("analyze", given, "--format", chance.choice(("table", "json", "csv", "markdown")), *asked)
        case 1:
            return ("removal", given, "--format", chance.choice(("table", "json", "csv")), *asked)
        case 2:
            form = chance.choice(("json", "md", "html"))
            return ("report", given, "--quick", "-o", str(folder / f"out.{form}"), *asked)
        case 3:
            listed = [
                part for part in (folder / "own.toml").read_text(encoding="utf-8").splitlines() if " to 1" in part
            ]
            line = chance.choice(listed).split('"')[1] if listed and given == str(what) else chance.choice(LINES)
            vary = ["--vary", f"{line}={chance.choice(('1..3', '9..11', '5', '3..1'))}", "--return-max", "2"]
            more = chance.choice(([], ["--policy", "combin:sound"], ["--any-order"], ["--format", "json"]))
            return ("design", given, *vary, *more, *asked)
        case 4:
            return ("solve", given, chance.choice(PARAMETERS[:3]), "--return", chance.choice(NUMBERS[:7]), *asked)
        case 5 | 6:
            (folder / "policy.toml").write_text(policy(chance), encoding="utf-8")
            form = chance.choice(("text", "json", "junit", "sarif", "github"))
            return ("check", given, "--policy", str(folder / "policy.toml"), "--format", form)
    return ("list", given)


# ---- conditions on a deal, and cards for it

ROLES: tuple[dict[str, int], ...] = (
    {"player": 2, "upcard": 1},
    {"player": 3},
    {"first card": 1, "second card": 1},
    {"player": 2, "dealer": 2},
    {"player": 3, "board": 2, "hole card": 1},
    {"player": 7},
)
_SIGNS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


def hands(roles: Mapping[str, int], least: int, most: int) -> list[tuple[tuple[str, ...], str]]:
    """Every hand of ``least`` to ``most`` cards: its roles and its text."""
    names = list(roles)
    found = []
    for bits in range(1, 1 << len(names)):
        members = tuple(name for i, name in enumerate(names) if bits >> i & 1)
        if least <= sum(roles[m] for m in members) <= most:
            found.append((members, " + ".join(m.replace(" ", "_") for m in members)))
    return found


@st.composite
def calls(draw: st.DrawFn, roles: Mapping[str, int], word: Word) -> tuple[str, int]:
    """A call of a word, and the number of cards of its first hand."""
    given: list[str] = []
    used: set[str] = set()
    size = 0
    for least, most in word.hands:
        found = [h for h in hands(roles, least, most) if not used & set(h[0])]
        if word.gives == POKER:
            found = [h for h in found if sum(roles[r] for r in h[0]) != 4]
        members, text = draw(st.sampled_from(found))
        used |= set(members)
        size = size or sum(roles[m] for m in members)
        given.append(text)
    if word.takes_cards:
        # A text of cards names ranks, or suits and colours, and cards beside either.
        suits = draw(st.booleans())
        known = [w for w, c in CARDS.items() if len(c) == 1 or (len({t % 13 for t in c}) == 13) == suits]
        given.append('"' + " ".join(draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=3))) + '"')
    for option, values in word.options.items():
        if draw(st.booleans()):
            given.append(f'{option}="{draw(st.sampled_from(values))}"')
    return f"{word.name}({', '.join(given)})", size


def possible(roles: Mapping[str, int], gives: str) -> list[Word]:
    found = []
    for word in WORDS.values():
        if word.gives != gives:
            continue
        fits = [hands(roles, least, most) for least, most in word.hands]
        if gives == POKER:
            fits = [[h for h in fits[0] if sum(roles[r] for r in h[0]) != 4]]
        if not all(fits):
            continue
        if len(fits) == 2 and not any(not set(a[0]) & set(b[0]) for a in fits[0] for b in fits[1]):
            continue
        if len(fits) == 2 and any(all(set(a[0]) & set(b[0]) for b in fits[1]) for a in fits[0]):
            continue  # some first hand overlaps every second hand
        found.append(word)
    return found


@st.composite
def numbers(draw: st.DrawFn, roles: Mapping[str, int], depth: int) -> str:
    kind = draw(st.integers(0, 4 if depth else 1))
    if kind <= 2:
        word = draw(st.sampled_from(possible(roles, NUMBER)))
        return draw(calls(roles, word))[0]
    if kind == 3:
        left, right = draw(numbers(roles, depth - 1)), draw(numbers(roles, depth - 1))
        return f"({left} {draw(st.sampled_from('+-*'))} {right})"
    yes = draw(numbers(roles, depth - 1))
    return f"({yes} if {draw(truths(roles, depth - 1))} else {draw(st.integers(0, 9))})"


@st.composite
def truths(draw: st.DrawFn, roles: Mapping[str, int], depth: int) -> str:
    kind = draw(st.integers(0, 7 if depth else 3))
    if kind == 0 and possible(roles, TRUTH):
        return draw(calls(roles, draw(st.sampled_from(possible(roles, TRUTH)))))[0]
    if kind == 1:
        words = [*possible(roles, RANK), *possible(roles, POKER)]
        word = draw(st.sampled_from(words))
        text, size = draw(calls(roles, word))
        known = list("23456789TJQKA") if word.gives == RANK else THREE_CARDS if size == 3 else FIVE_CARDS
        return f'{text} {draw(_SIGNS)} "{draw(st.sampled_from(known))}"'
    if kind <= 3:
        left = draw(numbers(roles, max(depth - 1, 0)))
        return f"{left} {draw(_SIGNS)} {draw(st.integers(0, 22))}"
    left, right = draw(truths(roles, depth - 1)), draw(truths(roles, depth - 1))
    if kind == 4:
        return f"not ({left})"
    if kind == 5:
        return f"(({left}) if ({right}) else ({draw(truths(roles, depth - 1))}))"
    return f"({left} {'and' if kind == 6 else 'or'} {right})"


@st.composite
def deals(draw: st.DrawFn, roles: Mapping[str, int], decks: int = 2) -> dict[str, tuple[int, ...]]:
    """Card types for each role; no card occurs more often than the number of decks."""
    stack = [c for c in range(52) for _ in range(decks)]
    # Cards of few ranks and suits meet more conditions.
    few = draw(st.booleans())
    if few:
        stack = [c for c in stack if c % 13 in (3, 4, 5, 6, 8, 12)]
    chosen = draw(st.permutations(stack))
    dealt, at = {}, 0
    for role, cards in roles.items():
        dealt[role] = tuple(chosen[at : at + cards])
        at += cards
    return dealt


def dealt(example: str, roles: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """``"7h 7s, Qd"`` by role."""
    return dict(zip(roles, (tuple(hand.split()) for hand in example.split(",")), strict=True))


# ---- values of files that are read as TOML

scalars = (
    st.text(max_size=12)
    | st.integers(-3, 10**40)
    | st.booleans()
    | st.builds(TomlNumber, st.sampled_from(["0.75", "1e3", "nan", "-inf", "1.0"]))
    | st.dates()
    | st.sampled_from(
        ["all", "ante", "3/4", "10%", "300 to 1", "push", "*", FLUSH, f"{FLUSH}/*", "player 7", "longest-flush"]
    )
)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)


anything = st.recursive(scalars, nested, max_leaves=6)


def refusal(call: Callable[[], object]) -> list[str]:
    """The faults that a call raises, or none. Another exception fails the test."""
    try:
        call()
    except InputError as error:
        lines = [str(f) for f in error.faults]
        return lines if lines and not any("\n" in line for line in lines) else ["no lines", *lines]
    return []


def tables(keys: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(keys) | st.text(max_size=5), anything, max_size=6)


lines = st.dictionaries(
    st.sampled_from(["four-card flush", "name", "decks"]) | st.text(max_size=5), scalars, max_size=4
)
paytable_values = st.dictionaries(st.text(max_size=5) | st.just("house"), lines | anything, max_size=3)
wagers = tables(WAGER_FILE_KEYS) | st.fixed_dictionaries({"based_on": st.just(FLUSH), "paytable": paytable_values})
REQUIREMENT_KEYS = (*keys_of(Requirement), *CRITERIA)
requirements = tables(REQUIREMENT_KEYS) | st.fixed_dictionaries(
    {"name": st.just("x"), "applies_to": st.just(["*/flush-bonus/A"])},
    optional={key: anything for key in REQUIREMENT_KEYS if key not in ("name", "applies_to")},
)
policies = st.fixed_dictionaries(
    {"rule": st.lists(requirements, max_size=2), "waiver": st.lists(tables(keys_of(Waiver)), max_size=2)},
    optional={key: anything for key in TOP_KEYS if key not in ("rule", "waiver")},
)
