"""Streaming every stored reply for a re-parse: read in pages, so that writers and the disk's log never wait for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, or_, select

from workbench.core.calls import ParseResult
from workbench.core.messages import NativeCall
from workbench.core.target import FamilyFlags
from workbench.core.tools import ToolSpec
from workbench.store.choose_database import index_of
from workbench.store.codec import from_json
from workbench.store.rows import StoredReply
from workbench.store.schema import blobs, events, run_details, runs, steps, toolsets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine, Select

    from workbench.store.conditions import Condition
    from workbench.store.search import SearchIndex

PAGE = 512


@dataclass(frozen=True, slots=True)
class _ReplyPart:
    """The part of a recorded reply that a re-parse needs; the rest is skipped while reading."""

    text: str = ""
    reasoning: str = ""
    native_calls: tuple[NativeCall, ...] = ()
    result: ParseResult = field(default_factory=ParseResult)
    finish_reason: str = ""


@dataclass(frozen=True, slots=True)
class _StepPart:
    reply: _ReplyPart


def stored_replies(engine: Engine, condition: Condition, after: int) -> Iterator[StoredReply]:
    """Executor's replies in the order of runs and steps, from the run behind number `after` on."""
    query = _query(condition, index_of(engine))
    place = (after + 1, -1)
    while True:
        number, step = place
        later = or_(steps.c.number > number, and_(steps.c.number == number, steps.c.step > step))
        with engine.connect() as connection:
            page = connection.execute(query.where(later).limit(PAGE)).all()
        for row in page:
            reply = _reply(row)
            if reply is not None:
                yield reply
        if len(page) < PAGE:
            return
        place = (page[-1].number, page[-1].step)


def _query(condition: Condition, index: SearchIndex) -> Select[Any]:
    query = (
        select(
            steps.c.number,
            steps.c.step,
            steps.c.format,
            steps.c.think_open,
            steps.c.calls_in_reasoning,
            run_details.c.id,
            run_details.c.policy,
            run_details.c.parser_version,
            events.c.body,
            blobs.c.data,
            toolsets.c.body.label("tools"),
        )
        .join(runs, runs.c.number == steps.c.number)
        .join(run_details, run_details.c.number == steps.c.number)
        .join(events, and_(events.c.number == steps.c.number, events.c.seq == steps.c.seq))
        .join(blobs, blobs.c.id == events.c.blob_id, isouter=True)
        .join(toolsets, toolsets.c.id == run_details.c.toolset_id, isouter=True)
        .where(steps.c.role == "executor", condition.where)
        .order_by(steps.c.number, steps.c.step)
    )
    if condition.phrases:
        query = query.where(steps.c.number.in_(index.matching(condition.phrases)))
    return query


def _reply(row: Any) -> StoredReply | None:
    part = from_json(row.body if row.body is not None else row.data or "", _StepPart)
    if part is None:  # written by a later version in a way that cannot be read
        return None
    reply = part.reply
    return StoredReply(
        row.number,
        row.id,
        row.step,
        row.format,
        row.policy,
        row.parser_version,
        _tools(row.tools or "[]"),
        FamilyFlags(bool(row.think_open), bool(row.calls_in_reasoning)),
        reply.text,
        reply.reasoning,
        reply.native_calls,
        reply.finish_reason,
        reply.result,
    )


@lru_cache(256)
def _tools(body: str) -> tuple[ToolSpec, ...]:
    return from_json(body, tuple[ToolSpec, ...]) or ()
