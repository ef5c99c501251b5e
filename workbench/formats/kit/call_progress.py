"""Progress inside an attempt at a call: its name as soon as it stands there, then every piece that arrives.

Only told to whoever watches a stream: no call is counted by it, and a reply that comes in one piece tells nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.core.calls import CallGrew, CallOpened, Span
from workbench.formats.kit.call_keys import NAME_KEYS

if TYPE_CHECKING:
    from workbench.core.calls import ParseEvent

HEAD = 600
"""A name that does not stand within so many characters is not told."""
_BACK = 200
"""No name with its surroundings is longer."""
CALL_NAME = r"([\w.\-/]{1,128}+)"
"""A name, as the one group of a shape."""
_JSON = re.compile(
    rf"""["'](?:{"|".join(key for key in NAME_KEYS if "." not in key)})["']\s{{0,9}}:\s{{0,9}}["']{CALL_NAME}["']"""
)
_COMMON = (
    rf"""<[\w:|｜]{{0,24}}?(?:function|invoke)\s{{0,9}}(?:=|\s+name\s{{0,9}}=)\s{{0,9}}["']?{CALL_NAME}["']?\s{{0,9}}>""",
    rf"tool_call(?::start\|)?>\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}[\n<])",
    r"(?:^|[\[\n,`>])\s{0,9}(?!print\()([A-Za-z_][\w.]{0,127}+)(?=\()",
    rf"""\{{\s{{0,9}}"(?!function"|arguments"|parameters"){CALL_NAME}"(?=\s{{0,9}}:\s{{0,9}}\{{)""",
)
"""Where a name stands in the bodies that formats share."""
_OTHER_END = re.compile(r"[>({<\[\n]")


def own_shapes(shapes: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Return the name shapes of a grammar, and one for the key of its envelope where that is not a usual one."""
    if not key or key in NAME_KEYS:
        return shapes
    return (*shapes, rf'"{re.escape(key)}"\s{{0,9}}:\s{{0,9}}"{CALL_NAME}"')


@lru_cache(maxsize=128)
def _search(own: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((*_COMMON, *own)), re.MULTILINE)


def grew(number: int, piece: str) -> CallGrew:
    """Make the event of one more piece, at half the usual price."""
    return tuple.__new__(CallGrew, (number, piece))


class Progress:
    """What is told of the attempt that is under way. Offsets are those of the reply."""

    __slots__ = ("_head", "_other", "_own", "number", "open", "start")

    def __init__(self, own: tuple[str, ...] = ()) -> None:
        """`own`: what `own_shapes` says of the grammar."""
        self._own = own
        self._other: re.Pattern[str] | None = None
        """What looks for a name that is not the value of a key, once it was needed."""
        self.start = -1
        """Where the attempt, or its next call, begins; -1: none is under way."""
        self.number = 0
        """The call's number."""
        self.open = False
        """Its name was told."""
        self._head: str | None = None
        """What stands there, until the name is found."""

    def begin(self, start: int, number: int) -> None:
        """An attempt begins, or the next call of one."""
        self.start, self.number, self.open, self._head = start, number, False, None

    def end(self) -> None:
        """The attempt is over."""
        self.start, self.open = -1, False

    def tell(self, piece: str, text: str, base: int, events: list[ParseEvent]) -> None:
        """Look for the name now that a piece arrived; `text`, which begins at `base`, is what is undecided."""
        head = text[max(self.start - base, 0) :][: HEAD + 1] if self._head is None else self._head + piece
        self._head = head
        at = max(0, len(head) - len(piece) - _BACK)
        found = _JSON.search(head, at) if '"' in piece or "'" in piece else None
        if found is None and _OTHER_END.search(piece):
            self._other = self._other or _search(self._own)
            found = self._other.search(head, at)
        if found is not None:
            self.open = True
            name, end = found.group(found.lastindex or 0), found.end()
            events.append(CallOpened(self.number, name, Span(self.start, self.start + end)))
            if end < len(head):
                events.append(CallGrew(self.number, head[end:]))
        elif len(head) > HEAD:
            self.end()
