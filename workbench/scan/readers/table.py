"""The table of readers: how each is called, what it takes, and where its two functions are.

Recognition asks them in this order and takes the first that says yes. A new reader is its module and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, cast

from workbench.core.errors import UnknownName

if TYPE_CHECKING:
    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply, Trouble

Recognise = Callable[["Opened"], bool]
Read = Callable[["Opened"], Iterator["FoundReply | Trouble"]]


@dataclass(frozen=True)
class ReaderRow:
    """One kind of file."""

    kind: str
    """As `--from` takes it."""
    title: str
    place: str
    """`module:recognise:read`, below `workbench.scan.readers`."""
    searched: bool = True
    """Looked for in folders too; else only in files that somebody named, and in pasted texts."""

    @cached_property
    def _functions(self) -> tuple[Recognise, Read]:
        module, recognise, read = self.place.split(":")
        loaded = import_module(f"workbench.scan.readers.{module}")
        return cast(Recognise, getattr(loaded, recognise)), cast(Read, getattr(loaded, read))

    def recognise(self, file: Opened) -> bool:
        """Whether a file looks like one of these."""
        return self._functions[0](file)

    def read(self, file: Opened) -> Iterator[FoundReply | Trouble]:
        """Read a file; raise InvalidInput where nothing of it can be read."""
        return self._functions[1](file)


READERS = (
    ReaderRow("csv", "CSV", "csv_table:recognise:read"),
    ReaderRow("markdown", "Markdown", "markdown:recognise:read"),
    ReaderRow("opencode", "opencode sessions", "opencode:recognise:read"),
    ReaderRow("opencode-files", "opencode sessions in files", "opencode_files:recognise:read"),
    ReaderRow("inspect", "Inspect log", "inspect_log:recognise:read"),
    ReaderRow("archive", "archive", "archive:recognise:read"),
    ReaderRow("parquet", "Parquet", "rows:is_parquet:read_parquet"),
    ReaderRow("claude-code", "Claude Code sessions", "claude_code:recognise:read"),
    ReaderRow("codex", "Codex sessions", "codex:recognise:read"),
    ReaderRow("codex-exec", "what codex exec prints", "printed_sessions:is_codex:read_codex"),
    ReaderRow("opencode-export", "what opencode prints", "printed_sessions:is_opencode:read_opencode"),
    ReaderRow("batch", "batch file", "batch_files:recognise:read"),
    ReaderRow("promptfoo", "promptfoo results", "promptfoo:recognise:read"),
    ReaderRow("otel", "OpenTelemetry spans", "telemetry:recognise:read"),
    ReaderRow("langsmith", "LangSmith runs", "traces:is_langsmith:read_langsmith"),
    ReaderRow("langfuse", "Langfuse observations", "traces:is_langfuse:read_langfuse"),
    ReaderRow("bedrock", "Bedrock invocations", "bedrock_log:recognise:read"),
    ReaderRow("lms", "LM Studio log stream", "lms_stream:recognise:read"),
    ReaderRow("har", "HTTP archive", "har:recognise:read"),
    ReaderRow("cassette", "HTTP cassette", "cassette:recognise:read"),
    ReaderRow("http", "reply, stream or curl", "http_dump:recognise:read"),
    ReaderRow("transcript", "conversation", "plain_text:is_transcript:read_transcript", searched=False),
    ReaderRow("jsonl", "rows of replies", "rows:is_rows:read_lines"),
    ReaderRow("log", "server log", "server_log:recognise:read"),
    ReaderRow("text", "reply as text", "plain_text:is_text:read_text", searched=False),
)  # fmt: skip


def reader_row(kind: str) -> ReaderRow:
    """Return a reader by its kind; raise UnknownName."""
    for row in READERS:
        if row.kind == kind:
            return row
    raise UnknownName("kind of file", kind, [row.kind for row in READERS])


def recognised(file: Opened, *, named: bool) -> ReaderRow | None:
    """Return the reader of a file; `named`: somebody named this very file. Raise InvalidInput if it cannot be opened."""
    if not file.head.strip():
        return None
    return next((row for row in READERS if (named or row.searched) and row.recognise(file)), None)


def tried(*, named: bool = True) -> str:
    """Return what a file was taken for, in vain."""
    return ", ".join(row.title for row in READERS if named or row.searched)
