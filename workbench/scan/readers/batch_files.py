"""Files of the batch interfaces, one JSON a line.

    OpenAI, asked    {"custom_id", "method": "POST", "url": "/v1/chat/completions", "body": {…}}
    OpenAI, told     {"id", "custom_id", "response": {"status_code", "body": {…}}, "error"}
    Anthropic, asked {"custom_id", "params": {…}}
    Anthropic, told  {"custom_id", "result": {"type": "succeeded" | "errored", "message": {…}}}
    Bedrock          {"recordId", "modelInput": {…}}, when it is told with "modelOutput": {…} or "error" beside it

Replies name their tools only through the requests: those of the same folder are looked up by their id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import Asked, read_reply, read_request, short
from workbench.scan.exchanges import pair_reply
from workbench.scan.json_values import json_bytes, json_value
from workbench.scan.opened import Opened
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from workbench.scan.reply import FoundReply

_MOST_NEIGHBOURS = 20
_MOST_REASONS = 8


def recognise(file: Opened) -> bool:
    """Rows with an id of the user's and a request or a result."""
    return any(_told(row) or _asked(row) for row in file.rows[:1])


def _told(row: Any) -> bool:
    if _of_bedrock(row):
        return isinstance(row.get("modelOutput"), dict) or bool(row.get("error"))
    return (
        isinstance(row, dict)
        and "custom_id" in row
        and (isinstance(row.get("response"), dict) or isinstance(row.get("result"), dict) or bool(row.get("error")))
    )


def _of_bedrock(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("modelInput"), dict)


def _asked(row: Any) -> bool:
    return _of_bedrock(row) or (
        isinstance(row, dict)
        and "custom_id" in row
        and (isinstance(row.get("body"), dict) or isinstance(row.get("params"), dict))
    )


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies, and at the end what became of requests that have none."""
    requests: dict[str, Asked] | None = None
    unanswered = _Unanswered()
    for number, data in file.lines():
        row = json_value(data)
        if row is UNREADABLE or not isinstance(row, dict):
            yield Trouble(str(number), "This line is no JSON.")
            continue
        if not _told(row):
            unanswered.asked += _asked(row)
            continue
        if requests is None and "custom_id" in row:
            requests = _requests(file.path) if file.path else {}
        asked = (requests or {}).get(str(row.get("custom_id")), Asked())
        reply = _reply(row, asked, str(number))
        if reply is not None:
            reply.line = number
            yield reply
        unanswered.noted(row, number, answered=reply is not None)
    yield from unanswered.told(file)


class _Unanswered:
    """Requests without a reply: counted by what the interface said of them."""

    def __init__(self) -> None:
        self.asked = 0
        """Rows that are requests themselves."""
        self._seen = 0
        self._why: dict[str, tuple[int, int]] = {}
        """How many, and the line of the first, by the reason."""

    def noted(self, row: dict[str, Any], line: int, *, answered: bool) -> None:
        """Count a result."""
        self._seen += 1
        if not answered:
            why = _why(row)
            count, first = self._why.get(why, (0, line))
            if count or len(self._why) < _MOST_REASONS:
                self._why[why] = (count + 1, first)

    def told(self, file: Opened) -> Iterator[Trouble]:
        """What there is to say at the end, the commonest reason first."""
        for why, (count, first) in sorted(self._why.items(), key=lambda one: -one[1][0]):
            yield Trouble(str(first), f"No reply to {count:,} of {self._seen:,} requests: {why}.")
        if self.asked and not self._seen and not any(_told(one.rows[0]) for one in _neighbours(file.path)):
            requests = f"{self.asked:,} {'request' if self.asked == 1 else 'requests'}"
            yield Trouble(
                "1", f"This file has {requests} and no replies; those are in the batch's output and error files."
            )


def _why(row: dict[str, Any]) -> str:
    """What the interface said of a request without a reply."""
    result, response = _object(row.get("result")), _object(row.get("response"))
    error = (
        _object(row.get("error")) or _object(result.get("error")) or _object(_object(response.get("body")).get("error"))
    )
    inner = _object(error.get("error")) or error
    named = ("message", "errorMessage", "code", "errorCode", "type")
    said = next((inner[key] for key in named if inner.get(key)), result.get("type"))
    status = response.get("status_code")
    return short(f"{f'status {status}, ' if status else ''}{said or 'nothing is said of it'}").rstrip(".")


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _reply(row: dict[str, Any], asked: Asked, place: str) -> FoundReply | None:
    if isinstance(told := row.get("modelOutput"), dict):
        return pair_reply(row.get("modelInput"), told, "", place)
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
    for other in _neighbours(path):
        if any(_asked(row) for row in other.rows[:1]):
            for _, data in other.lines():
                row = json_value(data)
                if isinstance(row, dict) and "custom_id" in row and _asked(row):
                    body = row.get("body") or row.get("params")
                    asked = read_request(body if isinstance(body, dict) else {}, str(row.get("url") or ""))
                    found[str(row["custom_id"])] = asked
    return found


def _neighbours(path: Path | None) -> Iterator[Opened]:
    """Files of JSON lines in the same folder, this one too."""
    places = sorted(path.parent.iterdir()) if path else []
    lines = [one for one in places if one.suffix in (".jsonl", ".ndjson") and one.is_file()]
    for place in lines[:_MOST_NEIGHBOURS]:
        other = Opened(place)
        if other.rows:
            yield other
