"""Which values are secret by where they stand: under a name that speaks of keys, in a header, in an address.

Settings, requests and the environment are looked through with these rules; the values found join the keys themselves in the mask
(`core.masking`). A user may name further fields, headers, query parts and variables whose values are secret.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, unquote_plus, urlsplit

from workbench.core.coded_text import said_in_code
from workbench.core.json_text import json_or
from workbench.core.key_shapes import find_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from workbench.core.exchange import Endpoint

KEY_HEADERS = {"authorization": "Bearer ", "x-api-key": "", "api-key": "", "x-goog-api-key": ""}
"""The headers in which the wires send a key, and what stands before it."""
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
_WORDY_HEADER = re.compile(
    r"accept(?:-.*)?|content-.*|user-agent|(?:http-)?referr?er|origin|host|connection|cache-control|date|via|.*-title",
    re.IGNORECASE,
)
"""Public, made of words: what is no word there is a key."""
_PUBLIC_HEADER = re.compile(
    rf"{_WORDY_HEADER.pattern}|.*-(?:version|beta|organization|project|region|model|mode|format|encoding|language|type|name)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{1,20}(?:[ _.-][A-Za-z]{1,20}){0,2}")
"""An ordinary word or two: as the value of a header it is no secret that could be masked wherever it stands."""
_SIGNED_IN = re.compile(r"([a-z][a-z0-9+.-]{0,40})://([^\s/]+)@", re.IGNORECASE)
_BARE_PROXY = re.compile(r"[^\s/:@]+:[^\s/]+@[\w.\-]+(?::\d+)?/?")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{0,40}://[^\s'\"<>]+", re.IGNORECASE)
_SCHEME = re.compile(r"(?:basic|bearer|bot|key|token) +(?=\S)", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[A-Za-z][\w.-]*[ \t]+(?=\S)")
_PARAMETER = re.compile(r'(?<![\w-])([\w-]+)=(?:"([^"]*)"|([^\s",;]+))')
_PUBLIC_PARAMETERS = frozenset("algorithm charset nc opaque qop realm signedheaders uri username".split())
_NAMED = re.compile(
    r"(?:^|(?<=[\s,;&'\"(=]))-*([A-Za-z_][\w.-]*)[ \t]*(?:=|:(?!//))(?=[ \t]*(?:(?:basic|bearer|bot|token)[ \t]+)?['\"]?([^\s,;&'\")]{1,2048}))",
    re.IGNORECASE,
)
"""A name and what it is given, inside a text: `Password=…;`, `-Dapi.key=…`, `Authorization: Bearer …`."""
_OPTION = re.compile(r"(?:^|(?<=\s))--?([A-Za-z][\w-]*)[ \t]+['\"]?(?!-)([^\s'\"]{1,2048})")
_ELEMENT = re.compile(r"<([A-Za-z_][\w.:-]*)[^<>]{0,200}>([^<>\s]{1,2048})</")
_PATH = re.compile(r"(?:~|\.{0,2})/[\w.-]+(?:/[\w.-]+)*$")
_SIGN_IN = re.compile(r"(?:^|(?<=\s))(?:-u|--user)[ =]?['\"]?[^\s:'\"]+:([^\s'\"]{1,2048})")
_HEADERS = re.compile(r"(?:^|[-_.])headers$", re.IGNORECASE)
"""The name of a field or variable that holds headers."""
_HEADER = re.compile(r"(?:^|[\n,])[ \t]*([\w-]+)[ \t]*[=:]([^\n,]+)")
_USER = re.compile(r"[\w.@-]+")
_APART = re.compile(r"[\s,;()\"']+|(?<=\w)[=:](?=[^=])")
_RUN = re.compile(r"[A-Za-z0-9]{12,}")
_LONG_RUN = re.compile(r"[A-Za-z0-9]{16,}")
_CODE = re.compile(
    r"(?<![0-9a-z])(?:[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])", re.IGNORECASE
)
_PIECE = 8
"""Longer texts in a list are words of their own."""
_NESTED = 8
"""Texts in addresses and in base64 within each other, that are looked through."""
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


def is_no_word(text: str) -> bool:
    """Whether a text is a key rather than the name of a protocol, a format or a variable, odd ones too."""
    if _CODE.search(text):
        return True
    return any(all(re.search(sign, run) for sign in ("[0-9]", "[a-z]", "[A-Z]")) for run in _LONG_RUN.findall(text))


def shaped_keys(text: str) -> Iterator[str]:
    """Keys by their shape, in whatever stands around them."""
    return (text[key.start : key.end] for key in find_keys(text))


def secrets_in_addresses(text: str) -> Iterator[str]:
    """What is secret in all addresses of a text."""
    for address in _ADDRESS.findall(text) if "://" in text else ():
        yield from secrets_in_url(address)


def secrets_in_url(url: str, marked: Collection[str] = (), *, random: bool = True) -> Iterator[str]:
    """Password (or what stands alone in its place), keys in query and fragment, parts of the path that are keys, and keys by
    their shape in the host's name.

    A database's name and host are no keys however random they look; without `random` nothing is one for its looks.
    """
    yield from _in_address(url, marked, random=random)
    yield from secrets_in_fields([*_inner_texts(url)], marked)


def _in_address(url: str, marked: Collection[str], *, random: bool) -> Iterator[str]:
    """The same but for what stands in texts inside of it."""
    try:
        parts = urlsplit(url)
        user, password = parts.username or "", parts.password or ""
    except ValueError:
        return
    yield from shaped_keys(parts.netloc)
    web = random and not _of_database(parts.scheme)
    for value in (
        *_given(parts.scheme, user, password),
        *query_secrets(parts.query, marked, random=web),
        *query_secrets(parts.fragment, marked, random=web),
        *(_path_secrets(parts.path, marked) if web else ()),
    ):
        yield from _both(value)
        yield from _coded(unquote(value))


def _inner_texts(url: str) -> Iterator[str]:
    """Texts of their own in an address: what is given in its query, and parts of its path."""
    with suppress(ValueError):
        parts = urlsplit(url)
        for part in (*re.split("[&;]", parts.query), *parts.path.split("/")):
            yield unquote_plus(part.partition("=")[2] or part)


def _path_secrets(path: str, marked: Collection[str]) -> Iterator[str]:
    """Parts of a path that look like keys, stand behind a part that names one (`/token/…`), or are a field (`/key=…`)."""
    before = ""
    for part in path.split("/"):
        if looks_random(part) or (names_secret(before, marked) and not _WORD.fullmatch(part)):
            yield part
            yield from filter(looks_random, re.split("[:;=,@]", unquote(part)))
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
        yield from shaped_keys(name)
        if _WORDY_HEADER.fullmatch(name):
            yield from (part for part in _APART.split(value) if "://" not in part and is_no_word(part))
            yield from secrets_in_url(value, marked) if "://" in value else ()
        named = names_secret(name, marked)
        if named or (not _PUBLIC_HEADER.fullmatch(name) and not _WORD.fullmatch(value) and len(value) >= LEAST_WORD):
            scheme = _ANY_SCHEME.match(value)
            rest = value[scheme.end() :] if scheme else ""
            yield from filter(_no_word, (value, rest, *_parameters(value), *_coded(rest or value)))
            yield from filter(_no_word, (part for part in _APART.split(value) if looks_random(part)))
            if "cookie" in name.lower():
                crumbs = [part.partition("=")[2] for part in value.split(";")]
                yield from filter(_no_word, (*crumbs, *map(unquote, crumbs)))


def _parameters(value: str) -> Iterator[str]:
    """What a sign-in gives by name, as in `Digest username="me", response="…"`: all but what everybody may know."""
    for name, quoted, bare in _PARAMETER.findall(value):
        if name.lower() not in _PUBLIC_PARAMETERS:
            yield quoted or bare


def _coded(value: str) -> Iterator[str]:
    """What a secret says that is written in base64 or hexadecimal, as servers undo and tell it; of a sign-in the password."""
    for said in said_in_code(value):
        user, _, password = said.partition(":")
        yield from _given("", user, password) if _USER.fullmatch(user) else (said,)
        yield from _coded(said)


def secrets_in_fields(value: Any, marked: Collection[str] = ()) -> Iterator[str]:
    """All texts below a key of that kind in a JSON value, however deep it is nested, and what is secret in any text in it.

    A list of two texts, an option and what follows it in a list, and an object of a `name` and a `value`, are a key and its value,
    too; a list of characters is the text that they make.
    """
    waiting = [(value, False, 0)]
    while waiting:
        item, below, depth = waiting.pop()
        if isinstance(item, str):
            if below:
                yield from (item, *behind_scheme(item), *_coded(item))
            yield from _in_any_text(item, marked)
            inner = (
                (text for address in _ADDRESS.findall(item) for text in _inner_texts(address)) if "://" in item else ()
            )
            if depth < _NESTED:
                waiting += [(text, False, depth + 1) for text in (*inner, *said_in_code(item))]
            waiting.append((_undone(item), below, depth))
        elif isinstance(item, dict):
            told = names_secret(str(item.get("name", item.get("key", ""))), marked)
            for key, part in item.items():
                name = str(key)
                yield from shaped_keys(name)
                yield from _in_named(name, part, marked)
                waiting.append((part, below or names_secret(name, marked) or (told and name == "value"), depth))
        elif isinstance(item, list | tuple):
            yield from _joined(item) if below else ()
            pair = len(item) == 2 and isinstance(item[0], str) and names_secret(item[0], marked)
            options = [isinstance(one, str) and one[:1] == "-" and names_secret(one, marked) for one in item]
            waiting += [
                (part, below or (at > 0 and (pair or options[at - 1]) and str(part)[:1] != "-"), depth)
                for at, part in enumerate(item)
            ]


def _joined(parts: Sequence[Any]) -> Iterator[str]:
    """What short texts, or codes of characters, make together."""
    if len(parts) > 1 and all(isinstance(part, str) and len(part) <= _PIECE for part in parts):
        yield "".join(parts)
    elif len(parts) >= LEAST and all(isinstance(part, int) and 9 <= part < 127 for part in parts):
        yield "".join(map(chr, parts))


def _in_named(name: str, value: Any, marked: Collection[str]) -> Iterator[str]:
    """What is secret in headers that stand as an object, or one beside the other in a text, below a name that says so; and in the
    address of a web hook, which is a key itself."""
    if isinstance(value, str) and "hook" in name.lower():
        yield from _in_address(value, marked, random=True)
    if not _HEADERS.search(_HUMP.sub("-", name)):
        return
    if isinstance(value, str):
        yield from secrets_in_headers(
            [(header, unquote(told.strip())) for header, told in _HEADER.findall(value)], marked
        )
    elif isinstance(value, dict):
        yield from secrets_in_headers(
            [(str(key), told) for key, told in value.items() if isinstance(told, str)], marked
        )


def _in_any_text(text: str, marked: Collection[str]) -> Iterator[str]:
    """Keys by their shape and by the name before them, and what is secret in addresses."""
    yield from shaped_keys(text)
    yield from filter(looks_random, _named(text, marked))
    if "://" in text:
        yield from _passwords(text) if "@" in text else ()
        for address in _ADDRESS.findall(text):
            yield from _in_address(address, marked, random=False)


def _named(text: str, marked: Collection[str]) -> Iterator[str]:
    """What stands in a text behind a name that speaks of keys, as an option of a command or in an element, too."""
    found = _NAMED.findall(text)
    found += _OPTION.findall(text) if "-" in text else []
    found += _ELEMENT.findall(text) if "</" in text else []
    yield from (value for name, value in found if names_secret(name, marked) and not _PATH.match(value))
    yield from filter(looks_random, _SIGN_IN.findall(text) if "-u" in text else ())


def behind_scheme(value: str) -> Iterator[str]:
    """What stands behind the word for a way of signing in, as in `Bearer …`: servers tell it alone."""
    if found := _SCHEME.match(value):
        yield value[found.end() :]


def _undone(text: str) -> Any:
    """A JSON value that stands as text in another one."""
    if text[:1] not in ("{", "[") or len(text) >= JSON_LIMIT:
        return None
    return json_or(text, None)


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
    found = {
        *secrets_in_fields({name: value.strip()}, marked),
        *_named(value, marked),
        *(_passwords(value) if "@" in value else ()),
    }
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
