"""JSON calls without any marker: an object in the text that holds a name and arguments, or a list of such objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.calls import Outcome, ParseProblem
from workbench.formats.kit.broken_list import salvage
from workbench.formats.kit.call_keys import ARGUMENT_KEYS, FIRST_WORDS, LIST_KEYS, NAME_KEYS
from workbench.formats.kit.calls import Item, mention, report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt, Grammar, Idle
from workbench.formats.kit.in_sentence import is_made
from workbench.formats.kit.json_body import MEND_TRIES, Body, mended_body, source_of
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import QUICK_TRIES, JsonRead, read_json, read_strict
from workbench.formats.kit.tag_markers import FOREIGN_TAGS
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_OWN_KEYS = "|".join(map(re.escape, (*NAME_KEYS, *ARGUMENT_KEYS, *LIST_KEYS, "type", "id", "thought")))
_KEYS = rf"{_OWN_KEYS}|{FIRST_WORDS}"
_ESCAPED = r"""["'][\w.\-]{0,30}\\u00[\w.\-\\]{2,30}["']\s{0,9}:"""
"""A key with escaped letters."""
_OBJECT = rf"""\{{\s{{0,40}}(?:["'“‘”’]?(?:{_KEYS})["'”’“‘]?\s{{0,9}}:|["'][\w.\-]{{1,64}}["']\s{{0,9}}:\s{{0,9}}["']?\{{|{_ESCAPED})"""
_STEP = re.compile(
    rf"""\{{\s*(?!["'“‘”’]?(?:{_OWN_KEYS})["'”’“‘]?\s*:)["'“‘”’]?(?:{FIRST_WORDS})["'”’“‘]?\s*:\s*(?!\{{)"""
)
"""An object that begins like an agent's step, and not like a call."""
_OBJECT_HOLD = r"""\{\s{0,40}["'“‘”’]?[\w.\-\\]{0,64}["'”’“‘]?\s{0,9}:?\s{0,9}["']?"""
_PATTERNS = (
    ("call", _OBJECT, _OBJECT_HOLD),
    ("list", rf"\[\s{{0,40}}(?={_OBJECT})", rf"\[\s{{0,40}}(?:{_OBJECT_HOLD})?"),
)
_TAGS = {**dict.fromkeys(FOREIGN_TAGS, "tag"), "[TOOL_CALLS]": "tag"}
_NAME = re.compile(r"""["'](?:name|tool|tool_name|function)["']\s*:\s*["']([\w.\-:/]{1,128})["']""")
_ARGUMENTS = re.compile(rf"""["'](?:{"|".join(map(re.escape, ARGUMENT_KEYS))})["']\s*:\s*\{{""")
_BRACES = re.compile(r"\s*[}\]]")
_NAME_REACH = 2000
_WASTE = 65_536
"""Walking to no end is allowed for so many characters, and some more in long replies."""
_MORE_BRACES = re.compile(r"[}\]\s]*+")


_WORDS_AFTER = re.compile(r",?[ \t]{1,2}[^\W\d_]{2,}(?:[ \t,.]|\Z)")
"""Words that a sentence goes on with."""
_AHEAD = 40


def goes_on(scan: Scanner, at: int) -> Step[bool]:
    """Tell whether words follow on the same line."""
    yield from scan.at_least(at + _AHEAD)
    return _WORDS_AFTER.match(scan.text, at, at + _AHEAD) is not None


class BareJson(Grammar):
    """A grammar of calls as plain JSON."""

    spots: str | None = "{"
    envelope = Envelope()
    markerless = True
    steady: Mapping[str, bool] = {"call": False, "tag": True, "token": True}
    reach = 176
    fence_labels: tuple[str, ...] = ("json", "tool", "tool_call", "tool_code", "tool_use", "")
    own_key = False
    """The name's key is so peculiar that it marks an attempt by itself."""

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for objects that begin like a call, and lists of them."""
        return _PATTERNS

    def literals(self) -> Mapping[str, str]:
        """Return tags of other families: they go with the call that stands in them."""
        return _TAGS

    def idle(self, marker: str, kind: str) -> Idle | None:  # noqa: ARG002
        """Another family's tag counts before a value alone, which may stand in a fence."""
        return Idle(kept=True, behind=rf"[\s{INVISIBLE}]*+[`{{\[]") if kind == "tag" else None

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one value. Directly after another family's marker it is that family's call."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "tag":
            return (yield from self.tagged(scan, start, at))
        repairs = ("wrong_family",) if scan.prose.after_marker else ()
        inside = scan.prose.in_sentence and not (scan.prose.announced_below or is_made(scan.prose.tail))
        attempt = yield from self.value(scan, start, start, repairs)
        if attempt is None or attempt.as_text or not attempt.items:
            return attempt
        if inside and (yield from goes_on(scan, attempt.end)):
            for item in attempt.items:
                scan.problem(mention(item.span, item.name, "it stands in a sentence"))
            return Attempt(attempt.end, as_text=True)
        return (yield from self._closed(scan, attempt))

    def tagged(self, scan: Scanner, start: int, at: int, *, marked: bool = False) -> Step[Attempt | None]:
        """Read the values after another family's tag, which may stand in a fence."""
        at = yield from scan.space(at)
        fence = yield from scan.literal(at, "```")
        repairs: tuple[str, ...] = ("wrong_family",)
        if fence >= 0:
            label = yield from scan.literal(fence, "json", "tool_call")
            at = yield from scan.space(max(fence, label))
            repairs += ("fenced",)
        if scan.text[at : at + 1] not in ("{", "["):
            return None
        attempt = yield from self.value(scan, start, at, repairs, marked=marked)
        return (yield from self._closed(scan, attempt, fenced=fence >= 0)) if attempt else None

    @staticmethod
    def _closed(scan: Scanner, attempt: Attempt, *, fenced: bool = False) -> Step[Attempt]:
        """Take the ends of the fence and of the tag with the call."""
        if attempt.as_text:
            return attempt
        if fenced and (end := (yield from scan.literal((yield from scan.space(attempt.end)), "```"))) >= 0:
            attempt = attempt._replace(end=end)
        close = yield from scan.literal((yield from scan.space(attempt.end)), *FOREIGN_TAGS.values())
        return attempt._replace(end=close) if close >= 0 else attempt

    def value(
        self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...] = (), *, marked: bool = False
    ) -> Step[Attempt | None]:
        """Read values from `at` on, whose attempt began at `start`; `marked`: a marker before says that they are calls."""
        found: list[Item] = []
        done = at
        while True:
            attempt = yield from self._one(scan, start, at, repairs, marked)
            if attempt is None or attempt.as_text:
                return Attempt(done, tuple(found)) if found else attempt
            found.extend(attempt.items)
            done = attempt.end
            following = (yield from self._next(scan, done)) if attempt.items else -1
            if following < 0:
                return Attempt(done, tuple(found))
            start = at = following

    def _one(self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], marked: bool) -> Step[Attempt | None]:
        """Read the value at `at`."""
        read = read_strict(scan.text, at) if scan.failures <= QUICK_TRIES else None
        stop = 0
        if read is None:
            scan.failures += at > 4096
            state, stop = yield from scan.json_end(at)
            read = self._loose(scan, at, state, stop)
        body = Body(read.value, read.end, read.repairs)
        if read.error:
            stop = max(stop, read.end)
            mended = (yield from self._mended(scan, at, stop)) if read.error == "bad_json" else None
            if mended is None:
                return self._refused(scan, start, at, stop, read, marked)
            body = mended
        end, more = body.end, repairs + body.repairs
        junk = yield from self._junk(scan, end)
        if junk > end:
            end, more = junk, (*more, "extra_brace")
        sure = marked or self._canonical(scan, body.value) or self._named(scan, body.value)
        source = source_of(scan, at, body, scan.span(start, end), self.format, more, canonical=sure)
        items = self.envelope.items(body.value, source, scan.tools)
        if items is None or (not items and not source.canonical and (body.value or scan.prose.spoke_ever)):
            return Attempt(self._inside(scan, at, end), as_text=True)
        if not marked and any(isinstance(item, ParseProblem) and item.outcome is Outcome.IGNORED for item in items):
            return self._echo(scan, end, items)
        return Attempt(end, tuple(items))

    @staticmethod
    def _mended(scan: Scanner, at: int, stop: int) -> Step[Body | None]:
        """Read the value that names a tool before `stop`, where it breaks off, with quotes left unescaped in strings, if it ends
        with its line, or with a closing brace that begins one."""
        named = _NAME.search(scan.text, at, min(stop, at + _NAME_REACH))
        if named is None or named.group(1) not in scan.tools.by_name or scan.mends >= MEND_TRIES:
            return None
        named = None
        found = yield from scan.find(at, "\n")
        end = found[0] if found else len(scan.text)
        if not scan.text[at:end].rstrip().endswith(("}", "]")):
            found = yield from scan.find(at, "\n}")
            end = found[1] if found else len(scan.text)
        return None if found is None and scan.cut_short else mended_body(scan, at, end)

    @staticmethod
    def _inside(scan: Scanner, at: int, end: int) -> int:
        """Where to look on behind an object that is no call: in it, if it only begins like an agent's step."""
        if _STEP.match(scan.text, at) is None:
            return end
        scan.wasted += end - at
        return end if scan.wasted > _WASTE + 4 * (scan.base + end) else at + 1

    @staticmethod
    def _echo(scan: Scanner, end: int, items: list[Item]) -> Attempt:
        """A repeated tool definition is text; the note that it looks like a call is kept."""
        for item in items:
            if isinstance(item, ParseProblem):
                scan.problem(item)
        return Attempt(end, as_text=True)

    def _named(self, scan: Scanner, value: Any) -> bool:
        """True where the format's peculiar key holds a declared name, or only that stands behind a call: arguments may be missing."""
        if not isinstance(value, dict):
            return False
        next_one = len(value) == 1 and scan.number > 0 and not scan.prose.spoke
        name = value.get(self.envelope.name) if self.own_key or next_one else None
        return isinstance(name, str) and name in scan.tools.by_name

    def _canonical(self, scan: Scanner, value: Any) -> bool:
        """True for the format's own shape; without declared tools for any shape that only a call has."""
        return self._own(value) or (not scan.tools.declared and self.envelope.plain(value))

    def _own(self, value: Any) -> bool:
        if isinstance(value, list):
            return bool(value) and all(map(self._own, value))
        envelope = self.envelope
        if envelope.many:
            return isinstance(value, dict) and isinstance(value.get(envelope.many), list)
        return (
            isinstance(value, dict)
            and isinstance(value.get(envelope.name), str)
            and any(key in value for key in envelope.arguments)
        )

    @staticmethod
    def _loose(scan: Scanner, at: int, state: End, stop: int) -> JsonRead:
        """Read a value that is no strict JSON; closing brackets are added only at the end of a whole reply."""
        end = stop if state is not End.BROKEN else len(scan.text[:stop].rstrip())
        close = state is not End.DONE and not scan.cut_short
        read = read_json(scan.text, at, end, close=close)
        if read.error == "bad_json" and state is End.MORE:
            return read._replace(end=stop)
        return read if read.error or state is not End.DONE else read._replace(end=stop)

    def _refused(self, scan: Scanner, start: int, at: int, stop: int, read: JsonRead, marked: bool) -> Attempt | None:
        """The value cannot be read: an attempt where its beginning says so, else text."""
        found = _NAME.search(scan.text, at, min(stop, at + _NAME_REACH))
        name = found.group(1) if found else ""
        known = name in scan.tools.by_name or (self.own_key and self._begins(scan, at))
        known = known or (bool(name) and not scan.tools.declared and _ARGUMENTS.search(scan.text, at, stop) is not None)
        if not (marked or known):
            scan.wasted += stop - at
            if scan.wasted > _WASTE + 4 * (scan.base + stop):
                return Attempt(stop, as_text=True)
            return None
        if scan.text[at] == "[" and read.error != "too_large":
            saved = salvage(scan.text, at, stop, scan.base, self.envelope, scan.tools, self.format, canonical=True)
            if saved:
                return Attempt(stop, saved)
        ended = scan.closed and stop >= len(scan.text)
        code = "bad_json" if read.error == "truncated" and not ended else read.error
        message = "The call is cut off." if code == "truncated" else f"The call is no readable JSON. {read.message}"
        return Attempt(stop, (report(code, scan.span(start, stop), message, name=name),))

    def _begins(self, scan: Scanner, at: int) -> bool:
        key = re.escape(self.envelope.many or self.envelope.name)
        begin = rf"""\[?\s*\{{\s*["'“‘]?{key}["'”’]?\s*:"""
        return re.compile(begin).match(scan.text, at) is not None

    @staticmethod
    def _junk(scan: Scanner, at: int) -> Step[int]:
        """Skip closing brackets that are too many."""
        yield from scan.space(at)
        if _BRACES.match(scan.text, at) is None:
            return at
        end = at
        while True:
            end = _MORE_BRACES.match(scan.text, end).end()  # type: ignore[union-attr]
            if end < len(scan.text) or not (yield from scan.more()):
                return at + len(scan.text[at:end].rstrip())

    @staticmethod
    def _next(scan: Scanner, at: int) -> Step[int]:
        """Return where the next object begins if it follows after a comma or semicolon, or -1."""
        ahead = yield from scan.space(at)
        if scan.text[ahead : ahead + 1] not in (",", ";"):
            return -1
        ahead = yield from scan.space(ahead + 1)
        return ahead if scan.text[ahead : ahead + 1] == "{" else -1
