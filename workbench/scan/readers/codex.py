"""Sessions of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`, one JSON a line (seen of version 0.169).

    {"timestamp", "type": "session_meta", "payload": {"model_provider", …}}
    {"timestamp", "type": "turn_context", "payload": {"model", …}}
    {"timestamp", "type": "response_item", "payload": {…}}      an item of the Responses protocol, as sent and received
    {"timestamp", "type": "token_usage_record", "payload": {"usage": {"output_tokens"}}}
    {"timestamp", "type": "event_msg", "payload": {"type": "task_complete", "last_agent_message": null}}

Items of a model that follow each other are one reply. Tokens without any item, and then the end of a turn without a message:
nothing came of that reply. Before version 0.30 the lines were the items themselves, or `{"session": …, "items": […]}` held them;
people also indent sessions, or put their lines into a list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.json_values import json_value
from workbench.scan.readers.session import TurnSequence, microseconds, text_of
from workbench.scan.reply import FoundReply, SeenCall, Trouble
from workbench.scan.row_layout import first_rows, no_json, session_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

SERVER = "Codex"
_TYPES = frozenset("session_meta turn_context response_item event_msg world_state token_usage_record compacted".split())
_OUTPUTS = frozenset("function_call_output custom_tool_call_output local_shell_call_output".split())
_VARYING = re.compile(r"^(?:Chunk ID: \w+|Wall time: [\d.]+ seconds)\n", re.MULTILINE)
"""Lines of a result that differ each time."""
_SKIPPED = (b'"type":"event_msg"', b'"type":"world_state"', b'"type": "event_msg"')
_TURN_END = b'"task_complete"'


def recognise(file: Opened) -> bool:
    """Lines with a type of theirs and a payload, or the items of old versions."""
    return first_rows(file, _known) is not None


def _known(row: dict[str, Any]) -> bool:
    if isinstance(row.get("payload"), dict):
        return row.get("type") in _TYPES
    if "record_type" in row or row.get("type") in _OUTPUTS:
        return row.get("record_type") == "state" or "call_id" in row
    parts = row.get("content") if row.get("type") == "message" else ()
    if isinstance(parts, list) and parts and isinstance(parts[0], dict) and "role" in row:
        return parts[0].get("type") in ("input_text", "output_text")
    return {"timestamp", "instructions"} <= row.keys() and "messages" not in row


class _Rollout:
    """One rollout under way."""

    def __init__(self) -> None:
        self.told = TurnSequence()
        self.model = ""
        self.server = SERVER
        self.closed = True
        """The next item of the model begins a reply."""
        self.came = False
        """Items of the model came since tokens were counted."""
        self.unseen = 0
        """Tokens that were counted last, where no item of the model came with them."""

    def take(self, number: int, row: dict[str, Any]) -> FoundReply | None:
        """Take a line; return the reply that it completes."""
        payload = row.get("payload")
        body = payload if isinstance(payload, dict) else {}
        match row.get("type"):
            case "session_meta":
                self.server = str(body.get("model_provider") or SERVER)
            case "turn_context":
                self.model, self.closed = str(body.get("model") or self.model), True
            case "token_usage_record":
                self._count(body.get("usage"))
            case "event_msg":
                return self._turn_end(number, body, row.get("timestamp"))
            case "compacted":
                self.unseen = 0
            case "response_item":
                return self._item(number, body, row.get("timestamp"))
            case str() if "payload" not in row:
                return self._item(number, row, row.get("timestamp"))
            case _:
                pass
        return None

    def _count(self, usage: Any) -> None:
        tokens = usage.get("output_tokens") if isinstance(usage, dict) else None
        if isinstance(tokens, int):
            if not self.came:
                self.unseen = tokens - (usage.get("reasoning_output_tokens") or 0)
            elif self.told.open is not None:
                self.told.open.output_tokens = tokens
        self.closed, self.came = True, False

    def _turn_end(self, number: int, body: dict[str, Any], stamp: Any) -> FoundReply | None:
        """The end of a turn: without a message, what was counted last is lost."""
        if body.get("type") != "task_complete":
            return None
        tokens, self.unseen = self.unseen, 0
        if tokens <= 0 or body.get("last_agent_message") is not None:
            return None
        return self._begin(number, stamp, tokens)

    def _begin(self, number: int, stamp: Any, tokens: int | None = None) -> FoundReply | None:
        made = FoundReply(str(number), model=self.model, server=self.server, at_us=microseconds(stamp), line=number)
        made.output_tokens = tokens
        return self.told.begin(made)

    def _item(self, number: int, item: dict[str, Any], stamp: Any) -> FoundReply | None:
        kind, role = item.get("type"), item.get("role")
        if kind in _OUTPUTS:
            self.closed = True
            self._output(item)
            return None
        if kind == "message" and role != "assistant":
            self.closed = True
            text = text_of(item.get("content"))
            if role == "user" and not text.startswith("<environment_context>"):
                self.told.user(text)
            return None
        if kind not in ("message", "reasoning") and not str(kind).endswith("_call"):
            return None
        done = None
        if self.closed or self.told.open is None:
            done = self._begin(number, stamp)
            self.closed = False
        self.came, self.unseen = True, 0
        if self.told.open is not None:
            _add(self.told.open, item)
        return done

    def _output(self, item: dict[str, Any]) -> None:
        output = item.get("output")
        failed = False
        if isinstance(output, dict):
            failed = output.get("success") is False
            output = output.get("content")
        self.told.result(str(item.get("call_id") or ""), _VARYING.sub("", text_of(output)), failed=failed)


def _add(reply: FoundReply, item: dict[str, Any]) -> None:
    """Add an item of the model."""
    call_id = str(item.get("call_id") or item.get("id") or "")
    match item:
        case {"type": "message"}:
            reply.text += text_of(item.get("content"))
        case {"type": "reasoning"}:
            texts = [text_of(item.get(part)) for part in ("content", "summary")]
            reply.reasoning += next(filter(None, texts), "")
            reply.hidden = True
        case {"type": "function_call", "name": str(name)}:
            space = item.get("namespace")
            arguments = item.get("arguments")
            named = f"{space}.{name}" if isinstance(space, str) and space else name
            reply.calls.append(SeenCall(named, arguments if isinstance(arguments, str) else "", call_id))
        case {"type": "custom_tool_call", "name": str(name)}:
            reply.calls.append(SeenCall(name, {"input": str(item.get("input") or "")}, call_id))
        case _:
            reply.hidden = True  # what the provider runs itself


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies, each when it is complete."""
    reader = _Rollout()
    for number, data, broken in session_lines(file, _known):
        if any(sign in data[:120] for sign in _SKIPPED) and _TURN_END not in data[:200]:
            continue
        row = json_value(data)
        if row is UNREADABLE or not isinstance(row, dict):
            yield Trouble(str(number), no_json(broken))
            continue
        done = reader.take(number, row)
        if done is not None:
            yield done
    yield from reader.told.finish()
