"""The effect of a change, against returns counted by hand: the longest suit of seven cards, twenties of two."""

import json
import os
import re
import subprocess
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from combin import Analysis, analyze
from combin.base.errors import InputError
from combin.base.work import means
from combin.policy import read_policy
from combin.policy.evaluation import Checker
from combin.policy.model import Requirement
from combin.tools import diff
from combin.tools.changes import Change, VersionFigures
from combin.tools.diff import Difference, Options, difference, render
from combin.tools.revisions import revision_and_path

from ..shared import Run

FLUSH = "maryland/high-card-flush/flush-bonus"
#: Hands of seven cards with seven, with six and with four or more of a suit: C(4,1) x C(13,k) x C(39,7-k) for k.
SEVEN, SIX = 4 * comb(13, 7), 4 * comb(13, 6) * 39
FOUR = sum(4 * comb(13, k) * comb(39, 7 - k) for k in range(4, 8))
HANDS = comb(52, 7)


def table(name: str, **pays: int) -> str:
    lines = "".join(f'"{line}-card flush" = "{pay} to 1"\n' for line, pay in pays.items())
    return f'[[wager]]\nbased_on = "{FLUSH}"\n[wager.paytable.{name}]\n{lines}'


LADIES = '[[wager]]\nbased_on = "maryland/blackjack/lucky-ladies"\n[wager.paytable.x]\ndecks = [6, 8]\n'
LADIES += '"any 20" = "{} to 1"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the old and the new paytables; the old ones are also the revision `base` of a repository."""
    monkeypatch.chdir(tmp_path)
    for side, files in {
        "old": {
            "a.toml": table("small", seven=10, four=1) + LADIES.format(4),
            "b.toml": table("large", four=2),
            "c.toml": table("gone", four=2),
            "d.toml": table("same", four=2),
        },
        "new": {
            "a.toml": table("small", seven=11, four=1) + LADIES.format(4),
            "b.toml": table("large", four=4),
            "e.toml": table("new", four=3),
            "d.toml": table("same", four=2),
        },
    }.items():
        for name, text in files.items():
            (tmp_path / side / "deeper").mkdir(parents=True, exist_ok=True)
            (tmp_path / side / ("deeper" if name == "b.toml" else ".") / name).write_text(text)
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "old"], ["commit", "-q", "-m", "base"], ["tag", "base"]):
        subprocess.run([*git, *words], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
    (tmp_path / "policy.toml").write_text(
        f'[[rule]]\nname = "one"\napplies_to = ["{FLUSH}/*"]\nno_player_advantage = true\nreturn_min = "70%"\n'
    )
    return tmp_path


def names(found: Difference) -> list[tuple[str, int | None, str]]:
    return [(c.id.rpartition("/")[2], c.decks, c.state) for c in found.changes]


def test_the_largest_change_comes_first(project: Path) -> None:
    found = difference("old", "new/")
    assert names(found) == [("large", 1, "changed"), ("small", 1, "changed"), ("new", 1, "new"), ("gone", 1, "gone")]
    assert found.same == 2  # one at one number of decks, one at two
    assert [c.change for c in found.changes] == [Fraction(2 * FOUR, HANDS), Fraction(SEVEN, HANDS), None, None]
    large = found.changes[0]
    assert (large.before.returned, large.after.edge) == (Fraction(3 * FOUR, HANDS), 1 - Fraction(5 * FOUR, HANDS))
    assert large.pays == [("four-card flush", "2 to 1", "4 to 1")]
    assert found.summary == "paytables: 2 changed, 1 new, 1 gone, 2 the same"


def test_a_row_says_pays_return_and_edge(project: Path) -> None:
    comparison = difference("old", "new")
    title, head, first, second, *_ = (re.split("  +", line.strip()) for line in render(comparison, "text").splitlines())
    low, high = (f"{100 * n * FOUR / HANDS:.4f} %" for n in (3, 5))
    lower, higher = (f"{100 - 100 * n * FOUR / HANDS:.4f} %" for n in (3, 5))
    assert title == [f"combin: {comparison.summary}"]
    assert head == ["paytable", "what changed", "decks", "return", "change", "house edge"]
    assert first == [f"{FLUSH}/large", "four-card flush: 2 to 1 → 4 to 1", "1", f"{low} → {high}",
                     f"+{200 * FOUR / HANDS:.4f} points", f"{lower} → {higher}"]
    assert second[1] == "seven-card flush: 10 to 1 → 11 to 1"
    # The same cells in Markdown, and stacked in a narrow terminal.
    assert "| ".join(first[1:]) in render(comparison, "markdown").replace(" | ", "| ")
    assert f"      return: {low} → {high}" in render(comparison, "text", 60).splitlines()


def test_a_number_of_decks_is_a_line_of_its_own(project: Path) -> None:
    (project / "new/a.toml").write_text(table("small", seven=10, four=1) + LADIES.format(5))
    found = difference("old/a.toml", "new/a.toml")
    assert names(found) == [("x", 8, "changed"), ("x", 6, "changed")]

    def twenties(decks: int) -> Fraction:
        """Two tens, or a nine and an ace."""
        return Fraction(comb(16 * decks, 2) + 16 * decks * decks, comb(52 * decks, 2))

    assert [c.change for c in found.changes] == [twenties(8), twenties(6)]


def test_what_became_and_what_ceased_to_be_a_failure(project: Path) -> None:
    found = difference("old", "new", read_policy("policy.toml"))
    told = {c.id.rpartition("/")[2]: (c.became, c.ceased) for c in found.changes}
    below = 'RTP001 return_min (requirement "one")'
    assert told["large"] == (('EDG003 no_player_advantage (requirement "one")',), (below,))
    assert Fraction(3 * FOUR, HANDS) < Fraction(7, 10) < 1 < Fraction(5 * FOUR, HANDS)
    assert told["gone"] == ((), (below,))
    assert "1 fail now" in found.summary
    back = difference("new", "old", read_policy("policy.toml"))
    assert next(c for c in back.changes if c.id.endswith("/large")).ceased == (
        'EDG003 no_player_advantage (requirement "one")',
    )


def test_a_revision_of_git_is_what_it_holds(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = render(difference("old", "new"), "json").replace('"old": "old"', '"old": "base:old/"')
    assert render(difference("base:old/", "new"), "json") == before
    (project / "old/a.toml").write_text("broken")
    assert names(difference("base:old/a.toml", "new/a.toml")) == [("small", 1, "changed")]
    monkeypatch.chdir(project / "new")
    assert names(difference("HEAD:../old/a.toml", "a.toml")) == [("small", 1, "changed")]


def test_what_is_the_same_on_both_sides_is_analysed_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    asked: list[str] = []

    def counted(identifier: str, **words: object) -> Analysis:
        asked.append(identifier.rsplit("/", 1)[1])
        return analyze(identifier, **words)  # type: ignore[arg-type]

    monkeypatch.setattr(diff, "analyze", counted)
    monkeypatch.setenv("COMBIN_CACHE", str(tmp_path_factory.mktemp("store")))
    for old, made in (("old", 1), ("base:old", 0), ("base:old", 0)):
        asked.clear()
        with means(cache=True, workers=1):
            difference(old, "new", read_policy("policy.toml"))
        # Two paytables changed; a file that only moved is the same paytable.
        assert sorted(asked) == ["gone", "large", "large", "new", "same", "small", "small", "x", "x"] * made


def test_verdicts_are_made_in_every_run(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    judged: list[str] = []

    def counted(checker: Checker, requirement: Requirement, identifier: str) -> object:
        judged.append(identifier)
        return of_paytable(checker, requirement, identifier)

    of_paytable = Checker.of_paytable
    monkeypatch.setattr(Checker, "of_paytable", counted)
    monkeypatch.setenv("COMBIN_CACHE", str(tmp_path_factory.mktemp("store")))
    for _ in range(2):
        judged.clear()
        with means(cache=True, workers=1):
            difference("base:old", "new", read_policy("policy.toml"))
        assert len(judged) == 8  # four flush bonuses on either side; ladies have no requirement


def test_two_paytables_of_other_names_are_a_pair(project: Path) -> None:
    [change] = difference(f"{FLUSH}/A", "new/e.toml").changes
    assert (change.id, change.state) == (f"{FLUSH}/new", "changed")


@pytest.mark.parametrize(
    ("old", "says"),
    [
        ("none:old", "none:old: there is no such revision here"),
        ("--output=x:old", "there is no such revision here"),
        ("nowhere.toml", "nowhere.toml: there is no such file"),
        ("base:new/", "base:new/: the revision has no such file or folder"),
        ("base:../old", "base:../old: is outside the repository"),
        ("new/deeper/..", ""),
    ],
)
def test_what_is_not_there_is_one_line(project: Path, old: str, says: str) -> None:
    if not says:
        assert difference(old, "new").changes == ()
        return
    with pytest.raises(InputError, match=says):
        difference(old, "new")
    assert not (project / "x").exists()


def test_a_fault_of_a_revision_names_it(project: Path) -> None:
    (project / "old/a.toml").write_text(table("a", four=1).replace("1 to 1", "1 too 1"))
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@e.org", "commit", "-qam", "bad"], check=True)
    with pytest.raises(InputError) as caught:
        difference("HEAD:old/", "none.toml")
    assert [f.file for f in caught.value.faults] == ["HEAD:old/a.toml", "none.toml"]


def tree(*entries: tuple[str, str]) -> str:
    """A tree object of git with these names and objects: blobs, and trees where the object begins with "tree:"."""
    lines = [
        f"040000 tree {what[5:]}\t{name}\n" if what.startswith("tree:") else f"100644 blob {what}\t{name}\n"
        for name, what in entries
    ]
    return "tree:" + subprocess.run(["git", "mktree"], input="".join(lines).encode(), capture_output=True, check=True
                                    ).stdout.decode().strip()


@pytest.mark.parametrize("command", ["diff", "report"])
@pytest.mark.parametrize("names", [["..", "..", "policy.toml"], [".", "policy.toml"], [".git", "policy.toml"],
                                   ["twice.toml"]])
def test_names_of_a_tree_that_leave_its_folder_are_refused(
    project: Path, combin: "Run", monkeypatch: pytest.MonkeyPatch, command: str, names: list[str]
) -> None:
    monkeypatch.setenv("TMPDIR", str(project))
    blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], input=b"overwritten\n", capture_output=True,
                          check=True).stdout.decode().strip()
    made = tree((names[-1], blob), *([(names[-1], blob)] if names == ["twice.toml"] else []))
    for name in reversed(names[:-1]):
        made = tree((name, made))
    root = tree(("old", made))
    who = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    commit = subprocess.run(["git", *who, "commit-tree", root[5:], "-m", "x"],
                            capture_output=True, check=True).stdout.decode().strip()
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".git" not in path.parts}
    words = {"diff": (f"{commit}:old", "new"),
             "report": (f"{FLUSH}/A", "--compare-with", f"{commit}:old", "-o", str(project / "r.md"), "--quick")}
    status, out, err = combin(command, *words[command])
    assert (status, out) == (2, "")
    assert "has a name that leaves its folder" in err
    assert before == {
        path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".git" not in path.parts
    }


def test_a_path_with_a_colon_is_a_path(project: Path) -> None:
    (project / "a:b.toml").write_text(table("a", four=1))
    assert revision_and_path("a:b.toml") == ("", "a:b.toml")
    assert revision_and_path("main:a.toml") == ("main", "a.toml")




def test_the_command(project: Path, combin: Run) -> None:
    status, out, _ = combin("diff", "base:old", "new", "--policy", "policy.toml", "--format", "json")
    data = json.loads(out)
    assert (status, data["schema"], data["unchanged"]) == (0, "combin/diff/1", 2)
    assert data["paytables"][0]["change"]["exact"] == str(Fraction(2 * FOUR, HANDS))
    status, out, _ = combin("diff", "base:old", "new", "--policy", "policy.toml", "--format", "markdown")
    assert status == 0
    assert "| paytable | what changed | decks | return | change | house edge |" in out
    assert "now fails EDG003" in out
    assert combin("diff", "old", "old")[1] == "combin: paytables: 0 changed, 0 new, 0 gone, 5 the same\n"
    assert combin("diff", "old", "new", "--today", "2027-01-01")[0] == 2
    assert combin("diff", "old/a.toml", "new/a.toml", "-o", "new/a.toml")[0] == 2


def test_options_apply_to_both_sides_and_what_they_do_not_fit_is_named(project: Path, combin: Run) -> None:
    """Only the ladies are dealt from six decks, and only they have the reading."""
    (project / "new/a.toml").write_text(table("small", seven=10, four=1) + LADIES.format(5))
    found = difference("old", "new", options=Options(decks=(6,)))
    assert names(found) == [("x", 6, "changed")]
    assert (f"{FLUSH}/small", "is not dealt from 6 decks") in found.left_out
    primary, other = (
        difference("old", "new", options=Options((6,), reading={"ace-nine-is-20": choice})).changes[0].change
        for choice in ("yes", "no")
    )
    tens, nines = comb(96, 2), 24 * 24  # of six decks: two of ninety-six tens; a nine and an ace
    assert (primary, other) == (Fraction(tens + nines, comb(312, 2)), Fraction(tens, comb(312, 2)))
    status, _, err = combin("diff", "old", "new", "--reading", "ace-nine-is-20=no", "--decks", "6")
    assert (status, "combin: left out (is not dealt from 6 decks): " in err) == (0, True)
    assert combin("diff", "old", "new", "--reading", "ace-nine-is-20=perhaps")[0] == 2
    assert combin("diff", "old", "new", "--decks", "5")[0] == 2


def test_a_branch_is_compared_with_where_it_left_another(project: Path, combin: Run) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=n", "-c", "user.email=n@e.org")
        subprocess.run(["git", *who, *words], check=True, capture_output=True)

    git("checkout", "-q", "-b", "branch")
    (project / "old/d.toml").write_text(table("same", four=3))
    git("commit", "-qam", "branch")
    git("checkout", "-q", "-B", "main", "base")
    (project / "old/deeper/b.toml").unlink()
    git("commit", "-qam", "main", "--allow-empty")
    status, out, _ = combin("diff", "main...branch:old/")
    assert status == 0
    assert out.splitlines()[0] == "combin: paytables: 1 changed, 0 new, 0 gone, 4 the same"
    assert "four-card flush: 2 to 1 → 3 to 1" in out
    git("checkout", "-q", "branch")
    (project / "combin.toml").write_text('policy = "policy.toml"\npaytables = ["old/"]\n')
    (project / "old/d.toml").write_text(table("same", four=4))
    assert "four-card flush: 2 to 1 → 4 to 1" in combin("diff", "main...")[1]
    assert "four-card flush: 2 to 1 → 3 to 1" in combin("diff", "main...branch", "old/")[1]
    for words, says in ((("old",), "only one side is given"), (("none...:old",), "there is no such revision")):
        status, _, err = combin("diff", *words)
        assert (status, says in err) == (2, True)


def test_a_paytable_of_a_file_of_a_revision(project: Path) -> None:
    found = difference("base:old/a.toml#x", "new/a.toml#x")
    assert (found.changes, found.same) == ((), 1)
    assert names(difference("base:old/a.toml#small", "new/a.toml#small")) == [("small", 1, "changed")]


def test_words_of_a_file_stay_words_in_markdown() -> None:
    before = VersionFigures.of(Fraction(9, 10), {"a|b": "1 to 1"})
    after = VersionFigures.of(Fraction(8, 10), {"a|b": "<i> to 1"})
    change = Change("house/game_x/pair", 6, before, after, became=('EDG003 (requirement "c|d")',))
    *_, row = render(Difference("old", "new", (change,)), "markdown").splitlines()
    # By hand: six cells have seven bars, and a sign of Markdown has one backslash before it.
    assert row.replace("\\|", "").count("|") == 7
    assert "house/game\\_x/pair" in row
    assert 'a\\|b: 1 to 1 → \\<i\\> to 1; now fails EDG003 (requirement "c\\|d")' in row
