"""The pictures of the documentation, in light and dark: `python docs/pictures.py` writes them, `--check` compares.

Every figure in them is computed by combin. The SVG files have the same bytes on every machine. The page of a report
(`report.png`) shows digests that change with the program: `--report` renders it again, and `--check` leaves it out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import combin
from combin.base.exact import grouped, percent
from combin.pages.blocks import Bars, Letters
from combin.pages.svg import LEFT, PAPER, RIGHT, WIDTH, _frame, _n, _rule, _text, picture

FOLDER = Path(__file__).parent / "pictures"
DARK = {"ink": "#e4e8ea", "soft": "#a3adb1", "rule": "#3a4247", "bar": "#5fb3a3", "band": "#24504a", "mark": "#e0855c"}
FLUSH = "maryland/high-card-flush/flush-bonus/A"
LADIES = "maryland/blackjack/lucky-ladies/A"
BLACKJACK = "maryland/blackjack/blackjack/3-to-2"
Colours = Mapping[str, str]


def contributions(colours: Colours) -> str:
    a = combin.analyze(FLUSH)
    rows = tuple((o.outcome, Fraction(o.contribution)) for o in a.outcomes if o.contribution)
    return picture(Bars("Contributions to the return of a Flush Bonus", rows), colours)


def blackjack_chart(colours: Colours) -> str:
    """The best chart by total with six decks, a dealer who stands on soft 17."""
    from combin.views.blackjack import chart_part

    part = chart_part("Best play of blackjack by total", combin.strategy(BLACKJACK, decks=6).chart)
    return "".join(picture(block, colours) for block in part.blocks if isinstance(block, Letters))


def after_rounds(colours: Colours) -> str:
    """The distribution of the return after 1,000, 10,000 and 100,000 rounds, with its central 95 %."""
    from combin.analysis.percentiles import spread, total_distribution

    a = combin.analyze(FLUSH)
    assert a.distribution is not None
    least, most, step = Fraction(50, 100), Fraction(140, 100), Fraction(1, 200)
    row, height, base = 96, 66, 84

    def x(value: Fraction) -> Fraction:
        return LEFT + (value - least) / (most - least) * (WIDTH - LEFT - RIGHT)

    body = []
    for i, rounds in enumerate((1_000, 10_000, 100_000)):
        total, central = total_distribution(a.distribution, rounds), spread(a.distribution, rounds)
        assert total is not None
        assert central is not None
        edges = [least + step * k for k in range(int((most - least) / step) + 1)]
        below = [total.tails(edge * rounds - Fraction(1, 2 * total.unit))[0] for edge in edges]
        shares = [Fraction(round((q - p) * 10**6), 10**6) for p, q in pairwise(below)]
        y, top = base + i * row, max(shares)
        for edge, share in zip(edges, shares, strict=False):
            if share:
                inside = central.least <= edge + step / 2 <= central.greatest
                tall, wide = share / top * height, x(step) - x(Fraction(0))
                body.append(f'<rect x="{_n(x(edge))}" y="{_n(y - tall)}" width="{_n(wide)}" height="{_n(tall)}" '
                            f'fill="{colours["bar" if inside else "band"]}"/>')
        body.append(_rule(LEFT, y, WIDTH - RIGHT, y, colours["soft"]))
        body.append(_text(0, y - 40, grouped(rounds), colours["ink"]))
        body.append(_text(0, y - 24, "rounds", colours["soft"], size=12))
        ends = f"95 %: {percent(central.least, 1)} to {percent(central.greatest, 1)}"
        body.append(_text(WIDTH - RIGHT, y - 52, ends, colours["soft"], "end", 12))
    foot = base + 2 * row
    for tenth in range(5, 15):
        body.append(_text(x(Fraction(tenth, 10)), foot + 18, f"{10 * tenth} %", colours["soft"], "middle", 12))
    body.append(_rule(x(a.returned), 10, x(a.returned), foot, colours["mark"], "4 3", "1.5"))
    body.append(_text(x(a.returned) + 6, 18, f"return {percent(a.returned, 2)}", colours["mark"], size=12))
    return _frame("Distribution of the return of a Flush Bonus after N rounds", foot + 28, body)


def path(colours: Colours) -> str:
    """From rules to a report, with the example of one line of one side bet."""
    a = combin.analyze(LADIES, decks=6)
    assert a.classes is not None
    assert a.deals is not None
    [line] = [o for o in a.outcomes if o.outcome == "any 20"]
    count = a.combinations["any 20"]
    assert count is not None
    steps = (
        ("Rules", '"any 20" = total(player) == 20'),
        ("Deal", "player 2, dealer 2; six decks"),
        ("Table", f"{grouped(a.classes)} classes, {grouped(a.deals)} deals"),
        ("Outcomes", f"any 20: {grouped(count)} deals"),
        ("Paytable", f"any 20 pays {line.pays}"),
        ("Analysis", f"return {percent(a.returned)} = {a.returned}"),
        ("Views", "terminal, JSON, report, verdict of a policy"),
    )
    row, box, middle = 50, 34, 62
    body = []
    for i, (name, words) in enumerate(steps):
        y = 4 + i * row
        body.append(f'<rect x="2" y="{y}" width="120" height="{box}" rx="6" fill="{colours["band"]}"/>')
        body.append(_text(middle, y + 22, name, colours["ink"], "middle", 14))
        body.append(_text(140, y + 22, words, colours["ink"]))
        if i + 1 < len(steps):
            body.append(_rule(middle, y + box, middle, y + row - 5, colours["soft"], "", "1.5"))
            tip = y + row - 1
            body.append(f'<polygon points="{middle - 4},{tip - 6} {middle + 4},{tip - 6} {middle},{tip}" '
                        f'fill="{colours["soft"]}"/>')
    return _frame("From rules to a report", 4 + row * len(steps) - (row - box) + 4, body)


PICTURES: Mapping[str, Callable[[Colours], str]] = {
    "contributions": contributions, "blackjack-chart": blackjack_chart, "after-rounds": after_rounds, "path": path,
}


def drawn(names: tuple[str, ...] = tuple(PICTURES)) -> dict[str, str]:
    """The pictures with these names by file name."""
    return {f"{name}{ending}.svg": PICTURES[name](colours).replace("<svg ", '<svg font-family="sans-serif" ', 1) + "\n"
            for name in names for ending, colours in (("", PAPER), ("-dark", DARK))}


def report_pages() -> dict[str, bytes]:
    """The front page of a report on paper, in light and dark."""
    import typst

    from combin.pages.pdf import ATTACHED, escaped, source
    from combin.report.identity import ReportRequest
    from combin.report.layout import page
    from combin.report.make import Files, make

    found = {}
    report, _ = make(ReportRequest((LADIES,), (6,)), Files())
    text = escaped(source(page(report)))
    dark = text
    for name, colour in PAPER.items():
        dark = dark.replace(colour, DARK[name])
    dark = dark.replace('paper: "a4",', 'paper: "a4", fill: rgb("#1d2225"),', 1)
    dark = dark.replace("+ black", "+ soft").replace("length: 100%, stroke: 1pt", "length: 100%, stroke: 1pt + soft")
    dark = dark.replace("set text(font:", 'set text(fill: rgb("#e4e8ea"), font:', 1)
    for name, source_text in (("report.png", text), ("report-dark.png", dark)):
        files = {"main.typ": source_text.encode(), ATTACHED: b"{}"}
        pages: Any = typst.compile(files, format="png", ppi=80, ignore_system_fonts=True)  # type: ignore[call-overload]
        found[name] = pages[0] if isinstance(pages, list) else pages
    return found


def main(words: list[str]) -> int:
    if words == ["--report"]:
        for name, content in report_pages().items():
            (FOLDER / name).write_bytes(content)
        return 0
    stale = [name for name, text in drawn().items()
             if not (FOLDER / name).is_file() or (FOLDER / name).read_text(encoding="utf-8") != text]
    if words == ["--check"]:
        print("\n".join(f"{name} is stale; run: python docs/pictures.py" for name in stale) or "pictures are current")
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for name, text in drawn().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
