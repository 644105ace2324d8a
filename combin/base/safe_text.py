"""Safe display of foreign text: contents and names of files, words of the command line.

Terminals obey escape sequences, direction marks reverse a line, and CI runners take a line that begins
with two colons as a command. Characters that are not plain text are therefore shown as escapes.
"""

from __future__ import annotations

import re

#: Control characters, direction marks, characters without width, other line ends, lone surrogates.
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
)
_ESCAPED = re.compile(f"[{_HIDDEN}]|#(?=#\\[)")  # ##[ also begins a command of a runner
#: The same in a text of several lines.
_WITHIN = re.compile(f"[^\t\n\r -~](?<=[{_HIDDEN}])")
_JSON = re.compile(f"[^\n -~](?<=[{_HIDDEN}])")


def shown(text: str) -> str:
    """Return the text on one line, with runs of blanks as one and hidden characters as escapes."""
    return _ESCAPED.sub(_escape, " ".join(text.split()))


def shown_path(path: str) -> str:
    """Return a file's name for the beginning of a line."""
    name = shown(path)
    return f"./{name}" if name.startswith("::") else name


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def hidden_in(text: str) -> str:
    """Return the first hidden character of a text of several lines, as an escape; empty if there is none."""
    match = _WITHIN.search(text)
    return _escape(match) if match else ""


def shown_json(text: str) -> str:
    """Return the JSON text with escapes for hidden characters."""
    return _JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
