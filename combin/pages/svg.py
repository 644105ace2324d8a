"""Plots as small SVG pictures, byte-identical on all machines: coordinates are fractions, rounded once."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from html import escape

from ..base.exact import decimal, grouped, grouped_decimal, percent
from .blocks import Band, Bars, Letters, StraightLine

#: Colours by use, for the reader's light or dark mode, and for paper.
PAGE = {name: f"var(--{name})" for name in ("ink", "soft", "rule", "bar", "band", "mark")}
PAPER = {"ink": "#1c2321", "soft": "#5d6865", "rule": "#d5dbd8", "bar": "#2c6e63", "band": "#cfe3dd", "mark": "#a8481f"}

WIDTH = 520
LEFT, RIGHT = 62, 16
#: If no name has more letters than this, names are before their bars, otherwise above.
SHORT = 10
Plot = Bars | Band | StraightLine | Letters
#: Colours by the first letter of a play: stand red, hit green, double blue, split yellow, surrender grey.
PLAYS = {"S": "#e58b84", "H": "#9fce9b", "D": "#92b6e6", "P": "#f3dc7c", "R": "#c9c9c9"}


def picture(plot: Plot, colours: Mapping[str, str] = PAGE) -> str:
    """Return the SVG element of a plot."""
    if isinstance(plot, Bars):
        return _bars(plot, colours)
    if isinstance(plot, Letters):
        return _letters(plot, colours)
    return _band(plot, colours) if isinstance(plot, Band) else _line(plot, colours)


def _frame(title: str, height: int, body: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(title)}" font-size="13"><title>{escape(title)}</title>{"".join(body)}</svg>'
    )


def _n(value: Fraction | int) -> str:
    return decimal(Fraction(value), 2)


def _text(x: Fraction | int, y: Fraction | int, words: str, colour: str, anchor: str = "start", size: int = 13) -> str:
    return (f'<text x="{_n(x)}" y="{_n(y)}" fill="{colour}" text-anchor="{anchor}" font-size="{size}">'
            f"{escape(words)}</text>")


def _rule(x1: Fraction | int, y1: Fraction | int, x2: Fraction | int, y2: Fraction | int, colour: str,
          dashes: str = "", width: str = "1") -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{colour}" '
            f'stroke-width="{width}"{dash}/>')


def _bars(plot: Bars, c: Mapping[str, str]) -> str:
    """Return bars with short names before them, or longer names above them."""
    inline = max(len(name) for name, _ in plot.rows) <= SHORT
    row, drop, begin = (22, 2, 8 * SHORT) if inline else (38, 18, 0)
    top = 26 if plot.mark is not None else 6
    height = top + row * len(plot.rows) + 4
    values = [v for _, v in plot.rows] + ([plot.mark] if plot.mark is not None else [])
    low, high = min([Fraction(0), *values]), max([*values, Fraction(0)])
    span = (high - low) or Fraction(1)
    inner = WIDTH - RIGHT - 76 - begin

    def x(value: Fraction) -> Fraction:
        return begin + (value - low) / span * inner

    body = []
    for i, (name, value) in enumerate(plot.rows):
        y = top + i * row
        left, right = min(x(Fraction(0)), x(value)), max(x(Fraction(0)), x(value))
        body.append(_text(0, y + 13, name, c["ink"]))
        body.append(f'<rect x="{_n(left)}" y="{_n(y + drop)}" width="{_n(max(right - left, Fraction(1, 2)))}" '
                    f'height="14" rx="1.5" fill="{c["bar"]}"/>')
        body.append(_text(right + 6, y + drop + 12, percent(value, 3), c["soft"], size=12))
    if plot.mark is not None:
        body.append(_rule(x(plot.mark), 18, x(plot.mark), height - 2, c["mark"], "4 3", "1.5"))
        side = "end" if x(plot.mark) > WIDTH // 2 else "start"
        body.append(_text(x(plot.mark), 13, f"{plot.mark_name} {percent(plot.mark, 2)}", c["mark"], side, 12))
    return _frame(plot.title, height, body)


def ticks(low: Fraction, high: Fraction, most: int = 5) -> list[Fraction]:
    """Return at most ``most`` + 1 round values in an interval, at steps of 1, 2 or 5 times a power of ten."""
    span = high - low
    if span <= 0:
        return [low]
    steps = (Fraction(10) ** power * factor for power in range(-30, 31) for factor in (1, 2, 5))
    step = next(step for step in steps if step * most >= span)
    first = -((-low) // step)
    return [k * step for k in range(int(first), int(high // step) + 1)]


def _axis(low: Fraction, high: Fraction, c: Mapping[str, str], top: int, bottom: int) -> tuple[list[str], object]:
    def y(value: Fraction) -> Fraction:
        return bottom - (value - low) / (high - low) * (bottom - top)

    marks = ticks(low, high)
    step = marks[1] - marks[0] if len(marks) > 1 else Fraction(1)
    places = 0 if (step * 100).denominator == 1 else 1 if (step * 1000).denominator == 1 else 2
    body = []
    for value in marks:
        body.append(_rule(LEFT, y(value), WIDTH - RIGHT, y(value), c["rule"]))
        body.append(_text(LEFT - 8, y(value) + 4, percent(value, places), c["soft"], "end", 12))
    return body, y


def _band(plot: Band, c: Mapping[str, str]) -> str:
    top, bottom, height = 14, 224, 268
    low = min(r[1] for r in plot.rows)
    high = max(r[2] for r in plot.rows)
    room = (high - low) / 20 or Fraction(1, 100)
    body, scale = _axis(max(low - room, Fraction(0)), high + room, c, top, bottom)
    assert callable(scale)
    width = WIDTH - RIGHT - LEFT - 40
    xs = [LEFT + 20 + Fraction(i * width, len(plot.rows) - 1) for i in range(len(plot.rows))]
    upper = [f"{_n(x)},{_n(scale(r[2]))}" for x, r in zip(xs, plot.rows, strict=True)]
    lower = [f"{_n(x)},{_n(scale(r[1]))}" for x, r in zip(xs, plot.rows, strict=True)]
    body.append(f'<polygon points="{" ".join(upper + lower[::-1])}" fill="{c["band"]}"/>')
    body.append(f'<polyline points="{" ".join(upper)}" fill="none" stroke="{c["bar"]}" stroke-width="1.5"/>')
    body.append(f'<polyline points="{" ".join(lower)}" fill="none" stroke="{c["bar"]}" stroke-width="1.5"/>')
    body.append(_rule(xs[0], scale(plot.centre), xs[-1], scale(plot.centre), c["ink"], "", "1.5"))
    for x, (rounds, _, _) in zip(xs, plot.rows, strict=True):
        body.append(_text(x, bottom + 18, grouped(rounds), c["soft"], "middle", 12))
    body.append(_text((LEFT + WIDTH - RIGHT) // 2, bottom + 38, "rounds", c["soft"], "middle", 12))
    return _frame(plot.title, height, body)


def _line(plot: StraightLine, c: Mapping[str, str]) -> str:
    top, bottom, height = 26, 224, 268
    high = plot.at_zero + plot.slope * plot.most
    body, scale = _axis(Fraction(0), max(high, Fraction(1)) * Fraction(21, 20), c, top, bottom)
    assert callable(scale)
    width = WIDTH - RIGHT - LEFT

    def x(value: Fraction) -> Fraction:
        return LEFT + value / (plot.most or 1) * width

    for value in ticks(Fraction(0), plot.most, 4):
        side = "end" if x(value) > WIDTH - 40 else "middle"
        body.append(_text(x(value), bottom + 18, grouped_decimal(value, 0), c["soft"], side, 12))
    body.append(_text((LEFT + WIDTH - RIGHT) // 2, bottom + 38, plot.name, c["soft"], "middle", 12))
    body.append(_rule(x(Fraction(0)), scale(plot.at_zero), x(plot.most), scale(high), c["bar"], "", "2"))
    if plot.even is not None:
        body.append(_rule(x(plot.even), top - 8, x(plot.even), bottom, c["mark"], "4 3", "1.5"))
        words = f"break-even at {grouped_decimal(plot.even, 2)}"
        body.append(_text(x(plot.even), 13, words, c["mark"], "middle", 12))
    return _frame(plot.title, height, body)


def _letters(plot: Letters, c: Mapping[str, str]) -> str:
    """Return a cell for each hand and upcard; letters are dark on every colour."""
    begin, row, top = 70, 17, 22
    wide = Fraction(WIDTH - begin - 4, len(plot.head) - 1)
    middles = [begin + wide * i + wide / 2 for i in range(len(plot.head) - 1)]
    body = [_text(x, 15, name, c["ink"], "middle", 12) for x, name in zip(middles, plot.head[1:], strict=True)]
    for n, (hand, *letters) in enumerate(plot.rows):
        y = top + row * n
        body.append(_text(0, y + 12, hand, c["ink"], size=12))
        for i, letter in enumerate(letters):
            x = begin + wide * i
            colour = PLAYS.get(letter[:1], "none")
            body.append(
                f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(wide - 1)}" height="{row - 1}" fill="{colour}" '
                f'stroke="{c["rule"]}"/>'
            )
            dark = c["ink"] if colour == "none" else PAPER["ink"]
            body.append(_text(middles[i], y + 12, letter, dark, "middle", 11))
    return _frame(plot.title, top + row * len(plot.rows) + 4, body)
