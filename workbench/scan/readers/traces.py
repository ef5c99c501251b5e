"""Exports of LangSmith and Langfuse: runs and observations, as a list, one a line, or nested in traces.

LangSmith  {"run_type": "llm", "inputs": {"messages": […]}, "outputs": {"generations": [[{"message": {…}}]]},
            "extra": {"invocation_params": {"model", "tools"}, "metadata": {"ls_provider"}}, "child_runs": […]}
Langfuse   {"type": "GENERATION", "model", "input": […] | {"messages", "tools"}, "output": {…} | "…", "usage", "startTime"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import Asked, offered, read_reply, wire_of_reply
from workbench.scan.chat_messages import add_message, asked_of, plain_message
from workbench.scan.json_values import elements, json_bytes, json_value, keys_of
from workbench.scan.readers.session import microseconds
from workbench.scan.reply import FoundReply, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.tools import ToolSpec
    from workbench.scan.opened import Opened

_LISTS = ("runs", "observations", "data", "traces")


def is_langsmith(file: Opened) -> bool:
    """Runs with a type and inputs."""
    return '"run_type"' in file.text[:20_000] and '"inputs"' in file.text and file.text.lstrip()[:1] in ("{", "[")


def is_langfuse(file: Opened) -> bool:
    """Observations of their kinds."""
    head = file.text[:40_000]
    named = any(f'"{kind}"' in head for kind in ("GENERATION", "SPAN", "TRACE", "EVENT"))
    return (
        head.lstrip()[:1] in ("{", "[")
        and named
        and ('"traceId"' in head or '"trace_id"' in head or '"observations"' in head)
    )


def read_langsmith(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of runs of models."""
    for value in _values(file):
        if isinstance(value, Trouble):
            yield value
            continue
        for run in _nested(value, ("child_runs", "runs")):
            reply = run_reply(run) if run.get("run_type") == "llm" else None
            if reply is not None:
                yield reply


def read_langfuse(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of generations."""
    for value in _values(file):
        if isinstance(value, Trouble):
            yield value
            continue
        for one in _nested(value, ("observations", "traces", "data")):
            reply = observation_reply(one) if str(one.get("type")).upper() == "GENERATION" else None
            if reply is not None:
                yield reply


def _values(file: Opened) -> Iterator[Any]:
    """The values of a file: a list's, a list's inside of an object, or one a line."""
    head = file.text.lstrip()
    if len(file.rows) > 1:
        for number, data in file.lines():
            value = json_value(data)
            yield Trouble(str(number), "This line is no JSON.") if value is UNREADABLE else value
        return
    key = next((one for one in keys_of(head[:20_000]) if one in _LISTS), "")
    if head.startswith("{") and not key:
        value = json_value(file.bytes(512 << 20))
        yield Trouble("the document", "This is no JSON.") if value is UNREADABLE else value
        return
    with file.stream() as stream:
        for one in elements(stream, *((key,) if key else ())):
            yield (
                Trouble(f"item {one.number + 1}", f"This item is broken: {one.message}.")
                if one.value is UNREADABLE
                else one.value
            )


def _nested(value: Any, keys: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting = [*item, *waiting]
        elif isinstance(item, dict):
            yield item
            waiting = [*(item[key] for key in keys if isinstance(item.get(key), list)), *waiting]


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = json_value(value)
    return value if isinstance(value, dict) else {}


def run_reply(run: dict[str, Any]) -> FoundReply | None:
    """Return the reply of a run of LangSmith; None without one."""
    inputs, outputs = _object(run.get("inputs")), _object(run.get("outputs"))
    extra = _object(run.get("extra"))
    params, meta = _object(extra.get("invocation_params")), _object(extra.get("metadata"))
    listed = params.get("tools") or params.get("functions") or inputs.get("tools")
    known = bool(params) or "tools" in inputs
    reply = FoundReply(
        f"run {run.get('id')}",
        model=str(meta.get("ls_model_name") or params.get("model") or params.get("model_name") or inputs.get("model") or ""),
        server=str(meta.get("ls_provider") or ""),
        tools=_known(listed, known=known), at_us=microseconds(run.get("start_time")),
    )  # fmt: skip
    reply.context, reply.before = asked_of(inputs.get("messages", inputs))
    generations = outputs.get("generations")
    while isinstance(generations, list) and generations:
        generations = generations[0]
    if isinstance(generations, dict):
        message = plain_message(generations.get("message") or {"content": generations.get("text") or ""})
        info = _object(generations.get("generation_info")) | _object(message.get("response_metadata"))
        reply.finish = str(info.get("finish_reason") or info.get("stop_reason") or "")
        used = _object(message.get("usage_metadata"))
        reply.output_tokens = used.get("output_tokens") if isinstance(used.get("output_tokens"), int) else None
        return add_message(reply, message)
    return _from_output(reply, outputs)


def observation_reply(one: dict[str, Any]) -> FoundReply | None:
    """Return the reply of a generation of Langfuse; None without one."""
    given = one.get("input")
    asked = _object(given)
    params = _object(one.get("modelParameters") or one.get("model_parameters"))
    listed = asked.get("tools") or params.get("tools")
    output = one.get("output")
    reply = FoundReply(
        f"observation {one.get('id')}", model=str(one.get("model") or one.get("providedModelName") or one.get("provided_model_name") or ""),
        server=str(_object(one.get("metadata")).get("ls_provider") or ""),
        tools=_known(listed, known="tools" in asked or "tools" in params),
        at_us=microseconds(one.get("startTime") or one.get("start_time")),
    )  # fmt: skip
    reply.context, reply.before = asked_of(given)
    usage = _object(one.get("usageDetails") or one.get("usage_details") or one.get("usage"))
    tokens = next(
        (usage[key] for key in ("output", "completion_tokens", "output_tokens") if isinstance(usage.get(key), int)),
        None,
    )
    reply.output_tokens = tokens
    if isinstance(output, str) and not _object(output):
        reply.text = output
        return reply
    return _from_output(reply, _object(output) or {"content": ""} if output is not None else {})


def _known(listed: Any, *, known: bool) -> tuple[ToolSpec, ...] | None:
    if isinstance(listed, list):
        return offered({"tools": listed})
    return () if known else None


def _from_output(reply: FoundReply, output: dict[str, Any]) -> FoundReply | None:
    """An output that is a message, or a whole reply of a wire."""
    if not output:
        return None
    body = json_bytes(output)
    if wire := wire_of_reply(body[:4000].decode("utf-8", "replace")):
        asked = Asked(wire, reply.tools, reply.model, reply.context, reply.before)
        read = read_reply(body, asked, place=reply.place)
        if read is not None:
            read.server, read.at_us = reply.server, reply.at_us
            read.output_tokens = read.output_tokens if read.output_tokens is not None else reply.output_tokens
            return read
    inner = output.get("output") or output.get("message") or output
    listed = output.get("messages")
    if isinstance(listed, list) and listed:
        inner = listed[-1]
    message = plain_message(inner if isinstance(inner, dict) else {"content": inner})
    return add_message(reply, message) if message else None
