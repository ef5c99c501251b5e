"""Takes calls without markers out of a text: call-shaped JSON, lists of it, pythonic lists, and fences around them.

Reads what `remover` lets through. In code (a fence, inline code) such shapes are only talked about and stay, unless
the fence holds nothing else. JSON that is no call passes as it is, as soon as its first members show it.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from workbench.formats.body_scan import JsonScan, PairScan, Scan
from workbench.formats.marker_search import chain, cut_half
from workbench.formats.markers import BARRIER, classify_label, label_matcher
from workbench.formats.patterns import alt, cls, lit, opt, seq

if TYPE_CHECKING:
    from workbench.formats.remover import Pieces

LIMIT = 1 << 20
"""A call without markers is at most this long."""
CODE_LIMIT = 1 << 15

_SPOT = re.compile(r"[{\[`~]")
_OBJECT_LIST = seq(lit("["), cls(r"\s", 0, 64), lit("{"))
_CALL_LIST = seq(
    lit("["),
    cls(r"\s", 0, 64),
    cls("[A-Za-z_]", 1, 1),
    cls(r"[\w.]", 0, 80),
    cls(r"\s", 0, 8),
    lit("("),
    cls(r"\s", 0, 64),
    alt(lit(")"), seq(cls("[A-Za-z_]", 1, 1), cls(r"\w", 0, 60), cls(r"\s", 0, 8), lit("="))),
)
_FENCE_LINE = seq(alt(lit("```"), lit("~~~")), cls("[`~]", 0, 10), cls(r"[^\n`]", 0, 80), opt(lit("\r")), lit("\n"))
_FENCE_END = re.compile(r"`{3,}|~{3,}")
_LISTS = {name: re.compile(part.full) for name, part in (("object", _OBJECT_LIST), ("call", _CALL_LIST))}
_LISTS_BEGUN = {name: re.compile(part.partial) for name, part in (("object", _OBJECT_LIST), ("call", _CALL_LIST))}
_OPEN = re.compile(_FENCE_LINE.full)
_OPEN_BEGUN = re.compile(_FENCE_LINE.partial)
_SPACE = re.compile(r"\s*+")
_BLANKS = re.compile(r"[ \t]*+")


class Markerless:
    """Pieces in, pieces out; what comes out does not depend on how the text was cut."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, int]] = []
        """Where in the text that was fed calls stood that are gone now."""
        self._fed = 0
        self._buffer = ""
        self._out: Pieces = []
        self._mode = self._text
        self._quiet = (self._text, self._in_fence)
        self._scan: JsonScan | PairScan | None = None
        self._lead = ""
        """Half markers that touch the candidate."""
        self._candidate: list[str] = []
        self._size = 0
        self._fence: list[str] | None = None
        """All since the opening line of a fence that may hold nothing but calls."""
        self._fence_gap = False
        """A marker was removed in it."""
        self._fence_taken: list[tuple[int, int]] = []
        """Calls in it that go if the fence goes."""
        self._line_blank = True
        self._before = ""
        self._spoken = False
        self._fresh = False
        """Something was taken out of the current line, which is blank otherwise."""
        self._after_call = False

    @property
    def plain(self) -> bool:
        """Text without brackets, fences and newlines would pass, and change nothing here."""
        if self._buffer or self._line_blank or self._fresh or self._after_call or self._before == "`":
            return False
        return self._mode in self._quiet

    def feed(self, pieces: Pieces) -> Pieces:
        """Take pieces; return what is certain."""
        for piece in pieces:
            if piece is None:
                self._gap()
            else:
                self._buffer += piece
                self._fed += len(piece)
                self._run(final=False)
        out, self._out = self._out, []
        return out

    def finish(self) -> Pieces:
        """End of text."""
        self._run(final=True)
        if self._fence is not None:
            self._leave_fence(drop=self._fence_empty)
        self._emit(self._buffer)
        self._buffer = ""
        out, self._out = self._out, []
        return out

    def _gap(self) -> None:
        if self._fence is not None:
            self._fence_gap = True
        else:
            self._out.append(None)

    def _run(self, *, final: bool) -> None:
        while self._mode(final):
            pass

    def _emit(self, text: str) -> None:
        if not text:
            return
        self._out.append(text)
        line = text.rfind("\n") + 1
        blank = not text[line:].strip(" \t")
        self._line_blank = blank and (line > 0 or self._line_blank)
        self._before = text[-1]
        self._spoken = self._spoken or not text.isspace()
        if line or not blank:
            self._fresh = False
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
        at = 0
        for spot in _SPOT.finditer(self._buffer):
            at = spot.start()
            kind = self._kind_at(at, final)
            if kind == "wait":
                self._pass(chain(self._buffer, at, self._line_blank)[0])
                return False
            if kind:
                return self._begin(kind, at)
        if final and self._fresh:
            self._cut_end()
        self._pass(len(self._buffer))
        return False

    def _cut_end(self) -> None:
        """A removed call made half a label the first thing in the last line."""
        rest = cut_half(self._buffer, self._line_blank, something_before=self._spoken)
        if rest != self._buffer:
            self._out.append(None)
        self._buffer = rest

    def _kind_at(self, at: int, final: bool) -> str:
        """Tell what begins here: `json`, `call` (a pythonic list), `fence`, nothing, or `wait`."""
        buffer = self._buffer
        char = buffer[at]
        if char in "`~":
            if not self._blank_before(at):
                return ""
            if _OPEN.match(buffer, at):
                return "fence"
            return "wait" if not final and _OPEN_BEGUN.match(buffer, at) else ""
        if (buffer[at - 1] if at else self._before) == "`":
            return ""
        if char == "{":
            return "json"
        return self._list_at(at, final, line_start=self._blank_before(at))

    def _list_at(self, at: int, final: bool, *, line_start: bool) -> str:
        if _LISTS["object"].match(self._buffer, at):
            return "json"
        if line_start and _LISTS["call"].match(self._buffer, at):
            return "call"
        names = ("object", "call") if line_start else ("object",)
        waits = not final and any(_LISTS_BEGUN[name].match(self._buffer, at) for name in names)
        return "wait" if waits else ""

    def _blank_before(self, at: int) -> bool:
        line = self._buffer.rfind("\n", 0, at) + 1
        return not self._buffer[line:at].strip(" \t") and (line > 0 or self._line_blank)

    def _begin(self, kind: str, at: int) -> bool:
        if kind == "fence":
            found = _OPEN.match(self._buffer, at)
            end = found.end() if found else at
            self._emit(self._buffer[:at])
            self._fence, self._fence_gap, self._fence_taken = [self._buffer[at:end]], False, []
            self._buffer = self._buffer[end:]
            self._mode = self._fence_head
            return True
        start, more = chain(self._buffer, at, self._line_blank)
        self._emit(self._buffer[:start])
        self._lead, self._buffer = self._buffer[start:at], self._buffer[at:]
        self._open(kind)
        if more and isinstance(self._scan, JsonScan):
            self._scan.doomed = True
        return True

    def _open(self, kind: str) -> None:
        self._scan = JsonScan() if kind == "json" else PairScan()
        self._candidate, self._size = [], 0
        self._mode = self._scanning

    def _take_label(self, final: bool) -> bool | None:
        """A removed call made this label the first thing in its line."""
        found = _BLANKS.match(self._buffer)
        at = found.end() if found else 0
        full, partial = label_matcher()
        if not final and partial.match(self._buffer, at):
            return False
        label = full.match(self._buffer, at)
        if label is None:
            return None
        self._buffer = self._buffer[label.end() :]
        self._out.append(None)
        self._mode = self._drop_line if classify_label(label.group()).body == "line" else self._mode
        return True

    def _drop_line(self, final: bool) -> bool:
        end = self._buffer.find("\n")
        self._buffer = self._buffer[end:] if end >= 0 else ""
        if end >= 0 or final:
            self._mode = self._text
        return end >= 0

    # ---- a candidate

    def _scanning(self, final: bool) -> bool:
        scan = self._scan
        if scan is None or not self._buffer:
            return final and scan is not None and self._settle(cut_off=True)
        where, at = scan.feed(self._buffer, 0, final)
        self._candidate.append(self._buffer[:at])
        self._size += at
        self._buffer = self._buffer[at:]
        if where is Scan.DONE:
            return self._settle(cut_off=False)
        if where is Scan.BROKEN:
            return self._keep()
        if self._size > LIMIT or (isinstance(scan, JsonScan) and scan.doomed):
            return self._let_pass()
        return final and self._settle(cut_off=True)

    def _settle(self, *, cut_off: bool) -> bool:
        """The candidate is complete, or the text ends in it: a call goes, anything else stays."""
        scan = self._scan
        if isinstance(scan, JsonScan):
            call = scan.almost_call if cut_off else scan.verdict in {"call", "calls"}
            call = call and not scan.doomed
        else:
            call = cut_off or _is_call_list("".join(self._candidate))
        if not call or self._size > LIMIT:
            return self._keep()
        self._scan = None
        end = self._fed - len(self._buffer)
        place = (end - self._size, end)
        if self._fence is not None:
            self._fence.extend(self._candidate)
            self._fence_taken.append(place)
            self._mode = self._fence_head
            return True
        self.taken.append(place)
        blank = self._line_blank and not self._lead
        if self._lead:
            self._emit(self._lead + BARRIER)
        self._out.append(None)
        self._fresh, self._after_call = blank, True
        self._mode = self._text
        return True

    def _keep(self) -> bool:
        text = self._lead + "".join(self._candidate)
        self._scan, self._lead, self._candidate = None, "", []
        if self._fence is not None:
            self._fence.append(text)
            self._leave_fence(drop=False)
            self._mode = self._in_fence
        else:
            self._emit(text)
            self._mode = self._text
        return True

    def _let_pass(self) -> bool:
        if self._fence is not None:
            return self._keep()
        self._emit(self._lead + "".join(self._candidate))
        self._lead, self._candidate = "", []
        self._mode = self._passing
        return True

    def _passing(self, final: bool) -> bool:
        """JSON that is no call: nothing inside of it is looked at."""
        if self._scan is None or not self._buffer:
            return False
        where, at = self._scan.feed(self._buffer, 0, final)
        self._pass(at)
        if where is not Scan.MORE:
            self._scan = None
            self._mode = self._text
            return True
        return False

    # ---- fences

    def _fence_head(self, final: bool) -> bool:
        """Behind a fence's opening line, or behind a call in it: only calls and the closing fence keep it together."""
        assert self._fence is not None
        found = _SPACE.match(self._buffer)
        at = found.end() if found else 0
        self._fence.append(self._buffer[:at])
        self._buffer = self._buffer[at:]
        if not self._buffer:
            if sum(map(len, self._fence)) > LIMIT:
                self._leave_fence(drop=False)
                self._mode = self._in_fence
            return False
        char = self._buffer[0]
        kind = ""
        if char in "`~":
            if not final and len(self._buffer) < 3 and self._buffer == char * len(self._buffer):
                return False
            closing = _FENCE_END.match(self._buffer)
            if closing:
                return self._close_fence(closing.end())
        elif char == "{":
            kind = "json"
        elif char == "[":
            kind = self._list_at(0, final, line_start=True)
        if kind == "wait":
            return False
        if kind:
            self._open(kind)
            return True
        self._leave_fence(drop=False)
        self._mode = self._in_fence
        return True

    def _close_fence(self, end: int) -> bool:
        empty = self._fence_empty
        self._leave_fence(drop=empty)
        if empty:
            self._buffer = self._buffer[end:]
            self._fresh = self._line_blank
        else:
            self._pass(end)
        self._mode = self._text
        return True

    @property
    def _fence_empty(self) -> bool:
        return self._fence_gap or bool(self._fence_taken)

    def _leave_fence(self, *, drop: bool) -> None:
        text = "".join(self._fence or ())
        self._fence = None
        if drop:
            self.taken.extend(self._fence_taken)
        if drop or self._fence_gap:
            self._out.append(None)
        if not drop:
            self._emit(text)

    def _in_fence(self, final: bool) -> bool:
        """Code: passes as it is, up to the closing fence."""
        at = 0
        while True:
            found = _FENCE_END.search(self._buffer, at)
            if found is None:
                break
            at = found.end()
            if self._blank_before(found.start()):
                self._pass(at)
                self._mode = self._text
                return True
        tail = len(self._buffer) - len(self._buffer.rstrip("`~"))
        self._pass(len(self._buffer) - (0 if final else min(tail, 2)))
        return False


def _is_call_list(text: str) -> bool:
    """Tell whether `[f(a=1), g(b=2)]` is a list of calls with keyword arguments."""
    if len(text) > CODE_LIMIT:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return re.search(r"\)\s*\]\Z", text) is not None
    return isinstance(body, ast.List) and all(
        isinstance(item, ast.Call) and isinstance(item.func, ast.Name | ast.Attribute) and not item.args
        for item in body.elts
    )
