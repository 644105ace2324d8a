"""One register owns all caches: it names, bounds and empties each, and there is no cache outside it."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest

from combin import analyze
from combin.base import caches
from combin.base.caches import Kept, cached

from ..shared import sources

#: Names of modules that grow at run time and hold no result: decorators and plug-ins register there.
REGISTRIES = {
    "base.caches._register",
    "games.registry._games",
    "verify.deals._WAYS",
    "verify.settle_literal._SETTLERS",
    "wagers._registry",
}
GROWS = {"add", "append", "extend", "insert", "setdefault", "update"}


def modules() -> dict[str, ast.Module]:
    return {
        path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): tree for path, tree in sources().items()
    }


def own_caches(tree: ast.Module) -> list[str]:
    """Caches of functools on functions of a module or class; these keep results as long as the process runs."""
    found = []

    def look(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                look(node.body)
            if isinstance(node, ast.FunctionDef):
                names = {n.id for d in node.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}
                names |= {n.attr for d in node.decorator_list for n in ast.walk(d) if isinstance(n, ast.Attribute)}
                found.extend(node.name for name in names & {"cache", "lru_cache"})

    look(tree.body)
    return found


def growing(tree: ast.Module) -> set[str]:
    """Names of the module that its functions change or bind anew."""
    names = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    found = set()
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda)):
        nodes = list(ast.walk(function))
        own = {a.arg for a in nodes if isinstance(a, ast.arg)}
        own |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in nodes:
            if isinstance(node, ast.Global):
                found |= set(node.names)
                continue
            held: ast.AST | None = None
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                held = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in GROWS:
                held = node.func.value
            if isinstance(held, ast.Name) and held.id in names - own:
                found.add(held.id)
    return found


def test_the_scan_sees_what_it_looks_for() -> None:
    source = """
import functools
kept: dict[int, int] = {}
seen = []
plain = {1: 2}
@functools.cache
def one(): return 1
class A:
    @lru_cache(maxsize=4)
    def two(self):
        @cache
        def inside(): return 3
        plain = {}
        plain[1] = 2
        return inside
def three(x):
    global turns
    kept[x] = 1
    seen.append(x)
    return plain[x]
"""
    tree = ast.parse(source)
    assert own_caches(tree) == ["one", "two"]
    assert growing(tree) == {"kept", "seen", "turns"}


def test_no_cache_stands_beside_the_register() -> None:
    found = modules()
    assert len(found) > 100
    assert {name: own for name, tree in found.items() if (own := own_caches(tree))} == {}
    registered = {cache.name.removeprefix("combin.") for cache in all_caches()}
    wild = {f"{name}.{word}" for name, tree in found.items() for word in growing(tree)} - REGISTRIES - registered
    assert not wild


def all_caches() -> tuple[caches.Cache, ...]:
    for name in modules():
        if name != "__main__":
            import_module(f"combin.{name}".removesuffix("."))
    return caches.registered()


def test_every_cache_says_what_it_holds_and_has_a_bound() -> None:
    found = all_caches()
    assert len(found) > 40
    for cache in found:
        assert cache.holds.strip()
        assert 1 <= cache.most <= 2**16
        assert cache.size() <= cache.most


def test_all_are_emptied() -> None:
    before = analyze("maryland/blackjack/lucky-ladies/A", decks=1)
    held = {cache.name for cache in caches.registered() if cache.size()}
    assert {"combin.rulebook.book.shipped", "combin.deals.first_cards._shoe_table"} <= held
    caches.empty()
    assert not any(cache.size() for cache in caches.registered())
    assert analyze("maryland/blackjack/lucky-ladies/A", decks=1) == before


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> dict[str, caches.Cache]:
    """A register for the test alone."""
    own: dict[str, caches.Cache] = {}
    monkeypatch.setattr(caches, "_register", own)
    return own


def test_results_are_kept_up_to_the_bound(register: dict[str, caches.Cache]) -> None:
    asked = []

    @cached("squares", most=2)
    def square(n: int) -> int:
        asked.append(n)
        return n * n

    assert [square(n) for n in (2, 2, 3, 2, 4, 3)] == [4, 4, 9, 4, 16, 9]
    assert asked == [2, 3, 4, 3]  # 3 made room for 4
    [cache] = register.values()
    assert (cache.holds, cache.most, cache.size()) == ("squares", 2, 2)
    caches.empty()
    assert (cache.size(), square(4), asked) == (0, 16, [2, 3, 4, 3, 4])


def test_what_is_filled_by_hand_is_bounded_too(register: dict[str, caches.Cache]) -> None:
    kept: Kept[int, str] = Kept("here.kept", "words", most=2)
    for n, word in enumerate(("a", "b", "c")):
        kept[n] = word
    assert dict(kept) == {1: "b", 2: "c"}
    assert register["here.kept"].size() == 2
    caches.empty()
    assert not kept
