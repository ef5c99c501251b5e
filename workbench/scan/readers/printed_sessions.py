"""What agents' commands print of a session, where they keep it otherwise.

codex exec --json        {"type": "item.completed", "item": {"type": "agent_message" | "reasoning" | "command_execution" | …, "text", …}}
                         {"id": "0", "msg": {"type": "agent_message", "message": "…"}}        before version 0.40
opencode run --format json   {"type": "text" | "tool_use" | …, "sessionID", "part": {"messageID", "type", …}}
opencode export          {"info": {…}, "messages": [{"info": {"role", "modelID", …}, "parts": [{…}]}]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.json_values import elements, json_value, keys_of
from workbench.scan.readers import opencode
from workbench.scan.readers.session import TurnSequence, microseconds
from workbench.scan.reply import FoundReply, SeenCall, Trouble
from workbench.scan.row_layout import first_rows, no_json, session_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

CODEX = "Codex"
_ITEMS = frozenset(
    "agent_message reasoning command_execution mcp_tool_call file_change web_search todo_list error".split()
)


_CALLS = frozenset({"command_execution", "mcp_tool_call"})
"""What comes one after the other, each in a turn of its own."""
_BEGIN = frozenset({"agent_message", "reasoning", *_CALLS})


def is_codex(file: Opened) -> bool:
    """Lines of items, or of messages inside an envelope with a number."""
    return first_rows(file, _of_codex) is not None


def _of_codex(row: dict[str, Any]) -> bool:
    item, message = row.get("item"), row.get("msg")
    if str(row.get("type")).startswith("item.") and isinstance(item, dict):
        return item.get("type", item.get("item_type")) in _ITEMS
    return isinstance(message, dict) and str(message.get("type")).startswith(("agent_", "task_", "exec_", "token_"))


def read_codex(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield what the model says; commands that the agent ran belong to the reply before them."""
    told = TurnSequence()
    model = ""
    for number, data, broken in session_lines(file, _of_codex):
        row = json_value(data)
        if row is UNREADABLE or not isinstance(row, dict):
            yield Trouble(str(number), no_json(broken))
            continue
        model = str(row.get("model") or model)
        item = _item(row)
        kind = item.get("type")
        again = kind in _CALLS and told.open is not None and bool(told.open.calls)
        if kind == "agent_message" or again or told.open is None:
            if kind not in _BEGIN:
                continue
            done = told.begin(FoundReply(str(number), model=model, server=CODEX, line=number))
            if done is not None:
                yield done
        if told.open is not None:
            _add(told.open, item)
    yield from told.finish()


def _item(row: dict[str, Any]) -> dict[str, Any]:
    """An item that is complete, in the words of today's version."""
    if isinstance(message := row.get("msg"), dict):
        kind = {"agent_reasoning": "reasoning"}.get(str(message.get("type")), message.get("type"))
        return {"type": kind, "text": message.get("message") or message.get("text")}
    item = row.get("item")
    if row.get("type") != "item.completed" or not isinstance(item, dict):
        return {}
    return {**item, "type": item.get("type", item.get("item_type"))}


def _add(reply: FoundReply, item: dict[str, Any]) -> None:
    text = item.get("text")
    match item.get("type"):
        case "agent_message" if isinstance(text, str):
            reply.text += text
        case "reasoning" if isinstance(text, str):
            reply.reasoning += text
        case "command_execution":
            call = SeenCall("shell", {"command": item.get("command")}, str(item.get("id") or ""))
            call.result, call.failed = str(item.get("aggregated_output") or ""), bool(item.get("exit_code"))
            reply.calls.append(call)
        case "mcp_tool_call":
            given = item.get("arguments")
            name = f"{item.get('server')}.{item.get('tool')}"
            reply.calls.append(SeenCall(name, given if isinstance(given, dict) else {}, str(item.get("id") or "")))
        case None:
            pass
        case _:
            reply.hidden = True


def is_opencode(file: Opened) -> bool:
    """A document of messages with their parts, or lines with one part each."""
    return _is_export(file) or first_rows(file, _of_opencode) is not None


def _is_export(file: Opened) -> bool:
    head = file.text.lstrip()
    if head[:1] != "{" or not {"info", "messages"} <= set(keys_of(head)):
        return False
    with file.stream() as stream:
        first = next((one.value for one in elements(stream, "messages")), None)
    return isinstance(first, dict) and isinstance(first.get("info"), dict) and isinstance(first.get("parts"), list)


def _of_opencode(row: dict[str, Any]) -> bool:
    part = row.get("part")
    return isinstance(part, dict) and "messageID" in part and "sessionID" in row


def read_opencode(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies."""
    if not _is_export(file):
        yield from _lines(file)
        return
    told = TurnSequence()
    with file.stream() as stream:
        for one in elements(stream, "messages"):
            place = f"message {one.number + 1}"
            info = one.value.get("info") if isinstance(one.value, dict) else None
            if not isinstance(info, dict):
                yield Trouble(place, f"This message is broken: {one.message or 'it says nothing of itself'}.")
                continue
            parts = [part for part in one.value.get("parts") or () if isinstance(part, dict)]
            if info.get("role") == "user":
                told.user("".join(str(part.get("text") or "") for part in parts if part.get("type") == "text"))
            elif info.get("role") == "assistant":
                created = info.get("time")
                stamp = microseconds(created.get("created")) if isinstance(created, dict) else 0
                done = told.begin(opencode.reply_of(place, stamp, info, parts))
                if done is not None:
                    yield done
    yield from told.finish()


def _lines(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Parts as they were printed, one reply for each message."""
    told = TurnSequence()
    under_way, parts, begun = "", list[dict[str, Any]](), 0

    def close() -> FoundReply | None:
        return told.begin(opencode.reply_of(str(begun), 0, {}, parts)) if parts else None

    for number, data, broken in session_lines(file, _of_opencode):
        row = json_value(data)
        part = row.get("part") if isinstance(row, dict) else None
        if row is UNREADABLE:
            yield Trouble(str(number), no_json(broken))
        if not isinstance(part, dict):
            continue
        if str(part.get("messageID")) != under_way:
            if (done := close()) is not None:
                yield done
            under_way, parts, begun = str(part.get("messageID")), [], number
        parts.append(part)
    if (done := close()) is not None:
        yield done
    yield from told.finish()
