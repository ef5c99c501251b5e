"""The executor's replies of recorded runs, as plain rows that any project can read, each with what is right in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.events import ChunkReceived
from workbench.core.exchange import TextDelta
from workbench.export.truth import plain, truths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.events import RunEvent, StepReply, StepStarted
    from workbench.export.exported_run import ExportedRun
    from workbench.export.truth import Truth


@dataclass(frozen=True, slots=True)
class ReplyRow:
    """One reply of a model, and what it means."""

    id: str
    """`RUN-sSTEP`."""
    format: str
    model: str
    raw: str
    """The reply's text, byte for byte; of a native reply, the text beside the calls."""
    pieces: tuple[str, ...]
    """The text as it streamed."""
    native_calls: tuple[dict[str, Any], ...]
    """Structured calls in OpenAI's shape, as they came."""
    tools: tuple[dict[str, Any], ...]
    """OpenAI's shape."""
    finish_reason: str
    calls: tuple[dict[str, Any], ...]
    """What is right, as far as `confirmed` says so: `{"name", "arguments"}`, in order."""
    confirmed: bool
    """An expectation stands behind `calls`; else they are a reading, and `basis` says whose."""
    basis: str
    doubt: str
    """Why `calls` must not be taken for the truth; empty where they may."""
    read: tuple[dict[str, Any], ...]
    """The calls as the run's own format reads them."""
    outcomes: tuple[str, ...]
    """Of `read`."""
    problems: tuple[dict[str, Any], ...]
    text: str
    """What a user may see."""

    def to_json(self) -> dict[str, Any]:
        """Return the row with all its fields."""
        return {
            "id": self.id,
            "format": self.format,
            "model": self.model,
            "raw": self.raw,
            "pieces": list(self.pieces),
            "native_calls": list(self.native_calls),
            "tools": list(self.tools),
            "finish_reason": self.finish_reason,
            "calls": list(self.calls),
            "confirmed": self.confirmed,
            "basis": self.basis,
            "doubt": self.doubt,
            "read": list(self.read),
            "outcomes": list(self.outcomes),
            "problems": list(self.problems),
            "text": self.text,
        }


def reply_rows(exported: ExportedRun) -> Iterator[ReplyRow]:
    """Yield a row for every complete reply of the executor; a reply that failed or was cancelled teaches no parser."""
    tools = tuple(setup.spec.to_openai() for setup in exported.started.tools)
    right = truths(exported)
    for step, reply in exported.run.executor_replies:
        if step.asked is not None and reply.error is None:
            pieces = _pieces(exported.events, step.number, reply.text)
            row_id = f"{exported.started.run_id}-s{step.number}"
            yield _row(row_id, step.asked, reply, tools, pieces, right[step.number])


def _row(
    row_id: str,
    step: StepStarted,
    reply: StepReply,
    tools: tuple[dict[str, Any], ...],
    pieces: tuple[str, ...],
    right: Truth,
) -> ReplyRow:
    return ReplyRow(
        id=row_id,
        format=reply.result.format or step.format,
        model=step.request.model,
        raw=reply.text,
        pieces=pieces,
        native_calls=tuple(
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.native_calls
        ),
        tools=tools,
        finish_reason=reply.finish_reason,
        calls=right.calls,
        confirmed=right.confirmed,
        basis=right.basis,
        doubt=right.doubt,
        read=plain(reply.result.calls),
        outcomes=tuple(call.outcome.value for call in reply.result.calls),
        problems=tuple(
            {"code": problem.code, "outcome": problem.outcome.value if problem.outcome else None, "message": problem.message}
            for problem in reply.result.problems
        ),
        text=reply.sanitized,
    )  # fmt: skip


def _pieces(events: Sequence[RunEvent], step: int, text: str) -> tuple[str, ...]:
    """The text as it came in the last exchange; one piece where the chunks are not there."""
    chunks = [event for event in events if isinstance(event, ChunkReceived) and event.step == step]
    last = max((chunk.exchange for chunk in chunks), default=0)
    pieces = tuple(
        delta.text
        for chunk in chunks
        if chunk.exchange in (last, -1)
        for delta in chunk.deltas
        if isinstance(delta, TextDelta)
    )
    return pieces if "".join(pieces) == text else (text,)
