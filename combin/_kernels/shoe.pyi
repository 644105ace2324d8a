from typing import Any

class Classes:
    def __init__(
        self,
        cell_first: Any,
        cell: Any,
        blocks: Any,
        block_kind: Any,
        block_label: Any,
        block_copies: Any,
        bound: Any,
        full: Any,
        onto: Any,
        rank: Any,
        suit: Any,
        cards: Any,
        choose: Any,
    ) -> None: ...
    def list(self, start: int, stop: int, subgroup: int, ranks: Any, suits: Any, weights: Any) -> int: ...

def add_up(codes: Any, first: int, weights: Any, sums: Any) -> None: ...
