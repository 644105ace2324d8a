"""Files are replaced whole or not at all."""

from pathlib import Path

import pytest

from combin.base import output
from combin.base.errors import InputError


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "table.md"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output.os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        output.write_whole(target, "new")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["table.md"]


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    target.write_text("old")
    target.chmod(0o640)
    output.write_whole(target, "new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_what_a_command_reads_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("x")
    (tmp_path / "link.toml").symlink_to("own.toml")
    own, link = str(tmp_path / "own.toml"), str(tmp_path / "link.toml")
    for word in (own, link, f"maryland/high-card-flush/flush-bonus={own}", str(tmp_path / "." / "own.toml")):
        for target in (own, link):
            with pytest.raises(InputError, match=r"-o: .* is also read by this command"):
                output.keep_inputs({"-o": target}, ("maryland/*", None, word))
    output.keep_inputs({"-o": str(tmp_path / "new.toml"), "--other": None}, (own, str(tmp_path / "old.toml")))
