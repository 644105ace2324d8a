"""Execute the cells of the notebook, and write docs/notebook.ipynb and the plots of docs/notebook.md.

    pip install nbclient ipykernel && python docs/run_notebook.py

It is run by hand when a plot or a figure changes. A test compares the cells and their text with combin.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

CELLS = (
    "# A notebook\nEvery figure is a fraction, and every deal is counted.",
    'import combin\n\na = combin.analyze("maryland/blackjack/lucky-ladies/A", decks=6)\na',
    "a.plot()",
    'a.plot("any 20", range(2, 8))',
    'meter = combin.analyze("maryland/high-card-flush/progressive/A")\nmeter.plot("meter", range(0, 400_001, 50_000))',
    'combin.analyze_all("maryland/blackjack/lucky-ladies/A", decks=range(1, 9)).to_frame()',
)
#: The names of the plots in the order of the cells.
PLOTS = ("contributions", "pays", "meter")
DOCS = Path(__file__).parent


def executed(style: str = "") -> Any:
    """Return the notebook with the outputs of its cells; ``style`` is a style of matplotlib."""
    import nbformat
    from nbclient import NotebookClient

    text, *code = CELLS
    cells = [nbformat.v4.new_markdown_cell(text, id="text"),
             *(nbformat.v4.new_code_cell(source, id=f"cell-{n}") for n, source in enumerate(code))]
    if style:
        cells.insert(0, nbformat.v4.new_code_cell(f'import matplotlib.style\nmatplotlib.style.use("{style}")'))
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, record_timing=False).execute()
    return notebook


def plots(notebook: Any) -> list[bytes]:
    """Return the plots of an executed notebook as PNG files, in order."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [base64.b64decode(output.data["image/png"]) for output in outputs if "image/png" in output.get("data", {})]


def main() -> int:
    import nbformat

    (DOCS / "images").mkdir(exist_ok=True)
    for suffix, style in (("", ""), ("-dark", "dark_background")):
        notebook = executed(style)
        for name, content in zip(PLOTS, plots(notebook), strict=True):
            (DOCS / "images" / f"{name}{suffix}.png").write_bytes(content)
        if not style:
            notebook.metadata.clear()  # it names the Python of this machine
            nbformat.write(notebook, DOCS / "notebook.ipynb")
    return 0


if __name__ == "__main__":
    sys.exit(main())
