"""The pieces of what people write about a failure: blocks of code, and what stands between them without a fence.

The text of an issue has fences while it is written; copied from its page, or out of a mail, it has none. What can be told then
by itself: JSON, the lines of a stream, a command, a script, and paragraphs that may hold a call.
"""

from __future__ import annotations

import ast
import html
import json
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from workbench.app.pasted_objects import document_in
from workbench.scan.prefilter import may_hold_call
from workbench.scan.readers.markdown import fenced

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 64
"""Pieces of a text."""
_MOST_TRIES = 200
"""Lines at which a document may begin: each is looked at to its end."""
_MOST_LINES = 120
"""Lines of a command or a script."""
_RECORD = re.compile(r"(?:data|event|id|retry):|:\s")
"""A line of server-sent events."""
_COMMAND = re.compile(r"\s{0,8}(?:[$>#❯%] )?curl(?:\.exe)?\s")
_PREFORMATTED = re.compile(r"<pre\b[^>\n]{0,200}>")
_TAG = re.compile(r"</?(?:code|span|br|b|i|em|strong)\b[^>\n]*>", re.IGNORECASE)
"""What shapes the text in such a block; a model's own tags are escaped there."""
_PRINTED = re.compile(r"[A-Z]\w{2,60}\(|content=['\"]")
_SCRIPT = re.compile(r"(?:from [\w.]+ import \w|import [\w.]+(?: as \w+)?\s*$)")
_LONGEST = 2 << 20
"""Characters of a text that is cut up."""


class PastedPiece(NamedTuple):
    """One block, or one stretch of lines."""

    text: str
    language: str = ""
    """As a fence names it."""
    prose: bool = False
    """It stands between blocks and is none itself."""


def pieces_of(text: str) -> list[PastedPiece]:
    """Return the pieces of a text in their order; line ends are those of Unix."""
    found: list[PastedPiece] = []
    tries = iter(range(_MOST_TRIES))
    at, text = 0, _with_fences(text[:_LONGEST])
    for block in fenced(text):
        found += _unfenced(text[at : block.start], tries)
        found.append(PastedPiece(block.body, block.info))
        at = block.end
    found += _unfenced(text[at:], tries)
    return found[:_MOST]


def _with_fences(text: str) -> str:
    """A text with its blocks of HTML as blocks of Markdown."""
    made, at = [], 0
    while (opened := _PREFORMATTED.search(text, at)) is not None:
        end = text.find("</pre>", opened.end())
        if end < 0:
            break
        body = html.unescape(_TAG.sub("", text[opened.end() : end])).strip()
        made.append(f"{text[at : opened.start()]}\n```\n{body}\n```\n")
        at = end + len("</pre>")
    return "".join((*made, text[at:]))


def _unfenced(text: str, tries: Iterator[int]) -> Iterator[PastedPiece]:
    """What stands between two blocks."""
    lines = text.split("\n")
    at, words = 0, []
    while at < len(lines):
        made = _document_at(lines, at, tries)
        if made is None:
            words.append(lines[at])
            at += 1
            continue
        yield from _paragraphs(words)
        words = []
        piece, at = made
        yield piece
    yield from _paragraphs(words)


def _document_at(lines: list[str], at: int, tries: Iterator[int]) -> tuple[PastedPiece, int] | None:
    """A document that begins with a line, and the line after it."""
    first = lines[at].lstrip()
    if first.startswith(("data:", "event:")):
        end = at
        while end < len(lines) and (not lines[end].strip() or _RECORD.match(lines[end].lstrip())):
            end += 1
        return PastedPiece("\n".join(lines[at:end]).strip("\n") + "\n"), end
    begins = (
        first[:1] in ("{", "[") or any(sign.match(lines[at]) for sign in (_COMMAND, _SCRIPT)) or _PRINTED.match(first)
    )
    if not begins or next(tries, None) is None:
        return None
    if first[:1] in ("{", "["):
        inside = at > 0 and lines[at - 1].rstrip().endswith((">", "]"))  # the body of a call in its tags
        return None if inside else _json_at(lines, at)
    if _COMMAND.match(lines[at]):
        return _command_at(lines, at)
    if _PRINTED.match(first):
        return _printed_at(lines, at)
    return _script_at(lines, at) if _SCRIPT.match(lines[at]) else None


def _json_at(lines: list[str], at: int) -> tuple[PastedPiece, int] | None:
    rest = "\n".join(lines[at:]).lstrip()
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(rest)
    except (ValueError, RecursionError):
        return None
    after, _, _ = rest[end:].partition("\n")
    return None if after.strip(" ,;") else (PastedPiece(rest[:end]), at + rest.count("\n", 0, end) + 1)


def _command_at(lines: list[str], at: int) -> tuple[PastedPiece, int] | None:
    """A curl command to the line in which its last quotation ends."""
    for end in range(at + 1, min(at + _MOST_LINES, len(lines)) + 1):
        if lines[end - 1].rstrip().endswith("\\"):
            continue
        command = "\n".join(lines[at:end])
        try:
            shlex.split(command)
        except ValueError:
            continue
        return PastedPiece(command.strip(), "shell"), end
    return None


def _printed_at(lines: list[str], at: int) -> tuple[PastedPiece, int] | None:
    """An object as Python prints it, to the end of its paragraph."""
    end = at
    while end < min(at + _MOST_LINES, len(lines)) and lines[end].strip():
        end += 1
    text = "\n".join(lines[at:end])
    return (PastedPiece(text), end) if document_in(text) is not None else None


def _script_at(lines: list[str], at: int) -> tuple[PastedPiece, int] | None:
    """As many paragraphs as are Python together."""
    best, end = 0, at
    while end < min(at + _MOST_LINES, len(lines)):
        end += 1
        while end < len(lines) and lines[end].strip():
            end += 1
        try:
            ast.parse("\n".join(lines[at:end]))
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue
        best = end
    return (PastedPiece("\n".join(lines[at:best]).strip(), "python"), best) if best else None


def _paragraphs(lines: list[str]) -> Iterator[PastedPiece]:
    """Paragraphs; neighbours in which a call may stand belong together."""
    held: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", "\n".join(lines)):
        if not paragraph.strip():
            continue
        if may_hold_call(paragraph, None):
            held.append(paragraph.strip("\n"))
            continue
        if held:
            yield PastedPiece("\n\n".join(held), prose=True)
            held = []
        yield PastedPiece(paragraph.strip("\n"), prose=True)
    if held:
        yield PastedPiece("\n\n".join(held), prose=True)
