"""A user's 200 paytables of ten wagers held to a policy, as ratios to one paytable; start of the process included.

python tests/benchmarks/bench_policy.py
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from combin.rulebook.book import shipped

BLACKJACK = ("lucky-ladies", "match-the-dealer", "super-match", "lucky-lucky", "poker-3", "buster-blackjack")
WAGERS = [
    "maryland/high-card-flush/flush-bonus",
    "maryland/high-card-flush/straight-flush-bonus",
    "maryland/chase-the-flush/same-suit",
    "massachusetts/high-card-flush/flush-bonus",
    *(f"maryland/blackjack/{wager}" for wager in BLACKJACK),
]
RULE = """\
[[rule]]
name = "all"
applies_to = ["*"]
return_min = "0.1%"
hit_frequency_min = "0.1%"
standard_deviation_max = "99999"
"""


def files(folder: Path, each: int) -> list[str]:
    """One file for each wager, with so many paytables. No two have the same pays."""
    found = []
    for k, wager in enumerate(WAGERS):
        lines = next(iter(shipped().wagers[wager].paytables.values())).lines
        text = f'[[wager]]\nbased_on = "{wager}"\n'
        for i in range(each):
            text += f"[wager.paytable.house-{i}]\n"
            text += "".join(
                f"{json.dumps(o)} = {json.dumps(p if n else f'{9000 + i} to 1')}\n" for n, (o, p) in enumerate(lines)
            )
        found.append(str(folder / f"{each}-{k}.toml"))
        Path(found[-1]).write_text(text, encoding="utf-8")
    return found


def run(words: list[str], policy: str) -> tuple[float, float]:
    """(wall, processor) seconds of a whole process, the best of three."""
    best = (float("inf"), float("inf"))
    for _ in range(3):
        used, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "combin", "check", *words, "--policy", policy], check=True, capture_output=True
        )
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, (wall, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime))
    return best


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        policy = Path(name) / "policy.toml"
        policy.write_text(RULE, encoding="utf-8")
        one, many = files(Path(name), 1)[:1], files(Path(name), 20)
        base = run(one, str(policy))
        for label, words in (("1 paytable", one), ("200 paytables of 10 wagers", many)):
            wall, used = run(words, str(policy))
            print(f"{label:28} {wall:6.2f} s wall {used:6.2f} s processor   {wall / base[0]:5.1f} × one")


if __name__ == "__main__":
    main()
