"""The ledger as a Markdown page and a JSON file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from ..base.caches import cached
from ..base.documents import document
from ..base.version import VERSION
from ..pages import markdown
from ..rulebook.book import shipped
from ..userfiles.templates import with_templates
from .causes import short_pays
from .claims import Claim, data
from .figures import mapping
from .judge import (
    AGREES,
    CUT,
    NOT_COMPARABLE,
    ON_REQUEST,
    OTHERWISE,
    UNEXPLAINED,
    VERDICTS,
    WRONG,
    ClaimVerdict,
    judge_all,
)
from .sources import Address, addresses

#: The data files on which the ledger depends.
DATA = ("claims.toml", "mapping.toml", "words.toml", "public.toml", "values.toml")

MEANING = {
    AGREES: "the exact value, rounded, has the printed digits",
    OTHERWISE: "the exact value has the printed digits under another reading, or with the number of decks that is "
    "named; the source does not say",
    CUT: "the exact value begins with the printed digits: the source cut off the rest where rounding would raise "
    "the last digit",
    WRONG: "the printed digits are not the exact ones, and the cause was found: what the last column names gives "
    "exactly these digits",
    UNEXPLAINED: "the printed digits are not the exact ones, and nothing that was tried gives them",
    NOT_COMPARABLE: "the claim is about something else, too little of it is stated, or it is an estimate",
    ON_REQUEST: "the game is too expensive to solve for this list: `judge(claim, long=True)` gives the verdict",
}

INTRODUCTION = """\
What game makers, authors and web pages have printed about the wagers analysed here, each figure compared with
the exact value. An exact value here is a count of every deal, in integers and fractions; no figure is simulated
and none is rounded before it is compared. The counts of the paytables that combin has ids for are checked by an
independent method (`combin verify` names the method and what it does not cover); pays that only a source prints are
settled on the same counts.

A figure agrees when the exact value, rounded to the places that are printed, has the printed digits; nothing is
called near enough. Where it does not agree, other readings of the rule, other numbers of decks, the other
paytables of the wager and the usual confusions ("4 to 1" settled as "4 for 1", a hand counted in two lines, digits
exchanged) are tried one after the other, and a figure is called **wrong** only when one of them gives the printed
digits exactly. Who is wrong may be the page where the figure was read, a copy of it, or the one who took it down
from there: the ledger judges figures, not people.

Where a source counts deals in another unit than this package (the two cards of a hand in order, the hands for one
given dealer card), its counts are compared in its own unit, which the last column names.

Every source is linked as it is stated; a page that copies another's is marked as a copy. The day on which a page
was read is given where it was recorded. Rows of one table that are wrong in one way are folded into one."""


@cached("the verdict on every published claim", most=1)
def _verdicts() -> tuple[ClaimVerdict, ...]:
    return judge_all()


def pages() -> dict[str, str]:
    """Return published.md and published.json, by file name."""
    verdicts = _verdicts()
    rules = "".join(document.data_sha256 for document in shipped().documents.values())
    digest = sha256(f"{VERSION}\n{rules}\n".encode() + b"".join(map(data, DATA))).hexdigest()
    return {"published.md": _markdown(verdicts, digest), "published.json": _json(verdicts, digest)}


def _json(verdicts: Sequence[ClaimVerdict], digest: str) -> str:
    counts = Counter(v.verdict for v in verdicts)
    content = {
        "generated": f"by combin regenerate (combin {VERSION}); do not edit",
        "inputs_sha256": digest,
        "claims": len(verdicts),
        "verdicts": {name: counts[name] for name in VERDICTS},
        "ledger": [
            {
                "number": v.claim.number,
                "id" if v.claim.is_id else "wager": v.claim.subject,
                "pays": dict(v.claim.pays) if v.claim.pays else None,
                "decks": v.claim.decks,
                "quantity": v.claim.quantity,
                "outcome": v.claim.outcome or None,
                "published": v.claim.published,
                "exact": None if v.exact is None else str(v.exact),
                "shown": v.shown or None,
                "verdict": v.verdict,
                "reason": v.reason or None,
                "reading": v.claim.reading,
                "source": v.claim.source,
                "places": [
                    {"words": p.words, "link": p.link or None, "copy_of": p.copy_of or None, "read": p.read or None}
                    for p in _addresses(v.claim.source)
                ],
            }
            for v in verdicts
        ],
    }
    return document("published", content)


def _markdown(verdicts: Sequence[ClaimVerdict], digest: str) -> str:
    counts = Counter(v.verdict for v in verdicts)
    lines = [
        f"<!-- Generated by `combin regenerate` (combin {VERSION}); do not edit. Inputs: sha256 {digest} -->",
        "# What has been published, and what is so",
        "",
        INTRODUCTION,
        "",
        "## The verdicts",
        "",
        *markdown.table(
            ("verdict", "claims", "meaning"),
            [(name, str(counts[name]), MEANING[name]) for name in VERDICTS] + [("all", str(len(verdicts)), "")],
            right=3,
        ),
        "",
    ]
    for name, heading in (
        (WRONG, "Wrong, and how"),
        (UNEXPLAINED, "Not explained"),
        (CUT, "Cut where rounding was due"),
    ):
        chosen = [v for v in verdicts if v.verdict == name]
        if chosen:
            lines += [f"## {heading}", "", *_table(chosen, wager=True), ""]
    lines += ["## Every claim, by wager", ""]
    order = {wager: i for i, wager in enumerate(with_templates().wagers)}
    wagers = sorted({v.claim.wager for v in verdicts}, key=lambda w: (order.get(w, len(order)), w))
    for wager in wagers:
        wager_verdicts = [v for v in verdicts if v.claim.wager == wager]
        tally = Counter(v.verdict for v in wager_verdicts)
        tallied = ", ".join(f"{name} {tally[name]}" for name in VERDICTS if tally[name])
        lines += [
            f"### {wager}",
            "",
            f"{len(wager_verdicts)} {'claim' if len(wager_verdicts) == 1 else 'claims'}: {tallied}.",
            "",
            *_table(wager_verdicts),
            "",
        ]
        lines += _sources(wager_verdicts)
    return "\n".join(lines).rstrip("\n") + "\n"


#: From this number on, rows with the same verdict become one row.
FOLDED = 3


def _table(verdicts: Sequence[ClaimVerdict], *, wager: bool = False) -> list[str]:
    # Claims that differ only in their reading.
    alike = Counter((_about(v.claim), v.claim.wager, v.claim.decks) for v in verdicts)
    rows = []
    for group in _folded(verdicts):
        first = group[0].claim
        about = f"{first.wager.split('/', 1)[1]}, {_about(first)}" if wager else _about(first)
        if len(group) == 1 and alike[_about(first), first.wager, first.decks] > 1:
            about += f" ({first.stated})"
        decks = dict.fromkeys(str(v.claim.decks or "not stated") for v in group)
        rows.append((
            _ranges([v.claim.number for v in group]), about, ", ".join(decks),
            ", ".join(v.claim.published for v in group), ", ".join(_exact(v, bare=len(group) > 1) for v in group),
            group[0].verdict, group[0].reason,
        ))
    return markdown.table(("no.", "claim", "decks", "published", "exact", "verdict", "why"), rows, right=7)


def _folded(verdicts: Sequence[ClaimVerdict]) -> list[list[ClaimVerdict]]:
    """Return the verdicts in groups: many equal verdicts on one table form one group."""
    groups: dict[tuple[str, ...], list[ClaimVerdict]] = {}
    for v in verdicts:
        about = (v.claim.wager, _about(v.claim), v.cause or v.reason)
        groups.setdefault(about if v.verdict == WRONG else (str(v.claim.number),), []).append(v)
    return [part for g in groups.values() for part in ([g] if len(g) >= FOLDED else [[v] for v in g])]


def _exact(v: ClaimVerdict, *, bare: bool) -> str:
    """Return the exact value as a decimal; a single short value also as a fraction."""
    value = v.exact
    printed = v.claim.printed
    if value and printed is not None and printed.scale == "one in":
        value = 1 / value
    if bare or value is None or value.denominator == 1 or len(str(value)) > 24:
        return v.shown or "none"
    return f"{v.shown} ({value.numerator:,}/{value.denominator:,})"


def _about(claim: Claim) -> str:
    what = f"{claim.quantity}, {claim.outcome}" if claim.outcome else claim.quantity
    if claim.letter:
        return f"paytable {claim.letter}: {what}"
    if claim.pays:
        return f"{what} at {short_pays(tuple(claim.pays.items()))}"
    return what


def _sources(verdicts: Sequence[ClaimVerdict]) -> list[str]:
    """Return lines of the sources and the conditions that they state, each once, with the numbers of its claims."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for v in verdicts:
        numbers.setdefault((v.claim.source, v.claim.reading), []).append(v.claim.number)
    lines = ["Sources, and what they state:", ""]
    for (source, reading), claim_numbers in numbers.items():
        addresses = "; ".join(map(_address, _addresses(source)))
        lines.append(f"- {_ranges(claim_numbers)}: {addresses} ({markdown.safe(reading)})")
    return [*lines, ""]


def _addresses(source: str) -> list[Address]:
    return list(addresses(source, mapping()["mirrors"], mapping()["read"]))


def _address(address: Address) -> str:
    """Return an address as a link, with its notes."""
    words = f"[{markdown.safe(address.words)}]({address.link})" if address.link else markdown.safe(address.words)
    notes = [f"a copy of {address.copy_of}"] if address.copy_of else []
    notes += [f"read {address.read}"] if address.read else []
    return words + (f", {', '.join(notes)}" if notes else "")


def _ranges(numbers: Sequence[int]) -> str:
    parts: list[list[int]] = []
    for n in numbers:
        if parts and n == parts[-1][-1] + 1:
            parts[-1].append(n)
        else:
            parts.append([n])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}–{p[-1]}" for p in parts)
