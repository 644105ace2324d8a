"""`combin init --ci`: combin.toml, and the file of a CI service or of pre-commit that checks every change."""

from __future__ import annotations

import json
import os
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from ..base.distribution import EXTRAS, NAME
from .settings import OWN, settings
from .start import PAYTABLES, POLICY, write_new

#: The runners with their files.
RUNNERS = {
    "github": ".github/workflows/paytables.yml", "gitlab": ".gitlab-ci.yml", "pre-commit": ".pre-commit-config.yaml",
}  # fmt: skip
#: The Python of runners: all requirements have wheels for it.
PYTHON = "3.12"

_GITHUB = """\
# Checks every paytable as combin.toml says. Findings appear at the lines of the paytables and in the run's summary.
name: paytables
on: [push, pull_request]
permissions:
  contents: read
jobs:
  paytables:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
      with:
        fetch-depth: 0
    - uses: actions/setup-python@v5
      with:
        python-version: "{python}"
    - run: python -m pip install {requirement}
    - run: combin check --today "$(date -u +%F)" --format github --also "markdown=$GITHUB_STEP_SUMMARY"
    - if: ${{{{ !cancelled() && github.event_name == 'pull_request' }}}}
      env:
        BASE: ${{{{ github.base_ref }}}}
      run: combin diff "origin/$BASE..." --today "$(date -u +%F)" --format markdown >> "$GITHUB_STEP_SUMMARY"
"""
_GITLAB = """\
# Checks every paytable as combin.toml says. Findings appear in the merge request's diff, and as tests.
paytables:
  image: python:{python}
  script:
  - python -m pip install {requirement}
  - combin check --today "$(date -u +%F)" --also gitlab=combin.json --also junit=combin.xml
  artifacts:
    when: always
    reports:
      codequality: combin.json
      junit: combin.xml
"""
_PRE_COMMIT = """\
# Checks every paytable as combin.toml says, at every commit.
repos:
- repo: local
  hooks:
  - id: combin-check
    name: paytables checked against a policy
    entry: combin check
    language: system
    pass_filenames: false
    always_run: true
    require_serial: true
"""
_TEXTS = {"github": _GITHUB, "gitlab": _GITLAB, "pre-commit": _PRE_COMMIT}


def start_ci(runner: str, folder: str, source: str | None = None, wager_file: str | None = None) -> list[str]:
    """Write the runner's file, and combin.toml unless settings exist; return the paths that were written.

    ``wager_file`` is a file of the folder, with a side bet or a game, that combin.toml names. ``source`` is what pip
    installs combin from, see `requirement`. pre-commit runs the combin that is installed.

    Raises `InputError` if a file exists; then nothing is written.
    """
    texts = {RUNNERS[runner]: _TEXTS[runner].format(python=PYTHON, requirement=requirement(source))}
    if not settings(folder).file:
        texts = {OWN: _settings(Path(folder), wager_file), **texts}
    return write_new(folder, texts)


def _settings(folder: Path, paytables: str | None) -> str:
    """Return the text of combin.toml: with the files that `combin init` wrote, or a folder and a shipped policy."""
    policy = POLICY if (folder / POLICY).exists() else "combin:sound"
    words = [Path(paytables).name] if paytables else [PAYTABLES] if (folder / PAYTABLES).exists() else ["paytables/"]
    lines = [
        "# What combin check, its hooks and its runners check. A [tool.combin] table of pyproject.toml does as well.",
        f"policy = {json.dumps(policy)}",
        f"paytables = {json.dumps(words)}  # folders, files, globs; \"!GLOB\" excludes files",
        "# baseline = \"baseline.json\"    # findings that are accepted: combin check --write-baseline baseline.json",
    ]
    return "\n".join(lines) + "\n"


#: The folder of a repository in which wheels are kept, and the wheel for `PYTHON` among them.
WHEELS = "wheels/"
WHEEL = f"{WHEELS}{NAME.replace('-', '_')}-*-cp{PYTHON.replace('.', '')}-*.whl"


def requirement(source: str | None = None) -> str:
    """Return what pip installs, as words of a shell: combin from its source, and what XLSX files need.

    Without ``source`` combin comes from the git revision of which it was installed here, otherwise from the wheel in
    the repository.
    """
    needs = " ".join(f'"{need}"' for need in EXTRAS["xlsx"])
    known = source or _origin()
    return f"{shlex.quote(known) if known else WHEEL} {needs}"


def _origin() -> str:
    """Return the git revision that pip recorded for this installation; empty if there is none."""
    try:
        origin = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
        recorded = origin["vcs_info"]
        return f"git+{origin['url']}@{recorded['commit_id']}" if recorded["vcs"] == "git" else ""
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return ""


def next_steps(folder: str, runner: str, source: str | None = None) -> list[str]:
    """Return a line for each thing that is still missing for a check that passes."""
    project, lines = settings(folder), []
    if not project.paytables or not all(os.path.exists(word) or "*" in word for word in project.paytables):
        lines.append("next: combin init maryland/blackjack/lucky-ladies writes paytables to begin with")
    if runner != "pre-commit" and not (source or _origin()):
        lines.append(f"next: put the wheel of combin for Python {PYTHON} into {WHEELS} "
                     "(.ci/wheels in a clone of combin builds it), or give --from git+URL")
    hook = ["next: pip install pre-commit && pre-commit install"] if runner == "pre-commit" else []
    return hook + (lines or ["next: combin check"])
