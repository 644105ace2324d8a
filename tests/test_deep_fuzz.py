"""Random wagers of one's own go through analyze, removal, report, design, solve, verify and check.

Files and words are put together from sound pieces and slightly wrong ones. Each command
ends with a result, or with status 2 and one line a fault. To run more of them by hand:

    python tests/test_deep_fuzz.py 100000 SEED
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from test_fuzz import sound

few = settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))

DEALS = (
    "player 2",
    "player 2, upcard 1",
    "player 2, dealer 2",
    "player 3",
    "player 1",
    "player 4",
    "player 2 of K",
    "upcard 1 of A, player 2",
    "player 0",
    "player 2, player 2",
    "player 2 by rank",
    "player 2 by value, upcard 1",
    "upcard 1, hole card 1, player 2 when dealer blackjack",
    "player 2 when dealer blackjack",
    "player 7",
    "player 9",
    "",
    "player",
    "player 2,",
    "dealer draws",
)
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
    "pair(upcard)",
    "total(player) = 20",
    "",
    "player",
    "1",
    "count(player) == 1",
    'count(player, "X") == 1',
    "x(y",
    "suited(player) or",
    "not " * 50 + "pair(player)",
    "total(player) > 99",
    "pair(player) < 3",
    "__import__('os')",
    "matches(player, upcard) == 2",
    "soft(cards)",
    "9**9**9 == 1",
    "poker(cards) == 'pair'",
)
OUTCOMES = {name: tuple(lines) for name, lines in CONDITIONS.items()}
PAYS = (
    "300 to 1",
    "25 to 1",
    "10 to 1",
    "2.5 to 1",
    "1 to 1",
    "0 to 1",
    "push",
    "50 for 1",
    "0 for 1",
    "$250",
    "$0.01",
    "100% of meter",
    "10% of meter + 5 to 1",
    "0% of meter",
    "100% of pool",
    "bonus to 1",
    "bonus",
    "50% of cap",
    "100% of stake",
    "spin of the wheel",
    "1,000 to 1",
    "999999999999 to 1",
    "1 to 3",
    "l to 1",
    "",
    "1 to 0",
    "100000% of the meter",
    "$1 + $2 + 3 to 1",
)
EXTRAS = (
    'suits = ["hearts"]',
    'suits = ["colours"]',
    'suits = ["heart"]',
    "suits = []",
    "decks = [6, 8]",
    "decks = [1, 7]",
    "decks = [0]",
    "decks = []",
    'clause = "here"',
    'added = {{ "{0}" = ["{1}", "{2}"] }}',
    'added = {{ "{0}" = ["{0}"] }}',
    'added = {{ "zzz" = ["{1}"] }}',
    'added = {{ "{0}" = [] }}',
    "promotion = true",
    "stake_returned_with_prize = true",
    'condition = "x"',
    'game = "high-card-flush"',
    "options = {{ ace = 3 }}",
    'only_at_stake = {{ "{0}" = "5" }}',
)
TABLES = (
    '[wager.unknown.meter]\ntext = "saved"',
    '[wager.unknown.pool]\nleast = "5"\nmost = "1"',
    '[wager.unknown.stake]\ntext = "x"',
    '[wager.setting.stake]\ndefault = "5"',
    '[wager.setting.stake]\ndefault = "0"',
    '[wager.setting.stake]\nleast = "9"\nmost = "1"',
    '[wager.setting.cap]\ndefault = "10"',
    '[wager.setting.other_players]\ndefault = "2"',
    '[wager.setting.meter]\ndefault = "1"',
    '[wager.unknown.meter]\nreset = "100"\nresets_on = ["{0}"]',
    '[wager.unknown.meter]\nresets_on = ["zzz"]\nreset = "-1"',
    '[wager.wheel.x]\n"a" = "$5"\n"b" = "push"',
    '[wager.wheel.x]\n"a" = "100% of meter"',
    '[wager.envy.x]\n"{0}" = "$5"',
    '[wager.extra.x.more]\npays = "3 to 1"\nfrequency = "meter"',
)
WORDS = ("meter", "stake", "cap", "pool", "bonus", "other_players", "x", "")
NUMBERS = ("1", "0", "-1", "1/3", "1e9", "100%", "$5", "x", "9" * 59, "0.0000001")
BASES = (
    "maryland/blackjack/lucky-ladies",
    "maryland/blackjack/kings-bounty",
    "maryland/high-card-flush/flush-bonus",
    "maryland/high-card-flush/progressive",
    "maryland/blackjack/must-hit-progressive",
    "maryland/blackjack/match-the-dealer",
    "maryland/blackjack/three-card-poker",
    "maryland/blackjack/royal-match-21",
)
SHIPPED = (
    "maryland/blackjack/must-hit-progressive/A",
    "maryland/high-card-flush/progressive/A",
    "maryland/blackjack/insurance/A",
    "maryland/blackjack/hit-and-run-progressive/A",
    "maryland/blackjack/lucky-aces/A",
    "maryland/blackjack/top-3/A",
    "maryland/blackjack/bonus-spin-progressive/A",
    "maryland/chase-the-flush/progressive/B",
    "massachusetts/high-card-flush/progressive/A",
    "maryland/high-card-flush/flush-bonus/A",
)
LINES = ("four-card flush", "any 20", "zzz")
POLICIES = (
    'return_min = "75%"',
    "no_player_advantage = true",
    'top_pay_max = "1000"',
    'payout_max = "1000"\nat_stake = "5"',
    'hit_frequency_min = "10%"',
    "pays_monotone = true",
    'prize_one_in_max = "1,000,000"',
    'odds_stated_as = "to"',
    'standard_deviation_max = "12"',
    'break_even_min = "1"',
    'player_share_min = "50%"',
    "decks_allowed = [6]",
    'reading_spread_max = "5%"',
    'return_band_max = "5%"',
    'volatility_index_max = "20"',
)


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
        from combin.rulebook.book import shipped

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
            rules += ["[rule.set]", f'{chance.choice(WORDS[:4])} = "{chance.choice(NUMBERS)}"']
    return "\n".join(rules) + "\n"


def command(chance: random.Random, folder: Path) -> tuple[str, ...]:
    """One command on a file of one's own, or on a shipped wager."""
    what = folder / "own.toml"
    given = str(what) if chance.random() < 0.8 else chance.choice(SHIPPED)
    asked: list[str] = []
    if chance.random() < 0.9:
        asked += ["--decks", chance.choice(("6", "6", "6", "6", "1", "8", "9"))]
    for _ in range(2):
        name, value = chance.choice(WORDS), chance.choice(NUMBERS)
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
            return ("solve", given, chance.choice(WORDS[:3]), "--return", chance.choice(NUMBERS[:7]), *asked)
        case 5 | 6:
            (folder / "policy.toml").write_text(policy(chance), encoding="utf-8")
            form = chance.choice(("text", "json", "junit", "sarif", "github"))
            return ("check", given, "--policy", str(folder / "policy.toml"), "--format", form)
    return ("list", given)


def one(seed: int, folder: Path) -> None:
    chance = random.Random(seed)
    (folder / "own.toml").write_text(paytables(chance), encoding="utf-8")
    sound(*command(chance, folder))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deep")


@pytest.mark.parametrize("block", range(8))
def test_every_command_on_wagers_of_ones_own(folder: Path, block: int) -> None:
    @few
    @given(st.integers(0, 2**28))
    def run(seed: int) -> None:
        one(seed * 8 + block, folder)

    run()


def by_hand(count: int, seed: int) -> None:
    """Run so many more commands; print each unsound one with its seed."""
    import tempfile
    import traceback

    with tempfile.TemporaryDirectory() as name:
        bad = 0
        for i in range(count):
            try:
                one(seed * 10**9 + i, Path(name))
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                bad += 1
                last = traceback.extract_tb(error.__traceback__)[-1]
                print(
                    seed * 10**9 + i,
                    type(error).__name__,
                    str(error)[:160],
                    f"{last.filename}:{last.lineno}",
                    flush=True,
                )
            if i % 10_000 == 9_999:
                print(f"{i + 1:,} done, {bad} not sound", flush=True)
        print(f"{count:,} done, {bad} not sound", flush=True)


if __name__ == "__main__":
    by_hand(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
