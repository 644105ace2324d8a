"""The order of the rooms: a room imports from earlier rooms alone, and imports make no circle."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from .shared import ROOT, sources

#: The rooms from the ground up. Rooms of one line do not import one another.
FLOORS = [
    ["base"], ["pages"], ["_kernels"], ["rulebook"], ["deals"], ["wagers"], ["games"], ["analysis"],
    ["progressives"], ["play"], ["userfiles"], ["views"],
    ["policy", "published", "bank"], ["verify"], ["tools"], ["report"], ["cli"],
]  # fmt: skip
HEIGHT = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
#: Modules above all rooms: the package's door and the plug-in of pytest.
DOOR = {"__init__", "__main__", "pytest_plugin"}
#: Imports inside functions from a later room, each with its reason.
LATE = {
    ("analysis", "progressives"),  # an analysis has the figures of its meters
    ("analysis", "views"),  # an analysis shows itself on a terminal and in a notebook
    ("play", "views"),  # and so does what is said of play,
    ("userfiles", "views"),  # and a list of paytables
}


def modules() -> dict[str, Path]:
    return {p.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__"): p for p in ROOT.rglob("*.py")}


def for_types(tree: ast.Module) -> set[ast.AST]:
    """The statements for type checkers alone."""
    blocks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and getattr(n.test, "id", "") == "TYPE_CHECKING"]
    return {inside for block in blocks for inside in ast.walk(block)}


@cache
def imported(path: Path) -> set[str]:
    """The modules of the package that a module imports at run time, at the top or inside a function."""
    package, found = path.relative_to(ROOT).parent.parts, set()
    tree = sources()[path.relative_to(ROOT).as_posix()]
    types = for_types(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level and node not in types:
            base = ROOT.joinpath(*package[: len(package) - node.level + 1], *(node.module or "").split("."))
            for target in (base / alias.name for alias in node.names):
                module = target if target.with_suffix(".py").exists() or (target / "__init__.py").exists() else base
                found.add(module.relative_to(ROOT).as_posix())
    return found - {"."}


def test_a_room_imports_from_those_below_it_alone() -> None:
    found = {name: path for name, path in modules().items() if name.split("/")[0] not in DOOR}
    assert len(found) > 100
    wrong = []
    for name, path in found.items():
        room = name.split("/")[0]
        assert room in HEIGHT, f"{room} has no place among the rooms"
        for other in sorted({target.split("/")[0] for target in imported(path)} - {room}):
            if other in DOOR or HEIGHT[other] >= HEIGHT[room]:
                wrong.append(f"{name} imports {other}")
    late = {f"{name} imports {views}" for name in found for room, views in LATE if name.split("/")[0] == room}
    assert set(wrong) <= late, sorted(set(wrong) - late)


def test_no_modules_import_one_another() -> None:
    """Late imports count too. An analysis that shows itself is the exception."""
    graph = {}
    for name, path in modules().items():
        late = {target for own, target in LATE if own == name.split("/")[0]}
        graph[name] = {m for m in imported(path) if m.split("/")[0] not in late} - {name}
    assert graph["report/model"] >= {"report/attached", "report/effects"}
    TopologicalSorter(graph).prepare()
