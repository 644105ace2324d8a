"""Policy files: what they say, what they extend, and every fault with its line."""

from datetime import date
from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.policy import Rule, read_policy
from combin.policy.reader import describe, shipped_policies

RULE = '[[rule]]\nname = "{name}"\napplies_to = ["*"]\nreturn_min = "{value}"\n'
GOOD = RULE.format(name="x", value="1")
WAIVER = GOOD + '[[waiver]]\nid = "*"\nreason = "r"\n'


def faults(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        read_policy(tmp_path / "p.toml")
    return [str(f).replace(f"{tmp_path}/", "") for f in caught.value.faults]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "p.toml: is empty"),
        ("foo = 1\n", "p.toml: has no [[rule]] table"),
        ("foo = 1\n" + GOOD, 'line 1, foo: unknown key "foo"'),
        ("[[rules]]\n", 'line 1, rules: unknown key "rules"; did you mean "rule"?'),
        ('name = "x"\n', "has no [[rule]] table"),
        ("rule = 3\n", '"rule" is not a list of tables'),
        ('[[rule]]\napplies_to = ["*"]\nreturn_min = "1"\n', 'line 1, requirement 1: "name" is missing'),
        ('[[rule]]\nname = "x"\nreturn_min = "1"\n', 'line 1, requirement "x": "applies_to" is missing'),
        ('[[rule]]\nname = "x"\napplies_to = []\nreturn_min = "1"\n', "line 3: applies_to names no id and no glob"),
        ('[[rule]]\nname = "x"\napplies_to = ["*"]\n', 'line 1: the requirement "x" checks nothing'),
        (GOOD.replace("return_min", "return_mni"), 'line 4, return_mni: unknown key "return_mni"; did you mean'),
        (RULE.format(name="x", value="much"), 'line 4: return_min: the value "much" is not an exact number'),
        (RULE.format(name="x", value="-1"), "line 4: return_min: the value -1 is negative"),
        (GOOD + "decks = [9]\n", "line 5, decks: 9 is not a whole number from 1 to 8"),
        (GOOD + "decks = [true]\n", "line 5, decks: true is not a whole number"),
        (GOOD + 'readings = "some"\n', 'line 5, readings: "some" is none of the choices; known: primary, all'),
        (GOOD + 'basis = "unit"\n', 'line 5, basis: "unit" is none of the choices'),
        (GOOD + "no_player_advantage = 1\n", "line 5: no_player_advantage: the value 1 is not true"),
        (GOOD + "[rule.set]\nmeter = [1]\n", "line 6, set, meter: [1] is not a text"),
        (GOOD + "[rule.reading]\nace = 3\n", "line 6, reading, ace: 3 is not a text"),
        (GOOD * 2, 'line 5: two requirements are called "x" (the first on line 1); give each another name'),
        (GOOD + RULE.format(name="x", value="much"), 'line 5: two requirements are called "x"'),
        (RULE.format(name="x", value="much") + GOOD, 'line 5: two requirements are called "x"'),
        (WAIVER + 'rule = "RTP01"\n', 'rule: "RTP01" is neither a requirement nor a check; did you mean "RTP001"?'),
        (WAIVER + 'rule = "return_min"\n', 'line 8, waiver, rule: "return_min" is neither a requirement'),
        (GOOD + '[[waiver]]\nid = "*"\n', 'line 5, waiver: "reason" is missing'),
        (WAIVER + 'expires = "soon"\n', 'line 8, waiver, expires: "soon" is not a date'),
        (WAIVER + 'rules = "x"\n', 'line 8, waiver, rules: unknown key "rules"'),
        ('extends = "none.toml"\n', "none.toml: there is no such file"),
        ('extends = "p.toml"\n', "extends itself"),
        ('extends = "combin:lenietn"\n', 'did you mean "lenient"?'),
        ("undecided = true\n", "line 1, undecided: true is none of the choices"),
    ],
)  # fmt: skip
def test_a_bad_policy_is_told_in_a_line(tmp_path: Path, text: str, says: str) -> None:
    found = faults(tmp_path, text)
    assert any(says in line for line in found), found


def test_all_faults_come_together(tmp_path: Path) -> None:
    text = RULE.format(name="x", value="much") + "top_pay_max = []\n" + RULE.format(name="y", value="more")
    assert [f.split(":")[1] for f in faults(tmp_path, text)] == [" line 4", " line 5", " line 9"]


def test_extending_adds_requirements_and_waivers_and_replaces_by_name(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    base = RULE.format(name="one", value="1/2") + RULE.format(name="two", value="1/2")
    (tmp_path / "base/base.toml").write_text(base + '[[waiver]]\nid = "a"\nreason = "r"\n')
    own = 'extends = "base/base.toml"\n' + RULE.format(name="two", value="3/4") + RULE.format(name="three", value="1")
    (tmp_path / "p.toml").write_text(own + '[[waiver]]\nid = "b"\nreason = "r"\nexpires = 2030-01-31\n')
    policy = read_policy(tmp_path / "p.toml")
    assert [(r.name, r.bounds[0].text) for r in policy.requirements] == [("one", "1/2"), ("two", "3/4"), ("three", "1")]
    assert [(w.id, w.expires) for w in policy.waivers] == [("a", None), ("b", date(2030, 1, 31))]
    assert policy.requirements[0].file.endswith("base.toml")


def test_the_old_names_of_requirements_still_work() -> None:
    policy = read_policy("combin:sound")
    assert policy.rules == policy.requirements
    assert all(isinstance(r, Rule) for r in policy.rules)


def test_shipped_policies_are_read_and_described(tmp_path: Path) -> None:
    assert shipped_policies() == ["lenient", "sound", "strict"]
    for name in shipped_policies():
        assert read_policy(f"combin:{name}").requirements
        assert describe(name)
    (tmp_path / "p.toml").write_text('extends = "combin:sound"\n')
    assert read_policy(tmp_path / "p.toml").requirements == read_policy("combin:sound").requirements
