"""What a decoder says: deltas that are whole, said once, and safe to pass on."""

from __future__ import annotations

from typing import Any

from workbench.core.errors import ErrorInfo, ErrorKind
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
from workbench.wires.kit.jsons import has_surrogate, whole_characters
from workbench.wires.kit.tool_names import original_name

SEND_BACK = "send_back"
"""Code of a notice whose data belongs into `Message.extra` of the assistant turn, keyed by the wire's id."""


_NO_REASON = ("", "null", "None")
"""Words that some servers write on every chunk before the last (DashScope)."""


class DeltaSink:
    """Collects what a decoder finds, until it is taken."""

    end_marker = ""
    """What a complete stream ends with, for the user."""
    plain_names = False
    """The wire sends tool names within plain letters: those in replies are changed back."""

    def __init__(self, status: int, stream: bool) -> None:
        self.status = status
        self.stream = stream
        self.faulted = False
        """An error was reported."""
        self.torn = False
        """The body ended in the middle of an event."""
        self.streaming = False
        """The body is a stream of events, not one document."""
        self.spoke = self.thought = False
        """Text was given out; reasoning was."""
        self._out: list[Delta] = []
        self._halves: dict[int, str] = {}
        """First half of a surrogate pair, by channel (-2 text, -1 reasoning, else the call's number)."""
        self._model = ""
        self._usage: Usage | None = None
        self._finish = ""
        self._noticed: set[str] = set()

    def take(self) -> list[Delta]:
        """Hand out what was collected."""
        out, self._out = self._out, []
        return out

    def text(self, text: str, at: tuple[int, int]) -> None:
        """Add text of the reply."""
        if text and (text := self._whole(-2, text)):
            self.spoke = True
            self._out.append(TextDelta(text, at))

    def reasoning(self, text: str, at: tuple[int, int]) -> None:
        """Add text of the reasoning."""
        if text and (text := self._whole(-1, text)):
            self.thought = True
            self._out.append(ReasoningDelta(text, at))

    def seal(self, seal: str, at: tuple[int, int]) -> None:
        """End a block of reasoning with what its provider wants back."""
        if seal:
            self._out.append(ReasoningDelta("", at, seal))

    def call(self, number: int, id_: str, name: str, arguments: str, at: tuple[int, int]) -> None:
        """Add a piece of a call."""
        arguments = self._whole(number, arguments) if arguments else ""
        if self.plain_names and name:
            name = original_name(name)
        self._out.append(CallDelta(number, id_, name, arguments, at))

    def usage(self, usage: Usage, at: tuple[int, int]) -> None:
        """Set the token counts, where they are new."""
        if usage != self._usage and any(count is not None for count in usage):
            self._usage = usage
            self._out.append(UsageDelta(usage, at))

    def finish(self, reason: Any, at: tuple[int, int]) -> None:
        """Set the provider's word for the end, where it is new."""
        if isinstance(reason, str) and reason not in _NO_REASON and reason != self._finish:
            self._finish = reason
            self._out.append(FinishDelta(whole_characters(reason), at))

    def model(self, name: Any, at: tuple[int, int]) -> None:
        """Set the model that answers, once."""
        if not self._model and isinstance(name, str) and name:
            self._model = name
            self._out.append(ModelDelta(whole_characters(name), at))

    def fault(self, info: ErrorInfo, at: tuple[int, int] = (0, 0)) -> None:
        """Report an error in the reply."""
        self.faulted = True
        self._out.append(FaultDelta(info, at))

    def notice(self, code: str, message: str, at: tuple[int, int], data: Any = None) -> None:
        """Tell of something odd, each code once."""
        if code not in self._noticed:
            self._noticed.add(code)
            self._out.append(NoticeDelta(code, whole_characters(message), at, data))

    def send_back(self, wire: str, data: dict[str, Any], at: tuple[int, int]) -> None:
        """Tell what the next request must carry in this turn's `Message.extra`."""
        self._out.append(NoticeDelta(SEND_BACK, "To be sent back unchanged with this turn.", at, {wire: data}))

    def wrong_shape(self, protocol: str, missing: str) -> ErrorInfo:
        """Describe JSON that is not what this protocol answers with."""
        message = f"The reply is {'a stream' if self.streaming else 'JSON'} but holds no {missing}."
        return ErrorInfo(
            ErrorKind.PROTOCOL, message, hint=f"Check that this address speaks {protocol}.", status=self.status
        )

    def broken_call(self, reason: str, words: str, at: tuple[int, int]) -> None:
        """Report that the reply ended because its provider could not read a call; `words`: what the provider says of it."""
        message = f"The model wrote a call that its provider could not read ({reason}). {words}".strip()
        hint = "A failure of the model: try again, or use a text format."
        self.fault(ErrorInfo(ErrorKind.MODEL_OUTPUT, message[:2000], hint=hint, status=self.status, code=reason), at)

    def cut_off(self, at: tuple[int, int]) -> None:
        """Report that the reply ended too early."""
        missing = f": {self.end_marker} is missing" if self.end_marker and self.stream else ""
        how = "in the middle of an event" if self.torn else "before it was complete"
        info = ErrorInfo(
            ErrorKind.CUT_OFF,
            f"The reply ended {how}{missing}.",
            hint="All that came is kept. Try again; a proxy or the server closed the connection early.",
            status=self.status,
        )
        self.fault(info, at)

    def flush_halves(self) -> None:
        """Put U+FFFD for halves whose other half never came."""
        for channel in sorted(self._halves):
            match channel:
                case -2:
                    self._out.append(TextDelta("\ufffd"))
                case -1:
                    self._out.append(ReasoningDelta("\ufffd"))
                case number:
                    self._out.append(CallDelta(number, "", "", "\ufffd"))
        self._halves.clear()

    def _whole(self, channel: int, text: str) -> str:
        """Join halves of a character that were sent apart; a half without its other half becomes U+FFFD."""
        if self._halves and (half := self._halves.pop(channel, "")):
            text = half + text
        if text.isascii() or not has_surrogate(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            self._halves[channel] = text[-1]
            text = text[:-1]
        return whole_characters(text)
