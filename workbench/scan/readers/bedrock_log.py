"""Logs of model invocations on Bedrock, as S3 and CloudWatch keep them: JSON objects, one a line or in a list.

{"schemaType": "ModelInvocationLog", "operation": "Converse", "modelId": "…", "input": {"inputBodyJson": {…}}, "output": {"outputBodyJson": {…}}}
{"timestamp": 1, "message": "{\\"schemaType\\": …}"}                                                                   as CloudWatch exports it

The bodies are those of Converse, or a model's own by InvokeModel; a streamed reply is the list of its events. What is longer than the log
takes lies elsewhere in S3, which is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import Asked, offered, read_reply, wire_of_reply
from workbench.scan.chat_messages import asked_of
from workbench.scan.exchanges import pair_reply
from workbench.scan.json_values import elements, json_bytes, json_value
from workbench.scan.readers.session import microseconds
from workbench.scan.reply import FoundReply, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

_WIRE = "bedrock_converse"
_NO_CHAT = ("embedding", "embeddings", "embeddingsByType", "images", "artifacts")
"""Replies of models that do not write."""


def recognise(file: Opened) -> bool:
    """Lines, or items of a list, that are records of an invocation."""
    rows = [one for row in file.rows for one in (row if isinstance(row, list) else [row])]
    if not rows and file.text.lstrip()[:1] in ("[", "{") and '"modelId"' in file.text:
        with file.stream() as stream:
            rows = [next((one.value for one in elements(stream)), None)]
        if file.whole and rows == [None]:
            rows = [json_value(file.text)]
    return any(_record(row) for row in rows[:8])


def _record(row: Any) -> dict[str, Any]:
    """The record in a row; an empty one for what is none."""
    if not isinstance(row, dict):
        return {}
    if isinstance(said := row.get("message", row.get("@message")), str) and "modelId" in said:
        row = json_value(said)
    if not isinstance(row, dict) or not isinstance(row.get("modelId"), str):
        return {}
    sides = (row.get("input"), row.get("output"))
    bodies = any(isinstance(side, dict) and any("putBody" in key for key in side) for side in sides)
    return row if row.get("schemaType") == "ModelInvocationLog" or bodies else {}


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the records."""
    for place, line, value in _values(file):
        if value is UNREADABLE:
            yield Trouble(place, "This record is broken.")
        elif record := _record(value):
            yield _reply(record, place, line)


def _values(file: Opened) -> Iterator[tuple[str, int, Any]]:
    if file.rows and not isinstance(file.rows[0], list):
        for number, data in file.lines():
            yield str(number), number, json_value(data)
    elif file.text.lstrip()[:1] == "{":
        yield "the document", 1, json_value(file.bytes(256 << 20))
    else:
        with file.stream() as stream:
            for one in elements(stream):
                yield f"item {one.number + 1}", 0, one.value


def _reply(record: dict[str, Any], place: str, line: int) -> FoundReply | Trouble:
    asked, told = _side(record, "input"), _side(record, "output")
    model = str(record["modelId"]).rpartition("/")[2]
    if (code := record.get("errorCode")) and "outputBodyJson" not in told:
        return Trouble(place, f"{model} gave no reply: {code}.")
    if "outputBodyJson" not in told:
        where = told.get("outputBodyS3Path")
        why = f"the reply of {model} lies in {where}" if where else f"the reply of {model} was not logged"
        return Trouble(place, f"Not known: {why}.")
    reply = _read(asked.get("inputBodyJson"), told["outputBodyJson"], model)
    if reply is None:
        keys = told["outputBodyJson"]
        named = ", ".join(list(keys)[:6]) if isinstance(keys, dict) and keys else "no object"
        return Trouble(place, f"Not known: the reply of {model} ({named}).")
    reply.place = f"{place} ({ident})" if (ident := record.get("requestId")) else place
    reply.line, reply.model, reply.server = line, model, "Bedrock"
    reply.at_us = microseconds(record.get("timestamp"))
    if isinstance(count := told.get("outputTokenCount"), int):
        reply.output_tokens = count
    return reply


def _side(record: dict[str, Any], name: str) -> dict[str, Any]:
    side = record.get(name)
    return side if isinstance(side, dict) else {}


def _read(asked: Any, told: Any, model: str) -> FoundReply | None:
    request = asked if isinstance(asked, dict) else {}
    if isinstance(told, list):
        return _streamed(request, told, model)
    if not isinstance(told, dict):
        return None
    if any(key in told for key in _NO_CHAT):
        return FoundReply("", hidden=True)
    if wire_of_reply(json_bytes(told)[:4000].decode("utf-8", "replace")) == _WIRE:
        return read_reply(json_bytes(told), _asked(request, model, _WIRE))
    reply = pair_reply(request, told, "", "", model)
    return reply if reply is not None else _own_text(request, told, model)


def _asked(request: dict[str, Any], model: str, wire: str) -> Asked:
    turns = [_plain(one) for one in request.get("messages") or () if isinstance(one, dict)]
    context, before = asked_of(turns or request.get("prompt") or request.get("inputText"))
    return Asked(wire, offered(request) if "messages" in request else None, model, context, before)


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message of Converse with its uses of tools as others write them."""
    content = message.get("content")
    uses = [part.get("toolUse") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    calls = [{**use, "id": use.get("toolUseId")} for use in uses if isinstance(use, dict)]
    texts = [part for part in content if "text" in part] if calls and isinstance(content, list) else content
    return {**message, "content": texts, **({"tool_calls": calls} if calls else {})}


def _streamed(request: dict[str, Any], events: list[Any], model: str) -> FoundReply | None:
    """Events of a reply, which Anthropic's models name in them."""
    lines = [
        b"event: " + str(one.get("type") or "").encode("utf-8", "replace") + b"\ndata: " + json_bytes(one) + b"\n\n"
        for one in events
        if isinstance(one, dict)
    ]
    body = b"".join(lines)
    wire = wire_of_reply(body[:4000].decode("utf-8", "replace"))
    if wire:
        return read_reply(body, _asked(request, model, wire))
    texts = [_text_of(one) for one in events if isinstance(one, dict)]
    if not any(texts):
        return None
    return _text_reply(request, "".join(text or "" for text in texts), model)


def _own_text(request: dict[str, Any], told: dict[str, Any], model: str) -> FoundReply | None:
    text = _text_of(told)
    return None if text is None else _text_reply(request, text, model)


def _text_reply(request: dict[str, Any], text: str, model: str) -> FoundReply:
    asked = _asked(request, model, "")
    return FoundReply("", text, model=model, tools=asked.tools, before=asked.before, context=asked.context)


def _text_of(told: dict[str, Any]) -> str | None:
    """The text of Llama, Titan, Mistral and Cohere in the forms of their own."""
    for key in ("generation", "outputText", "completion", "text"):
        if isinstance(said := told.get(key), str):
            return said
    for key in ("results", "outputs", "generations"):
        listed = told.get(key)
        if isinstance(listed, list) and listed and isinstance(listed[0], dict):
            return _text_of(listed[0])
    return None
