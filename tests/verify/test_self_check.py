"""The self-check of an installation: every kernel has a check, known numbers pass, and a planted fault does not."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from combin import _kernels
from combin.base.errors import fault
from combin.deals import poker, seven_cards
from combin.verify.self_check import BY_FLUSH, CHECKS, page, record, self_check

from ..shared import Run

#: Checks of a tenth of a second.
QUICK = ("seven_classes", "suit_pairs", "high_card_flush", "chase_the_flush_rounds", "showdown_publics")


def test_every_kernel_of_ext_has_a_check() -> None:
    assert set(CHECKS) == {path.stem for path in (Path(__file__).parents[2] / "ext").glob("*.pyx")}


def test_hands_by_longest_flush_are_the_published_ones() -> None:
    assert BY_FLUSH == {7: 6_864, 6: 267_696, 5: 3_814_668, 4: 26_137_540}


def test_quick_kernels_count_correctly() -> None:
    done = tuple(self_check(QUICK))
    assert [one.kernel for one in done] == list(QUICK)
    assert all(one.passed for one in done)
    assert page(done).blocks[-1].text == "all 5 kernels count correctly"


@pytest.mark.slow
def test_this_installation_counts_correctly(combin: Run) -> None:
    status, out, _ = combin("verify", "--self", "--format", "json")
    found = json.loads(out)
    assert (status, found["passed"], found["schema"]) == (0, True, "combin/self-check/1")
    assert {one["kernel"] for one in found["kernels"]} == set(CHECKS)


def _with(function: str, kernel: Any, name: str) -> Any:
    """The kernel whose function adds one card to what it counts."""
    true = getattr(kernel, function)

    def wrong(*arguments: Any) -> Any:
        result = true(*arguments)
        arguments[-1].flat[-1] += 1
        return result

    return lambda asked: SimpleNamespace(**{**vars(kernel), function: wrong}) if asked == name else kernel


def test_a_kernel_that_counts_one_class_more_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = _kernels.load("seven_classes")
    monkeypatch.setattr(seven_cards, "load", _with("add_classes", kernel, "seven_classes"))
    [done] = self_check(["seven_classes"])
    assert not done.passed
    assert record([done])["passed"] is False
    [hands, classes] = done.checks
    assert hands.passed
    assert classes.result.endswith(" here and 6009159 there")


def test_a_missing_or_a_failing_kernel_fails_the_command(combin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise fault(f"the compiled kernel {name} is missing", "install combin again")

    monkeypatch.setattr(poker, "load", absent)
    monkeypatch.setattr("combin.verify.self_check.CHECKS", {"poker": CHECKS["poker"], "shoe": lambda: 1 / 0})
    monkeypatch.setattr("combin.verify.self_check.self_check.__defaults__", (("poker", "shoe"),))
    status, out, _ = combin("verify", "--self")
    assert status == 1
    assert "the compiled kernel poker is missing" in out
    assert "ZeroDivisionError" in out
    assert "2 of 2 kernels count wrong on this machine: use no figure of this installation" in out


def test_the_installation_is_checked_by_itself(combin: Run) -> None:
    for more in (("maryland/blackjack/pair/A",), ("--decks", "6"), ("--seed", "2")):
        assert combin("verify", "--self", *more)[0] == 2
    status, _, said = combin("verify")
    assert (status, said) == (2, "combin: verify: no paytable is named; give ids, globs or files, or --self\n")
