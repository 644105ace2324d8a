"""What the store makes of a solution."""

import json
from dataclasses import fields
from typing import Any

from combin.base.record_json import from_plain, to_plain


def kept(solution: Any, **other: Any) -> Any:
    """The solution as it is read from the store, where other values stand in some fields of its entry."""
    data = to_plain(solution)
    for name, value in other.items():
        data[2 + [f.name for f in fields(solution)].index(name)] = to_plain(value)
    return from_plain(json.loads(json.dumps(data)))
