"""How a call in unknown markup is written, without its values: what makes two such calls alike.

<<call get_weather city :: Rome>>     →     <<call NAME … >>
"""

from __future__ import annotations

import re

UNKNOWN = "unknown markup"
"""What `Finding.around` begins with; the way of writing follows."""
NAME = "NAME"
_HEAD = 24
_END = re.compile(r"(?:\[/|</?|\{[/%#]|\[\[/)[\w~:./ -]{1,24}[\]>}%]{1,2}\Z|[^\w\s\"'“”]{1,6}\Z")
_VALUE_ENDS = "}])"


def shape_of(text: str, tool: str) -> str:
    """Return how a call is written, without its values: what stands before the tool's name, and what ends the call."""
    inner = "".join(r"[_.\- ]" if char in "_-." else re.escape(char) for char in tool)
    found = re.search(rf"(?<![\w./]){inner}(?!\w)", text)
    if found is None:
        return ""
    before = " ".join(text[: found.start()].rsplit("\n", 1)[-1][-_HEAD:].split())
    blank = " " if text[: found.start()][-1:].isspace() else ""
    ends = _END.search(text.rstrip())
    end = ends[0] if ends is not None and ends.start() >= found.end() else ""
    end = end.lstrip(_VALUE_ENDS) or end
    return f"{before}{blank}{NAME} …{f' {end}' if end else ''}"


def head_of(shape: str) -> str:
    """How calls begin that are written in this way: what ends them may be one thing with text behind it and another alone."""
    return shape.partition(NAME)[0]
