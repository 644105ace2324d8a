"""The order of the rooms: a room imports only from earlier rooms, and no imports form a cycle, types included."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

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
#: Display hooks, the only code that loads a module of a later room: its view, through `combin.base.later`.
LATER = {"analysis/analyses", "analysis/model", "base/displayed"}
#: A class names a module by one of these; only this room and later ones load it.
NAMED = {"strategy": "play", "second_way": "verify", "view": "views", "VIEW": "views"}
#: Modules that load what a variable names: one of `NAMED`, one of their own folder, a record of the store, a library.
BY_VALUE = {"base/record_json", "games/model", "games/registry", "views/frame", "views/strategy"}


@pytest.fixture(scope="module", autouse=True)
def _parsed() -> None:
    """Every module is parsed once, before the first test."""
    sources()


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
    assert graph["report/model"] >= {"report/identity", "report/effects"}
    TopologicalSorter(graph).prepare()


def test_a_later_room_is_reached_through_one_door() -> None:
    """`combin.base.later` knows the modules, which are views."""
    assert {name for name, path in modules().items() if "base/later" in imported(path)} == LATER
    assert all(module.startswith("views.") and module.replace(".", "/") in modules() for module in MODULES)


def loaded(name: str, call: ast.Call) -> str | None:
    """The room of the modules that a call of `import_module` loads; None if only a variable says it."""
    text = call.args[0]
    first = text.values[0] if isinstance(text, ast.JoinedStr) else text
    if isinstance(first, ast.FormattedValue):  # f"{__name__}.{kernel}"
        return name.split("/")[0] if ast.unparse(first.value) == "__name__" else None
    if not isinstance(first, ast.Constant):
        return None
    words = str(first.value)
    dots = len(words) - len(words.lstrip("."))
    package = modules()[name].relative_to(ROOT).parent.parts
    return [*package[: len(package) - dots + 1], *words.strip(".").split(".")][0]


def test_a_module_loaded_by_name_is_in_no_later_room() -> None:
    loaders, wrong = set(), []
    for name in modules().keys() - DOOR - {"base/later"}:
        room = name.split("/")[0]
        for node in ast.walk(sources()[modules()[name].relative_to(ROOT).as_posix()]):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                to = loaded(name, node)
                loaders |= {name} if to is None else set()
            elif called == "module" and node.args and isinstance(node.args[0], ast.Constant):
                to = NAMED[str(node.args[0].value)]
            else:
                continue
            if to is not None and HEIGHT[to] > HEIGHT[room]:
                wrong.append(f"{name} loads {to} by name")
    assert loaders == BY_VALUE
    assert not wrong


def test_only_named_attributes_name_a_module() -> None:
    """A text that is a module's name is in an attribute of `NAMED`, and the module in the room of that."""
    names = {f"combin.{name.replace('/', '.')}" for name in modules() if "/" in name}
    count = 0
    for tree in sources().values():
        of = {id(node.value): ast.unparse(target) for node in ast.walk(tree)
              if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
              for target in (node.targets if isinstance(node, ast.Assign) else [node.target])}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and str(node.value) in names:
                assert NAMED[of[id(node)]] == str(node.value).split(".")[1], node.value
                count += 1
    assert count > 10


def test_a_class_name_is_in_one_module() -> None:
    homes: dict[str, set[str]] = {}
    for module, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(module)
    assert len(homes) > 300
    assert {name: sorted(found) for name, found in homes.items() if len(found) > 1} == {}
