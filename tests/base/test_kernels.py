"""A kernel that is not built gives a clear message. A kernel refuses arrays of a wrong shape."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from combin import _kernels
from combin.base.errors import InputError
from combin.games.blackjack.rules import HouseRules


@pytest.mark.parametrize("missing", ["shoe", "_cyutility"])
def test_a_missing_kernel_is_one_sentence(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=f"combin._kernels.{missing}")

    monkeypatch.setattr(_kernels, "import_module", absent)
    with pytest.raises(InputError, match="kernel shoe is missing; install combin from its source tree"):
        _kernels.load("shoe")


def test_another_missing_module_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(_kernels, "import_module", absent)
    with pytest.raises(ModuleNotFoundError):
        _kernels.load("shoe")
    assert "combin" in sys.modules


I8, I16, I32, I64, U8, U16, U32, U64, F64 = (
    np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float64
)  # fmt: skip
#: A dealer's tree: one finished hand, one sum in each of the ten steps.
TREE = {
    "order": (I32, (10,)), "width": np.ones(11, I32), "most": (I32, (10,)), "number": (U8, (10,)),
    "start": np.array([0, 1] * 10, I32), "orders": (I32, (1,)), "cell_outcome": (I32, (1,)), "cell_length": (I32, (1,)),
}  # fmt: skip
UTILITY = (4, 2, 3, 6)
#: The shoe and the rules of blackjack, and of Switch.
TABLE = {
    "rules": HouseRules(), "cards": (U8, (1,)), "two": (I32, (10, 10)), "child": (I32, (3, 10)),
    "most_hands": (I32, (10,)), "bonus": (I8, (3,)), "line": (I8, (1, 5)),
}  # fmt: skip
#: Each public function of a kernel with sound arguments: a list, or keywords. A pair of type and shape stands for an
#: array, a mapping for a record.
DOORS: dict[str, Any] = {
    "blackjack.evaluate": [
        (I32, (10,)), (I8, (3, 10)), (U8, (3,)), (I32, (3, 10)), (I32, (3,)), TREE, -1,
        (I32, (1, 2, 30, 12)), (I32, (1, 2)), (U8, (3,)), (U8, (3,)), False, (I8, (3,)), (F64, (53, 4)), (U64, (2, 2)),
        (U64, (2, 53, 4)), (F64, (3, 4, 1)), (U64, (3, 4, 1, 2)),
    ],
    "blackjack.dot": [(I64, (2, 3)), (U64, (2, 3, 4))],
    "blackjack.mark": [(I32, (3, 10)), (I8, (3,)), (U8, (3,))],
    "blackjack_splits.pair_moments": [
        (I32, (10,)), (I64, (2, 3)), (U64, (2,)), (I64, (2, 2)), (I32, (2, 12)), (U64, (1,)), TREE, (U64, (2, 2)),
        (U64, (2, 53, 4)), (U64, (2,)),
    ],
    "blackjack_rounds.Rounds": [{
        "table": TABLE, "first": (I8, (10, 10, 10)), "choice": (I8, (10, 3)), "split_choice": (I8, (10, 10, 3)),
        "early": (U8, (10,)), "pays": (I64, (1,)), "unit": 1,
    }],
    "blackjack_rounds.Rounds.deal": [
        0, 0, 1, 1, (I64, (8, 65)), (I64, (8, 2, 3)), (I64, (9, 1)), (I64, (6,)), (I32, (1, 1)), (U8, (1, 4)),
        (U8, (1, 3)),
    ],
    "blackjack_rounds.SwitchRounds": [{
        "table": TABLE, "switch": (U8, (10,) * 5), "splits": (U8, (10, 55, 55)), "choice": (I8, (10, 55, 3)),
        "pairs": (I32, (10, 10)), "aces_take_one": False, "blackjack_pays": 10, "blackjack_beats_22": False,
        "switched_counts": False, "early": False,
    }],
    "blackjack_rounds.SwitchRounds.deal": [
        0, 0, 1, 1, (I64, (2, 321)), (I64, (2, 4, 2, 3)), (I32, (1, 1)), (U8, (1, 6)),
    ],
    "chase_the_flush.solve_classes": [
        (I32, (1, 4)), 0, 0, (I64, (2, *UTILITY)), False, (I64, (1, 2, 2)), (I64, (1, 2, *UTILITY)), (I64, (1, 2, 3)),
        (U8, (1, 49, 49)), (I64, (1, 2, *UTILITY[1:])),
    ],
    "chase_the_flush_rounds.count_dealer": [(I32, (0, 4)), (I32, (0, 4)), (I64, (0, 4))],
    "chase_the_flush_rounds.count_literally": [(U8, (3,)), (U8, (0, 4)), (I64, (0, 4))],
    "chase_the_flush_rounds.Rounds": {
        "classes": (I32, (22_100,)), "suits": (U8, (22_100, 4)), "holes": (I32, (1, 4)), "at_once": (U8, (1,)),
        "flops": (U8, (1, 49, 49)), "utility": (I64, UTILITY), "raise_ties": False,
    },
    "chase_the_flush_rounds.Rounds.deal": [0, 0, 1, 1, (I64, UTILITY), (I32, (1, 1)), (U8, (1, 10))],
    "chase_the_flush_strategies.play_classes": [
        (I32, (1, 4)), 0, 0, (I64, (1,)), (U8, (1, 9)), (I32, (1,)), (I32, (1, 8)), (U8, (1, 49, 49)), (I64, UTILITY),
        False, (I64, (1, 9, 3, 4)), (I64, (9, 2)),
    ],
    "chase_the_flush_strategies.value_early": [
        (I32, (1, 4)), 0, 0, (I64, (2, *UTILITY)), (I64, (1,)), (I32, (1,)), (I64, (1, 9, 3)),
    ],
    "chase_the_flush_strategies.value_rivers": [
        (I32, (1, 4)), 0, 0, (I64, (2, *UTILITY)), (I64, (1,)), (I32, (9,)), (U8, (3,)), (I64, (9, 1, 2)),
    ],
    "high_card_flush.solve": [
        0, 0, (I32, (1,)), True, (I64, (6, 2, 6)), (I32, (6,)), (I64, (2, 1)), (U16, (8192,)), (I32, (5798,)),
        (I16, (1, 11, 2, 1)), (I32, (5798,)), (I64, (1, 1, 2, 6)), (I64, (1, 1)),
    ],
    "high_card_flush_rounds.count_dealer": [(I32, (0, 4)), True, (I64, (0, 6))],
    "high_card_flush_rounds.Rounds": [(I64, (6, 2, 6)), (I32, (6,)), True],
    "high_card_flush_rounds.Rounds.deal": [0, 0, 1, 1, (I64, (2, 6, 6)), (I32, (1, 1)), (U8, (1, 14))],
    "seven_literal.add_hands": [0, 0, (I64, (8, 8, 8, 2, 2))],
    "suit_pairs.combine": [
        (I64, (2, 3, 4)), (I64, (2, 3, 4)), (I32, (2, 2)), (I32, (3, 3)), (I32, (4, 4)), (I64, (1, 1, 1)),
    ],
    "shoe.add_up": [(I64, (2,)), 0, (I64, (2,)), (I64, (1,))],
    "showdown_publics.canonical": [0, 1, 0, (U8, (52, 1)), (I32, (52,))],
    "showdown_publics.locate": [0, 1, 0, (U8, (2, 1)), (I32, (52,)), (U8, (52,))],
    "showdown_enumeration.values": [(I8, (2,)), (I8, (2,)), 0, (I8, (10,)), (U32, (2,)), (I32, (2,))],
    "showdown_enumeration.compare": [
        (U32, (2,)), (U32, (2,)), (U32, (2,)), (I32, (2,)), (U32, (1,)), (I32, (4,)), True, True, (I32, (1,)),
        (I32, (2, 3, 2)),
    ],
}  # fmt: skip
#: Axes whose length is free, by the number of the argument.
FREE: dict[str, dict[int, tuple[int, ...]]] = {
    "high_card_flush_rounds.Rounds": {0: (1,)},
    "blackjack.dot": {1: (2,)},
    "blackjack_splits.pair_moments": {1: (0,), 8: (1, 2)},
    "showdown_publics.locate": {3: (0,)},
    "showdown_enumeration.compare": {5: (0,)},
    "chase_the_flush_strategies.value_early": {6: (1,)},
    "chase_the_flush_strategies.value_rivers": {5: (0,), 7: (0, 2)},
}


def parts_of(given: Any) -> Any:
    """The parts of a list, a record or a tuple of arrays, with their keys; none of anything else."""
    if isinstance(given, dict):
        return given.items()
    return enumerate(given) if isinstance(given, list | tuple) and not is_array(given) else ()


def is_array(given: Any) -> bool:
    return isinstance(given, tuple) and isinstance(given[0], type)


def arrays(given: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Each type and shape among the arguments, with the path to it."""
    if is_array(given):
        yield path, given
    for key, value in parts_of(given):
        yield from arrays(value, (*path, key))


def made(given: Any, path: tuple[Any, ...] = (), **replaced: Any) -> Any:
    """The arguments with arrays of zeros, except for the ``array`` at ``path``."""
    if replaced and not path:
        return replaced["array"]
    if is_array(given):
        return np.zeros(given[1], given[0])
    if not isinstance(given, list | tuple | dict):
        return given
    parts = {key: made(part, path[1:], **replaced) if path[:1] == (key,) else made(part)
             for key, part in parts_of(given)}
    return SimpleNamespace(**parts) if isinstance(given, dict) else type(given)(parts.values())


def called(name: str, arguments: Any) -> Any:
    """Call a function, a class, or a method of a sound object."""
    kernel, function, *method = name.split(".")
    door = getattr(_kernels.load(kernel), function)
    if method:
        owner = f"{kernel}.{function}"
        door = getattr(called(owner, made(DOORS[owner])), method[0])
    return door(*arguments) if isinstance(arguments, list) else door(**vars(arguments))


@pytest.mark.parametrize("name", DOORS)
def test_a_kernel_takes_what_it_states_and_nothing_else(name: str) -> None:
    """A missing dimension, another type or a shorter axis raises ValueError before anything is read."""
    called(name, made(DOORS[name]))
    for path, (kind, shape) in arrays(DOORS[name]):
        other = np.zeros(shape, np.float32)
        flat = np.zeros((*shape, 1), kind)
        for wrong in (other, flat):
            with pytest.raises(ValueError, match="Buffer"):
                called(name, made(DOORS[name], path, array=wrong))
        for axis, length in enumerate(shape):
            if length > 1 and axis not in FREE.get(name, {}).get(path[0], ()):
                short = np.zeros((*shape[:axis], length - 1, *shape[axis + 1 :]), kind)
                with pytest.raises(ValueError, match=r"another shape|do not have the same|fewer"):
                    called(name, made(DOORS[name], path, array=short))


def test_rows_beyond_the_classes_are_refused() -> None:
    arguments = made(DOORS["chase_the_flush.solve_classes"])
    with pytest.raises(ValueError, match="classes 0 to 2 are not among 1"):
        called("chase_the_flush.solve_classes", [arguments[0], 0, 2, *arguments[3:]])
    with pytest.raises(ValueError, match="cards 3 to 53 are not among 52"):
        called("seven_literal.add_hands", [3, 53, np.zeros((8, 8, 8, 2, 2), np.int64)])
    pairs = made(DOORS["suit_pairs.combine"])
    pairs[3][2, 2] = 1
    with pytest.raises(ValueError, match="halves 1 to 2 are not among 1"):
        called("suit_pairs.combine", pairs)
    with pytest.raises(ValueError, match="flushes 0 to 5799 are not among 5798"):
        _kernels.load("high_card_flush").classes(5798, True)
    with pytest.raises(ValueError, match="listed"):
        _kernels.load("high_card_flush").classes(0, True, np.zeros((1, 5), np.int32), np.zeros((1, 6), np.int64))


def test_a_deal_whose_tables_do_not_fit_is_refused() -> None:
    """The tables of a deal of two cards; then each table lacks a role, a label or a card."""
    right: list[Any] = [
        (I32, (1, 1, 4)), None, (I32, (1,)), (I32, (1, 1)), (I32, (1, 1)), (I32, (1, 1)), (I64, (1, 2, 3, 1)),
        (I32, (1, 52)), (I32, (1, 1, 52)), (I8, (1, 52)), (I8, (1, 52)), (I32, (1,)), (I64, (53, 3)),
    ]  # fmt: skip
    from combin.deals.class_tables import _CELL

    cell = np.zeros(1, _CELL)

    def build(change: int = -1, axis: int = 0) -> None:
        given = [cell if g is None else np.zeros(g[1], g[0]) for g in right]
        given[2][:], given[11][:] = 1, 2
        if change >= 0:
            shape = list(given[change].shape)
            shape[axis] -= 1
            given[change] = np.zeros(shape, given[change].dtype)
        _kernels.load("shoe").Classes(*given)

    build()
    axes = ((0, 2), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1), (6, 2), (7, 1), (8, 2), (9, 1), (10, 1), (12, 1))
    for change, axis in axes:
        with pytest.raises(ValueError, match="another shape"):
            build(change, axis)
