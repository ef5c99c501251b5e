"""What `lms log stream` of LM Studio prints without `--json`: records of what was asked and what the model wrote.

timestamp: 11/20/2026, 3:16:40 PM
type: llm.prediction.output
modelIdentifier: coder-7b
output:
…

With `--stats` lines of numbers follow the text. Lines of colour are taken off.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from workbench.scan.bodies import short
from workbench.scan.reply import Channel, FoundReply, Trouble, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

_COLOURS = re.compile(rb"\x1b\[[\d;]*[A-Za-z]")
_KIND = re.compile(r"^type: llm\.prediction\.(input|output)\s*$", re.MULTILINE)
_FIELD = re.compile(r"(modelIdentifier|modelPath|type|label): (.*)")
_STAT = re.compile(r"(\w+): ([\w.+-]+)")
_STATS = frozenset(
    "stopReason tokensPerSecond numGpuLayers timeToFirstTokenSec totalTimeSec promptTokensCount predictedTokensCount totalTokensCount"
    " usedDraftModelKey totalDraftTokensCount acceptedDraftTokensCount rejectedDraftTokensCount ignoredDraftTokensCount".split()
)
_ONLY_ASKED = (
    "Not known: only what was asked stands here. `lms log stream --filter input,output` prints what the model writes."
)


def recognise(file: Opened) -> bool:
    """A record's second line."""
    return _KIND.search(_COLOURS.sub(b"", file.head).decode("utf-8", "ignore")) is not None


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies, with what was asked before them."""
    asked: dict[str, tuple[Turn, ...]] = {}
    told = False
    for number, lines in _records(file):
        fields = {found[1]: found[2] for line in lines[:6] if (found := _FIELD.fullmatch(line.rstrip()))}
        kind, model = fields.get("type", "").rpartition(".")[2], fields.get("modelIdentifier", "")
        text, at = _body(lines, kind)
        if kind == "input":
            asked[model] = (Turn("prompt", short(text[-400:])),)
        elif kind == "output":
            told = True
            yield _reply(text, number + at, model, asked.pop(model, ()), lines[0])
    if not told:
        yield Trouble("1", _ONLY_ASKED)


def _records(file: Opened) -> Iterator[tuple[int, list[str]]]:
    """Records with the numbers of their first lines, which are those of their times."""
    lines: list[str] = []
    begun = 0
    for number, data in file.lines(blank=True):
        line = _COLOURS.sub(b"", data).decode("utf-8", "replace").rstrip("\r")
        if _KIND.match(line) and lines and lines[-1].startswith("timestamp: "):
            first = lines.pop()
            if begun:
                yield begun, lines
            lines, begun = [first], number - 1
        lines.append(line)
    if begun:
        yield begun, lines


def _body(lines: list[str], kind: str) -> tuple[str, int]:
    """The text of a record and the place of its first line; older ones stand in quotes behind the colon."""
    for at, line in enumerate(lines[:8]):
        if line.startswith(f"{kind}:"):
            first = line[len(kind) + 1 :].strip()
            text = "\n".join([first, *lines[at + 1 :]] if first else lines[at + 1 :]).rstrip("\n")
            quoted = first.startswith('"') and len(text) > 1 and text.endswith('"')
            return (text[1:-1] if quoted else text), at if first else at + 1
    return "", 0


def _reply(text: str, line: int, model: str, context: tuple[Turn, ...], stamp: str) -> FoundReply:
    lines = text.split("\n")
    stats: dict[str, str] = {}
    while lines and (found := _STAT.fullmatch(lines[-1].rstrip())) and found[1] in _STATS:
        stats[found[1]] = found[2]
        lines.pop()
    if lines and lines[-1] == "No stats available":
        lines.pop()
    count = stats.get("predictedTokensCount", "")
    return FoundReply(
        str(line), "\n".join(lines), model=model, server="LM Studio", channel=Channel.RAW, context=context, line=line,
        finish=stats.get("stopReason", ""), output_tokens=int(count) if count.isdigit() else None, at_us=_moment(stamp),
    )  # fmt: skip


def _moment(stamp: str) -> int:
    """UTC microseconds of a time as it is written in English of America; other spellings cannot be told apart."""
    with suppress(ValueError, OverflowError, OSError):
        plain = " ".join(stamp.removeprefix("timestamp: ").split())
        return int(datetime.strptime(plain, "%m/%d/%Y, %I:%M:%S %p").astimezone().timestamp() * 1_000_000)
    return 0
