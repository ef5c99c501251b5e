"""Which values are secret by where they stand: under a name that speaks of keys, in a header, in an address.

Settings, requests and the environment are looked through with these rules; the values found join the keys themselves in the mask
(`core.masking`). A user may name further fields, headers, query parts and variables whose values are secret.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from workbench.core.exchange import Endpoint

_SECRET_NAME = re.compile(
    r"api[-_]?key|(?:^|[^a-z])keys?(?:$|[^a-z])|(?:access|auth|private|secret|session|master|sign(?:ing)?|subscription)[-_]?key"
    r"|token(?!s|i[sz])|secret|passw|passphrase|credential|authori[sz]ation|cookie|signature"
    r"|(?:^|[-_.])(?:sig|auth|jwt|pat|bearer)(?:$|[-_.])",
    re.IGNORECASE,
)
_HARMLESS_NAME = re.compile(
    r"ratelimit|idempotency|(?:max|min|num|bos|eos|pad|unk|stop|mask|next|page|sep|cls|n)(?:_\w*|-[\w-]*)?[-_]?tokens?"
    r"|(?:cache|public)[-_]?key|(?:file|path|dir|sock|name|type|limit|budget|count|id)$",
    re.IGNORECASE,
)
_PUBLIC_HEADER = re.compile(
    r"accept|content-|user-agent|(?:http-)?referr?er|origin|host|connection|cache-control|date|via|x-title"
    r"|.*-(?:version|beta|organization|project|region|model|mode|format|encoding|language|type|name|title)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{1,20}(?:[ _.-][A-Za-z]{1,20}){0,2}")
"""An ordinary word or two: as the value of a header it is no secret that could be masked wherever it stands."""
_RUN = re.compile(r"[A-Za-z0-9]{12,}")
_IN_QUERY = frozenset({"code", "sig", "k"})
LEAST = 8
"""Shorter values of the environment, of headers and of addresses are words."""


def names_secret(name: str, marked: Collection[str] = ()) -> bool:
    """Whether a field, header, parameter or variable of this name holds a secret; `marked`: names that a user gave."""
    if name.lower() in marked:
        return True
    return _SECRET_NAME.search(name) is not None and _HARMLESS_NAME.search(name) is None


def looks_random(text: str) -> bool:
    """Whether a part of an address is a key rather than a word: a long run of letters and digits, mixed."""
    return any(
        (re.search("[0-9]", run) and re.search("[A-Za-z]", run)) or (len(run) >= 20 and run not in (run.lower(), run.upper()))
        for run in _RUN.findall(text)
    )  # fmt: skip


def secrets_in_url(url: str, marked: Collection[str] = ()) -> Iterator[str]:
    """Password (or what stands alone in its place), keys in the query, and random-looking parts of path and query."""
    try:
        parts = urlsplit(url)
        user, password = parts.username or "", parts.password or ""
    except ValueError:
        return
    for value in (
        _given(parts.scheme, user, password),
        *(query_secrets(parts.query, marked)),
        *filter(looks_random, parts.path.split("/")),
    ):
        yield from _both(value)


def query_secrets(query: str, marked: Collection[str] = ()) -> Iterator[str]:
    """The values of a query that are secret, as they stand there."""
    for field in re.split("[&;]", query):
        name, _, value = field.partition("=")
        if names_secret(name, marked) or name.lower() in _IN_QUERY or looks_random(value):
            yield value


def secrets_in_headers(headers: Iterable[tuple[str, str]], marked: Collection[str] = ()) -> Iterator[str]:
    """Values of headers that somebody set: all that are not known to be public, nor an ordinary word."""
    for name, value in headers:
        if names_secret(name, marked) or (not _PUBLIC_HEADER.match(name) and not _WORD.fullmatch(value)):
            scheme, _, rest = value.partition(" ")
            yield from filter(_long, (value, rest if scheme.isalpha() else ""))
            if "cookie" in name.lower():
                yield from filter(_long, (part.partition("=")[2] for part in value.split(";")))


def secrets_in_fields(value: Any, marked: Collection[str] = ()) -> Iterator[str]:
    """All texts below a key of that kind in a JSON value, however deep it is nested."""
    waiting = [(value, False)]
    while waiting:
        item, below = waiting.pop()
        if isinstance(item, str):
            if below:
                yield item
        elif isinstance(item, dict):
            waiting += [(part, below or names_secret(str(key), marked)) for key, part in item.items()]
        elif isinstance(item, list | tuple):
            waiting += [(part, below) for part in item]


def secrets_in_endpoint(endpoint: Endpoint, marked: Collection[str] = ()) -> frozenset[str]:
    """Everything secret in an endpoint's settings besides its key."""
    found = {*secrets_in_url(endpoint.base_url, marked), *secrets_in_headers(endpoint.headers, marked)}
    return frozenset(found | {*secrets_in_fields(endpoint.extra, marked), *secrets_in_fields(endpoint.quirks, marked)})


def secrets_in_environment(environment: Mapping[str, str], marked: Collection[str] = ()) -> frozenset[str]:
    """Values of variables named as secrets are, and passwords in addresses (of proxies, of databases)."""
    named = {value.strip() for name, value in environment.items() if names_secret(name, marked)}
    placed = {secret for value in environment.values() if "@" in value for secret in _passwords(value)}
    return frozenset(value for value in named | placed if len(value) >= LEAST)


def _passwords(text: str) -> Iterator[str]:
    for match in re.finditer(r"([a-z][a-z0-9+.-]*)://([^\s/@]+)@", text, re.IGNORECASE):
        user, _, password = match[2].partition(":")
        yield from _both(_given(match[1], user, password))


def _given(scheme: str, user: str, password: str) -> str:
    """What stands alone before a host is a token on the web, and the name of somebody at a database."""
    return password or ("" if scheme.lower().startswith("postgres") else user)


def _both(value: str) -> Iterator[str]:
    """A part of an address as it stands and as it is meant."""
    yield from filter(_long, {value, unquote(value)})


def _long(value: str) -> bool:
    return len(value) >= LEAST
