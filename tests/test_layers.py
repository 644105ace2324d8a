"""The package reads from top to bottom: nothing imports upward."""

import ast
from graphlib import TopologicalSorter
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


def imported_modules(path: Path, root: Path) -> set[str]:
    """The modules of the package that a module imports, anywhere in it, as paths without suffix."""
    package, found = path.relative_to(root).parent.parts, set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = root.joinpath(*package[: len(package) - node.level + 1], *(node.module or "").split("."))
            for target in (base / alias.name for alias in node.names):
                module = target if target.with_suffix(".py").exists() or target.is_dir() else base
                found.add(module.relative_to(root).as_posix())
    return found - {"."}


def test_within_a_package_no_modules_import_one_another() -> None:
    """Late imports included: an analysis that asks for itself anew and shows itself is the only circle."""
    root = Path(combin.__file__).parent
    graph = {}
    for path in root.rglob("*.py"):
        name = path.relative_to(root).with_suffix("").as_posix().removesuffix("/__init__")
        late = {target for own, target in LATE if own == name}
        graph[name] = {m for m in imported_modules(path, root) if m.partition("/")[0] not in late} - {name}
    assert graph["report/model"] >= {"report/attached", "report/effects"}
    TopologicalSorter(graph).prepare()
