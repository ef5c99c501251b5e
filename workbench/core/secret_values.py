"""Which values are secret by where they stand: under a name that speaks of keys, in a header, in an address.

Settings, requests and the environment are looked through with these rules; the values found join the keys themselves in the mask
(`core.masking`). A user may name further fields, headers, query parts and variables whose values are secret.
"""

from __future__ import annotations

import base64
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, unquote_plus, urlsplit

from workbench.core.key_shapes import find_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from workbench.core.exchange import Endpoint

_SECRET_NAME = re.compile(
    r"api[-_]?key|(?:^|[^a-z])keys?(?:$|[^a-z])|(?:access|auth|private|secret|session|master|sign(?:ing)?|subscription)[-_]?key"
    r"|token(?!s|i[sz])|secret|passw|passphrase|credential|authori[sz]ation|cookie|signature"
    r"|(?:access|api|auth|bearer|id|refresh|secret|session)[-_]?tokens"
    r"|(?:^|[-_.])(?:sig|auth|jwt|pat|bearer)(?:$|[-_.])"
    r"|(?:^|[-_.])(?:pass|passcode|psk|creds?)$|[a-z0-9][-_.]pwd$|(?-i:^pwd$)",
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HARMLESS_NAME = re.compile(
    r"ratelimit|idempotency|(?:^|[^a-z])(?:max|min|num|bos|eos|pad|unk|stop|mask|next|page|sep|cls|n)(?:_\w*|-[\w-]*)?[-_]?tokens?"
    r"|(?:cache|public)[-_]?key|(?:file|path|dir|sock|name|type|limit|budget|count|id)$",
    re.IGNORECASE,
)
_PUBLIC_HEADER = re.compile(
    r"accept(?:-.*)?|content-.*|user-agent|(?:http-)?referr?er|origin|host|connection|cache-control|date|via|x-title"
    r"|.*-(?:version|beta|organization|project|region|model|mode|format|encoding|language|type|name|title)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{1,20}(?:[ _.-][A-Za-z]{1,20}){0,2}")
"""An ordinary word or two: as the value of a header it is no secret that could be masked wherever it stands."""
_SIGNED_IN = re.compile(r"([a-z][a-z0-9+.-]*)://([^\s/]+)@", re.IGNORECASE)
_BARE_PROXY = re.compile(r"[^\s/:@]+:[^\s/]+@[\w.\-]+(?::\d+)?/?")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[^\s'\"<>]+", re.IGNORECASE)
_SCHEME = re.compile(r"(?:basic|bearer|bot|key|token) +(?=\S)", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[A-Za-z][\w.-]*[ \t]+(?=\S)")
_PARAMETER = re.compile(r'([\w-]+)=(?:"([^"]*)"|([^\s",;]+))')
_PUBLIC_PARAMETERS = frozenset("algorithm charset nc opaque qop realm signedheaders uri username".split())
_NAMED = re.compile(
    r"(?:^|(?<=[\s,;&'\"(=]))-*([A-Za-z_][\w.-]*)(?:=|:(?!//))(?=[ \t]*(?:(?:basic|bearer|bot|token)[ \t]+)?['\"]?([^\s,;&'\")]{1,2048}))",
    re.IGNORECASE,
)
"""A name and what it is given, inside a text: `Password=…;`, `-Dapi.key=…`, `Authorization: Bearer …`."""
_RUN = re.compile(r"[A-Za-z0-9]{12,}")
_CODED_JSON = re.compile(r"(?:e[wy]|W[3w])[A-Za-z0-9+/_-]{14,}={0,2}")
"""What may be a JSON object or list in base64."""
JSON_LIMIT = 65_536
"""A longer text is not read as JSON."""
_IN_QUERY = frozenset({"code", "sig", "k"})
LEAST = 6
"""Shorter values are ordinary text."""
LEAST_WORD = 8
"""So are shorter ones that are a word or stand in a header whose name says nothing of secrets."""


def names_secret(name: str, marked: Collection[str] = ()) -> bool:
    """Whether a field, header, parameter or variable of this name holds a secret; `marked`: names that a user gave."""
    if name.lower() in marked:
        return True
    name = _HUMP.sub("-", name)
    return _SECRET_NAME.search(name) is not None and _HARMLESS_NAME.search(name) is None


def looks_random(text: str) -> bool:
    """Whether a part of an address is a key rather than a word: a long run of letters and digits, mixed."""
    return any(
        (re.search("[0-9]", run) and re.search("[A-Za-z]", run)) or (len(run) >= 20 and run not in (run.lower(), run.upper()))
        for run in _RUN.findall(text)
    )  # fmt: skip


def secrets_in_url(url: str, marked: Collection[str] = (), *, random: bool = True) -> Iterator[str]:
    """Password (or what stands alone in its place), keys in query and fragment, and parts of the path that are keys.

    A database's name and host are no keys however random they look; without `random` nothing is one for its looks.
    """
    try:
        parts = urlsplit(url)
        user, password = parts.username or "", parts.password or ""
    except ValueError:
        return
    web = random and not _of_database(parts.scheme)
    for value in (
        *_given(parts.scheme, user, password),
        *query_secrets(parts.query, marked, random=web),
        *query_secrets(parts.fragment, marked, random=web),
        *(_path_secrets(parts.path, marked) if web else ()),
    ):
        yield from _both(value)
    for field in re.split("[&;]", parts.query):
        inner = unquote_plus(field.partition("=")[2])
        yield from _passwords(inner) if "://" in inner else ()
        yield from secrets_in_fields(_undone(inner), marked) if inner[:1] in ("{", "[") else ()


def _path_secrets(path: str, marked: Collection[str]) -> Iterator[str]:
    """Parts of a path that look like keys, stand behind a part that names one (`/token/…`), or are a field (`/key=…`)."""
    before = ""
    for part in path.split("/"):
        if looks_random(part) or (names_secret(before, marked) and not _WORD.fullmatch(part)):
            yield part
        if "=" in part:
            yield from query_secrets(part, marked)
        before = part


def query_secrets(query: str, marked: Collection[str] = (), *, random: bool = True) -> Iterator[str]:
    """The values of a query that are secret, as they stand there; `random`: also those that look like a key."""
    for field in re.split("[&;]", query):
        name, given, value = field.partition("=")
        if not given and random and looks_random(field):
            yield field
        elif names_secret(name, marked) or name.lower() in _IN_QUERY or (random and looks_random(value)):
            yield value


def secrets_in_headers(headers: Iterable[tuple[str, str]], marked: Collection[str] = ()) -> Iterator[str]:
    """Values of headers that somebody set: all that are not known to be public, nor an ordinary word; of public ones, what is secret
    in any text."""
    for name, value in headers:
        yield from filter(_no_word, secrets_in_fields(value, marked))
        named = names_secret(name, marked)
        if named or (not _PUBLIC_HEADER.fullmatch(name) and not _WORD.fullmatch(value) and len(value) >= LEAST_WORD):
            scheme = _ANY_SCHEME.match(value)
            rest = value[scheme.end() :] if scheme else ""
            yield from filter(_no_word, (value, rest, *_parameters(value)))
            if value.lower().startswith("basic"):
                yield from filter(_long, _basic(rest))
            if "cookie" in name.lower():
                crumbs = [part.partition("=")[2] for part in value.split(";")]
                yield from filter(_no_word, (*crumbs, *map(unquote, crumbs)))


def _parameters(value: str) -> Iterator[str]:
    """What a sign-in gives by name, as in `Digest username="me", response="…"`: all but what everybody may know."""
    for name, quoted, bare in _PARAMETER.findall(value):
        if name.lower() not in _PUBLIC_PARAMETERS:
            yield quoted or bare


def _basic(code: str) -> Iterator[str]:
    """The password of a basic sign-in, which servers undo and tell; without one, what stands in its place."""
    try:
        user, _, password = base64.b64decode(code.strip(), validate=True).decode().partition(":")
    except ValueError:
        return
    yield from _given("", user, password)


def secrets_in_fields(value: Any, marked: Collection[str] = ()) -> Iterator[str]:
    """All texts below a key of that kind in a JSON value, however deep it is nested, and what is secret in any text in it.

    A list of two texts, and an object of a `name` and a `value`, are a key and its value, too.
    """
    waiting = [(value, False)]
    while waiting:
        item, below = waiting.pop()
        if isinstance(item, str):
            if below:
                yield item
                yield from behind_scheme(item)
            yield from filter(looks_random, _named(item, marked))
            yield from _in_any_text(item, marked)
            waiting.append((_inside(item), below))
        elif isinstance(item, dict):
            told = names_secret(str(item.get("name", item.get("key", ""))), marked)
            waiting += [
                (part, below or names_secret(str(key), marked) or (told and key == "value"))
                for key, part in item.items()
            ]
        elif isinstance(item, list | tuple):
            pair = len(item) == 2 and isinstance(item[0], str) and names_secret(item[0], marked)
            waiting += [(part, below or (pair and at == 1)) for at, part in enumerate(item)]


def _in_any_text(text: str, marked: Collection[str]) -> Iterator[str]:
    """Keys by their shape, and what is secret in addresses."""
    yield from (text[key.start : key.end] for key in find_keys(text))
    if "://" in text:
        yield from _passwords(text) if "@" in text else ()
        for address in _ADDRESS.findall(text):
            yield from secrets_in_url(address, marked, random=False)


def _named(text: str, marked: Collection[str]) -> Iterator[str]:
    """What stands in a text behind a name that speaks of keys."""
    yield from (value for name, value in _NAMED.findall(text) if names_secret(name, marked))


def behind_scheme(value: str) -> Iterator[str]:
    """What stands behind the word for a way of signing in, as in `Bearer …`: servers tell it alone."""
    if found := _SCHEME.match(value):
        yield value[found.end() :]


def _inside(text: str) -> Any:
    """A JSON value that a text is, as it stands or in base64."""
    if len(text) >= JSON_LIMIT:
        return None
    if _CODED_JSON.fullmatch(text):
        code = text.translate(str.maketrans("-_", "+/")).rstrip("=")
        text = base64.b64decode(f"{code}{'=' * (-len(code) % 4)}" if len(code) % 4 != 1 else "").decode(
            "utf-8", "replace"
        )
    return _undone(text) if text[:1] in ("{", "[") else None


def _undone(text: str) -> Any:
    """A JSON value that stands as text in another one."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def secrets_in_endpoint(endpoint: Endpoint, marked: Collection[str] = ()) -> frozenset[str]:
    """Everything secret in an endpoint's settings besides its key."""
    found = {*secrets_in_url(endpoint.base_url, marked), *secrets_in_headers(endpoint.headers, marked)}
    return frozenset(found | {*secrets_in_fields(endpoint.extra, marked), *secrets_in_fields(endpoint.quirks, marked)})


def secrets_in_environment(environment: Mapping[str, str], marked: Collection[str] = ()) -> frozenset[str]:
    """Values of variables named as secrets are, and what is secret in any other: passwords in addresses (of proxies, of databases),
    what stands behind a name (`Server=h;Password=…`), keys by their shape."""
    names = frozenset(marked)
    return frozenset().union(*(_in_variable(name, value, names) for name, value in environment.items()))


@lru_cache(maxsize=4096)
def _in_variable(name: str, value: str, marked: frozenset[str]) -> frozenset[str]:
    """The same of one variable; all are asked for before every request."""
    found = {*secrets_in_fields(value, marked), *_named(value, marked), *(_passwords(value) if "@" in value else ())}
    if names_secret(name, marked):
        found |= {value.strip(), *map(str.strip, re.split("[,;]", value))}
    return frozenset(filter(_no_word, found))


def _passwords(text: str) -> Iterator[str]:
    """Passwords of all addresses in a text; of a proxy that is named without `http://`, too."""
    for match in _SIGNED_IN.finditer(
        text if "://" in text or not _BARE_PROXY.fullmatch(text.strip()) else f"http://{text.strip()}"
    ):
        user, _, password = match[2].partition(":")
        for value in _given(match[1], user, password):
            yield from _both(value)


def _given(scheme: str, user: str, password: str) -> Iterator[str]:
    """The password; what stands alone before a host or with a word for form's sake, which is a token on the web and the name of
    somebody at a database; and a name that is a key itself. An ordinary word beside a password is no secret."""
    if password:
        yield password
    beside_short = len(password) < LEAST and not _WORD.fullmatch(user)
    if user and not _of_database(scheme) and (not password or beside_short or looks_random(user)):
        yield user


def _of_database(scheme: str) -> bool:
    return scheme.lower().startswith("postgres")


def _both(value: str) -> Iterator[str]:
    """A part of an address as it stands and as it is meant, also where it was encoded twice."""
    yield from filter(_long, {value, unquote(value), unquote(unquote(value)), unquote_plus(value)})


def _long(value: str) -> bool:
    return len(value) >= LEAST


def _no_word(value: str) -> bool:
    return len(value) >= LEAST_WORD or (_long(value) and not _WORD.fullmatch(value))
