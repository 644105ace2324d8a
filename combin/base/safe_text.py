"""Foreign text made safe to show: contents and names of files, words of the command line.

A terminal obeys escape sequences. Direction marks reverse a line. A CI runner takes a line that
begins with two colons as a command. Whatever is not plain text is therefore written as an escape.
"""

from __future__ import annotations

import re

#: Control characters, direction marks, characters without width, other line ends, lone surrogates.
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
)
_ESCAPED = re.compile(f"[{_HIDDEN}]|#(?=#\\[)")  # ##[ is a runner's command as well
#: Within a text of several lines.
_WITHIN = re.compile(f"[^\t\n\r -~](?<=[{_HIDDEN}])")
_JSON = re.compile(f"[^\n -~](?<=[{_HIDDEN}])")


def shown(text: str) -> str:
    """The text on one line, runs of blanks as one, hidden characters as escapes."""
    return _ESCAPED.sub(_escape, " ".join(text.split()))


def shown_path(path: str) -> str:
    """A file's name where it may begin a line."""
    name = shown(path)
    return f"./{name}" if name.startswith("::") else name


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def hidden_in(text: str) -> str:
    """The first hidden character of a text of several lines, as an escape; empty if there is none."""
    found = _WITHIN.search(text)
    return _escape(found) if found else ""


def shown_json(text: str) -> str:
    """The same JSON text with escapes for hidden characters."""
    return _JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
