"""500 paytables, one a file: check, diff and regenerate by whole processes, as ratios to the first line of each.

Without a store by one processor and by all, then with a store that is empty and with one that is full.

python tests/benchmarks/bench_many.py [NUMBER]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path

from combin.base.parallel import default_threads
from combin.rulebook.book import shipped

RULE = '[[rule]]\nname = "all"\napplies_to = ["*"]\nreturn_min = "0.1%"\nhit_frequency_min = "0.1%"\n'
#: Half a minute for each number of decks.
TOO_LONG = ("maryland/blackjack/switch", "maryland/blackjack/blackjack")


def texts():
    """A file's text after the other, the wagers in turn; the first pay is another in each round."""
    for turn in count():
        for wager in shipped().wagers.values():
            if wager.id in TOO_LONG:
                continue
            lines = dict(next(iter(wager.paytables.values())).lines)
            first = next(iter(lines))
            number, _, rest = lines[first].partition(" to ")
            if rest == "1" and number.isdigit():
                lines[first] = f"{int(number) + turn} to 1"
            rows = "".join(f"{json.dumps(o)} = {json.dumps(p)}\n" for o, p in lines.items())
            yield f'[[wager]]\nbased_on = "{wager.id}"\n[wager.paytable.house-{turn}]\n{rows}'


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "paytables").mkdir()
        for place, text in enumerate(islice(texts(), number)):
            (folder / "paytables" / f"{place:04}.toml").write_text(text, encoding="utf-8")
        (folder / "policy.toml").write_text(RULE, encoding="utf-8")
        (folder / "catalogue.toml").write_text('[[analysis]]\nfiles = ["paytables/"]\n', encoding="utf-8")
        commands = {
            "check": ["check", "paytables", "--policy", "policy.toml", "-o", "out.txt"],
            "regenerate": ["regenerate", "."],
            "diff": ["diff", "paytables", "paytables"],
        }
        processors = str(default_threads())
        for command, words in commands.items():
            first = None
            for label, threads, more in (
                ("no store, 1 processor", "1", ["--no-cache"]),
                (f"no store, {processors} processors", processors, ["--no-cache"]),
                ("empty store", processors, []),
                ("full store", processors, []),
                ("full store, 1 processor", "1", []),
            ):
                own = {"COMBIN_CACHE": str(folder / f"store-{command}"), "COMBIN_THREADS": threads}
                environment = {**os.environ, **own}
                began = time.perf_counter()
                subprocess.run([sys.executable, "-m", "combin", *words, *more], cwd=folder, env=environment,
                               capture_output=True, check=False)
                wall = time.perf_counter() - began
                first = first or wall
                print(f"{command:12} {label:26} {wall:7.2f} s   {wall / first:5.2f} × the first", flush=True)


if __name__ == "__main__":
    main()
