"""Text from elsewhere, as it may be shown: of files, of their names, of words of the command line.

A terminal obeys escape sequences, signs of direction turn a line round, and a runner takes a line
that begins with two colons for a command. What is not plain text is written as an escape.
"""

from __future__ import annotations

import re

#: Controls, signs that change the direction of text or have no width, other line ends, halves of surrogates.
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
)
_ESCAPED = re.compile(f"[{_HIDDEN}]|#(?=#\\[)")  # ##[ is a command of a runner's as well
#: Within a text of several lines.
_WITHIN = re.compile(f"[^\t\n\r -~](?<=[{_HIDDEN}])")
_JSON = re.compile(f"[^\n -~](?<=[{_HIDDEN}])")


def shown(text: str) -> str:
    """The text on one line, blanks gathered, with escapes for what would be obeyed or not be seen."""
    return _ESCAPED.sub(_escape, " ".join(text.split()))


def shown_path(path: str) -> str:
    """A file's name where it may begin a line."""
    name = shown(path)
    return f"./{name}" if name.startswith("::") else name


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def hidden_in(text: str) -> str:
    """The first sign of a text of several lines that is not shown, as an escape; empty where there is none."""
    found = _WITHIN.search(text)
    return _escape(found) if found else ""


def shown_json(text: str) -> str:
    """JSON text that says the same, with escapes for signs that are not shown."""
    return _JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
