from typing import Any

def extend(
    start: int,
    stop: int,
    left: Any,
    stabilizers: Any,
    active: Any,
    images: Any,
    k: int,
    parent: Any,
    picks: Any,
    weight: Any,
    stabilizer: Any,
) -> int: ...
