"""combin's catalogue against a shipped policy: the failures are exactly those of the committed list.

Blackjack Switch takes minutes to solve. This command checks the whole catalogue:

    combin check '*' --policy combin:sound --baseline tests/policy/catalogue.json --fail-on-unused
"""

import json
from pathlib import Path

import pytest

from combin.policy import check, read_policy
from combin.policy.acceptance import read_baseline
from combin.rulebook.book import shipped

LIST = Path(__file__).with_name("catalogue.json")
FAVOUR = ["massachusetts/high-card-flush/flush-bonus/E", "massachusetts/high-card-flush/flush-bonus/K"]


@pytest.mark.slow
def test_what_fails_is_the_committed_list() -> None:
    ids = [i for i in shipped().ids() if "blackjack/switch/" not in i]
    report = check(shipped(), ids, read_policy("combin:sound"), baseline=read_baseline(str(LIST)))
    assert [v.message for v in report.verdicts if not v.met] == []
    assert report.notes == ()
    failed = [v.fingerprint for v in report.verdicts if v.status == "fail"]
    entries = json.loads(LIST.read_text(encoding="utf-8"))["accepted"]
    assert sorted(failed) == sorted(e["fingerprint"] for e in entries)
    # With one deck the best play of blackjack returns more than the stake, and so does Bad Beat to a player who plays
    # for it alone.
    favour = [(e["id"], e["decks"]) for e in entries if e["check"] == "EDG003"]
    assert favour == [*((i, 1) for i in FAVOUR), ("maryland/blackjack/blackjack/3-to-2", 1),
                      *(("maryland/blackjack/bad-beat-progressive/A", decks) for decks in (1, 2, 4, 6, 8))]  # fmt: skip


def test_the_lenient_policy_is_passed_with_its_waivers() -> None:
    ids = [i for i in shipped().ids() if "/flush-bonus/" in i or "/lucky-ladies/" in i]
    report = check(shipped(), ids, read_policy("combin:lenient"))
    assert report.met
    assert report.notes == ()
    assert [v.id for v in report.verdicts if v.accepted == "waiver"] == FAVOUR


@pytest.mark.slow
def test_the_strict_policy_judges_every_paytable() -> None:
    """All but the games of blackjack, which it would solve under every reading."""
    games = ("maryland/blackjack/blackjack/", "maryland/blackjack/switch/")
    ids = [i for i in shipped().ids() if not i.startswith(games)]
    report = check(shipped(), ids, read_policy("combin:strict"))
    assert {v.id for v in report.verdicts} == set(ids)
    assert {v.check for v in report.verdicts if v.id in FAVOUR and not v.met} == {"EDG003", "RTP002"}


def test_the_strict_policy_is_not_passed() -> None:
    report = check(shipped(), FAVOUR, read_policy("combin:strict"))
    assert {v.check for v in report.verdicts if not v.met} == {"EDG003", "RTP002"}
