"""Cache of the tables of the shipped documents in the command's store: they are parsed and checked once."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..base.caches import cached
from ..base.store import in_use


@cached("the digest of the readers of documents", most=1)
def _readers() -> bytes:
    """Digest of the modules that read documents: a changed reader may find other faults."""
    home = Path(__file__).parent
    return sha256(b"".join(path.read_bytes() for folder in (home, home.parent / "base")
                           for path in sorted(folder.glob("*.py"))) + sys.version.encode()).digest()


def _key(sources: Mapping[str, bytes]) -> str:
    texts = b"".join(sha256(name.encode()).digest() + sha256(raw).digest() for name, raw in sources.items())
    return sha256(b"tables of documents" + _readers() + texts).hexdigest()


def tables_of(sources: Mapping[str, bytes]) -> Mapping[str, Any]:
    """Return the tables of documents that were read without a fault before, by file; empty if they are not stored."""
    store = in_use()
    if store is not None:
        with suppress(ValueError):
            known = json.loads(store.get(_key(sources)) or "")
            if isinstance(known, dict) and known.keys() == sources.keys():
                return known
    return {}


def keep_tables(sources: Mapping[str, bytes]) -> None:
    """Store the tables of documents in which no fault was found."""
    store = in_use()
    if store is not None:
        import tomllib

        with suppress(TypeError):  # JSON has no dates
            store.put(_key(sources), json.dumps({name: tomllib.loads(raw.decode()) for name, raw in sources.items()}))
