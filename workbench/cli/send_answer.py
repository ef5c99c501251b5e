"""What an exchange of `workbench send` adds up to, and how it is printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.cli.send_emulated import read_emulated
from workbench.cli.text import json_text
from workbench.core.errors import WorkbenchError
from workbench.core.exchange import Ending, Usage, ending_of
from workbench.core.json_text import parse_json
from workbench.core.messages import NativeCall
from workbench.engine.assembly import with_whole_names
from workbench.grading.foreign_keys import keys_in

if TYPE_CHECKING:
    from workbench.core.errors import ErrorInfo
    from workbench.core.messages import ChatRequest
    from workbench.engine.assembly import Assembly
    from workbench.grading.foreign_keys import ForeignKey

UNREADABLE = "invalid_input"
"""The kind of error of a row that was never sent."""


@dataclass(frozen=True, slots=True)
class SendAnswer:
    """What an exchange adds up to."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[NativeCall, ...] = ()
    finish: str | None = None
    usage: Usage = Usage()
    error: ErrorInfo | None = None
    send_back: dict[str, Any] = field(default_factory=dict)
    """Signatures and reasoning items, for the next request's turn."""
    foreign_keys: tuple[ForeignKey, ...] = ()
    """What looks like a key of others, in the request and in the answer; masked or not, as the setting said."""

    def row(self, ident: Any) -> dict[str, Any]:
        """Return the answer as it is printed."""
        out: dict[str, Any] = {
            "id": ident,
            "text": self.text,
            "reasoning": self.reasoning,
            "tool_calls": [
                {"id": call.id or f"call_{n}", "name": call.name, "arguments": self._arguments(call.arguments)}
                for n, call in enumerate(self.calls, 1)
            ],
            "finish_reason": self.finish,
            "usage": {"input": self.usage.input, "output": self.usage.output},
        }
        if self.send_back:
            out["send_back"] = self.send_back
        if self.foreign_keys:
            out["foreign_keys"] = [found._asdict() for found in self.foreign_keys]
        if self.error:
            out["error"] = _error(self.error)
        return out

    def _arguments(self, text: str) -> Any:
        """Return an object where the text is one; nothing at all means none, unless the reply was cut there."""
        if not text.strip():
            return text if ending_of(self.finish) is Ending.LENGTH else {}
        try:
            value = parse_json(text, exact=True)
        except ValueError:
            return text
        return value if isinstance(value, dict) else text


def answer_of(made: Assembly, error: ErrorInfo | None, protocol: str, request: ChatRequest) -> SendAnswer:
    """Return what came; calls are read out of the text where the protocol has no other place for them."""
    text, finish = made.text, made.finish_reason or None
    calls = with_whole_names(made.native_calls, {tool.name for tool in request.tools})
    found = read_emulated(protocol, text, request.tools, finish)
    if found is not None and found.calls:
        text = found.text
        calls = tuple(
            NativeCall(n, call.id, call.name, json_text(call.arguments)) for n, call in enumerate(found.calls)
        )
    asked = [(f"message {at} ({message.role})", message.text) for at, message in enumerate(request.messages, 1)]
    given = [("the reply", text), ("the reasoning", made.reasoning)]
    keys = keys_in([*asked, *given, *((f"the arguments of {call.name}", call.arguments) for call in calls)])
    return SendAnswer(text, made.reasoning, calls, finish, made.usage, error, made.send_back, tuple(keys))


def _error(error: ErrorInfo) -> dict[str, Any]:
    """Return an error as it is printed; `code` is the provider's own, `retry_after` in seconds."""
    return {
        "kind": error.kind.value,
        "status": error.status,
        "message": error.message,
        "code": error.code or None,
        "hint": error.hint or None,
        "retry_after": error.retry_after,
    }


def not_sent(error: Exception, line: int) -> dict[str, Any]:
    """Return what is wrong with a row that was never sent."""
    message, hint = f"Line {line} cannot be read: {error}", None
    if isinstance(error, WorkbenchError):
        message, hint = error.message, error.hint or None
    return {"kind": UNREADABLE, "status": None, "message": message, "code": None, "hint": hint, "retry_after": None}
