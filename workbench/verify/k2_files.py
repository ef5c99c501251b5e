"""Files of K2-Vendor-Verifier: `results.jsonl` read and written, `summary.json`, and its two measures as published.

A line of results is `{data_index, request, extra_body, response, status, finish_reason, tool_calls_valid, last_run_at,
duration_ms, hash}`. Only replies with `finish_reason == "tool_calls"` are looked into; a reply is valid if every call in it has
a declared name, arguments that parse as JSON and fit the tool's schema. Source: github.com/MoonshotAI/K2-Vendor-Verifier.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Usage
from workbench.core.json_text import parse_json
from workbench.core.messages import NativeCall
from workbench.documents import read_json, text_of
from workbench.schema import fits_as_written
from workbench.verify.observation import SeenReply
from workbench.verify.request_sets import request_from_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from workbench.core.messages import ChatRequest
    from workbench.verify.request_sets import VerifyRequest

CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class K2Result:
    """One line of results."""

    index: int
    request: dict[str, Any]
    response: dict[str, Any]
    status: str
    finish_reason: str | None
    valid: bool | None
    """As the file says: of a reply that finished with calls and holds some; else None."""
    duration_ms: int = 0
    last_run_at: str = ""

    @property
    def answered(self) -> bool:
        """The request succeeded."""
        return self.status == "success"

    @property
    def message(self) -> dict[str, Any]:
        """The first choice's message; empty where there is none."""
        choices = self.response.get("choices")
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        message = first.get("message")
        return message if isinstance(message, dict) else {}


class TriggerF1(NamedTuple):
    """`tool_call_f1` with its counts."""

    tp: int
    fp: int
    fn: int
    requests: int
    """That both were asked."""

    @property
    def precision(self) -> float | None:
        """Of the candidate's triggers, those that the official endpoint has too."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else None

    @property
    def recall(self) -> float | None:
        """Of the official endpoint's triggers, those that the candidate has too."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else None

    @property
    def f1(self) -> float | None:
        """Their harmonic mean."""
        precision, recall = self.precision, self.recall
        if not precision or not recall:
            return 0.0 if self.tp + self.fp + self.fn else None
        return 2 * precision * recall / (precision + recall)


def read_results(path: Path) -> tuple[K2Result, ...]:
    """Read results; of several lines of one index the latest counts. Raise InvalidInput naming file and line."""
    text = text_of(path)
    found: dict[int, K2Result] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = result_of(read_json(line, f"{path.name}, line {number}", strict=False), f"{path.name}, line {number}")
        known = found.get(row.index)
        if known is None or row.last_run_at > known.last_run_at:
            found[row.index] = row
    if not found:
        raise InvalidInput(f"{str(path)!r} holds no results.", hint="Give a results.jsonl of K2-Vendor-Verifier.")
    return tuple(found[index] for index in sorted(found))


def result_of(row: Any, place: str) -> K2Result:
    """Read one line; raise InvalidInput naming `place`."""
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("data_index"), int)
        or not isinstance(row.get("request"), dict)
    ):
        raise InvalidInput(f"{place} is no result.", hint="It needs 'data_index', 'request' and 'response'.")
    response = row.get("response")
    finish = row.get("finish_reason")
    return K2Result(
        row["data_index"],
        row["request"],
        response if isinstance(response, dict) else {},
        str(row.get("status") or ""),
        finish if isinstance(finish, str) else None,
        row.get("tool_calls_valid"),
        int(row.get("duration_ms") or 0),
        str(row.get("last_run_at") or ""),
    )


def calls_valid(result: K2Result) -> bool | None:
    """The published check of a reply, made anew; None where it is not looked into or holds no calls."""
    if result.finish_reason != CALLS:
        return None
    calls = result.message.get("tool_calls")
    tools = result.request.get("tools") or []
    return all(_call_valid(call, tools) for call in calls) if calls else None


def _call_valid(call: Any, tools: Sequence[Any]) -> bool:
    try:
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        schema = next((tool["function"]["parameters"] for tool in tools if tool["function"]["name"] == name), None)
        if not schema:
            return False
        value = parse_json(arguments) if isinstance(arguments, str) else arguments
    except (KeyError, TypeError, ValueError, RecursionError):
        return False
    return fits_as_written(schema, value)


def summary(results: Sequence[K2Result], model: str) -> dict[str, Any]:
    """`summary.json`, as published."""
    found: Counter[str] = Counter()
    others: Counter[str] = Counter()
    usage: Counter[str] = Counter()
    for result in results:
        found["success" if result.answered else "failure"] += 1
        match result.finish_reason:
            case "stop":
                found["stop"] += 1
            case "tool_calls":
                found["calls"] += 1
                found["valid" if _counted_valid(result) else "invalid"] += 1
            case str(reason) if reason:
                others[reason] += 1
        counted = result.response.get("usage")
        for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
            usage[name] += int((counted.get(name) if isinstance(counted, dict) else 0) or 0)
    moments = sorted(result.last_run_at for result in results if result.last_run_at)
    return {
        "model": model,
        "success_count": found["success"],
        "failure_count": found["failure"],
        "finish_stop": found["stop"],
        "finish_tool_calls": found["calls"],
        "finish_others": sum(others.values()),
        "finish_others_detail": dict(others),
        "schema_validation_error_count": found["invalid"],
        "successful_tool_call_count": found["valid"],
        "usage": {name: usage[name] for name in ("prompt_tokens", "completion_tokens", "total_tokens")},
        "eval_started_at": moments[0] if moments else None,
        "eval_finished_at": moments[-1] if moments else None,
        "eval_duration_ms": sum(result.duration_ms for result in results),
    }


def _counted_valid(result: K2Result) -> bool:
    """As the file says, where it says so: the summary is made of what was recorded."""
    return bool(calls_valid(result) if result.valid is None else result.valid)


def judged_otherwise(results: Iterable[K2Result]) -> int:
    """Replies whose recorded check comes out differently here."""
    return sum(result.valid is not None and result.valid != bool(calls_valid(result)) for result in results)


def schema_accuracy(found: dict[str, Any]) -> float | None:
    """`successful_tool_call_count / finish_tool_calls` of a summary."""
    return found["successful_tool_call_count"] / found["finish_tool_calls"] if found["finish_tool_calls"] else None


def tool_call_f1(candidate: Iterable[K2Result], official: Iterable[K2Result]) -> TriggerF1:
    """The published measure over the requests that both were asked."""
    theirs = {result.index: result.finish_reason == CALLS for result in official}
    pairs = [(result.finish_reason == CALLS, theirs[result.index]) for result in candidate if result.index in theirs]
    return TriggerF1(
        sum(own and other for own, other in pairs),
        sum(own and not other for own, other in pairs),
        sum(other and not own for own, other in pairs),
        len(pairs),
    )


def request_of(result: K2Result) -> VerifyRequest:
    """The request of a line; raise InvalidInput."""
    return request_from_body(result.request, f"line-{result.index}", f"data_index {result.index}", family="samples")


def seen_in_result(result: K2Result) -> SeenReply:
    """The reply of a line; times are those of the whole request."""
    streamed = bool(result.request.get("stream"))
    total = result.duration_ms * 1000
    if not result.answered:
        return SeenReply(error="failed", streamed=streamed, total_us=total)
    message, usage = result.message, result.response.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return SeenReply(
        text=_words(message.get("content")),
        reasoning=_words(message.get("reasoning_content") or message.get("reasoning")),
        calls=tuple(_native(at, call) for at, call in enumerate(message.get("tool_calls") or ())),
        finish=result.finish_reason or "",
        usage=Usage(counts.get("prompt_tokens"), counts.get("completion_tokens")),
        total_us=total,
        streamed=streamed,
        served_model=str(result.response.get("model") or ""),
    )


def _words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _native(number: int, call: Any) -> NativeCall:
    function = call.get("function") if isinstance(call, dict) else None
    function = function if isinstance(function, dict) else {}
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
    return NativeCall(number, str((call or {}).get("id") or ""), str(function.get("name") or ""), text)


def result_row(index: int, request: dict[str, Any], seen: SeenReply, started_us: int) -> dict[str, Any]:
    """A line of `results.jsonl` for a reply of ours; the request is that of an OpenAI-style body."""
    response = {"error": seen.error} if seen.error else _response(seen, str(request.get("model") or ""))
    finish = None if seen.error else (seen.finish or "stop")
    moment = datetime.fromtimestamp(started_us / 1e6, UTC).replace(tzinfo=None).isoformat()
    row = {
        "data_index": index,
        "request": request,
        "extra_body": {},
        "response": response,
        "status": "failed" if seen.error else "success",
        "finish_reason": finish,
        "tool_calls_valid": None,
        "last_run_at": moment,
        "duration_ms": seen.total_us // 1000,
        "hash": hashlib.md5(
            json.dumps(request, sort_keys=True, ensure_ascii=False).encode(errors="surrogatepass"),
            usedforsecurity=False,
        ).hexdigest(),
    }
    return row | {"tool_calls_valid": calls_valid(result_of(row, "row"))}


def _response(seen: SeenReply, model: str) -> dict[str, Any]:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in seen.calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": seen.text, "tool_calls": calls or None}
    if seen.reasoning:
        message["reasoning_content"] = seen.reasoning
    given, made = seen.usage.input, seen.usage.output
    usage = None if given is None and made is None else {
        "prompt_tokens": given or 0, "completion_tokens": made or 0, "total_tokens": (given or 0) + (made or 0)
    }  # fmt: skip
    return {
        "id": None,
        "object": "chat.completion",
        "created": None,
        "model": seen.served_model or model,
        "choices": [{"index": 0, "message": message, "finish_reason": seen.finish or "stop"}],
        "usage": usage,
    }


def openai_body(request: ChatRequest) -> dict[str, Any]:
    """The chat-completions request that a request of ours amounts to, whatever protocol carried it."""
    body: dict[str, Any] = {"model": request.model, "messages": [message.to_openai() for message in request.messages]}
    if request.tools:
        body["tools"] = [tool.to_document() for tool in request.tools]
    fields = {
        "tool_choice": request.tool_choice, "temperature": request.temperature, "top_p": request.top_p,
        "max_tokens": request.max_tokens, "seed": request.seed, "parallel_tool_calls": request.parallel_tool_calls,
    }  # fmt: skip
    body |= {name: value for name, value in fields.items() if value is not None}
    return body | {"stream": request.stream, **request.by_wire.get("openai_chat", {})}
