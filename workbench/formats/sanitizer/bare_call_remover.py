"""Takes calls without markers out of a text: call-shaped JSON, lists of it, pythonic lists, and fences around them.

Reads what `marker_remover` lets through. In code (a fence, inline code) such shapes are only talked about and stay, unless
the fence holds nothing else. JSON that is no call passes as it is, as soon as its first members show it. The inert kind
takes nothing out, but puts word joiners into what it would take.
"""

from __future__ import annotations

import re

from workbench.formats.kit.markers import BARRIER
from workbench.formats.sanitizer.bare_call_shapes import (
    FENCE_LINE,
    LIMIT,
    Candidate,
    CandidateState,
    kind_at,
    list_kind,
)
from workbench.formats.sanitizer.marker_search import chain, cut_half
from workbench.formats.sanitizer.marker_table import label_matcher, label_role
from workbench.formats.sanitizer.stage_output import Pieces, StageOutput

_SPOT = re.compile(r"[{`~]|\[(?=[\s{A-Za-z_]|\Z)")
_FENCE_END = re.compile(r"`{3,16}|~{3,16}")
_LONGEST_FENCE = 16
_BREAKABLE = re.compile(r"[{\[`~]")
"""What a call or a fence may begin with."""
_SPACE = re.compile(r"\s*+")
_BLANKS = re.compile(r"[ \t]*+")

Place = tuple[int, int]


def _skip(pattern: re.Pattern[str], text: str) -> int:
    """Return where what the text begins with ends."""
    found = pattern.match(text)
    return found.end() if found else 0


def _broken(text: str) -> str:
    """Put a word joiner behind everything that a call or a fence may begin with."""
    return _BREAKABLE.sub(rf"\g<0>{BARRIER}", text)


class _Fence:
    """A fence that may hold nothing but calls: then it goes with them, else all of it stays."""

    def __init__(self, line: str) -> None:
        self.parts = [line]
        self.size = len(line)
        self.gap = False
        """A marker was removed in it."""
        self.taken: list[Place] = []
        """Calls that go if it goes."""

    @property
    def empty(self) -> bool:
        """It held calls, and nothing else so far."""
        return self.gap or bool(self.taken)

    def keep(self, text: str) -> None:
        """Remember text, for the case that all of it stays."""
        self.parts.append(text)
        self.size += len(text)


class BareCallRemover:
    """Pieces in, pieces out; what comes out does not depend on how the text was cut."""

    def __init__(self, *, inert: bool = False) -> None:
        """`inert`: calls stay, with word joiners in them."""
        self._inert = inert
        self.taken: list[Place] = []
        """Where in the text that was fed calls stood that are gone now."""
        self._fed = 0
        self._buffer = ""
        self._out = StageOutput()
        self._mode = self._text
        self._quiet = (self._text, self._in_fence)
        self._candidate: Candidate | None = None
        self._fence: _Fence | None = None
        self._fresh = False
        """Something was taken out of the current line, which is blank otherwise."""
        self._after_call = False

    @property
    def plain(self) -> bool:
        """Text without brackets, fences and newlines would pass, and change nothing here."""
        if self._buffer or self._out.line_blank or self._fresh or self._after_call or self._out.last == "`":
            return False
        return self._mode in self._quiet

    def feed(self, pieces: Pieces) -> Pieces:
        """Take pieces; return what is certain."""
        for piece in pieces:
            if piece is not None:
                self._buffer += piece
                self._fed += len(piece)
                self._run(final=False)
            elif self._fence is not None:
                self._fence.gap = True
            else:
                self._out.gap()
        return self._out.take()

    def finish(self) -> Pieces:
        """End of text."""
        self._run(final=True)
        if self._fence is not None:
            self._leave_fence(self._fence, drop=self._fence.empty)
        self._pass(len(self._buffer))
        return self._out.take()

    def _run(self, *, final: bool) -> None:
        while self._mode(final):
            pass

    def _emit(self, text: str) -> None:
        if text:
            self._out.emit(text)
            self._fresh = self._fresh and self._out.line_blank and "\n" not in text
            self._after_call = False

    def _pass(self, upto: int) -> None:
        self._emit(self._buffer[:upto])
        self._buffer = self._buffer[upto:]

    # ---- plain text

    def _text(self, final: bool) -> bool:
        if self._after_call and self._buffer.startswith(";"):
            self._buffer = self._buffer[1:]
            self._after_call = False
        if self._fresh and self._buffer:
            label = self._take_label(final)
            if label is not None:
                return label
        for spot in _SPOT.finditer(self._buffer):
            at = spot.start()
            before = self._buffer[at - 1] if at else self._out.last
            kind = kind_at(self._buffer, at, final, before=before, line_start=self._blank_before(at))
            if kind == "wait":
                self._pass(chain(self._buffer, at, self._out.line_blank)[0])
                return False
            if kind:
                return self._begin(kind, at)
        if final and self._fresh:
            self._cut_end()
        self._pass(len(self._buffer))
        return False

    def _cut_end(self) -> None:
        """A removed call made half a label the first thing in the last line."""
        if (rest := cut_half(self._buffer, self._out.line_blank, something_before=self._out.spoken)) != self._buffer:
            self._out.gap()
        self._buffer = rest

    def _blank_before(self, at: int) -> bool:
        line = self._buffer.rfind("\n", 0, at) + 1
        return not self._buffer[line:at].strip(" \t") and (line > 0 or self._out.line_blank)

    def _begin(self, kind: str, at: int) -> bool:
        if kind == "fence":
            self._pass(at)
            end = _skip(FENCE_LINE, self._buffer)
            self._fence = _Fence(self._buffer[:end])
            self._buffer = self._buffer[end:]
            self._mode = self._fence_head
            return True
        start = chain(self._buffer, at, self._out.line_blank)[0]
        lead = self._buffer[start:at]
        self._pass(start)
        self._buffer = self._buffer[at - start :]
        self._candidate, self._mode = Candidate(kind, lead), self._scanning
        return True

    def _take_label(self, final: bool) -> bool | None:
        """A removed call made this label the first thing in its line."""
        at = _skip(_BLANKS, self._buffer)
        full, partial = label_matcher()
        if not final and partial.match(self._buffer, at):
            return False
        label = full.match(self._buffer, at)
        if label is None:
            return None
        self._buffer = self._buffer[label.end() :]
        self._out.gap()
        self._mode = self._drop_line if label_role(label.group()).body == "line" else self._mode
        return True

    def _drop_line(self, final: bool) -> bool:
        end = self._buffer.find("\n")
        self._buffer = self._buffer[end:] if end >= 0 else ""
        if end >= 0 or final:
            self._mode = self._text
        return end >= 0

    # ---- a candidate

    def _scanning(self, final: bool) -> bool:
        if (candidate := self._candidate) is None or not (self._buffer or final):
            return False
        state, at = candidate.feed(self._buffer, final)
        self._buffer = self._buffer[at:]
        if state is CandidateState.CALL:
            self._buffer = candidate.cut_string() + self._buffer
            return self._remove(candidate)
        if state is CandidateState.OTHER or (state is CandidateState.PASSING and self._fence is not None):
            return self._keep(candidate)
        if state is CandidateState.PASSING:
            self._emit(candidate.lead + candidate.text)
            self._mode = self._passing
            return True
        return False

    def _remove(self, candidate: Candidate) -> bool:
        self._candidate = None
        end = self._fed - len(self._buffer)
        place = (end - candidate.size, end)
        if self._fence is not None:
            self._fence.keep(candidate.text)
            self._fence.taken.append(place)
            self._mode = self._fence_head
            return True
        self.taken.append(place)
        self._mode = self._text
        if self._inert:
            self._emit(candidate.lead + _broken(candidate.text))
        else:
            self._emit(candidate.lead and candidate.lead + BARRIER)
            self._out.gap()
            self._fresh, self._after_call = self._out.line_blank, True
        return True

    def _keep(self, candidate: Candidate) -> bool:
        self._candidate = None
        self._mode = self._text
        if self._fence is None:
            self._emit(candidate.lead + candidate.text)
            return True
        self._fence.keep(candidate.text)
        return self._into_fence(self._fence)

    def _passing(self, final: bool) -> bool:
        """JSON that is no call: nothing inside of it is looked at."""
        if self._candidate is None or not self._buffer:
            return False
        ended, at = self._candidate.skip(self._buffer, final)
        self._pass(at)
        if ended:
            self._candidate = None
            self._mode = self._text
        return ended

    # ---- fences

    def _fence_head(self, final: bool) -> bool:
        """Behind a fence's opening line, or behind a call in it: only calls and the closing fence keep it together."""
        fence = self._fence
        assert fence is not None
        at = _skip(_SPACE, self._buffer)
        fence.keep(self._buffer[:at])
        self._buffer = self._buffer[at:]
        if not self._buffer:
            return fence.size > LIMIT and self._into_fence(fence)
        char = self._buffer[0]
        if char in "`~":
            if not final and self._buffer == char * len(self._buffer) and len(self._buffer) < _LONGEST_FENCE:
                return False
            closing = _FENCE_END.match(self._buffer)
            return self._close_fence(fence, closing.end()) if closing else self._into_fence(fence)
        kind = "json" if char == "{" else list_kind(self._buffer, 0, final, line_start=True) if char == "[" else ""
        if kind == "wait":
            return False
        if not kind:
            return self._into_fence(fence)
        self._candidate, self._mode = Candidate(kind, "", doomed=fence.size > LIMIT), self._scanning
        return True

    def _into_fence(self, fence: _Fence) -> bool:
        self._leave_fence(fence, drop=False)
        self._mode = self._in_fence
        return True

    def _close_fence(self, fence: _Fence, end: int) -> bool:
        self._leave_fence(fence, drop=fence.empty)
        closing, self._buffer = self._buffer[:end], self._buffer[end:]
        if not fence.empty or self._inert:
            self._emit(_broken(closing) if fence.empty else closing)
        else:
            self._fresh = self._out.line_blank
        self._mode = self._text
        return True

    def _leave_fence(self, fence: _Fence, *, drop: bool) -> None:
        self._fence = None
        if drop or fence.gap:
            self._out.gap()
        text = "".join(fence.parts)
        if drop:
            self.taken.extend(fence.taken)
            text = _broken(text) if self._inert else ""
        self._emit(text)

    def _in_fence(self, final: bool) -> bool:
        """Code: passes as it is, up to the closing fence."""
        for found in _FENCE_END.finditer(self._buffer):
            if self._blank_before(found.start()):
                if found.end() == len(self._buffer) and not final and len(found.group()) < _LONGEST_FENCE:
                    break
                self._pass(found.end())
                self._mode = self._text
                return True
        tail = len(self._buffer) - len(self._buffer.rstrip("`~"))
        self._pass(len(self._buffer) - (0 if final else min(tail, _LONGEST_FENCE - 1)))
        return False
