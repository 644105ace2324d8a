"""Games that a file describes: processor seconds and memory of value and joint distribution against design §12.

    python tests/benchmarks/bench_showdown.py [GAME...]

Each game is solved in a process of its own on one core. "Must" and "aim" are those of the design.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve()
#: Seconds that a game must take at most, and that it should take; MiB likewise.
GAMES = {
    "three_card_poker": (0.2, 0.02, 300, 100),
    "caribbean_stud": (8, 2, 300, 100),
    "crazy_four_poker": (8, 2, 300, 100),
    "let_it_ride": (2, 0.5, 300, 100),
    "mississippi_stud": (2, 0.5, 300, 100),
    "casino_holdem": (30, 8, 300, 100),
    "ultimate_texas_holdem": (30, 8, 300, 100),
    "texas_holdem_bonus": (30, 8, 1024, 1024),
    "four_card_poker": (30, 8, 300, 100),
    "chase_the_flush": (120, 40, 300, 100),
}


def measure(name: str) -> None:
    """Solve one game here and print its seconds and MiB."""
    sys.path.insert(0, str(HERE.parents[2]))
    from combin.games.showdown.solve import solve
    from tests.games.showdown import rounds

    game = getattr(rounds, name)()
    began = time.process_time()
    solve(*game)
    print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    print(f"{'':24}{'seconds':>9}{'must':>7}{'aim':>7}{'MiB':>7}{'must':>7}{'aim':>7}")
    for name in sys.argv[1:] or GAMES:
        run = [sys.executable, str(HERE), "--measure", name]
        out = subprocess.run(run, env={**os.environ, "COMBIN_THREADS": "1"}, capture_output=True, text=True, check=True)
        seconds, memory = map(float, out.stdout.split())
        must, aim, most, small = GAMES[name]
        print(f"{name:24}{seconds:9.2f}{must:7}{aim:7}{memory:7.0f}{most:7}{small:7}"
              f"{'' if seconds <= must and memory <= most else '   too much'}")


if __name__ == "__main__":
    measure(sys.argv[2]) if sys.argv[1:2] == ["--measure"] else main()
