"""Install the pre-commit hook from this repository as a user would, and run it on a throw-away repository.

    python tests/benchmarks/hook_install.py

pre-commit compiles combin in an environment of its own. This takes minutes, so it is no
part of the tests. Prints one line; fails if the hook passes a bad paytable or refuses a good one.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
WAGER = "maryland/high-card-flush/flush-bonus"
CONFIG = """\
repos:
- repo: {root}
  rev: {rev}
  hooks:
  - id: combin-check
    args: [--policy, policy.toml]
"""


def run(*args: str, folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(args, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        home, project = Path(name) / "home", Path(name) / "project"
        (project / "paytables").mkdir(parents=True)
        rev = run("git", "rev-parse", "HEAD", folder=ROOT, home=home).stdout.strip()
        (project / ".pre-commit-config.yaml").write_text(CONFIG.format(root=ROOT, rev=rev), encoding="utf-8")
        (project / "policy.toml").write_text(
            f'[[rule]]\nname = "half"\napplies_to = ["{WAGER}/*"]\nreturn_min = "50%"\n', encoding="utf-8"
        )
        statuses = []
        for pays in ("3 to 1", "1 to 1"):
            paytable = f'[[wager]]\nbased_on = "{WAGER}"\n[wager.paytable.house-1]\n"four-card flush" = "{pays}"\n'
            (project / "paytables/house.toml").write_text(paytable, encoding="utf-8")
            run("git", "init", "-q", folder=project, home=home)
            run("git", "add", ".", folder=project, home=home)
            found = run(sys.executable, "-m", "pre_commit", "run", "--all-files", folder=project, home=home)
            print(found.stdout + found.stderr, file=sys.stderr)
            statuses.append((found.returncode, "is below 50%" in found.stdout))
        good = statuses == [(0, False), (1, True)]
        print("the hook passes a good paytable and fails a bad one" if good else f"unexpected: {statuses}")
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
