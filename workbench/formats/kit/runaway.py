"""Replies that run away: after a right call the model writes the next turns itself, or tests of what it made.

A token that opens somebody else's turn says so at once: what follows is no reply any more. Words say so less surely, so
they count only behind a call, first in a paragraph; a call behind them is not given out.
"""

from __future__ import annotations

import re

CODE = "runaway"
WHY = "it stands in a turn that the model wrote itself"
_OPENS = {
    "<|im_start|>": "user system tool human", "<|start_header_id|>": "user system tool ipython", "<start_of_turn>": "user",
    "<|start_of_role|>": "user system tool", "<|turn>": "user tool", "]~b]": "user system tool",
}  # fmt: skip
TURNS = (
    *(token + role for token, roles in _OPENS.items() for role in roles.split()),
    "[INST]", "<|user|>", "<｜User｜>", "<|USER_TOKEN|>", "<|im_user|>", "<|message_user|>",
)  # fmt: skip
"""Tokens that open a turn of somebody else."""

_USER = (
    r"(?:\*\*|\[|<)?(?:user|human)(?:[ \t]?\d{1,3})?(?:\*\*|\]|>)?(?::\*{0,2}(?=[ \t]|$)|$)"
    r"|#{1,4}[ \t]{0,2}(?:user|human|instruction|question|input)(?:[ \t]?\d{1,3})?[ \t]{0,2}(?::|$)"
)
_TEST = (
    r"(?:#{1,4}|//|\*\*|--)[ \t]{0,2}(?:(?:unit|simple|self)[ \-])?tests?\b|(?:unit )?tests? cases?\b|assert(?:Equal)?[ (]|def test"
    r"|import (?:unittest|pytest)\b|>>> \w|expected (?:output|result)\b|if __name__\b"
)
_SIGN = re.compile(
    rf"\n[ \t]*\n(?:```\w{{0,12}}\n)?[ \t>]{{0,8}}(?P<sign>{_USER}|{_TEST})", re.IGNORECASE | re.MULTILINE
)
_ENOUGH = 300
"""So much of a line tells whether it is such a one."""


class Runaway:
    """Hears the text behind a call, and finds where the model begins a turn or tests of its own."""

    __slots__ = ("_at", "_text", "_told", "at")

    def __init__(self) -> None:
        self.at = -1
        """Where in the reply it begins."""
        self._text = "\n\n"
        """What was heard and is not decided yet, with the lines before it."""
        self._at: list[tuple[int, int]] = []
        """Where it stands in the reply: `(index, offset)`."""
        self._told = False
        """The line is decided already."""

    def hear(self, text: str, at: int) -> None:
        """Take more text, which stands at offset `at`."""
        if self.at >= 0:
            return
        if self._told:
            line = text.find("\n")
            if line < 0:
                return
            text, at, self._told = text[line:], at + line, False
        self._at.append((len(self._text), at))
        self._text += text
        end = self._text.rfind("\n") + 1
        self._told = len(self._text) - end > _ENOUGH
        if self._told or "\n" in text:
            self._decide(len(self._text) if self._told else end)

    @property
    def fresh(self) -> bool:
        """True if nothing was heard since the last call."""
        return not self._at

    def begun(self) -> bool:
        """True if it has begun in what was heard so far: a marker follows, so the line is at its end."""
        if self.at < 0 and not self._told:
            self._search(len(self._text))
        return self.at >= 0

    def again(self) -> None:
        """A further call was made: what is heard from now on begins anew."""
        self._text, self._told = "\n\n", False
        self._at.clear()

    def pace(self, place: int) -> tuple[object, ...]:
        """What decides about text that follows at a place, but for where that is."""
        return self._text, self._told, self.at, *((index, at - place) for index, at in self._at)

    def jump(self, by: int) -> None:
        """Go on further on in the reply."""
        self._at = [(index, at + by) for index, at in self._at]

    def _decide(self, end: int) -> None:
        self._search(end)
        keep = end
        for _ in range(3):  # a blank line, perhaps a fence's opening, and the line itself
            keep = self._text.rfind("\n", 0, max(keep, 0))
        if keep > 0:
            self._text = self._text[keep:]
            here = [(index - keep, offset) for index, offset in self._at]
            past = sum(index <= 0 for index, _ in here)
            self._at = here[max(past - 1, 0) :]

    def _search(self, end: int) -> None:
        found = _SIGN.search(self._text, 0, end)
        if found is not None:
            sign = found.start("sign")
            index, offset = next((pair for pair in reversed(self._at) if pair[0] <= sign), (sign, 0))
            self.at = offset + sign - index
