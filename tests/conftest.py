"""Each test module begins with empty caches, so no module relies on the counts of another."""

from collections.abc import Iterator

import pytest

from combin.base import caches


@pytest.fixture(scope="module", autouse=True)
def _empty_caches() -> Iterator[None]:
    caches.empty()
    yield
    caches.empty()
