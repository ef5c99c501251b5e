"""Runs as JSON: the document of `run --json`, and the events that `run --events` streams and `show --json` holds."""

from __future__ import annotations

import base64
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from workbench.grading.foreign_keys import foreign_keys

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall
    from workbench.core.events import RunEvent, StepReply
    from workbench.core.run_summary import RunSummary, StepSummary
    from workbench.core.tools import ToolResult

_LEFT_OUT = frozenset({"readings", "deltas"})
"""Of a chunk: can be rebuilt from its bytes."""


def run_json(run: RunSummary, number: int | None) -> dict[str, Any]:
    """Return a run as one JSON document; `number` is its display number."""
    started, finished, verdict = run.started, run.finished, run.verdict
    return {
        "id": started.run_id if started else None,
        "number": number,
        "target": started.target.label if started else None,
        "simulated": started.executor.simulated if started else None,
        "format": started.executor.format if started else None,
        "verdict": run.state.value,
        "basis": verdict.basis.value if verdict else None,
        "reason": verdict.reason if verdict else "",
        "codes": list(verdict.codes) if verdict else [],
        "stop": finished.stop.value if finished else None,
        "answer": finished.answer if finished else "",
        "calls": [_call(step, call) for step, call in run.parsed_calls],
        "results": [
            {
                "step": item.step,
                "index": item.index,
                "call_id": item.call_id,
                **item.result.to_json(),
                **_aside(item.result),
            }
            for item in run.results
        ],
        "approvals": [
            {"step": step, "index": index, **plain(decision)} for (step, index), decision in run.decisions.items()
        ],
        "problems": [{"step": step.number, **plain(problem)} for step, problem in run.problems],
        "loops": run.loops,
        "steps": [_step(step, reply) for step, reply in run.replies],
        "usage": {
            "input": finished.totals.input_tokens if finished else None,
            "output": finished.totals.output_tokens if finished else None,
        },
        "seconds": _seconds(finished.totals.duration_us) if finished else None,
        "timing": {
            "first_token": _seconds(run.first_us("first_token")),
            "first_call": _seconds(run.first_us("first_call")),
            "tokens_per_second": run.tokens_per_second,
        },
        "tool_calls": run.tool_rate._asdict(),
        "foreign_keys": [found._asdict() for found in foreign_keys(run)],
        "error": plain(finished.error) if finished and finished.error else None,
    }


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1e6, 6)


def _call(step: StepSummary, call: ParsedCall) -> dict[str, Any]:
    return {
        "step": step.number,
        "name": call.name,
        "arguments": call.arguments,
        "id": call.id,
        "outcome": call.outcome.value,
        "repairs": list(call.repairs),
        "span": [call.span.start, call.span.end],
        "format": call.format,
    }


def _step(step: StepSummary, reply: StepReply) -> dict[str, Any]:
    return {
        "step": step.number,
        "loop": step.asked.loop if step.asked else 0,
        "role": step.role.value,
        "raw": reply.text,
        "reasoning": reply.reasoning,
        "sanitized": reply.sanitized,
        "finish_reason": reply.finish_reason,
        "outcome": reply.result.outcome.value,
        "calls": len(reply.result.calls),
        "served_model": reply.served_model,
        "seconds": _seconds(reply.timing.total),
        "error": plain(reply.error) if reply.error else None,
    }


def event_json(event: RunEvent) -> dict[str, Any]:
    """Return one event as a JSON object; `event` names its kind."""
    return {"event": kind_of(event), **_members(event)}


def kind_of(event: RunEvent) -> str:
    """Return the kind of an event, as it stands in the database: `run_started`, `step_finished`, …"""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()


def plain(value: Any) -> Any:
    """Return any core value as JSON types. Bytes become text, or `{"base64"}` where they are none."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, bytes):
        return _bytes(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _members(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)


def _members(value: Any) -> dict[str, Any]:
    names = (member.name for member in fields(value))
    return {name: plain(getattr(value, name)) for name in names if name not in _LEFT_OUT}


def _bytes(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _aside(result: ToolResult) -> dict[str, object]:
    """What the model is not told of a result, where there is any."""
    return ({"notes": list(result.notes)} if result.notes else {}) | ({"trace": result.trace} if result.trace else {})
