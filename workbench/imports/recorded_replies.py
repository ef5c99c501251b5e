"""Recorded replies of any kind, a JSON object a line, as runs.

    {"raw": "<tool_call>…", "model": "qwen3-8b", "format": "qwen_xml", "tools": […], "messages": […], "expect": {…}}
    {"reply": {"choices": […]}, "tools": […], "prompt": "Weather in Rome?"}

Rows that hold a request beside its answer are read too (`exchange_rows`): results of K2-Vendor-Verifier, batches, proxies.

What was said is one of `raw` (text), `chunks` (its pieces), `message` (an assistant's turn in OpenAI's shape), `reply` (a
provider's answer as JSON, or the text of its stream) or `text` with `tool_calls`, as `workbench send --batch` writes it.
All else may be missing: `id`, `model`, `format`, `tools` (any shape; without any those that were called), `messages` or
`prompt`, `expect` (as in a case), `finish_reason`, `title`, `tags`, `suite`, `seconds`, `started` (ISO 8601).
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from workbench.cases.document import case_from_document
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.exchange import Usage
from workbench.core.json_text import parse_json
from workbench.core.messages import NativeCall, message_from_openai
from workbench.core.tools import ToolMode, ToolSetup
from workbench.formats import get_format
from workbench.imports.exchange_rows import exchange_row, is_exchange
from workbench.imports.items import NotCarried, items_of_rows
from workbench.imports.provider_bodies import ProviderBody, provider_body, wire_of
from workbench.imports.recorded import RecordedReply, reply_body
from workbench.imports.requests import case_of_request
from workbench.imports.rows import FileRow
from workbench.tools.pasted_request import specs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from workbench.core.case import Case
    from workbench.imports.exchange_rows import ExchangeRow
    from workbench.imports.items import Advance, Item, ReadOptions

UNKNOWN_MODEL = "unknown"
UNKNOWN_PROMPT = "(What the model was asked is not in the record.)"
_SAID = ("raw", "chunks", "message", "reply", "text", "tool_calls")
_KNOWN = frozenset(
    {*_SAID, "id", "model", "format", "tools", "messages", "prompt", "expect", "finish_reason", "title", "tags", "suite",
     "seconds", "started", "usage", "reasoning", "tool_choice", "notes", "family", "policy"}
)  # fmt: skip
_MEANT = {
    **dict.fromkeys(("expected", "expectation", "ground_truth", "ideal", "answer"), "expect"),
    **dict.fromkeys(("raw_output", "output", "completion", "generated_text", "content"), "raw"),
    **dict.fromkeys(("functions", "tool_definitions"), "tools"), **dict.fromkeys(("question", "input", "instruction"), "prompt"),
}  # fmt: skip
"""Fields that others use, and what they are called here."""


def is_reply(value: Any) -> bool:
    """It is a row with something that was said."""
    if not isinstance(value, dict):
        return False
    said = any(name in value for name in ("raw", "chunks", "reply")) or {"text", "tool_calls"} <= value.keys()
    return said or bool(wire_of(value)) or _is_message(value) or is_exchange(value)


def _is_message(value: Any) -> bool:
    message = value.get("message") if isinstance(value, dict) else None
    return isinstance(message, dict) and message.get("role", "assistant") == "assistant"


def read_replies(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:
    """Yield a reply for each row; raise InvalidInput for a file that cannot be read at all."""
    return items_of_rows(paths, lambda row, name: _items(row, name, options), advance)


def _items(row: FileRow, suite: str, options: ReadOptions) -> Iterator[Item]:
    yield reply_of(row, suite, options)
    if not wire_of(row.value) and not is_exchange(row.value):
        yield from (_left_out(name) for name in row.value if name not in _KNOWN)


def _left_out(name: str) -> NotCarried:
    meant = _MEANT.get(name.lower())
    return NotCarried(f"the field {name!r} of rows" + (f" ({meant!r} is read)" if meant else ""))


def reply_of(row: FileRow, suite: str, options: ReadOptions) -> RecordedReply:
    """Read one row; raise InvalidInput naming the place."""
    value = row.value
    if not isinstance(value, dict):
        raise InvalidInput(f"{row.place} is not an object.")
    if wire_of(value):  # the row is the provider's answer itself
        value = {"reply": value}
    if is_exchange(value):
        return _of_exchange(exchange_row(value, row.place), row, suite, options)
    said = _said(value, row.place)
    model = options.model or str(value.get("model") or "") or said.model or UNKNOWN_MODEL
    chosen = options.format or str(value.get("format") or "")
    form = _format(chosen, row.place)
    case = _case(value, row, suite)
    seconds = _seconds(value.get("seconds"), row.place)
    return RecordedReply(
        row.place, case, model, said.body, said.wire, said.streamed, said.text, bool(said.calls), form,
        suite=options.suite or str(value.get("suite") or suite), duration_us=int(1_000_000 * seconds),
        started_us=_moment(value.get("started"), row.place), calls=said.calls, tools_unknown="tools" not in value,
    )  # fmt: skip


def _of_exchange(found: ExchangeRow, row: FileRow, suite: str, options: ReadOptions) -> RecordedReply:
    value, served = found.value, found.served
    case = _case(value, row, suite)
    if served is not None:
        case = replace(
            case_of_request(served, case.id, row.place), title=case.title, expectation=case.expectation, tags=case.tags
        )
    said = ProviderBody("openai_chat", b"", False, "", (), "") if found.error else _said(value, row.place)
    asked = served.request.model if served is not None else ""
    return RecordedReply(
        row.place, case, options.model or str(value.get("model") or "") or asked or said.model or UNKNOWN_MODEL, said.body,
        said.wire, said.streamed, said.text, bool(said.calls), _format(options.format, row.place),
        suite=options.suite or str(value.get("suite") or suite),
        duration_us=int(1_000_000 * _seconds(value.get("seconds"), row.place)),
        started_us=_moment(value.get("started"), row.place), error=found.error, calls=said.calls, tools_unknown=served is None,
    )  # fmt: skip


def _format(name: str, place: str) -> str:
    if not name or name == "auto":
        return ""
    try:
        return get_format(name).id
    except UnknownName as error:
        raise InvalidInput(f"{place}: {error.message}", hint="`workbench formats` lists them.") from error


def _said(value: dict[str, Any], place: str) -> ProviderBody:
    """The answer's bytes, from whichever way the row tells it."""
    if "reply" in value:
        found = provider_body(value["reply"])
        if found is None:
            raise InvalidInput(
                f"{place}: the reply is in no known protocol.",
                hint="OpenAI (Chat, Responses), Anthropic, Gemini and Ollama are known; a text belongs into 'raw'.",
            )
        return found
    finish, model = str(value.get("finish_reason") or ""), str(value.get("model") or "")
    message = value.get("message")
    if isinstance(message, dict):
        turn = message_from_openai({"role": "assistant", **message}, f"{place}: message")
        calls = [(call.name, call.arguments) for call in turn.tool_calls]
        text, reasoning = turn.text, turn.reasoning
    else:
        text, calls = _text(value, place), _calls(value.get("tool_calls"), place)
        reasoning = str(value.get("reasoning") or "")
    body = reply_body(model, text, calls, reasoning=reasoning, finish=finish, usage=_usage(value.get("usage")))
    told = tuple(NativeCall(at, "", name, json.dumps(given)) for at, (name, given) in enumerate(calls))
    return ProviderBody("openai_chat", body, False, text, told, model)


def _text(value: dict[str, Any], place: str) -> str:
    chunks = value.get("chunks")
    if isinstance(chunks, list):
        return "".join(str(chunk.get("text", "")) if isinstance(chunk, dict) else str(chunk) for chunk in chunks)
    text = value.get("raw", value.get("text", "" if value.get("tool_calls") else None))
    if not isinstance(text, str):
        raise InvalidInput(f"{place} tells of no reply.", hint=f"Write one of {', '.join(_SAID)}.")
    return text


def _calls(value: Any, place: str) -> list[tuple[str, Any]]:
    found = []
    for at, call in enumerate(value if isinstance(value, list) else ()):
        body = call.get("function", call) if isinstance(call, dict) else None
        if not isinstance(body, dict) or not isinstance(body.get("name"), str):
            raise InvalidInput(f"{place}: tool_calls[{at}] has no name.")
        found.append((body["name"], body.get("arguments", {})))
    return found


def _usage(value: Any) -> Usage:
    told = value if isinstance(value, dict) else {}
    counts = [
        told.get(name, told.get(other)) for name, other in (("input", "prompt_tokens"), ("output", "completion_tokens"))
    ]
    one, other = (count if isinstance(count, int) and not isinstance(count, bool) else None for count in counts)
    return Usage(one, other)


def _case(value: dict[str, Any], row: FileRow, suite: str) -> Case:
    case_id = str(value.get("id") or f"{suite}-{row.number}")
    document = {
        key: value[key]
        for key in ("messages", "prompt", "expect", "tags", "notes", "family", "tool_choice")
        if key in value
    }
    if not document.get("messages") and not isinstance(document.get("prompt"), str):
        document = {**document, "prompt": UNKNOWN_PROMPT}
    case = case_from_document(
        {**document, "id": case_id, "title": str(value.get("title") or case_id)}, case_id, row.place
    )
    return replace(case, tools=_tools(json.dumps(value.get("tools") or [], ensure_ascii=False)))


@lru_cache(64)
def _tools(text: str) -> tuple[ToolSetup, ...]:
    """Tools by their JSON: rows of one file mostly have the same, and all their cases share it."""
    return tuple(ToolSetup(spec, ToolMode.RECORD) for spec in specs_of(parse_json(text)))


def _seconds(value: Any, place: str) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
        raise InvalidInput(f"{place}: 'seconds' is {value!r}.")
    return float(value)


def _moment(value: Any, place: str) -> int:
    """UTC microseconds; 0 where the row does not tell."""
    if value is None:
        return 0
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise InvalidInput(f"{place}: 'started' is {value!r}.", hint="Write 2026-05-01T12:00:00Z.") from error
    return int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() * 1_000_000)
