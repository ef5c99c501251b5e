"""An issue, or a comment in its thread: what people write about a call that was lost, with the evidence in the middle of it.

Words and headings of a form, a command line, versions, the tools that were sent, a script, and what came back: the reply
is in one piece of the text, the tools that it may call are in another one.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from workbench.app.pasted_asks import asked_in, asked_in_code, declared_in
from workbench.app.pasted_pieces import PastedPiece, pieces_of
from workbench.app.pasted_setup import setup_in
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSpec
from workbench.scan.opened import Opened
from workbench.scan.prefilter import may_hold_call
from workbench.scan.readers.plain_text import is_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.pasted_asks import PastedAsk
    from workbench.app.pasted_setup import ServerSetup

_LABELS = re.compile(
    r"^[ \t]*+(?:#{1,5}[ \t]*+|\*\*)?\W{0,4}+[ \t]*+(?:your current environment|describe the (?:bug|issue)|bug description|what is the issue\??|"
    r"what happened\??|name and version|operating systems?|which llama\.cpp modules|command line|problem description|first bad commit|"
    r"relevant log output|logs?|reproduction|(?:steps|code|how) to reproduce|minimal repro\w*|repro\w*|expected (?:behaviou?r|output|result)|"
    r"actual (?:behaviou?r|output|result)|current behaviou?r|raw (?:model )?output|system info|environment|who can help\??|checklist|"
    r"before submitting a new issue|additional (?:context|information)|(?:ollama|sglang|vllm|transformers|lm studio) version)\b[^\n]{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
"""Headings of the forms in which projects take reports."""
_HEADING = re.compile(r"^#{1,5} \S", re.MULTILINE)
_TELLS_OF_TOOLS = re.compile(r"\b(?:tools?|functions?)\b", re.IGNORECASE)
_LISTED = re.compile(
    r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+(?:\*\*)?`(?P<ticked>[A-Za-z_][\w.-]{1,63})[`(]|"
    r"^[ \t]*(?:[-*+•][ \t]+)?(?P<plain>[A-Za-z]\w*_\w+)(?=[ \t]*(?:$|\(|:|–|—|-[ \t]))",
    re.MULTILINE,
)
"""An entry of a list by the name that it begins with: in backticks, or of several words where the page left them out."""
_INLINE = re.compile(
    r"\b(?:tools?|functions?)\b[^\n`:]{0,60}(?::|\b(?:are|include|named|called))[ \t]*"
    r"(?P<names>`[^`\n]+`(?:(?:,| and| or|, and|&|\+)?[ \t]*`[^`\n]+`){0,40})",
    re.IGNORECASE,
)
_TICKED = re.compile(r"`([A-Za-z_][\w.-]{1,63})(?:\([^`]*\))?`")
_PROGRAMS = frozenset(
    "python py python3 javascript js typescript ts tsx jsx go rust java jinja jinja2 bash sh shell console yaml toml diff".split()
)
"""Languages of blocks that hold what somebody wrote, rather than what a model did."""
_ENOUGH = 2
"""Signs of an issue, of which a reply may show one."""


class Thread(NamedTuple):
    """The evidence in an issue."""

    replies: tuple[str, ...]
    """Pieces that may hold the reply, the likeliest first."""
    tools: tuple[ToolSpec, ...] | None
    """None: nothing is said of them."""
    prompt: str
    """The last words of a person in the request."""
    setup: ServerSetup | None
    listed: bool
    """The tools are named in words: it need not be all of them."""


def thread_in(text: str) -> Thread | None:
    """Return the evidence of an issue; None for a text that is no such thing."""
    if "\n" not in text.strip() or text.lstrip()[:1] in ("{", "["):
        return None
    pieces = pieces_of(text)
    words = "\n\n".join(piece.text for piece in pieces if piece.prose)
    if not words.strip() or is_transcript(Opened(words)):
        return None
    asked_by = [_asked(piece) for piece in pieces]
    asks = [asked for asked in asked_by if asked is not None]
    listed, setup = names_in(words), setup_in(text)
    signs = [bool(asks), bool(asks), len(pieces) - words.count("\n\n") > 2, bool(listed), bool(_HEADING.search(words))]
    signs += [setup is not None, *(True for _ in _LABELS.finditer(words))]
    if sum(signs) < _ENOUGH:
        return None
    declared = _declared(pieces, asks)
    tools = declared or tuple(ToolSpec(name, "", {"type": "object"}) for name in listed)
    others = [piece for piece, asked in zip(pieces, asked_by, strict=True) if asked is None]
    return Thread(tuple(_replies(others, tools)), tools or None, _prompt(asks), setup, bool(tools) and not declared)


def names_in(words: str) -> list[str]:
    """Return the names of tools that a list in somebody's words gives."""
    found: list[str] = []
    paragraphs = [one for one in re.split(r"\n[ \t]*\n", words) if one.strip()]
    for number, paragraph in enumerate(paragraphs):
        head = paragraph.split("\n", 1)[0]
        before = paragraphs[number - 1].rsplit("\n", 1)[-1] if number else ""
        introduced = head if not _LISTED.match(head) else before
        if introduced.rstrip().endswith((":", "：")) and _TELLS_OF_TOOLS.search(introduced):
            found += [one["ticked"] or one["plain"] for one in _LISTED.finditer(paragraph)]
    for line in _INLINE.finditer(words):
        found += _TICKED.findall(line["names"])
    return list(dict.fromkeys(found))


def _asked(piece: PastedPiece) -> PastedAsk | None:
    """What a piece asks for, rather than answers."""
    if piece.prose:
        return None
    with suppress(InvalidInput):
        asked = asked_in(piece.text) or asked_in_code(piece.text)
        if asked is not None and not asked.answer:
            return asked
    return None


def _declared(pieces: Sequence[PastedPiece], asks: Sequence[PastedAsk]) -> tuple[ToolSpec, ...]:
    """The tools that were sent, each once; from a script that no request can be read of, too."""
    found: dict[str, ToolSpec] = {}
    for asked in asks:
        for tool in asked.tools or (asked.request.tools if asked.request is not None else ()):
            found.setdefault(tool.name, tool)
    for piece in pieces if not found else ():
        for tool in declared_in(piece.text):
            found.setdefault(tool.name, tool)
    return tuple(found.values())


def _prompt(asks: Sequence[PastedAsk]) -> str:
    turns = [turn for asked in asks if asked.request is not None for turn in asked.request.messages]
    return next((turn.text for turn in reversed(turns) if turn.role == "user" and turn.text), "")


def _replies(pieces: Sequence[PastedPiece], tools: Sequence[ToolSpec]) -> list[str]:
    """What may be a model's words: blocks before words, and what somebody wrote himself last."""
    names = [tool.name for tool in tools]
    ranked: list[tuple[int, str]] = []
    for piece in pieces:
        calls = may_hold_call(piece.text, None) or any(name in piece.text for name in names)
        written = piece.language.lower() in _PROGRAMS or "{%" in piece.text
        if calls or not piece.prose:
            ranked.append((4 * (not calls) + 2 * written + piece.prose, piece.text))
    ranked.sort(key=lambda one: one[0])
    return [text for _, text in ranked]
