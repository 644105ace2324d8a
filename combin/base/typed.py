"""A check of the types of arguments, for the functions that scripts call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature, signature
from numbers import Rational
from os import PathLike
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin

from .caches import cached
from .errors import fault
from .frozen import whole

P = ParamSpec("P")
R = TypeVar("R")

#: Types in words, one value and several.
_WORDS: dict[Any, tuple[str, str]] = {
    str: ("a text", "texts"), int: ("a whole number", "whole numbers"), bool: ("True or False", "True or False"),
    Fraction: ("a whole number or a fraction", "fractions"), PathLike: ("a path", "paths"),
}  # fmt: skip


def typed(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with a check of its arguments against their annotations.

    It raises `InputError` for an argument of another type, and for such a value in a mapping or a list. Iterators are
    not consumed. An unknown or missing argument remains Python's `TypeError`.
    """

    @wraps(function)
    def checked(*args: P.args, **arguments: P.kwargs) -> R:
        parameters, kinds = _parameters(function)
        try:
            bound = parameters.bind_partial(*args, **arguments)
        except TypeError:
            return function(*args, **arguments)
        for name, value in bound.arguments.items():
            if name in kinds:
                several = parameters.parameters[name].kind is Parameter.VAR_POSITIONAL
                for each in value if several else (value,):
                    if not _is_of(each, kinds[name]):
                        raise fault(f"{name} is {_in_words(kinds[name])}, not {each!r:.60}", file=function.__name__)
        return function(*args, **arguments)

    return checked


@cached("types of the parameters of public functions", most=256)
def _parameters(function: Callable[..., Any]) -> tuple[Signature, dict[str, Any]]:
    """Return the signature of a function, and the types of its parameters whose type is stated."""
    stated = signature(function)
    space = function.__globals__
    kinds = {name: eval(p.annotation, space) for name, p in stated.parameters.items()
             if isinstance(p.annotation, str) and p.kind is not Parameter.VAR_KEYWORD}  # fmt: skip
    return stated, kinds


def _is_of(value: Any, kind: Any) -> bool:
    """Return whether a value, and what it contains, has a type."""
    if kind in (Any, object):
        return True
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        return any(_is_of(value, part) for part in parts)
    if origin is int:
        return whole(value) is not None
    if origin is Fraction:
        return isinstance(value, Rational) and not isinstance(value, bool)
    if not isinstance(value, origin) or (isinstance(value, str | bytes) and origin is not str):
        return False
    if issubclass(origin, Mapping):
        return all(_is_of(part, of) for item in value.items() for part, of in zip(item, parts, strict=False))
    return not isinstance(value, list | tuple) or all(_is_of(part, parts[0]) for part in value if parts)


def _in_words(kind: Any) -> str:
    """Return a type in words; None is not mentioned."""
    kinds = [part for part in _alternatives(kind) if part is not NoneType]
    words = list(dict.fromkeys(map(_one, kinds)))
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _alternatives(kind: Any) -> Iterable[Any]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _one(kind: Any) -> str:
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if origin in _WORDS:
        return _WORDS[origin][0]
    several = " or ".join(dict.fromkeys(_WORDS.get(get_origin(p) or p, ("", "values"))[1]
                                        for p in _alternatives(parts[-1]))) if parts else "values"  # fmt: skip
    if issubclass(origin, Mapping):
        return f"a mapping of names to {several}"
    return f"a list of {several}" if issubclass(origin, Iterable) and parts else f"a {origin.__name__}"
