"""What every wire does to make an HTTP request: addresses that join cleanly, headers, JSON bodies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Headers, WireRequest
from workbench.core.masking import Secrets
from workbench.core.secret_values import secrets_in_url
from workbench.wires.kit.jsons import json_bytes

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint
    from workbench.core.messages import ChatRequest

_VERSION = re.compile(r"v\d+[a-z]*\d*")


def join_url(base: str, path: str) -> str:
    """Put the wire's path behind the base address; a query stays at the end, a path already there is not doubled."""
    text = base.strip()
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        words = f"Base URL {_shown(text)} cannot be read: {error}."
        raise InvalidInput(words, hint="Write http://HOST:PORT/v1.") from error
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(f"Base URL {_shown(text)} is not an http(s) address.", hint="Write http://HOST:PORT/v1.")
    if "{" in text:
        raise InvalidInput(
            f"Base URL {_shown(text)} still has a place to fill in.", hint="Put your own name for the braces."
        )
    stem = parts.path.rstrip("/")
    route, _, query = path.partition("?")
    if not stem.endswith(route):
        stem += route
    return urlunsplit((parts.scheme, parts.netloc, stem, "&".join(filter(None, (parts.query, query))), ""))


def _shown(address: str) -> str:
    """The address as an error names it: a key may stand in it before anybody has read it as one."""
    masked = Secrets(secrets_in_url(address)).mask_url(address)
    return repr(re.sub(r"(//)[^/?#]*@", r"\1***@", masked))


def headers_for(endpoint: Endpoint, auth: Headers, *, json_body: bool, stream: bool = False) -> Headers:
    """Return content type, accept, authorization and the endpoint's own headers; the latter win."""
    wanted: dict[str, tuple[str, str]] = {}
    standard = [("accept", "text/event-stream" if stream else "application/json")]
    if json_body:
        standard.append(("content-type", "application/json"))
    for name, value in (*standard, *auth, *endpoint.headers):
        wanted[name.lower()] = (name, _usable(name, value))
    return tuple(wanted.values())


def _usable(name: str, value: str) -> str:
    value = value.strip()
    if not value.isascii() or not value.isprintable():
        raise InvalidInput(
            f"The header {name!r} holds a character that HTTP cannot carry.", hint="Copy the key again, without spaces."
        )
    return value


def bearer(key: str | None) -> Headers:
    """Return the usual authorization header, or none without a key."""
    return (("authorization", f"Bearer {key.strip()}"),) if key and key.strip() else ()


def key_header(endpoint: Endpoint, key: str | None, usual: str = "authorization") -> Headers:
    """Return the header that carries the key: the one that the quirk `auth_header` names, else the wire's usual one."""
    name = str(quirk(endpoint, "auth_header", usual))
    if name.lower() == "authorization":
        return bearer(key)
    return ((name, key),) if key else ()


def lay_over(body: dict[str, Any], endpoint: Endpoint, request: ChatRequest) -> dict[str, Any]:
    """Lay further fields over the body: the provider's, what only this wire knows, the request's own; objects are merged."""
    return _merged(_merged(_merged(body, endpoint.extra), request.by_wire.get(endpoint.wire, {})), request.extra)


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    out = dict(under)
    for name, value in over.items():
        below = out.get(name)
        out[name] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return out


def quirk(endpoint: Endpoint, name: str, default: Any = False) -> Any:
    """Return a quirk of the endpoint, or what is usual."""
    return endpoint.quirks.get(name, default)


def versioned(base: str, version: str, path: str) -> str:
    """Join a path that begins with an API version; a base address that ends in a version keeps its own."""
    stem = base.strip().partition("?")[0].rstrip("/").rpartition("/")[2]
    return join_url(base, path if _VERSION.fullmatch(stem) or stem == path.rpartition("/")[2] else version + path)


def get_json(url: str, auth: Headers, endpoint: Endpoint) -> WireRequest:
    """Return a request without a body."""
    return WireRequest("GET", url, headers_for(endpoint, auth, json_body=False))


def post_json(
    url: str, auth: Headers, body: dict[str, Any], endpoint: Endpoint, request: ChatRequest, *, stream: bool = False
) -> WireRequest:
    """Return the finished request, further fields laid over the body; `stream`: it asks for server-sent events."""
    headers = headers_for(endpoint, auth, json_body=True, stream=stream)
    return WireRequest("POST", url, headers, json_bytes(lay_over(body, endpoint, request)))
