"""Text that leaves the program: what a model wrote cannot steer a terminal, and JSON is what every reader takes.

Standard library only: `parse` starts with it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from workbench.core.unseen import HIDDEN

_OUTSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')
_NUMBERS = {"Infinity": "1e999", "-Infinity": "-1e999", "NaN": "null"}
_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {127: 0x2421}
_STEERING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]|\x1b(?!\[[0-9;]*m)")
"""Controls that are neither a line's end nor a colour."""
_CONTROLS |= dict.fromkeys(range(128, 160), 0xFFFD)


def visible(text: str) -> str:
    """Return the text with control characters drawn, so that a model's output cannot steer the terminal."""
    return drawn(text.translate(_CONTROLS))


def drawn(text: str) -> str:
    """Return the text with what no terminal shows drawn; line ends and a terminal's own colours stay."""
    return unhidden(_STEERING.sub(lambda found: chr(0x2400 + ord(found[0])), text))


def unhidden(text: str) -> str:
    """Return the text with what nobody sees and what turns text around drawn; controls in ASCII stay, as progress needs them."""
    return text if text.isascii() else HIDDEN.sub(_stand_in, text)


def _stand_in(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xD800 <= code < 0xE000:
        return found[0]  # the output's own encoder says how a half leaves
    return "\ufffd" if 0x80 <= code < 0xA0 else f"‹{code:04X}›" if code != 0x7F else found[0]


def one_line(text: str, limit: int = 100) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def json_text(value: Any, *, indent: int | None = None) -> str:
    """Write a value as one JSON document: characters as they are, but for those that nobody sees, which leave as escapes.

    A number too large for a float, as a model may write it, leaves as it came: `1e999`.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False, default=str)
    except ValueError:
        text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
        text = _OUTSIDE.sub(lambda found: _NUMBERS.get(found.group(), found.group()), text)
    return text if text.isascii() and "\x7f" not in text else HIDDEN.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f"
