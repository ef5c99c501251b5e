"""Spans of generative AI as OpenTelemetry files hold them, whoever wrote the attributes.

    {"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": [{"key", "value": {"stringValue"}}], "events": […]}]}]}]}
    gen_ai.output.messages, gen_ai.input.messages, gen_ai.tool.definitions           the conventions; also as events and logs
    gen_ai.completion.0.content, llm.request.functions.0.name                        OpenLLMetry
    llm.output_messages.0.message.content, llm.tools.0.tool.json_schema              OpenInference
    ai.response.text, ai.response.toolCalls, ai.prompt.tools                          Vercel's AI SDK, of spans that end in .doGenerate, .doStream

    {"data": [{"spans": [{"operationName", "tags": [{"key", "value"}], "logs": […]}]}]}     as Jaeger exports them

One document, one a line, or the console exporter's spans with plain attributes, one behind the other over many lines.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import offered
from workbench.scan.chat_messages import add_message, asked_of, plain_message, role_of
from workbench.scan.json_values import documents, elements, json_value
from workbench.scan.readers.session import microseconds
from workbench.scan.reply import FoundReply, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.tools import ToolSpec
    from workbench.scan.opened import Opened

_TOPS = ("resourceSpans", "resourceLogs", "resource_spans")
_JAEGER = "data"
"""Where Jaeger has its traces."""
_OWN = ("gen_ai.", "llm.", "ai.response.")
_MIXED = re.compile(r'^\{\s*\n\s+"name": "[^"\n]*",\s*\n\s+"context": \{', re.MULTILINE)
"""A span of the console exporter among other lines."""
_SAID = ("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages")
_AI_SDK = (".doGenerate", ".doStream")
"""The spans around them say the same once more."""


def recognise(file: Opened) -> bool:
    """Resource spans or logs, or spans whose attributes speak of models."""
    head = file.text.lstrip()[:20_000]
    if head[:1] not in ("{", "["):
        return _MIXED.search(file.text) is not None and any(f'"{own}' in file.text for own in _OWN)
    if any(f'"{top}"' in head[:400] for top in _TOPS) or _is_jaeger(head):
        return True
    if '"attributes"' not in head:
        return False
    said = any(f'"{own}' in head for own in _SAID)
    return said or (any(f'"{own}' in head for own in _OWN) and ("span_id" in head or "spanId" in head))


def _is_jaeger(head: str) -> bool:
    return '"data"' in head[:200] and '"traceID"' in head[:2_000] and '"operationName"' in head


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the spans that hold one."""
    mixed = file.text.lstrip()[:1] not in ("{", "[")
    for place, document in _documents(file):
        if document is UNREADABLE and mixed:
            continue  # what the program itself printed
        if document is UNREADABLE:
            yield Trouble(place, "This part is no JSON.")
            continue
        for span in _spans(document):
            reply = _reply(span)
            if reply is not None:
                yield reply


def _documents(file: Opened) -> Iterator[tuple[str, Any]]:
    if len(file.rows) > 1 or (file.rows and not file.whole):
        for number, data in file.lines():
            yield f"line {number}", json_value(data)
        return
    listed = file.text.lstrip()[:1] == "["
    tops = (_JAEGER,) if _is_jaeger(file.text[:20_000]) else _TOPS
    top = "" if listed else next((one for one in tops if f'"{one}"' in file.text[:400]), "")
    with file.stream() as stream:
        if not top and not listed:
            yield from ((f"span {one.number + 1}", one.value) for one in documents(stream))
            return
        for one in elements(stream, *((top,) if top else ())):
            yield f"part {one.number + 1}", {top: [one.value]} if top and one.value is not UNREADABLE else one.value


def _spans(value: Any) -> Iterator[dict[str, Any]]:
    """Every span and log record in a document."""
    waiting = [value]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting = [*item, *waiting]
        elif isinstance(item, dict):
            inner = [
                item[key]
                for key in (*_TOPS, _JAEGER, "scopeSpans", "scope_spans", "scopeLogs", "spans", "logRecords")
                if key in item
            ]
            if inner:
                waiting = [*inner, *waiting]
            elif "attributes" in item:
                yield item
            elif "tags" in item and "operationName" in item:
                yield _of_jaeger(item)


def _of_jaeger(span: dict[str, Any]) -> dict[str, Any]:
    """A span of Jaeger under the names of OpenTelemetry; its logs are events."""
    logs = span.get("logs")
    events = [
        {"name": fields.pop("event", ""), "attributes": fields}
        for one in (logs if isinstance(logs, list) else ()) if isinstance(one, dict)
        for fields in [attributes_of(one.get("fields"))]
    ]  # fmt: skip
    return {
        "name": span["operationName"], "spanId": span.get("spanID"), "attributes": attributes_of(span["tags"]), "events": events,
        "start_time": span.get("startTime"),
    }  # fmt: skip


def attributes_of(value: Any) -> dict[str, Any]:
    """Return attributes as a plain object, whichever way they are written."""
    if isinstance(value, dict):
        return value
    pairs = [one for one in value if isinstance(one, dict) and "key" in one] if isinstance(value, list) else []
    return {str(one["key"]): _plain(one.get("value")) for one in pairs}


def _plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    for key, inner in value.items():
        if key == "arrayValue":
            return [_plain(one) for one in (inner or {}).get("values", ())]
        if key == "kvlistValue":
            return attributes_of((inner or {}).get("values", []))
        if key == "intValue":
            return int(inner)
        if key.endswith("Value"):
            return inner
    return value


def _json(value: Any) -> Any:
    return json_value(value) if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") else value


def _reply(span: dict[str, Any]) -> FoundReply | None:
    found = attributes_of(span.get("attributes"))
    events = span.get("events")
    for event in events if isinstance(events, list) else ():
        if isinstance(event, dict):
            found |= _of_event(event)
    if str(span.get("eventName") or found.get("event.name") or span.get("name")).startswith("gen_ai.choice"):
        found |= _of_event({"name": "gen_ai.choice", "attributes": _plain(span.get("body")) or span.get("attributes")})
    if str(span.get("name")).endswith(_AI_SDK):
        found |= _of_ai_sdk(found)
    output = _output(found)
    if output is None:
        return None
    message, finish = output
    context, before = asked_of(_input(found))
    reply = FoundReply(
        f"span {span.get('spanId') or span.get('span_id') or (span.get('context') or {}).get('span_id') or '?'}",
        model=str(found.get("gen_ai.request.model") or found.get("gen_ai.response.model") or found.get("llm.model_name") or ""),
        server=str(found.get("server.address") or found.get("gen_ai.provider.name") or found.get("gen_ai.system") or found.get("llm.provider") or ""),
        tools=_tools(found), context=context, before=before, finish=finish, output_tokens=_tokens(found),
        at_us=microseconds(_number(span.get("startTimeUnixNano") or span.get("timeUnixNano") or span.get("start_time"))),
    )  # fmt: skip
    return add_message(reply, message)


def _of_ai_sdk(found: dict[str, Any]) -> dict[str, Any]:
    """What Vercel's AI SDK tells, under the names of the conventions."""
    calls = _json(found.get("ai.response.toolCalls"))
    message = {
        "role": "assistant", "content": found.get("ai.response.text") or "", "finish_reason": found.get("ai.response.finishReason"),
        "reasoning": found.get("ai.response.reasoning"),
        "tool_calls": [
            {"id": one.get("toolCallId"), "name": one.get("toolName"), "arguments": one.get("input", one.get("args"))}
            for one in (calls if isinstance(calls, list) else ()) if isinstance(one, dict)
        ],
    }  # fmt: skip
    if "ai.response.text" not in found and "ai.response.toolCalls" not in found:
        return {}
    told = {"gen_ai.output.messages": [message], "gen_ai.input.messages": _json(found.get("ai.prompt.messages")) or []}
    model = found.get("gen_ai.request.model") or found.get("ai.model.id")
    tools = found.get("ai.prompt.tools")
    listed = [_json(one) for one in tools] if isinstance(tools, list) else None
    return told | {"gen_ai.request.model": model} | ({"gen_ai.tool.definitions": listed} if listed else {})


def _number(stamp: Any) -> Any:
    return int(stamp) if isinstance(stamp, str) and stamp.isdigit() else stamp


def _of_event(event: dict[str, Any]) -> dict[str, Any]:
    """What a span's event tells, under the names of attributes."""
    inside = attributes_of(event.get("attributes"))
    if event.get("name") == "gen_ai.choice":
        message = _json(inside.get("message")) or inside
        return {
            "gen_ai.output.messages": [
                {
                    "finish_reason": inside.get("finish_reason"),
                    **(message if isinstance(message, dict) else {"content": message}),
                }
            ]
        }
    if "gen_ai.completion" in inside:
        return {"gen_ai.output.messages": inside["gen_ai.completion"]}
    if "gen_ai.prompt" in inside:
        return {"gen_ai.input.messages": inside["gen_ai.prompt"]}
    return {key: value for key, value in inside.items() if key.startswith("gen_ai.")}


def _output(found: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    finish = _json(found.get("gen_ai.response.finish_reasons"))
    reason = str(finish[0]) if isinstance(finish, list) and finish else ""
    listed = _json(found.get("gen_ai.output.messages"))
    listed = listed if isinstance(listed, list) else [listed] if isinstance(listed, dict) else []
    for one in listed:
        message = plain_message(one)
        if message and (not message.get("role") or role_of(message) == "assistant"):
            return message, str(message.get("finish_reason") or reason)
    for prefix in ("gen_ai.completion", "llm.output_messages"):
        message = _numbered(found, prefix)
        if message:
            return message, str(message.get("finish_reason") or reason)
    return None


def _numbered(found: dict[str, Any], prefix: str, number: int = 0) -> dict[str, Any]:
    """Return a message whose parts are attributes of their own: `llm.output_messages.0.message.tool_calls.0.…`."""
    start = f"{prefix}.{number}."
    message: dict[str, Any] = {}
    calls: dict[str, dict[str, Any]] = {}
    for key, value in found.items():
        if not key.startswith(start):
            continue
        rest = key[len(start) :].removeprefix("message.")
        if rest.startswith("tool_calls."):
            place, _, name = rest.removeprefix("tool_calls.").partition(".")
            calls.setdefault(place, {})[name.rpartition(".")[2]] = value
        else:
            message[rest] = value
    if calls:
        message["tool_calls"] = [calls[place] for place in sorted(calls)]
    return message


def _input(found: dict[str, Any]) -> Any:
    if "gen_ai.input.messages" in found:
        return _json(found["gen_ai.input.messages"])
    for prefix in ("gen_ai.prompt", "llm.input_messages"):
        made: list[dict[str, Any]] = []
        while message := _numbered(found, prefix, len(made)):
            made.append(message)
        if made:
            return made
    return []


def _tools(found: dict[str, Any]) -> tuple[ToolSpec, ...] | None:
    listed = _json(found.get("gen_ai.tool.definitions"))
    if isinstance(listed, list):
        return offered({"tools": listed})
    made: list[Any] = []
    while (schema := found.get(f"llm.tools.{len(made)}.tool.json_schema")) is not None:
        made.append(_json(schema))
    while not listed and (name := found.get(f"llm.request.functions.{len(made)}.name")) is not None:
        parameters = _json(found.get(f"llm.request.functions.{len(made)}.parameters"))
        made.append({"name": name, "parameters": parameters if isinstance(parameters, dict) else {}})
    return offered({"tools": made}) if made else None


def _tokens(found: dict[str, Any]) -> int | None:
    for key in ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"):
        if isinstance(value := found.get(key), int):
            return value
    return None
