"""Files as others leave them, made up line by line, and short ways to scan them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workbench.core.tools import ToolSpec
from workbench.scan.finding import Finding
from workbench.scan.judge import Judge
from workbench.scan.opened import Opened
from workbench.scan.readers.log_records import read_record
from workbench.scan.readers.log_state import LogState
from workbench.scan.readers.table import reader_row, recognised
from workbench.scan.reply import FoundReply, Trouble
from workbench.scan.scanner import Scan
from workbench.scan.sources import Source
from workbench.schema import JsonSchemaChecker

WEATHER = ToolSpec(
    "get_weather", "Weather now.",
    {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
)  # fmt: skip
TOOL = WEATHER.to_openai()
LEAK = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def written(path: Path, *rows: Any) -> Path:
    """Write rows as JSON lines; a text stays as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8"
    )
    return path


def lost_calls(path: Path, count: int) -> Path:
    """A log with so many calls that no reader gave out."""
    tools = [{"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "integer"}}}}]
    calls = (f'<tool_call>{{"name": "look", "arguments": {{"at": {number}}}}}</tool_call>' for number in range(count))
    said = ([{"role": "user", "content": "Look."}, {"role": "assistant", "content": call}] for call in calls)
    return written(path, *({"messages": messages, "tools": tools} for messages in said))


def document(path: Path, value: Any) -> Path:
    """Write one JSON document over many lines."""
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def kind_of(source: Path | str, *, named: bool = True) -> str:
    """Which reader takes it; empty: none."""
    row = recognised(Opened(source), named=named)
    return row.kind if row else ""


def read(source: Path | str, kind: str = "") -> tuple[list[FoundReply], list[Trouble]]:
    """The replies and troubles of a file, by the reader that recognises it."""
    file = Opened(source)
    row = reader_row(kind) if kind else recognised(file, named=True)
    assert row is not None, "nobody knows this file"
    items = list(row.read(file))
    return [one for one in items if isinstance(one, FoundReply)], [one for one in items if isinstance(one, Trouble)]


def logged(record: str, state: LogState | None = None) -> FoundReply:
    """The only reply that a record of a log tells of."""
    (reply,) = read_record(record, state or LogState("x.log"))
    return reply


def judged(replies: Iterable[FoundReply]) -> list[Finding]:
    """What went wrong in replies."""
    judge = Judge(JsonSchemaChecker())
    return [finding for reply in replies for finding in judge.findings(reply, "source", reply.place)]


def found_in(source: Path | str) -> list[str]:
    """Kinds of findings in a file, in order."""
    replies, troubles = read(source)
    assert not troubles
    return [finding.kind for finding in judged(replies)]


def scanned(*sources: Path | str, **options: Any) -> Scan:
    """A whole scan of paths; a text is scanned as a pasted one."""
    made = Scan(
        [Source(str(one), one) if isinstance(one, Path) else Source("pasted", text=one) for one in sources],
        JsonSchemaChecker(), **options,
    )  # fmt: skip
    made.run()
    return made


# Claude Code


def claude_user(text: str) -> dict[str, Any]:
    return _claude("user", {"role": "user", "content": text})


def claude_result(call_id: str, text: str, *, failed: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": text, **({"is_error": True} if failed else {})}
    return _claude("user", {"role": "user", "content": [block]})


def claude_reply(
    message_id: str, *blocks: dict[str, Any], stop: str = "end_turn", tokens: int = 40
) -> list[dict[str, Any]]:
    """A reply as it lies there: a line for each block."""
    shell = {
        "id": message_id,
        "role": "assistant",
        "model": "main-70b",
        "stop_reason": stop,
        "usage": {"output_tokens": tokens},
    }
    return [_claude("assistant", {**shell, "content": [block]}) for block in blocks or ({},)]


def claude_nothing() -> dict[str, Any]:
    """The note behind a reply of which nothing came; the reply itself leaves no line."""
    told = "[Your previous response had no visible output. Please continue and produce a user-visible response.]"
    return {**claude_user(told), "isMeta": True}


def unparsed(arguments: str) -> dict[str, Any]:
    """Arguments that Claude Code could not parse, as it keeps them."""
    return {"__unparsedToolInput": {"raw": arguments, "len": len(arguments)}}


def _claude(kind: str, message: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": kind,
        "message": message,
        "sessionId": "s1",
        "isSidechain": False,
        "timestamp": "2026-11-20T10:00:00.000Z",
    }


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def thought(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": text, "signature": ""}


def used(name: str, arguments: dict[str, Any], call_id: str = "t1") -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


# Codex


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-11-20T10:00:00.000Z", "type": kind, "payload": payload}


def codex_call(name: str, arguments: str, call_id: str = "c1") -> dict[str, Any]:
    return codex("response_item", type="function_call", name=name, arguments=arguments, call_id=call_id)


def codex_output(text: str, call_id: str = "c1") -> dict[str, Any]:
    return codex("response_item", type="function_call_output", call_id=call_id, output=text)


def codex_text(text: str, role: str = "assistant") -> dict[str, Any]:
    return codex("response_item", type="message", role=role, content=[{"type": "output_text", "text": text}])


def codex_nothing(tokens: int = 77) -> list[dict[str, Any]]:
    """A reply of which nothing came: tokens that were counted, and the end of the turn."""
    counted = codex("token_usage_record", usage={"output_tokens": tokens, "reasoning_output_tokens": 0})
    return [counted, codex("event_msg", type="task_complete", last_agent_message=None)]


CODEX_HEAD = (codex("session_meta", model_provider="work"), codex("turn_context", model="main-70b"))


# providers


def chat_reply(text: str | None = None, calls: list[tuple[str, str]] | None = None, **more: Any) -> dict[str, Any]:
    """A whole reply of OpenAI's chat protocol."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(calls)
        ]
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "model": "coder-7b",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 30}, **more,
    }  # fmt: skip


def chat_request(prompt: str = "Weather in Rome?", tools: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "model": "coder-7b", "messages": [{"role": "user", "content": prompt}], "tools": [TOOL] if tools is None else tools,
    }  # fmt: skip


def chat_events(text: str) -> str:
    """A reply as a stream, some characters an event."""
    pieces = [text[at : at + 5] for at in range(0, len(text), 5)]
    events = [
        {
            "object": "chat.completion.chunk",
            "model": "coder-7b",
            "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}],
        }
        for piece in pieces
    ]
    events.append({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})  # type: ignore[dict-item]
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
