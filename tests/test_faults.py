"""What goes wrong around the tool: full disks, dead readers, strange terminals, signals; old files stay whole."""

from __future__ import annotations

import errno
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import combin
from combin.base import output
from combin.base.errors import InputError
from combin.tools.regenerate import check, rewrite

BONUS = "maryland/high-card-flush/flush-bonus/A"
CATALOGUE = '[[analysis]]\npatterns = ["maryland/high-card-flush/flush-bonus/*", "maryland/blackjack/pair/*"]\n'
#: Where the package that is tested is found by other processes.
PATH = str(Path(combin.__file__).parents[1])
#: Each has a long output or one with signs beyond ASCII.
COMMANDS = (
    ("list",),
    ("readings",),
    ("findings",),
    ("analyze", BONUS),
    ("analyze", BONUS, "--format", "markdown"),
    ("check", BONUS, "--policy", "combin:lenient", "-v"),
    ("rules", "RTP001"),
    ("verify", BONUS),
)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": PATH, **more}


def words_of(*words: str) -> list[str]:
    return [sys.executable, "-m", "combin", *words]


def run(*words: str, **options) -> subprocess.CompletedProcess[bytes]:
    options.setdefault("env", environment())
    return subprocess.run(words_of(*words), capture_output="stdout" not in options, timeout=60, check=False, **options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "catalogue.toml").write_text(CATALOGUE)
    rewrite(str(tmp_path))
    return tmp_path


# ---- disks and folders


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
def test_a_disk_that_fills_up_leaves_every_committed_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    page = folder / "maryland-blackjack" / "pair.md"
    page.write_text("stale\n")
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    monkeypatch.setattr(output.os, call, no_space)
    with pytest.raises(InputError, match="No space left on device"):
        rewrite(str(folder))
    assert before == {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="the system has no full device")
def test_a_full_disk_behind_standard_output_is_a_line_and_status_2() -> None:
    for words in (("list",), ("analyze", BONUS, "--format", "json"), ("--help",)):
        with open("/dev/full", "wb") as full:
            found = run(*words, stdout=full, stderr=subprocess.PIPE)
        assert found.returncode == 2
        assert found.stderr == b"combin: standard output: No space left on device\n"


def test_a_file_in_the_place_of_a_folder(folder: Path) -> None:
    """The same refusal that a folder without permission gives, but for everyone, root included."""
    (folder / "taken").write_text("mine")
    for words in (
        ("analyze", BONUS, "--format", "csv", "-o", str(folder / "taken" / "x.csv")),
        ("report", BONUS, "--quick", "-o", str(folder / "taken" / "x.json")),
        ("regenerate", str(folder / "taken")),
        ("init", "maryland/high-card-flush/flush-bonus", "--folder", str(folder / "taken")),
    ):
        found = run(*words)
        assert found.returncode == 2, words
        assert found.stderr.startswith(b"combin: "), found.stderr
        assert found.stderr.count(b"\n") == 1
    assert (folder / "taken").read_text() == "mine"
    for page in (folder / "maryland-blackjack").iterdir():
        page.unlink()
    (folder / "maryland-blackjack").rmdir()
    (folder / "maryland-blackjack").write_text("mine")
    found = run("regenerate", str(folder))
    assert (found.returncode, found.stderr.count(b"\n")) == (2, 1)
    assert (folder / "maryland-blackjack").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_without_permission(folder: Path) -> None:
    page = folder / "maryland-blackjack" / "pair.md"
    page.write_text("stale\n")
    page.parent.chmod(0o500)
    try:
        with pytest.raises(InputError, match="Permission denied"):
            rewrite(str(folder))
    finally:
        page.parent.chmod(0o700)
    assert page.read_text() == "stale\n"


def test_a_link_stays_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.txt", tmp_path / "link.txt", tmp_path / "pipe"
    real.write_text("old")
    link.symlink_to(real)
    output.write_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    output.write_whole(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


# ---- signals, and two at once


def test_a_killed_run_leaves_old_files_whole_and_nothing_that_a_later_run_trips_over(folder: Path) -> None:
    """Killed while it writes: between the temporary file and its renaming."""
    page = folder / "maryland-blackjack" / "pair.md"
    report = folder.parent / f"{folder.name}.json"
    page.write_text("stale\n")
    report.write_text("old")
    for call in (
        f"from combin.tools.regenerate import rewrite; rewrite({str(folder)!r})",
        f"from combin import cli; sys.argv[1:] = ['report', {BONUS!r}, '--quick', '-o', {str(report)!r}]; cli.main()",
    ):
        script = "import os, signal, sys; os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL); " + call
        killed = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, check=False)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert page.read_text() == "stale\n"
    assert report.read_text() == "old"
    left = [p for p in folder.rglob(".*") if p.is_file()]
    assert left, "the temporary file of the killed run is there"
    assert "-stale" in check(str(folder))
    assert rewrite(str(folder)) == [f"wrote {page}"]
    assert check(str(folder)) == ""


def test_a_run_killed_between_two_pages_leaves_each_old_or_new(folder: Path) -> None:
    expected = {p: p.read_bytes() for p in folder.rglob("*.*") if p.is_file()}
    pages = [page for page in expected if page.name != "catalogue.toml"]
    for page in pages:
        page.write_text("stale\n")
    script = f"""
import os, signal
from combin.tools.regenerate import rewrite
replace, seen = os.replace, []
def replace_two(*words):
    seen.append(words)
    replace(*words) if len(seen) < 3 else os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace_two
rewrite({str(folder)!r})
"""
    killed = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    new = [page for page in pages if page.read_bytes() == expected[page]]
    assert len(new) == 2 < len(pages)
    assert all(page.read_text() == "stale\n" for page in pages if page not in new)
    rewrite(str(folder))
    assert expected == {page: page.read_bytes() for page in expected}


def test_two_regenerations_at_once_give_what_one_gives(folder: Path) -> None:
    expected = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    pages = list(folder.rglob("*/*.md"))
    for n in range(20):
        shutil.copy(pages[0], folder / f"stray-{n}.md")
    for page in pages:
        page.write_text("stale\n")
    runs = [subprocess.Popen(words_of("regenerate", str(folder)), env=environment(), stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE) for _ in range(2)]  # fmt: skip
    for one in runs:
        _, err = one.communicate(timeout=60)
        assert (one.returncode, err) == (0, b"")
    assert expected == {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_ctrl_c_stops_a_long_count_at_once() -> None:
    words = words_of("verify", "maryland/high-card-flush/base/A", "--simulate", "1_000_000_000")
    # What a shell runs in the background ignores the signal, and so do its children.
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    process = subprocess.Popen(
        words, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=heard
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - sent < 10
    assert (process.returncode, err.strip()) == (130, b"combin: stopped")


# ---- readers and terminals


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_reader_that_leaves_is_no_fault(words: tuple[str, ...]) -> None:
    process = subprocess.Popen(words_of(*words), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) in (0, 1)
    assert err == b""


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams(streams: str) -> None:
    for words, status in ((words_of("list"), 0), (words_of("analyze", "nowhere/*"), 2)):
        found = subprocess.run(["sh", "-c", f'"$@" {streams}', "sh", *words], env=environment(), capture_output=True,
                               check=False)  # fmt: skip
        assert found.returncode == status
        assert b"Traceback" not in found.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_without_our_signs(encoding: str) -> None:
    """Texts with signs beyond it are escaped, not refused; what is said to be UTF-8 (JSON, Markdown) stays so."""
    for words in (("findings",), ("analyze", BONUS)):
        found = run(*words, env=environment(PYTHONIOENCODING=encoding))
        plain = run(*words, env=environment(PYTHONIOENCODING="utf-8"))
        assert (found.returncode, found.stderr) == (0, b"")
        shown = plain.stdout.decode().encode(encoding, "backslashreplace")
        assert "".join(found.stdout.decode(encoding).split()) == "".join(shown.decode(encoding).split())
    refused = run("analyze", "na\u00efve\u2660", env=environment(PYTHONIOENCODING=encoding))
    assert refused.returncode == 2
    assert b"\\u2660" in refused.stderr


def test_a_locale_changes_no_byte_of_data() -> None:
    """Where a locale is not installed it is the C locale; the next tests put a comma in its place."""
    plain = {k: v for k, v in environment().items() if not k.startswith(("LC_", "LANG"))}
    languages = ({"LC_ALL": "C.UTF-8"}, {"LANG": "C"}, {"LC_ALL": "de_DE.UTF-8"})
    for form in ("json", "table"):
        found = [run("analyze", BONUS, "--format", form, env={**plain, **language}) for language in languages]
        assert {(one.returncode, one.stdout, one.stderr) for one in found} == {(0, found[0].stdout, b"")}


#: A program that takes the user's locale, says how it writes one and a half, and runs commands.
WITH_LOCALE = """
import locale, sys
from combin.cli.commands import cli
if locale.setlocale(locale.LC_ALL, "") != "C":
    print(locale.str(1.5), file=sys.stderr)
for line in sys.stdin.read().splitlines():
    cli.main(line.split(), standalone_mode=False)
"""


def test_decimal_commas_change_no_byte(tmp_path: Path) -> None:
    """A locale made for the test and in force in the process: no output follows it, and no number that is read."""
    made = tmp_path / "de_DE.UTF-8"
    words = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(made)]
    if shutil.which("localedef") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("localedef or the sources of de_DE are not installed")
    policy = tmp_path / "policy.toml"
    policy.write_text(f'[[rule]]\nname = "x"\napplies_to = ["{BONUS}"]\nreturn_min = "0.5"\n')
    lines = [
        *[f"analyze {BONUS} --format {form}" for form in ("table", "json", "csv", "markdown")],
        "analyze maryland/high-card-flush/progressive/A --set meter=1234.5",
        f"check {BONUS} --policy {policy} -v",
        f"verify {BONUS} --simulate 1000 --seed 5",
        *[f"report {BONUS} --quick -o x.{suffix}" for suffix in ("html", "md", "json", "xlsx")],
    ]
    found = []
    for name, locale in (("point", "C"), ("comma", "de_DE.UTF-8")):
        (tmp_path / name).mkdir()
        more = environment(LOCPATH=str(tmp_path), LC_ALL=locale, PYTHONUTF8="1")
        one = subprocess.run([sys.executable, "-c", WITH_LOCALE], input="\n".join(lines),
                             cwd=tmp_path / name, env=more, capture_output=True, text=True, timeout=60,
                             check=False)  # fmt: skip
        assert (one.returncode, one.stderr) == (0, "1,5\n" if name == "comma" else "")
        found.append((one.stdout, {p.name: p.read_bytes() for p in (tmp_path / name).iterdir()}))
    assert len(found[0][1]) == 4
    assert found[0] == found[1]


def test_a_locale_that_is_in_force_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program around combin may have set a locale with decimal commas: nothing here formats by it."""
    import locale

    a = combin.analyze(BONUS)
    shown = (str(a), a._repr_html_())
    point = {**locale.localeconv(), "decimal_point": ",", "thousands_sep": ".", "grouping": [3, 3, 0]}
    monkeypatch.setattr(locale, "localeconv", lambda: point)
    assert (str(a), a._repr_html_()) == shown


def test_a_narrow_terminal() -> None:
    """Forty columns: what is wrapped is no longer than that."""
    for words in (("analyze", BONUS), ("list", "*/flush-bonus/*"), ("findings", "*/flush-bonus/*"), ("verify", BONUS)):
        main, side = pty.openpty()
        process = subprocess.Popen(words_of(*words), env=environment(COLUMNS="40", TERM="xterm"), stdout=side,
                                   stderr=subprocess.PIPE)  # fmt: skip
        os.close(side)
        shown = b""
        while select.select([main], [], [], 60)[0]:
            try:
                piece = os.read(main, 65536)
            except OSError:  # the other side has closed
                break
            if not piece:
                break
            shown += piece
        os.close(main)
        assert process.stderr is not None
        assert (process.wait(timeout=60), process.stderr.read()) == (0, b"")
        process.stderr.close()
        assert shown
        if words[0] in ("list", "verify"):
            lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()).splitlines()
            assert all(len(line) <= 40 or " " not in line.strip() for line in lines), lines


# ---- text from elsewhere


@pytest.mark.parametrize("dress", [
    lambda raw: raw.replace(b"\n", b"\r\n"),
    lambda raw: b"\xef\xbb\xbf" + raw,
    lambda raw: b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"),
], ids=["Windows line ends", "byte order mark", "both"])  # fmt: skip
def test_files_written_on_windows(tmp_path: Path, dress) -> None:
    from combin.analysis.wheels import read_weights
    from combin.deals.dealer_draws import default_chart, read_chart
    from combin.play.files import read_strategy
    from combin.policy import read_policy
    from combin.rulebook.book import shipped
    from combin.userfiles.paytables import add_file

    rows = 'outcome,pays\nseven-card flush,300 to 1\n'
    flush = "maryland/high-card-flush/flush-bonus"
    texts = {
        "paytables.toml": f'[[wager]]\nbased_on = "{flush}"\n[wager.paytable.x]\n"seven-card flush" = "300 to 1"\n',
        "sheet.csv": rows,
        "policy.toml": f'[[rule]]\nname = "x"\napplies_to = ["{BONUS}"]\nreturn_min = "1/2"\n',
        "wheel.toml": '[weights]\n"jackpot" = 1\n',
        "strategy.toml": 'game = "high-card-flush"\nraise_from = "T-9-7"\n',
        "chart.toml": (Path(combin.__file__).parent / "rules" / "player-chart.toml").read_text(encoding="utf-8"),
        "catalogue.toml": '[[analysis]]\npatterns = ["maryland/blackjack/pair/A"]\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(dress(text.encode()))
    for word in (str(tmp_path / "paytables.toml"), f"{flush}={tmp_path / 'sheet.csv'}"):
        book, found = add_file(shipped(), word)
        assert [str(pay.text) for _, pay in book.resolve(found[0]).lines] == ["300 to 1"]
    assert read_policy(tmp_path / "policy.toml").rules[0].name == "x"
    assert read_weights(tmp_path / "wheel.toml") == {"jackpot": 1}
    assert read_strategy(tmp_path / "strategy.toml").name == "strategy.toml"
    assert read_chart(tmp_path / "chart.toml") == default_chart()
    assert any("pair.md" in line for line in rewrite(str(tmp_path)))
    assert check(str(tmp_path)) == ""
