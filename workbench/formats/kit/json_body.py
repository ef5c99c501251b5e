"""One JSON value in a reply: by its structure, and where that is broken, up to the next marker."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.envelope import JsonSource
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import QUICK_TRIES, JsonRead, read_json, read_strict
from workbench.formats.kit.quoted_marks import next_mark

if TYPE_CHECKING:
    from workbench.core.calls import Span
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

MEND_TRIES = 32
"""How many broken bodies of one reply are searched for quotes that were not escaped."""
_LITTLE = 256
_NEXT_CALL = re.compile(r"""\}\s*,\s*\{\s*"name"\s*:\s*\"""")


class Body(NamedTuple):
    """One JSON value as found in the text."""

    value: Any
    end: int
    repairs: tuple[str, ...] = ()
    error: str = ""
    message: str = ""
    mended: str = ""
    """The value's text with quotes inside strings made harmless, where they had not been escaped."""


def json_body(scan: Scanner, at: int, boundaries: tuple[str, ...], name: str = "") -> Step[Body]:
    """Read the JSON value at `at`: by its structure; where that is broken, up to the next marker.

    `name` is the tool whose arguments these are; without it they are in the value, with the name.
    """
    if scan.failures <= QUICK_TRIES and not _unclosed(scan.text, at):
        strict = read_strict(scan.text, at)
        if strict is not None:
            return Body(strict.value, strict.end, strict.repairs, strict.error, strict.message)
        scan.failures += at > 4096
    state, stop = yield from scan.json_end(at)
    if state is End.DONE:
        read = read_json(scan.text, at, stop)
        if not read.error or read.error == "too_large":
            return Body(read.value, stop, read.repairs, read.error, read.message)
    elif state is End.MORE:
        read = read_json(scan.text, at, stop, close=not scan.cut_short)
        if not read.error:
            return Body(read.value, stop, read.repairs)
    else:
        read = JsonRead(None, stop, error="bad_json")
    return (yield from _broken(scan, at, state, stop, read, boundaries, name))


def _unclosed(text: str, at: int) -> bool:
    """True if what is there of a value is little, and without a bracket that could close it."""
    return len(text) - at < _LITTLE and text.find("]" if text.startswith("[", at) else "}", at) < 0


def _broken(
    scan: Scanner, at: int, state: End, stop: int, read: JsonRead, boundaries: tuple[str, ...], name: str
) -> Step[Body]:
    """The structure gives no value: try what stands before the next marker."""
    begin = stop if state is End.BROKEN and scan.text[stop : stop + 1] in ("<", "[", "&") else at
    if begin > at:
        found = yield from scan.find(begin, *boundaries)
    else:
        found = yield from next_mark(scan, at, stop, boundaries)
    if found is None and begin == at and state is End.MORE:
        message = "The call is cut off." if read.error == "truncated" else read.message
        return Body(None, stop, (), read.error, message)
    end = found[0] if found else len(scan.text)
    scan.wasted += max(0, stop - end)
    if scan.wasted > 65_536 + 4 * (scan.base + stop):
        return Body(None, stop, (), "bad_json", "The call's JSON is broken.")
    again = read_json(scan.text, at, end, close=not scan.cut_short or found is not None)
    if not again.error and not scan.text[again.end : end].strip("}] \t\r\n"):
        extra = ("extra_brace",) if scan.text[again.end : end].strip() else ()
        return Body(again.value, end, again.repairs + extra)
    if (found is not None or not scan.cut_short) and (mended := mended_body(scan, at, end, name)) is not None:
        return mended
    if found is None and not scan.text[stop:].strip():
        return Body(None, end, (), "truncated", "The call is cut off.")
    close = found[1] if found and scan.text[found[0] : found[0] + 2] in ("</", "[/", "<|") else end
    error = again.error or "bad_json"
    if found is not None and error == "truncated":
        error = "bad_json"
    return Body(None, close, (), error, again.message or "The call's JSON is broken.")


def mended_body(scan: Scanner, at: int, end: int, name: str = "") -> Body | None:
    """Try quotes that were not escaped inside of strings."""
    if scan.mends >= MEND_TRIES:
        return None
    from workbench.formats.kit.inner_quotes import mend_quotes  # only broken JSON needs it

    scan.mends += 1
    found = mend_quotes(scan.text, at, end, scan.tools, name)
    if found is None:
        return None
    read, mended = found
    if scan.text[at] == "[" and len(_NEXT_CALL.findall(scan.text, at, end)) >= str(read.value).count("'name': "):
        return None  # a text swallowed the next call
    return Body(read.value, at + read.end, read.repairs, mended=mended)


def source_of(
    scan: Scanner, at: int, body: Body, outer: Span, form: str, repairs: tuple[str, ...], *, canonical: bool
) -> JsonSource:
    """Say where a body stands; one that was mended is looked up in its own text, and never the quick way."""
    if not body.mended:
        return JsonSource(
            scan.text, at, body.end, scan.base, form=form, repairs=repairs, canonical=canonical, outer=outer
        )
    source = JsonSource(
        body.mended, 0, len(body.mended), scan.base + at, form=form, repairs=repairs, canonical=canonical, outer=outer
    )
    source.marks()
    return source
