"""What others put around a log's lines: containers and journals write each line into JSON, or a name before it.

{"log": "…\\n", "stream": "stderr", "time": …}       {"MESSAGE": "…", "__REALTIME_TIMESTAMP": …}       {"line": "…", "labels": …}
vllm-1  | …            [pod/vllm-0/main] …            2026-11-20T10:00:00.0Z stderr F …            Nov 20 10:00:00 host ollama[12]: …
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.scan.json_values import json_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

_FIELDS = (
    ("log", ("stream", "kubernetes")),
    ("MESSAGE", ("__REALTIME_TIMESTAMP", "_PID", "PRIORITY")),
    ("line", ("labels", "timestamp", "stream")),
    ("message", ("@timestamp", "ingestionTime", "kubernetes", "logStream")),
    ("@message", ("@timestamp",)),
    ("textPayload", ("insertId", "logName", "resource")),
)
"""The field that holds a log's line, and those of which one stands beside it."""
_NAMES = (
    re.compile(rb"[\w.\-]{1,80} +\| ?"),
    re.compile(rb"\[pod/[\w.\-/]+\] "),
    re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] "),
    re.compile(rb"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [\w./\-]+(?:\[\d+\])?: "),
)
_BLOCK = 1 << 20


def line_field(file: Opened) -> str:
    """The field of JSON lines that holds a log's own lines; empty: the file is not written so."""
    row = file.rows[0] if file.rows else None
    if not isinstance(row, dict):
        return ""
    return next(
        (name for name, beside in _FIELDS if isinstance(row.get(name), str) and any(one in row for one in beside)), ""
    )


def name_before(file: Opened) -> re.Pattern[bytes] | None:
    """What stands before each line of a log that several programs wrote into; None without it."""
    lines = [line for line in file.head[:20_000].split(b"\n")[:-1] if line.strip()] or [file.head]
    return next((one for one in _NAMES if sum(bool(one.match(line)) for line in lines) * 10 >= len(lines) * 9), None)


def log_head(file: Opened) -> bytes:
    """The first bytes of the log itself."""
    if line_field(file) or name_before(file):
        return next(log_blocks(file), b"")
    return file.head


def log_blocks(file: Opened) -> Iterator[bytes]:
    """The log's own bytes, whole lines where something stood around them; lines keep their numbers."""
    field, before = line_field(file), name_before(file)
    if not field and before is None:
        yield from file.blocks()
        return
    waiting: list[bytes] = []
    size = 0
    for _, line in file.lines(blank=True):
        waiting.append(_inner(line, field) if field else before.sub(b"", line, count=1) if before else line)
        size += len(line)
        if size > _BLOCK:
            yield b"\n".join(waiting) + b"\n"
            waiting, size = [], 0
    yield b"\n".join(waiting) + b"\n"


def _inner(line: bytes, field: str) -> bytes:
    row = json_value(line) if line.strip() else None
    text = row.get(field) if isinstance(row, dict) else None
    return text.rstrip("\n").encode("utf-8", "replace") if isinstance(text, str) else line
