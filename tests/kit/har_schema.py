"""HTTP Archive 1.2 as a JSON Schema, from the field tables of the specification: what a strict reader insists on.

Fields that a form adds begin with an underscore; nothing else is allowed.
"""

from __future__ import annotations

from typing import Any

TEXT, NUMBER, COUNT = {"type": "string"}, {"type": "number", "minimum": -1}, {"type": "integer", "minimum": -1}
MOMENT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {}), "comment": TEXT},
        "patternProperties": {"^_": {}},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


PAIR = _object({"name": TEXT, "value": TEXT})
COOKIE = _object({"name": TEXT, "value": TEXT})
POST = _object({"mimeType": TEXT}, {"params": _list(PAIR), "text": TEXT})
CONTENT = _object({"size": COUNT, "mimeType": TEXT}, {"compression": COUNT, "text": TEXT, "encoding": TEXT})
COMMON = {
    "httpVersion": TEXT,
    "cookies": _list(COOKIE),
    "headers": _list(PAIR),
    "headersSize": COUNT,
    "bodySize": COUNT,
}
REQUEST = _object(
    {"method": TEXT, "url": {"type": "string", "pattern": "^https?://"}, **COMMON, "queryString": _list(PAIR)},
    {"postData": POST},
)
RESPONSE = _object({"status": COUNT, "statusText": TEXT, **COMMON, "content": CONTENT, "redirectURL": TEXT})
TIMINGS = _object(
    {"send": NUMBER, "wait": NUMBER, "receive": NUMBER},
    {"blocked": NUMBER, "dns": NUMBER, "connect": NUMBER, "ssl": NUMBER},
)
ENTRY = _object(
    {
        "startedDateTime": MOMENT,
        "time": {"type": "number", "minimum": 0},
        "request": REQUEST,
        "response": RESPONSE,
        "cache": _object({}, {"beforeRequest": {}, "afterRequest": {}}),
        "timings": TIMINGS,
    },
    {"pageref": TEXT, "serverIPAddress": TEXT, "connection": TEXT},
)
CREATOR = _object({"name": TEXT, "version": TEXT})
HAR = {
    "type": "object",
    "properties": {
        "log": _object({"version": {"const": "1.2"}, "creator": CREATOR, "entries": _list(ENTRY)}, {"browser": CREATOR})
    },
    "required": ["log"],
    "additionalProperties": False,
}
