"""The package reads from top to bottom: nothing imports upward."""

import ast
from pathlib import Path

import combin

#: Modules in the direction of the data; a module may import those before it (and its own package).
ORDER = [
    "errors", "textfiles", "_kernels", "exact", "cards", "parallel", "table", "seven", "deal", "draw", "pays",
    "rulebook", "parameters", "wheels", "caps", "wagers", "additions", "outcome", "analysis", "games", "drawn",
    "settle", "engine", "meters", "output", "volatility",
    "sheets", "userfiles", "strategy_files", "strategy",
    "together", "advice", "removal", "slopes", "views",
    "policy", "design", "settle_literal", "ledger", "verify", "regenerate",
    "report", "pytest_plugin", "asking", "cli",
]  # fmt: skip
#: Imports inside functions that reach upward on purpose, each with its reason.
LATE = {
    ("analysis", "engine"),  # an analysis asks again with something changed
    ("analysis", "meters"),  # an analysis has the figures of its progressive
    ("analysis", "views"),  # an analysis prints itself in a terminal and a notebook
}


def layer(path: Path, root: Path) -> str:
    return path.relative_to(root).with_suffix("").parts[0]


def imports(path: Path, root: Path) -> set[str]:
    """The layers that a module imports from the package, relative imports resolved."""
    found = set()
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            target = [*base, *(node.module or "").split(".")] if node.module else list(base)
            if target and target[0]:
                found.add(target[0])
            else:
                found.update(alias.name for alias in node.names)
    return {name for name in found if name in ORDER}


def test_nothing_imports_upward() -> None:
    root = Path(combin.__file__).parent
    paths = [p for p in sorted(root.rglob("*.py")) if layer(p, root) not in ("__init__", "__main__")]
    assert len(paths) > 25
    wrong = []
    for path in paths:
        own = layer(path, root)
        assert own in ORDER, f"{own} has no place in the order"
        wrong += [
            f"{path.relative_to(root)} imports {other}"
            for other in imports(path, root)
            if ORDER.index(other) > ORDER.index(own) and (own, other) not in LATE
        ]
    assert not wrong
