"""All that an upstream report says, as values: collected from a run, without a word of the receiver's form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from workbench.core.errors import ErrorInfo
    from workbench.export.exchanges import RecordedExchange

_PARSER = re.compile(r"--tool-call-parser[ =][\"']?([\w.-]+)")


def parser_in(command: str) -> str:
    """The parser of calls that a server's command line names, by vLLM's and SGLang's names; empty where it names none."""
    found = _PARSER.search(command)
    return found[1] if found else ""


class SpanLine(NamedTuple):
    """One attempt at a call in the smallest text."""

    start: int
    end: int
    reader: str
    """Format that reads it."""
    outcome: str
    what: str
    """The call, or what is wrong with it."""


class ChunkLine(NamedTuple):
    """One piece of the stream."""

    number: int
    """From 1."""
    at_us: int
    """Since the request was sent."""
    text: str
    breaks: bool = False
    """From here on the call is lost."""


@dataclass(frozen=True, slots=True)
class SmallestReply:
    """The reply without what the failure does not need."""

    text: str
    kept: str
    """What stays, in words."""
    characters: tuple[int, int]
    """Before and after."""
    tools: tuple[dict[str, Any], ...] = ()
    """The tools that it needs, in OpenAI's shape."""
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """One failed run, ready to be told."""

    run_id: str
    title: str
    """A few words: which model, what is lost."""
    summary: str
    """One to three sentences: what happens, and where the first fault lies."""
    blame: str = ""
    """Layer of the first fault; `format` and `decision` are the model's."""
    format: str = ""
    """The format that the call is written in, by its best reading."""
    shape: str = ""
    """What the format's documentation asks: its literal shape and the source."""
    to_the_letter: str = ""
    """The expected calls as that format writes them."""
    smallest: SmallestReply | None = None
    """None where no text came, or nothing in it is wrong."""
    expected: Any = None
    """A list of calls, or an expectation as cases write it; None: nobody knows."""
    expected_basis: str = ""
    given: dict[str, Any] = field(default_factory=dict)
    """The reply as it was delivered."""
    spans: tuple[SpanLine, ...] = ()
    chunks: tuple[ChunkLine, ...] = ()
    """The pieces around the one that breaks the call."""
    chunk_words: str = ""
    exchange: RecordedExchange | None = None
    """The try that brought the reply."""
    error: ErrorInfo | None = None
    versions: tuple[tuple[str, str], ...] = ()
    flags: tuple[tuple[str, str], ...] = ()
    system: str = ""
    """Operating system of the server, where it ran here."""
    command: str = ""
    """The server's command line, where it was started here, or stood beside a pasted reply."""
    model: str = ""
    """The model, where a pasted text named it."""
    search: tuple[str, ...] = ()
    """Queries that find duplicates."""
    parsers: tuple[tuple[str, str], ...] = ()
    """Names of the parsers that read this model's calls, by project."""
