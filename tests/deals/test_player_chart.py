"""A player's chart in TOML: rows that are right, and every fault of one that is not."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import combin
from combin.base.errors import InputError
from combin.deals.player_chart import TOTALS, parse_chart, read_chart, row_totals

DRAW_TO_20 = Path(__file__).parents[1] / "data" / "play" / "draw-to-20.toml"
CHART = Path(__file__).parents[2] / "combin" / "rules" / "player-chart.toml"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"12"          = "H H S S S H H H H H"', "", "c.toml: hard: no row for hard 12; add one"),
        (
            '"12"          = "H H S S S',
            '"12" = "H H S S',
            'c.toml: hard, 12: the row has 9 letter(s); give 10',
        ),
        (
            '"12"          = "H H S',
            '"12" = "H H P',
            'c.toml: hard, 12: "P" against 4 is not a play; use S (stand)',
        ),
        ('"13 to 16"', '"12 to 16"', 'c.toml: hard, 12: hard 12 is in two rows; keep it in one'),
        ('"8 and less"', '"low"', 'c.toml: hard, low: this is not a hard total; write'),
        ('"17 and more"', '"17 to 22"', 'c.toml: hard, 17 to 22: this is not a hard total; write'),
        ('"15 and 16"', '"16 and 15"', 'c.toml: soft, 16 and 15: this is not a soft total; write'),
        ("[soft]", "[sofd]", 'c.toml: sofd: unknown key "sofd"; did you mean "soft"?'),
        ("[soft]", "[sofd]", 'c.toml: "soft" is missing; add [soft]'),
        ("name = ", "title = ", 'c.toml: "name" is missing; add name = …'),
        ("[hard]", "[hard", "c.toml: line 7, column 29: is not TOML: "),
    ],
)
def test_a_chart_that_is_not_whole_is_refused(old: str, new: str, message: str) -> None:
    text = CHART.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InputError) as refused:
        parse_chart(text.replace(old, new, 1), "c.toml")
    told = [re.sub(r"line \d+, (?!column)", "", str(fault)) for fault in refused.value.faults]
    assert any(line.startswith(message) for line in told)
    assert "\n" not in "".join(map(str, refused.value.faults))


def test_faults_of_a_chart_come_together_with_their_lines() -> None:
    text = CHART.read_text(encoding="utf-8").replace('"15 and 16"', '"16 and 15"').replace('"13 to 16"', '"low"', 1)
    rows = text.splitlines()
    with pytest.raises(InputError) as refused:
        parse_chart(text, "c.toml")
    placed = [f.place.split(", ") for f in refused.value.faults if f.place.startswith("line ")]
    assert len(placed) >= 2
    for line, *keys in placed:
        assert keys[-1] in rows[int(line.removeprefix("line ")) - 1]


def test_a_chart_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: there is no such file"):
        read_chart(tmp_path / "none.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        read_chart(binary)


def test_the_shipped_chart_is_rule_data_in_toml() -> None:
    data = tomllib.loads(CHART.read_text(encoding="utf-8"))
    assert set(data) == {"name", "hard", "soft"}


def test_labels_of_rows_name_their_totals() -> None:
    hard, soft = TOTALS["hard"], TOTALS["soft"]
    assert [*hard] == [*range(4, 22)]
    assert [*soft] == [*range(12, 22)]
    for label, first, last in (
        ("4", 4, 4), ("21", 21, 21), ("15 and 16", 15, 16), ("13 to 16", 13, 16), (" 13  to 13 ", 13, 13),
        ("8 and less", 4, 8), ("4 and less", 4, 4), ("17 and more", 17, 21), ("21 and more", 21, 21),
        ("4 to 21", 4, 21),
    ):  # fmt: skip
        named = row_totals(label, hard)
        assert named is not None
        assert [*named] == [*range(first, last + 1)]
    for label in ("3", "22", "16 to 13", "3 to 5", "20 to 22", "22 and more", "3 and less", "12 or 13", "", "12 and"):
        assert row_totals(label, hard) is None
    assert row_totals("11", soft) is None
    assert row_totals("12 and less", soft) == range(12, 13)


def chart_of(hard: str, soft: str) -> str:
    return f'name = " mine "\n[hard]\n{hard}\n[soft]\n{soft}\n'


def test_every_fault_of_a_row_is_said_in_a_sentence() -> None:
    row = " ".join("S" * 10)
    long, wrong = f"{row} S", f"{row[:-1]}X"
    text = chart_of(
        f'"4 to 11" = "{row}"\n"12" = "{long}"\n"13" = 5\n"14 to 20" = "{wrong}"\n"20" = "{row}"',
        f'"13 and more" = "{row}"',
    )
    with pytest.raises(InputError) as refused:
        parse_chart(text, "c.toml")
    plays = "S (stand), H (hit), D (double, otherwise hit), Ds (double, otherwise stand)"
    told = {re.sub(r"line \d+, ", "", str(fault)) for fault in refused.value.faults}
    assert told == {
        'c.toml: hard, 12: the row has 11 letter(s); give 10, for upcards 2 3 4 5 6 7 8 9 10 A',
        'c.toml: hard, 13: 5 is not a text; put it in quotes',
        f'c.toml: hard, 14 to 20: "X" against A is not a play; use {plays}',
        'c.toml: hard, 20: hard 20 is in two rows; keep it in one',
        "c.toml: hard: no row for hard 21; add one",
        "c.toml: soft: no row for soft 12; add one",
    }
    whole = parse_chart(chart_of(f'"4 and more" = "{row}"', f'"12 and more" = "{row}"'), "c.toml")
    assert whole.name == "mine"
    assert whole.hard == (("S",) * 10,) * 18
    assert whole.soft == (("S",) * 10,) * 10


@pytest.mark.parametrize(("name", "says"), [
    ('""', "name: is empty; write it"), ('"  "', "name: is empty; write it"),
    ("3", "name: 3 is not a text; put it in quotes"),
])  # fmt: skip
def test_a_chart_has_a_name(name: str, says: str) -> None:
    text = re.sub(r'(?m)^name = .*$', f"name = {name}", CHART.read_text(encoding="utf-8"))
    with pytest.raises(InputError) as refused:
        parse_chart(text, "c.toml")
    (fault,) = refused.value.faults
    assert str(fault).endswith(says)


@pytest.mark.parametrize("letter", ["H", "D"])
def test_a_row_that_draws_to_a_hard_21_is_refused(letter: str) -> None:
    row = " ".join("S" * 10)
    with pytest.raises(InputError) as refused:
        parse_chart(chart_of(f'"4 to 20" = "{row}"\n"21" = "{row[:-1]}{letter}"', f'"12 and more" = "{row}"'), "c.toml")
    (fault,) = refused.value.faults
    assert "the row draws to a hard 21, which every card busts" in str(fault)


@pytest.mark.parametrize(("meter", "percent"), [("12000", "112.5456"), ("5000", "108.7778")])
def test_a_soft_21_of_three_cards_is_played_by_the_chart(meter: str, percent: str) -> None:
    """Drawing to 20 and on soft 21: values from a recursion of its own, six decks."""
    nothing = {"magic_card_frequency": "0", "lucky_player_frequency": "0"}
    a = combin.analyze(
        "maryland/blackjack/bad-beat-progressive/A", decks=6, chart=str(DRAW_TO_20), set={"meter": meter, **nothing}
    )
    assert round(a.returned * 100, 4) == Fraction(percent)
