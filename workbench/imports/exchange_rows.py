"""Rows that hold a request beside its answer, as verifiers, batch interfaces and proxies write them.

{"data_index": 1, "request": {…}, "response": {"choices": […]}, "status": "success"}       K2-Vendor-Verifier's results
{"custom_id": "a", "response": {"status_code": 200, "body": {…}}}                         OpenAI's batches
{"custom_id": "a", "result": {"type": "succeeded", "message": {…}}}                        Anthropic's
{"kwargs": {…}, "response": {…}}   {"request_body": "…", "response_body": "…"}            proxies
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.json_text import json_or
from workbench.imports.provider_bodies import wire_of
from workbench.imports.requests import server_of_request
from workbench.tools.pasted_request import PastedRequest

if TYPE_CHECKING:
    from workbench.wires.kit.server import Served

_PAIRS = (("request", "response"), ("request_body", "response_body"), ("requestBody", "responseBody"), ("kwargs", "response"), ("body", "response"))  # fmt: skip
_NAMES = ("id", "custom_id", "data_index")
_KEPT = ("model", "expect", "tags", "title", "suite", "notes", "seconds", "started")


class ExchangeRow(NamedTuple):
    """A row as `replies` reads it, with what was asked."""

    value: dict[str, Any]
    served: Served | None
    """None: the request is not in the row."""
    error: str = ""
    """Why there is no reply."""


def is_exchange(value: Any) -> bool:
    """Whether it is a row with an answer of a provider below a key, or with a request whose answer failed."""
    return isinstance(value, dict) and (
        _answer(value) is not None or (_request(value) is not None and _told(value) is None)
    )


def exchange_row(value: dict[str, Any], place: str) -> ExchangeRow:
    """Return a row that `is_exchange` knows as one of recorded replies; raise InvalidInput for a request of no protocol."""
    plain = {key: value[key] for key in _KEPT if key in value}
    name = next((value[key] for key in _NAMES if value.get(key) is not None), None)
    if name is not None:
        plain["id"] = str(name)
    if "duration_ms" in value and isinstance(value["duration_ms"], int | float):
        plain.setdefault("seconds", max(value["duration_ms"], 0) / 1000)
    answer, asked = _answer(value), _request(value)
    served = _served(asked, str(value.get("url") or ""), place) if asked is not None else None
    if answer is None:
        return ExchangeRow(plain, served, _why(value))
    return ExchangeRow({**plain, "reply": answer}, served)


def _plain(value: Any) -> Any:
    """A body in whatever form a row holds it."""
    if isinstance(value, dict) and isinstance(value.get("body"), dict | str) and not wire_of(value):
        value = value["body"]
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        return json_or(value, value)
    return value


def _told(value: dict[str, Any]) -> Any:
    result = value.get("result")
    if isinstance(result, dict) and "custom_id" in value:
        return result.get("message")
    return next((value[told] for _, told in _PAIRS if value.get(told) is not None), None)


def _answer(value: dict[str, Any]) -> Any:
    """The answer, where its protocol is known."""
    found = _plain(_told(value))
    return found if wire_of(found) else None


def _request(value: dict[str, Any]) -> dict[str, Any] | None:
    for asked, told in _PAIRS:
        found = _plain(value.get(asked)) if told in value else None
        if isinstance(found, dict) and any(
            isinstance(found.get(name), list | str) for name in ("messages", "contents", "input")
        ):
            return found
    return None


def _served(body: dict[str, Any], url: str, place: str) -> Served:
    server = server_of_request(PastedRequest(body, url))
    if server is None:
        raise InvalidInput(f"{place}: the request is in no known protocol.")
    try:
        return server.read(
            json.dumps(body).encode(), "/v1beta/models/unknown:generateContent" if "contents" in body else ""
        )
    except InvalidInput as error:
        raise InvalidInput(f"{place}: {error.message}") from error


def _why(value: dict[str, Any]) -> str:
    error = value.get("error")
    told = error.get("message") if isinstance(error, dict) else error
    return str(told or value.get("status") or "no answer")
