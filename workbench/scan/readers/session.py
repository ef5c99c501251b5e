"""What sessions of agents have in common: turns of an assistant, results that come later, and the words of refusals."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from workbench.scan.bodies import short
from workbench.scan.reply import Refused, Turn

if TYPE_CHECKING:
    from workbench.scan.reply import FoundReply, SeenCall

_REFUSALS = (
    (Refused.UNKNOWN_TOOL, re.compile(r"No such tool available|unsupported (?:custom tool )?call: |call unavailable tool")),
    (Refused.JSON, re.compile(r"JSON parsing failed|JSON Parse error|could not be parsed as JSON|EOF while parsing|(?:expected|invalid|trailing) .{0,60} at line \d+ column")),
    (
        Refused.SCHEMA,
        re.compile(r"InputValidationError|failed to parse function arguments|called with invalid arguments|Invalid input for tool"),
    ),
)  # fmt: skip
"""How Claude Code, Codex and opencode word it; missing fields too have a line and a column in Codex."""
_MISSING = re.compile(r"(?:missing|unknown) field")
_WORDS = 2_000


def refusal_in(result: str) -> Refused | None:
    """Return how a result says that its call was not executed; None where it was."""
    head = result[:_WORDS]
    if "<tool_use_error>" not in head and not head.startswith(
        ("unsupported", "failed to parse", "Model tried", "Invalid input", "The ", "Error: No such tool")
    ):
        return None
    found = next((refused for refused, words in _REFUSALS if words.search(head)), None)
    return Refused.SCHEMA if found is Refused.JSON and _MISSING.search(head) else found


class TurnSequence:
    """One line of turns; a reply is handed on when the one behind it is complete, with its results and what followed."""

    def __init__(self) -> None:
        self.open: FoundReply | None = None
        """The reply under way."""
        self._held: FoundReply | None = None
        """The one before it, complete but for what followed."""
        self._before: tuple[SeenCall, ...] = ()
        self._asked: tuple[Turn, ...] = ()

    def begin(self, reply: FoundReply) -> FoundReply | None:
        """Begin a reply; return one that is complete, if there is one."""
        done = self._close()
        reply.before, reply.context = self._before, self._asked
        self.open = reply
        return done

    def _close(self) -> FoundReply | None:
        """Close the reply under way; return the one before it."""
        done, now = self._held, self.open
        if done is not None and now is not None and now.text.strip() and not done.after:
            done.after = (Turn("agent", short(now.text)),)
        if now is not None:
            self._before = tuple(now.calls)
        self._held, self.open = now, None
        return done

    def finish(self) -> list[FoundReply]:
        """Return what is left at the end."""
        return [reply for reply in (self._close(), self._held) if reply is not None]

    def user(self, text: str) -> None:
        """A user said something: what was called before is of another turn."""
        turn = Turn("user", short(text))
        if self.open is not None:
            self.open.after = (*self.open.after, turn)[:2]
        self._asked = (turn,)

    def result(self, call_id: str, text: str, *, failed: bool) -> None:
        """A call's result."""
        call = next((one for one in self.open.calls if one.id == call_id), None) if self.open else None
        if call is None:
            return
        call.result, call.failed = text, failed
        call.refused = call.refused or refusal_in(text)
        if call.refused is not None:
            call.failed, call.why = True, call.why or plain_refusal(text)


def plain_refusal(text: str) -> str:
    """Return the words of a refusal without the tags around it."""
    return re.sub(r"</?tool_use_error>", "", text)[:_WORDS].strip()


def microseconds(stamp: Any) -> int:
    """Return UTC microseconds of an ISO time, or of seconds, milliseconds or more since 1970; 0 for what is none."""
    if isinstance(stamp, str):
        try:
            return int(datetime.fromisoformat(stamp).timestamp() * 1_000_000)
        except (ValueError, OverflowError):
            return 0
    if isinstance(stamp, int | float) and not isinstance(stamp, bool) and stamp > 0:
        value = float(stamp)
        while value < 1e14:
            value *= 1000
        while value > 1e17:
            value /= 1000
        return int(value)
    return 0


def text_of(content: Any) -> str:
    """Return the text of a content: a string, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""
