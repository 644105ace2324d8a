"""Every check has a page, and every example on a page is a policy that works."""

from pathlib import Path

import pytest

from combin.base.errors import InputError
from combin.pages import render
from combin.policy import read_policy
from combin.policy.criteria import BY_ID
from combin.policy.evaluation import Checker
from combin.policy.pages import SECTIONS, page, pages
from combin.rulebook.book import shipped


@pytest.mark.parametrize("identifier", list(BY_ID))
def test_the_page_is_whole_and_its_example_works(identifier: str, tmp_path: Path) -> None:
    found = pages()[identifier]
    assert all(getattr(found, section).strip() for section in SECTIONS)
    (tmp_path / "p.toml").write_text(found.example)
    policy = read_policy(tmp_path / "p.toml")
    assert found.key in {bound.key for requirement in policy.requirements for bound in requirement.bounds}
    Checker(shipped(), policy)
    text, written = (render([found.part], form, 4000, 1) for form in ("text", "markdown"))
    assert text.startswith(f"{identifier} {found.key}: ")
    assert found.source in text
    assert f"```toml\n{found.example.strip()}\n```" in written
    assert {f"    {line}" for line in found.example.strip().splitlines() if line} <= set(text.splitlines())


def test_a_page_is_found_by_id_or_key() -> None:
    assert page("rtp001") is page("return_min") is pages()["RTP001"]
    with pytest.raises(InputError, match='there is no check "RTP01"; did you mean "RTP001"'):
        page("RTP01")
