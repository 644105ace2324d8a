"""combin init writes starting files for every wager. They pass at once, and no old file is replaced."""

from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.policy import check, read_policy
from combin.policy.start import start
from combin.rulebook.book import shipped
from combin.userfiles.paytables import add_file

SLOW = ("maryland/chase-the-flush/base", "recommended/chase-the-flush/base", "maryland/blackjack/switch")


@pytest.mark.parametrize("wager", [w for w in shipped().wagers if w not in SLOW])
def test_what_is_written_passes(tmp_path: Path, wager: str) -> None:
    paytables, policy = start(shipped(), wager, str(tmp_path))
    book, ids = add_file(shipped(), paytables)
    assert ids == [f"{wager}/house-1"]
    report = check(book, ids, read_policy(policy))
    assert report.met, report
    assert all(line.startswith("#") for line in Path(paytables).read_text(encoding="utf-8").splitlines()[:2])


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("mine")
    with pytest.raises(InputError, match="exists and is not replaced"):
        start(shipped(), "maryland/high-card-flush/flush-bonus", str(tmp_path))
    assert [p.name for p in tmp_path.iterdir()] == ["policy.toml"]
    assert (tmp_path / "policy.toml").read_text() == "mine"


def test_a_wager_that_is_not_there_is_suggested(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='did you mean "maryland/high-card-flush/flush-bonus"'):
        start(shipped(), "maryland/high-card-flush/flush-bonu", str(tmp_path))
    with pytest.raises(InputError, match="does not exist"):
        start(shipped(), "maryland/high-card-flush/flush-bonus", str(tmp_path / "none"))
