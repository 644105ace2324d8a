"""Exact sums of weights by columns of small integers, which are packed into words of at most 63 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._kernels import load
from .table import Column

#: Rows handled at once: their columns fit in a processor's cache.
AT_A_TIME = 2**14

Shape = Sequence[tuple[str, np.dtype[Any]]]


def _bits(dtype: np.dtype[Any]) -> int:
    if dtype == np.bool_:
        return 1
    if dtype.kind in "iu":
        return 8 * dtype.itemsize
    raise TypeError(f"a column to count by must be of booleans or integers, not of {dtype}")


def _words(shape: Shape) -> list[list[tuple[str, np.dtype[Any]]]]:
    """Return the columns packed into words of at most 63 bits; a column of 64 bits is a separate word."""
    words: list[list[tuple[str, np.dtype[Any]]]] = [[]]
    for name, dtype in shape:
        if words[-1] and sum(_bits(d) for _, d in words[-1]) + _bits(dtype) > 63:
            words.append([])
        words[-1].append((name, dtype))
    return words


def add_up(seen: Mapping[str, Column], weights: Column) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the combinations of the columns, a few integers each, and their exact sums of weights."""
    shape = [(name, column.dtype) for name, column in seen.items()]
    words = []
    for run in _words(shape):
        # A negative value is counted as its two's complement, which `parted` undoes.
        plain = [seen[name].view(f"u{dtype.itemsize}") for name, dtype in run]
        word = plain[0].astype(np.int64)
        for column, (_, dtype) in zip(plain[1:], run[1:], strict=True):
            word <<= _bits(dtype)
            word |= column.astype(np.int64)
        words.append(word)
    codes, first, span = words[0], 0, 1 << min(62, sum(_bits(dtype) for _, dtype in shape))
    if span > AT_A_TIME:
        first = int(codes.min())
        span = int(codes.max()) - first + 1
    one_by_one = len(words) == 1 and span <= AT_A_TIME
    if not one_by_one:
        unique_words, codes = np.unique(np.stack(words, axis=1), axis=0, return_inverse=True)
        codes, first, span = codes.ravel(), 0, len(unique_words)
    sums = np.zeros(span, dtype=np.int64)
    load("shoe").add_up(codes, first, weights, sums)
    at = np.flatnonzero(sums)
    rows = (at + first)[:, None] if one_by_one else unique_words[at]
    labels: list[tuple[int, ...]] = [tuple(row) for row in rows.tolist()]
    return labels, sums[at].tolist()


def parted(codes: Column, shape: Shape) -> dict[str, Column]:
    columns = {}
    for word, run in zip(codes.T, _words(shape), strict=True):
        for name, dtype in reversed(run):
            bits = _bits(dtype)
            if bits < 64:
                part = word & (1 << bits) - 1
                columns[name] = part.astype(f"u{dtype.itemsize}").view(dtype) if bits > 1 else part.astype(bool)
                word = word >> bits
            else:
                columns[name] = np.ascontiguousarray(word).view(dtype)
    return {name: columns[name] for name, _ in shape}
