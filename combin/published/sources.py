"""Sources of claims: addresses as links, and pages that copy others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_HOST = re.compile(r"(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)(?P<path>/[^\s()]*)?(?P<rest>.*)")
_GITHUB = re.compile(r"github (?P<repository>[\w.-]+/[\w.-]+)(?P<rest>.*)")


@dataclass(frozen=True)
class Address:
    """An address of a source: its text in the list, its link if any, the page that it copies, the date of reading."""

    words: str
    link: str = ""
    copy_of: str = ""
    read: str = ""


def addresses(source: str, mirrors: Mapping[str, str], read: Mapping[str, str]) -> Iterator[Address]:
    """Return the addresses of a source, which are separated by semicolons.

    A link has only what is stated: a repository, a page, or a host if no path is given.
    """
    for part in source.split("; "):
        if github := _GITHUB.fullmatch(part):
            yield Address(part, f"https://github.com/{github['repository'].rstrip(',')}", "", read.get(part, ""))
        elif (match := _HOST.match(part)) and not part.startswith("github"):
            path = (match["path"] or "").rstrip(",;")
            copied = mirrors.get(match["host"], "")
            yield Address(part, f"https://{match['host']}{path}", copied, read.get(part, ""))
        else:
            yield Address(part, "", "", read.get(part, ""))
