"""The one place where deltas are folded into a reply. Wires only translate."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ModelDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import NativeCall

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from workbench.core.errors import ErrorInfo


class Assembly:
    """Text, reasoning, native calls, usage and finish reason of one exchange, growing."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._names: dict[int, tuple[str, str]] = {}
        self._arguments: dict[int, list[str]] = {}
        self.usage = Usage()
        self.finish_reason = ""
        self.served_model = ""
        self.fault: ErrorInfo | None = None
        self.notices: list[str] = []
        self.send_back: dict[str, Any] = {}

    def copy(self) -> Assembly:
        """Return what has come so far, for a chunk that may be taken back."""
        made = copy(self)
        made._text, made._reasoning, made.notices = [*self._text], [*self._reasoning], [*self.notices]
        made._names, made.send_back = {**self._names}, {**self.send_back}
        made._arguments = {number: [*parts] for number, parts in self._arguments.items()}
        return made

    @property
    def text(self) -> str:
        """The reply's text so far, joined."""
        return "".join(self._text)

    @property
    def reasoning(self) -> str:
        """The separate reasoning field so far, joined."""
        return "".join(self._reasoning)

    @property
    def empty(self) -> bool:
        """Nothing that a model said has come yet."""
        return not (self._text or self._reasoning or self._names)

    @property
    def native_calls(self) -> tuple[NativeCall, ...]:
        """Structured calls so far, in the order of their first delta."""
        return tuple(
            NativeCall(number, call_id, name, "".join(self._arguments[number]))
            for number, (call_id, name) in self._names.items()
        )

    def fold(self, deltas: Iterable[Delta]) -> str:
        """Take deltas; return the text among them, joined."""
        grown: list[str] = []
        for delta in deltas:
            match delta:
                case TextDelta(text=text):
                    grown.append(text)
                case ReasoningDelta(text=text):
                    self._reasoning.append(text)
                case CallDelta():
                    self._fold_call(delta)
                case UsageDelta(usage=usage):
                    self.usage = usage
                case FinishDelta(reason=reason):
                    self.finish_reason = reason or self.finish_reason
                case ModelDelta(model=model):
                    self.served_model = model
                case FaultDelta(error=error):
                    self.fault = self.fault or error
                case NoticeDelta(code="send_back", data=dict() as data):
                    self.send_back |= data
                case NoticeDelta(code=code) if code not in self.notices:
                    self.notices.append(code)
        self._text += grown
        return "".join(grown)

    def cut(self, count: int) -> None:
        """Take the last characters of the text away: they stand behind a stop sequence."""
        text = self.text
        self._text = [text[: len(text) - count]]

    def _fold_call(self, delta: CallDelta) -> None:
        call_id, name = self._names.get(delta.number, ("", ""))
        self._names[delta.number] = (call_id or delta.id, name or delta.name)
        self._arguments.setdefault(delta.number, []).append(delta.arguments)


def with_whole_names(calls: Sequence[NativeCall], declared: Collection[str]) -> tuple[NativeCall, ...]:
    """Calls with the names joined that a server streamed in pieces, which a wire takes for calls of their own.

    Only where pieces that follow each other, none with an id of its own, a declared name or arguments before its last, are a
    declared name together: no call is made up, and none that stands by itself is taken in.
    """
    found, at = [], 0
    while at < len(calls):
        last = _end_of_name(calls, at, declared)
        name = "".join(call.name for call in calls[at : last + 1])
        found.append(calls[at]._replace(name=name, arguments=calls[last].arguments))
        at = last + 1
    return tuple(found)


def _end_of_name(calls: Sequence[NativeCall], first: int, declared: Collection[str]) -> int:
    """Where the longest declared name ends that begins with this call's."""
    name, end = calls[first].name, first
    for at in range(first + 1, len(calls)):
        piece = calls[at]
        other = piece.id not in ("", calls[first].id)
        if calls[at - 1].arguments or other or not piece.name or piece.name in declared:
            break
        name += piece.name
        if name in declared:
            end = at
    return end
