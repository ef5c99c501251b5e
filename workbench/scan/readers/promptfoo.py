"""Results of promptfoo: one document, or one result a line.

    {"evalId", "results": {"results": [{"prompt": {"raw"}, "provider": {"id"}, "response": {"output", "tokenUsage"}, "vars"}]},
     "config": {"providers": [{"id", "config": {"tools": […]}}]}}
    {"version": 3, "timestamp", "results": [{…}]}                                    as its function `evaluate` gives it back

An output is a text, a list of calls, or an object.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import Asked, offered, read_reply, short, wire_of_reply
from workbench.scan.chat_messages import add_message, asked_of, call_of
from workbench.scan.json_values import elements, json_bytes, json_value
from workbench.scan.reply import FoundReply, Trouble, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.tools import ToolSpec
    from workbench.scan.opened import Opened

_SUMMARY = re.compile(r'\s*\{\s*"version"\s*:\s*[1-9],\s*"timestamp"\s*:')
"""What its function `evaluate` gives back."""
Tools = dict[str, tuple["ToolSpec", ...]]


def recognise(file: Opened) -> bool:
    """Results with an evaluation's id, or rows with their fields."""
    head = file.text[:4000]
    if '"results"' in head and ('"evalId"' in head or _SUMMARY.match(head)):
        return True
    return _in_lines(file)


def _in_lines(file: Opened) -> bool:
    """Whether each line is a result: older versions number neither prompts nor tests."""
    row = file.rows[0] if file.rows else None
    return (
        isinstance(row, dict)
        and "provider" in row
        and ({"promptIdx", "testIdx"} <= row.keys() or {"prompt", "vars", "response", "success"} <= row.keys())
    )


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of the results."""
    if len(file.rows) > 1 or _in_lines(file):
        for number, data in file.lines():
            value = json_value(data)
            if isinstance(value, dict):
                yield from _result(value, f"line {number}", {})
            else:
                yield Trouble(str(number), "This line is no JSON.")
        return
    with file.stream() as stream:
        tools = {
            str(one.value.get("label") or one.value.get("id")): offered(one.value.get("config"))
            for one in elements(stream, "config", "providers")
            if isinstance(one.value, dict) and isinstance(one.value.get("config"), dict)
        }
    for path in (("results", "results"), ("results",)):
        found = False
        with file.stream() as stream:
            for one in elements(stream, *path):
                found = True
                if one.value is UNREADABLE:
                    yield Trouble(f"result {one.number + 1}", f"This result is broken: {one.message}.")
                elif isinstance(one.value, dict):
                    yield from _result(one.value, f"result {one.number + 1}", tools)
        if found:
            return


def _result(result: dict[str, Any], place: str, tools: Tools) -> Iterator[FoundReply]:
    response = result.get("response")
    if not isinstance(response, dict) or response.get("output") is None:
        return
    provider = result.get("provider")
    names = (
        [str(provider.get(key) or "") for key in ("label", "id")]
        if isinstance(provider, dict)
        else [str(provider or "")]
    )
    server, _, model = names[-1].partition(":")
    prompt = result.get("prompt")
    raw = prompt.get("raw") if isinstance(prompt, dict) else prompt
    context, before = asked_of(raw)
    usage = response.get("tokenUsage")
    tokens = usage.get("completion") if isinstance(usage, dict) else None
    own = prompt.get("config") if isinstance(prompt, dict) else None
    known = next((tools[name] for name in names if name in tools), offered(own) or None)
    reply = FoundReply(
        place, model=model.removeprefix("chat:").removeprefix("messages:") or names[-1], server=server, tools=known,
        context=context or ((Turn("user", short(str(raw))),) if raw else ()), before=before,
        output_tokens=tokens if isinstance(tokens, int) else None,
    )  # fmt: skip
    yield _add(reply, response["output"])


def _add(reply: FoundReply, output: Any) -> FoundReply:
    if isinstance(output, str):
        value = json_value(output) if output.lstrip()[:2] == "[{" else None
        if not (isinstance(value, list) and all(isinstance(one, dict) and "function" in one for one in value)):
            reply.text = output
            return reply
        output = value
    if isinstance(output, list):
        calls = [call_of(one) for one in output]
        reply.calls = [call for call in calls if call is not None]
        return reply
    body = json_bytes(output)
    if wire := wire_of_reply(body[:4000].decode("utf-8", "replace")):
        read = read_reply(body, Asked(wire, reply.tools, reply.model, reply.context, reply.before), place=reply.place)
        if read is not None:
            read.server = reply.server
            return read
    return add_message(reply, output)
