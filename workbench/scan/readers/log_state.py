"""What was seen in a server's log so far, and what its records have in common, whoever writes them."""

from __future__ import annotations

import ast
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.python_source import FAILURES
from workbench.scan.bodies import Asked
from workbench.scan.readers.llama_tokens import LlamaTokens
from workbench.scan.readers.ollama_pieces import EndedReply, OllamaPieces
from workbench.scan.reply import Channel, FoundReply, Trouble
from workbench.scan.row_streams import RowStreams

if TYPE_CHECKING:
    from collections.abc import Iterator

QUOTED = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
"""A text as Python writes it."""
_MOST_ERRORS = 10_000


@dataclass(slots=True)
class LogState:
    """What was seen in a log so far."""

    name: str
    model: str = ""
    asked: Asked = field(default_factory=Asked)
    """The request that was logged last."""
    streams: OrderedDict[str, list[str]] = field(default_factory=OrderedDict)
    """Streamed replies of vLLM under way, by request."""
    tokens: LlamaTokens = field(default_factory=LlamaTokens)
    """What llama.cpp's tasks wrote."""
    outputs: bool = False
    """The log has the replies themselves."""
    ollama: OllamaPieces = field(default_factory=OllamaPieces)
    """What Ollama's parsers were given."""
    packets: RowStreams = field(default_factory=RowStreams)
    """Streamed replies of LM Studio and of proxies, a chunk a record."""
    troubles: list[str] = field(default_factory=list)
    """What is to be said beside the replies."""
    errors: list[FoundReply] = field(default_factory=list)
    """Losses without a text: told only where the replies are not in the log."""

    def finish(self) -> Iterator[FoundReply]:
        """Yield what is told at the end."""
        yield from joined(self.ollama.finish(), self)
        for reply in self.packets.finish():
            yield served(reply, self, "LM Studio")
        for parts in self.streams.values():  # the log ends before they do
            yield FoundReply("", "".join(parts), model=self.model, server="vLLM")
        if not self.outputs:
            yield from self.errors

    def told(self, line: int) -> Iterator[Trouble]:
        """Yield what there is to say at a line, once."""
        yield from (Trouble(str(line), message) for message in self.troubles)
        self.troubles = []


Reader = Callable[[str, LogState], Iterable[FoundReply] | None]
"""Reads a record that holds its literal; None: it is another one's."""


def unquoted(text: str) -> str:
    """Return the text that Python wrote with quotes."""
    with suppress(UnicodeDecodeError, DeprecationWarning):
        said = text[1:-1].encode("ascii", "backslashreplace").decode("unicode_escape")
        if repr(said) == text:  # so Python would write it: no need to compile it
            return said
    try:
        return str(ast.literal_eval(text))
    except FAILURES:
        return text[1:-1]


def json_in(text: str, at: int = 0) -> Any:
    """Return the first JSON object from a place on; None without one."""
    start = text.find("{", at)
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value


def served(reply: FoundReply, state: LogState, server: str) -> FoundReply:
    """Return a reply with what the log says of who gave it."""
    reply.server, reply.line = server, 0
    reply.model, reply.tools = reply.model or state.model, state.asked.tools
    return reply


def joined(piece: EndedReply | None, state: LogState) -> list[FoundReply]:
    """Return the reply of Ollama's pieces, where they belong together."""
    if piece is None:
        return []
    if piece.mixed:
        state.troubles.append(
            f"{piece.at_once} replies were written at the same time, and Ollama's records do not say which piece belongs to which:"
            " not read. With OLLAMA_NUM_PARALLEL=1 they stand one after the other."
        )
        return []
    return [FoundReply("", piece.text, model=state.model, server="Ollama", channel=Channel.RAW)]


def lost(said: str, why: str, state: LogState, server: str, text: str) -> FoundReply:
    """Return a reply that a server could not read."""
    asked = state.asked
    return FoundReply(
        "", said, model=state.model, server=server, tools=asked.tools or None, context=asked.context,
        channel=Channel.LOST, error=why, source_text=text[:8_000],
    )  # fmt: skip


def without_text(told: str, state: LogState, server: str, text: str) -> list[FoundReply]:
    """Note a loss of which the log does not have the text."""
    if len(state.errors) < _MOST_ERRORS:
        state.errors.append(lost("", told, state, server, text))
    return []
