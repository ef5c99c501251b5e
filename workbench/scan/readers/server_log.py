"""Logs of servers that run models: text, a record a line or over several lines, whatever stands before each.

Which records speak of replies is asked of `log_records`; this module finds them: blocks of the file are searched for the
literals that such records hold, and only those records are read. Logs that a container wrote as JSON lines are unwrapped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.scan.log_wrapping import line_field, log_blocks, log_head
from workbench.scan.readers.log_records import CERTAIN, SIGNS, read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.readers.plain_text import first_call
from workbench.scan.readers.session import microseconds
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply

_BEGIN = re.compile(
    rb"(?:\x1b\[[\d;]*m)?(?:\[?\d{4}-\d\d-\d\d|\[?\d\d[-/]\d\d[ T]\d\d:|\d\d:\d\d:\d\d|\[\d{4}|time=|ts=|level="
    rb"|\d+\.\d\d\.\d{3}\.\d{3} |\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|(?:srv|slot|res|que) |\[GIN\] "
    rb"|\((?:APIServer|EngineCore|Worker)|[IWEFD]\d{4} |[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )"
)
"""What a record begins with."""
_BRACE = re.compile(rb"\{\"")
"""What it begins with in logs of JSON lines."""
_LEVELS = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|level=|\d\d:\d\d:\d\d|^\d+\.\d\d\.\d{3}\.\d{3} [A-Z] "
)
_SIGN = re.compile(b"|".join(re.escape(sign.encode()) for sign in SIGNS))
_NEEDLES = tuple(sign.encode() for sign in SIGNS if not any(other in sign for other in SIGNS if other != sign))
"""What is searched: a sign that holds another one is found with it."""
_CERTAIN = re.compile(b"|".join(re.escape(sign.encode()) for sign in CERTAIN))
_COLOURS = re.compile(rb"\x1b\[[\d;]*[A-Za-z]")
_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?\d*\s?(Z|[+-]\d\d:?\d\d)?")
_SHORT_STAMP = re.compile(r"\b(\d\d)-(\d\d) (\d\d:\d\d:\d\d)")
_HEAD_LINES = 4
_LONGEST = 256 << 10
"""Bytes of one record."""


class _Record(NamedTuple):
    line: int
    text: str


def recognise(file: Opened) -> bool:
    """Text whose lines begin as records do, or that holds what records of replies hold."""
    if not file.text.strip() or "\0" in file.text[:4000]:
        return False
    head = log_head(file)
    text = head.decode("utf-8", "ignore")
    lines = [line for line in text[:20_000].splitlines() if line.strip()]
    begun = sum(bool(_BEGIN.match(line.encode("utf-8", "replace"))) for line in lines)
    stamped = sum(bool(_LEVELS.search(line[:120])) for line in lines)
    first = bool(lines) and _BEGIN.match(lines[0].encode("utf-8", "replace")) is not None
    return (
        bool(line_field(file))
        or ((first or begun * 2 >= len(lines)) and begun > 1 and _SIGN.search(head) is not None)
        or _CERTAIN.search(head) is not None
        or (begun * 2 >= len(lines) and stamped * 2 >= len(lines))
    )


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the records."""
    state = LogState(file.name)
    year = _year_of(file)
    told, last = False, 1
    for record in _records(file):
        stamp, last = _stamp(record.text[:200], year), record.line
        for reply in read_record(record.text, state):
            reply.line = record.line
            reply.place = str(record.line)
            reply.at_us = reply.at_us or stamp
            reply.source_text = reply.source_text or record.text[:8_000]
            told = True
            yield reply
        told = told or bool(state.troubles)
        yield from state.told(record.line)
    for reply in state.finish():
        told, reply.line, reply.place = True, reply.line or last, reply.place or str(last)
        yield reply
    if not told and (line := first_call(file)):
        yield Trouble(
            str(line),
            "Not known: something like a call stands here, in records of no known server. --from text reads all as one reply.",
        )


class _Signs:
    """Where signs stand in a block: each of them is searched once, which is faster than one expression for all."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._next = {sign: data.find(sign) for sign in _NEEDLES}

    def next(self, at: int) -> int:
        """The first sign from a place on; -1 without one."""
        first = -1
        for sign, place in self._next.items():
            if 0 <= place < at:
                place = self._next[sign] = self._data.find(sign, at)
            if place >= 0 and (first < 0 or place < first):
                first = place
        return first


def _records(file: Opened) -> Iterator[_Record]:
    """Records with a sign in them; a record ends where the next begins."""
    rest, line, ended = b"", 1, False
    blocks = log_blocks(file)
    while not ended:
        block = next(blocks, None)
        ended = block is None
        data = rest + (block or b"")
        at = counted = 0
        signs = _Signs(data)
        keep = len(data) if ended else max(data.rfind(b"\n", 0, len(data) - _LONGEST) + 1, 0)
        while (sign := signs.next(at)) >= 0:
            start = _start_of(data, sign, at)
            if start >= keep and not ended:
                break
            end = _end_of(data, sign, _BRACE if data[start : start + 2] == b'{"' else _BEGIN)
            line += data.count(b"\n", counted, start)
            counted = start
            yield _Record(line, _COLOURS.sub(b"", data[start:end]).decode("utf-8", "replace"))
            at = max(end, sign + 1)
        keep = max(keep, at) if not ended else len(data)
        line += data.count(b"\n", counted, keep)
        rest = data[keep:]


def _start_of(data: bytes, at: int, least: int) -> int:
    """Where the record that goes through a place begins: its own line, or one of the few lines before it."""
    own = start = data.rfind(b"\n", 0, at) + 1
    for _ in range(_HEAD_LINES):
        if _BEGIN.match(data, start) or data[start : start + 2] == b'{"':
            return start
        if start <= least:
            break
        start = data.rfind(b"\n", 0, start - 1) + 1
        if start < least:
            break
    return own


def _end_of(data: bytes, at: int, begin: re.Pattern[bytes]) -> int:
    """Where the record that goes through a place ends."""
    limit = at + _LONGEST
    while True:
        end = data.find(b"\n", at, limit)
        if end < 0:
            return min(len(data), limit)
        if begin.match(data, end + 1) or end + 1 >= len(data):
            return end
        at = end + 1


def _year_of(file: Opened) -> int:
    return int(file.changed_s // 31_556_952) + 1970 if file.changed_s else 0


def _stamp(text: str, year: int) -> int:
    """Return a record's time in UTC microseconds; 0 where it has none."""
    found = _STAMP.search(text)
    if found:
        fraction = f".{found[5]}" if found[5] else ""
        return microseconds(f"{found[1]}-{found[2]}-{found[3]}T{found[4]}{fraction}{found[6] or '+00:00'}")
    short = _SHORT_STAMP.search(text)
    return microseconds(f"{year}-{short[1]}-{short[2]}T{short[3]}+00:00") if short and year else 0
