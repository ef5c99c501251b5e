"""Files of the batch interfaces, one JSON a line.

    OpenAI, asked    {"custom_id", "method": "POST", "url": "/v1/chat/completions", "body": {…}}
    OpenAI, told     {"id", "custom_id", "response": {"status_code", "body": {…}}, "error"}
    Anthropic, asked {"custom_id", "params": {…}}
    Anthropic, told  {"custom_id", "result": {"type": "succeeded" | "errored", "message": {…}}}

Replies name their tools only through the requests: those of the same folder are looked up by their id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.scan.bodies import Asked, read_reply, read_request
from workbench.scan.json_values import UNREADABLE, json_bytes, json_value
from workbench.scan.opened import Opened
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from workbench.scan.reply import Reply

_MOST_NEIGHBOURS = 20


def recognise(file: Opened) -> bool:
    """Rows with an id of the user's and a request or a result."""
    return any(_told(row) or _asked(row) for row in file.rows[:1])


def _told(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and "custom_id" in row
        and (isinstance(row.get("response"), dict) or isinstance(row.get("result"), dict))
    )


def _asked(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and "custom_id" in row
        and (isinstance(row.get("body"), dict) or isinstance(row.get("params"), dict))
    )


def read(file: Opened) -> Iterator[Reply | Trouble]:
    """Yield the replies; a file of requests alone has none."""
    requests: dict[str, Asked] | None = None
    for number, data in file.lines():
        row = json_value(data)
        if row is UNREADABLE or not isinstance(row, dict):
            yield Trouble(str(number), "This line is no JSON.")
            continue
        if not _told(row):
            continue
        if requests is None:
            requests = _requests(file.path) if file.path else {}
        reply = _reply(row, requests.get(str(row["custom_id"]), Asked()), str(number))
        if reply is not None:
            reply.line = number
            yield reply


def _reply(row: dict[str, Any], asked: Asked, place: str) -> Reply | None:
    result, response = row.get("result"), row.get("response")
    if isinstance(result, dict):
        return read_reply(
            json_bytes(result.get("message") or {}), asked._replace(wire="anthropic_messages"), place=place
        )
    if isinstance(response, dict):
        status = response.get("status_code")
        body = json_bytes(response.get("body") or {})
        return read_reply(body, asked, status=status if isinstance(status, int) else 200, place=place)
    return None


def _requests(path: Path) -> dict[str, Asked]:
    """The requests of the same folder by their ids."""
    found: dict[str, Asked] = {}
    neighbours = [one for one in sorted(path.parent.iterdir()) if one.suffix in (".jsonl", ".ndjson") and one.is_file()]
    for place in neighbours[:_MOST_NEIGHBOURS]:
        other = Opened(place)
        if any(_asked(row) for row in other.rows[:1]):
            for _, data in other.lines():
                row = json_value(data)
                if isinstance(row, dict) and _asked(row):
                    body = row.get("body") or row.get("params")
                    asked = read_request(body if isinstance(body, dict) else {}, str(row.get("url") or ""))
                    found[str(row["custom_id"])] = asked
    return found
