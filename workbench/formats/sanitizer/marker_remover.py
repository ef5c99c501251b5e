"""Takes markers and what they enclose out of a stream of text.

The machine keeps one promise: its output contains no marker, however the input was cut. Two rules make that hold.
What may still become a marker is kept back, and so are half markers that touch it, because they meet again when it
vanishes (`<tool_<tool_call>call>`). And after a removal the machine is in the state that it had before, so reading its
own output again changes nothing. A row of more half markers than are kept back is cut by an invisible word joiner.
"""

from __future__ import annotations

import re
from collections import Counter, deque

from workbench.formats.kit.markers import BARRIER, Kind
from workbench.formats.sanitizer.call_body import StructuredBody, Where
from workbench.formats.sanitizer.call_reading import CallReading, grammars_for
from workbench.formats.sanitizer.marker_search import Found, begun, chain, cut_half, next_marker
from workbench.formats.sanitizer.marker_table import LONGEST, heads
from workbench.formats.sanitizer.stage_output import Pieces, StageOutput

SLICE = 3072
"""Long texts are read in pieces of this size, so that no step copies more."""
_CODE_END = re.compile(r"`{1,2}+(\s{0,16}+)(.?)", re.DOTALL)


class MarkerRemover:
    """Text in, pieces out; the concatenated pieces do not depend on how the text was cut."""

    def __init__(self) -> None:
        self._queue: deque[str] = deque()
        self._buffer = ""
        self._held = ""
        """Half markers before an opened body."""
        self._body: StructuredBody | CallReading | None = None
        self._structural: StructuredBody
        """What reads the same body where no grammar finds a call in it."""
        self._in_ticks = False
        """A backtick stands before the opener; what comes next tells whether inline code holds nothing but it."""
        self._fed = self._wasted = 0
        self._begun = self._headless = False
        """The reply's first characters are decided; they are a label of reasoning that lost its opener."""
        self._near = False
        """Only whitespace was released since the last marker."""
        self._danger = False
        """What was released last may end in half a marker."""
        self._out = StageOutput()
        self._kind: Kind = "marker"
        self._eaten = 0
        self._line_end = ""
        """The newline that belonged to the opener: text again if no body came."""
        self.taken: Counter[Kind] = Counter()
        """How many of each kind were taken out."""

    @property
    def plain(self) -> bool:
        """Text without the first characters of markers would pass, and change nothing here."""
        return not (self._buffer or self._body or self._out.line_blank or self._near or self._danger)

    def feed(self, text: str) -> Pieces:
        """Take more text; return what is certain."""
        self._queue.append(text)
        self._fed += len(text)
        return self._run(final=False)

    def finish(self, text: str = "") -> Pieces:
        """End of text, with the last of it."""
        self._queue.append(text)
        self._fed += len(text)
        return self._run(final=True)

    def _run(self, *, final: bool) -> Pieces:
        while True:
            while self._queue and len(self._buffer) <= 2 * LONGEST:
                self._pull()
            if not self._step(final and not self._queue):
                if not self._queue:
                    break
                self._pull()
        return self._out.take()

    def _pull(self) -> None:
        piece = self._queue.popleft()
        if len(piece) > SLICE:
            self._queue.extendleft(reversed([piece[at : at + SLICE] for at in range(0, len(piece), SLICE)]))
            piece = self._queue.popleft()
        self._buffer += piece

    def _step(self, final: bool) -> bool:
        """Do one thing; return False when more text is needed."""
        if self._body is not None:
            return self._read_body(self._body, final)
        buffer = self._buffer
        if not self._begun:
            return self._begin(final)
        if not buffer:
            return False
        found = next_marker(buffer, 0, self._out.line_blank)
        if found is None or (not final and found.start + LONGEST >= len(buffer)):
            edge = len(buffer) if final else begun(buffer, len(buffer), self._out.line_blank)
            if found is None or edge <= found.start:
                self._rest(edge, final)
                return False
        self._take(found)
        return True

    def _begin(self, final: bool) -> bool:
        """Look whether the reply begins inside reasoning."""
        for head, marker in heads().items():
            if self._buffer.startswith(head):
                self._begun = self._headless = True
                self._kind, self._eaten, self._line_end = "thought", 0, head
                self._buffer = self._buffer[len(head) :]
                self._body = StructuredBody(marker, nested=False)
                return True
            if not final and head.startswith(self._buffer):
                return False
        self._begun = True
        return True

    def _rest(self, edge: int, final: bool) -> None:
        """No certain marker is left: release all but what may become one."""
        start, more = chain(self._buffer, edge, self._out.line_blank)
        self._release(start)
        if not final:
            return
        self._danger = self._danger or more
        text = cut_half(self._buffer, self._out.line_blank, something_before=self._out.spoken)
        cut = len(text) < len(self._buffer)
        if cut and not text and self._danger:
            text = BARRIER
        self._buffer = text
        self._release(len(text))
        if cut:
            self._out.gap()

    def _release(self, upto: int) -> None:
        if not upto:
            return
        piece, self._buffer = self._buffer[:upto], self._buffer[upto:]
        self._out.emit(piece)
        self._danger = False
        self._near = self._near and piece.isspace()

    def _take(self, found: Found) -> None:
        start, more = chain(self._buffer, found.start, self._out.line_blank)
        held, rest = self._buffer[start : found.start], self._buffer[found.end :]
        before = self._buffer[found.start - 1] if found.start else self._out.last
        text = self._buffer[found.start : found.end]
        self._kind, self._eaten = found.marker.kind, 0
        self._line_end = "\n" if text.endswith("\n") else ""
        self._release(start)
        self._danger = self._danger or more
        self._out.gap()
        nested, self._near = self._near or found.marker.sure, True
        self._held, self._buffer = held, rest
        if found.marker.role == "open":
            self._structural = StructuredBody(found.marker, nested=nested)
            read = found.marker.body == "call" and self._wasted <= 65_536 + 4 * self._position() and grammars_for(text)
            self._body = CallReading(text) if read else self._structural
            self._in_ticks = before == "`" and not self._line_end
        else:
            self.taken["marker"] += 1
            self._rejoin()

    def _rejoin(self) -> None:
        """Text goes on where the removed piece stood."""
        if not self._held and self._danger:
            self._buffer = BARRIER + self._buffer
            self._release(len(BARRIER))
        self._buffer = self._held + self._buffer
        self._held = ""

    def _read_body(self, body: StructuredBody | CallReading, final: bool) -> bool:
        if self._in_ticks:
            alone = _alone_in_code(self._buffer, final)
            self._in_ticks = alone is None
            if alone:
                self._body = None
                self.taken["marker"] += 1
                self._rejoin()
            return alone is not None
        where, at = body.read(self._buffer, final)
        self._buffer = self._buffer[at:]
        self._eaten += at
        if where is Where.MORE:
            return False
        if isinstance(body, CallReading):
            self._wasted += body.wasted
            if where is Where.BACK:
                self._body, self._eaten = self._structural, 0
                self._give_back(body.given)
                return True
        self._body, headless, self._headless = None, self._headless, False
        if headless and where is Where.BACK:
            self._give_back(self._line_end + body.given)
            return True
        if headless:
            self._out.gap()
        whole = where is Where.OVER or self._eaten > len(body.given)
        self.taken[self._kind if whole else "marker"] += 1
        self._give_back(body.given if where is Where.OVER else self._line_end + body.given)
        self._rejoin()
        return True

    def _give_back(self, text: str) -> None:
        """Let what a body does not want be read again."""
        if text:
            self._queue.appendleft(self._buffer)
            self._queue.appendleft(text)
            self._buffer = ""

    def _position(self) -> int:
        """How much of the text was read."""
        return self._fed - len(self._buffer) - sum(map(len, self._queue))


def _alone_in_code(text: str, final: bool) -> bool | None:
    """Tell whether inline code ends right behind an opener, and prose follows: it is talked about and opens nothing.

    None: more text will tell.
    """
    found = _CODE_END.match(text)
    if found is None:
        return None if not text and not final else False
    if not found[2] and not final:
        return None
    return found[2] not in {"{", "[", "(", "<", "＜", "`"} and not (found[2].isalnum() and not found[1])
