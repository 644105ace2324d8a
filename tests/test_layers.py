"""The order of the rooms: a room imports only from earlier rooms, and no imports form a cycle, types included."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from combin.base.later import MODULES

from .shared import ROOT, sources

#: The rooms from the ground up. Rooms of one line do not import one another.
FLOORS = [
    ["base"], ["pages"], ["_kernels"], ["rulebook"], ["deals"], ["wagers"], ["games"], ["analysis"],
    ["progressives"], ["play"], ["userfiles"], ["views"],
    ["policy", "published", "bank"], ["verify"], ["tools"], ["report"], ["cli"],
]  # fmt: skip
HEIGHT = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
#: Modules above all rooms: the package's door, what scripts ask for, and the plug-in of pytest.
DOOR = {"__init__", "__main__", "pytest_plugin", "scripting"}
#: What may load a module of a later room, through `combin.base.later` and in no other way.
LATER = {
    "analysis/analyses", "analysis/model", "play/display", "userfiles/catalogue",  # display hooks load their views
    "analysis/solving",  # a long-run return is solved for (`analysis/model` has it as a property too)
}
#: Modules that load by name what somebody registered: a kernel, a game, outcome functions, a writer.
BY_NAME = {
    "_kernels", "base/later", "base/record_json", "games/model", "games/registry", "pages", "policy/writers", "report",
    "report/attached", "views", "views/frame", "views/strategy", "wagers",
}


@cache
def modules() -> dict[str, Path]:
    return {p.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__"): p for p in ROOT.rglob("*.py")}


@cache
def imported(path: Path) -> set[str]:
    """The modules of the package that a module imports: at the top, inside a function, or for types alone."""
    package, found = path.relative_to(ROOT).parent.parts, set()
    tree = sources()[path.relative_to(ROOT).as_posix()]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ROOT.joinpath(*package[: len(package) - node.level + 1], *(node.module or "").split("."))
            for target in (base / alias.name for alias in node.names):
                module = target if target.with_suffix(".py").exists() or (target / "__init__.py").exists() else base
                found.add(module.relative_to(ROOT).as_posix())
    return found


def test_a_room_imports_from_those_below_it_alone() -> None:
    found = {name: path for name, path in modules().items() if name.split("/")[0] not in DOOR}
    assert len(found) > 100
    wrong = []
    for name, path in found.items():
        room = name.split("/")[0]
        assert room in HEIGHT, f"{room} has no place among the rooms"
        for other in sorted({target.split("/")[0] for target in imported(path)} - {room}):
            if HEIGHT.get(other, len(FLOORS)) >= HEIGHT[room]:  # what is in no room is above them all
                wrong.append(f"{name} imports {other}")
    assert not wrong


def test_no_modules_import_one_another() -> None:
    """Imports inside functions and for types count too."""
    graph = {name: imported(path) - {name} for name, path in modules().items()}
    assert graph["report/model"] >= {"report/attached", "report/effects"}
    TopologicalSorter(graph).prepare()


def test_a_later_room_is_reached_through_one_door() -> None:
    """`combin.base.later` knows the modules; only display hooks and an analysis use it."""
    calls, loaders = set(), set()
    for name, path in modules().items():
        if "base/later" in imported(path):
            calls.add(name)
        if re.search("import_module|__import__", path.read_text(encoding="utf-8")) and name not in DOOR:
            loaders.add(name)
    assert calls == LATER
    assert loaders <= BY_NAME, sorted(loaders - BY_NAME)
    assert all(module.replace(".", "/") in modules() for module in MODULES)


def test_a_class_name_is_in_one_module() -> None:
    homes: dict[str, set[str]] = {}
    for module, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(module)
    assert len(homes) > 300
    assert {name: sorted(found) for name, found in homes.items() if len(found) > 1} == {}
