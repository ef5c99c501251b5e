"""HTTP Archive 1.2 of recorded exchanges: for browsers' tools, proxies and everything else that reads HAR.

http://www.softwareishard.com/blog/har-12-spec/. What HAR has no field for begins with an underscore, as it asks: `_chunks` are
pairs of milliseconds since the request and bytes, `_run`, `_step` and `_try` say where the exchange belongs, `_error` what ended it.
"""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import workbench
from workbench.export.cassette import phrase
from workbench.export.exchanges import all_exchanges
from workbench.export.files import Export, ExportFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Headers
    from workbench.export.exchanges import RecordedExchange
    from workbench.export.exported_run import ExportedRun


def export_har(runs: Sequence[ExportedRun]) -> Export:
    """Make the file: every try, also those without a response (status 0, as browsers write them)."""
    found = all_exchanges(runs)
    entries = [_entry(one) for one in sorted(found, key=lambda one: one.begun_us)]
    creator = {"name": "Tool-Calling Workbench", "version": workbench.__version__}
    document = {"log": {"version": "1.2", "creator": creator, "entries": entries}}
    count = f"{len(found)} {'exchange' if len(found) == 1 else 'exchanges'}"
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return Export("har", (ExportFile("exchanges.har", text),), f"{count} as HAR 1.2", form="file")


def _entry(exchange: RecordedExchange) -> dict[str, Any]:
    wait, receive = exchange.first_us or exchange.ended_us, 0
    if exchange.status:
        receive = max(0, exchange.ended_us - exchange.first_us)
    entry = {
        "startedDateTime": datetime.fromtimestamp(exchange.begun_us / 1e6, UTC).isoformat(timespec="microseconds"),
        "time": (wait + receive) / 1000,
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": {"send": 0, "wait": wait / 1000, "receive": receive / 1000},
        "_run": exchange.run_id,
        "_step": exchange.step,
        "_try": exchange.exchange,
        "_chunks": [[at_us / 1000, len(data)] for at_us, data in exchange.chunks],
    }
    return entry | ({"_error": exchange.error.message} if exchange.error else {})


def _request(exchange: RecordedExchange) -> dict[str, Any]:
    sent = exchange.request
    text, coding = _content(sent.body)
    post: dict[str, Any] = {"mimeType": _of(sent.headers, "content-type"), "text": text}
    if coding:
        post["_encoding"] = coding
    return {
        "method": sent.method,
        "url": sent.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(sent.headers),
        "queryString": _pairs(tuple(parse_qsl(urlsplit(sent.url).query, keep_blank_values=True))),
        "headersSize": -1,
        "bodySize": len(sent.body),
    } | ({"postData": post} if sent.body else {})


def _response(exchange: RecordedExchange) -> dict[str, Any]:
    body = exchange.body
    text, coding = _content(body)
    content: dict[str, Any] = {
        "size": len(body),
        "mimeType": exchange.header("content-type"),
        "text": text,
    }
    if coding:
        content["encoding"] = coding
    return {
        "status": exchange.status,
        "statusText": phrase(exchange.status),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(exchange.headers),
        "content": content,
        "redirectURL": exchange.header("location"),
        "headersSize": -1,
        "bodySize": -1,
    }


def _content(body: bytes) -> tuple[str, str]:
    """The text, and its encoding where it is none."""
    try:
        return body.decode(), ""
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), "base64"


def _pairs(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _of(headers: Headers, name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")
