"""Requests and replies as text: pretty bodies, headers, raw bytes with what cannot be shown made visible."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workbench.core.json_text import parse_json
from workbench.core.masking import Secrets
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Headers, WireRequest
    from workbench.core.messages import Message


def endpoint_words(request: WireRequest) -> tuple[str, str, str]:
    """`(method, path, host)` of a request."""
    parts = urlsplit(request.url)
    return request.method, parts.path + (f"?{parts.query}" if parts.query else ""), parts.netloc


def body_text(body: bytes) -> str:
    """A JSON body indented, any other as it is."""
    try:
        return json.dumps(parse_json(body), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return raw_text(body)


def raw_text(body: bytes) -> str:
    """Bytes as text; what is no UTF-8 is shown as U+FFFD, control characters as their pictures."""
    return visible(body.decode("utf-8", "replace").replace("\r\n", "␍\n"))


def headers_text(request: Headers, status: int | None, response: Headers) -> str:
    """Both header lists; values that carry keys are masked, whatever was recorded."""
    answer = tr("response {status}", status=status if status is not None else tr("none yet"))
    return "\n\n".join((header_list("request", request), header_list(answer, response)))


def header_list(title: str, headers: Headers) -> str:
    """Headers below a title, masked likewise."""
    return "\n".join((title, *(f"  {name}: {value}" for name, value in Secrets().mask_headers(headers))))


def messages_text(messages: Sequence[Message]) -> str:
    """A conversation as people read it."""
    blocks = []
    for message in messages:
        name = f" {message.name}" if message.name else ""
        call_id = tr(" for {tool_call_id}", tool_call_id=message.tool_call_id) if message.tool_call_id else ""
        lines = [f"── {message.role}{name}{call_id} ──", message.text]
        lines += [
            tr("calls {call} {arguments}", call=call.name, arguments=call.arguments) for call in message.tool_calls
        ]
        blocks.append("\n".join(line for line in lines if line))
    return "\n\n".join(blocks)
