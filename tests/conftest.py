"""What a test module counted helps no other one: each begins with empty caches."""

from collections.abc import Iterator

import pytest

from combin.base import caches


@pytest.fixture(scope="module", autouse=True)
def _empty_caches() -> Iterator[None]:
    caches.empty()
    yield
    caches.empty()
