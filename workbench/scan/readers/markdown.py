"""Reports and notes in Markdown: what stands in their fenced blocks, each read as what it is, or a conversation under headings.

The server answered:
```json
{"choices": [{"message": {"content": "<tool_call>…"}}]}
```
"""

from __future__ import annotations

import re
import textwrap
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from workbench.scan.bodies import offered
from workbench.scan.json_values import json_value
from workbench.scan.opened import Opened
from workbench.scan.readers import plain_text
from workbench.scan.reply import FoundReply, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.tools import ToolSpec
    from workbench.scan.readers.table import ReaderRow

_SUFFIXES = frozenset({".md", ".markdown", ".mdx"})
_FENCED = re.compile(
    r"^(?P<indent>[ \t]{0,8})(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[\w+#.-]*)[^\n`]*\n(?P<body>.*?)(?:^[ \t]{0,8}(?P=fence)[`~]*[ \t]*\r?$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_PRINTED = re.compile(r"\s*(?:ChatCompletion|ChatCompletionMessage)\(")
"""A reply as Python prints it."""
_BARE = frozenset({"", "text", "txt", "xml", "json", "plaintext"})
"""Languages of blocks that may be a model's own words: a program that holds markup is none."""


class Fenced(NamedTuple):
    """A fenced block of a text."""

    info: str
    """The language that it names."""
    body: str
    start: int
    """Of its fence."""
    end: int
    at: int
    """Where the body begins."""


def fenced(text: str) -> Iterator[Fenced]:
    """Yield the fenced blocks of a text; one without an end reaches to the end of the text."""
    for found in _FENCED.finditer(text):
        yield Fenced(found["info"], textwrap.dedent(found["body"]), found.start(), found.end(), found.start("body"))


class FencedBlock(NamedTuple):
    """A fenced block whose kind is known."""

    line: int
    """Of its first line."""
    file: Opened
    row: ReaderRow


def recognise(file: Opened) -> bool:
    """A file of that name with a conversation, or a block that some reader knows."""
    names = PurePath(file.name if file.suffix else "").suffixes
    if not _SUFFIXES & {suffix.lower() for suffix in names}:
        return False
    return plain_text.is_transcript(file) or next(_blocks(file), None) is not None


def _blocks(file: Opened) -> Iterator[FencedBlock]:
    from workbench.scan.readers.table import reader_row, recognised

    text = file.bytes(plain_text.MOST).decode("utf-8", "replace")
    for found in fenced(text):
        inside = Opened(found.body)
        row = recognised(inside, named=True) if inside.size else None
        if row is not None and row.kind == "text" and _PRINTED.match(found.body):
            row = reader_row("log")
        if row is not None and (row.kind != "text" or found.info.lower() in _BARE):
            yield FencedBlock(text.count("\n", 0, found.at) + 1, inside, row)


def _declared(file: Opened) -> tuple[ToolSpec, ...]:
    """The tools that a block of JSON declares; they are no reply, and may be called in the other blocks."""
    value = json_value(file.text) if file.whole and file.text.lstrip()[:1] in ("[", "{") else None
    listed = value.get("tools") if isinstance(value, dict) and "choices" not in value else value
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return ()
    signs = {"parameters", "input_schema", "inputSchema", "functionDeclarations"}
    inner = [one.get("function", one) for one in listed]
    return offered({"tools": listed}) if all(isinstance(one, dict) and signs & one.keys() for one in inner) else ()


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the conversation, or of each block."""
    if plain_text.is_transcript(file):
        yield from plain_text.read_transcript(file)
        return
    blocks = list(_blocks(file))
    declared = [_declared(block.file) for block in blocks]
    tools = next(filter(None, declared), None)
    for block, declares in zip(blocks, declared, strict=True):
        for item in block.row.read(block.file) if not declares else ():
            place = f"{block.line} ({item.place})"
            if isinstance(item, Trouble):
                yield Trouble(place, item.message)
                continue
            item.tools = tools if item.tools is None else item.tools
            item.line = block.line + max(item.line - 1, 0)
            item.place = str(block.line) if block.row.kind == "text" else place
            yield item
