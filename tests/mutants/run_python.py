"""Change one operator, number or condition at a time in the Python that settles and analyses. A test must fail.

    pip install -e ".[test,mutation]"
    python tests/mutants/run_python.py [--all] [--rooms] [--record FILE] [MODULE...]

The fast tests run, with --all the slow ones too. The changes are cosmic-ray's. First every test file runs
once in a process of its own, to learn which tests reach which line; a mutant is then put in the place of its
module in memory, in a fork, and meets the tests that reach it, the quick ones first. Nothing in the tree is
touched. equivalent.toml lists what may survive, each with the reason why no result differs. Ends with status 1
where another mutant survives.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
import json
import multiprocessing
import os
import random
import re
import resource
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import unified_diff
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a fork keeps no threads

import click
import coverage
import pytest
import rich.progress
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

for name in (
    "_pytest.python", "_pytest.terminal", "click.testing", "hypothesis.strategies", "jsonschema", "junitparser",
    "numpy.testing", "openpyxl", "rich.box", "rich.console", "rich.table", "rich.text", "sympy", "typst", "xlsxwriter",
):  # fmt: skip
    importlib.import_module(name)  # once, not in each fork

HERE = Path(__file__).resolve().parent
TREE = HERE.parent.parent
MODULES = [
    "base/exact", "base/toml_tables", "rulebook/parameters", "rulebook/pays",
    "deals/dealer_draws", "deals/deal_kinds", "deals/draw", "deals/drawn_out", "deals/first_cards",
    "deals/player_chart", "deals/table", "deals/twenties",
    "wagers/columns", "wagers/drawn_columns", "wagers/literal", "wagers/sight", "wagers/wager_outcomes",
    "games/joint", "games/must_hit", "games/side_bets", "games/chase_the_flush/positions",
    "games/chase_the_flush/rules", "games/chase_the_flush/solve", "games/showdown/hand_orders",
    "games/showdown/positions", "games/showdown/settlement", "games/showdown/rank_tables", "games/showdown/tree",
    "games/high_card_flush/rules", "games/high_card_flush/solve",
    "analysis/additions", "analysis/caps", "analysis/engine", "analysis/long_run", "analysis/model",
    "analysis/record", "analysis/request", "games/outcome", "analysis/removal", "analysis/settle",
    "analysis/wheels", "play/together",
]  # fmt: skip
# Volatility is not in the list: its grids of floats may change as long as the percentiles stay.
# These tests start the program in new processes, which see no mutant.
OUTSIDE = {"tests/test_faults.py", "tests/test_readme.py", "tests/test_reproducible.py", "tests/policy/test_hooks.py"}
# One or two replacements for each operator: a boundary moved, a condition turned round, the inverse operation.
OPERATORS = re.compile(
    r"core/(NumberReplacer|AddNot|ZeroIterationForLoop|Replace(TrueWithFalse|FalseWithTrue|AndWithOr|OrWithAnd"
    r"|BreakWithContinue|ContinueWithBreak|UnaryOperator_\w+"
    r"|BinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_FloorDiv|Pow_Mul|BitAnd_BitOr|BitOr_BitAnd"
    r"|LShift_RShift|RShift_LShift)"
    r"|ComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Is_IsNot|IsNot_Is)))"
)
# A condition of one comparison; changes of the comparison turn it round already.
TURNED_ROUND = r"(el)?if ((?! and | or | not | in ).)* (==|!=|is|is not) ((?! and | or ).)*:"
FIRST, FILES = 15, 3  # tests that a mutant meets first, and files that they are taken from
MEMORY = 6 << 30
SURVIVES = "survives"
SLOW_TOO: list[str] = []  # "--all" once it is asked for; forks see it


@dataclass(frozen=True)
class Mutant:
    """One place of a module to change; the change itself is made in a fork."""

    module: str
    line: int
    operator: str
    occurrence: int

    @property
    def path(self) -> Path:
        return TREE / "combin" / f"{self.module}.py"

    def code(self) -> str | None:
        """The changed source; empty if only an annotation differs or the source is no Python."""
        source = self.path.read_text(encoding="utf-8")
        code = mutate_code(source, get_operator(self.operator)(), self.occurrence)
        try:
            return None if plain(code) == plain(source) else str(code)
        except SyntaxError:
            return None


@dataclass
class Reached:
    """The tests that reach each line of each module, and the seconds of each test."""

    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    #: Modules that have changed since the record was made, so that their lines moved.
    changed: set[str] = field(default_factory=set)


# ---- the mutants


_NO_RESULT = (("zip", "strict"), ("field", "repr"), ("field", "compare"))


class _Plain(ast.NodeTransformer):
    """A syntax tree without parts that bear on no result: annotations, cache sizes, frozen flags, keyword markers."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("dataclass", "lru_cache"):
            node.args, node.keywords = [], []
        node.keywords = [k for k in node.keywords if (name, k.arg) not in _NO_RESULT]
        self.generic_visit(node)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        node.defaults += filter(None, node.kw_defaults)
        node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        self.generic_visit(node)
        return node


def plain(source: str) -> str:
    return ast.dump(_Plain().visit(ast.parse(source)))


def mutants(module: str) -> Iterator[Mutant]:
    source = (TREE / "combin" / f"{module}.py").read_text(encoding="utf-8")
    text = source.splitlines()
    tree = get_ast(source)
    for name in operator_names():
        if OPERATORS.fullmatch(name):
            operator = get_operator(name)()
            places = [start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
            for occurrence, (line, _) in enumerate(places):
                if not (name == "core/AddNot" and re.fullmatch(TURNED_ROUND, text[line - 1].strip())):
                    yield Mutant(module, line, name, occurrence)


def changed_lines(source: str, code: str) -> tuple[str, str]:
    """The old and the new text."""
    changes = list(unified_diff(source.splitlines(), code.splitlines(), n=0))[2:]
    old, new = ("\n".join(d[1:].strip() for d in changes if d[0] == sign) for sign in "-+")
    return old, new


def statement_lines(source: str, line: int) -> range | None:
    """The lines of the innermost statement around a line. Of a compound statement only the head counts.

    A function counts whole. None for statements that run on import.
    """
    best, size, inside = range(line, line + 1), None, False
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        if isinstance(node, ast.FunctionDef):
            body = None
        end = body[0].lineno - 1 if body and hasattr(body[0], "lineno") else node.end_lineno
        lines = range(node.lineno, max(end, node.lineno) + 1)
        if line in lines:
            inside |= isinstance(node, ast.FunctionDef)
            if size is None or len(lines) < size:
                best, size = lines, len(lines)
    return best if inside else None


# ---- running tests in a fork


class _Plugin:
    """Runs chosen tests in an order; records the lines and seconds of each, and the first failure."""

    def __init__(self, order: list[str] | None = None, recorder: coverage.Coverage | None = None) -> None:
        self.place = {test: i for i, test in enumerate(order)} if order is not None else None
        self.recorder = recorder
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.place is not None:
            place = self.place
            items[:] = sorted((i for i in items if i.nodeid in place), key=lambda i: place[i.nodeid])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self.recorder:
            self.recorder.switch_context(item.nodeid)
        start = time.perf_counter()
        yield
        self.seconds[item.nodeid] = time.perf_counter() - start

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def run_tests(files: list[str], plugin: _Plugin, *, once: bool = True) -> int:
    sys.dont_write_bytecode = True
    os.chdir(TREE)
    sys.path.insert(0, str(TREE))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    quiet = [*SLOW_TOO, "-q", "-n0", "--tb=no", "--no-header", "--assert=plain", "-p", "no:cacheprovider",
             "-p", "no:randomly"]  # fmt: skip
    return int(pytest.main([*quiet, *(["-x"] if once else []), *files], plugins=[plugin]))


class _Mutated(importlib.abc.MetaPathFinder):
    """Imports one module from other source."""

    def __init__(self, path: Path, code: str) -> None:
        self.name = ".".join(path.relative_to(TREE).with_suffix("").parts)
        self.path = path
        self.code = code

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        loader = SourceFileLoader(fullname, str(self.path))
        loader.get_code = lambda name: compile(self.code, str(self.path), "exec")  # type: ignore[method-assign]
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


def record_file(file: str, pipe: Connection) -> None:
    """Send the lines that the tests of one file reach. The process starts with empty caches."""
    recorder = coverage.Coverage(data_file=None, include=[str(TREE / "combin" / f"{m}.py") for m in MODULES])
    recorder.start()
    plugin = _Plugin(recorder=recorder)
    run_tests([file], plugin, once=False)
    recorder.stop()
    data = recorder.get_data()
    lines = {
        module: data.contexts_by_lineno(str(path))
        for module in MODULES
        if str(path := TREE / "combin" / f"{module}.py") in data.measured_files()
    }
    for test in plugin.failed:
        plugin.seconds.pop(test, None)  # a test that fails without a change catches nothing
    lines = {m: {n: [t for t in ts if t in plugin.seconds] for n, ts in by.items()} for m, by in lines.items()}
    pipe.send((plugin.failed, lines, plugin.seconds))


def try_mutant(
    mutant: Mutant, stages: list[list[str]], only: set[tuple[str, str, str, str]] | None, pipe: Connection
) -> None:
    """Send the change and whether it may survive; then the first test that fails, or nothing if all pass."""
    code = mutant.code()
    if code is None:
        return
    change = changed_lines(mutant.path.read_text(encoding="utf-8"), code)
    if only is not None and (mutant.module, mutant.operator, *change) not in only:
        return
    pipe.send(change)
    if (mutant.module, *change) in accepted():
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.meta_path.insert(0, _Mutated(mutant.path, code))
    for order in stages:
        child = os.fork()
        if not child:
            plugin = _Plugin(order if "::" in order[0] else None)
            status = run_tests(list(dict.fromkeys(map(file_of, order))), plugin)
            if status:
                pipe.send(plugin.failed[0] if plugin.failed else f"pytest ended with {status}")
            os._exit(bool(status))
        status = os.waitpid(child, 0)[1]
        if status:
            pipe.send(f"process ended with {status}")
            return
    pipe.send(SURVIVES)


#: A key, a function, its arguments and the most seconds that it may take.
Work = tuple[Any, Callable[..., None], tuple[Any, ...], float]


@dataclass
class Job:
    key: Any
    process: BaseProcess
    until: float
    sent: list[Any] = field(default_factory=list)


def forked(work: Iterator[Work]) -> Iterator[tuple[Any, list[Any], bool]]:
    """Run calls in forks, one for each processor at a time.

    Yields (key, sent messages, whether the time was up).
    """
    context = multiprocessing.get_context("fork")
    running: dict[Connection, Job] = {}
    at_once = os.cpu_count() or 1
    try:
        while True:
            for key, function, arguments, seconds in islice(work, at_once - len(running)):
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_leading, args=(function, *arguments, theirs))
                process.start()
                theirs.close()
                running[ours] = Job(key, process, time.monotonic() + seconds)
            if not running:
                return
            told = set(wait(list(running), timeout=0.5))
            for pipe, job in list(running.items()):
                late = time.monotonic() > job.until
                if pipe in told:
                    try:
                        job.sent.append(pipe.recv())
                        continue
                    except EOFError:
                        late = False  # it has ended
                elif not late:
                    continue
                if late:
                    os.killpg(job.process.pid, 9)  # type: ignore[arg-type]
                job.process.join()
                pipe.close()
                del running[pipe]
                yield job.key, job.sent, late
    finally:  # whoever stops early leaves no process behind
        for job in running.values():
            with suppress(ProcessLookupError):
                os.killpg(job.process.pid, 9)  # type: ignore[arg-type]


def _leading(function: Any, *arguments: Any) -> None:
    os.setpgid(0, 0)
    function(*arguments)


# ---- which tests


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def test_files() -> set[str]:
    return {str(p.relative_to(TREE)) for p in TREE.glob("tests/**/test_*.py") if p.parent != HERE} - OUTSIDE


def stages_near(mutant: Mutant) -> list[list[str]]:
    """The test files of the module's folder, those with its name first, of the folders above, and of their checks."""
    *folders, name = mutant.module.split("/")
    stages = []
    for depth in range(len(folders), 0, -1):
        place = "/".join(("tests", *folders[:depth]))
        files = sorted(file for file in test_files() if file.rpartition("/")[0] == place)
        named = [file for file in files if name.removesuffix("s") in file]
        stages += [named, [file for file in files if file not in named]]
    second = sorted(file for file in test_files() if file.startswith(f"tests/verify/test_{folders[-1]}"))
    return [stage for stage in (*stages, second, ["tests/test_properties.py"]) if stage]


def record(kept: Path | None) -> Reached:
    """Run every test file once, or only the files that changed since ``kept`` was written."""
    known = json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else {"modules": {}, "files": {}}
    sources = {module: digest(TREE / "combin" / f"{module}.py") for module in MODULES}
    reached = Reached(changed={m for m, sha in known["modules"].items() if sha != sources.get(m)})
    files = test_files()
    digests = {file: digest(TREE / file) for file in files}
    found = {f: e for f, e in known["files"].items() if digests.get(f) == e["sha"]}
    work = [(file, record_file, (file,), 900.0) for file in sorted(files - set(found))]
    try:
        for file, sent, _ in rich.progress.track(forked(iter(work)), "tests", total=len(work)):
            if not sent:
                raise SystemExit(f"{file}: the tests do not end as things are")
            failed, lines, seconds = sent[0]
            for test in failed:
                print(f"left out, as it fails as things are: {test}")
            found[file] = {"sha": digests[file], "lines": lines, "seconds": seconds}
    finally:  # what was learnt before an interruption is kept as well
        if kept:
            modules = sources | known["modules"]
            kept.write_text(json.dumps({"modules": modules, "files": found}), encoding="utf-8")
    for _, entry in sorted(found.items()):
        reached.seconds |= entry["seconds"]
        for module, by_line in entry["lines"].items():
            for line, tests in by_line.items():
                reached.lines.setdefault(module, {}).setdefault(int(line), []).extend(tests)
    return reached


def stages_of(mutant: Mutant, reached: Reached, caught: Counter[str], most: float) -> list[list[str]]:
    """The tests that reach the mutant. The few that caught most come first, then the others, quick ones first.

    What runs on import is reached by every test that reaches its module. A test that
    reaches a line by what another left behind is in the same file: those come last. No more than ``most`` seconds.
    """
    by_line = reached.lines.get(mutant.module, {})
    source = mutant.path.read_text(encoding="utf-8")
    lines = None if mutant.module in reached.changed else statement_lines(source, mutant.line)
    tests = {t for line in (by_line if lines is None else lines) for t in by_line.get(line, ())}
    ranked = sorted(tests, key=lambda t: (-caught[t], reached.seconds[t], t))
    files: dict[str, None] = {}
    for test in ranked:
        files[file_of(test)] = None
    best = set(list(files)[:FILES])
    first = [t for t in ranked if file_of(t) in best][:FIRST]
    behind = sorted((t for t in reached.seconds if file_of(t) in files and t not in tests), key=reached.seconds.get)
    spent = 0.0
    rest = []
    for test in [t for t in ranked if t not in first] + behind:
        if spent + reached.seconds[test] < most:
            spent += reached.seconds[test]
            rest.append(test)
    return [order for order in (first, rest) if order]


def fails_as_things_are(tests: list[str], pipe: Connection) -> None:
    """Send those of the tests that fail without a change: they catch nothing."""
    plugin = _Plugin(tests)
    run_tests(list(dict.fromkeys(map(file_of, tests))), plugin, once=False)
    pipe.send(plugin.failed)


def file_of(test: str) -> str:
    return test.partition("::")[0]


def accepted() -> set[tuple[str, str, str]]:
    data = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {(m["module"], m["old"].strip(), m["new"].strip()) for m in data.get("mutant", [])}


@click.command(help=__doc__)
@click.argument("modules", nargs=-1)
@click.option("--all", "slow_too", is_flag=True, help="Run the tests marked slow too.")
@click.option("--sample", type=click.IntRange(1), help="Only some mutants, chosen at random from a fixed seed.")
@click.option("--record", "kept", type=click.Path(path_type=Path), help="Keep what the tests reach in this file.")
@click.option("--rooms", is_flag=True, help="Only the tests in a module's own folder: nothing has to be learnt first.")
@click.option("--log", type=click.Path(path_type=Path), help="Write every mutant and what became of it, a line each.")
@click.option("--seconds", default=60.0, help="The most seconds of tests that a mutant meets, quick ones first.")
@click.option("--again", type=click.Path(exists=True, path_type=Path), help="Only those that survive in this log.")
def main(
    modules: tuple[str, ...], slow_too: bool, sample: int | None, kept: Path | None, log: Path | None, seconds: float,
    again: Path | None, rooms: bool,
) -> None:
    SLOW_TOO[:] = ["--all"] if slow_too else []
    reached = None if rooms else record(kept)
    survivors = None
    if again:
        ended = map(json.loads, again.read_text(encoding="utf-8").splitlines())
        survivors = {(m, operator, old, new) for m, _, operator, _, old, new, end in ended if end == SURVIVES}
    kinds = None if survivors is None else {s[:2] for s in survivors}
    places = [
        mutant for module in modules or MODULES for mutant in mutants(module)
        if kinds is None or (module, mutant.operator) in kinds
    ]  # fmt: skip
    if sample is not None and sample < len(places):
        places = sorted(random.Random(1).sample(places, sample), key=lambda m: (m.module, m.line))
    if log and log.exists():  # an interrupted run goes on
        logged = {tuple(entry[:4]) for entry in map(json.loads, log.read_text(encoding="utf-8").splitlines())}
        places = [m for m in places if (m.module, m.line, m.operator, m.occurrence) not in logged]
    caught: dict[str, Counter[str]] = {module: Counter() for module in MODULES}

    def work() -> Iterator[Work]:
        for mutant in places:
            if reached is None:
                stages, longest = stages_near(mutant), 20 * seconds
            else:
                stages = stages_of(mutant, reached, caught[mutant.module], seconds)
                longest = 5 * sum(reached.seconds[t] for order in stages for t in order) + 60
            yield mutant, try_mutant, (mutant, stages, survivors), longest

    out = log.open("a", encoding="utf-8") if log else None
    tried, alive = 0, []
    for mutant, sent, late in rich.progress.track(forked(work()), "mutants", total=len(places)):
        if not sent:
            continue
        change = sent[0]
        end = sent[1] if len(sent) > 1 else "out of time" if late else "may survive"
        tried += 1
        caught[mutant.module][end] += 1
        if end == SURVIVES:
            alive.append((mutant, *change))
        if out:
            place = mutant.module, mutant.line, mutant.operator, mutant.occurrence
            print(json.dumps([*place, *change, end]), file=out, flush=True)
    for mutant, old, new in sorted(alive, key=lambda a: (a[0].module, a[0].line, a[0].operator)):
        print(f"SURVIVES  combin/{mutant.module}.py:{mutant.line} {mutant.operator}\n- {old}\n+ {new}")
    if rooms and (ends := sorted({end for counted in caught.values() for end in counted if "::" in end})):
        for _, sent, _ in forked(iter([("", fails_as_things_are, (ends,), 900.0)])):
            for test in sent[0] if sent else ends:
                print(f"catches nothing, as it fails as things are: {test}")
    print(f"{tried} mutants, {len(alive)} survive")
    sys.exit(1 if alive else 0)


if __name__ == "__main__":
    main()
