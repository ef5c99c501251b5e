"""Reports and notes in Markdown: what stands in their fenced blocks, each read as what it is, or a conversation under headings.

The server answered:
```json
{"choices": [{"message": {"content": "<tool_call>…"}}]}
```
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from workbench.scan.opened import Opened
from workbench.scan.readers import plain_text
from workbench.scan.reply import Reply, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.readers.table import ReaderRow

_SUFFIXES = frozenset({".md", ".markdown", ".mdx"})
_FENCED = re.compile(
    r"^(?P<indent>[ \t]{0,8})(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[\w+#.-]*)[^\n`]*\n(?P<body>.*?)(?:^[ \t]{0,8}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_BARE = frozenset({"", "text", "txt", "xml", "json", "plaintext"})
"""Languages of blocks that may be a model's own words: a program that holds markup is none."""


class FencedBlock(NamedTuple):
    """A fenced block whose kind is known."""

    line: int
    """Of its first line."""
    file: Opened
    row: ReaderRow


def recognise(file: Opened) -> bool:
    """A file of that name with a conversation, or a block that some reader knows."""
    if file.path is None or not _SUFFIXES & {suffix.lower() for suffix in file.path.suffixes}:
        return False
    return plain_text.is_transcript(file) or next(_blocks(file), None) is not None


def _blocks(file: Opened) -> Iterator[FencedBlock]:
    from workbench.scan.readers.table import recognised

    text = file.bytes(plain_text.MOST).decode("utf-8", "replace")
    for found in _FENCED.finditer(text):
        inside = Opened(textwrap.dedent(found["body"]))
        row = recognised(inside, named=True) if inside.size else None
        if row is not None and (row.kind != "text" or found["info"].lower() in _BARE):
            yield FencedBlock(text.count("\n", 0, found.start("body")) + 1, inside, row)


def read(file: Opened) -> Iterator[Reply | Trouble]:
    """Yield the replies of the conversation, or of each block."""
    if plain_text.is_transcript(file):
        yield from plain_text.read_transcript(file)
        return
    for block in _blocks(file):
        for item in block.row.read(block.file):
            place = f"{block.line} ({item.place})"
            if isinstance(item, Trouble):
                yield Trouble(place, item.message)
                continue
            item.line = block.line + max(item.line - 1, 0)
            item.place = str(block.line) if block.row.kind == "text" else place
            yield item
