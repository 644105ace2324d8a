"""Input that was taken without a word, or refused by an untrue sentence: each is refused by one true line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import combin as package
from combin.base.errors import InputError

from ..shared import Run

FLUSH = "maryland/high-card-flush/flush-bonus"
SWITCH = "maryland/blackjack/switch/A"
LADIES = "maryland/blackjack/lucky-ladies/A"
GATE = ("check", f"{FLUSH}/A", "--policy", "policy.toml")


@pytest.fixture
def combin(combin: Run, tmp_path: Path) -> Run:
    (tmp_path / "policy.toml").write_text(f'[[rule]]\nname = "half"\napplies_to = ["{FLUSH}/*"]\nreturn_min = "50%"\n')
    return combin


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "x", "--also", "json=./x"), "combin: --also: ./x is the file of -o too; name another file\n"),
        (("--also", "json=k", "--also", "junit=./k"),
         "combin: --also: ./k is the file of another --also too; name another file\n"),
        (("--also", "json=k", "--also", "json=k"),
         "combin: --also: k is the file of another --also too; name another file\n"),
    ],
)
def test_two_forms_never_go_to_one_file(combin: Run, words: tuple[str, ...], said: str) -> None:
    assert combin(*GATE, *words) == (2, "", said)
    assert [path.name for path in Path().iterdir()] == ["policy.toml"]


def test_a_check_that_fails_by_an_unused_waiver_says_so(combin: Run) -> None:
    with Path("policy.toml").open("a") as stream:
        stream.write(f'[[waiver]]\nrule = "half"\nid = "{FLUSH}/A"\nreason = "old"\n')
    assert combin(*GATE)[0] == 0
    status, _, told = combin(*GATE, "--fail-on-unused")
    assert status == 1
    assert told.endswith("combin: fails by --fail-on-unused: 1 acceptance is not used: delete what the notes name\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hand", "8 8 8 8", "--upcard", "8"), "two hands of two cards"),
        (("--hand", "8 8 /", "--upcard", "8"), "no card is named"),
        (("--hand", "8 8 / 8 Z", "--upcard", "8"), '"Z" is not a card'),
        (("--hand", "8 8 / 8 9", "--upcard", "8 9"), "one upcard"),
        (("--hand", "8 8 / 8 9"), "no upcard is named"),
        (("--hand", "A A / A A", "--upcard", "A", "--decks", "1"), "the shoe does not have all these cards"),
        (("--hand", "8 8 / 8 9", "--upcard", "8", "--decks", "1", "--without", "8c"), "or remove fewer cards"),
    ],
)
def test_a_hand_is_read_before_anything_is_solved(
    combin: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    def solved(*_: object, **__: object) -> None:
        raise AssertionError("the game was solved")

    monkeypatch.setattr("combin.play.requests.analyze", solved)
    status, _, told = combin("strategy", SWITCH, *words)
    assert status == 2
    assert said in told


def test_five_eights_of_one_deck(combin: Run) -> None:
    words = ("strategy", "maryland/blackjack/blackjack/3-to-2", "--decks", "1", "--hand", "8 8", "--upcard", "8")
    assert combin(*words, "--without", "8c")[0] == 0
    said = "combin: --hand: the shoe does not have all these cards; give fewer of a rank, or more decks"
    assert combin(*words, "--without", "8c 8d") == (2, "", f"{said}, or remove fewer cards\n")
    assert combin(*words[:-3], "8 8 8 8", *words[-2:]) == (2, "", f"{said}\n")


def test_a_folder_that_is_missing_is_refused_first(combin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("combin.policy.start.analyze", None)
    said = "combin: missing: the folder does not exist; make it first\n"
    assert combin("init", FLUSH, "--folder", "missing") == (2, "", said)


def test_a_meter_is_never_negative(combin: Run) -> None:
    for flag in ("--threshold", "--above"):
        status, _, told = combin("meter", "maryland/high-card-flush/progressive/A", flag, "-5")
        assert (status, told) == (2, f"combin: {flag}: a meter is never below 0; give an amount of 0 or more\n")


def test_dollars_are_no_per_cent(combin: Run) -> None:
    for flag, said in (("--threshold=5%", "--threshold: the meter"), ("--above=5%", "--above: the meter"),
                       ("--set=reset=5%", "--set: reset=5%: the value of reset")):
        status, _, told = combin("meter", "maryland/high-card-flush/progressive/A", flag)
        assert (status, told.split(" is a ")[0]) == (2, f'combin: {said} "5%"')


def test_a_revision_outside_a_repository(combin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(Path.cwd().parent))
    assert "this folder is not in a git repository" in combin("diff", "HEAD:a.toml", "policy.toml")[2]


def test_one_table_in_place_of_a_list_of_tables_is_corrected(combin: Run) -> None:
    Path("cover.toml").write_text('laboratory = "L"\nclient = "C"\nreport = "R"\n[signatory]\nname = "A. Name"\n')
    status, _, said = combin("report", "maryland/blackjack/pair/A", "--cover", "cover.toml", "-o", "r.md")
    assert (status, "write [[signatory]]" in said) == (2, True)


def test_a_signatory_has_a_name(combin: Run) -> None:
    Path("cover.toml").write_text('laboratory = "L"\nclient = "C"\nreport = "R"\n[[signatory]]\nname = ""\n')
    status, _, told = combin("report", f"{FLUSH}/A", "-o", "r.md", "--quick", "--cover", "cover.toml")
    assert status == 2
    assert 'signatory #1, name: is empty' in told


def test_a_report_in_markdown_links_what_answers_a_requirement(combin: Run) -> None:
    Path("cover.toml").write_text('laboratory = "L"\nclient = "C"\nreport = "R"\njurisdiction = "Maryland"\n')
    assert combin("report", f"{FLUSH}/A", "-o", "r.md", "--quick", "--cover", "cover.toml")[0] == 0
    text = Path("r.md").read_text()
    assert "****" not in text
    assert "[Paytable as settled](#paytable-1-paytable)" in text
    assert '<a id="paytable-1-paytable"></a>\n\n### Paytable as settled\n' in text


def test_a_report_is_verified_as_it_was_asked_for(combin: Run) -> None:
    assert combin("report", "--verify", "r.json", "-o", "x.md")[2] == (
        "combin: --verify: a report is verified with the options that it was written with; leave out -o\n"
    )


@pytest.mark.slow
def test_a_document_stands_for_its_paytables(combin: Run) -> None:
    for command in ("findings", "readings"):
        by_document = combin(command, "maryland-blackjack")
        assert by_document[1]
        assert by_document == combin(command, "maryland/blackjack/*")


def test_the_clauses_name_their_form(combin: Run) -> None:
    found = json.loads(combin("coverage", "--format", "json")[1])
    assert {one["schema"] for one in found} == {"combin/coverage/1"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: package.analyze(LADIES, decks=6, set=3), "set is a mapping of names to values"),  # type: ignore[arg-type]
        (lambda: package.analyze(LADIES, decks=6, set={1: 1}), "set is a mapping of names to values"),  # type: ignore[dict-item]
        (lambda: package.analyze(3), "paytable is a text or a path, not 3"),  # type: ignore[arg-type]
        (lambda: package.analyze_all(None), "pattern is a text, a path or a list of texts or paths, not None"),  # type: ignore[arg-type]
        (lambda: package.analyze("maryland/blackjack/*"), "use analyze_all for a glob"),
    ],
)
def test_arguments_of_another_kind(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        call()


def test_a_library_of_data_frames_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("combin.views.frame.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install polars$"):
        package.analyze(f"{FLUSH}/A").to_frame(library="polars")


def test_a_dash_is_standard_output_and_never_a_file(combin: Run) -> None:
    assert combin("analyze", f"{FLUSH}/A", "-o", "-") == combin("analyze", f"{FLUSH}/A")
    said = "combin: -: is standard output, not a file; name a file, or write ./-\n"
    assert combin(*GATE, "--write-baseline", "-")[::2] == (2, said)
    assert [path.name for path in Path().iterdir()] == ["policy.toml"]


def test_an_id_that_is_taken_is_told_apart_from_one_that_is_misspelt(combin: Run) -> None:
    one = ('[[wager]]\nid = "{}"\nname = "Pair"\ndeal = "player 2"\n[wager.outcome]\npair = "pair(player)"\n'
           '[wager.paytable.A]\npair = "10 to 1"\n')
    Path("two.toml").write_text(one.format("house/x/pair") * 2 + one.format("House/pair"))
    assert combin("analyze", "two.toml") == (2, "", (
        'combin: two.toml: line 10, id: the id "house/x/pair" is taken; write another id\n'
        'combin: two.toml: line 18, id: the id "House/pair" is not of the form jurisdiction/game/wager; '
        'write three parts in lower case with hyphens\n'))


def test_a_wager_without_a_clause_has_no_line_of_it(combin: Run) -> None:
    Path("one.toml").write_text('[[wager]]\nid = "house/x/one"\nname = "One"\ndeal = "player 1"\n[wager.outcome]\n'
                                'ace = "count(player, \'A\') == 1"\n[wager.paytable.A]\nace = "push"\n')
    status, shown, told = combin("analyze", "one.toml", "--decks", "8")
    assert (status, told) == (0, "")
    assert "clause" not in shown
    assert "  deals     416 in 2 classes\n" in shown


def test_a_line_of_a_game_of_ones_own_is_named_by_its_place(combin: Run) -> None:
    head = ('[[wager]]\nid = "house/blackjack/own"\nname = "Own"\ngame = "blackjack"\ndecks = [6]\n'
            '[wager.paytable.main]\n')
    for lines, said in (
        ('"blackjack" = "6 to 5"\n"win" = "2 to 1"\n', 'line 8: "win" does not pay even money; write "win" = "1 to 1"'),
        ('"blackjack" = "$50"\n"win" = "1 to 1"\n', 'line 7: "blackjack" pays "$50"; write odds: "1 to 1"'),
        ('"blackjack" = "6 to 5"\n', 'line 6: the game has no line "win"; add "win" = "1 to 1"'),
    ):
        Path("own.toml").write_text(head + lines)
        assert combin("analyze", "own.toml") == (2, "", f"combin: own.toml: {said}\n")


def test_a_fault_is_not_put_down_to_a_flag_that_was_not_given(combin: Run) -> None:
    said = f"{LADIES} allows several numbers of decks; give one: --decks 6\n"
    assert combin("design", LADIES, "--vary", "any 20=3..4") == (2, "", f"combin: {said}")
    meter = "maryland/high-card-flush/progressive/A"
    status, _, err = combin("meter", meter, "--set", "stake=1")
    assert (status, err.startswith("combin: --set: the meter cycle depends on contribution_rate; set it")) == (2, True)
    status, _, err = combin("meter", meter)
    assert (status, err.startswith("combin: the meter cycle depends on contribution_rate; set it")) == (2, True)
