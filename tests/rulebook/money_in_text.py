"""Every mention of money in a rule text, with its clause, from the text alone.

`python tests/rulebook/money_in_text.py FOLDER` writes `tests/data/money` anew from the five texts in the
folder, as text files with the documents' names. The texts belong to their issuers and are not in the tree.
"""

import re
import sys
from hashlib import sha256
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "money"
#: An amount, the words of a pay, or what becomes of a wager. The conversion to text puts a backslash before a dollar.
MENTION = re.compile(
    r"[\d,.]+ ?to ?1\b|[\d,.]+ to \d\b|[\d,]+ for 1\b|\d[\d,.]* ?percent\b|\d[\d,.]*%|\$\d[\d,.]*\d|\$\d"
    r"|\bto 1\b|\bfor 1\b|[Pp]ayouts?\b|\$|%"
    r"|\b[Ff]orfeit\w*|\b[Ll]os(?:e|es|ing|t)\b|\b[Pp]ush(?:es)?\b|\b[Vv]oid\b|\b[Pp]aid\b|\b[Cc]oupons?\b"
)
CHAPTER = re.compile(r"^(?:\*\*)?Chapter (\d+) ?[-–] [^.\n]*\.?\**$", re.M)
SECTION = re.compile(r"(?m:^(?:- )?)([A-Z])\. (?=[A-Z])|(?<=[.;] )([A-Z])\. (?=[A-Z])")
NUMBER = re.compile(r"(?<![A-Za-z0-9§)])\((\d{1,2})\) ?|^(?:- )?\((\d{1,2})\) ?", re.M)
HEADING = re.compile(r"^#+ +\**([A-Z][A-Za-z -]+?):?\**$", re.M)
ITEM = re.compile(r"^(\d+)\. ", re.M)


def mentions(text: str) -> list[tuple[str, str]]:
    """The (clause, words) of every mention, in the order of the text."""
    text = text.replace("\\$", "$")
    if "RECOMMENDED RULES" in text:
        marks = _of_the_maker(text)
    elif "gaming licensee" in text:
        marks = _by_sections(text)
    else:
        marks = _by_chapters(text)
    found = []
    for mention in MENTION.finditer(text):
        clause = max(((at, name) for at, name in marks if at <= mention.start()), default=(0, "Contents"))[1]
        found.append((clause, mention[0].strip(",. ").replace("to1", "to 1")))
    return found


def _begins(before: str) -> bool:
    """Whether the position is the beginning of a line."""
    return before.endswith(("\n", "\n- ", "\n  - "))


def _by_chapters(text: str) -> list[tuple[int, str]]:
    """Maryland: chapters, sections with a capital letter, numbered paragraphs; references begin no clause."""
    marks = sorted(
        [(m.start(), "chapter", m[1]) for m in CHAPTER.finditer(text)]
        + [(m.start(), "section", m[1] or m[2]) for m in SECTION.finditer(text)]
        + [(m.start(), "line" if m[2] or _begins(text[: m.start()]) else "inside", m[1] or m[2])
           for m in NUMBER.finditer(text)]
    )
    found, chapter, section, number = [], "", "", 0
    for at, kind, name in marks:
        if kind == "chapter":
            if chapter == name:
                continue
            chapter, section, number = name, "", 0
        elif not chapter:
            continue
        elif kind == "section":
            if not section or ord(name) - ord(section) in (0, 1):
                section, number = name, 0
            else:
                continue
        elif kind == "line" or int(name) == number + 1:
            number = int(name)
        else:
            continue
        words = f"Ch. {chapter}" + (f" §{section}" if section else "") + (f"({number})" if number else "")
        found.append((at, words))
    return found


def _by_sections(text: str) -> list[tuple[int, str]]:
    """Massachusetts: numbered sections, lettered paragraphs; the definitions have no letters."""
    marks = sorted([(m.start(), m[1], "") for m in re.finditer(r"^(?:#+ +)?\**(\d+)\. [A-Z]", text, re.M)]
                   + [(m.start(), "", m[1]) for m in re.finditer(r"^- \(([a-h])\) ", text, re.M)])
    found, section = [], ""
    for at, head, letter in marks:
        section = head or section
        found.append((at, f"§{section}" + (f"({letter})" if letter else "")))
    return found


def _of_the_maker(text: str) -> list[tuple[int, str]]:
    """The maker: headings, numbered items; the tables at the end belong to the last heading."""
    marks = [(m.start(), m[1], "") for m in HEADING.finditer(text)]
    marks += [(m.start(), "", m[1]) for m in ITEM.finditer(text)]
    found, heading = [], ""
    for at, head, number in sorted(marks):
        heading = head or heading
        found.append((at, f"{heading} {number}".strip()))
    tables = text.find("X-tra Bonus A")
    return [*(mark for mark in found if mark[0] < tables), (tables, "Paytables")]


def written(text: str) -> str:
    """The mentions as a data file: the digest of the text, then one line a mention."""
    lines = [f"{clause}\t{words}" for clause, words in mentions(text)]
    return "\n".join([f"sha256\t{sha256(text.encode()).hexdigest()}", *lines]) + "\n"


if __name__ == "__main__":
    for path in sorted(Path(sys.argv[1]).glob("*.txt")):
        (DATA / path.name).write_text(written(path.read_bytes().decode()), encoding="utf-8")
